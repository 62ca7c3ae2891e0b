//! `ast_grep` from a query to an answer: which reading counts, what is shown, what is only counted, and why there is nothing.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::error::SearchError;
use crate::filter::Presence;
use crate::found::Found;
use crate::kept::Kept;
use crate::lines::Cursor;
use crate::matches::{Match, find};
use crate::near::{NearMisses, NearReport};
use crate::pattern::Compiled;
use crate::scan::{Job, Scanned, Visit, lock, scan};
use crate::schedule::Control;
use crate::source::Unsearched;
use crate::targets::{self, Listing, Scope};
use crate::workshop::Workshop;

/// What a call of `ast_grep` asks for, checked.
pub(crate) struct Query<'q> {
    pub(crate) pattern: &'q str,
    pub(crate) path: Option<&'q str>,
    pub(crate) language: Option<&'q str>,
    pub(crate) context: Option<&'q str>,
    pub(crate) max_results: usize,
}

/// The files of one answer, with what the searched tree was like.
#[derive(Debug, Default)]
pub(crate) struct Ground {
    /// The language's identifier.
    pub(crate) language: String,
    /// The path as the workspace shows it.
    pub(crate) path: String,
    pub(crate) is_file: bool,
    pub(crate) searched: usize,
    /// Searched files whose bytes did not rule a match out.
    pub(crate) parsed: usize,
    pub(crate) skipped: Vec<(String, Unsearched)>,
    /// Entries that ignore files leave out, and hidden ones; counted only where there is no match.
    pub(crate) excluded: Option<(usize, usize)>,
    /// Searched files that do not parse cleanly.
    pub(crate) broken: usize,
    /// Literal parts of the pattern that no file has.
    pub(crate) absent: Vec<String>,
    /// What the compiler has to say of the pattern.
    pub(crate) notes: Vec<String>,
    /// Languages of the scope whose grammar does not accept the pattern.
    pub(crate) left_out: Vec<&'static str>,
}

/// An answer of `ast_grep`.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) ground: Ground,
    /// The first matches, by file.
    pub(crate) files: Vec<(String, Vec<Found>)>,
    pub(crate) total: usize,
    pub(crate) files_matched: usize,
    /// The rung that decided what the pattern is.
    pub(crate) context: String,
    /// Whether the matches are of other readings, since that rung's family has none.
    pub(crate) fell_through: bool,
    /// Matches of the readings outside the family; those that are shown when it fell through.
    pub(crate) other_contexts: Vec<(String, usize)>,
    /// Only where there is no match at all.
    pub(crate) near: NearReport,
}

/// Searches. Blocks.
pub(crate) fn search(
    shop: &Workshop,
    query: &Query<'_>,
    control: Control<'_>,
) -> Result<Answer, SearchError> {
    let scope = targets::scope(&shop.root, query.path, query.language, control.stop)?;
    let patterns =
        shop.compile_all(&scope.languages, query.pattern, query.context, control.stop)?;
    let listing = targets::list(&shop.root, &scope, control.stop)?;
    let stop = control.stop;
    let near = NearMisses::over(listing.bytes(), &patterns, stop);
    let hunt = Hunt::new(&patterns, query.max_results, near);
    let job = Job {
        files: &listing.files,
        patterns: &patterns,
        trees: &shop.trees,
        threads: shop.threads,
        explicit: scope.is_file(),
        raw: false,
        control,
    };
    let scanned = scan(&job, &|visit| hunt.visit(&visit))?;
    let files = |kept: Kept<Found>| {
        kept.into_first()
            .into_iter()
            .map(|(index, found)| (listing.files[index].rel.to_string(), found))
            .collect::<Vec<_>>()
    };
    let first = patterns.iter().flatten().next();
    let context =
        first.and_then(|p| p.readings.first()).map_or(String::new(), |r| r.context.to_string());
    let fell_through = !hunt.found.load(Ordering::Relaxed);
    let others = hunt.tally.into_counts();
    let side = if fell_through { hunt.others } else { hunt.family };
    let total = side.total.into_inner();
    let fell_through = fell_through && total > 0;
    let found = files(side.kept);
    let mut ground = ground(&scope, &patterns, listing, scanned)?;
    if total == 0 {
        ground.excluded = Some(targets::excluded(&shop.root, &scope, stop)?);
    }
    Ok(Answer {
        total,
        files_matched: side.files.into_inner(),
        files: found,
        context,
        fell_through,
        other_contexts: others,
        near: hunt.near.report(total > 0, stop),
        ground,
    })
}

/// Sums up what was searched; an unreadable file that was named by itself is an error.
pub(crate) fn ground(
    scope: &Scope,
    patterns: &[Option<Arc<Compiled>>],
    listing: Listing,
    scanned: Scanned,
) -> Result<Ground, SearchError> {
    let files = listing.files;
    let mut skipped = listing.skipped;
    skipped.extend(
        scanned.skipped.into_iter().map(|(index, why)| (files[index].rel.to_string(), why)),
    );
    skipped.sort_by(|a, b| a.0.cmp(&b.0));
    if scope.is_file()
        && let Some((path, why)) = skipped.first()
    {
        return Err(SearchError::Unreadable { path: path.clone(), why: why.to_string() });
    }
    Ok(Ground {
        language: scope.label.clone(),
        path: scope.located.rel(),
        is_file: scope.is_file(),
        searched: scanned.searched,
        parsed: scanned.parsed,
        skipped,
        excluded: None,
        broken: scanned.broken,
        absent: scanned.absent,
        notes: patterns.iter().flatten().next().map_or(Vec::new(), |pattern| pattern.notes.clone()),
        left_out: scope
            .languages
            .iter()
            .zip(patterns)
            .filter(|(_, pattern)| pattern.is_none())
            .map(|(language, _)| language.id())
            .collect(),
    })
}

