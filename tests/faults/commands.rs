//! What people run by hand, where other programs keep something that cannot be read: it ends, names the file
//! and leaves it as it is.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;

use super::{make_fifo, run};
#[cfg(target_os = "linux")]
use crate::common::terminal::run_as_person;
use crate::common::{Machine, output_text};

/// Puts something in the place of a file.
type PathSetup = fn(&Path);

/// Ways in which a file is none that a command could read.
const UNREADABLE_FILES: [(&str, PathSetup); 5] = [
    ("a pipe", make_fifo),
    ("a device", |path| symlink("/dev/zero", path).unwrap()),
    ("a link to itself", |path| symlink(path, path).unwrap()),
    ("a directory", |path| fs::create_dir(path).unwrap()),
    ("100 MB", |path| File::create(path).unwrap().set_len(100 << 20).unwrap()),
];

/// A machine on which these files are something else.
fn machine_with_unreadable(put: PathSetup, files: &[&str]) -> Machine {
    let machine = Machine::new();
    for file in files {
        let path = machine.home().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        put(&path);
    }
    machine
}

/// Asserts that each command ends, names this file and leaves it.
fn assert_reported(name: &str, machine: &Machine, commands: &[&[&str]], file: &str) {
    let own = file.rsplit('/').next().unwrap();
    for command in commands {
        let before = fs::symlink_metadata(machine.home().join(file)).unwrap().file_type();
        let mut program = machine.command_with_prelude("ulimit -v 2000000", command);
        program.env("PATH", "/usr/bin:/bin");
        let ran = run(program, b"");
        assert!(matches!(ran.code, Some(1 | 2)), "{name}, {command:?}: {}", output_text(machine, &ran));
        assert!(output_text(machine, &ran).contains(own), "{name}, {command:?}: {}", output_text(machine, &ran));
        let after = fs::symlink_metadata(machine.home().join(file)).unwrap().file_type();
        assert_eq!(before, after, "{name}, {command:?}");
    }
}

#[test]
fn settings_that_cannot_be_read() {
    for (name, put) in UNREADABLE_FILES {
        for (host, file) in [("claude", ".claude/settings.json"), ("gemini", ".gemini/settings.json")] {
            let machine = machine_with_unreadable(put, &[file, ".claude.json", ".gemini/trustedFolders.json"]);
            let path = machine.home().join(file);
            let commands: &[&[&str]] = &[
                &["install", host],
                &["install", host, "--dry-run"],
                &["uninstall", host, "--dry-run"],
                &["doctor", host],
                &["import", "hooks", path.to_str().unwrap()],
            ];
            assert_reported(name, &machine, commands, file);
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_was_kept_of_settings_and_cannot_be_read() {
    for (name, put) in UNREADABLE_FILES {
        let machine = Machine::new();
        machine.write(".gemini/settings.json", "{}\n");
        assert_eq!(machine.run(&["install", "gemini"], b"").code, Some(0));
        let kept = machine.home().join(".gemini/settings.json.before-ruleward");
        fs::remove_file(&kept).unwrap();
        put(&kept);
        let ran = run_as_person(&machine, &["uninstall", "gemini"]);
        assert_eq!(ran.code, Some(0), "{name}: {}", output_text(&machine, &ran));
        let left = machine.read(".gemini/settings.json").unwrap();
        assert!(!left.contains("ruleward"), "{name}: {left}");
    }
}

#[test]
fn an_extension_that_cannot_be_read() {
    for (name, put) in UNREADABLE_FILES {
        let file = ".gemini/extensions/ruleward/gemini-extension.json";
        let machine = machine_with_unreadable(put, &[file]);
        assert_reported(name, &machine, &[&["install", "gemini", "--scope", "extension"]], file);
    }
}

#[test]
fn files_to_look_through_that_cannot_be_read() {
    for (name, put) in UNREADABLE_FILES {
        let machine = machine_with_unreadable(put, &["project/trap.yaml", "project/trap.test.yaml"]);
        let ran = run(machine.command(&["scan", "."]), b"");
        assert!(matches!(ran.code, Some(0 | 2)), "{name}: {}", output_text(&machine, &ran));
        // A directory of that name is looked through.
        if name != "a directory" {
            assert_reported(name, &machine, &[&["test", "."]], "project/trap.test.yaml");
            let commands: &[&[&str]] =
                &[&["import", "gitleaks", "trap.yaml"], &["scan", "--baseline", "trap.yaml", "."]];
            assert_reported(name, &machine, commands, "project/trap.yaml");
        }
    }
}
