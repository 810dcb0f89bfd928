//! `ruleward stats`: statistics of the audit log.

use std::collections::BTreeMap;

use serde_json::json;

use crate::cli::args::records::{RecordFilter, RecordSource, read_records};
use crate::cli::output::palette::Palette;
use crate::cli::output::print::{print, print_json};
use crate::cli::{CommandError, ExitStatus};
use crate::io::audit::{AuditDecision, AuditRecord};

/// Rules and tools that are listed.
const MAX_LISTED: usize = 10;

/// Show statistics of past decisions
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    source: RecordSource,
    #[command(flatten)]
    filter: RecordFilter,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[inline(never)]
pub(super) fn run(args: &Args) -> Result<ExitStatus, CommandError> {
    let mut counts = RecordStats::default();
    let files = args.source.files()?;
    read_records(&files)?.filter(|entry| args.filter.matches(entry)).for_each(|entry| counts.add(&entry));
    if args.json {
        print_json(&counts.as_json());
    } else {
        print(&counts.as_text());
    }
    Ok(ExitStatus::Success)
}

/// What records come to.
#[derive(Debug, Default)]
pub(super) struct RecordStats {
    pub records: usize,
    pub first: String,
    pub last: String,
    pub decisions: BTreeMap<AuditDecision, usize>,
    pub rules: BTreeMap<String, usize>,
    pub hosts: BTreeMap<String, usize>,
    pub tools: BTreeMap<String, usize>,
    pub sessions: std::collections::BTreeSet<String>,
    durations: Vec<f64>,
}

impl RecordStats {
    pub(super) fn add(&mut self, entry: &AuditRecord) {
        self.records += 1;
        if self.first.is_empty() || entry.timestamp() < self.first.as_str() {
            entry.timestamp().clone_into(&mut self.first);
        }
        if entry.timestamp() > self.last.as_str() {
            entry.timestamp().clone_into(&mut self.last);
        }
        *self.decisions.entry(entry.decision()).or_default() += 1;
        for rule in entry.rule_ids() {
            *self.rules.entry(rule.to_owned()).or_default() += 1;
        }
        *self.hosts.entry(entry.host().to_owned()).or_default() += 1;
        if !entry.tool().is_empty() {
            *self.tools.entry(entry.tool().to_owned()).or_default() += 1;
        }
        self.sessions.insert(entry.session().to_owned());
        self.durations.push(entry.duration_ms());
    }

    /// Returns the time that such a part of the judgments did not exceed, in milliseconds.
    pub(super) fn quantile(&mut self, part: f64) -> f64 {
        self.durations.sort_by(f64::total_cmp);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a position in a list"
        )]
        let at = ((self.durations.len() as f64 * part).ceil() as usize).saturating_sub(1);
        self.durations.get(at).copied().unwrap_or_default()
    }

    fn as_text(&mut self) -> String {
        let palette = Palette::for_stdout();
        if self.records == 0 {
            return "no records\n".to_owned();
        }
        let (median, slow) = (self.quantile(0.5), self.quantile(0.99));
        let mut text = format!(
            "{} records of {} sessions, {} to {}\nevaluated in {median:.2} ms (median), {slow:.2} ms (99 of 100)\n",
            self.records,
            self.sessions.len(),
            self.first,
            self.last
        );
        let decided = self.decisions.iter().map(|(decided, count)| (decided.name().to_owned(), *count)).collect();
        for (title, counts) in
            [("decisions", &decided), ("rules", &self.rules), ("tools", &self.tools), ("hosts", &self.hosts)]
        {
            text.push_str(&table(title, counts, palette));
        }
        text
    }

    fn as_json(&mut self) -> String {
        let decided: BTreeMap<&str, usize> =
            self.decisions.iter().map(|(decided, count)| (decided.name(), *count)).collect();
        let (median, slow) = (self.quantile(0.5), self.quantile(0.99));
        let value = json!({
            "records": self.records,
            "sessions": self.sessions.len(),
            "first": self.first,
            "last": self.last,
            "decisions": decided,
            "rules": self.rules,
            "tools": self.tools,
            "hosts": self.hosts,
            "duration_ms": { "median": median, "p99": slow },
        });
        format!("{value:#}\n")
    }
}

fn table(title: &str, counts: &BTreeMap<String, usize>, palette: Palette) -> String {
    let mut sorted: Vec<(&String, &usize)> = counts.iter().collect();
    sorted.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), (*name).clone()));
    let mut text = format!("\n{}\n", palette.bold(title));
    for (name, count) in sorted.iter().take(MAX_LISTED) {
        text.push_str(&[&format!("{count:>8}  "), name.as_str(), "\n"].concat());
    }
    if let Some(more) = sorted.len().checked_sub(MAX_LISTED).filter(|more| *more > 0) {
        text.push_str(&[&palette.dim(format!("          and {more} more")), "\n"].concat());
    }
    text
}
