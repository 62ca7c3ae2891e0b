//! Which files a change may break: those that use what it changed, as the server knows them before it hears of it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;

use crate::client::{Client, Kind};
use crate::decode::{self, SymbolInfo};
use crate::text::{Pos, Text};

/// Closed files that are looked at after one write.
const FILES: usize = 5;
/// Symbols of one file whose uses are asked for.
const SYMBOLS: usize = 4;
const LIMIT: Duration = Duration::from_secs(1);

/// A file that uses what has changed, and the lines (from 0) that do.
pub(crate) type User = (PathBuf, Vec<u32>);

/// Files that use what has changed.
#[derive(Default, Debug, PartialEq, Eq)]
pub(crate) struct Picked {
    /// To be looked at.
    pub(crate) files: Vec<User>,
    /// How many more there are.
    pub(crate) left_out: usize,
}

impl Picked {
    /// Of several files of one write.
    pub(crate) fn join(&mut self, more: Self) {
        self.left_out += more.left_out;
        for (file, lines) in more.files {
            if let Some((_, known)) = self.files.iter_mut().find(|(known, _)| *known == file) {
                known.extend(lines);
            } else if self.files.len() < FILES {
                self.files.push((file, lines));
            } else {
                self.left_out += 1;
            }
        }
    }
}

/// The files that use a symbol of `path` whose signature changes from the old text to the new. The server must still hold
/// the old text. Nothing where it cannot say.
pub(crate) async fn pick(client: &Client, path: &Path, old: &[u8], new: &[u8]) -> Picked {
    let nothing = Picked::default();
    let can = |method| client.can_at(method, path);
    if !can("textDocument/documentSymbol")
        || !can("textDocument/references")
        || client.open_version(path).is_none()
    {
        return nothing;
    }
    let (Ok(old), Ok(new)) = (Text::new(old.to_vec()), Text::new(new.to_vec())) else {
        return nothing;
    };
    let uri = crate::uri::to_uri(path);
    let document = json!({ "textDocument": { "uri": uri } });
    let symbols = client
        .request("symbols", "textDocument/documentSymbol", document, Kind::Read, LIMIT)
        .await
        .map(|answer| decode::symbols(&answer))
        .unwrap_or_default();
    let changed = changed(&old, &new, &symbols);
    // Who uses them only a server knows that has read the whole project.
    if changed.is_empty() || client.ready(LIMIT, &|_| ()).await.is_err() {
        return nothing;
    }
    let asked = changed.iter().take(SYMBOLS).map(|at| {
        let params = json!({
            "textDocument": { "uri": uri },
            "position": { "line": at.line, "character": at.character },
            "context": { "includeDeclaration": false },
        });
        client.request("references", "textDocument/references", params, Kind::Read, LIMIT)
    });
    let mut users: Vec<User> = Vec::new();
    for answer in join_all(asked).await.into_iter().flatten() {
        for loc in decode::locations(&answer) {
            if loc.path == path || !loc.path.starts_with(client.root()) {
                continue;
            }
            let line = loc.span.start.line;
            match users.iter_mut().find(|(known, _)| *known == loc.path) {
                Some((_, lines)) => lines.push(line),
                None => users.push((loc.path, vec![line])),
            }
        }
    }
    users.sort_unstable();
    let mut picked = Picked::default();
    picked.join(Picked { files: users, left_out: 0 });
    picked
}

/// Where the names stand of those symbols whose signature is not in the new text any more. Members too, and no deeper.
fn changed(old: &Text, new: &Text, symbols: &[SymbolInfo]) -> Vec<Pos> {
    let now = blanks_as_one(new.src());
    let mut found = Vec::new();
    let mut look = |symbol: &SymbolInfo| {
        let signature = blanks_as_one(&signature(old, symbol));
        if !signature.is_empty() && !now.contains(&signature) {
            found.push(symbol.selection.start);
        }
    };
    for symbol in symbols {
        look(symbol);
        symbol.children.iter().filter(|child| is_member(child)).for_each(&mut look);
    }
    found
}

