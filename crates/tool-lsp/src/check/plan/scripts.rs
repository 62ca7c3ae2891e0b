//! Checkers that are given the files one by one.

use std::path::{Path, PathBuf};

use super::{Ground, Plan, Planned};
use crate::check::detect::Job;
use crate::check::parse::Format;
use crate::check::run::Command;

/// Files that are given to one call of a checker that takes many.
const AT_ONCE: usize = 100;
/// Files that are checked by a call each.
const MOST: usize = 200;

pub(super) async fn shell(job: &Job, ground: &Ground<'_>) -> Planned {
    const ID: &str = "shellcheck";
    let program =
        ground.program(ID, &job.root, &["shellcheck"], &[], "apt install shellcheck").await?;
    let steps = job.files.chunks(AT_ONCE).map(|files| {
        let mut command = ground.command(program.clone(), &job.root, &["-f", "json1"]);
        command.args.extend(files.iter().map(Into::into));
        (command, Format::Shellcheck)
    });
    let mut plan = Plan::new(ID, &job.root, steps.collect());
    plan.fails_on_warnings = true;
    Ok(plan)
}

pub(super) async fn lua(job: &Job, ground: &Ground<'_>) -> Planned {
    const ID: &str = "luac -p";
    let names = ["luac", "luac5.4", "luac5.3", "luac5.2", "luac5.1"];
    let program = ground.program(ID, &job.root, &names, &[], "apt install lua5.4").await?;
    Ok(one_by_one(ID, job, &job.files, Format::Luac, &|file| {
        let mut command = ground.command(program.clone(), &job.root, &["-p"]);
        command.args.push(file.into());
        command
    }))
}

pub(super) async fn php(job: &Job, ground: &Ground<'_>) -> Vec<Planned> {
    const ID: &str = "php -l";
    let is_php = |file: &&PathBuf| file.extension().is_some_and(|ending| ending == "php");
    let files: Vec<PathBuf> = job.files.iter().filter(is_php).cloned().collect();
    let lint = match ground.program(ID, &job.root, &["php"], &[], "apt install php-cli").await {
        Ok(program) => Ok(one_by_one(ID, job, &files, Format::Php, &|file| {
            let args = ["-d", "display_errors=1", "-d", "log_errors=0", "-l"];
            let mut command = ground.command(program.clone(), &job.root, &args);
            command.args.push(file.into());
            command
        })),
        Err(skip) => Err(skip),
    };
    let mut planned = vec![lint];
    let configs = job.files.iter().filter(|file| !is_php(file));
    if let Some(root) = configs.filter_map(|file| file.parent()).next() {
        planned.push(phpstan(root, ground).await);
    }
    planned
}

async fn phpstan(root: &Path, ground: &Ground<'_>) -> Planned {
    const ID: &str = "phpstan";
    ground.trusting(ID, root, "phpstan runs code of the checkout")?;
    let program = ground.program(ID, root, &["phpstan"], &["vendor/bin"], "").await?;
    let args = ["analyse", "--error-format=json", "--no-progress", "--no-interaction"];
    let mut command = ground.command(program, root, &args);
    command.env.push(("TMPDIR".into(), ground.scratch.clone().into()));
    Ok(Plan::new(ID, root, vec![(command, Format::Phpstan)]))
}

fn one_by_one(
    id: &'static str,
    job: &Job,
    files: &[PathBuf],
    format: Format,
    command: &dyn Fn(&Path) -> Command,
) -> Plan {
    let steps = files.iter().take(MOST).map(|file| (command(file), format.clone()));
    let mut plan = Plan::new(id, &job.root, steps.collect());
    if files.len() > MOST {
        plan.notes.push(format!("{} more files were not checked", files.len() - MOST));
    }
    plan
}
