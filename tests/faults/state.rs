//! What is remembered, when it cannot be had as it should be.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{DROP_ROOT, HARMFUL, HARMLESS, HOSTS, make_fifo, run};
use crate::common::{Machine, output_text, reason, refuses, skip};

const COUNTING_POLICY: &str = "version: 1
rules:
  - { id: enough, when: tool.before, if: session.calls > 1000, then: { deny: Enough. } }
";
const DATABASE: &str = ".state/ruleward/state.db";
/// More than any clock says, and less than any number that a database cannot hold.
const FUTURE: u64 = 9_000_000_000;

fn machine_with_counter() -> Machine {
    let machine = Machine::new();
    machine.write(".config/ruleward/policy.yaml", COUNTING_POLICY);
    let ran = run(machine.command(&["hook", "claude"]), &machine.shell_payload("claude", HARMLESS));
    assert_eq!(output_text(&machine, &ran), "exit 0\n");
    machine
}

/// Changes every record as a clock that has since been set back would have left it.
fn shift_database_times(machine: &Machine) {
    fn shift(value: &mut Value) {
        match value {
            Value::Number(number) if number.as_u64().is_some_and(|number| number > 1_000_000_000) => {
                *value = json!(FUTURE);
            }
            Value::Array(items) => items.iter_mut().for_each(shift),
            Value::Object(fields) => fields.values_mut().for_each(shift),
            _ => {}
        }
    }
    let database = rusqlite::Connection::open(machine.home().join(DATABASE)).unwrap();
    let rows: Vec<(String, String, String)> = {
        let mut select = database.prepare("SELECT scope, key, body FROM records").unwrap();
        let rows = select.query_map((), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
        rows.map(Result::unwrap).collect()
    };
    for (scope, key, body) in rows {
        let mut body: Value = serde_json::from_str(&body).unwrap();
        shift(&mut body);
        let changed = (body.to_string(), FUTURE.cast_signed(), scope, key);
        database.execute("UPDATE records SET body = ?1, seen = ?2 WHERE scope = ?3 AND key = ?4", changed).unwrap();
    }
}

#[test]
fn a_clock_that_was_set_back_opens_no_gate() {
    let machine = Machine::new();
    machine.write(
        ".config/ruleward/policy.yaml",
        "version: 1
gates:
  - id: reviewed
    starts: closed
    opens: [{ when: tool.before, command: review, for: 10 minutes }]
rules:
  - { id: closed, when: tool.before, command: deploy, gate: { reviewed: closed }, then: { deny: Review first. } }
",
    );
    let call = |command| run(machine.command(&["hook", "claude"]), &machine.shell_payload("claude", command));
    assert!(refuses("claude", &call("deploy")));
    call("review");
    assert!(!refuses("claude", &call("deploy")));
    shift_database_times(&machine);
    let ran = call("deploy");
    assert!(refuses("claude", &ran), "{}", output_text(&machine, &ran));
}

#[test]
fn a_clock_that_was_set_back_loses_no_count() {
    let machine = machine_with_counter();
    machine.write(".config/ruleward/policy.yaml", &COUNTING_POLICY.replace("> 1000", "> 1"));
    shift_database_times(&machine);
    let ran = run(machine.command(&["hook", "claude"]), &machine.shell_payload("claude", HARMLESS));
    assert!(reason("claude", &ran).contains("Enough."), "{}", output_text(&machine, &ran));
}

#[test]
fn a_database_that_may_not_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let machine = machine_with_counter();
    fs::set_permissions(machine.home().join(DATABASE), fs::Permissions::from_mode(0o400)).unwrap();
    for host in HOSTS {
        let ran = run(machine.command_with_prelude(DROP_ROOT, &["hook", host]), &machine.shell_payload(host, HARMLESS));
        assert!(refuses(host, &ran), "{}", output_text(&machine, &ran));
        assert!(reason(host, &ran).contains("ruleward state show"), "{}", reason(host, &ran));
    }
    fs::set_permissions(machine.home().join(DATABASE), fs::Permissions::from_mode(0o600)).unwrap();
    let ran = run(machine.command(&["hook", "claude"]), &machine.shell_payload("claude", HARMLESS));
    assert_eq!(output_text(&machine, &ran), "exit 0\n");
}

