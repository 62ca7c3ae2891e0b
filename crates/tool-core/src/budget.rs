//! The output budget: the middle of a long answer is left out, at line borders, and the answer says how much.

use std::path::PathBuf;

use crate::output::{Block, Elided, ToolOutput};
use crate::text::{floor, n_of_m};

/// Bytes of notes, apart from the blocks, so that what layers add is never what is lost.
pub const NOTES_BUDGET: usize = 4 * 1024;
/// Pictures of one answer.
pub const MAX_IMAGES: usize = 8;
/// Bytes of one picture.
pub const MAX_IMAGE_BYTES: usize = 5 * 1024 * 1024;

/// The last stage of a success: cut to size, and never empty.
pub(crate) fn apply(output: ToolOutput, budget: usize, kept_in: Option<PathBuf>) -> ToolOutput {
    let mut output = cut(output, budget, kept_in);
    if output.blocks.is_empty() && output.notes.is_empty() {
        output.blocks.push(Block::Text("(no output)".to_owned()));
    }
    output
}

/// Cuts text to the budget, notes to theirs, and leaves out pictures that are too many or too big (whole, never a part).
///
/// `kept_in` is the file that holds the whole text.
pub(crate) fn cut(mut output: ToolOutput, budget: usize, kept_in: Option<PathBuf>) -> ToolOutput {
    let mut elided = Elided::default();
    images(&mut output.blocks, &mut elided);
    notes(&mut output.notes, &mut elided);
    text(&mut output.blocks, budget, kept_in, &mut elided);
    if elided != Elided::default() {
        output.elided = Some(elided);
    }
    output
}

/// An error's words, cut at a line border if they are longer than the budget. The start says what happened.
pub(crate) fn cut_message(message: String, budget: usize) -> String {
    if message.len() <= budget {
        return message;
    }
    let end = line_end(&message, budget);
    let (shown, total) = (&message[..end], message.len());
    format!("{}\n[… cut: {end} of {total} bytes are shown]", shown.trim_end_matches('\n'))
}

fn images(blocks: &mut [Block], elided: &mut Elided) {
    let mut shown = 0;
    let total = blocks.iter().filter(|b| matches!(b, Block::Image { .. })).count();
    for block in blocks.iter_mut() {
        let Block::Image { mime, data, alt } = block else {
            continue;
        };
        let why = if data.len() > MAX_IMAGE_BYTES {
            format!("{} bytes, the limit is {MAX_IMAGE_BYTES}", data.len())
        } else if shown == MAX_IMAGES {
            format!("{} are shown", n_of_m(MAX_IMAGES, total))
        } else {
            shown += 1;
            continue;
        };
        elided.images += 1;
        *block = Block::Text(format!("[image {mime} left out ({why}): {alt}]"));
    }
}

fn notes(notes: &mut Vec<String>, elided: &mut Elided) {
    let total = notes.len();
    let mut left = NOTES_BUDGET;
    let mut kept = 0;
    for note in notes.iter_mut() {
        if note.len() > left {
            // The first note is shown at least in part; it may be the only one that matters.
            if kept == 0 {
                note.truncate(floor(note, left));
                note.push('…');
                kept = 1;
            }
            break;
        }
        left -= note.len();
        kept += 1;
    }
    if kept < total {
        notes.truncate(kept);
        notes.push(format!("[{} notes shown]", n_of_m(kept, total)));
        elided.notes = total - kept;
    }
}

/// The whole text of an answer that is over the budget: what would otherwise be lost.
pub(crate) fn overflow(output: &ToolOutput, budget: usize) -> Option<String> {
    let texts = long_texts(&output.blocks, budget)?;
    Some(texts.into_iter().flatten().collect::<Vec<_>>().join("\n"))
}

/// The text of each block (none of a picture), if together they are over the budget.
fn long_texts(blocks: &[Block], budget: usize) -> Option<Vec<Option<String>>> {
    // Most answers are short plain text: no copies for them.
    let quick = blocks.iter().map(|b| match b {
        Block::Text(text) => text.len(),
        Block::Image { .. } => 0,
        Block::Json(_) | Block::Diff { .. } => usize::MAX / 64,
    });
    if quick.fold(0, usize::saturating_add) <= budget {
        return None;
    }
    let texts: Vec<Option<String>> =
        blocks.iter().map(|b| (!matches!(b, Block::Image { .. })).then(|| b.to_text())).collect();
    (texts.iter().flatten().map(String::len).sum::<usize>() > budget).then_some(texts)
}

