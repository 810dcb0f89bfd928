//! A made-up machine for the built program: a home, a project in it, and nothing of the caller's.

pub(crate) mod git;
pub(crate) mod rng;
pub(crate) mod secret_values;
pub(crate) mod shell_calls;
#[cfg(target_os = "linux")]
pub(crate) mod terminal;

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::fuzz::targets::contract;
use ruleward::adapters::{Host, NeutralEvent, Response, compose_payload, hosts_with_event, sniff_event};
use ruleward::domain::event::kind::Kind;
use ruleward::io::files;
use serde_json::Value;

/// The names of the hosts that start programs as hooks.
pub(crate) const HOST_NAMES: [&str; 4] = ["claude", "gemini", "llxprt", "codex"];

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// What was skipped so far, in any test.
static SKIPPED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// A scratch machine; its files go when it does.
pub(crate) struct Machine {
    root: PathBuf,
}

/// What a run of the program left behind.
#[derive(Debug)]
pub(crate) struct RunOutput {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: Option<i32>,
}

impl Machine {
    pub(crate) fn new() -> Self {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("ruleward-test-{}-{number}", std::process::id()));
        fs::create_dir_all(root.join("home/project/.git")).unwrap();
        Self { root: root.canonicalize().unwrap() }
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.home().join("project")
    }

    /// Writes a file below the home directory.
    pub(crate) fn write(&self, path: &str, text: &str) -> PathBuf {
        let path = self.home().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.home().join(path)).ok()
    }

    /// A command that sees this machine alone.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ruleward"));
        command.args(args).args(deadline_option(args));
        self.configure(&mut command);
        command
    }

    /// The same, behind what a shell does first: limits, and what becomes of the standard streams.
    #[cfg(unix)]
    pub(crate) fn command_with_prelude(&self, shell: &str, args: &[&str]) -> Command {
        let mut command = Command::new("/bin/sh");
        let script = format!("{shell}\nexec \"$0\" \"$@\"");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_ruleward")]).args(args).args(deadline_option(args));
        self.configure(&mut command);
        command
    }

    fn configure(&self, command: &mut Command) {
        command.current_dir(self.project()).env_clear().env("HOME", self.home());
        // The state directory of each platform, so that nothing is written outside.
        command.env("XDG_CONFIG_HOME", self.home().join(".config")).env("XDG_STATE_HOME", self.home().join(".state"));
        command.env("LLXPRT_CONFIG_HOME", self.home().join(".llxprt-config"));
        command.env("LLXPRT_DATA_HOME", self.home().join(".llxprt-data"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    }

    pub(crate) fn run(&self, args: &[&str], stdin: &[u8]) -> RunOutput {
        Self::run_command(self.command(args), stdin)
    }

    /// Runs a command to its end. What a hook says is what its host takes.
    pub(crate) fn run_command(mut command: Command, stdin: &[u8]) -> RunOutput {
        let mut child = command.spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let payload = stdin.to_owned();
        let feed = std::thread::spawn(move || drop(pipe.write_all(&payload)));
        let output = child.wait_with_output().unwrap();
        feed.join().unwrap();
        let ran = RunOutput {
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code(),
        };
        if let Some(host) = host_of(&command) {
            check_contract(host, stdin, &ran);
        }
        ran
    }

    /// Replaces what differs from run to run.
    pub(crate) fn normalize(&self, text: &str) -> String {
        let home = self.home();
        let ids = regex::Regex::new("ruleward (explain|undo) [0-9a-z]{8}").unwrap();
        let text = ids.replace_all(text, "ruleward $1 ID");
        text.replace(&*self.project().to_string_lossy(), "PROJECT").replace(&*home.to_string_lossy(), "HOME")
    }

    /// The payload of a shell call, as a host sends it.
    pub(crate) fn shell_payload(&self, host: &str, command: &str) -> Vec<u8> {
        let mut asked = NeutralEvent::new(Kind::ToolBefore, &self.project().to_string_lossy());
        asked.command = Some(command.to_owned());
        let mut payload = compose_payload(Host::by_name(host).unwrap(), &asked).unwrap();
        payload.insert("session_id".to_owned(), "s".into());
        Value::Object(payload).to_string().into_bytes()
    }

    /// A payload of an event with the fields that all have.
    pub(crate) fn payload(&self, event: &str, fields: &Value) -> Vec<u8> {
        let mut payload = serde_json::json!({
            "session_id": "s", "transcript_path": "", "cwd": self.project(), "hook_event_name": event,
        });
        payload.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        payload.to_string().into_bytes()
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _gone = fs::remove_dir_all(&self.root);
    }
}

/// Returns the host whose hook a command is.
fn host_of(command: &Command) -> Option<&'static Host> {
    let mut args = command.get_args().skip_while(|arg| *arg != "hook").skip(1);
    args.next().and_then(|name| Host::by_name(name.to_str()?))
}

