use super::{Delta, Extent, Ledger};
use crate::diagnostics::{Diagnostic, Severity};
use crate::text::{Pos, Span};
use proptest::prelude::*;
use std::path::{Path, PathBuf};

const S: &str = "ty";

fn file() -> &'static Path {
    Path::new("/p/a.py")
}

fn at(line: u32, message: &str) -> Diagnostic {
    let span = Span { start: Pos::new(line, 0), end: Pos::new(line, 3) };
    Diagnostic {
        path: PathBuf::from("/p/a.py"),
        span,
        severity: Severity::Error,
        code: Some("c".into()),
        source: Some("s".into()),
        message: message.into(),
    }
}

fn from(source: &str, line: u32, message: &str) -> Diagnostic {
    Diagnostic { source: Some(source.into()), ..at(line, message) }
}

fn seen(ledger: &mut Ledger, current: &[Diagnostic]) -> Delta {
    ledger.observe(file(), S, current, None, Extent::Whole)
}

fn lines(delta: &Delta) -> Vec<u32> {
    delta.new.iter().map(|d| d.span.start.line).collect()
}

/// Failure 28: a range in the key makes every error below a deletion new.
#[test]
fn what_slid_is_not_new() {
    let mut ledger = Ledger::default();
    ledger.baseline(file(), S, &[at(10, "x"), at(20, "y")]);
    let delta = seen(&mut ledger, &[at(14, "x"), at(24, "y")]);
    assert_eq!(delta, Delta { still: 2, ..Delta::default() });
}

#[test]
fn a_second_equal_error_is_new_and_is_the_one_in_the_changed_lines() {
    let mut ledger = Ledger::default();
    ledger.baseline(file(), S, &[at(10, "x")]);
    let now = [at(3, "x"), at(11, "x")];
    let delta = ledger.observe(file(), S, &now, Some(&(3..4)), Extent::Whole);
    assert_eq!(lines(&delta), [3]);
    assert_eq!(delta.still, 1);
    assert!(seen(&mut ledger, &now).new.is_empty(), "told once");
}

#[test]
fn fixed_and_back_is_new_again() {
    let mut ledger = Ledger::default();
    ledger.baseline(file(), S, &[]);
    assert_eq!(seen(&mut ledger, &[at(1, "x")]).new.len(), 1);
    assert_eq!(seen(&mut ledger, &[at(1, "x")]).new.len(), 0);
    assert_eq!(seen(&mut ledger, &[]).fixed, 1);
    assert_eq!(seen(&mut ledger, &[at(1, "x")]).new.len(), 1);
}

#[test]
fn severity_and_code_tell_errors_apart() {
    let mut ledger = Ledger::default();
    ledger.baseline(file(), S, &[at(1, "x")]);
    let warned = Diagnostic { severity: Severity::Warning, ..at(1, "x") };
    let recoded = Diagnostic { code: None, ..at(1, "x") };
    let delta = seen(&mut ledger, &[warned, recoded]);
    assert_eq!((delta.new.len(), delta.fixed), (2, 1));
}

#[test]
fn hints_are_never_told() {
    let mut ledger = Ledger::default();
    ledger.baseline(file(), S, &[]);
    for severity in [Severity::Hint, Severity::Information] {
        assert_eq!(seen(&mut ledger, &[Diagnostic { severity, ..at(1, "x") }]), Delta::default());
    }
}

#[test]
fn without_a_baseline_nobody_can_say_what_is_new() {
    let mut ledger = Ledger::default();
    let delta = seen(&mut ledger, &[at(1, "x")]);
    assert!(delta.unknown_before);
    assert_eq!(delta.new.len(), 1);
    assert_eq!(seen(&mut ledger, &[at(1, "x")]), Delta { still: 1, ..Delta::default() });
}

#[test]
fn servers_and_files_are_apart() {
    let mut ledger = Ledger::default();
    ledger.baseline(file(), S, &[at(1, "x")]);
    ledger.baseline(file(), "ruff", &[]);
    let delta = ledger.observe(file(), "ruff", &[at(1, "x")], None, Extent::Whole);
    assert_eq!(delta.new.len(), 1);
    assert!(!ledger.knows(Path::new("/p/b.py"), S));
}

