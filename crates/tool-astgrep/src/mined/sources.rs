//! Where patterns are mined.

use std::fs;
use std::path::{Path, PathBuf};

/// A file to mine.
pub(super) struct Source {
    pub(super) name: String,
    pub(super) text: String,
}

/// Larger files are left out: every pattern is searched for in all of its file.
const FILE: usize = 200_000;
/// Enough text of a language.
const ALL: usize = 2_000_000;

/// The files of a language: of the corpus if there is one, else the bundled ones.
pub(super) fn of(id: &str) -> Vec<Source> {
    let bundled = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sources").join(id);
    if let Some(corpus) = std::env::var_os("RUNBOUND_CORPUS") {
        let found = under(&PathBuf::from(corpus).join(id));
        if !found.is_empty() {
            return found;
        }
    }
    under(&bundled)
}

fn under(folder: &Path) -> Vec<Source> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = fs::read_to_string(&path)
                && text.len() <= FILE
            {
                // The patterns have line ends as people type them.
                let text = text.replace("\r\n", "\n");
                found.push(Source { name: path.display().to_string(), text });
            }
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    let mut room = ALL;
    found.retain(|source| {
        let fits = source.text.len() <= room;
        room -= if fits { source.text.len() } else { 0 };
        fits
    });
    found
}
