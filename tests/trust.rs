//! What a project's policy may do before and after a person trusts it, and who can say so.

#![cfg(target_os = "linux")]
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;

use crate::common::terminal::run_at_terminal;
use crate::common::{Machine, output_text, skip};
use serde_json::Value;

const POLICY: &str = "\
version: 1
disable:
  - { rule: 'git-push-*', reason: Branches here are ours. }
rules:
  # Tests are quick.
  - id: tests
    when: tool.before
    command: npm test
    then:
      allow: Tests may run.

  - id: no-yarn
    when: tool.before
    command: yarn
    then: { deny: Use npm., context: This project uses npm. }
";

fn machine() -> Machine {
    let machine = Machine::new();
    machine.write("project/.ruleward/policy.yaml", POLICY);
    machine
}

fn decision(machine: &Machine, command: &str) -> (Option<String>, String) {
    let ran = machine.run(&["hook", "claude"], &machine.shell_payload("claude", command));
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
    let said = &answer["hookSpecificOutput"];
    let word = said["permissionDecision"].as_str().map(ToOwned::to_owned);
    (word, machine.normalize(&answer.to_string()))
}

/// Trusts the project at a terminal, which has to work.
fn grant_trust(machine: &Machine) {
    let ran = run_at_terminal(machine, &["trust", "--yes"], "", &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
}

/// Returns the one record of trust.
fn trust_record(machine: &Machine) -> PathBuf {
    let mut found = fs::read_dir(machine.home().join(".state/ruleward/trust")).unwrap();
    found.next().unwrap().unwrap().path()
}

#[test]
fn what_is_not_trusted_only_refuses_and_asks() {
    let machine = machine();
    assert_eq!(decision(&machine, "npm test").0, None);
    assert_eq!(decision(&machine, "git push --force").0.as_deref(), Some("ask"));
    let (word, answer) = decision(&machine, "yarn");
    assert_eq!(word.as_deref(), Some("deny"));
    assert!(answer.contains("which the user has not trusted yet, says: Use npm."), "{answer}");
    assert!(!answer.contains("This project uses npm."), "{answer}");
    grant_trust(&machine);
    assert_eq!(decision(&machine, "npm test").0.as_deref(), Some("allow"));
    assert_eq!(decision(&machine, "git push --force").0, None);
    let (word, answer) = decision(&machine, "yarn");
    assert_eq!(word.as_deref(), Some("deny"));
    assert!(!answer.contains("no person") && answer.contains("This project uses npm."), "{answer}");
}

#[test]
fn trust_weakens_nothing_that_the_person_said() {
    let machine = machine();
    machine.write(
        ".config/ruleward/policy.yaml",
        "version: 1\nextends: [git]\nrules: [{ id: no-npm, when: tool.before, command: npm, then: { deny: Not npm. } }]\n",
    );
    grant_trust(&machine);
    assert_eq!(decision(&machine, "npm test").0.as_deref(), Some("deny"));
    assert_eq!(decision(&machine, "git push --force").0.as_deref(), Some("ask"));
}

#[test]
fn a_person_is_shown_and_asked() {
    let machine = machine();
    let mut runs = vec![("trust, answered `no`", run_at_terminal(&machine, &["trust"], "no\n", &[]))];
    runs.push(("trust, answered `yes`", run_at_terminal(&machine, &["trust"], "yes\n", &[])));
    runs.push(("trust", run_at_terminal(&machine, &["trust"], "", &[])));
    machine.write("project/.ruleward/policy.yaml", &POLICY.replace("npm test", "npm run *"));
    runs.push(("trust, after a change", run_at_terminal(&machine, &["trust"], "\n", &[])));
    runs.push(("trust --revoke", machine.run(&["trust", "--revoke"], b"")));
    runs.push(("trust --revoke", machine.run(&["trust", "--revoke"], b"")));
    runs.push(("trust --list", machine.run(&["trust", "--list"], b"")));
    let text: String = runs
        .iter()
        .flat_map(|(label, ran)| ["$ ruleward ", label, "\n", &output_text(&machine, ran), "\n"].map(ToOwned::to_owned))
        .collect();
    let times = regex::Regex::new(r"\d{4}-\d\d-\d\dT[0-9:]{8}Z").unwrap();
    insta::assert_snapshot!("trust", times.replace_all(&text, "TIME"));
}

#[test]
fn nobody_else_can_say_so() {
    let machine = machine();
    let refused = |ran: &crate::common::RunOutput, why: &str| {
        assert_eq!(ran.code, Some(2), "{}", ran.stdout);
        assert!(format!("{}{}", ran.stdout, ran.stderr).contains(why), "{}{}", ran.stdout, ran.stderr);
    };
    refused(&machine.run(&["trust", "--yes"], b"yes\n"), "no terminal");
    for mark in ["CLAUDECODE", "GEMINI_CLI", "CODEX_SANDBOX"] {
        refused(&run_at_terminal(&machine, &["trust", "--yes"], "", &[(mark, "1")]), mark);
    }
    // A program that calls itself an agent, above a terminal.
    let agent = machine.write("bin/claude", "#!/bin/sh\n\"$@\"\nexit $?\n");
    fs::set_permissions(&agent, fs::Permissions::from_mode(0o755)).unwrap();
    let line = format!("{} {} trust --yes", agent.display(), env!("CARGO_BIN_EXE_ruleward"));
    let output = std::process::Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .current_dir(machine.project())
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", machine.home())
        .env("XDG_STATE_HOME", machine.home().join(".state"))
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("`claude` is a parent process"), "{output:?}");
    assert!(!machine.home().join(".state/ruleward/trust").exists());
}

