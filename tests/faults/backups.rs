//! Backups that are interrupted, or for which there is no room: what is listed is complete, and nothing is lost.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::run;
use crate::common::git::Fixture;
use crate::common::{Machine, output_text, refuses};

const FILES: usize = 400;

/// How often a call is judged until there was time to look at the repository.
const MAX_TRIES: usize = 50;

fn project(test: &str) -> Option<(Machine, Fixture)> {
    let machine = Machine::new();
    fs::remove_dir_all(machine.project()).unwrap();
    let fixture = Fixture::of_machine(test, &machine)?;
    fixture.commit(&[("a.txt", "a\n")]);
    fill(&fixture.repo());
    Some((machine, fixture))
}

fn fill(repository: &Path) {
    fs::create_dir_all(repository.join("src")).unwrap();
    for number in 0..FILES {
        let path = repository.join(format!("src/{number}.txt"));
        fs::write(&path, number.to_string().repeat(500)).unwrap();
        // Another name has it copied, which takes longest.
        let second = repository.join(format!("../second-{number}"));
        if !second.exists() {
            fs::hard_link(&path, second).unwrap();
        }
    }
}

fn assert_whole(repository: &Path) {
    for number in 0..FILES {
        let content = fs::read_to_string(repository.join(format!("src/{number}.txt"))).unwrap();
        assert_eq!(content, number.to_string().repeat(500), "{number}");
    }
}

fn ids(machine: &Machine) -> Vec<String> {
    let ran = machine.run(&["undo", "--json"], b"");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{}", output_text(machine, &ran));
    let listed: Value = serde_json::from_str(&ran.stdout).unwrap();
    let all = listed["backups"].as_array().unwrap();
    all.iter().map(|backup| backup["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_backup_that_is_killed_is_complete_or_not_there() {
    let Some((machine, fixture)) = project("a_backup_that_is_killed") else { return };
    let mut known: Vec<String> = Vec::new();
    let (mut killed, mut complete) = (0, 0);
    // Whenever it is killed, the same must hold: the times only spread the places.
    for step in 0..30_u32 {
        let mut child = machine.command(&["hook", "claude"]).spawn().unwrap();
        child.stdin.take().unwrap().write_all(&machine.shell_payload("claude", "rm -rf src")).unwrap();
        thread::sleep(Duration::from_millis(3) * step);
        child.kill().unwrap();
        let _ended = child.wait().unwrap();
        let now = ids(&machine);
        let new: Vec<&String> = now.iter().filter(|id| !known.contains(id)).collect();
        assert!(new.len() <= 1);
        for id in &new {
            fs::remove_dir_all(fixture.repo().join("src")).unwrap();
            let ran = machine.run(&["undo", id, "--yes"], b"");
            assert_eq!(ran.code, Some(0), "{}", output_text(&machine, &ran));
        }
        killed += usize::from(new.is_empty());
        complete += new.len();
        assert_whole(&fixture.repo());
        known = now;
    }
    assert!(killed > 0, "no run was killed before its backup was complete ({complete} were)");
}

#[test]
fn a_restoration_that_is_killed_leaves_whole_files_and_can_be_run_again() {
    let Some((machine, fixture)) = project("a_restoration_that_is_killed") else { return };
    // A busy machine may not read the repository in time.
    for _ in 0..MAX_TRIES {
        if !ids(&machine).is_empty() {
            break;
        }
        let ran = run(machine.command(&["hook", "claude"]), &machine.shell_payload("claude", "rm -rf src"));
        assert!(!refuses("claude", &ran), "{}", output_text(&machine, &ran));
    }
    let id = ids(&machine).pop().unwrap();
    for step in 0..10_u32 {
        fs::remove_dir_all(fixture.repo().join("src")).unwrap();
        let mut child = machine.command(&["undo", &id, "--yes"]).spawn().unwrap();
        thread::sleep(Duration::from_millis(5) * step);
        child.kill().unwrap();
        let _ended = child.wait().unwrap();
        for number in 0..FILES {
            let path = fixture.repo().join(format!("src/{number}.txt"));
            let content = fs::read_to_string(path).unwrap_or_else(|_| number.to_string().repeat(500));
            assert_eq!(content, number.to_string().repeat(500), "{number}");
        }
        assert_eq!(machine.run(&["undo", &id, "--yes"], b"").code, Some(0));
        assert_whole(&fixture.repo());
    }
}

#[test]
fn without_room_for_a_backup_a_person_is_asked() {
    let machine = Machine::new();
    fs::remove_dir_all(machine.project()).unwrap();
    let Some(fixture) = Fixture::of_machine("without_room_for_a_backup", &machine) else { return };
    fixture.commit(&[("large.txt", "x\n")]);
    fixture.write("large.txt", &"y".repeat(4 << 20));
    // A limit on the size of files is what a full disk is like to one of them.
    let command = machine.command_with_prelude("ulimit -f 2048", &["hook", "claude"]);
    let ran = run(command, &machine.shell_payload("claude", "git checkout ."));
    assert!(ran.stdout.contains("\"ask\""), "{}", output_text(&machine, &ran));
    assert!(ids(&machine).is_empty());
    let left = fs::read_dir(machine.home().join(".state/ruleward/backups")).unwrap().count();
    assert_eq!(left, 0);
}

#[test]
fn a_backup_directory_of_somebody_else_is_not_used() {
    use std::os::unix::fs::PermissionsExt as _;
    let Some((machine, _fixture)) = project("a_backup_directory_of_somebody_else") else { return };
    let directory = machine.home().join(".state/ruleward/backups");
    fs::create_dir_all(&directory).unwrap();
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o777)).unwrap();
    let ran = run(machine.command(&["hook", "claude"]), &machine.shell_payload("claude", "git clean -fd"));
    assert!(ran.stdout.contains("\"ask\""), "{}", output_text(&machine, &ran));
}

#[cfg(target_os = "linux")]
#[test]
fn another_file_system_has_copies() {
    let Some((machine, fixture)) = project("another_file_system_has_copies") else { return };
    let Ok(elsewhere) = tempfile_directory("/dev/shm") else {
        crate::common::skip("another_file_system_has_copies", "there is no /dev/shm");
        return;
    };
    // A busy machine may not read the repository in time.
    for _ in 0..MAX_TRIES {
        let mut command = machine.command(&["hook", "claude"]);
        command.env("XDG_STATE_HOME", &elsewhere);
        let ran = run(command, &machine.shell_payload("claude", "rm -rf src"));
        assert!(!refuses("claude", &ran), "{}", output_text(&machine, &ran));
        if ran.stdout.contains("ruleward undo") {
            break;
        }
    }
    fs::remove_dir_all(fixture.repo().join("src")).unwrap();
    let mut command = machine.command(&["undo", "--last", "--yes"]);
    command.env("XDG_STATE_HOME", &elsewhere);
    let ran = run(command, b"");
    assert_eq!(ran.code, Some(0), "{}", output_text(&machine, &ran));
    assert_whole(&fixture.repo());
    fs::remove_dir_all(elsewhere).unwrap();
}

#[cfg(target_os = "linux")]
fn tempfile_directory(root: &str) -> std::io::Result<std::path::PathBuf> {
    let path = Path::new(root).join(format!("ruleward-backups-{}", std::process::id()));
    fs::create_dir(&path).map(|()| path)
}
