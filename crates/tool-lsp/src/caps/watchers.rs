//! The files that a server asked to hear of.

use std::path::Path;

use globset::{GlobSet, GlobSetBuilder};
use serde_json::Value;

use super::glob;
use crate::client::FileChange;
use crate::uri::to_path;

const ALL: u64 = 7;

/// Patterns with the kinds of change that are wanted for each.
#[derive(Debug)]
pub(crate) struct Watchers {
    set: GlobSet,
    kinds: Vec<u64>,
}

impl Watchers {
    pub(super) fn new(options: &[&Value], root: &Path) -> Self {
        let mut set = GlobSetBuilder::new();
        let mut kinds = Vec::new();
        let watchers = options.iter().filter_map(|options| options["watchers"].as_array());
        for watcher in watchers.flatten() {
            let pattern = &watcher["globPattern"];
            let found = match (pattern.as_str(), pattern["pattern"].as_str()) {
                (Some(plain), _) => glob(plain),
                (None, Some(relative)) => {
                    let base = &pattern["baseUri"];
                    let base = base.as_str().or_else(|| base["uri"].as_str()).and_then(to_path);
                    let base = base.unwrap_or_else(|| root.to_path_buf());
                    let base = globset::escape(&base.to_string_lossy());
                    glob(&format!("{}/{relative}", base.trim_end_matches('/')))
                }
                (None, None) => None,
            };
            let Some(found) = found else { continue };
            set.add(found);
            kinds.push(watcher["kind"].as_u64().unwrap_or(ALL));
        }
        match set.build() {
            Ok(set) => Self { set, kinds },
            // Together they are too large: then all files are wanted.
            Err(_) => Self { set: everything(), kinds: vec![ALL] },
        }
    }

    /// Whether it wants to hear of this change.
    pub(crate) fn wants(&self, path: &Path, change: FileChange) -> bool {
        let bit = match change {
            FileChange::Created => 1,
            FileChange::Changed => 2,
            FileChange::Deleted => 4,
        };
        self.set.matches(path).into_iter().any(|at| self.kinds[at] & bit != 0)
    }

    /// Whether any change of this file is wanted.
    pub(crate) fn covers(&self, path: &Path) -> bool {
        self.set.is_match(path)
    }
}

fn everything() -> GlobSet {
    let mut set = GlobSetBuilder::new();
    if let Some(all) = glob("**/*") {
        set.add(all);
    }
    set.build().unwrap_or_else(|_| GlobSet::empty())
}
