//! What a policy would have stopped in past sessions: the transcripts of each host, what is counted, and the forms of
//! the answer.

use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::common::{Machine, terminal};

const POLICY: &str = "version: 1
defaults: none
rules:
  - { id: push, when: tool.before, command: git push, then: { ask: Push? } }
  - { id: remove, when: tool.before, command: rm, then: { deny: Not that. } }
  - { id: settings, when: tool.before, files: { paths: \"**/settings.toml\", access: [write] }, then: { ask: Sure? } }
  - { id: drop, when: tool.before, mcp: { server: db, tool: drop }, then: { deny: Not that. } }
  - { id: outside, when: tool.before, command: touch, files: { outside: [project], access: [write] }, then: { ask: Outside? } }
";

/// Days before now, as a time in a transcript.
fn days_ago(days: u64) -> String {
    let time = SystemTime::now() - Duration::from_secs(days * 86_400);
    humantime::format_rfc3339_millis(time).to_string()
}

fn lines(records: &[Value]) -> String {
    records.iter().flat_map(|record| [record.to_string(), "\n".to_owned()]).collect()
}

/// A line of a Claude Code transcript with one call.
fn claude_call(session: &str, id: &str, days: u64, tool: &str, input: &Value) -> Value {
    json!({
        "parentUuid": null, "isSidechain": false, "userType": "external", "cwd": "/home/ann/app", "sessionId": session,
        "version": "2.1.300", "gitBranch": "main", "type": "assistant", "uuid": format!("uuid-{id}"), "timestamp": days_ago(days),
        "message": { "id": "msg", "role": "assistant", "content": [
            { "type": "text", "text": "I will." },
            { "type": "tool_use", "id": id, "name": tool, "input": input },
        ], "usage": { "input_tokens": 1 } },
    })
}

fn claude_line(session: &str, id: &str, days: u64, command: &str) -> Value {
    claude_call(session, id, days, "Bash", &json!({ "command": command }))
}

fn codex_line(kind: &str, payload: &Value) -> Value {
    json!({ "timestamp": days_ago(1), "type": kind, "payload": payload })
}

fn codex_function(id: &str, name: &str, arguments: &Value) -> Value {
    let payload = json!({ "type": "function_call", "name": name, "arguments": arguments.to_string(), "call_id": id });
    codex_line("response_item", &payload)
}

fn replay(machine: &Machine, args: &[&str]) -> Value {
    machine.write("project/new.yaml", POLICY);
    let ran = machine.run(&[&["replay", "--policy", "new.yaml", "--json"], args].concat(), b"");
    serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}{}", ran.stdout, ran.stderr))
}

fn rule<'r>(report: &'r Value, name: &str) -> &'r Value {
    let found = report["rules"].as_array().unwrap().iter().find(|rule| rule["rule"] == name);
    found.unwrap_or(&Value::Null)
}

/// Asked, denied and sessions of a rule.
fn counts(report: &Value, name: &str) -> [u64; 3] {
    ["asked", "denied", "sessions"].map(|key| rule(report, name)[key].as_u64().unwrap_or_default())
}