#[test]
fn a_record_that_others_can_have_written_is_not_believed() {
    let machine = machine();
    grant_trust(&machine);
    let record = trust_record(&machine);
    let whole = fs::read_to_string(&record).unwrap();
    let directory = record.parent().unwrap().to_owned();
    let trusted = || decision(&machine, "npm test").0.is_some();
    let mode = |path: &PathBuf, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    assert!(trusted());
    assert_eq!(fs::metadata(&record).unwrap().permissions().mode() & 0o777, 0o600);

    mode(&record, 0o666);
    assert!(!trusted(), "anybody may write it");
    mode(&record, 0o600);
    mode(&directory, 0o777);
    assert!(!trusted(), "anybody may write its directory");
    mode(&directory, 0o700);
    assert!(trusted());

    for text in [
        &whole[..whole.len() / 2],
        "",
        "null",
        "[]",
        &whole.replace("npm test", "npm publish"),
        &whole.replace("project", "other"),
    ] {
        fs::write(&record, text).unwrap();
        assert!(!trusted(), "{text}");
    }
    let elsewhere = machine.write("record.json", &whole);
    mode(&elsewhere, 0o600);
    fs::remove_file(&record).unwrap();
    symlink(&elsewhere, &record).unwrap();
    assert!(!trusted(), "a link");
    fs::remove_file(&record).unwrap();
    fs::create_dir(&record).unwrap();
    assert!(!trusted(), "a directory");
    fs::remove_dir(&record).unwrap();
    fs::write(&record, &whole).unwrap();
    mode(&record, 0o600);
    assert!(trusted());
    if std::os::unix::fs::chown(&record, Some(65534), None).is_ok() {
        assert!(!trusted(), "somebody else's");
    } else {
        skip("trust::a_record_that_others_can_have_written_is_not_believed", "only root may give files away");
    }
    let notes = machine.run(&["lint"], b"");
    assert!(notes.stdout.contains("ruleward trust"), "{}", notes.stdout);
}

#[test]
fn a_project_cannot_bring_its_own_trust() {
    let machine = machine();
    grant_trust(&machine);
    let state = machine.home().join(".state");
    let inside = machine.project().join(".state");
    fs::rename(&state, &inside).unwrap();
    let mut command = machine.command(&["hook", "claude"]);
    command.env("XDG_STATE_HOME", &inside);
    let ran = Machine::run_command(command, &machine.shell_payload("claude", "npm test"));
    assert!(!ran.stdout.contains("allow"), "{}", ran.stdout);
}

