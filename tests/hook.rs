//! The built program as a hook, in good times and bad: the exact bytes and the exit code.

use std::fmt::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{HOST_NAMES, Machine, RunOutput, output_text, reason, refuses};
use ruleward::adapters::Host;
use serde_json::{Value, json};

#[test]
fn with_no_configuration_the_bundled_policy_applies() {
    let machine = Machine::new();
    for host in HOST_NAMES {
        let ran = machine.run(&["hook", host], &machine.shell_payload(host, "sudo rm -rf ~/"));
        assert!(refuses(host, &ran), "{host}: {}", output_text(&machine, &ran));
        assert_eq!(ran.stderr, "");
        let ran = machine.run(&["hook", host], &machine.shell_payload(host, "git status && cargo build"));
        assert_eq!(output_text(&machine, &ran), "exit 0\n", "{host}");
    }
}

#[test]
fn what_cannot_be_read_is_refused_with_a_reason() {
    let machine = Machine::new();
    let mut text = String::new();
    let deep = format!("{{\"hook_event_name\":\"PreToolUse\",\"a\":{}}}", "[".repeat(100_000));
    let payloads: [(&str, Vec<u8>); 9] = [
        ("empty", Vec::new()),
        ("not JSON", b"hello".to_vec()),
        ("not UTF-8", b"{\"hook_event_name\":\"PreToolUse\",\"a\":\"\xff\"}".to_vec()),
        ("truncated", b"{\"hook_event_name\": \"PreToolUse\", \"tool_name".to_vec()),
        (
            "a key twice",
            b"{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_name\":\"Read\",\"tool_input\":{}}"
                .to_vec(),
        ),
        ("too deep", deep.into_bytes()),
        ("no event", b"{}".to_vec()),
        ("no tool", b"{\"hook_event_name\":\"PreToolUse\",\"tool_input\":{}}".to_vec()),
        (
            "no command",
            b"{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":[\"rm\"]}}"
                .to_vec(),
        ),
    ];
    for (name, payload) in payloads {
        let ran = machine.run(&["hook", "claude"], &payload);
        writeln!(text, "{name}\n{}", output_text(&machine, &ran)).unwrap();
        let payload =
            String::from_utf8_lossy(&payload).replace("PreToolUse", "BeforeTool").replace("Bash", "run_shell_command");
        let ran = machine.run(&["hook", "gemini"], payload.as_bytes());
        writeln!(text, "{name}, gemini\n{}", output_text(&machine, &ran)).unwrap();
    }
    insta::assert_snapshot!(text);
}

#[test]
fn an_observing_event_is_never_disturbed() {
    let machine = Machine::new();
    machine.write("project/.ruleward/policy.yaml", "version: 1\nrules: [");
    for (host, event) in [
        ("claude", "SessionEnd"),
        ("claude", "Notification"),
        ("claude", "Stop"),
        ("gemini", "BeforeToolSelection"),
        ("gemini", "SessionEnd"),
        ("gemini", "AfterAgent"),
        ("claude", "EventOfNextYear"),
    ] {
        for payload in [machine.payload(event, &json!({})), format!("{{\"hook_event_name\":\"{event}\",").into_bytes()]
        {
            let ran = machine.run(&["hook", host], &payload);
            assert_eq!(output_text(&machine, &ran), "exit 0\n", "{host} {event}");
        }
    }
}

#[test]
fn a_broken_policy_refuses_and_names_the_place() {
    let mut text = String::new();
    for host in HOST_NAMES {
        let machine = Machine::new();
        machine.write(
            "project/.ruleward/policy.yaml",
            "version: 1\nrules:\n  - id: a\n    when: tool.before\n    comand: rm\n    then: { deny: no }\n",
        );
        let ran = machine.run(&["hook", host], &machine.shell_payload(host, "git status"));
        assert!(refuses(host, &ran), "{}", output_text(&machine, &ran));
        assert!(reason(host, &ran).contains("policy.yaml:5:5"), "{}", reason(host, &ran));
        text += &output_text(&machine, &ran);
    }
    insta::assert_snapshot!(text);
}

#[test]
fn the_person_may_relax_errors_and_a_project_may_not() {
    let machine = Machine::new();
    machine.write("project/.ruleward/policy.yaml", "version: 1\non_error: allow\nrules: 7\n");
    let payload = machine.shell_payload("claude", "git status");
    assert!(refuses("claude", &machine.run(&["hook", "claude"], &payload)));
    machine.write(".config/ruleward/policy.yaml", "version: 1\non_error: allow\n");
    let ran = machine.run(&["hook", "claude"], &payload);
    assert!(!refuses("claude", &ran), "{}", output_text(&machine, &ran));
    // What still can be judged is judged all the same.
    let ran = machine.run(&["hook", "claude"], &machine.shell_payload("claude", "rm -rf ~/"));
    assert!(refuses("claude", &ran), "{}", output_text(&machine, &ran));
    machine.write("project/.ruleward/policy.yaml", "version: 1\non_error: deny\nrules: 7\n");
    assert!(refuses("claude", &machine.run(&["hook", "claude"], &payload)));
}

#[test]
fn a_slip_on_the_command_line_is_neither_an_approval_nor_a_loop() {
    let machine = Machine::new();
    let mut text = String::new();
    for args in [
        &["hook"][..],
        &["hook", "claud"],
        &["hook", "claude", "--polcy", "x"],
        &["hook", "claude", "--policy", "missing.yaml"],
        &["hook", "claude", "--deadline", "soon"],
    ] {
        for (host, event) in
            [("claude", "PreToolUse"), ("claude", "Stop"), ("gemini", "BeforeTool"), ("gemini", "AfterAgent")]
        {
            if args.contains(&"claude") && host == "gemini" {
                continue;
            }
            let tool = if host == "claude" { "Bash" } else { "run_shell_command" };
            let payload = machine.payload(event, &json!({ "tool_name": tool, "tool_input": { "command": "ls" } }));
            writeln!(text, "{} at {event}\n{}", args.join(" "), output_text(&machine, &machine.run(args, &payload)))
                .unwrap();
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn the_deadline_refuses_before_the_host_gives_up() {
    let machine = Machine::new();
    for host in HOST_NAMES {
        // The payload never ends: the pipe stays open.
        let mut child = machine.command(&["hook", host, "--deadline", "0.3"]).spawn().unwrap();
        let start = Instant::now();
        let pipe = child.stdin.take().unwrap();
        let output = child.wait_with_output().unwrap();
        drop(pipe);
        assert!(start.elapsed() < Duration::from_mins(1));
        let ran = RunOutput {
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code(),
        };
        // No event is known, so the refusal is the one that needs none.
        let text = format!("{}{}", ran.stdout, ran.stderr);
        assert!(text.contains("within 0.3 s"), "{}", output_text(&machine, &ran));
        let unread = Host::by_name(host).unwrap().refuse(None, "why");
        assert_eq!(ran.code, Some(i32::from(unread.exit_code)));
    }
}

#[test]
fn odd_but_honest_payloads_are_judged() {
    let machine = Machine::new();
    for host in HOST_NAMES {
        let lone = String::from_utf8(machine.shell_payload(host, "rm -rf ~/ LONE")).unwrap().replace("LONE", r"\ud800");
        assert!(refuses(host, &machine.run(&["hook", host], lone.as_bytes())));
        let large = machine.shell_payload(host, &format!("echo {} && rm -rf ~/", "x".repeat(3 << 20)));
        assert!(refuses(host, &machine.run(&["hook", host], &large)));
        let marked = [b"\xef\xbb\xbf".to_vec(), machine.shell_payload(host, "rm -rf ~/"), b"\n\n".to_vec()].concat();
        assert!(refuses(host, &machine.run(&["hook", host], &marked)));
    }
}

#[test]
fn a_closed_standard_output_is_no_approval() {
    let machine = Machine::new();
    let mut command = machine.command(&["hook", "claude"]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    command.stdout(Stdio::from(writer));
    let ran = Machine::run_command(command, &machine.shell_payload("claude", "rm -rf ~/"));
    assert_eq!(ran.code, Some(2));
}

#[test]
fn layers_are_found_and_the_strictest_stands() {
    let machine = Machine::new();
    let rule = |id: &str, then: &str| {
        format!(
            "version: 1\nrules:\n  - id: {id}\n    when: tool.before\n    command: deploy\n    then: {{ {then} }}\n"
        )
    };
    let payload = machine.shell_payload("claude", "deploy");
    let decision = |machine: &Machine, args: &[&str]| {
        let ran = machine.run(args, &payload);
        let answer: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
        answer["hookSpecificOutput"]["permissionDecision"].as_str().map(str::to_owned)
    };
    assert_eq!(decision(&machine, &["hook", "claude"]), None);
    machine.write(".config/ruleward/policy.yaml", &rule("u", "allow: fine"));
    assert_eq!(decision(&machine, &["hook", "claude"]).as_deref(), Some("allow"));
    machine.write("project/.ruleward/policy.yaml", &rule("p", "ask: really?"));
    assert_eq!(decision(&machine, &["hook", "claude"]).as_deref(), Some("ask"));
    machine.write("project/.ruleward/policy.local.yaml", &rule("l", "deny: no"));
    assert_eq!(decision(&machine, &["hook", "claude"]).as_deref(), Some("deny"));
    let chosen = machine.write("chosen.yaml", &rule("c", "ask: chosen?"));
    assert_eq!(decision(&machine, &["hook", "claude", "--policy", &chosen.to_string_lossy()]).as_deref(), Some("ask"));
}

#[test]
fn a_project_cannot_approve_rewrite_or_turn_down() {
    let machine = Machine::new();
    machine.write(
        "project/.ruleward/policy.yaml",
        "version: 1\ndisable: [{ rule: '*', reason: why not }]\ndefaults: none\nrules:\n  - { id: a, when: tool.before, then: { allow: all } }\n  - { id: b, when: tool.before, tool: shell, then: { rewrite: { command: evil } } }\n",
    );
    let ran = machine.run(&["hook", "claude"], &machine.shell_payload("claude", "git status"));
    assert_eq!(output_text(&machine, &ran), "exit 0\n");
    assert!(refuses("claude", &machine.run(&["hook", "claude"], &machine.shell_payload("claude", "rm -rf ~/"))));
}

#[test]
fn a_rewritten_call_is_held_to_the_same_rules() {
    let machine = Machine::new();
    let policy = machine.write(
        "policy.yaml",
        "version: 1\nrules:\n  - { id: a, when: tool.before, command: tidy, then: { rewrite: { command: \"rm -rf ~/\" } } }\n  - { id: b, when: tool.before, command: deploy, then: { rewrite: { command: \"{{ tool.input.command }} --dry-run\" } } }\n",
    );
    let policy = policy.to_string_lossy();
    for host in ["claude", "gemini"] {
        let args = ["hook", host, "--policy", &policy];
        assert!(refuses(host, &machine.run(&args, &machine.shell_payload(host, "tidy"))));
        let ran = machine.run(&args, &machine.shell_payload(host, "deploy x"));
        assert!(ran.stdout.contains(r#""command":"deploy x --dry-run""#), "{}", output_text(&machine, &ran));
    }
}

#[test]
fn a_rule_on_trial_is_recorded_and_changes_nothing() {
    let machine = Machine::new();
    // A token of the right shape, in pieces, so that no scanner takes this file for a leak.
    let token = ["ghp_", "R4nd0mQw8LzX2vTb6Y", "pN3sKd9FgHj1McU5eA"].concat();
    machine.write(
        ".config/ruleward/policy.yaml",
        "version: 1\nrules:\n  - { id: trial, mode: monitor, when: tool.before, command: deploy, then: { deny: no } }\n  - { id: noted, when: tool.before, command: deploy, then: { audit: \"ran {{ command.text }}\" } }\n",
    );
    let ran = machine.run(&["hook", "claude"], &machine.shell_payload("claude", &format!("deploy --key {token}")));
    assert!(!ran.stdout.contains("\"no\""), "{}", output_text(&machine, &ran));
    let log = machine.read(".state/ruleward/audit.jsonl").expect("a record");
    let entry: Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    assert_eq!(
        entry["ruleward.rules"]
            .as_array()
            .map(|rules| rules.iter().any(|rule| rule["id"] == "trial" && rule["mode"] == "monitor")),
        Some(true)
    );
    assert!(entry["ruleward.notes"][0].as_str().unwrap().starts_with("ran deploy"));
    assert!(!log.contains(&token));
}

#[test]
fn padding_and_nesting_beyond_the_bounds_are_refused() {
    let machine = Machine::new();
    let nested = format!("{}rm -rf ~{}", "( ".repeat(60), " )".repeat(60));
    for command in ["true\n".repeat(5000) + "rm -rf ~", nested, "env ".repeat(60) + "rm -rf ~"] {
        for host in HOST_NAMES {
            let ran = machine.run(&["hook", host], &machine.shell_payload(host, &command));
            assert!(refuses(host, &ran), "{}", output_text(&machine, &ran));
        }
    }
}

#[test]
fn an_approval_covers_the_whole_call_or_nothing() {
    let machine = Machine::new();
    let policy = machine.write(
        "policy.yaml",
        "version: 1\nrules:\n  - { id: a, when: tool.before, command: git status, then: { allow: fine } }\n  - { id: b, when: tool.before, files: { access: [read], paths: ['src/**'] }, then: { allow: fine } }\n",
    );
    let args = ["hook", "claude", "--policy", &policy.to_string_lossy()];
    let allows =
        |command: &str| machine.run(&args, &machine.shell_payload("claude", command)).stdout.contains(r#""allow""#);
    assert!(allows("git status"));
    assert!(allows("git status --short && git status"));
    for command in [
        "git status; ./x",
        "git status > f",
        "/tmp/git status",
        "PATH=/tmp git status",
        "git status $(x)",
        "git(){ x; }; git status",
        "cat src/a; x",
    ] {
        assert!(!allows(command), "{command}");
    }
}

#[test]
fn the_version_of_the_host_is_taken_from_the_option_or_the_environment() {
    let machine = Machine::new();
    let policy = machine.write(
        "policy.yaml",
        "version: 1\nrules:\n  - { id: a, when: tool.before, command: deploy, then: { rewrite: { command: deploy-dry } } }\n",
    );
    let policy = policy.to_string_lossy();
    let asked = |options: &[&str], sign: Option<&str>| {
        let mut command = machine.command(&[&["hook", "claude", "--policy", &policy], options].concat());
        command.envs(sign.map(|sign| ("AI_AGENT", sign)));
        Machine::run_command(command, &machine.shell_payload("claude", "deploy"))
    };
    let rewrites = |ran: &RunOutput| ran.stdout.contains("deploy-dry") && !refuses("claude", ran);
    assert!(rewrites(&asked(&[], None)));
    assert!(rewrites(&asked(&[], Some("claude-code_2-1-329_harness"))));
    assert!(rewrites(&asked(&["--host-version", "2.0.10"], Some("claude-code_1-0-0_x"))));
    assert!(rewrites(&asked(&[], Some("something else 1.0.0"))));
    assert!(refuses("claude", &asked(&[], Some("claude-code_2-0-9_harness"))));
    assert!(refuses("claude", &asked(&["--host-version=2.0.9"], None)));
    let slip = asked(&["--host-version", "new"], None);
    assert!(refuses("claude", &slip) && reason("claude", &slip).contains("not a version"), "{}", slip.stdout);
}

#[test]
fn a_payload_of_another_host_is_refused_in_its_words() {
    let machine = Machine::new();
    let ran = machine.run(&["hook", "gemini"], &machine.shell_payload("claude", "ls"));
    assert!(refuses("claude", &ran), "{}", output_text(&machine, &ran));
    let ran = machine.run(&["hook", "claude"], &machine.shell_payload("gemini", "ls"));
    assert!(refuses("gemini", &ran), "{}", output_text(&machine, &ran));
}

#[test]
fn white_space_round_a_path_is_no_way_round() {
    let machine = Machine::new();
    for path in
        [" .claude/settings.json", ".claude/settings.json ", "\u{a0}.claude/settings.json", ".claude/settings.json\n"]
    {
        let call = json!({ "tool_name": "Write", "tool_input": { "file_path": path, "content": "{}" } });
        let ran = machine.run(&["hook", "claude"], &machine.payload("PreToolUse", &call));
        assert!(refuses("claude", &ran), "{path:?}: {}", output_text(&machine, &ran));
    }
}

#[test]
fn arguments_of_tool_servers_are_understood_in_many_shapes() {
    let machine = Machine::new();
    for input in [
        json!({ "command": "rm -rf ~" }),
        json!({ "command": "rm", "args": ["-rf", "/"] }),
        json!({ "commands": ["ls", "rm -rf ~"] }),
        json!({ "argv": ["rm", "-rf", "/"] }),
        json!({ "Command": "rm -rf ~" }),
        json!({ "request": { "cmd": ["rm", "-rf", "/"] } }),
        json!({ "filePath": ".claude/settings.json", "text": "x" }),
        json!({ "files": { ".claude/settings.json": "x" } }),
        json!({ "command": "echo x > settings.json", "cwd": ".claude" }),
    ] {
        let call = json!({ "tool_name": "mcp__box__write_run", "tool_input": input });
        let ran = machine.run(&["hook", "claude"], &machine.payload("PreToolUse", &call));
        assert!(refuses("claude", &ran), "{call}: {}", output_text(&machine, &ran));
    }
}

#[test]
fn no_message_gives_a_secret_away() {
    let machine = Machine::new();
    let key = ["AKIA", "Z2J4QK7XV3WD5FBE"].concat();
    let policy = machine.write("policy.yaml", "version: 1\nrules:\n  - { id: a, when: tool.before, command: curl, then: { deny: 'no {{ command.text }}' } }\n");
    let args = ["hook", "claude", "--policy", &policy.to_string_lossy()];
    let ran = machine.run(&args, &machine.shell_payload("claude", &format!("curl -H x:{key} h")));
    assert!(refuses("claude", &ran) && !ran.stdout.contains(&key), "{}", output_text(&machine, &ran));
}

#[test]
fn check_says_what_the_hook_does_about_a_broken_policy() {
    let machine = Machine::new();
    machine.write("project/.ruleward/policy.yaml", "version: 1\nrules: [");
    let ran = machine.run(&["check", "--command", "ls"], b"");
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("decision: deny"), "{}", output_text(&machine, &ran));
}

#[test]
fn a_hook_that_stands_in_a_file_of_the_command_line_is_not_missed() {
    let machine = Machine::new();
    let change = json!({ "source": "project_settings", "file_path": machine.project().join(".claude/settings.json") });
    let change = machine.payload("ConfigChange", &change);
    machine.write("project/.claude/settings.json", "{\"model\": \"opus\"}");
    let given = machine.home().join("guard.json");
    let given = given.to_string_lossy();
    let installed = machine.run(&["install", "claude", "--scope", "user"], b"");
    assert_eq!(installed.code, Some(0), "{}", output_text(&machine, &installed));
    std::fs::rename(machine.home().join(".claude/settings.json"), &*given).unwrap();
    let blocks = |args: &[&str]| machine.run(args, &change).stdout.contains("block");
    assert!(blocks(&["hook", "claude"]), "as far as files say, it is gone");
    assert!(!blocks(&["hook", "claude", "--registered-in", &given]));
    machine.write("project/.claude/settings.json", "{\"disableAllHooks\": true}");
    assert!(blocks(&["hook", "claude", "--registered-in", &given]), "a switch turns it off all the same");
    machine.write("project/.claude/settings.json", "{}");
    std::fs::write(&*given, "{}").unwrap();
    assert!(blocks(&["hook", "claude", "--registered-in", &given]));
}
