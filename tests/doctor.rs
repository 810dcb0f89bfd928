//! `doctor` over machines with one fault each: every fault has its name, and its mend.

#![cfg(unix)]
use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::common::{Machine, RunOutput};
use serde_json::{Value, json};

const CLAUDE: &str = ".claude/settings.json";
const GEMINI: &str = ".gemini/settings.json";
const LLXPRT: &str = ".llxprt-config/settings.json";
const CODEX: &str = ".codex/hooks.json";

/// A machine on which all hosts stand in the versions whose contracts are known.
fn machine() -> Machine {
    let machine = Machine::new();
    for (name, version) in [
        ("claude", "2.1.329 (Claude Code)"),
        ("gemini", "0.61.0"),
        ("llxprt", "0.11.0"),
        ("codex", "codex-cli 0.169.0"),
    ] {
        script(&machine, &format!("bin/{name}"), &format!("#!/bin/sh\necho '{version}'\n"));
    }
    let trusted = json!({ machine.project().to_string_lossy(): "TRUST_FOLDER" });
    machine.write(".gemini/trustedFolders.json", &trusted.to_string());
    machine.write(".llxprt-config/trustedFolders.json", &trusted.to_string());
    machine
}

fn script(machine: &Machine, path: &str, text: &str) -> String {
    let path = machine.write(path, text);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_string_lossy().into_owned()
}

fn run(machine: &Machine, args: &[&str], variables: &[(&str, &str)]) -> RunOutput {
    let mut command = machine.command(args);
    command.env("PATH", format!("{}:/usr/bin:/bin", machine.home().join("bin").display()));
    command.envs(variables.iter().copied());
    Machine::run_command(command, b"")
}

/// Returns what doctor says, as pairs of state and id.
fn diagnose(machine: &Machine, host: &str, variables: &[(&str, &str)]) -> (Vec<(String, String)>, RunOutput) {
    let ran = run(machine, &["doctor", host, "--json"], variables);
    let value: Value =
        serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {}{}", ran.stdout, ran.stderr));
    let items = value["items"].as_array().unwrap();
    let pair = |item: &Value| (item["state"].as_str().unwrap().to_owned(), item["id"].as_str().unwrap().to_owned());
    (items.iter().map(pair).collect(), ran)
}

fn installed_machine(host: &str) -> Machine {
    let machine = machine();
    assert_eq!(run(&machine, &["install", host], &[]).code, Some(0));
    machine
}

/// Changes the settings of a host.
fn edit_settings(machine: &Machine, path: &str, act: impl FnOnce(&mut Value)) {
    let mut settings: Value = serde_json::from_str(&machine.read(path).unwrap()).unwrap();
    act(&mut settings);
    machine.write(path, &settings.to_string());
}

#[test]
fn a_fresh_installation_is_live() {
    for host in ["claude", "gemini", "llxprt", "codex"] {
        let (items, ran) = diagnose(&installed_machine(host), host, &[]);
        assert_eq!(ran.code, Some(0), "{}", ran.stdout);
        assert!(items.iter().all(|(state, _)| state == "ok"), "{}", ran.stdout);
        assert!(items.iter().any(|(_, id)| id == "self-test"), "{}", ran.stdout);
    }
}

type FaultSetup = fn(&Machine);

/// A policy that has a program run at every call, for so long at most.
fn policy_with_timeout(timeout: &str) -> String {
    format!("version: 1\nhooks: [{{ id: slow, when: tool.before, run: [\"true\"], timeout: {timeout} }}]\n")
}

