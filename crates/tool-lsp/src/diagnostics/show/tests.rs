use super::{FLOOD, MESSAGE, PER_FILE, clipped, details, line, list};
use crate::diagnostics::{Diagnostic, Severity};
use crate::text::{Pos, Span};
use proptest::prelude::*;
use std::path::{Path, PathBuf};

fn diagnostic(path: &str, at: u32, severity: Severity, message: &str) -> Diagnostic {
    let span = Span { start: Pos::new(at, 0), end: Pos::new(at, 4) };
    let code = Some("c1".to_owned());
    Diagnostic {
        path: PathBuf::from(path),
        span,
        severity,
        code,
        source: None,
        message: message.into(),
    }
}

fn display(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[test]
fn errors_come_first_and_written_files_before_others() {
    let items = [
        diagnostic("other.py", 0, Severity::Error, "in the caller"),
        diagnostic("mine.py", 1, Severity::Warning, "a warning"),
        diagnostic("mine.py", 7, Severity::Error, "an error"),
    ];
    let shown = list(&items, &|path| path == Path::new("mine.py"), &display);
    assert_eq!(
        shown.text,
        "mine.py:8: error: an error [c1]\nmine.py:2: warning: a warning [c1]\nother.py:1: error: in the caller [c1]"
    );
    assert_eq!(shown.left_out, 0);
}

#[test]
fn one_file_does_not_push_out_the_others() {
    let mut items: Vec<Diagnostic> =
        (0..20).map(|n| diagnostic("a.py", n, Severity::Error, "x")).collect();
    items.push(diagnostic("b.py", 0, Severity::Warning, "seen"));
    let shown = list(&items, &|_| true, &display);
    assert_eq!(shown.text.lines().count(), PER_FILE + 1);
    assert!(shown.text.contains("b.py:1: warning: seen"));
    assert_eq!(shown.left_out, 12);
}

#[test]
fn five_other_files_are_shown() {
    let items: Vec<Diagnostic> =
        (0..9).map(|n| diagnostic(&format!("{n}.py"), n, Severity::Error, "x")).collect();
    let shown = list(&items, &|_| false, &display);
    assert_eq!(shown.text.lines().count(), 5);
    assert_eq!(shown.left_out, 4);
}

/// Failure 39: hundreds of unresolved names burn the context.
#[test]
fn a_flood_is_summarised() {
    let items: Vec<Diagnostic> = (0..700)
        .map(|n| {
            let severity = if n % 7 == 0 { Severity::Warning } else { Severity::Error };
            diagnostic(&format!("{}.py", n % 90), n, severity, "unresolved")
        })
        .collect();
    let shown = list(&items, &|_| true, &display);
    assert!(shown.text.starts_with("600 errors and 100 warnings in 90 files;"), "{}", shown.text);
    assert_eq!(shown.text.lines().count(), 4);
    assert!(shown.text.lines().skip(1).all(|line| line.contains(": error:")));
    assert_eq!(shown.left_out, 697);
    assert_eq!(list(&items[..FLOOD], &|_| true, &display).text.matches("one cause").count(), 0);
}

#[test]
fn a_message_of_many_lines_is_one_line_and_whole_in_the_facts() {
    let d = diagnostic("a.ts", 3, Severity::Error, "Type 'A' is not\n  assignable\tto 'B'.");
    assert_eq!(line(&d, &display), "a.ts:4: error: Type 'A' is not assignable to 'B'. [c1]");
    assert_eq!(details(&[d], &display)[0]["message"], "Type 'A' is not\n  assignable\tto 'B'.");
}

#[test]
fn the_end_of_a_line_is_not_the_next_line() {
    let mut d = diagnostic("a.ts", 3, Severity::Error, "x");
    d.span.end = Pos::new(4, 0);
    assert_eq!(details(&[d.clone()], &display)[0]["end_line"], 4);
    d.span.end = Pos::new(4, 1);
    assert_eq!(details(&[d], &display)[0]["end_line"], 5);
}

proptest! {
    /// Failure 84: cutting at a byte panics on what is not ASCII.
    #[test]
    fn messages_are_cut_between_characters(message in "[a-zé🦀 \n]{0,700}") {
        let cut = clipped(&message);
        prop_assert!(cut.chars().count() <= MESSAGE);
        prop_assert!(!cut.contains('\n'));
    }

    /// Nothing is lost without being counted.
    #[test]
    fn shown_and_left_out_are_all(files in proptest::collection::vec(0u8..12, 0..90)) {
        let items: Vec<Diagnostic> = files
            .iter()
            .zip(0..)
            .map(|(file, at)| diagnostic(&format!("{file}.py"), at, Severity::Error, "x"))
            .collect();
        let shown = list(&items, &|path| path < Path::new("3"), &display);
        let lines = shown.text.lines().filter(|line| line.contains(": error:")).count();
        prop_assert_eq!(lines + shown.left_out, items.len());
    }
}
