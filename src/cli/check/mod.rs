//! `ruleward check`: judges one event and shows how.
//!
//! The event is judged by the same path as under `hook`; what is printed is a by-product of that
//! judgment, not a second one.

pub(in crate::cli) mod explain_event;

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::adapters::judge::{self, Environment, Judgment, StateContext};
use crate::adapters::{
    Degradation, HOSTS, Host, NeutralEvent, PayloadFields, compose_payload, parse_payload, read_event,
};
use crate::cli::args::event::EventArgs;
use crate::cli::context::{self, PolicyContext};
use crate::cli::output::palette::Palette;
use crate::cli::output::print::{print, print_json};
use crate::cli::trust_notice;
use crate::cli::{CommandError, ExitStatus};
use crate::domain::effect::EffectKind;
use crate::domain::effect::spec::EffectForm;
use crate::domain::event::strings::{SKIP_NONE, visit_strings};
use crate::domain::event::tool::ArgumentNames;
use crate::domain::facts::Facts;
use crate::domain::secret::{CustomDetectors, KnownSecrets};
use crate::domain::severity::Mode;
use crate::domain::verdict::Verdict;
use crate::domain::verdict::backup::BackupRecord;
use crate::domain::verdict::note::Decision;
use crate::domain::verdict::outcome::{Finding, Outcome};
use crate::domain::verdict::run_record::Runner;
use crate::io::files::local_machine::LocalMachine;
use crate::io::platform::Platform;
use crate::io::process::runner::ProcessRunner;
use crate::io::state::{self, LOCK_TIMEOUT, ReadOnlyStore, SqliteStore};
use crate::io::{files, transcript};

