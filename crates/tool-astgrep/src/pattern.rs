//! Patterns: what a fragment with metavariables means in a language.
//!
//! [`compile`] finds the metavariables (`holes`), lets `scaffold` try the contexts of the
//! language, and keeps every accepted reading as a [`Shape`] with the text that each match must
//! hold (`needles`).

mod breaks;
mod comma;
mod explain;
mod family;
#[cfg(test)]
mod fragments;
mod grouped;
mod holes;
mod needles;
mod shape;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

pub(crate) use grouped::Listed;
pub(crate) use holes::{FOR_HEAD, Hole, Holes, Metavariable, Spelled, without_comments};
pub(crate) use needles::Needle;
pub(crate) use shape::{PatNode, Role, Sequence, Shape};

use crate::language::Language;
use crate::scaffold::{self, Effort};

/// A pattern, ready to search with.
#[derive(Debug)]
pub(crate) struct Compiled {
    /// The language whose grammar read it.
    pub(crate) language: Language,
    /// The pattern as typed, without blanks around it.
    pub(crate) pattern: String,
    /// Every accepted reading, the winner first.
    pub(crate) readings: Vec<Reading>,
    /// The captures that a match can have, in order of appearance.
    pub(crate) metavariables: Vec<Metavariable>,
    /// What a reader should know when nothing is found, e.g. that `$x` was taken literally.
    pub(crate) notes: Vec<String>,
}

impl Compiled {
    /// The readings that decide: those in the family of the first accepted one.
    pub(crate) fn in_family(&self) -> impl Iterator<Item = &Reading> {
        self.readings.iter().filter(|reading| reading.in_family)
    }
}

/// One way to read a pattern.
#[derive(Debug)]
pub(crate) struct Reading {
    /// The rung that accepted it, e.g. `stmt`.
    pub(crate) context: &'static str,
    /// In the family of the first accepted reading.
    pub(crate) in_family: bool,
    /// Texts that every matching file holds, the rarest first; empty when there is none.
    pub(crate) needles: Vec<Needle>,
    /// The kind of the node that matches.
    pub(crate) root_kind: u16,
    /// Set where it is an entry of a list that the pattern does not show.
    pub(crate) listed: Option<Listed>,
    /// The pattern as nodes.
    pub(crate) shape: Shape,
}

/// Why a pattern cannot be searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PatternError {
    /// What is wrong, in a sentence.
    pub(crate) message: String,
    /// What each context said, in the order tried.
    pub(crate) rungs: Vec<(String, String)>,
    /// A pattern that does parse, or what to change.
    pub(crate) suggestion: Option<String>,
}

impl PatternError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), rungs: Vec::new(), suggestion: None }
    }

    /// What the contexts said, those that said the same on one line and the telling ones first;
    /// a few lines.
    pub(crate) fn grouped(&self) -> Vec<String> {
        let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
        for (rung, said) in &self.rungs {
            match groups.iter_mut().find(|group| group.0 == said) {
                Some(group) => group.1.push(rung),
                None => groups.push((said, vec![rung])),
            }
        }
        // The first context is the usual one; that a word at the very start does not fit tells least.
        let general =
            |said: &str| said.contains("at byte 0") || said.contains("does not fit there");
        if let Some(rest) = groups.get_mut(1..) {
            rest.sort_by_key(|(said, _)| general(said));
        }
        let mut lines: Vec<String> = groups
            .iter()
            .take(GROUPS_SHOWN)
            .map(|(said, rungs)| match rungs.len() {
                0..=3 => format!("{}: {said}", rungs.join(", ")),
                n => format!("{} and {} others: {said}", rungs[..2].join(", "), n - 2),
            })
            .collect();
        let left: usize = groups.iter().skip(GROUPS_SHOWN).map(|(_, rungs)| rungs.len()).sum();
        if left > 0 {
            lines.push(format!("{left} further contexts: likewise not"));
        }
        lines
    }
}

/// Lines of what contexts said in the text of an error; all are in its details.
const GROUPS_SHOWN: usize = 5;

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(suggestion) = &self.suggestion {
            write!(f, "; {suggestion}")?;
        }
        for line in self.grouped() {
            write!(f, "\n  {line}")?;
        }
        Ok(())
    }
}

impl std::error::Error for PatternError {}

/// [`compile_until`] without a way to stop.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) fn compile(
    language: Language,
    pattern: &str,
    context: Option<&str>,
) -> Result<Arc<Compiled>, PatternError> {
    compile_until(language, pattern, context, &|| false)
}

/// Compiles `pattern`; `context` names the rung to use instead of the first that accepts it. Once
/// `stop` says so, whatever comes of it is of no use.
pub(crate) fn compile_until(
    language: Language,
    pattern: &str,
    context: Option<&str>,
    stop: &dyn Fn() -> bool,
) -> Result<Arc<Compiled>, PatternError> {
    let broken = breaks::put_in(language, pattern);
    let holes = Holes::scan(broken.as_deref().unwrap_or(pattern))?;
    explain::literal(language, &holes)?;
    let effort = Effort::new(stop);
    if context.is_none()
        && let Some(error) =
            comma::missing(language, &holes, &effort).or_else(|| comma::after_dot(language, &holes))
    {
        return Err(error);
    }
    let rungs = match context {
        None => scaffold::ladder(language, &holes),
        Some(name) => scaffold::named_rung(language, name)?,
    };
    let (accepted, refused) = scaffold::climb(language, &holes, &rungs, &effort);
    if accepted.is_empty() {
        return Err(explain::unparsable(language, &holes, refused, &effort));
    }
    let first = family::of(language, accepted[0].shape.root_kind());
    let readings = accepted.into_iter().map(|accepted| {
        let root_kind = accepted.shape.root_kind();
        let family = family::of(language, root_kind);
        Reading {
            context: accepted.context,
            in_family: family == first,
            needles: needles::of(language, &accepted.shape),
            root_kind,
            listed: None,
            shape: accepted.shape,
        }
    });
    let mut readings: Vec<Reading> = readings.collect();
    if context.is_none() {
        grouped::add(language, &mut readings);
    }
    Ok(Arc::new(Compiled {
        language,
        readings,
        pattern: pattern.trim().to_owned(),
        notes: explain::notes(language, &holes),
        metavariables: holes.into_metavariables(),
    }))
}
