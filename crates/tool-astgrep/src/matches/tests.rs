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

/// What a search with `compiled` answers: the family's matches, or else those of the others.
fn search(compiled: &Compiled, tree: &Tree, src: &str) -> Vec<Match> {
    let of = |readings: Vec<&Reading>| -> Vec<Match> {
        let readings = readings.into_iter().map(|reading| (reading, None));
        let found = find_any(readings, tree, src);
        found.into_iter().map(|(found, _)| found).collect()
    };
    let family = of(compiled.in_family().collect());
    if family.is_empty() { of(compiled.others().collect()) } else { family }
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
