//! The commands as a person uses them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic,
    clippy::print_stdout,
    reason = "here a panic is how a failure is told"
)]

mod common;

use std::fmt::Write as _;

use common::{Machine, said};

fn snapshot(name: &str, runs: &[(&str, common::Ran)], machine: &Machine) {
    let mut text = String::new();
    for (label, ran) in runs {
        writeln!(text, "$ ruleward {label}\n{}", said(machine, ran)).unwrap();
    }
    insta::assert_snapshot!(name, text);
}

#[test]
fn check_explains_one_event() {
    let machine = Machine::new();
    let mut runs = Vec::new();
    for args in [
        &["check", "--command", "cd sub && sudo rm -rf ~/ ; echo 'rm -rf /'"][..],
        &["check", "--command", "git status"],
        &["check", "--write", ".env", "--content", "A=1"],
        &["check", "--prompt", "hello", "--host", "gemini"],
        &["check", "--json", "--command", "git status", "--host", "claude"],
        &["check"],
        &["check", "--when", "tool.befor", "--command", "x"],
        &["check", "--host", "gemni", "--command", "x"],
        &["check", "missing.json"],
    ] {
        let label = args
            .iter()
            .map(|arg| if arg.contains(' ') { format!("{arg:?}") } else { (*arg).to_owned() })
            .collect::<Vec<_>>()
            .join(" ");
        runs.push((label, machine.run(args, b"")));
    }
    let runs: Vec<(&str, common::Ran)> = runs
        .iter_mut()
        .map(|(label, ran)| {
            (
                label.as_str(),
                std::mem::replace(ran, common::Ran { stdout: String::new(), stderr: String::new(), code: None }),
            )
        })
        .collect();
    snapshot("check", &runs, &machine);
}

#[test]
fn check_reads_a_payload() {
    let machine = Machine::new();
    let ran = machine.run(&["check", "-"], &machine.shell("gemini", "git push --force"));
    snapshot("check_payload", &[("check -", ran)], &machine);
}

#[test]
fn init_writes_a_policy_whose_tests_pass() {
    let machine = Machine::new();
    let runs = [
        ("init", machine.run(&["init"], b"")),
        ("init", machine.run(&["init"], b"")),
        ("lint --strict", machine.run(&["lint", "--strict"], b"")),
        ("test", machine.run(&["test"], b"")),
    ];
    assert_eq!(runs.iter().map(|(_, ran)| ran.code).collect::<Vec<_>>(), [Some(0); 4]);
    snapshot("init", &runs, &machine);
}

#[test]
fn test_shows_what_is_different() {
    let machine = Machine::new();
    machine.run(&["init"], b"");
    let tests = machine.read("project/.ruleward/policy.test.yaml").unwrap();
    machine.write("project/.ruleward/policy.test.yaml", &tests.replace("decision: ask", "decision: deny"));
    machine.write("project/.ruleward/own.yaml", "version: 1\nrules:\n  - { id: a, when: tool.before, command: x, then: { warn: w } }\ntests:\n  - { name: own, event: { tool: shell, command: x }, expect: { decision: none, rule: a, warn: w } }\n");
    let runs = [
        ("test", machine.run(&["test"], b"")),
        ("test .ruleward/own.yaml", machine.run(&["test", ".ruleward/own.yaml"], b"")),
        ("test --filter lease", machine.run(&["test", "--filter", "lease"], b"")),
        ("test nowhere", machine.run(&["test", "nowhere"], b"")),
    ];
    snapshot("test", &runs, &machine);
}

#[test]
fn a_test_file_with_a_slip_says_where() {
    let machine = Machine::new();
    machine.write("project/t.test.yaml", "version: 1\npolicies: [git]\ntests:\n  - name: a\n    event: { tool: shell, comand: ls }\n    expect: { decision: maybe }\n");
    snapshot("test_slip", &[("test t.test.yaml", machine.run(&["test", "t.test.yaml"], b""))], &machine);
}

#[test]
fn lint_finds_mistakes_and_gaps_of_hosts() {
    let machine = Machine::new();
    machine.write("project/.ruleward/policy.yaml", "version: 1\ndisable: [{ rule: '*', reason: tired }]\nrules:\n  - { id: a, when: tool.before, command: x, then: { context: c } }\n  - { id: b, when: tool.before, then: { allow: yes } }\n");
    let first = machine.run(&["lint"], b"");
    machine.write("project/.ruleward/policy.yaml", "version: 1\nrules:\n  - id: a\n    when: tool.befor\n    files: { acces: [write], paths: ['a['] }\n    then: { dny: x }\n");
    let runs = [
        ("lint", first),
        ("lint", machine.run(&["lint"], b"")),
        ("lint --json", machine.run(&["lint", "--json"], b"")),
    ];
    snapshot("lint", &runs, &machine);
}

#[test]
fn packs_are_readable() {
    let machine = Machine::new();
    let shown = machine.run(&["packs", "show", "recommended"], b"");
    assert!(shown.stdout.contains("version: 1"));
    let listed = machine.run(&["packs"], b"");
    assert!(listed.stdout.contains("recommended"));
    snapshot(
        "packs_unknown",
        &[("packs show recomended", machine.run(&["packs", "show", "recomended"], b""))],
        &machine,
    );
}

#[test]
fn the_bundled_packs_pass_their_own_tests() {
    let machine = Machine::new();
    let policies = concat!(env!("CARGO_MANIFEST_DIR"), "/policies");
    let ran = machine.run(&["test", policies], b"");
    assert_eq!(ran.code, Some(0), "{}", said(&machine, &ran));
}

#[test]
fn help_is_the_manual() {
    let machine = Machine::new();
    let mut runs = Vec::new();
    for command in ["", "hook", "check", "test", "lint", "init", "import", "packs", "schema", "completions"] {
        let args: Vec<&str> = [command, "--help"].into_iter().filter(|arg| !arg.is_empty()).collect();
        runs.push((command, machine.run(&args, b"")));
    }
    snapshot("help", &runs, &machine);
}

#[test]
fn completions_know_every_shell() {
    let machine = Machine::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = machine.run(&["completions", shell], b"");
        assert!(ran.code == Some(0) && ran.stdout.contains("ruleward"), "{shell}");
    }
}

#[test]
fn output_to_a_pipe_has_no_colours() {
    let machine = Machine::new();
    let ran = machine.run(&["check", "--command", "git push --force"], b"");
    assert!(!ran.stdout.contains('\u{1b}'));
}
