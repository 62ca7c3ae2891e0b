//! `ast_edit` from a query to a proposal: new bytes for every file, which nobody has written yet.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tool_workspace::{Captured, ChangeSet, Located, Root};

use crate::diff::{Splice, unified};
use crate::error::SearchError;
use crate::matches::{Match, find};
use crate::near::{NearMisses, NearReport};
use crate::pattern::Compiled;
use crate::rewrite::{
    self, AfterCheck, Edit, Plan, Template, after_check, faults, matches_again, plan, splice,
};
use crate::scan::{Job, Visit, lock, scan};
use crate::schedule::Control;
use crate::search::{Ground, Tally, ground, matches_of};
use crate::source::Unsearched;
use crate::targets;
use crate::tree::{RawTree, Tree};
use crate::workshop::Workshop;

/// Bytes of diff in the details, and in the text.
const DIFF_DETAILS: usize = 64 * 1024;
const DIFF_TEXT: usize = 8 * 1024;

/// What a call of `ast_edit` asks for.
pub(crate) struct Change<'q> {
    pub(crate) pattern: &'q str,
    pub(crate) rewrite: &'q str,
    pub(crate) path: Option<&'q str>,
    pub(crate) language: Option<&'q str>,
    pub(crate) context: Option<&'q str>,
}

/// A change of many files that waits for a decision.
#[derive(Debug)]
pub(crate) struct Proposal {
    /// What each file held when it was staged, and what it is to hold.
    pub(crate) changes: ChangeSet,
    pub(crate) files: Vec<StagedFile>,
    pub(crate) replacements: usize,
}

/// One file of a proposal.
#[derive(Debug, Clone)]
pub(crate) struct StagedFile {
    pub(crate) path: Arc<Path>,
    pub(crate) rel: String,
    pub(crate) replacements: usize,
}

/// An answer of `ast_edit`.
#[derive(Debug)]
pub(crate) struct Edited {
    pub(crate) ground: Ground,
    /// `None` where there is nothing to stage.
    pub(crate) edit_id: Option<String>,
    pub(crate) replacements: usize,
    /// Path and number of replacements.
    pub(crate) files: Vec<(String, usize)>,
    /// The diff for a program and for the text, and for how many files each stands.
    pub(crate) diff: (String, usize),
    pub(crate) short_diff: (String, usize),
    pub(crate) context: String,
    pub(crate) other_contexts: Vec<(String, usize)>,
    pub(crate) left: Left,
    /// Files that get syntax errors, with the line of the first.
    pub(crate) newly_broken: Vec<(String, usize)>,
    pub(crate) near: NearReport,
}

/// Matches that are not replaced, by reason, and what an agent should know of those that are.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Left {
    /// Inside another match that is replaced.
    pub(crate) nested: usize,
    /// In or at a syntax error.
    pub(crate) in_errors: usize,
    /// The rewrite gives what stands there.
    pub(crate) unchanged: usize,
    /// Without a capture that the rewrite needs.
    pub(crate) unbound: usize,
    /// With a here-document that the rewrite would tear from its text.
    pub(crate) heredocs: usize,
    /// Comments inside replaced matches that the rewrite does not keep.
    pub(crate) comments: usize,
    /// Replacements that the pattern matches again.
    pub(crate) again: usize,
}

impl Left {
    fn add(&mut self, other: Self) {
        self.nested += other.nested;
        self.in_errors += other.in_errors;
        self.unchanged += other.unchanged;
        self.unbound += other.unbound;
        self.heredocs += other.heredocs;
        self.comments += other.comments;
        self.again += other.again;
    }

    /// Matches that are not replaced.
    pub(crate) fn total(self) -> usize {
        self.nested + self.in_errors + self.unchanged + self.unbound + self.heredocs
    }
}

