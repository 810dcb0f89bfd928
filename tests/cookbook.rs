//! The cookbook end to end: recorded payloads of each host in, that host's exact answer out.
//!
//! `tests/cookbook/stories.yaml` says for each recipe what happens, in the words of the table below;
//! each host reports it as it was recorded, where it has such an event. There is no recording of
//! llxprt-code.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use serde_json::{Map, Value, json};

use crate::common::{Machine, output_text};
use ruleward::io::policy::builtin::{COOKBOOK, COOKBOOK_PREFIX};

/// What may happen: the word, the recording of Claude Code and of Gemini CLI, and where the values of
/// the word belong in each; `+` between several places for one value.
type StoryWord = (&'static str, [&'static str; 2], &'static [[&'static str; 2]]);

const COMMAND: [&str; 2] = ["/tool_input/command"; 2];
const PATH: [&str; 2] = ["/tool_input/file_path"; 2];
const CONTENT: [&str; 2] = ["/tool_input/content"; 2];
const MESSAGE: [&str; 2] = ["", "/llm_request/messages/0/content"];
const STORY_WORDS: &[StoryWord] = &[
    ("run", ["PreToolUse-Bash", "BeforeTool-run_shell_command"], &[COMMAND]),
    (
        "ran",
        ["PostToolUse-Bash", "AfterTool-run_shell_command"],
        &[COMMAND, ["/tool_response/stdout", "/tool_response/llmContent"]],
    ),
    ("failed", ["PostToolUseFailure-Bash", "AfterTool-run_shell_command-failed"], &[COMMAND]),
    ("write", ["PreToolUse-Write", "BeforeTool-write_file"], &[PATH, CONTENT]),
    ("wrote", ["PostToolUse-Write-create", "AfterTool-write_file"], &[PATH, CONTENT]),
    ("edit", ["PreToolUse-Edit", "BeforeTool-replace"], &[PATH]),
    (
        "saw",
        ["PostToolUse-Read", "AfterTool-read_file"],
        &[PATH, ["/tool_response/file/content", "/tool_response/llmContent"]],
    ),
    ("use", ["PreToolUse-mcp__tiny__echo", "BeforeTool-mcp_tiny_echo_note"], &[]),
    ("prompt", ["UserPromptSubmit", "BeforeAgent"], &[["/prompt"; 2]]),
    ("end", ["Stop", "AfterAgent"], &[["/last_assistant_message", "/prompt_response"]]),
    ("start", ["SessionStart", "SessionStart"], &[["/source"; 2]]),
    ("ask", ["", "BeforeModel"], &[MESSAGE]),
    ("select", ["", "BeforeToolSelection"], &[MESSAGE]),
    (
        "say",
        ["MessageDisplay", "AfterModel-chunk3"],
        &[["/delta", "/llm_response/text+/llm_response/candidates/0/content/parts/0"]],
    ),
    ("notify", ["Notification-elicitation_response", "Notification-run_shell_command"], &[["/message"; 2]]),
];

/// The name of a session in all that happens here.
const SESSION: &str = "the session";

/// The transcript of the session, from which one host's tokens are counted.
const TRANSCRIPT: &str = "transcript.jsonl";

