//! `install` and `uninstall` as a person uses them, over the settings files that people have.

#![cfg(target_os = "linux")]
use std::fs;

use crate::common::terminal::run_as_person;
use crate::common::{Machine, output_text};
use serde_json::Value;

const CLAUDE: &str = ".claude/settings.json";
const GEMINI: &str = ".gemini/settings.json";
const LLXPRT: &str = ".llxprt-config/settings.json";
const CODEX: &str = ".codex/hooks.json";

fn parsed(machine: &Machine, path: &str) -> Value {
    serde_json::from_str(&machine.read(path).unwrap()).unwrap()
}

/// Texts of settings files; those with comments are not Claude Code's.
const TEXTS: &[(&str, &[&str])] = &[
    ("{}", &[CLAUDE, GEMINI, LLXPRT, CODEX]),
    ("{}\n", &[CLAUDE, GEMINI, LLXPRT, CODEX]),
    ("{\n  \"model\": \"x\",\n  \"permissions\": { \"allow\": [\"Read\"] }\n}\n", &[CLAUDE, GEMINI, LLXPRT]),
    ("{\n\t\"z\": 1,\n\t\"a\": [1, 2]\n}", &[CLAUDE, GEMINI, LLXPRT]),
    ("{\r\n  \"a\": 1\r\n}\r\n", &[CLAUDE, GEMINI, LLXPRT]),
    ("\u{feff}{\"a\":1}", &[CLAUDE, GEMINI, LLXPRT]),
    (
        "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      { \"matcher\": \"Bash\", \"hooks\": [{ \"type\": \"command\", \"command\": \"x\" }] }\n    ],\n    \"BeforeTool\": []\n  }\n}\n",
        &[CLAUDE, GEMINI, LLXPRT, CODEX],
    ),
    ("// mine\n{\n  /* why */ \"a\": 1 // because\n}\n", &[GEMINI, LLXPRT]),
    ("{\n  \"hooksConfig\": { \"notifications\": false }\n}\n", &[LLXPRT]),
    ("{\n  \"hooksConfig\": { \"enabled\": true }\n}\n", &[LLXPRT]),
];

fn host_of(path: &str) -> &'static str {
    match path {
        CLAUDE => "claude",
        GEMINI => "gemini",
        CODEX => "codex",
        _ => "llxprt",
    }
}

#[test]
fn what_is_uninstalled_leaves_the_settings_byte_for_byte() {
    for (text, paths) in TEXTS {
        for path in *paths {
            let host = host_of(path);
            let machine = Machine::new();
            machine.write(path, text);
            let ran = machine.run(&["install", host], b"");
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            let installed = machine.read(path).unwrap();
            assert!(installed.contains("\"hook\"") || installed.contains(&format!("hook {host}")), "{installed}");
            assert_eq!(host == "llxprt", installed.contains("\"enabled\": true"), "{installed}");
            // Again, with nothing to do.
            let again = machine.run(&["install", host], b"");
            assert!(again.stdout.contains("up to date"), "{}", again.stdout);
            assert_eq!(machine.read(path).unwrap(), installed);
            let ran = run_as_person(&machine, &["uninstall", host]);
            assert_eq!(ran.code, Some(0), "{}", ran.stdout);
            assert_eq!(machine.read(path).unwrap(), *text, "{path}");
            let left: Vec<_> = fs::read_dir(machine.home().join(path).parent().unwrap()).unwrap().collect();
            assert_eq!(left.len(), 1, "{left:?}");
        }
    }
}

#[test]
fn a_file_that_was_not_there_is_gone_again() {
    let machine = Machine::new();
    machine.run(&["install", "claude", "gemini", "llxprt"], b"");
    assert!([CLAUDE, GEMINI, LLXPRT].iter().all(|path| machine.read(path).is_some()));
    run_as_person(&machine, &["uninstall", "claude", "gemini", "llxprt"]);
    assert!([CLAUDE, GEMINI, LLXPRT].iter().all(|path| machine.read(path).is_none()));
}

