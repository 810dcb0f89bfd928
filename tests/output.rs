//! What commands print for people holds no character that a terminal obeys or does not show, whoever wrote it.

#![cfg(unix)]
use std::fs;

use ruleward::domain::text::visible::is_hidden;
use serde_json::{Value, json};

use crate::common::{Machine, RunOutput};

/// An escape sequence, a C1 control, a change of direction, characters without width, a tag.
const HOSTILE: &str = "\u{1b}]0;x\u{7}\u{1b}[2J\u{9b}8m\u{202e}\u{200b}\u{feff}\u{e0041}\r\u{fdd1}";

fn assert_shown(args: &[&str], ran: &RunOutput) {
    for stream in [&ran.stdout, &ran.stderr] {
        let hidden = stream.chars().find(|character| is_hidden(*character) && !"\n\t".contains(*character));
        assert_eq!(hidden, None, "{args:?}: {stream:?}");
    }
}

/// A machine on which payload, policies, names of files and settings are hostile.
fn hostile_machine() -> Machine {
    let machine = Machine::new();
    let yaml = "\"x\\e]0;x\\a\\e[2J\\x9b8m\\u202e\\u200b\\ufeff\\U000e0041\\r\\ufdd1\"";
    machine.write(
        "project/.ruleward/policy.yaml",
        &format!("version: 1\ndescription: {yaml}\ndisable: [{{ rule: 'git-*', reason: {yaml} }}]\nrules:\n  - {{ id: r, when: tool.before, command: make, then: {{ deny: {yaml}, context: {yaml} }} }}\n  - {{ id: s, when: tool.before, tool: {yaml}, then: {{ ask: {yaml} }} }}\n"),
    );
    let secret = format!("key = \"ghp_{}\"\n", "a1B2c3D4e5".repeat(4).get(..36).unwrap());
    fs::write(machine.project().join(format!("a{HOSTILE}.txt")), secret).unwrap();
    machine.write("project/x.yaml", &format!("version: 1\nrulez{HOSTILE}: 1\n"));
    machine.write(".claude/settings.json", &json!({ "model": HOSTILE, "hooks": { HOSTILE: [] } }).to_string());
    let input = json!({ "command": format!("make {HOSTILE}"), "description": HOSTILE });
    for (tool, input) in [("Bash", &input), (&*format!("x{HOSTILE}"), &json!({ "path": HOSTILE }))] {
        let fields = json!({ "tool_name": tool, "tool_input": input, "session_id": format!("s{HOSTILE}") });
        let mut payload: Value = serde_json::from_slice(&machine.payload("PreToolUse", &fields)).unwrap();
        payload["session_id"] = json!(format!("s{HOSTILE}"));
        let ran = machine.run(&["hook", "claude"], payload.to_string().as_bytes());
        assert!(!ran.stdout.is_empty(), "{tool}");
    }
    machine
}

#[test]
fn hidden_characters_are_shown() {
    let machine = hostile_machine();
    let log = machine.read(".state/ruleward/audit.jsonl").unwrap();
    let record: Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    let id = record["ruleward.id"].as_str().unwrap().to_owned();
    let command = format!("make {HOSTILE}");
    let session = format!("s{HOSTILE}");
    let mut seen = 0;
    for args in [
        &["log"][..],
        &["explain", &id],
        &["stats"],
        &["audit", "verify"],
        &["check", "--command", &command],
        &["check", "--command", &session],
        &["lint"],
        &["lint", "x.yaml"],
        &["lint", "--format", "github", "x.yaml"],
        &["test", "x.yaml"],
        &["test", &session],
        &["fmt", "--check", "x.yaml"],
        &["allow", "--command", &command],
        &["allow", &session],
        &["trust"],
        &["scan", "."],
        &["scan", &session],
        &["doctor", "claude"],
        &["policy", "show"],
        &["policy", "show", "--effective", "--id", "r"],
        &["policy", "show", "r"],
        &["policy", "show", &session],
        &["state"],
        &["import", "hooks", &session],
        &["init", "--dir", &session],
        &["install", "claude", "--dry-run"],
    ] {
        let ran = machine.run(args, b"");
        assert_shown(args, &ran);
        seen += usize::from(format!("{}{}", ran.stdout, ran.stderr).contains("\\u{202e}"));
    }
    assert!(seen >= 14, "{seen}");
}

#[test]
fn json_stays_json_without_them() {
    let machine = hostile_machine();
    for args in [
        &["log", "--json"][..],
        &["stats", "--json"],
        &["check", "--json", "--command", &format!("make {HOSTILE}")],
        &["lint", "--json", "x.yaml"],
        &["lint", "--format", "sarif"],
        &["scan", "--format", "json", "."],
        &["scan", "--format", "sarif", "."],
        &["trust", "--json"],
        &["policy", "show", "--json", "r"],
        &["doctor", "--json"],
        &["state", "show", "--json"],
        &["allow", "--list", "--json"],
    ] {
        let ran = machine.run(args, b"");
        assert_shown(args, &ran);
        let mut values = serde_json::Deserializer::from_str(&ran.stdout).into_iter::<Value>();
        assert!(values.all(|value| value.is_ok()), "{args:?} {}", ran.stdout);
    }
    let shown = machine.run(&["log", "--json"], b"").stdout;
    let record: Value = serde_json::from_str(shown.lines().next().unwrap()).unwrap();
    assert!(record["ruleward.payload"]["tool_input"]["command"].as_str().unwrap().contains('\u{202e}'), "{record}");
}
