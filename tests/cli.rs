//! The commands as a person uses them.

use std::fmt::Write as _;

use crate::common::{Machine, output_text};

fn snapshot(name: &str, runs: &[(&str, crate::common::RunOutput)], machine: &Machine) {
    let mut text = String::new();
    for (label, ran) in runs {
        writeln!(text, "$ ruleward {label}\n{}", output_text(machine, ran)).unwrap();
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
    let runs: Vec<(&str, crate::common::RunOutput)> = runs
        .iter_mut()
        .map(|(label, ran)| {
            (
                label.as_str(),
                std::mem::replace(
                    ran,
                    crate::common::RunOutput { stdout: String::new(), stderr: String::new(), code: None },
                ),
            )
        })
        .collect();
    snapshot("check", &runs, &machine);
}

#[test]
fn check_reads_a_payload() {
    let machine = Machine::new();
    let ran = machine.run(&["check", "-"], &machine.shell_payload("gemini", "git push --force"));
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
fn examples_are_held_against_their_rules() {
    let machine = Machine::new();
    machine.write("project/.ruleward/own.yaml", EXAMPLES);
    machine.write("project/.ruleward/policy.yaml", EXAMPLES);
    let runs = [
        ("test", machine.run(&["test", ".ruleward/own.yaml"], b"")),
        ("test --filter secret --json", machine.run(&["test", "--filter", "secret", "--json"], b"")),
        ("lint", machine.run(&["lint"], b"")),
    ];
    snapshot("examples", &runs, &machine);
    let good = EXAMPLES.lines().filter(|line| !line.ends_with("# wrong")).collect::<Vec<_>>().join("\n");
    machine.write("project/.ruleward/policy.yaml", &good);
    let runs = [
        ("test", machine.run(&["test", ".ruleward/policy.yaml"], b"")),
        ("lint --strict", machine.run(&["lint", "--strict"], b"")),
    ];
    assert!(runs.iter().all(|(_, ran)| ran.code == Some(0)), "{}", output_text(&machine, &runs[1].1));
    assert!(runs[0].1.stdout.starts_with("9 passed, 0 failed"), "{}", output_text(&machine, &runs[0].1));
}

/// Rules with examples that hold, and some that do not.
const EXAMPLES: &str = "\
version: 1
rules:
  - id: no-force-push
    when: [tool.before, prompt.submit]
    command: git push --force
    except: [{ command: git push mine }]
    then: { deny: no, warn: no }
    examples:
      deny:
        - sudo git push -f
        - git push  # wrong
        - git push -f mine  # wrong
      warn: git push --forc
      pass:
        - git push -f mine
        - { tool: shell, command: 'echo git push -f', cwd: /tmp }
        - git -C x push -f  # wrong
  - id: no-secrets
    mode: monitor
    when: tool.before
    files: { access: [write], paths: ['.env'] }
    then: { ask: sure? }
    examples:
      ask:
        - { tool: write, path: .env, content: 'A=1' }
        - { tool: read, path: .env }  # wrong
      pass: { tool: read, path: .env }
  - id: no-passwords
    when: prompt.submit
    host: gemini
    prompt: password
    then: { deny: no }
    examples: { deny: { prompt: my password }, pass: { prompt: my cat } }
tests:
  - name: exactly one rule
    event: git push -f
    expect: { decision: deny, rule: no-force-push, only: true }
  - name: another rule as well # wrong
    event: git push -f # wrong
    expect: { only: true } # wrong
";

#[test]
fn mutate_shows_what_escapes() {
    let machine = Machine::new();
    machine.write("project/.ruleward/policy.yaml", MUTATED);
    let few = ["test", "--mutate", "--mutations", "7"];
    let runs = [
        ("test --mutate --mutations 7", machine.run(&few, b"")),
        (
            "test --mutate --mutations 1 --filter letters --format json",
            machine.run(&["test", "--mutate", "--mutations", "1", "--filter", "letters", "--format", "json"], b""),
        ),
        ("test --mutate --filter push", machine.run(&["test", "--mutate", "--filter", "push"], b"")),
        ("test --mutations 7", machine.run(&["test", "--mutations", "7"], b"")),
    ];
    snapshot("mutate", &runs, &machine);
    assert_eq!(machine.run(&few, b"").stdout, runs[0].1.stdout);
}

/// A rule that holds, one that goes by letters, one that is too strict, and a test of files.
const MUTATED: &str = "\
version: 1
rules:
  - id: no-force-push
    when: tool.before
    command: git push --force
    then: { ask: sure? }
    examples: { ask: git push -f, pass: git push }
  - id: by-letters
    when: tool.before
    match: { tool.input.command: { regex: '^pkill x' } }
    then: { deny: no }
    examples: { deny: pkill x }
  - id: no-blanks
    when: tool.before
    match: { tool.input.command: { contains: '   ' } }
    then: { deny: no }
    examples: { pass: ls a }
  - id: no-locks
    when: tool.before
    files: { access: [write], paths: ['*.lock'] }
    then: { deny: no }
tests:
  - name: a file by a tool
    event: { tool: write, path: a.lock, content: x }
    expect: { decision: deny, rule: no-locks }
  - name: a file that is only read
    event: { tool: read, path: a.lock }
    expect: { decision: ask }
";

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
    assert_eq!(ran.code, Some(0), "{}", output_text(&machine, &ran));
}

#[test]
fn conditions_hold_for_what_they_say() {
    let machine = Machine::new();
    let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/policies");
    let ran = machine.run(&["test", tests], b"");
    assert_eq!(ran.code, Some(0), "{}", output_text(&machine, &ran));
}

#[test]
fn policies_with_tests_in_them_pass_them() {
    let machine = Machine::new();
    for name in ["answers", "gates", "permissions", "retries"] {
        let path = format!("{}/tests/policies/{name}.yaml", env!("CARGO_MANIFEST_DIR"));
        let ran = machine.run(&["test", &path], b"");
        let passed = ran.stdout.ends_with(" passed, 0 failed\n") && !ran.stdout.starts_with("0 ");
        assert!(ran.code == Some(0) && passed, "{name}: {}", output_text(&machine, &ran));
    }
}

#[test]
fn what_is_found_is_taken_out() {
    let machine = Machine::new();
    let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/policies/redaction.test.yaml");
    let ran = machine.run(&["test", tests], b"");
    assert_eq!(ran.code, Some(0), "{}", output_text(&machine, &ran));
}

#[test]
fn help_is_the_manual() {
    let machine = Machine::new();
    let mut runs = Vec::new();
    let commands = ["", "hook", "check", "test", "lint", "init", "import", "packs", "schema", "completions", "scan"];
    for command in commands {
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
