//! Servers that do not hear of files that others change (clangd): all that hold the name are opened for the question, and
//! the question is put again while the answer leaves out what a moment later it would not.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, sleep};
use tool_core::{CallCx, Progress, ToolError};

use crate::actions::Aim;
use crate::client::Synced;
use crate::edits::{Plan, Step};
use crate::error::LspError;
use crate::spec::Watching;
use crate::text::Text;
use crate::textcheck::{self, Found, Kind};
use crate::verdict::{Moment, verdict};

/// Files that are opened for one rename.
const MOST_OPENED: usize = 256;
/// How long an answer that leaves out uses of the name must stay the same.
const STEADY: Duration = Duration::from_secs(3);
/// How long the question is put again at most.
const LONGEST: Duration = Duration::from_secs(30);

/// Opens every file that holds the name in a server that hears of other files only when they are opened, and waits until
/// it has read them; in any other, those that begin with a byte order mark. They stay open while the result lives.
pub(super) async fn opened(
    cx: &CallCx,
    aim: &Aim,
    found: &Found,
    name: &str,
) -> Result<Vec<(PathBuf, Synced)>, LspError> {
    let client = &aim.client;
    let moment = Moment::of(client);
    let mut open = Vec::new();
    let blind = client.spec().watching == Watching::Reopen;
    for (path, file) in &found.files {
        // A server counts the byte order mark of a file that it reads itself (ty and pyright do); an open one is sent without.
        let wanted = blind || file.text.starts_with('\u{feff}');
        let holds = wanted && textcheck::words(&file.text, name).next().is_some();
        if !holds || client.spec().language_id(path).is_none() {
            continue;
        }
        if open.len() == MOST_OPENED {
            let what = format!(
                "`{name}` stands in more than {MOST_OPENED} files, and {} knows only those that are open",
                client.id()
            );
            let facts = json!({ "reason": "incomplete_server", "server": client.id() });
            return Err(ToolError::unavailable(what).details(facts).into());
        }
        open.push((path.clone(), client.sync(path).await?));
    }
    if !blind {
        return Ok(open);
    }
    cx.progress(Progress::Text(format!("{} reads {} files", client.id(), open.len())));
    let until = Instant::now() + client.spec().request_budget;
    for (path, synced) in &open {
        // Its diagnostics come when it has read the file; without them the answer may lack it, and the text check shows.
        let _ =
            verdict(client, path, synced, &moment, until.saturating_duration_since(Instant::now()))
                .await;
    }
    Ok(open)
}

/// When an answer is believed.
pub(super) struct Patience {
    needed: bool,
    since: Instant,
    /// How many uses the last answer left out, and since when it is so many.
    left: Option<(usize, Instant)>,
}

impl Patience {
    pub(super) fn new(aim: &Aim) -> Self {
        let needed = aim.client.spec().watching == Watching::Reopen;
        Self { needed, since: Instant::now(), left: None }
    }

    /// Whether the answer is to be taken; else it is time to ask again. Uses that stay out are of other things that
    /// have the same name.
    pub(super) async fn is_enough(
        &mut self,
        aim: &Aim,
        plan: &Plan,
        found: &Found,
        name: &str,
    ) -> bool {
        if !self.needed {
            return true;
        }
        let left = left_out(aim, plan, found, name);
        if left == 0 || self.since.elapsed() > LONGEST {
            return true;
        }
        let since = match self.left {
            Some((before, since)) if before == left => since,
            _ => Instant::now(),
        };
        self.left = Some((left, since));
        if since.elapsed() > STEADY {
            return true;
        }
        // What it says next may be that it has read a file.
        let mut changes = aim.client.changes();
        changes.mark_unchanged();
        tokio::select! {
            _ = changes.changed() => sleep(Duration::from_millis(20)).await,
            () = sleep(Duration::from_millis(250)) => {}
        }
        false
    }
}

/// Uses of the name in code, in files of the server, that no edit touches.
fn left_out(aim: &Aim, plan: &Plan, found: &Found, name: &str) -> usize {
    let (spec, encoding) = (aim.client.spec(), aim.client.encoding());
    let mut left = 0;
    for (path, file) in &found.files {
        let Some(language) = spec.language_id(path) else { continue };
        let Ok(text) = Text::new(file.text.clone().into_bytes()) else { continue };
        let mut touched = Vec::new();
        for step in &plan.steps {
            let Step::Text { path: edited, edits, .. } = step else { continue };
            if edited == path || edited.canonicalize().is_ok_and(|real| real == *path) {
                touched.extend(edits.iter().map(|edit| text.range(edit.span, encoding)));
            }
        }
        let places: Vec<_> = textcheck::words(&file.text, name).collect();
        let kinds = textcheck::kinds(Some(language), &file.text, places.iter().map(|p| p.start));
        let missed = places.iter().zip(kinds).filter(|(place, kind)| {
            let covered = touched.iter().any(|t| t.start < place.end && place.start < t.end);
            *kind == Kind::Code && !covered
        });
        left += missed.count();
    }
    left
}
