//! Commits that nothing interrupts: what they change, what they keep, what they refuse.

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};

use tool_workspace::{
    Action, ChangeSet, CommitError, CommitOptions, FileProblem, Problem, StageError,
};

use crate::support::Site;

#[test]
fn many_files_change_together() {
    let site = Site::with(&[("a.txt", "one"), ("src/b.txt", "two"), ("gone.txt", "three")]);
    let mut set = ChangeSet::new();
    let (a, old) = site.capture("a.txt");
    set.replace(&a, old, b"ONE".to_vec()).unwrap();
    let (b, old) = site.capture("src/b.txt");
    set.edits(&b, old, vec![(0..1, b"T".to_vec())]).unwrap();
    let (gone, old) = site.capture("gone.txt");
    set.delete(&gone, old).unwrap();
    let new = site.root.resolve_new("deep/er/new.txt").unwrap();
    set.create(&new, b"four".to_vec()).unwrap();

    let done = set.commit(&site.root, &site.journals).unwrap();

    let did: Vec<_> = done.files.iter().map(|file| (file.rel.as_str(), file.action)).collect();
    assert_eq!(
        did,
        [
            ("a.txt", Action::Replace),
            ("deep/er/new.txt", Action::Create),
            ("gone.txt", Action::Delete),
            ("src/b.txt", Action::Replace),
        ]
    );
    let names: Vec<_> = site.picture().into_keys().map(|path| path.display().to_string()).collect();
    assert_eq!(names, ["a.txt", "deep", "deep/er", "deep/er/new.txt", "src", "src/b.txt"]);
    assert_eq!((site.get("a.txt"), site.get("src/b.txt")), ("ONE".into(), "Two".into()));
    assert_eq!(site.journal_files(), [""; 0], "the journal is gone");
    let identity = done.files[0].identity.unwrap();
    assert_eq!(identity.ino, fs::metadata(site.at("a.txt")).unwrap().ino());
}

#[test]
fn mode_and_link_and_bytes_are_kept() {
    let site = Site::with(&[("run.sh", "\u{feff}#!/bin/sh\r\necho one\r\nlast line")]);
    site.mode("run.sh", 0o751);
    symlink("run.sh", site.at("link")).unwrap();
    let (at, old) = site.capture("link");
    assert_eq!(at.rel(), "run.sh");
    let mut set = ChangeSet::new();
    let offset = site.get("run.sh").find("one").unwrap();
    set.edits(&at, old, vec![(offset..offset + 3, b"two".to_vec())]).unwrap();
    set.commit(&site.root, &site.journals).unwrap();
    let picture = site.picture();
    assert_eq!(picture[std::path::Path::new("link")], "link to run.sh");
    assert_eq!(
        picture[std::path::Path::new("run.sh")],
        format!("100751 x1 {:?}", "\u{feff}#!/bin/sh\r\necho two\r\nlast line")
    );
}

#[test]
fn any_mismatch_refuses_the_whole_and_names_each_file() {
    let files =
        [("a", "1"), ("changed", "1"), ("gone", "1"), ("folder", "1"), ("real", "1"), ("d/f", "1")];
    let site = Site::with(&files);
    symlink("real", site.at("moved")).unwrap();
    let mut set = ChangeSet::new();
    for name in ["a", "changed", "gone", "folder", "moved", "d/f"] {
        let (at, old) = site.capture(name);
        set.replace(&at, old, b"2".to_vec()).unwrap();
    }
    set.create(&site.root.resolve_new("new").unwrap(), b"2".to_vec()).unwrap();
    site.put("changed", "3");
    fs::remove_file(site.at("gone")).unwrap();
    fs::remove_file(site.at("folder")).unwrap();
    fs::create_dir(site.at("folder")).unwrap();
    fs::remove_file(site.at("moved")).unwrap();
    symlink("a", site.at("moved")).unwrap();
    fs::rename(site.at("d"), site.at("e")).unwrap();
    symlink("e", site.at("d")).unwrap();
    site.put("new", "somebody's");
    let before = site.picture();

    let error = set.commit(&site.root, &site.journals).unwrap_err();

    let CommitError::Mismatch { files } = &error else { panic!("{error}") };
    let problem = |rel: &str, problem| FileProblem { rel: rel.into(), problem };
    assert_eq!(
        *files,
        [
            problem("changed", Problem::Changed),
            problem("d/f", Problem::Moved),
            problem("folder", Problem::NotAFile),
            problem("gone", Problem::Vanished),
            problem("new", Problem::Appeared),
            problem("real", Problem::Moved),
        ]
    );
    assert_eq!(site.picture(), before);
    assert!(error.to_string().contains("gone: it is gone"), "{error}");
}

