mod clauses;
mod faults;
mod ordinary;
mod runs;
mod siblings;

use std::collections::BTreeMap;

use serde::Deserialize;

use super::*;
use crate::language::Language;
use crate::pattern::{Compiled, compile};

#[derive(Deserialize)]
struct Cases {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    id: String,
    language: String,
    pattern: String,
    source: String,
    expect: Option<Vec<Expected>>,
    #[serde(default)]
    unparsable: bool,
}

#[derive(Deserialize)]
struct Expected {
    text: String,
    captures: BTreeMap<String, String>,
    line: usize,
}

/// What a search with `compiled` answers: the family's matches, or else those of the others; each
/// place once.
fn search(compiled: &Compiled, tree: &Tree, src: &str) -> Vec<Match> {
    let of = |family: bool| -> Vec<Match> {
        let readings = compiled.readings.iter().filter(|reading| reading.in_family == family);
        let found = find_any(readings.map(|reading| (reading, None)), tree, src);
        found.into_iter().map(|(found, _)| found).collect()
    };
    let family = of(true);
    if family.is_empty() { of(false) } else { family }
}

fn check(case: &Case) -> Result<(), String> {
    let Ok(language) = Language::by_id(&case.language) else {
        return Ok(());
    };
    let compiled = match compile(language, &case.pattern, None) {
        Ok(compiled) if case.unparsable => {
            return Err(format!("was accepted: {:?}", contexts(&compiled)));
        }
        Ok(compiled) => compiled,
        Err(_) if case.unparsable => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    let src = case.source.as_str();
    let tree = Tree::parse(language, src, &|| false).map_err(|error| error.to_string())?;
    let found = search(&compiled, &tree, src);
    let expected = case.expect.as_deref().unwrap_or(&[]);
    let shown: Vec<_> = found
        .iter()
        .map(|found| {
            let captures: BTreeMap<_, _> = found
                .captures
                .iter()
                .map(|capture| (capture.name.clone(), src[capture.range.clone()].to_owned()))
                .collect();
            let line = src[..found.range.start].matches('\n').count() + 1;
            (src[found.range.clone()].to_owned(), captures, line)
        })
        .collect();
    let same = shown.len() == expected.len()
        && shown.iter().zip(expected).all(|((text, captures, line), expected)| {
            let bare = expected.text.trim_end_matches([';', ',']);
            (*text == expected.text || text == bare)
                && *captures == expected.captures
                && *line == expected.line
        });
    if same { Ok(()) } else { Err(format!("found {shown:#?} as {:?}", contexts(&compiled))) }
}

fn contexts(compiled: &Compiled) -> Vec<String> {
    let show = |reading: &Reading| {
        let kind = compiled.language.kind_name(reading.root_kind);
        format!("{}:{kind}", reading.context)
    };
    compiled.readings.iter().map(show).collect()
}

#[test]
fn every_case_is_found_as_written() {
    let cases: Cases = serde_json::from_str(include_str!("../../tests/data/cases.json")).unwrap();
    let mut wrong = Vec::new();
    for case in &cases.cases {
        if let Err(said) = check(case) {
            wrong.push(format!("{} ({}): {said}", case.id, case.pattern));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} cases fail:\n{}",
        wrong.len(),
        cases.cases.len(),
        wrong.join("\n\n")
    );
}

fn texts(language: &str, pattern: &str, src: &str) -> Vec<String> {
    let Ok(language) = Language::by_id(language) else { return Vec::new() };
    let compiled = compile(language, pattern, None).unwrap();
    let tree = Tree::parse(language, src, &|| false).unwrap();
    let found = search(&compiled, &tree, src);
    found.into_iter().map(|found| src[found.range].to_owned()).collect()
}

#[test]
fn patterns_and_trees_may_be_deep() {
    if Language::by_id("c").is_err() {
        return;
    }
    let deep = |inner: &str| format!("f({}{inner}{})", "(".repeat(4_000), ")".repeat(4_000));
    let src = format!("int x = {};", deep("y"));
    assert_eq!(texts("c", &deep("$A"), &src), [deep("y")]);
}

#[test]
fn several_runs_do_not_explode() {
    if Language::by_id("javascript").is_err() {
        return;
    }
    let list = vec!["1"; 400].join(", ");
    let src = format!("f({list}); f({list}, 2, 3, 2);");
    let pattern = "f($$$A, 2, $$$B, 3, $$$C, 2, $$$D)";
    assert_eq!(texts("javascript", pattern, &src), [format!("f({list}, 2, 3, 2)")]);
}

#[test]
fn line_ends_do_not_matter() {
    if Language::by_id("javascript").is_err() {
        return;
    }
    let found = texts("javascript", "f(`a\nb`, $X)", "f(`a\r\nb`, 1);\r\n");
    assert_eq!(found, ["f(`a\r\nb`, 1)"]);
}

#[test]
fn broken_source_is_marked() {
    let Ok(language) = Language::by_id("javascript") else { return };
    let compiled = compile(language, "f($A)", None).unwrap();
    let src = "f(1);\nlet x = ;\nf(2);\n";
    let tree = Tree::parse(language, src, &|| false).unwrap();
    let found = find(&compiled.readings[0], &tree, src, None);
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|found| !found.touches_error));
    let broken = "f(1 2);";
    let tree = Tree::parse(language, broken, &|| false).unwrap();
    for found in find(&compiled.readings[0], &tree, broken, None) {
        assert!(found.touches_error);
    }
}

