//! From a server's edit to one change set: steps are carried out in memory, in their order, on the files as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use tool_workspace::{
    ByteEdit, Captured, ChangeSet, ContentHash, Located, Root, WorkspaceErrorKind, splice,
};

use crate::edits::{EditProblem, Plan, Step, WireEdit, to_byte_edits};
use crate::text::{Encoding, Text};

mod finish;
mod tree;

use tree::Tree;

/// The most bytes that a change may hold.
const MOST_BYTES: usize = 512 << 20;

/// What was known when the server was asked.
pub(crate) struct Known<'a> {
    pub(crate) root: &'a Root,
    /// In what the server counts.
    pub(crate) encoding: Encoding,
    /// The version of a document that is open in the server.
    pub(crate) version: &'a dyn Fn(&Path) -> Option<i64>,
    /// Files as they were, by their real path.
    pub(crate) hashes: &'a BTreeMap<PathBuf, ContentHash>,
    /// A file that is not among them must not have changed since.
    pub(crate) asked_at: SystemTime,
}

/// A look at the edits of one file before they are applied.
pub(crate) type Check<'a> =
    &'a mut dyn FnMut(&Located, &Text, &[ByteEdit]) -> Result<(), EditProblem>;

/// One file of a staged edit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StagedFile {
    /// Relative to the root: where it is afterwards, or was if it is gone.
    pub(crate) rel: String,
    pub(crate) path: PathBuf,
    /// Where it was before, if it moved.
    pub(crate) from: Option<String>,
    /// How many edits.
    pub(crate) edits: usize,
    /// Its content afterwards; `None` if it is gone.
    pub(crate) new: Option<Vec<u8>>,
}

/// An edit that is ready to be committed.
#[derive(Debug)]
pub(crate) struct Staged {
    pub(crate) changes: ChangeSet,
    /// In the order of their paths.
    pub(crate) files: Vec<StagedFile>,
    /// Folders that were moved or deleted as such; what is empty of them goes after the commit, innermost first.
    pub(crate) folders: Vec<PathBuf>,
}

/// Carries the steps out in memory. Reads files; writes nothing.
///
/// # Errors
/// [`EditProblem`], for the first step that cannot be carried out.
pub(crate) fn stage(
    plan: &Plan,
    known: &Known<'_>,
    check: Check<'_>,
) -> Result<Staged, EditProblem> {
    inside(plan, known.root)?;
    let mut tree = Tree::new(known);
    let mut at = 0;
    while let Some(step) = plan.steps.get(at) {
        match step {
            Step::Text { .. } => {
                // Documents between two operations are edited as they were before the first of these steps, under
                // whatever names a server writes one file.
                let run = plan.steps[at..].iter().take_while(|s| matches!(s, Step::Text { .. }));
                let run: Vec<&Step> = run.collect();
                at += run.len();
                texts(&run, &mut tree, known, check)?;
                continue;
            }
            Step::Create { path, overwrite, ignore } => tree.create(path, *overwrite, *ignore)?,
            Step::Rename { from, to, overwrite, ignore } => {
                tree.rename(from, to, *overwrite, *ignore)?;
            }
            Step::Delete { path, recursive, ignore } => tree.delete(path, *recursive, *ignore)?,
        }
        at += 1;
    }
    finish::finish(tree)
}

/// Refuses an edit that leaves the root, and names all such files.
fn inside(plan: &Plan, root: &Root) -> Result<(), EditProblem> {
    let mut outside = BTreeSet::new();
    for path in plan.steps.iter().flat_map(Step::paths) {
        match locate(root, path) {
            Err(EditProblem::Path(error)) if error.kind() == WorkspaceErrorKind::Outside => {
                outside.insert(path.display().to_string());
            }
            _ => {}
        }
    }
    if outside.is_empty() {
        return Ok(());
    }
    Err(EditProblem::Outside { paths: outside.into_iter().collect() })
}

fn locate(root: &Root, path: &Path) -> Result<Located, EditProblem> {
    let Some(text) = path.to_str() else {
        let rel = path.display().to_string();
        return Err(EditProblem::NotText { rel, why: "its name is no UTF-8".into() });
    };
    root.resolve_new(text).map_err(EditProblem::Path)
}

/// Applies steps that edit documents, all edits of one file at once.
fn texts(
    run: &[&Step],
    tree: &mut Tree<'_>,
    known: &Known<'_>,
    check: Check<'_>,
) -> Result<(), EditProblem> {
    let mut files: BTreeMap<PathBuf, (Located, Option<i64>, Vec<WireEdit>)> = BTreeMap::new();
    for step in run {
        let Step::Text { path, version, edits } = step else { continue };
        let at = locate(known.root, path)?;
        if let (Some(theirs), Some(ours)) = (version, (known.version)(path))
            && *theirs != ours
        {
            return Err(EditProblem::Version { rel: at.rel(), ours, theirs: *theirs });
        }
        let file = files.entry(at.within().to_path_buf()).or_insert((at, None, Vec::new()));
        match (file.1, version) {
            (Some(one), Some(other)) if one != *other => {
                return Err(EditProblem::Versions { rel: file.0.rel(), one, other: *other });
            }
            (None, Some(_)) => file.1 = *version,
            _ => {}
        }
        file.2.extend(edits.iter().cloned());
    }
    for (at, _, edits) in files.into_values() {
        if edits.is_empty() {
            continue;
        }
        let rel = at.rel();
        let Some(bytes) = tree.content(&at)? else {
            return Err(EditProblem::Missing { rel });
        };
        let text = Text::new(bytes.clone())
            .map_err(|why| EditProblem::NotText { rel: rel.clone(), why: why.to_string() })?;
        let edits = to_byte_edits(&rel, &text, known.encoding, &edits)?;
        check(&at, &text, &edits)?;
        let count = edits.len();
        let new = splice(&bytes, edits).map_err(|why| {
            EditProblem::Stage(tool_workspace::StageError::Edits { rel: rel.clone(), why })
        })?;
        tree.set(&at, new, count);
        if tree.bytes() > MOST_BYTES {
            let what = format!("over {} MiB in {} files", MOST_BYTES >> 20, tree.len());
            return Err(EditProblem::TooMuch { what });
        }
    }
    Ok(())
}

/// Reads a file as it is now, if it is what it was when the server was asked.
fn capture(known: &Known<'_>, at: &Located) -> Result<Captured, EditProblem> {
    let content = known.root.read(at).map_err(EditProblem::Path)?;
    let captured = Captured::from(content);
    let fresh = match known.hashes.get(at.path()) {
        Some(hash) => *hash == captured.hash(),
        None => {
            let asked = known.asked_at.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos());
            captured.identity().mtime_ns <= i128::try_from(asked).unwrap_or(i128::MAX)
        }
    };
    if fresh { Ok(captured) } else { Err(EditProblem::Changed { rel: at.rel() }) }
}

#[cfg(test)]
mod tests;
