//! Exceptions: who can grant them, what they are bound to, and how often they hold.

#![cfg(target_os = "linux")]
use crate::common::terminal::run_at_terminal;
use crate::common::{Machine, RunOutput, output_text};
use serde_json::{Value, json};

fn hook(machine: &Machine, payload: &[u8]) -> Value {
    let ran = machine.run(&["hook", "claude"], payload);
    serde_json::from_str(&ran.stdout).unwrap_or_default()
}

fn decision(machine: &Machine, command: &str) -> Option<String> {
    let answer = hook(machine, &machine.shell_payload("claude", command));
    answer["hookSpecificOutput"]["permissionDecision"].as_str().map(ToOwned::to_owned)
}

/// Has a command refused, and returns the id in the reason.
fn refused_id(machine: &Machine, command: &str) -> String {
    let answer = hook(machine, &machine.shell_payload("claude", command)).to_string();
    let id = regex::Regex::new("ruleward explain ([0-9a-z]{8})").unwrap();
    id.captures(&answer).unwrap_or_else(|| panic!("{command}: {answer}"))[1].to_owned()
}

fn run_allow(machine: &Machine, args: &[&str]) -> RunOutput {
    let args: Vec<&str> = ["allow"].iter().chain(args).chain(&["--yes"]).copied().collect();
    run_at_terminal(machine, &args, "", &[])
}

fn grant(machine: &Machine, args: &[&str]) {
    let ran = run_allow(machine, args);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
}

#[test]
fn once_is_once_and_for_what_it_does() {
    let machine = Machine::new();
    let id = refused_id(&machine, "rm -rf ~/");
    grant(&machine, &[&id]);
    for other in ["rm -rf ~/ /etc", "rm -rf ~/ && ls", "sudo rm -rf ~/", "cd / && rm -rf ~/", "rm -rf /"] {
        assert_eq!(decision(&machine, other).as_deref(), Some("deny"), "{other}");
    }
    assert_eq!(decision(&machine, "rm  '-r''f'  ~/"), None, "another spelling of the same");
    assert_eq!(decision(&machine, "rm -rf ~/").as_deref(), Some("deny"));
    let log = machine.read(".state/ruleward/audit.jsonl").unwrap();
    assert!(log.contains("A person allowed, once, until"), "{log}");
    assert!(log.contains("A person allowed this: exception"), "{log}");
    assert_eq!(machine.run(&["audit", "verify"], b"").code, Some(0));
}

#[test]
fn of_many_calls_at_once_one_passes() {
    let machine = Machine::new();
    let id = refused_id(&machine, "rm -rf ~/");
    grant(&machine, &[&id]);
    let passed = std::thread::scope(|scope| {
        let calls: Vec<_> = (0..8).map(|_| scope.spawn(|| decision(&machine, "rm -rf ~/").is_none())).collect();
        calls.into_iter().map(|call| call.join().unwrap()).filter(|passed| *passed).count()
    });
    assert_eq!(passed, 1);
}

