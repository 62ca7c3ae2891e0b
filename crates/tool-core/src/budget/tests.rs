//! Tables and properties of the output budget.

use proptest::prelude::*;
use serde_json::json;

use super::{MAX_IMAGE_BYTES, MAX_IMAGES, NOTES_BUDGET, apply, cut, cut_message};
use crate::output::{Block, ImageMime, ToolOutput};

fn numbered(n: usize) -> String {
    (0..n).map(|i| format!("line {i}\n")).collect()
}

#[test]
fn a_short_answer_is_untouched_and_an_empty_one_says_so() {
    let out = apply(ToolOutput::text("hello"), 100, None);
    assert_eq!(out.render_text(), "hello");
    assert_eq!(out.elided, None);
    assert_eq!(apply(ToolOutput::new(), 100, None).render_text(), "(no output)");
    assert_eq!(apply(ToolOutput::new().note("n"), 100, None).render_text(), "n");
    assert!(cut(ToolOutput::new(), 100, None).blocks.is_empty());
}

#[test]
fn head_and_tail_are_whole_lines_and_the_marker_counts() {
    let out = apply(ToolOutput::text(numbered(10_000)), 1_000, None);
    let text = out.render_text();
    assert!(text.starts_with("line 0\n") && text.trim_end().ends_with("line 9999"), "{text}");
    assert!(text.contains("of 98890 bytes"), "{text}");
    let elided = out.elided.expect("cut");
    assert!(elided.shown_bytes <= 1_000 && elided.shown_bytes > 900, "{elided:?}");
    assert_eq!(elided.total_lines, 10_000);
    let whole = text
        .lines()
        .filter(|l| !l.starts_with('['))
        .all(|l| l.strip_prefix("line ").is_some_and(|n| n.parse::<u32>().is_ok()));
    assert!(whole, "{text}");
}

#[test]
fn one_endless_line_is_cut_between_characters() {
    let out = apply(ToolOutput::text("ä€😀".repeat(5_000)), 1_000, None);
    let [Block::Text(first), Block::Text(_), Block::Text(last)] = out.blocks.as_slice() else {
        panic!("three parts: {}", out.blocks.len());
    };
    assert!(first.starts_with('ä') && last.ends_with('😀'));
    assert!(first.len() + last.len() <= 1_000);
}

#[test]
fn pictures_pass_whole_or_not_at_all() {
    let picture = vec![7u8; 100_000];
    let mut out = ToolOutput::text(numbered(1_000));
    for i in 0..MAX_IMAGES + 2 {
        out = out.image(ImageMime::Png, picture.clone(), format!("plot {i}"));
    }
    out = out.image(ImageMime::Png, vec![0u8; MAX_IMAGE_BYTES + 1], "a poster");
    let out = apply(out, 500, None);
    let kept: Vec<_> = out
        .blocks
        .iter()
        .filter_map(|b| match b {
            Block::Image { data, .. } => Some(data.len()),
            _ => None,
        })
        .collect();
    assert_eq!(kept, vec![100_000; MAX_IMAGES]);
    assert_eq!(out.elided.as_ref().map(|e| e.images), Some(3));
    assert!(out.render_text().contains("a poster"), "its words stand for it");
}

#[test]
fn notes_have_a_budget_of_their_own() {
    let mut out = ToolOutput::text(numbered(10_000));
    for i in 0..100 {
        out = out.note(format!("note {i} {}", "x".repeat(100)));
    }
    let out = apply(out, 1_000, None);
    let size: usize = out.notes.iter().map(String::len).sum();
    assert!(size <= NOTES_BUDGET + 40, "{size}");
    assert!(out.notes[0].starts_with("note 0"));
    let last = out.notes.last().expect("a count");
    assert!(last.ends_with("of 100 notes shown]"), "{last}");
    // One note that is too long is shown in part.
    let out = apply(ToolOutput::text("a").note("é".repeat(NOTES_BUDGET)), 1_000, None);
    assert_eq!(out.notes.len(), 1);
}

#[test]
fn a_long_error_keeps_its_start() {
    assert_eq!(cut_message("short".to_owned(), 10), "short");
    assert_eq!(
        cut_message("what happened\nthe first of very many lines\n".to_owned(), 20),
        "what happened\n[… cut: 14 of 43 bytes are shown]"
    );
    assert!(cut_message("é".repeat(50), 9).starts_with("éééé\n[… cut: 8 of 100"));
}

#[test]
fn json_and_diffs_count_as_what_they_print() {
    let big = ToolOutput::new().block(Block::Json(json!(vec![1; 10_000])));
    assert!(apply(big, 1_000, None).render_text().len() < 1_300);
    let small = ToolOutput::new().block(Block::Json(json!([1])));
    assert_eq!(apply(small, 1_000, None).blocks, [Block::Json(json!([1]))]);
}

proptest! {
    #[test]
    fn never_more_than_the_budget_and_always_a_start_and_an_end(
        parts in prop::collection::vec("[a-zé😀\n]{0,200}", 1..6),
        budget in 16usize..400,
    ) {
        let before: String = parts.concat();
        let out = parts.iter().fold(ToolOutput::new(), |o, p| o.block(Block::Text(p.clone())));
        let after = cut(out, budget, None);
        match &after.elided {
            None => prop_assert!(before.len() <= budget),
            Some(elided) => {
                prop_assert!(elided.shown_bytes <= budget);
                prop_assert_eq!(elided.total_bytes, before.len());
                let marked = |b: &Block| matches!(b, Block::Text(t) if t.starts_with("[… cut"));
                prop_assert_eq!(after.blocks.iter().filter(|b| marked(b)).count(), 1);
                let kept: String = after.blocks.iter().filter(|b| !marked(b)).map(Block::to_text).collect();
                let squeeze = |s: &str| s.replace('\n', "");
                prop_assert!(squeeze(&kept).len() <= budget);
            }
        }
    }
}
