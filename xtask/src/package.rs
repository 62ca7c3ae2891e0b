//! `package`: each published crate packs on its own, with README and licences, small, and without all grammars on its page.

use crate::{repo, sh};
use anyhow::{Context, Result};
use serde_json::Value;
use std::fs;

/// No crate of ours has a reason to be larger, in bytes, packed.
const LARGEST: u64 = 600_000;

/// `package`.
pub(crate) fn run() -> Result<bool> {
    let text = sh::stdout(sh::cargo().args([
        "metadata",
        "--format-version",
        "1",
        "--locked",
        "--no-deps",
    ]))?;
    let metadata: Value = serde_json::from_str(&text)?;
    let packages = metadata["packages"].as_array().context("no packages")?;
    let published: Vec<&Value> =
        packages.iter().filter(|p| p["publish"] != serde_json::json!([])).collect();
    let mut pack = sh::cargo();
    pack.args([
        "package",
        "--workspace",
        "--no-verify",
        "--allow-dirty",
        "--locked",
        "--quiet",
        "--exclude",
        "xtask",
        "--exclude",
        "tool-testkit",
    ]);
    if !sh::ok(&mut pack)? {
        println!("package: cargo cannot pack the workspace");
        return Ok(false);
    }
    let mut problems = Vec::new();
    for package in published {
        let (name, version) = (word(package, "name"), word(package, "version"));
        let list = sh::stdout(sh::cargo().args([
            "package",
            "--list",
            "--allow-dirty",
            "--quiet",
            "--package",
            &name,
        ]))?;
        let files: Vec<&str> = list.lines().collect();
        problems.extend(content(&files).into_iter().map(|what| format!("{name}: {what}")));
        problems.extend(docs_page(package).into_iter().map(|what| format!("{name}: {what}")));
        let archive = repo::target().join("package").join(format!("{name}-{version}.crate"));
        let size = fs::metadata(&archive)
            .with_context(|| format!("{} is not there", archive.display()))?
            .len();
        println!("{name:<16} {:>3} files {:>4} KB", files.len(), size / 1000);
        if size > LARGEST {
            problems.push(format!("{name}: {size} bytes packed, more than {LARGEST}"));
        }
    }
    for problem in &problems {
        println!("package: {problem}");
    }
    Ok(problems.is_empty())
}

fn word(package: &Value, key: &str) -> String {
    package[key].as_str().unwrap_or_default().to_string()
}

/// What a packed crate lacks, or has too much of.
fn content(files: &[&str]) -> Vec<String> {
    let needed = ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "Cargo.toml"];
    let missing =
        needed.iter().filter(|name| !files.contains(name)).map(|name| format!("packs no {name}"));
    let tests =
        files.iter().filter(|name| name.starts_with("tests/")).map(|name| format!("packs {name}"));
    missing.chain(tests).collect()
}

/// A crate with grammars must say which few its page on docs.rs is built with.
fn docs_page(package: &Value) -> Option<String> {
    let grammars = package["features"].as_object().is_some_and(|f| f.contains_key("langs-all"));
    let settings = &package["metadata"]["docs"]["rs"];
    if !grammars {
        return None;
    }
    let features = settings["features"].as_array();
    let all = settings["all-features"] == true
        || features.is_some_and(|f| f.iter().any(|name| name == "langs-all"));
    (all || features.is_none())
        .then(|| "its docs.rs page would build all grammars, or does not say which".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_packed_crate_has_its_papers() {
        assert_eq!(
            content(&["Cargo.toml", "LICENSE-APACHE", "LICENSE-MIT", "README.md", "src/lib.rs"]),
            Vec::<String>::new()
        );
        assert_eq!(
            content(&["Cargo.toml", "LICENSE-MIT", "README.md", "tests/a"]),
            ["packs no LICENSE-APACHE", "packs tests/a"]
        );
    }

    #[test]
    fn a_page_names_its_grammars() {
        let with = |docs: Value| json!({"features": {"langs-all": []}, "metadata": {"docs": {"rs": docs}}});
        assert_eq!(docs_page(&with(json!({"features": ["lang-rust"]}))), None);
        assert!(docs_page(&with(json!({"all-features": true, "features": []}))).is_some());
        assert!(docs_page(&with(json!({"features": ["langs-all"]}))).is_some());
        assert!(docs_page(&with(json!(null))).is_some());
        assert_eq!(docs_page(&json!({"features": {}})), None);
    }
}
