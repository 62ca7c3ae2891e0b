//! When a server can be believed: the readiness state machine over progress, status notes and first answers. Pure.
//!
//! An empty answer of a loading server looks like "unused", a short one like "used once": only a signal of the server
//! tells them from the truth. Which signal it is differs from server to server ([`Readiness`]); what they have in
//! common is here. The clock comes in.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use crate::spec::Readiness;

/// How long a server that signals by status must keep to "ready" before it is believed: it may say so between two
/// phases of its loading.
const STATUS_SETTLE: Duration = Duration::from_millis(150);
/// The same for progress where the server's entry does not say.
const SETTLE: Duration = Duration::from_millis(500);
/// How long a new list of the project's files is waited for: new files that the project excludes lead to none.
const RELIST: Duration = Duration::from_secs(3);
/// How long a server that should have said something may say nothing.
const GRACE: Duration = Duration::from_secs(10);
/// Work that goes on all the time, or belongs to one answer, and says nothing of the project.
const NO_LOADING: &[&str] = &[
    "flycheck",
    "cargo check",
    "checking",
    "diagnos",
    "validat",
    "publish",
    "format",
    "references",
    "renam",
    "finding",
    "searching",
];

/// Whether a server can be believed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ReadyState {
    /// It knows the project.
    Ready,
    /// It is still loading.
    Loading {
        /// What it is doing, in its own words where it tells.
        what: String,
        /// How far it is, from 0 to 100, where it tells.
        percent: Option<u8>,
        /// When it counts as ready if it says nothing more until then.
        quiet_until: Option<Instant>,
    },
    /// What it stands on has crashed, though the process is there.
    Broken(String),
}

/// What was heard of a server's readiness.
#[derive(Debug)]
pub(crate) struct Tracker {
    rule: Readiness,
    started: Instant,
    opened: Option<Instant>,
    work: BTreeMap<String, Work>,
    last_end: Option<Instant>,
    status: Option<Status>,
    /// The status by which a server of [`Readiness::LanguageStatus`] or
    /// [`Readiness::LogMessage`] says that it is ready.
    said_ready: bool,
    /// Since when it should list the project's files anew, and has not said that it did.
    relists: Option<Instant>,
    /// What it said last that it is doing, and how far.
    doing: Option<(String, Option<u8>)>,
    analyzing: Option<(bool, Instant)>,
    answered: bool,
    broken: Option<String>,
    health: Option<String>,
    epoch: u64,
}

/// Work that has begun and not ended.
#[derive(Debug)]
struct Work {
    title: String,
    message: String,
    percent: Option<u8>,
    /// The latest word of all.
    heard: u64,
}

#[derive(Debug, Clone, Copy)]
struct Status {
    quiescent: bool,
    since: Instant,
}

impl Tracker {
    pub(crate) fn new(rule: Readiness, now: Instant) -> Self {
        Self {
            rule,
            started: now,
            opened: None,
            work: BTreeMap::new(),
            last_end: None,
            status: None,
            said_ready: false,
            relists: None,
            doing: None,
            analyzing: None,
            answered: false,
            broken: None,
            health: None,
            epoch: 0,
        }
    }

    /// A document was opened: many servers load nothing before.
    pub(crate) fn opened(&mut self, now: Instant) {
        self.opened.get_or_insert(now);
    }

    /// An answer with something in it came.
    pub(crate) fn answered(&mut self) {
        self.answered = true;
    }

    /// Whether such an answer is still waited for, because the server has no other signal.
    pub(crate) fn wants_answer(&self) -> bool {
        self.rule == Readiness::FirstAnswer && !self.answered
    }

    /// What the server stands on has crashed: the end of its progress is then no sign of readiness.
    pub(crate) fn broke(&mut self, why: &str) {
        self.broken = Some(why.to_string());
        self.epoch += 1;
    }

