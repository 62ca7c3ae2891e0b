//! Two commits at once, in one process or two, and journals that a living process holds.

use std::sync::{Barrier, mpsc};
use std::time::Duration;

use tool_workspace::{ChangeSet, CommitError, CommitOptions, Faults, Journals, Root};

use crate::support::{Scene, Site};

#[test]
fn of_two_commits_over_the_same_files_one_wins_and_the_other_is_refused() {
    for _ in 0..20 {
        let site = Site::with(&[("a", "0"), ("b", "0")]);
        let sets: Vec<ChangeSet> = ["1", "2"]
            .map(|new| {
                let mut set = ChangeSet::new();
                for name in ["a", "b"] {
                    let (at, old) = site.capture(name);
                    set.replace(&at, old, new.into()).unwrap();
                }
                set
            })
            .into();
        let start = Barrier::new(2);
        let results: Vec<_> = std::thread::scope(|scope| {
            let commits: Vec<_> = sets
                .iter()
                .map(|set| {
                    scope.spawn(|| {
                        start.wait();
                        set.commit(&site.root, &site.journals)
                    })
                })
                .collect();
            commits.into_iter().map(|commit| commit.join().unwrap()).collect()
        });
        let winner = results.iter().position(Result::is_ok).unwrap();
        let loser = results[1 - winner].as_ref().unwrap_err();
        assert_eq!(loser.mismatched(), ["a", "b"], "{loser}");
        let expected = (winner + 1).to_string();
        assert_eq!((site.get("a"), site.get("b")), (expected.clone(), expected));
    }
}

/// Commits in a thread and stops before `step`, runs `meanwhile`, and lets it go on.
fn paused(scene: &Scene, step: &'static str, meanwhile: impl FnOnce()) {
    let (reached, is_reached) = mpsc::sync_channel::<()>(0);
    let (go, may_go) = mpsc::sync_channel::<()>(0);
    let may_go = std::sync::Mutex::new(may_go);
    let faults = Faults::new(move |at| {
        if at.name == step && reached.send(()).is_ok() {
            may_go.lock().unwrap().recv().unwrap();
        }
        Ok(())
    });
    std::thread::scope(|scope| {
        let commit = scope.spawn(|| scene.commit(faults));
        is_reached.recv().unwrap();
        drop(is_reached);
        meanwhile();
        go.send(()).unwrap();
        commit.join().unwrap().unwrap();
    });
    assert!(scene.is_new("after the commit went on"));
}

#[test]
fn a_journal_of_a_living_commit_is_left_alone() {
    for step in ["create temp", "mark committed", "exchange", "remove temp"] {
        let scene = Scene::new();
        paused(&scene, step, || {
            let report = scene.site.journals.recover();
            assert_eq!((report.held, report.settled.len()), (1, 0), "{step}: {report:?}");
            assert_eq!(scene.site.journal_files().len(), 1);
        });
    }
}

#[test]
fn a_commit_waits_and_then_says_that_it_is_busy() {
    let scene = Scene::new();
    paused(&scene, "exchange", || {
        let (at, old) = scene.site.capture("bystander");
        let mut set = ChangeSet::new();
        set.replace(&at, old, b"x".to_vec()).unwrap();
        let options = CommitOptions { wait: Duration::from_millis(30), ..CommitOptions::default() };
        let error = set.commit_with(&scene.site.root, &scene.site.journals, &options);
        assert!(matches!(error, Err(CommitError::Busy { .. })), "{error:?}");
        assert_eq!(scene.site.get("bystander"), "not in the set");
    });
}

#[test]
fn roots_inside_each_other_and_other_state_folders_exclude_each_other_too() {
    let scene = Scene::new();
    let inner = Root::open(&scene.site.at("src")).unwrap();
    let elsewhere = Journals::open(&scene.site.outside().join("state"), &inner);
    paused(&scene, "exchange", || {
        let mut set = ChangeSet::new();
        set.create(&inner.resolve_new("n").unwrap(), b"x".to_vec()).unwrap();
        let options = CommitOptions { wait: Duration::from_millis(30), ..CommitOptions::default() };
        let error = set.commit_with(&inner, &elsewhere, &options);
        assert!(matches!(error, Err(CommitError::Busy { .. })), "{error:?}");
    });
}

#[test]
fn waiting_can_be_cancelled() {
    let scene = Scene::new();
    paused(&scene, "exchange", || {
        let (at, old) = scene.site.capture("bystander");
        let mut set = ChangeSet::new();
        set.replace(&at, old, b"x".to_vec()).unwrap();
        let options = CommitOptions { cancelled: &|| true, ..CommitOptions::default() };
        let error = set.commit_with(&scene.site.root, &scene.site.journals, &options);
        assert!(matches!(error, Err(CommitError::Cancelled)), "{error:?}");
    });
}
