//! From the files as they were and would be to one change set.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tool_workspace::ChangeSet;

use super::tree::{Node, Tree};
use super::{Staged, StagedFile};
use crate::edits::EditProblem;

pub(super) fn finish(tree: Tree<'_>) -> Result<Staged, EditProblem> {
    let mut changes = ChangeSet::new();
    let mut files = Vec::new();
    // Files that are gone and whose bytes live on at a place where nothing was.
    let mut moved: BTreeSet<PathBuf> = BTreeSet::new();
    for (within, node) in &tree.now {
        let Some(node) = node else { continue };
        if tree.before.contains_key(within) {
            continue;
        }
        let Some(to) = tree.places.get(within) else { continue };
        let origin = origin(&tree, node).filter(|from| gone(&tree, from) && !moved.contains(*from));
        match origin.and_then(|from| Some((from, tree.before.get(from)?))) {
            Some((from, before)) => {
                let captured = before.captured.clone();
                changes.rename(&before.at, captured, to, node.content.clone())?;
                moved.insert(from.to_path_buf());
            }
            None => changes.create(to, node.content.clone())?,
        }
        let from = origin.and_then(|from| tree.before.get(from)).map(|before| before.at.rel());
        files.push(StagedFile {
            rel: to.rel(),
            path: to.path().to_path_buf(),
            from,
            edits: node.edits,
            new: Some(node.content.clone()),
        });
    }
    for (within, before) in &tree.before {
        let (at, captured) = (&before.at, before.captured.clone());
        let (rel, path) = (at.rel(), at.path().to_path_buf());
        match tree.now.get(within) {
            Some(Some(node)) => {
                let same = node.content == captured.bytes();
                let from = origin(&tree, node).filter(|from| *from != within);
                let from = from.and_then(|from| tree.before.get(from)).map(|b| b.at.rel());
                changes.replace(at, captured, node.content.clone())?;
                if !same || node.edits > 0 {
                    let new = Some(node.content.clone());
                    files.push(StagedFile { rel, path, from, edits: node.edits, new });
                }
            }
            Some(None) | None if !moved.contains(within) => {
                changes.delete(at, captured)?;
                let lives = tree.now.values().flatten().any(|n| n.origin.as_ref() == Some(within));
                if !lives {
                    files.push(StagedFile { rel, path, from: None, edits: 0, new: None });
                }
            }
            _ => {}
        }
    }
    files.sort_by(|a, b| a.rel.cmp(&b.rel));
    let mut folders = tree.folders;
    folders.sort();
    folders.dedup();
    Ok(Staged { changes, files, folders })
}

fn origin<'t>(tree: &Tree<'_>, node: &'t Node) -> Option<&'t Path> {
    node.origin.as_deref().filter(|from| tree.before.contains_key(*from))
}

fn gone(tree: &Tree<'_>, within: &Path) -> bool {
    matches!(tree.now.get(within), Some(None))
}
