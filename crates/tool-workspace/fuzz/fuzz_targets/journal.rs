//! Random change sets with random deaths, failures and foreign writes against a model; and random bytes as a journal.
//!
//! Run with `cargo +nightly fuzz run journal` in `crates/tool-workspace`.

#![no_main]

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use libfuzzer_sys::fuzz_target;
use tool_workspace::journal::codec;
use tool_workspace::{ChangeSet, CommitError, CommitOptions, Faults, Journals, Root};

const FILES: [&str; 6] = ["a", "b", "d/a", "d/e/a", "n/a", "n/m/a"];

/// About as many steps as the longest commit has.
const STEPS: usize = 96;

/// Content of every file; what is not there is missing.
type Model = BTreeMap<&'static str, Vec<u8>>;

fuzz_target!(|data: &[u8]| {
    let Some((&kind, rest)) = data.split_first() else {
        return;
    };
    if kind < 64 {
        decode(rest);
    } else {
        play(rest);
    }
});

/// Decoding never panics, and takes only what encoding gives.
fn decode(bytes: &[u8]) {
    let Ok((intent, _)) = codec::decode(bytes) else {
        // Most random bytes fail at the checksum, so the same once more with a right one.
        let mut framed = b"RBJ1".to_vec();
        framed.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
        framed.extend_from_slice(bytes);
        framed.extend_from_slice(&codec::checksum(bytes).to_le_bytes());
        framed.extend_from_slice(&[0; 64]);
        if let Ok((intent, phase)) = codec::decode(&framed) {
            assert_eq!(phase, codec::Phase::Preparing);
            assert_eq!(codec::encode(&intent), framed);
        }
        return;
    };
    let again = codec::encode(&intent);
    assert_eq!(again.len(), bytes.len());
    assert_eq!(again[..again.len() - 64], bytes[..bytes.len() - 64]);
}

struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> usize {
        match self.0.split_first() {
            Some((&byte, rest)) => {
                self.0 = rest;
                usize::from(byte)
            }
            None => 0,
        }
    }
}

fn play(data: &[u8]) {
    let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder");
    let checkout = dir.path().join("checkout");
    fs::create_dir(&checkout).expect("the checkout");
    let root = Root::open(&checkout).expect("the root");
    let journals = Journals::open(&dir.path().join("state"), &root);
    let mut data = Bytes(data);
    let mut model = Model::new();
    let mut turn = 0_usize;
    while !data.0.is_empty() && turn < 8 {
        turn += 1;
        let before = model.clone();
        let Some((set, after)) = stage(&root, &model, &mut data, turn) else {
            continue;
        };
        let plain = data.next() % 4 == 0;
        let (faults, died) = match data.next() % 4 {
            0 => (Faults::default(), false),
            1 => (failing(data.next() % STEPS), false),
            _ => (dying(data.next() % STEPS, plain), true),
        };
        let options = CommitOptions { faults, ..CommitOptions::default() };
        let result = catch_unwind(AssertUnwindSafe(|| set.commit_with(&root, &journals, &options)));
        let killed = result.is_err();
        assert!(died || !killed, "a panic that was not asked for");
        let foreign =
            (killed && data.next() % 3 == 0).then(|| meddle(&root, &mut data, turn)).flatten();
        if killed && data.next() % 2 == 0 {
            let faults = dying(data.next() % STEPS, plain);
            let _ = catch_unwind(AssertUnwindSafe(|| journals.recover_with(&faults)));
        }
        let report = journals.recover();
        assert!(
            report.failed.is_empty() && report.damaged.is_empty() && report.held == 0,
            "{report:?}"
        );
        let now = look(&root);
        match foreign {
            Some(name) => {
                // Theirs stays; every other file is as before or as after.
                assert_eq!(now.get(name), Some(&theirs(turn)), "{name} {report:?}");
                for file in FILES.iter().filter(|file| **file != name) {
                    let (old, new, now) = (before.get(file), after.get(file), now.get(file));
                    assert!(now == old || now == new, "{file}: {old:?} {new:?} {now:?}");
                }
            }
            None => {
                assert!(
                    now == before || now == after,
                    "{before:?}\n{after:?}\n{now:?}\n{report:?}"
                );
                match result {
                    Ok(Ok(_)) => assert_eq!(now, after),
                    Ok(Err(CommitError::Stuck { .. })) | Err(_) => {}
                    Ok(Err(_)) => assert_eq!(now, before),
                }
            }
        }
        assert!(journals.recover().is_quiet());
        model = now;
    }
}

/// A change set of some of the files, and what they are afterwards.
fn stage(
    root: &Root,
    model: &Model,
    data: &mut Bytes<'_>,
    turn: usize,
) -> Option<(ChangeSet, Model)> {
    let mut set = ChangeSet::new();
    let mut after = model.clone();
    for (n, name) in FILES.into_iter().enumerate() {
        let what = data.next();
        if what % 3 == 0 {
            continue;
        }
        let at = root.resolve_new(name).ok()?;
        // Contents repeat now and then, and are sometimes what they were.
        let new = format!("{}", (what / 8) % 4 + n * 4 * (turn % 2)).into_bytes();
        let staged = if model.contains_key(name) {
            let old = root.read(&at).expect("it is there").into();
            if what % 3 == 1 {
                after.insert(name, new.clone());
                set.replace(&at, old, new)
            } else {
                after.remove(name);
                set.delete(&at, old)
            }
        } else {
            after.insert(name, new.clone());
            set.create(&at, new)
        };
        staged.expect("different files");
    }
    (!set.is_empty()).then_some((set, after))
}

fn theirs(turn: usize) -> Vec<u8> {
    format!("theirs {turn}").into_bytes()
}

/// Writes a file as somebody else would, if its folder is there.
fn meddle(root: &Root, data: &mut Bytes<'_>, turn: usize) -> Option<&'static str> {
    let name = FILES[data.next() % FILES.len()];
    fs::write(root.path().join(name), theirs(turn)).ok()?;
    Some(name)
}

fn dying(at: usize, plain_renames: bool) -> Faults {
    let count = AtomicUsize::new(0);
    let mut faults = Faults::new(move |_| match count.fetch_add(1, Ordering::SeqCst) == at {
        true => resume_unwind(Box::new("killed")),
        false => Ok(()),
    });
    faults.plain_renames = plain_renames;
    faults
}

fn failing(at: usize) -> Faults {
    let count = Arc::new(AtomicUsize::new(0));
    Faults::new(move |_| match count.fetch_add(1, Ordering::SeqCst) == at {
        true => Err(io::Error::from(io::ErrorKind::StorageFull)),
        false => Ok(()),
    })
}

/// All files of the checkout; a file that is none of ours is one left behind.
fn look(root: &Root) -> Model {
    let mut model = Model::new();
    add(root.path(), root.path(), &mut model);
    model
}

fn add(root: &Path, folder: &Path, model: &mut Model) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            add(root, &path, model);
            continue;
        }
        let rel = path.strip_prefix(root).expect("below the root");
        let name = FILES.into_iter().find(|name| Path::new(name) == rel);
        let name = name.unwrap_or_else(|| panic!("left behind: {}", rel.display()));
        model.insert(name, fs::read(&path).expect("a file"));
    }
}
