//! A machine that is not as a machine should be.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use super::{HARMFUL, HARMLESS, HOSTS, run};
use crate::common::{Machine, output_text, reason, refuses};

/// Every call is refused when the home directory is this, since nobody can tell what `~` is.
fn assert_refused_without_home(home: &[u8]) {
    let machine = Machine::new();
    for command in [HARMLESS, HARMFUL] {
        for host in HOSTS {
            let mut hook = machine.command(&["hook", host]);
            hook.env("HOME", OsStr::from_bytes(home)).env_remove("XDG_CONFIG_HOME").env_remove("XDG_STATE_HOME");
            let ran = run(hook, &machine.shell_payload(host, command));
            assert!(refuses(host, &ran), "{}", output_text(&machine, &ran));
            assert!(reason(host, &ran).contains("`HOME`"), "{}", reason(host, &ran));
        }
    }
}

#[test]
fn a_home_that_is_not_utf_8() {
    assert_refused_without_home(b"/tmp/\xff");
}

#[test]
fn a_home_that_is_no_absolute_path() {
    assert_refused_without_home(b"home");
}

/// The system is asked then, which knows the person's home too.
#[test]
fn a_home_that_is_not_said() {
    let machine = Machine::new();
    machine.write(".config/ruleward/policy.yaml", "version: 1\n");
    for host in HOSTS {
        for home in [None, Some("")] {
            let mut hook = machine.command(&["hook", host]);
            hook.env_remove("HOME").envs(home.map(|home| ("HOME", home)));
            let ran = run(hook, &machine.shell_payload(host, HARMFUL));
            assert!(refuses(host, &ran), "{}", output_text(&machine, &ran));
        }
    }
}

#[test]
fn a_home_that_is_not_there() {
    let machine = Machine::new();
    for host in HOSTS {
        let hook = |command: &str| {
            let mut hook = machine.command(&["hook", host]);
            hook.env("HOME", "/nonexistent/home").env_remove("XDG_CONFIG_HOME").env_remove("XDG_STATE_HOME");
            run(hook, &machine.shell_payload(host, command))
        };
        let ran = hook(HARMFUL);
        assert!(refuses(host, &ran), "{}", output_text(&machine, &ran));
        assert_eq!(hook(HARMLESS).code, Some(0));
    }
}

#[test]
fn a_working_directory_that_is_gone() {
    let machine = Machine::new();
    for host in HOSTS {
        let payload = machine.shell_payload(host, HARMFUL);
        let hook = machine.command_with_prelude("mkdir -p gone && cd gone && rmdir ../gone", &["hook", host]);
        let ran = run(hook, &payload);
        assert!(refuses(host, &ran), "{}", output_text(&machine, &ran));
    }
}

/// What stands under `$HOME/.claude` and the like is looked at when a session begins.
#[test]
fn settings_that_are_pipes() {
    let machine = Machine::new();
    for path in [".claude/settings.json", ".gemini/settings.json", "project/.claude/settings.json"] {
        super::make_fifo(&machine.home().join(path));
    }
    for (host, event) in [("claude", "SessionStart"), ("gemini", "SessionStart")] {
        let payload = machine.payload(event, &serde_json::json!({ "source": "startup" }));
        let ran = run(machine.command(&["hook", host]), &payload);
        assert_eq!(ran.code, Some(0), "{}", output_text(&machine, &ran));
    }
    assert!(fs::metadata(machine.home().join(".claude/settings.json")).is_ok());
}
