//! Gates end to end: recorded payloads of each host in, and what is refused depends on what was before.

use std::fs;

use serde_json::{Value, json};

#[cfg(target_os = "linux")]
use crate::common::terminal::run_as_person;
use crate::common::{Machine, output_text};

const POLICY: &str = r#"version: 1
defaults: none
audit: off
gates:
  - id: tests
    opens: { when: tool.after, command: cargo (test | nextest), outcome: ok }
    closes: { when: tool.after, files: { access: write, paths: "src/**" }, then: { context: "Run the tests before you commit." } }
    while_closed:
      - when: tool.before
        command: git commit
        then: { deny: "Tests have not passed since the last edit, {{ gate.calls }} calls ago." }
  - id: seen
    per: file
    opens: { when: tool.after, files: { access: read, paths: "**" } }
    while_closed:
      - when: tool.before
        tool: edit
        files: { access: write, paths: "**" }
        then: { deny: "Read {{ file.path }} before you change it." }
  - id: review
    opens: { when: prompt.submit, prompt: { regex: "(?i)^approve push" }, for: 2 turns }
    while_closed:
      - { when: tool.before, command: git push, then: { deny: "A person has to approve the push." } }
    while_open:
      - { when: tool.before, command: git push, then: { context: "The push was approved." } }
"#;

/// An agent of a host, and the machine it works on.
struct Agent {
    machine: Machine,
    host: &'static str,
}

/// The recorded payloads of what happens: before and after it, on each host.
fn recorded_payload(host: &str, what: &str) -> (&'static str, Value) {
    let name = match (host, what) {
        ("claude", "run") => "PreToolUse-Bash",
        ("claude", "ran") => "PostToolUse-Bash",
        ("claude", "failed") => "PostToolUseFailure-Bash",
        ("claude", "background") => "PostToolUse-Bash-background",
        ("claude", "edit") => "PreToolUse-Edit",
        ("claude", "edited") => "PostToolUse-Edit",
        ("claude", "saw") => "PostToolUse-Read",
        ("claude", "prompt") => "UserPromptSubmit",
        ("gemini", "run") => "BeforeTool-run_shell_command",
        ("gemini", "ran") => "AfterTool-run_shell_command",
        ("gemini", "failed") => "AfterTool-run_shell_command-failed",
        ("gemini", "edit") => "BeforeTool-replace",
        ("gemini", "edited") => "AfterTool-replace",
        ("gemini", "saw") => "AfterTool-read_file",
        ("gemini", "prompt") => "BeforeAgent",
        other => panic!("{other:?}"),
    };
    let path = format!("{}/tests/payloads/{host}/{name}.json", env!("CARGO_MANIFEST_DIR"));
    (name, serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap())
}

impl Agent {
    fn new(host: &'static str, policy: &str) -> Self {
        let machine = Machine::new();
        machine.write(".config/ruleward/policy.yaml", policy);
        Self { machine, host }
    }

    /// Reports that something happens, and returns what the host is told.
    fn perform(&self, what: &str, to: &str) -> String {
        let (_, mut payload) = recorded_payload(self.host, what);
        payload["session_id"] = json!("the session");
        payload["cwd"] = json!(self.machine.project());
        match what {
            "prompt" => payload["prompt"] = json!(to),
            "edit" | "edited" | "saw" => payload["tool_input"]["file_path"] = json!(to),
            _ => payload["tool_input"]["command"] = json!(to),
        }
        let ran = self.machine.run(&["hook", self.host], payload.to_string().as_bytes());
        assert_eq!(ran.stderr, "");
        output_text(&self.machine, &ran)
    }
}

/// Runs a story on every host.
fn for_each_host(policy: &str, story: impl Fn(&Agent)) {
    for host in ["claude", "gemini"] {
        story(&Agent::new(host, policy));
    }
}

#[test]
fn a_commit_needs_tests_that_passed_since_the_last_edit() {
    for_each_host(POLICY, |agent| {
        let refused = |command: &str| agent.perform("run", command).contains("Tests have not passed");
        assert!(refused("git commit -m x"), "nothing has been tested");
        agent.perform("failed", "cargo test");
        assert!(refused("git commit -m x"), "the tests failed");
        for excuse in ["cargo test | tail -3", "cargo test; true", "cargo test || echo fine", "cargo build"] {
            agent.perform("ran", excuse);
            assert!(refused("git commit -m x"), "{excuse}");
        }
        agent.perform("ran", "cd app && cargo test");
        assert!(!refused("cd app && sudo git -c a=b commit -m x"));
        agent.perform("edited", "README.md");
        assert!(!refused("git commit -m x"), "no source was changed");
        assert!(agent.perform("edited", "src/main.rs").contains("Run the tests before you commit."));
        agent.perform("run", "ls");
        let told = agent.perform("run", "git commit -m x");
        assert!(told.contains("Tests have not passed since the last edit, 2 calls ago."), "{told}");
        agent.perform("ran", "cargo nextest run");
        assert!(!refused("git commit -m x"));
        agent.perform("ran", "echo '' >> src/lib.rs");
        assert!(refused("git commit -m x"), "a shell can edit as well");
        agent.perform("ran", "cargo test && sed -i s/a/b/ src/lib.rs");
        assert!(refused("git commit -m x"), "of both in one call, the closing stands");
    });
}

#[test]
fn tests_in_the_background_have_not_passed_yet() {
    let agent = Agent::new("claude", POLICY);
    agent.perform("background", "cargo test");
    assert!(agent.perform("run", "git commit -m x").contains("Tests have not passed"));
}

