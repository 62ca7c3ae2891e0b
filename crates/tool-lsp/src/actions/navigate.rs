//! definition, type_definition, implementation, references: a place in, places out.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, sleep};
use tool_core::{CallCx, ToolOutput};

use super::aim::{Aim, aim};
use super::complete::incomplete;
use super::coverage::{self, Words};
use super::places::{self, Sources};
use super::verify::holds;
use crate::decode::{self, Loc};
use crate::error::LspError;
use crate::render::{self, Navigation, count};
use crate::supervisor::Supervisor;
use crate::tool::{At, Relation};

/// Places shown.
const CAP: usize = 50;
/// How long a server that speaks of files as they were is asked again.
const PATIENCE: Duration = Duration::from_secs(3);

impl Relation {
    const fn method(self) -> &'static str {
        match self {
            Self::Definition => "textDocument/definition",
            Self::TypeDefinition => "textDocument/typeDefinition",
            Self::Implementation => "textDocument/implementation",
            Self::References => "textDocument/references",
        }
    }

    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Definition => ("definition", "definitions"),
            Self::TypeDefinition => ("type definition", "type definitions"),
            Self::Implementation => ("implementation", "implementations"),
            Self::References => ("reference", "references"),
        }
    }

    fn params(self, aim: &Aim) -> Value {
        let mut params = aim.params();
        if self == Self::References {
            params["context"] = json!({ "includeDeclaration": true });
        }
        params
    }
}

/// What a server answered, with the texts of the places.
struct Seen {
    raw: Value,
    locs: Vec<Loc>,
    sources: Sources,
}

/// Answers the question.
pub(crate) async fn navigate(
    cx: &CallCx,
    sup: &Supervisor,
    relation: Relation,
    at: &At,
) -> Result<ToolOutput, LspError> {
    let (one, many) = relation.words();
    let aim = aim(cx, sup, at, relation.method(), many).await?;
    let search = async {
        match relation {
            Relation::References => Some(words(sup, &aim).await),
            _ => None,
        }
    };
    let asked = current(cx, sup, &aim, relation);
    let (seen, words) = futures_util::future::join(asked, search).await;
    let mut seen = seen?;
    let mut notes = Vec::new();
    if let Some(note) = aim.recount(places::ranges(&aim, &seen.sources, &seen.locs)) {
        notes.push(note);
        // The question itself was put in the wrong units.
        seen = ask(cx, sup, &aim, relation).await?;
    }
    let Seen { raw, mut locs, sources } = seen;
    let stale = locs.iter().filter(|loc| places::stale(sup.root(), &sources, loc)).count();
    locs.retain(|loc| !places::stale(sup.root(), &sources, loc));
    if relation == Relation::References {
        places::order(aim.file.path(), &sources, &mut locs);
    }
    notes.extend(remarks(&aim, relation, &raw, &locs, &sources, stale));
    let complete = match relation {
        Relation::References => {
            let why = incomplete(&aim.client, aim.file.path()).await;
            let complete = why.is_none();
            notes.extend(why.map(|why| format!("Not complete: {why}.")));
            Some(complete)
        }
        _ => None,
    };
    let coverage = words.map(|words| {
        let at = locs.iter().map(|loc| (sources.real(&loc.path), loc.span.start.line));
        coverage::compare(sup.root(), &words, at)
    });
    let total = locs.len();
    let mut files: Vec<_> = locs.iter().map(|loc| sources.real(&loc.path)).collect();
    files.sort_unstable();
    files.dedup();
    let files = files.len();
    let shown = &locs[..total.min(CAP)];
    let encoding = aim.client.encoding();
    let mut hits: Vec<_> =
        shown.iter().map(|loc| places::hit(sup.root(), &sources, loc, encoding)).collect();
    places::within(sup.root(), &aim, &sources, shown, &mut hits).await;
    Ok(render::navigation(&Navigation {
        asked: &aim.asked(),
        one,
        many,
        hits: &hits,
        total,
        files,
        coverage: coverage.as_ref(),
        complete,
        notes: &notes,
    }))
}

