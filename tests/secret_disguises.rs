//! Secrets that a reader sees and a search for them does not: cut by colors and invisible characters, written as HTML
//! entities, or used as keys.

use serde_json::{Value, json};

use crate::common::Machine;

const KEY: &str = "glpat-x7Kq2mVt9RzLw4NcYb8H";

/// What Claude Code is told to show instead of an output.
fn shown(machine: &Machine, response: &Value) -> String {
    let fields = json!({ "tool_name": "mcp__x__find", "tool_input": {}, "tool_response": response });
    let ran = machine.run(&["hook", "claude"], &machine.payload("PostToolUse", &fields));
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
    let specific = &answer["hookSpecificOutput"];
    let updated =
        [&specific["updatedMCPToolOutput"], &specific["updatedToolOutput"]].into_iter().find(|it| !it.is_null());
    updated.map(ToString::to_string).unwrap_or_default()
}

fn machine() -> Machine {
    let machine = Machine::new();
    machine.write(".config/ruleward/policy.yaml", "version: 1\nextends: [secrets]\n");
    machine
}

#[test]
fn disguised_values_are_taken_out() {
    let machine = machine();
    let (head, tail) = KEY.split_at(14);
    let entities: String = KEY.bytes().flat_map(|byte| ["&#".to_owned(), byte.to_string(), ";".to_owned()]).collect();
    for hidden in [
        KEY.to_owned(),
        format!("\u{1b}[01;31m\u{1b}[K{head}\u{1b}[m\u{1b}[K{tail}"),
        format!("{head}\u{200b}{tail}"),
        format!("{head}\u{ad}\u{feff}{tail}"),
        format!("{head}\u{1b}]8;;\u{7}{tail}"),
        format!("{head}\0{tail}"),
        format!("{head}\\u001b[0m{tail}"),
        KEY.replace('-', "&#45;"),
        entities,
    ] {
        let text = format!("before {hidden} after");
        let said = shown(&machine, &json!([{ "type": "text", "text": text }]));
        assert!(said.contains("before ") && said.contains(" after"), "{hidden:?}: {said}");
        assert!(said.contains("[gitlab-"), "{hidden:?}: {said}");
        assert!(!said.contains(tail) && !said.contains(&tail[4..]), "{hidden:?}: {said}");
    }
}

#[test]
fn the_rest_stays_as_it_was() {
    let machine = machine();
    let (head, tail) = KEY.split_at(14);
    let text = format!("\u{1b}[35mfile\u{1b}[m: \u{1b}[01;31m{head}\u{1b}[m{tail} \u{1b}[32m&lt;end&gt;\u{1b}[m");
    let said = shown(&machine, &json!([{ "type": "text", "text": text }]));
    let said: Value = serde_json::from_str(&said).unwrap();
    let said = said[0]["text"].as_str().unwrap();
    assert!(said.starts_with("\u{1b}[35mfile\u{1b}[m: \u{1b}[01;31m[gitlab-"), "{said:?}");
    assert!(said.ends_with("]\u{1b}[m \u{1b}[32m&lt;end&gt;\u{1b}[m"), "the color ends where it did: {said:?}");
    let harmless = "\u{1b}[1mall\u{1b}[m good &amp; well";
    assert_eq!(shown(&machine, &json!([{ "type": "text", "text": harmless }])), "");
}

#[test]
fn keys_of_objects_are_texts() {
    let machine = machine();
    let said = shown(&machine, &json!({ "tokens": { KEY: { "user": "u" }, "count": 1 } }));
    assert!(said.contains("[gitlab-") && !said.contains(KEY), "{said}");
    assert!(said.contains("\"user\":\"u\"") && said.contains("\"count\":1"), "{said}");
}
