//! From the arguments to what the server wants to change: everything that can be wrong is found before it is asked.

use std::ops::Range;
use std::path::Path;
use std::time::SystemTime;

use serde_json::{Value, json};
use tool_core::{CallCx, Progress, ToolError};

use super::blind::{self, Patience};
use crate::actions::{Aim, aim, incomplete, off, read};
use crate::client::Kind;
use crate::decode;
use crate::edits::Plan;
use crate::error::LspError;
use crate::ident::{self, Place};
use crate::position::occurrences;
use crate::roots::servers_for;
use crate::supervisor::Supervisor;
use crate::text::{Encoding, Span, Text};
use crate::textcheck::{self, Found};
use crate::tool::At;

/// A rename that the server has answered.
pub(crate) struct Asked {
    pub(crate) aim: Aim,
    /// The language of the file that was named.
    pub(crate) language: String,
    /// As it stands in the text, with its sign if the server counts it in.
    pub(crate) old: String,
    /// The same way.
    pub(crate) new: String,
    pub(crate) plan: Plan,
    /// The files that held either name when the server was asked.
    pub(crate) found: Found,
    pub(crate) asked_at: SystemTime,
    pub(crate) notes: Vec<String>,
}

impl Asked {
    /// The old name without its sign: what a search looks for.
    pub(crate) fn bare_old(&self) -> &str {
        ident::bare(&self.language, &self.old)
    }

    pub(crate) fn bare_new(&self) -> &str {
        ident::bare(&self.language, &self.new)
    }
}

/// The language id of a file, by the first server that knows such files.
pub(crate) fn language_of<'s>(sup: &'s Supervisor, path: &Path) -> Option<&'s str> {
    let servers = servers_for(&sup.config().servers, path);
    servers.into_iter().find_map(|spec| spec.language_id(path))
}

/// Judges the arguments, waits for the server, and asks it.
///
/// # Errors
/// The place, the new name, the server, or that it does not rename this.
pub(crate) async fn ask(
    cx: &CallCx,
    sup: &Supervisor,
    at: &At,
    new_name: &str,
) -> Result<Asked, LspError> {
    // What is wrong with the arguments is said before a server is started.
    let (file, text) = read(sup.root(), &at.file).await?;
    let places = occurrences(&text, at.line, &at.symbol)?;
    let language = language_of(sup, file.path()).unwrap_or_default().to_owned();
    for place in &places {
        fitted(&language, &text, place, new_name)?;
    }
    let aim = aim(cx, sup, at, "textDocument/rename", "renames").await.map_err(explained)?;
    let mut notes = Vec::new();
    able(&aim, &mut notes).await?;
    let range = prepared(&aim, &mut notes).await?;
    let old = aim.text().src()[range.clone()].to_owned();
    let new = fitted(&language, aim.text(), &range, new_name)?;

    let asked_at = SystemTime::now();
    let found = search(sup, &aim, &language, &old, &new).await?;
    // The server has what the search saw, or something newer that the commit will notice.
    aim.client.sync_world().await?;
    let bare = ident::bare(&language, &old);
    let _open = blind::opened(cx, &aim, &found, bare).await?;
    let synced = aim.client.sync(aim.file.path()).await?;
    if synced.text.hash() != aim.text().hash() {
        let rel = aim.file.rel();
        return Err(ToolError::conflict(format!(
            "{rel} has changed while the server was being asked"
        ))
        .hint("ask again")
        .details(json!({ "reason": "stale", "mismatched": [rel] }))
        .into());
    }
    let mut params = aim.params();
    params["newName"] = json!(new);
    let say = |text: String| cx.progress(Progress::Text(text));
    let mut patience = Patience::new(&aim);
    let plan = loop {
        let asking =
            aim.client.ask("the rename", "textDocument/rename", params.clone(), Kind::Once, &say);
        let answer = asking.await.map_err(refused)?;
        let plan = Plan::read(&answer).map_err(|problem| super::apply::refusal(&problem))?;
        if patience.is_enough(&aim, &plan, &found, bare).await {
            break plan;
        }
    };
    if plan.is_empty() {
        return Err(no_edits(&aim, &found, &language, &old));
    }
    notes.extend(plan.labels.iter().map(|label| format!("{} says: {label}", aim.client.id())));
    Ok(Asked { aim, language, old, new, plan, found, asked_at, notes })
}

/// What stands for the new name at a place.
fn fitted(
    language: &str,
    text: &Text,
    range: &Range<usize>,
    new_name: &str,
) -> Result<String, LspError> {
    let line = text.line_range(text.line_of(range.start)).unwrap_or(0..0);
    let before = &text.src()[line.start.min(range.start)..range.start];
    let place = Place { before, covered: &text.src()[range.clone()] };
    ident::fit(language, place, new_name).map_err(|problem| {
        ToolError::invalid(format!("`{}` cannot be the new name: {problem}", new_name.trim()))
            .details(json!({ "reason": "new_name", "new_name": new_name }))
            .into()
    })
}