/// Asks again while the answer speaks of files as they were: some servers read what changed only a moment after they were
/// told of it.
async fn current(
    cx: &CallCx,
    sup: &Supervisor,
    aim: &Aim,
    relation: Relation,
) -> Result<Seen, LspError> {
    let until = Instant::now() + PATIENCE;
    let mut pause = Duration::from_millis(20);
    loop {
        let seen = ask(cx, sup, aim, relation).await?;
        let stale = |loc: &&Loc| places::stale(sup.root(), &seen.sources, loc);
        let stale: Vec<PathBuf> =
            seen.locs.iter().filter(stale).map(|loc| loc.path.clone()).collect();
        if stale.is_empty() || aim.client.is_haunted_by(&stale) {
            return Ok(seen);
        }
        if Instant::now() + pause > until {
            // It is waited for once: some never forget a file.
            aim.client.haunted_by(stale.into_iter().filter(|path| !path.exists()).collect());
            return Ok(seen);
        }
        sleep(pause).await;
        pause *= 2;
    }
}

async fn ask(
    cx: &CallCx,
    sup: &Supervisor,
    aim: &Aim,
    relation: Relation,
) -> Result<Seen, LspError> {
    let seen = ask_once(cx, sup, aim, relation).await?;
    let marked = marked(aim, &seen);
    if marked.is_empty() {
        return Ok(seen);
    }
    for path in &marked {
        aim.client.sync(path).await?;
    }
    ask_once(cx, sup, aim, relation).await
}

async fn ask_once(
    cx: &CallCx,
    sup: &Supervisor,
    aim: &Aim,
    relation: Relation,
) -> Result<Seen, LspError> {
    let (_, many) = relation.words();
    let raw = aim.ask(cx, many, relation.method(), relation.params(aim)).await?;
    let locs = decode::locations(&raw);
    let mut sources = Sources::default();
    sources.know(aim.file.path(), aim.text());
    sources.load(sup.root(), locs.iter().map(|loc| &loc.path)).await;
    Ok(Seen { raw, locs, sources })
}

/// Closed files with a place in their first line, before which a byte order mark stands: a server that reads the file
/// itself counts it (ty by its three bytes, pyright as a character). An open document is sent without it.
fn marked(aim: &Aim, seen: &Seen) -> Vec<PathBuf> {
    let first = seen.locs.iter().filter(|loc| loc.span.start.line == 0);
    let marked = first.filter(|loc| {
        seen.sources.text(&loc.path).is_some_and(|t| t.src().starts_with('\u{feff}'))
    });
    let mut paths: Vec<PathBuf> = marked.map(|loc| loc.path.clone()).collect();
    paths.sort();
    paths.dedup();
    paths.retain(|path| {
        aim.client.open_version(path).is_none() && aim.client.spec().language_id(path).is_some()
    });
    paths
}

async fn words(sup: &Supervisor, aim: &Aim) -> Words {
    let (below, spec) = (aim.client.root().to_owned(), aim.client.spec().clone());
    coverage::search(sup.root().clone(), below, spec, aim.name().to_owned()).await
}

/// What must be known to judge the answer.
fn remarks(
    aim: &Aim,
    relation: Relation,
    raw: &Value,
    locs: &[Loc],
    sources: &Sources,
    stale: usize,
) -> Vec<String> {
    let mut notes = Vec::new();
    let unreadable = decode::unreadable(raw);
    if unreadable > 0 {
        let places = count(unreadable, "place", "places");
        let foreign = decode::foreign_uris(raw);
        let at = foreign.first().map_or_else(String::new, |uri| format!(", as {uri}"));
        notes.push(format!("{places} of the answer are in no file of this machine{at}."));
    }
    if stale > 0 {
        let places = count(stale, "place lies", "places lie");
        notes.push(format!(
            "{places} in a file that is gone, or behind the end of one that has changed; ask again."
        ));
    }
    if relation == Relation::References {
        let encoding = aim.client.encoding();
        let other = |loc: &&Loc| {
            sources.text(&loc.path).is_some_and(|t| !holds(t, loc.span, encoding, aim.name()))
        };
        let n = locs.iter().filter(other).count();
        if n > 0 {
            let are = if n == 1 { "is" } else { "are" };
            notes.push(format!(
                "{n} of them {are} spelled otherwise (an alias, an operator, a part of a name)."
            ));
        }
    }
    notes
}
