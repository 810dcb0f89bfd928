//! `ruleward allow`: a person lets pass one thing that was refused or asked.

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use annotate_snippets::normalize_untrusted_str;
use serde_json::{Value, json};

use super::asked::EventArgs;
use super::judge::Bench;
use super::records::{Source, one};
use super::{Exit, hosts, person};
use crate::adapters::{Asked, HOSTS, compose, read};
use crate::domain::exception::{essence, in_the_way};
use crate::domain::facts::Facts;
use crate::domain::secret::Redacted;
use crate::io::audit::{self, Decided, Entry};
use crate::io::exceptions::{Desk, Grant, Span};
use crate::io::machine::ThisMachine;
use crate::io::platform::Surroundings;
use crate::io::policy::discover::{is_there, project_root};
use crate::io::stdio;

/// How long an exception for one call waits for it.
const ONCE: Duration = Duration::from_hours(1);
/// How long an exception for a session holds.
const SESSION: Duration = Duration::from_hours(24);
/// How long an exception for a time holds at most.
const MOST: Duration = Duration::from_hours(7 * 24);

/// Let pass what was refused or asked
///
/// Names the decision by the id in its reason, or the call by what it does:
///
///   ruleward allow k3v9x2ab
///   ruleward allow --command "git push --force" --for 30m
///
/// The exception is for exactly what the call does, however it is spelled, and for the rules that
/// stood in its way. It is for one call within an hour unless you say otherwise. Only a person at a
/// terminal can grant it.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// The id of the decision, or its beginning.
    #[arg(value_name = "ID", conflicts_with_all = ["command", "write", "read", "fetch", "prompt", "response", "tool"])]
    id: Option<String>,
    /// Only these rules; all that stand in the way when not given.
    #[arg(long, value_name = "RULE")]
    rule: Vec<String>,
    /// For every such call of the session that the decision was made in, for a day at most.
    #[arg(long, requires = "id", conflicts_with = "time")]
    session: bool,
    /// For every such call within this time, such as `30m`; a week at most.
    #[arg(long = "for", id = "time", value_name = "TIME", value_parser = time)]
    time: Option<Duration>,
    /// For every such call from now on, in your own layer, until you take it back.
    #[arg(long, conflicts_with_all = ["time", "session"])]
    for_good: bool,
    #[command(flatten)]
    event: EventArgs,
    #[command(flatten)]
    what: What,
}

/// What is to be done instead of granting.
#[derive(Debug, clap::Args)]
struct What {
    /// List the exceptions that hold.
    #[arg(long, conflicts_with_all = ["id", "revoke"])]
    list: bool,
    /// Take an exception back.
    #[arg(long, value_name = "EXCEPTION", conflicts_with = "id")]
    revoke: Option<String>,
    /// Do not ask; only at a terminal as well.
    #[arg(long)]
    yes: bool,
    /// Print the list as JSON.
    #[arg(long, requires = "list")]
    json: bool,
}

fn time(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| format!("{error}; write `30m` or `2h`"))?;
    if time > MOST { Err("a week at most; or write `--for-good`".into()) } else { Ok(time) }
}

pub(super) fn run(args: &Args) -> ExitCode {
    let surroundings = Surroundings::here();
    let done = match (&args.what.revoke, args.what.list) {
        (Some(id), _) => revoke(&surroundings, id),
        (None, true) => list(&surroundings, args.what.json),
        (None, false) => grant(&surroundings, args),
    };
    done.unwrap_or_else(|why| {
        stdio::say(&format!("error: {why}"));
        Exit::Usage
    })
    .into()
}

fn desk(surroundings: &Surroundings, project: Option<&str>) -> Result<Desk, String> {
    Desk::of(surroundings, project).ok_or_else(|| "there is no directory for exceptions".to_owned())
}

fn revoke(surroundings: &Surroundings, id: &str) -> Result<Exit, String> {
    if desk(surroundings, None)?.revoke(id) {
        stdio::print(&format!("the exception {id} is taken back\n"));
        return Ok(Exit::Done);
    }
    Err(format!("there is no exception `{id}`; `ruleward allow --list` shows those that hold"))
}

