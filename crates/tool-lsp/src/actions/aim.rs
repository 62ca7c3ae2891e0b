//! From `file`, `line` and `symbol` to a ready server, a document it has as the disk has it, and a place in it.

use std::fmt::Write as _;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::future::join_all;
use serde_json::{Value, json};
use tool_core::{CallCx, Progress, ToolError};
use tool_workspace::{Located, Root, WorkspaceError};

use super::meaning::{Meaning, groups};
use super::verify::counted_in;
use crate::client::{Client, Kind, Synced};
use crate::decode;
use crate::error::LspError;
use crate::position::{clipped, occurrences};
use crate::render::{Asked, version_number};
use crate::supervisor::{Supervisor, Want};
use crate::text::{Pos, Span, Text};
use crate::tool::At;

/// Occurrences on one line that are asked about; a line with more is told to be one.
const MOST_OCCURRENCES: usize = 16;
/// Larger files are not read.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// A place that a server can be asked about.
pub(crate) struct Aim {
    pub(crate) client: Arc<Client>,
    pub(crate) file: Located,
    pub(crate) synced: Synced,
    /// The name that is meant, in the synchronised text.
    pub(crate) token: Range<usize>,
}

impl Aim {
    pub(crate) fn text(&self) -> &Text {
        &self.synced.text
    }

    pub(crate) fn name(&self) -> &str {
        &self.text().src()[self.token.clone()]
    }

    /// In the units of the server, as they are known by now.
    pub(crate) fn pos(&self) -> Pos {
        self.text().pos(self.token.start, self.client.encoding())
    }

    pub(crate) fn params(&self) -> Value {
        position_params(&self.synced.uri, self.pos())
    }

    pub(crate) fn asked(&self) -> Asked {
        let (line, column) = self.text().human(self.token.start);
        Asked {
            name: self.name().to_owned(),
            path: self.file.rel(),
            line,
            column,
            server: named(&self.client),
            id: self.client.id().to_owned(),
        }
    }

    /// Asks about the place, and again where the server began to load meanwhile.
    pub(crate) async fn ask(
        &self,
        cx: &CallCx,
        what: &str,
        method: &str,
        params: Value,
    ) -> Result<Value, LspError> {
        let say = |text: String| cx.progress(Progress::Text(text));
        self.client.ask(what, method, params, Kind::Read, &say).await
    }

    /// Switches the encoding of a server that does not count as it says, and tells it: the ranges of an answer hold the
    /// name in other units. The question itself was then put in the wrong ones.
    pub(crate) fn recount<'t>(
        &self,
        ranges: impl Iterator<Item = (&'t Text, Span)>,
    ) -> Option<String> {
        let now = self.client.encoding();
        let real = counted_in(now, self.name(), ranges)?;
        let id = self.client.id();
        let why =
            format!("{id} counts columns in {}, not in {} as it says", real.as_str(), now.as_str());
        self.client.set_encoding(real, &why);
        Some(format!("{why}; positions were corrected."))
    }
}

/// Id and version of a server.
pub(crate) fn named(client: &Client) -> String {
    match version_number(client.version()) {
        Some(number) => format!("{} {number}", client.id()),
        None => client.id().to_owned(),
    }
}

fn position_params(uri: &str, pos: Pos) -> Value {
    json!({ "textDocument": { "uri": uri }, "position": { "line": pos.line, "character": pos.character } })
}

/// Blocking work off the async threads.
pub(crate) async fn off<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(value) => value,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The runtime is going down, and this future with it.
            Err(_) => std::future::pending().await,
        },
    }
}

/// A file inside the root, and its text.
pub(crate) async fn read(root: &Root, file: &str) -> Result<(Located, Text), LspError> {
    let (root, file) = (root.clone(), file.to_owned());
    off(move || {
        let located = root.resolve(&file)?;
        let content = root.read_up_to(&located, MOST_BYTES)?;
        let text = Text::new(content.bytes)
            .map_err(|why| LspError::NotText { path: located.rel(), why: why.to_string() })?;
        Ok((located, text))
    })
    .await
}

/// A file inside the root, unread.
pub(crate) async fn locate(root: &Root, file: &str) -> Result<Located, LspError> {
    let (root, file) = (root.clone(), file.to_owned());
    off(move || -> Result<Located, WorkspaceError> { root.resolve(&file) })
        .await
        .map_err(LspError::from)
}

/// Waits until a server has loaded its project, has seen what changed on the disk, and has this document.
pub(crate) async fn prepare(
    cx: &CallCx,
    client: &Client,
    file: &Located,
) -> Result<Synced, LspError> {
    let say = |text: String| cx.progress(Progress::Text(text));
    client.sync_world().await?;
    // Some servers load a project only once a document of it is open.
    client.sync(file.path()).await?;
    client.ready(client.spec().ready_budget, &say).await?;
    client.sync(file.path()).await
}