/// Show how the policy evaluates an event
///
/// The event is a host's payload (a file, or `-` for standard input) or is given as options. For
/// example:
///
///   ruleward check --command "cd repo && sudo git push -f"
///   ruleward check --write .env --content "A=1"
///   ruleward check --json payload.json
///
/// The exit code is 1 if the event would be denied.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
#[command(group = clap::ArgGroup::new("event").args(["payload", "command", "write", "read", "fetch", "prompt", "response"]))]
pub(super) struct Args {
    /// A host's payload; `-` for standard input.
    #[arg(value_name = "FILE")]
    payload: Option<PathBuf>,
    #[command(flatten)]
    event: EventArgs,
    /// The host (default: all).
    #[arg(long, value_name = "HOST")]
    host: Option<String>,
    /// The host's version (default: the supported version).
    #[arg(long, value_name = "VERSION", requires = "host")]
    host_version: Option<String>,
    /// Use this policy file instead of the policies in force here; repeatable.
    #[arg(long, value_name = "FILE")]
    policy: Vec<PathBuf>,
    /// Evaluate the event as the next one of a session (id or prefix), with its current gates and
    /// counters; they are not changed.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Run the programs that rules request, as the hook would (default: only list them).
    #[arg(long, requires = "host")]
    run: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// What one host would be told.
struct HostResult {
    host: &'static Host,
    payload: PayloadFields,
    judgment: Judgment,
}

#[inline(never)]
pub(super) fn run(args: &Args) -> Result<ExitStatus, CommandError> {
    let (here, told) = judge_for_hosts(args)?;
    let own = &here.loaded.policy.detectors;
    let seen = find_secrets(&told, own);
    let text = if args.json {
        format!("{:#}\n", redact_json(as_json(&here, &told), &seen, own))
    } else {
        seen.redact(&as_text(&here, &told), own, "").into()
    };
    if args.json {
        print_json(&text);
    } else {
        print(&text);
    }
    let refused = told.iter().any(|told| told.judgment.outcome.verdict.decision() == Some(Decision::Deny));
    Ok(if refused { ExitStatus::Failure } else { ExitStatus::Success })
}

fn judge_for_hosts(args: &Args) -> Result<(PolicyContext, Vec<HostResult>), CommandError> {
    let mut only = args.host.as_deref().map(context::by_name).transpose()?;
    let store = SqliteStore::new(state::database_path(&Platform::current()), LOCK_TIMEOUT);
    let session = args.session.as_deref().map(|session| store.find_session(session)).transpose()?;
    if let Some((host, _)) = &session {
        only = Some(context::by_name(host)?);
    }
    let looked = ReadOnlyStore(&store);
    let (first, asked, payload) = match &args.payload {
        Some(file) => {
            let payload =
                parse_payload(&files::read_or_stdin(file)?).map_err(|error| format!("{}: {error}", file.display()))?;
            let host = only.map_or_else(|| context::by_payload(&payload), Ok)?;
            let event = read_event(host, &payload, &ArgumentNames::default()).map_err(|error| error.to_string())?;
            (Some(host), NeutralEvent::from_event(&event), Some(payload))
        }
        None => (None, args.event.to_event()?, None),
    };
    let cwd = match &args.event.cwd {
        Some(cwd) => context::absolute_directory(Some(cwd))?,
        None => asked.cwd.clone(),
    };
    let here = context::load_for_user(&args.policy, &cwd);
    let version = args.host_version.as_deref().map(context::parse_version).transpose()?;
    let surroundings = Platform::current();
    let programs = ProcessRunner { platform: &surroundings, extend_deadline: &|by| by };
    let runner = args.run.then_some(&programs as &dyn Runner);
    let read_on = &transcript::read_new_lines;
    let mut environment = Environment { host_version: version, runner, ..here.environment() };
    if session.is_some() {
        environment.state = StateContext { store: &looked, now: state::now(), read_transcript: read_on };
    }
    let judge_on = |host, payload: &PayloadFields| {
        judge::explain(host, payload, &here.loaded.policy, &environment).map_err(|error| error.to_string())
    };
    let of_session = |payload: PayloadFields| with_session(payload, session.as_ref().map(|(_, id)| id.as_str()));
    let mut told = Vec::new();
    if let (Some(host), Some(payload)) = (first, payload) {
        let payload = of_session(payload);
        let judged = judge_on(host, &payload)?;
        told.push(HostResult { host, payload, judgment: judged });
    }
    for host in HOSTS.iter().filter(|host| only.is_none_or(|only| only.name == host.name)) {
        if first.is_some_and(|first| first.name == host.name) {
            continue;
        }
        if let Some(payload) = compose_payload(host, &asked).map(of_session) {
            let judged = judge_on(host, &payload)?;
            told.push(HostResult { host, payload, judgment: judged });
        }
    }
    if told.is_empty() {
        return Err(format!("no host has the moment `{}`", asked.kind).into());
    }
    Ok((here, told))
}

/// Returns a payload as one of a session.
fn with_session(mut payload: PayloadFields, session: Option<&str>) -> PayloadFields {
    if let Some(session) = session {
        payload.insert("session_id".into(), json!(session));
    }
    payload
}

fn as_text(here: &PolicyContext, told: &[HostResult]) -> String {
    let palette = Palette::for_stdout();
    let mut text = String::new();
    for diagnostic in &here.loaded.diagnostics {
        let _written = writeln!(text, "{}", diagnostic.render(palette.is_on()));
    }
    if let Some(notice) = trust_notice::notice(&here.loaded) {
        let _written = writeln!(text, "{}: {notice}", palette.warning("note"));
    }
    let Some(first) = told.first() else { return text };
    text += &event_text(first, here, palette);
    text += &verdict_text(&first.judgment.outcome, palette);
    for told in told {
        text += &answer_text(told, palette);
    }
    text
}

/// Says how the event was understood.
fn event_text(told: &HostResult, here: &PolicyContext, palette: Palette) -> String {
    let Ok(event) = read_event(told.host, &told.payload, &here.loaded.policy.arguments) else { return String::new() };
    let facts = Facts::new(&event, &here.place, &LocalMachine).with_detectors(&here.loaded.policy.detectors);
    let facts = facts.with_time(state::now());
    let mut text = explain_event::as_text(&facts, palette);
    if here.loaded.policy.asks_for_proof() {
        text += &explain_event::proof_text(&facts, palette);
    }
    text
}

fn verdict_text(outcome: &Outcome, palette: Palette) -> String {
    let verdict = &outcome.verdict;
    let word = match verdict.decision() {
        Some(Decision::Deny) => palette.error("deny"),
        Some(Decision::Ask) => palette.warning("ask"),
        Some(Decision::Allow) => palette.success("allow"),
        None => palette.dim("none: the host proceeds as it would without ruleward"),
    };
    let mut text = format!("decision: {word}\n");
    for effect in [EffectKind::Stop, EffectKind::Defer, EffectKind::Retry, EffectKind::Respond] {
        if verdict.notes.has(effect) {
            let _written = writeln!(text, "{effect}: {}", verdict.notes.join(effect, " "));
        }
    }
    for limit in &verdict.tools {
        let _written = writeln!(text, "tools: {}", limit.note.text);
    }
    if verdict.notes.has(EffectKind::Replace) {
        let _written = writeln!(text, "replace: {}", verdict.notes.join(EffectKind::Replace, " "));
    }
    if !verdict.redact.is_empty() {
        let _written = writeln!(text, "redact: {} in the text", verdict.redact.describe_places());
    }
    for finding in &outcome.findings {
        text += &finding_text(finding, verdict, palette);
    }
    if outcome.run_records.is_empty() {
        for run in &outcome.planned_runs {
            let how =
                if run.blocking { format!("for {} at most", run.timeout) } else { "and does not wait".to_owned() };
            let _written =
                writeln!(text, "  {} would run `{}` {how} (`--run` does it)", palette.bold(&run.rule), run.program);
        }
    }
    for ran in &outcome.run_records {
        let failed = ran.failure.as_ref().map(|why| format!(" ({})", palette.error(why))).unwrap_or_default();
        let _written =
            writeln!(text, "  {} ran `{}`: {}{failed}", palette.bold(&ran.rule), ran.program, ran.describe());
    }
    for backup in &outcome.backups {
        let rules = backup.rules.join(", ");
        let _written = writeln!(text, "  {} backs up: {}", palette.bold(&rules), backup.describe());
    }
    for failure in &outcome.errors {
        let _written = writeln!(text, "  {} could not be evaluated: {}", failure.rule, failure.message);
    }
    text
}

fn finding_text(finding: &Finding, verdict: &Verdict, palette: Palette) -> String {
    let effects: Vec<&str> = finding.effects.iter().map(EffectKind::name).collect();
    let mode = if finding.mode == Mode::Monitor { " (monitor: only recorded)" } else { "" };
    let mut text =
        format!("  {} → {}{mode}  {}\n", palette.bold(&finding.rule), effects.join(", "), palette.dim(&finding.source));
    for evidence in &finding.evidence {
        let _written = writeln!(text, "      {evidence}");
    }
    for note in verdict.notes.of_all(&quoted_effects()).filter(|note| note.rule == finding.rule) {
        let _written = writeln!(text, "      “{}”", note.text);
    }
    text
}

/// Returns the effects whose texts are quoted under the rule that gave them, in the order of the quotations.
fn quoted_effects() -> Vec<EffectKind> {
    use EffectKind::{Allow, Ask, Audit, Context, Defer, Deny, Replace, Respond, Retry, Stop, Warn};
    let mut quoted = vec![Deny, Defer, Ask, Stop, Retry, Respond, Allow, Context, Warn];
    // A replacement has a line of its own; a note for the audit log is in the record.
    let elsewhere = [Replace, Audit];
    let texts = EffectKind::ALL.into_iter().filter(|effect| effect.form() == EffectForm::Text);
    let others: Vec<EffectKind> =
        texts.filter(|effect| !quoted.contains(effect) && !elsewhere.contains(effect)).collect();
    quoted.extend(others);
    quoted
}

fn answer_text(told: &HostResult, palette: Palette) -> String {
    let response = &told.judgment.answer.response;
    let said = if response.stdout.is_empty() { palette.dim("(no standard output)") } else { response.stdout.clone() };
    let mut text = format!(
        "{} gets {said}  {}\n",
        palette.bold(told.host.title),
        palette.dim(format!("exit {}", response.exit_code))
    );
    if !response.stderr.is_empty() {
        let _written = writeln!(text, "  on standard error: {}", response.stderr.trim_end());
    }
    for loss in &told.judgment.answer.degradations {
        let _written = writeln!(text, "  {}", palette.warning(loss_text(loss)));
    }
    text
}

fn loss_text(loss: &Degradation) -> String {
    match loss.substitute {
        Some(sent) => format!("{} is sent as {sent}: {}", loss.effect, loss.reason),
        None => format!("{} is lost: {}", loss.effect, loss.reason),
    }
}

/// Checks for the secrets in what was judged: what is shown of it piece by piece may not give them away any more.
fn find_secrets(told: &[HostResult], own: &CustomDetectors) -> KnownSecrets {
    let mut seen = KnownSecrets::default();
    for told in told {
        told.payload.values().for_each(|value| visit_strings(value, SKIP_NONE, &mut |text| seen.scan(text, own)));
    }
    seen
}

/// Takes the values of secrets out of a report: what is tried here ends up in terminals and logs.
fn redact_json(report: Value, seen: &KnownSecrets, own: &CustomDetectors) -> Value {
    match report {
        Value::String(text) => Value::String(seen.redact(&text, own, "").into()),
        Value::Array(items) => items.into_iter().map(|item| redact_json(item, seen, own)).collect(),
        Value::Object(entries) => {
            Value::Object(entries.into_iter().map(|(key, value)| (key, redact_json(value, seen, own))).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => report,
    }
}

fn as_json(here: &PolicyContext, told: &[HostResult]) -> Value {
    let answers: serde_json::Map<String, Value> =
        told.iter().map(|told| (told.host.name.to_owned(), answer_json(told))).collect();
    let first = told.first();
    json!({
        "event": first.and_then(|told| event_json(told, here)),
        "decision": first.and_then(|told| told.judgment.outcome.verdict.decision()).map(Decision::name),
        "rules": first.map(|told| told.judgment.outcome.findings.iter().map(finding_json).collect::<Vec<_>>()),
        "failures": first.map(|told| told.judgment.outcome.errors.iter().map(|failure| json!({ "rule": failure.rule, "message": failure.message })).collect::<Vec<_>>()),
        "runs": first.map(|told| runs_json(&told.judgment.outcome)),
        "backups": first.map(|told| backups_json(&told.judgment.outcome)),
        "hosts": answers,
        "project": here.loaded.trust_status.name(),
        "diagnostics": here.loaded.diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn event_json(told: &HostResult, here: &PolicyContext) -> Option<Value> {
    let event = read_event(told.host, &told.payload, &here.loaded.policy.arguments).ok()?;
    let facts = Facts::new(&event, &here.place, &LocalMachine).with_detectors(&here.loaded.policy.detectors);
    let facts = facts.with_time(state::now());
    let mut event = explain_event::as_json(&facts);
    if let Some(fields) = event.as_object_mut().filter(|_| here.loaded.policy.asks_for_proof()) {
        fields.insert("proof".to_owned(), explain_event::proof_json(&facts));
    }
    Some(event)
}

/// Returns what would be backed up, or why nothing would be.
fn backups_json(outcome: &Outcome) -> Vec<Value> {
    let one = |record: &BackupRecord| match &record.result {
        Ok(receipt) => json!({ "rules": record.rules, "files": receipt.files, "bytes": receipt.bytes }),
        Err(why) => json!({ "rules": record.rules, "failure": why }),
    };
    outcome.backups.iter().map(one).collect()
}

/// Returns what ran, or what would run.
fn runs_json(outcome: &Outcome) -> Vec<Value> {
    let ran = outcome.run_records.iter().map(|ran| {
        json!({
            "rule": ran.rule,
            "program": ran.program,
            "ended": ran.describe(),
            "failure": ran.failure,
            "effects": ran.effects.iter().map(|effect| effect.name()).collect::<Vec<_>>(),
        })
    });
    let planned = outcome
        .planned_runs
        .iter()
        .filter(|_| outcome.run_records.is_empty())
        .map(|run| json!({ "rule": run.rule, "program": run.program.to_string(), "awaited": run.blocking }));
    ran.chain(planned).collect()
}

fn finding_json(finding: &Finding) -> Value {
    json!({
        "rule": finding.rule,
        "source": finding.source,
        "severity": format!("{:?}", finding.severity).to_lowercase(),
        "mode": format!("{:?}", finding.mode).to_lowercase(),
        "effects": finding.effects.iter().map(EffectKind::name).collect::<Vec<_>>(),
        "evidence": finding.evidence,
    })
}

fn answer_json(told: &HostResult) -> Value {
    let Judgment { answer, .. } = &told.judgment;
    let losses: Vec<Value> = answer.degradations.iter().map(|loss| {
        json!({ "effect": loss.effect.name(), "sent": loss.substitute.map(EffectKind::name), "why": loss.reason })
    }).collect();
    json!({
        "stdout": serde_json::from_str::<Value>(&answer.response.stdout).ok(),
        "stderr": answer.response.stderr,
        "exit": answer.response.exit_code,
        "losses": losses,
    })
}
