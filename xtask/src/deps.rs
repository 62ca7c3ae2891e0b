//! `deps`: which crate of the workspace may depend on which, and how large the core's tree may grow.

use crate::sh;
use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The allowed edges: a crate and what it may name, in any kind of dependency. Anything else is refused.
const ALLOWED: &[(&str, &[&str])] = &[
    ("tool-core", &[]),
    ("tool-workspace", &[]),
    ("tool-wire", &[]),
    ("tool-testkit", &["tool-wire"]),
    ("tool-files", &["tool-core", "tool-workspace"]),
    ("tool-astgrep", &["tool-core", "tool-workspace"]),
    ("tool-lsp", &["tool-core", "tool-workspace", "tool-wire", "tool-files", "tool-testkit"]),
    ("runbound", &["tool-core", "tool-workspace", "tool-files", "tool-astgrep", "tool-lsp"]),
    ("runbound-cli", &["runbound", "tool-core"]),
    ("xtask", &[]),
];

/// What a crate's normal dependencies must not reach, however far down.
const NEVER: &[(&str, &[&str])] = &[
    ("tool-core", &["rustix", "ignore", "tree-sitter", "lsp-types", "tower-lsp", "dap-types"]),
    ("tool-workspace", &["tokio", "tool-core", "tree-sitter"]),
    ("tool-wire", &["tool-core", "tool-workspace", "tree-sitter", "lsp-types", "dap-types"]),
];

/// The core's whole tree stays under this many crates, itself included.
const CORE_LIMIT: usize = 35;

/// `deps`.
pub(crate) fn run() -> Result<bool> {
    let text = sh::stdout(sh::cargo().args([
        "metadata",
        "--format-version",
        "1",
        "--locked",
        "--all-features",
    ]))?;
    let graph = Graph::read(&serde_json::from_str(&text)?)?;
    let mut problems = graph.forbidden_edges(ALLOWED);
    for (krate, never) in NEVER {
        let tree = tree(krate)?;
        problems.extend(
            never
                .iter()
                .filter(|n| tree.contains(**n))
                .map(|n| format!("{krate} must never reach {n}")),
        );
    }
    let core = tree("tool-core")?.len();
    if core >= CORE_LIMIT {
        problems
            .push(format!("tool-core's tree has {core} crates; it must stay under {CORE_LIMIT}"));
    }
    println!(
        "{} workspace crates, {} edges, tool-core's tree: {core} crates",
        graph.edges.len(),
        graph.count()
    );
    for problem in &problems {
        println!("deps: {problem}");
    }
    Ok(problems.is_empty())
}

/// The names of the crates that a crate builds on for this platform, itself included, by its normal
/// dependencies with all its features.
fn tree(krate: &str) -> Result<BTreeSet<String>> {
    let args = [
        "tree",
        "--locked",
        "--edges",
        "normal",
        "--all-features",
        "--prefix",
        "none",
        "--package",
        krate,
    ];
    let text = sh::stdout(sh::cargo().args(args))?;
    Ok(text.lines().filter_map(|l| l.split_whitespace().next()).map(str::to_string).collect())
}

/// The workspace's own crates and what each names among them.
#[derive(Debug, Default)]
struct Graph {
    edges: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    fn read(metadata: &Value) -> Result<Self> {
        let list = |v: &Value| v.as_array().cloned().unwrap_or_default();
        let members: BTreeSet<String> = list(&metadata["workspace_members"])
            .iter()
            .filter_map(|m| m.as_str().map(str::to_string))
            .collect();
        let mut graph = Graph::default();
        for package in list(&metadata["packages"]) {
            if !members.contains(package["id"].as_str().unwrap_or_default()) {
                continue;
            }
            let name = package["name"].as_str().context("a package without a name")?;
            let named = list(&package["dependencies"]);
            let local =
                named.iter().filter(|d| d["path"].is_string()).filter_map(|d| d["name"].as_str());
            graph.edges.insert(name.to_string(), local.map(str::to_string).collect());
        }
        Ok(graph)
    }

    fn count(&self) -> usize {
        self.edges.values().map(BTreeSet::len).sum()
    }

    /// A dependency of a crate on itself for its tests' sake (a feature of its own) is no edge.
    fn forbidden_edges(&self, allowed: &[(&str, &[&str])]) -> Vec<String> {
        let mut problems = Vec::new();
        for (from, to) in &self.edges {
            let Some((_, allowed)) = allowed.iter().find(|(name, _)| name == from) else {
                problems.push(format!("{from} is not in the table of allowed edges"));
                continue;
            };
            let bad = to.iter().filter(|t| *t != from && !allowed.contains(&t.as_str()));
            problems.extend(bad.map(|t| format!("{from} must not depend on {t}")));
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn refuses_an_edge_that_is_not_in_the_table() {
        let metadata = json!({
            "workspace_members": ["a#1", "b#1"],
            "packages": [
                {"id": "a#1", "name": "a", "dependencies": [{"name": "b", "path": "/b"}, {"name": "serde"}]},
                {"id": "b#1", "name": "b", "dependencies": [{"name": "b", "path": "/b"}]},
                {"id": "serde#1", "name": "serde", "dependencies": []},
            ],
        });
        let graph = Graph::read(&metadata).unwrap();
        assert_eq!(graph.count(), 2);
        assert_eq!(graph.forbidden_edges(&[("a", &["b"]), ("b", &[])]), Vec::<String>::new());
        assert_eq!(graph.forbidden_edges(&[("a", &[]), ("b", &[])]), ["a must not depend on b"]);
        assert_eq!(
            graph.forbidden_edges(&[("a", &["b"])]),
            ["b is not in the table of allowed edges"]
        );
    }
}
