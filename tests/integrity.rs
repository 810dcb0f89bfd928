//! The check for tampering, through whole hook processes: what a call changes is restored and refused, what a
//! person changes is accepted.

use std::fs;
use std::path::Path;

use crate::common::{Machine, RunOutput, reason, refuses};
use serde_json::{Value, json};

const SETTINGS: &str = ".claude/settings.json";
const POLICY: &str = ".config/ruleward/policy.yaml";
const PROJECT_POLICY: &str = "project/.ruleward/policy.yaml";
const LOG: &str = ".state/ruleward/audit.jsonl";
const TEXT: &str =
    "version: 1\nterminals: [script]\nrules:\n  - { id: no-x, when: tool.before, command: x, then: { deny: No. } }\n";

/// A machine with a registered hook, policies, a record in the log, and a seal.
fn machine() -> Machine {
    let machine = Machine::new();
    machine.write(POLICY, TEXT);
    machine.write(PROJECT_POLICY, &TEXT.replace("no-x", "no-y").replace("command: x", "command: y"));
    let ran = machine.run(&["install", "claude"], b"");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(refuses("claude", &before(&machine, "0", "x")));
    machine
}

fn shell(machine: &Machine, event: &str, id: &str, command: &str) -> RunOutput {
    let mut fields = json!({ "tool_name": "Bash", "tool_input": { "command": command }, "tool_use_id": id });
    if event == "PostToolUse" {
        fields["tool_response"] = json!({ "stdout": "", "stderr": "", "interrupted": false });
    }
    machine.run(&["hook", "claude"], &machine.payload(event, &fields))
}

fn before(machine: &Machine, id: &str, command: &str) -> RunOutput {
    shell(machine, "PreToolUse", id, command)
}

fn after(machine: &Machine, id: &str, command: &str) -> RunOutput {
    shell(machine, "PostToolUse", id, command)
}

fn say(machine: &Machine, event: &str, fields: &Value) -> RunOutput {
    machine.run(&["hook", "claude"], &machine.payload(event, fields))
}

fn blocks(ran: &RunOutput) -> Option<String> {
    let answer: Value = serde_json::from_str(&ran.stdout).ok()?;
    (answer["decision"] == "block").then(|| answer["reason"].as_str().unwrap_or_default().to_owned())
}

fn is_silent(ran: &RunOutput) -> bool {
    ran.stdout.is_empty() && ran.code == Some(0)
}

/// Has a call change something; returns what is said after it.
fn tamper(machine: &Machine, change: &dyn Fn()) -> RunOutput {
    let ran = before(machine, "1", "make");
    assert!(is_silent(&ran), "{}", ran.stdout);
    change();
    after(machine, "1", "make")
}

fn records(machine: &Machine, name: &str) -> usize {
    let log = machine.read(LOG).unwrap_or_default();
    log.lines().filter(|line| line.contains(&format!("\"event.name\":\"ruleward.integrity.{name}\""))).count()
}

fn write(machine: &Machine, path: &str, text: &str) {
    machine.write(path, text);
}

fn remove(machine: &Machine, path: &str) {
    let path = machine.home().join(path);
    if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
}

/// A change of something that is watched, and the file that has to be as before.
type Case<'a> = (&'a str, &'a str, Box<dyn Fn(&Machine)>);

fn cases() -> Vec<Case<'static>> {
    settings_cases().into_iter().chain(other_cases()).collect()
}

