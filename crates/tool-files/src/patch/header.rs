//! The lines before a file's hunks: which file, and what becomes of it.

use crate::patch::{PatchError, Verb};

/// What the headers of one file say.
#[derive(Debug, Default)]
pub(crate) struct Headers {
    /// Line of the first of them in the patch, from 1.
    pub(crate) line: usize,
    /// What follows `diff --git `.
    pub(crate) git: Option<String>,
    pub(crate) old: Option<String>,
    pub(crate) new: Option<String>,
    pub(crate) rename_from: Option<String>,
    pub(crate) rename_to: Option<String>,
    pub(crate) created: Option<String>,
    pub(crate) deleted: bool,
}

const NOWHERE: &str = "/dev/null";

impl Headers {
    /// Takes one of git's header lines.
    pub(crate) fn extended(&mut self, line: &str, at: usize) -> Result<(), PatchError> {
        let refuse =
            |what: &str| Err(PatchError::new(at, format!("{what} cannot be applied here")));
        if let Some(path) = line.strip_prefix("rename from ") {
            self.rename_from = Some(unquote(path));
        } else if let Some(path) = line.strip_prefix("rename to ") {
            self.rename_to = Some(unquote(path));
        } else if let Some(mode) = line.strip_prefix("new file mode ") {
            self.created = Some(mode.trim().to_owned());
        } else if line.starts_with("deleted file mode ") {
            self.deleted = true;
        } else if line.starts_with("old mode ") || line.starts_with("new mode ") {
            return refuse("a change of a file's mode");
        } else if line.starts_with("copy from ") || line.starts_with("copy to ") {
            return refuse("a copy (give the new file as added lines)");
        } else if line.starts_with("GIT binary patch") || line.starts_with("Binary files ") {
            return refuse("a binary patch");
        }
        Ok(())
    }

    /// What becomes of which file.
    pub(crate) fn verb(&self, has_hunks: bool) -> Result<Verb, PatchError> {
        let fail = |message: String| Err(PatchError::new(self.line, message));
        if let (Some(from), Some(to)) = (&self.rename_from, &self.rename_to) {
            return Ok(Verb::Rename { from: from.clone(), to: to.clone() });
        }
        let executable = match self.created.as_deref() {
            None | Some("100644") => false,
            Some("100755") => true,
            Some(mode) => return fail(format!("a new file of mode {mode} cannot be created here")),
        };
        let (old, new) = match (&self.old, &self.new) {
            (Some(old), Some(new)) => (old.clone(), new.clone()),
            // An empty file that is created or deleted has no other headers.
            _ => match self.git.as_deref().and_then(git_path) {
                Some(path) if self.created.is_some() => {
                    return Ok(Verb::Create { path, executable });
                }
                Some(path) if self.deleted => return Ok(Verb::Delete { path }),
                _ => return fail("a file without \"---\" and \"+++\" lines".to_owned()),
            },
        };
        if !has_hunks {
            return fail(format!("no hunk (\"@@\") follows the headers of {new}"));
        }
        match (old.as_str(), new.as_str()) {
            (NOWHERE, NOWHERE) => fail("neither \"---\" nor \"+++\" names a file".to_owned()),
            (NOWHERE, new) => Ok(Verb::Create { path: without(new, "b/"), executable }),
            (old, NOWHERE) => Ok(Verb::Delete { path: without(old, "a/") }),
            (old, new) => {
                let stripped = old.strip_prefix("a/").zip(new.strip_prefix("b/"));
                let (old, new) = stripped.unwrap_or((old, new));
                if old == new {
                    return Ok(Verb::Change { path: new.to_owned() });
                }
                fail(format!(
                    "\"---\" names {old} and \"+++\" names {new}; to rename a file add \"rename from\" and \"rename to\""
                ))
            }
        }
    }
}

/// The path after `--- ` or `+++ `: unquoted, without a time stamp.
pub(crate) fn path_of(rest: &str) -> String {
    if rest.starts_with('"') {
        return unquote(rest);
    }
    let path = rest.split('\t').next().unwrap_or(rest);
    path.trim_end().to_owned()
}

fn without(path: &str, prefix: &str) -> String {
    path.strip_prefix(prefix).unwrap_or(path).to_owned()
}

/// The one path of `a/PATH b/PATH`.
fn git_path(rest: &str) -> Option<String> {
    if let Some(quoted) = rest.strip_prefix('"') {
        let end = quoted.find("\" ")? + 2;
        return Some(without(&unquote(&rest[..end]), "a/"));
    }
    let half = rest.len().checked_sub(1)? / 2;
    let (old, new) = (rest.get(..half)?, rest.get(half + 1..)?);
    let path = old.strip_prefix("a/")?;
    (new.strip_prefix("b/") == Some(path)).then(|| path.to_owned())
}

/// Undoes git's quoting of unusual paths.
fn unquote(path: &str) -> String {
    let path = path.trim_end();
    let Some(inner) = path.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return path.to_owned();
    };
    let mut bytes = Vec::new();
    let mut rest = inner.bytes().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next() {
            Some(b'n') => bytes.push(b'\n'),
            Some(b't') => bytes.push(b'\t'),
            Some(b'r') => bytes.push(b'\r'),
            Some(digit @ b'0'..=b'7') => {
                let mut value = u32::from(digit - b'0');
                for _ in 0..2 {
                    if let Some(digit @ b'0'..=b'7') = rest.peek().copied() {
                        value = value * 8 + u32::from(digit - b'0');
                        rest.next();
                    }
                }
                bytes.push(u8::try_from(value & 0xff).unwrap_or(0));
            }
            Some(other) => bytes.push(other),
            None => {}
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_as_git_writes_them() {
        assert_eq!(path_of("a/x y.rs\t2024-01-01 00:00:00"), "a/x y.rs");
        assert_eq!(path_of("\"a/\\303\\244\\t\\\"x\\\".rs\""), "a/ä\t\"x\".rs");
        assert_eq!(git_path("a/x b/x").as_deref(), Some("x"));
        assert_eq!(git_path("a/x b/y b/x b/y").as_deref(), Some("x b/y"));
        assert_eq!(git_path("a/x b/y"), None);
        assert_eq!(git_path(""), None);
        assert_eq!(git_path("\"a/\\303\\244\" \"b/\\303\\244\"").as_deref(), Some("ä"));
    }
}
