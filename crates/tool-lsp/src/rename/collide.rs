//! Whether the new name is free where it will stand.
//!
//! Few servers look. What is asked here of each use of the new name in the files that would change is where it is
//! declared: at the place where the renamed thing is declared, too, the two would become one.

use std::path::{Path, PathBuf};

use serde_json::json;
use tool_core::ToolError;

use super::apply::Ready;
use super::asked::{Asked, language_of};
use crate::actions::outline;
use crate::client::{Kind, Synced};
use crate::decode;
use crate::error::LspError;
use crate::supervisor::Supervisor;
use crate::text::{Pos, Text};
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
    /// The symbol around it; `None` at the top level.
    within: Option<String>,
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
    let mut candidates: Vec<(PathBuf, Hit, usize)> = Vec::new();
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
        let places = words(&file.text, new).map(|range| range.start);
        for (hit, at) in hits.into_iter().zip(places) {
            if hit.kind != textcheck::Kind::Code {
                continue;
            }
            if edited && imports(&hit.text) {
                return Err(clash(asked, &hit, "is imported"));
            }
            candidates.push((path.clone(), hit, at));
        }
    }
    if candidates.is_empty() || !can_tell(asked) {
        return Ok(());
    }
    let token = asked.aim.token.start;
    let ours = declared(asked, asked.aim.file.path(), &asked.aim.synced, token).await?;
    for (path, hit, at) in candidates.into_iter().take(MOST) {
        let synced = asked.aim.client.sync(&path).await?;
        // The search read the bytes of the file, and a document is without the mark at their beginning.
        let Some(theirs) = same_text(&synced, &asked.found.files[&path].text, at) else { continue };
        for other in declared(asked, &path, &synced, theirs).await? {
            if ours.iter().any(|own| same_place(own, &other, &asked.language)) {
                return Err(clash(asked, &hit, "is declared"));
            }
        }
    }
    Ok(())
}

fn can_tell(asked: &Asked) -> bool {
    asked.aim.client.can_at("textDocument/definition", asked.aim.file.path())
}

/// The place in the document, if it has the text that was searched.
fn same_text(synced: &Synced, searched: &str, at: usize) -> Option<usize> {
    (synced.text.src() == searched).then_some(at)
}

/// A line that brings a name from elsewhere.
fn imports(line: &str) -> bool {
    const WORDS: [&str; 9] = [
        "import ", "from ", "use ", "pub use ", "using ", "export {", "import{", "import{",
        "require ",
    ];
    WORDS.iter().any(|word| line.starts_with(word)) || line.contains("require(")
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
    let mut found: Vec<(PathBuf, Pos)> =
        decode::locations(&answer).into_iter().map(|loc| (loc.path, loc.span.start)).collect();
    if found.is_empty() && at == asked.aim.token.start {
        found.push((path.to_path_buf(), pos));
    }
    let mut all = Vec::new();
    for (path, pos) in found {
        // Without an outline everything would seem to stand at the top level.
        let Some(outline) = outline(client, &path).await else { continue };
        let within = outline.around(pos);
        all.push(Declared { path, pos, within });
    }
    Ok(all)
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
    use super::{Declared, imports, same_place};
    use crate::text::Pos;

    fn at(path: &str, line: u32, within: Option<&str>) -> Declared {
        Declared { path: path.into(), pos: Pos::new(line, 4), within: within.map(str::to_owned) }
    }

    #[test]
    fn two_of_one_scope_collide() {
        let own = at("/p/a", 1, Some("f"));
        assert!(same_place(&own, &at("/p/a", 2, Some("f")), "rust"));
        assert!(!same_place(&own, &at("/p/a", 2, Some("g")), "rust"));
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
            assert!(!same_place(&top, &at(other, 9, Some("f")), language));
        }
    }

    #[test]
    fn lines_that_import() {
        for line in
            ["import { a } from './b'", "from b import a", "use b::a;", "const a = require('b')"]
        {
            assert!(imports(line), "{line}");
        }
        assert!(!imports("let imported = important(a);"));
    }
}
