//! Metavariables in the text of a pattern, and how they are spelled for a grammar.

use std::cmp::Ordering;
use std::ops::Range;

use super::PatternError;

/// A capture that a match of the pattern can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Metavariable {
    /// The name without dollars.
    pub(crate) name: String,
    /// `$$$NAME`: a run of siblings.
    pub(crate) run: bool,
}

impl Metavariable {
    /// The key of the capture: `X`, or `$$$X` for a run.
    pub(crate) fn key(&self) -> String {
        if self.run { format!("$$${}", self.name) } else { self.name.clone() }
    }
}

/// One place of a pattern where code is left open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hole {
    /// Bytes in the pattern, dollars included.
    pub(crate) at: Range<usize>,
    /// A run of siblings instead of one node.
    pub(crate) run: bool,
    /// As typed, without dollars; may be empty for a run.
    pub(crate) name: String,
    /// Index of its [`Metavariable`]; none when nothing is captured (`$_`, `$$$`).
    pub(crate) slot: Option<u16>,
}

/// A pattern's text, trimmed, with its holes.
#[derive(Debug)]
pub(crate) struct Holes {
    pattern: String,
    holes: Vec<Hole>,
    metavariables: Vec<Metavariable>,
    /// `$lower`, `$5` and the like: taken literally.
    literal: Vec<String>,
}

/// A pattern's text as a grammar gets it.
#[derive(Debug, Clone)]
pub(crate) struct Spelled {
    pub(crate) text: String,
    /// Where each hole is in `text`.
    pub(crate) spans: Vec<Range<usize>>,
    /// Where a `;` was put after a run that stands for statements.
    pub(crate) semicolons: Vec<usize>,
    /// What was put in after a run that is all of the head of a `for`.
    pub(crate) heads: Vec<Range<usize>>,
}

impl Spelled {
    /// The byte of the pattern as typed that byte `at` of the spelled text comes from.
    pub(crate) fn typed_at(&self, holes: &Holes, at: usize) -> usize {
        let mut typed = at;
        for (span, hole) in self.spans.iter().zip(holes.holes()) {
            if at <= span.start {
                break;
            }
            typed = match span.end.cmp(&at) {
                Ordering::Greater => hole.at.start,
                _ => hole.at.end + (at - span.end),
            };
        }
        let mut typed = typed.min(holes.pattern().len());
        while !holes.pattern().is_char_boundary(typed) {
            typed -= 1;
        }
        typed
    }
}

impl Holes {
    /// Finds the holes; refuses what could never match.
    pub(crate) fn scan(pattern: &str) -> Result<Self, PatternError> {
        let pattern = pattern.trim();
        if pattern.is_empty() {
            return Err(PatternError::new("the pattern is empty"));
        }
        let mut found = Self {
            pattern: pattern.to_owned(),
            holes: Vec::new(),
            metavariables: Vec::new(),
            literal: Vec::new(),
        };
        let bytes = pattern.as_bytes();
        let mut at = 0;
        while let Some(offset) = memchr::memchr(b'$', &bytes[at..]) {
            let start = at + offset;
            let dollars = bytes[start..].iter().take_while(|b| **b == b'$').count();
            let name_at = start + dollars;
            let len = bytes[name_at..]
                .iter()
                .take_while(|b| b.is_ascii_alphanumeric() || **b == b'_' || !b.is_ascii())
                .count();
            at = name_at + len;
            let escaped = start > 0 && bytes[start - 1] == b'\\';
            if !escaped {
                found.add(start, dollars, name_at..at)?;
            }
        }
        if let [only] = found.holes.as_slice()
            && only.at == (0..pattern.len())
        {
            return Err(PatternError::new(format!(
                "`{pattern}` alone matches every node; write the code around it"
            )));
        }
        Ok(found)
    }

    fn add(
        &mut self,
        start: usize,
        dollars: usize,
        name_at: Range<usize>,
    ) -> Result<(), PatternError> {
        let end = name_at.end;
        let name = self.pattern[name_at].to_owned();
        let typed = self.pattern[start..end].to_owned();
        let is_name = !name.is_empty()
            && name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
            && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        let run = dollars == 3;
        if !(is_name || run && name.is_empty()) {
            // `$x`, `$5`, `${`: the language's own dollars.
            if !name.is_empty() {
                self.literal.push(typed);
            }
            return Ok(());
        }
        if dollars != 1 && !run {
            return Err(PatternError::new(format!(
                "`{typed}` is not a metavariable: `${name}` is one node, `$$${name}` a run of siblings"
            )));
        }
        let slot = if name.is_empty() || name.starts_with('_') {
            None
        } else {
            Some(self.slot(&name, run)?)
        };
        self.holes.push(Hole { at: start..end, run, name, slot });
        Ok(())
    }

