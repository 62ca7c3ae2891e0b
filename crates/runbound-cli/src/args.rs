//! What may be written on the command line: commands, common flags, help and examples.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

const MAIN_EXAMPLES: &str = "\
Examples:
  runbound tour
  runbound tools --tier read
  runbound call ast_grep '{\"pattern\": \"$X.unwrap()\", \"language\": \"rust\"}'
  runbound console --root ~/src/app

Exit status: 0 done; 1 the call failed or was interrupted; 2 usage, or an
unreadable line of a script.";

const TOOLS_EXAMPLES: &str = "\
Examples:
  runbound tools
  runbound tools --tier read          what a run in plan mode sees
  runbound tools --json | jq '.[].name'";

const CALL_EXAMPLES: &str = "\
Examples:
  runbound call read '{\"path\": \"src/main.rs\", \"start_line\": 1, \"end_line\": 9}'
  runbound call ast_grep --json '{\"pattern\": \"foo($$$A)\", \"language\": \"go\"}'
  echo '{\"path\": \"notes.txt\", \"content\": \"hi\\n\"}' | runbound call write -
  runbound call ast_edit --accept '{\"pattern\": \"old($$$A)\",
    \"rewrite\": \"new($$$A)\", \"language\": \"python\"}'

Exit status: 0 the call succeeded; 1 it failed or was cancelled (Ctrl-C);
2 usage, or arguments that are not JSON.";

