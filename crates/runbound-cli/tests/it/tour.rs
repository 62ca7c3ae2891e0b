//! `tour`: every step is real, and the sample project is left alone.

use std::time::{Duration, Instant};

use crate::support::{Ran, bare};

#[test]
fn the_tour_searches_stages_is_refused_and_is_accepted() {
    let begun = Instant::now();
    let ran = Ran::of(bare(&["tour"]).output().unwrap());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let order = [
        "runbound call ast_grep",
        "if (focus != null) focus.dispose();",
        "runbound call ast_edit",
        "+    focus?.dispose();",
        "edit_1",
        "resolve",
        "conflict",
        "edit_2",
        "accept",
        "focus?.dispose();",
        "runbound console --root",
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