#[test]
fn what_a_person_changed_in_between_stays() {
    let machine = Machine::new();
    machine.write(CLAUDE, "{\n  \"a\": 1\n}\n");
    machine.run(&["install", "claude"], b"");
    let text = machine.read(CLAUDE).unwrap().replace("\"a\": 1", "\"a\": 2");
    machine.write(CLAUDE, &text);
    run_as_person(&machine, &["uninstall", "claude"]);
    assert_eq!(parsed(&machine, CLAUDE), serde_json::json!({ "a": 2 }));
}

#[test]
fn an_older_registration_is_brought_up_to_date() {
    let machine = Machine::new();
    machine.write(
        CLAUDE,
        r#"{ "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "/old/ruleward hook claude", "timeout": 10000 }, { "type": "command", "command": "other" }] }], "WorktreeCreate": [{ "hooks": [{ "type": "command", "command": "ruleward hook claude" }] }] } }"#,
    );
    let alone = machine.run(&["install", "claude"], b"");
    assert!(alone.stderr.contains("there is no terminal"), "it may replace another program: {}", alone.stderr);
    run_as_person(&machine, &["install", "claude"]);
    let settings = parsed(&machine, CLAUDE);
    let groups = settings["hooks"]["PreToolUse"].as_array().unwrap();
    assert_eq!(groups.len(), 2);
    assert_eq!(groups[0]["hooks"].as_array().unwrap().len(), 1);
    assert_eq!(groups[1]["hooks"][0]["args"], serde_json::json!(["hook", "claude"]));
    assert_eq!(groups[1]["hooks"][0]["onFailure"], "block");
    assert!(settings["hooks"].get("WorktreeCreate").is_none());
}

#[test]
fn a_file_that_the_host_could_not_read_is_not_touched() {
    for (host, path, text) in [
        ("claude", CLAUDE, "{ // no comments there\n}"),
        ("claude", CLAUDE, "{\"a\": 1,}"),
        ("gemini", GEMINI, "{\n  \"a\": 1\n  \"b\": 2\n}"),
        ("gemini", GEMINI, "{\"hooks\": []}"),
        ("claude", CLAUDE, "{\"hooks\": {\"PreToolUse\": {}}}"),
        ("claude", CLAUDE, "{\"hooks\": {}, \"hooks\": {}}"),
    ] {
        let machine = Machine::new();
        machine.write(path, text);
        let ran = machine.run(&["install", host], b"");
        assert_eq!(ran.code, Some(1), "{text}");
        assert!(ran.stderr.contains("settings.json"), "{}", ran.stderr);
        assert_eq!(machine.read(path).unwrap(), text);
    }
}

#[test]
fn a_switch_that_hooks_need_is_put_on_and_stays_while_others_need_it() {
    let machine = Machine::new();
    machine.write(LLXPRT, "{\"hooksConfig\": {\"enabled\": false}}");
    let ran = machine.run(&["install", "llxprt"], b"");
    assert!(ran.code == Some(1) && ran.stderr.contains("hooksConfig.enabled"), "{}", ran.stderr);
    machine.write(LLXPRT, "{}");
    machine.run(&["install", "llxprt"], b"");
    let mut settings = parsed(&machine, LLXPRT);
    settings["hooks"]["SessionEnd"] = serde_json::json!([{ "hooks": [{ "type": "command", "command": "other" }] }]);
    machine.write(LLXPRT, &settings.to_string());
    run_as_person(&machine, &["uninstall", "llxprt"]);
    let left = parsed(&machine, LLXPRT);
    assert_eq!(left["hooksConfig"]["enabled"], true);
    assert!(left["hooks"]["SessionEnd"].is_array() && left["hooks"].get("BeforeTool").is_none(), "{left}");
}

