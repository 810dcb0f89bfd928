//! The hook as a host feels it: whole processes, against an empty Rust program in the same run.
//!
//! `cargo bench` prints medians and ratios. The commands take turns, so that a machine that slows
//! down slows them all; ratios can be quoted, single times cannot.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic,
    clippy::print_stdout,
    reason = "here a panic is how a failure is told"
)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 400;

struct Contender {
    name: &'static str,
    program: PathBuf,
    args: Vec<String>,
    stdin: Vec<u8>,
    times: Vec<Duration>,
}

fn main() {
    let scratch = std::env::temp_dir().join(format!("ruleward-bench-{}", std::process::id()));
    fs::create_dir_all(&scratch).expect("a scratch directory");
    let empty = compile_empty(&scratch);
    let ruleward = PathBuf::from(env!("CARGO_BIN_EXE_ruleward"));
    let policy = scratch.join("policy.yaml");
    fs::write(&policy, user_policy()).expect("a policy");
    let hook = |name, args: &[&str], stdin: Vec<u8>| Contender {
        name,
        program: ruleward.clone(),
        args: args.iter().map(ToString::to_string).collect(),
        stdin,
        times: Vec::new(),
    };
    let policy = policy.to_string_lossy().into_owned();
    let mut contenders = vec![
        Contender { name: "empty program", program: empty, args: Vec::new(), stdin: Vec::new(), times: Vec::new() },
        hook("git status", &["hook", "claude"], shell("git status")),
        hook("git status, gemini", &["hook", "gemini"], gemini("git status")),
        hook("rm -rf ~/ (refused)", &["hook", "claude"], shell("rm -rf ~/")),
        hook("git status, 300-line policy", &["hook", "claude", "--policy", &policy], shell("git status")),
        hook("60-word line", &["hook", "claude"], shell(&long_line())),
        hook("write of 1 KB", &["hook", "claude"], write(1 << 10)),
        hook("write of 30 KB", &["hook", "claude"], write(30 << 10)),
        hook("write of 5 MB", &["hook", "claude"], write(5 << 20)),
    ];
    for round in 0..ROUNDS {
        for contender in &mut contenders {
            let large = contender.stdin.len() > 1 << 20;
            if !large || round % 20 == 0 {
                let time = run(contender, &scratch);
                contender.times.push(time);
            }
        }
    }
    let base = median(&mut contenders[0].times);
    println!("{:<32} {:>10} {:>8}", "", "median", "ratio");
    for contender in &mut contenders {
        let time = median(&mut contender.times);
        println!(
            "{:<32} {:>7.0} µs {:>8.2}",
            contender.name,
            time.as_secs_f64() * 1e6,
            time.as_secs_f64() / base.as_secs_f64()
        );
    }
    fs::remove_dir_all(&scratch).expect("the scratch directory can go");
}

fn compile_empty(scratch: &Path) -> PathBuf {
    let source = scratch.join("empty.rs");
    let program = scratch.join(if cfg!(windows) { "empty.exe" } else { "empty" });
    fs::write(&source, "fn main() {}\n").expect("a source file");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let status = Command::new(rustc).args(["-O", "-o"]).arg(&program).arg(&source).status();
    assert!(status.is_ok_and(|status| status.success()), "rustc compiles an empty program");
    program
}

fn run(contender: &Contender, home: &Path) -> Duration {
    let start = Instant::now();
    let mut child = Command::new(&contender.program)
        .args(&contender.args)
        .current_dir(home)
        .env_clear()
        .env("HOME", home)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // An empty program reads nothing and may be gone already.
    let _unread = stdin.write_all(&contender.stdin);
    drop(stdin);
    child.wait().expect("the program ends");
    start.elapsed()
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn payload(tool: &str, input: &serde_json::Value) -> Vec<u8> {
    let payload = serde_json::json!({
        "session_id": "s", "transcript_path": "", "cwd": "/", "hook_event_name": "PreToolUse",
        "permission_mode": "default", "tool_name": tool, "tool_input": input, "tool_use_id": "t",
    });
    payload.to_string().into_bytes()
}

fn shell(command: &str) -> Vec<u8> {
    payload("Bash", &serde_json::json!({ "command": command, "description": "d" }))
}

fn gemini(command: &str) -> Vec<u8> {
    let payload = serde_json::json!({
        "session_id": "s", "transcript_path": "", "cwd": "/", "hook_event_name": "BeforeTool",
        "timestamp": "2026-01-01T00:00:00.000Z", "tool_name": "run_shell_command",
        "tool_input": { "command": command },
    });
    payload.to_string().into_bytes()
}

fn write(bytes: usize) -> Vec<u8> {
    let line = "    let total = items.iter().map(|item| item.price * item.count).sum::<u64>(); // ordinary code\n";
    payload("Write", &serde_json::json!({ "file_path": "/src/main.rs", "content": line.repeat(bytes / line.len()) }))
}

fn long_line() -> String {
    let part = "cd src && sudo env A=1 grep -rn \"$(basename $PWD)\" . | xargs -n1 echo found ; ";
    part.repeat(5)
}

fn user_policy() -> String {
    let mut policy = String::from("version: 1\nrules:\n");
    for number in 0..75 {
        let rule = format!(
            "  - id: rule-{number}\n    when: tool.before\n    command: tool-{number} (--force | -f)\n    then: {{ ask: Really? }}\n"
        );
        policy.push_str(&rule);
    }
    policy
}