/// Aims with the first server for the file that offers the method.
pub(crate) async fn aim(
    cx: &CallCx,
    sup: &Supervisor,
    at: &At,
    method: &str,
    what: &str,
) -> Result<Aim, LspError> {
    // What is wrong with the place is said before a server is started for it.
    let (file, text) = read(sup.root(), &at.file).await?;
    occurrences(&text, at.line, &at.symbol)?;
    let clients = sup.clients_for(file.path(), Want::Types).await?;
    let mut without = Vec::new();
    for client in clients {
        let synced = prepare(cx, &client, &file).await?;
        if client.can_at(method, file.path()) {
            let found = occurrences(&synced.text, at.line, &at.symbol)?;
            let token = one_of(sup, &client, &file, &synced, at, found).await?;
            return Ok(Aim { client, file, synced, token });
        }
        without.push(named(&client));
    }
    Err(LspError::Unsupported { server: without.join(", "), what: what.to_owned() })
}

/// The one that is meant, where all that stand on the line mean the same.
pub(crate) async fn one_of(
    sup: &Supervisor,
    client: &Client,
    file: &Located,
    synced: &Synced,
    at: &At,
    found: Vec<Range<usize>>,
) -> Result<Range<usize>, LspError> {
    let [first, _, ..] = found.as_slice() else {
        return found
            .into_iter()
            .next()
            .ok_or_else(|| LspError::invalid("no symbol", "pass `symbol`"));
    };
    if found.len() > MOST_OCCURRENCES || !client.can_at("textDocument/definition", file.path()) {
        return Err(several(sup, synced, at, &found, None));
    }
    let encoding = client.encoding();
    let asked = found.iter().map(|range| {
        let params = position_params(&synced.uri, synced.text.pos(range.start, encoding));
        let limit = client.spec().request_budget;
        client.request("definition", "textDocument/definition", params, Kind::Read, limit)
    });
    let mut meanings = Vec::new();
    for (answer, range) in join_all(asked).await.into_iter().zip(&found) {
        // A server that fails on one of them (a comment, a string) knows no meaning there.
        let places = match answer {
            Ok(answer) => decode::locations(&answer),
            Err(LspError::Server { .. }) => Vec::new(),
            Err(error) => return Err(error),
        };
        let declared: Vec<(PathBuf, Pos)> =
            places.into_iter().map(|l| (l.path, l.span.start)).collect();
        meanings.push(Meaning { at: synced.text.span(range, encoding), declared });
    }
    match groups(file.path(), &meanings).as_slice() {
        [one] => Ok(one.first().and_then(|i| found.get(*i)).unwrap_or(first).clone()),
        _ => Err(several(sup, synced, at, &found, Some(&meanings))),
    }
}

/// The error that shows the occurrences.
fn several(
    sup: &Supervisor,
    synced: &Synced,
    at: &At,
    found: &[Range<usize>],
    meanings: Option<&[Meaning]>,
) -> LspError {
    let text = &synced.text;
    let line = text.line(at.line.saturating_sub(1)).map(clipped).unwrap_or_default();
    let why = match meanings {
        Some(_) => "and means different things",
        None => "and it cannot be told whether they mean the same",
    };
    let mut message =
        format!("`{}` stands {} times on line {} {why}: `{line}`", at.symbol, found.len(), at.line);
    let mut list = Vec::new();
    for (i, range) in found.iter().enumerate().take(MOST_OCCURRENCES) {
        let (_, column) = text.human(range.start);
        let declared: Vec<String> = meanings
            .and_then(|all| all.get(i))
            .map(|m| {
                let shown = |(path, pos): &(PathBuf, Pos)| {
                    format!("{}:{}", sup.root().relative(path), pos.line + 1)
                };
                m.declared.iter().map(shown).collect()
            })
            .unwrap_or_default();
        let _ = write!(message, "\n  {}#{}: column {column}", at.symbol, i + 1);
        match (meanings.is_some(), declared.is_empty()) {
            (true, true) => message.push_str(", no declaration known"),
            (true, false) => {
                let _ = write!(message, ", declared at {}", declared.join(", "));
            }
            (false, _) => {}
        }
        list.push(json!({ "symbol": format!("{}#{}", at.symbol, i + 1), "column": column, "declared": declared }));
    }
    ToolError::invalid(message)
        .hint(format!("call again with the one that is meant, say symbol \"{}#2\"", at.symbol))
        .details(json!({ "occurrences": list }))
        .into()
}