/// Searches, rewrites in memory and stages. Blocks.
pub(crate) fn edit(
    shop: &Workshop,
    change: &Change<'_>,
    control: Control<'_>,
) -> Result<Edited, SearchError> {
    let scope = targets::scope(&shop.root, change.path, change.language, control.stop)?;
    let patterns =
        shop.compile_all(&scope.languages, change.pattern, change.context, control.stop)?;
    let templates = templates(&patterns, change.rewrite)?;
    let listing = targets::list(&shop.root, &scope, control.stop)?;
    let room = shop.ledger.room();
    let near = NearMisses::over(listing.bytes(), &patterns, control.stop);
    let desk =
        Desk::new(&shop.root, &patterns, templates, change.rewrite, control.stop, room, near);
    let job = Job {
        files: &listing.files,
        patterns: &patterns,
        trees: &shop.trees,
        threads: shop.threads,
        explicit: scope.is_file(),
        raw: true,
        control: Control { stop: control.stop, progress: control.progress },
    };
    let scanned = scan(&job, &|visit| desk.visit(visit))?;
    let matched = desk.matched.into_inner();
    let gathered = desk.gathered.into_inner().unwrap_or_else(PoisonError::into_inner);
    let wanted = desk.bytes.into_inner();
    if wanted > room {
        return Err(SearchError::TooMuch { wanted, limit: room, open: shop.ledger.open() });
    }
    let mut ground = ground(&scope, &patterns, listing, scanned)?;
    if let Some((path, why)) = gathered.refused.first()
        && scope.is_file()
    {
        return Err(SearchError::Unreadable { path: path.clone(), why: why.to_string() });
    }
    ground.skipped.extend(gathered.refused);
    ground.skipped.sort_by(|a, b| a.0.cmp(&b.0));
    let mut drafts = gathered.drafts;
    drafts.sort_by_key(|draft| draft.index);
    let (diff, short_diff) = (diff(&drafts, DIFF_DETAILS), diff(&drafts, DIFF_TEXT));
    let newly_broken =
        drafts.iter().filter_map(|d| Some((d.file.rel.clone(), d.breaks_at?))).collect();
    let files: Vec<_> = drafts.iter().map(|d| (d.file.rel.clone(), d.file.replacements)).collect();
    let replacements = files.iter().map(|(_, n)| n).sum();
    let edit_id = match replacements {
        0 => None,
        _ => Some(stage(shop, drafts, replacements)?),
    };
    Ok(Edited {
        edit_id,
        replacements,
        files,
        diff,
        short_diff,
        context: first_context(&patterns),
        other_contexts: desk.tally.into_counts(),
        left: gathered.left,
        newly_broken,
        near: desk.near.report(matched, control.stop),
        ground,
    })
}

/// The rung that decides what the pattern is.
pub(crate) fn first_context(patterns: &[Option<Arc<Compiled>>]) -> String {
    patterns
        .iter()
        .flatten()
        .next()
        .and_then(|p| p.readings.first())
        .map_or(String::new(), |r| r.context.to_string())
}

fn templates(
    patterns: &[Option<Arc<Compiled>>],
    rewrite: &str,
) -> Result<Vec<(Arc<Compiled>, Template)>, SearchError> {
    patterns
        .iter()
        .flatten()
        .map(|pattern| match Template::parse(rewrite, pattern) {
            Ok(template) => Ok((pattern.clone(), template)),
            Err(error) => Err(SearchError::argument(
                error.to_string(),
                "a rewrite puts captures back by the names they have in the pattern",
            )),
        })
        .collect()
}

fn stage(shop: &Workshop, drafts: Vec<Draft>, replacements: usize) -> Result<String, SearchError> {
    let mut changes = ChangeSet::new();
    let mut files = Vec::with_capacity(drafts.len());
    for draft in drafts {
        changes
            .replace(&draft.located, draft.old, draft.new)
            .map_err(|error| SearchError::Unstageable(error.to_string()))?;
        files.push(draft.file);
    }
    let bytes = changes.staged_bytes();
    let proposal = Proposal { changes, files, replacements };
    match shop.ledger.stage(proposal, bytes) {
        Ok(id) => Ok(id.to_string()),
        Err(full) => Err(SearchError::TooMuch {
            wanted: full.wanted,
            limit: full.limit.saturating_sub(full.held),
            open: full.open,
        }),
    }
}

