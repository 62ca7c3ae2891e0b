//! `tour`: every step is real, and the sample project is left alone.

use std::time::{Duration, Instant};

use crate::support::{Ran, bare};

#[test]
fn the_tour_searches_stages_is_refused_and_is_accepted() {
    let begun = Instant::now();
    let ran = Ran::of(bare(&["tour"]).output().unwrap());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let order = [
        "write> ast_grep pattern='if ($X != null) $X.dispose()' language=dart",
        "if (focus != null) focus.dispose();",
        "read as a statement",
        "write> ast_edit",
        "edit_1",
        "+    focus?.dispose();",
        "write> resolve edit_id=edit_1 action=accept",
        "conflict",
        "lib/player.dart",
        "write> ast_edit",
        "edit_2",
        "write> resolve edit_id=edit_2 action=accept",
        "write> read",
        "focus?.dispose();",
        "doctor --root",
        "call ast_grep --root",
        "LANGUAGE",
        "console --root",
    ];
    let mut rest = ran.out.as_str();
    for word in order {
        match rest.split_once(word) {
            Some((_, after)) => rest = after,
            None => panic!("{word} is not where it should be:\n{}", ran.out),
        }
    }
    assert!(!ran.out.contains('\x1b'), "colour only on a terminal");
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_root_is_not_taken_in_silence() {
    let ran = Ran::of(bare(&["tour", "--root", "/tmp"]).output().unwrap());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.err.contains("its own sample") && ran.err.contains("console --root /tmp"),
        "{}",
        ran.err
    );
}
