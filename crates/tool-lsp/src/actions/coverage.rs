//! How the references of an answer compare with a plain search for the word.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tool_workspace::{Root, Walk, WalkOptions};

use super::aim::off;
use crate::position::whole_identifiers;
use crate::render::Coverage;
use crate::text::Text;

/// What a search reads at most before it says that it is cut.
const FILES: usize = 20_000;
const BYTES: u64 = 256 * 1024 * 1024;
const TIME: Duration = Duration::from_secs(5);
const FILE_BYTES: u64 = 8 * 1024 * 1024;

/// The lines (from 0, one entry a hit) on which a word stands, by file.
#[derive(Debug, Default)]
pub(crate) struct Words {
    lines: HashMap<PathBuf, Vec<u32>>,
    cut: bool,
}

/// Searches the files with these extensions below a folder, as ripgrep would choose them.
pub(crate) async fn search(
    root: Root,
    below: PathBuf,
    extensions: Vec<String>,
    word: String,
) -> Words {
    off(move || {
        let mut words = Words::default();
        let asked = root.relative(&below);
        let Ok(start) = root.resolve(&asked) else {
            words.cut = true;
            return words;
        };
        let began = Instant::now();
        let mut options = WalkOptions::default();
        options.count_excluded = false;
        options.extensions = Some(extensions);
        let late = || began.elapsed() > TIME;
        let Ok(walked) = Walk::new(&root, &start).options(options).run_until(&late) else {
            words.cut = true;
            return words;
        };
        words.cut |= walked.stopped;
        let mut bytes = 0;
        for (n, file) in walked.files.iter().enumerate() {
            bytes += file.len;
            if n >= FILES || bytes > BYTES || late() {
                words.cut = true;
                break;
            }
            if file.len > FILE_BYTES {
                words.cut = true;
                continue;
            }
            let Ok(content) = root.read_walked(file) else { continue };
            if let Ok(text) = std::str::from_utf8(&content.bytes)
                && text.contains(&word)
                && let Ok(text) = Text::new(content.bytes)
            {
                let lines = lines_of(&text, &word);
                if !lines.is_empty() {
                    words.lines.insert(file.path.clone(), lines);
                }
            }
        }
        words
    })
    .await
}

fn lines_of(text: &Text, word: &str) -> Vec<u32> {
    whole_identifiers(text.src(), word).map(|range| text.line_of(range.start)).collect()
}

/// Compares hits with places, line by line: a place on a line accounts for one hit on it.
pub(crate) fn compare<'p>(
    root: &Root,
    words: &Words,
    places: impl Iterator<Item = (&'p Path, u32)>,
) -> Coverage {
    let mut left: HashMap<(&Path, u32), usize> = HashMap::new();
    for place in places {
        *left.entry(place).or_default() += 1;
    }
    let mut coverage = Coverage { cut: words.cut, ..Coverage::default() };
    for (path, lines) in &words.lines {
        let mut unknown = 0;
        for line in lines {
            coverage.hits += 1;
            match left.get_mut(&(path.as_path(), *line)) {
                Some(n) if *n > 0 => {
                    *n -= 1;
                    coverage.known += 1;
                }
                _ => unknown += 1,
            }
        }
        if unknown > 0 {
            coverage.others.push((root.relative(path), unknown));
        }
    }
    coverage.others.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    coverage
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn hits_are_compared_with_places_line_by_line() {
        let dir = tempfile::tempdir().expect("a folder");
        let root = Root::open(dir.path()).expect("it is there");
        let write = |name: &str, text: &str| {
            std::fs::write(root.path().join(name), text).expect("it is written");
        };
        write("a.py", "greet(greet)\nx = 'greet'\ngreeting = 1\n");
        write("b.py", "# greet\r\n# greet greet\r\n");
        write("c.txt", "greet");
        write(".gitignore", "");
        let words =
            search(root.clone(), root.path().to_owned(), vec!["py".into()], "greet".into()).await;
        let a = root.path().join("a.py");
        let coverage = compare(
            &root,
            &words,
            [(a.as_path(), 0), (a.as_path(), 0), (a.as_path(), 7)].into_iter(),
        );
        assert_eq!((coverage.hits, coverage.known, coverage.cut), (6, 2, false));
        assert_eq!(coverage.others, [("b.py".to_owned(), 3), ("a.py".to_owned(), 1)]);
    }
}
