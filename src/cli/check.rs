//! `ruleward check`: one event, and all that is made of it.
//!
//! The event is judged by the same path as under `hook`; what is printed is a by-product of that
//! judgement, not a second one.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::{Value, json};

use super::Exit;
use super::asked::EventArgs;
use super::hosts::{self, Here};
use super::judge::{Bench, Judged, Memory};
use super::style::Palette;
use super::{trust, understood};
use crate::adapters::{Asked, HOSTS, Host, Loss, Payload, compose, parse, read};
use crate::domain::decide::{Finding, Outcome};
use crate::domain::facts::Facts;
use crate::domain::ran::Runner;
use crate::domain::redaction::{NOTHING, strings};
use crate::domain::rule::Mode;
use crate::domain::secret::{Own, Seen};
use crate::domain::tool::Arguments;
use crate::domain::verdict::{Decision, Verdict, texts};
use crate::io::machine::ThisMachine;
use crate::io::platform::Surroundings;
use crate::io::runner::Programs;
use crate::io::state::{self, Looking, PATIENCE, Store};
use crate::io::{files, stdio, transcript};

/// Show what the policy makes of one event
///
/// The event is a payload as a host sends it (from a file, or `-` for standard input), or is
/// written as options. For example:
///
///   ruleward check --command "cd repo && sudo git push -f"
///   ruleward check --write .env --content "A=1"
///   ruleward check --json payload.json
///
/// The exit code is 1 when the event would be refused.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
#[command(group = clap::ArgGroup::new("event").args(["payload", "command", "write", "read", "fetch", "prompt", "response"]))]
pub(super) struct Args {
    /// A payload as a host sends it; `-` for standard input.
    #[arg(value_name = "FILE")]
    payload: Option<PathBuf>,
    #[command(flatten)]
    event: EventArgs,
    /// One host only; all of them when not given.
    #[arg(long, value_name = "HOST")]
    host: Option<String>,
    /// The version of the host; the one whose contract is known when not given.
    #[arg(long, value_name = "VERSION", requires = "host")]
    host_version: Option<String>,
    /// A policy file in place of those found here; may be given again.
    #[arg(long, value_name = "FILE")]
    policy: Vec<PathBuf>,
    /// Judge it as the next event of a session, by its id or the beginning of it, as gates and
    /// counters stand now; they stay as they are.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Run the programs that rules have run, as the hook would; without it, they are only named.
    #[arg(long, requires = "host")]
    run: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// What one host would be told.
struct Told {
    host: &'static Host,
    payload: Payload,
    judged: Judged,
}

pub(super) fn run(args: &Args) -> ExitCode {
    match told(args) {
        Ok((here, told)) => {
            let own = &here.loaded.policy.detectors;
            let seen = seen(&told, own);
            let text = if args.json {
                format!("{:#}\n", without_secrets(as_json(&here, &told), &seen, own))
            } else {
                seen.redacted(&as_text(&here, &told), own, "").into()
            };
            stdio::print(&text);
            let refused = told.iter().any(|told| told.judged.outcome.verdict.decision() == Some(Decision::Deny));
            if refused { Exit::Failed.into() } else { Exit::Done.into() }
        }
        Err(why) => {
            stdio::say(&format!("error: {why}"));
            Exit::Usage.into()
        }
    }
}

fn told(args: &Args) -> Result<(Here, Vec<Told>), String> {
    let mut only = args.host.as_deref().map(hosts::named).transpose()?;
    let store = Store::new(state::path(&Surroundings::here()), PATIENCE);
    let session = args.session.as_deref().map(|session| store.session(session)).transpose()?;
    if let Some((host, _)) = &session {
        only = Some(hosts::named(host)?);
    }
    let looked = Looking(&store);
    let (first, asked, payload) = match &args.payload {
        Some(file) => {
            let payload = parse(&files::read(file)?).map_err(|error| format!("{}: {error}", file.display()))?;
            let host = only.map_or_else(|| hosts::of(&payload), Ok)?;
            let event = read(host, &payload, &Arguments::default()).map_err(|error| error.to_string())?;
            (Some(host), Asked::of(&event), Some(payload))
        }
        None => (None, args.event.asked()?, None),
    };
    let cwd = match &args.event.cwd {
        Some(cwd) => hosts::directory(Some(cwd))?,
        None => asked.cwd.clone(),
    };
    let here = hosts::for_person(&args.policy, &cwd);
    let version = args.host_version.as_deref().map(hosts::version).transpose()?;
    let surroundings = Surroundings::here();
    let programs = Programs { surroundings: &surroundings, extend: &|by| by };
    let runner = args.run.then_some(&programs as &dyn Runner);
    let read_on = &transcript::read_on;
    let bench = |host| {
        let bench = Bench { version, runner, ..Bench::here(host, &here) };
        match &session {
            Some(_) => Bench { memory: Memory { keeper: &looked, now: state::now(), read_on }, ..bench },
            None => bench,
        }
    };
    let of_session = |payload: Payload| with_session(payload, session.as_ref().map(|(_, id)| id.as_str()));
    let mut told = Vec::new();
    if let (Some(host), Some(payload)) = (first, payload) {
        let payload = of_session(payload);
        let judged = bench(host).judge(&payload).map_err(|error| error.to_string())?;
        told.push(Told { host, payload, judged });
    }
    for host in HOSTS.iter().filter(|host| only.is_none_or(|only| only.name == host.name)) {
        if first.is_some_and(|first| first.name == host.name) {
            continue;
        }
        if let Some(payload) = compose(host, &asked).map(of_session) {
            let judged = bench(host).judge(&payload).map_err(|error| error.to_string())?;
            told.push(Told { host, payload, judged });
        }
    }
    if told.is_empty() {
        return Err(format!("no host has the moment `{}`", asked.kind));
    }
    Ok((here, told))
}

/// Returns a payload as one of a session.
fn with_session(mut payload: Payload, session: Option<&str>) -> Payload {
    if let Some(session) = session {
        payload.insert("session_id".into(), json!(session));
    }
    payload
}

fn as_text(here: &Here, told: &[Told]) -> String {
    let palette = Palette::for_stdout();
    let mut text = String::new();
    for diagnostic in &here.loaded.diagnostics {
        let _written = writeln!(text, "{}", diagnostic.render(palette.is_on()));
    }
    if let Some(notice) = trust::notice(&here.loaded) {
        let _written = writeln!(text, "{}: {notice}", palette.careful("note"));
    }
    let Some(first) = told.first() else { return text };
    text += &understanding(first, here, palette);
    text += &verdict(&first.judged.outcome, palette);
    for told in told {
        text += &answer(told, palette);
    }
    text
}

/// Says how the event was understood.
fn understanding(told: &Told, here: &Here, palette: Palette) -> String {
    let Ok(event) = read(told.host, &told.payload, &here.loaded.policy.arguments) else { return String::new() };
    let facts = Facts::new(&event, &here.place, &ThisMachine).with_detectors(&here.loaded.policy.detectors);
    understood::as_text(&facts, palette)
}

fn verdict(outcome: &Outcome, palette: Palette) -> String {
    let verdict = &outcome.verdict;
    let word = match verdict.decision() {
        Some(Decision::Deny) => palette.bad("deny"),
        Some(Decision::Ask) => palette.careful("ask"),
        Some(Decision::Allow) => palette.good("allow"),
        None => palette.faint("none: the host goes on as it would without ruleward"),
    };
    let mut text = format!("decision: {word}\n");
    for (name, notes) in
        [("stop", &verdict.stop), ("defer", &verdict.defer), ("retry", &verdict.retry), ("respond", &verdict.respond)]
    {
        if !notes.is_empty() {
            let _written = writeln!(text, "{name}: {}", texts(notes, " "));
        }
    }
    for limit in &verdict.tools {
        let _written = writeln!(text, "tools: {}", limit.note.text);
    }
    if !verdict.replace.is_empty() {
        let _written = writeln!(text, "replace: {}", texts(&verdict.replace, " "));
    }
    if !verdict.redact.is_empty() {
        let _written = writeln!(text, "redact: {} in the text", verdict.redact.places_in_words());
    }
    for finding in &outcome.findings {
        text += &finding_text(finding, verdict, palette);
    }
    if outcome.ran.is_empty() {
        for run in &outcome.runs {
            let how = if run.awaited { format!("for {} at most", run.timeout) } else { "and does not wait".to_owned() };
            let _written =
                writeln!(text, "  {} would run `{}` {how} (`--run` does it)", palette.bold(&run.rule), run.program);
        }
    }
    for ran in &outcome.ran {
        let failed = ran.failure.as_ref().map(|why| format!(" ({})", palette.bad(why))).unwrap_or_default();
        let _written =
            writeln!(text, "  {} ran `{}`: {}{failed}", palette.bold(&ran.rule), ran.program, ran.described());
    }
    for failure in &outcome.failures {
        let _written = writeln!(text, "  {} could not be judged: {}", failure.rule, failure.message);
    }
    text
}

fn finding_text(finding: &Finding, verdict: &Verdict, palette: Palette) -> String {
    let effects: Vec<&str> = finding.effects.iter().map(crate::domain::effect::EffectKind::name).collect();
    let mode = if finding.mode == Mode::Monitor { " (monitor: only recorded)" } else { "" };
    let mut text = format!(
        "  {} → {}{mode}  {}\n",
        palette.bold(&finding.rule),
        effects.join(", "),
        palette.faint(&finding.source)
    );
    for evidence in &finding.evidence {
        let _written = writeln!(text, "      {evidence}");
    }
    let notes = [
        &verdict.deny,
        &verdict.defer,
        &verdict.ask,
        &verdict.stop,
        &verdict.retry,
        &verdict.respond,
        &verdict.allow,
        &verdict.context,
        &verdict.warn,
    ];
    for note in notes.into_iter().flatten().filter(|note| note.rule == finding.rule) {
        let _written = writeln!(text, "      “{}”", note.text);
    }
    text
}

fn answer(told: &Told, palette: Palette) -> String {
    let response = &told.judged.answer.response;
    let said = if response.stdout.is_empty() {
        palette.faint("(nothing on standard output)")
    } else {
        response.stdout.clone()
    };
    let mut text = format!(
        "{} gets {said}  {}\n",
        palette.bold(told.host.title),
        palette.faint(format!("exit {}", response.exit))
    );
    if !response.stderr.is_empty() {
        let _written = writeln!(text, "  on standard error: {}", response.stderr.trim_end());
    }
    for loss in &told.judged.answer.losses {
        let _written = writeln!(text, "  {}", palette.careful(loss_text(loss)));
    }
    text
}

fn loss_text(loss: &Loss) -> String {
    match loss.sent {
        Some(sent) => format!("{} is sent as {sent}: {}", loss.effect, loss.why),
        None => format!("{} is lost: {}", loss.effect, loss.why),
    }
}

/// Looks for the secrets in what was judged: what is shown of it piece by piece may not give them away any more.
fn seen(told: &[Told], own: &Own) -> Seen {
    let mut seen = Seen::default();
    for told in told {
        told.payload.values().for_each(|value| strings(value, NOTHING, &mut |text| seen.look(text, own)));
    }
    seen
}

/// Takes the values of secrets out of a report: what is tried here ends up in terminals and logs.
fn without_secrets(report: Value, seen: &Seen, own: &Own) -> Value {
    match report {
        Value::String(text) => Value::String(seen.redacted(&text, own, "").into()),
        Value::Array(items) => items.into_iter().map(|item| without_secrets(item, seen, own)).collect(),
        Value::Object(entries) => {
            Value::Object(entries.into_iter().map(|(key, value)| (key, without_secrets(value, seen, own))).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => report,
    }
}

fn as_json(here: &Here, told: &[Told]) -> Value {
    let answers: serde_json::Map<String, Value> =
        told.iter().map(|told| (told.host.name.to_owned(), answer_json(told))).collect();
    let first = told.first();
    json!({
        "event": first.and_then(|told| event_json(told, here)),
        "decision": first.and_then(|told| told.judged.outcome.verdict.decision()).map(Decision::name),
        "rules": first.map(|told| told.judged.outcome.findings.iter().map(finding_json).collect::<Vec<_>>()),
        "failures": first.map(|told| told.judged.outcome.failures.iter().map(|failure| json!({ "rule": failure.rule, "message": failure.message })).collect::<Vec<_>>()),
        "runs": first.map(|told| runs_json(&told.judged.outcome)),
        "hosts": answers,
        "project": here.loaded.standing.name(),
        "diagnostics": here.loaded.diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn event_json(told: &Told, here: &Here) -> Option<Value> {
    let event = read(told.host, &told.payload, &here.loaded.policy.arguments).ok()?;
    let facts = Facts::new(&event, &here.place, &ThisMachine).with_detectors(&here.loaded.policy.detectors);
    Some(understood::as_json(&facts))
}

/// Returns what ran, or what would run.
fn runs_json(outcome: &Outcome) -> Vec<Value> {
    let ran = outcome.ran.iter().map(|ran| {
        json!({
            "rule": ran.rule,
            "program": ran.program,
            "ended": ran.described(),
            "failure": ran.failure,
            "effects": ran.effects.iter().map(|effect| effect.name()).collect::<Vec<_>>(),
        })
    });
    let planned = outcome
        .runs
        .iter()
        .filter(|_| outcome.ran.is_empty())
        .map(|run| json!({ "rule": run.rule, "program": run.program.to_string(), "awaited": run.awaited }));
    ran.chain(planned).collect()
}

fn finding_json(finding: &Finding) -> Value {
    json!({
        "rule": finding.rule,
        "source": finding.source,
        "severity": format!("{:?}", finding.severity).to_lowercase(),
        "mode": format!("{:?}", finding.mode).to_lowercase(),
        "effects": finding.effects.iter().map(crate::domain::effect::EffectKind::name).collect::<Vec<_>>(),
        "evidence": finding.evidence,
    })
}

fn answer_json(told: &Told) -> Value {
    let Judged { answer, .. } = &told.judged;
    let losses: Vec<Value> = answer.losses.iter().map(|loss| {
        json!({ "effect": loss.effect.name(), "sent": loss.sent.map(crate::domain::effect::EffectKind::name), "why": loss.why })
    }).collect();
    json!({
        "stdout": serde_json::from_str::<Value>(&answer.response.stdout).ok(),
        "stderr": answer.response.stderr,
        "exit": answer.response.exit,
        "losses": losses,
    })
}
