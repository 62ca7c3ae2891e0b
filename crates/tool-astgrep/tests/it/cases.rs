//! Every case of `tests/data/cases.json`: source, pattern, right answer.

use serde_json::{Value, json};

use crate::support::{Bench, Result_, data, extension, has_language};

#[tokio::test]
async fn all_cases_give_the_right_answer() {
    let data = data("cases.json");
    let cases = data["cases"].as_array().unwrap();
    let mut wrong = Vec::new();
    for case in cases {
        let text = |key: &str| case[key].as_str().unwrap_or_default();
        let (id, language) = (text("id"), text("language"));
        let bench = Bench::new();
        if !has_language(&bench, id, language).await {
            continue;
        }
        let file = format!("case.{}", extension(language));
        bench.write(&file, text("source"));
        let args = json!({ "pattern": text("pattern"), "path": file, "language": language });
        let found = bench.grep(args.clone()).await;
        if let Err(why) = search_is_right(case, &found) {
            wrong.push(format!("{id}: {why}\n{}", found.text));
        }
        if case["rewrite"].is_string()
            && let Err(why) = edit_is_right(case, &bench, &file, args).await
        {
            wrong.push(format!("{id}: {why}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n\n"));
}

fn search_is_right(case: &Value, found: &Result_) -> Result<(), String> {
    if case["unparsable"] == true {
        return match found.is_ok() {
            false if found.kind() == "invalid_args" && found.details()["rungs"].is_array() => {
                Ok(())
            }
            _ => Err("must be reported as not parsable".into()),
        };
    }
    if !found.is_ok() {
        return Err("must succeed".into());
    }
    let expect = case["expect"].as_array().ok_or("no expectation")?;
    let trim = |v: &Value| {
        v.as_str().unwrap_or_default().trim_end().trim_end_matches([';', ',']).to_owned()
    };
    let want: Vec<_> = expect.iter().map(|m| (m["line"].clone(), trim(&m["text"]))).collect();
    let got: Vec<_> =
        found.matches().iter().map(|m| (m["start"]["line"].clone(), trim(&m["text"]))).collect();
    if want != got {
        return Err(format!("want {want:?}, got {got:?}"));
    }
    for (want, got) in expect.iter().zip(found.matches()) {
        let Some(captures) = want["captures"].as_object() else {
            continue;
        };
        for (name, text) in captures {
            if got["captures"][name] != *text {
                return Err(format!("capture {name}: want {text}, got {}", got["captures"]));
            }
        }
    }
    Ok(())
}

async fn edit_is_right(
    case: &Value,
    bench: &Bench,
    file: &str,
    mut args: Value,
) -> Result<(), String> {
    args["rewrite"] = case["rewrite"].clone();
    let edited = bench.edit(args).await;
    if case["expect_error"].is_string() || case["expect_error"] == true {
        return match edited.is_ok() {
            false if edited.kind() == "invalid_args" => Ok(()),
            _ => Err(format!("must be refused: {}", edited.text)),
        };
    }
    if !edited.is_ok() {
        return Err(edited.text);
    }
    if let Some(n) = case["expect_replacements"].as_u64()
        && edited.details()["replacements"] != n
    {
        return Err(format!("want {n} replacements: {}", edited.text));
    }
    if bench.read(file) != case["source"].as_str().unwrap_or_default() {
        return Err("staging has written".into());
    }
    if let Some(id) = edited.details()["edit_id"].as_str() {
        let accepted = bench.resolve(id, "accept").await;
        if !accepted.is_ok() {
            return Err(accepted.text);
        }
    }
    match case["expect_rewritten"].as_str() {
        Some(want) if bench.read(file) != want => {
            Err(format!("want\n{want}\ngot\n{}", bench.read(file)))
        }
        _ => Ok(()),
    }
}
