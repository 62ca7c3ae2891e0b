//! A process that dies before any step of a commit, or of the recovery after it, leaves all-old or all-new.

use std::panic::resume_unwind;

use tool_workspace::{Faults, Outcome};

use crate::support::{Scene, at_step, dies};

fn dying(
    at: usize,
    plain_renames: bool,
) -> (Faults, std::sync::Arc<std::sync::atomic::AtomicUsize>) {
    let (mut faults, count) = at_step(at, || resume_unwind(Box::new("killed")));
    faults.plain_renames = plain_renames;
    (faults, count)
}

#[test]
fn a_death_at_any_step_and_at_any_step_of_the_recovery_is_survived() {
    for plain_renames in [false, true] {
        let (mut went_back, mut went_on) = (0, 0);
        for step in 0.. {
            let scene = Scene::new();
            if !dies(|| drop(scene.commit(dying(step, plain_renames).0))) {
                assert!(scene.is_new("after an undisturbed commit"));
                assert!(step > 40, "only {step} steps were watched");
                break;
            }
            for again in 0.. {
                // A fresh scene for each pair, so that nothing of the last recovery helps.
                let scene = Scene::new();
                assert!(dies(|| drop(scene.commit(dying(step, plain_renames).0))));
                let (faults, _) = dying(again, plain_renames);
                let died = dies(|| drop(scene.site.journals.recover_with(&faults)));
                let report = scene.site.journals.recover();
                assert!(report.failed.is_empty(), "{report:?}");
                let new = scene.is_new(&format!("after steps {step} and {again}"));
                assert_eq!(scene.site.journal_files(), [""; 0], "after steps {step} and {again}");
                for recovered in &report.settled {
                    assert_eq!(recovered.outcome == Outcome::Completed, new);
                    assert_eq!(recovered.conflicts, []);
                }
                if new {
                    went_on += 1;
                } else {
                    went_back += 1;
                }
                assert!(scene.site.journals.recover().is_quiet());
                if !died {
                    break;
                }
            }
        }
        assert!(went_back > 50 && went_on > 50, "both ends were reached: {went_back}, {went_on}");
    }
}

#[test]
fn the_next_commit_recovers_by_itself() {
    for step in 0.. {
        let scene = Scene::new();
        if !dies(|| drop(scene.commit(dying(step, false).0))) {
            break;
        }
        // Another file, so that it is the recovery alone that brings the rest to an end.
        let (at, old) = scene.site.capture("bystander");
        let mut set = tool_workspace::ChangeSet::new();
        set.replace(&at, old, b"changed".to_vec()).unwrap();
        set.commit(&scene.site.root, &scene.site.journals).unwrap();
        scene.site.put("bystander", "not in the set");
        scene.is_new(&format!("after step {step}"));
    }
}

#[test]
fn several_starts_at_once_recover_once() {
    for step in (0..60).step_by(3) {
        let scene = Scene::new();
        if !dies(|| drop(scene.commit(dying(step, false).0))) {
            break;
        }
        let settled: usize = std::thread::scope(|scope| {
            let starts: Vec<_> =
                (0..6).map(|_| scope.spawn(|| scene.site.journals.recover())).collect();
            let reports = starts.into_iter().map(|start| start.join().unwrap());
            reports
                .map(|report| {
                    assert!(report.failed.is_empty(), "{report:?}");
                    report.settled.len()
                })
                .sum()
        });
        assert!(settled <= 1, "recovered {settled} times after step {step}");
        scene.is_new(&format!("after step {step}"));
        assert_eq!(scene.site.journal_files(), [""; 0]);
    }
}

#[test]
fn a_damaged_journal_is_set_aside_and_guessed_at_by_nobody() {
    let scene = Scene::new();
    let faults = Faults::new(|step| match step.name {
        "exchange" => resume_unwind(Box::new("killed")),
        _ => Ok(()),
    });
    assert!(dies(|| drop(scene.commit(faults))));
    let [name] = &scene.site.journal_files()[..] else { panic!("one journal") };
    let path = scene.site.journals.folder().join(name);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[20] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let report = scene.site.journals.recover();
    assert_eq!(report.damaged, [path.with_extension("damaged")]);
    assert!(report.settled.is_empty());
    assert!(path.with_extension("damaged").exists());
}