    fn slot(&mut self, name: &str, run: bool) -> Result<u16, PatternError> {
        if let Some(at) = self.metavariables.iter().position(|m| m.name == name) {
            if self.metavariables[at].run != run {
                return Err(PatternError::new(format!(
                    "`${name}` and `$$${name}` cannot both be in a pattern; rename one"
                )));
            }
            return Ok(at as u16);
        }
        let at = u16::try_from(self.metavariables.len())
            .map_err(|_| PatternError::new("too many metavariables"))?;
        self.metavariables.push(Metavariable { name: name.to_owned(), run });
        Ok(at)
    }

    /// The same pattern without the `;` that it ends in.
    pub(crate) fn without_semicolon(&self) -> Option<Self> {
        Self::scan(self.pattern.strip_suffix(';')?).ok()
    }

    /// The pattern without blanks around it.
    pub(crate) fn pattern(&self) -> &str {
        &self.pattern
    }

    pub(crate) fn holes(&self) -> &[Hole] {
        &self.holes
    }

    pub(crate) fn literal(&self) -> &[String] {
        &self.literal
    }

    pub(crate) fn metavariables(&self) -> &[Metavariable] {
        &self.metavariables
    }

    pub(crate) fn into_metavariables(self) -> Vec<Metavariable> {
        self.metavariables
    }

    /// The holes that stand where statements do: alone between the end of what is before and the
    /// end of the line or block. `inner`: only those with more statements after them.
    pub(crate) fn statements(&self, inner: bool) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        let has_else = self.holes.iter().any(|hole| {
            word_starts(self.pattern[hole.at.end..].trim_start(), "else")
                || word_ends(self.pattern[..hole.at.start].trim_end(), "else")
        });
        for (number, hole) in self.holes.iter().enumerate() {
            let before = without_comments(&self.pattern[..hole.at.start]);
            let gap = &self.pattern[hole.at.end..];
            let after = gap.trim_start();
            let breaks = gap[..gap.len() - after.len()].contains('\n');
            let ended = ["endif", "endforeach", "endfor", "endwhile", "endswitch"];
            let closed = after.starts_with('}')
                || ended.iter().any(|word| word_starts(after, word))
                || after.is_empty() && hole.run;
            // A run is no type and no modifier: what follows it on the line is the next statement.
            let flows = hole.run
                && before.ends_with(['{', ';', '}', ':'])
                && after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$'))
                && !["where", "while", "until"].iter().any(|word| word_starts(after, word));
            let breaks = breaks || flows || after.starts_with("else");
            let more = breaks && !after.is_empty() && !after.starts_with('}');
            let ends = more || closed && !inner;
            let broken = self.pattern[before.len()..hole.at.start].contains('\n');
            let follows = number.checked_sub(1).is_some_and(|last| {
                broken && found.contains(&last) && self.holes[last].at.end == before.len()
            });
            let head = before.ends_with(')') || word_ends(before, "else");
            if head && (word_starts(after, "else") || after.is_empty() && has_else) {
                found.push(number);
                continue;
            }
            let starts = before.ends_with(['{', ';', '}', ':'])
                || breaks && (before.ends_with(')') || before.ends_with("else"))
                || follows;
            if starts && ends {
                found.push(number);
            }
        }
        found
    }

    /// The first `len` bytes of the pattern with every hole spelled as in `texts`; `statements`:
    /// the holes that a `;` is put after; `indent`: blanks put before every further line.
    pub(crate) fn spell(
        &self,
        len: usize,
        statements: &[usize],
        indent: usize,
        texts: &[String],
    ) -> Spelled {
        let mut spelled = Spelled {
            text: String::with_capacity(len + 16),
            spans: Vec::with_capacity(self.holes.len()),
            semicolons: Vec::new(),
            heads: Vec::new(),
        };
        let break_ = format!("\n{}", " ".repeat(indent));
        let push = |into: &mut String, text: &str| {
            if indent > 0 {
                into.push_str(&text.replace('\n', &break_));
            } else {
                into.push_str(text);
            }
        };
        let mut at = 0;
        for (number, hole) in self.holes.iter().enumerate() {
            push(&mut spelled.text, &self.pattern[at..hole.at.start]);
            let start = spelled.text.len();
            push(&mut spelled.text, texts.get(number).map_or("", String::as_str));
            // A comma makes a tuple of what stands before it; neither it nor blanks before a hole
            // are part of the hole.
            let text = &spelled.text[start..];
            let blanks = text.len() - text.trim_start().len();
            let head = text.strip_suffix(FOR_HEAD);
            let len = head.unwrap_or(text).trim_end_matches(',').len();
            if head.is_some() {
                spelled.semicolons.push(start + len);
                spelled.heads.push(start + len..start + len + FOR_HEAD.len());
            }
            let text = texts.get(number).map_or("", String::as_str);
            spelled.spans.push(start + blanks..start + len);
            if statements.contains(&number) && !text.ends_with(';') {
                spelled.semicolons.push(spelled.text.len());
                spelled.text.push(';');
            }
            at = hole.at.end;
        }
        push(&mut spelled.text, self.pattern.get(at..len).unwrap_or(""));
        spelled
    }
}