/// Faults of Claude Code's settings: state, id, and how it comes about.
const CLAUDE_FAULTS: &[(&str, &str, FaultSetup)] = &[
    ("fault", "not-registered", |m| fs::remove_file(m.home().join(CLAUDE)).unwrap()),
    ("fault", "unreadable-settings", |m| drop(m.write(CLAUDE, &format!("// mine\n{}", m.read(CLAUDE).unwrap())))),
    ("fault", "dropped-file", |m| edit_settings(m, CLAUDE, |s| s["model"] = json!(5))),
    ("fault", "dropped-file", |m| edit_settings(m, CLAUDE, |s| s["permissions"] = json!({ "defaultMode": "bogus" }))),
    ("fault", "hooks-off", |m| drop(m.write("project/.claude/settings.local.json", "{\"disableAllHooks\": true}"))),
    ("warning", "managed-only", |m| edit_settings(m, CLAUDE, |s| s["allowManagedHooksOnly"] = json!(true))),
    ("fault", "hooks-shape", |m| drop(m.write("project/.claude/settings.json", "{\"hooks\": []}"))),
    ("fault", "event-shape", |m| drop(m.write("project/.claude/settings.json", "{\"hooks\": {\"Stop\": {}}}"))),
    ("fault", "flat-entry", |m| {
        edit_settings(m, CLAUDE, |s| s["hooks"]["PreToolUse"][0] = s["hooks"]["PreToolUse"][0]["hooks"][0].clone());
    }),
    ("fault", "matcher-list", |m| {
        edit_settings(m, CLAUDE, |s| s["hooks"]["PreToolUse"][0]["matcher"] = json!(["Bash"]));
    }),
    ("warning", "narrow-matcher", |m| {
        edit_settings(m, CLAUDE, |s| s["hooks"]["PreToolUse"][0]["matcher"] = json!("Bash"));
    }),
    ("fault", "entry-type", |m| {
        edit_settings(m, CLAUDE, |s| {
            drop(s["hooks"]["PreToolUse"][0]["hooks"][0].as_object_mut().unwrap().remove("type"));
        });
    }),
    ("fault", "entry-if", |m| edit_settings(m, CLAUDE, |s| entry(s)["if"] = json!("Bash(git *)"))),
    ("fault", "async-entry", |m| edit_settings(m, CLAUDE, |s| entry(s)["async"] = json!(true))),
    ("fault", "timeout", |m| edit_settings(m, CLAUDE, |s| entry(s)["timeout"] = json!(2))),
    ("fault", "timeout", |m| edit_settings(m, CLAUDE, |s| entry(s)["timeout"] = json!(0))),
    ("warning", "short-timeout", |m| {
        edit_settings(m, CLAUDE, |s| entry(s)["timeout"] = json!(10));
        m.write(".config/ruleward/policy.yaml", &policy_with_timeout("20s"));
    }),
    ("warning", "timeout-unit", |m| edit_settings(m, CLAUDE, |s| entry(s)["timeout"] = json!(10_000))),
    ("warning", "fails-open", |m| {
        edit_settings(m, CLAUDE, |s| drop(entry(s).as_object_mut().unwrap().remove("onFailure")));
    }),
    ("fault", "wrong-host", |m| edit_settings(m, CLAUDE, |s| entry(s)["args"] = json!(["hook", "gemini"]))),
    ("fault", "program-missing", |m| edit_settings(m, CLAUDE, |s| entry(s)["command"] = json!("/nowhere/ruleward"))),
    ("fault", "relative-path", |m| edit_settings(m, CLAUDE, |s| entry(s)["command"] = json!("./bin/ruleward"))),
    ("fault", "program-missing", |m| edit_settings(m, CLAUDE, |s| entry(s)["command"] = json!("ruleward"))),
    ("fault", "unknown-event", |m| {
        edit_settings(m, CLAUDE, |s| s["hooks"]["PreToolUsed"] = s["hooks"]["PreToolUse"].clone());
    }),
    ("fault", "never-event", |m| {
        edit_settings(m, CLAUDE, |s| s["hooks"]["WorktreeCreate"] = s["hooks"]["PreToolUse"].clone());
    }),
    ("warning", "registered-twice", |m| {
        edit_settings(m, CLAUDE, |s| {
            let group = s["hooks"]["PreToolUse"][0].clone();
            s["hooks"]["PreToolUse"].as_array_mut().unwrap().push(group);
        });
    }),
    ("fault", "calls-not-covered", |m| edit_settings(m, CLAUDE, |s| drop(hooks(s).remove("PreToolUse")))),
    ("warning", "events-not-covered", |m| edit_settings(m, CLAUDE, |s| drop(hooks(s).remove("UserPromptSubmit")))),
    ("fault", "unread-file", |m| drop(m.write(".claude.json", &m.read(CLAUDE).unwrap()))),
    ("fault", "policy-error", |m| drop(m.write(".config/ruleward/policy.yaml", "version: 1\nrulez: []\n"))),
    ("fault", "no-rules", |m| drop(m.write(".config/ruleward/policy.yaml", "version: 1\ndefaults: none\n"))),
    ("warning", "policy-writable", |m| {
        let path = m.write(".config/ruleward/policy.yaml", "version: 1\n");
        fs::set_permissions(path, fs::Permissions::from_mode(0o666)).unwrap();
    }),
    ("warning", "audit", |m| drop(m.write(".state/ruleward", "a file where a directory belongs"))),
    ("fault", "fails-open", |m| {
        let path = script(m, "other/ruleward", "#!/bin/sh\ncat > /dev/null\n");
        edit_settings(m, CLAUDE, |s| entry(s)["command"] = json!(path));
    }),
    ("fault", "other-answer", |m| {
        let path = script(m, "other/ruleward", "#!/bin/sh\ncat > /dev/null\necho '{}'\n");
        edit_settings(m, CLAUDE, |s| entry(s)["command"] = json!(path));
    }),
    ("fault", "hook-does-not-run", |m| {
        let path = script(m, "other/ruleward", "#!/no/such/interpreter\n");
        edit_settings(m, CLAUDE, |s| entry(s)["command"] = json!(path));
    }),
    ("warning", "host-version", |m| drop(script(m, "bin/claude", "#!/bin/sh\necho 99.0.0\n"))),
    ("warning", "host-program", |m| fs::remove_file(m.home().join("bin/claude")).unwrap()),
];

