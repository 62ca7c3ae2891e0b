//! From a node of a real source to a pattern that must find it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use tree_sitter::{Node, Tree};

use super::rng::Rng;
use super::sense::Sense;
use super::slots::{Fill, Slot, below, slots, trimmed};

/// Longest node that is taken, in lines and in bytes: what a person would paste.
const LINES: usize = 15;
const BYTES: usize = 1_500;

/// A pattern and the node that it came from.
#[derive(Debug, Clone)]
pub(super) struct Mined {
    /// The node's bytes without blanks at its ends.
    pub(super) range: Range<usize>,
    pub(super) kind: u16,
    pub(super) pattern: String,
}

/// The nodes of a file that patterns can be made of, by kind.
pub(super) struct Quarry<'t> {
    tree: &'t Tree,
    kinds: Vec<Vec<Node<'t>>>,
    all: Vec<Node<'t>>,
}

impl<'t> Quarry<'t> {
    pub(super) fn new(tree: &'t Tree, src: &str) -> Self {
        let mut kinds: BTreeMap<&str, Vec<Node<'t>>> = BTreeMap::new();
        let mut all = Vec::new();
        for node in below(tree.root_node()) {
            let range = trimmed(src, node.byte_range());
            let lines = src[range.clone()].lines().count();
            // A lone word or a part of a string is no pattern that anyone writes.
            let has_parts = node.named_child_count() > 0 || node.child_count() > 1;
            let sound = !node.has_error() && !node.is_extra() && node.parent().is_some();
            // One that starts with a line end is the rest of something.
            let starts = range.start == node.start_byte();
            let sound = sound && has_parts && starts && !is_hidden(node);
            if sound && (2..=BYTES).contains(&range.len()) && lines <= LINES {
                kinds.entry(node.kind()).or_default().push(node);
                all.push(node);
            }
        }
        Self { tree, kinds: kinds.into_values().collect(), all }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// A random node: half the time every kind is as likely as another, so that rare
    /// constructs get their share.
    fn pick(&self, rng: &mut Rng) -> Option<Node<'t>> {
        if rng.percent(50) {
            let nodes = rng.pick(&self.kinds)?;
            rng.pick(nodes).copied()
        } else {
            rng.pick(&self.all).copied()
        }
    }

    /// A random pattern; `None` when the draw was no use (draw again).
    pub(super) fn mine(&self, src: &str, sense: &mut Sense, rng: &mut Rng) -> Option<Mined> {
        let node = self.pick(rng)?;
        let range = trimmed(src, node.byte_range());
        let chosen = choose(src, &range, slots(node, src, rng), rng);
        // A few are taken word for word.
        if chosen.is_empty() && !rng.percent(30) {
            return None;
        }
        let verbatim = holds_long_leaf(node, src, &chosen);
        let text = fill(src, &range, &chosen, rng);
        let text = if verbatim { text } else { dedented(src, range.start, &text) };
        // A lone word or metavariable is no pattern.
        let lone = |c: char| c.is_alphanumeric() || matches!(c, '$' | '_' | '-');
        let only_variable = text.trim_matches(|c: char| !lone(c)).chars().all(lone);
        if only_variable || !sense.keeps(node, self.tree, src, &chosen) {
            return None;
        }
        Some(Mined { range, kind: node.kind_id(), pattern: text })
    }
}

/// Kinds that the grammar does not look into, told to be not visible, and mere text.
const HIDDEN: [&str; 10] = [
    "token_tree",
    "token_tree_pattern",
    "token_repetition",
    "preproc_arg",
    "indented_code_block",
    "heredoc_body",
    "info_string",
    "link_destination",
    "link_title",
    "pipe_table_delimiter_cell",
];

fn is_hidden(node: Node<'_>) -> bool {
    let mut at = Some(node);
    while let Some(node) = at {
        if HIDDEN.contains(&node.kind()) {
            return true;
        }
        at = node.parent();
    }
    false
}

/// A leaf over several lines would be changed by taking off indentation.
fn holds_long_leaf(node: Node<'_>, src: &str, chosen: &[Named]) -> bool {
    below(node).iter().any(|inner| {
        inner.child_count() == 0
            && !inner.is_extra()
            && src[inner.byte_range()].contains('\n')
            && !src[inner.byte_range()].trim().is_empty()
            && !chosen.iter().any(|named| {
                named.slot.range.start <= inner.start_byte()
                    && inner.end_byte() <= named.slot.range.end
            })
    })
}

/// A slot and the metavariable that fills it.
pub(super) struct Named {
    pub(super) slot: Slot,
    pub(super) name: String,
}