#[test]
fn sessions_of_claude_code_are_found_and_counted_once() {
    let machine = Machine::new();
    let first = [
        json!({ "type": "summary", "summary": "Work", "leafUuid": "x" }),
        json!({ "type": "user", "sessionId": "s1", "uuid": "u", "cwd": "/home/ann/app", "message": { "role": "user", "content": "git push please" } }),
        claude_line("s1", "t1", 3, "git push origin main"),
        claude_line("s1", "t2", 3, "git status"),
        claude_call("s1", "t3", 3, "Write", &json!({ "file_path": "/home/ann/app/settings.toml", "content": "x" })),
        claude_call("s1", "t4", 3, "mcp__db__drop", &json!({ "table": "users" })),
        claude_line("s1", "t5", 40, "git push origin old"),
    ];
    machine.write(".claude/projects/-home-ann-app/s1.jsonl", &lines(&first));
    // A resumed session begins with copies.
    let mut resumed: Vec<Value> =
        vec![claude_line("s2", "t1", 3, "git push origin main"), claude_line("s2", "t2", 3, "git status")];
    resumed.push(claude_line("s2", "t6", 1, "rm -rf build"));
    machine.write(".claude/projects/-home-ann-app/s2.jsonl", &lines(&resumed));
    // Sub-agents: a file of their own, a line of the session, a report of their progress.
    let mut agent = claude_line("s1", "t7", 2, "git push origin side");
    agent["isSidechain"] = json!(true);
    agent["agentId"] = json!("a1");
    machine.write(".claude/projects/-home-ann-app/s1/subagents/agent-a1.jsonl", &lines(&[agent.clone()]));
    let progress = json!({ "type": "progress", "sessionId": "s1", "uuid": "p", "cwd": "/home/ann/app", "timestamp": days_ago(2),
        "data": { "type": "agent_progress", "agentId": "a1", "message": { "type": "assistant", "message": agent["message"] } } });
    machine.write(".claude/projects/-home-ann-app/s3.jsonl", &lines(&[progress]));
    let report = replay(&machine, &[]);
    assert_eq!(report["calls"], 6, "{report:#}");
    assert_eq!([&report["sessions"], &report["stopped_sessions"], &report["transcripts"]], [2, 2, 4]);
    assert_eq!((&report["asked"], &report["denied"]), (&json!(3), &json!(2)));
    assert_eq!(counts(&report, "push"), [2, 0, 1]);
    assert_eq!(counts(&report, "remove"), [0, 1, 1]);
    assert_eq!(counts(&report, "settings"), [1, 0, 1]);
    assert_eq!(counts(&report, "drop"), [0, 1, 1]);
    assert_eq!(report["repeated_calls"], 3);
    assert_eq!(report["per_thousand_calls"], 833.3);
    let tools: Vec<(&str, u64)> = report["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| (tool["name"].as_str().unwrap(), tool["calls"].as_u64().unwrap()))
        .collect();
    assert_eq!(tools, [("mcp", 1), ("shell", 4), ("write", 1)]);
    assert_eq!(rule(&report, "push")["examples"][0]["about"], "git push origin main");
    assert_eq!(rule(&report, "drop")["examples"][0]["about"], "mcp__db__drop");
    // A longer time has the older call as well, a shorter one less.
    assert_eq!(replay(&machine, &["--since", "60d"])["calls"], 7);
    assert_eq!(replay(&machine, &["--since", "36h"])["calls"], 1);
    assert_eq!(replay(&machine, &["--host", "gemini"])["calls"], 0);
}

#[test]
fn sessions_of_codex_are_read_in_every_form() {
    let machine = Machine::new();
    let patch =
        "*** Begin Patch\n*** Update File: conf/settings.toml\n@@\n-a\n+b\n*** Delete File: old.txt\n*** End Patch";
    let records = [
        codex_line("session_meta", &json!({ "id": "c1", "cwd": "/home/ann/app", "cli_version": "0.80.0" })),
        codex_line("turn_context", &json!({ "cwd": "/home/ann/app", "approval_policy": "never" })),
        codex_line("event_msg", &json!({ "type": "user_message", "message": "rm" })),
        codex_function(
            "k1",
            "shell",
            &json!({ "command": ["bash", "-lc", "git push origin main"], "workdir": "/home/ann/app" }),
        ),
        codex_function("k2", "shell", &json!({ "command": ["git", "commit", "-m", "rm it; git push"] })),
        codex_function("k3", "exec_command", &json!({ "cmd": "cd x && rm -r y" })),
        codex_function("k4", "shell_command", &json!({ "command": "touch ../a", "workdir": "sub" })),
        codex_function("k5", "shell_command", &json!({ "command": "touch /srv/a" })),
        codex_function("k6", "update_plan", &json!({ "plan": [] })),
        codex_function("k7", "db__drop", &json!({ "table": "users" })),
        codex_line(
            "response_item",
            &json!({ "type": "function_call", "name": "drop", "namespace": "mcp__db", "arguments": "{}", "call_id": "k8" }),
        ),
        codex_line(
            "response_item",
            &json!({ "type": "local_shell_call", "call_id": "k9", "status": "completed",
            "action": { "type": "exec", "command": ["git", "push"], "working_directory": "/home/ann/app" } }),
        ),
        codex_line(
            "response_item",
            &json!({ "type": "custom_tool_call", "name": "apply_patch", "input": patch, "call_id": "k10" }),
        ),
        codex_line("response_item", &json!({ "type": "function_call_output", "call_id": "k9", "output": "git push" })),
    ];
    machine.write(".codex/sessions/2026/11/20/rollout-2026-11-20T10-00-00-c1.jsonl", &lines(&records));
    machine.write(".codex/sessions/2026/11/20/notes.jsonl", &lines(&records));
    // The form without envelopes: the directory stands in a message.
    let context = "<environment_context>\n  <cwd>/home/ann/old</cwd>\n</environment_context>";
    let bare = [
        json!({ "id": "c2", "timestamp": days_ago(2), "instructions": null }),
        json!({ "type": "message", "role": "user", "content": [{ "type": "input_text", "text": context }] }),
        json!({ "type": "function_call", "name": "shell", "arguments": json!({ "command": ["touch", "a b"] }).to_string(), "call_id": "b1" }),
        json!({ "type": "function_call", "name": "shell", "arguments": json!({ "command": ["apply_patch", patch.replace("conf", "etc")] }).to_string(), "call_id": "b2" }),
    ];
    machine.write(".codex/sessions/2026/11/01/rollout-2026-11-01T10-00-00-c2.jsonl", &lines(&bare));
    let report = replay(&machine, &["--examples", "9"]);
    assert_eq!(report["calls"], 12, "{report:#}");
    assert_eq!(report["sessions"], 2);
    assert_eq!(counts(&report, "push"), [2, 0, 1]);
    assert_eq!(counts(&report, "remove"), [0, 1, 1]);
    assert_eq!(counts(&report, "settings"), [2, 0, 2]);
    assert_eq!(counts(&report, "drop"), [0, 2, 1]);
    assert_eq!(counts(&report, "outside"), [1, 0, 1], "{:#}", rule(&report, "outside"));
    assert_eq!(rule(&report, "push")["examples"][0]["host"], "Codex");
    assert_eq!(rule(&report, "settings")["examples"][1]["cwd"], "/home/ann/old");
}

fn gemini_call(id: &str, name: &str, args: &Value) -> Value {
    json!({ "id": id, "name": name, "args": args, "status": "success", "timestamp": days_ago(1), "result": [] })
}

#[test]
fn sessions_of_gemini_cli_are_read_in_both_forms() {
    let machine = Machine::new();
    let message = |calls: &[Value]| json!({ "id": "m1", "type": "gemini", "timestamp": days_ago(1), "content": "", "toolCalls": calls });
    let document = json!({ "sessionId": "g1", "projectHash": "abc", "startTime": days_ago(1), "lastUpdated": days_ago(1), "messages": [
        { "id": "m0", "type": "user", "content": "git push" },
        message(&[
            gemini_call("g-1", "run_shell_command", &json!({ "command": "git push" })),
            gemini_call("g-2", "write_file", &json!({ "file_path": "/srv/app/settings.toml", "content": "x" })),
        ]),
    ] });
    machine.write(".gemini/tmp/abc/chats/session-2026-11-20T10-00-g1.json", &format!("{document:#}"));
    machine.write(".gemini/tmp/abc/logs.json", "[]");
    let shell = gemini_call("g-3", "run_shell_command", &json!({ "command": "touch a && touch ../b" }));
    let records = [
        json!({ "sessionId": "g2", "projectHash": "def", "startTime": days_ago(1), "lastUpdated": days_ago(1), "kind": "main" }),
        json!({ "id": "m1", "type": "user", "content": "go", "timestamp": days_ago(1) }),
        message(std::slice::from_ref(&shell)),
        json!({ "$set": { "lastUpdated": days_ago(1) } }),
        message(&[shell, gemini_call("g-4", "mcp_db_drop", &json!({}))]),
    ];
    machine.write(".gemini/tmp/app/chats/session-2026-11-21T10-00-g2.jsonl", &lines(&records));
    machine.write(".gemini/tmp/app/.project_root", "/srv/app\n");
    let report = replay(&machine, &[]);
    assert_eq!((&report["calls"], &report["sessions"]), (&json!(4), &json!(2)), "{report:#}");
    assert_eq!(counts(&report, "push"), [1, 0, 1]);
    assert_eq!(counts(&report, "settings"), [1, 0, 1]);
    assert_eq!(counts(&report, "outside"), [1, 0, 1]);
    assert_eq!(counts(&report, "drop"), [0, 1, 1]);
    assert_eq!(rule(&report, "outside")["examples"][0]["cwd"], "/srv/app");
    assert_eq!(report["repeated_calls"], 0, "a call that one transcript has twice is no copy");
    let named = replay(&machine, &[&machine.home().join(".gemini").to_string_lossy()]);
    assert_eq!(named["calls"], 4, "{named:#}");
}

#[test]
fn broken_lines_and_files_are_counted() {
    let machine = Machine::new();
    let good = lines(&[claude_line("s1", "t1", 1, "git push")]);
    let text = format!("{good}{{\"type\":\"assistant\",\"mess\n\nnot json\n{good}\n{{\"type\":\"assi");
    machine.write(".claude/projects/p/s1.jsonl", &text);
    machine.write(".claude/projects/p/empty.jsonl", "");
    machine.write(
        ".gemini/tmp/abc/chats/session-x.json",
        "{\"sessionId\": \"g\", \"projectHash\": \"h\", \"messages\": [{\"id\"",
    );
    let report = replay(&machine, &[]);
    assert_eq!((&report["calls"], &report["broken_records"]), (&json!(1), &json!(4)), "{report:#}");
    let first = report["first_unreadable"].as_str().unwrap();
    assert!(first.ends_with(": not a JSON object"), "{first}");
    let ran = machine.run(&["replay", "--policy", "new.yaml"], b"");
    assert!(ran.stdout.contains("4 records and 0 files could not be read; the first: "), "{}", ran.stdout);
    assert_eq!(ran.stderr, "", "progress is for terminals");
}

#[test]
fn what_is_not_there_is_said() {
    let machine = Machine::new();
    let ran = machine.run(&["replay"], b"");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "No transcripts found.\n"));
    machine.write("project/empty/notes.json", "{}");
    let ran = machine.run(&["replay", "empty"], b"");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "No transcripts found.\n"));
    let ran = machine.run(&["replay", "--host", "emacs"], b"");
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
    let ran = machine.run(&["replay", "--audit", "--since", "1d"], b"");
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
}

