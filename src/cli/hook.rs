//! `ruleward hook HOST`: the program as a host runs it, once for every event.
//!
//! This is the one place that decides what happens when something fails. On an event that can be
//! refused, it is refused, in the host's own words, with what a user can do about it; on one that
//! only observes, nothing is said. The arguments are read by hand: a mistake in the host's settings
//! must be answered in the host's words too, and the hook has no time for more.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::adapters::judge::{self, Environment, HookStatusQuery, Judgment, StateContext};
use crate::adapters::registration::{DEFAULT_DEADLINE_SECS, MAX_DEADLINE_SECS};
use crate::adapters::{Host, PayloadFields, Response, hosts_with_event, parse_payload, read_event, sniff_event};
use crate::cli::args::hosts;
use crate::cli::context;
use crate::cli::hook_status;
use crate::cli::integrity::{self, Registered};
use crate::domain::decide::exception::Exceptions;
use crate::domain::effect::EffectKind;
use crate::domain::event::kind::Kind;
use crate::domain::policy::Policy;
use crate::domain::policy::settings::AuditLevel;
use crate::domain::severity::OnError;
use crate::domain::text::version::Version;
use crate::domain::verdict::redaction::{Redactions, redactable_texts};
use crate::io::backup::LocalBackups;
use crate::io::exceptions::ExceptionStore;
use crate::io::integrity::Guard;
use crate::io::platform::Platform;
use crate::io::process::hardening::{self, AbortHandler};
use crate::io::process::panics;
use crate::io::process::runner::ProcessRunner;
use crate::io::process::stdio::{Delivery, read_payload, write_answer};
use crate::io::process::watchdog::{self, Deadline};
use crate::io::{audit, files, grants, heartbeat, state, transcript};

/// What the hook's command line says.
#[derive(Debug)]
struct Options {
    host: &'static Host,
    policies: Vec<String>,
    interactive: bool,
    deadline: Duration,
    version: Option<Version>,
    registered_in: Vec<String>,
}

impl Options {
    /// Reads the arguments after `hook`.
    fn parse(args: &[String]) -> Result<Self, String> {
        let mut host = None;
        let (mut policies, mut interactive, mut deadline) =
            (Vec::new(), false, Duration::from_secs(DEFAULT_DEADLINE_SECS.into()));
        let (mut version, mut registered_in) = (None, Vec::new());
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let (name, inline) = match arg.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value.to_owned())),
                _ => (arg.as_str(), None),
            };
            let is_flag = inline.is_none();
            let mut value = || inline.clone().or_else(|| args.next().cloned()).ok_or(format!("`{name}` needs a value"));
            match name {
                "--policy" => policies.push(value()?),
                "--deadline" => deadline = parse_seconds(&value()?)?,
                "--host-version" => version = Some(context::parse_version(&value()?)?),
                "--registered-in" => registered_in.push(value()?),
                "--interactive" if is_flag => interactive = true,
                _ if name.starts_with('-') => return Err(format!("unknown option `{arg}`")),
                _ if host.is_some() => return Err(format!("unexpected argument `{arg}`")),
                _ => host = Some(context::by_name(arg)?),
            }
        }
        let host = host.ok_or_else(|| format!("missing host: use one of {}", context::names().join(", ")))?;
        Ok(Self { host, policies, interactive, deadline, version, registered_in })
    }
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| *seconds > 0.0 && *seconds <= 600.0);
    seconds.map(Duration::from_secs_f64).ok_or_else(|| format!("`{text}` is not a number of seconds (at most 600)"))
}

/// Returns how long hooks that run at the same time may be waited for: a quarter of the time is left for
/// the judgment, and for saying why there is none.
fn lock_timeout(deadline: Duration) -> Duration {
    deadline.mul_f64(0.75)
}