#[test]
fn each_file_is_read_before_it_is_changed() {
    for_each_host(POLICY, |agent| {
        let refused = |file: &str| agent.perform("edit", file).contains(&format!("Read {file} before you change it."));
        assert!(refused("a.txt"));
        agent.perform("saw", "a.txt");
        assert!(!refused("a.txt"));
        assert!(refused("b.txt"), "another file is another gate");
        agent.perform("ran", "cat b.txt c.txt");
        assert!(!refused("b.txt"));
        assert!(!refused("./c.txt"));
    });
}

#[test]
fn an_approval_lasts_as_long_as_it_says() {
    for_each_host(POLICY, |agent| {
        let refused = || agent.perform("run", "git push").contains("A person has to approve the push.");
        assert!(refused());
        agent.perform("prompt", "approve push to main");
        assert!(agent.perform("run", "git push").contains("The push was approved.") || agent.host == "gemini");
        assert!(!refused());
        agent.perform("prompt", "go on");
        assert!(!refused(), "the second turn");
        agent.perform("prompt", "go on");
        assert!(refused(), "the third turn");
        agent.perform("prompt", "do not approve push");
        assert!(refused());
    });
}

#[test]
fn a_project_opens_no_gate_of_the_person() {
    for_each_host(POLICY, |agent| {
        agent.machine.write(
            "project/.ruleward/policy.yaml",
            "version: 1\ngates:\n  - id: review\n    starts: open\n    opens: { when: [tool.before, prompt.submit] }\n    closes: { when: tool.before, command: never }\n",
        );
        agent.perform("prompt", "hello");
        agent.perform("run", "ls");
        assert!(agent.perform("run", "git push").contains("A person has to approve the push."));
    });
    for_each_host(POLICY, |agent| {
        agent.machine.write(
            "project/.ruleward/policy.yaml",
            "version: 1\ngates:\n  - id: review\n    opens: { when: prompt.submit, prompt: { contains: please } }\n    while_closed:\n      - { when: tool.before, command: git push, then: { deny: The project asks to be asked. } }\n",
        );
        agent.perform("prompt", "approve push");
        assert!(agent.perform("run", "git push").contains("The project asks to be asked."), "it can tighten");
        agent.perform("prompt", "please");
        assert!(!agent.perform("run", "git push").contains("The project"));
    });
}

#[test]
fn a_session_begins_with_closed_gates_and_a_project_remembers() {
    let policy = POLICY.replace("  - id: tests\n", "  - id: tests\n    scope: project\n");
    for (policy, stays) in [(POLICY, false), (policy.as_str(), true)] {
        let agent = Agent::new("claude", policy);
        agent.perform("ran", "cargo test");
        let (_, mut payload) = recorded_payload("claude", "run");
        payload["session_id"] = json!("another");
        payload["cwd"] = json!(agent.machine.project());
        payload["tool_input"]["command"] = json!("git commit");
        let ran = agent.machine.run(&["hook", "claude"], payload.to_string().as_bytes());
        assert_eq!(!ran.stdout.contains("Tests have not passed"), stays);
    }
}

#[test]
fn what_is_refused_opens_nothing() {
    let policy = POLICY.replace(
        "opens: { when: tool.after, command: cargo (test | nextest), outcome: ok }",
        "opens: { when: tool.before, command: make release }",
    );
    for_each_host(
        &format!("{policy}rules:\n  - {{ id: no-make, when: tool.before, command: make, then: {{ deny: No. }} }}\n"),
        |agent| {
            agent.perform("run", "make release");
            assert!(agent.perform("run", "git commit").contains("Tests have not passed"));
        },
    );
}

#[test]
fn tests_of_policies_play_what_was_before() {
    let machine = Machine::new();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/policies/gates.yaml");
    let ran = machine.run(&["test", path], b"");
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("12 passed, 0 failed\n", ""));
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_is_shown_and_reset() {
    let agent = Agent::new("claude", POLICY);
    let shown = |args: &[&str]| {
        let ran = agent.machine.run(args, b"");
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{args:?}");
        ran.stdout
    };
    assert_eq!(shown(&["state"]), "no stored state\n");
    agent.perform("ran", "cargo test");
    agent.perform("saw", "a.txt");
    let text = shown(&["state", "show", "--session", "the"]);
    assert!(text.contains("session claude:the session") && text.contains("gate tests: open"), "{text}");
    assert!(text.contains("gate seen") && text.contains("a.txt: open"), "{text}");
    let json: Value = serde_json::from_str(&shown(&["state", "show", "--json"])).unwrap();
    assert_eq!(json["records"][0]["scope"], "session");
    assert_eq!(shown(&["state", "show", "--project"]), "no stored state\n");
    let reset = |args: &[&str]| {
        let args: Vec<&str> = ["state", "reset", "--yes"].iter().chain(args).copied().collect();
        let ran = run_as_person(&agent.machine, &args);
        assert_eq!(ran.code, Some(0), "{}", ran.stdout);
        ran.stdout
    };
    assert_eq!(reset(&["--session", "other"]), "0 records deleted\n");
    assert_eq!(reset(&["--session", "the session"]), "1 record deleted\n");
    assert!(agent.perform("run", "git commit").contains("Tests have not passed"));
    let database = agent.machine.write(".state/ruleward/state.db", &"junk".repeat(2_000));
    for ending in ["-wal", "-shm"] {
        let _gone = fs::remove_file(database.with_file_name(format!("state.db{ending}")));
    }
    assert!(agent.perform("run", "ls").contains("ruleward state reset"));
    assert_eq!(agent.machine.run(&["state"], b"").code, Some(1));
    assert!(reset(&[]).contains("saved as"));
    assert!(!agent.perform("run", "ls").contains("ruleward state reset"));
    assert!(agent.machine.read(".state/ruleward/state.db.broken").unwrap().starts_with("junk"));
}