#[test]
fn examples_are_short_and_safe_in_every_form() {
    let machine = Machine::new();
    let token = ["ghp_", "x7Gk2mPq9RtVw3YzAb5CdEf8HjKlNp1QsTuX"].concat();
    let commands = [
        format!("git push https://x:{token}@example.com/r"),
        "git push \u{1b}[31morigin\u{202e} <script>alert(1)</script>".to_owned(),
        format!("git push {}", "very-long ".repeat(80)),
        "git push quietly".to_owned(),
    ];
    let calls: Vec<Value> =
        commands.iter().enumerate().map(|(at, it)| claude_line("s1", &format!("t{at}"), 1, it)).collect();
    machine.write(".claude/projects/p/s1.jsonl", &lines(&calls));
    let report = replay(&machine, &[]);
    assert_eq!(rule(&report, "push")["examples"].as_array().unwrap().len(), 3);
    let text = machine.run(&["replay", "--policy", "new.yaml"], b"").stdout;
    assert!(
        text.starts_with("In the last 30 days, this policy would have asked 4 times in 1 session (4 calls).\n"),
        "{text}"
    );
    assert!(text.contains("\\u{1b}[31morigin\\u{202e}"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() < 140), "{text}");
    let ran = machine.run(&["replay", "--policy", "new.yaml", "--html", "page.html"], b"");
    assert!(ran.stdout.ends_with("page.html written\n"), "{}", ran.stdout);
    let page = machine.read("project/page.html").unwrap();
    assert!(page.contains("asked 4 times") && page.contains("&lt;script&gt;") && !page.contains("<script"), "{page}");
    for shown in [report.to_string(), text, page] {
        assert!(!shown.contains(&token) && shown.contains("git push https:"), "{shown}");
    }
}

