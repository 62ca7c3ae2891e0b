//! `fixtures`: scripts of calls over tiny real projects, through the real binary, against the results that are expected.
//!
//! A case file has one JSON object a line: `{"tool", "args", "expect"}` is a call and its result object,
//! `{"after": {PATH: TEXT or null}}` (last) is what files must hold once the script has ended.

mod case;

use crate::libtest::Summary;
use crate::sh::{self, End};
use crate::{repo, setup};
use anyhow::{Context, Result, bail};
use case::Case;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

/// One script is over in less.
const BUDGET: Duration = Duration::from_secs(60);

/// `fixtures [--bless] [FILTER]`.
pub(crate) fn run(args: &[String]) -> Result<bool> {
    let bless = args.iter().any(|arg| arg == "--bless");
    let filters: Vec<&String> = args.iter().filter(|arg| *arg != "--bless").collect();
    if let Some(flag) = filters.iter().find(|arg| arg.starts_with('-')) {
        bail!("fixtures: unknown option {flag} (known: --bless)");
    }
    if !sh::ok(sh::cargo().args(["build", "--locked", "--quiet", "--package", "runbound-cli"]))? {
        return Ok(false);
    }
    let summary = all(filters.first().map_or("", |filter| filter.as_str()), bless)?;
    println!("{}", summary.closing_line());
    Ok(summary.failed == 0)
}

/// Runs every case whose `language/file` holds `filter`, with the binary that has been built.
pub(crate) fn all(filter: &str, bless: bool) -> Result<Summary> {
    let binary = repo::binary();
    let mut summary = Summary::default();
    for file in case_files()? {
        let name = name_of(&file);
        if !name.contains(filter) {
            continue;
        }
        let problems =
            one(&binary, &file, bless).unwrap_or_else(|error| vec![format!("{error:#}")]);
        if problems.is_empty() {
            summary.passed += 1;
            continue;
        }
        println!("fixture {name}:");
        for problem in problems {
            println!("  {}", problem.replace('\n', "\n  "));
        }
        summary.failed += 1;
        summary.failures.push(format!(
            "fixture {name} (`cargo xtask fixtures --bless {name}` takes what came)"
        ));
    }
    setup::clear_scratch()?;
    Ok(summary)
}

/// Every result object that a case expects.
pub(crate) fn expected() -> Result<Vec<Value>> {
    let mut results = Vec::new();
    for file in case_files()? {
        let case = Case::read(&fs::read_to_string(&file)?)
            .with_context(|| format!("{}", file.display()))?;
        results.extend(case.into_expected());
    }
    Ok(results)
}

/// `fixtures/LANGUAGE/cases/*.jsonl`, sorted.
fn case_files() -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for project in fs::read_dir(repo::root().join("fixtures"))? {
        let cases = project?.path().join("cases");
        if !cases.is_dir() {
            continue;
        }
        for case in fs::read_dir(&cases)? {
            let path = case?.path();
            if path.extension().is_some_and(|ending| ending == "jsonl") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// `rust/search` for `fixtures/rust/cases/search.jsonl`.
fn name_of(file: &Path) -> String {
    let language = file.ancestors().nth(2).and_then(Path::file_name).unwrap_or_default();
    let stem = file.file_stem().unwrap_or_default();
    format!("{}/{}", language.to_string_lossy(), stem.to_string_lossy())
}

/// `search` for `fixtures/rust/cases/search.jsonl`.
fn case_name(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The servers that set-up has fetched, then what the machine has.
fn servers_first() -> Result<std::ffi::OsString> {
    let system = std::env::var_os("PATH").unwrap_or_default();
    let folders =
        std::iter::once(repo::toolbox().join("bin")).chain(std::env::split_paths(&system));
    std::env::join_paths(folders).context("PATH")
}

/// Runs one case on a fresh copy of its project; what differs.
fn one(binary: &Path, file: &Path, bless: bool) -> Result<Vec<String>> {
    let text = fs::read_to_string(file)?;
    let case = Case::read(&text)?;
    let work = setup::scratch(&format!("fixtures/{}", name_of(file)))?;
    let (project, state) = (work.join("project"), work.join("state"));
    let source = file.ancestors().nth(2).context("a case outside a project")?;
    copy(source, &project)?;
    let script = work.join("script.jsonl");
    fs::write(&script, case.script())?;
    let mut run = sh::command(binary);
    run.arg("run").arg(&script).arg("--root").arg(&project).arg("--state-dir").arg(&state);
    // What servers a machine has must not be seen in the results; cases of the language server tools say so by name.
    let of_servers = case_name(file).starts_with("lsp");
    if of_servers {
        run.env("PATH", servers_first()?);
    } else {
        run.env("PATH", work.join("no-programs")).env("HOME", &work);
    }
    let (mut results, mut said) = (Vec::new(), Vec::new());
    let end = sh::watch(run.stdin(Stdio::null()), BUDGET, |line| {
        match serde_json::from_str::<Value>(line) {
            Ok(value) if value.is_object() => results.push(value),
            _ => said.push(line.to_string()),
        }
    })?;
    match end {
        End::Killed => return Ok(vec![format!("no end after {} s", BUDGET.as_secs())]),
        End::Exited(status) if !status.success() => {
            return Ok(vec![format!(
                "the binary ended with {status}: {}",
                sh::tail(&said.join("\n"), 5)
            )]);
        }
        End::Exited(_) => {}
    }
    let real = fs::canonicalize(&project)?;
    let places = [
        (real.display().to_string(), "$ROOT"),
        (project.display().to_string(), "$ROOT"),
        (state.display().to_string(), "$STATE"),
    ];
    for result in &mut results {
        case::normalise(result, &places);
        if !of_servers {
            case::without_diagnostics(result);
        }
    }
    let after = |path: &str| fs::read_to_string(project.join(path)).ok();
    if bless {
        let blessed = case.blessed(&results, after);
        if blessed != text {
            fs::write(file, blessed)?;
            println!("blessed {}", name_of(file));
        }
        return Ok(Vec::new());
    }
    Ok(case.compare(&results, after))
}

/// Copies a project without its cases.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            if entry.file_name() != "cases" {
                copy(&entry.path(), &target)?;
            }
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_named_by_its_project() {
        assert_eq!(name_of(Path::new("/x/fixtures/rust/cases/search.jsonl")), "rust/search");
    }

    #[test]
    fn every_case_file_can_be_read() {
        let files = case_files().unwrap();
        assert!(files.len() >= 7, "{} case files", files.len());
        for file in files {
            let case = Case::read(&fs::read_to_string(&file).unwrap());
            assert!(case.is_ok(), "{}: {:#}", file.display(), case.unwrap_err());
        }
    }
}
