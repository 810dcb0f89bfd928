//! `ruleward import hooks`: hooks of settings, taken over and run by a policy as their host ran them.

#![cfg(unix)]

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::common::{Machine, RunOutput, skip};

const CLAUDE: &str = r#"{
  "model": "x",
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash|Write", "hooks": [
        { "type": "command", "command": "bash \"$CLAUDE_PROJECT_DIR\"/.claude/hooks/no-curl.sh", "timeout": 10 },
        { "type": "command", "command": "python3", "args": ["${CLAUDE_PROJECT_DIR}/.claude/hooks/no_env.py"], "onFailure": "block" },
        { "type": "command", "command": "ruleward hook claude" },
        { "type": "command", "command": "echo x", "if": "Bash(git *)" },
        { "type": "http", "url": "http://localhost" } ] },
      { "matcher": "(?!Bash)", "hooks": [{ "type": "command", "command": "true" }] }
    ],
    "PostToolUse": [{ "matcher": "Edit", "hooks": [
      { "type": "command", "command": "curl -H \"$HOOK_TOKEN\" http://localhost", "async": true, "statusMessage": "…" } ] }],
    "PostToolUseFailure": [{ "hooks": [{ "type": "command", "command": "./failed.sh", "timeout": 900 }] }],
    "UserPromptSubmit": [{ "hooks": [{ "type": "command", "command": "docker ps --format '{{.Names}}'" }] }],
    "WorktreeCreate": [{ "hooks": [{ "type": "command", "command": "true" }] }],
    "Stop": [{ "hooks": [{ "type": "command", "command": "node .claude/hooks/stop.js" }] }]
  }
}"#;

const GEMINI: &str = r#"{
  // Comments are fine here.
  "hooks": {
    "BeforeTool": [{ "matcher": "run_shell.*", "sequential": true, "hooks": [
      { "name": "Guard It", "type": "command", "command": "$GEMINI_PROJECT_DIR/.gemini/guard.sh", "timeout": 1500,
        "env": { "LEVEL": "high" } } ] }],
    "AfterTool": [{ "hooks": [{ "type": "command", "command": "log.sh" }] }],
    "BeforeModel": [{ "hooks": [{ "type": "command", "command": "model.sh" }] }]
  }
}"#;

fn run(machine: &Machine, args: &[&str]) -> RunOutput {
    Machine::run_command(machine.command(args), b"")
}

fn machine() -> Machine {
    let machine = Machine::new();
    machine.write("project/.claude/settings.json", CLAUDE);
    machine.write("project/.gemini/settings.json", GEMINI);
    machine
}

