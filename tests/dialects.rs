//! Hooks that speak as those of another host: what they are told, and what their answers come to.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use ruleward::adapters::dialect::{
    Attribution, EncodeContext, HookAnswer, HookOutput, InvalidAnswer, decode, encode, equivalent_tool, event_row,
    has_event, matches_event,
};
use ruleward::adapters::{HOSTS, Host, parse_payload, read_event};
use ruleward::domain::effect::EffectKind;
use ruleward::domain::event::kind::Kind;
use ruleward::domain::event::tool::{ArgumentNames, ToolCall};
use ruleward::domain::event::{Event, Payload};
use ruleward::domain::severity::Severity;
use ruleward::domain::text::path::PathContext;
use ruleward::domain::time::Time;
use ruleward::domain::verdict::{Verdict, join_texts};
use serde_json::{Map, Value, json};

const SPEAKER: Attribution<'static> = Attribution { rule: "hook", severity: Severity::Medium };

fn place() -> PathContext {
    let directory = "/home/user/project".to_owned();
    PathContext {
        cwd: directory.clone(),
        project: Some(directory),
        home: Some("/home/user".into()),
        ..PathContext::default()
    }
}

fn host(name: &str) -> &'static Host {
    Host::by_name(name).unwrap()
}

/// Calls back with every recorded payload: its host, its name and its bytes.
fn for_each_recorded(mut each: impl FnMut(&'static Host, &str, &[u8])) {
    for host in HOSTS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/payloads").join(host.name);
        let Ok(entries) = fs::read_dir(folder) else { continue };
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            each(host, path.file_stem().unwrap().to_str().unwrap(), &fs::read(&path).unwrap());
        }
    }
}

/// Returns what a hook is told; `None` when it does not run.
fn encoded_payload(
    host: &'static Host,
    dialect: &'static Host,
    payload: &Map<String, Value>,
) -> Option<Map<String, Value>> {
    let event = read_event(host, payload, &ArgumentNames::default()).unwrap();
    let place = place();
    let circumstances = EncodeContext { raw: None, place: &place, now: Time(1_795_219_200) };
    let speech = encode(host, &event, dialect, &circumstances).unwrap()?;
    Some(parse_payload(&speech.stdin).unwrap())
}

#[test]
fn every_recorded_payload_is_told_in_the_other_dialect() {
    for_each_recorded(|host, name, bytes| {
        let payload = parse_payload(bytes).unwrap();
        let mut shown = String::new();
        for dialect in HOSTS.iter().filter(|dialect| dialect.has_command_hooks() && dialect.name != host.name) {
            let told = encoded_payload(host, dialect, &payload)
                .map_or("(not run)".into(), |told| Value::Object(told).to_string());
            // Ids are the machine's own.
            let told = told.replace(payload["session_id"].as_str().unwrap(), "SESSION");
            writeln!(shown, "{}/{name} as {}: {told}", host.name, dialect.name).unwrap();
        }
        insta::with_settings!({ snapshot_suffix => format!("{}__{name}", host.name) }, {
            insta::assert_snapshot!("told", shown);
        });
    });
}

#[test]
fn a_hook_of_the_host_in_use_gets_the_bytes_that_came() {
    for_each_recorded(|host, name, bytes| {
        if !host.has_command_hooks() {
            return;
        }
        let payload = parse_payload(bytes).unwrap();
        let event = read_event(host, &payload, &ArgumentNames::default()).unwrap();
        let place = place();
        let circumstances = EncodeContext { raw: Some(bytes), place: &place, now: Time(0) };
        let speech = encode(host, &event, host, &circumstances).unwrap().unwrap();
        assert_eq!(speech.stdin, bytes, "{name}");
    });
}

