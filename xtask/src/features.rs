//! `features`: each feature of each library alone, none of them and all of them pass `cargo check`.

use crate::sh;
use anyhow::{Context, Result};
use serde_json::Value;
use std::time::Instant;

/// One build: a crate and its features.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Combination {
    krate: String,
    features: Vec<String>,
}

/// `features [--light]`. With `--light` three grammars stand for all that are made alike.
pub(crate) fn run(args: &[String]) -> Result<bool> {
    let light = args.iter().any(|arg| arg == "--light");
    let text = sh::stdout(sh::cargo().args([
        "metadata",
        "--format-version",
        "1",
        "--locked",
        "--no-deps",
    ]))?;
    let metadata: Value = serde_json::from_str(&text)?;
    let packages = metadata["packages"].as_array().context("no packages")?;
    let mut failed = facade_gaps(packages);
    let combinations = combinations(packages, light);
    for combination in &combinations {
        let started = Instant::now();
        let problem = check(combination)?;
        let verdict = if problem.is_empty() { "ok" } else { "FAILED" };
        println!(
            "{:<14} {:<24} {verdict} ({} s)",
            combination.krate,
            combination.features.join(","),
            started.elapsed().as_secs()
        );
        if !problem.is_empty() {
            println!("{problem}");
            failed.push(format!("{} with {:?}", combination.krate, combination.features));
        }
    }
    println!("{} combinations, {} failed", combinations.len(), failed.len());
    for name in &failed {
        println!("features: {name}");
    }
    Ok(failed.is_empty())
}

/// What cargo said about one combination, empty when there was nothing to say.
fn check(combination: &Combination) -> Result<String> {
    let mut cargo = sh::cargo();
    cargo.args([
        "check",
        "--locked",
        "--quiet",
        "--no-default-features",
        "--package",
        &combination.krate,
    ]);
    cargo.args(["--features", &combination.features.join(",")]);
    let out = cargo.output()?;
    let said = String::from_utf8_lossy(&out.stderr).trim().to_string();
    Ok(if out.status.success() || !said.is_empty() {
        said
    } else {
        format!("cargo ended with {}", out.status)
    })
}

/// None, each alone, all, for every library that has features; feature `default` is nothing by itself.
fn combinations(packages: &[Value], light: bool) -> Vec<Combination> {
    let mut all = Vec::new();
    for package in packages {
        let Some(features) =
            package["features"].as_object().filter(|f| f.keys().any(|name| name != "default"))
        else {
            continue;
        };
        let krate = package["name"].as_str().unwrap_or_default().to_string();
        let names: Vec<String> =
            features.keys().filter(|name| *name != "default").cloned().collect();
        let facade = package["dependencies"]
            .as_array()
            .is_some_and(|d| d.iter().any(|d| d["name"] == "tool-astgrep"));
        let mut add =
            |features: Vec<String>| all.push(Combination { krate: krate.clone(), features });
        add(Vec::new());
        for name in names.iter().filter(|name| worth_a_build(name, light, facade)) {
            add(vec![name.clone()]);
        }
        add(names);
    }
    all
}

/// A facade's grammars only pass on to those of the crate behind it, which are built there.
fn worth_a_build(feature: &str, light: bool, facade: bool) -> bool {
    let grammar = feature.starts_with("lang");
    !grammar || (!facade && (!light || ["lang-json", "lang-css", "lang-dart"].contains(&feature)))
}

/// Grammar features that the facade lacks, does not pass on, or has without the tools that use them; and any that `langs-all` leaves out.
fn facade_gaps(packages: &[Value]) -> Vec<String> {
    let features = |name: &str| packages.iter().find(|p| p["name"] == name).map(|p| &p["features"]);
    let (Some(engine), Some(facade)) = (features("tool-astgrep"), features("runbound")) else {
        return Vec::new();
    };
    let mut gaps = Vec::new();
    let lists = |value: &Value, item: &str| {
        value.as_array().is_some_and(|list| list.iter().any(|i| i == item))
    };
    for name in engine
        .as_object()
        .into_iter()
        .flat_map(|f| f.keys())
        .filter(|name| name.starts_with("lang"))
    {
        if !lists(&facade[name], &format!("tool-astgrep/{name}"))
            || !lists(&facade[name], "astgrep")
        {
            gaps.push(format!("runbound does not pass on {name}"));
        }
        if name != "langs-all" && !lists(&engine["langs-all"], name) {
            gaps.push(format!("langs-all of tool-astgrep leaves out {name}"));
        }
    }
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn packages() -> Vec<Value> {
        vec![
            json!({"name": "tool-astgrep", "dependencies": [], "features": {
                "default": [], "lang-c": [], "lang-json": [], "langs-all": ["lang-c", "lang-json"]}}),
            json!({"name": "runbound", "dependencies": [{"name": "tool-astgrep"}], "features": {
                "astgrep": [], "lang-c": ["astgrep", "tool-astgrep/lang-c"], "lang-json": ["astgrep", "tool-astgrep/lang-json"],
                "langs-all": ["astgrep", "tool-astgrep/langs-all"]}}),
            json!({"name": "plain", "dependencies": [], "features": {"default": []}}),
        ]
    }

    fn names(light: bool) -> Vec<String> {
        let all = combinations(&packages(), light);
        all.iter().map(|c| format!("{}:{}", c.krate, c.features.join("+"))).collect()
    }

    #[test]
    fn none_each_and_all() {
        let full = names(false);
        assert!(
            full.contains(&"tool-astgrep:".to_string())
                && full.contains(&"tool-astgrep:lang-c".to_string())
        );
        assert!(full.contains(&"tool-astgrep:lang-c+lang-json+langs-all".to_string()));
        assert!(
            full.contains(&"runbound:astgrep".to_string())
                && !full.contains(&"runbound:lang-c".to_string())
        );
        assert!(!full.iter().any(|name| name.starts_with("plain")));
        let light = names(true);
        assert!(
            !light.contains(&"tool-astgrep:lang-c".to_string())
                && light.contains(&"tool-astgrep:lang-json".to_string())
        );
    }

    #[test]
    fn a_grammar_that_the_facade_forgets_is_found() {
        let mut packages = packages();
        assert_eq!(facade_gaps(&packages), Vec::<String>::new());
        packages[1]["features"]["lang-c"] = json!(["tool-astgrep/lang-c"]);
        packages[0]["features"]["langs-all"] = json!(["lang-c"]);
        assert_eq!(
            facade_gaps(&packages),
            ["runbound does not pass on lang-c", "langs-all of tool-astgrep leaves out lang-json"]
        );
    }
}
