//! TypeScript, one project after another.
//!
//! `tsc -b` writes its state beside the sources, and checks no project that stands on one with errors. So each project
//! that is referred to is checked for itself, by a small configuration in the scratch folder that extends its own.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Ground, Plan, Planned, Skip};
use crate::check::detect::Job;
use crate::check::parse::Format;
use crate::check::run::Command;
use crate::roots::upward;

const ID: &str = "tsc";
/// Projects that are checked.
const MOST: usize = 16;

pub(super) async fn tsc(jobs: &[&Job], ground: &Ground<'_>) -> Vec<Planned> {
    let mut projects: Vec<Project> = Vec::new();
    let mut known = BTreeSet::new();
    for config in jobs.iter().flat_map(|job| &job.files) {
        gather(config, false, &mut known, &mut projects);
    }
    // What is met by a reference first is not checked once more for itself.
    let mut planned = Vec::new();
    for project in projects.iter().take(MOST) {
        planned.push(plan(project, ground).await);
    }
    if let (Some(Ok(last)), true) = (planned.last_mut(), projects.len() > MOST) {
        last.notes.push(format!("{} more projects were not checked", projects.len() - MOST));
    }
    planned
}

/// A configuration with files of its own.
struct Project {
    config: PathBuf,
    /// It refers to others, or is referred to.
    linked: bool,
}

fn gather(config: &Path, linked: bool, known: &mut BTreeSet<PathBuf>, projects: &mut Vec<Project>) {
    if !known.insert(config.to_path_buf()) {
        return;
    }
    let settings = settings(config);
    let references: Vec<PathBuf> = settings["references"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|reference| referred(config, reference["path"].as_str()?))
        .collect();
    let list = |key: &str| settings[key].as_array();
    // A configuration that only refers to others.
    let empty =
        list("files").is_some_and(Vec::is_empty) && list("include").is_none_or(Vec::is_empty);
    if !empty {
        let linked = linked || !references.is_empty();
        projects.push(Project { config: config.to_path_buf(), linked });
    }
    for reference in references {
        gather(&reference, true, known, projects);
    }
}

fn referred(config: &Path, path: &str) -> Option<PathBuf> {
    let at = config.parent()?.join(path);
    let file = if at.is_dir() { at.join("tsconfig.json") } else { at };
    file.canonicalize().ok()
}

/// A configuration, read as leniently as the compiler does: with comments and commas too many.
fn settings(config: &Path) -> Value {
    let text = fs::read_to_string(config).unwrap_or_default();
    serde_json::from_str(&plain(&text)).unwrap_or_default()
}

