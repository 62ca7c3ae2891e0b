//! The runbound binary: the tools of a run, for a person and for a program in any language.

mod args;
mod bar;
mod commands;
mod console;
mod exit;
#[cfg(test)]
mod fuzzed;
mod gate;
mod images;
mod lines;
mod logs;
mod output;
mod script;
mod serve;
mod signals;
mod style;
mod tools_json;
mod trace;
mod wiring;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};

use args::{Cli, Command};
use exit::Exit;
use output::{Stdout, say};
use trace::Trace;

/// Also of the C code: parsing allocates a node at a time (`docs/decisions/0015-allocator.md`).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let exit = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => {
            let exit = runtime.block_on(run(cli));
            // Threads that wait for a pipe do not keep the process.
            runtime.shutdown_background();
            exit
        }
        Err(error) => Err(error.into()),
    };
    match exit {
        Ok(exit) => exit.into(),
        Err(error) => {
            say(&format!("runbound: {error:#}"));
            let begun = error.is::<output::Unwritten>();
            if begun { Exit::Failed } else { Exit::Usage }.into()
        }
    }
}

/// # Errors
/// What kept the command from starting, which counts as usage; or its output cannot be written, which is a failure.
async fn run(cli: Cli) -> anyhow::Result<Exit> {
    let common = cli.common;
    let trace = open_trace(&common)?;
    for note in wiring::not_there(&common) {
        say(&format!("runbound: {note}"));
    }
    match cli.command {
        Command::Tools { json } => commands::tools::tools(&common, json),
        Command::Call { tool, args, json, accept } => {
            let call = commands::call::Call { tool, args, json, accept };
            commands::call::call(&common, call, &trace).await
        }
        Command::Run { script } => commands::run::run(&common, &script, &trace).await,
        Command::Serve => serve::serve(common, trace).await,
        Command::Console => console::console(&common, &trace).await,
        Command::Doctor { json } => commands::doctor::doctor(&common, json).await,
        Command::Tour => {
            if let Some(root) = &common.root {
                say(&format!(
                    "runbound: the tour works on its own sample, not in {0}; for that: runbound console --root {0}",
                    root.display()
                ));
            }
            commands::tour::tour(&common).await
        }
        Command::Completions { shell } => completions(shell),
    }
}

fn open_trace(common: &args::Common) -> anyhow::Result<Trace> {
    use anyhow::Context as _;
    let path = common.log.as_deref();
    Trace::open(path).with_context(|| {
        format!("cannot write the trace {}", path.unwrap_or("".as_ref()).display())
    })
}

fn completions(shell: clap_complete::Shell) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "runbound", &mut script);
    Stdout::new().line(&String::from_utf8(script)?)?;
    Ok(Exit::Done)
}
