//! What is remembered between events: counted exactly, kept whole, and failing as configured.

mod budgets;
mod gate_durations;
mod gates;
mod response_cache;
mod stream_chunks;
mod streams;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use crate::common::{Machine, RunOutput, iterations, output_text};
use serde_json::{Value, json};

const DATABASE: &str = ".state/ruleward/state.db";

const COUNTING_POLICY: &str = "version: 1
defaults: none
audit: off
rules:
  - id: enough
    when: tool.before
    if: session.calls > 200
    then: { deny: \"{{ session.calls }} calls, {{ project.commands }} commands in the project\" }
";

fn machine(policy: &str) -> Machine {
    let machine = Machine::new();
    machine.write(".config/ruleward/policy.yaml", policy);
    machine
}

fn send_call(machine: &Machine) -> RunOutput {
    machine.run(&["hook", "claude"], &machine.shell_payload("claude", "ls; pwd"))
}

fn reason(ran: &RunOutput) -> String {
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
    answer["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap_or_default().to_owned()
}

/// Runs so many hooks on one session, as many at once as there are, and returns what they said.
fn run_concurrently(machine: &Machine, hooks: usize) -> Vec<RunOutput> {
    let payload = machine.shell_payload("claude", "ls; pwd");
    let children: Vec<_> = (0..hooks)
        .map(|_| {
            let mut command = machine.command(&["hook", "claude", "--deadline=600"]);
            let mut child = command.spawn().unwrap();
            child.stdin.take().unwrap().write_all(&payload).unwrap();
            child
        })
        .collect();
    let finish = |child: std::process::Child| {
        let output = child.wait_with_output().unwrap();
        RunOutput {
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code(),
        }
    };
    children.into_iter().map(finish).collect()
}

#[test]
fn no_count_is_lost_between_hooks_that_run_at_once() {
    let machine = machine(&COUNTING_POLICY.replace("> 200", &format!("> {}", iterations(200, 500))));
    let hooks = iterations(200, 500);
    for ran in run_concurrently(&machine, hooks) {
        assert_eq!((output_text(&machine, &ran).as_str(), ran.stderr.as_str()), ("exit 0\n", ""));
    }
    let (calls, commands) = (hooks + 1, 2 * (hooks + 1));
    assert_eq!(reason(&send_call(&machine)), format!("{calls} calls, {commands} commands in the project"));
}

#[test]
fn nothing_is_opened_for_a_policy_that_remembers_nothing() {
    let machine =
        machine("version: 1\nrules:\n  - { id: a, when: tool.before, if: session.id == 's', then: { ask: Sure? } }\n");
    assert!(output_text(&machine, &send_call(&machine)).contains("ask"));
    assert!(!machine.home().join(DATABASE).exists());
    machine.write(".config/ruleward/policy.yaml", COUNTING_POLICY);
    machine.run(&["hook", "claude"], &machine.payload("SessionStart", &json!({ "source": "startup" })));
    assert!(!machine.home().join(DATABASE).exists(), "a moment at which nothing is counted");
    send_call(&machine);
    assert!(machine.home().join(DATABASE).exists());
}

#[test]
fn sessions_and_projects_are_apart() {
    let machine = machine(&COUNTING_POLICY.replace("> 200", "> 0"));
    assert_eq!(reason(&send_call(&machine)), "1 calls, 2 commands in the project");
    let mut other: Value = serde_json::from_slice(&machine.shell_payload("claude", "ls")).unwrap();
    other["session_id"] = json!("other");
    let ran = machine.run(&["hook", "claude"], other.to_string().as_bytes());
    assert_eq!(reason(&ran), "1 calls, 3 commands in the project");
}

#[cfg(unix)]
#[test]
fn the_memory_is_for_the_person_alone() {
    use std::os::unix::fs::PermissionsExt;
    let machine = machine(COUNTING_POLICY);
    send_call(&machine);
    let directory = machine.home().join(DATABASE);
    for entry in fs::read_dir(directory.parent().unwrap()).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o077, 0, "{}", entry.path().display());
    }
}

#[test]
fn the_log_of_the_database_stays_short() {
    let machine = machine(COUNTING_POLICY);
    let mut log = machine.home().join(DATABASE).into_os_string();
    log.push("-wal");
    let mut longest = 0;
    for _ in 0..150 {
        send_call(&machine);
        longest = longest.max(fs::metadata(&log).unwrap().len());
    }
    // Each call adds a page and more: without ever beginning anew it would be 600 KiB and more.
    assert!((100_000..400_000).contains(&longest), "{longest}");
    assert!(fs::metadata(&log).unwrap().len() < longest, "it was never emptied");
}

