//! `serve` with hosts that misbehave: garbage, halves, giants, ids of all kinds, ends in the middle.

use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Host, LONG, Project, endless, wait};

/// A tool of the host's that is answered when the test wants, so that a call is surely running.
fn slow() -> Value {
    json!({"host_tools": [{"name": "slow", "tier": "read", "description": "Waits.", "input_schema": {"type": "object", "properties": {}}}]})
}

#[test]
fn a_malformed_line_gets_an_error_and_the_process_goes_on() {
    let project = Project::new(&[("a.txt", "hello\n")]);
    let mut host = Host::ready(&project, json!({}));
    let bad: [(&[u8], i64); 9] = [
        (b"garbage\n", -32700),
        (b"{\"jsonrpc\": \"2.0\", \"id\": 1, \n", -32700),
        (b"\x00\xff\xfe\n", -32700),
        (b"[]\n", -32600),
        (b"\"text\"\n", -32600),
        (b"{}\n", -32600),
        (b"{\"jsonrpc\": \"2.0\", \"id\": null, \"method\": \"tools/list\"}\n", -32600),
        (b"{\"jsonrpc\": \"2.0\", \"id\": {\"a\": 1}, \"method\": \"tools/list\"}\n", -32600),
        (b"[{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\"}]\n", -32600),
    ];
    for (line, code) in bad {
        host.send_bytes(line);
        let reply = host.reply(&Value::Null);
        assert_eq!(reply["error"]["code"], code, "{}", String::from_utf8_lossy(line));
    }
    host.send_bytes(b"\n  \r\n\n");
    let result = host.call(json!(5), "read", json!({"path": "a.txt"}));
    assert_eq!(result["ok"], true);
}

#[test]
fn wrong_methods_and_parameters_are_errors_with_the_id() {
    let project = Project::new(&[]);
    let mut host = Host::ready(&project, json!({}));
    for (method, params, code) in [
        ("question/answer", json!({}), -32601),
        ("tools/call", json!({}), -32602),
        ("tools/call", json!({"name": 3}), -32602),
        ("tools/call", json!({"name": "read", "tier": "all"}), -32602),
        ("tools/call", json!([1]), -32602),
        ("tools/list", json!({"tier": 1}), -32602),
    ] {
        let reply = host.request(json!("x"), method, params.clone());
        assert_eq!(reply["error"]["code"], code, "{method} {params}");
    }
    host.notify("who/knows", json!({}));
    host.send(&json!({"jsonrpc": "2.0", "id": "nobody-asked", "result": 1}));
    assert!(host.request(json!(1), "tools/list", json!({})).get("result").is_some());
    host.close_stdin();
    let (code, log) = host.end(LONG);
    assert_eq!(code, Some(0));
    assert!(log.contains("nobody-asked") && log.contains("who/knows"), "{log}");
}

#[test]
fn ids_come_back_as_they_went() {
    let project = Project::new(&[]);
    let mut host = Host::ready(&project, json!({}));
    for id in [
        json!(0),
        json!(-5),
        json!(2.5),
        json!(u64::MAX),
        json!(""),
        json!("with \"quotes\"\n"),
        json!("1"),
        json!(1),
    ] {
        let reply =
            host.request(id.clone(), "tools/call", json!({"name": "nothing", "arguments": {}}));
        assert_eq!((&reply["id"], &reply["result"]["id"]), (&id, &id));
    }
}

#[test]
fn a_line_in_pieces_is_one_line() {
    let project = Project::new(&[]);
    let mut host = Host::ready(&project, json!({}));
    for byte in b"{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/list\"}" {
        host.send_bytes(&[*byte]);
    }
    host.send_bytes(b"\r\n");
    assert!(host.reply(&json!(9)).get("result").is_some());
}

#[test]
fn half_a_line_at_the_end_is_answered_as_malformed() {
    let project = Project::new(&[]);
    let mut host = Host::ready(&project, json!({}));
    host.send_bytes(b"{\"jsonrpc\": \"2.0\", \"id\": 1, \"meth");
    host.close_stdin();
    let rest = host.rest();
    assert_eq!(rest.len(), 1);
    assert_eq!(rest[0]["error"]["code"], -32700);
    assert_eq!(host.end(LONG).0, Some(0));
}

#[test]
fn a_last_line_without_a_line_feed_counts() {
    let project = Project::new(&[]);
    let mut host = Host::ready(&project, json!({}));
    host.send_bytes(b"{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\"}");
    host.close_stdin();
    assert!(host.rest()[0].get("result").is_some());
}

