//! Whether the new name is free where it will stand.
//!
//! Few servers look. What is asked here of each use of the new name in the files that would change is where it is
//! declared: at the place where the renamed thing is declared, too, the two would become one.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::json;
use tool_core::ToolError;

use super::apply::Ready;
use super::asked::{Asked, language_of};
use crate::actions::document_symbols;
use crate::client::{Kind, Synced};
use crate::decode::{self, SymbolInfo};
use crate::error::LspError;
use crate::ident;
use crate::supervisor::Supervisor;
use crate::text::{Pos, Span};
use crate::textcheck::{self, Hit, words};

/// Uses of the new name that are asked about.
const MOST: usize = 24;
/// Languages whose top level is one for all files (of a folder, in Go).
const ONE_LEVEL: &[&str] = &["c", "objective-c", "go"];

/// Where something is declared.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Declared {
    path: PathBuf,
    pos: Pos,
    /// The range of the symbol around it; `None` at the top level.
    within: Option<Span>,
    /// The text of the declaration's range: a module is "declared" at the start of its file.
    name: String,
}

/// Refuses a rename after which two things would have one name.
///
/// # Errors
/// `conflict` with the place; the server's end.
pub(crate) async fn collisions(
    sup: &Supervisor,
    asked: &Asked,
    ready: &Ready,
) -> Result<(), LspError> {
    let new = asked.bare_new();
    let one_level = ONE_LEVEL.contains(&asked.language.as_str());
    let mut uses: Vec<(PathBuf, Hit, usize)> = Vec::new();
    let mut imported: Option<Hit> = None;
    for (path, file) in &asked.found.files {
        let edited = ready.staged.files.iter().any(|staged| {
            staged.edits > 0 && (staged.rel == file.rel || staged.from.as_ref() == Some(&file.rel))
        });
        let language = language_of(sup, path);
        let near = one_level && language == Some(&asked.language);
        if !edited && !near {
            continue;
        }
        let hits = textcheck::hits(&file.rel, language, &file.text, new);
        let places = words(&file.text, new);
        for (hit, range) in hits.into_iter().zip(places) {
            if hit.kind != textcheck::Kind::Code {
                continue;
            }
            if edited && imports(&file.text, &range) {
                imported.get_or_insert(hit.clone());
            }
            uses.push((path.clone(), hit, range.start));
        }
    }
    if uses.is_empty() || !can_tell(asked) {
        return Ok(());
    }
    let token = asked.aim.token.start;
    let ours = declared(asked, asked.aim.file.path(), &asked.aim.synced, token).await?;
    // A member is not in the way of what is imported.
    if let Some(hit) = imported
        && ours.iter().any(|own| own.within.is_none())
    {
        return Err(clash(asked, &hit, "is imported"));
    }
    for (path, hit, at) in uses.into_iter().take(MOST) {
        let synced = asked.aim.client.sync(&path).await?;
        // A file that is another by now is for the commit to refuse.
        if synced.text.src() != asked.found.files[&path].text {
            continue;
        }
        for other in declared(asked, &path, &synced, at).await? {
            let named = ident::is_spelling_of(&asked.language, &other.name, new);
            if named && ours.iter().any(|own| same_place(own, &other, &asked.language)) {
                return Err(clash(asked, &hit, "is declared"));
            }
        }
    }
    Ok(())
}

fn can_tell(asked: &Asked) -> bool {
    asked.aim.client.can_at("textDocument/definition", asked.aim.file.path())
}

