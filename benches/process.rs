//! The hook as a host feels it: whole processes, against an empty Rust program in the same run.
//!
//! `cargo bench --bench process` prints a table of what is to be reached, with the ratios of medians
//! and whether they are. The commands take turns, so that a machine that slows down slows them all;
//! ratios can be quoted, single times cannot. `-- --growth` prints instead how the cost grows with the
//! size of things, for `benches/plot.py`. `RULEWARD_BENCH_PROGRAM` names another build to be measured.

#![allow(
    clippy::cast_precision_loss,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic,
    clippy::print_stdout,
    reason = "here a panic is how a failure is told"
)]

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 400;
/// Bytes of a write for which throughput is what counts.
const LARGE_WRITE_BYTES: usize = 5 << 20;
/// Events that are replayed, and how many of them are distinct.
const REPLAYED_EVENTS: usize = 1_000_000;
const DISTINCT_EVENTS: usize = 5_000;

/// What a case is to reach.
enum Goal {
    None,
    /// A ratio to the empty program.
    AtMost(f64),
    /// Megabytes a second over the process's start.
    Throughput(f64),
}

struct Case {
    name: String,
    program: PathBuf,
    args: &'static [&'static str],
    home: PathBuf,
    stdin: Vec<u8>,
    goal: Goal,
    times: Vec<Duration>,
}

struct BenchmarkSuite {
    scratch: PathBuf,
    cases: Vec<Case>,
}

fn main() {
    let scratch = std::env::temp_dir().join(format!("ruleward-bench-{}", std::process::id()));
    fs::create_dir_all(&scratch).expect("a scratch directory");
    let mut bench = BenchmarkSuite { scratch, cases: Vec::new() };
    bench.cases.push(Case {
        name: "empty program".into(),
        program: compile_empty(&bench.scratch),
        args: &[],
        home: bench.scratch.clone(),
        stdin: Vec::new(),
        goal: Goal::None,
        times: Vec::new(),
    });
    if std::env::args().any(|arg| arg == "--growth") {
        bench.run_growth();
    } else {
        bench.run_goals();
    }
    fs::remove_dir_all(&bench.scratch).expect("the scratch directory can go");
}

impl BenchmarkSuite {
    /// Adds a call of the hook, with a policy of the person's own.
    fn add_hook_case(&mut self, name: impl Into<String>, policy: Option<&str>, stdin: Vec<u8>, goal: Goal) {
        let home = self.scratch.join(format!("home-{}", self.cases.len()));
        fs::create_dir_all(home.join(".config/ruleward")).expect("a home");
        if let Some(policy) = policy {
            fs::write(home.join(".config/ruleward/policy.yaml"), policy).expect("a policy");
        }
        let args: &[&str] = if stdin.windows(11).any(|it| it == b"BeforeTool\"" || it == b"AfterModel\"") {
            &["hook", "gemini"]
        } else {
            &["hook", "claude"]
        };
        let other = std::env::var_os("RULEWARD_BENCH_PROGRAM").map(PathBuf::from);
        let program = other.unwrap_or_else(|| env!("CARGO_BIN_EXE_ruleward").into());
        self.cases.push(Case { name: name.into(), program, args, home, stdin, goal, times: Vec::new() });
    }

