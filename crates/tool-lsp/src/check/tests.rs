//! Whole checks: cargo as it is, others by small programs in a folder that is the `PATH`.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::time::Instant;
use tool_workspace::Root;

use super::run::{self, Command, Ended};
use super::{CheckReport, all};
use crate::config::LspConfig;

/// A checkout, a folder of programs and a scratch folder.
struct Ground {
    dir: tempfile::TempDir,
}

impl Ground {
    fn new(files: &[(&str, &str)]) -> Self {
        let ground = Self { dir: tempfile::tempdir().expect("a folder") };
        for folder in ["checkout", "bin"] {
            fs::create_dir(ground.dir.path().join(folder)).expect("made");
        }
        for (name, content) in files {
            ground.write(&format!("checkout/{name}"), content);
        }
        ground
    }

    fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.dir.path().join(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("made");
        fs::write(&path, content).expect("written");
        path
    }

    /// A program, in the folder that is the `PATH` or anywhere else.
    fn program(&self, name: &str, script: &str) {
        let path = self.write(name, &format!("#!/bin/sh\n{script}\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("made runnable");
    }

    async fn check(&self, trusted: bool, system: bool) -> CheckReport {
        let root = Root::open(&self.dir.path().join("checkout")).expect("opened");
        let mut path = vec![self.dir.path().join("bin")];
        if system {
            path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
        }
        let path = std::env::join_paths(path).expect("a path");
        let config = LspConfig { path: Some(path), ..LspConfig::default() };
        let scratch = self.dir.path().join("scratch");
        all(&root, &config, trusted, scratch, &|_| ()).await.expect("walked")
    }

    fn exists(&self, name: &str) -> bool {
        self.dir.path().join(name).exists()
    }
}

/// `id root verdict errors`, and the whole text where it is of interest.
fn verdicts(report: &CheckReport) -> Vec<(&str, &str, &str, usize)> {
    let list = report.checks.iter();
    list.map(|c| (c.id, c.root.as_str(), c.verdict.word(), c.diagnostics.len())).collect()
}

const LIB: &str = "pub fn f(a: i32) -> i32 { a + undefined }\n";
const MANIFEST: &str = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";

#[tokio::test(flavor = "multi_thread")]
async fn cargo_finds_errors_writes_nothing_and_is_clean_when_they_are_gone() {
    let ground = Ground::new(&[("Cargo.toml", MANIFEST), ("src/lib.rs", LIB)]);
    let report = ground.check(true, true).await;
    assert_eq!(verdicts(&report), [("cargo check", ".", "found", 1)], "{report:?}");
    let found = &report.checks[0].diagnostics[0];
    assert!(found.path.ends_with("checkout/src/lib.rs"), "{found:?}");
    assert_eq!((found.first_line(), found.code.as_deref()), (1, Some("E0425")));
    assert!(!ground.exists("checkout/target") && !ground.exists("checkout/Cargo.lock"));
    ground.write("checkout/src/lib.rs", &LIB.replace("undefined", "1"));
    assert_eq!(verdicts(&ground.check(true, true).await), [("cargo check", ".", "clean", 0)]);
    ground.write("checkout/Cargo.toml", "[package]\nname = 1\n");
    let report = ground.check(true, true).await;
    assert_eq!(verdicts(&report), [("cargo check", ".", "failed", 0)], "never clean");
}

/// The checkout's own programs leave a mark when they are run.
#[tokio::test(flavor = "multi_thread")]
async fn an_untrusted_checkout_runs_nothing_of_its_own() {
    let ground = Ground::new(&[
        ("Cargo.toml", &format!("{MANIFEST}build = \"build.rs\"\n")),
        ("src/lib.rs", "pub fn f() {}\n"),
        ("build.rs", "fn main() { std::fs::write(\"marked\", \"\").unwrap(); }\n"),
        ("tsconfig.json", "{}"),
        ("pyproject.toml", "[tool.mypy]\nplugins = [\"evil\"]\n"),
        ("pom.xml", ""),
        ("pubspec.yaml", ""),
    ]);
    let mark = format!("touch {}/checkout/marked", ground.dir.path().display());
    for local in
        ["node_modules/.bin/tsc", ".venv/bin/mypy", ".venv/bin/pyright", ".venv/bin/python"]
    {
        ground.program(&format!("checkout/{local}"), &mark);
    }
    for own in ["mypy", "mvn", "dart"] {
        ground.program(&format!("bin/{own}"), &mark);
    }
    let report = ground.check(false, false).await;
    assert!(!ground.exists("checkout/marked"), "{report:?}");
    for check in &report.checks {
        assert_eq!(check.verdict.word(), "skipped", "{check:?}");
    }
    let told =
        report.output(&Root::open(ground.dir.path()).expect("opened")).expect_err("none ran");
    assert!(told.message().contains("not trusted"), "{told}");
    // The same checkout, trusted: now they run.
    let report = ground.check(true, true).await;
    assert!(ground.exists("checkout/marked"), "{report:?}");
}

/// Programs on `PATH` that stand in for tools, and a project that has all of them.
#[tokio::test(flavor = "multi_thread")]
async fn every_ecosystem_is_checked_and_each_for_itself() {
    let ground = Ground::new(&[
        ("web/tsconfig.json", "{}"),
        ("py/pyproject.toml", "[tool.ty]\n[tool.ruff]\n"),
        ("go/go.mod", "module m\n"),
        ("s/a.sh", ""),
        ("l/a.lua", ""),
        ("composer.json", "{}"),
        ("a.php", ""),
    ]);
    ground.program("bin/tsc", "echo \"src/a.ts(1,2): error TS1: no\"; exit 2");
    ground.program("bin/ty", "echo 'a.py:1:2: error[x] no'; exit 1");
    ground.program("bin/ruff", "echo '[]'");
    ground.program("bin/go", "echo \"# m\n./a.go:1:2: no\" >&2; exit 1");
    ground.program("bin/shellcheck", "echo '{\"comments\":[]}'");
    ground.program("bin/luac5.4", "echo boom >&2; exit 7");
    let report = ground.check(true, false).await;
    let mut got = verdicts(&report);
    got.sort_unstable();
    assert_eq!(
        got,
        [
            ("go build, go vet", "go", "found", 1),
            ("luac -p", ".", "failed", 0),
            ("php -l", ".", "skipped", 0),
            ("ruff check", "py", "clean", 0),
            ("shellcheck", ".", "clean", 0),
            ("tsc", "web", "found", 1),
            ("ty check", "py", "found", 1),
        ]
    );
    let tsc = report.checks.iter().find(|check| check.id == "tsc").expect("there");
    assert!(tsc.diagnostics[0].path.ends_with("checkout/web/src/a.ts"), "{tsc:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_type_checker_stands_in_for_the_one_that_is_missing() {
    let ground = Ground::new(&[("pyproject.toml", "[tool.mypy]\n")]);
    ground.program("bin/pyright", "echo '{\"generalDiagnostics\": []}'");
    let report = ground.check(true, false).await;
    assert_eq!(verdicts(&report), [("mypy", ".", "skipped", 0), ("pyright", ".", "clean", 0)]);
    assert_eq!(report.checks[1].notes, ["instead of mypy, which the project configures"]);
    let none = Ground::new(&[("setup.py", "")]);
    let report = none.check(true, false).await;
    assert_eq!(verdicts(&report), [("python", ".", "skipped", 0)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_that_does_not_end_is_killed_with_all_that_it_started() {
    let ground = Ground::new(&[]);
    ground.program("bin/slow", "sleep 1000 & echo $! > child; echo begun; wait");
    let dir = ground.dir.path().to_path_buf();
    let command = Command {
        program: dir.join("bin/slow"),
        args: Vec::new(),
        dir: dir.clone(),
        env: Vec::new(),
        pass_env: &[],
    };
    let limit = Duration::from_secs(2);
    let ran = run::run(&command, Instant::now() + limit, limit).await.expect("started");
    assert!(matches!(ran.ended, Ended::TimedOut(_)), "{ran:?}");
    assert_eq!(ran.stdout, "begun\n");
    let child = fs::read_to_string(dir.join("child")).expect("it wrote its number");
    assert!(gone(&child).await, "the grandchild {child} lives");
}

#[cfg(target_os = "linux")]
async fn gone(pid: &str) -> bool {
    let alive = Path::new("/proc").join(pid.trim());
    for _ in 0..600 {
        let state = fs::read_to_string(alive.join("stat")).unwrap_or_default();
        if state.is_empty() || state.contains(") Z ") {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    false
}

#[cfg(not(target_os = "linux"))]
async fn gone(_pid: &str) -> bool {
    true
}

/// Only what is harmless and what a toolchain needs reaches a checker.
#[tokio::test(flavor = "multi_thread")]
async fn a_checker_gets_few_variables() {
    let ground = Ground::new(&[]);
    ground.program("bin/env", "export");
    let dir = ground.dir.path().to_path_buf();
    let env = vec![("PATH".to_owned(), OsString::from("/usr/bin:/bin"))];
    let program = dir.join("bin/env");
    let command = Command { program, args: Vec::new(), dir, env, pass_env: &["CARGO_*"] };
    let until = Instant::now() + Duration::from_secs(60);
    let ran = run::run(&command, until, Duration::from_secs(60)).await.expect("started");
    assert!(ran.stdout.contains("PATH="), "{}", ran.stdout);
    assert!(ran.stdout.contains("CARGO_MANIFEST_DIR"), "tests run under cargo: {}", ran.stdout);
    assert!(
        !ran.stdout.contains("RUST_BACKTRACE") && !ran.stdout.contains("RUSTUP_"),
        "{}",
        ran.stdout
    );
}
