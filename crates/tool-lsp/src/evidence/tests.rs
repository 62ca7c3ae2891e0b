use super::latency::Latencies;
use super::{DiagnosticsInbox, Reported};
use crate::uri::to_uri;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use tool_workspace::ContentHash;

fn path() -> &'static Path {
    Path::new("/p/a.py")
}

fn items(messages: &[&str]) -> Value {
    messages.iter().map(|message| json!({ "message": message })).collect()
}

fn push(inbox: &DiagnosticsInbox, version: Option<i64>, messages: &[&str]) {
    send(inbox, &to_uri(path()), version, messages, 0);
}

fn send(
    inbox: &DiagnosticsInbox,
    uri: &str,
    version: Option<i64>,
    messages: &[&str],
    generation: u64,
) {
    let params = json!({ "uri": uri, "version": version, "diagnostics": items(messages) });
    inbox.push(&params, generation);
}

fn pushed(inbox: &DiagnosticsInbox) -> Option<(Option<i64>, Vec<String>)> {
    let push = inbox.pushed(path())?;
    Some((push.version, push.items.into_iter().map(|d| d.message).collect()))
}

fn hash(text: &str) -> ContentHash {
    ContentHash::of(text.as_bytes())
}

/// Failure 17: a late report for the version before overwrites the store.
#[test]
fn versions_do_not_go_back() {
    let inbox = DiagnosticsInbox::default();
    inbox.sent(path(), 3, hash("new"));
    push(&inbox, Some(3), &["new"]);
    push(&inbox, Some(2), &["old"]);
    assert_eq!(pushed(&inbox), Some((Some(3), vec!["new".into()])));
    assert_eq!(inbox.stale(), 1);
}

/// Failure 90: what a process said that is gone is void, also when it arrives late.
#[test]
fn a_restart_voids_all() {
    let inbox = DiagnosticsInbox::default();
    inbox.sent(path(), 1, hash("x"));
    push(&inbox, Some(1), &["x"]);
    send(&inbox, "file:///p/other.py", None, &[], 1);
    assert!(pushed(&inbox).is_none());
    push(&inbox, Some(1), &["from the dead"]);
    assert!(pushed(&inbox).is_none());
    assert!(inbox.last_sent(path()).is_none());
}

/// Failure 31: "unchanged" read as no diagnostics.
#[test]
fn unchanged_is_what_it_was() {
    let inbox = DiagnosticsInbox::default();
    let full = json!({ "kind": "full", "resultId": "r1", "items": items(&["x"]) });
    let Reported::Items(first) = inbox.pulled(path(), None, &full) else { panic!("a report") };
    assert_eq!(inbox.result_id(path(), None).as_deref(), Some("r1"));
    let same = inbox.pulled(path(), None, &json!({ "kind": "unchanged", "resultId": "r2" }));
    assert_eq!(same, Reported::Items(first));
    assert_eq!(inbox.result_id(path(), None).as_deref(), Some("r2"));
    let unknown =
        inbox.pulled(path(), Some("other"), &json!({ "kind": "unchanged", "resultId": "r2" }));
    assert_eq!(unknown, Reported::Lost, "of another question nothing is known");
    inbox.forget_results(path());
    assert_eq!(inbox.result_id(path(), None), None);
}

#[test]
fn what_is_no_report_is_no_empty_report() {
    let inbox = DiagnosticsInbox::default();
    for odd in [json!(null), json!([]), json!({ "kind": "full" }), json!({ "items": 3 })] {
        assert_eq!(inbox.pulled(path(), None, &odd), Reported::Garbled, "{odd}");
    }
    let kindless = inbox.pulled(path(), None, &json!({ "items": [] }));
    assert_eq!(kindless, Reported::Items(vec![]));
}