/// Runs the hook.
pub(super) fn run(args: &[String]) -> ExitCode {
    let aborts = hardening::install();
    if let Err(free) = hardening::reserve_stack() {
        let why = format!("only {} KiB of address space are left (`ulimit -v`)", free >> 10);
        let refusal = Response::from_exit_code(2, &refusal_reason(&why));
        write_answer(&refusal.stdout, &refusal.stderr);
        return ExitCode::from(refusal.exit_code);
    }
    let response = match Options::parse(args) {
        Ok(options) => run_with_deadline(&options, &|event, deadline| respond(&options, event, deadline, &aborts)),
        Err(slip) => respond_to_usage_error(&slip),
    };
    match write_answer(&response.stdout, &response.stderr) {
        Delivery::Delivered => ExitCode::from(response.exit_code),
        // The host may still look at the exit code: a refusal must not turn into an approval.
        Delivery::Lost => ExitCode::from(2),
        Delivery::AlreadyAnswered => loop {
            std::thread::park();
        },
    }
}

/// Judges under a deadline, and answers for a panic, whose message may hold anything of the payload.
fn run_with_deadline(options: &Options, judge: &dyn Fn(&Mutex<Option<String>>, &Deadline) -> Response) -> Response {
    let host = options.host;
    let event: Arc<Mutex<Option<String>>> = Arc::default();
    let known = Arc::clone(&event);
    let deadline = Arc::new(Deadline::new(options.deadline, Duration::from_secs(MAX_DEADLINE_SECS.into())));
    let watched = Arc::clone(&deadline);
    let late = move || {
        let reason = format!("no answer within {} s", watched.total().as_secs_f64());
        let wire = known.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Response { stdout, stderr, exit_code: exit } = host.refuse(wire.as_deref(), &refusal_reason(&reason));
        (stdout, stderr, exit)
    };
    if let Err(error) = watchdog::start(Arc::clone(&deadline), late) {
        return host.refuse(None, &refusal_reason(&format!("the deadline can't be set: {error}")));
    }
    panics::catch(|| judge(&event, &deadline)).unwrap_or_else(|why| {
        let wire = event.lock().unwrap_or_else(PoisonError::into_inner).clone();
        host.refuse(wire.as_deref(), &refusal_reason(&why))
    })
}

/// Judges, or says in the host's words why that could not be done.
fn respond(options: &Options, event: &Mutex<Option<String>>, deadline: &Deadline, aborts: &AbortHandler) -> Response {
    let host = options.host;
    let begun = Instant::now();
    let surroundings = Platform::current();
    let bytes = match read_payload() {
        Ok(bytes) => bytes,
        Err(why) => return respond_unreadable(host, options, &surroundings, None, &why.to_string()),
    };
    let payload = match parse_payload(&bytes) {
        Ok(payload) => payload,
        Err(why) => {
            return respond_unreadable(host, options, &surroundings, sniff_event(&bytes).as_deref(), &why.to_string());
        }
    };
    let wire = payload.get("hook_event_name").and_then(Value::as_str);
    if let Some(other) =
        wire.filter(|wire| host.event_row(wire).is_none()).and_then(|wire| hosts_with_event(wire).next())
    {
        let slip = format!("it says `{}`, and the payload is one of {}", host.name, other.title);
        return other.refuse(wire, &usage_error_reason(&slip));
    }
    *event.lock().unwrap_or_else(PoisonError::into_inner) = wire.map(ToOwned::to_owned);
    let response = judge_payload(options, (&payload, wire), (&surroundings, begun), deadline, aborts);
    // The process is about to end; giving the payload's memory back would only cost time.
    std::mem::forget(payload);
    response
}