/// The diffs of the first files, and how many files are whole in it.
fn diff(drafts: &[Draft], limit: usize) -> (String, usize) {
    let mut out = String::new();
    for (at, draft) in drafts.iter().enumerate() {
        let (Ok(old), Ok(new)) = (
            std::str::from_utf8(&draft.old.bytes()[draft.bom..]),
            std::str::from_utf8(&draft.new[draft.bom..]),
        ) else {
            continue;
        };
        if !unified(&mut out, limit, &draft.file.rel, old, new, &draft.splices) {
            return (out, at);
        }
    }
    (out, drafts.len())
}

/// A changed file before it is staged.
struct Draft {
    index: usize,
    file: StagedFile,
    located: Located,
    old: Captured,
    new: Vec<u8>,
    /// Bytes of the byte order mark.
    bom: usize,
    splices: Vec<Splice>,
    /// The line of the first syntax error that the change brings.
    breaks_at: Option<usize>,
}

#[derive(Default)]
struct Gathered {
    drafts: Vec<Draft>,
    left: Left,
    /// Files with matches that cannot be edited.
    refused: Vec<(String, Unsearched)>,
}

/// What the threads of an edit gather together.
struct Desk<'a> {
    root: &'a Root,
    templates: Vec<(Arc<Compiled>, Template)>,
    /// The rewrite as it was given.
    text: &'a str,
    stop: &'a (dyn Fn() -> bool + Sync),
    room: usize,
    matched: AtomicBool,
    /// Bytes of all drafts, also of those that did not fit.
    bytes: AtomicUsize,
    tally: Tally,
    near: NearMisses,
    gathered: Mutex<Gathered>,
}

impl<'a> Desk<'a> {
    fn new(
        root: &'a Root,
        patterns: &[Option<Arc<Compiled>>],
        templates: Vec<(Arc<Compiled>, Template)>,
        text: &'a str,
        stop: &'a (dyn Fn() -> bool + Sync),
        room: usize,
        near: NearMisses,
    ) -> Self {
        Self {
            root,
            templates,
            text,
            stop,
            room,
            matched: AtomicBool::new(false),
            bytes: AtomicUsize::new(0),
            tally: Tally::new(patterns),
            near,
            gathered: Mutex::new(Gathered::default()),
        }
    }

    fn visit(&self, visit: Visit<'_>) {
        let others = matches_of(&visit, |reading| !reading.in_family);
        self.tally.count(visit.pattern, &others);
        let matches = matches_of(&visit, |reading| reading.in_family);
        let matched = matches.iter().map(|(_, found)| found.node);
        self.near.look_wider(visit.pattern, visit.tree, &visit.source.text, matched);
        if matches.is_empty() {
            if !self.matched.load(Ordering::Relaxed) {
                self.near.look(visit.index, visit.pattern, visit.tree, &visit.source.text);
            }
            return;
        }
        self.matched.store(true, Ordering::Relaxed);
        if visit.source.is_lossy() {
            self.refuse(&visit, Unsearched::NotUtf8);
            return;
        }
        let template =
            self.templates.iter().find(|(pattern, _)| Arc::ptr_eq(pattern, visit.pattern));
        if let Some((_, template)) = template {
            self.rewrite(visit, template, matches);
        }
    }