/// Failure 32: several registrations, each with an identifier and results of its own.
#[test]
fn identifiers_are_apart() {
    let inbox = DiagnosticsInbox::default();
    let full = |id: &str, m: &str| json!({ "kind": "full", "resultId": id, "items": items(&[m]) });
    inbox.pulled(path(), Some("syntax"), &full("s1", "a"));
    inbox.pulled(path(), Some("semantic"), &full("t1", "b"));
    assert_eq!(inbox.result_id(path(), Some("syntax")).as_deref(), Some("s1"));
    assert_eq!(inbox.result_id(path(), Some("semantic")).as_deref(), Some("t1"));
    assert_eq!(inbox.result_id(path(), None), None);
}

/// Failure 80: a server writes addresses in another way than we do.
#[test]
fn a_file_is_known_by_its_place_not_by_its_spelling() {
    let dir = tempfile::tempdir().expect("a folder");
    let real = dir.path().canonicalize().expect("it is there").join("we ird+@(é)#%25 dir");
    std::fs::create_dir(&real).expect("made");
    let file = real.join("a.py");
    std::fs::write(&file, "").expect("written");
    let link = dir.path().join("link");
    std::os::unix::fs::symlink(&real, &link).expect("linked");
    let inbox = DiagnosticsInbox::default();
    send(&inbox, &to_uri(&file).replace("%2B", "+").replace("%28", "("), None, &["x"], 0);
    assert!(inbox.pushed(&link.join("a.py")).is_some());
    send(&inbox, "untitled:1", None, &["x"], 0);
    inbox.push(&json!({ "diagnostics": [] }), 0);
    assert_eq!(inbox.pushed_since(0).len(), 1);
}

#[test]
fn related_documents_are_taken_along() {
    let inbox = DiagnosticsInbox::default();
    let report = json!({ "kind": "full", "items": [], "relatedDocuments": {
        "file:///p/b.py": { "kind": "full", "resultId": "b1", "items": items(&["x"]) },
        "what:": { "kind": "full", "items": [] },
    }});
    assert_eq!(inbox.pulled(path(), None, &report), Reported::Items(vec![]));
    assert_eq!(inbox.result_id(Path::new("/p/b.py"), None).as_deref(), Some("b1"));
}

#[test]
fn a_slow_server_is_given_time_and_a_fast_one_no_less_than_the_least() {
    let allowed = Duration::from_millis(100);
    let mut seen = Latencies::default();
    assert_eq!(seen.budget(allowed), Duration::from_millis(1500));
    for _ in 0..40 {
        seen.add(Duration::from_millis(1060));
    }
    assert_eq!(seen.budget(allowed), Duration::from_millis(2120));
    assert_eq!(seen.budget(Duration::from_secs(3)), Duration::from_secs(3));
    for _ in 0..64 {
        seen.add(Duration::from_secs(60));
    }
    assert_eq!(seen.budget(allowed), Duration::from_secs(10), "never for ever");
}

proptest! {
    /// Failure 13: whatever comes in whatever order, a report for an older version never replaces one for a newer.
    #[test]
    fn the_newest_version_wins(versions in proptest::collection::vec(0i64..6, 1..20)) {
        let inbox = DiagnosticsInbox::default();
        for version in &versions {
            push(&inbox, Some(*version), &[&version.to_string()]);
        }
        let newest = versions.iter().max().expect("there is one");
        prop_assert_eq!(pushed(&inbox), Some((Some(*newest), vec![newest.to_string()])));
    }

    #[test]
    fn a_percentile_is_one_of_them(times in proptest::collection::vec(1u64..5000, 1..64), percent in 1usize..=100) {
        let mut seen = Latencies::default();
        for time in &times {
            seen.add(Duration::from_millis(*time));
        }
        let value = seen.percentile(percent).expect("there are some").as_millis() as u64;
        prop_assert!(times.contains(&value));
        let within = times.iter().filter(|time| **time <= value).count();
        prop_assert!(within * 100 >= times.len() * percent);
    }
}
