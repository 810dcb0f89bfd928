//! Answers of the model that are given again: recorded model events, and nobody asked twice.

use std::fs;

use serde_json::{Value, json};

use super::DATABASE;
#[cfg(target_os = "linux")]
use crate::common::terminal::run_as_person;
use crate::common::{Machine, output_text};

const POLICY: &str = "version: 1
defaults: none
audit: off
rules:
  - id: again
    when: model.before
    then: { respond: { cache: { for: 1h, most: 2, max_bytes: 40, scope: SCOPE } } }
  - id: never
    when: model.after
    response: unspeakable
    then: { redact: {} }
";

fn machine(scope: &str) -> Machine {
    let machine = Machine::new();
    machine.write(".config/ruleward/policy.yaml", &POLICY.replace("SCOPE", scope));
    machine
}

/// Reports a recorded event of a session, changed in some places.
fn send_event(machine: &Machine, session: &str, name: &str, changes: &[(&str, Value)]) -> String {
    let path = format!("{}/tests/payloads/gemini/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let mut payload: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    payload["session_id"] = json!(session);
    payload["cwd"] = json!(machine.project());
    for (place, value) in changes {
        *payload.pointer_mut(place).unwrap() = value.clone();
    }
    let ran = machine.run(&["hook", "gemini"], payload.to_string().as_bytes());
    assert_eq!(ran.stderr, "");
    output_text(machine, &ran)
}

const PREAMBLE: &str = "<session_context>\nToday's date is DAY (formatted).\nFiles: a.rs\n</session_context>";

fn request_content(prompt: &str, day: &str) -> Value {
    json!(PREAMBLE.replace("DAY", day) + prompt)
}

/// What the model is asked, and whether it has to be.
fn send_request(machine: &Machine, session: &str, prompt: &str) -> String {
    send_event(
        machine,
        session,
        "BeforeModel",
        &[("/llm_request/messages/0/content", request_content(prompt, "Monday"))],
    )
}

fn send_response(machine: &Machine, session: &str, prompt: &str, pieces: &[&str]) {
    for (index, piece) in pieces.iter().enumerate() {
        let name = if index + 1 == pieces.len() { "AfterModel-chunk3" } else { "AfterModel-chunk1" };
        let text = json!(piece);
        let places = ["/llm_response/text", "/llm_response/candidates/0/content/parts/0"];
        let mut changes = places.map(|place| (place, text.clone())).to_vec();
        changes.push(("/llm_request/messages/0/content", request_content(prompt, "Monday")));
        send_event(machine, session, name, &changes);
    }
}

fn run_turn(machine: &Machine, session: &str, prompt: &str, pieces: &[&str]) {
    assert_eq!(send_request(machine, session, prompt), "exit 0\n", "{prompt}");
    send_response(machine, session, prompt, pieces);
    send_event(machine, session, "AfterAgent", &[]);
}

fn is_answered(machine: &Machine, session: &str, prompt: &str, answer: &str) -> bool {
    let told = send_request(machine, session, prompt);
    assert!(told == "exit 0\n" || told.contains(answer), "{told}");
    told != "exit 0\n"
}

#[test]
fn an_equal_request_is_answered_from_the_pieces_of_the_first() {
    let machine = machine("session");
    run_turn(&machine, "s", "two and two", &["It is ", "four", "."]);
    assert!(is_answered(&machine, "s", "two and two", "It is four."));
    let tomorrow = [("/llm_request/messages/0/content", request_content("two and two", "Tuesday"))];
    assert!(send_event(&machine, "s", "BeforeModel", &tomorrow).contains("It is four."), "the day is no part of it");
    let warmer = [
        ("/llm_request/messages/0/content", request_content("two and two", "Monday")),
        ("/llm_request/config/temperature", json!(2)),
    ];
    assert_eq!(send_event(&machine, "s", "BeforeModel", &warmer), "exit 0\n", "another temperature is another request");
    assert!(!is_answered(&machine, "other", "two and two", ""), "another session");
    let database = fs::read(machine.home().join(DATABASE)).unwrap();
    let log = fs::read(machine.home().join(format!("{DATABASE}-wal"))).unwrap_or_default();
    let text = String::from_utf8_lossy(&[database, log].concat()).into_owned();
    assert!(text.contains("answers") && !text.contains("four"), "what is kept is sealed");
}

#[test]
fn a_project_shares_its_answers() {
    let machine = machine("project");
    run_turn(&machine, "s", "two and two", &["Four."]);
    assert!(is_answered(&machine, "other", "two and two", "Four."));
}

#[test]
fn what_tools_did_is_a_part_of_the_request() {
    let machine = machine("session");
    send_request(&machine, "s", "what is here");
    send_response(&machine, "s", "what is here", &["I look."]);
    send_event(&machine, "s", "BeforeTool-run_shell_command", &[]);
    send_event(&machine, "s", "AfterTool-run_shell_command", &[]);
    run_turn(&machine, "s", "what is here", &["A file."]);
    assert!(is_answered(&machine, "s", "what is here", "A file."), "after the same calls");
    assert!(!is_answered(&machine, "other", "what is here", ""));
    send_event(&machine, "s", "BeforeTool-run_shell_command", &[]);
    assert!(!is_answered(&machine, "s", "what is here", ""), "after another call");
}

#[test]
fn answers_are_not_kept_for_every_reason_there_is() {
    let machine = machine("session");
    for (prompt, answer) in [
        ("long", "an answer of more bytes than the forty that it may have"),
        ("redacted", "this is unspeakable"),
        ("secret", "it is AKIAQ3EGRYB7LNVK2TMZ"),
        ("empty", ""),
    ] {
        run_turn(&machine, "s", prompt, &[answer]);
        assert!(!is_answered(&machine, "s", prompt, ""), "{prompt}");
    }
    send_request(&machine, "s", "cut off");
    send_response(&machine, "s", "cut off", &["the beginning "]);
    send_request(&machine, "s", "something else");
    send_event(&machine, "s", "AfterAgent", &[]);
    assert!(!is_answered(&machine, "s", "cut off", ""));
}

#[cfg(target_os = "linux")]
#[test]
fn the_oldest_answers_go_and_all_do_with_time() {
    let machine = machine("session");
    let set = |sql: &str| rusqlite::Connection::open(machine.home().join(DATABASE)).unwrap().execute(sql, ()).unwrap();
    for prompt in ["one", "two", "three"] {
        run_turn(&machine, "s", prompt, &[prompt]);
        set("UPDATE answers SET kept = kept - 1");
    }
    let known = |prompt: &str| is_answered(&machine, "s", prompt, prompt);
    assert_eq!((known("one"), known("two"), known("three")), (false, true, true));
    let shown = machine.run(&["state"], b"").stdout;
    assert!(shown.contains("answers kept: 2"), "{shown}");
    set("UPDATE answers SET until = until - 3601");
    assert!(!known("three"));
    run_turn(&machine, "s", "three", &["three"]);
    assert!(known("three"));
    run_as_person(&machine, &["state", "reset", "--yes", "--session", "s"]);
    assert!(!known("three"));
}

#[test]
fn lint_says_where_it_cannot_be() {
    let machine = machine("session");
    let ran = machine.run(&["lint"], b"");
    assert!(ran.stdout.contains("answers can't be cached on Claude Code, on llxprt-code"), "{}", ran.stdout);
    machine.write(".config/ruleward/policy.yaml", "version: 1\nrules:\n  - id: a\n    when: model.before\n    then: { respond: { with: No., cache: { for: 2 turns } } }\n");
    let ran = machine.run(&["lint"], b"");
    assert!(ran.stdout.contains("`2 turns` is not a time"), "{}", ran.stdout);
}
