//! `ruleward explain ID`: one past decision, and what would become of the same event now.

use std::process::ExitCode;

use serde_json::Value;

use super::judge::Bench;
use super::records::{Source, one};
use super::style::Palette;
use super::{Exit, hosts};
use crate::adapters::Payload;
use crate::domain::verdict::Decision;
use crate::io::audit::Entry;
use crate::io::stdio;

/// Explain a past decision
///
/// The id stands behind the reason that the agent and the person were given.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The id, or its beginning.
    id: String,
    /// Files of records; those of this machine when none is named.
    #[arg(value_name = "FILE")]
    files: Vec<std::path::PathBuf>,
    /// Print the record itself, as JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> ExitCode {
    let found = one(&Source { files: args.files.clone() }, &args.id);
    match found {
        Ok(entry) if args.json => stdio::print(&format!("{:#}\n", entry.value())),
        Ok(entry) => stdio::print(&as_text(&entry)),
        Err(why) => {
            stdio::say(&format!("error: {why}"));
            return Exit::Usage.into();
        }
    }
    Exit::Done.into()
}

fn as_text(entry: &Entry) -> String {
    let palette = Palette::for_stdout();
    let mut lines = vec![
        format!("{} {}", palette.bold(entry.decided().name()), entry.time()),
        format!("  host      {} ({}), session {}", entry.host(), entry.moment(), entry.session()),
        format!("  in        {}", entry.cwd()),
    ];
    if !entry.tool().is_empty() {
        lines.push(format!("  tool      {}", entry.tool()));
    }
    let about = entry.about();
    if !about.is_empty() {
        lines.push(format!("  about     {about}"));
    }
    lines.extend(
        entry
            .reason()
            .lines()
            .enumerate()
            .map(|(at, line)| format!("  {:<9} {line}", if at == 0 { "reason" } else { "" })),
    );
    for rule in entry.rules() {
        let text = |key: &str| rule.get(key).and_then(Value::as_str).unwrap_or_default();
        lines.push(format!(
            "  rule      {} ({}), severity {}, {}",
            text("id"),
            text("source"),
            text("severity"),
            text("mode")
        ));
        let evidence = rule.get("evidence").and_then(Value::as_array);
        lines.extend(
            evidence
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .map(|it| format!("            {}", palette.faint(it))),
        );
    }
    lines.push(format!("  took      {} ms", entry.took()));
    lines.push(format!("  now       {}", now(entry)));
    if entry.effect().is_some() {
        let decided = entry.decided().name();
        lines.push(format!(
            "  to let it pass once: ruleward allow {} (it was: {decided}; --session, --for 30m, --for-good)",
            entry.id()
        ));
    }
    let mut acted = entry.rules().iter().filter(|rule| rule.get("mode").and_then(Value::as_str) == Some("enforce"));
    if let Some(id) = acted.find_map(|rule| rule.get("id")?.as_str()) {
        lines.push(format!(
            "  to change it, write into your own policy: disable: [{{ rule: {id}, reason: \"…\" }}], or a rule of your own with `except`"
        ));
    }
    lines.join("\n") + "\n"
}

/// Returns what the policy in force now says of the same event.
fn now(entry: &Entry) -> String {
    let Ok(host) = hosts::named(entry.host()) else { return "the host is not known any more".to_owned() };
    let Some(payload) = entry.payload().as_object() else { return "the event was not kept".to_owned() };
    let payload: Payload = payload.clone();
    let here = hosts::here(&crate::io::platform::Surroundings::here(), &[], entry.cwd(), &[]);
    let bench = Bench::here(host, &here);
    match bench.judge(&payload) {
        Ok(judged) => judged.outcome.verdict.decision().map_or("nothing would be said", Decision::name).to_owned(),
        Err(why) => format!("it could not be judged: {}", why.message),
    }
}
