//! What relaxes the guard needs a person: not an orphan, not a terminal that a program created.

#![cfg(target_os = "linux")]
use std::process::Command;

use crate::common::terminal::{run_as_person, run_at_terminal, run_detached, run_in_script};
use crate::common::{Machine, output_text, skip};

const CLAUDE: &str = ".claude/settings.json";

/// A machine with the hook registered, as provisioning does it: without a terminal.
fn guarded_machine() -> Machine {
    let machine = Machine::new();
    let ran = machine.run(&["install", "claude"], b"");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    machine
}

/// Commands that relax the guard.
const RELAXING: &[&[&str]] = &[
    &["uninstall", "claude"],
    &["install", "claude", "--command", "/tmp/other"],
    &["install", "claude", "--policy", "weak.yaml"],
    &["state", "reset", "--yes"],
    &["trust", "--yes"],
    &["allow", "--command", "git push --force", "--yes"],
];

#[test]
fn nobody_is_no_approval() {
    let machine = guarded_machine();
    machine.write("project/weak.yaml", "version: 1\ndefaults: none\n");
    machine.write("project/.ruleward/policy.yaml", "version: 1\ndisable: [{ rule: '*', reason: x }]\n");
    let before = machine.read(CLAUDE);
    for args in RELAXING {
        let piped = machine.run(args, b"yes\n");
        assert_ne!(piped.code, Some(0), "{args:?}");
        assert!(piped.stderr.contains("there is no terminal"), "{args:?} {}", piped.stderr);
        let created = run_in_script(&machine, args, "yes\n", &[]);
        assert_ne!(created.code, Some(0), "{args:?} {}", created.stdout);
        assert!(created.stdout.contains("this terminal was"), "{args:?} {}", created.stdout);
        assert_eq!(machine.read(CLAUDE), before, "{args:?}");
    }
    let dry = machine.run(&["uninstall", "claude", "--dry-run"], b"");
    assert_eq!(dry.code, Some(0), "what changes nothing is anybody's: {}", dry.stderr);
    let again = machine.run(&["install", "claude", "--events", "all"], b"");
    assert_eq!(again.code, Some(0), "what only adds is anybody's: {}", again.stderr);
}

#[test]
fn a_registration_that_displaces_another_one_needs_a_person() {
    let machine = guarded_machine();
    machine.write("project/weak.yaml", "version: 1\ndefaults: none\n");
    let weak = ["install", "claude", "--scope", "local", "--policy", "weak.yaml"];
    let ran = machine.run(&weak, b"");
    assert!(ran.stderr.contains("there is no terminal"), "{}", output_text(&machine, &ran));
    assert_eq!(machine.read("project/.claude/settings.local.json"), None);
    assert_eq!(machine.run(&["install", "claude", "--scope", "local"], b"").code, Some(0));
    let first = machine.run(&["install", "gemini", "--policy", "weak.yaml"], b"");
    assert_eq!(first.code, Some(0), "a host without any registration: {}", first.stderr);
}

#[test]
fn terminals_of_other_programs_are_not_believed() {
    let machine = guarded_machine();
    let line = format!("{} uninstall claude", env!("CARGO_BIN_EXE_ruleward"));
    let python = "import os, pty, sys\npid, fd = pty.fork()\nif pid == 0: os.execvp('sh', ['sh', '-c', os.environ['LINE']])\nos.write(fd, b'yes\\n')\nwhile True:\n    try: data = os.read(fd, 1000)\n    except OSError: break\n    if not data: break\n    os.write(1, data)";
    let lines = [
        ("python3", format!("python3 -c \"{}\"", python.replace('"', "\\\""))),
        ("script", "echo \"$LINE\" | script -qc 'sh -i' /dev/null".to_owned()),
        ("tmux", "tmux -L rw -f /dev/null new -d 'sh -i'; tmux -L rw send-keys \"$LINE > out 2>&1 </dev/tty; echo ended >> out\" Enter; until grep -q ended out; do sleep 0.1; done; cat out; tmux -L rw kill-server".to_owned()),
    ];
    for (program, shell) in lines {
        if !Command::new("which").arg(program).output().is_ok_and(|which| which.status.success()) {
            skip("approval::terminals_of_other_programs_are_not_believed", &format!("there is no {program}"));
            continue;
        }
        let ran = run_detached(&machine, &shell, &[("LINE", &line)]);
        assert!(machine.read(CLAUDE).unwrap().contains("ruleward"), "{program}: {}", ran.stdout);
        assert!(ran.stdout.contains("error"), "{program}: {}", ran.stdout);
    }
}

#[test]
fn a_person_can_and_it_is_told() {
    let machine = guarded_machine();
    let denied = run_at_terminal(&machine, &["uninstall", "claude"], "no\n", &[]);
    assert!(denied.stdout.contains("Nothing was changed"), "{}", denied.stdout);
    assert!(machine.read(CLAUDE).is_some());
    let done = run_as_person(&machine, &["uninstall", "claude"]);
    assert_eq!(done.code, Some(0), "{}", done.stdout);
    assert_eq!(machine.read(CLAUDE), None);
    let log = machine.read(".state/ruleward/audit.jsonl").unwrap();
    assert!(log.contains("ruleward.uninstall") && log.contains("A person removed the hook from"), "{log}");
    let start = machine.payload("SessionStart", &serde_json::json!({ "source": "startup", "model": "m" }));
    let said = machine.run(&["hook", "claude"], &start);
    assert!(said.stdout.contains("A person removed the hook from"), "{}", output_text(&machine, &said));
    let again = machine.run(&["hook", "claude"], &start);
    assert_eq!(again.stdout, "", "it is told once");
}

#[test]
fn a_project_cannot_name_terminals() {
    let machine = guarded_machine();
    machine.write("project/.ruleward/policy.yaml", "version: 1\nterminals: [script]\n");
    let ran = run_in_script(&machine, &["uninstall", "claude"], "yes\n", &[]);
    assert!(ran.stdout.contains("this terminal was") && machine.read(CLAUDE).is_some(), "{}", ran.stdout);
    let lint = machine.run(&["lint"], b"");
    assert!(
        format!("{}{}", lint.stdout, lint.stderr).contains("can't set `terminals`"),
        "{}",
        output_text(&machine, &lint)
    );
}