/// Judges a payload on this machine, and records what came of it.
fn judge_payload(
    options: &Options,
    (payload, wire): (&PayloadFields, Option<&str>),
    (surroundings, begun): (&Platform, Instant),
    deadline: &Deadline,
    aborts: &AbortHandler,
) -> Response {
    let host = options.host;
    let refusable =
        wire.is_none_or(|wire| host.event_row(wire).is_some_and(|row| row.support(EffectKind::Deny).is_some()));
    aborts.set_refusal(refusable);
    let cwd = payload.get("cwd").and_then(Value::as_str).filter(|cwd| !cwd.is_empty());
    let cwd = cwd.map(ToOwned::to_owned).or_else(files::current_directory).unwrap_or_default();
    record_heartbeat(host, wire, surroundings, &cwd);
    let mut here = context::load_for_hook(surroundings, &options.policies, &cwd, host.project_vars);
    here.loaded.policy.interactive |= options.interactive;
    let policy = &here.loaded.policy;
    aborts.set_refusal(refusable && policy.on_error != OnError::Allow);
    let id = (policy.audit > AuditLevel::Off).then(audit::RecordId::new);
    let stamp = id.as_ref().filter(|_| policy.audit >= AuditLevel::Decisions).map(|id| id.as_str().to_owned());
    let exceptions = ExceptionStore::open(surroundings, here.place.project.as_deref());
    let keeper = state::SqliteStore::new(state::database_path(surroundings), lock_timeout(options.deadline));
    let memory = StateContext { store: &keeper, now: state::now(), read_transcript: &transcript::read_new_lines };
    let version = options.version.or_else(|| context::reported_version(surroundings, host));
    let look = |looked: &HookStatusQuery<'_>| hook_status::inspect_machine(looked, &options.registered_in);
    let programs = ProcessRunner { platform: surroundings, extend_deadline: &|by| deadline.extend(by) };
    let backups = LocalBackups { platform: surroundings, available: &|wanted| deadline.available(wanted) };
    let desk = exceptions.as_ref().map(|store| -> &dyn Exceptions { store });
    let (look, runner) = (Some(&look as _), Some(&programs as _));
    let registered = Registered { host, policies: &options.policies, settings: &options.registered_in };
    let project = here.place.project.as_deref();
    let guard = Guard {
        platform: surroundings,
        keys: integrity::section_keys(surroundings, registered, project),
        paths: &|| integrity::section_paths(surroundings, registered, &here),
        settings_loss: &|before, after| integrity::settings_losses(host, before, after),
        project,
        response: policy.tamper,
        records: policy.audit > AuditLevel::Off,
    };
    let usual = here.environment();
    let environment = Environment {
        session_notice: session_notice(host, wire, surroundings, usual.session_notice.as_deref()),
        state: memory,
        integrity: Some(&guard),
        hook_status: look,
        host_version: version,
        record_id: stamp,
        exceptions: desk,
        backups: Some(&backups),
        runner,
        ..usual
    };
    let response = match judge::explain(host, payload, policy, &environment) {
        Ok(judgment) => {
            let error = id.and_then(|id| record(surroundings, (host, wire, payload), (&id, begun), policy, &judgment));
            let mut response = judgment.answer.response;
            if let Some(error) = error.filter(|_| !host.reads_stderr) {
                response.stderr.extend(["ruleward: ", &error.to_string(), "\n"]);
            }
            response
        }
        Err(why) => judge::respond_to_error(host, wire, (policy.on_error, policy.ask_fallback), &why.to_string()),
    };
    drop(environment);
    // The process is about to end; giving every rule's memory back would only cost time.
    std::mem::forget(here);
    response
}

/// Records that a host has loaded the plugin, when the event says so. `doctor` reports a record that is missing, for
/// whatever reason.
fn record_heartbeat(host: &Host, wire: Option<&str>, platform: &Platform, cwd: &str) {
    if host.registration.plugin.as_ref().is_some_and(|plugin| wire == Some(plugin.load_event)) {
        let _written = heartbeat::record(platform, host.name, cwd);
    }
}

