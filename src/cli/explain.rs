//! `ruleward explain ID`: one past decision, and what would become of the same event now.

use serde_json::Value;

use crate::adapters::PayloadFields;
use crate::cli::args::records::{RecordSource, find_record};
use crate::cli::output::palette::Palette;
use crate::cli::output::print::{print, print_json};
use crate::cli::{CommandError, ExitStatus, context};
use crate::domain::verdict::note::Decision;
use crate::io::audit::AuditRecord;

/// Explain a past decision
///
/// Every denial or question includes the id.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The id or a prefix of it.
    id: String,
    /// Audit log files (default: those of this machine).
    #[arg(value_name = "FILE")]
    files: Vec<std::path::PathBuf>,
    /// Print the record as JSON.
    #[arg(long)]
    json: bool,
}

#[inline(never)]
pub(super) fn run(args: &Args) -> Result<ExitStatus, CommandError> {
    let entry = find_record(&RecordSource { files: args.files.clone() }, &args.id)?;
    if args.json {
        print_json(&format!("{:#}\n", entry.value()));
    } else {
        print(&as_text(&entry));
    }
    Ok(ExitStatus::Success)
}

fn as_text(entry: &AuditRecord) -> String {
    let palette = Palette::for_stdout();
    let mut lines = vec![
        format!("{} {}", palette.bold(entry.decision().name()), entry.timestamp()),
        format!("  host      {} ({}), session {}", entry.host(), entry.kind(), entry.session()),
        format!("  in        {}", entry.cwd()),
    ];
    if !entry.tool().is_empty() {
        lines.push(format!("  tool      {}", entry.tool()));
    }
    let about = entry.summary();
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
                .map(|it| format!("            {}", palette.dim(it))),
        );
    }
    lines.extend(entry.backups().iter().map(|backup| format!("  kept      {backup}")));
    lines.push(format!("  took      {} ms", entry.duration_ms()));
    lines.push(format!("  now       {}", current_decision(entry)));
    if entry.effect_hash().is_some() {
        let decided = entry.decision().name();
        lines.push(format!(
            "  to allow it once: ruleward allow {} (it was: {decided}; --session, --for 30m, --for-good)",
            entry.id()
        ));
    }
    let mut acted = entry.rules().iter().filter(|rule| rule.get("mode").and_then(Value::as_str) == Some("enforce"));
    if let Some(id) = acted.find_map(|rule| rule.get("id")?.as_str()) {
        lines.push(format!(
            "  to change it, add to your own policy: disable: [{{ rule: {id}, reason: \"…\" }}], or write your own rule with `except`"
        ));
    }
    lines.join("\n") + "\n"
}

/// Returns what the policy in force now says of the same event.
fn current_decision(entry: &AuditRecord) -> String {
    let Ok(host) = context::by_name(entry.host()) else { return "the host is no longer supported".to_owned() };
    let Some(payload) = entry.payload().as_object() else { return "the event was not stored".to_owned() };
    let payload: PayloadFields = payload.clone();
    let here = context::load_context(&crate::io::platform::Platform::current(), &[], entry.cwd(), &[]);
    match here.judge(host, &payload) {
        Ok(judged) => judged.outcome.verdict.decision().map_or("no decision", Decision::name).to_owned(),
        Err(why) => format!("it could not be evaluated: {why}"),
    }
}
