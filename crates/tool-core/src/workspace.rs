//! The folder a run works in, as text only: the core touches no file system.

use std::path::{Component, Path, PathBuf};

/// The folder a run works in.
///
/// Its methods are lexical. Whether a path exists, and where its symbolic links lead, is asked of `tool-workspace`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// The workspace at this folder.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The path a text names, from the root, with `.` and `..` resolved as text.
    ///
    /// For announcing targets (cards, locks, baselines), not for opening files.
    #[must_use]
    pub fn lexical(&self, path: &str) -> PathBuf {
        let mut out = PathBuf::new();
        for part in self.root.join(path).components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => {
                    out.pop();
                }
                other => out.push(other),
            }
        }
        out
    }

    /// A path as people and models see it: relative with `/` inside the root, absolute outside.
    #[must_use]
    pub fn display(&self, path: &Path) -> String {
        let shown = match path.strip_prefix(&self.root) {
            Ok(inside) if inside.as_os_str().is_empty() => return ".".to_owned(),
            Ok(inside) => inside,
            Err(_) => return path.to_string_lossy().into_owned(),
        };
        let parts: Vec<_> = shown.components().map(|c| c.as_os_str().to_string_lossy()).collect();
        parts.join("/")
    }
}

/// The files a call will touch, as far as its arguments tell.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Targets {
    /// The arguments do not tell.
    Unknown,
    /// None at all.
    None,
    /// These and no others.
    Paths(Vec<PathBuf>),
}

#[cfg(test)]
mod tests {
    use super::Workspace;
    use std::path::Path;

    #[test]
    fn paths_are_text_here() {
        let ws = Workspace::new("/w/p");
        assert_eq!(ws.lexical("a/./b/../c.rs"), Path::new("/w/p/a/c.rs"));
        assert_eq!(ws.lexical("../../../x"), Path::new("/x"));
        assert_eq!(ws.lexical("/abs"), Path::new("/abs"));
        assert_eq!(ws.display(Path::new("/w/p/a/c.rs")), "a/c.rs");
        assert_eq!(ws.display(Path::new("/w/p")), ".");
        assert_eq!(ws.display(Path::new("/w/q")), "/w/q");
    }
}