/// Returns what the user is told when a session starts: of the project's policy, and what was agreed to since the last
/// one, which only a start takes away.
fn session_notice(host: &Host, wire: Option<&str>, platform: &Platform, usual: Option<&str>) -> Option<String> {
    let row = wire.and_then(|wire| host.event_row(wire))?;
    let is_shown = row.kind == Kind::SessionStart && row.support(EffectKind::Warn).is_some();
    let granted = is_shown.then(|| grants::take(platform)).flatten();
    let notices: Vec<&str> = usual.into_iter().chain(granted.as_deref()).collect();
    (!notices.is_empty()).then(|| notices.join("\n"))
}

/// Returns what the rules have taken out of the texts of an event, which the record of it must not keep either.
fn redacted_values(
    host: &'static Host,
    payload: &PayloadFields,
    policy: &Policy,
    redactions: &Redactions,
) -> Vec<String> {
    if redactions.is_empty() {
        return Vec::new();
    }
    // The spans of a chunk belong to a longer text; so the record keeps none of it.
    if let Some(chunk) = (host.streaming.chunk)(payload) {
        return vec![chunk.text];
    }
    let Ok(event) = read_event(host, payload, &policy.arguments) else { return Vec::new() };
    let texts = redactable_texts(&event).into_iter().enumerate();
    let values = texts.flat_map(|(index, text)| {
        redactions.spans(index).into_iter().filter_map(|span| text.get(span).map(ToOwned::to_owned))
    });
    values.collect()
}