#[test]
fn files_that_cannot_be_written_are_refused_by_name() {
    let site = Site::with(&[("ro", "1"), ("hard", "1"), ("dir/in", "1"), ("fine", "1")]);
    site.mode("ro", 0o444);
    fs::hard_link(site.at("hard"), site.at("other")).unwrap();
    site.mode("dir", 0o555);
    let mut set = ChangeSet::new();
    for name in ["ro", "hard", "dir/in", "fine"] {
        let (at, old) = site.capture(name);
        set.replace(&at, old, b"2".to_vec()).unwrap();
    }
    let before = site.picture();
    let error = set.commit(&site.root, &site.journals).unwrap_err();
    site.mode("dir", 0o755);
    let CommitError::Unwritable { files } = &error else { panic!("{error}") };
    let problems: Vec<_> =
        files.iter().map(|file| (file.rel.as_str(), file.problem.clone())).collect();
    assert_eq!(
        problems,
        [
            ("dir/in", Problem::FolderReadOnly),
            ("hard", Problem::HardLinked(2)),
            ("ro", Problem::ReadOnly)
        ]
    );
    assert_eq!(site.picture(), before);
}

#[test]
fn a_change_to_the_same_content_writes_nothing_but_is_verified() {
    let site = Site::with(&[("a", "1")]);
    let (at, old) = site.capture("a");
    let before = old.identity();
    let mut set = ChangeSet::new();
    set.replace(&at, old, b"1".to_vec()).unwrap();
    assert_eq!(set.commit(&site.root, &site.journals).unwrap().files, []);
    assert_eq!(site.capture("a").1.identity(), before);
    site.put("a", "2");
    assert!(matches!(set.commit(&site.root, &site.journals), Err(CommitError::Mismatch { .. })));
}

#[test]
fn a_rename_takes_the_mode_along() {
    let site = Site::with(&[("a.sh", "1")]);
    site.mode("a.sh", 0o755);
    let (at, old) = site.capture("a.sh");
    let mut set = ChangeSet::new();
    set.rename(&at, old, &site.root.resolve_new("b/c.sh").unwrap(), b"2".to_vec()).unwrap();
    set.commit(&site.root, &site.journals).unwrap();
    let picture = site.picture();
    assert_eq!(picture.len(), 2);
    assert_eq!(picture[std::path::Path::new("b/c.sh")], "100755 x1 \"2\"");
}

#[test]
fn a_created_file_may_be_one_to_be_run() {
    let site = Site::new();
    let mut set = ChangeSet::new();
    set.create_executable(&site.root.resolve_new("x").unwrap(), b"1".to_vec()).unwrap();
    set.create(&site.root.resolve_new("y").unwrap(), b"1".to_vec()).unwrap();
    set.commit(&site.root, &site.journals).unwrap();
    let modes = ["x", "y"].map(|name| fs::metadata(site.at(name)).unwrap().mode() & 0o111);
    assert!(modes[0] & 0o100 != 0 && modes[1] == 0, "{modes:?}");
}

#[test]
fn staging_refuses_what_cannot_be_carried_out() {
    let site = Site::with(&[("a", "abc"), ("d/x", "1")]);
    symlink("a", site.at("link")).unwrap();
    let (at, old) = site.capture("a");
    let mut set = ChangeSet::new();
    let overlap = vec![(0..2, b"x".to_vec()), (1..3, b"y".to_vec())];
    let error = set.edits(&at, old.clone(), overlap).unwrap_err();
    assert_eq!(error.to_string(), "edits of a overlap: bytes 0..2 and 1..3");
    assert!(set.is_empty());
    set.replace(&at, old, b"new".to_vec()).unwrap();
    let (link, old) = site.capture("link");
    assert_eq!(set.replace(&link, old, Vec::new()), Err(StageError::Twice { rel: "a".into() }));
    let exists = site.root.resolve_new("d/x").unwrap();
    assert_eq!(set.create(&exists, Vec::new()), Err(StageError::Exists { rel: "d/x".into() }));
    set.create(&site.root.resolve_new("n/m").unwrap(), Vec::new()).unwrap();
    let below = set.create(&site.root.resolve_new("n/m/o").unwrap(), Vec::new());
    assert!(matches!(below, Err(StageError::Below { .. })), "{below:?}");
    let above = set.create(&site.root.resolve_new("n").unwrap(), Vec::new());
    assert!(matches!(above, Err(StageError::Below { .. })), "{above:?}");
    let folder = site.root.resolve("d").unwrap();
    let (_, old) = site.capture("a");
    assert_eq!(set.delete(&folder, old), Err(StageError::NotAFile { rel: "d".into() }));
}

