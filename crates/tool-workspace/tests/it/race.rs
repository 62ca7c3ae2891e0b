//! Somebody else writes a file in the last moment, or while a change lies unfinished: theirs is never lost.

use std::fs;
use std::panic::resume_unwind;
use std::path::Path;

use tool_workspace::{CommitError, Faults, Problem};

use crate::support::{Scene, dies};

/// Calls `act` before the step `name` on the file `path`, once.
fn when(name: &'static str, path: &'static str, act: impl Fn() + Send + Sync + 'static) -> Faults {
    let done = std::sync::atomic::AtomicBool::new(false);
    Faults::new(move |step| {
        if step.name == name
            && step.path == Path::new(path)
            && !done.swap(true, std::sync::atomic::Ordering::SeqCst)
        {
            act();
        }
        Ok(())
    })
}

#[test]
fn a_write_in_the_last_moment_refuses_the_whole() {
    for (step, file, problem) in [
        ("exchange", "src/b.txt", Problem::Changed),
        ("shift", "src/gone.txt", Problem::Changed),
        ("shift", "src/created.txt", Problem::Appeared),
    ] {
        let scene = Scene::new();
        let path = scene.site.at(file);
        let error = scene.commit(when(step, file, move || fs::write(&path, "theirs").unwrap()));
        let CommitError::Mismatch { files } = error.unwrap_err() else { panic!("{file}") };
        assert_eq!((files[0].rel.as_str(), &files[0].problem), (file, &problem));
        assert_eq!(scene.site.get(file), "theirs");
        scene.site.put(file, "");
        let mut old = scene.old.clone();
        let now = scene.site.picture();
        old.insert(file.into(), now[Path::new(file)].clone());
        assert_eq!(now, old, "all else is as it was");
        assert_eq!(scene.site.journal_files(), [""; 0]);
    }
}

#[test]
fn a_file_that_vanishes_in_the_last_moment_refuses_the_whole() {
    let scene = Scene::new();
    let path = scene.site.at("src/b.txt");
    let faults = when("exchange", "src/b.txt", move || fs::remove_file(&path).unwrap());
    let CommitError::Mismatch { files } = scene.commit(faults).unwrap_err() else { panic!() };
    assert_eq!(files[0].problem, Problem::Vanished);
    let mut old = scene.old.clone();
    old.remove(Path::new("src/b.txt"));
    assert_eq!(scene.site.picture(), old);
}

#[test]
fn a_folder_that_becomes_a_link_to_outside_diverts_nothing() {
    let scene = Scene::new();
    let outside = scene.site.outside();
    fs::write(outside.join("b.txt"), "b old, longer").unwrap();
    let src = scene.site.at("src");
    let aside = scene.site.at("aside");
    let target = outside.clone();
    let faults = when("create temp", "a.txt", move || {
        fs::rename(&src, &aside).unwrap();
        std::os::unix::fs::symlink(&target, &src).unwrap();
    });
    let error = scene.commit(faults).unwrap_err();
    assert!(error.to_string().starts_with("nothing was written"), "{error}");
    assert_eq!(fs::read_to_string(outside.join("b.txt")).unwrap(), "b old, longer");
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1, "nothing was put there");
    assert_eq!(scene.site.get("a.txt"), "a old");
}

/// Dies before `step` on `file`, lets `meddle` act, and recovers.
fn meddled(step: &'static str, file: &'static str, meddle: impl Fn(&Scene)) -> Scene {
    let scene = Scene::new();
    let faults = when(step, file, || resume_unwind(Box::new("killed")));
    assert!(dies(|| drop(scene.commit(faults))));
    meddle(&scene);
    scene
}

#[test]
fn a_file_changed_before_its_turn_takes_the_rest_back() {
    // In the order of the set: a.txt and from.sh are done, src/b.txt is not.
    let scene = meddled("exchange", "src/b.txt", |scene| scene.site.put("src/b.txt", "theirs"));
    let report = scene.site.journals.recover();
    assert!(report.failed.is_empty(), "{report:?}");
    assert_eq!(scene.site.get("src/b.txt"), "theirs");
    scene.site.put("src/b.txt", "b old, longer");
    assert!(!scene.is_new("after the recovery"));
}

#[test]
fn a_file_changed_after_its_turn_lets_the_rest_go_on_and_keeps_both() {
    let scene = meddled("exchange", "src/b.txt", |scene| scene.site.put("a.txt", "theirs"));
    let report = scene.site.journals.recover();
    let [recovered] = &report.settled[..] else { panic!("{report:?}") };
    assert_eq!(recovered.conflicts, []);
    assert_eq!(scene.site.get("a.txt"), "theirs");
    scene.site.put("a.txt", "a new");
    assert!(scene.is_new("after the recovery"));
}

#[test]
fn changes_on_both_sides_are_reported_and_what_would_be_lost_is_kept() {
    let scene = meddled("exchange", "src/b.txt", |scene| {
        scene.site.put("a.txt", "theirs");
        scene.site.put("src/b.txt", "theirs too");
    });
    let report = scene.site.journals.recover();
    let [recovered] = &report.settled[..] else { panic!("{report:?}") };
    let [conflict] = &recovered.conflicts[..] else { panic!("{recovered:?}") };
    assert_eq!(conflict.rel, "src/b.txt");
    assert_eq!(fs::read_to_string(conflict.kept.as_ref().unwrap()).unwrap(), "b new");
    assert_eq!(scene.site.get("a.txt"), "theirs");
    assert_eq!(scene.site.get("src/b.txt"), "theirs too");
    assert!(scene.site.picture().keys().all(|path| !path.to_string_lossy().contains(".runbound")));
}

#[test]
fn a_death_right_after_a_displacement_keeps_what_was_displaced() {
    let scene = Scene::new();
    let path = scene.site.at("a.txt");
    // They write between the verification and the exchange; we die before looking at what was displaced.
    let faults = Faults::new(move |step| {
        match (step.name, step.path.to_str()) {
            ("exchange", Some("a.txt")) => fs::write(&path, "theirs").unwrap(),
            ("shift", Some("from.sh")) => resume_unwind(Box::new("killed")),
            _ => {}
        }
        Ok(())
    });
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| scene.commit(faults)));
    match result {
        // It was noticed in time: theirs is back.
        Ok(error) => {
            error.unwrap_err();
            assert_eq!(scene.site.get("a.txt"), "theirs");
        }
        Err(_) => panic!("the displaced file is looked at before the next step"),
    }
}