#[test]
fn ordinary_declarations_are_found() {
    let mut wrong = Vec::new();
    for (language, pattern, src) in ordinary::ORDINARY {
        let Ok(found) = Language::by_id(language) else { continue };
        match compile(found, pattern, None) {
            Ok(_) if texts(language, pattern, src).len() == 1 => {}
            Ok(compiled) => {
                let found = texts(language, pattern, src);
                let read = contexts(&compiled);
                wrong.push(format!("{language} `{pattern}` {found:?} {read:?}"));
            }
            Err(error) => wrong.push(format!("{language} `{pattern}` {error}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a pattern finds in a source, as [`faults::Fault`] writes it, with the captures that
/// `expected` names.
fn written(language: Language, (_, pattern, src, expected): &faults::Fault) -> Vec<String> {
    let compiled = match compile(language, pattern, None) {
        Ok(compiled) => compiled,
        Err(error) => return vec![format!("refused: {error}")],
    };
    let tree = Tree::parse(language, src, &|| false).unwrap();
    let found = search(&compiled, &tree, src);
    let shown = found.iter().enumerate().map(|(at, found)| {
        let mut text = src[found.range.clone()].to_owned();
        for wanted in expected.get(at).unwrap_or(&"").split(" | ").skip(1) {
            let name = wanted.split('=').next().unwrap_or("");
            let capture = found.captures.iter().find(|capture| capture.name == name);
            let range = capture.map_or(0..0, |capture| capture.range.clone());
            text = format!("{text} | {name}={}", &src[range]);
        }
        text
    });
    shown.collect()
}

fn check_faults(faults: &[faults::Fault]) {
    let mut wrong = Vec::new();
    for fault in faults {
        let Ok(language) = Language::by_id(fault.0) else { continue };
        let found = written(language, fault);
        // Whether a `;` at the end belongs to the node is the grammar's affair.
        let bare = |text: &str| match text.split_once(" | ") {
            None => text.trim_end_matches(';').to_owned(),
            Some((text, rest)) => format!("{} | {rest}", text.trim_end_matches(';')),
        };
        let same = found.len() == fault.3.len()
            && found.iter().zip(fault.3).all(|(a, b)| bare(a) == bare(b));
        if !same {
            let compiled = compile(language, fault.1, None);
            let read = compiled.map(|compiled| contexts(&compiled)).unwrap_or_default();
            wrong.push(format!("{} `{}`\n  found {found:#?}\n  read {read:?}", fault.0, fault.1));
        }
    }
    assert!(wrong.is_empty(), "{} fail:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn words_are_keywords_only_where_they_are() {
    check_faults(faults::WORDS);
}

#[test]
fn values_spelled_as_tokens_are_nodes() {
    check_faults(faults::VALUES);
}

#[test]
fn branches_are_not_swallowed() {
    check_faults(faults::BRANCHES);
}

#[test]
fn commands_have_arguments_without_parentheses() {
    check_faults(faults::COMMANDS);
}

#[test]
fn further_forms_are_found() {
    check_faults(faults::FORMS);
}
