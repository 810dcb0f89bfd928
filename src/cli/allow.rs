//! `ruleward allow`: the user permits one thing that was refused or asked about.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value, json};

use crate::adapters::{HOSTS, NeutralEvent, compose_payload, read_event};
use crate::cli::approval::approve;
use crate::cli::args::event::EventArgs;
use crate::cli::args::records::{RecordSource, find_record};
use crate::cli::output::print::{print, print_json};
use crate::cli::output::to_texts;
use crate::cli::{CommandError, ExitStatus, context};
use crate::domain::decide::exception::{blocking_rules, fingerprint};
use crate::domain::facts::Facts;
use crate::domain::secret::Redacted;
use crate::io::audit::{AuditDecision, AuditRecord, GrantKind};
use crate::io::exceptions::{ExceptionStore, Grant, GrantScope};
use crate::io::files::local_machine::LocalMachine;
use crate::io::platform::Platform;
use crate::io::policy::discover::{may_exist, project_root};
use crate::io::process::stdio;

/// How long an exception for one call waits for it.
const ONCE_VALIDITY: Duration = Duration::from_hours(1);
/// How long an exception for a session holds.
const SESSION_VALIDITY: Duration = Duration::from_hours(24);
/// How long an exception for a time holds at most.
const MAX_VALIDITY: Duration = Duration::from_hours(7 * 24);

/// Allow a call that was denied
///
/// Takes the id from the denial or question, or a description of the call:
///
///   ruleward allow k3v9x2ab
///   ruleward allow --command "git push --force" --for 30m
///
/// The exception applies to exactly what the call does, in any spelling, and to the rules that
/// stopped it. By default, it allows one call within an hour. Requires a person at a terminal.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// The id of the decision, or a prefix of it.
    #[arg(value_name = "ID", conflicts_with_all = ["command", "write", "read", "fetch", "prompt", "response", "tool"])]
    id: Option<String>,
    /// Only lift these rules (default: all rules that stopped the call).
    #[arg(long, value_name = "RULE")]
    rule: Vec<String>,
    /// Allow every such call of the session, for up to a day.
    #[arg(long, requires = "id", conflicts_with = "time")]
    session: bool,
    /// Allow every such call within this time, such as `30m`; up to a week.
    #[arg(long = "for", id = "time", value_name = "TIME", value_parser = parse_validity)]
    time: Option<Duration>,
    /// Allow every such call from now on, until you revoke it.
    #[arg(long, conflicts_with_all = ["time", "session"])]
    for_good: bool,
    #[command(flatten)]
    event: EventArgs,
    #[command(flatten)]
    what: ManageArgs,
}

/// What is to be done instead of granting.
#[derive(Debug, clap::Args)]
struct ManageArgs {
    /// List active exceptions.
    #[arg(long, conflicts_with_all = ["id", "revoke"])]
    list: bool,
    /// Revoke an exception.
    #[arg(long, value_name = "EXCEPTION", conflicts_with = "id")]
    revoke: Option<String>,
    /// Don't ask for confirmation; still requires a terminal.
    #[arg(long)]
    yes: bool,
    /// Print the list as JSON.
    #[arg(long, requires = "list")]
    json: bool,
}

fn parse_validity(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| format!("{error}; write `30m` or `2h`"))?;
    if time > MAX_VALIDITY { Err("the maximum is a week; for longer, use `--for-good`".into()) } else { Ok(time) }
}

#[inline(never)]
pub(super) fn run(args: &Args) -> Result<ExitStatus, CommandError> {
    let surroundings = Platform::current();
    match (&args.what.revoke, args.what.list) {
        (Some(id), _) => revoke(&surroundings, id),
        (None, true) => list(&surroundings, args.what.json),
        (None, false) => grant(&surroundings, args),
    }
}

fn open_store(surroundings: &Platform, project: Option<&str>) -> Result<ExceptionStore, CommandError> {
    ExceptionStore::open(surroundings, project).ok_or_else(|| "no directory for exceptions".into())
}

fn revoke(surroundings: &Platform, id: &str) -> Result<ExitStatus, CommandError> {
    if open_store(surroundings, None)?.revoke(id) {
        print(&format!("revoked exception {id}\n"));
        return Ok(ExitStatus::Success);
    }
    Err(CommandError::NotFound(format!("there is no exception `{id}`; list them with `ruleward allow --list`")))
}