/// A server that renames in open files only, or not at all, is not asked: half a rename breaks the build.
async fn able(aim: &Aim, notes: &mut Vec<String>) -> Result<(), LspError> {
    let (spec, id) = (aim.client.spec(), aim.client.id());
    let refuse = |reason: &str, why: String| -> LspError {
        ToolError::unavailable(why).details(json!({ "reason": reason, "server": id })).into()
    };
    if let Some(why) = &spec.rename.none {
        return Err(refuse("unsupported", format!("{id} does not rename: {why}")));
    }
    let Some(why) = incomplete(&aim.client, aim.file.path()).await else { return Ok(()) };
    match &spec.rename.needs_file {
        Some(needed) => Err(refuse(
            "incomplete_server",
            format!(
                "{why}. A rename would miss uses, so nothing was changed. Let the build write {needed} (CMake: \
                 -DCMAKE_EXPORT_COMPILE_COMMANDS=ON), or edit the text"
            ),
        )),
        None => {
            notes.push(format!("{why}: look at what the text check has left"));
            Ok(())
        }
    }
}

/// The range of the name as the server sees it, where it tells; else the name that was meant.
async fn prepared(aim: &Aim, notes: &mut Vec<String>) -> Result<Range<usize>, LspError> {
    const METHOD: &str = "textDocument/prepareRename";
    let client = &aim.client;
    if client.spec().rename.prepare_missing || !client.can_at(METHOD, aim.file.path()) {
        return Ok(aim.token.clone());
    }
    let limit = client.spec().request_budget;
    for _ in 0..2 {
        let asked =
            client.request("whether it can be renamed", METHOD, aim.params(), Kind::Read, limit);
        let answer = match asked.await {
            Ok(answer) => answer,
            // Announced, and not there.
            Err(LspError::Server { code: -32601, .. }) => return Ok(aim.token.clone()),
            Err(error) => return Err(refused(error)),
        };
        let Some(span) = decode::span(&answer).or_else(|| decode::span(answer.get("range")?))
        else {
            if answer.get("defaultBehavior").and_then(Value::as_bool) == Some(true) {
                return Ok(aim.token.clone());
            }
            let what = format!("{} says that `{}` cannot be renamed here", client.id(), aim.name());
            return Err(ToolError::failed(what)
                .hint("it may be declared outside of the project, or be no name of the code")
                .details(json!({ "reason": "not_renamable", "server": client.id() }))
                .into());
        };
        match covers(aim, span, client.encoding()) {
            Some(range) => return Ok(range),
            // The question itself was put in the wrong units: once more.
            None => match aim.recount(std::iter::once((aim.text(), span))) {
                Some(note) => notes.push(note),
                None => return Err(another(aim, span)),
            },
        }
    }
    Ok(aim.token.clone())
}

/// The range in bytes, if it holds the name that was meant.
fn covers(aim: &Aim, span: Span, encoding: Encoding) -> Option<Range<usize>> {
    let range = aim.text().range(span, encoding);
    let language = aim.client.spec().language_id(aim.file.path()).unwrap_or_default();
    let there = &aim.text().src()[range.clone()];
    let meets = range.start <= aim.token.end && aim.token.start <= range.end;
    (meets && ident::is_spelling_of(language, there, aim.name())).then_some(range)
}

fn another(aim: &Aim, span: Span) -> LspError {
    let there = &aim.text().src()[aim.text().range(span, aim.client.encoding())];
    let there: String = there.chars().take(80).collect();
    ToolError::failed(format!(
        "{} would rename `{there}` at this place, and not `{}`; nothing was changed",
        aim.client.id(),
        aim.name()
    ))
    .hint("give the whole name as `symbol`")
    .details(json!({ "reason": "another_name", "server": aim.client.id() }))
    .into()
}

async fn search(
    sup: &Supervisor,
    aim: &Aim,
    language: &str,
    old: &str,
    new: &str,
) -> Result<Found, LspError> {
    let (root, folder) = (sup.root().clone(), aim.client.root().to_path_buf());
    let bare = |name| ident::bare(language, name).to_owned();
    let names = [bare(old), bare(new)];
    let work = move || textcheck::search(&root, &folder, &[&names[0], &names[1]], &|| false);
    Ok(off(work).await?)
}

/// A server's error is its answer to the question; what it says is shown as it is.
fn refused(error: LspError) -> LspError {
    match error {
        LspError::Server { server, code: -32801, .. } => ToolError::conflict(format!(
            "{server} says that files changed while it was at it; nothing was changed"
        ))
        .hint("ask again")
        .details(json!({ "reason": "stale", "server": server }))
        .into(),
        LspError::Server { server, code, message, .. } => ToolError::failed(format!(
            "{server} refuses the rename: {message}; nothing was changed"
        ))
        .details(json!({ "reason": "server_error", "server": server, "code": code }))
        .into(),
        other => other,
    }
}

fn explained(error: LspError) -> LspError {
    match error {
        LspError::Unsupported { server, .. } => LspError::Unsupported {
            server,
            what: "renames for this file; nothing was changed".into(),
        },
        other => other,
    }
}

fn no_edits(aim: &Aim, found: &Found, language: &str, old: &str) -> LspError {
    let bare = ident::bare(language, old);
    let words: usize = found.files.values().map(|file| textcheck::count(&file.text, bare)).sum();
    let id = aim.client.id();
    ToolError::failed(format!(
        "{id} answered the rename of `{old}` without any edit, although the text holds it {words} times; nothing was changed"
    ))
    .hint("it may be a name that the server does not resolve: look at it with `lsp` action `definition`")
    .details(json!({ "reason": "no_edits", "server": id, "hits": words }))
    .into()
}
