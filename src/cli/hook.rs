//! `ruleward hook HOST`: the program as a host runs it, once for every event.
//!
//! This is the one place that decides what happens when something fails. On an event that can be
//! refused, it is refused, in the host's own words, with what a person can do about it; on one that
//! only observes, nothing is said. The arguments are read by hand: a slip in the host's settings
//! must be answered in the host's words too, and the hook has no time for more.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::guard::{self, Looked};
use super::judge::{self, Bench, Memory};
use super::{bug, hosts};
use crate::adapters::registration::{DEADLINE, LATEST};
use crate::adapters::{Host, Response, hosts_of_event, parse, sniff_event};
use crate::domain::effect::EffectKind;
use crate::domain::policy::{AuditLevel, OnError, Policy};
use crate::domain::version::Version;
use crate::io::exceptions::Desk;
use crate::io::hardening::{self, Aborts};
use crate::io::platform::Surroundings;
use crate::io::runner::Programs;
use crate::io::stdio::{Written, answer, read_payload};
use crate::io::watchdog::{self, Deadline};
use crate::io::{audit, files, state, transcript};

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
        let (mut policies, mut interactive, mut deadline) = (Vec::new(), false, Duration::from_secs(DEADLINE.into()));
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
                "--deadline" => deadline = seconds(&value()?)?,
                "--host-version" => version = Some(hosts::version(&value()?)?),
                "--registered-in" => registered_in.push(value()?),
                "--interactive" if is_flag => interactive = true,
                _ if name.starts_with('-') => return Err(format!("unknown option `{arg}`")),
                _ if host.is_some() => return Err(format!("unexpected argument `{arg}`")),
                _ => host = Some(hosts::named(arg)?),
            }
        }
        let host = host.ok_or_else(|| format!("the host is missing: one of {}", hosts::names().join(", ")))?;
        Ok(Self { host, policies, interactive, deadline, version, registered_in })
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| *seconds > 0.0 && *seconds <= 600.0);
    seconds.map(Duration::from_secs_f64).ok_or_else(|| format!("`{text}` is not a number of seconds up to 600"))
}

/// Returns how long hooks that run at the same time may be waited for: a quarter of the time is left for
/// the judgement, and for saying why there is none.
fn patience(deadline: Duration) -> Duration {
    deadline.mul_f64(0.75)
}

/// Runs the hook.
pub(super) fn run(args: &[String]) -> ExitCode {
    let aborts = hardening::start();
    let response = match Options::parse(args) {
        Ok(options) => guarded(&options, &|event, deadline| judged(&options, event, deadline, &aborts)),
        Err(slip) => misused(&slip),
    };
    match answer(&response.stdout, &response.stderr) {
        Written::Delivered => ExitCode::from(response.exit),
        // The host may still look at the exit code: a refusal must not turn into an approval.
        Written::Lost => ExitCode::from(2),
        Written::TooLate => loop {
            std::thread::park();
        },
    }
}

/// Judges under a deadline, and answers for a panic, whose message may hold anything of the payload.
fn guarded(options: &Options, judge: &dyn Fn(&Mutex<Option<String>>, &Deadline) -> Response) -> Response {
    let host = options.host;
    let event: Arc<Mutex<Option<String>>> = Arc::default();
    let known = Arc::clone(&event);
    let deadline = Arc::new(Deadline::new(options.deadline, Duration::from_secs(LATEST.into())));
    let watched = Arc::clone(&deadline);
    let late = move || {
        let reason = format!("no answer within {} s", watched.total().as_secs_f64());
        let wire = known.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Response { stdout, stderr, exit } = host.refuse(wire.as_deref(), &refusal(&reason));
        (stdout, stderr, exit)
    };
    if let Err(error) = watchdog::start(Arc::clone(&deadline), late) {
        return host.refuse(None, &refusal(&format!("no deadline can be kept: {error}")));
    }
    bug::caught(|| judge(&event, &deadline)).unwrap_or_else(|why| {
        let wire = event.lock().unwrap_or_else(PoisonError::into_inner).clone();
        host.refuse(wire.as_deref(), &refusal(&why))
    })
}

