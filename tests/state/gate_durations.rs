//! How long gates stand as they do, for whom, and what is counted of them: through the built program.

use serde_json::{Value, json};

use super::DATABASE;
use crate::common::{Machine, output_text};

const POLICY: &str = r#"version: 1
defaults: none
audit: off
gates:
  - id: hour
    opens: { when: prompt.submit, prompt: open the hour, for: 30m }
    while_closed: [{ when: tool.before, command: hourly, then: { deny: "The hour is over." } }]
    while_open: [{ when: tool.before, command: hourly, then: { context: "opened {{ gate.opened }} times, {{ gate.seconds // 60 }} minutes, {{ gate.calls }} calls and {{ gate.turns }} turns ago" } }]
  - id: calls
    opens: { when: prompt.submit, prompt: open the calls, for: 2 calls }
    while_closed: [{ when: tool.before, command: counted, then: { deny: "No call is left." } }]
  - id: turns
    opens: { when: prompt.submit, prompt: open the turns, for: 10 turns }
    while_closed: [{ when: tool.before, command: turned, then: { deny: "No turn is left." } }]
  - id: agents
    scope: subagent
    opens: { when: tool.after, command: prepare }
    while_closed: [{ when: tool.before, command: perform, then: { deny: "Prepare first." } }]
  - id: shared
    scope: project
    opens: { when: tool.after, command: unlock }
    while_closed: [{ when: tool.before, command: enter, then: { deny: "Locked." } }]
"#;

fn machine() -> Machine {
    let machine = Machine::new();
    machine.write(".config/ruleward/policy.yaml", POLICY);
    machine
}

fn send_event(machine: &Machine, event: &str, more: &[(&str, Value)]) -> String {
    let mut fields = json!({});
    for (key, value) in more {
        fields[*key] = value.clone();
    }
    output_text(machine, &machine.run(&["hook", "claude"], &machine.payload(event, &fields)))
}

fn send_prompt(machine: &Machine, prompt: &str) {
    send_event(machine, "UserPromptSubmit", &[("prompt", json!(prompt))]);
}

fn send_call(machine: &Machine, command: &str) -> String {
    send_call_with(machine, command, &[])
}

fn send_call_with(machine: &Machine, command: &str, more: &[(&str, Value)]) -> String {
    let call = [("tool_name", json!("Bash")), ("tool_input", json!({ "command": command }))];
    send_event(machine, "PreToolUse", &[&call, more].concat())
}

fn send_result_with(machine: &Machine, command: &str, more: &[(&str, Value)]) {
    let output = json!({ "stdout": "", "stderr": "", "interrupted": false, "isImage": false });
    let call = [("tool_name", json!("Bash")), ("tool_input", json!({ "command": command })), ("tool_response", output)];
    send_event(machine, "PostToolUse", &[&call, more].concat());
}

/// Puts all that has happened so many seconds back.
fn advance_clock(machine: &Machine, seconds: u64) {
    let connection = rusqlite::Connection::open(machine.home().join(DATABASE)).unwrap();
    let body: String =
        connection.query_row("SELECT body FROM records WHERE scope = 'session'", (), |row| row.get(0)).unwrap();
    let mut body: Value = serde_json::from_str(&body).unwrap();
    for gate in body["gates"].as_object_mut().unwrap().values_mut() {
        let time = &mut gate["all"]["since"]["time"];
        *time = json!(time.as_u64().unwrap() - seconds);
    }
    connection.execute("UPDATE records SET body = ?1 WHERE scope = 'session'", (body.to_string(),)).unwrap();
}

#[test]
fn an_opening_lasts_for_a_time_and_begins_anew() {
    let machine = machine();
    assert!(send_call(&machine, "hourly").contains("The hour is over."));
    send_prompt(&machine, "open the hour");
    advance_clock(&machine, 29 * 60);
    assert!(send_call(&machine, "hourly").contains("opened 1 times, 29 minutes, 1 calls and 0 turns ago"));
    send_prompt(&machine, "open the hour");
    advance_clock(&machine, 29 * 60);
    assert!(send_call(&machine, "hourly").contains("opened 2 times, 29 minutes"), "opened again, its time begins anew");
    advance_clock(&machine, 60);
    assert!(send_call(&machine, "hourly").contains("The hour is over."));
}

