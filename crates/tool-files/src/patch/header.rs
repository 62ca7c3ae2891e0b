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
    pub(crate) copy_from: Option<String>,
    pub(crate) copy_to: Option<String>,
    pub(crate) created: Option<String>,
    pub(crate) deleted: bool,
    /// The mode that a file gets which has another.
    pub(crate) mode: Option<String>,
}

const NOWHERE: &str = "/dev/null";

impl Headers {
    /// Takes one of git's header lines.
    pub(crate) fn extended(&mut self, line: &str, at: usize) -> Result<(), PatchError> {
        let refuse =
            |what: &str| Err(PatchError::new(at, format!("{what} cannot be applied here")));
        // A symbolic link, or another repository: what git shows of it is not the content of a file.
        let is_no_file = |mode: &str| matches!(mode.trim(), "120000" | "160000");
        if let Some(path) = line.strip_prefix("rename from ") {
            self.rename_from = Some(unquote(path));
        } else if let Some(path) = line.strip_prefix("rename to ") {
            self.rename_to = Some(unquote(path));
        } else if let Some(mode) = line.strip_prefix("new file mode ") {
            self.created = Some(mode.trim().to_owned());
        } else if let Some(mode) = line.strip_prefix("deleted file mode ") {
            if is_no_file(mode) {
                return refuse("the removal of a symbolic link");
            }
            self.deleted = true;
        } else if let Some(mode) = line.strip_prefix("new mode ") {
            self.mode = Some(mode.trim().to_owned());
        } else if let Some(path) = line.strip_prefix("copy from ") {
            self.copy_from = Some(unquote(path));
        } else if let Some(path) = line.strip_prefix("copy to ") {
            self.copy_to = Some(unquote(path));
        } else if line.starts_with("index ") && line.rsplit(' ').next().is_some_and(is_no_file) {
            return refuse("a change of a symbolic link");
        } else if line.starts_with("GIT binary patch") || line.starts_with("Binary files ") {
            return refuse("a binary patch");
        }
        Ok(())
    }

    /// What becomes of which file.
    pub(crate) fn verb(&self, has_hunks: bool) -> Result<Verb, PatchError> {
        let fail = |message: String| Err(PatchError::new(self.line, message));
        let executable = match self.created.as_deref().or(self.mode.as_deref()) {
            None => None,
            Some("100644") => Some(false),
            Some("100755") => Some(true),
            Some(mode) => return fail(format!("a file of mode {mode} cannot be made here")),
        };
        if let (Some(from), Some(to)) = (&self.rename_from, &self.rename_to) {
            return Ok(Verb::Rename { from: from.clone(), to: to.clone(), executable });
        }
        if let (Some(from), Some(to)) = (&self.copy_from, &self.copy_to) {
            return Ok(Verb::Copy { from: from.clone(), to: to.clone(), executable });
        }
        let prefixes = self.git.as_deref().and_then(prefixes);
        let (old, new) = match (&self.old, &self.new) {
            (Some(old), Some(new)) => (old.clone(), new.clone()),
            // An empty file that is created or deleted has no other headers.
            _ => match self.git.as_deref().and_then(git_path) {
                Some(path) if self.created.is_some() => {
                    return Ok(Verb::Create { path, executable });
                }
                Some(path) if self.deleted => return Ok(Verb::Delete { path }),
                Some(_) if self.mode.is_some() => {
                    return fail(
                        "a change of nothing but a file's mode cannot be applied here; leave it out"
                            .to_owned(),
                    );
                }
                _ => return fail("a file without \"---\" and \"+++\" lines".to_owned()),
            },
        };
        if !has_hunks {
            return fail(format!("no hunk (\"@@\") follows the headers of {new}"));
        }
        match (old.as_str(), new.as_str()) {
            (NOWHERE, NOWHERE) => fail("neither \"---\" nor \"+++\" names a file".to_owned()),
            (NOWHERE, new) => Ok(Verb::Create {
                path: without(new, prefixes.as_ref().map_or("b/", |(_, new)| new)),
                executable,
            }),
            (old, NOWHERE) => Ok(Verb::Delete {
                path: without(old, prefixes.as_ref().map_or("a/", |(old, _)| old)),
            }),
            (old, new) => {
                let (a, b) = prefixes.as_ref().map_or(("a/", "b/"), |(a, b)| (a, b));
                let stripped = old.strip_prefix(a).zip(new.strip_prefix(b));
                let (old, new) = stripped.unwrap_or((old, new));
                if old == new {
                    return Ok(Verb::Change { path: new.to_owned(), executable });
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
    match rest.split_once('\t') {
        Some((path, _)) => path.to_owned(),
        None => rest.trim_end().to_owned(),
    }
}

fn without(path: &str, prefix: &str) -> String {
    path.strip_prefix(prefix).unwrap_or(path).to_owned()
}

/// The one path of `a/PATH b/PATH`.
fn git_path(rest: &str) -> Option<String> {
    let (old, _) = halves(rest)?;
    let (prefix, _) = prefixes(rest)?;
    Some(without(&old, &prefix))
}

/// What stands before the two paths: `a/` and `b/`, or whatever git was told, perhaps nothing. `None` if they are two
/// different paths.
fn prefixes(rest: &str) -> Option<(String, String)> {
    let (old, new) = halves(rest)?;
    if old == new {
        return Some((String::new(), String::new()));
    }
    let (a, b) = (old.find('/')? + 1, new.find('/')? + 1);
    (old[a..] == new[b..]).then(|| (old[..a].to_owned(), new[..b].to_owned()))
}

/// The two paths of a `diff --git` line, if they are of the same length: those of a rename are told elsewhere.
fn halves(rest: &str) -> Option<(String, String)> {
    if rest.starts_with('"') {
        let middle = rest.get(1..)?.find("\" ")? + 2;
        return Some((unquote(&rest[..middle]), unquote(&rest[middle + 1..])));
    }
    let half = rest.len().checked_sub(1)? / 2;
    let (old, new) = (rest.get(..half)?, rest.get(half + 1..)?);
    (rest.get(half..=half) == Some(" ")).then(|| (old.to_owned(), new.to_owned()))
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
            Some(b'a') => bytes.push(7),
            Some(b'b') => bytes.push(8),
            Some(b'v') => bytes.push(11),
            Some(b'f') => bytes.push(12),
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
        assert_eq!(git_path("i/x/y w/x/y").as_deref(), Some("x/y"));
        assert_eq!(git_path("b/x b/x").as_deref(), Some("b/x"), "made without prefixes");
        assert_eq!(git_path("x x").as_deref(), Some("x"));
        assert_eq!(path_of("\"a/\\a\\b\\v\\f\""), "a/\u{7}\u{8}\u{b}\u{c}");
        assert_eq!(path_of("a/x \t"), "a/x ", "git ends a path with blanks by a tab");
        assert_eq!(git_path(""), None);
        assert_eq!(git_path("\"a/\\303\\244\" \"b/\\303\\244\"").as_deref(), Some("ä"));
    }
}