/// Makes the database unusable in some way.
type Corruption = fn(&PathBuf);

const CORRUPTIONS: [(&str, Corruption, &str); 5] = [
    ("garbage", |path| fs::write(path, "not a database at all".repeat(400)).unwrap(), "is damaged"),
    ("torn", |path| fs::write(path, "SQLite format 3\0\u{10}\0").unwrap(), "is damaged"),
    ("foreign", |path| fs::write(path, foreign_database()).unwrap(), "is a database of another program"),
    ("directory", |path| fs::create_dir(path).unwrap(), "is not a file"),
    ("elsewhere", |path| fs::write(path.parent().unwrap(), "").unwrap(), "could not be opened"),
];

fn make_directory(spoil: &str, path: &Path) {
    let directory = path.parent().unwrap();
    fs::create_dir_all(if spoil == "elsewhere" { directory.parent().unwrap() } else { directory }).unwrap();
}

/// Returns a database of another program.
fn foreign_database() -> Vec<u8> {
    let path = std::env::temp_dir().join(format!("ruleward-foreign-{}", std::process::id()));
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch("CREATE TABLE IF NOT EXISTS notes (text TEXT)").unwrap();
    drop(connection);
    let bytes = fs::read(&path).unwrap();
    fs::remove_file(path).unwrap();
    bytes
}

#[test]
fn a_memory_that_cannot_be_used_fails_as_configured() {
    for (name, spoil, why) in CORRUPTIONS {
        for (setting, decision) in [("deny", "deny"), ("ask", "ask")] {
            let machine = machine(&format!("{COUNTING_POLICY}on_state_error: {setting}\n"));
            let path = machine.home().join(DATABASE);
            make_directory(name, &path);
            spoil(&path);
            let ran = machine.run(&["hook", "claude", "--interactive"], &machine.shell_payload("claude", "ls"));
            let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
            let output = &answer["hookSpecificOutput"];
            assert_eq!(output["permissionDecision"], decision, "{name}");
            let reason = output["permissionDecisionReason"].as_str().unwrap();
            assert!(reason.contains(why) && reason.contains("ruleward state reset"), "{name}: {reason}");
        }
        let machine = machine(&format!("{COUNTING_POLICY}on_state_error: allow\n"));
        let path = machine.home().join(DATABASE);
        make_directory(name, &path);
        spoil(&path);
        assert!(!send_call(&machine).stdout.contains("deny"), "{name}");
        let kept = machine.read(DATABASE).is_some_and(|text| text.starts_with("not a database"));
        assert!(name != "garbage" || kept, "what is damaged is left for people to look at");
    }
}

#[test]
fn a_memory_that_is_held_for_long_fails_as_configured() {
    let machine = machine(COUNTING_POLICY);
    send_call(&machine);
    let holder = rusqlite::Connection::open(machine.home().join(DATABASE)).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert!(reason(&send_call(&machine)).contains("was locked by another program"));
    holder.execute_batch("ROLLBACK").unwrap();
    assert_eq!(reason(&send_call(&machine)), "");
}

#[test]
fn what_is_saved_is_whole_after_any_death() {
    let machine = machine(&COUNTING_POLICY.replace("> 200", "> 1000000"));
    let begun = Instant::now();
    send_call(&machine);
    // Over all the time that a hook takes on this machine now.
    let whole = begun.elapsed();
    let mut least = 1;
    for round in 0..u32::try_from(iterations(60, 1000)).unwrap() {
        let mut child = machine.command(&["hook", "claude"]).spawn().unwrap();
        child.stdin.take().unwrap().write_all(&machine.shell_payload("claude", "ls; pwd")).unwrap();
        thread::sleep(whole * (round % 40) / 40);
        child.kill().unwrap();
        child.wait().unwrap();
        let connection = rusqlite::Connection::open(machine.home().join(DATABASE)).unwrap();
        let body: String =
            connection.query_row("SELECT body FROM records WHERE scope = 'session'", (), |row| row.get(0)).unwrap();
        let calls = serde_json::from_str::<Value>(&body).unwrap()["counts"]["calls"].as_u64().unwrap();
        assert!(calls == least || calls == least + 1, "{calls} after {least}");
        least = calls;
    }
    assert_eq!(send_call(&machine).stdout, "", "the memory is in use as before");
}