#[test]
fn an_opening_lasts_for_calls_and_turns() {
    let machine = machine();
    send_prompt(&machine, "open the calls");
    assert_eq!(send_call(&machine, "counted"), "exit 0\n");
    assert_eq!(send_call(&machine, "counted"), "exit 0\n");
    assert!(send_call(&machine, "counted").contains("No call is left."));
    send_prompt(&machine, "open the turns");
    for _ in 0..9 {
        send_prompt(&machine, "go on");
    }
    assert_eq!(send_call(&machine, "turned"), "exit 0\n", "the tenth turn");
    send_prompt(&machine, "go on");
    assert!(send_call(&machine, "turned").contains("No turn is left."));
}

#[test]
fn each_agent_and_each_project_has_its_gate() {
    let machine = machine();
    let agent = |id: &str| [("agent_id", json!(id)), ("agent_type", json!("helper"))];
    send_result_with(&machine, "prepare", &agent("a"));
    assert_eq!(send_call_with(&machine, "perform", &agent("a")), "exit 0\n");
    assert!(send_call_with(&machine, "perform", &agent("b")).contains("Prepare first."));
    assert!(send_call(&machine, "perform").contains("Prepare first."));
    assert!(send_call(&machine, "enter").contains("Locked."));
    send_result_with(&machine, "unlock", &[("session_id", json!("another"))]);
    assert_eq!(send_call(&machine, "enter"), "exit 0\n");
}

#[test]
fn a_person_checks_against_a_session_and_changes_nothing() {
    let machine = machine();
    let shown = |args: &[&str]| {
        let ran = machine.run(args, b"");
        ran.stdout + &ran.stderr
    };
    let check = ["check", "--session", "s", "--command", "hourly"];
    assert!(shown(&check).contains("no state for a session `s`"));
    send_prompt(&machine, "open the hour");
    send_prompt(&machine, "open the calls");
    let before = shown(&["state", "show", "--json"]);
    for _ in 0..3 {
        assert!(shown(&check).contains("opened 1 times"));
        assert!(!shown(&["check", "--session", "s", "--command", "counted"]).contains("No call is left."));
    }
    assert_eq!(shown(&["state", "show", "--json"]), before);
    assert!(shown(&["check", "--command", "hourly"]).contains("The hour is over."), "without it, nothing has happened");
}

#[test]
fn a_replay_remembers_when_it_is_told_to() {
    let machine = machine();
    machine.write(".config/ruleward/policy.yaml", &POLICY.replace("audit: off", "audit: everything"));
    send_prompt(&machine, "open the calls");
    send_call(&machine, "counted");
    send_call(&machine, "counted");
    send_call(&machine, "counted");
    let replayed = |args: &[&str]| -> Value {
        let ran = machine.run(&[&["replay", "--json"], args].concat(), b"");
        serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}{}", ran.stdout, ran.stderr))
    };
    let before = machine.run(&["state", "show", "--json"], b"").stdout;
    let same = replayed(&["--remember"]);
    assert_eq!((&same["events"], &same["changed"], &same["unsure"]), (&json!(4), &json!(0), &json!(0)), "{same}");
    assert_eq!(replayed(&["--audit"])["unsure"], json!(2), "else each call is the first");
    let other = machine.write("other.yaml", &POLICY.replace("2 calls", "1 calls"));
    let changed = replayed(&["--remember", "--policy", other.to_str().unwrap()]);
    assert_eq!((&changed["changed"], &changed["unsure"]), (&json!(1), &json!(0)), "{changed}");
    assert_eq!(machine.run(&["state", "show", "--json"], b"").stdout, before);
}
