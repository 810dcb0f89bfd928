//! Events sent through the very command lines that are registered, and their answers compared with
//! what this program would say.

use std::process::Command;
use std::time::Duration;

use serde_json::{Map, Value};

use super::CheckResults;
use crate::adapters::registration::inspect::RegisteredHook;
use crate::adapters::{Host, NeutralEvent, PayloadFields, compose_payload};
use crate::cli::context;
use crate::domain::event::kind::Kind;
use crate::io::integrity;
use crate::io::platform::{OsFamily, Platform};
use crate::io::process::{self, ProcessError, ProcessOutput};

/// How long a registered command may take to answer.
const TIMEOUT: Duration = Duration::from_secs(10);
/// A command that every sensible policy denies.
const DANGEROUS_COMMAND: &str = "rm -rf ~/";
const HARMLESS_COMMAND: &str = "git status";
/// What the audit log shows instead of a session.
const SESSION_ID: &str = "ruleward-doctor";
/// Times that a harmless call is timed.
const TIMING_RUNS: usize = 7;
/// More than this a user notices, call after call.
const SLOW_THRESHOLD: Duration = Duration::from_millis(100);

/// Sends events through each command line of a host that is registered for calls of tools.
pub(super) fn run_probes(
    surroundings: &Platform,
    host: &'static Host,
    cwd: &str,
    registered: &[RegisteredHook],
    items: &mut CheckResults,
) {
    let calls = host.event_rows(Kind::ToolBefore).map(|row| row.wire).collect::<Vec<_>>();
    let mut tried: Vec<&[String]> = Vec::new();
    for hook in registered.iter().filter(|hook| calls.contains(&hook.event.as_str())) {
        if tried.contains(&hook.words.as_slice()) {
            continue;
        }
        tried.push(&hook.words);
        let probe = Probe { surroundings, host, cwd, entry: &hook.entry, command_line: hook.words.join(" ") };
        probe.run_all(&hook.words, items);
        // The calls were none, so their ends are never reported.
        integrity::end_session(surroundings, SESSION_ID);
    }
}

struct Probe<'a> {
    surroundings: &'a Platform,
    host: &'static Host,
    cwd: &'a str,
    entry: &'a Value,
    command_line: String,
}

