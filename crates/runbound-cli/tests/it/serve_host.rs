//! `serve` asking back: tools of the host, and permission by its person.

use serde_json::{Value, json};

use crate::support::{Host, Project};

fn tool(name: &str, tier: &str) -> Value {
    json!({
        "name": name, "tier": tier, "description": "A tool of the host.",
        "input_schema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": [], "additionalProperties": false},
    })
}

fn answer(host: &mut Host, asked: &Value, result: Value) {
    host.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": result}));
}

#[test]
fn a_tool_of_the_host_is_listed_and_called() {
    let project = Project::new(&[]);
    let mut host = Host::ready(
        &project,
        json!({"host_tools": [tool("lookup", "read"), tool("deploy", "exec")]}),
    );
    let list = host.request(json!(1), "tools/list", json!({"tier": "read"}));
    let names: Vec<&Value> =
        list["result"]["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert!(names.contains(&&json!("lookup")) && !names.contains(&&json!("deploy")), "{names:?}");

    host.start_call(json!(2), "lookup", json!({"n": 3}));
    let asked = host.asked("host_tools/call");
    assert_eq!(asked["params"], json!({"name": "lookup", "arguments": {"n": 3}}));
    let image = json!({"type": "image", "mime_type": "image/png", "data": "AQID"});
    answer(
        &mut host,
        &asked,
        json!({"content": [{"type": "text", "text": "three"}, image], "is_error": false}),
    );
    let result = &host.reply(&json!(2))["result"];
    assert_eq!(result["ok"], true);
    assert_eq!(result["content"][0]["text"], "three");
    assert_eq!(result["content"][1]["data"], "AQID");
}

#[test]
fn a_tool_without_a_tier_does_not_hide_a_built_in_one_silently() {
    let project = Project::new(&[]);
    let mut host = Host::start(&project, &[]);
    let init = json!({"root": project.root(), "tier": "write", "host_tools": [{"name": "read"}]});
    let answer = host.request(json!(0), "initialize", init);
    let note = answer["result"]["notes"][0].as_str().unwrap();
    assert!(note.contains("read") && note.contains("without a tier"), "{note}");
    let list = host.request(json!(1), "tools/list", json!({"tier": "read"}));
    let note = list["result"]["notes"][0].as_str().unwrap();
    assert!(note.contains("neither of the two is there"), "{note}");
    let read = host.call(json!(2), "read", json!({"path": "a"}));
    assert_eq!(read["error"]["kind"], "unknown_tool");
}

#[test]
fn a_long_answer_of_the_host_is_cut_and_can_be_read_in_parts() {
    let project = Project::new(&[]);
    let mut host = Host::ready(&project, json!({"host_tools": [tool("lookup", "read")]}));
    host.start_call(json!(1), "lookup", json!({}));
    let asked = host.asked("host_tools/call");
    let long: String = (1..=20_000).map(|n| format!("row {n}\n")).collect();
    answer(&mut host, &asked, json!({"content": long, "is_error": false}));
    let result = host.reply(&json!(1));
    let text: String = result["result"]["content"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|block| block["text"].as_str())
        .collect();
    assert!(text.len() < 30_000);
    let file = text.split_once("all of it is in ").unwrap().1.split_once(']').unwrap().0;
    let part = host.call(
        json!(2),
        "read",
        json!({"path": file, "start_line": 15_000, "end_line": 15_000}),
    );
    assert_eq!(part["content"][0]["text"], "row 15000\n");
    host.close_stdin();
    host.end(crate::support::LONG);
    assert!(!std::path::Path::new(file).exists(), "it ends with the run");
}

#[test]
fn arguments_are_checked_before_the_host_is_asked() {
    let project = Project::new(&[]);
    let mut host = Host::ready(&project, json!({"host_tools": [tool("lookup", "read")]}));
    let result = host.call(json!(1), "lookup", json!({"m": 3}));
    assert_eq!(result["error"]["kind"], "invalid_args");
}

#[test]
fn errors_of_the_host_are_results() {
    let project = Project::new(&[]);
    let mut host = Host::ready(&project, json!({"host_tools": [tool("lookup", "read")]}));
    let replies = [
        (
            json!({"result": {"content": [{"type": "text", "text": "no row"}], "is_error": true}}),
            "no row",
        ),
        (json!({"error": {"code": -1, "message": "kaput"}}), "kaput"),
        (json!({"result": {"wrong": 1}}), "content"),
        (json!({"result": {"content": 7}}), "content"),
    ];
    for (reply, words) in replies {
        host.start_call(json!(1), "lookup", json!({}));
        let asked = host.asked("host_tools/call");
        let mut message = reply.clone();
        message["id"] = asked["id"].clone();
        host.send(&message);
        // A second reply to the same request is for nobody.
        host.send(&message);
        let result = &host.reply(&json!(1))["result"];
        assert_eq!(result["error"]["kind"], "failed", "{reply}");
        assert!(result["error"]["message"].as_str().unwrap().contains(words), "{result}");
    }
}

#[test]
fn an_empty_reply_of_the_host_ends_the_call() {
    let project = Project::new(&[]);
    let mut host = Host::ready(&project, json!({"host_tools": [tool("lookup", "read")]}));
    host.start_call(json!(1), "lookup", json!({}));
    let asked = host.asked("host_tools/call");
    host.send(&json!({"jsonrpc": "2.0", "id": asked["id"]}));
    let reply = host.reply(&json!(1));
    assert_eq!(reply["result"]["error"]["kind"], "failed", "{reply}");
    // Said a second time it answers nothing, and is malformed.
    host.send(&json!({"jsonrpc": "2.0", "id": asked["id"]}));
    assert_eq!(host.reply(&asked["id"])["error"]["code"], -32600);
}

#[test]
fn a_root_that_cannot_be_opened_is_refused_with_the_reason() {
    let project = Project::new(&[("file", "")]);
    let mut host = Host::start(&project, &[]);
    for (root, why) in [("no/such", "does not exist"), ("file", "not a folder")] {
        let root = project.root().join(root);
        let reply = host.request(json!(1), "initialize", json!({"root": root}));
        let message = reply["error"]["message"].as_str().unwrap();
        assert!(message.contains(why), "{message}");
    }
    let reply = host.request(json!(2), "initialize", json!({"root": project.root()}));
    assert!(reply.get("result").is_some(), "after a refusal it can be tried again: {reply}");
}

#[test]
fn a_tool_of_the_host_takes_the_place_of_a_built_in_one() {
    let project = Project::new(&[("a.txt", "on disk\n")]);
    let mine = json!({
        "name": "read", "tier": "read", "description": "Reads from the editor's buffer.",
        "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}},
    });
    let mut host = Host::ready(&project, json!({"host_tools": [mine]}));
    let list = host.request(json!(1), "tools/list", json!({}));
    let all = list["result"]["tools"].as_array().unwrap().clone();
    let reads: Vec<&Value> = all.iter().filter(|tool| tool["name"] == "read").collect();
    assert_eq!(reads.len(), 1);
    assert_eq!(reads[0]["description"], "Reads from the editor's buffer.");
    host.start_call(json!(2), "read", json!({"path": "a.txt"}));
    let asked = host.asked("host_tools/call");
    answer(&mut host, &asked, json!({"content": "in the buffer", "is_error": false}));
    assert_eq!(host.reply(&json!(2))["result"]["content"][0]["text"], "in the buffer");
}

#[test]
fn a_tool_without_a_tier_counts_as_the_most_powerful() {
    let project = Project::new(&[]);
    let mut host =
        Host::ready(&project, json!({"tier": "write", "host_tools": [{"name": "mystery"}]}));
    let result = host.call(json!(1), "mystery", json!({}));
    assert_eq!(result["error"]["kind"], "unknown_tool");
}

#[test]
fn permission_is_asked_of_the_person_and_only_yes_is_yes() {
    let project = Project::new(&[("a.txt", "old\n")]);
    let mut host = Host::ready(&project, json!({"permissions": "ask", "questions": true}));
    // Reading is never asked about.
    assert_eq!(host.call(json!(0), "read", json!({"path": "a.txt"}))["ok"], true);

    let write = |content: &str| json!({"path": "a.txt", "content": content});
    host.start_call(json!(1), "write", write("one"));
    let card = host.asked("question/ask");
    let params = &card["params"];
    assert_eq!(params["kind"], "permission");
    assert_eq!(params["options"].as_array().unwrap().len(), 3);
    assert!(
        params["question_id"].is_string() && params["title"].as_str().unwrap().contains("write")
    );
    assert!(params["expires_in_ms"].is_u64() && params["multi_select"] == false);
    assert_eq!(project.read("a.txt"), "old\n", "nothing happens before the answer");
    answer(&mut host, &card, json!({"outcome": "answered", "selected": [3], "text": "not now"}));
    let refused = &host.reply(&json!(1))["result"];
    assert_eq!(refused["error"]["kind"], "refused");
    assert!(refused["error"]["message"].as_str().unwrap().contains("not now"));

    host.start_call(json!(2), "write", write("two"));
    let card = host.asked("question/ask");
    answer(&mut host, &card, json!({"outcome": "answered", "selected": [1]}));
    assert_eq!(host.reply(&json!(2))["result"]["ok"], true);
    assert_eq!(project.read("a.txt"), "two");

    host.start_call(json!(3), "write", write("three"));
    let card = host.asked("question/ask");
    answer(&mut host, &card, json!({"outcome": "answered", "selected": [2]}));
    assert_eq!(host.reply(&json!(3))["result"]["ok"], true);
    // "For this run" holds for this tool, and for no other.
    assert_eq!(host.call(json!(4), "write", write("four"))["ok"], true);
    host.start_call(json!(5), "edit", json!({"path": "a.txt", "old": "four", "new": "five"}));
    let card = host.asked("question/ask");
    answer(&mut host, &card, json!({"outcome": "skipped"}));
    assert_eq!(host.reply(&json!(5))["result"]["error"]["kind"], "refused");
    assert_eq!(project.read("a.txt"), "four");
}

#[test]
fn without_somebody_to_ask_permission_is_refused_at_once() {
    let project = Project::new(&[("a.txt", "old\n")]);
    let mut host = Host::ready(&project, json!({"permissions": "ask"}));
    let refused = host.call(json!(1), "write", json!({"path": "a.txt", "content": "new"}));
    assert_eq!(refused["error"]["kind"], "refused");
    assert_eq!(project.read("a.txt"), "old\n");

    let mut host = Host::ready(&project, json!({"permissions": "ask", "questions": true}));
    host.start_call(json!(1), "write", json!({"path": "a.txt", "content": "new"}));
    let card = host.asked("question/ask");
    answer(&mut host, &card, json!({"outcome": "no_human"}));
    assert_eq!(host.reply(&json!(1))["result"]["error"]["kind"], "refused");
}

#[test]
fn a_cancelled_call_takes_its_question_back() {
    let project = Project::new(&[("a.txt", "old\n")]);
    let mut host = Host::ready(&project, json!({"permissions": "ask", "questions": true}));
    host.start_call(json!(1), "write", json!({"path": "a.txt", "content": "new"}));
    let card = host.asked("question/ask");
    host.notify("$/cancelRequest", json!({"id": 1}));
    assert_eq!(host.reply(&json!(1))["result"]["error"]["kind"], "cancelled");
    let closed = host.asked("question/closed");
    assert_eq!(
        closed["params"],
        json!({"question_id": card["params"]["question_id"], "why": "cancelled"})
    );
    answer(&mut host, &card, json!({"outcome": "answered", "selected": [1]}));
    assert_eq!(host.call(json!(2), "read", json!({"path": "a.txt"}))["ok"], true);
    assert_eq!(project.read("a.txt"), "old\n", "a late yes writes nothing");
}
