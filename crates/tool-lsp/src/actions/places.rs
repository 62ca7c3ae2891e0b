//! From a server's places to lines of code that can be shown.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;
use tool_workspace::Root;

use super::aim::{Aim, off};
use super::outline::Outline;
use crate::client::{Client, Kind};
use crate::decode::{self, Loc, SymbolInfo};
use crate::render::Hit;
use crate::text::{Encoding, Pos, Span, Text};

/// Files outside the root that are larger are not read for display.
const MOST_BYTES: u64 = 16 * 1024 * 1024;
/// Files whose symbols are asked for, and how long that may take: it is an addition, not the answer.
const OUTLINES: usize = 12;
const OUTLINES_LIMIT: Duration = Duration::from_secs(3);

/// Texts of the files that an answer names, by the path of the answer.
#[derive(Default)]
pub(crate) struct Sources {
    texts: HashMap<PathBuf, Text>,
    /// Where a path really leads: servers answer with and without symbolic links.
    real: HashMap<PathBuf, PathBuf>,
}

impl Sources {
    /// Reads the files that are not yet there.
    pub(crate) async fn load(&mut self, root: &Root, paths: impl Iterator<Item = &PathBuf>) {
        let mut wanted: Vec<PathBuf> =
            paths.filter(|path| !self.real.contains_key(*path)).cloned().collect();
        wanted.sort();
        wanted.dedup();
        let root = root.clone();
        let loaded = off(move || {
            let one = |path: PathBuf| {
                let real = path.canonicalize().unwrap_or_else(|_| path.clone());
                let text = text_of(&root, &real);
                (path, real, text)
            };
            wanted.into_iter().map(one).collect::<Vec<_>>()
        });
        for (path, real, text) in loaded.await {
            if let Some(text) = text {
                self.texts.insert(path.clone(), text);
            }
            self.real.insert(path, real);
        }
    }

    /// Takes a text that is already known.
    pub(crate) fn know(&mut self, path: &Path, text: &Text) {
        self.texts.insert(path.to_owned(), text.clone());
        self.real.insert(path.to_owned(), path.to_owned());
    }

    pub(crate) fn text(&self, path: &Path) -> Option<&Text> {
        self.texts.get(path)
    }

    pub(crate) fn real<'a>(&'a self, path: &'a Path) -> &'a Path {
        self.real.get(path).map_or(path, PathBuf::as_path)
    }
}

fn text_of(root: &Root, real: &Path) -> Option<Text> {
    let bytes = if real.starts_with(root.path()) {
        let located = root.resolve(real.to_str()?).ok()?;
        root.read_up_to(&located, u64::from(u32::MAX)).ok()?.bytes
    } else {
        let data = std::fs::metadata(real).ok()?;
        if !data.is_file() || data.len() > MOST_BYTES {
            return None;
        }
        std::fs::read(real).ok()?
    };
    Text::new(bytes).ok()
}

/// A place as it is shown.
pub(crate) fn hit(root: &Root, sources: &Sources, loc: &Loc, encoding: Encoding) -> Hit {
    let real = sources.real(&loc.path);
    let path = root.relative(real);
    let (line, end_line, column, text) = match sources.text(&loc.path) {
        Some(text) => {
            let range = text.range(loc.span, encoding);
            let (line, column) = text.human(range.start);
            (line, last_line(text, &range), column, shown_line(text, line))
        }
        // Nothing can be read there; the server's numbers are the best there is.
        None => (
            loc.span.start.line + 1,
            loc.span.end.line + 1,
            loc.span.start.character + 1,
            String::new(),
        ),
    };
    Hit { path, line, end_line, column, text, within: None }
}

/// The last line of a range, from 1: an end at the start of a line belongs to the line before.
fn last_line(text: &Text, range: &std::ops::Range<usize>) -> u32 {
    let (line, _) = text.human(range.start);
    let (end, column) = text.human(range.end);
    if column == 1 && end > line { end - 1 } else { end }
}

fn shown_line(text: &Text, line: u32) -> String {
    text.line(line - 1).unwrap_or_default().trim().to_owned()
}

/// Whether a place lies behind the end of its file, or in one that is gone: the server speaks of another state of it.
pub(crate) fn stale(root: &Root, sources: &Sources, loc: &Loc) -> bool {
    match sources.text(&loc.path) {
        Some(text) => loc.span.start.line >= text.line_count(),
        None => sources.real(&loc.path).starts_with(root.path()) && !loc.path.exists(),
    }
}

/// The symbols around the places, where the server tells in time. Each place keeps its index.
pub(crate) async fn within(
    root: &Root,
    aim: &Aim,
    sources: &Sources,
    locs: &[Loc],
    hits: &mut [Hit],
) {
    if !aim.client.can("textDocument/documentSymbol") {
        return;
    }
    let mut files: Vec<&PathBuf> = Vec::new();
    for loc in locs {
        if files.len() < OUTLINES
            && !files.contains(&&loc.path)
            && sources.real(&loc.path).starts_with(root.path())
        {
            files.push(&loc.path);
        }
    }
    let all = join_all(files.iter().map(|path| outline(&aim.client, sources.real(path))));
    let Ok(outlines) = tokio::time::timeout(OUTLINES_LIMIT, all).await else {
        return;
    };
    for (path, outline) in files.into_iter().zip(outlines) {
        let Some(outline) = outline else { continue };
        for (loc, hit) in locs.iter().zip(hits.iter_mut()).filter(|(loc, _)| loc.path == *path) {
            hit.within = outline.around(loc.span.start);
        }
    }
}

async fn outline(client: &Client, path: &Path) -> Option<Outline> {
    document_symbols(client, path).await.map(|symbols| Outline::new(&symbols))
}

/// The symbols of a document; `None` where the server does not tell in time.
pub(crate) async fn document_symbols(client: &Client, path: &Path) -> Option<Vec<SymbolInfo>> {
    let synced = client.sync(path).await.ok()?;
    let params = json!({ "textDocument": { "uri": synced.uri } });
    let answer = client
        .request("symbols", "textDocument/documentSymbol", params, Kind::Read, OUTLINES_LIMIT)
        .await
        .ok()?;
    Some(decode::symbols(&answer))
}

/// For the order of references: the file that was asked about first, then by path and place.
pub(crate) fn order(file: &Path, sources: &Sources, locs: &mut Vec<Loc>) {
    let key = |loc: &Loc| -> (bool, PathBuf, Pos, Pos) {
        let real = sources.real(&loc.path);
        (real != file, real.to_owned(), loc.span.start, loc.span.end)
    };
    locs.sort_by_cached_key(key);
    // The same place under two spellings of its path is one.
    locs.dedup_by(|a, b| a.span == b.span && sources.real(&a.path) == sources.real(&b.path));
}

/// All ranges with their texts, for checking them against the name.
pub(crate) fn ranges<'s>(
    aim: &'s Aim,
    sources: &'s Sources,
    locs: &'s [Loc],
) -> impl Iterator<Item = (&'s Text, Span)> {
    let origins = locs.iter().filter_map(|loc| loc.origin).map(|span| (aim.text(), span));
    locs.iter().filter_map(|loc| Some((sources.text(&loc.path)?, loc.span))).chain(origins)
}