fn text(blocks: &mut Vec<Block>, budget: usize, kept_in: Option<PathBuf>, elided: &mut Elided) {
    let Some(texts) = long_texts(blocks, budget) else { return };
    let total: usize = texts.iter().flatten().map(String::len).sum();
    let tail_budget = budget * 2 / 5;
    let head = head_ends(&texts, budget - tail_budget);
    let tail = tail_starts(&texts, tail_budget);

    let total_lines = texts.iter().flatten().map(|t| lines(t)).sum();
    let (mut shown_bytes, mut shown_lines) = (0, 0);
    let mut out = Vec::with_capacity(blocks.len() + 1);
    let mut marker_at = None;
    for (i, (block, text)) in std::mem::take(blocks).into_iter().zip(texts).enumerate() {
        let Some(text) = text else {
            out.push(block);
            continue;
        };
        let (to, from) = (head[i], tail[i]);
        if to >= from {
            shown_bytes += text.len();
            shown_lines += lines(&text);
            out.push(block);
            continue;
        }
        let (first, last) = (&text[..to], &text[from..]);
        shown_bytes += first.len() + last.len();
        shown_lines += lines(first) + lines(last);
        if !first.is_empty() {
            out.push(Block::Text(first.trim_end_matches('\n').to_owned()));
        }
        marker_at.get_or_insert(out.len());
        if !last.is_empty() {
            out.push(Block::Text(last.to_owned()));
        }
    }
    let rest = match &kept_in {
        Some(file) => format!("all of it is in {}", file.display()),
        None => "ask for less at a time to see the rest".to_owned(),
    };
    let marker = format!(
        "[… cut: {shown_bytes} of {total} bytes, {shown_lines} of {total_lines} lines are shown, from the start and the end; {rest}]"
    );
    out.insert(marker_at.unwrap_or(out.len()), Block::Text(marker));
    *blocks = out;
    elided.kept_in = kept_in;
    elided.total_bytes = total;
    elided.shown_bytes = shown_bytes;
    elided.total_lines = total_lines;
    elided.shown_lines = shown_lines;
}

/// For each text, how much of its start fits when they are taken in order.
fn head_ends(texts: &[Option<String>], mut left: usize) -> Vec<usize> {
    let take = |text: &Option<String>| {
        let text = text.as_deref().unwrap_or("");
        if text.len() <= left {
            left -= text.len();
            return text.len();
        }
        let end = line_end(text, left);
        left = 0;
        end
    };
    texts.iter().map(take).collect()
}

/// For each text, where the part of its end begins that fits when they are taken from the last backwards.
fn tail_starts(texts: &[Option<String>], mut left: usize) -> Vec<usize> {
    let mut starts = vec![0; texts.len()];
    for i in (0..texts.len()).rev() {
        let text = texts[i].as_deref().unwrap_or("");
        starts[i] = if text.len() <= left {
            left -= text.len();
            0
        } else {
            let from = line_start(text, text.len() - left);
            left = 0;
            from
        };
    }
    starts
}

/// The last line border at or before `at`; in a line that long, the last character border.
fn line_end(text: &str, at: usize) -> usize {
    let at = floor(text, at);
    match text[..at].rfind('\n') {
        Some(newline) => newline + 1,
        None => at,
    }
}

/// The first line border at or after `at`; in a last line that long, the next character border.
fn line_start(text: &str, at: usize) -> usize {
    let mut at = at;
    while !text.is_char_boundary(at) {
        at += 1;
    }
    if at == 0 || text[..at].ends_with('\n') {
        return at;
    }
    match text[at..].find('\n') {
        Some(newline) if at + newline + 1 < text.len() => at + newline + 1,
        _ => at,
    }
}

fn lines(text: &str) -> usize {
    text.lines().count()
}

#[cfg(test)]
mod tests;