    /// How often it was found loading. If this grows while a question is answered, the answer is worth nothing.
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch
    }

    /// What the server says is wrong with the project, though it is ready.
    pub(crate) fn health(&self) -> Option<&str> {
        self.health.as_deref()
    }

    /// `$/progress`.
    pub(crate) fn progress(&mut self, params: &Value, now: Instant) {
        let Some(token) = token(params) else { return };
        let value = &params["value"];
        let text = |name: &str| value[name].as_str().unwrap_or_default().trim().to_string();
        match value["kind"].as_str() {
            Some("begin") => {
                let title = text("title");
                if !self.is_loading(&token, &title) {
                    return;
                }
                // A new beginning is a sign of life of what had crashed.
                self.broken = None;
                self.epoch += 1;
                let heard = self.epoch;
                let work = Work { title, message: text("message"), percent: percent(value), heard };
                self.work.insert(token, work);
            }
            Some("report") => {
                let newest = self.work.values().map(|work| work.heard).max().unwrap_or_default();
                let Some(work) = self.work.get_mut(&token) else { return };
                work.heard = newest + 1;
                if let Some(message) = value["message"].as_str() {
                    work.message = message.trim().to_string();
                }
                work.percent = percent(value).or(work.percent);
            }
            Some("end") if self.work.remove(&token).is_some() => self.last_end = Some(now),
            _ => {}
        }
    }

    /// `experimental/serverStatus`.
    pub(crate) fn server_status(&mut self, params: &Value, now: Instant) {
        let message = params["message"].as_str().unwrap_or_default().trim();
        self.health = match params["health"].as_str() {
            Some("error" | "warning") if !message.is_empty() => Some(message.to_string()),
            Some("error") => Some("it could not load the project".to_string()),
            _ => None,
        };
        let Some(quiescent) = params["quiescent"].as_bool() else { return };
        let same = self.status.filter(|status| status.quiescent == quiescent);
        if !quiescent && same.is_none() {
            self.epoch += 1;
        }
        self.status = Some(same.unwrap_or(Status { quiescent, since: now }));
    }

    /// `language/status`.
    pub(crate) fn language_status(&mut self, params: &Value) {
        let kind = params["type"].as_str().unwrap_or_default();
        let message = params["message"].as_str().unwrap_or_default().trim();
        let Readiness::LanguageStatus(ready) = &self.rule else { return };
        if ready.iter().any(|word| word == kind || word == message) {
            self.said_ready = true;
            self.doing = None;
        } else if kind.eq_ignore_ascii_case("error") {
            self.health = Some(message.to_string());
        } else if !self.said_ready && !message.is_empty() {
            self.doing = Some(split_percent(message));
        }
    }

    /// `window/logMessage`, for a server that tells by its log alone.
    pub(crate) fn log(&mut self, text: &str) {
        if let Readiness::LogMessage(parts) = &self.rule
            && parts.iter().any(|part| text.contains(part))
        {
            self.said_ready = true;
            self.relists = None;
        }
    }

    /// It was told of new files. One that lists the project's files, and says so, lists them anew then: a moment later.
    pub(crate) fn told_of_new_files(&mut self, now: Instant) {
        if self.said_ready && matches!(self.rule, Readiness::LogMessage(_)) {
            self.relists = Some(now);
        }
    }

    /// Until when it should be waited for the new list, unless it comes before; `None` if none is due.
    pub(crate) fn relists_until(&self) -> Option<Instant> {
        self.relists.map(|since| since + RELIST)
    }

    /// `$/analyzerStatus`.
    pub(crate) fn analyzer_status(&mut self, params: &Value, now: Instant) {
        let Some(busy) = params["isAnalyzing"].as_bool() else { return };
        if busy && self.analyzing.is_none_or(|(before, _)| !before) {
            self.epoch += 1;
        }
        self.analyzing = Some((busy, now));
    }

    /// Whether it can be believed.
    pub(crate) fn at(&self, now: Instant) -> ReadyState {
        if let Some(why) = &self.broken {
            return ReadyState::Broken(why.clone());
        }
        match &self.rule {
            Readiness::Blocks | Readiness::FirstAnswer => ReadyState::Ready,
            Readiness::ServerStatus => match self.status {
                Some(Status { quiescent: true, since }) => self.settled(since + STATUS_SETTLE, now),
                Some(_) => self.loading(None),
                None => self.by_progress(GRACE, SETTLE, now),
            },
            Readiness::Progress { grace, settle, .. } => self.by_progress(*grace, *settle, now),
            Readiness::LanguageStatus(_) | Readiness::LogMessage(_) if !self.said_ready => {
                self.loading(None)
            }
            Readiness::LogMessage(_) => ReadyState::Ready,
            Readiness::LanguageStatus(_) => self.by_progress(Duration::ZERO, SETTLE, now),
            Readiness::AnalyzerStatus => match self.analyzing {
                Some((true, _)) => self.loading(None),
                Some((false, since)) if self.work.is_empty() => self.settled(since + SETTLE, now),
                _ => self.by_progress(GRACE, SETTLE, now),
            },
        }
    }

    fn by_progress(&self, grace: Duration, settle: Duration, now: Instant) -> ReadyState {
        if !self.work.is_empty() {
            return self.loading(None);
        }
        let quiet_until = match self.last_end {
            Some(ended) => ended + settle,
            None => self.opened.unwrap_or(self.started) + grace,
        };
        self.settled(quiet_until, now)
    }

    fn settled(&self, quiet_until: Instant, now: Instant) -> ReadyState {
        if now >= quiet_until { ReadyState::Ready } else { self.loading(Some(quiet_until)) }
    }

    fn loading(&self, quiet_until: Option<Instant>) -> ReadyState {
        let latest = self.work.values().max_by_key(|work| work.heard);
        let (what, percent) = match (latest, &self.doing) {
            (Some(work), _) => (work.words(), work.percent),
            (None, Some((what, percent))) => (what.clone(), *percent),
            (None, None) if self.last_end.is_some() => {
                ("about to finish loading".to_string(), None)
            }
            (None, None) => ("loading the project".to_string(), None),
        };
        ReadyState::Loading { what, percent, quiet_until }
    }

    fn is_loading(&self, token: &str, title: &str) -> bool {
        let (token, title) = (token.to_lowercase(), title.to_lowercase());
        let has = |part: &str| token.contains(part) || title.contains(part);
        match &self.rule {
            Readiness::Blocks | Readiness::FirstAnswer => false,
            Readiness::Progress { titles, .. } if !titles.is_empty() => {
                titles.iter().any(|part| has(&part.to_lowercase()))
            }
            // Its progress is about our own questions.
            Readiness::LogMessage(_) => false,
            _ => !NO_LOADING.iter().any(|part| has(part)),
        }
    }
}

impl Work {
    fn words(&self) -> String {
        match (self.title.as_str(), self.message.as_str()) {
            ("", "") => "loading the project".to_string(),
            (one, "") | ("", one) => one.to_string(),
            (title, message) => format!("{title}: {message}"),
        }
    }
}

/// The token of a progress message as text, whether it was one or a number.
pub(crate) fn token(params: &Value) -> Option<String> {
    match &params["token"] {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn percent(value: &Value) -> Option<u8> {
    let number = value["percentage"].as_f64()?;
    (0.0..=100.0).contains(&number).then_some(number as u8)
}

/// "43% Starting Java Language Server".
fn split_percent(message: &str) -> (String, Option<u8>) {
    let split = message.split_once('%').and_then(|(number, rest)| {
        let percent = number.trim().parse().ok().filter(|percent: &u8| *percent <= 100)?;
        Some((rest.trim_matches([' ', '-']).to_string(), Some(percent)))
    });
    split.filter(|(rest, _)| !rest.is_empty()).unwrap_or((message.to_string(), None))
}

#[cfg(test)]
mod tests;