    fn rewrite(&self, visit: Visit<'_>, template: &Template, matches: Vec<(usize, Match)>) {
        let src: &str = &visit.source.text;
        let readings = &visit.pattern.readings;
        let (listed, whole): (Vec<_>, Vec<_>) =
            matches.into_iter().partition(|(at, _)| readings[*at].listed.is_some());
        let of = |matches: Vec<(usize, Match)>| -> Vec<Match> {
            matches.into_iter().map(|(_, found)| found).collect()
        };
        let entry = listed.first().and_then(|(at, _)| readings[*at].listed);
        let mut plan = plan(template, src, visit.tree, &of(whole));
        if let Some(entry) = entry {
            match entry.rewrite(self.text).map(|text| Template::parse(text, visit.pattern)) {
                Some(Ok(template)) => {
                    plan.add(rewrite::plan(&template, src, visit.tree, &of(listed)));
                }
                _ => {
                    let word = entry.word;
                    let why = format!("the rewrite cannot stand in a group of `{word} (…)`");
                    return self.refuse(&visit, Unsearched::Walk(why));
                }
            }
        }
        lock(&self.gathered).left.add(Left {
            nested: plan.nested,
            in_errors: plan.broken,
            unchanged: plan.unchanged,
            unbound: plan.unbound,
            heredocs: plan.heredocs,
            comments: plan.comments_dropped,
            again: 0,
        });
        if plan.edits.is_empty() {
            return;
        }
        match splice(src, &plan.edits) {
            Ok(new) => self.draft(visit, new, &plan),
            Err(error) => self.refuse(&visit, Unsearched::Walk(error.to_string())),
        }
    }

    /// Captures the file as it was read, and keeps its new text.
    fn draft(&self, mut visit: Visit<'_>, new: String, plan: &Plan) {
        let raw = visit.raw.take();
        let target = visit.target;
        let captured =
            target.locate(self.root).and_then(|located| Ok((self.root.read(&located)?, located)));
        let (content, located) = match captured {
            Ok((content, located)) if content.bytes == visit.bytes => (content, located),
            Ok(_) => {
                let why = "changed while it was searched".to_owned();
                return self.refuse(&visit, Unsearched::Walk(why));
            }
            Err(error) => return self.refuse(&visit, Unsearched::Unreadable(error.to_string())),
        };
        let bom = visit.source.bom;
        let bytes = visit.bytes.len() + new.len();
        if self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes > self.room {
            return;
        }
        let (breaks_at, again) = self.check(&visit, raw, &new, &plan.edits).unwrap_or((None, 0));
        let mut text = visit.bytes[..bom].to_vec();
        text.extend_from_slice(new.as_bytes());
        let mut gathered = lock(&self.gathered);
        gathered.left.again += again;
        gathered.drafts.push(Draft {
            index: visit.index,
            file: StagedFile {
                path: visit.target.path().into(),
                rel: visit.target.rel.to_string(),
                replacements: plan.replacements,
            },
            located,
            old: content.into(),
            new: text,
            bom,
            splices: plan
                .edits
                .iter()
                .map(|e| Splice { old: e.range.clone(), new_len: e.text.len() })
                .collect(),
            breaks_at,
        });
    }

    fn refuse(&self, visit: &Visit<'_>, why: Unsearched) {
        let rel = visit.target.rel.to_string();
        lock(&self.gathered).refused.push((rel, why));
    }

    /// Parses the changed text again: the line of a new syntax error, and how many replacements match again.
    fn check(
        &self,
        visit: &Visit<'_>,
        raw: Option<RawTree>,
        new: &str,
        edits: &[Edit],
    ) -> Option<(Option<usize>, usize)> {
        let language = visit.tree.language();
        let before = faults(visit.tree);
        let quick = raw.is_some();
        let mut tree = match raw {
            Some(mut raw) => {
                for edit in edits.iter().rev() {
                    let start = edit.range.start;
                    raw.edit(start, edit.range.end, start + edit.text.len());
                }
                let again = RawTree::parse(language, new, Some(&raw), self.stop).ok()?;
                Tree::from_raw(&again, new)
            }
            None => Tree::parse(language, new, self.stop).ok()?,
        };
        if faults(&tree) > before && quick {
            // A parse that goes on from an old tree is quick; one from nothing is beyond doubt.
            tree = Tree::parse(language, new, self.stop).ok()?;
        }
        let breaks_at = match after_check(before, edits, new, &tree) {
            AfterCheck::Fine => None,
            AfterCheck::NewlyBroken { line } | AfterCheck::MoreErrors { line, .. } => Some(line),
        };
        let again: Vec<_> = visit
            .pattern
            .in_family()
            .flat_map(|reading| find(reading, &tree, new, None))
            .map(|found| found.range)
            .collect();
        Some((breaks_at, matches_again(edits, &again)))
    }
}
