//! Verdicts that came too late for their own result. Pure.

use std::path::{Path, PathBuf};

use tool_workspace::ContentHash;

use crate::diagnostics::Diagnostic;

/// A verdict that was waited for after its write's result had gone out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Late {
    pub(crate) file: PathBuf,
    pub(crate) server: String,
    /// Of the content that it is about: with any other it is void.
    pub(crate) hash: ContentHash,
    /// What was found, or why there will be no verdict.
    pub(crate) came: Result<Vec<Diagnostic>, String>,
}

/// Late verdicts that wait to be told, each once, with the next result of the run.
#[derive(Default, Debug)]
pub(crate) struct Deferred {
    queue: Vec<Late>,
}

impl Deferred {
    /// Keeps a verdict. One on the same file by the same server is replaced.
    pub(crate) fn put(&mut self, late: Late) {
        self.queue.retain(|old| old.file != late.file || old.server != late.server);
        self.queue.push(late);
    }

    /// The files of which something waits.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        self.queue.iter().map(|late| late.file.clone()).collect()
    }

    /// Takes all out. Those that are about another content than the file has now are dropped: they were never told, so
    /// the next verdict will tell what they would have.
    pub(crate) fn take(&mut self, now: &dyn Fn(&Path) -> Option<ContentHash>) -> Vec<Late> {
        let all = std::mem::take(&mut self.queue);
        all.into_iter().filter(|late| now(&late.file) == Some(late.hash)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Deferred, Late};
    use std::path::{Path, PathBuf};
    use tool_workspace::ContentHash;

    fn late(file: &str, server: &str, text: &str) -> Late {
        Late {
            file: PathBuf::from(file),
            server: server.into(),
            hash: ContentHash::of(text.as_bytes()),
            came: Ok(Vec::new()),
        }
    }

    #[test]
    fn each_is_told_once_and_only_of_the_content_that_is_there() {
        let mut deferred = Deferred::default();
        deferred.put(late("a", "ty", "old"));
        deferred.put(late("a", "ty", "new"));
        deferred.put(late("a", "ruff", "old"));
        deferred.put(late("gone", "ty", "x"));
        assert_eq!(deferred.files().len(), 3);
        let now = |path: &Path| (path == Path::new("a")).then(|| ContentHash::of(b"new"));
        assert_eq!(deferred.take(&now), [late("a", "ty", "new")]);
        assert!(deferred.take(&now).is_empty(), "told once");
    }
}