const OTHERS: &[(&str, &str, &str)] = &[
    ("claude", CLAUDE, "PreToolUse"),
    ("gemini", GEMINI, "BeforeTool"),
    ("llxprt", LLXPRT, "BeforeTool"),
    ("codex", CODEX, "PreToolUse"),
];

#[test]
fn hooks_of_others_are_named_where_answers_touch() {
    for (host, path, event) in OTHERS {
        let machine = installed_machine(host);
        edit_settings(&machine, path, |s| {
            let other = json!({ "hooks": [{ "type": "command", "command": "/opt/other/check.sh --all" }] });
            s["hooks"][event].as_array_mut().unwrap().push(other);
        });
        let (items, ran) = diagnose(&machine, host, &[]);
        assert!(items.contains(&("warning".into(), "other-hooks".into())), "{}", ran.stdout);
        assert!(ran.stdout.contains("/opt/other/check.sh --all") && ran.stdout.contains(event), "{}", ran.stdout);
        assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    }
}

const GEMINI_FAULTS: &[(&str, &str, FaultSetup)] = &[
    ("fault", "hooks-off", |m| {
        drop(m.write("project/.gemini/settings.json", "{\"hooksConfig\": {\"enabled\": false}}"));
    }),
    ("fault", "hooks-off", |m| {
        drop(m.write("project/.gemini/settings.json", "{\"hooksConfig\": {\"disabled\": [\"ruleward\"]}}"));
    }),
    ("warning", "old-key", |m| drop(m.write("project/.gemini/settings.json", "{\"hooks\": {\"disabled\": []}}"))),
    ("fault", "timeout", |m| {
        edit_settings(m, GEMINI, |s| s["hooks"]["BeforeTool"][0]["hooks"][0]["timeout"] = json!(10));
    }),
    ("fault", "timeout", |m| {
        edit_settings(m, GEMINI, |s| s["hooks"]["BeforeTool"][0]["hooks"][0]["timeout"] = json!(3_000_000_000_u64));
    }),
    // The call goes on there.
    ("fault", "short-timeout", |m| {
        edit_settings(m, GEMINI, |s| s["hooks"]["BeforeTool"][0]["hooks"][0]["timeout"] = json!(10_000));
        m.write(".config/ruleward/policy.yaml", &policy_with_timeout("20s"));
    }),
    ("warning", "untrusted-folder", |m| drop(m.write(".gemini/trustedFolders.json", "{}"))),
    ("fault", "unreadable-settings", |m| drop(m.write(GEMINI, "{\n  \"a\": 1\n  \"b\": 2\n}"))),
];

