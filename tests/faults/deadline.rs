//! What a payload can point the hook at that never ends: the answer comes in time all the same.

use std::fs;
use std::os::unix::fs::symlink;
use std::time::{Duration, Instant};

use serde_json::json;

use super::{HARMFUL, HARMLESS, HOSTS, make_fifo, run};
use crate::common::{Machine, output_text, refuses};

/// A policy whose rules look at everything that a hook can look at.
const FILE_READING_POLICY: &str = "version: 1
secrets: { baseline: baseline.json }
rules:
  - { id: spent, when: tool.before, if: session.tokens.total > 1000000, then: { deny: Enough. } }
  - { id: leak, when: tool.before, secrets: true, then: { deny: A secret. } }
";

/// Runs calls that touch `name` in the project, which `put` makes of it. None of them hangs, and what is harmful
/// is refused.
fn assert_refused_with_file(put: impl Fn(&std::path::Path)) {
    let machine = Machine::new();
    machine.write(".config/ruleward/policy.yaml", FILE_READING_POLICY);
    for name in ["trap.sh", "package.json", "Makefile", "transcript.jsonl", "baseline.json", "app.py"] {
        put(&machine.project().join(name));
    }
    let token = ["ghp_", "R4nd0mQw8LzX2vTb6Y", "pN3sKd9FgHj1McU5eA"].concat();
    let begun = Instant::now();
    for host in HOSTS {
        for command in [
            "sh trap.sh",
            ". ./trap.sh",
            "npm run build",
            "make all",
            "python app.py",
            &format!("echo {token} > app.py"),
        ] {
            let (event, tool) =
                if host == "claude" { ("PreToolUse", "Bash") } else { ("BeforeTool", "run_shell_command") };
            for command in [command.to_owned(), format!("{command}; {HARMFUL}")] {
                let payload = machine.payload(
                    event,
                    &json!({
                        "transcript_path": machine.project().join("transcript.jsonl"),
                        "tool_name": tool,
                        "tool_input": { "command": command },
                    }),
                );
                let ran = run(machine.command(&["hook", host]), &payload);
                assert_eq!(ran.code, Some(0), "{command}: {}", output_text(&machine, &ran));
                assert!(!ran.stdout.contains("no answer within"), "{command}: it was waited for");
                assert!(
                    !command.contains(HARMFUL) || refuses(host, &ran),
                    "{command}: {}",
                    output_text(&machine, &ran)
                );
            }
        }
    }
    assert!(begun.elapsed() < Duration::from_mins(5));
}

#[test]
fn pipes_that_nobody_writes_to() {
    assert_refused_with_file(make_fifo);
}

#[test]
fn devices_that_never_end() {
    assert_refused_with_file(|path| symlink("/dev/zero", path).unwrap());
}

#[test]
fn links_that_lead_in_a_circle() {
    assert_refused_with_file(|path| symlink(path, path).unwrap());
}

/// A judgement that is slower than its deadline.
#[test]
fn a_judgement_that_takes_too_long() {
    let machine = Machine::new();
    let content = "a=1; ".repeat(1 << 21);
    for host in HOSTS {
        let payload = machine.shell_payload(host, &format!("{content}{HARMLESS}"));
        let ran = run(machine.command(&["hook", host, "--deadline", "0.05"]), &payload);
        assert!(refuses(host, &ran) || ran.code == Some(2), "{}", output_text(&machine, &ran));
    }
}

#[test]
fn a_tree_of_links_and_depths() {
    let machine = Machine::new();
    let mut path = machine.project();
    for depth in 0..60 {
        path = path.join(format!("d{depth}"));
    }
    fs::create_dir_all(&path).unwrap();
    symlink(machine.project(), path.join("back")).unwrap();
    let cwd = path.join("back").join("d0/d1");
    for host in HOSTS {
        let mut payload: serde_json::Value = serde_json::from_slice(&machine.shell_payload(host, HARMFUL)).unwrap();
        payload["cwd"] = json!(cwd);
        let ran = run(machine.command(&["hook", host]), payload.to_string().as_bytes());
        assert!(refuses(host, &ran), "{}", output_text(&machine, &ran));
    }
}