fn list(surroundings: &Platform, json: bool) -> Result<ExitStatus, CommandError> {
    let (grants, doubts) = open_store(surroundings, None)?.list();
    if json {
        let grants: Vec<Value> = grants.iter().map(|grant| json!(grant)).collect();
        print_json(&format!("{:#}\n", json!({ "exceptions": grants, "doubtful": to_texts(&doubts) })));
        return Ok(ExitStatus::Success);
    }
    let mut text = String::new();
    for grant in &grants {
        let about = &grant.about;
        let _written = writeln!(text, "{}  {}  {}: {about}", grant.id, validity_text(grant), grant.rules.join(", "));
    }
    if grants.is_empty() {
        text.push_str("no active exceptions\n");
    }
    print(&text);
    for doubt in doubts {
        stdio::print_stderr(&format!("note: {doubt}"));
    }
    Ok(ExitStatus::Success)
}

/// Returns how long and how often an exception holds.
fn validity_text(grant: &Grant) -> String {
    let often = if grant.once { "once, " } else { "" };
    let session = grant.session.as_ref().map(|id| format!("in session {id}, ")).unwrap_or_default();
    let until = grant.until.as_ref().map_or_else(|| "permanently".to_owned(), |until| format!("until {until}"));
    format!("{often}{session}{until}")
}

/// What an exception is asked for.
struct ExceptionRequest {
    rules: Vec<String>,
    fingerprints: Vec<String>,
    about: String,
    summary: String,
    session: Option<String>,
}

fn grant(surroundings: &Platform, args: &Args) -> Result<ExitStatus, CommandError> {
    let (mut wanted, desk) = match &args.id {
        Some(id) => request_for_record(surroundings, id)?,
        None => request_for_call(surroundings, args)?,
    };
    if let Some(unknown) = args.rule.iter().find(|rule| !wanted.rules.contains(rule)) {
        return Err(format!("`{unknown}` didn't stop the call; these rules did: {}", wanted.rules.join(", ")).into());
    }
    if !args.rule.is_empty() {
        wanted.rules.retain(|rule| args.rule.contains(rule));
    }
    let span = match args.time {
        Some(time) => GrantScope { duration: Some(time), once: false, session: None },
        None if args.for_good => GrantScope { duration: None, once: false, session: None },
        None if args.session => {
            let session = wanted.session.clone().ok_or("the decision has no session")?;
            GrantScope { duration: Some(SESSION_VALIDITY), once: false, session: Some(session) }
        }
        None => GrantScope { duration: Some(ONCE_VALIDITY), once: true, session: None },
    };
    print(&wanted.summary);
    let grant = Grant::new(span, wanted.rules, wanted.fingerprints, wanted.about);
    let question = format!("Allow exactly this call, {}?", validity_text(&grant));
    let Some(approval) = approve(surroundings, (!args.what.yes).then_some(&question))? else {
        print("Nothing was allowed.\n");
        return Ok(ExitStatus::Failure);
    };
    desk.save(&grant)?;
    let text = format!("A person allowed, {}: {}", validity_text(&grant), grant.about);
    let about = (grant.id.as_str(), grant.session.as_deref(), grant.rules.as_slice());
    approval.record_exception(GrantKind::Exception, about, &text);
    print(&format!(
        "exception {} is active {}; revoke it with `ruleward allow --revoke {0}`\n",
        grant.id,
        validity_text(&grant)
    ));
    Ok(ExitStatus::Success)
}

