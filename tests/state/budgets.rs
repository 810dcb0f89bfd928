//! Budgets of tokens, from what each host says of them: recorded model events, and transcripts.

use std::fs;

use serde_json::{Value, json};

use crate::common::{Machine, output_text};

const POLICY: &str = r#"version: 1
defaults: none
audit: off
rules:
  - id: budget
    when: [tool.before, model.before]
    if: session.tokens.total > 300
    then: { deny: "{{ session.tokens.input }} in, {{ session.tokens.cached }} of them kept, {{ session.tokens.output }} out: the budget is spent ({{ project.tokens.total }} in the project)." }
"#;

fn machine() -> Machine {
    let machine = Machine::new();
    machine.write(".config/ruleward/policy.yaml", POLICY);
    machine
}

fn recorded_payload(name: &str) -> Value {
    let path = format!("{}/tests/payloads/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Returns a line of a transcript.
fn transcript_line(answer: &str, input: u64, kept: u64, output: u64) -> String {
    let usage = json!({ "input_tokens": input, "cache_read_input_tokens": kept, "output_tokens": output });
    json!({ "type": "assistant", "message": { "id": answer, "usage": usage } }).to_string() + "\n"
}

#[test]
fn transcripts_are_read_on_as_they_grow() {
    let machine = machine();
    let call = |session: &str| {
        let mut payload = recorded_payload("claude/PreToolUse-Bash");
        payload["session_id"] = json!(session);
        payload["cwd"] = json!(machine.project());
        payload["transcript_path"] = json!(machine.home().join(format!("{session}.jsonl")));
        let ran = machine.run(&["hook", "claude"], payload.to_string().as_bytes());
        assert_eq!(ran.stderr, "");
        output_text(&machine, &ran)
    };
    assert_eq!(call("one"), "exit 0\n", "there is no transcript yet");
    let mut text =
        String::from("{\"type\":\"user\"}\n") + &transcript_line("a", 90, 10, 1) + &transcript_line("a", 90, 10, 50);
    machine.write("one.jsonl", &text);
    assert_eq!(call("one"), "exit 0\n");
    assert_eq!(call("one"), "exit 0\n", "what was read is not read again");
    let last = transcript_line("b", 40, 60, 51);
    text.push_str(&last[..last.len() / 2]);
    machine.write("one.jsonl", &text);
    assert_eq!(call("one"), "exit 0\n", "a line that is not finished");
    text.push_str(&last[last.len() / 2..]);
    machine.write("one.jsonl", &text);
    let told = call("one");
    assert!(told.contains("200 in, 70 of them kept, 101 out: the budget is spent (301 in the project)."), "{told}");
    assert_eq!(call("two"), "exit 0\n", "another session has a budget of its own");
}

#[test]
fn model_events_say_what_was_used() {
    let machine = machine();
    let happens = |name: &str| {
        let mut payload = recorded_payload(&format!("gemini/{name}"));
        payload["session_id"] = json!("s");
        payload["cwd"] = json!(machine.project());
        let ran = machine.run(&["hook", "gemini"], payload.to_string().as_bytes());
        assert_eq!(ran.stderr, "");
        output_text(&machine, &ran)
    };
    for turn in 0..2 {
        assert_eq!(happens("BeforeModel"), "exit 0\n", "{turn}");
        for chunk in ["AfterModel-chunk1", "AfterModel-chunk2", "AfterModel-chunk3"] {
            happens(chunk);
        }
    }
    assert_eq!(happens("BeforeModel"), "exit 0\n");
    happens("AfterModel-shellturn1");
    let told = happens("BeforeModel");
    assert!(told.contains("300 in, 0 of them kept, 15 out: the budget is spent (315 in the project)."), "{told}");
}