fn settings_cases() -> Vec<Case<'static>> {
    let settings = |machine: &Machine, key: &str, value: Value| {
        let mut settings: Value = serde_json::from_str(&machine.read(SETTINGS).unwrap()).unwrap();
        settings[key] = value;
        machine.write(SETTINGS, &settings.to_string());
    };
    vec![
        ("settings deleted", SETTINGS, Box::new(|machine| remove(machine, SETTINGS))),
        ("settings emptied", SETTINGS, Box::new(|machine| write(machine, SETTINGS, "{}"))),
        ("settings broken", SETTINGS, Box::new(|machine| write(machine, SETTINGS, "{"))),
        ("hooks disabled", SETTINGS, Box::new(move |machine| settings(machine, "disableAllHooks", json!(true)))),
        (
            "places moved",
            SETTINGS,
            Box::new(move |machine| settings(machine, "env", json!({ "XDG_CONFIG_HOME": "/tmp" }))),
        ),
        (
            "directory moved",
            SETTINGS,
            Box::new(|machine| {
                fs::rename(machine.home().join(".claude"), machine.home().join("c")).unwrap();
            }),
        ),
        (
            "hooks disabled elsewhere",
            ".claude/remote-settings.json",
            Box::new(|machine| {
                write(machine, ".claude/remote-settings.json", r#"{"disableAllHooks": true}"#);
            }),
        ),
        (
            "hooks disabled in the project",
            "project/.claude/settings.local.json",
            Box::new(|machine| {
                write(machine, "project/.claude/settings.local.json", r#"{"disableAllHooks": true}"#);
            }),
        ),
    ]
}

fn other_cases() -> Vec<Case<'static>> {
    vec![
        ("policy deleted", POLICY, Box::new(|machine| remove(machine, ".config/ruleward"))),
        ("policy changed", POLICY, Box::new(|machine| write(machine, POLICY, "version: 1\ntamper: off\n"))),
        ("policy broken", POLICY, Box::new(|machine| write(machine, POLICY, "version: 2"))),
        (
            "project's policy changed",
            PROJECT_POLICY,
            Box::new(|machine| write(machine, PROJECT_POLICY, "version: 1\n")),
        ),
        ("project's policy deleted", PROJECT_POLICY, Box::new(|machine| remove(machine, "project/.ruleward"))),
        (
            "project's policy added",
            "project/.ruleward/policy.local.yaml",
            Box::new(|machine| {
                write(machine, "project/.ruleward/policy.local.yaml", "version: 1\ndefaults: none\n");
            }),
        ),
        (
            "exception added",
            ".state/ruleward/exceptions/abcdefgh.json",
            Box::new(|machine| {
                write(machine, ".state/ruleward/exceptions/abcdefgh.json", "{}");
            }),
        ),
        (
            "trust added",
            ".state/ruleward/trust/0123.json",
            Box::new(|machine| {
                write(machine, ".state/ruleward/trust/0123.json", "{}");
            }),
        ),
        ("log emptied", LOG, Box::new(|machine| write(machine, LOG, ""))),
        ("log deleted", LOG, Box::new(|machine| remove(machine, LOG))),
        ("state deleted", LOG, Box::new(|machine| remove(machine, ".state/ruleward"))),
    ]
}

#[test]
fn what_a_call_changes_is_restored_and_locks() {
    for (what, path, change) in cases() {
        let machine = machine();
        let was = machine.read(path);
        let ran = tamper(&machine, &|| change(&machine));
        let said = blocks(&ran).unwrap_or_else(|| panic!("{what}: {} {}", ran.stdout, ran.stderr));
        assert!(said.contains("ruleward accept") && said.contains("restored"), "{what}: {said}");
        let now = machine.read(path);
        let is_restored = if path == LOG {
            now.as_ref().is_some_and(|now| now.starts_with(was.as_deref().unwrap()))
        } else {
            now == was
        };
        assert!(is_restored, "{what}: {was:?} {now:?}");
        assert_eq!(records(&machine, "tampered"), 1, "{what}");
        // Whatever comes next, in any session.
        for ran in [before(&machine, "2", "ls"), before(&machine, "3", "pwd")] {
            assert!(refuses("claude", &ran), "{what}: {}", ran.stdout);
            assert!(reason("claude", &ran).contains("ruleward accept"), "{what}");
        }
        let notice = say(&machine, "UserPromptSubmit", &json!({ "prompt": "hello" }));
        assert!(notice.stdout.contains("ruleward accept") && blocks(&notice).is_none(), "{what}: {}", notice.stdout);
    }
}