/// Returns what a past decision stood in the way of.
fn request_for_record(surroundings: &Platform, id: &str) -> Result<(ExceptionRequest, ExceptionStore), CommandError> {
    let entry = find_record(&RecordSource::default(), id)?;
    if !matches!(entry.decision(), AuditDecision::Deny | AuditDecision::Ask) {
        return Err(format!("this event was not denied or asked about: {}", entry.decision().name()).into());
    }
    let text = |rule: &Value, key: &str| rule.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let speaks = |rule: &&Value| {
        let effects = rule.get("effects").and_then(Value::as_array);
        text(rule, "mode") == "enforce"
            && effects.is_some_and(|all| all.iter().any(|it| ["deny", "ask", "tools"].iter().any(|name| it == name)))
    };
    let rules: Vec<&Value> = entry.rules().iter().filter(speaks).collect();
    if let Some(fixed) = rules.iter().find(|rule| rule.get("excusable") == Some(&Value::Bool(false))) {
        return Err(format!("`{}` ({}) can't be lifted", text(fixed, "id"), text(fixed, "source")).into());
    }
    let effect = entry.effect_hash().ok_or("this denial can't be lifted; see `ruleward explain`")?;
    let ids: Vec<String> = rules.iter().map(|rule| text(rule, "id")).collect();
    let mut shown = format!("{} {} ({})\n", entry.decision().name(), entry.timestamp(), entry.id());
    let mut line = |what: &str, text: &str| {
        let _written = writeln!(shown, "  {what:<8} {text}");
    };
    line("by", &ids.join(", "));
    line("in", entry.cwd());
    line(entry.tool(), &entry.summary());
    entry.reason().lines().for_each(|it| line("", it));
    let wanted = ExceptionRequest {
        rules: ids,
        fingerprints: vec![effect.to_owned()],
        about: describe_record(&entry),
        summary: shown,
        session: Some(entry.session().to_owned()).filter(|id| !id.is_empty()),
    };
    let project = project_root(surroundings, entry.cwd(), &[], &may_exist);
    Ok((wanted, open_store(surroundings, project.as_deref())?))
}

fn describe_record(entry: &AuditRecord) -> String {
    format!("{} {} in {}", entry.tool(), entry.summary(), entry.cwd())
}

/// Returns what is in the way of a call.
fn request_for_call(surroundings: &Platform, args: &Args) -> Result<(ExceptionRequest, ExceptionStore), CommandError> {
    let asked = args.event.to_event()?;
    let here = context::load_context(surroundings, &[], &asked.cwd, &[]);
    let desk = open_store(surroundings, here.place.project.as_deref())?;
    let (mut rules, mut effects): (Vec<String>, Vec<String>) = Default::default();
    for host in HOSTS {
        let Some(payload) = compose_payload(host, &asked) else { continue };
        let judged = here.judge(host, &payload).map_err(|error| error.to_string())?;
        if judged.outcome.verdict.decision().is_none_or(|it| it == crate::domain::verdict::note::Decision::Allow) {
            continue;
        }
        let found = blocking_rules(&judged.outcome).ok_or_else(|| {
            let fixed = judged.outcome.findings.iter().find(|finding| !finding.waivable);
            match fixed {
                Some(rule) => format!("`{}` ({}) can't be lifted", rule.rule, rule.source),
                None => "this denial can't be lifted; see `ruleward check`".to_owned(),
            }
        })?;
        rules.extend(found.into_iter().map(ToOwned::to_owned));
        let event = read_event(host, &payload, &here.loaded.policy.arguments).map_err(|error| error.to_string())?;
        let facts = Facts::new(&event, &here.place, &LocalMachine).with_detectors(&here.loaded.policy.detectors);
        let essence = fingerprint(&facts).ok_or_else(|| "what this call does can't be recorded".to_owned())?;
        effects.push(desk.effect_hash(&essence)?);
    }
    for list in [&mut rules, &mut effects] {
        list.sort();
        list.dedup();
    }
    if rules.is_empty() {
        return Err("no rule denies this or asks about it".into());
    }
    let about = describe_call(&asked);
    let about: String = Redacted::in_session(&about, &here.loaded.policy.detectors, "").into();
    let shown = format!("{about}\n  by       {}\n", rules.join(", "));
    Ok((ExceptionRequest { rules, fingerprints: effects, about, summary: shown, session: None }, desk))
}

fn describe_call(asked: &NeutralEvent) -> String {
    let given = [&asked.command, &asked.path, &asked.url, &asked.prompt, &asked.response];
    let what = given.into_iter().flatten().next().map(String::as_str).unwrap_or_default();
    let tool = asked.tool.as_deref().unwrap_or(asked.kind.name());
    format!("{tool} {what} in {}", asked.cwd)
}