    /// Prints what is reached of what is to be.
    fn run_goals(&mut self) {
        let all =
            "version: 1\nrules: [{ id: all, when: tool.before, secrets: { detectors: [all] }, then: { ask: Hm. } }]\n";
        let own = policy_with_rules(75);
        self.add_hook_case("git status", None, shell_payload("git status"), Goal::AtMost(1.0));
        self.add_hook_case("git status, 300-line policy", Some(&own), shell_payload("git status"), Goal::AtMost(1.2));
        self.add_hook_case("write of 30 KB, all detectors", Some(all), write_payload(30 << 10), Goal::AtMost(1.5));
        self.add_hook_case(
            "write of 5 MB, all detectors",
            Some(all),
            write_payload(LARGE_WRITE_BYTES),
            Goal::Throughput(300.0),
        );
        self.add_hook_case("60-word line, let through", None, shell_payload(&long_line("nice", 5)), Goal::AtMost(1.3));
        self.add_hook_case(
            "60-word line, asked about, recorded",
            None,
            shell_payload(&long_line("sudo", 5)),
            Goal::AtMost(1.3),
        );
        let model =
            "version: 1\nrules: [{ id: m, when: model.after, secrets: { in: [response] }, then: { redact: {} } }]\n";
        self.add_hook_case("AfterModel chunk, redaction, state", Some(model), chunk_payload(), Goal::AtMost(2.0));
        self.add_hook_case("git status, gemini", None, gemini_payload("git status"), Goal::None);
        self.add_hook_case("rm -rf ~/ (refused, recorded)", None, shell_payload("rm -rf ~/"), Goal::None);
        self.add_hook_case("write of 1 KB", None, write_payload(1 << 10), Goal::None);
        self.run(ROUNDS);
        let base = self.cases[0].median();
        let start = self.cases[1].median();
        println!("{:<36} {:>10} {:>8}  {:<14}", "", "median", "ratio", "goal");
        for case in &mut self.cases {
            let time = case.median();
            let ratio = time / base;
            let goal = match case.goal {
                Goal::None => String::new(),
                Goal::AtMost(most) => format!("{} at most {most:.1}", goal_mark(ratio <= most)),
                Goal::Throughput(least) => {
                    let rate = case.stdin.len() as f64 / 1e6 / (time - start).max(1e-9);
                    format!("{} {rate:.0} MB/s of {least:.0}", goal_mark(rate >= least))
                }
            };
            println!("{:<36} {:>7.0} µs {ratio:>8.2}  {goal}", case.name, time * 1e6);
        }
        if let Some(kib) = self.cases[1].peak_memory() {
            println!(
                "{:<36} {:>6} KiB {:>8}  {} at most 5120 KiB",
                "peak memory, git status",
                kib,
                "",
                goal_mark(kib <= 5120)
            );
        }
        let rate = self.measure_replay(&own);
        println!(
            "{:<36} {:>6.0} k/s {:>8}  {} at least 200 k/s",
            "replay of a million events",
            rate / 1e3,
            "",
            goal_mark(rate >= 200_000.0)
        );
    }

    /// Replays recorded events under a policy, against none of one's own; returns how many a second.
    fn measure_replay(&self, policy: &str) -> f64 {
        let [events, new, old] = ["events.jsonl", "new.yaml", "old.yaml"].map(|name| self.scratch.join(name));
        fs::write(&new, policy).expect("a policy");
        fs::write(&old, policy_with_rules(0)).expect("a policy");
        let mut lines = Vec::new();
        for number in 0..DISTINCT_EVENTS {
            lines.extend(match number % 4 {
                0 => write_payload(500 + number % 500),
                1 => shell_payload(&format!(
                    "cargo test --package part-{number} -- --nocapture 2>&1 | tail -{}",
                    number % 90
                )),
                2 => shell_payload(&format!("grep -rn 'fn call_{number}' src | sort | uniq -c")),
                _ => gemini_payload(&format!("git log --oneline -{number} && git diff HEAD~{} -- src", number % 7)),
            });
            lines.push(b'\n');
        }
        let mut file = fs::File::create(&events).expect("a file of events");
        (0..REPLAYED_EVENTS / DISTINCT_EVENTS).for_each(|_| file.write_all(&lines).expect("room for the events"));
        drop(file);
        let case = &self.cases[1];
        let mut command = case.command(&case.program);
        command.arg("replay").arg("--policy").args([&new]).arg("--against").args([&old, &events]);
        let start = Instant::now();
        let output = command.stdin(Stdio::null()).output().expect("the program runs");
        let time = start.elapsed().as_secs_f64();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains(&format!("{REPLAYED_EVENTS} events replayed")), "{said}");
        REPLAYED_EVENTS as f64 / time
    }

    /// Prints rows of what grows, how far, and the ratio.
    fn run_growth(&mut self) {
        for rules in [0, 25, 75, 150, 300, 600] {
            self.add_hook_case(
                format!("policy size\t{}", rules * 4 + 2),
                Some(&policy_with_rules(rules)),
                shell_payload("git status"),
                Goal::None,
            );
        }
        for count in [0, 25, 50, 100, 200, 400] {
            let own = policy_with_detectors(count);
            self.add_hook_case(
                format!("detectors of one's own\t{count}"),
                Some(&own),
                write_payload(30 << 10),
                Goal::None,
            );
        }
        for parts in [1, 2, 4, 8, 16, 32] {
            let line = long_line("nice", parts);
            let words = line.split_whitespace().count();
            self.add_hook_case(format!("words of a command\t{words}"), None, shell_payload(&line), Goal::None);
        }
        for kib in [1, 32, 128, 512, 1024, 2048, 4096] {
            self.add_hook_case(format!("KiB of a write\t{kib}"), None, write_payload(kib << 10), Goal::None);
        }
        self.run(ROUNDS / 4);
        let base = self.cases[0].median();
        for case in self.cases.iter_mut().skip(1) {
            let ratio = case.median() / base;
            println!("{}\t{ratio:.3}", case.name);
        }
    }

    fn run(&mut self, rounds: usize) {
        // Each takes as long as twenty others.
        let seldom = (rounds / 20).max(1);
        for round in 0..rounds {
            for case in &mut self.cases {
                let large = case.stdin.len() > 1 << 20;
                if !large || round % seldom == 0 {
                    let time = case.run();
                    case.times.push(time);
                }
            }
        }
    }
}

