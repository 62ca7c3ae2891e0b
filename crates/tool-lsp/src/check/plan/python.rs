//! Type checkers of Python by what the project has configured, and Ruff.

use std::path::{Path, PathBuf};

use super::{Ground, Plan, Planned, Skip};
use crate::check::detect::{Job, has_table};
use crate::check::parse::Format;
use crate::roots::upward;

const VENVS: &[&str] = &[".venv/bin", "venv/bin", ".env/bin", "node_modules/.bin"];
const VENVS_ONLY: &[&str] = &[".venv/bin", "venv/bin", ".env/bin"];
const ENV: &[&str] = &["VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH"];

/// A type checker, best known first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Checker {
    Pyright,
    Basedpyright,
    Ty,
    Pyrefly,
    Mypy,
}

const ALL: [Checker; 5] =
    [Checker::Pyright, Checker::Basedpyright, Checker::Ty, Checker::Pyrefly, Checker::Mypy];

impl Checker {
    fn id(self) -> &'static str {
        match self {
            Self::Pyright => "pyright",
            Self::Basedpyright => "basedpyright",
            Self::Ty => "ty check",
            Self::Pyrefly => "pyrefly check",
            Self::Mypy => "mypy",
        }
    }

    fn program(self) -> &'static str {
        self.id().split(' ').next().unwrap_or_default()
    }

    /// Whether one of the project's files configures it.
    fn configured(self, files: &[PathBuf]) -> bool {
        let named =
            |name: &str| files.iter().any(|file| file.file_name().is_some_and(|n| n == name));
        let table = |name: &str, table: &str| {
            let is = |file: &&PathBuf| file.file_name().is_some_and(|n| n == name);
            files.iter().filter(is).any(|file| has_table(file, table))
        };
        let tool = |name: &str| table("pyproject.toml", &format!("tool.{name}"));
        match self {
            Self::Pyright => {
                tool("pyright") || named("pyrightconfig.json") && !tool("basedpyright")
            }
            Self::Basedpyright => tool("basedpyright"),
            Self::Ty => named("ty.toml") || tool("ty"),
            Self::Pyrefly => named("pyrefly.toml") || tool("pyrefly"),
            Self::Mypy => {
                named("mypy.ini")
                    || named(".mypy.ini")
                    || tool("mypy")
                    || table("setup.cfg", "mypy")
            }
        }
    }

    async fn plan(self, root: &Path, ground: &Ground<'_>) -> Planned {
        let id = self.id();
        match self {
            Self::Mypy => ground.trusting(id, root, "mypy runs plugins of the checkout")?,
            Self::Pyrefly => {
                ground.trusting(id, root, "pyrefly runs the interpreter of the checkout")?;
            }
            Self::Pyright | Self::Basedpyright | Self::Ty => {}
        }
        let install = format!("pip install {}", self.program());
        let program = ground.program(id, root, &[self.program()], VENVS, &install).await?;
        let interpreter = interpreter(root, ground);
        let (args, format): (&[&str], _) = match self {
            Self::Pyright => (&["--outputjson"], Format::Pyright { source: "Pyright" }),
            Self::Basedpyright => (&["--outputjson"], Format::Pyright { source: "basedpyright" }),
            Self::Ty => (&["check", "--output-format", "concise"], Format::Concise),
            Self::Pyrefly => (&["check", "--output-format", "json"], Format::Pyrefly),
            Self::Mypy => (&["--output", "json", "--no-error-summary"], Format::Mypy),
        };
        let mut command = ground.command(program, root, args);
        if ground.trusted {
            command.pass_env = ENV;
        }
        match (self, interpreter) {
            (Self::Pyright | Self::Basedpyright, Some(python)) => {
                command.args.extend(["--pythonpath".into(), python.into()]);
            }
            (Self::Mypy, python) => {
                command.args.extend(["--cache-dir".into(), ground.scratch.join("mypy").into()]);
                if let Some(python) = python {
                    command.args.extend(["--python-executable".into(), python.into()]);
                }
                command.args.push(".".into());
            }
            _ => {}
        }
        Ok(Plan::new(id, root, vec![(command, format)]))
    }
}

/// The interpreter of the project's own environment; none in an untrusted run.
fn interpreter(root: &Path, ground: &Ground<'_>) -> Option<PathBuf> {
    let ways = if ground.trusted { upward(root, ground.root) } else { Vec::new() };
    let mut places =
        ways.iter().flat_map(|up| VENVS_ONLY.iter().map(|venv| up.join(venv).join("python")));
    places.find(|python| python.exists())
}

/// Those that the project configures; where none of them can run, the first of all that can.
pub(super) async fn types(job: &Job, ground: &Ground<'_>) -> Vec<Planned> {
    let mut planned = Vec::new();
    for checker in ALL.into_iter().filter(|checker| checker.configured(&job.files)) {
        planned.push(checker.plan(&job.root, ground).await);
    }
    if planned.iter().any(Result::is_ok) {
        return planned;
    }
    let tried: Vec<&'static str> =
        planned.iter().filter_map(|p| p.as_ref().err()).map(|skip| skip.id).collect();
    for checker in ALL.into_iter().filter(|checker| !tried.contains(&checker.id())) {
        if let Ok(mut plan) = checker.plan(&job.root, ground).await {
            if !tried.is_empty() {
                plan.notes
                    .push(format!("instead of {}, which the project configures", tried.join(", ")));
            }
            planned.push(Ok(plan));
            return planned;
        }
    }
    if planned.is_empty() {
        let names: Vec<&str> = ALL.into_iter().map(Checker::program).collect();
        let why = format!(
            "none of {} can be run; install one with: pip install pyright",
            names.join(", ")
        );
        planned.push(Err(Skip { id: "python", root: job.root.clone(), code: "no_binary", why }));
    }
    planned
}

pub(super) async fn ruff(job: &Job, ground: &Ground<'_>) -> Planned {
    const ID: &str = "ruff check";
    let program = ground.program(ID, &job.root, &["ruff"], VENVS_ONLY, "pip install ruff").await?;
    let args = ["check", "--output-format", "json", "--no-cache"];
    let command = ground.command(program, &job.root, &args);
    let mut plan = Plan::new(ID, &job.root, vec![(command, Format::Ruff)]);
    plan.fails_on_warnings = true;
    Ok(plan)
}
