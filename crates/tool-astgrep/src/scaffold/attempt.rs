//! One rung: spell the pattern, parse the scaffold, pick the node, make the shape.

use super::effort::Effort;
use super::{guard, style};
use crate::ladders::Rung;
use crate::language::{ERROR_KIND, Language};
use crate::matches::takes;
use crate::pattern::{Holes, Shape, Spelled};
use crate::tree::{NodeId, Tree};
use crate::words::with_article;

/// A word before a parameter of Dart that is no part of its node.
pub(super) const WORD: &str = "required";

/// Parses that a pattern of siblings may cost in one rung.
const ATTEMPTS_OF_SIBLINGS: usize = 6;

/// The shapes that a rung reads the pattern as, the usual spelling of its metavariables first; or
/// why it does not. At most `attempts` ways to spell the pattern are tried, the usual ones first.
pub(super) fn rung(
    language: Language,
    holes: &Holes,
    rung: &Rung,
    attempts: usize,
    effort: &Effort<'_>,
) -> Result<Vec<Shape>, String> {
    let len = holes.pattern().len();
    let column = rung.prefix.len() - rung.prefix.rfind('\n').map_or(0, |at| at + 1);
    let indent = if style::has_layout(language) { column } else { 0 };
    let ways = style::statements(language, holes);
    let spellings = style::spellings(language, holes);
    let mut said: Vec<Option<String>> = vec![None; ways.len()];
    let mut found: Vec<(usize, usize, Shape)> = Vec::new();
    for (way, spelling) in usual_first(ways.len(), spellings.len()).take(attempts) {
        if effort.is_over() {
            break;
        }
        effort.spend();
        let spelled = holes.spell(len, &ways[way], indent, &spellings[spelling]);
        match one(language, holes, rung, &spelled, effort) {
            Ok(shape) => found.push((way, spelling, shape)),
            Err(why) => {
                said[way].get_or_insert(why);
            }
        }
    }
    // A run that no rule of the grammar took may stand beside the list it is meant to be in.
    found.sort_by_key(|(way, spelling, shape)| {
        (*way, shape.nodes.iter().any(|node| node.kind == ERROR_KIND), *spelling)
    });
    let mut shapes: Vec<Shape> = Vec::new();
    for (_, _, shape) in found {
        if !shapes.iter().any(|other| other.is_like(&shape)) {
            shapes.push(shape);
        }
    }
    match said.into_iter().flatten().next_back() {
        Some(said) if shapes.is_empty() => Err(said),
        None if shapes.is_empty() => Err(String::new()),
        _ => Ok(shapes),
    }
}

/// The pairs of `0..ways` and `0..spellings`, those with small numbers first.
fn usual_first(ways: usize, spellings: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..ways + spellings).flat_map(move |sum| {
        (0..ways.min(sum + 1))
            .map(move |way| (way, sum - way))
            .filter(move |(_, spelling)| *spelling < spellings)
    })
}

/// Rungs where a `;` after the fragment belongs to the list, not to the node.
pub(super) fn is_member(rung: &Rung) -> bool {
    rung.name.starts_with("member")
        || matches!(rung.name, "iface" | "ifacemember" | "field" | "proto")
}

/// The shape of a pattern of several siblings, e.g. two statements; only where all of them are
/// nodes.
pub(super) fn siblings(
    language: Language,
    holes: &Holes,
    rung: &Rung,
    effort: &Effort<'_>,
) -> Option<Shape> {
    let len = holes.pattern().len();
    let column = rung.prefix.len() - rung.prefix.rfind('\n').map_or(0, |at| at + 1);
    let indent = if style::has_layout(language) { column } else { 0 };
    let ways = style::statements(language, holes);
    let spellings = style::spellings(language, holes);
    usual_first(ways.len(), spellings.len()).take(ATTEMPTS_OF_SIBLINGS).find_map(
        |(way, spelling)| {
            let spelled = holes.spell(len, &ways[way], indent, &spellings[spelling]);
            several_of(language, holes, rung, &spelled, effort)
        },
    )
}

fn several_of(
    language: Language,
    holes: &Holes,
    rung: &Rung,
    spelled: &Spelled,
    effort: &Effort<'_>,
) -> Option<Shape> {
    let src = format!("{}{}{}", rung.prefix, spelled.text, rung.suffix);
    let tree = Tree::parse(language, &src, effort.stop()).ok()?;
    let from = rung.prefix.len();
    let end = from + spelled.text.len();
    sound(&tree, &src, from, spelled, holes).ok()?;
    let parent = tree.smallest_over(from..end);
    let inside: Vec<NodeId> = tree
        .children(parent)
        .filter(|&child| tree.start(child) >= from && tree.start(child) < end)
        .collect();
    let (first, last) = (*inside.first()?, *inside.last()?);
    // A `;` that ends the last of them may have been put in.
    let ends = tree.end(last) == end || src.get(end..tree.end(last))?.trim() == rung.terminator;
    let plain = |id: &NodeId| {
        let class = tree.class(*id);
        class.is_named() || class.is_soft() || [";", WORD].contains(&tree.text(*id, &src))
    };
    if tree.start(first) != from || !ends || !inside.iter().all(plain) {
        return None;
    }
    let mut nodes = inside.iter().filter(|id| tree.is_named(**id) && !tree.is_extra(**id));
    let mut before = from;
    if !nodes.all(|&node| {
        let gap = src.get(before..tree.start(node)).unwrap_or("");
        let ended = src[..before].ends_with([';', '}', ']', '>']) && tree.start(node) > from;
        let word = src[..before].ends_with(WORD) && before > from;
        let word = word || gap.trim() == WORD;
        let apart = tree.start(node) == from || ended || word || gap.contains(['\n', ';']);
        before = tree.end(node);
        apart && guard::keyword(&tree, node, &src).is_ok()
    }) {
        return None;
    }
    let shape = Shape::of_siblings(&tree, parent, first, &src, from, spelled, holes).ok()?;
    shape.sequence?;
    finds_itself(&shape, &tree, &src, first, from).ok()?;
    Some(shape)
}