#[test]
fn hooks_of_settings_become_a_policy() {
    let machine = machine();
    let ran = run(&machine, &["import", "hooks", ".claude/settings.json", ".gemini/settings.json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    insta::assert_snapshot!(format!("{}---\n{}", ran.stdout, ran.stderr));
    let found = run(&machine, &["import", "hooks"]);
    assert_eq!(found.stdout.lines().count(), ran.stdout.lines().count());
    let out = run(&machine, &["import", "hooks", "--output", "ruleward.yaml"]);
    assert_eq!((out.code, out.stdout.as_str()), (Some(0), ""), "{}", out.stderr);
    let linted = run(&machine, &["lint", "ruleward.yaml"]);
    assert_eq!(linted.code, Some(0), "{}{}", linted.stdout, linted.stderr);
}

#[test]
fn a_plugins_hooks_know_their_folder() {
    let machine = Machine::new();
    let hooks = r#"{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"${CLAUDE_PLUGIN_ROOT}/start.sh"}]}],
        "Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}"#;
    let file = machine.write("plugin/hooks/hooks.json", hooks);
    let ran = run(&machine, &["import", "hooks", file.to_str().unwrap()]);
    let root = machine.home().join("plugin");
    assert!(
        ran.stdout.contains(&format!(r#"{{"set":{{"CLAUDE_PLUGIN_ROOT":"{}"}}}}"#, root.display())),
        "{}",
        ran.stdout
    );
}

#[test]
fn what_is_no_file_of_hooks_is_said() {
    let machine = Machine::new();
    let unclear = machine.write("x.json", r#"{"hooks":{"SessionStart":[]}}"#);
    for (args, expected) in [
        (vec!["import", "hooks"], "name the file"),
        (vec!["import", "hooks", "nothing.json"], "is not there"),
        (vec!["import", "hooks", unclear.to_str().unwrap()], "--from claude"),
    ] {
        let ran = run(&machine, &args);
        assert_eq!(ran.code, Some(2), "{args:?}");
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
}

/// Third-party style hooks, as their authors would have written them for their own host.
const NO_CURL: &str = r#"#!/usr/bin/env bash
# For Claude Code: needs jq.
input=$(cat)
[ "$(jq -r .tool_name <<<"$input")" = Bash ] || exit 0
if jq -r '.tool_input.command' <<<"$input" | grep -q 'curl'; then
  echo "curl is not allowed: use the proxy" >&2
  exit 2
fi
"#;

const NO_CURL_GREP: &str = r#"#!/usr/bin/env bash
# For Claude Code, without jq.
input=$(cat)
grep -q '"hook_event_name":"PreToolUse"' <<<"$input" && grep -q '"tool_name":"Bash"' <<<"$input" || exit 0
if grep -q '"command":"[^"]*curl' <<<"$input"; then
  echo "curl is not allowed: use the proxy" >&2
  exit 2
fi
"#;

const NO_ENV: &str = r#"import json, os, sys
event = json.load(sys.stdin)
if event["hook_event_name"] == "PreToolUse" and event["tool_name"] in ("Read", "Write", "Edit"):
    path = event["tool_input"]["file_path"]
    if path.startswith(os.environ["CLAUDE_PROJECT_DIR"]) and path.endswith(".env"):
        print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny",
            "permissionDecisionReason": "secrets stay in " + os.path.basename(path)}}))
"#;

const STOP: &str = r"let text = '';
process.stdin.on('data', (piece) => (text += piece)).on('end', () => {
  const event = JSON.parse(text);
  if (event.hook_event_name !== 'Stop' || event.stop_hook_active) return;
  if (!/tests pass/.test(event.last_assistant_message)) {
    console.log(JSON.stringify({ decision: 'block', reason: 'Run the tests first.' }));
  }
});
";

const GUARD: &str = r#"import json, sys
event = json.load(sys.stdin)
if event["hook_event_name"] == "BeforeTool" and event["tool_name"] == "run_shell_command":
    if "curl" in event["tool_input"]["command"]:
        print(json.dumps({"decision": "deny", "reason": "no curl under any host"}))
"#;

/// Tells whether a program is here.
fn has_program(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

/// Runs the hook under a host with these hooks of another one, by a policy of the person's.
fn run_under_host(host: &str, file: &str, hooks: &str, payload: &Value) -> RunOutput {
    let machine = Machine::new();
    for (name, text) in [
        ("no-curl.sh", NO_CURL),
        ("no-curl-grep.sh", NO_CURL_GREP),
        ("no_env.py", NO_ENV),
        ("stop.js", STOP),
        ("guard.py", GUARD),
    ] {
        machine.write(&format!("project/hooks/{name}"), text);
    }
    machine.write(&format!("project/{file}"), hooks);
    fs::create_dir_all(machine.home().join(".config/ruleward")).unwrap();
    let policy = machine.home().join(".config/ruleward/policy.yaml");
    let imported = run(&machine, &["import", "hooks", file, "--output", policy.to_str().unwrap()]);
    assert_eq!(imported.code, Some(0), "{}", imported.stderr);
    let mut payload = payload.clone();
    payload["cwd"] = machine.project().to_str().unwrap().into();
    let mut command = machine.command(&["hook", host]);
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    Machine::run_command(command, payload.to_string().as_bytes())
}

fn settings(event: &str, matcher: &str, command: &str) -> String {
    serde_json::json!({"hooks": {event: [{"matcher": matcher, "hooks": [{"type": "command", "command": command}]}]}})
        .to_string()
}

fn gemini_payload(event: &str, fields: &Value) -> Value {
    let mut payload = serde_json::json!({"session_id": "s", "transcript_path": "", "cwd": "",
        "hook_event_name": event, "timestamp": "2026-11-21T08:02:10.985Z"});
    payload.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    payload
}

fn claude_payload(event: &str, fields: &Value) -> Value {
    let mut payload = gemini_payload(event, fields);
    payload["permission_mode"] = "default".into();
    payload
}

#[test]
fn hooks_written_for_claude_run_unchanged_under_gemini() {
    let shell = |command: &str| {
        let input = serde_json::json!({"command": command, "description": "x"});
        gemini_payload("BeforeTool", &serde_json::json!({"tool_name": "run_shell_command", "tool_input": input}))
    };
    let write = |path: &str| {
        let input = serde_json::json!({"file_path": path, "content": "A=1"});
        gemini_payload("BeforeTool", &serde_json::json!({"tool_name": "write_file", "tool_input": input}))
    };
    let answer = |text: &str| {
        gemini_payload(
            "AfterAgent",
            &serde_json::json!({"prompt": "p", "prompt_response": text, "stop_hook_active": false}),
        )
    };
    for (program, event, matcher, command, payload, expected) in [
        (
            "jq",
            "PreToolUse",
            "Bash",
            "bash \"$CLAUDE_PROJECT_DIR\"/hooks/no-curl.sh",
            shell("curl x"),
            Some("use the proxy"),
        ),
        ("jq", "PreToolUse", "Bash", "bash \"$CLAUDE_PROJECT_DIR\"/hooks/no-curl.sh", shell("ls"), None),
        ("bash", "PreToolUse", "", "bash hooks/no-curl-grep.sh", shell("curl x"), Some("use the proxy")),
        ("bash", "PreToolUse", "Write|Edit", "bash hooks/no-curl-grep.sh", shell("curl x"), None),
        ("python3", "PreToolUse", "Write", "python3 hooks/no_env.py", write("app/.env"), Some("secrets stay in .env")),
        ("python3", "PreToolUse", "Write", "python3 hooks/no_env.py", write("app/x.py"), None),
        ("node", "Stop", "", "node hooks/stop.js", answer("done"), Some("Run the tests first.")),
        ("node", "Stop", "", "node hooks/stop.js", answer("tests pass"), None),
    ] {
        if !has_program(program) {
            skip("import::hooks_written_for_claude_run_unchanged_under_gemini", &format!("`{program}` is not here"));
            continue;
        }
        let ran = run_under_host("gemini", ".claude/settings.json", &settings(event, matcher, command), &payload);
        match expected {
            Some(reason) => {
                assert!(
                    ran.stdout.contains("\"decision\":\"deny\"") && ran.stdout.contains(reason),
                    "{command}: {ran:?}"
                );
            }
            None => assert!(!ran.stdout.contains("deny"), "{command}: {ran:?}"),
        }
    }
}

#[test]
fn hooks_written_for_gemini_run_unchanged_under_claude() {
    let shell = |command: &str| {
        let input = serde_json::json!({"command": command});
        claude_payload("PreToolUse", &serde_json::json!({"tool_name": "Bash", "tool_input": input, "tool_use_id": "t"}))
    };
    for (command, denied) in [("curl x", true), ("ls", false)] {
        let hooks = settings("BeforeTool", "run_shell_command", "python3 $GEMINI_PROJECT_DIR/hooks/guard.py");
        let ran = run_under_host("claude", ".gemini/settings.json", &hooks, &shell(command));
        assert_eq!(ran.stdout.contains("no curl under any host"), denied, "{ran:?}");
        assert_eq!(ran.stdout.contains("\"permissionDecision\":\"deny\""), denied, "{ran:?}");
    }
}