#[test]
fn cancelling_counts_before_the_first_change_only() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let mut last_refused = 0;
    for limit in 0.. {
        let site = Site::with(&[("a", "1"), ("b", "1")]);
        let mut set = ChangeSet::new();
        for name in ["a", "b"] {
            let (at, old) = site.capture(name);
            set.replace(&at, old, b"2".to_vec()).unwrap();
        }
        let asked = AtomicUsize::new(0);
        let cancelled = || asked.fetch_add(1, Ordering::Relaxed) >= limit;
        let options = CommitOptions { cancelled: &cancelled, ..CommitOptions::default() };
        match set.commit_with(&site.root, &site.journals, &options) {
            Err(CommitError::Cancelled) => {
                assert_eq!((site.get("a"), site.get("b")), ("1".into(), "1".into()));
                assert_eq!(site.picture().len(), 2, "no temporary file is left");
                assert_eq!(site.journal_files(), [""; 0]);
                last_refused = limit;
            }
            done => {
                done.unwrap();
                assert_eq!((site.get("a"), site.get("b")), ("2".into(), "2".into()));
                break;
            }
        }
    }
    assert!(last_refused >= 3, "asked before verifying, writing and deciding: {last_refused}");
}

#[test]
fn a_thousand_files_in_many_folders_change_together() {
    let site = Site::new();
    let mut set = ChangeSet::new();
    for n in 0..1000 {
        site.put(&format!("d{}/f{n}", n % 300), "before, of some length\n".repeat(100));
    }
    for n in 0..1000 {
        let (at, old) = site.capture(&format!("d{}/f{n}", n % 300));
        set.edits(&at, old, vec![(0..6, b"after".to_vec())]).unwrap();
    }
    let start = std::time::Instant::now();
    assert_eq!(set.commit(&site.root, &site.journals).unwrap().files.len(), 1000);
    println!("1000 files in 300 folders: {:?}", start.elapsed());
    for n in [0, 1, 500, 999] {
        assert!(site.get(&format!("d{}/f{n}", n % 300)).starts_with("after, of some"));
    }
    assert_eq!(site.picture().len(), 1300, "no temporary file is left");
}

#[test]
fn owner_and_attributes_are_kept() {
    let site = Site::with(&[("a", "1")]);
    let path = site.at("a");
    let flags = rustix::fs::XattrFlags::empty();
    let marked = rustix::fs::setxattr(&path, "user.note", b"kept", flags).is_ok();
    let given = std::os::unix::fs::chown(&path, Some(4321), Some(1234)).is_ok();
    site.mode("a", 0o2710);
    let before = fs::metadata(&path).unwrap();
    let (at, old) = site.capture("a");
    let mut set = ChangeSet::new();
    set.replace(&at, old, b"2".to_vec()).unwrap();
    set.commit(&site.root, &site.journals).unwrap();
    let after = fs::metadata(&path).unwrap();
    assert_ne!(after.ino(), before.ino());
    assert_eq!(
        (after.uid(), after.gid(), after.mode()),
        (before.uid(), before.gid(), before.mode())
    );
    if !given {
        println!("SKIP owner: only the superuser may give files away");
    }
    if marked {
        let mut value = [0; 8];
        let len = rustix::fs::getxattr(&path, "user.note", &mut value).unwrap();
        assert_eq!(&value[..len], b"kept");
    } else {
        println!("SKIP attributes: this file system has none");
    }
}

#[test]
fn names_that_are_no_text_can_be_changed() {
    use std::os::unix::ffi::OsStrExt;
    let site = Site::new();
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.txt");
    fs::write(site.root.path().join(name), "1").unwrap();
    let start = site.root.resolve(".").unwrap();
    let walked = tool_workspace::Walk::new(&site.root, &start).run().unwrap();
    let at = site.root.resolve_walked(&walked.files[0]).unwrap();
    let mut set = ChangeSet::new();
    set.replace(&at, site.root.read(&at).unwrap().into(), b"2".to_vec()).unwrap();
    set.commit(&site.root, &site.journals).unwrap();
    assert_eq!(fs::read(site.root.path().join(name)).unwrap(), b"2");
}
