//! Bounds, privacy, and the end of a run.

use std::fs::{self, File};
use std::time::SystemTime;

use super::{SPILL_TEXT_BYTES, STALE, Spills};

fn spills() -> (tempfile::TempDir, Spills) {
    let dir = tempfile::tempdir().unwrap();
    let spills = Spills::new(dir.path().join("spill/run-1"), false);
    (dir, spills)
}

#[test]
fn a_text_is_kept_for_its_owner_and_found_by_its_name_only() {
    let (dir, spills) = spills();
    assert!(!dir.path().join("spill").exists(), "nothing is made before it is needed");
    let path = spills.inner.write("whole").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "whole");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode =
            |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    }
    assert_eq!(spills.find(path.to_str().unwrap()), Some(path.clone()));
    let sideways = path.parent().unwrap().join("../run-1/cut-1.txt");
    for other in ["cut-1.txt", "/etc/passwd", sideways.to_str().unwrap()] {
        assert_eq!(spills.find(other), None, "{other}");
    }
    assert_ne!(spills.inner.write("next").unwrap(), path);
}

#[test]
fn the_oldest_go_when_there_are_too_many_and_a_giant_is_not_kept() {
    let (_dir, spills) = spills();
    assert!(spills.inner.write(&"x".repeat(SPILL_TEXT_BYTES + 1)).unwrap_err().contains("limit"));
    let full = "x".repeat(SPILL_TEXT_BYTES);
    let paths: Vec<_> = (0..9).map(|_| spills.inner.write(&full).unwrap()).collect();
    assert!(!paths[0].exists() && spills.find(paths[0].to_str().unwrap()).is_none());
    assert!(paths[1..].iter().all(|path| path.exists()));
}

#[test]
fn a_closed_run_leaves_nothing_unless_it_should() {
    let (_dir, spills) = spills();
    let path = spills.inner.write("whole").unwrap();
    spills.inner.clear().unwrap();
    assert!(!path.parent().unwrap().exists());
    assert!(spills.inner.write("late").unwrap_err().contains("closing"));

    let (_dir, spills) = self::spills();
    let spills = spills.outlive_the_run();
    let path = spills.inner.write("whole").unwrap();
    spills.inner.clear().unwrap();
    assert!(path.exists());
}

#[test]
fn what_others_left_long_ago_is_swept() {
    let (dir, spills) = spills();
    let (old, young) = (dir.path().join("spill/old"), dir.path().join("spill/young"));
    for folder in [&old, &young] {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join("cut-1.txt"), "x").unwrap();
    }
    let long_ago = SystemTime::now() - STALE - STALE;
    File::open(&old).unwrap().set_modified(long_ago).unwrap();
    spills.inner.write("whole").unwrap();
    assert!(!old.exists() && young.exists());
}

#[test]
fn a_place_that_cannot_be_written_is_said() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("spill"), "a file").unwrap();
    let spills = Spills::new(dir.path().join("spill/run-1"), false);
    let why = spills.inner.write("whole").unwrap_err();
    assert!(why.contains("run-1"), "{why}");
}
