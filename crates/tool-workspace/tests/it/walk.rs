//! What a walk finds, leaves out and says about it.

use std::fs;
use std::os::unix::fs::symlink;

use tool_workspace::{SkipReason, Walk, WalkOptions, Walked};

use crate::support::Site;

fn walk(site: &Site, path: &str) -> Walked {
    let at = site.root.resolve(path).unwrap();
    Walk::new(&site.root, &at).run().unwrap()
}

fn names(walked: &Walked) -> Vec<&str> {
    walked.files.iter().map(|file| file.rel.as_str()).collect()
}

#[test]
fn ignore_files_count_as_they_do_for_ripgrep() {
    let files = [
        ("z.rs", "1"),
        ("a/b.rs", "22"),
        ("a.rs", ""),
        (".ignore", "by-ignore\n"),
        (".gitignore", "by-git\ntarget/\n"),
        ("by-ignore", ""),
        ("by-git", ""),
        ("target/x/y.rs", ""),
        (".hidden/x.rs", ""),
        (".env", ""),
    ];
    let site = Site::with(&files);
    let outside_git = walk(&site, ".");
    assert_eq!(
        names(&outside_git),
        ["a.rs", "a/b.rs", "by-git", "target/x/y.rs", "z.rs"],
        ".gitignore counts inside a repository only"
    );
    assert_eq!((outside_git.ignored, outside_git.hidden), (1, 4));
    fs::create_dir(site.at(".git")).unwrap();
    let in_git = walk(&site, ".");
    assert_eq!(names(&in_git), ["a.rs", "a/b.rs", "z.rs"]);
    assert_eq!((in_git.ignored, in_git.hidden), (3, 5), "an ignored folder counts as one");
    assert_eq!(in_git.files[1].len, 2);
    assert_eq!(
        names(&walk(&site, ".hidden")),
        [".hidden/x.rs"],
        "what is named outright is walked"
    );
    assert_eq!(names(&walk(&site, "by-git")), ["by-git"]);
    let at = site.root.resolve(".").unwrap();
    let mut options = WalkOptions::default();
    options.ignore_files = false;
    options.hidden = true;
    let all = Walk::new(&site.root, &at).options(options).run().unwrap();
    assert_eq!(all.files.len(), files.len());
}

#[test]
fn only_wanted_extensions_are_looked_at() {
    let site = Site::with(&[("a.rs", "1"), ("b.RS", "2"), ("c.py", ""), ("rs", ""), (".d.rs", "")]);
    let at = site.root.resolve(".").unwrap();
    let mut options = WalkOptions::default();
    options.extensions = Some(vec!["rs".to_owned()]);
    let walked = Walk::new(&site.root, &at).options(options).run().unwrap();
    assert_eq!(names(&walked), ["a.rs", "b.RS"]);
    assert_eq!((walked.ignored, walked.hidden), (0, 1), "the others are no ignored files");
}

#[test]
fn links_and_pipes_are_skipped_with_their_reason() {
    let site = Site::with(&[("a/real", "x")]);
    symlink("a", site.at("folder")).unwrap();
    symlink("..", site.at("a/up")).unwrap();
    symlink("self", site.at("self")).unwrap();
    symlink("../outside", site.at("out")).unwrap();
    let walked = walk(&site, ".");
    assert_eq!(names(&walked), ["a/real"]);
    let skipped: Vec<_> =
        walked.skipped.iter().map(|skip| (skip.rel.as_str(), skip.reason.clone())).collect();
    assert_eq!(
        skipped,
        [
            ("a/up", SkipReason::Link),
            ("folder", SkipReason::Link),
            ("out", SkipReason::Link),
            ("self", SkipReason::LinkLoop),
        ]
    );
    assert_eq!((walked.ignored, walked.hidden), (0, 0));
    assert_eq!(
        names(&walk(&site, "folder")),
        ["a/real"],
        "a link that is named is followed, and shown as it is"
    );
}

#[test]
fn bad_ignore_rules_are_told_and_the_rest_is_walked() {
    let site = Site::with(&[("a", ""), (".ignore", "[z-a]\n"), ("b", "")]);
    let walked = walk(&site, ".");
    assert_eq!(names(&walked), ["a", "b"]);
    assert!(
        matches!(walked.skipped[0].reason, SkipReason::BadIgnoreRule(_)),
        "{:?}",
        walked.skipped
    );
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let site = Site::quick();
    for folder in 0..40 {
        for file in 0..10 {
            site.put(&format!("d{folder}/{}/f{file}", folder % 3), "x");
        }
    }
    let at = site.root.resolve(".").unwrap();
    let run = |threads| {
        let mut options = WalkOptions::default();
        options.threads = threads;
        Walk::new(&site.root, &at).options(options).run().unwrap()
    };
    let one = run(1);
    assert_eq!(one.files.len(), 400);
    assert!(one.files.is_sorted_by(|a, b| a.rel < b.rel));
    for threads in 2..6 {
        assert_eq!(run(threads), one);
    }
}

#[test]
fn files_can_be_given_as_they_are_met() {
    let site =
        Site::with(&[("a", ""), ("b/c", ""), ("d.log", ""), (".e", ""), (".ignore", "*.log")]);
    for start in [".", "a"] {
        let at = site.root.resolve(start).unwrap();
        let gathered = Walk::new(&site.root, &at).run().unwrap();
        let given = std::sync::Mutex::new(Vec::new());
        let rest = Walk::new(&site.root, &at)
            .run_into(&|| false, &|file| given.lock().unwrap().push(file))
            .unwrap();
        let mut given = given.into_inner().unwrap();
        given.sort_by(|a, b| a.rel.cmp(&b.rel));
        assert_eq!(given, gathered.files);
        assert!(rest.files.is_empty());
        assert_eq!((rest.ignored, rest.hidden), (gathered.ignored, gathered.hidden));
    }
}

#[test]
fn a_walk_can_be_stopped() {
    let site = Site::with(&[("a", ""), ("b", "")]);
    let at = site.root.resolve(".").unwrap();
    let walked = Walk::new(&site.root, &at).run_until(&|| true).unwrap();
    assert!(walked.stopped && walked.files.is_empty());
    assert!(!walk(&site, ".").stopped);
}

#[test]
fn a_walked_file_can_be_read_located_and_told_from_its_successor() {
    use std::os::unix::ffi::OsStrExt;
    let site = Site::with(&[("a", "1")]);
    let odd = site.root.path().join(std::ffi::OsStr::from_bytes(b"\xff.rs"));
    fs::write(&odd, "odd").unwrap();
    let walked = walk(&site, ".");
    assert_eq!(walked.files.len(), 2);
    for file in &walked.files {
        let content = site.root.read_walked(file).unwrap();
        assert_eq!(content.identity, file.identity);
        let at = site.root.resolve_walked(file).unwrap();
        assert_eq!(site.root.read(&at).unwrap().bytes, content.bytes);
        assert_eq!(site.root.identify(file).unwrap(), file.identity);
    }
    assert_eq!(walked.files[1].rel, "\u{fffd}.rs");
    fs::write(site.at("new"), "2").unwrap();
    fs::rename(site.at("new"), site.at("a")).unwrap();
    assert_ne!(site.root.identify(&walked.files[0]).unwrap(), walked.files[0].identity);
}
