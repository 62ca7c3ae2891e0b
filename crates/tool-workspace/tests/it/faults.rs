//! A full disk, or any other failure of the system, at every step: everything is put back and nothing is lost.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tool_workspace::{CommitError, Faults};

use crate::support::{Scene, at_step};

fn full() -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::StorageFull))
}

#[test]
fn one_failure_at_any_step_leaves_all_old_or_is_none() {
    for plain_renames in [false, true] {
        for step in 0.. {
            let scene = Scene::new();
            let (mut faults, count) = at_step(step, full);
            faults.plain_renames = plain_renames;
            let result = scene.commit(faults);
            if count.load(Ordering::SeqCst) <= step {
                result.unwrap();
                assert!(scene.is_new("without a fault"));
                break;
            }
            let when = format!("after a failure of step {step}: {result:?}");
            match result {
                Ok(_) => {
                    let _ = scene.site.journals.recover();
                    assert!(scene.is_new(&when));
                }
                Err(error) => {
                    let said = error.to_string();
                    assert!(said.starts_with("nothing was written"), "{said}");
                    assert!(
                        matches!(error, CommitError::Io { .. } | CommitError::State { .. }),
                        "{when}"
                    );
                    assert!(!scene.is_new(&when), "{when}");
                    assert_eq!(scene.site.journal_files(), [""; 0], "{when}");
                }
            }
        }
    }
}

#[test]
fn a_disk_that_stays_full_never_ends_in_a_mixture() {
    for step in 0.. {
        let scene = Scene::new();
        let count = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&count);
        let faults = Faults::new(move |_| {
            if counter.fetch_add(1, Ordering::SeqCst) >= step { full() } else { Ok(()) }
        });
        let result = scene.commit(faults);
        if count.load(Ordering::SeqCst) <= step {
            result.unwrap();
            break;
        }
        let report = scene.site.journals.recover();
        assert!(report.failed.is_empty(), "{report:?}");
        let new = scene.is_new(&format!("after step {step} and all behind it failed: {result:?}"));
        match result {
            Ok(_) => assert!(new),
            Err(CommitError::Stuck { .. }) => {}
            Err(_) => assert!(!new, "step {step}"),
        }
        assert_eq!(scene.site.journal_files(), [""; 0]);
    }
}

#[test]
fn a_full_disk_says_so() {
    let scene = Scene::new();
    let faults = Faults::new(|step| if step.name == "write temp" { full() } else { Ok(()) });
    let said = scene.commit(faults).unwrap_err().to_string();
    assert_eq!(said, "nothing was written: the disk is full (writing a copy of a.txt)");
}