/// What ends the spelling of a run that is all of the head of a `for`; no part of the run.
pub(crate) const FOR_HEAD: &str = "; 1; 1";

/// The text without blanks and comments at its end. A comment after code on one line stays: what
/// looks like one may be in a string.
pub(crate) fn without_comments(text: &str) -> &str {
    let mut text = text.trim_end();
    loop {
        let line = text.rfind('\n').map_or(0, |at| at + 1);
        let comment = if text[line..].trim_start().starts_with("//") {
            Some(line)
        } else if text.ends_with("*/") {
            text.rfind("/*")
        } else {
            None
        };
        match comment {
            Some(start) => text = text[..start].trim_end(),
            None => return text,
        }
    }
}

/// Whether `text` starts with `word` and not with a longer one.
fn word_starts(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
}

/// Whether `text` ends in `word` and not in a longer one.
fn word_ends(text: &str, word: &str) -> bool {
    text.strip_suffix(word).is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(pattern: &str) -> Vec<String> {
        let holes = Holes::scan(pattern).unwrap();
        holes.metavariables.iter().map(Metavariable::key).collect()
    }

    #[test]
    fn only_upper_case_names_are_metavariables() {
        assert_eq!(names("f($A, $$$REST, $_, $$$, $5, $lower, \\$X, $Mixed)"), ["A", "$$$REST"]);
        assert_eq!(names("f($A, $A, $_X, $B1)"), ["A", "B1"]);
        assert_eq!(names("`a ${b} ${$X}`"), ["X"]);
    }

    #[test]
    fn what_can_never_match_is_refused() {
        for pattern in ["", "  ", "$A", "$$$A", " $$$ ", "f($$X)", "f($$$$X)", "f($X, $$$X)"] {
            assert!(Holes::scan(pattern).is_err(), "{pattern}");
        }
    }

    #[test]
    fn statement_runs_take_a_semicolon() {
        let holes = Holes::scan("if ($A) { $$$B }").unwrap();
        let texts = ["_A".to_owned(), "_B".to_owned()];
        let spelled = holes.spell(holes.pattern.len(), &holes.statements(false), 0, &texts);
        assert_eq!(spelled.text, "if (_A) { _B; }");
        assert_eq!(&spelled.text[spelled.spans[1].clone()], "_B");
        assert_eq!(spelled.semicolons, [12]);
    }

    #[test]
    fn holes_on_lines_of_their_own_stand_for_statements() {
        let statements = |pattern, inner| Holes::scan(pattern).unwrap().statements(inner);
        assert_eq!(statements("{\n  $A\n  $$$B\n  f($C);\n  $D\n}", false), [0, 1, 3]);
        assert_eq!(statements("{\n  $A\n  $$$B\n  f($C);\n  $D\n}", true), [0, 1]);
        assert_eq!(statements("if ($A)\n  $C\nelse\n  $D\nend($E)", false), [1, 2]);
        assert_eq!(statements("if ($A) $C else $D", false), [1, 2]);
        assert_eq!(statements("if ($A): $$$B endif;", false), [1]);
        assert_eq!(statements("x ? a : $A", false), [0usize; 0]);
        assert_eq!(statements("f(\n  $A,\n  $B\n)", false), [0usize; 0]);
        assert_eq!(statements("{\n  // why\n  /* and\n   how */\n  $A\n}", false), [0]);
    }
}