impl Probe<'_> {
    fn run_all(&self, words: &[String], items: &mut CheckResults) {
        let install = format!("`ruleward install {}`", self.host.name);
        let line = &self.command_line;
        match self.run_hook("{ this is no payload") {
            Err(failure) => {
                items.fail(Some(self.host), "hook-does-not-run", format!("`{line}`: {failure}"), install);
                return;
            }
            Ok(output)
                if output.stdout.trim().is_empty()
                    && (output.exit_code == Some(0) || output.stderr.trim().is_empty()) =>
            {
                let what = format!("`{line}` doesn't deny an unreadable payload: it does not fail closed");
                items.fail(Some(self.host), "fails-open", what, install);
                return;
            }
            Ok(_) => {}
        }
        match self.expected_answer(DANGEROUS_COMMAND, words) {
            Some(expected) => self.check_answer(&expected, items, &install),
            None => items.fail(Some(self.host), "self-test", format!("`{line}` could not be run"), install),
        }
        self.check_latency(items);
    }

    /// Compares the answer to a dangerous call with what this program says.
    fn check_answer(&self, expected: &str, items: &mut CheckResults, install: &str) {
        let line = &self.command_line;
        let Ok(output) = self.run_hook(&self.payload_text(DANGEROUS_COMMAND)) else { return };
        if without_record_id(&output.stdout) != expected.trim() {
            let what = format!(
                "`{line}` answers `{DANGEROUS_COMMAND}` differently than this ruleward ({}): it is another program, version or policy; its answer was {:?}",
                env!("CARGO_PKG_VERSION"),
                output.stdout.trim().chars().take(200).collect::<String>()
            );
            items.fail(Some(self.host), "other-answer", what, install);
        } else if expected.trim().is_empty() {
            let what = format!("no rule matches `{DANGEROUS_COMMAND}`");
            items.warn(
                Some(self.host),
                "lenient-policy",
                what,
                "enable the bundled policy, or test your own with `ruleward test`",
            );
        } else {
            items.pass(
                Some(self.host),
                "self-test",
                format!("`{line}` answers `{DANGEROUS_COMMAND}` as the policy says, and denies unreadable payloads"),
            );
        }
    }

    fn check_latency(&self, items: &mut CheckResults) {
        let payload = self.payload_text(HARMLESS_COMMAND);
        let mut times: Vec<Duration> =
            (0..TIMING_RUNS).filter_map(|_| Some(self.run_hook(&payload).ok()?.duration)).collect();
        times.sort();
        let Some(median) = times.get(times.len() / 2) else { return };
        let text = format!("`{HARMLESS_COMMAND}` takes {:.1} ms", median.as_secs_f64() * 1000.0);
        if *median > SLOW_THRESHOLD {
            items.warn(
                Some(self.host),
                "slow",
                text,
                "check for a slow disk, a virus scanner, or a build without `--release`",
            );
        } else {
            items.pass(Some(self.host), "time", text);
        }
    }

    fn payload_text(&self, command: &str) -> String {
        self.compose_payload(command).map(|payload| Value::Object(payload).to_string()).unwrap_or_default()
    }

    fn compose_payload(&self, command: &str) -> Option<Map<String, Value>> {
        let asked = NeutralEvent {
            tool: Some("shell".into()),
            command: Some(command.into()),
            ..NeutralEvent::new(Kind::ToolBefore, self.cwd)
        };
        let mut payload = compose_payload(self.host, &asked)?;
        payload.insert("session_id".into(), Value::from(SESSION_ID));
        Some(payload)
    }

    /// Returns what this program would answer, by the policy that the command line names.
    fn expected_answer(&self, command: &str, words: &[String]) -> Option<String> {
        let payload: PayloadFields = self.compose_payload(command)?;
        let chosen: Vec<String> = words
            .windows(2)
            .filter(|pair| pair.first().is_some_and(|it| it == "--policy"))
            .filter_map(|pair| pair.last().cloned())
            .collect();
        let mut here = context::load_context(self.surroundings, &chosen, self.cwd, &[]);
        here.loaded.policy.interactive |= words.iter().any(|word| word == "--interactive");
        here.judge(self.host, &payload).ok().map(|judged| judged.answer.response.stdout)
    }

    /// Runs the entry as the host does.
    fn run_hook(&self, input: &str) -> Result<ProcessOutput, ProcessError> {
        let text = self.entry.get("command").and_then(Value::as_str).unwrap_or_default();
        let mut command = if let Some(arguments) = self.entry.get("args").and_then(Value::as_array) {
            let mut command = Command::new(text);
            command.args(arguments.iter().filter_map(Value::as_str));
            command
        } else if self.surroundings.os == OsFamily::Windows {
            let mut command = Command::new("powershell.exe");
            command.args(["-NoProfile", "-Command", text]);
            command
        } else {
            let shell = self.host.registration.shell;
            let mut command = Command::new(shell);
            command.args(["-c", text]);
            command
        };
        for variable in self.host.project_vars {
            command.env(variable, self.cwd);
        }
        process::run(command.current_dir(self.cwd), input.as_bytes(), TIMEOUT)
    }
}

/// Returns an answer without what differs from one to the next: the name of its record.
fn without_record_id(answer: &str) -> String {
    const RECORD_SUFFIX: &str = "\\n(details: ruleward explain ";
    let mut text = answer.trim().to_owned();
    while let Some(start) = text.find(RECORD_SUFFIX) {
        let Some(length) = text.get(start..).and_then(|rest| rest.find(')')) else { break };
        text.replace_range(start..=start + length, "");
    }
    text
}