/// Returns the payload of what happens, as a host reports it; `None` when it has no such event. What stands
/// beside the word is set in the payload as it is.
fn payload(machine: &Machine, host: &str, step: &Map<String, Value>) -> Option<String> {
    let (word, value, recordings, places) = STORY_WORDS
        .iter()
        .find_map(|(word, recordings, places)| Some((*word, step.get(*word)?, recordings, *places)))
        .unwrap_or_else(|| panic!("{step:?} has no known word"));
    let column = usize::from(host == "gemini");
    let name = Some(recordings[column]).filter(|name| !name.is_empty())?;
    let path = format!("{}/tests/payloads/{host}/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let mut text = fs::read_to_string(path).unwrap();
    text = text.replace("/home/user/project", &machine.project().to_string_lossy());
    if word == "use" {
        text = text.replace("tiny", value.as_str().unwrap());
    }
    let mut payload: Value = serde_json::from_str(&text).unwrap();
    let values = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
    for (places, value) in places.iter().zip(values) {
        for place in places[column].split('+') {
            *payload.pointer_mut(place).unwrap_or_else(|| panic!("{name} has no {place}")) = value.clone();
        }
    }
    for (key, value) in step.iter().filter(|(key, _)| *key != word) {
        match payload.pointer_mut(MESSAGE[1]).filter(|_| key == "about") {
            Some(message) => *message = value.clone(),
            None => payload[key] = value.clone(),
        }
    }
    payload["session_id"] = json!(SESSION);
    payload["transcript_path"] = json!(machine.home().join(TRANSCRIPT));
    Some(payload.to_string())
}

fn stories() -> BTreeMap<String, Vec<Map<String, Value>>> {
    serde_yaml::from_str(include_str!("cookbook/stories.yaml")).unwrap()
}

fn recipe(name: &str) -> String {
    format!("{}/policies/cookbook/{name}.yaml", env!("CARGO_MANIFEST_DIR"))
}

/// Puts a program below the home directory, which comes first in the path.
fn write_program(machine: &Machine, path: &str, text: &str) {
    let path = machine.write(path, text);
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    #[cfg(windows)]
    drop(path);
}

/// Tells a story on every host, and returns what each was told.
fn run_story(name: &str, story: &[Map<String, Value>]) -> String {
    let mut text = String::new();
    for host in ["claude", "gemini"] {
        let machine = Machine::new();
        for step in story {
            if let Some(tokens) = step.get("uses") {
                let usage = json!({ "input_tokens": tokens, "output_tokens": 5 });
                let line = json!({ "type": "assistant", "message": { "id": "answer", "usage": usage } });
                machine.write(TRANSCRIPT, &format!("{line}\n"));
                continue;
            }
            if let Some([path, text]) = step.get("there").and_then(Value::as_array).map(Vec::as_slice) {
                machine.write(&format!("project/{}", path.as_str().unwrap()), text.as_str().unwrap());
                continue;
            }
            if let Some([path, text]) = step.get("program").and_then(Value::as_array).map(Vec::as_slice) {
                write_program(&machine, path.as_str().unwrap(), text.as_str().unwrap());
                continue;
            }
            let Some(payload) = payload(&machine, host, step) else { continue };
            let mut command = machine.command(&["hook", host, "--policy", &recipe(name)]);
            command.env("PATH", format!("{}:/usr/bin:/bin", machine.home().join("bin").display()));
            let ran = Machine::run_command(command, payload.as_bytes());
            writeln!(text, "{host} {}\n{}", Value::Object(step.clone()), output_text(&machine, &ran)).unwrap();
        }
    }
    regex::Regex::new("ruleward allow [0-9a-z]{8}").unwrap().replace_all(&text, "ruleward allow ID").into_owned()
}

#[test]
fn every_recipe_does_what_it_says() {
    let stories = stories();
    for pack in COOKBOOK {
        let name = pack.name.trim_start_matches(COOKBOOK_PREFIX);
        let story = stories.get(name).unwrap_or_else(|| panic!("{name} has no story"));
        // The programs of stories are texts for a shell.
        if cfg!(windows) && story.iter().any(|step| step.contains_key("program")) {
            continue;
        }
        let text = run_story(name, story);
        assert!(["audit-log", "notify"].contains(&name) || text.contains("out:"), "{name} says nothing:\n{text}");
        insta::assert_snapshot!(format!("cookbook_{name}"), text);
    }
    let known = |name: &String| COOKBOOK.iter().any(|pack| pack.name == format!("{COOKBOOK_PREFIX}{name}"));
    assert!(stories.keys().all(known));
}

#[cfg(unix)]
#[test]
fn notifications_reach_the_desktop_while_nobody_waits() {
    let machine = Machine::new();
    let stories = stories();
    for step in &stories["notify"] {
        if let Some([path, text]) = step.get("program").and_then(Value::as_array).map(Vec::as_slice) {
            write_program(&machine, path.as_str().unwrap(), text.as_str().unwrap());
            continue;
        }
        let payload = payload(&machine, "claude", step).unwrap();
        let mut command = machine.command(&["hook", "claude", "--policy", &recipe("notify")]);
        command.env("PATH", format!("{}:/usr/bin:/bin", machine.home().join("bin").display()));
        assert_eq!(Machine::run_command(command, payload.as_bytes()).code, Some(0));
    }
    let begun = std::time::Instant::now();
    while machine.read("notified").is_none_or(|text| text.is_empty()) {
        assert!(begun.elapsed().as_secs() < 60, "nothing was notified");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(machine.read("notified").unwrap(), "claude\n");
}

#[test]
fn the_tests_of_every_recipe_pass() {
    let machine = Machine::new();
    let ran = machine.run(&["test", concat!(env!("CARGO_MANIFEST_DIR"), "/policies/cookbook")], b"");
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn the_log_has_every_event() {
    let machine = Machine::new();
    let stories = stories();
    let story = &stories["audit-log"];
    let mut steps = 0;
    for step in story {
        let payload = payload(&machine, "claude", step).unwrap();
        machine.run(&["hook", "claude", "--policy", &recipe("audit-log")], payload.as_bytes());
        steps += 1;
    }
    let log = machine.read(".state/ruleward/audit.jsonl").unwrap();
    assert_eq!(log.lines().count(), steps, "{log}");
    assert!(log.contains("data goes to") && log.contains("terraform was used"), "{log}");
}

#[test]
fn a_project_cannot_weaken_the_rules_of_an_organisation() {
    let machine = Machine::new();
    machine.write(".config/ruleward/policy.yaml", "version: 1\nextends: [cookbook/org-rules]\n");
    machine.write(
        "project/.ruleward/policy.yaml",
        "version: 1\non_error: allow\naudit: off\ndisable:\n  - { rule: 'org-*', reason: in the way }\nrules:\n  - { id: org-free, when: tool.before, command: npm, then: { allow: \"It is ours.\" } }\n",
    );
    let step = json!({ "run": "npm publish" });
    for host in ["claude", "gemini"] {
        let payload = payload(&machine, host, step.as_object().unwrap()).unwrap();
        let ran = machine.run(&["hook", host], payload.as_bytes());
        assert!(ran.stdout.contains("Releases are made by the pipeline."), "{}", ran.stdout);
    }
}

#[test]
fn a_recipe_is_copied_to_be_changed_or_taken_as_it_is() {
    let machine = Machine::new();
    let ran = machine.run(&["init", "--from", "gates", "--from", "cookbook/token-budget"], b"");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for args in [&["test"][..], &["lint"]] {
        let ran = machine.run(args, b"");
        assert_eq!(ran.code, Some(0), "{args:?}: {}{}", ran.stdout, ran.stderr);
    }
    let refused = |machine: &Machine| machine.run(&["check", "--command", "git push"], b"");
    assert!(refused(&machine).stdout.contains("approve push"));
    let again = machine.run(&["init", "--from", "dry-run"], b"");
    assert!(again.stdout.contains("extends: [dry-run.yaml]"), "{}", again.stdout);
    let other = Machine::new();
    other.write(".config/ruleward/policy.yaml", "version: 1\nextends: [cookbook/gates]\n");
    assert!(refused(&other).stdout.contains("approve push"));
    let unknown = other.run(&["init", "--from", "gate"], b"");
    assert!(unknown.stderr.contains("unknown recipe `gate`") && unknown.stderr.contains("gates"), "{}", unknown.stderr);
}