#[test]
fn what_a_person_changes_is_accepted() {
    for (what, path, change) in cases().into_iter().filter(|(_, path, _)| *path != LOG) {
        let machine = machine();
        assert!(is_silent(&before(&machine, "1", "make")) && is_silent(&after(&machine, "1", "make")), "{what}");
        std::thread::sleep(std::time::Duration::from_millis(2100));
        change(&machine);
        let now = machine.read(path);
        let ran = before(&machine, "2", "make");
        assert!(!reason("claude", &ran).contains("accept"), "{what}: {}", ran.stdout);
        let again = before(&machine, "3", "make");
        assert!(!reason("claude", &again).contains("accept"), "{what}: {}", again.stdout);
        assert_eq!(machine.read(path), now, "{what}");
        assert_eq!(records(&machine, "tampered"), 0, "{what}");
        assert_eq!(records(&machine, "changed"), 1, "{what}");
    }
}

#[test]
fn a_log_or_seal_that_a_person_removes_is_told_and_locks_nobody() {
    for path in [LOG, ".local/share/ruleward"] {
        let machine = machine();
        remove(&machine, path);
        let ran = before(&machine, "1", "make");
        assert!(!refuses("claude", &ran), "{path}: {}", ran.stdout);
        assert!(ran.stdout.contains("ruleward: "), "{path}: {}", ran.stdout);
        assert_eq!(records(&machine, "lost"), 1, "{path}");
        assert!(is_silent(&after(&machine, "1", "make")), "{path}");
    }
}

