//! What a server says of a document as it is now: clean, these problems, or no verdict. The channels in order of trust.
//!
//! Silence is never taken for clean, and what was said of another version is never taken for this one.

mod check;
mod pull;
mod push;
mod tsserver;

use std::fmt;
use std::path::Path;
use std::time::Duration;

use tokio::time::Instant;
use tool_workspace::ContentHash;

use crate::client::{Client, ProgressCount, Synced};
use crate::diagnostics::{Diagnostic, sort, without_twins};
use crate::error::LspError;
use crate::ready::ReadyState;
use crate::spec::Channel;

/// A point in the order of things that a server says, taken before it is told of a change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    /// Of the inbox.
    pub(crate) mark: u64,
    /// Of the check that the server runs when a file is saved.
    checks: ProgressCount,
    /// The document is saved after this point: a check that a save starts can be waited for.
    saved: bool,
    at: Instant,
}

impl Moment {
    /// Now, before a change is announced.
    pub(crate) fn of(client: &Client) -> Self {
        let checks = check::token(client).map(|token| client.progress_count(token));
        Self {
            mark: client.pushes().mark(),
            checks: checks.unwrap_or_default(),
            saved: false,
            at: Instant::now(),
        }
    }

    /// The same point, for a document that is not saved: no check is waited for that does not run.
    pub(crate) fn unsaved(self) -> Self {
        Self { saved: false, ..self }
    }

    /// The same point, with a save after it.
    pub(crate) fn saved(self) -> Self {
        Self { saved: true, ..self }
    }
}

/// By which way a verdict came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Via {
    /// It was asked for.
    Pull,
    /// It was asked of TypeScript's own server.
    Tsserver,
    /// It came for this version.
    PushVersioned,
    /// It came after the text was sent, and nothing more came for a while.
    PushSettled,
    /// A check that the save had started has ended.
    Check,
}

impl fmt::Display for Via {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pull => "pull",
            Self::Tsserver => "tsserver",
            Self::PushVersioned => "push",
            Self::PushSettled => "settled push",
            Self::Check => "check",
        })
    }
}

/// What a verdict stands on.
#[derive(Clone, Debug)]
pub(crate) struct Evidence {
    /// Of the file's bytes.
    pub(crate) hash: ContentHash,
    pub(crate) via: Via,
    /// From the moment on.
    pub(crate) took: Duration,
    /// Why there may be more than was said (`cargo check is still running`).
    pub(crate) part: Option<String>,
}

/// Three values, never two.
#[derive(Clone, Debug)]
pub(crate) enum Verdict {
    /// Nothing is wrong with this very text.
    Clean(Evidence),
    /// These things are.
    Found(Vec<Diagnostic>, Evidence),
    /// Nobody knows, and why.
    Unknown(String),
}

impl Verdict {
    /// What was found, and on what it stands; `None` without a verdict.
    pub(crate) fn known(&self) -> Option<(&[Diagnostic], &Evidence)> {
        match self {
            Self::Clean(evidence) => Some((&[], evidence)),
            Self::Found(items, evidence) => Some((items, evidence)),
            Self::Unknown(_) => None,
        }
    }

    fn of(mut items: Vec<Diagnostic>, evidence: Evidence) -> Self {
        if items.is_empty() && evidence.part.is_none() {
            return Self::Clean(evidence);
        }
        sort(&mut items);
        Self::Found(items, evidence)
    }
}

/// What one channel found, before it is merged with what was pushed.
struct Said {
    items: Vec<Diagnostic>,
    via: Via,
    part: Option<String>,
}

