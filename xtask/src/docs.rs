//! `docs`: one page a tool, from the schema of the real registry and a hand-written part (`xtask/docs/TOOL.md`).
//! The fields of `details` that a page lists are held against the results that the fixtures expect.

mod fields;

use crate::{fixtures, repo, sh};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

/// `docs [--check]`: writes the pages, or says which are not as they would be written.
pub(crate) fn run(args: &[String]) -> Result<bool> {
    if let Some(other) = args.iter().find(|arg| *arg != "--check") {
        bail!("docs: what is {other:?}? (docs [--check])");
    }
    if !sh::ok(sh::cargo().args(["build", "--locked", "--quiet", "--package", "runbound-cli"]))? {
        return Ok(false);
    }
    pages(!args.is_empty())
}

/// The same with the binary that has been built.
pub(crate) fn pages(check: bool) -> Result<bool> {
    let text = sh::stdout(sh::command(repo::binary()).args(["tools", "--json"]))?;
    let tools: Vec<Value> = serde_json::from_str(&text).context("the list of tools")?;
    if tools.is_empty() {
        bail!("the registry has no tools");
    }
    let mut wanted = BTreeMap::new();
    let mut parts = Vec::new();
    for tool in &tools {
        let name = tool["name"].as_str().context("a tool without a name")?;
        let part = repo::root().join("xtask").join("docs").join(format!("{name}.md"));
        let words = fs::read_to_string(&part)
            .with_context(|| format!("{} (the hand-written part of the page)", part.display()))?;
        wanted.insert(format!("{name}.md"), page(tool, &words));
        parts.push((name, words));
    }
    let folder = repo::root().join("docs").join("tools");
    fs::create_dir_all(&folder)?;
    let mut stale = wrong_fields(&parts)?;
    for entry in fs::read_dir(&folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !wanted.contains_key(&name) {
            stale.push(format!("docs/tools/{name} belongs to no tool"));
        }
    }
    for (name, text) in &wanted {
        let path = folder.join(name);
        if fs::read_to_string(&path).is_ok_and(|old| old == *text) {
            continue;
        }
        if check {
            stale.push(format!("docs/tools/{name} is not what `cargo xtask docs` writes"));
        } else {
            fs::write(&path, text)?;
            println!("wrote docs/tools/{name}");
        }
    }
    for line in &stale {
        println!("docs: {line}");
    }
    Ok(stale.is_empty())
}

/// The fields of `details` that pages and fixtures do not agree upon.
fn wrong_fields(parts: &[(&str, String)]) -> Result<Vec<String>> {
    let results = fixtures::expected()?;
    let seen: Vec<fields::Seen<'_>> = results
        .iter()
        .filter_map(|result| {
            let (tool, ok) = (result["tool"].as_str()?, result["ok"].as_bool()?);
            Some(fields::Seen { tool, ok, details: &result["details"] })
        })
        .collect();
    let faults = |(name, words): &(&str, String)| {
        let faults = fields::faults(name, words, &seen).into_iter();
        faults.map(|fault| format!("xtask/docs/{name}.md: {fault}")).collect::<Vec<_>>()
    };
    Ok(parts.iter().flat_map(faults).collect())
}

/// One tool's page.
fn page(tool: &Value, words: &str) -> String {
    let text = |key: &str| tool[key].as_str().unwrap_or_default();
    let together = if tool["parallel_safe"] == true {
        "Calls may run side by side."
    } else {
        "Calls of one conversation run one after another."
    };
    let mut lines = vec![
        "<!-- Written by `cargo xtask docs` from the registry and xtask/docs. -->".to_string(),
        String::new(),
        format!("# {}", text("name")),
        String::new(),
        format!("Tier `{}`. {together}", text("tier")),
        String::new(),
        format!("> {}", text("description").replace('\n', "\n> ")),
        String::new(),
        "## Arguments".to_string(),
        String::new(),
        "| argument | type | | meaning |".to_string(),
        "| --- | --- | --- | --- |".to_string(),
    ];
    let schema = &tool["input_schema"];
    let required = |name: &str| {
        schema["required"].as_array().is_some_and(|list| list.iter().any(|item| item == name))
    };
    let properties = schema["properties"].as_object();
    // Required arguments first, each group in the schema's order.
    for wanted in [true, false] {
        for (name, property) in
            properties.into_iter().flatten().filter(|(name, _)| required(name) == wanted)
        {
            let need = if wanted { "required" } else { "" };
            let meaning = property["description"]
                .as_str()
                .unwrap_or_default()
                .replace('|', "\\|")
                .replace('\n', " ");
            lines.push(format!("| `{name}` | {} | {need} | {meaning} |", kind(property)));
        }
    }
    lines.extend([String::new(), words.trim_end().to_string(), String::new()]);
    lines.join("\n")
}

/// An argument's type in words: its alternatives, values and bounds.
fn kind(property: &Value) -> String {
    if let Some(values) = property["enum"].as_array() {
        return values
            .iter()
            .map(|value| format!("`{}`", value.as_str().unwrap_or("null")))
            .collect::<Vec<_>>()
            .join(", ");
    }
    let mut words = match &property["type"] {
        Value::Array(types) => types
            .iter()
            .filter_map(Value::as_str)
            .filter(|t| *t != "null")
            .collect::<Vec<_>>()
            .join(" or "),
        other => other.as_str().unwrap_or("any").to_string(),
    };
    if words == "array" {
        words = format!("array of {}", kind(&property["items"]));
    }
    match (property["minimum"].as_i64(), property["maximum"].as_i64()) {
        (Some(least), Some(most)) => format!("{words} {least}–{most}"),
        (Some(least), None) => format!("{words} from {least}"),
        _ => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pages_list_the_fields_that_results_have() {
        let mut parts = Vec::new();
        for entry in fs::read_dir(repo::root().join("xtask/docs")).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            parts.push((name, fs::read_to_string(&path).unwrap()));
        }
        assert!(parts.len() >= 7);
        let parts: Vec<_> =
            parts.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
        assert_eq!(wrong_fields(&parts).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn a_page_has_the_schema_and_the_words() {
        let tool = json!({"name": "find", "tier": "read", "description": "Finds.", "parallel_safe": true, "input_schema": {
            "type": "object", "required": ["what"],
            "properties": {
                "how": {"type": ["integer", "null"], "minimum": 1, "maximum": 9, "description": "a | b"},
                "mode": {"type": "string", "enum": ["fast", "slow"]},
                "what": {"type": "array", "items": {"type": "string"}, "description": "Names."}}}});
        let page = page(&tool, "## Errors\n\nNone.\n\n");
        assert!(page.contains("# find\n\nTier `read`. Calls may run side by side.\n\n> Finds.\n"));
        let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
        assert_eq!(
            rows,
            [
                "| `what` | array of string | required | Names. |",
                "| `how` | integer 1–9 |  | a \\| b |",
                "| `mode` | `fast`, `slow` |  |  |",
            ]
        );
        assert!(page.ends_with("\n## Errors\n\nNone.\n"));
    }
}