#[test]
fn what_a_user_lets_pass_for_good_is_no_stop() {
    let machine = Machine::new();
    machine.write("project/new.yaml", POLICY);
    machine.write(".config/ruleward/policy.yaml", POLICY);
    let calls = ["git push origin main", "git push origin other"];
    let calls: Vec<Value> = calls
        .iter()
        .enumerate()
        .map(|(at, it)| {
            let mut call = claude_line("s1", &format!("t{at}"), 1, it);
            call["cwd"] = json!(machine.project());
            call
        })
        .collect();
    machine.write(".claude/projects/p/s1.jsonl", &lines(&calls));
    assert_eq!(replay(&machine, &[])["asked"], 2);
    let granted =
        terminal::run_as_person(&machine, &["allow", "--command", "git push origin main", "--for-good", "--yes"]);
    assert_eq!(granted.code, Some(0), "{}{}", granted.stdout, granted.stderr);
    let report = replay(&machine, &[]);
    assert_eq!((&report["calls"], &report["asked"]), (&json!(2), &json!(1)), "{report:#}");
    assert_eq!(rule(&report, "push")["examples"][0]["about"], "git push origin other");
}

#[test]
fn many_transcripts_come_to_the_same_with_any_number_of_threads() {
    let machine = Machine::new();
    for number in 0..40 {
        let session = format!("s{number}");
        let calls: Vec<Value> = (0..20)
            .map(|call| {
                claude_line(&session, &format!("t{}", number / 2 * 100 + call), 1, ["git push", "ls", "rm x"][call % 3])
            })
            .collect();
        machine.write(&format!(".claude/projects/p/{session}.jsonl"), &lines(&calls));
    }
    let one = replay(&machine, &["--threads", "1"]);
    assert_eq!(one, replay(&machine, &["--threads", "5"]));
    assert_eq!((&one["calls"], &one["repeated_calls"]), (&json!(400), &json!(400)));
}