#[test]
fn what_a_host_writes_itself_is_no_tampering() {
    let machine = machine();
    let mut settings: Value = serde_json::from_str(&machine.read(SETTINGS).unwrap()).unwrap();
    settings["permissions"] = json!({ "allow": ["Bash(make)"] });
    settings["model"] = json!("m");
    let text = settings.to_string();
    let ran = tamper(&machine, &|| {
        write(&machine, SETTINGS, &text);
        write(&machine, "project/.claude/settings.local.json", r#"{"permissions": {"allow": ["Bash(ls)"]}}"#);
    });
    assert!(is_silent(&ran), "{}", ran.stdout);
    assert_eq!(machine.read(SETTINGS).unwrap(), text);
    // What is restored later is what the host wrote last.
    assert!(blocks(&tamper(&machine, &|| remove(&machine, SETTINGS))).is_some());
    assert_eq!(machine.read(SETTINGS).unwrap(), text);
}

#[test]
fn a_call_that_runs_beside_others_is_found_out() {
    let machine = machine();
    assert!(is_silent(&before(&machine, "long", "make")));
    assert!(is_silent(&before(&machine, "short", "ls")));
    assert!(is_silent(&after(&machine, "short", "ls")));
    write(&machine, POLICY, "version: 1\n");
    assert!(refuses("claude", &before(&machine, "next", "pwd")));
    assert_eq!(machine.read(POLICY).unwrap(), TEXT);
}

#[test]
fn a_process_that_a_call_leaves_behind_is_found_out() {
    let machine = machine();
    assert!(is_silent(&before(&machine, "1", "make &")) && is_silent(&after(&machine, "1", "make &")));
    write(&machine, POLICY, "version: 1\n");
    assert!(refuses("claude", &before(&machine, "2", "ls")));
    assert_eq!(machine.read(POLICY).unwrap(), TEXT);
}

#[test]
fn a_call_that_never_ran_blames_nobody() {
    let machine = machine();
    // The user turns the call down, changes the policy, and goes on.
    assert!(is_silent(&before(&machine, "1", "make")));
    write(&machine, POLICY, "version: 1\n");
    assert!(is_silent(&say(&machine, "UserPromptSubmit", &json!({ "prompt": "go on" }))));
    assert!(is_silent(&before(&machine, "2", "ls")));
    // A call that is refused does not run, and one that reads changes nothing.
    assert!(refuses("claude", &before(&machine, "3", "y")));
    let read = json!({ "tool_name": "Read", "tool_input": { "file_path": "a" }, "tool_use_id": "4" });
    say(&machine, "UserPromptSubmit", &json!({ "prompt": "go on" }));
    assert!(is_silent(&say(&machine, "PreToolUse", &read)));
    write(&machine, POLICY, TEXT);
    assert!(is_silent(&before(&machine, "5", "ls")));
}

#[test]
fn a_policy_that_comes_with_another_commit_is_left_to_trust() {
    for (line, is_move) in [("checkout: moving from main to other", true), ("commit: mine", false)] {
        let machine = machine();
        let (old, new) = ("1".repeat(40), "2".repeat(40));
        machine.write("project/.git/HEAD", "ref: refs/heads/main\n");
        machine.write("project/.git/refs/heads/main", &format!("{old}\n"));
        let ran = tamper(&machine, &|| {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
            machine.write("project/.git/HEAD", "ref: refs/heads/other\n");
            machine.write("project/.git/packed-refs", &format!("# pack-refs\n{new} refs/heads/other\n"));
            machine.write("project/.git/logs/HEAD", &format!("{old} {new} A <a@b.c> {now} +0000\t{line}\n"));
            machine.write(PROJECT_POLICY, "version: 1\n");
        });
        assert_eq!(blocks(&ran).is_none(), is_move, "{line}: {}", ran.stdout);
        assert_eq!(machine.read(PROJECT_POLICY).unwrap() == "version: 1\n", is_move);
        assert_eq!(ran.stdout.contains("another commit"), is_move, "{}", ran.stdout);
    }
}

#[test]
fn a_policy_has_changes_only_refused_or_ignored() {
    for (setting, is_locked) in [("deny", true), ("off", false), ("restore", true)] {
        let machine = machine();
        let text = format!("{TEXT}tamper: {setting}\n");
        write(&machine, POLICY, &text);
        say(&machine, "UserPromptSubmit", &json!({ "prompt": "go on" }));
        let ran = tamper(&machine, &|| write(&machine, POLICY, "version: 1\ntamper: off\n"));
        assert_eq!(blocks(&ran).is_some(), is_locked, "{setting}: {}", ran.stdout);
        assert_eq!(refuses("claude", &before(&machine, "2", "ls")), is_locked, "{setting}");
        assert_eq!(machine.read(POLICY).unwrap() == text, setting == "restore", "{setting}");
    }
    // A project cannot turn it off.
    let machine = machine();
    write(&machine, PROJECT_POLICY, "version: 1\ntamper: off\n");
    say(&machine, "UserPromptSubmit", &json!({ "prompt": "go on" }));
    assert!(blocks(&tamper(&machine, &|| remove(&machine, POLICY))).is_some());
    assert!(machine.run(&["lint"], b"").stdout.contains("`tamper` in a project's policy is ignored"));
}

#[test]
fn without_tampering_nothing_is_written_but_the_call() {
    let machine = machine();
    let seal = machine.home().join(".local/share/ruleward/seal/seal.1");
    let written = || fs::metadata(&seal).unwrap().modified().unwrap();
    let first = written();
    for number in 0..3 {
        let id = number.to_string();
        assert!(is_silent(&before(&machine, &id, "make")) && is_silent(&after(&machine, &id, "make")));
    }
    assert_eq!(written(), first);
    let calls = fs::read_dir(seal.with_file_name("calls")).unwrap().count();
    assert_eq!(calls, 0);
}

#[cfg(unix)]
#[test]
fn links_and_permissions_come_back() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let machine = machine();
    let (policy, target) = (machine.home().join(POLICY), machine.home().join("dotfiles/policy.yaml"));
    write(&machine, "dotfiles/policy.yaml", TEXT);
    fs::remove_file(&policy).unwrap();
    symlink(&target, &policy).unwrap();
    say(&machine, "UserPromptSubmit", &json!({ "prompt": "go on" }));
    let changes: [&dyn Fn(); 4] = [
        &|| {
            fs::remove_file(&policy).unwrap();
            fs::write(&policy, "version: 1\n").unwrap();
        },
        &|| fs::write(&target, "version: 1\n").unwrap(),
        &|| {
            fs::remove_file(&policy).unwrap();
            symlink("/dev/null", &policy).unwrap();
        },
        &|| fs::set_permissions(&target, fs::Permissions::from_mode(0o000)).unwrap(),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        change();
        assert!(blocks(&after(&machine, "1", "make")).is_some(), "{number}");
        assert_eq!(fs::read_link(&policy).unwrap(), target, "{number}");
        assert_eq!(fs::read_to_string(&policy).unwrap(), TEXT, "{number}");
        assert_ne!(fs::metadata(&policy).unwrap().permissions().mode() & 0o700, 0, "{number}");
    }
}

