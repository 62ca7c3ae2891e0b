//! Tables over time: what is heard at which millisecond, and what may be believed at which.

use super::{ReadyState, Tracker};
use crate::spec::Readiness;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::Instant;

/// One thing that happens or is looked at.
enum At {
    Open,
    Progress(Value),
    Status(Value),
    Language(Value),
    Analyzer(bool),
    Broke(&'static str),
    Ready,
    /// Loading; the words and the percentage.
    Loading(&'static str, Option<u8>),
    Broken,
}

fn begin(token: &str, title: &str) -> At {
    At::Progress(json!({"token": token, "value": {"kind": "begin", "title": title}}))
}

fn report(token: &str, message: &str, percentage: u8) -> At {
    let value = json!({"kind": "report", "message": message, "percentage": percentage});
    At::Progress(json!({"token": token, "value": value}))
}

fn end(token: &str) -> At {
    At::Progress(json!({"token": token, "value": {"kind": "end"}}))
}

fn status(quiescent: bool) -> At {
    At::Status(json!({"health": "ok", "quiescent": quiescent}))
}

fn play(rule: Readiness, steps: Vec<(u64, At)>) -> Tracker {
    let start = Instant::now();
    let mut tracker = Tracker::new(rule, start);
    for (number, (ms, step)) in steps.into_iter().enumerate() {
        let now = start + Duration::from_millis(ms);
        match step {
            At::Open => tracker.opened(now),
            At::Progress(params) => tracker.progress(&params, now),
            At::Status(params) => tracker.server_status(&params, now),
            At::Language(params) => tracker.language_status(&params),
            At::Analyzer(busy) => tracker.analyzer_status(&json!({"isAnalyzing": busy}), now),
            At::Broke(why) => tracker.broke(why),
            At::Ready => assert_eq!(tracker.at(now), ReadyState::Ready, "step {number}"),
            At::Loading(words, percent) => match tracker.at(now) {
                ReadyState::Loading { what, percent: got, .. } => {
                    assert_eq!((what.as_str(), got), (words, percent), "step {number}");
                }
                other => panic!("step {number}: {other:?}"),
            },
            At::Broken => {
                assert!(matches!(tracker.at(now), ReadyState::Broken(_)), "step {number}");
            }
        }
    }
    tracker
}

fn progress(titles: &[&str]) -> Readiness {
    Readiness::Progress {
        titles: titles.iter().map(ToString::to_string).collect(),
        grace: Duration::from_secs(3),
        settle: Duration::from_millis(500),
    }
}

/// Failures 1 and 2: while it indexes it is not ready, and says how far it is.
#[test]
fn loading_is_told_with_the_percentage() {
    play(
        progress(&["index"]),
        vec![
            (0, At::Open),
            (10, begin("backgroundIndexProgress", "indexing")),
            (20, At::Loading("indexing", None)),
            (30, report("backgroundIndexProgress", "3/7", 43)),
            (9_000, At::Loading("indexing: 3/7", Some(43))),
            (9_100, end("backgroundIndexProgress")),
            (9_601, At::Ready),
        ],
    );
}

/// Failure 3: the gate holds for servers that answer wrongly before the project is loaded, from before their progress
/// begins.
#[test]
fn before_progress_begins_it_is_not_ready() {
    play(
        progress(&["Initializing"]),
        vec![
            (0, At::Loading("loading the project", None)),
            (100, At::Open),
            (900, At::Loading("loading the project", None)),
            (1_100, begin("t", "Initializing JS/TS language features")),
            (5_000, At::Loading("Initializing JS/TS language features", None)),
            (5_800, end("t")),
            (6_301, At::Ready),
        ],
    );
}

/// Failure 4: progress counts where no status ever comes, and the status wins once it was seen.
#[test]
fn status_wins_over_progress() {
    play(
        Readiness::ServerStatus,
        vec![
            (0, begin("rustAnalyzer/Fetching", "Fetching")),
            (10, At::Loading("Fetching", None)),
            (20, end("rustAnalyzer/Fetching")),
            (1_000, At::Ready),
            (1_001, status(false)),
            (60_000, At::Loading("about to finish loading", None)),
            (60_001, status(true)),
            (60_002, At::Loading("about to finish loading", None)),
            (60_200, At::Ready),
            // Progress that is left open is no reason to wait once it says that it rests.
            (60_201, begin("other", "something")),
            (60_202, At::Ready),
        ],
    );
}

/// Failure 5: the end of progress that a crash brought about is not readiness; a new beginning is a new start.
#[test]
fn a_crash_behind_the_server_is_not_readiness() {
    play(
        progress(&[]),
        vec![
            (0, begin("a", "Loading")),
            (10, At::Broke("tsserver exited")),
            (11, end("a")),
            (60_000, At::Broken),
            (60_001, begin("b", "Loading")),
            (60_002, At::Loading("Loading", None)),
            (60_003, end("b")),
            (60_504, At::Ready),
        ],
    );
}

/// Failure 6: progress that begins late takes readiness back, and the epoch shows it to a question under way.
#[test]
fn late_progress_gates_again() {
    let tracker = play(
        progress(&[]),
        vec![(0, At::Open), (2_999, At::Loading("loading the project", None)), (3_000, At::Ready)],
    );
    assert_eq!(tracker.epoch(), 0);
    let tracker = play(
        progress(&[]),
        vec![
            (0, At::Open),
            (3_000, At::Ready),
            (4_000, begin("x", "Indexing")),
            (4_001, At::Loading("Indexing", None)),
        ],
    );
    assert_eq!(tracker.epoch(), 1);
}

/// Failure 7: phases one after another are one load, if they follow each other closely.
#[test]
fn phases_are_waited_for_together() {
    play(
        progress(&[]),
        vec![
            (0, begin("a", "Fetching")),
            (100, end("a")),
            (300, At::Loading("about to finish loading", None)),
            (400, begin("b", "Indexing")),
            (700, At::Loading("Indexing", None)),
            (800, end("b")),
            (1_299, At::Loading("about to finish loading", None)),
            (1_300, At::Ready),
        ],
    );
}

/// Failure 7, for a status: ready for a moment between two phases is not ready.
#[test]
fn a_status_must_last() {
    play(
        Readiness::ServerStatus,
        vec![
            (0, status(true)),
            (20, status(false)),
            (200, At::Loading("loading the project", None)),
            (300, status(true)),
            // Said again, it does not start anew.
            (400, status(true)),
            (451, At::Ready),
        ],
    );
}

#[test]
fn checks_that_run_all_the_time_are_not_loading() {
    play(
        progress(&[]),
        vec![
            (0, At::Open),
            (3_001, At::Ready),
            (3_002, begin("rust-analyzer/flycheck/0", "cargo check")),
            (3_003, begin("uuid", "Publish Diagnostics")),
            (3_003, begin("2", "Finding references")),
            (3_004, At::Ready),
        ],
    );
    let only = progress(&["indexing"]);
    play(
        only,
        vec![
            (0, At::Open),
            (3_001, At::Ready),
            (3_002, begin("1", "Formatting")),
            (3_003, At::Ready),
        ],
    );
}

#[test]
fn a_language_status_is_waited_for_however_long_it_takes() {
    let says = |kind: &str, message: &str| At::Language(json!({"type": kind, "message": message}));
    play(
        Readiness::LanguageStatus(vec!["ServiceReady".into()]),
        vec![
            (0, At::Loading("loading the project", None)),
            (10, says("Starting", "43% Starting Java Language Server")),
            (600_000, At::Loading("Starting Java Language Server", Some(43))),
            (600_001, says("ServiceReady", "ServiceReady")),
            (600_002, At::Ready),
            (600_003, begin("i", "Importing Maven project")),
            (600_004, At::Loading("Importing Maven project", None)),
            (600_005, end("i")),
            (600_506, At::Ready),
        ],
    );
}

#[test]
fn an_analyzer_that_rests_is_ready() {
    play(
        Readiness::AnalyzerStatus,
        vec![
            (0, At::Analyzer(true)),
            (50_000, At::Loading("loading the project", None)),
            (50_001, At::Analyzer(false)),
            (50_002, At::Loading("loading the project", None)),
            (50_502, At::Ready),
        ],
    );
}

#[test]
fn servers_that_block_are_ready_and_first_answers_are_wanted_once() {
    // Their progress is that of the answer itself.
    let tracker = play(Readiness::Blocks, vec![(0, begin("1", "Working")), (0, At::Ready)]);
    assert_eq!(tracker.epoch(), 0);
    let mut tracker = play(Readiness::FirstAnswer, vec![(0, At::Ready)]);
    assert!(tracker.wants_answer());
    tracker.answered();
    assert!(!tracker.wants_answer());
}

#[test]
fn what_is_wrong_with_the_project_is_kept_though_it_is_ready() {
    let failed =
        json!({"health": "error", "quiescent": true, "message": "Failed to load workspaces."});
    let tracker = play(Readiness::ServerStatus, vec![(0, At::Status(failed)), (1_000, At::Ready)]);
    assert_eq!(tracker.health(), Some("Failed to load workspaces."));
}

#[test]
fn odd_messages_change_nothing() {
    let odd = [
        json!({}),
        json!({"token": null, "value": {"kind": "begin"}}),
        json!({"token": 1, "value": {"kind": "dance"}}),
        json!({"token": 1, "value": {"kind": "report", "percentage": 1000}}),
        json!({"token": 1, "value": {"kind": "end"}}),
        Value::Null,
    ];
    let steps = odd.into_iter().map(|params| (0, At::Progress(params)));
    let mut steps: Vec<_> = steps.collect();
    steps.push((3_001, At::Ready));
    assert_eq!(play(progress(&[]), steps).epoch(), 0);
}

#[test]
fn a_server_that_tells_by_its_log_is_ready_when_it_has_said_so() {
    let now = Instant::now();
    let mut tracker = Tracker::new(Readiness::LogMessage(vec!["source file".into()]), now);
    tracker.log("Starting service");
    assert!(matches!(tracker.at(now), ReadyState::Loading { .. }));
    tracker.log("Found 7 source files");
    assert_eq!(tracker.at(now), ReadyState::Ready);
    let begin = json!({"token": "x", "value": {"kind": "begin", "title": "Finding references"}});
    let epoch = tracker.epoch();
    tracker.progress(&begin, now);
    assert_eq!((tracker.at(now), tracker.epoch()), (ReadyState::Ready, epoch));
}

#[test]
fn new_files_are_listed_anew() {
    let now = Instant::now();
    let mut tracker = Tracker::new(Readiness::LogMessage(vec!["source file".into()]), now);
    tracker.told_of_new_files(now);
    assert_eq!(tracker.relists_until(), None, "it lists them for the first time");
    tracker.log("Found 7 source files");
    tracker.told_of_new_files(now);
    assert!(tracker.relists_until().is_some_and(|until| until > now));
    assert_eq!(tracker.at(now), ReadyState::Ready, "what does not hang on the list can be asked");
    tracker.log("Found 8 source files");
    assert_eq!(tracker.relists_until(), None);
    let mut other = Tracker::new(Readiness::Blocks, now);
    other.told_of_new_files(now);
    assert_eq!(other.relists_until(), None);
}