const RUN_EXAMPLES: &str = "\
A script has one call a line. All share one run, so an edit that one line
stages can be resolved by the next:
  {\"id\": 1, \"tool\": \"ast_edit\", \"args\": {\"pattern\": \"foo($A)\", …}}
  {\"id\": 2, \"tool\": \"resolve\", \"args\": {\"edit_id\": \"edit_1\", …}}

Examples:
  runbound run script.jsonl
  generate-calls | runbound run -

Exit status: 0 every line was run, whatever the calls answered;
1 interrupted; 2 a line cannot be read: it is named, and the results before
it are printed.";

const SERVE_EXAMPLES: &str = "\
One JSON object a line on standard input and output; logs go to standard
error only. One process is one run.

Example, shortened:
  {\"id\": 1, \"method\": \"initialize\", \"params\": {\"protocol_version\": 1, …}}
  {\"id\": 2, \"method\": \"tools/call\", \"params\": {\"name\": \"read\", …}}
  {\"id\": 3, \"method\": \"shutdown\"}
  {\"method\": \"exit\"}

Exit status: 0 at the end of input, after shutdown, and on exit;
1 interrupted.";

const CONSOLE_EXAMPLES: &str = "\
At the prompt a call is a tool's name and its arguments, as words or as JSON:
  ast_grep pattern='$X.unwrap()' language=rust
  read {\"path\": \"Cargo.toml\"}
Words beginning with a colon steer the console: :help, :tools, :schema TOOL, :tier read, :quit.
Tab completes names and argument keys; Ctrl-C cancels the call that runs, not the session.

Examples:
  runbound console --root ~/src/app
  echo 'read path=README.md' | runbound console";

const DOCTOR_EXAMPLES: &str = "\
Examples:
  runbound doctor --root ~/src/app
  runbound doctor --json";

const TOUR_EXAMPLES: &str = "\
It works on a copy of its own sample in a temporary folder, which is deleted at the end.

Example:
  runbound tour";

/// Commands that work on no project: the common flags would only be in the way.
const TOUR_HELP: &str = "\
{about-with-newline}
{usage-heading} {usage}{after-help}";
const COMPLETIONS_HELP: &str = "\
{about-with-newline}
{usage-heading} {usage}

Arguments:
{positionals}{after-help}";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  runbound completions bash > ~/.local/share/bash-completion/completions/runbound
  runbound completions zsh > ~/.zfunc/_runbound
  runbound completions fish > ~/.config/fish/completions/runbound.fish";

/// Tools for coding agents that stand on something live, for people and for programs.
#[derive(Debug, Parser)]
#[command(name = "runbound", version, after_help = MAIN_EXAMPLES, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Flags that every command takes, before or after its name.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Common flags")]
pub(crate) struct Common {
    /// Folder the tools work in and are held to [default: the current folder]
    #[arg(long, global = true, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub(crate) root: Option<PathBuf>,
    /// Highest tier that is visible
    #[arg(long, global = true, value_enum, value_name = "TIER", default_value = "exec")]
    pub(crate) tier: TierArg,
    /// Name of the conversation that the run belongs to [default: a fresh one]
    #[arg(long, global = true, value_name = "ID")]
    pub(crate) conversation: Option<String>,
    /// Ask for background workers (not built into this version)
    #[arg(long, global = true, hide = true)]
    pub(crate) vibe: bool,
    /// Command that runs a worker (not built into this version)
    #[arg(long, global = true, value_name = "CMD", hide = true)]
    pub(crate) worker_cmd: Option<String>,
    /// Append a trace of requests and results to FILE, one JSON object a line
    #[arg(long, global = true, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) log: Option<PathBuf>,
    /// Folder for change journals, saved images and texts of cut answers [default: the user's state folder]
    #[arg(long, global = true, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub(crate) state_dir: Option<PathBuf>,
    /// Language servers to add, change or leave out: a JSON file of yours, not one of the checkout (docs/servers.md)
    #[arg(long, global = true, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) servers: Option<PathBuf>,
    /// Whether write and exec calls need a person's permission; staging an edit is a write call, so it asks as well
    #[arg(long, global = true, value_enum, value_name = "HOW", default_value = "none")]
    pub(crate) permissions: Permissions,
    /// Trust the checkout: tools may run what lies in it [default: trusted when the tier is exec]
    #[arg(long, global = true, overrides_with = "no_trust")]
    pub(crate) trust: bool,
    /// Do not trust the checkout
    #[arg(long, global = true, overrides_with = "trust")]
    pub(crate) no_trust: bool,
    /// When to colour the output
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
}

impl Common {
    /// What was said about trust; nothing said leaves it to the tier.
    pub(crate) fn trusted(&self) -> Option<bool> {
        match (self.trust, self.no_trust) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }
}

/// The tiers, as words of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TierArg {
    /// No side effects
    Read,
    /// Changes files too
    Write,
    /// Starts processes too
    Exec,
}

/// Whether `write` and `exec` calls are asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Permissions {
    /// The tier is the only rule
    None,
    /// Every write and exec call is asked about, also one that only stages; with nobody to ask it is refused
    Ask,
}

/// When to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the visible tools
    #[command(after_help = TOOLS_EXAMPLES)]
    Tools {
        /// Name, tier, description, schema and parallel safety of each, as one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Make one call
    #[command(after_help = CALL_EXAMPLES)]
    Call {
        /// Name of the tool
        tool: String,
        /// Its arguments as a JSON object; - reads them from standard input
        #[arg(value_name = "ARGS_JSON|-")]
        args: String,
        /// Print the result object instead of the text
        #[arg(long)]
        json: bool,
        /// Accept what an ast_edit has staged, in the same process
        #[arg(long)]
        accept: bool,
    },
    /// Run a script of calls, one a line
    #[command(after_help = RUN_EXAMPLES)]
    Run {
        /// File of calls; - reads them from standard input as they come
        #[arg(value_name = "SCRIPT.jsonl|-", value_hint = clap::ValueHint::FilePath)]
        script: PathBuf,
    },
    /// Serve a harness in any language: JSON-RPC 2.0 over standard input and output
    #[command(after_help = SERVE_EXAMPLES)]
    Serve,
    /// Work at a prompt
    #[command(after_help = CONSOLE_EXAMPLES)]
    Console,
    /// Say what this checkout can use, and what it cannot and why
    #[command(after_help = DOCTOR_EXAMPLES)]
    Doctor {
        /// The same as one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show a search, a staged rewrite, a refusal and an acceptance on a bundled sample project
    #[command(after_help = TOUR_EXAMPLES, override_usage = "runbound tour [--color WHEN]", help_template = TOUR_HELP)]
    Tour,
    /// Print a completion script for a shell
    #[command(after_help = COMPLETIONS_EXAMPLES, override_usage = "runbound completions SHELL", help_template = COMPLETIONS_HELP)]
    Completions {
        /// Which shell
        shell: Shell,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn common_flags_stand_before_or_after_the_command() {
        for line in [
            ["runbound", "--tier", "read", "tools", "--json"],
            ["runbound", "tools", "--json", "--tier", "read"],
        ] {
            let cli = Cli::try_parse_from(line).unwrap();
            assert_eq!(cli.common.tier, TierArg::Read);
            assert!(matches!(cli.command, Command::Tools { json: true }));
        }
    }

    #[test]
    fn the_last_word_on_trust_counts() {
        let said = |words: &[&str]| {
            let line = ["runbound", "tools"].iter().chain(words);
            Cli::try_parse_from(line).unwrap().common.trusted()
        };
        assert_eq!(said(&[]), None);
        assert_eq!(said(&["--trust"]), Some(true));
        assert_eq!(said(&["--trust", "--no-trust"]), Some(false));
        assert_eq!(said(&["--no-trust", "--trust"]), Some(true));
    }

    #[test]
    fn help_has_no_flag_without_effect() {
        let help = |command: &str| {
            let line = ["runbound", command, "--help"];
            Cli::try_parse_from(line).unwrap_err().to_string()
        };
        for command in ["tools", "serve", "console"] {
            let text = help(command);
            assert!(text.contains("--root") && text.contains("staging an edit"), "{text}");
            assert!(!text.contains("--vibe") && !text.contains("--worker-cmd"), "{text}");
        }
        for command in ["tour", "completions"] {
            let text = help(command);
            assert!(!text.contains("--root") && text.contains("Example"), "{text}");
        }
        assert!(help("completions").contains("bash"), "{}", help("completions"));
    }

    #[test]
    fn every_command_has_examples() {
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Example"), "{} has no example", command.get_name());
        }
    }
}
