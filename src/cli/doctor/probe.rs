//! Events sent through the very command lines that are registered, and their answers compared with
//! what this program would say.

use std::process::Command;
use std::time::Duration;

use serde_json::{Map, Value};

use super::Items;
use crate::adapters::inspect::Registered;
use crate::adapters::{Asked, Host, Payload, compose};
use crate::cli::hosts;
use crate::cli::judge::Bench;
use crate::domain::kind::Kind;
use crate::io::platform::{Surroundings, System};
use crate::io::process::{self, Failure, Output};

/// How long a registered command may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// What no policy in its senses lets pass.
const DANGEROUS: &str = "rm -rf ~/";
const HARMLESS: &str = "git status";
/// What the audit log shows in the place of a session.
const SESSION: &str = "ruleward-doctor";
/// Times that a harmless call is timed.
const ROUNDS: usize = 7;
/// More than this a person notices, call after call.
const SLOW: Duration = Duration::from_millis(100);

/// Sends events through each command line of a host that is registered for calls of tools.
pub(super) fn fire(
    surroundings: &Surroundings,
    host: &'static Host,
    cwd: &str,
    registered: &[Registered],
    items: &mut Items,
) {
    let calls = host.rows_of(Kind::ToolBefore).map(|row| row.wire).collect::<Vec<_>>();
    let mut tried: Vec<&[String]> = Vec::new();
    for hook in registered.iter().filter(|hook| calls.contains(&hook.event.as_str())) {
        if tried.contains(&hook.words.as_slice()) {
            continue;
        }
        tried.push(&hook.words);
        let probe = Probe { surroundings, host, cwd, entry: &hook.entry, line: hook.words.join(" ") };
        probe.all(&hook.words, items);
    }
}

struct Probe<'a> {
    surroundings: &'a Surroundings,
    host: &'static Host,
    cwd: &'a str,
    entry: &'a Value,
    line: String,
}

impl Probe<'_> {
    fn all(&self, words: &[String], items: &mut Items) {
        let install = format!("`ruleward install {}`", self.host.name);
        let line = &self.line;
        match self.run("{ this is no payload") {
            Err(failure) => {
                items.bad(Some(self.host), "hook-does-not-run", format!("`{line}`: {failure}"), install);
                return;
            }
            Ok(output)
                if output.stdout.trim().is_empty() && (output.code == Some(0) || output.stderr.trim().is_empty()) =>
            {
                let what = format!("`{line}` says nothing to a payload that nobody can read: it does not fail closed");
                items.bad(Some(self.host), "fails-open", what, install);
                return;
            }
            Ok(_) => {}
        }
        match self.expected(DANGEROUS, words) {
            Some(expected) => self.compare(&expected, items, &install),
            None => items.bad(Some(self.host), "self-test", format!("`{line}` could not be asked"), install),
        }
        self.time(items);
    }

    /// Compares the answer to a dangerous call with what this program says.
    fn compare(&self, expected: &str, items: &mut Items, install: &str) {
        let line = &self.line;
        let Ok(output) = self.run(&self.payload(DANGEROUS)) else { return };
        if unstamped(&output.stdout) != expected.trim() {
            let what = format!(
                "`{line}` answers `{DANGEROUS}` unlike this ruleward ({}): it is another program, version or policy; it said {:?}",
                env!("CARGO_PKG_VERSION"),
                output.stdout.trim().chars().take(200).collect::<String>()
            );
            items.bad(Some(self.host), "other-answer", what, install);
        } else if expected.trim().is_empty() {
            let what = format!("the policy has nothing to say of `{DANGEROUS}`");
            items.doubtful(
                Some(self.host),
                "lenient-policy",
                what,
                "leave the bundled policy on, or test your own with `ruleward test`",
            );
        } else {
            items.good(
                Some(self.host),
                "self-test",
                format!("`{line}` answers `{DANGEROUS}` as the policy says, and refuses what it cannot read"),
            );
        }
    }

    fn time(&self, items: &mut Items) {
        let payload = self.payload(HARMLESS);
        let mut times: Vec<Duration> = (0..ROUNDS).filter_map(|_| Some(self.run(&payload).ok()?.took)).collect();
        times.sort();
        let Some(median) = times.get(times.len() / 2) else { return };
        let text = format!("`{HARMLESS}` takes {:.1} ms through it", median.as_secs_f64() * 1000.0);
        if *median > SLOW {
            items.doubtful(
                Some(self.host),
                "slow",
                text,
                "look for a slow disk, a virus scanner, or a build that is not `--release`",
            );
        } else {
            items.good(Some(self.host), "time", text);
        }
    }

    fn payload(&self, command: &str) -> String {
        self.composed(command).map(|payload| Value::Object(payload).to_string()).unwrap_or_default()
    }

    fn composed(&self, command: &str) -> Option<Map<String, Value>> {
        let asked = Asked {
            tool: Some("shell".into()),
            command: Some(command.into()),
            ..Asked::at(Kind::ToolBefore, self.cwd)
        };
        let mut payload = compose(self.host, &asked)?;
        payload.insert("session_id".into(), Value::from(SESSION));
        Some(payload)
    }

    /// Returns what this program would answer, by the policy that the command line names.
    fn expected(&self, command: &str, words: &[String]) -> Option<String> {
        let payload: Payload = self.composed(command)?;
        let chosen: Vec<String> = words
            .windows(2)
            .filter(|pair| pair.first().is_some_and(|it| it == "--policy"))
            .filter_map(|pair| pair.last().cloned())
            .collect();
        let mut here = hosts::here(self.surroundings, &chosen, self.cwd, &[]);
        here.loaded.policy.interactive |= words.iter().any(|word| word == "--interactive");
        let bench = Bench::here(self.host, &here);
        bench.judge(&payload).ok().map(|judged| judged.answer.response.stdout)
    }

    /// Runs the entry as the host does.
    fn run(&self, input: &str) -> Result<Output, Failure> {
        let text = self.entry.get("command").and_then(Value::as_str).unwrap_or_default();
        let mut command = if let Some(arguments) = self.entry.get("args").and_then(Value::as_array) {
            let mut command = Command::new(text);
            command.args(arguments.iter().filter_map(Value::as_str));
            command
        } else if self.surroundings.system == System::Windows {
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
        process::run(command.current_dir(self.cwd), input.as_bytes(), PATIENCE)
    }
}

/// Returns an answer without what differs from one to the next: the name of its record.
fn unstamped(answer: &str) -> String {
    const STAMP: &str = "\\n(ruleward explain ";
    let mut text = answer.trim().to_owned();
    while let Some(start) = text.find(STAMP) {
        let Some(length) = text.get(start..).and_then(|rest| rest.find(')')) else { break };
        text.replace_range(start..=start + length, "");
    }
    text
}