impl Case {
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.home).env_clear().env("HOME", &self.home).stdin(Stdio::piped());
        command
    }

    fn run(&self) -> Duration {
        let start = Instant::now();
        let mut command = self.command(&self.program);
        let quiet = command.args(self.args).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = quiet.spawn().expect("the program starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        // An empty program reads nothing and may be gone already.
        let _unread = stdin.write_all(&self.stdin);
        drop(stdin);
        child.wait().expect("the program ends");
        start.elapsed()
    }

    /// Returns the median in seconds.
    fn median(&mut self) -> f64 {
        self.times.sort();
        self.times[self.times.len() / 2].as_secs_f64()
    }

    /// Returns the most memory that was resident, in KiB, where there is a program that tells.
    fn peak_memory(&self) -> Option<u64> {
        let mut time = self.command(Path::new("/usr/bin/time"));
        let piped =
            time.args(["-f", "%M"]).arg(&self.program).args(self.args).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = piped.spawn().ok()?;
        child.stdin.take()?.write_all(&self.stdin).ok()?;
        let output = child.wait_with_output().ok()?;
        String::from_utf8(output.stderr).ok()?.trim().lines().last()?.parse().ok()
    }
}

fn goal_mark(reached: bool) -> char {
    if reached { '✓' } else { '✗' }
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

fn call_payload(tool: &str, input: &serde_json::Value) -> Vec<u8> {
    let payload = serde_json::json!({
        "session_id": "s", "transcript_path": "", "cwd": "/", "hook_event_name": "PreToolUse",
        "permission_mode": "default", "tool_name": tool, "tool_input": input, "tool_use_id": "t",
    });
    payload.to_string().into_bytes()
}

fn shell_payload(command: &str) -> Vec<u8> {
    call_payload("Bash", &serde_json::json!({ "command": command, "description": "d" }))
}

fn gemini_payload(command: &str) -> Vec<u8> {
    let payload = serde_json::json!({
        "session_id": "s", "transcript_path": "", "cwd": "/", "hook_event_name": "BeforeTool",
        "timestamp": "2026-01-01T00:00:00.000Z", "tool_name": "run_shell_command",
        "tool_input": { "command": command },
    });
    payload.to_string().into_bytes()
}

/// Returns a piece of an answer as the real host sends it.
fn chunk_payload() -> Vec<u8> {
    include_bytes!("../tests/payloads/gemini/AfterModel-chunk1.json").to_vec()
}

fn write_payload(bytes: usize) -> Vec<u8> {
    let line = "    let total = items.iter().map(|item| item.price * item.count).sum::<u64>(); // ordinary code\n";
    call_payload(
        "Write",
        &serde_json::json!({ "file_path": "/src/main.rs", "content": line.repeat(bytes / line.len()) }),
    )
}

/// Returns a line of twelve words for each part, with wrappers and a substitution.
fn long_line(wrapper: &str, parts: usize) -> String {
    format!("cd src && {wrapper} env A=1 grep -rn \"$(basename $PWD)\" . | xargs -n1 echo found ; ").repeat(parts)
}

/// Returns a policy of four lines for each rule.
fn policy_with_rules(rules: usize) -> String {
    let mut policy = String::from("version: 1\nrules:\n");
    for number in 0..rules {
        let _ = write!(
            policy,
            "  - id: rule-{number}\n    when: tool.before\n    command: tool-{number} (--force | -f)\n    then: {{ ask: Really? }}\n"
        );
    }
    if rules == 0 { "version: 1\n".into() } else { policy }
}

/// Returns a policy with detectors of its own, and a rule that looks for what they find.
fn policy_with_detectors(count: usize) -> String {
    let mut policy = String::from(
        "version: 1\nrules: [{ id: all, when: tool.before, secrets: { detectors: [all] }, then: { ask: Hm. } }]\n",
    );
    if count > 0 {
        policy.push_str("detectors:\n");
    }
    for number in 0..count {
        let _ = write!(
            policy,
            "  - id: own-{number}\n    name: Own key\n    token: 'own{number:03}_[0-9a-f]{{32}}'\n    tier: strong\n    severity: high\n    advice: variable\n"
        );
    }
    policy
}