/// Holds what a hook said to what its host takes at the event, or where nothing is known of the event.
fn check_contract(host: &'static Host, payload: &[u8], ran: &RunOutput) {
    let Some(exit) = ran.code.and_then(|code| u8::try_from(code).ok()) else { return };
    let wire = sniff_event(payload);
    // A hook that is registered with the wrong host answers the one that asks.
    let asks =
        wire.as_deref().filter(|wire| host.event_row(wire).is_none()).and_then(|wire| hosts_with_event(wire).next());
    let host = asks.unwrap_or(host);
    let response = Response { stdout: ran.stdout.clone(), stderr: ran.stderr.clone(), exit_code: exit };
    if let Err(fault) = contract::check_response(host, wire.as_deref(), &response) {
        assert!(contract::check_response(host, None, &response).is_ok(), "{fault}");
    }
}

/// A hook that is no test of the deadline is given time: the machine may have much else to do. Programs that
/// rules run get theirs beside it.
fn deadline_option(args: &[&str]) -> Option<&'static str> {
    let is_hook = args.first() == Some(&"hook") && args.get(1).is_some_and(|host| Host::by_name(host).is_some());
    let is_said = args.iter().any(|arg| arg.starts_with("--deadline"));
    (is_hook && !is_said).then_some("--deadline=20")
}

/// Where answers have a decision on a call of a tool, and its reason.
const DECISIONS: [(&str, &str); 2] = [
    ("/hookSpecificOutput/permissionDecision", "/hookSpecificOutput/permissionDecisionReason"),
    ("/decision", "/reason"),
];

/// Where the answers of a host have them: where its own refusal has them.
fn decision_of(host: &str) -> (&'static str, &'static str) {
    let host = Host::by_name(host).unwrap();
    let wire = host.event_rows(Kind::ToolBefore).next().unwrap().wire;
    let refusal: Value = serde_json::from_str(&host.refuse(Some(wire), "why").stdout).unwrap();
    DECISIONS.into_iter().find(|(decision, _)| refusal.pointer(decision).is_some()).unwrap()
}

/// Whether an answer refuses the tool call in the host's own words.
pub(crate) fn refuses(host: &str, ran: &RunOutput) -> bool {
    let Ok(answer) = serde_json::from_str::<Value>(&ran.stdout) else { return false };
    ran.code == Some(0) && answer.pointer(decision_of(host).0).is_some_and(|decision| decision == "deny")
}

/// The reason that an answer gives.
pub(crate) fn reason(host: &str, ran: &RunOutput) -> String {
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
    answer.pointer(decision_of(host).1).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// How often something is done that only many tries show: a number for every day, and the whole one when
/// `RULEWARD_FAULTS` says `whole`.
pub(crate) fn iterations(everyday: usize, whole: usize) -> usize {
    if std::env::var_os("RULEWARD_FAULTS").is_some_and(|wanted| wanted == "whole") { whole } else { everyday }
}

/// Says once that a test, or a part of it, is skipped, and why. `cargo test` shows it of tests that pass, too: it
/// captures `eprintln`, and not what is written to standard error directly.
pub(crate) fn skip(test: &str, why: &str) {
    let line = format!("skipped: {test}: {why}\n");
    if SKIPPED.lock().unwrap().insert(line.clone()) {
        std::io::stderr().write_all(line.as_bytes()).unwrap();
    }
}

/// Says what a run printed, for snapshots.
pub(crate) fn output_text(machine: &Machine, ran: &RunOutput) -> String {
    let code = ran.code.map_or("signal".into(), |code| code.to_string());
    let mut text = format!("exit {code}\n");
    for (name, stream) in [("out", &ran.stdout), ("err", &ran.stderr)] {
        for line in machine.normalize(stream).lines() {
            text.extend([name, ": ", line, "\n"]);
        }
    }
    text
}

/// The pages of the documents, in order.
pub(crate) fn doc_pages() -> Vec<PathBuf> {
    files::list_recursive(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs"), ".md").unwrap()
}