fn one(
    language: Language,
    holes: &Holes,
    rung: &Rung,
    spelled: &Spelled,
    effort: &Effort<'_>,
) -> Result<Shape, String> {
    let src = format!("{}{}{}", rung.prefix, spelled.text, rung.suffix);
    let tree = Tree::parse(language, &src, effort.stop()).map_err(|error| error.to_string())?;
    let from = rung.prefix.len();
    sound(&tree, &src, from, spelled, holes)?;
    let end = from + spelled.text.len();
    let root = covering(&tree, &src, from, end)
        .or_else(|| {
            (!rung.terminator.is_empty())
                .then(|| covering(&tree, &src, from, end + rung.terminator.len()))
                .flatten()
        })
        .or_else(|| covering(&tree, &src, from, before_comment(&tree, &src, end)?))
        .ok_or_else(|| several(&tree, from, end))?;
    guard::keyword(&tree, root, &src)?;
    guard::joined(&tree, root, holes.pattern(), rung)?;
    guard::text(&tree, root, &src, rung)?;
    let shape = Shape::of(&tree, root, &src, from, spelled, holes)?;
    if shape.sequence.is_none() {
        finds_itself(&shape, &tree, &src, root, from)?;
    }
    Ok(shape)
}

/// Refuses a shape that would not even match the text that it was made of.
fn finds_itself(
    shape: &Shape,
    tree: &Tree,
    src: &str,
    root: NodeId,
    from: usize,
) -> Result<(), String> {
    match takes(shape, tree, src, root) {
        Some(range) if range.start == from => Ok(()),
        _ => {
            let kind = tree.kind_name(root).replace('_', " ");
            Err(format!("as {kind} it would match nothing, not even itself"))
        }
    }
}

/// No ERROR and no MISSING, save an ERROR that is exactly a run.
fn sound(
    tree: &Tree,
    src: &str,
    from: usize,
    spelled: &Spelled,
    holes: &Holes,
) -> Result<(), String> {
    for &error in tree.errors() {
        let range = tree.range(error);
        let run = spelled.spans.iter().zip(holes.holes()).any(|(span, hole)| {
            let text = tree.text(error, src);
            let start = range.start + (text.len() - text.trim_start().len());
            hole.run && start == from + span.start && start + text.trim().len() == from + span.end
        });
        if run && tree.is_error(error) {
            continue;
        }
        return Err(if tree.is_missing(error) {
            let at = spelled.typed_at(holes, range.start.saturating_sub(from));
            format!("`{}` is missing at byte {at}", tree.kind_name(error))
        } else {
            let text = range.start.max(from)..range.end.min(from + spelled.text.len());
            let (start, end) = (text.start - from, text.end.saturating_sub(from));
            let at = spelled.typed_at(holes, start);
            let text = holes.pattern().get(at..spelled.typed_at(holes, end)).unwrap_or("").trim();
            if text.is_empty() {
                "it does not fit there".into()
            } else {
                format!("syntax error at byte {at}: `{}`", shorten(text))
            }
        });
    }
    Ok(())
}

fn shorten(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    match line.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}

/// The innermost named node over exactly `from..end`; blanks at its end do not count.
fn covering(tree: &Tree, src: &str, from: usize, end: usize) -> Option<NodeId> {
    tree.path_over(from..end).into_iter().skip(1).rfind(|&id| {
        tree.start(id) == from
            && tree.is_named(id)
            && src.get(end..tree.end(id)).is_some_and(|rest| rest.trim().is_empty())
    })
}

/// Where the pattern ends when the comment at its end is left out.
fn before_comment(tree: &Tree, src: &str, end: usize) -> Option<usize> {
    let path = tree.path_over(end.checked_sub(1)?..end);
    let comment = path.into_iter().find(|&id| tree.is_extra(id) && tree.end(id) == end)?;
    Some(src.get(..tree.start(comment))?.trim_end().len())
}

fn several(tree: &Tree, from: usize, end: usize) -> String {
    let over = tree.smallest_over(from..end);
    let inside =
        tree.children(over).filter(|&child| tree.end(child) > from && tree.start(child) < end);
    let kinds: Vec<_> = inside.map(|child| tree.kind_name(child)).take(4).collect();
    match kinds.as_slice() {
        [] => "it is no node there".into(),
        [only] => format!("it is only a part of {} there", with_article(only)),
        _ => format!("it is not one node there, but several ({})", kinds.join(", ")),
    }
}
