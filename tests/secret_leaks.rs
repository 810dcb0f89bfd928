//! No secret that was found stands in clear in anything that is said or written.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Machine, RunOutput, iterations};
use ruleward::domain::secret::scan;
use ruleward::io::policy::detectors::read_files;
use ruleward::io::policy::diagnostic::SourceText;
use serde_json::{Value, json};

/// A policy that says, keeps and changes as much as a policy can.
const VERBOSE_POLICY: &str = "version: 1
audit: everything
gates:
  - id: told
    starts: closed
    opens: [{ when: tool.before, command: echo }]
rules:
  - { id: leak, when: any, secrets: { tiers: [generic, paired, strong, proved] }, then: { warn: 'A secret: {{ secret.masked }}', audit: 'found {{ secret.masked }}' } }
  - { id: taken, when: tool.after, secrets: { tiers: [generic, paired, strong, proved] }, then: { redact: {} } }
  - { id: refused, when: tool.before, secrets: { tiers: [generic, paired, strong, proved] }, then: { deny: 'A secret: {{ secret.masked }}' } }
  - { id: told, when: tool.before, command: echo, gate: { told: open }, then: { audit: 'ran {{ command.text }}' } }
  - { id: counted, when: [tool.before, prompt.submit], if: session.calls > 100000, then: { deny: Enough. } }
";

/// Examples of detectors, each with the value that is searched for: as many as are cheap.
fn canaries() -> Vec<(String, String)> {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("policies/detectors");
    let mut paths: Vec<PathBuf> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let source = |path: &PathBuf| SourceText::new(path.display().to_string(), fs::read_to_string(path).unwrap());
    let entries = read_files(&paths.iter().map(source).collect::<Vec<_>>()).unwrap();
    let examples = entries.iter().filter_map(|entry| Some(entry.examples.secret.first()?.replace('¦', "")));
    // Of one line, so that it stands anywhere, and found alone.
    let found = examples.filter(|example| !example.contains('\n')).filter_map(|example| {
        let finding = scan(&example, |_| true).into_iter().next()?;
        let value = example[finding.span].to_owned();
        (value.len() >= 16).then_some((example, value))
    });
    let found: Vec<_> = found.step_by(iterations(12, 1)).collect();
    assert!(found.len() > 25, "{}", found.len());
    found
}

fn payloads(machine: &Machine, text: &str) -> Vec<(&'static str, Vec<u8>)> {
    let cwd = machine.project();
    let all = |host, event: &str, fields: Value| (host, machine.payload(event, &fields));
    let transcript = machine.write("transcript.jsonl", &json!({ "type": "user", "text": text }).to_string());
    vec![
        ("claude", machine.shell_payload("claude", &format!("echo started\ncat > notes <<'END'\n{text}\nEND"))),
        ("gemini", machine.shell_payload("gemini", &format!("echo started\ncat > notes <<'END'\n{text}\nEND"))),
        all(
            "claude",
            "PreToolUse",
            json!({ "tool_name": "Write", "tool_input": { "file_path": cwd.join("a"), "content": text } }),
        ),
        all(
            "claude",
            "PreToolUse",
            json!({ "tool_name": "mcp__x__y", "tool_input": { "text": text, "more": [{ "deep": text }] } }),
        ),
        all(
            "claude",
            "PreToolUse",
            json!({ "transcript_path": transcript, "tool_name": "Bash", "tool_input": { "command": "ls", "description": text } }),
        ),
        all(
            "claude",
            "PostToolUse",
            json!({ "tool_name": "Bash", "tool_input": { "command": "ls" }, "tool_response": { "stdout": text, "stderr": text } }),
        ),
        all(
            "claude",
            "PostToolUseFailure",
            json!({ "tool_name": "Bash", "tool_input": { "command": "ls" }, "error": text }),
        ),
        all("claude", "UserPromptSubmit", json!({ "prompt": text })),
        all("claude", "Stop", json!({ "last_assistant_message": text, "stop_hook_active": false })),
        all("claude", "Notification", json!({ "message": text, "title": text })),
        all("claude", "EventOfNextYear", json!({ "anything": text })),
        all("gemini", "BeforeAgent", json!({ "prompt": text })),
        all(
            "gemini",
            "AfterTool",
            json!({ "tool_name": "run_shell_command", "tool_input": { "command": "ls" }, "tool_response": { "llmContent": text, "returnDisplay": text } }),
        ),
        all(
            "gemini",
            "BeforeModel",
            json!({ "llm_request": { "model": "m", "messages": [{ "role": "user", "content": text }] } }),
        ),
    ]
}

/// Payloads that cannot be read.
fn unreadable(text: &str) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        (
            "claude",
            format!("{{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_input\":{}", json!(text))
                .into_bytes(),
        ),
        (
            "claude",
            json!({ "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": text })
                .to_string()
                .into_bytes(),
        ),
        (
            "claude",
            json!({ "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": { "command": [text] } })
                .to_string()
                .into_bytes(),
        ),
        ("claude", text.as_bytes().to_vec()),
    ]
}