#[test]
fn every_change_takes_trust_away() {
    let machine = machine();
    let trusted = || decision(&machine, "npm test").0.is_some();
    machine.write("project/.ruleward/policy.yaml", &POLICY.replace("version: 1", "version: 1\nextends: [./more.yaml]"));
    let more = machine.write("project/.ruleward/more.yaml", "version: 1\n");
    grant_trust(&machine);
    assert!(trusted());
    fs::write(&more, "version: 1\n# x\n").unwrap();
    assert!(!trusted(), "a file that it extends has changed");
    fs::write(&more, "version: 1\n").unwrap();
    assert!(trusted());
    let local = machine.write("project/.ruleward/policy.local.yaml", "version: 1\n");
    assert!(!trusted(), "a file has come");
    fs::remove_file(local).unwrap();
    assert!(trusted());
    let copy = machine.home().join("copy");
    fs::create_dir_all(copy.join(".ruleward")).unwrap();
    for name in ["policy.yaml", "more.yaml"] {
        fs::copy(machine.project().join(".ruleward").join(name), copy.join(".ruleward").join(name)).unwrap();
    }
    let payload = String::from_utf8(machine.shell_payload("claude", "npm test")).unwrap();
    let payload = payload.replace(&*machine.project().to_string_lossy(), &copy.to_string_lossy());
    let ran = machine.run(&["hook", "claude"], payload.as_bytes());
    assert_eq!(ran.stdout, "", "another place is another project");
}

#[test]
fn a_session_begins_with_a_word_on_it() {
    let machine = machine();
    let start = machine.payload("SessionStart", &serde_json::json!({ "source": "startup", "model": "m" }));
    let hook = || machine.run(&["hook", "claude"], &start).stdout;
    assert!(hook().contains("3 requests are ignored: see `ruleward trust`"), "{}", hook());
    grant_trust(&machine);
    assert_eq!(machine.read("project/.ruleward/policy.yaml").unwrap(), POLICY);
    assert!(hook().contains("A person trusts the policy of"), "told once");
    assert_eq!(hook(), "");
    machine.write("project/.ruleward/policy.yaml", "version: 1\n");
    assert!(hook().contains("has changed since you trusted it"), "{}", hook());
}

#[test]
fn what_holds_is_shown_with_its_place() {
    let machine = machine();
    machine.write(
        ".config/ruleward/policy.yaml",
        "version: 1\ndisable: [{ rule: db-*, reason: A toy. , to: monitor }, { rule: git-stash-drop, reason: Mine. }]\nrules:\n  - id: mine\n    # Why.\n    when: tool.before\n    command: make release\n    then: { ask: Now? }\n",
    );
    let mut runs = Vec::new();
    for args in [
        &["policy", "show"][..],
        &["policy", "show", "--effective", "--id", "git-push-*"],
        &["policy", "show", "--effective", "--id", "{db-drop*,git-stash-*,tests}"],
        &["policy", "show", "--effective", "--event", "config.change"],
        &["policy", "show", "mine"],
        &["policy", "show", "git-stash-drop"],
        &["policy", "show", "git-stash-dorp"],
        &["policy", "show", "--json", "--id", "t*"],
        &["policy", "show", "--event", "tool.befor"],
    ] {
        runs.push((args.join(" "), machine.run(args, b"")));
    }
    let text: String = runs
        .iter()
        .flat_map(|(label, ran)| ["$ ruleward ", label, "\n", &output_text(&machine, ran), "\n"].map(ToOwned::to_owned))
        .collect();
    // How many bundled rules there are, and where they stand, changes with the packs.
    let places = regex::Regex::new(r"(bundled +[a-z-]+):\d+").unwrap();
    let number = regex::Regex::new(r"\d+ bundled").unwrap();
    let text = number.replace_all(&text, "N bundled").into_owned();
    insta::assert_snapshot!("policy-show", places.replace_all(&text, "$1:LINE"));
}
