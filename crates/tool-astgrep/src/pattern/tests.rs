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
        compiled.readings[0]
            .needles
            .iter()
            .map(|needle| String::from_utf8(needle.bytes().to_vec()).unwrap())
            .collect()
    };
    assert_eq!(texts("getattr($O, name, None)"), ["getattr", "None", "name"]);
    assert_eq!(texts("$A not in $B"), ["not"]);
    assert_eq!(texts("$A == $B"), ["=="]);
    assert_eq!(texts("$F($A)"), Vec::<String>::new());
}

#[test]
fn an_error_shows_what_was_typed_in_a_few_lines() {
    for (language, pattern) in [
        ("c", "f($X) g($Y"),
        ("rust", "match $X { Some( }"),
        ("nix", "import $X ) $Y"),
        ("csharp", "else $E"),
        ("typescript", "import { $$$A from $M"),
    ] {
        let Some(said) = refused(language, pattern) else { continue };
        assert!(!said.contains(['\u{b5}', '\u{10000}']) && !said.contains("_X"), "{said}");
        assert!(said.lines().count() <= 9, "{said}");
    }
}

#[test]
fn the_nearest_pattern_is_told() {
    for (language, pattern, says) in [
        ("typescript", "import $A = require($M)", "require('$M')`"),
        ("csharp", "else $E", "no node of its own"),
        ("go", "else { $$$B }", "no node of its own"),
        ("python", "f($$$A $X)", "f($$$A, $X)"),
    ] {
        let Some(said) = refused(language, pattern) else { continue };
        assert!(said.contains(says), "{pattern}: {said}");
    }
}

#[test]
fn mere_text_is_no_reading() {
    for (language, pattern) in [
        ("javascript", "f("),
        ("typescript", "let x = ;"),
        ("tsx", "if (x"),
        ("solidity", "$A)"),
        ("elixir", "\"abc"),
        ("hcl", "f("),
    ] {
        refused(language, pattern);
    }
}

#[test]
fn a_name_with_a_dollar_is_warned_of() {
    for (language, pattern, warned) in [
        ("javascript", "$k.foo", true),
        ("java", "$k.foo()", true),
        ("dart", "f('$k', $X)", false),
        ("php", "$k->foo($X)", false),
        ("bash", "echo $k", false),
    ] {
        let Ok(language) = Language::by_id(language) else { continue };
        let compiled = compile(language, pattern, None).unwrap();
        assert_eq!(!compiled.notes.is_empty(), warned, "{pattern}: {:?}", compiled.notes);
    }
}

#[test]
fn many_metavariables_are_tried_in_bounds() {
    let Ok(language) = Language::by_id("dart") else { return };
    let pattern = "try { $$$A } on $T catch ($E, $S) { $$$B } catch ($X) { $$$C } finally { $$$F }";
    let compiled = compile(language, pattern, None).unwrap();
    assert_eq!(language.kind_name(compiled.readings[0].root_kind), "try_statement");
}

#[test]
fn compiling_stops_when_nobody_waits() {
    let Ok(language) = Language::by_id("rust") else { return };
    let pattern = "fn $A($B: $C, $D: $E) -> $F { let $G = $H; $$$I }";
    // How often it is asked, when nobody waits after so many times.
    let asked = |most: usize| {
        let asked = std::cell::Cell::new(0);
        let stop = || {
            asked.set(asked.get() + 1);
            asked.get() > most
        };
        let _ = compile_until(language, pattern, None, &stop);
        asked.get()
    };
    let (stopped, whole) = (asked(5), asked(usize::MAX));
    assert!(stopped * 3 < whole, "{stopped} of {whole}");
}