/// Judges, or says in the host's words why that could not be done.
fn judged(options: &Options, event: &Mutex<Option<String>>, deadline: &Deadline, aborts: &Aborts) -> Response {
    let host = options.host;
    let begun = Instant::now();
    let surroundings = Surroundings::here();
    let bytes = match read_payload() {
        Ok(bytes) => bytes,
        Err(why) => return unjudged(host, options, &surroundings, None, &why),
    };
    let payload = match parse(&bytes) {
        Ok(payload) => payload,
        Err(why) => return unjudged(host, options, &surroundings, sniff_event(&bytes).as_deref(), &why.message),
    };
    let wire = payload.get("hook_event_name").and_then(Value::as_str);
    if let Some(other) = wire.filter(|wire| host.row(wire).is_none()).and_then(|wire| hosts_of_event(wire).next()) {
        let slip = format!("it says `{}`, and the payload is one of {}", host.name, other.title);
        return other.refuse(wire, &misuse(&slip));
    }
    *event.lock().unwrap_or_else(PoisonError::into_inner) = wire.map(ToOwned::to_owned);
    let refusable = wire.is_none_or(|wire| host.row(wire).is_some_and(|row| row.support(EffectKind::Deny).is_some()));
    aborts.settle(refusable);
    let cwd = payload.get("cwd").and_then(Value::as_str).filter(|cwd| !cwd.is_empty());
    let cwd = cwd.map(ToOwned::to_owned).or_else(files::current);
    let mut here = hosts::for_hook(&surroundings, &options.policies, &cwd.unwrap_or_default(), host.project_vars);
    here.loaded.policy.interactive |= options.interactive;
    let policy = &here.loaded.policy;
    aborts.settle(refusable && policy.on_error != OnError::Allow);
    let id = (policy.audit > AuditLevel::Off).then(audit::Id::new);
    let stamp = id.as_ref().filter(|_| policy.audit >= AuditLevel::Decisions).map(|id| id.as_str().to_owned());
    let desk = Desk::of(&surroundings, here.place.project.as_deref());
    let keeper = state::Store::new(state::path(&surroundings), patience(options.deadline));
    let memory = Memory { keeper: &keeper, now: state::now(), read_on: &transcript::read_on };
    let version = options.version.or_else(|| hosts::said_version(&surroundings, host));
    let look = |looked: &Looked<'_>| guard::here(looked, &options.registered_in);
    let extend = |by| deadline.put_off(by);
    let programs = Programs { surroundings: &surroundings, extend: &extend };
    let (desk, look, runner) = (desk.as_ref(), Some(&look as _), Some(&programs as _));
    let bench = Bench { memory, look, version, stamp, desk, runner, ..Bench::here(host, &here) };
    let response = match bench.judge(&payload) {
        Ok(judged) => {
            let mut response = judged.answer.response;
            let unrecorded = id.filter(|_| audit::is_wanted(policy.audit, &judged.outcome)).and_then(|id| {
                let moment = wire.and_then(|wire| host.row(wire)).map_or("", |row| row.kind.name());
                let (detectors, took) = (&policy.detectors, begun.elapsed());
                let effect = judged.effect.as_deref();
                let event =
                    audit::Event { id: &id, host: host.name, moment, payload: &payload, detectors, took, effect };
                audit::record(&surroundings, event, &judged.outcome).err()
            });
            if let Some(why) = unrecorded.filter(|_| !host.reads_stderr) {
                response.stderr.extend(["ruleward: ", &why, "\n"]);
            }
            response
        }
        Err(why) => settled(host, policy, wire, &why.message),
    };
    drop(bench);
    // The process is about to end; giving every rule's memory back would only cost time.
    std::mem::forget((here, payload));
    response
}

/// Answers for a payload that cannot be read: the settings of the policies that hold in the
/// directory the program runs in are the best there is.
fn unjudged(host: &Host, options: &Options, surroundings: &Surroundings, wire: Option<&str>, why: &str) -> Response {
    let cwd = files::current().unwrap_or_default();
    let here = hosts::for_hook(surroundings, &options.policies, &cwd, host.project_vars);
    settled(host, &here.loaded.policy, wire, why)
}

/// Answers for an event of which no more than the name is known.
fn settled(host: &Host, policy: &Policy, wire: Option<&str>, why: &str) -> Response {
    match policy.on_error {
        OnError::Deny => host.refuse(wire, &refusal(why)),
        OnError::Ask => host.ask(wire, &judge::unjudged(OnError::Ask, why), policy.ask_fallback),
        OnError::Allow => Response::silence(),
    }
}

