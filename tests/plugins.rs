//! The plugins of hosts without hooks, run outside their hosts: what they send, what they do with an answer, and that
//! whatever is not an answer refuses.

#![cfg(unix)]
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{Machine, skip};
use crate::fuzz::targets::effects::single_effect;
use crate::hosts::{EFFECTS, NONINTERACTIVE, with_event};
use ruleward::adapters::Host;
use ruleward::adapters::registration::HookCommand;
use ruleward::adapters::registration::plugin::{PluginError, is_own_plugin, parse_plugin, plugin_text};
use ruleward::domain::event::kind::Kind;
use serde_json::{Value, json};

/// Hosts with a plugin.
fn hosts() -> impl Iterator<Item = &'static Host> {
    ruleward::adapters::HOSTS.iter().copied().filter(|host| host.registration.plugin.is_some())
}

fn has_node() -> bool {
    let found = Command::new("node").arg("--version").stdout(Stdio::null()).status().is_ok_and(|it| it.success());
    if !found {
        skip("plugins", "node is not here");
    }
    found
}

/// Writes a host's plugin, which starts a shell with a script as its hook for all events.
fn write_plugin(machine: &Machine, host: &'static Host, script: &str) -> PathBuf {
    let arguments = ["-c".to_owned(), script.to_owned()];
    write_plugin_for(machine, host, "/bin/sh", &arguments)
}

fn write_plugin_for(machine: &Machine, host: &'static Host, program: &str, arguments: &[String]) -> PathBuf {
    let caller = HookCommand { program, arguments, is_windows: false, is_direct: true };
    let rows: Vec<_> = host.events.iter().collect();
    // As a module also outside its host.
    machine.write("plugin.mjs", &plugin_text(host, &caller, &rows).unwrap())
}

/// Calls hooks of a plugin, and returns what became of each.
fn drive(host: &Host, plugin: &Path, calls: &Value) -> Vec<Value> {
    let request = json!({
        "plugin": plugin, "style": host.name, "directory": "/home/user/project",
        "servers": { "tiny": { "status": "connected" } }, "calls": calls,
    });
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugins/drive.mjs");
    let mut child = Command::new("node")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), request.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let results: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let wanted = calls.as_array().unwrap().len();
    assert_eq!(results.len(), wanted, "{text}{}", String::from_utf8_lossy(&output.stderr));
    results
}

/// A call of the shell that is about to run.
fn shell_call(host: &Host, command: &str) -> Value {
    match host.name {
        "opencode" => json!({ "hook": "tool.execute.before",
            "input": { "tool": "bash", "sessionID": "s", "callID": "c" }, "output": { "args": { "command": command } } }),
        other => panic!("{other} has no call here"),
    }
}

/// Returns whether a call was refused, and why.
fn refusal(result: &Value) -> Option<&str> {
    let returned = &result["returned"];
    result["threw"].as_str().or_else(|| returned["reason"].as_str().filter(|_| returned["block"] == true))
}

#[test]
fn a_plugin_reads_back_as_what_was_written() {
    for host in hosts() {
        let rows: Vec<_> = host.events.iter().take(2).collect();
        let arguments = ["hook".to_owned(), host.name.to_owned(), "--policy".to_owned(), "/a b/\"c\".yaml".to_owned()];
        let caller =
            HookCommand { program: "/opt/my bin/ruleward", arguments: &arguments, is_windows: false, is_direct: true };
        let text = plugin_text(host, &caller, &rows).unwrap();
        let settings = parse_plugin(host, &text).unwrap();
        let entry = &settings["hooks"][rows[0].wire][0]["hooks"][0];
        assert_eq!((&entry["command"], &entry["args"]), (&json!(caller.program), &json!(arguments)));
        assert_eq!(settings["hooks"].as_object().unwrap().len(), 2);
        assert!(is_own_plugin(&text));
        for changed in [
            text.replace("throw new Error", "new Error"),
            format!("{text}\n"),
            text.replacen("const EVENTS = [", "const EVENTS = [\"\", ", 1) + "//",
            text.replacen("const COMMAND = ", "const COMMAND = [] || ", 1),
        ] {
            assert_eq!(parse_plugin(host, &changed), Err(PluginError::Changed), "{changed:.300}");
        }
        assert_eq!(parse_plugin(host, "export default () => {}\n"), Err(PluginError::Foreign));
    }
}

