//! `docs/lsp-failure-modes.md` names tests that exist, and all 106 failures.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn the_page_of_failures_names_tests_that_are_there() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let page = fs::read_to_string(repository.join("docs/lsp-failure-modes.md")).unwrap();
    let mut names = BTreeSet::new();
    functions(&repository.join("crates"), &mut names);
    let mut numbers = Vec::new();
    for line in page.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let Ok(number) = cells[1].parse::<usize>() else { continue };
        numbers.push(number);
        assert!(cells[3].len() > 10, "{line}");
        for name in
            cells[3].split('`').skip(1).step_by(2).filter(|name| name.matches('_').count() > 1)
        {
            let setting = name == "diagnostics_on_write";
            assert!(setting || names.contains(name), "no test is named {name}: {line}");
        }
    }
    assert_eq!(numbers, (1..=106).collect::<Vec<_>>());
}

/// The names of all functions below a folder of sources.
fn functions(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            functions(&path, names);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            for piece in text.split("fn ").skip(1) {
                let name: String =
                    piece.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                names.insert(name);
            }
        }
    }
}
