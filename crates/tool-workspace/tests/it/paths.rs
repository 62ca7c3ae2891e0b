//! What a model may write as a path, and what becomes of it.

use std::fs;
use std::os::unix::fs::symlink;

use tool_workspace::{Place, Root, WorkspaceErrorKind as Kind};

use crate::support::Site;

fn kind(site: &Site, path: &str) -> Kind {
    site.root.resolve(path).unwrap_err().kind()
}

#[test]
fn paths_inside_are_found_however_they_are_written() {
    let site = Site::with(&[("src/a.rs", "x")]);
    symlink("src", site.at("alias")).unwrap();
    symlink(site.at("src/a.rs"), site.at("absolute")).unwrap();
    let absolute = site.at("src/a.rs");
    for path in [
        "src/a.rs",
        "./src/a.rs",
        "src/../src/./a.rs",
        "src//a.rs",
        "alias/a.rs",
        "alias/../src/a.rs",
        "absolute",
        absolute.to_str().unwrap(),
    ] {
        let at = site.root.resolve(path).unwrap();
        assert_eq!((at.rel().as_str(), at.place()), ("src/a.rs", Place::File), "{path}");
        assert_eq!(at.path(), absolute);
        assert_eq!(at.asked(), path);
    }
    let root = site.root.resolve(".").unwrap();
    assert_eq!((root.rel().as_str(), root.is_folder()), (".", true));
}

#[test]
fn paths_outside_are_refused_whether_or_not_anything_is_there() {
    let site = Site::with(&[("src/a.rs", "x")]);
    fs::write(site.outside().join("secret"), "s").unwrap();
    symlink("../outside/secret", site.at("leak")).unwrap();
    symlink("../outside", site.at("leaks")).unwrap();
    symlink("../outside/nothing", site.at("dangling")).unwrap();
    symlink("leaks/secret", site.at("chain")).unwrap();
    let secret = site.outside().join("secret");
    for path in [
        "..",
        "../outside/secret",
        "../nothing",
        "src/../../outside",
        "/etc/passwd",
        "/nothing/at/all",
        "/",
        "leak",
        "leaks",
        "leaks/secret",
        "leaks/nothing",
        "dangling",
        "chain",
        "../outside/secret/below",
        secret.to_str().unwrap(),
    ] {
        assert_eq!(kind(&site, path), Kind::Outside, "{path}");
        assert_eq!(site.root.resolve_new(path).unwrap_err().kind(), Kind::Outside, "{path}");
    }
    let said = site.root.resolve("leak").unwrap_err().to_string();
    assert!(
        said.starts_with("\"leak\" is outside the workspace (a symbolic link leads to "),
        "{said}"
    );
}

#[test]
fn what_is_wrong_with_a_path_is_told_apart() {
    let site = Site::with(&[("file", "x")]);
    symlink("two", site.at("one")).unwrap();
    symlink("one", site.at("two")).unwrap();
    symlink("nothing", site.at("broken")).unwrap();
    for (path, expected) in [
        ("", Kind::Invalid),
        ("a\0b", Kind::Invalid),
        ("nothing", Kind::Missing),
        ("no/thing", Kind::Missing),
        ("no/../file", Kind::Missing),
        ("file/below", Kind::NotADirectory),
        ("one", Kind::LinkLoop),
        ("one/below", Kind::LinkLoop),
        ("broken", Kind::BrokenLink),
    ] {
        assert_eq!(kind(&site, path), expected, "{path}");
    }
    let long = "x".repeat(300);
    assert_eq!(kind(&site, &long), Kind::Invalid);
}

#[test]
fn a_new_path_keeps_its_real_parents() {
    let site = Site::with(&[("src/a.rs", "x")]);
    symlink("src", site.at("alias")).unwrap();
    let at = site.root.resolve_new("alias/deep/new.rs").unwrap();
    assert_eq!((at.rel().as_str(), at.exists()), ("src/deep/new.rs", false));
    let there = site.root.resolve_new("alias/a.rs").unwrap();
    assert!(there.is_file());
}

#[test]
fn reading_gives_all_bytes_and_refuses_what_is_no_file() {
    let site = Site::new();
    site.put("bytes", [0xff, 0x00, b'\r', b'\n', 0xfe]);
    let at = site.root.resolve("bytes").unwrap();
    let content = site.root.read(&at).unwrap();
    assert_eq!(content.bytes, [0xff, 0x00, b'\r', b'\n', 0xfe]);
    assert_eq!((content.identity.len, content.mode), (5, 0o644));
    let folder = site.root.resolve(".").unwrap();
    assert_eq!(site.root.read(&folder).unwrap_err().kind(), Kind::NotAFile);
    rustix::fs::mknodat(
        rustix::fs::CWD,
        site.at("pipe"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o644),
        0,
    )
    .unwrap();
    let pipe = site.root.resolve("pipe").unwrap();
    assert_eq!(pipe.place(), Place::Other);
    assert_eq!(
        site.root.read(&pipe).unwrap_err().kind(),
        Kind::NotAFile,
        "and does not wait for a writer"
    );
}

#[test]
fn a_link_that_appears_after_the_check_is_not_followed() {
    let site = Site::with(&[("src/a", "inside"), ("b", "inside")]);
    fs::write(site.outside().join("a"), "secret").unwrap();
    let nested = site.root.resolve("src/a").unwrap();
    let plain = site.root.resolve("b").unwrap();
    fs::remove_dir_all(site.at("src")).unwrap();
    symlink("../outside", site.at("src")).unwrap();
    fs::remove_file(site.at("b")).unwrap();
    symlink("../outside/a", site.at("b")).unwrap();
    assert_eq!(site.root.read(&nested).unwrap_err().kind(), Kind::LinkLoop);
    assert_eq!(site.root.read(&plain).unwrap_err().kind(), Kind::LinkLoop);
}

#[test]
fn the_root_itself_may_be_named_through_a_link() {
    let site = Site::with(&[("a", "x")]);
    let link = site.outside().join("link");
    symlink(site.root.path(), &link).unwrap();
    let root = Root::open(&link).unwrap();
    assert_eq!(root.path(), site.root.path());
    let through = link.join("a");
    assert_eq!(root.resolve(through.to_str().unwrap()).unwrap().rel(), "a");
    assert_eq!(root.relative(&root.path().join("x/y")), "x/y");
    assert_eq!(root.relative(std::path::Path::new("/etc/passwd")), "/etc/passwd");
    assert_eq!(Root::open(&site.at("a")).unwrap_err().kind(), Kind::NotADirectory);
    assert_eq!(Root::open(&site.at("none")).unwrap_err().kind(), Kind::Missing);
}

#[test]
fn a_root_that_has_gone_is_named_as_such() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("checkout");
    fs::create_dir(&path).unwrap();
    let root = Root::open(&path).unwrap();
    fs::remove_dir(&path).unwrap();
    let inside = root.path().join("x").to_str().unwrap().to_owned();
    for asked in [".", "x", "x/y", &inside] {
        for error in [root.resolve(asked).unwrap_err(), root.resolve_new(asked).unwrap_err()] {
            assert_eq!(error.kind(), Kind::Missing, "{error}");
            assert!(error.to_string().contains("not there any more"), "{error}");
        }
    }
    assert_eq!(root.resolve("/no/such").unwrap_err().kind(), Kind::Outside);
}