fn list(surroundings: &Surroundings, json: bool) -> Result<Exit, String> {
    let (grants, doubts) = desk(surroundings, None)?.list();
    if json {
        let grants: Vec<Value> = grants.iter().map(|grant| json!(grant)).collect();
        stdio::print(&format!("{:#}\n", json!({ "exceptions": grants, "doubtful": doubts })));
        return Ok(Exit::Done);
    }
    let mut text = String::new();
    for grant in &grants {
        let about = normalize_untrusted_str(&grant.about);
        let _written = writeln!(text, "{}  {}  {}: {about}", grant.id, held(grant), grant.rules.join(", "));
    }
    if grants.is_empty() {
        text.push_str("no exception holds\n");
    }
    stdio::print(&text);
    for doubt in doubts {
        stdio::say(&format!("note: {doubt}"));
    }
    Ok(Exit::Done)
}

/// Returns how long and how often an exception holds.
fn held(grant: &Grant) -> String {
    let often = if grant.once { "once, " } else { "" };
    let session = grant.session.as_ref().map(|id| format!("in session {id}, ")).unwrap_or_default();
    let until = grant.until.as_ref().map_or_else(|| "for good".to_owned(), |until| format!("until {until}"));
    format!("{often}{session}{until}")
}

/// What an exception is asked for.
struct Wanted {
    rules: Vec<String>,
    effects: Vec<String>,
    about: String,
    shown: String,
    session: Option<String>,
}

fn grant(surroundings: &Surroundings, args: &Args) -> Result<Exit, String> {
    let (mut wanted, desk) = match &args.id {
        Some(id) => of_record(surroundings, id)?,
        None => of_call(surroundings, args)?,
    };
    if let Some(unknown) = args.rule.iter().find(|rule| !wanted.rules.contains(rule)) {
        return Err(format!("`{unknown}` does not stand in the way; these do: {}", wanted.rules.join(", ")));
    }
    if !args.rule.is_empty() {
        wanted.rules.retain(|rule| args.rule.contains(rule));
    }
    let span = match args.time {
        Some(time) => Span { time: Some(time), once: false, session: None },
        None if args.for_good => Span { time: None, once: false, session: None },
        None if args.session => {
            let session = wanted.session.clone().ok_or("the decision was made in no session")?;
            Span { time: Some(SESSION), once: false, session: Some(session) }
        }
        None => Span { time: Some(ONCE), once: true, session: None },
    };
    stdio::print(&wanted.shown);
    person::is_here(surroundings)?;
    let grant = Grant::new(span, wanted.rules, wanted.effects, wanted.about);
    if !args.what.yes && !person::agrees(&format!("Let exactly this pass, {}?", held(&grant))) {
        stdio::print("Nothing was granted.\n");
        return Ok(Exit::Failed);
    }
    desk.keep(&grant)?;
    let text = format!("A person let pass, {}: {}", held(&grant), grant.about);
    if let Err(why) = audit::granted(surroundings, &grant.id, grant.session.as_deref(), &grant.rules, &text) {
        stdio::say(&format!("note: {why}"));
    }
    stdio::print(&format!(
        "exception {} holds {}; `ruleward allow --revoke {0}` takes it back\n",
        grant.id,
        held(&grant)
    ));
    Ok(Exit::Done)
}

