//! Here-documents: their text stands on the lines below the statement that opens them, and belongs to it.
//!
//! A rewrite that takes one without the other would lose the text, or leave it as code. So the text
//! goes along where it can ([`Heredocs::with_text`]), is deleted with what opened it, and where neither
//! is sure the match is not rewritten.

use std::ops::Range;

use super::text::line_start;
use crate::tree::Tree;

/// The here-documents of one file whose text does not lie where it is opened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Heredocs {
    /// In the order in which they are opened.
    pairs: Vec<Heredoc>,
    /// Each text has been given to what opens it.
    sure: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Heredoc {
    /// `<<~SQL`, or the word behind `<<`.
    opens: Range<usize>,
    /// From the start of its first line to the end of the word that closes it.
    body: Range<usize>,
}

/// A capture as it was put into a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Put {
    /// Its bytes in the source.
    pub(crate) from: Range<usize>,
    /// Its bytes in the new text.
    pub(crate) to: Range<usize>,
}

/// What a replacement does to here-documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Each keeps its text, or goes with it; these texts, outside the match, have nothing that opens them any more.
    Sound { orphans: Vec<Range<usize>> },
    /// One would lose its text, or get another one.
    Torn,
}

impl Heredocs {
    /// None at all in languages in which a here-document is one node.
    pub(crate) fn of(tree: &Tree, src: &str) -> Self {
        let mut all = Self { pairs: Vec::new(), sure: true };
        let (opener, body_kind) = match tree.language().id() {
            "ruby" => ("heredoc_beginning", "heredoc_body"),
            "bash" => ("heredoc_start", "heredoc_redirect"),
            _ => return all,
        };
        let mut open: Vec<Range<usize>> = Vec::new();
        for id in 0..tree.len() {
            let kind = tree.kind_name(id);
            if kind == opener {
                open.push(tree.range(id));
            }
            if kind != "heredoc_end" {
                continue;
            }
            let word = tree.text(id, src).trim();
            let at = open.iter().position(|range| label(&src[range.clone()]) == word);
            let holder =
                tree.ancestors(id).into_iter().rev().find(|up| tree.kind_name(*up) == body_kind);
            let (Some(at), Some(holder)) = (at, holder) else {
                all.sure = false;
                continue;
            };
            let opens = open.remove(at);
            let from = tree.start(holder).max(opens.end);
            let Some(line) = memchr::memchr(b'\n', &src.as_bytes()[from..]) else {
                all.sure = false;
                continue;
            };
            let start = if line_start(src, from) == from && from > opens.end {
                from
            } else {
                from + line + 1
            };
            all.pairs.push(Heredoc { opens, body: start..tree.end(id).max(start) });
        }
        all.sure &= open.is_empty();
        all.pairs.sort_by_key(|pair| pair.opens.start);
        all
    }

    /// The range, and the texts of the here-documents that are opened in it, where nothing else stands between.
    pub(crate) fn with_text(&self, src: &str, range: Range<usize>, within: usize) -> Range<usize> {
        let Range { start, mut end } = range;
        for pair in &self.pairs {
            let follows = inside(&pair.opens, &(start..end))
                && src.get(end..pair.body.start).is_some_and(|gap| gap.trim().is_empty());
            if follows && pair.body.end <= within {
                end = pair.body.end;
            }
        }
        start..end
    }

    /// Whether `at` is the end of a text: what follows must stand on a line of its own.
    pub(crate) fn closes_at(&self, at: usize) -> bool {
        self.pairs.iter().any(|pair| pair.body.end == at)
    }

    /// What becomes of them where `range` is replaced by `text`, in which captures were put.
    pub(crate) fn fate(&self, src: &str, range: &Range<usize>, text: &str, puts: &[Put]) -> Fate {
        let mut orphans = Vec::new();
        let mut last = 0;
        for pair in self.pairs.iter().filter(|pair| touches(pair, range)) {
            let Heredoc { opens, body } = pair;
            let has = |put: &&Put| overlap(opens, &put.from) || overlap(body, &put.from);
            let mut holding = puts.iter().filter(has);
            if !inside(opens, range) {
                return Fate::Torn;
            }
            if inside(body, range) {
                if !holding.all(|put| keeps(pair, put, src, range, text)) {
                    return Fate::Torn;
                }
                continue;
            }
            match (holding.next(), holding.next(), body.start >= range.end) {
                (None, _, true) => orphans.push(body.clone()),
                (Some(put), None, true) => {
                    let behind = &src[opens.end..put.from.end];
                    let stays = !behind.contains('\n') && !text[put.to.end..].contains('\n');
                    // Texts are read in the order in which they are opened.
                    let at = put.to.end - behind.len();
                    if !stays || at < last {
                        return Fate::Torn;
                    }
                    last = at;
                }
                _ => return Fate::Torn,
            }
        }
        let torn = !self.sure && mentions(src, range);
        if torn { Fate::Torn } else { Fate::Sound { orphans } }
    }
}

/// The capture has both, the opening and the text, and the line of the closing word ends there.
fn keeps(pair: &Heredoc, put: &Put, src: &str, range: &Range<usize>, text: &str) -> bool {
    if !inside(&pair.opens, &put.from) || !inside(&pair.body, &put.from) {
        return false;
    }
    if put.from.end != pair.body.end {
        return true;
    }
    let rest = if put.to.end < text.len() { &text[put.to.end..] } else { &src[range.end..] };
    rest.is_empty() || rest.starts_with(['\n', '\r'])
}

/// The match has to do with the here-document; one that lies wholly in the text has not.
fn touches(pair: &Heredoc, range: &Range<usize>) -> bool {
    overlap(&pair.opens, range) || (overlap(&pair.body, range) && !inside(range, &pair.body))
}

fn mentions(src: &str, range: &Range<usize>) -> bool {
    src.get(range.clone()).is_some_and(|text| text.contains("<<"))
}

fn inside(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// The word of `<<~'SQL'`, `<<-EOF`, `\EOF`.
fn label(opening: &str) -> &str {
    opening.trim_start_matches(['<', '-', '~', '\\']).trim().trim_matches(['\'', '"', '`'])
}