const LLXPRT_FAULTS: &[(&str, &str, FaultSetup)] = &[
    ("fault", "hooks-off", |m| edit_settings(m, LLXPRT, |s| drop(s.as_object_mut().unwrap().remove("hooksConfig")))),
    ("fault", "hooks-off", |m| edit_settings(m, LLXPRT, |s| s["tools"] = json!({ "enableHooks": false }))),
    ("fault", "hooks-off", |m| {
        drop(m.write("project/.llxprt/settings.json", "{\"hooksConfig\": {\"enabled\": false}}"));
    }),
    ("fault", "displaced", |m| {
        drop(m.write("project/.llxprt/settings.json", "{\"hooks\": {\"BeforeTool\": []}}"));
    }),
    ("fault", "unread-file", |m| drop(m.write(".llxprt/settings.json", &m.read(LLXPRT).unwrap()))),
    ("warning", "untrusted-folder", |m| drop(m.write(".llxprt-config/trustedFolders.json", "{}"))),
];

const CODEX_FAULTS: &[(&str, &str, FaultSetup)] = &[
    ("fault", "not-registered", |m| fs::remove_file(m.home().join(CODEX)).unwrap()),
    ("fault", "hooks-off", |m| drop(m.write(".codex/config.toml", "model = \"m\"\n[features]\nhooks = false\n"))),
    ("fault", "hooks-off", |m| drop(m.write("project/.codex/config.toml", "features = { hooks = false }\n"))),
    ("fault", "dropped-file", |m| edit_settings(m, CODEX, |s| s["$schema"] = json!("https://example.org"))),
    ("fault", "dropped-file", |m| edit_settings(m, CODEX, |s| entry(s)["timeout"] = json!(60.5))),
    ("fault", "timeout", |m| edit_settings(m, CODEX, |s| entry(s)["timeout"] = json!(1))),
    ("fault", "never-event", |m| {
        edit_settings(m, CODEX, |s| s["hooks"]["PreModelRequest"] = s["hooks"]["PreToolUse"].clone());
    }),
    ("fault", "unreadable-settings", |m| drop(m.write(CODEX, &format!("// mine\n{}", m.read(CODEX).unwrap())))),
];

fn hooks(settings: &mut Value) -> &mut serde_json::Map<String, Value> {
    settings["hooks"].as_object_mut().unwrap()
}

fn entry(settings: &mut Value) -> &mut Value {
    &mut settings["hooks"]["PreToolUse"][0]["hooks"][0]
}

#[test]
fn every_planted_fault_is_found() {
    let mut missed = Vec::new();
    for (host, faults) in
        [("claude", CLAUDE_FAULTS), ("gemini", GEMINI_FAULTS), ("llxprt", LLXPRT_FAULTS), ("codex", CODEX_FAULTS)]
    {
        for (number, (state, id, plant)) in faults.iter().enumerate() {
            let machine = installed_machine(host);
            plant(&machine);
            let (items, ran) = diagnose(&machine, host, &[]);
            let wanted = if *state == "fault" { Some(1) } else { Some(0) };
            if !items.contains(&((*state).to_owned(), (*id).to_owned())) || ran.code != wanted {
                missed.push(format!("{host} {number} {state} {id}: {}\n{}", ran.code.unwrap_or(-1), ran.stdout));
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn a_variable_that_switches_hooks_off_is_found() {
    let (items, _) = diagnose(&installed_machine("claude"), "claude", &[("CLAUDE_CODE_SIMPLE", "1")]);
    assert!(items.contains(&("fault".into(), "hooks-off".into())), "{items:?}");
}

#[test]
fn people_read_it() {
    let machine = installed_machine("claude");
    machine.write("project/.claude/settings.local.json", "{\"disableAllHooks\": true}");
    let ran = run(&machine, &["doctor", "claude"], &[]);
    let text = machine.normalize(&ran.stdout).replace(env!("CARGO_BIN_EXE_ruleward"), "RULEWARD");
    let text: Vec<&str> =
        text.lines().filter(|line| !line.contains(" takes ") && !line.contains("rules are in force")).collect();
    insta::assert_snapshot!("doctor", text.join("\n"));
}
