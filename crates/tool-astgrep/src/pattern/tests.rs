use super::*;

fn refused(language: &str, pattern: &str) -> Option<String> {
    let language = Language::by_id(language).ok()?;
    Some(match compile(language, pattern, None) {
        Ok(compiled) => panic!("{pattern} was accepted as {:?}", compiled.readings[0].context),
        Err(error) => error.to_string(),
    })
}

#[test]
fn what_cannot_match_is_an_error() {
    for (language, pattern, says) in [
        ("javascript", "get(\"http://$HOST/x\")", "part of longer text"),
        ("python", "# TODO $X", "comment"),
        ("rust", "foo($x)", "$X"),
        ("go", "foo($$X)", "not a metavariable"),
        ("python", "class $C", "add a body"),
        ("kotlin", "else { $$$B }", "read as a name"),
        ("dart", "import $A $B $C;", "not parsable"),
    ] {
        if let Some(said) = refused(language, pattern) {
            assert!(said.contains(says), "{pattern}: {said}");
        }
    }
}

#[test]
fn a_context_can_be_named() {
    let Ok(language) = Language::by_id("python") else { return };
    let pair = compile(language, "$K: $V", Some("dictent")).unwrap();
    assert_eq!(pair.readings.len(), 1);
    assert_eq!(language.kind_name(pair.readings[0].root_kind), "pair");
    let error = compile(language, "$K: $V", Some("nowhere")).unwrap_err().to_string();
    assert!(error.contains("stmt, expr"), "{error}");
}

#[test]
fn needles_are_in_every_match() {
    let Ok(language) = Language::by_id("python") else { return };
    let texts = |pattern: &str| -> Vec<String> {
        let compiled = compile(language, pattern, None).unwrap();
        compiled.readings[0].needles.iter().map(|needle| needle.text().to_owned()).collect()
    };
    assert_eq!(texts("getattr($O, name, None)"), ["getattr", "None", "name"]);
    assert_eq!(texts("$A not in $B"), ["not"]);
    assert_eq!(texts("$A == $B"), ["=="]);
    assert_eq!(texts("$F($A)"), Vec::<String>::new());
}