#[test]
fn a_broken_policy_is_not_put_in_force() {
    let machine = Machine::new();
    machine.write(".config/ruleward/policy.yaml", "version: 1\nrulez: []\n");
    let ran = machine.run(&["install", "claude"], b"");
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("rulez") && machine.read(CLAUDE).is_none(), "{}", ran.stderr);
}

#[test]
fn every_scope_has_its_place() {
    let machine = Machine::new();
    for args in [
        &["install", "claude", "--scope", "project"][..],
        &["install", "claude", "--scope", "local"],
        &["install", "gemini", "--scope", "project", "--interactive"],
        &["install", "gemini", "--scope", "extension"],
        &["install", "llxprt", "--scope", "extension"],
        &["install", "claude", "--scope", "plugin", "--out", "plugin"],
    ] {
        let ran = machine.run(args, b"");
        assert_eq!(ran.code, Some(0), "{args:?} {}", ran.stderr);
    }
    let shared = machine.read("project/.claude/settings.json").unwrap();
    assert!(shared.contains("\"command\": \"ruleward\""), "{shared}");
    assert!(machine.read("project/.claude/settings.local.json").unwrap().contains("/ruleward\""));
    assert!(machine.read("project/.gemini/settings.json").unwrap().contains("ruleward hook gemini --interactive"));
    let extension = parsed(&machine, ".gemini/extensions/ruleward/hooks/hooks.json");
    assert_eq!(extension["hooks"]["BeforeTool"][0]["hooks"][0]["timeout"], 60_000);
    let extension = parsed(&machine, ".llxprt-data/extensions/ruleward/llxprt-extension.json");
    assert_eq!(extension["name"], "ruleward");
    assert_eq!(parsed(&machine, "project/plugin/.claude-plugin/plugin.json")["name"], "ruleward-guard");
    for args in [
        &["uninstall", "gemini", "--scope", "extension"][..],
        &["uninstall", "claude", "--scope", "plugin", "--out", "plugin"],
    ] {
        assert_eq!(run_as_person(&machine, args).code, Some(0));
    }
    assert!(!machine.home().join(".gemini/extensions/ruleward").exists());
    assert!(!machine.project().join("plugin").exists());
    let wrong = machine.run(&["install", "gemini", "--scope", "local"], b"");
    assert!(wrong.code == Some(1) && wrong.stderr.contains("user, project, managed"), "{}", wrong.stderr);
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let machine = Machine::new();
    let real = machine.write("dotfiles/claude.json", "{}\n");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    fs::create_dir_all(machine.home().join(".claude")).unwrap();
    symlink(&real, machine.home().join(CLAUDE)).unwrap();
    machine.run(&["install", "claude"], b"");
    assert!(machine.home().join(CLAUDE).is_symlink());
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(machine.read("dotfiles/claude.json").unwrap().contains("PreToolUse"));
    run_as_person(&machine, &["uninstall", "claude"]);
    assert_eq!(machine.read("dotfiles/claude.json").unwrap(), "{}\n");
}

#[test]
fn a_dry_run_shows_and_changes_nothing() {
    let machine = Machine::new();
    machine.write(CLAUDE, "{\n  \"model\": \"x\"\n}\n");
    let ran = machine.run(&["install", "claude", "--dry-run", "--command", "/opt/ruleward"], b"");
    insta::assert_snapshot!("install_dry_run", output_text(&machine, &ran));
    assert_eq!(machine.read(CLAUDE).unwrap(), "{\n  \"model\": \"x\"\n}\n");
    let gemini = machine.run(&["install", "gemini", "--dry-run", "--command", "/opt/my tools/ruleward"], b"");
    insta::assert_snapshot!("install_dry_run_gemini", output_text(&machine, &gemini));
    let none = machine.run(&["install"], b"");
    // Claude Code's directory is there by now.
    assert_eq!(none.code, Some(0), "{}", none.stderr);
}