/// Returns what a past decision stood in the way of.
fn of_record(surroundings: &Surroundings, id: &str) -> Result<(Wanted, Desk), String> {
    let entry = one(&Source::default(), id)?;
    if !matches!(entry.decided(), Decided::Deny | Decided::Ask) {
        return Err(format!("nothing was refused or asked there: {}", entry.decided().name()));
    }
    let text = |rule: &Value, key: &str| rule.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let speaks = |rule: &&Value| {
        let effects = rule.get("effects").and_then(Value::as_array);
        text(rule, "mode") == "enforce"
            && effects.is_some_and(|all| all.iter().any(|it| ["deny", "ask", "tools"].iter().any(|name| it == name)))
    };
    let rules: Vec<&Value> = entry.rules().iter().filter(speaks).collect();
    if let Some(fixed) = rules.iter().find(|rule| rule.get("excusable") == Some(&Value::Bool(false))) {
        return Err(format!("`{}` ({}) may not be excepted", text(fixed, "id"), text(fixed, "source")));
    }
    let effect =
        entry.effect().ok_or("what was refused there is not a person's to let pass: see `ruleward explain`")?;
    let ids: Vec<String> = rules.iter().map(|rule| text(rule, "id")).collect();
    let mut shown = format!("{} {} ({})\n", entry.decided().name(), entry.time(), entry.id());
    let mut line = |what: &str, text: &str| {
        let _written = writeln!(shown, "  {what:<8} {}", normalize_untrusted_str(text));
    };
    line("by", &ids.join(", "));
    line("in", entry.cwd());
    line(entry.tool(), &entry.about());
    entry.reason().lines().for_each(|it| line("", it));
    let wanted = Wanted {
        rules: ids,
        effects: vec![effect.to_owned()],
        about: about(&entry),
        shown,
        session: Some(entry.session().to_owned()).filter(|id| !id.is_empty()),
    };
    let project = project_root(surroundings, entry.cwd(), &[], &is_there);
    Ok((wanted, desk(surroundings, project.as_deref())?))
}

fn about(entry: &Entry) -> String {
    format!("{} {} in {}", entry.tool(), entry.about(), entry.cwd())
}

/// Returns what stands in the way of a call.
fn of_call(surroundings: &Surroundings, args: &Args) -> Result<(Wanted, Desk), String> {
    let asked = args.event.asked()?;
    let here = hosts::here(surroundings, &[], &asked.cwd, &[]);
    let desk = desk(surroundings, here.place.project.as_deref())?;
    let (mut rules, mut effects): (Vec<String>, Vec<String>) = Default::default();
    for host in HOSTS {
        let Some(payload) = compose(host, &asked) else { continue };
        let judged = Bench::here(host, &here).judge(&payload).map_err(|error| error.to_string())?;
        if judged.outcome.verdict.decision().is_none_or(|it| it == crate::domain::verdict::Decision::Allow) {
            continue;
        }
        let found = in_the_way(&judged.outcome).ok_or_else(|| {
            let fixed = judged.outcome.findings.iter().find(|finding| !finding.excusable);
            match fixed {
                Some(rule) => format!("`{}` ({}) may not be excepted", rule.rule, rule.source),
                None => "what stands in the way is not a person's to let pass: see `ruleward check`".to_owned(),
            }
        })?;
        rules.extend(found.into_iter().map(ToOwned::to_owned));
        let event = read(host, &payload, &here.loaded.policy.arguments).map_err(|error| error.to_string())?;
        let facts = Facts::new(&event, &here.place, &ThisMachine).with_detectors(&here.loaded.policy.detectors);
        let essence = essence(&facts).ok_or_else(|| "what this does cannot be written down".to_owned())?;
        effects.push(desk.seal(&essence)?);
    }
    for list in [&mut rules, &mut effects] {
        list.sort();
        list.dedup();
    }
    if rules.is_empty() {
        return Err("nothing stands in the way of this".to_owned());
    }
    let about = described(&asked);
    let about: String = Redacted::in_session(&about, &here.loaded.policy.detectors, "").into();
    let shown = format!("{}\n  by       {}\n", normalize_untrusted_str(&about), rules.join(", "));
    Ok((Wanted { rules, effects, about, shown, session: None }, desk))
}

fn described(asked: &Asked) -> String {
    let given = [&asked.command, &asked.path, &asked.url, &asked.prompt, &asked.response];
    let what = given.into_iter().flatten().next().map(String::as_str).unwrap_or_default();
    let tool = asked.tool.as_deref().unwrap_or(asked.kind.name());
    format!("{tool} {what} in {}", asked.cwd)
}