#[test]
fn for_a_session_or_a_time_it_is_for_more() {
    let machine = Machine::new();
    let id = refused_id(&machine, "rm -rf ~/");
    grant(&machine, &[&id, "--session"]);
    assert_eq!((decision(&machine, "rm -rf ~/"), decision(&machine, "rm -rf ~/")), (None, None));
    let payload = String::from_utf8(machine.shell_payload("claude", "rm -rf ~/")).unwrap();
    let other = payload.replace("\"session_id\":\"s\"", "\"session_id\":\"t\"");
    assert_ne!(payload, other);
    assert_eq!(hook(&machine, other.as_bytes())["hookSpecificOutput"]["permissionDecision"], "deny");

    grant(&machine, &["--command", "git push --force", "--for", "30m"]);
    assert_eq!((decision(&machine, "git push --force"), decision(&machine, "git push --force")), (None, None));
    let listed = machine.run(&["allow", "--list", "--json"], b"");
    let listed: Value = serde_json::from_str(&listed.stdout).unwrap();
    let exceptions = listed["exceptions"].as_array().unwrap();
    assert_eq!(exceptions.len(), 2);
    for exception in exceptions {
        let ran = machine.run(&["allow", "--revoke", exception["id"].as_str().unwrap()], b"");
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
    assert!(decision(&machine, "git push --force").is_some() && decision(&machine, "rm -rf ~/").is_some());
    let short = run_allow(&machine, &["--command", "git push --force", "--for", "1s"]);
    assert_eq!(short.code, Some(0));
    std::thread::sleep(std::time::Duration::from_millis(2100));
    assert!(decision(&machine, "git push --force").is_some(), "its time is over");

    grant(&machine, &["--command", "git push --force", "--for-good"]);
    let listed = machine.run(&["allow", "--list"], b"").stdout;
    assert!(listed.contains("  permanently  "), "{listed}");
    assert_eq!((decision(&machine, "git push --force"), decision(&machine, "git push --force")), (None, None));
    let id = listed.split_whitespace().next().unwrap();
    assert_eq!(machine.run(&["allow", "--revoke", id], b"").code, Some(0));
    assert!(decision(&machine, "git push --force").is_some(), "it was taken back");
}

#[test]
fn what_is_written_is_part_of_it() {
    let machine = Machine::new();
    let write = |content: &str, file: &str| {
        let input = json!({ "file_path": machine.project().join(file), "content": content });
        machine.payload("PreToolUse", &json!({ "tool_name": "Write", "tool_input": input }))
    };
    let word = |payload: &[u8]| hook(&machine, payload)["hookSpecificOutput"]["permissionDecision"].clone();
    for file in [".env", "sub/.env"] {
        machine.write(&format!("project/{file}"), "B=2");
    }
    assert!(!word(&write("A=1", ".env")).is_null());
    grant(&machine, &["--write", ".env", "--content", "A=1"]);
    assert!(!word(&write("A=2", ".env")).is_null());
    assert!(!word(&write("A=1", "sub/.env")).is_null());
    assert!(word(&write("A=1", ".env")).is_null());
    let key = format!("ghp_{}", "a1B2".repeat(9));
    let log = machine.read(".state/ruleward/audit.jsonl").unwrap();
    assert!(!log.contains(&key));
}

#[test]
fn nobody_else_can_grant() {
    let machine = Machine::new();
    let id = refused_id(&machine, "rm -rf ~/");
    let piped = machine.run(&["allow", &id, "--yes"], b"yes\n");
    assert_eq!(piped.code, Some(2), "{}", piped.stderr);
    let marked = run_at_terminal(&machine, &["allow", &id, "--yes"], "", &[("CLAUDECODE", "1")]);
    assert_eq!(marked.code, Some(2), "{}", marked.stdout);
    let denied = run_at_terminal(&machine, &["allow", &id], "y\n", &[]);
    assert_eq!(denied.code, Some(1), "{}", denied.stdout);
    assert!(machine.run(&["allow", "--list"], b"").stdout.contains("no active exceptions"));
    assert_eq!(decision(&machine, "rm -rf ~/").as_deref(), Some("deny"));
    assert_eq!(decision(&machine, &format!("ruleward allow {id}")).as_deref(), Some("deny"));
}

#[test]
fn some_rules_and_mistakes_are_nobodys_to_lift() {
    let machine = Machine::new();
    let policy = ".config/ruleward/policy.yaml";
    machine.write(
        policy,
        "version: 1\nrules:\n  - { id: fixed, when: tool.before, command: make x, exceptions: false, then: { deny: No. } }\n  - { id: loose, when: tool.before, command: make, then: { deny: No. } }\n",
    );
    assert!(!hook(&machine, &machine.shell_payload("claude", "make x")).to_string().contains("ruleward allow"));
    assert!(hook(&machine, &machine.shell_payload("claude", "make y")).to_string().contains("ruleward allow"));
    let ran = run_allow(&machine, &["--command", "make x"]);
    assert!(ran.stdout.contains("`fixed`") && ran.stdout.contains("can't be lifted"), "{}", ran.stdout);
    let ran = run_allow(&machine, &[&refused_id(&machine, "make x")]);
    assert!(ran.stdout.contains("can't be lifted"), "{}", ran.stdout);
    let ran = run_allow(&machine, &["--command", "ls"]);
    assert!(ran.stdout.contains("no rule denies this"), "{}", ran.stdout);
    grant(&machine, &["--command", "make y"]);
    machine.write(policy, "version: 1\nrules: [{ id: broken }]\n");
    assert_eq!(decision(&machine, "make y").as_deref(), Some("deny"), "a broken policy lets nothing pass");
}

#[test]
fn a_person_sees_what_is_granted() {
    let machine = Machine::new();
    let id = refused_id(&machine, "rm -rf ~/");
    let runs = [
        ("allow ID", run_at_terminal(&machine, &["allow", &id], "yes\n", &[])),
        ("allow --list", machine.run(&["allow", "--list"], b"")),
        ("allow --command 'git push -f' --rule x", run_allow(&machine, &["--command", "git push -f", "--rule", "x"])),
        ("allow zzzzzzzz", run_allow(&machine, &["zzzzzzzz"])),
        ("allow --for 8d", run_allow(&machine, &["--command", "x", "--for", "8d"])),
        ("explain ID", machine.run(&["explain", &id], b"")),
    ];
    let text: String = runs
        .iter()
        .flat_map(|(label, ran)| ["$ ruleward ", label, "\n", &output_text(&machine, ran), "\n"].map(ToOwned::to_owned))
        .collect();
    let mut text = text.replace(&id, "ID");
    for (pattern, word) in [
        (r"\d{4}-\d\d-\d\dT[0-9:.]+Z", "TIME"),
        (r"exception [0-9a-z]{8}", "exception NAME"),
        (r"--revoke [0-9a-z]{8}", "--revoke NAME"),
        (r"out: [0-9a-z]{8}  once", "out: NAME  once"),
        (r"took      [0-9.]+ ms", "took      N ms"),
    ] {
        text = regex::Regex::new(pattern).unwrap().replace_all(&text, word).into_owned();
    }
    insta::assert_snapshot!("allow", text);
}
