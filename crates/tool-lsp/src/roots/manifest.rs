//! What manifests say of workspaces. They are read as text, leniently: a wrong guess costs a second server.

use globset::{Glob, GlobSetBuilder};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A manifest above this size is none, in bytes.
const LARGEST: u64 = 1 << 20;

fn read(path: &Path) -> Option<String> {
    let small = fs::metadata(path).ok()?.len() <= LARGEST;
    small.then(|| fs::read_to_string(path).ok()).flatten()
}

/// The path from `above` to `below` with `/`.
fn relative(above: &Path, below: &Path) -> Option<String> {
    let parts = below.strip_prefix(above).ok()?.iter().map(|part| part.to_str());
    Some(parts.collect::<Option<Vec<_>>>()?.join("/"))
}

/// Whether a path is meant by one of the patterns, as manifests write them: `crates/*`, `./a/`.
fn meant(patterns: &[String], path: &str) -> bool {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
        if let Ok(glob) = globset::GlobBuilder::new(pattern).literal_separator(true).build() {
            set.add(glob);
        } else if let Ok(glob) = Glob::new(&globset::escape(pattern)) {
            set.add(glob);
        }
    }
    set.build().is_ok_and(|set| set.is_match(path))
}

/// The folder above whose `Cargo.toml` is a workspace with this package in it.
pub(super) fn cargo_workspace<'a>(
    package: &Path,
    above: impl Iterator<Item = &'a Path>,
) -> Option<&'a Path> {
    let own = read(&package.join("Cargo.toml")).unwrap_or_default();
    if table(&own, "workspace").is_some() {
        return None;
    }
    for folder in above {
        let Some(text) = read(&folder.join("Cargo.toml")) else { continue };
        let Some(workspace) = table(&text, "workspace") else { continue };
        let path = relative(folder, package)?;
        let excluded = list(workspace, "exclude");
        let within = excluded.iter().any(|e| {
            let e = e.trim_start_matches("./").trim_end_matches('/');
            path == e || path.starts_with(&format!("{e}/"))
        });
        // A path dependency below the workspace is a member without being named as one.
        let dependency = || text.contains(&format!("path = \"{path}\""));
        let member = meant(&list(workspace, "members"), &path) || dependency();
        // Cargo looks no further than the first workspace.
        return (member && !within).then_some(folder);
    }
    None
}

/// The lines of a table `[name]` of a TOML text, without those of its sub-tables.
fn table<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut start = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        if let Some(start) = start
            && bare.starts_with('[')
            && bare.ends_with(']')
            && !bare.contains('"')
        {
            return Some(&text[start..at]);
        }
        at += line.len();
        let header = bare.split('#').next().unwrap_or_default().trim();
        if header == format!("[{name}]") {
            start = Some(at);
        }
    }
    start
        .map(|start| &text[start..])
        // Only sub-tables, such as `[workspace.package]`: that is a workspace too.
        .or_else(|| text.lines().any(|l| l.trim().starts_with(&format!("[{name}."))).then_some(""))
}

/// The strings of `key = ["a", "b"]`, over several lines too.
fn list(table: &str, key: &str) -> Vec<String> {
    let mut lines = table.lines();
    let mut text = String::new();
    while let Some(line) = lines.next() {
        let Some((name, value)) = line.split_once('=') else { continue };
        if name.trim() != key {
            continue;
        }
        for line in std::iter::once(value).chain(lines.by_ref()) {
            // A `#` in a path would be cut: rare, and a second server at worst.
            let line = line.split('#').next().unwrap_or_default();
            text.push_str(line);
            if line.contains(']') {
                break;
            }
        }
    }
    strings(&text)
}

/// What stands in quotes.
fn strings(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(['"', '\'']) {
        let quote = &rest[start..=start];
        let Some(length) = rest[start + 1..].find(quote) else { break };
        found.push(rest[start + 1..start + 1 + length].to_string());
        rest = &rest[start + length + 2..];
    }
    found
}

/// The folder above whose `go.work` uses this module.
pub(super) fn go_workspace<'a>(
    module: &Path,
    above: impl Iterator<Item = &'a Path>,
) -> Option<&'a Path> {
    if module.join("go.work").is_file() {
        return None;
    }
    for folder in above {
        let Some(text) = read(&folder.join("go.work")) else { continue };
        let path = relative(folder, module)?;
        return uses(&text).iter().any(|used| used == &path).then_some(folder);
    }
    None
}

/// The folders that a `go.work` uses.
fn uses(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut block = false;
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        let entry = match line.strip_prefix("use") {
            Some(rest) if rest.trim() == "(" => {
                block = true;
                continue;
            }
            Some(rest) if rest.starts_with([' ', '\t']) => rest.trim(),
            _ if block && line == ")" => {
                block = false;
                continue;
            }
            _ if block => line,
            _ => continue,
        };
        let entry = entry.trim_matches('"').trim_start_matches("./").trim_end_matches('/');
        if !entry.is_empty() {
            found.push(entry.to_string());
        }
    }
    found
}

/// The outermost folder above that has this package among its workspaces, or whose `tsconfig.json` has references.
pub(super) fn npm_workspace<'a>(
    package: &Path,
    above: impl Iterator<Item = &'a Path>,
) -> Option<&'a Path> {
    above
        .filter(|folder| {
            let Some(path) = relative(folder, package) else { return false };
            meant(&npm_members(folder), &path)
                || read(&folder.join("tsconfig.json")).is_some_and(|t| t.contains("\"references\""))
        })
        .last()
}

fn npm_members(folder: &Path) -> Vec<String> {
    if let Some(text) = read(&folder.join("pnpm-workspace.yaml")) {
        let entries = text.lines().filter_map(|line| line.trim().strip_prefix("- "));
        return entries.map(|e| e.trim().trim_matches(['"', '\'']).to_string()).collect();
    }
    let package = read(&folder.join("package.json"))
        .and_then(|text| serde_json::from_str::<Value>(&text).ok())
        .unwrap_or_default();
    let workspaces = &package["workspaces"];
    // Yarn writes an object.
    let list = workspaces.as_array().or_else(|| workspaces["packages"].as_array());
    list.into_iter().flatten().filter_map(Value::as_str).map(str::to_string).collect()
}

/// The major version of an npm package: as installed at one of these folders, nearest first, else as their
/// `package.json` asks for it.
pub(crate) fn npm_major(name: &str, folders: &[&Path]) -> Option<u32> {
    let json = |path: &Path| serde_json::from_str::<Value>(&read(path)?).ok();
    let installed = folders.iter().find_map(|folder| {
        let package = json(&folder.join("node_modules").join(name).join("package.json"))?;
        major(package["version"].as_str()?)
    });
    installed.or_else(|| {
        folders.iter().find_map(|folder| {
            let package = json(&folder.join("package.json"))?;
            ["dependencies", "devDependencies", "peerDependencies"]
                .iter()
                .find_map(|kind| major(package[*kind][name].as_str()?))
        })
    })
}

/// The first number of a version, a range or what a program says of itself.
pub(crate) fn major(text: &str) -> Option<u32> {
    let digits = text.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().ok()
}