#[test]
fn a_huge_line_is_refused_and_a_big_one_is_not() {
    let project = Project::new(&[]);
    let mut host = Host::ready(&project, json!({}));
    let big = "x".repeat(5 << 20);
    let result = host.call(json!(1), "write", json!({"path": "big.txt", "content": big}));
    assert_eq!(result["ok"], true, "{}", result["error"]);
    assert_eq!(project.read("big.txt").len(), 5 << 20);
    let giant = vec![b'x'; 8 << 20];
    for _ in 0..9 {
        host.send_bytes(&giant);
    }
    host.send_bytes(b"\n");
    let reply = host.reply(&Value::Null);
    assert_eq!(reply["error"]["code"], -32600);
    assert!(reply["error"]["message"].as_str().unwrap().contains("75497472"), "{reply}");
    assert!(host.request(json!(2), "tools/list", json!({})).get("result").is_some());
}

#[test]
fn a_running_call_is_cancelled_and_others_are_not() {
    let project = Project::new(&[]);
    let mut host = Host::ready(&project, slow());
    host.notify("$/cancelRequest", json!({"id": "a"}));
    for id in ["a", "b"] {
        host.start_call(json!(id), "slow", json!({}));
    }
    let first = host.asked("host_tools/call");
    let second = host.asked("host_tools/call");
    host.notify("$/cancelRequest", json!({"id": "a"}));
    let cancelled = host.reply(&json!("a"));
    assert_eq!(cancelled["result"]["error"]["kind"], "cancelled");
    assert_eq!(cancelled["result"]["ok"], false);
    let told = host.asked("$/cancelRequest");
    let (gone, open) =
        if told["params"]["id"] == first["id"] { (first, second) } else { (second, first) };
    assert_eq!(told["params"]["id"], gone["id"], "the host is told which of its calls to stop");
    // A late answer, then cancels of what has ended or never was, are harmless.
    host.send(&json!({"jsonrpc": "2.0", "id": gone["id"], "result": {"content": "late", "is_error": false}}));
    for id in [json!("a"), json!(99), json!(null), json!({})] {
        host.notify("$/cancelRequest", json!({"id": id}));
    }
    host.send(&json!({"jsonrpc": "2.0", "id": open["id"], "result": {"content": "done", "is_error": false}}));
    let done = host.reply(&json!("b"));
    assert_eq!(done["result"]["content"][0]["text"], "done");
}

#[test]
fn a_long_search_tells_its_progress_and_can_be_cancelled() {
    let project = endless();
    let mut host = Host::ready(&project, json!({}));
    let search = json!({"pattern": "$F($$$A)", "language": "python"});
    host.start_call(json!("s"), "ast_grep", search.clone());
    let told = host.asked("tools/progress");
    assert_eq!(
        (&told["params"]["request_id"], &told["params"]["total"]),
        (&json!("s"), &json!(120)),
        "{told}"
    );
    assert!(told["params"]["done"].is_u64() && told["params"]["message"].is_string(), "{told}");
    assert!(told.get("id").is_none(), "a notification");
    host.notify("$/cancelRequest", json!({"id": "s"}));
    assert_eq!(host.reply(&json!("s"))["result"]["error"]["kind"], "cancelled");

    // The end of input in the middle of it: in time, and with its outcome.
    host.start_call(json!(2), "ast_grep", search);
    host.asked("tools/progress");
    let begun = Instant::now();
    host.close_stdin();
    let rest = host.rest();
    assert!(
        rest.iter().any(|message| message["id"] == 2 && message["result"]["ok"] == false),
        "{rest:?}"
    );
    assert_eq!(host.end(LONG).0, Some(0));
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[test]
fn an_id_in_use_is_refused_and_free_after_its_answer() {
    let project = Project::new(&[("a.txt", "hello\n")]);
    let mut host = Host::ready(&project, slow());
    host.start_call(json!(1), "slow", json!({}));
    let asked = host.asked("host_tools/call");
    let refused = host.request(
        json!(1),
        "tools/call",
        json!({"name": "read", "arguments": {"path": "a.txt"}}),
    );
    assert_eq!(refused["error"]["code"], -32600);
    host.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"content": "one", "is_error": false}}));
    assert_eq!(host.reply(&json!(1))["result"]["content"][0]["text"], "one");
    assert_eq!(host.call(json!(1), "read", json!({"path": "a.txt"}))["ok"], true);
}

#[test]
fn calls_run_side_by_side() {
    let project = Project::new(&[("a.txt", "hello\n")]);
    let mut host = Host::ready(&project, slow());
    let mut asked = Vec::new();
    for id in 0..5 {
        host.start_call(json!(id), "slow", json!({}));
        asked.push(host.asked("host_tools/call"));
    }
    assert_eq!(host.call(json!("quick"), "read", json!({"path": "a.txt"}))["ok"], true);
    for ask in asked.iter().rev() {
        host.send(&json!({"jsonrpc": "2.0", "id": ask["id"], "result": {"content": ask["id"], "is_error": false}}));
    }
    for id in 0..5 {
        assert_eq!(host.reply(&json!(id))["result"]["ok"], true);
    }
}