#[test]
fn a_log_that_was_deleted_is_no_whole_one() {
    for change in ["delete", "shorten", "none"] {
        let machine = machine();
        assert!(refuses("claude", &before(&machine, "1", "y")));
        let log = machine.read(LOG).unwrap();
        match change {
            "delete" => remove(&machine, LOG),
            "shorten" => write(&machine, LOG, &format!("{}\n", log.lines().next().unwrap())),
            _ => {}
        }
        let ran = machine.run(&["audit", "verify"], b"");
        assert_eq!(ran.code, Some(i32::from(change != "none")), "{change}: {}", ran.stdout);
    }
}

/// Returns whether the copy beside the log is the same.
fn is_mirrored(machine: &Machine) -> bool {
    machine.read(LOG) == fs::read_to_string(machine.home().join(".local/share/ruleward/seal/audit.jsonl")).ok()
}

#[test]
fn the_copy_of_the_log_catches_up() {
    let machine = machine();
    assert!(is_mirrored(&machine));
    fs::remove_file(machine.home().join(".local/share/ruleward/seal/audit.jsonl")).unwrap();
    assert!(refuses("claude", &before(&machine, "1", "y")));
    assert!(is_mirrored(&machine));
}

#[cfg(target_os = "linux")]
mod at_a_terminal {
    use super::{
        LOG, POLICY, Path, SETTINGS, TEXT, after, before, blocks, is_silent, machine, records, refuses, remove, tamper,
        write,
    };
    use crate::common::terminal::run_in_script;

    #[test]
    fn a_person_accepts_or_discards() {
        for (arguments, is_accepted) in [(&["accept", "--yes"][..], true), (&["accept", "--yes", "--discard"], false)] {
            let machine = machine();
            let changed = TEXT.replace("No.", "Never.");
            assert!(blocks(&tamper(&machine, &|| write(&machine, POLICY, &changed))).is_some());
            let refused = machine.run(arguments, b"yes\n");
            assert_eq!(refused.code, Some(2), "{}", refused.stdout);
            assert!(refuses("claude", &before(&machine, "2", "ls")));
            let ran = run_in_script(&machine, arguments, "", &[]);
            assert_eq!(ran.code, Some(0), "{}", ran.stdout);
            assert!(ran.stdout.contains("Never."), "{}", ran.stdout);
            assert_eq!(machine.read(POLICY).unwrap() == changed, is_accepted);
            assert!(is_silent(&before(&machine, "3", "ls")) && is_silent(&after(&machine, "3", "ls")));
            assert_eq!(records(&machine, "accepted") + records(&machine, "discarded"), 1);
            // The next one is found as before.
            assert!(blocks(&tamper(&machine, &|| remove(&machine, POLICY))).is_some());
        }
        let ran = machine().run(&["accept"], b"");
        assert!(ran.code == Some(0) && ran.stdout.contains("no changes to review"), "{}", ran.stdout);
    }

    #[test]
    fn a_persons_own_command_during_a_call_is_no_tampering() {
        let machine = machine();
        assert!(is_silent(&before(&machine, "1", "make")));
        for arguments in [&["uninstall", "claude"][..], &["install", "claude"], &["trust", "--yes"]] {
            let ran = run_in_script(&machine, arguments, "", &[]);
            assert_eq!(ran.code, Some(0), "{}", ran.stdout);
        }
        let ran = after(&machine, "1", "make");
        assert!(blocks(&ran).is_none(), "{}", ran.stdout);
        // What a call changes in the meantime is not covered by it.
        assert!(is_silent(&before(&machine, "2", "make")));
        write(&machine, POLICY, "version: 1\n");
        assert_eq!(run_in_script(&machine, &["install", "claude"], "", &[]).code, Some(0));
        assert!(blocks(&after(&machine, "2", "make")).is_some());
        assert_eq!(machine.read(POLICY).unwrap(), TEXT);
        assert!(Path::new(&machine.home().join(SETTINGS)).is_file() && machine.read(LOG).is_some());
    }
}