/// What a policy could ask of an event, in words that are the same on every host.
fn facts(event: &Event<'_>) -> Vec<String> {
    let place = place();
    let mut facts: Vec<String> = Vec::new();
    let cwd = event.session.cwd.unwrap_or_default();
    for call in event.calls() {
        for command in &call.commands {
            let base = command.base.map_or_else(|| cwd.to_owned(), |base| place.resolve(base, None));
            facts.push(format!("command in {base}: {}", command.text));
        }
        let files: BTreeSet<String> = call
            .files
            .iter()
            .map(|file| format!("file {} {:?}", place.resolve(&file.path, None), file.access.names()))
            .collect();
        facts.extend(files);
        facts.extend(call.texts.iter().map(|text| format!("text {}", text.text)));
        facts.extend(call.replaced_texts.iter().map(|text| format!("replaced {text}")));
        facts.extend(call.urls.iter().map(|url| format!("url {url}")));
        facts.extend(call.mcp.iter().map(|mcp| format!("mcp {} {}", mcp.server, mcp.tool)));
        facts.extend(call.agent.iter().map(|agent| format!("agent {:?} {:?}", agent.name, agent.prompt)));
        facts.extend(call.result.iter().map(|outcome| format!("ok {}", outcome.is_ok)));
    }
    match &event.payload {
        Payload::Prompt(text) => facts.push(format!("prompt {text}")),
        Payload::Answer(answer) => facts.push(format!("answer {:?} {}", answer.text, answer.is_retry)),
        Payload::Model(model) => {
            let whole = |preamble: Option<&str>, text: &str| preamble.unwrap_or_default().to_owned() + text;
            let said = model.messages.iter().map(|message| (message.by_model, whole(message.preamble, message.text)));
            facts.extend(said.map(|(by_model, text)| format!("message {by_model} {text}")));
            facts.push(format!("response {:?}", model.response));
        }
        Payload::Tools(_) | Payload::Notice(_) => {}
    }
    facts
}

#[test]
fn the_other_dialect_says_the_same() {
    let mut compared = 0;
    for_each_recorded(|host, name, bytes| {
        let payload = parse_payload(bytes).unwrap();
        let event = read_event(host, &payload, &ArgumentNames::default()).unwrap();
        for dialect in HOSTS.iter().filter(|dialect| dialect.has_command_hooks() && dialect.name != host.name) {
            let Some(told) = encoded_payload(host, dialect, &payload) else {
                assert!(!has_event(dialect, event.kind), "{name} as {}", dialect.name);
                continue;
            };
            let again =
                read_event(dialect, &told, &ArgumentNames::default()).unwrap_or_else(|why| panic!("{name}: {why}"));
            // A tool that only its host has is told as it is, and what its arguments mean is guessed there.
            let is_alone =
                |call: &ToolCall<'_>| host.tool(call.name).is_some_and(|it| equivalent_tool(dialect, it).is_none());
            // Some hosts report a request to the model without what is in it.
            let is_empty =
                matches!((event.kind, &event.payload), (Kind::ModelBefore | Kind::ModelAfter, Payload::Notice(_)));
            if !is_empty && !event.calls().iter().any(is_alone) {
                assert_eq!(facts(&event), facts(&again), "{} {name} as {}", host.name, dialect.name);
            }
            assert_eq!(event_row(dialect, &event).unwrap().wire, again.wire_name);
            compared += 1;
        }
    });
    assert!(compared > 150, "{compared}");
}

#[test]
fn calls_change_words_and_keep_what_they_do() {
    let cases = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialects/calls.json")).unwrap();
    let cases: Vec<Map<String, Value>> = serde_json::from_str(&cases).unwrap();
    let text = |case: &Map<String, Value>, key: &str| case[key].as_str().unwrap().to_owned();
    for case in cases {
        let (from, to) = (host(&text(&case, "on")), host(&text(&case, "as")));
        let told = encoded_payload(from, to, &call(from, &text(&case, "tool"), &case["input"])).unwrap();
        assert_eq!((&told["tool_name"], &told["tool_input"]), (&case["told"], &case["told_input"]), "{case:?}");
        let cwd = case.get("cwd").cloned().unwrap_or(json!("/home/user/project"));
        assert_eq!(told["cwd"], cwd, "{case:?}");
    }
    let several = call(host("gemini"), "web_fetch", &json!({"prompt": "https://a.example https://b.example"}));
    let event = read_event(host("gemini"), &several, &ArgumentNames::default()).unwrap();
    let place = place();
    let circumstances = EncodeContext { raw: None, place: &place, now: Time(0) };
    assert!(encode(host("gemini"), &event, host("claude"), &circumstances).is_err());
}

fn call(host: &Host, tool: &str, input: &Value) -> Map<String, Value> {
    let event = host.event_rows(Kind::ToolBefore).next().unwrap().wire;
    let payload = json!({"session_id": "s", "transcript_path": "", "cwd": "/home/user/project",
        "hook_event_name": event, "tool_name": tool, "tool_input": input});
    payload.as_object().unwrap().clone()
}

