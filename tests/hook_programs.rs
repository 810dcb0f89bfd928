//! Programs that rules have run: what they are given, what becomes of what they say, and every way in
//! which they can fail.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{Machine, RunOutput, output_text};

/// What no test takes, and a hook that hangs would.
const LONG: Duration = Duration::from_secs(40);

/// Writes a script, and returns its path.
fn script(machine: &Machine, name: &str, text: &str) -> String {
    let path = machine.write(&format!("hooks/{name}"), &format!("#!/bin/sh\n{text}\n"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Runs the hook with the policy of this text, written for the person.
fn run_hook(machine: &Machine, host: &str, policy: &str, payload: &[u8], env: &[(&str, &str)]) -> RunOutput {
    machine.write(".config/ruleward/policy.yaml", &format!("version: 1\ndefaults: none\n{policy}"));
    let mut command = machine.command(&["hook", host]);
    command.env("PATH", "/usr/local/bin:/usr/bin:/bin").envs(env.iter().copied());
    Machine::run_command(command, payload)
}

fn run_claude_hook(machine: &Machine, policy: &str) -> RunOutput {
    run_hook(machine, "claude", policy, &machine.shell_payload("claude", "make"), &[])
}

fn answer(ran: &RunOutput) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_default()
}

fn decision(ran: &RunOutput) -> (String, String) {
    let answer = answer(ran);
    let specific = &answer["hookSpecificOutput"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    (text(&specific["permissionDecision"]), text(&specific["permissionDecisionReason"]))
}

/// Returns the command lines of processes that a rule has started and that do not go: what was killed
/// may take a moment to end.
#[cfg(target_os = "linux")]
fn leftover_processes(rule: &str) -> Vec<String> {
    let begun = Instant::now();
    loop {
        let left = started_processes(rule);
        if left.is_empty() || begun.elapsed() > Duration::from_secs(10) {
            return left;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(target_os = "linux")]
fn started_processes(rule: &str) -> Vec<String> {
    let mark = format!("RULEWARD_RULE={rule}");
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let ours = processes.filter(|path| {
        let environment = fs::read(path.join("environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
    });
    ours.map(|path| String::from_utf8_lossy(&fs::read(path.join("cmdline")).unwrap_or_default()).into_owned()).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn every_fault_comes_to_the_decision_of_the_policy_and_leaves_nothing_behind() {
    let faults = [
        ("hangs", "sleep 300", "exit-code", "did not finish within 1s"),
        ("ignores-term", "trap '' TERM\nsleep 300\nsleep 300", "exit-code", "did not finish within 1s"),
        ("hangs-with-children", "(sleep 300 & sleep 300 & wait) &\nwait", "exit-code", "did not finish within 1s"),
        ("leaves-a-child", "sleep 300 &\necho No. >&2\nexit 1", "exit-code", "No."),
        ("prints-a-lot", "yes | head -c 100000000\nexit 3", "exit-code", "characters omitted"),
        ("prints-a-lot-of-errors", "yes | head -c 100000000 >&2\nexit 3", "exit-code", "characters omitted"),
        ("prints-for-ever", "yes", "exit-code", "did not finish within 1s"),
        ("says-junk", "echo '}{'", "native", "its answer is invalid"),
        ("says-half", "printf '{\"deny\": \"No'", "native", "its answer is invalid"),
        ("says-what-is-not-there", "echo '{\"denny\": \"No.\"}'", "native", "unknown field `denny`"),
        ("says-what-cannot-be", "echo '{\"retry\": \"On.\"}'", "native", "`tool.before` doesn't support"),
        ("says-junk-as-claude", "echo '{\"decision\": '", "claude", "its answer is invalid"),
        ("dies", "kill -KILL $$", "exit-code", "it was killed by a signal"),
        ("dies-natively", "kill -SEGV $$", "native", "it was killed by a signal"),
        ("fails-natively", "echo broken >&2; exit 1", "native", "it exited with code 1: broken"),
        ("fails-silently", "exit 9", "exit-code", "it exited with code 9"),
    ];
    for (name, text, speaks, expected) in faults {
        let machine = Machine::new();
        let rule = format!("{name}-{}", std::process::id());
        let path = script(&machine, name, text);
        for (on_failure, decided) in [("deny", "deny"), ("ask", "ask"), ("allow", ""), ("warn", "")] {
            let policy = format!(
                "hooks:\n  - {{ id: {rule}, when: tool.before, run: ['{path}'], speaks: {speaks}, timeout: 1s, on_failure: {on_failure} }}\n"
            );
            let begun = Instant::now();
            let ran = run_claude_hook(&machine, &policy);
            assert!(begun.elapsed() < LONG, "{name} took {:?}", begun.elapsed());
            assert_eq!(decision(&ran).0, decided, "{name}, {on_failure}: {}", output_text(&machine, &ran));
            assert!(ran.stdout.len() < 40_000, "{name}: {} bytes", ran.stdout.len());
            let told = on_failure != "allow";
            assert_eq!(ran.stdout.contains(expected), told, "{name}, {on_failure}: {}", output_text(&machine, &ran));
            assert_eq!(leftover_processes(&rule), [""; 0], "{name}, {on_failure}");
            if !["deny", "warn"].contains(&on_failure) && name.contains("hang") {
                break;
            }
        }
    }
}

#[test]
fn a_program_that_is_not_there_or_may_not_run_is_a_failure() {
    let machine = Machine::new();
    let plain = machine.write("hooks/plain", "#!/bin/sh\n");
    fs::set_permissions(&plain, fs::Permissions::from_mode(0o644)).unwrap();
    let nowhere = script(&machine, "nowhere", "exit 0");
    for (run, expected) in [
        (format!("['{}']", plain.display()), "is not executable"),
        ("['/nowhere/at/all']".to_owned(), "there is no file /nowhere/at/all"),
        ("[no-such-program]".to_owned(), "there is no program `no-such-program` in PATH"),
        ("[./hooks/x]".to_owned(), "is relative to the current project"),
        (format!("['{nowhere}'], directory: gone"), "doesn't exist"),
        (format!("['{}']", machine.home().display()), "there is no file"),
    ] {
        let ran = run_claude_hook(&machine, &format!("hooks:\n  - {{ id: x, when: tool.before, run: {run} }}\n"));
        let (decided, reason) = decision(&ran);
        assert_eq!(decided, "deny", "{run}: {}", output_text(&machine, &ran));
        assert!(reason.contains(expected), "{run}: {reason}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_holds_the_streams_holds_nothing_up() {
    let machine = Machine::new();
    let rule = format!("holder-{}", std::process::id());
    for text in ["sleep 300 &", "(trap '' TERM HUP; sleep 300) & exit 0", "exec 0<&- 1>&- 2>&-", "exit 0"] {
        let path = script(&machine, "holder", text);
        let policy = format!("hooks:\n  - {{ id: {rule}, when: tool.before, run: ['{path}'], timeout: 20s }}\n");
        let large = json!({ "tool_name": "Write", "tool_input": { "file_path": "a", "content": "x".repeat(3 << 20) } });
        let begun = Instant::now();
        let ran = run_hook(&machine, "claude", &policy, &machine.payload("PreToolUse", &large), &[]);
        assert_eq!(output_text(&machine, &ran), "exit 0\n", "{text}");
        assert!(begun.elapsed() < LONG, "{text}");
        assert_eq!(leftover_processes(&rule), [""; 0], "{text}");
    }
}

#[test]
fn what_is_async_goes_on_when_the_hook_is_gone() {
    let machine = Machine::new();
    let path = script(
        &machine,
        "later",
        "cat > \"$OUT.in\"\nwhile [ ! -e \"$OUT.go\" ]; do sleep 0.1; done\ncp \"$OUT.in\" \"$OUT\"",
    );
    let out = machine.home().join("out");
    let policy = format!(
        "hooks:\n  - {{ id: later, when: tool.before, run: ['{path}'], async: true, env: {{ set: {{ OUT: '{}' }} }} }}\n",
        out.display()
    );
    let large = json!({ "tool_name": "Write", "tool_input": { "file_path": "a", "content": "x".repeat(300_000) } });
    let ran = run_hook(&machine, "claude", &policy, &machine.payload("PreToolUse", &large), &[]);
    assert_eq!(output_text(&machine, &ran), "exit 0\n");
    assert!(!out.exists());
    machine.write("out.go", "");
    let begun = Instant::now();
    while !out.exists() && begun.elapsed() < LONG {
        std::thread::sleep(Duration::from_millis(20));
    }
    let event = || serde_json::from_str::<Value>(&machine.read("out")?).ok();
    while event().is_none() && begun.elapsed() < LONG {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(event().unwrap()["tool"]["kind"], "write");
}

#[test]
fn the_environment_is_what_is_declared() {
    let machine = Machine::new();
    let path = script(&machine, "env", "env | grep -v '^_=\\|^SHLVL=\\|^PWD=\\|^OLDPWD=' | sort");
    let policy = format!(
        "hooks:\n  - {{ id: env, when: session.start, run: ['{path}'], stdout: context, env: {{ pass: [NAMED], set: {{ KIND: '{{{{ event.kind }}}}' }} }} }}\n"
    );
    let env = [("GITHUB_TOKEN", "t"), ("AWS_SECRET_ACCESS_KEY", "k"), ("NAMED", "n"), ("LC_ALL", "C"), ("LANG", "C")];
    let payload = machine.payload("SessionStart", &json!({ "source": "startup" }));
    let ran = run_hook(&machine, "claude", &policy, &payload, &env);
    let told = answer(&ran)["hookSpecificOutput"]["additionalContext"].as_str().unwrap().to_owned();
    let names: Vec<&str> = told.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
    let expected = [
        "HOME",
        "KIND",
        "LANG",
        "LC_ALL",
        "NAMED",
        "PATH",
        "RULEWARD_DEPTH",
        "RULEWARD_RULE",
        "XDG_CONFIG_HOME",
        "XDG_STATE_HOME",
    ];
    assert_eq!(names, expected, "{told}");
    assert!(told.contains("KIND=session.start"), "{told}");
}

#[test]
fn what_is_filled_in_stays_one_word() {
    let machine = Machine::new();
    let name = "a\"; touch pwned; $(touch pwned) '.py";
    let path = script(&machine, "words", "printf '%s|' \"$#\" \"$1\"");
    let shell = "printf '%s|' \"$FILE\"";
    for run in [
        format!("command: ['{path}', '{{{{ file.name }}}}']"),
        format!("shell: '{}', env: {{ set: {{ FILE: '{{{{ file.name }}}}' }} }}", shell.replace('\'', "''")),
    ] {
        let policy = format!(
            "rules:\n  - {{ id: words, when: tool.after, files: ['**'], then: {{ run: {{ {run}, stdout: context }} }} }}\n"
        );
        let call = json!({ "tool_name": "Write", "tool_input": { "file_path": machine.project().join(name), "content": "" },
            "tool_response": {} });
        let ran = run_hook(&machine, "claude", &policy, &machine.payload("PostToolUse", &call), &[]);
        let told = answer(&ran)["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned();
        assert!(told.ends_with(&format!("{name}|")), "{run}: {}", output_text(&machine, &ran));
        assert!(!machine.project().join("pwned").exists(), "{run}");
    }
}

#[test]
fn neighbours_run_at_the_same_time_where_they_say_so_and_else_in_order() {
    let machine = Machine::new();
    let meet = "touch \"$HOME/met-$RULEWARD_RULE\"\nwhile [ ! -e \"$HOME/met-a\" ] || [ ! -e \"$HOME/met-b\" ]; do sleep 0.05; done";
    let path = script(&machine, "meet", meet);
    let one = |id: &str, more: &str| format!("  - {{ id: {id}, when: tool.before, run: ['{path}'], {more} }}\n");
    let together =
        format!("hooks:\n{}{}", one("a", "parallel: true, timeout: 20s"), one("b", "parallel: true, timeout: 20s"));
    let ran = run_claude_hook(&machine, &together);
    assert_eq!(output_text(&machine, &ran), "exit 0\n");
    let log = script(&machine, "log", "echo $RULEWARD_RULE >> \"$HOME/log\"; [ $RULEWARD_RULE != c ]");
    let one = |id: &str| format!("  - {{ id: {id}, when: tool.before, run: ['{log}'] }}\n");
    let ran = run_claude_hook(&machine, &format!("hooks:\n{}{}{}{}", one("b"), one("a"), one("c"), one("d")));
    assert_eq!(decision(&ran).0, "deny");
    assert_eq!(machine.read("log").unwrap(), "b\na\nc\n", "nothing runs after a refusal");
}

#[test]
fn what_is_refused_already_asks_nobody_and_still_notifies() {
    let machine = Machine::new();
    let path = script(&machine, "note", "echo $RULEWARD_RULE >> \"$HOME/log\"");
    let policy = format!(
        "rules:\n  - {{ id: no, when: tool.before, command: make, then: {{ deny: No. }} }}\n  - {{ id: awaited, when: tool.before, then: {{ run: ['{path}'] }} }}\n  - {{ id: told, when: tool.before, then: {{ run: {{ command: ['{path}'], async: true }} }} }}\n"
    );
    let ran = run_claude_hook(&machine, &policy);
    assert_eq!(decision(&ran).0, "deny");
    let begun = Instant::now();
    while machine.read("log").is_none_or(|log| log.is_empty()) && begun.elapsed() < LONG {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(machine.read("log").unwrap(), "told\n");
}

#[test]
fn programs_answer_in_effects() {
    let machine = Machine::new();
    for (text, decided, part) in [
        ("", "", ""),
        (r#"echo '{"deny": "Not now."}'"#, "deny", "Not now."),
        (r#"echo '{"ask": "Sure?", "context": "c"}'"#, "ask", "Sure?"),
        (r#"echo '{"allow": "Fine."}'"#, "allow", "Fine."),
        (r#"grep -q '"kind":"shell"' && echo '{"deny": "A shell."}'"#, "deny", "A shell."),
        (r#"echo '{"rewrite": {"command": "make -n"}}'"#, "", "make -n"),
        (r#"echo '{"rewrite": {"command": "rm -rf x"}}'"#, "deny", "Nothing is removed."),
    ] {
        let path = script(&machine, "native", text);
        let policy = format!(
            "rules:\n  - {{ id: keep, when: tool.before, command: rm, then: {{ deny: Nothing is removed. }} }}\nhooks:\n  - {{ id: native, when: tool.before, run: ['{path}'], speaks: native }}\n"
        );
        let ran = run_claude_hook(&machine, &policy);
        assert_eq!(decision(&ran).0, decided, "{text}: {}", output_text(&machine, &ran));
        assert!(ran.stdout.contains(part), "{text}: {}", output_text(&machine, &ran));
    }
}

#[test]
fn a_changed_call_is_shown_to_those_who_have_not_seen_it() {
    let machine = Machine::new();
    let change = script(&machine, "change", r#"echo '{"rewrite": {"command": "make evil"}}'"#);
    let look = script(&machine, "look", "! grep -q evil");
    let hook_of = |id: &str, path: &str, more: &str| {
        format!("  - {{ id: {id}, when: tool.before, run: ['{path}'], speaks: {more} }}\n")
    };
    for policy in [
        format!("hooks:\n{}{}", hook_of("look", &look, "exit-code"), hook_of("change", &change, "native")),
        format!("hooks:\n{}{}", hook_of("change", &change, "native"), hook_of("look", &look, "exit-code")),
        format!(
            "hooks:\n{}{}",
            hook_of("change", &change, "native"),
            "  - { id: late, when: tool.before, command: make evil, run: ['/bin/true'] }\n"
        ),
    ] {
        let ran = run_claude_hook(&machine, &policy);
        assert_eq!(decision(&ran).0, "deny", "{policy}{}", output_text(&machine, &ran));
    }
}

#[test]
fn hooks_of_one_host_run_under_another() {
    let machine = Machine::new();
    let exit = script(
        &machine,
        "exit",
        "grep -q '\"tool_name\":\"Bash\"' && [ \"$CLAUDE_PROJECT_DIR\" ] && echo 'No make here.' >&2 && exit 2",
    );
    let policy = format!("hooks:\n  - {{ id: theirs, when: tool.before, run: ['{exit}'], speaks: claude }}\n");
    let ran = run_hook(&machine, "gemini", &policy, &machine.shell_payload("gemini", "make"), &[]);
    assert_eq!(answer(&ran)["decision"], "deny", "{}", output_text(&machine, &ran));
    assert!(answer(&ran)["reason"].as_str().unwrap().contains("No make here."), "{}", output_text(&machine, &ran));
}

#[test]
fn a_strangers_project_has_nothing_run() {
    let machine = Machine::new();
    script(&machine, "../project/x", "touch \"$HOME/ran\"; exit 1");
    machine.write(
        "project/.ruleward/policy.yaml",
        "version: 1\nhooks:\n  - { id: theirs, when: tool.before, run: [./x] }\n",
    );
    let ran = run_claude_hook(&machine, "");
    assert_eq!(output_text(&machine, &ran), "exit 0\n");
    assert_eq!(machine.read("ran"), None);
    let ran = run_hook(&machine, "claude", "", &machine.payload("SessionStart", &json!({ "source": "startup" })), &[]);
    assert!(ran.stdout.contains("trust"), "{}", output_text(&machine, &ran));
}

#[test]
fn gates_go_by_what_programs_say() {
    let machine = Machine::new();
    let path = script(&machine, "maybe", "[ -e \"$HOME/agree\" ] || { echo Not yet. >&2; exit 1; }");
    let policy = format!(
        "gates:\n  - id: g\n    opens: {{ when: tool.before, command: make }}\n    while_closed: {{ when: tool.before, command: deploy, then: {{ deny: Make first. }} }}\nhooks:\n  - {{ id: maybe, when: tool.before, command: make, run: ['{path}'] }}\n"
    );
    let run = |command: &str| {
        decision(&run_hook(&machine, "claude", &policy, &machine.shell_payload("claude", command), &[]))
    };
    assert_eq!(run("make").0, "deny");
    assert_eq!(run("deploy").0, "deny", "what was refused opens nothing");
    machine.write("agree", "");
    assert_eq!(run("make").0, "");
    assert_eq!(run("deploy").0, "");
}

#[test]
fn the_deadline_waits_for_programs_and_for_nothing_else() {
    let machine = Machine::new();
    let path = script(&machine, "slow", "sleep 2");
    let policy = format!(
        "version: 1\ndefaults: none\nhooks:\n  - {{ id: slow, when: tool.before, run: ['{path}'], timeout: 20s }}\n"
    );
    let file = machine.write("slow.yaml", &policy);
    let mut command = machine.command(&["hook", "claude", "--deadline", "1", "--policy", file.to_str().unwrap()]);
    command.env("PATH", "/usr/bin:/bin");
    let ran = Machine::run_command(command, &machine.shell_payload("claude", "make"));
    assert_eq!(output_text(&machine, &ran), "exit 0\n");
}

#[test]
fn runs_do_not_stand_in_one_another_for_ever() {
    let machine = Machine::new();
    let ruleward = env!("CARGO_BIN_EXE_ruleward");
    let again = "cat > \"$HOME/payload\"; echo x >> \"$HOME/depth\"; HOOK=$(mktemp) || exit 1; \"$RULEWARD\" hook claude < \"$PAYLOAD\"";
    let path = script(&machine, "again", again);
    let payload = machine.home().join("call.json");
    fs::write(&payload, machine.shell_payload("claude", "make")).unwrap();
    let policy = format!(
        "hooks:\n  - {{ id: again, when: tool.before, run: ['{path}'], timeout: 20s, env: {{ set: {{ RULEWARD: '{ruleward}', PAYLOAD: '{}' }} }} }}\n",
        payload.display()
    );
    let ran = run_claude_hook(&machine, &policy);
    assert_eq!(ran.code, Some(0));
    assert_eq!(machine.read("depth").unwrap(), "x\nx\nx\n");
}

#[test]
fn what_nothing_is_made_of_is_said() {
    let machine = Machine::new();
    let answer = json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "No.",
        "sessionTitle": "x", "watchPaths": [],
    }});
    let path = script(&machine, "says", &format!("echo '{answer}'"));
    let policy = format!("hooks:\n  - {{ id: says, when: tool.before, speaks: claude, run: ['{path}'] }}\n");
    assert_eq!(decision(&run_claude_hook(&machine, &policy)).0, "deny");
    let log = machine.read(".state/ruleward/audit.jsonl").unwrap();
    let record: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    let ended = record["ruleward.runs"][0]["ended"].as_str().unwrap();
    assert!(ended.ends_with(", not taken: `sessionTitle`, `watchPaths`"), "{ended}");
}

#[test]
fn hooks_of_a_host_without_their_event_are_found() {
    let machine = Machine::new();
    for (speaks, when, silent) in [
        ("gemini", "task.created", Some("`task.created`")),
        ("gemini", "[tool.before, task.created, cwd.changed]", Some("`task.created`, `cwd.changed`")),
        ("claude", "model.before", Some("`model.before`")),
        ("claude", "task.created", None),
        ("gemini", "tool.failed", None),
        ("gemini", "any", None),
        ("native", "task.created", None),
    ] {
        let policy = format!("version: 1\nhooks:\n  - {{ id: h, when: {when}, speaks: {speaks}, run: [x] }}\n");
        machine.write("project/policy.yaml", &policy);
        let ran = machine.run(&["lint", "policy.yaml"], b"");
        let found = ran.stdout.lines().find(|line| line.contains("dead-rule"));
        assert_eq!(found.is_some(), silent.is_some(), "{speaks} {when}: {}", ran.stdout);
        if let (Some(found), Some(silent)) = (found, silent) {
            assert!(found.contains(&format!("`h` never runs at {silent}:")), "{found}");
        }
    }
}

#[test]
fn what_ran_is_recorded() {
    let machine = Machine::new();
    let path = script(&machine, "says", "echo No. >&2; exit 1");
    let ran = run_claude_hook(&machine, &format!("hooks:\n  - {{ id: says, when: tool.before, run: ['{path}'] }}\n"));
    assert_eq!(decision(&ran).0, "deny");
    let log = machine.read(".state/ruleward/audit.jsonl").unwrap();
    let record: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    let run = &record["ruleward.runs"][0];
    assert_eq!((&run["rule"], &run["effects"]), (&json!("says"), &json!(["deny"])));
    assert!(run["ended"].as_str().unwrap().starts_with("exit 1, "), "{run}");
    assert!(run["duration_ms"].is_number(), "{run}");
}