#[test]
fn whatever_is_no_answer_refuses() {
    if !has_node() {
        return;
    }
    let machine = Machine::new();
    for host in hosts() {
        for (script, words) in [
            ("exit 1", "exit code 1"),
            ("echo why >&2; exit 2", "why"),
            ("kill -9 $$", "SIGKILL"),
            ("echo hello", "not JSON"),
            ("echo '{} {}'", "not JSON"),
            ("echo '[]'", "not an object"),
            ("echo null", "not an object"),
            ("echo '{\"decision\":\"allow\"}'", "not a refusal"),
            ("echo '{\"decision\":\"deny\"}'", "not a refusal"),
            ("echo '{\"decision\":\"deny\",\"reason\":\"\"}'", "not a refusal"),
            ("echo '{\"permissionDecision\":\"deny\"}'", "unknown key"),
            ("echo '{\"input\":7}'", "could not change"),
            ("echo '{\"input\":[]}'", "could not change"),
        ] {
            let plugin = write_plugin(&machine, host, &format!("cat > /dev/null; {script}"));
            let results = drive(host, &plugin, &json!([shell_call(host, "ls")]));
            let why = refusal(&results[0]).unwrap_or_else(|| panic!("{} {script}: {}", host.name, results[0]));
            assert!(why.contains(words), "{} {script}: {why}", host.name);
        }
        for missing in ["/nowhere/ruleward", "ruleward-that-is-not-here"] {
            let plugin = write_plugin_for(&machine, host, missing, &[]);
            let results = drive(host, &plugin, &json!([shell_call(host, "ls")]));
            assert!(refusal(&results[0]).unwrap().contains("ENOENT"), "{}", results[0]);
        }
        // Late: the plugin's own deadline, which is a minute otherwise.
        let plugin = write_plugin(&machine, host, "exec sleep 30");
        let text = fs::read_to_string(&plugin).unwrap();
        let text = text.replace("const DEADLINE_MS = 60000", "const DEADLINE_MS = 300");
        fs::write(&plugin, text).unwrap();
        let results = drive(host, &plugin, &json!([shell_call(host, "ls")]));
        assert!(refusal(&results[0]).unwrap().contains("more than 0.3 s"), "{}", results[0]);
    }
}

#[test]
fn silence_changes_nothing_and_an_answer_is_carried_out() {
    if !has_node() {
        return;
    }
    let machine = Machine::new();
    for host in hosts() {
        let call = shell_call(host, "ls");
        let told = |answer: &str| {
            let plugin = write_plugin(&machine, host, &format!("cat > /dev/null; printf '%s' '{answer}'"));
            drive(host, &plugin, &json!([call])).remove(0)
        };
        let silent = told("");
        assert!(refusal(&silent).is_none() && silent["returned"].is_null(), "{silent}");
        assert_eq!((&silent["input"], &silent["output"]), (&call["input"], &call["output"]));
        let refused = told(r#"{"decision":"deny","reason":"Not here: \u00fc."}"#);
        assert_eq!(refusal(&refused), Some("Not here: ü."));
        let changed = told(r#"{"input":{"command":"pwd","timeout":5}}"#);
        assert!(refusal(&changed).is_none(), "{changed}");
        let text = changed.to_string();
        assert!(
            text.contains(r#""command":"pwd""#) && text.contains(r#""timeout":5"#) && !text.contains("\"ls\""),
            "{text}"
        );
    }
}

/// Every answer of the program to a wanted effect is one that the plugin takes.
#[test]
fn no_answer_of_the_program_is_strange_to_the_plugin() {
    if !has_node() {
        return;
    }
    let machine = Machine::new();
    for host in hosts() {
        let row = host.event_rows(Kind::ToolBefore).next().unwrap();
        for effect in EFFECTS {
            let answer = with_event(host, row, |event| {
                host.answer(event, single_effect(effect), NONINTERACTIVE).response.stdout
            });
            let file = machine.write("answer.json", &answer);
            let plugin = write_plugin(&machine, host, &format!("cat > /dev/null; cat '{}'", file.display()));
            let results = drive(host, &plugin, &json!([shell_call(host, "ls")]));
            let why = refusal(&results[0]).unwrap_or_default();
            assert!(!why.contains("gave no answer"), "{} {effect}: {why}", host.name);
            assert_eq!(answer.contains("\"deny\""), !why.is_empty(), "{} {effect}: {why}", host.name);
        }
    }
}

/// What `OpenCode` passes to its plugins, for a payload that came of it.
fn opencode_call(payload: &Value) -> Option<Value> {
    let event = payload["hook_event_name"].as_str().unwrap();
    let mut input =
        json!({ "sessionID": payload["session_id"], "callID": payload["tool_use_id"], "tool": payload["tool_name"] });
    let (hook, output) = match event {
        "tool.execute.before" => (event, json!({ "args": payload["tool_input"] })),
        "tool.execute.after" | "tool.execute.failed" => {
            input["args"] = payload["tool_input"].clone();
            ("tool.execute.after", payload["tool_response"].clone())
        }
        "chat.message" => (event, json!({ "parts": [{ "type": "text", "text": payload["prompt"] }] })),
        _ => return None,
    };
    Some(json!({ "hook": hook, "input": input, "output": output }))
}

#[test]
fn the_plugin_sends_the_recorded_payloads() {
    if !has_node() {
        return;
    }
    let machine = Machine::new();
    let mut compared = 0;
    for host in hosts() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/payloads").join(host.name);
        for entry in fs::read_dir(folder).unwrap() {
            let recorded: Value = serde_json::from_str(&fs::read_to_string(entry.unwrap().path()).unwrap()).unwrap();
            let Some(call) = opencode_call(&recorded).filter(|_| recorded.get("agent_id").is_none()) else { continue };
            let sent = machine.write("sent.json", "");
            // What is loaded is told first, and at the same time.
            let script = format!(
                "text=$(cat); case $text in *plugin.loaded*) ;; *) printf '%s' \"$text\" > '{}' ;; esac",
                sent.display()
            );
            let plugin = write_plugin(&machine, host, &script);
            let results = drive(host, &plugin, &json!([call]));
            assert!(refusal(&results[0]).is_none(), "{}", results[0]);
            let sent: Value = serde_json::from_str(&fs::read_to_string(&sent).unwrap()).unwrap();
            assert_eq!(sent, recorded);
            compared += 1;
        }
    }
    assert!(compared > 15, "{compared}");
}