#[test]
fn a_database_that_others_may_have_written() {
    use std::os::unix::fs::{PermissionsExt, chown};
    let machine = machine_with_counter();
    let database = machine.home().join(DATABASE);
    let all_are_refused = |why: &str| {
        for host in HOSTS {
            let ran = run(machine.command(&["hook", host]), &machine.shell_payload(host, HARMLESS));
            assert!(refuses(host, &ran), "{}", output_text(&machine, &ran));
            assert!(reason(host, &ran).contains(why), "{}", reason(host, &ran));
        }
    };
    for path in [database.parent().unwrap(), &database] {
        let before = fs::metadata(path).unwrap().permissions();
        fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
        all_are_refused("other users can write");
        fs::set_permissions(path, before).unwrap();
        // To give a file away is root's right.
        if chown(path, Some(12_345), None).is_ok() {
            all_are_refused("belongs to another user");
            chown(path, Some(rustix::process::geteuid().as_raw()), None).unwrap();
        } else {
            skip("faults::state::a_database_that_others_may_have_written", "only root may give files away");
        }
    }
    let ran = run(machine.command(&["hook", "claude"]), &machine.shell_payload("claude", HARMLESS));
    assert_eq!(output_text(&machine, &ran), "exit 0\n");
}

#[test]
fn a_database_of_crafted_rows() {
    let machine = machine_with_counter();
    let deep = "[".repeat(100_000);
    for body in ["", "{", "null", "7", "{\"counts\": 3}", "{\"counts\":{\"calls\":-1}}", "\u{0}", deep.as_str()] {
        let database = rusqlite::Connection::open(machine.home().join(DATABASE)).unwrap();
        database.execute("UPDATE records SET body = ?1", (body,)).unwrap();
        drop(database);
        for host in HOSTS {
            let ran = run(machine.command(&["hook", host]), &machine.shell_payload(host, HARMFUL));
            assert!(refuses(host, &ran), "{body:.20}: {}", output_text(&machine, &ran));
        }
        let ran = run(machine.command(&["hook", "claude"]), &machine.shell_payload("claude", HARMLESS));
        assert!(refuses("claude", &ran), "{body:.20}: {}", output_text(&machine, &ran));
        assert!(reason("claude", &ran).contains("is damaged"), "{}", reason("claude", &ran));
    }
}

/// Puts something that never ends, or never begins, where the hook keeps its files.
fn assert_blocked_by_file(put: impl Fn(&Path), policy: &str, names: &[&str]) {
    for name in names {
        let machine = Machine::new();
        machine.write(".config/ruleward/policy.yaml", policy);
        let path = machine.home().join(".state/ruleward").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        put(&path);
        for host in HOSTS {
            let ran = run(machine.command(&["hook", host, "--deadline=2"]), &machine.shell_payload(host, HARMFUL));
            assert!(refuses(host, &ran), "{name}: {}", output_text(&machine, &ran));
        }
    }
}

const FILES: [&str; 9] = [
    "state.db",
    "state.lock",
    "state.db-wal",
    "state.db-shm",
    "audit.jsonl",
    "audit.lock",
    "exceptions/key",
    "exceptions/a.json",
    "policies/key",
];

#[test]
fn pipes_in_the_place_of_files() {
    assert_blocked_by_file(make_fifo, COUNTING_POLICY, &FILES);
}

#[test]
fn devices_in_the_place_of_files() {
    assert_blocked_by_file(|path| std::os::unix::fs::symlink("/dev/zero", path).unwrap(), COUNTING_POLICY, &FILES);
}

#[test]
fn directories_in_the_place_of_files() {
    assert_blocked_by_file(|path| fs::create_dir_all(path).unwrap(), COUNTING_POLICY, &FILES);
}

#[test]
fn an_audit_log_that_another_program_holds() {
    let machine = Machine::new();
    machine.write(".config/ruleward/policy.yaml", "version: 1\naudit: everything\n");
    let lock = machine.write(".state/ruleward/audit.lock", "");
    let held = fs::File::options().append(true).open(lock).unwrap();
    held.lock().unwrap();
    for host in HOSTS {
        let ran = run(machine.command(&["hook", host, "--deadline=60"]), &machine.shell_payload(host, HARMFUL));
        assert!(refuses(host, &ran), "{}", output_text(&machine, &ran));
    }
    let ran = run(machine.command(&["hook", "claude", "--deadline=60"]), &machine.shell_payload("claude", HARMLESS));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "a record that cannot be kept changes no answer");
}