/// Says where a value stands that should not.
fn find_leaks(place: &str, text: &[u8], values: &[(String, String)], leaks: &mut Vec<String>) {
    let text = String::from_utf8_lossy(text);
    for (example, value) in values.iter().filter(|(_, value)| text.contains(value.as_str())) {
        let at = text.find(value.as_str()).unwrap_or_default();
        let around: String = text[..at].chars().rev().take(80).collect::<Vec<_>>().into_iter().rev().collect();
        leaks.push(format!("{place}: {example}, behind {around:?}"));
    }
}

fn find_leaks_in_files(folder: &Path, values: &[(String, String)], leaks: &mut Vec<String>) -> usize {
    let mut files = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files += find_leaks_in_files(&path, values, leaks);
        } else {
            files += 1;
            find_leaks(&path.display().to_string(), &fs::read(&path).unwrap(), values, leaks);
        }
    }
    files
}

#[test]
fn no_found_secret_is_said_or_written() {
    let machine = Machine::new();
    machine.write(".config/ruleward/policy.yaml", VERBOSE_POLICY);
    let values = canaries();
    let text = values.iter().map(|(example, _)| example.as_str()).collect::<Vec<_>>().join("\n");
    let mut leaks = Vec::new();
    let mut say = |place: &str, ran: &RunOutput| {
        find_leaks(&format!("{place}, standard output"), ran.stdout.as_bytes(), &values, &mut leaks);
        find_leaks(&format!("{place}, standard error"), ran.stderr.as_bytes(), &values, &mut leaks);
    };
    for (number, (host, payload)) in payloads(&machine, &text).into_iter().chain(unreadable(&text)).enumerate() {
        let mut hook = machine.command(&["hook", host, "--deadline=60"]);
        hook.env("SOME_TOKEN", &text);
        say(&format!("payload {number} of {host}"), &Machine::run_command(hook, &payload));
    }
    machine.write("project/leaky.txt", &text);
    for args in [
        &["log"][..],
        &["log", "--json"],
        &["stats"],
        &["audit", "verify"],
        &["report", "--output", "../.state/report.html"],
        &["state", "show"],
        &["scan", "leaky.txt"],
        &["scan", "--format", "json", "leaky.txt"],
        &["scan", "--format", "sarif", "leaky.txt"],
        &["scan", "--write-baseline", "../.state/baseline.json", "leaky.txt"],
    ] {
        say(&args.join(" "), &machine.run(args, b""));
    }
    let payload = machine.shell_payload("claude", &format!("echo '{text}' > x"));
    say("check", &machine.run(&["check", "-"], &payload));
    say("check --json", &machine.run(&["check", "-", "--json"], &payload));
    assert!(find_leaks_in_files(&machine.home().join(".state"), &values, &mut leaks) > 4);
    assert!(leaks.is_empty(), "{} leaks:\n{}", leaks.len(), leaks.join("\n"));
}

/// What gives a value away stands beside it in one place, and not in the others where it is shown.
#[test]
fn a_secret_that_its_neighbourhood_gives_away_is_shown_nowhere() {
    let machine = Machine::new();
    let quoting = "  - { id: quoting, when: tool.before, urls: { hosts: [chat.acme.io] }, then: { deny: 'Not {{ url.text }}, nor {{ tool.input.description }}.' } }\n";
    machine.write(".config/ruleward/policy.yaml", &format!("{VERBOSE_POLICY}{quoting}"));
    let value = ["/hooks", "/4ux8r2pw0pnq6", "xp814lehgohml"].concat();
    let url = format!("https://chat.acme.io{value}");
    assert!(scan(&url, |_| true).is_empty(), "alone it says nothing");
    let payload = machine.payload(
        "PreToolUse",
        &json!({ "tool_name": "Bash", "tool_input": {
            "command": format!("echo 'mattermost: {url}' > notes; curl {url}"), "description": url,
        }}),
    );
    let mut leaks = Vec::new();
    let values = [(url, value)];
    for args in [&["hook", "claude", "--deadline=60"][..], &["check", "-"], &["check", "-", "--json"]] {
        let ran = machine.run(args, &payload);
        assert!(
            ran.stdout.contains("Mattermost") && ran.stdout.contains("Not https://chat.acme.io["),
            "{}",
            ran.stdout
        );
        find_leaks(args[0], ran.stdout.as_bytes(), &values, &mut leaks);
    }
    assert!(find_leaks_in_files(&machine.home().join(".state"), &values, &mut leaks) > 1);
    assert!(leaks.is_empty(), "{} leaks:\n{}", leaks.len(), leaks.join("\n"));
}

/// A policy with a mistake is shown with its place, and a stranger's texts may hold anything.
#[test]
fn no_secret_of_a_policy_is_said() {
    let values = canaries();
    for (example, value) in values.iter().step_by(6) {
        let machine = Machine::new();
        let text = format!("version: 1\nrules:\n  - id: a\n    when: tool.before\n    comand: {}\n", json!(example));
        machine.write("project/.ruleward/policy.yaml", &text);
        let ran = machine.run(&["hook", "claude"], &machine.shell_payload("claude", "ls"));
        assert!(ran.stdout.contains("deny") && !ran.stdout.contains(value.as_str()), "{}", ran.stdout);
    }
}
