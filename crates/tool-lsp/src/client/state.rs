//! What was heard from a server.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;
use tool_wire::Ended;

use super::ProgressCount;
use crate::caps::Caps;
use crate::ready::{Tracker, token};
use crate::spec::Readiness;
use crate::text::Encoding;

/// Tokens of progress that are counted; servers that make a new one each time would fill it.
const TOKENS: usize = 64;
/// Files that are gone are remembered up to so many.
const GHOSTS: usize = 4096;
/// How much of a message of the server is kept, in characters.
const MESSAGE: usize = 300;

/// What was heard from a server.
#[derive(Debug)]
pub(super) struct State {
    pub(super) caps: Caps,
    pub(super) ready: Tracker,
    pub(super) encoding: Encoding,
    /// Why the encoding is not the announced one.
    pub(super) encoding_note: Option<String>,
    pub(super) ended: Option<Arc<Ended>>,
    /// How long it took to be ready for the first time.
    pub(super) ready_after: Option<Duration>,
    /// The last message by which it complained.
    pub(super) complaint: Option<String>,
    /// Files that it could not be told of one by one; only a new start helps.
    pub(super) outdated: Option<String>,
    /// Documents that are open only so that the server reads them, with their versions.
    pub(super) visits: Vec<(PathBuf, i32)>,
    /// The versions of documents of which it answered a question, though it said nothing of them by itself.
    pub(super) read: BTreeMap<PathBuf, i32>,
    /// Files that are gone and that it speaks of nevertheless.
    ghosts: BTreeSet<PathBuf>,
    counts: BTreeMap<String, ProgressCount>,
}

impl State {
    pub(super) fn new(rule: Readiness, now: Instant) -> Self {
        Self {
            caps: Caps::default(),
            ready: Tracker::new(rule, now),
            encoding: Encoding::Utf16,
            encoding_note: None,
            ended: None,
            ready_after: None,
            complaint: None,
            outdated: None,
            visits: Vec::new(),
            read: BTreeMap::new(),
            ghosts: BTreeSet::new(),
            counts: BTreeMap::new(),
        }
    }

    /// Whether it is known to speak of all these files, though they are gone.
    pub(super) fn is_haunted_by(&self, gone: &[PathBuf]) -> bool {
        gone.iter().all(|path| self.ghosts.contains(path))
    }

    /// Takes note of files that it speaks of, though they are gone.
    pub(super) fn haunted_by(&mut self, gone: Vec<PathBuf>) {
        if self.ghosts.len() < GHOSTS {
            self.ghosts.extend(gone);
        }
    }

    pub(super) fn progress(&mut self, params: &Value, now: Instant) {
        self.ready.progress(params, now);
        let Some(token) = token(params) else { return };
        if self.counts.len() >= TOKENS && !self.counts.contains_key(&token) {
            return;
        }
        match params["value"]["kind"].as_str() {
            Some("begin") => self.counts.entry(token).or_default().begun += 1,
            Some("end") => self.counts.entry(token).or_default().ended += 1,
            _ => {}
        }
    }

    pub(super) fn progress_count(&self, begins: &str) -> ProgressCount {
        let mut sum = ProgressCount::default();
        for (_, count) in self.counts.iter().filter(|(token, _)| token.starts_with(begins)) {
            sum.begun += count.begun;
            sum.ended += count.ended;
        }
        sum
    }

    /// `window/logMessage` and `window/showMessage`.
    pub(super) fn message(&mut self, params: &Value) {
        let Some(text) = params["message"].as_str() else { return };
        self.ready.log(text);
        // 1 is an error, 2 a warning.
        if !matches!(params["type"].as_u64(), Some(1 | 2)) {
            return;
        }
        let line: String = text.trim().chars().take(MESSAGE).collect();
        if params["type"] == 1 && tells_of_a_crash(&line) {
            self.ready.broke(&format!("the server it stands on has crashed: {line}"));
        }
        self.complaint = Some(line);
    }
}

/// Servers that are a shell around another one live on when that one has died.
fn tells_of_a_crash(line: &str) -> bool {
    let line = line.to_lowercase();
    let dies = ["crashed", "has exited", "process exited", "exited with", "server died"];
    dies.iter().any(|word| line.contains(word)) && line.contains("server")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_dies_behind_a_server_is_noticed() {
        for (kind, text, dead) in [
            (
                1,
                "tsserver process has exited (exit code: null, signal: SIGKILL). Stopping the server.",
                true,
            ),
            (1, "[vtsls] The TypeScript server crashed", true),
            (3, "tsserver process has exited", false),
            (1, "cannot find module", false),
        ] {
            let mut state = State::new(Readiness::Blocks, Instant::now());
            state.message(&json!({"type": kind, "message": text}));
            let broken =
                matches!(state.ready.at(Instant::now()), crate::ready::ReadyState::Broken(_));
            assert_eq!(broken, dead, "{text}");
        }
    }

    #[test]
    fn progress_is_counted_by_the_beginning_of_its_token() {
        let mut state = State::new(Readiness::Blocks, Instant::now());
        for (token, kind) in
            [("check/0", "begin"), ("check/0", "end"), ("check/1", "begin"), ("other", "begin")]
        {
            state.progress(&json!({"token": token, "value": {"kind": kind}}), Instant::now());
        }
        assert_eq!(state.progress_count("check/"), ProgressCount { begun: 2, ended: 1 });
        for n in 0..1000 {
            state.progress(&json!({"token": n, "value": {"kind": "begin"}}), Instant::now());
        }
        assert!(state.counts.len() <= TOKENS);
    }
}
