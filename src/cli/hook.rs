//! `ruleward hook HOST`: the program as a host runs it, once for every event.
//!
//! This is the one place that decides what happens when something fails. On an event that can be
//! refused, it is refused, in the host's own words, with what a person can do about it; on one that
//! only observes, nothing is said. The arguments are read by hand: a slip in the host's settings
//! must be answered in the host's words too, and the hook has no time for more.

use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::judge::{Bench, Judged};
use crate::adapters::{HOSTS, Host, Manner, Names, Payload, Response, host_of_event, parse, sniff_event};
use crate::domain::path::Place;
use crate::domain::policy::OnError;
use crate::domain::verdict::{Note, Verdict};
use crate::io::policy::{Loaded, Request, load};
use crate::io::stdio::{Written, answer, read_payload};
use crate::io::{audit, link, platform::Surroundings, watchdog};

/// Time after which the hook refuses on its own; hosts wait five seconds and more.
const DEADLINE: Duration = Duration::from_secs(4);

/// What the hook's command line says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Options {
    host: &'static str,
    policies: Vec<PathBuf>,
    interactive: bool,
    deadline: Duration,
}

impl Options {
    /// Reads the arguments after `hook`.
    fn parse(args: &[String]) -> Result<Self, String> {
        let mut options = Self { host: "", policies: Vec::new(), interactive: false, deadline: DEADLINE };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let (name, inline) = match arg.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value)),
                _ => (arg.as_str(), None),
            };
            let mut value = || inline.map(str::to_owned).or_else(|| args.next().cloned()).ok_or(format!("`{name}` needs a value"));
            match name {
                "--policy" => options.policies.push(value()?.into()),
                "--deadline" => options.deadline = seconds(&value()?)?,
                "--interactive" if inline.is_none() => options.interactive = true,
                _ if name.starts_with('-') => return Err(format!("unknown option `{arg}`")),
                _ if !options.host.is_empty() => return Err(format!("unexpected argument `{arg}`")),
                _ => options.host = Host::named(arg).map(|host| host.name).ok_or_else(|| unknown_host(arg))?,
            }
        }
        if options.host.is_empty() { Err(format!("the host is missing: one of {}", host_names())) } else { Ok(options) }
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| *seconds > 0.0 && *seconds <= 600.0);
    seconds.map(Duration::from_secs_f64).ok_or_else(|| format!("`{text}` is not a number of seconds up to 600"))
}

fn unknown_host(name: &str) -> String {
    format!("unknown host `{name}`: one of {}", host_names())
}

fn host_names() -> String {
    HOSTS.iter().map(|host| host.name).collect::<Vec<_>>().join(", ")
}

/// Runs the hook.
pub(super) fn run(args: &[String]) -> ExitCode {
    panic::set_hook(Box::new(|_| {}));
    let response = match Options::parse(args) {
        Ok(options) => guarded(options),
        Err(slip) => misused(&slip),
    };
    match answer(&response.stdout, &response.stderr) {
        Written::Delivered => ExitCode::from(response.exit),
        // The host may still look at the exit code: a refusal must not turn into an approval.
        Written::Lost => ExitCode::from(if response.stdout.is_empty() { response.exit } else { 2 }),
        Written::TooLate => loop {
            std::thread::park();
        },
    }
}

/// Judges under a deadline, and answers for a panic.
fn guarded(options: Options) -> Response {
    let Some(host) = Host::named(options.host) else { return misused(&unknown_host(options.host)) };
    let event: Arc<Mutex<Option<String>>> = Arc::default();
    let known = Arc::clone(&event);
    let reason = format!("no answer within {} s", options.deadline.as_secs_f64());
    let late = move || {
        let wire = known.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Response { stdout, stderr, exit } = host.refuse(wire.as_deref(), &refusal(&reason));
        (stdout, stderr, exit)
    };
    if let Err(error) = watchdog::start(options.deadline, late) {
        return host.refuse(None, &refusal(&format!("no deadline can be kept: {error}")));
    }
    let judged = panic::catch_unwind(AssertUnwindSafe(|| judge(host, &options, &event)));
    judged.unwrap_or_else(|_| {
        let wire = event.lock().unwrap_or_else(PoisonError::into_inner).clone();
        host.refuse(wire.as_deref(), &refusal("an error inside ruleward itself; please report it with the payload"))
    })
}

fn judge(host: &'static Host, options: &Options, event: &Mutex<Option<String>>) -> Response {
    let bytes = match read_payload() {
        Ok(bytes) => bytes,
        Err(why) => return host.refuse(None, &refusal(&why)),
    };
    let payload = match parse(&bytes) {
        Ok(payload) => payload,
        Err(why) => return unreadable(host, options, &why.to_string(), sniff_event(&bytes).as_deref()),
    };
    let wire = payload.get("hook_event_name").and_then(serde_json::Value::as_str);
    *event.lock().unwrap_or_else(PoisonError::into_inner) = wire.map(ToOwned::to_owned);

    let surroundings = Surroundings::here();
    let cwd = payload.get("cwd").and_then(serde_json::Value::as_str);
    let (mut loaded, place) = load_for(host, options, &surroundings, cwd);
    loaded.policy.interactive |= options.interactive;
    if loaded.has_errors() {
        let why = loaded.first_error().unwrap_or_else(|| "the policy cannot be read".to_owned());
        let judged = judged(host, &loaded, &place, &payload, &surroundings);
        return broken_policy(host, &loaded, wire, &why, judged);
    }
    match judged(host, &loaded, &place, &payload, &surroundings) {
        Ok(judged) => judged.answer.response,
        Err(why) => settle(host, loaded.policy.on_error, wire, &why),
    }
}

fn load_for(host: &Host, options: &Options, surroundings: &Surroundings, cwd: Option<&str>) -> (Loaded, Place) {
    let request = Request {
        chosen: &options.policies,
        cwd,
        project_vars: host.project_vars,
        known_hosts: &HOSTS.map_names(),
        surroundings,
    };
    let loaded = load(&request);
    let place = loaded.place.clone();
    (loaded, place)
}

/// Judges, and keeps the record that rules ask for.
fn judged(
    host: &'static Host,
    loaded: &Loaded,
    place: &Place,
    payload: &Payload,
    surroundings: &Surroundings,
) -> Result<Judged, String> {
    let names = Names::default();
    let bench = Bench { host, policy: &loaded.policy, names: &names, place, follow: &link::follow };
    let judged = bench.judge(payload).map_err(|error| error.to_string())?;
    audit::record(surroundings, host.name, payload, &judged.outcome);
    Ok(judged)
}