/// Not a local variable, which nobody else can use.
fn is_member(symbol: &SymbolInfo) -> bool {
    !matches!(symbol.kind, "variable" | "constant")
}

/// From the line of its name to the line that opens its body or ends its declaration.
fn signature(text: &Text, symbol: &SymbolInfo) -> String {
    const LINES: u32 = 12;
    let first = symbol.selection.start.line;
    let last = symbol.span.end.line.min(first.saturating_add(LINES)).max(first);
    let mut out = String::new();
    for line in first..=last {
        let Some(line) = text.line(line) else { break };
        let line = line.trim();
        if let Some(brace) = line.find('{') {
            out.push_str(&line[..brace]);
            break;
        }
        out.push_str(line);
        out.push('\n');
        if line.ends_with([':', ';']) || line.ends_with("=>") || line.ends_with('=') {
            break;
        }
    }
    out
}

fn blanks_as_one(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{Picked, changed};
    use crate::decode::symbols;
    use crate::text::Text;
    use serde_json::{Value, json};
    use std::path::PathBuf;

    fn symbol(name: &str, kind: u8, from: u32, to: u32, children: &[Value]) -> Value {
        let place = |a: u32, b: u32| json!({ "start": { "line": a, "character": 0 }, "end": { "line": b, "character": 9 } });
        json!({ "name": name, "kind": kind, "range": place(from, to), "selectionRange": place(from, from), "children": children })
    }

    fn lines(old: &str, new: &str, tree: &Value) -> Vec<u32> {
        let text = |source: &str| Text::new(source.as_bytes().to_vec()).expect("text");
        changed(&text(old), &text(new), &symbols(tree)).into_iter().map(|pos| pos.line).collect()
    }

    const OLD: &str = "def area(w, h):\n    x = w\n    return x * h\n\nclass Box:\n    def size(self):\n        return 1\n";

    fn tree() -> Value {
        json!([
            symbol("area", 12, 0, 2, &[symbol("x", 13, 1, 1, &[])]),
            symbol("Box", 5, 4, 6, &[symbol("size", 6, 5, 6, &[])]),
        ])
    }

    #[test]
    fn a_body_breaks_nobody_and_a_signature_does() {
        assert!(
            lines(OLD, &OLD.replace("x = w\n    return x * h", "return w * h"), &tree()).is_empty()
        );
        assert!(lines(OLD, &format!("import os\n\n{OLD}"), &tree()).is_empty(), "it only moved");
        assert_eq!(lines(OLD, &OLD.replace("area(w, h)", "area(w)"), &tree()), [0]);
        assert_eq!(lines(OLD, &OLD.replace("size(self)", "size(self, unit)"), &tree()), [5]);
        assert_eq!(lines(OLD, "", &tree()), [0, 4, 5], "all that is gone");
    }

    #[test]
    fn a_signature_over_several_lines_ends_where_the_body_begins() {
        let old = "pub fn f(\n    a: u8,\n    b: u8,\n) -> u8 {\n    a\n}\n";
        let tree = json!([symbol("f", 12, 0, 5, &[])]);
        assert!(lines(old, &old.replace("    a\n", "    a + 1\n"), &tree).is_empty());
        assert_eq!(lines(old, &old.replace("b: u8", "b: u16"), &tree), [0]);
        assert_eq!(lines(old, &old.replace("-> u8", "-> u16"), &tree), [0]);
    }

    #[test]
    fn five_files_are_looked_at_and_the_rest_is_counted() {
        let files = |names: &[&str]| names.iter().map(|n| (PathBuf::from(n), vec![1])).collect();
        let mut picked = Picked::default();
        picked.join(Picked { files: files(&["a", "b", "c", "d"]), left_out: 0 });
        picked.join(Picked { files: files(&["d", "e", "f", "g"]), left_out: 3 });
        let names: Vec<_> = picked.files.iter().map(|(file, _)| file.to_str()).collect();
        assert_eq!(names, ["a", "b", "c", "d", "e"].map(Some));
        assert_eq!(picked.files[3].1, [1, 1], "the lines of both");
        assert_eq!(picked.left_out, 5);
    }
}