/// The matches of some readings in one file, each once, outer before inner, with the reading that found it.
pub(crate) fn matches_of(
    visit: &Visit<'_>,
    wanted: impl Fn(&crate::pattern::Reading) -> bool,
) -> Vec<(usize, Match)> {
    let mut all: Vec<(usize, Match)> = Vec::new();
    let mut from = 0;
    for (at, reading) in visit.pattern.readings.iter().enumerate() {
        let hits = match &visit.presence[at] {
            Presence::Absent => continue,
            Presence::Unknown => None,
            Presence::At(hits) => Some(hits.as_slice()),
        };
        if wanted(reading) {
            let found = find(reading, visit.tree, &visit.source.text, hits);
            from += usize::from(!found.is_empty());
            all.extend(found.into_iter().map(|m| (at, m)));
        }
    }
    if from > 1 {
        all.sort_by_key(|(at, m)| (m.range.start, std::cmp::Reverse(m.range.end), *at));
        all.dedup_by(|later, first| later.1.range == first.1.range);
    }
    all
}

/// What the threads of a search gather together.
struct Hunt {
    limit: usize,
    /// A match of the first reading's family has been found: other readings need only be counted.
    found: AtomicBool,
    family: Side,
    others: Side,
    tally: Tally,
    near: NearMisses,
}

struct Side {
    kept: Kept<Found>,
    total: AtomicUsize,
    files: AtomicUsize,
}

impl Side {
    fn new(limit: usize) -> Self {
        Self { kept: Kept::new(limit), total: AtomicUsize::new(0), files: AtomicUsize::new(0) }
    }

    fn take(&self, visit: &Visit<'_>, found: &[(usize, Match)], limit: usize) {
        if found.is_empty() {
            return;
        }
        self.total.fetch_add(found.len(), Ordering::Relaxed);
        self.files.fetch_add(1, Ordering::Relaxed);
        if !self.kept.wants(visit.index) {
            return;
        }
        let text = &visit.source.text;
        let mut cursor = Cursor::new(text);
        let shown = found
            .iter()
            .take(limit)
            .map(|(at, m)| {
                let captures = m.captures.iter().map(|c| (&*c.name, c.range.clone()));
                let context = &visit.pattern.readings[*at].context;
                let found = Found::new(text, &mut cursor, &m.range, captures, context);
                Found { at_error: m.touches_error, ..found }
            })
            .collect();
        self.kept.offer(visit.index, shown);
    }
}

impl Hunt {
    fn new(patterns: &[Option<Arc<Compiled>>], limit: usize, near: NearMisses) -> Self {
        Self {
            limit,
            found: AtomicBool::new(false),
            family: Side::new(limit),
            others: Side::new(limit),
            tally: Tally::new(patterns),
            near,
        }
    }

    fn visit(&self, visit: &Visit<'_>) {
        let family = matches_of(visit, |reading| reading.in_family);
        if !family.is_empty() {
            self.found.store(true, Ordering::Relaxed);
            self.family.take(visit, &family, self.limit);
        }
        let matched = family.iter().map(|(_, found)| found.node);
        self.near.look_wider(visit.pattern, visit.tree, &visit.source.text, matched);
        let others = matches_of(visit, |reading| !reading.in_family);
        self.tally.count(visit.pattern, &others);
        // Whatever is needed only when the family has no match at all is gathered until it has one.
        if self.found.load(Ordering::Relaxed) {
            return;
        }
        if !others.is_empty() {
            self.others.take(visit, &others, self.limit);
        }
        self.near.look(visit.index, visit.pattern, visit.tree, &visit.source.text);
    }
}

/// Matches of the readings outside the family, by rung.
pub(crate) struct Tally {
    counts: Mutex<Vec<(String, usize)>>,
}

impl Tally {
    pub(crate) fn new(patterns: &[Option<Arc<Compiled>>]) -> Self {
        let mut counts: Vec<(String, usize)> = Vec::new();
        for reading in patterns.iter().flatten().flat_map(|p| &p.readings) {
            let name = reading.context.to_string();
            if !reading.in_family && !counts.iter().any(|(known, _)| *known == name) {
                counts.push((name, 0));
            }
        }
        Self { counts: Mutex::new(counts) }
    }

    pub(crate) fn count(&self, pattern: &Compiled, found: &[(usize, Match)]) {
        if found.is_empty() {
            return;
        }
        let mut counts = lock(&self.counts);
        for (at, _) in found {
            let name = pattern.readings[*at].context.to_string();
            if let Some(entry) = counts.iter_mut().find(|(known, _)| *known == name) {
                entry.1 += 1;
            }
        }
    }

    /// The rungs that have matches, in the order of the ladder.
    pub(crate) fn into_counts(self) -> Vec<(String, usize)> {
        let counts = self.counts.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        counts.into_iter().filter(|(_, n)| *n > 0).collect()
    }
}
