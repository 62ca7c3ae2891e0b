//! `serve`: the life of a session, calls, lists and the end.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Host, LONG, Project};

fn error_code(reply: &Value) -> i64 {
    reply["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error: {reply}"))
}

fn names(list: &Value) -> Vec<&str> {
    list["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

#[test]
fn initialize_tells_version_server_and_tools() {
    let project = Project::new(&[]);
    let mut host = Host::start(&project, &[]);
    let params = json!({"protocol_version": 1, "root": project.root(), "conversation_id": "c1", "tier": "read", "vibe": true});
    let reply = host.request(json!(1), "initialize", params);
    assert_eq!(reply["jsonrpc"], "2.0");
    let result = &reply["result"];
    assert_eq!(result["protocol_version"], 1);
    assert_eq!(result["server"]["name"], "runbound");
    assert_eq!(result["conversation_id"], "c1");
    assert_eq!(names(result), ["read", "ast_grep", "lsp"]);
    let tool = &result["tools"][0];
    for key in ["name", "tier", "description", "input_schema", "parallel_safe"] {
        assert!(tool.get(key).is_some(), "{key} is missing in {tool}");
    }
    let notes = result["notes"].to_string();
    assert!(notes.contains("vibe"), "what is not built is said: {notes}");
}

#[test]
fn calls_before_initialize_are_errors_and_the_session_goes_on() {
    let project = Project::new(&[]);
    let mut host = Host::start(&project, &[]);
    let early =
        host.request(json!("early"), "tools/call", json!({"name": "read", "arguments": {}}));
    assert_eq!(error_code(&early), -32002);
    let list = host.request(json!(2), "tools/list", json!({}));
    assert_eq!(error_code(&list), -32002);
    let reply = host.request(
        json!(3),
        "initialize",
        json!({"protocol_version": 1, "root": project.root()}),
    );
    assert!(reply.get("result").is_some());
    let again = host.request(
        json!(4),
        "initialize",
        json!({"protocol_version": 1, "root": project.root()}),
    );
    assert_eq!(error_code(&again), -32600);
}

#[test]
fn initialize_that_cannot_be_is_an_error_and_may_be_tried_again() {
    let project = Project::new(&[]);
    let mut host = Host::start(&project, &[]);
    for params in [
        json!({"protocol_version": 99, "root": project.root()}),
        json!({"protocol_version": 1, "root": project.outside("nowhere")}),
        json!({"protocol_version": 1, "root": project.root(), "tier": "all"}),
        json!({"protocol_version": 1, "root": project.root(), "host_tools": [{"name": "no good", "tier": "read"}]}),
        json!({"protocol_version": 1, "root": project.root(), "host_tools": [{"name": "a", "tier": "read"}, {"name": "a", "tier": "read"}]}),
    ] {
        let reply = host.request(json!("try"), "initialize", params.clone());
        assert_eq!(error_code(&reply), -32602, "{params}");
    }
    let reply = host.request(
        json!("good"),
        "initialize",
        json!({"protocol_version": 1, "root": project.root()}),
    );
    assert!(reply.get("result").is_some());
}

#[test]
fn the_root_of_initialize_wins_and_the_flag_caps_the_tier() {
    let flag = Project::new(&[("a.txt", "flag\n")]);
    let asked = Project::new(&[("a.txt", "asked\n")]);
    let mut host = Host::start(&flag, &["--tier", "write"]);
    let reply = host.request(
        json!(1),
        "initialize",
        json!({"protocol_version": 1, "root": asked.root(), "tier": "exec"}),
    );
    assert_eq!(reply["result"]["tier"], "write");
    let result = host.call(json!(2), "read", json!({"path": "a.txt"}));
    assert!(result["content"][0]["text"].as_str().unwrap().contains("asked"));
}

#[test]
fn a_blank_conversation_is_a_fresh_one() {
    let project = Project::new(&[]);
    let mut seen = Vec::new();
    for id in [json!(null), json!(""), json!(" ")] {
        let mut host = Host::start(&project, &[]);
        let params = json!({"protocol_version": 1, "root": project.root(), "conversation_id": id});
        let reply = host.request(json!(1), "initialize", params);
        seen.push(reply["result"]["conversation_id"].as_str().unwrap().to_owned());
    }
    assert!(seen.iter().all(|id| id.len() > 8), "{seen:?}");
    assert!(seen[0] != seen[1] && seen[1] != seen[2], "{seen:?}");
}

#[test]
fn a_result_object_has_every_key() {
    let project = Project::new(&[("a.txt", "hello\n")]);
    let mut host = Host::ready(&project, json!({}));
    let good = host.call(json!("g"), "read", json!({"path": "a.txt"}));
    assert_eq!(
        (&good["id"], &good["tool"], &good["ok"]),
        (&json!("g"), &json!("read"), &json!(true))
    );
    assert_eq!(good["content"][0]["type"], "text");
    assert!(good["details"].is_object() && good["elapsed_ms"].is_number());
    assert!(good.get("error").is_none());
    let bad = host.call(json!(7), "read", json!({"path": "absent.txt"}));
    assert_eq!(
        (&bad["id"], &bad["ok"], &bad["error"]["kind"]),
        (&json!(7), &json!(false), &json!("failed"))
    );
    assert!(bad["details"].is_object() && bad["content"].is_array());
    assert!(bad["error"]["message"].as_str().unwrap().contains("absent.txt"));
}

#[test]
fn hidden_and_unknown_tools_are_result_objects() {
    let project = Project::new(&[]);
    let mut host = Host::ready(&project, json!({"tier": "read"}));
    for name in ["write", "resolve", "no_such_tool", "ask_user", "vibe_list", "debug"] {
        let result = host.call(json!(name), name, json!({}));
        assert_eq!(result["error"]["kind"], "unknown_tool", "{name}");
    }
}

#[test]
fn a_tier_of_one_call_narrows_and_never_widens() {
    let project = Project::new(&[]);
    let mut host = Host::ready(&project, json!({"tier": "write"}));
    let list = host.request(json!(1), "tools/list", json!({"tier": "read"}));
    assert_eq!(names(&list["result"]), ["read", "ast_grep", "lsp"]);
    let list = host.request(json!(2), "tools/list", json!({"tier": "exec"}));
    assert_eq!(
        names(&list["result"]),
        [
            "apply_patch",
            "edit",
            "read",
            "write",
            "ast_edit",
            "ast_grep",
            "resolve",
            "lsp",
            "lsp_rename"
        ]
    );
    let plan = json!({"name": "write", "arguments": {"path": "a", "content": "b"}, "tier": "read"});
    let reply = host.request(json!(3), "tools/call", plan);
    assert_eq!(reply["result"]["error"]["kind"], "unknown_tool");
    assert!(!project.root().join("a").exists());
    let worker = host.request(json!(4), "tools/list", json!({"worker_id": "w1"}));
    assert_eq!(error_code(&worker), -32602);
}

#[test]
fn an_edit_lives_from_call_to_call() {
    let project = Project::new(&[("a.py", "foo(1)\nfoo(2)\n")]);
    let mut host = Host::ready(&project, json!({}));
    let staged = host.call(
        json!(1),
        "ast_edit",
        json!({"pattern": "foo($A)", "rewrite": "bar($A)", "language": "python"}),
    );
    assert_eq!(staged["details"]["replacements"], 2, "{staged}");
    assert_eq!(project.read("a.py"), "foo(1)\nfoo(2)\n");
    let id = staged["details"]["edit_id"].clone();
    let done = host.call(json!(2), "resolve", json!({"edit_id": id, "action": "accept"}));
    assert_eq!(done["ok"], true, "{done}");
    assert_eq!(project.read("a.py"), "bar(1)\nbar(2)\n");
    let again = host.call(json!(3), "resolve", json!({"edit_id": id, "action": "accept"}));
    assert_eq!(again["error"]["kind"], "conflict");
}

#[test]
fn without_a_server_a_write_is_never_called_clean() {
    let project = Project::new(&[("a.unknown", "x\n")]);
    let mut host = Host::ready(&project, json!({}));
    for method in ["files/writing", "files/written"] {
        let reply = host.request(json!(method), method, json!({"paths": ["a.unknown"]}));
        assert!(!reply["result"]["unavailable"].as_str().unwrap().is_empty(), "{reply}");
        assert!(reply["result"].get("diagnostics").is_none(), "no list that looks like \"clean\"");
        let wrong = host.request(json!(1), method, json!({}));
        assert_eq!(error_code(&wrong), -32602);
    }
}

#[test]
fn shutdown_answers_null_and_then_only_the_end_is_left() {
    let project = Project::new(&[]);
    let mut host = Host::ready(&project, json!({}));
    let reply = host.request(json!(1), "shutdown", json!(null));
    assert_eq!(reply, json!({"jsonrpc": "2.0", "id": 1, "result": null}));
    let late = host.request(json!(2), "tools/call", json!({"name": "read", "arguments": {}}));
    assert_eq!(error_code(&late), -32600);
    host.notify("exit", json!({}));
    assert_eq!(host.end(LONG).0, Some(0));
}

#[test]
fn exit_alone_and_the_end_of_input_alone_end_with_zero() {
    let project = Project::new(&[]);
    let mut host = Host::ready(&project, json!({}));
    host.notify("exit", json!({}));
    assert_eq!(host.end(LONG).0, Some(0));

    let mut host = Host::start(&project, &[]);
    host.close_stdin();
    assert_eq!(host.end(LONG).0, Some(0));
}

#[test]
fn what_was_asked_before_the_end_of_input_is_still_answered() {
    let project = Project::new(&[("a.txt", "hello\n")]);
    let mut host = Host::start(&project, &[]);
    host.ask(json!(1), "initialize", json!({"protocol_version": 1, "root": project.root()}));
    for id in 2..12 {
        host.start_call(json!(id), "read", json!({"path": "a.txt"}));
    }
    let begun = Instant::now();
    host.close_stdin();
    let answered = host.rest();
    for id in 1..12 {
        let reply = answered
            .iter()
            .find(|reply| reply["id"] == id)
            .unwrap_or_else(|| panic!("{id} in {answered:?}"));
        assert!(reply.get("result").is_some());
    }
    assert_eq!(host.end(LONG).0, Some(0));
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[test]
fn the_trace_has_both_ways() {
    let project = Project::new(&[]);
    let log = project.outside("trace.jsonl");
    let mut host = Host::start(&project, &["--log", log.to_str().unwrap()]);
    host.request(json!(1), "initialize", json!({"protocol_version": 1, "root": project.root()}));
    host.close_stdin();
    assert_eq!(host.end(LONG).0, Some(0));
    let text = std::fs::read_to_string(log).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        (&lines[0]["way"], &lines[0]["message"]["method"]),
        (&json!("in"), &json!("initialize"))
    );
    assert_eq!((&lines[1]["way"], &lines[1]["message"]["id"]), (&json!("out"), &json!(1)));
}