/// JSON without comments and without commas before a closing bracket.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.trim_start_matches('\u{feff}').chars().peekable();
    let mut in_string = false;
    while let Some(c) = chars.next() {
        match c {
            '\\' if in_string => {
                out.push(c);
                out.extend(chars.next());
            }
            '"' => {
                in_string = !in_string;
                out.push(c);
            }
            '/' if !in_string && chars.peek() == Some(&'/') => {
                while chars.peek().is_some_and(|c| *c != '\n') {
                    chars.next();
                }
            }
            '/' if !in_string && chars.peek() == Some(&'*') => {
                let mut before = ' ';
                chars.next();
                for c in chars.by_ref() {
                    if before == '*' && c == '/' {
                        break;
                    }
                    before = c;
                }
            }
            ']' | '}' if !in_string => {
                let kept = out.trim_end().len();
                if out[..kept].ends_with(',') {
                    out.truncate(kept - 1);
                }
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

async fn plan(project: &Project, ground: &Ground<'_>) -> Planned {
    let config = &project.config;
    let root = config.parent().unwrap_or(config).to_path_buf();
    let folders = ["node_modules/.bin"];
    let program =
        ground.program(ID, &root, &["tsc"], &folders, "npm install --save-dev typescript").await?;
    let format = Format::Tsc { config: config.clone() };
    if !project.linked {
        let args = [
            "--noEmit",
            "--pretty",
            "false",
            "--incremental",
            "false",
            "--composite",
            "false",
            "--tsBuildInfoFile",
            "null",
            "-p",
        ];
        let mut command = ground.command(program, &root, &args);
        command.args.push(config.into());
        return Ok(Plan::new(ID, &root, vec![(command, format)]));
    }
    let own = stand_in(config, ground).map_err(|error| Skip {
        id: ID,
        root: root.clone(),
        code: "failed",
        why: format!("its configuration could not be prepared: {error}"),
    })?;
    let mut command: Command = ground.command(program, &root, &["--pretty", "false", "-p"]);
    command.args.push(own.into());
    Ok(Plan::new(ID, &root, vec![(command, format)]))
}

/// Writes a configuration that extends a project's own, refers to no other and writes nothing. It lies in a copy of the
/// project's folders, so that packages with types are found where they are.
fn stand_in(config: &Path, ground: &Ground<'_>) -> std::io::Result<PathBuf> {
    let base = ground.scratch.join("tsc");
    let root = config.parent().unwrap_or(config);
    let mut own = base.clone();
    for folder in upward(root, ground.root).iter().rev() {
        own = base.join(folder.strip_prefix(ground.root).unwrap_or(folder));
        fs::create_dir_all(&own)?;
        let (packages, link) = (folder.join("node_modules"), own.join("node_modules"));
        if packages.is_dir() && fs::symlink_metadata(&link).is_err() {
            link_folder(&packages, &link)?;
        }
    }
    let text = json!({
        "extends": config,
        "compilerOptions": {
            "composite": false, "incremental": false, "tsBuildInfoFile": null, "noEmit": true,
            "emitDeclarationOnly": false, "rootDir": "/",
        },
        "references": [],
    });
    let file = own.join(config.file_name().unwrap_or_default());
    fs::write(&file, text.to_string())?;
    Ok(file)
}

#[cfg(unix)]
fn link_folder(to: &Path, at: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(to, at)
}

#[cfg(not(unix))]
fn link_folder(_to: &Path, _at: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{gather, plain};
    use std::collections::BTreeSet;
    use std::fs;

    #[test]
    fn comments_and_commas_too_many_are_no_json() {
        let text = "{ // one\n \"a//b\": \"/* no */ \\\" // \", /* two\n */ \"c\": [1, 2, ],\n}";
        let value: serde_json::Value = serde_json::from_str(&plain(text)).expect("it is JSON");
        assert_eq!(value["a//b"], "/* no */ \" // ");
        assert_eq!(value["c"], serde_json::json!([1, 2]));
    }

    #[test]
    fn references_are_followed_and_each_project_is_met_once() {
        let dir = tempfile::tempdir().expect("a folder");
        let root = dir.path().canonicalize().expect("real");
        let write = |name: &str, text: &str| {
            let path = root.join(name);
            fs::create_dir_all(path.parent().expect("it has one")).expect("made");
            fs::write(path, text).expect("written");
        };
        write(
            "tsconfig.json",
            r#"{"files": [], "references": [{"path": "a"}, {"path": "b/tsconfig.app.json"}]}"#,
        );
        write(
            "a/tsconfig.json",
            r#"{"include": ["src"], "references": [{"path": "../b/tsconfig.app.json"}]}"#,
        );
        write("b/tsconfig.app.json", r#"{"references": [{"path": "../a"}]}"#);
        write("c/tsconfig.json", "{}");
        let (mut known, mut projects) = (BTreeSet::new(), Vec::new());
        for name in ["tsconfig.json", "a/tsconfig.json", "c/tsconfig.json"] {
            gather(&root.join(name), false, &mut known, &mut projects);
        }
        let got: Vec<(String, bool)> = projects
            .iter()
            .map(|p| (p.config.strip_prefix(&root).expect("below").display().to_string(), p.linked))
            .collect();
        let want =
            [("a/tsconfig.json", true), ("b/tsconfig.app.json", true), ("c/tsconfig.json", false)];
        assert_eq!(got, want.map(|(name, linked)| (name.to_owned(), linked)));
    }
}
