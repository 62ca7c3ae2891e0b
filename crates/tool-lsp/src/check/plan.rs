//! How each check is run here: which program, with what, or why not at all.
//!
//! Nothing is downloaded, and what a checker would write into the checkout goes to the scratch folder where it lets us
//! say so. In an untrusted run nothing of the checkout is executed: no program that lies in it, no build script, no
//! plugin, no interpreter.

mod compiled;
mod python;
mod scripts;
mod typescript;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tool_wire::{Finder, Query};

use crate::check::detect::{Job, Kind};
use crate::check::parse::Format;
use crate::check::run::Command;
use crate::roots::upward;
use crate::trust;

/// Where checks run and what they may do.
pub(crate) struct Ground<'a> {
    /// The run's root.
    pub(crate) root: &'a Path,
    pub(crate) trusted: bool,
    /// Outside the checkout.
    pub(crate) scratch: PathBuf,
    pub(crate) finder: &'a Finder,
    /// The `PATH` of checkers.
    pub(crate) path: OsString,
}

/// One check, ready to run: commands one after another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Plan {
    pub(crate) id: &'static str,
    pub(crate) root: PathBuf,
    pub(crate) steps: Vec<(Command, Format)>,
    /// Whether it fails because of warnings alone.
    pub(crate) fails_on_warnings: bool,
    /// Files that it writes into the checkout and that get their content back.
    pub(crate) traces: Vec<PathBuf>,
    /// What an agent should know: what was left out, what is written.
    pub(crate) notes: Vec<String>,
}

/// Why a check is not run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Skip {
    pub(crate) id: &'static str,
    pub(crate) root: PathBuf,
    /// `untrusted`, `no_binary`, `nothing`.
    pub(crate) code: &'static str,
    pub(crate) why: String,
}

/// A check, or why there is none.
pub(crate) type Planned = Result<Plan, Skip>;

impl Ground<'_> {
    /// The program of the first of `names` that there is: in the project's `folders`, upward from `at`, then on `PATH`.
    async fn program(
        &self,
        id: &'static str,
        at: &Path,
        names: &[&str],
        folders: &[&str],
        install: &str,
    ) -> Result<PathBuf, Skip> {
        let skip = |code, why| Skip { id, root: at.to_path_buf(), code, why };
        let ways = upward(at, self.root);
        let local: Vec<PathBuf> =
            ways.iter().flat_map(|up| folders.iter().map(move |folder| up.join(folder))).collect();
        let query = |folders: Vec<PathBuf>| Query {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            folders,
            path: true,
            probe: None,
        };
        let wanted = if self.trusted { local.clone() } else { Vec::new() };
        let found = self.finder.find(&query(wanted)).await.map(|found| found.program);
        match found {
            Ok(program) if self.trusted || !trust::in_checkout(&program, self.root) => Ok(program),
            Ok(program) => Err(skip(
                "untrusted",
                format!("the checkout is not trusted, and {} lies in it", program.display()),
            )),
            Err(_) => {
                let kept = local.iter().any(|f| names.iter().any(|n| f.join(n).exists()));
                if kept && !self.trusted {
                    let why = "the checkout is not trusted, and the program lies in it".to_owned();
                    return Err(skip("untrusted", why));
                }
                let install = if install.is_empty() {
                    String::new()
                } else {
                    format!("; install it with: {install}")
                };
                Err(skip("no_binary", format!("{} is not installed{install}", names.join(" or "))))
            }
        }
    }

    /// Refuses in an untrusted run.
    fn trusting(&self, id: &'static str, at: &Path, what: &str) -> Result<(), Skip> {
        if self.trusted {
            return Ok(());
        }
        let why = format!("the checkout is not trusted, and {what}");
        Err(Skip { id, root: at.to_path_buf(), code: "untrusted", why })
    }

    fn command(&self, program: PathBuf, dir: &Path, args: &[&str]) -> Command {
        Command {
            program,
            args: args.iter().map(OsString::from).collect(),
            dir: dir.to_path_buf(),
            env: vec![
                ("PATH".to_owned(), self.path.clone()),
                ("NO_COLOR".to_owned(), "1".into()),
                // Should a wrapper want to install what it wraps.
                ("npm_config_offline".to_owned(), "true".into()),
            ],
            pass_env: &[],
        }
    }
}

impl Plan {
    fn new(id: &'static str, root: &Path, steps: Vec<(Command, Format)>) -> Self {
        Self {
            id,
            root: root.to_path_buf(),
            steps,
            fails_on_warnings: false,
            traces: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// The plans for all jobs, in their order.
pub(crate) async fn plans(jobs: &[Job], ground: &Ground<'_>) -> Vec<Planned> {
    let mut planned = Vec::new();
    for job in jobs {
        match job.kind {
            Kind::Cargo => planned.push(compiled::cargo(job, ground).await),
            Kind::Go => planned.push(compiled::go(job, ground).await),
            Kind::Clang => planned.push(compiled::clang(job, ground).await),
            Kind::Dart => planned.push(compiled::dart(job, ground).await),
            Kind::Maven => planned.push(compiled::maven(job, ground).await),
            Kind::Gradle => planned.push(compiled::gradle(job, ground).await),
            Kind::Python => planned.extend(python::types(job, ground).await),
            Kind::Ruff => planned.push(python::ruff(job, ground).await),
            Kind::Shell => planned.push(scripts::shell(job, ground).await),
            Kind::Lua => planned.push(scripts::lua(job, ground).await),
            Kind::Php => planned.extend(scripts::php(job, ground).await),
            // All of them together: one may refer to another.
            Kind::TypeScript => {}
        }
    }
    let configs: Vec<&Job> = jobs.iter().filter(|job| job.kind == Kind::TypeScript).collect();
    planned.extend(typescript::tsc(&configs, ground).await);
    planned
}
