//! Where the words of a pattern occur without being code that can be searched.

use serde_json::{Value, json};

use crate::pattern::{Compiled, Role};
use crate::rewrite::line_number;
use crate::tree::{NodeId, Tree};

/// Occurrences looked at in one file.
const HITS: usize = 2_000;

/// Occurrences of a pattern's rarest name, by what hides them. Mergeable over files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct NotVisible {
    /// The name looked for; empty when the pattern has none.
    pub(crate) word: String,
    /// In the arguments of a macro call, which are tokens to the grammar.
    pub(crate) macro_arguments: usize,
    /// In the body of a macro definition.
    pub(crate) macro_bodies: usize,
    /// In source with a syntax error.
    pub(crate) broken: usize,
    /// In strings.
    pub(crate) strings: usize,
    /// In comments.
    pub(crate) comments: usize,
    /// The first one, by file: the file's place among all, and the line (1-based).
    pub(crate) first: Option<(usize, usize)>,
}

impl NotVisible {
    /// Adds what file `index` has.
    pub(crate) fn merge(&mut self, index: usize, other: &Self) {
        if self.word.is_empty() {
            self.word.clone_from(&other.word);
        }
        if let Some((_, line)) = other.first {
            let first = (index, line);
            self.first = Some(self.first.map_or(first, |known| known.min(first)));
        }
        self.macro_arguments += other.macro_arguments;
        self.macro_bodies += other.macro_bodies;
        self.broken += other.broken;
        self.strings += other.strings;
        self.comments += other.comments;
    }

    /// The counts by name.
    pub(crate) fn details(&self) -> Value {
        json!({
            "word": self.word,
            "macro_arguments": self.macro_arguments,
            "macro_bodies": self.macro_bodies,
            "syntax_errors": self.broken,
            "strings": self.strings,
            "comments": self.comments,
        })
    }

    /// For instance "`dispose` also occurs where code is not visible: 12 in macro arguments";
    /// `None` when it does not.
    pub(crate) fn sentence(&self) -> Option<String> {
        let parts: Vec<String> = [
            (self.macro_arguments, "in macro arguments"),
            (self.macro_bodies, "in macro bodies"),
            (self.broken, "in source with syntax errors"),
            (self.strings, "in strings"),
            (self.comments, "in comments"),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, place)| format!("{count} {place}"))
        .collect();
        (!parts.is_empty()).then(|| {
            format!("`{}` also occurs where code is not visible: {}", self.word, parts.join(", "))
        })
    }
}

/// Counts where the rarest name of the pattern occurs in `src` out of sight.
pub(crate) fn not_visible(compiled: &Compiled, tree: &Tree, src: &str) -> NotVisible {
    let mut counts = NotVisible::default();
    let Some(word) = word_of(compiled) else {
        return counts;
    };
    word.clone_into(&mut counts.word);
    for at in memchr::memmem::find_iter(src.as_bytes(), word.as_bytes()).take(HITS) {
        if !is_whole_word(src, at, word.len()) {
            continue;
        }
        let path = tree.path_over(at..at + word.len());
        let Some(place) = place_of(tree, &path) else {
            continue;
        };
        let count = match place {
            Place::MacroArguments => &mut counts.macro_arguments,
            Place::MacroBody => &mut counts.macro_bodies,
            Place::Broken => &mut counts.broken,
            Place::String => &mut counts.strings,
            Place::Comment => &mut counts.comments,
        };
        *count += 1;
        if counts.first.is_none() {
            counts.first = Some((0, line_number(src, at)));
        }
    }
    counts
}

/// The longest name of the first reading. A keyword is everywhere, and says nothing.
fn word_of(compiled: &Compiled) -> Option<&str> {
    let leaves = compiled.readings.first()?.shape.nodes.iter().filter_map(|node| {
        let Role::Leaf(text) = &node.role else { return None };
        // Some grammars have a node for a keyword; of these only the object itself says something.
        let kind = compiled.language.kind_name(node.kind);
        let keyword = **text == *kind && !matches!(kind, "self" | "this");
        (!keyword && !kind.contains("modifier")).then_some(&**text)
    });
    let words = leaves.filter(|text| {
        text.len() > 2
            && text.chars().all(|c| c.is_alphanumeric() || c == '_')
            && !text.chars().all(|c| c.is_ascii_digit())
    });
    words.max_by_key(|text| text.len())
}

fn is_whole_word(src: &str, at: usize, len: usize) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let before = src.get(..at).and_then(|text| text.chars().next_back());
    let after = src.get(at + len..).and_then(|text| text.chars().next());
    !before.is_some_and(word) && !after.is_some_and(word)
}

enum Place {
    MacroArguments,
    MacroBody,
    Broken,
    String,
    Comment,
}

/// What hides the last node of `path`, from the inside out.
fn place_of(tree: &Tree, path: &[NodeId]) -> Option<Place> {
    path.iter().rev().find_map(|id| {
        let class = tree.class(*id);
        let kind = tree.kind_name(*id);
        if class.is_comment() {
            Some(Place::Comment)
        } else if class.is_string() && !kind.starts_with("concatenated") {
            Some(Place::String)
        } else if kind == "token_tree" {
            Some(Place::MacroArguments)
        } else if kind == "preproc_arg" || kind == "macro_rule" {
            Some(Place::MacroBody)
        } else if tree.is_error(*id) {
            Some(Place::Broken)
        } else {
            None
        }
    })
}