#[test]
fn a_part_tells_what_is_new_and_forgets_nothing() {
    let mut ledger = Ledger::default();
    ledger.baseline(file(), S, &[at(1, "from the compiler")]);
    let native = [at(2, "native")];
    let part = ledger.observe(file(), S, &native, None, Extent::Part);
    assert_eq!((part.new.len(), part.fixed), (1, 0));
    let whole = seen(&mut ledger, &[at(1, "from the compiler"), at(2, "native")]);
    assert_eq!(whole, Delta { still: 2, ..Delta::default() });
}

#[test]
fn of_a_part_without_baseline_nothing_is_kept() {
    let mut ledger = Ledger::default();
    assert!(ledger.observe(file(), S, &[at(1, "x")], None, Extent::Part).unknown_before);
    assert!(!ledger.knows(file(), S));
}

#[test]
fn the_compiler_repeats_what_the_analyzer_said() {
    let mut ledger = Ledger::default();
    ledger.baseline(file(), S, &[]);
    let native = [from("rust-analyzer", 4, "expected &str, found i32")];
    assert_eq!(ledger.observe(file(), S, &native, None, Extent::Part).new.len(), 1);
    let delta = seen(&mut ledger, &[from("rustc", 4, "mismatched types")]);
    assert_eq!(delta, Delta { still: 1, ..Delta::default() });
    let delta = seen(
        &mut ledger,
        &[from("rustc", 4, "mismatched types"), from("rustc", 9, "mismatched types")],
    );
    assert_eq!(lines(&delta), [9]);
}

#[test]
fn a_renamed_file_keeps_its_errors_and_a_removed_one_does_not() {
    let mut ledger = Ledger::default();
    let other = Path::new("/p/b.py");
    ledger.baseline(file(), S, &[at(1, "x")]);
    ledger.renamed(file(), other);
    let moved = Diagnostic { path: other.to_owned(), ..at(1, "x") };
    assert_eq!(ledger.observe(other, S, &[moved], None, Extent::Whole).new.len(), 0);
    assert_eq!(ledger.removed(other), 1);
    assert!(!ledger.knows(other, S));
    assert_eq!(ledger.removed(file()), 0);
}

fn some() -> impl Strategy<Value = Vec<Diagnostic>> {
    proptest::collection::vec((0u32..30, 0u8..4), 0..12)
        .prop_map(|list| list.into_iter().map(|(line, m)| at(line, &format!("m{m}"))).collect())
}

proptest! {
    #[test]
    fn the_same_again_is_never_new(before in some(), now in some(), shift in 0u32..50) {
        let mut ledger = Ledger::default();
        ledger.baseline(file(), S, &before);
        let first = seen(&mut ledger, &now);
        // Counts add up.
        prop_assert_eq!(first.new.len() + first.still, now.len());
        prop_assert_eq!(first.fixed + first.still, before.len());
        let slid: Vec<Diagnostic> = now.iter().map(|d| {
            let mut d = d.clone();
            d.span.start.line += shift;
            d.span.end.line += shift;
            d
        }).collect();
        prop_assert_eq!(seen(&mut ledger, &slid), Delta { still: now.len(), ..Delta::default() });
    }

    #[test]
    fn new_ones_are_exactly_the_surplus(before in some(), now in some(), from in 0u32..30, to in 0u32..30) {
        let mut ledger = Ledger::default();
        ledger.baseline(file(), S, &before);
        let delta = ledger.observe(file(), S, &now, Some(&(from..to)), Extent::Whole);
        for m in 0..4u8 {
            let count = |list: &[Diagnostic]| list.iter().filter(|d| d.message == format!("m{m}")).count();
            prop_assert_eq!(count(&delta.new), count(&now).saturating_sub(count(&before)));
        }
        prop_assert!(delta.new.iter().all(|d| now.contains(d)));
    }

    #[test]
    fn parts_never_hide_what_the_whole_would_show(before in some(), part in some(), now in some()) {
        let mut with = Ledger::default();
        with.baseline(file(), S, &before);
        let told = with.observe(file(), S, &part, None, Extent::Part).new;
        let rest = seen(&mut with, &now).new;
        let mut without = Ledger::default();
        without.baseline(file(), S, &before);
        for d in seen(&mut without, &now).new {
            let said = |list: &[Diagnostic]| list.iter().any(|t| t.message == d.message);
            prop_assert!(said(&told) || said(&rest));
        }
    }
}
