//! Files that a checker writes into the checkout and cannot write elsewhere: put back as they were.

use std::fs;
use std::path::PathBuf;

/// The content of some files before a check; they get it back when this is dropped.
#[derive(Debug)]
pub(crate) struct Traces {
    before: Vec<(PathBuf, Option<Vec<u8>>)>,
}

impl Traces {
    /// Remembers the files. Blocks.
    pub(crate) fn of(files: &[PathBuf]) -> Self {
        Self { before: files.iter().map(|file| (file.clone(), fs::read(file).ok())).collect() }
    }
}

impl Drop for Traces {
    fn drop(&mut self) {
        for (file, before) in &self.before {
            let now = fs::read(file).ok();
            if now == *before {
                continue;
            }
            // Best effort: what cannot be put back is what the checker's own users live with.
            let _ = match before {
                Some(bytes) => fs::write(file, bytes),
                None => fs::remove_file(file),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Traces;
    use std::fs;

    #[test]
    fn files_are_put_back() {
        let dir = tempfile::tempdir().expect("a folder");
        let (old, new) = (dir.path().join("old"), dir.path().join("new"));
        fs::write(&old, "1").expect("written");
        let traces = Traces::of(&[old.clone(), new.clone()]);
        fs::write(&old, "2").expect("written");
        fs::write(&new, "2").expect("written");
        drop(traces);
        assert_eq!(fs::read_to_string(&old).expect("there"), "1");
        assert!(!new.exists());
    }
}
