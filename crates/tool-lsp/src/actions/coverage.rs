//! How the references of an answer compare with a plain search for the word.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tool_workspace::{Root, Walk, WalkOptions};

use super::aim::off;
use crate::render::Coverage;
use crate::spec::ServerSpec;
use crate::text::Text;
use crate::textcheck::{self, Kind};

/// What a search reads at most before it says that it is cut.
const FILES: usize = 20_000;
const BYTES: u64 = 256 * 1024 * 1024;
const TIME: Duration = Duration::from_secs(5);
const FILE_BYTES: u64 = 8 * 1024 * 1024;

/// The lines (from 0, one entry a hit) on which a word stands, and in what, by file.
#[derive(Debug, Default)]
pub(crate) struct Words {
    lines: HashMap<PathBuf, Vec<(u32, Kind)>>,
    cut: bool,
}

/// Searches the files that a server serves below a folder, as ripgrep would choose them.
pub(crate) async fn search(root: Root, below: PathBuf, spec: ServerSpec, word: String) -> Words {
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
        options.extensions =
            Some(spec.documents.iter().map(|(ending, _)| ending.clone()).collect());
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
                let lines = lines_of(&text, spec.language_id(&file.path), &word);
                if !lines.is_empty() {
                    words.lines.insert(file.path.clone(), lines);
                }
            }
        }
        words
    })
    .await
}

fn lines_of(text: &Text, language: Option<&str>, word: &str) -> Vec<(u32, Kind)> {
    let starts: Vec<usize> = textcheck::words(text.src(), word).map(|range| range.start).collect();
    let kinds = textcheck::kinds(language, text.src(), starts.iter().copied());
    starts.iter().map(|start| text.line_of(*start)).zip(kinds).collect()
}

/// Compares hits with places, line by line: a place on a line accounts for one hit on it, first for one in code.
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
        let mut lines = lines.clone();
        lines.sort_by_key(|(line, kind)| (*line, matches!(kind, Kind::Comment | Kind::Text)));
        for (line, kind) in lines {
            coverage.hits += 1;
            match left.get_mut(&(path.as_path(), line)) {
                Some(n) if *n > 0 => {
                    *n -= 1;
                    coverage.known += 1;
                }
                _ => match kind {
                    Kind::Comment => coverage.comments += 1,
                    Kind::Text => coverage.strings += 1,
                    Kind::Code | Kind::Other => {
                        coverage.others.push((root.relative(path), line + 1));
                    }
                },
            }
        }
    }
    coverage.others.sort();
    coverage
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Role;

    #[tokio::test]
    async fn hits_are_compared_with_places_line_by_line() {
        let dir = tempfile::tempdir().expect("a folder");
        let root = Root::open(dir.path()).expect("it is there");
        let write = |name: &str, text: &str| {
            std::fs::write(root.path().join(name), text).expect("it is written");
        };
        write("a.py", "greet(greet)  # greet\nx = 'greet'\ngreeting = 1\ngreet = 2\n");
        write("b.py", "# greet\r\n# greet greet\r\n");
        write("c.txt", "greet");
        let mut spec = ServerSpec::new("ty", Role::Types);
        spec.documents = vec![("py".into(), "python".into())];
        let words = search(root.clone(), root.path().to_owned(), spec, "greet".into()).await;
        let a = root.path().join("a.py");
        let places = [(a.as_path(), 0), (a.as_path(), 0), (a.as_path(), 7)];
        let coverage = compare(&root, &words, places.into_iter());
        assert_eq!((coverage.hits, coverage.known, coverage.cut), (8, 2, false));
        assert_eq!((coverage.comments, coverage.strings), (4, 1));
        assert_eq!(coverage.others, [("a.py".to_owned(), 4)]);
    }
}