/// Waits for the verdict on a document that was synchronised after `moment`, at most until `limit` has passed.
///
/// A server that is still loading gets no verdict, at once: what it says of a half-known project is not true. The caller
/// who wants to wait for it does so by [`Client::ready`].
pub(crate) async fn verdict(
    client: &Client,
    path: &Path,
    synced: &Synced,
    moment: &Moment,
    limit: Duration,
) -> Verdict {
    if let Some(why) = not_ready(client) {
        return Verdict::Unknown(why);
    }
    let deadline = Instant::now() + limit;
    let said = match channels(client, path, synced, moment, deadline).await {
        Ok(said) => said,
        Err(why) => return Verdict::Unknown(why),
    };
    // What was said of a text that is no longer the last is no verdict on the last.
    if client.open_version(path).is_some_and(|version| version != synced.version) {
        return Verdict::Unknown(format!("{}: the file changed meanwhile", client.id()));
    }
    let took = moment.at.elapsed();
    if synced.changed {
        client.pushes().took(took);
    }
    let evidence = Evidence { hash: synced.text.hash(), via: said.via, took, part: said.part };
    Verdict::of(without_orphans(client, without_twins(said.items)), evidence)
}

/// Why the server cannot give verdicts yet. One whose verdicts stand on the file alone needs to know no project.
pub(crate) fn not_ready(client: &Client) -> Option<String> {
    if client.spec().quirks.own_file_only {
        return None;
    }
    match client.readiness() {
        ReadyState::Ready => None,
        ReadyState::Loading { what, percent, .. } => {
            let done = percent.map_or_else(String::new, |p| format!(" {p}%"));
            Some(format!("{} is still loading: {what}{done}", client.id()))
        }
        ReadyState::Broken(why) => Some(format!("{}: {why}", client.id())),
    }
}

async fn channels(
    client: &Client,
    path: &Path,
    synced: &Synced,
    moment: &Moment,
    deadline: Instant,
) -> Result<Said, String> {
    let mut asked = false;
    loop {
        let identifiers = client.pull_identifiers(path);
        if !identifiers.is_empty() && !asked {
            asked = true;
            match pull::pull(client, path, synced, &identifiers, deadline).await {
                Ok(said) => {
                    return Ok(check::complete(client, path, synced, moment, said, deadline).await);
                }
                // One that announces the question and does not answer it may say it unasked.
                Err(error) if !pushes(client) => return Err(told(client, &error)),
                Err(_) => {}
            }
        } else if client.spec().diagnostics.contains(&Channel::TsserverRequest) && !asked {
            asked = true;
            match tsserver::ask(client, path, deadline).await {
                Ok(said) => return Ok(said),
                Err(error) if !pushes(client) => return Err(told(client, &error)),
                Err(_) => {}
            }
        }
        // Some announce the question only a while after they have started.
        let askable = || !asked && !client.pull_identifiers(path).is_empty();
        if let Some(said) = push::wait(client, path, synced, moment, deadline, &askable).await? {
            return Ok(check::complete(client, path, synced, moment, said, deadline).await);
        }
    }
}

fn pushes(client: &Client) -> bool {
    let push = |c: &Channel| matches!(c, Channel::PushVersioned | Channel::PushSettled { .. });
    client.spec().diagnostics.iter().any(push)
}

/// An error in the words of a verdict's reason.
pub(crate) fn told(client: &Client, error: &LspError) -> String {
    match error {
        LspError::Timeout { limit, .. } => {
            format!("{} gave no verdict within {:.1} s", client.id(), limit.as_secs_f32())
        }
        other => other.to_string(),
    }
}

/// Of a file that belongs to no project some codes say nothing but that (failure 44).
fn without_orphans(client: &Client, mut items: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let codes = &client.spec().quirks.orphan_codes;
    let orphan = !codes.is_empty() && items.first().is_some_and(|d| !has_project(client, &d.path));
    if orphan {
        items.retain(|d| !d.code.as_ref().is_some_and(|code| codes.contains(code)));
    }
    items
}

/// Whether a project file stands above the file, within the server's root.
fn has_project(client: &Client, path: &Path) -> bool {
    const PROJECTS: [&str; 2] = ["tsconfig.json", "jsconfig.json"];
    let inside = path.ancestors().skip(1).take_while(|folder| folder.starts_with(client.root()));
    inside.into_iter().any(|folder| PROJECTS.iter().any(|name| folder.join(name).is_file()))
}