/// Records what came of a payload, if the policy wants that; returns why it could not be recorded.
fn record(
    surroundings: &Platform,
    (host, wire, payload): (&'static Host, Option<&str>, &PayloadFields),
    (id, begun): (&audit::RecordId, Instant),
    policy: &Policy,
    judgment: &Judgment,
) -> Option<audit::AuditError> {
    if !audit::should_record(policy.audit, &judgment.outcome) {
        return None;
    }
    let kind = wire.and_then(|wire| host.event_row(wire)).map_or("", |row| row.kind.name());
    let redacted = redacted_values(host, payload, policy, &judgment.outcome.verdict.redact);
    let event = audit::AuditEvent {
        redacted: &redacted,
        id,
        host: host.name,
        kind,
        payload,
        detectors: &policy.detectors,
        duration: begun.elapsed(),
        effect_hash: judgment.fingerprint.as_deref(),
    };
    audit::record_event(surroundings, event, &judgment.outcome).err()
}

/// Answers for a payload that cannot be read: the settings of the policies that hold in the
/// directory the program runs in are the best there is.
fn respond_unreadable(
    host: &Host,
    options: &Options,
    surroundings: &Platform,
    wire: Option<&str>,
    why: &str,
) -> Response {
    let cwd = files::current_directory().unwrap_or_default();
    let here = context::load_for_hook(surroundings, &options.policies, &cwd, host.project_vars);
    let policy = &here.loaded.policy;
    judge::respond_to_error(host, wire, (policy.on_error, policy.ask_fallback), why)
}

/// Returns what is said of something that could not be judged and is refused.
fn refusal_reason(why: &str) -> String {
    judge::judgment_error_text(OnError::Deny, why)
}

fn usage_error_reason(slip: &str) -> String {
    refusal_reason(&format!("invalid hook command line: {slip}; the user has to fix it in the host's settings"))
}

/// Answers for a mistake in the hook's own command line, as the host that the payload speaks of.
fn respond_to_usage_error(slip: &str) -> Response {
    let reason = usage_error_reason(slip);
    let Ok(bytes) = read_payload() else { return Response::from_exit_code(2, &reason) };
    let Some(wire) = sniff_event(&bytes) else { return Response::from_exit_code(2, &reason) };
    match hosts_with_event(&wire).next() {
        Some(host) => host.refuse(Some(&wire), &reason),
        None => Response::from_exit_code(2, &reason),
    }
}

/// Evaluate one event, as the hook of a host
///
/// Reads the host's payload from standard input and answers in the host's format. Hosts run this
/// command; to try a policy by hand, use `ruleward check`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[arg(help = hosts::hook_help())]
    host: String,
    /// Use this policy file instead of the user's and the project's; repeatable.
    #[arg(long, value_name = "FILE")]
    policy: Vec<PathBuf>,
    /// A user is present, so the host can ask questions.
    #[arg(long)]
    interactive: bool,
    /// The host's version (default: what the host reports, or the supported version).
    #[arg(long, value_name = "VERSION")]
    host_version: Option<String>,
    /// A settings file from the host's command line (`claude --settings FILE`) in which this hook
    /// is registered; repeatable. Rules that use `guard` check it as well.
    #[arg(long, value_name = "FILE")]
    registered_in: Vec<PathBuf>,
    /// Deny the event if it isn't evaluated after this many seconds.
    #[arg(long, value_name = "SECONDS", default_value = "2")]
    deadline: String,
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::process::{Command, Stdio};

    use serde_json::{Value, json};

    use super::{Options, run_with_deadline};
    use crate::adapters::parse_payload;
    use crate::io::process::panics;
    use crate::io::process::stdio::{print, print_stderr, read_payload};

    /// Says to the test that it is the process which panics, and whether someone watches.
    const CHILD_VARIABLE: &str = "RULEWARD_TEST_PANIC";
    const TEST_NAME: &str = "cli::hook::tests::a_panic_tells_its_place_and_nothing_of_the_payload";
    const SECRET: &str = "ghp_0123456789abcdefABCDEF0123456789wxyz";

    /// Runs this very test in a process of its own, since what happens to a panic is settled for a whole process.
    fn run_panicking_child(watched: &str, host: &str, payload: &str) -> (String, String) {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", TEST_NAME, "--nocapture", host])
            .env(CHILD_VARIABLE, watched)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(payload.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    }

    /// What the hook does, with a judgment that panics over the payload's text.
    fn panic_in_child(watched: &str) {
        if watched == "yes" {
            panics::install_hook();
        }
        let host = std::env::args().next_back().unwrap();
        let options = Options::parse(&[host, "--deadline=60".to_owned()]).unwrap();
        let response = run_with_deadline(&options, &|event, _| {
            let payload = parse_payload(&read_payload().unwrap()).unwrap();
            *event.lock().unwrap() = payload["hook_event_name"].as_str().map(ToOwned::to_owned);
            let command = payload["tool_input"]["command"].as_str().unwrap();
            panic!("{command}")
        });
        print(&format!("\nanswer: {}\n", response.stdout));
        print_stderr(&response.stderr);
    }

    #[test]
    fn a_panic_tells_its_place_and_nothing_of_the_payload() {
        if let Some(watched) = std::env::var_os(CHILD_VARIABLE) {
            return panic_in_child(&watched.to_string_lossy());
        }
        for (host, event) in [("claude", "PreToolUse"), ("gemini", "BeforeTool"), ("llxprt", "BeforeTool")] {
            let payload = json!({ "hook_event_name": event, "tool_input": { "command": SECRET } });
            let (_, stderr) = run_panicking_child("no", host, &payload.to_string());
            assert!(stderr.contains(SECRET), "the message tells nothing, so that nothing is shown: {stderr}");
            let (stdout, stderr) = run_panicking_child("yes", host, &payload.to_string());
            assert!(!format!("{stdout}{stderr}").contains(SECRET), "{stdout}{stderr}");
            let answer = stdout.lines().find_map(|line| line.strip_prefix("answer: ")).unwrap();
            let answer: Value = serde_json::from_str(answer).unwrap();
            let (decision, reason) = match host {
                "claude" => ("/hookSpecificOutput/permissionDecision", "/hookSpecificOutput/permissionDecisionReason"),
                _ => ("/decision", "/reason"),
            };
            assert_eq!(answer.pointer(decision), Some(&json!("deny")), "{answer}");
            let reason = answer.pointer(reason).and_then(Value::as_str).unwrap();
            assert!(reason.contains(concat!("an error inside ruleward itself, at ", file!(), ":")), "{reason}");
        }
    }
}