#[test]
fn input_that_ends_in_the_middle_of_a_call_ends_the_run_in_time() {
    let project = Project::new(&[]);
    let mut host = Host::ready(&project, slow());
    host.start_call(json!(1), "slow", json!({}));
    host.asked("host_tools/call");
    let begun = Instant::now();
    host.close_stdin();
    let rest = host.rest();
    let reply = rest.iter().find(|message| message["id"] == 1).unwrap();
    assert_eq!(reply["result"]["error"]["kind"], "unavailable", "nobody can answer any more");
    assert_eq!(host.end(Duration::from_secs(5)).0, Some(0));
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[test]
fn shutdown_and_exit_end_running_calls() {
    let project = Project::new(&[]);
    let mut host = Host::ready(&project, slow());
    host.start_call(json!(1), "slow", json!({}));
    host.asked("host_tools/call");
    host.ask(json!(2), "shutdown", json!({}));
    assert_eq!(host.reply(&json!(1))["result"]["error"]["kind"], "cancelled");
    assert_eq!(host.reply(&json!(2))["result"], Value::Null);
    host.close_stdin();
    assert_eq!(host.end(Duration::from_secs(5)).0, Some(0));

    let mut host = Host::ready(&project, slow());
    host.start_call(json!(1), "slow", json!({}));
    host.asked("host_tools/call");
    host.notify("exit", json!({}));
    assert_eq!(host.end(Duration::from_secs(5)).0, Some(0));
}

#[test]
fn a_host_that_does_not_read_is_left_in_time() {
    let project = Project::new(&[("a.txt", &"line\n".repeat(2_000))]);
    let mut command = project.command(&["serve"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut script = json!({"id": 0, "method": "initialize", "params": {"protocol_version": 1, "root": project.root()}}).to_string();
    for id in 1..100 {
        script += "\n";
        script += &json!({"id": id, "method": "tools/call", "params": {"name": "read", "arguments": {"path": "a.txt"}}}).to_string();
    }
    // Far more answers than the pipe holds, and nobody takes them: only the end of input is left to notice.
    let writer = std::thread::spawn(move || {
        use std::io::Write as _;
        let _ = stdin.write_all(script.as_bytes());
    });
    writer.join().unwrap();
    let _kept_open = child.stdout.take();
    let begun = Instant::now();
    assert!(wait(child, Duration::from_secs(8)).success());
    assert!(begun.elapsed() < Duration::from_secs(6), "{:?}", begun.elapsed());
}

#[test]
#[cfg(target_os = "linux")]
fn a_host_that_neither_reads_nor_writes_any_more_is_left_in_time() {
    use std::io::{Read as _, Write as _};
    let project = Project::new(&[]);
    for end in ["close", "TERM"] {
        let mut child = crate::support::piped(&mut project.command(&["serve"]));
        let mut stdin = child.stdin.take().unwrap();
        let mut lines = String::from("{\"id\": 0, \"method\": \"initialize\"}\n");
        for id in 0..2_000 {
            lines += &json!({"id": id, "method": "tools/list"}).to_string();
            lines.push('\n');
        }
        // Every answer is kilobytes: the pipe of answers is full long before the last question was taken.
        stdin.write_all(lines.as_bytes().get(..60_000).unwrap_or_default()).unwrap();
        let mut first = [0; 1];
        child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
        if end == "close" {
            drop(stdin);
            assert_eq!(wait(child, Duration::from_secs(8)).code(), Some(0));
        } else {
            crate::support::signal(child.id(), end);
            assert_eq!(wait(child, Duration::from_secs(8)).code(), Some(1));
        }
    }
}

#[test]
fn a_closed_output_ends_the_session_without_a_panic() {
    let project = Project::new(&[]);
    let mut command = project.command(&["serve"]);
    let mut child = crate::support::piped(&mut command);
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let mut stderr = child.stderr.take().unwrap();
    use std::io::{Read as _, Write as _};
    let _ = stdin.write_all(
        b"{\"id\": 1, \"method\": \"tools/list\"}\n{\"id\": 2, \"method\": \"tools/list\"}\n",
    );
    assert_eq!(wait(child, LONG).code(), Some(0), "the host is gone, though its input is open");
    let mut log = String::new();
    stderr.read_to_string(&mut log).unwrap();
    assert!(!log.contains("panicked"), "{log}");
}
