//! `tidy`: house rules that no compiler checks. The rules are pure; only [`run`] reads files.

use crate::{repo, sh};
use anyhow::Result;
use std::fs;
use std::path::Path;

/// The longest file, in lines.
const LONGEST: usize = 500;

/// Words that have no place in a committed file: marks of unfinished work, paths of one machine,
/// hosts that are the package clients' business. Written in halves, so that this file may hold them.
const NOWHERE: &[(&str, &str)] = &[
    (concat!("/wo", "rk/"), "a path of one machine"),
    (concat!("/ro", "ot/"), "a path of one machine"),
    (concat!("py", "pi.org"), "a registry's host"),
    (concat!("python", "hosted.org"), "a registry's host"),
    (concat!("npm", "js.org"), "a registry's host"),
    (concat!("crates", ".io/"), "a registry's host"),
    (concat!("proxy.go", "lang.org"), "a registry's host"),
    (concat!("sum.go", "lang.org"), "a registry's host"),
    (concat!("<<<", "<<<<"), "a conflict left behind"),
    (concat!(">>>", ">>>>"), "a conflict left behind"),
];

/// What shipped code must not hold, outside its tests.
const NOT_IN_SOURCES: &[(&str, &str)] = &[
    (concat!("TO", "DO"), "unfinished work"),
    (concat!("FIX", "ME"), "unfinished work"),
    (concat!("XX", "X:"), "unfinished work"),
    (concat!("unimple", "mented!"), "unfinished work"),
    (concat!("to", "do!("), "unfinished work"),
    (concat!("#[ign", "ore"), "a test that never runs"),
    (concat!("allow(dead", "_code)"), "dead code"),
    (concat!("process::", "Command"), "a process: only tool-wire, chores and tests start one"),
];

/// `tidy`.
pub(crate) fn run() -> Result<bool> {
    let root = repo::root();
    let listed = ["ls-files", "--cached", "--others", "--exclude-standard"];
    let listing = sh::stdout(sh::command("git").args(listed))?;
    let paths: Vec<&str> = listing.lines().filter(|path| root.join(path).is_file()).collect();
    let mut problems = crates(&root)?;
    problems
        .extend(undeclared(&paths, |path| fs::read_to_string(root.join(path)).unwrap_or_default()));
    for path in &paths {
        // What is not text is not for these rules.
        if let Ok(text) = fs::read_to_string(root.join(path)) {
            problems.extend(file(path, &text));
        }
    }
    println!("{} files", paths.len());
    for problem in &problems {
        println!("tidy: {problem}");
    }
    Ok(problems.is_empty())
}

/// Every crate has a README and both licences, as a packaged crate must.
fn crates(root: &Path) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for entry in fs::read_dir(root.join("crates"))? {
        let folder = entry?.path();
        if !folder.join("Cargo.toml").is_file() {
            continue;
        }
        for name in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            if !folder.join(name).is_file() {
                problems.push(format!(
                    "{}: {name} is missing",
                    folder.strip_prefix(root).unwrap_or(&folder).display()
                ));
            }
        }
    }
    Ok(problems)
}

/// Sources of an integration binary that its `main.rs` does not name, and that so never run.
fn undeclared(paths: &[&str], read: impl Fn(&str) -> String) -> Vec<String> {
    let mut problems = Vec::new();
    for main in paths.iter().filter(|path| path.ends_with("tests/it/main.rs")) {
        let folder = main.trim_end_matches("main.rs");
        let declared = read(main);
        for path in paths {
            let Some(name) = path.strip_prefix(folder).and_then(|name| name.strip_suffix(".rs"))
            else {
                continue;
            };
            if name != "main" && !name.contains('/') && !declared.contains(&format!("mod {name};"))
            {
                problems.push(format!("{path}: {main} does not declare it"));
            }
        }
    }
    problems
}

