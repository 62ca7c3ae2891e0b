//! The scaffold: a fragment is parsed inside contexts of its language, never bare.
//!
//! [`ladder`] orders the contexts for a pattern, [`climb`] tries them all and keeps every
//! accepted reading. A rung accepts when the scaffold parses without ERROR or MISSING (save a
//! run that stands alone), one node covers exactly the pattern, and every metavariable became a
//! node.

mod attempt;
mod effort;
mod guard;
mod lists;
mod order;
mod style;

pub(crate) use effort::Effort;

use crate::ladders::{self, Rung};
use crate::language::Language;
use crate::pattern::{Holes, PatternError, Shape};

/// A reading that a rung accepted.
#[derive(Debug)]
pub(crate) struct Accepted {
    /// The rung's name.
    pub(crate) context: &'static str,
    /// The rung is a list of members.
    as_member: bool,
    pub(crate) shape: Shape,
}

/// What each rung that did not accept said.
pub(crate) type Refused = Vec<(&'static str, String)>;

/// The rungs to try for a pattern, in order.
pub(crate) fn ladder(language: Language, holes: &Holes) -> Vec<Rung> {
    order::before(language, holes.pattern(), ladders::of(language))
}

/// The rungs that a `context` argument names.
pub(crate) fn named_rung(language: Language, name: &str) -> Result<Vec<Rung>, PatternError> {
    let ladder = ladders::of(language);
    let named: Vec<Rung> = ladder.iter().filter(|r| r.name == name).copied().collect();
    if named.is_empty() {
        let mut names: Vec<_> = ladder.iter().map(|rung| rung.name).collect();
        names.dedup();
        return Err(PatternError::new(format!(
            "{language} has no context \"{name}\"; there are: {}",
            names.join(", ")
        )));
    }
    Ok(named)
}

/// Whether an ordinary context takes the pattern as it is usually spelled; far cheaper than [`climb`].
pub(crate) fn parses(language: Language, holes: &Holes, effort: &Effort<'_>) -> bool {
    /// The usual spelling, with and without its `;`, and one more.
    const FEW: usize = 3;
    let ladder = ladder(language, holes);
    ladder
        .iter()
        .filter(|rung| !rung.rare)
        .any(|rung| attempt::rung(language, holes, rung, FEW, effort).is_ok())
}

/// Tries every rung; what is accepted comes without repetitions, the winner first.
pub(crate) fn climb(
    language: Language,
    holes: &Holes,
    rungs: &[Rung],
    effort: &Effort<'_>,
) -> (Vec<Accepted>, Refused) {
    let mut accepted: Vec<Accepted> = Vec::new();
    let mut refused = Vec::new();
    let mut others = Vec::new();
    let mut as_member = false;
    for (at, rung) in rungs.iter().enumerate() {
        let attempts = effort.share(rung.rare, rungs.len() - at, !accepted.is_empty());
        match attempt::rung(language, holes, rung, attempts, effort) {
            Ok(shapes) => {
                as_member |= attempt::is_member(rung);
                let mut shapes = shapes.into_iter();
                keep(&mut accepted, rung, shapes.next());
                others.extend(shapes.map(|shape| (rung, shape)));
            }
            Err(said) => refused.push((rung.name, said)),
        }
    }
    if let Some(bare) = holes.without_semicolon() {
        // In some lists the `;` belongs to the list and not to the member; and where nothing but a
        // member ends in it, the pattern is tried as what the `;` ends.
        let only_members = as_member && accepted.iter().all(|one| one.as_member);
        let wanted = |rung: &&Rung| match attempt::is_member(rung) {
            true => !as_member,
            false => only_members && !rung.rare,
        };
        let mut ended = Vec::new();
        for rung in rungs.iter().filter(wanted) {
            let attempts = effort.share(rung.rare, rungs.len(), false);
            for shape in attempt::rung(language, &bare, rung, attempts, effort).unwrap_or_default()
            {
                keep(&mut ended, rung, Some(shape));
            }
        }
        // `struct S { .. };` is the type rather than a member without a name.
        let first = only_members && matches!(language.id(), "c" | "cpp");
        let at = if first { 0 } else { accepted.len() };
        accepted.splice(at..at, ended);
    }
    for (rung, shape) in others {
        keep(&mut accepted, rung, Some(shape));
    }
    if accepted.is_empty() {
        let worded = language.id() == "dart" && holes.pattern().starts_with(attempt::WORD);
        for rung in rungs.iter().filter(|rung| !rung.rare || worded) {
            keep(&mut accepted, rung, attempt::siblings(language, holes, rung, effort));
        }
    }
    order::after(language, holes.pattern(), &mut accepted);
    (accepted, refused)
}

/// Adds a reading that is not there yet.
fn keep(accepted: &mut Vec<Accepted>, rung: &Rung, shape: Option<Shape>) {
    if let Some(shape) = shape
        && !accepted.iter().any(|other| other.shape.is_like(&shape))
    {
        accepted.push(Accepted { context: rung.name, as_member: attempt::is_member(rung), shape });
    }
}
