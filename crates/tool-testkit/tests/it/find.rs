//! Finding programs, and asking them whether they work.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tool_testkit::eventually;
use tool_wire::{Finder, Probe, Query};

fn program(dir: &Path, name: &str, script: &str) -> PathBuf {
    fs::create_dir_all(dir).unwrap();
    let path = dir.join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn query(names: &[&str], folders: &[&Path], limit: Duration) -> Query {
    Query {
        names: names.iter().map(ToString::to_string).collect(),
        folders: folders.iter().map(|folder| folder.to_path_buf()).collect(),
        path: true,
        probe: Some(Probe { args: vec!["--version".into()], dir: "/".into(), limit }),
    }
}

/// Whether a process runs whose command line has this in it. A zombie's is empty.
fn runs(word: &str) -> bool {
    let Ok(entries) = fs::read_dir("/proc") else { return false };
    entries
        .filter_map(|entry| fs::read(entry.ok()?.path().join("cmdline")).ok())
        .any(|line| String::from_utf8_lossy(&line).contains(word))
}

const LONG: Duration = Duration::from_secs(60);

#[tokio::test]
async fn given_folders_come_before_the_path_and_names_before_folders() {
    let dir = tempfile::tempdir().unwrap();
    let (local, path) = (dir.path().join("local"), dir.path().join("path"));
    let second = program(&local, "second", "echo second 2");
    let first = program(&path, "first", "echo first 1");
    let finder = Finder::with_path(&OsString::from(&path));
    let found = finder.find(&query(&["first", "second"], &[&local], LONG)).await.unwrap();
    assert_eq!(
        (found.program, found.local, found.version.as_deref()),
        (first, false, Some("first 1"))
    );
    let found = finder.find(&query(&["second", "first"], &[&local], LONG)).await.unwrap();
    assert_eq!((found.program, found.local), (second, true));
    let path_only = Query { folders: vec![], ..query(&["second"], &[], LONG) };
    assert_eq!(finder.find(&path_only).await.unwrap_err().to_string(), "second is not installed");
}

#[tokio::test]
async fn a_stub_that_does_not_work_is_passed_over_and_named() {
    let dir = tempfile::tempdir().unwrap();
    let (one, two) = (dir.path().join("one"), dir.path().join("two"));
    let stub = program(&one, "server", "echo \"error: Unknown binary 'server'\" >&2; exit 1");
    let finder = Finder::with_path(&std::env::join_paths([&one, &two]).unwrap());
    let error = finder.find(&query(&["server"], &[], LONG)).await.unwrap_err();
    let want = format!(
        "{} does not work: --version ends with exit code 1: error: Unknown binary 'server'",
        stub.display()
    );
    assert_eq!(error.to_string(), want);
    // It was not remembered as missing: installed now, it is found.
    let works = program(&two, "server", "echo 'server 3' >&2");
    let found = finder.find(&query(&["server"], &[], LONG)).await.unwrap();
    assert_eq!((found.program, found.version.as_deref()), (works, Some("server 3")));
}

#[tokio::test]
async fn a_probe_that_hangs_is_killed_with_its_children() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path().display();
    // Its child shows the folder in its command line, so that it can be told from all others.
    program(dir.path(), "slow", &format!("sh -c 'sleep 1000; :' {here}/child & wait"));
    let finder = Finder::with_path(&OsString::from(dir.path()));
    let limit = Duration::from_secs(2);
    let error = finder.find(&query(&["slow"], &[], limit)).await.unwrap_err();
    assert!(
        error.to_string().ends_with("slow does not work: no answer to --version within 2s"),
        "{error}"
    );
    eventually("both are gone", || !runs(&here.to_string())).await;
}

#[tokio::test]
async fn what_was_found_is_asked_once_until_its_file_changes() {
    let dir = tempfile::tempdir().unwrap();
    let count = dir.path().join("count");
    let script = format!("echo x >> {}; echo 1", count.display());
    program(dir.path(), "server", &script);
    let finder = Finder::with_path(&OsString::from(dir.path()));
    let query = query(&["server"], &[], LONG);
    for _ in 0..3 {
        assert_eq!(finder.find(&query).await.unwrap().version.as_deref(), Some("1"));
    }
    assert_eq!(fs::read_to_string(&count).unwrap(), "x\n");
    program(dir.path(), "server", "echo a longer version, 2");
    assert_eq!(finder.find(&query).await.unwrap().version.as_deref(), Some("a longer version, 2"));
    fs::remove_file(dir.path().join("server")).unwrap();
    assert!(finder.find(&query).await.is_err());
}

#[tokio::test]
async fn relative_entries_of_the_path_are_not_searched() {
    let finder = Finder::with_path(&OsString::from(":.:src:tests"));
    fs::metadata("Cargo.toml").unwrap();
    let query =
        Query { names: vec!["Cargo.toml".into()], folders: vec![], path: true, probe: None };
    assert!(finder.find(&query).await.is_err());
}