/// Picks slots that do not overlap and names them.
fn choose(src: &str, whole: &Range<usize>, mut slots: Vec<Slot>, rng: &mut Rng) -> Vec<Named> {
    rng.shuffle(&mut slots);
    // Deep slots are many, shallow ones interesting: prefer wide slots now and then.
    if rng.percent(40) {
        slots.sort_by_key(|slot| std::cmp::Reverse(slot.range.len()));
        let skip = rng.below(slots.len().min(4));
        slots.drain(..skip);
    }
    let runs_first = rng.percent(40);
    if runs_first {
        slots.sort_by_key(|slot| slot.fill == Fill::One);
    }
    let wanted = 1 + rng.below(4);
    let mut taken: Vec<Named> = Vec::new();
    let free = |taken: &[Named], range: &Range<usize>| {
        taken
            .iter()
            .all(|named| named.slot.range.end <= range.start || range.end <= named.slot.range.start)
    };
    let mut names = ["A", "C", "D", "E", "F", "G", "H", "K", "L"].into_iter();
    let mut runs = ["B", "P", "Q", "R"].into_iter();
    for at in 0..slots.len() {
        if taken.len() >= wanted {
            break;
        }
        let slot = &slots[at];
        if !free(&taken, &slot.range) || slot.range == *whole {
            continue;
        }
        if slot.fill != Fill::One {
            let Some(name) = runs.next() else { break };
            taken.push(Named { slot: slot.clone(), name: format!("$$${name}") });
            continue;
        }
        let Some(name) = names.next() else { break };
        let name = format!("${name}");
        let text = &src[slot.range.clone()];
        taken.push(Named { slot: slot.clone(), name: name.clone() });
        // The same text elsewhere may be the same variable.
        if rng.percent(50) {
            for twin in &slots[at + 1..] {
                let same = twin.fill == Fill::One && src[twin.range.clone()] == *text;
                if same && taken.len() < 8 && free(&taken, &twin.range) {
                    taken.push(Named { slot: twin.clone(), name: name.clone() });
                }
            }
        }
    }
    taken.sort_by_key(|named| (named.slot.range.start, named.slot.range.end));
    taken
}

/// The node's text with the chosen slots filled.
fn fill(src: &str, whole: &Range<usize>, chosen: &[Named], rng: &mut Rng) -> String {
    let mut text = String::new();
    let mut at = whole.start;
    for Named { slot, name } in chosen {
        text.push_str(&src[at..slot.range.start]);
        let old = &src[slot.range.clone()];
        if slot.fill == Fill::Inside {
            let curly = src[..slot.range.start].ends_with('{');
            let lead = &old[..old.len() - old.trim_start().len()];
            let tail = &old[old.trim_end().len()..];
            if old.contains('\n') && rng.percent(50) && !old.trim().is_empty() {
                let _ = write!(text, "{lead}{name}{tail}");
            } else if curly {
                let _ = write!(text, " {name} ");
            } else {
                text.push_str(name);
            }
        } else {
            text.push_str(name);
        }
        at = slot.range.end;
    }
    text.push_str(&src[at..whole.end]);
    text
}

/// Takes the indentation of the line where the node starts off the lines that follow.
fn dedented(src: &str, start: usize, text: &str) -> String {
    let line = src[..start].rfind('\n').map_or(0, |at| at + 1);
    let indent: String = src[line..start].chars().take_while(|c| *c == ' ' || *c == '\t').collect();
    let common = text
        .lines()
        .skip(1)
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.bytes().zip(indent.bytes()).take_while(|(a, b)| a == b).count())
        .min()
        .unwrap_or(0);
    let mut out = String::new();
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            out.push('\n');
            out.push_str(line.get(common.min(line.len())..).unwrap_or(line.trim_start()));
        } else {
            out.push_str(line);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_after_the_first_lose_the_indentation_of_the_first() {
        let src = "class C:\n    def f(self):\n        pass\n\n    x = 1\n";
        let start = src.find("def").unwrap();
        let end = src.find("\n\n    x").unwrap();
        let text = dedented(src, start, &src[start..end]);
        assert_eq!(text, "def f(self):\n    pass");
    }

    #[test]
    fn slots_are_filled_from_left_to_right() {
        let src = "f(aa, bb)";
        let named =
            |range, fill, name: &str| Named { slot: Slot { range, fill }, name: name.into() };
        let chosen = [named(0..1, Fill::One, "$A"), named(2..8, Fill::Inside, "$$$B")];
        let text = fill(src, &(0..9), &chosen, &mut Rng::new(1, ""));
        assert_eq!(text, "$A($$$B)");
    }
}
