//! Takes each language's files out of the fetched packages: `corpus/<language>/`, few, of bearable size, always the same.

use super::catalog::LANGUAGES;
use super::fetch;
use anyhow::Result;
use std::fs;
use std::path::{Path, PathBuf};

/// Files a language, their sizes in bytes, and their sizes together.
const FILES: usize = 80;
const SMALLEST: u64 = 120;
const LARGEST: u64 = 150_000;
const TOGETHER: u64 = 1_500_000;

/// A file that could be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Candidate {
    path: PathBuf,
    size: u64,
}

/// What a language got.
#[derive(Debug)]
pub(crate) struct Taken {
    pub(crate) language: &'static str,
    pub(crate) files: usize,
    pub(crate) bytes: u64,
    pub(crate) packages: usize,
}

/// Builds `corpus` anew from the packages in `folders`.
pub(crate) fn build(folders: &[PathBuf], corpus: &Path) -> Result<Vec<Taken>> {
    let mut found: Vec<Vec<(usize, Candidate)>> = LANGUAGES.iter().map(|_| Vec::new()).collect();
    for (package, folder) in folders.iter().enumerate() {
        let mut files = Vec::new();
        walk(folder, &mut files)?;
        files.sort_by(|a, b| a.path.cmp(&b.path));
        for file in files {
            if let Some(language) = language_of(&file) {
                found[language].push((package, file));
            }
        }
    }
    fetch::remove(corpus)?;
    let mut report = Vec::new();
    for ((language, _), found) in LANGUAGES.iter().zip(found) {
        let folder = corpus.join(language);
        fs::create_dir_all(&folder)?;
        let taken = choose(found);
        for (package, file) in &taken {
            fs::copy(&file.path, folder.join(flat_name(&folders[*package], &file.path)))?;
        }
        let mut packages: Vec<usize> = taken.iter().map(|(package, _)| *package).collect();
        packages.dedup();
        let bytes = taken.iter().map(|(_, file)| file.size).sum();
        report.push(Taken { language, files: taken.len(), bytes, packages: packages.len() });
    }
    Ok(report)
}

fn walk(folder: &Path, files: &mut Vec<Candidate>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            walk(&entry.path(), files)?;
        } else if kind.is_file() {
            files.push(Candidate { path: entry.path(), size: entry.metadata()?.len() });
        }
    }
    Ok(())
}

/// The index of the file's language, if it is a source that a person wrote and of a fitting size.
fn language_of(file: &Candidate) -> Option<usize> {
    let name = file.path.file_name()?.to_str()?;
    let ending = file.path.extension()?.to_str()?;
    let generated = [".min.", ".d.ts", ".bundle.", "-rtl."].iter().any(|part| name.contains(part));
    let coloured = file.path.components().any(|c| c.as_os_str() == "highlighted");
    if generated || coloured || !(SMALLEST..=LARGEST).contains(&file.size) {
        return None;
    }
    LANGUAGES.iter().position(|(_, endings)| endings.contains(&ending))
}

/// Takes files from the packages in turn, and from each package spread over its whole, up to the limits.
fn choose(found: Vec<(usize, Candidate)>) -> Vec<(usize, Candidate)> {
    let mut packages: Vec<Vec<(usize, Candidate)>> = Vec::new();
    for item in found {
        match packages.last_mut() {
            Some(last) if last[0].0 == item.0 => last.push(item),
            _ => packages.push(vec![item]),
        }
    }
    // An even spread: of n files every (n / FILES)th comes first.
    let mut queues: Vec<_> = packages
        .into_iter()
        .map(|files| {
            let step = files.len().div_ceil(FILES);
            let order = (0..step).flat_map(|start| {
                files.iter().skip(start).step_by(step).cloned().collect::<Vec<_>>()
            });
            order.collect::<std::collections::VecDeque<_>>()
        })
        .collect();
    let (mut taken, mut bytes) = (Vec::new(), 0);
    while taken.len() < FILES && queues.iter().any(|queue| !queue.is_empty()) {
        for queue in &mut queues {
            let Some(item) = queue.pop_front() else { continue };
            if taken.len() < FILES && bytes + item.1.size <= TOGETHER {
                bytes += item.1.size;
                taken.push(item);
            }
        }
    }
    taken.sort_by(|a, b| (a.0, &a.1.path).cmp(&(b.0, &b.1.path)));
    taken
}

/// A name that tells the package and the place in it, with the file's own ending.
fn flat_name(package: &Path, file: &Path) -> String {
    let inside = file.strip_prefix(package).unwrap_or(file);
    let parts = package.file_name().into_iter().chain(inside.iter());
    let parts: Vec<_> =
        parts.map(|part| part.to_string_lossy().replace([' ', '(', ')'], "_")).collect();
    parts.join("__")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, size: u64) -> Candidate {
        Candidate { path: PathBuf::from(name), size }
    }

    #[test]
    fn knows_sources_from_products() {
        let language = |name: &str, size| language_of(&file(name, size)).map(|n| LANGUAGES[n].0);
        assert_eq!(language("a/b.ts", 1000), Some("typescript"));
        assert_eq!(language("a/b.d.ts", 1000), None);
        assert_eq!(language("a/b.min.js", 1000), None);
        assert_eq!(language("a/highlighted/b.rs", 1000), None);
        assert_eq!(language("a/b.rs", 3), None);
        assert_eq!(language("a/b.rs", LARGEST + 1), None);
        assert_eq!(language("a/Makefile", 1000), None);
    }

    #[test]
    fn takes_from_every_package_within_the_limits() {
        let mut found: Vec<_> = (0..500).map(|n| (0, file(&format!("a{n:03}"), 1000))).collect();
        found.extend((0..3).map(|n| (1, file(&format!("b{n}"), 1000))));
        let taken = choose(found);
        assert_eq!(taken.len(), FILES);
        assert_eq!(taken.iter().filter(|(package, _)| *package == 1).count(), 3);
        assert!(
            taken.iter().any(|(_, f)| f.path.to_str().unwrap() > "a400"),
            "spread over the whole package"
        );
        let big = (0..FILES).map(|n| (n, file(&format!("c{n}"), LARGEST))).collect();
        assert_eq!(choose(big).len() as u64, TOGETHER / LARGEST);
    }

    #[test]
    fn a_flat_name_keeps_the_ending() {
        assert_eq!(
            flat_name(Path::new("/t/npm-a-1"), Path::new("/t/npm-a-1/x y/z.ts")),
            "npm-a-1__x_y__z.ts"
        );
    }
}