/// Returns what is said of something that could not be judged and is refused.
fn refusal(why: &str) -> String {
    judge::unjudged(OnError::Deny, why)
}

fn misuse(slip: &str) -> String {
    refusal(&format!("the hook's command line is wrong: {slip}; a person has to mend it in the host's settings"))
}

/// Answers for a slip in the hook's own command line, as the host that the payload speaks of.
fn misused(slip: &str) -> Response {
    let reason = misuse(slip);
    let Ok(bytes) = read_payload() else { return Response::exit(2, &reason) };
    let Some(wire) = sniff_event(&bytes) else { return Response::exit(2, &reason) };
    match hosts_of_event(&wire).next() {
        Some(host) => host.refuse(Some(&wire), &reason),
        None => Response::exit(2, &reason),
    }
}

/// Judge one event, as the hook of a host
///
/// Reads the host's payload on standard input and answers in the host's words. This is what a
/// host's settings name; to try a policy by hand, see `ruleward check`.
#[derive(Debug, clap::Args)]
pub(super) struct Usage {
    /// The host: claude, gemini or llxprt.
    host: String,
    /// A policy file in place of the person's and the project's; may be given again.
    #[arg(long, value_name = "FILE")]
    policy: Vec<PathBuf>,
    /// A person sits at the host, so that questions can be asked.
    #[arg(long)]
    interactive: bool,
    /// The host's version; or else what it says of itself, or the one whose contract is known.
    #[arg(long, value_name = "VERSION")]
    host_version: Option<String>,
    /// A settings file that the host is given on its command line (`claude --settings FILE`) and in
    /// which this hook stands; may be given again. Policies that ask how the guard stands look there
    /// as well.
    #[arg(long, value_name = "FILE")]
    registered_in: Vec<PathBuf>,
    /// Seconds after which what is not judged yet is refused.
    #[arg(long, value_name = "SECONDS", default_value = "2")]
    deadline: String,
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::process::{Command, Stdio};

    use serde_json::{Value, json};

    use super::{Options, bug, guarded};
    use crate::adapters::parse;
    use crate::io::stdio::{print, read_payload, say};

    /// Says to the test that it is the process which panics, and whether somebody watches.
    const INSIDE: &str = "RULEWARD_TEST_PANIC";
    const NAME: &str = "cli::hook::tests::a_panic_tells_its_place_and_nothing_of_the_payload";
    const SECRET: &str = "ghp_0123456789abcdefABCDEF0123456789wxyz";

    /// Runs this very test in a process of its own, since what becomes of a panic is settled for a whole process.
    fn panicking(watched: &str, host: &str, payload: &str) -> (String, String) {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", NAME, "--nocapture", host])
            .env(INSIDE, watched)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(payload.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    }

    /// What the hook does, with a judgement that panics over the payload's text.
    fn panic_inside(watched: &str) {
        if watched == "yes" {
            bug::watch();
        }
        let host = std::env::args().next_back().unwrap();
        let options = Options::parse(&[host, "--deadline=60".to_owned()]).unwrap();
        let response = guarded(&options, &|event, _| {
            let payload = parse(&read_payload().unwrap()).unwrap();
            *event.lock().unwrap() = payload["hook_event_name"].as_str().map(ToOwned::to_owned);
            let command = payload["tool_input"]["command"].as_str().unwrap();
            panic!("{command}")
        });
        print(&format!("\nanswer: {}\n", response.stdout));
        say(&response.stderr);
    }

    #[test]
    fn a_panic_tells_its_place_and_nothing_of_the_payload() {
        if let Some(watched) = std::env::var_os(INSIDE) {
            return panic_inside(&watched.to_string_lossy());
        }
        for (host, event) in [("claude", "PreToolUse"), ("gemini", "BeforeTool"), ("llxprt", "BeforeTool")] {
            let payload = json!({ "hook_event_name": event, "tool_input": { "command": SECRET } });
            let (_, stderr) = panicking("no", host, &payload.to_string());
            assert!(stderr.contains(SECRET), "the message tells nothing, so that nothing is shown: {stderr}");
            let (stdout, stderr) = panicking("yes", host, &payload.to_string());
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