/// The rules of one file.
fn file(path: &str, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    if path.ends_with(".lock") || path.starts_with("fixtures/") || path.contains("/tests/data/") {
        return problems;
    }
    let mut say = |line: usize, what: &str| problems.push(format!("{path}:{line}: {what}"));
    let rust = path.ends_with(".rs");
    if rust && text.lines().count() > LONGEST {
        say(LONGEST, &format!("longer than {LONGEST} lines"));
    }
    if rust && !is_test(path) && !text.starts_with("//!") {
        say(1, "the first line must say what lives here (//!)");
    }
    if !text.is_empty() && !text.ends_with('\n') {
        say(text.lines().count(), "no newline at the end");
    }
    let tests_from = if !rust || is_test(path) { 0 } else { first_test_line(text) };
    for (number, line) in (1..).zip(text.lines()) {
        for (word, why) in NOWHERE.iter().filter(|(word, _)| line.contains(word)) {
            say(number, &format!("{word:?}: {why}"));
        }
        if number < tests_from {
            for (word, why) in NOT_IN_SOURCES.iter().filter(|(word, _)| line.contains(word)) {
                if !(may_start(path) && word.contains("Command")) {
                    say(number, &format!("{word:?}: {why}"));
                }
            }
        }
    }
    problems
}

/// Where processes are started: chores, and the one crate that does it for all tools.
fn may_start(path: &str) -> bool {
    path.starts_with("xtask/") || path.starts_with("crates/tool-wire/src/")
}

/// A file that only tests compile.
fn is_test(path: &str) -> bool {
    path.contains("/tests/")
        || path.contains("/fuzz/")
        || path.ends_with("/tests.rs")
        || path.contains("/benches/")
}

/// The line from which on a source file holds only its tests.
fn first_test_line(text: &str) -> usize {
    let lines = || (1..).zip(text.lines());
    let module = |number: usize| {
        lines().find(|(n, _)| *n > number).is_some_and(|(_, line)| line.contains("mod "))
    };
    lines()
        .find(|(n, line)| line.trim() == "#[cfg(test)]" && module(*n))
        .map_or(usize::MAX, |(n, _)| n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clean_file_has_no_problem() {
        assert_eq!(file("crates/a/src/lib.rs", "//! A.\npub fn a() {}\n"), Vec::<String>::new());
    }

    #[test]
    fn names_the_line_and_the_rule() {
        let text = format!("//! A.\n// {}: later\n", concat!("TO", "DO"));
        assert_eq!(
            file("crates/a/src/lib.rs", &text),
            [format!("crates/a/src/lib.rs:2: {:?}: unfinished work", concat!("TO", "DO"))]
        );
        assert_eq!(file("docs/a.md", &text).len(), 0, "prose may name it");
        let path = format!("see {}x\n", concat!("/wo", "rk/"));
        assert_eq!(file("docs/a.md", &path).len(), 1);
        assert_eq!(file("crates/a/src/lib.rs", "pub fn a() {}\n").len(), 1, "no first line");
        assert_eq!(file("crates/a/src/lib.rs", "//! A.").len(), 1, "no last newline");
        let long = format!("//! A.\n{}", "\n".repeat(LONGEST));
        assert_eq!(file("crates/a/src/lib.rs", &long).len(), 1);
    }

    #[test]
    fn tests_may_do_what_sources_may_not() {
        let start = format!("std::{}::new(\"a\");\n", concat!("process::", "Command"));
        let text = format!("//! A.\n#[cfg(test)]\nmod tests {{\n{start}}}\n");
        assert_eq!(file("crates/a/src/lib.rs", &text).len(), 0);
        assert_eq!(file("crates/a/tests/it/main.rs", &format!("//! A.\n{start}")).len(), 0);
        assert_eq!(file("xtask/src/a.rs", &format!("//! A.\n{start}")).len(), 0);
        assert_eq!(file("crates/tool-wire/src/a.rs", &format!("//! A.\n{start}")).len(), 0);
        assert_eq!(file("crates/a/src/lib.rs", &format!("//! A.\n{start}")).len(), 1);
    }

    #[test]
    fn a_forgotten_test_file_is_found() {
        let paths =
            ["crates/a/tests/it/main.rs", "crates/a/tests/it/one.rs", "crates/a/tests/it/two.rs"];
        let found = undeclared(&paths, |_| "mod one;\n".to_string());
        assert_eq!(
            found,
            ["crates/a/tests/it/two.rs: crates/a/tests/it/main.rs does not declare it"]
        );
    }
}
