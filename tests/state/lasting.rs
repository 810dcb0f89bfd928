//! How long gates stand as they do, for whom, and what is counted of them: through the built program.

use serde_json::{Value, json};

use super::DATABASE;
use crate::common::{Machine, said};

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

fn happens(machine: &Machine, event: &str, more: &[(&str, Value)]) -> String {
    let mut fields = json!({});
    for (key, value) in more {
        fields[*key] = value.clone();
    }
    said(machine, &machine.run(&["hook", "claude"], &machine.payload(event, &fields)))
}

fn says(machine: &Machine, prompt: &str) {
    happens(machine, "UserPromptSubmit", &[("prompt", json!(prompt))]);
}

fn runs(machine: &Machine, command: &str) -> String {
    runs_as(machine, command, &[])
}

fn runs_as(machine: &Machine, command: &str, more: &[(&str, Value)]) -> String {
    let call = [("tool_name", json!("Bash")), ("tool_input", json!({ "command": command }))];
    happens(machine, "PreToolUse", &[&call, more].concat())
}

fn ran_as(machine: &Machine, command: &str, more: &[(&str, Value)]) {
    let output = json!({ "stdout": "", "stderr": "", "interrupted": false, "isImage": false });
    let call = [("tool_name", json!("Bash")), ("tool_input", json!({ "command": command })), ("tool_response", output)];
    happens(machine, "PostToolUse", &[&call, more].concat());
}

/// Puts all that has happened so many seconds back.
fn let_pass(machine: &Machine, seconds: u64) {
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
    assert!(runs(&machine, "hourly").contains("The hour is over."));
    says(&machine, "open the hour");
    let_pass(&machine, 29 * 60);
    assert!(runs(&machine, "hourly").contains("opened 1 times, 29 minutes, 1 calls and 0 turns ago"));
    says(&machine, "open the hour");
    let_pass(&machine, 29 * 60);
    assert!(runs(&machine, "hourly").contains("opened 2 times, 29 minutes"), "opened again, its time begins anew");
    let_pass(&machine, 60);
    assert!(runs(&machine, "hourly").contains("The hour is over."));
}

#[test]
fn an_opening_lasts_for_calls_and_turns() {
    let machine = machine();
    says(&machine, "open the calls");
    assert_eq!(runs(&machine, "counted"), "exit 0\n");
    assert_eq!(runs(&machine, "counted"), "exit 0\n");
    assert!(runs(&machine, "counted").contains("No call is left."));
    says(&machine, "open the turns");
    for _ in 0..9 {
        says(&machine, "go on");
    }
    assert_eq!(runs(&machine, "turned"), "exit 0\n", "the tenth turn");
    says(&machine, "go on");
    assert!(runs(&machine, "turned").contains("No turn is left."));
}

#[test]
fn each_agent_and_each_project_has_its_gate() {
    let machine = machine();
    let agent = |id: &str| [("agent_id", json!(id)), ("agent_type", json!("helper"))];
    ran_as(&machine, "prepare", &agent("a"));
    assert_eq!(runs_as(&machine, "perform", &agent("a")), "exit 0\n");
    assert!(runs_as(&machine, "perform", &agent("b")).contains("Prepare first."));
    assert!(runs(&machine, "perform").contains("Prepare first."));
    assert!(runs(&machine, "enter").contains("Locked."));
    ran_as(&machine, "unlock", &[("session_id", json!("another"))]);
    assert_eq!(runs(&machine, "enter"), "exit 0\n");
}

#[test]
fn a_person_checks_against_a_session_and_changes_nothing() {
    let machine = machine();
    let shown = |args: &[&str]| {
        let ran = machine.run(args, b"");
        ran.stdout + &ran.stderr
    };
    let check = ["check", "--session", "s", "--command", "hourly"];
    assert!(shown(&check).contains("nothing is remembered of a session `s`"));
    says(&machine, "open the hour");
    says(&machine, "open the calls");
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
    says(&machine, "open the calls");
    runs(&machine, "counted");
    runs(&machine, "counted");
    runs(&machine, "counted");
    let replayed = |args: &[&str]| -> Value {
        let ran = machine.run(&[&["replay", "--json"], args].concat(), b"");
        serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}{}", ran.stdout, ran.stderr))
    };
    let before = machine.run(&["state", "show", "--json"], b"").stdout;
    let same = replayed(&["--remember"]);
    assert_eq!((&same["events"], &same["changed"], &same["unsure"]), (&json!(4), &json!(0), &json!(0)), "{same}");
    assert_eq!(replayed(&[])["unsure"], json!(2), "else each call is the first");
    let other = machine.write("other.yaml", &POLICY.replace("2 calls", "1 calls"));
    let changed = replayed(&["--remember", "--policy", other.to_str().unwrap()]);
    assert_eq!((&changed["changed"], &changed["unsure"]), (&json!(1), &json!(0)), "{changed}");
    assert_eq!(machine.run(&["state", "show", "--json"], b"").stdout, before);
}
