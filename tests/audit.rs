//! The record of decisions: what stands in it, that it is intact, and the commands over it.

use std::fs;

use crate::common::Machine;
use serde_json::{Value, json};

const LOG: &str = ".state/ruleward/audit.jsonl";

fn set_audit_level(machine: &Machine, level: &str) {
    machine.write(".config/ruleward/policy.yaml", &format!("version: 1\naudit: {level}\n"));
}

fn hook(machine: &Machine, command: &str) -> crate::common::RunOutput {
    machine.run(&["hook", "claude"], &machine.shell_payload("claude", command))
}

fn log_records(machine: &Machine) -> Vec<Value> {
    let text = machine.read(LOG).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn id_in(text: &str) -> String {
    let (_, rest) = text.split_once("ruleward explain ").expect("a stamp");
    rest[..8].to_owned()
}

#[test]
fn a_refusal_is_recorded_and_found_by_the_id_in_its_reason() {
    let machine = Machine::new();
    let refused = hook(&machine, "cd /tmp && rm -rf ~/");
    let passed = hook(&machine, "git status");
    assert_eq!(passed.stdout, "");
    let records = log_records(&machine);
    assert_eq!(records.len(), 1, "what passes is not recorded by default");
    let record = &records[0];
    assert_eq!(record["ruleward.decision"], "deny");
    assert_eq!(record["gen_ai.agent.name"], "claude");
    assert_eq!(record["gen_ai.tool.name"], "Bash");
    assert_eq!(record["ruleward.moment"], "tool.before");
    assert_eq!(record["ruleward.payload"]["tool_input"]["command"], "cd /tmp && rm -rf ~/");
    let id = id_in(&refused.stdout);
    assert_eq!(record["ruleward.id"], id);
    let explained = machine.run(&["explain", &id], b"");
    assert!(explained.stdout.starts_with("deny ") && explained.stdout.contains("rm -rf ~/"), "{}", explained.stdout);
    assert!(explained.stdout.contains("now       deny"), "{}", explained.stdout);
    let unknown = machine.run(&["explain", "zzzzzzzz"], b"");
    assert_eq!(unknown.code, Some(2));
}

#[test]
fn levels_say_what_is_recorded() {
    for (name, wanted) in [("off", 0), ("rules", 0), ("decisions", 1), ("everything", 2)] {
        let machine = Machine::new();
        set_audit_level(&machine, name);
        let refused = hook(&machine, "rm -rf ~/");
        assert_eq!(refused.stdout.contains("ruleward explain"), wanted > 0, "{name}");
        hook(&machine, "git status");
        assert_eq!(log_records(&machine).len(), wanted, "{name}");
    }
}

#[test]
fn a_project_cannot_turn_the_record_down() {
    let machine = Machine::new();
    machine.write("project/.ruleward/policy.yaml", "version: 1\naudit: off\n");
    hook(&machine, "rm -rf ~/");
    assert_eq!(log_records(&machine).len(), 1);
}

#[test]
fn secrets_are_taken_out_wherever_they_stand() {
    let machine = Machine::new();
    set_audit_level(&machine, "everything");
    // In pieces, so that no scanner takes this file for a leak.
    let token = ["ghp_", "R4nd0mQw8LzX2vTb6Y", "pN3sKd9FgHj1McU5eA"].concat();
    let password = ["hun", "ter2-Zq9!vLx4"].concat();
    for input in [
        json!({ "tool_name": "Bash", "tool_input": { "command": format!("curl -H 'Authorization: token {token}' x") } }),
        json!({ "tool_name": "Write", "tool_input": { "file_path": "a", "content": format!("password = \"{password}\"") } }),
        json!({ "tool_name": "mcp__x__y", "tool_input": { "nested": [{ "password": password }], "token": token } }),
    ] {
        machine.run(&["hook", "claude"], &machine.payload("PreToolUse", &input));
    }
    let text = machine.read(LOG).unwrap();
    assert_eq!(text.lines().count(), 3);
    assert!(!text.contains(&token) && !text.contains(&password), "{text}");
}

#[test]
fn the_chain_tells_of_every_change() {
    let machine = Machine::new();
    for number in 0..5 {
        hook(&machine, &format!("echo {number}; rm -rf ~/"));
    }
    let path = machine.home().join(LOG);
    let whole = fs::read_to_string(&path).unwrap();
    let verify = |text: &str, args: &[&str]| {
        fs::write(&path, text).unwrap();
        let ran = machine.run(&[&["audit", "verify"], args].concat(), b"");
        (ran.code, ran.stdout)
    };
    let (code, said) = verify(&whole, &[]);
    assert!(code == Some(0) && said.contains("whole: 5 records, from the first record"), "{said}");
    let last = said.trim().rsplit(' ').next().unwrap().to_owned();
    let lines: Vec<&str> = whole.lines().collect();
    let joined = |lines: &[&str]| lines.join("\n") + "\n";
    for broken in [
        whole.replacen("echo 2; rm", "echo 7; rm", 1),
        joined(&[lines[0], lines[2], lines[3], lines[4]]),
        joined(&[lines[0], lines[2], lines[1], lines[3], lines[4]]),
        whole.replacen("\"deny\"", "\"allow\"", 1),
        format!("{}{{\"half\": ", joined(&lines[..2])),
    ] {
        let (code, said) = verify(&broken, &[]);
        assert!(code == Some(1) && said.contains("audit.jsonl:"), "{said}");
    }
    let cut = joined(&lines[..3]);
    let (code, said) = verify(&cut, &[]);
    assert!(code == Some(1) && said.contains("records were removed"), "the copy tells: {said}");
    fs::remove_file(machine.home().join(".local/share/ruleward/seal/audit.jsonl")).unwrap();
    assert_eq!(verify(&cut, &[]).0, Some(0), "the end alone cannot be missed without its hash or a copy");
    let (code, said) = verify(&cut, &["--expect", &last]);
    assert!(code == Some(1) && said.contains("records were removed"), "{said}");
    assert_eq!(verify(&whole, &["--expect", &last]).0, Some(0));
}

#[test]
fn hooks_that_run_at_once_keep_the_chain_whole() {
    let machine = Machine::new();
    let started: Vec<_> = (0..40)
        .map(|number| {
            let mut command = machine.command(&["hook", "claude"]);
            command.stdout(std::process::Stdio::null());
            let mut child = command.spawn().unwrap();
            let payload = machine.shell_payload("claude", &format!("echo {number}; rm -rf ~/"));
            std::io::Write::write_all(&mut child.stdin.take().unwrap(), &payload).unwrap();
            child
        })
        .collect();
    for mut child in started {
        child.wait().unwrap();
    }
    assert_eq!(log_records(&machine).len(), 40);
    let ran = machine.run(&["audit", "verify"], b"");
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
}

#[test]
fn a_full_file_makes_room_and_the_chain_goes_on() {
    let machine = Machine::new();
    hook(&machine, "rm -rf ~/");
    let path = machine.home().join(LOG);
    let first = fs::read_to_string(&path).unwrap();
    // A file near its limit, as after a long time.
    fs::write(&path, format!("{}\n{first}", "x".repeat(16 << 20))).unwrap();
    hook(&machine, "rm -rf ~/");
    assert!(machine.home().join(".state/ruleward/audit.jsonl.1").is_file());
    assert_eq!(log_records(&machine).len(), 1);
    assert_eq!(
        log_records(&machine)[0]["ruleward.chain.previous"],
        serde_json::from_str::<Value>(&first).unwrap()["ruleward.chain.hash"]
    );
    let listed = machine.run(&["log"], b"");
    assert_eq!(listed.stdout.lines().count(), 2, "{}", listed.stdout);
}

#[test]
fn the_log_is_shown_filtered_and_counted() {
    let machine = Machine::new();
    set_audit_level(&machine, "everything");
    for command in ["rm -rf ~/", "git status", "git push --force", "echo 2; rm -rf ~/"] {
        hook(&machine, command);
    }
    let count = |args: &[&str]| machine.run(&[&["log"], args].concat(), b"").stdout.lines().count();
    assert_eq!(count(&[]), 4);
    assert_eq!(count(&["--decision", "deny"]), 2);
    assert_eq!(count(&["--decision", "none", "--decision", "deny"]), 3);
    assert_eq!(count(&["-n", "1"]), 1);
    assert_eq!(count(&["--since", "1h"]), 4);
    assert_eq!(count(&["--since", "2099-01-01T00:00:00Z"]), 0);
    assert_eq!(count(&["--rule", "fs-*"]), 2);
    assert_eq!(count(&["--rule", "git-*"]), 1);
    assert_eq!(count(&["--host", "gemini"]), 0);
    let stats = machine.run(&["stats", "--json"], b"");
    let stats: Value = serde_json::from_str(&stats.stdout).unwrap();
    assert_eq!(stats["records"], 4);
    assert_eq!(stats["decisions"]["deny"], 2);
    assert_eq!(stats["tools"]["Bash"], 4);
    assert!(machine.run(&["stats"], b"").stdout.contains("4 records of 1 sessions"));
    let slip = machine.run(&["log", "--decision", "denied"], b"");
    assert!(slip.code == Some(2) && slip.stderr.contains("deny"), "{}", slip.stderr);
}

#[test]
fn what_a_rule_takes_out_is_not_in_the_record() {
    let machine = Machine::new();
    machine.write(
        ".config/ruleward/policy.yaml",
        "version: 1\naudit: everything\nrules:\n  - { id: customers, when: tool.after, output: { regex: 'K-\\d{4}' }, then: { redact: {}, warn: 'There was a customer.' } }\n",
    );
    let output = |text: &str| {
        let fields = json!({ "tool_name": "mcp__crm__find", "tool_input": { "query": "all" }, "tool_response": [{ "type": "text", "text": text }] });
        machine.run(&["hook", "claude"], &machine.payload("PostToolUse", &fields))
    };
    let ran = output("customers K-4711 and K-0815, K-12");
    assert!(ran.stdout.contains("updated") && !ran.stdout.contains("K-4711"), "{}", ran.stdout);
    let log = machine.read(LOG).unwrap();
    assert!(log.contains("[redacted:") && log.contains("K-12"), "{log}");
    assert!(!log.contains("K-4711") && !log.contains("K-0815"), "{log}");
    output("nobody");
    assert!(log_records(&machine)[1].to_string().contains("nobody"));
}

#[test]
fn a_secret_in_the_name_of_a_tool_is_not_in_the_record() {
    let machine = Machine::new();
    set_audit_level(&machine, "everything");
    let key = format!("ghp_{}", "a1B2c3D4e5f6G7h8I9j0".repeat(2).get(..36).unwrap());
    let fields = json!({ "tool_name": format!("mcp__crm__{key}"), "tool_input": { "query": "all" } });
    machine.run(&["hook", "claude"], &machine.payload("PreToolUse", &fields));
    let named = json!({ "tool_name": "mcp__crm__find", "tool_input": { key.clone(): 1 } });
    machine.run(&["hook", "claude"], &machine.payload("PreToolUse", &named));
    let log = machine.read(LOG).unwrap();
    assert!(log.contains("mcp__crm__") && !log.contains(&key), "{log}");
    assert!(!machine.run(&["stats"], b"").stdout.contains(&key));
}