/// Whether a name is brought into a file by the line where it stands.
fn imports(text: &str, name: &Range<usize>) -> bool {
    const WORDS: [&str; 6] = ["import ", "import{", "from ", "use ", "pub use ", "using "];
    let start = text[..name.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[name.end..].find('\n').map_or(text.len(), |at| name.end + at);
    let line = text[start..end].trim_start();
    if !WORDS.iter().any(|word| line.starts_with(word)) {
        return false;
    }
    let (before, after) = (&text[start..name.start], &text[name.end..end]);
    // A part of a path, or a name that gets another here.
    let passes = ["::", ".", "\\", " as "].iter().any(|sign| after.starts_with(sign));
    let module = line.starts_with("from ") && !before.contains(" import ");
    let tail = line.starts_with("import ") && before.ends_with('.') && after.trim().is_empty();
    !(passes || module || tail)
}

/// The declarations of what stands at a place; that place itself where the server names none.
async fn declared(
    asked: &Asked,
    path: &Path,
    synced: &Synced,
    at: usize,
) -> Result<Vec<Declared>, LspError> {
    let client = &asked.aim.client;
    let pos = synced.text.pos(at, client.encoding());
    let params = json!({
        "textDocument": { "uri": synced.uri },
        "position": { "line": pos.line, "character": pos.character },
    });
    let limit = client.spec().request_budget;
    let asking =
        client.request("a definition", "textDocument/definition", params, Kind::Read, limit);
    let answer = match asking.await {
        Ok(answer) => answer,
        // It knows nothing there.
        Err(LspError::Server { .. }) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found: Vec<(PathBuf, Span)> =
        decode::locations(&answer).into_iter().map(|loc| (loc.path, loc.span)).collect();
    if found.is_empty() && at == asked.aim.token.start {
        found.push((path.to_path_buf(), Span { start: pos, end: pos }));
    }
    let mut all = Vec::new();
    for (path, span) in found {
        // Without symbols everything would seem to stand at the top level.
        let Some(symbols) = document_symbols(client, &path).await else { continue };
        let Ok(synced) = client.sync(&path).await else { continue };
        let name = &synced.text.src()[synced.text.range(span, client.encoding())];
        let within = scope(&symbols, span.start, name);
        all.push(Declared { path, pos: span.start, within, name: name.to_owned() });
    }
    Ok(all)
}

/// The range of the innermost symbol around the declaration of a name, which is not the declared symbol itself.
fn scope(symbols: &[SymbolInfo], pos: Pos, name: &str) -> Option<Span> {
    let around = |symbol: &&SymbolInfo| {
        let inside = |span: Span| span.start <= pos && pos < span.end;
        // A flat list has one range for all of a symbol, so its name tells.
        let own = match symbol.selection == symbol.span {
            true => symbol.name == name,
            false => inside(symbol.selection),
        };
        inside(symbol.span) && !own
    };
    // Of nested ones the inner; of a flat list the one that begins last.
    let outer = symbols.iter().filter(around).max_by_key(|symbol| symbol.span.start)?;
    scope(&outer.children, pos, name).or(Some(outer.span))
}

/// Whether two declarations share a scope, as far as outlines tell.
fn same_place(ours: &Declared, theirs: &Declared, language: &str) -> bool {
    if ours.path == theirs.path {
        return ours.pos != theirs.pos && ours.within == theirs.within;
    }
    let top = ours.within.is_none() && theirs.within.is_none();
    match language {
        "go" => top && ours.path.parent() == theirs.path.parent(),
        other => top && ONE_LEVEL.contains(&other),
    }
}

fn clash(asked: &Asked, hit: &Hit, what: &str) -> LspError {
    let new = asked.bare_new();
    ToolError::conflict(format!(
        "`{new}` {what} already where `{}` would get that name: {}:{}: {}. Nothing was changed",
        asked.bare_old(),
        hit.rel,
        hit.line,
        hit.text
    ))
    .hint("choose another name, or rename that one first")
    .details(json!({
        "reason": "collision", "new_name": new, "files": [], "edits": 0,
        "collision": { "path": hit.rel, "line": hit.line, "text": hit.text },
    }))
    .into()
}

#[cfg(test)]
mod tests {
    use super::{Declared, imports, same_place, scope};
    use crate::decode::SymbolInfo;
    use crate::text::{Pos, Span};

    fn lines(from: u32, to: u32) -> Span {
        Span { start: Pos::new(from, 0), end: Pos::new(to, 0) }
    }

    fn at(path: &str, line: u32, within: Option<Span>) -> Declared {
        Declared { path: path.into(), pos: Pos::new(line, 4), within, name: "x".into() }
    }

    #[test]
    fn two_of_one_scope_collide() {
        let (f, g) = (Some(lines(0, 9)), Some(lines(9, 20)));
        let own = at("/p/a", 1, f);
        assert!(same_place(&own, &at("/p/a", 2, f), "rust"));
        assert!(!same_place(&own, &at("/p/a", 2, g), "rust"));
        assert!(!same_place(&own, &at("/p/a", 2, None), "rust"));
        assert!(!same_place(&own, &own, "rust"), "the thing itself");
        let top = at("/p/a", 1, None);
        for (language, other, same) in [
            ("rust", "/p/b", false),
            ("c", "/q/b", true),
            ("go", "/p/b", true),
            ("go", "/q/b", false),
        ] {
            assert_eq!(same_place(&top, &at(other, 9, None), language), same, "{language} {other}");
            assert!(!same_place(&top, &at(other, 9, f), language));
        }
    }

    #[test]
    fn the_scope_of_a_name_is_what_is_around_its_declaration() {
        let symbol = |name: &str, span: (u32, u32), children: Vec<SymbolInfo>| SymbolInfo {
            name: name.into(),
            detail: None,
            kind: "function",
            path: None,
            span: lines(span.0, span.1),
            selection: Span { start: Pos::new(span.0, 4), end: Pos::new(span.0, 5) },
            container: None,
            children,
        };
        let tree =
            [symbol("C", (0, 9), vec![symbol("f", (1, 3), vec![]), symbol("g", (4, 6), vec![])])];
        let of = |line, column| scope(&tree, Pos::new(line, column), "x");
        assert_eq!(of(0, 4), None, "the name of the class");
        assert_eq!(of(1, 4), Some(lines(0, 9)), "the name of a method");
        assert_eq!(of(1, 7), Some(lines(1, 3)), "its parameter");
        assert_eq!(of(5, 0), Some(lines(4, 6)), "a variable in another");
        assert_eq!(of(20, 0), None);
        let flat = |name: &str, from, to| SymbolInfo {
            selection: lines(from, to),
            ..symbol(name, (from, to), vec![])
        };
        let list = [flat("C", 0, 9), flat("f", 1, 3)];
        assert_eq!(scope(&list, Pos::new(1, 4), "f"), Some(lines(0, 9)));
        assert_eq!(scope(&list, Pos::new(2, 4), "x"), Some(lines(1, 3)));
    }

    #[test]
    fn names_that_are_imported() {
        let binds = |text: &str| {
            let at = text.find('X').expect("it is there");
            imports(text, &(at..at + 1))
        };
        for line in [
            "import { a, X } from './b'",
            "import X from 'b'",
            "import {X} from 'b'",
            "from b import a, X",
            "from b import a as X",
            "import X",
            "use b::X;",
            "    pub use b::{c, X};",
            "use b::c as X;",
        ] {
            assert!(binds(line), "{line}");
        }
        for line in [
            "from X import a",
            "from a.X import b",
            "import { X as a } from './b'",
            "import a.X",
            "import X.a",
            "use X::b;",
            "use b::X as c;",
            "let X = important(a);",
            "import a\nX()",
        ] {
            assert!(!binds(line), "{line}");
        }
    }
}
