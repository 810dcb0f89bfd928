//! `ruleward stats`: what the records come to.

use std::collections::BTreeMap;
use std::process::ExitCode;

use serde_json::json;

use super::Exit;
use super::records::{Filter, Source, records};
use super::style::Palette;
use crate::io::audit::{Decided, Entry};
use crate::io::stdio;

/// Rules and tools that are listed.
const MOST_LISTED: usize = 10;

/// Count what was decided
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    filter: Filter,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> ExitCode {
    let counted = args.source.files().and_then(|files| {
        let mut counts = Counts::default();
        records(&files)?.filter(|entry| args.filter.takes(entry)).for_each(|entry| counts.add(&entry));
        Ok(counts)
    });
    match counted {
        Ok(mut counts) => {
            stdio::print(&if args.json { counts.as_json() } else { counts.as_text() });
            Exit::Done.into()
        }
        Err(why) => {
            stdio::say(&format!("error: {why}"));
            Exit::Usage.into()
        }
    }
}

/// What records come to.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub records: usize,
    pub first: String,
    pub last: String,
    pub decided: BTreeMap<Decided, usize>,
    pub rules: BTreeMap<String, usize>,
    pub hosts: BTreeMap<String, usize>,
    pub tools: BTreeMap<String, usize>,
    pub sessions: std::collections::BTreeSet<String>,
    times: Vec<f64>,
}

impl Counts {
    pub(super) fn add(&mut self, entry: &Entry) {
        self.records += 1;
        if self.first.is_empty() || entry.time() < self.first.as_str() {
            entry.time().clone_into(&mut self.first);
        }
        if entry.time() > self.last.as_str() {
            entry.time().clone_into(&mut self.last);
        }
        *self.decided.entry(entry.decided()).or_default() += 1;
        for rule in entry.rule_ids() {
            *self.rules.entry(rule.to_owned()).or_default() += 1;
        }
        *self.hosts.entry(entry.host().to_owned()).or_default() += 1;
        if !entry.tool().is_empty() {
            *self.tools.entry(entry.tool().to_owned()).or_default() += 1;
        }
        self.sessions.insert(entry.session().to_owned());
        self.times.push(entry.took());
    }

    /// Returns the time that such a part of the judgements did not exceed, in milliseconds.
    pub(super) fn quantile(&mut self, part: f64) -> f64 {
        self.times.sort_by(f64::total_cmp);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a position in a list"
        )]
        let at = ((self.times.len() as f64 * part).ceil() as usize).saturating_sub(1);
        self.times.get(at).copied().unwrap_or_default()
    }

    fn as_text(&mut self) -> String {
        let palette = Palette::for_stdout();
        if self.records == 0 {
            return "no records\n".to_owned();
        }
        let (median, slow) = (self.quantile(0.5), self.quantile(0.99));
        let mut text = format!(
            "{} records of {} sessions, {} to {}\njudged in {median:.2} ms (median), {slow:.2} ms (99 of 100)\n",
            self.records,
            self.sessions.len(),
            self.first,
            self.last
        );
        let decided = self.decided.iter().map(|(decided, count)| (decided.name().to_owned(), *count)).collect();
        for (title, counts) in
            [("decisions", &decided), ("rules", &self.rules), ("tools", &self.tools), ("hosts", &self.hosts)]
        {
            text.push_str(&table(title, counts, palette));
        }
        text
    }

    fn as_json(&mut self) -> String {
        let decided: BTreeMap<&str, usize> =
            self.decided.iter().map(|(decided, count)| (decided.name(), *count)).collect();
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
    for (name, count) in sorted.iter().take(MOST_LISTED) {
        text.push_str(&[&format!("{count:>8}  "), name.as_str(), "\n"].concat());
    }
    if let Some(more) = sorted.len().checked_sub(MOST_LISTED).filter(|more| *more > 0) {
        text.push_str(&[&palette.faint(format!("          and {more} more")), "\n"].concat());
    }
    text
}