#[test]
fn tools_that_do_the_same_are_told_as_one_another() {
    let mut shown = String::new();
    for host in HOSTS {
        for tool in host.tools {
            let others = HOSTS.iter().filter(|other| other.name != host.name);
            let others: Vec<String> = others
                .filter_map(|other| Some(format!("{} {}", other.name, equivalent_tool(other, tool)?.wire)))
                .collect();
            writeln!(shown, "{} {}: {}", host.name, tool.wire, others.join(", ")).unwrap();
        }
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn a_hook_gets_the_environment_of_its_host() {
    let payload = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/payloads/gemini/BeforeAgent.json")).unwrap();
    let payload = parse_payload(&payload).unwrap();
    let event = read_event(host("gemini"), &payload, &ArgumentNames::default()).unwrap();
    let place = place();
    let circumstances = EncodeContext { raw: None, place: &place, now: Time(0) };
    for (dialect, name, value) in [
        ("claude", "CLAUDE_PROJECT_DIR", "/home/user/project"),
        ("claude", "CLAUDECODE", "1"),
        ("gemini", "GEMINI_PROJECT_DIR", "/home/user/project"),
        ("gemini", "GEMINI_CWD", "/home/user/project"),
        ("gemini", "GEMINI_SESSION_ID", "5c3ce7d3-7580-4ffc-82fe-78d6b780e9a5"),
        ("llxprt", "LLXPRT_PROJECT_DIR", "/home/user/project"),
    ] {
        let env = encode(host("gemini"), &event, host(dialect), &circumstances).unwrap().unwrap().env;
        assert!(env.contains(&(name, value.to_owned())), "{dialect} {name}: {env:?}");
    }
}

#[test]
fn a_matcher_covers_what_it_covers_in_its_host() {
    for (file, from, dialect, matcher, expected) in [
        ("gemini/BeforeTool-run_shell_command", "gemini", "claude", "Bash", true),
        ("gemini/BeforeTool-run_shell_command", "gemini", "claude", "Write|Edit", false),
        ("gemini/BeforeTool-mcp_tiny_echo_note", "gemini", "claude", "mcp__tiny__.*", true),
        ("claude/PreToolUse-Bash", "claude", "gemini", "shell", true),
        ("claude/PreToolUse-mcp__tiny__echo", "claude", "gemini", "mcp_tiny_.*", true),
        ("claude/SessionStart", "claude", "gemini", "startup", true),
        ("claude/SessionEnd", "claude", "gemini", "exit", true),
        ("gemini/SessionEnd", "gemini", "claude", "other", true),
        ("gemini/BeforeModel", "gemini", "claude", "", false),
    ] {
        let path = format!("{}/tests/payloads/{file}.json", env!("CARGO_MANIFEST_DIR"));
        let payload = parse_payload(&fs::read(path).unwrap()).unwrap();
        let event = read_event(host(from), &payload, &ArgumentNames::default()).unwrap();
        assert_eq!(matches_event(host(from), host(dialect), &event, matcher), Ok(expected), "{file} {matcher}");
    }
}

/// Returns what an answer comes to, in a line.
fn decoded_answer(from: &str, file: &str, dialect: &str, said: HookOutput<'_>) -> String {
    let path = format!("{}/tests/payloads/{from}/{file}.json", env!("CARGO_MANIFEST_DIR"));
    let payload = parse_payload(&fs::read(path).unwrap()).unwrap();
    let event = read_event(host(from), &payload, &ArgumentNames::default()).unwrap();
    let place = place();
    let circumstances = EncodeContext { raw: None, place: &place, now: Time(0) };
    match decode(host(from), &event, host(dialect), (said, SPEAKER), &circumstances) {
        Ok(HookAnswer { verdict, unused }) if unused.is_empty() => verdict_text(&verdict),
        Ok(HookAnswer { verdict, unused }) => format!("{}; not taken: {}", verdict_text(&verdict), unused.join(", ")),
        Err(why @ (InvalidAnswer::Exit(_) | InvalidAnswer::Signal)) => format!("failed: {why}"),
        Err(InvalidAnswer::Malformed(_)) => "failed: junk".to_owned(),
        Err(InvalidAnswer::Unsupported(why)) => format!("failed: {why}"),
    }
}

fn verdict_text(verdict: &Verdict) -> String {
    let mut words: Vec<String> = Vec::new();
    for effect in EffectKind::ALL {
        if !verdict.has_effect(effect) {
            continue;
        }
        match effect {
            EffectKind::Rewrite => {
                let fields = verdict.rewrite.iter().map(|(field, proposals)| format!("{field}={}", proposals[0].value));
                words.push(format!("rewrite {}", fields.collect::<Vec<_>>().join(" ")));
            }
            EffectKind::Tools => {
                let limit = verdict.tools.first().unwrap();
                words.push(format!("tools {:?} {:?}", limit.mode, limit.allow));
            }
            effect => words.push(format!("{effect}: {}", join_texts(verdict.notes.of(effect), " / "))),
        }
    }
    words.extend(verdict.exhausted.iter().map(|effect| format!("spent {effect}")));
    if verdict.has_secret {
        words.push("conceals".to_owned());
    }
    if words.is_empty() { "nothing".to_owned() } else { words.join("; ") }
}

#[test]
fn answers_come_to_what_their_host_makes_of_them() {
    let cases = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialects/answers.txt")).unwrap();
    let mut seen = 0;
    for block in cases.split("\n\n").filter(|block| !block.trim_start().starts_with('#')) {
        let mut lines = block.trim().lines();
        let head: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
        let [from, file, dialect, exit] = head.as_slice() else { panic!("{block}") };
        let (mut stdout, mut stderr, mut expected) = (String::new(), String::new(), None);
        for line in lines {
            match line.split_once(' ').unwrap_or((line, "")) {
                ("out", text) => stdout = text.replace("\\n", "\n"),
                ("err", text) => stderr = text.to_owned(),
                ("=>", text) => expected = Some(text),
                _ => panic!("{block}"),
            }
        }
        let exit = if *exit == "signal" { None } else { Some(exit.parse().unwrap()) };
        let said = HookOutput { stdout: &stdout, stderr: &stderr, exit_code: exit };
        assert_eq!(decoded_answer(from, file, dialect, said), expected.unwrap(), "{block}");
        seen += 1;
    }
    assert!(seen > 60, "{seen}");
}

#[test]
fn no_answer_whatever_breaks_or_approves_by_itself() {
    let pieces =
        ["{", "}", "null", "[]", "\"", "{\"decision\":1}", "{\"hookSpecificOutput\":\"x\"}", "\u{feff}", "allow"];
    for_each_recorded(|from, file, _| {
        for dialect in HOSTS.iter().filter(|dialect| dialect.has_command_hooks()) {
            for (exit, piece) in (0..4).flat_map(|exit| pieces.iter().map(move |piece| (exit, piece))) {
                for (stdout, stderr) in [(*piece, ""), ("", *piece), (*piece, *piece)] {
                    let words = decoded_answer(
                        from.name,
                        file,
                        dialect.name,
                        HookOutput { stdout, stderr, exit_code: Some(exit) },
                    );
                    assert!(!words.contains("allow:"), "{file} {exit} {stdout} {stderr}: {words}");
                }
            }
        }
    });
}

#[test]
fn dialects_know_which_moments_they_have() {
    for (dialect, kind, expected) in [
        ("claude", Kind::ToolBefore, true),
        ("claude", Kind::ModelBefore, false),
        ("claude", Kind::Unknown, false),
        ("gemini", Kind::ToolFailed, true),
        ("gemini", Kind::SubagentAfter, false),
    ] {
        assert_eq!(has_event(host(dialect), kind), expected, "{dialect} {kind}");
    }
}

#[test]
fn the_documents_say_which_tools_do_the_same() {
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/hooks.md")).unwrap();
    let (_, table) = text.split_once("| action | Claude Code |").unwrap();
    let rows: Vec<&str> = table.lines().skip(2).take_while(|line| line.starts_with('|')).collect();
    for row in &rows {
        let names: Vec<&str> = row.split('`').skip(1).step_by(2).collect();
        let [claude, gemini, llxprt] = names.as_slice() else { panic!("{row}") };
        let tool = host("claude").tool(claude).unwrap();
        for (dialect, name) in [("claude", claude), ("gemini", gemini), ("llxprt", llxprt)] {
            assert_eq!(equivalent_tool(host(dialect), tool).map(|tool| tool.wire), Some(*name), "{row}");
        }
    }
    assert!(rows.len() > 8, "{}", rows.len());
}
