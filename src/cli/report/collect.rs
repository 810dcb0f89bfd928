//! What the page says, collected from the records in one pass.

use std::collections::{BTreeMap, VecDeque};
use std::time::UNIX_EPOCH;

use serde::Serialize;
use serde_json::Value;

use crate::cli::stats::RecordStats;
use crate::io::audit::{AuditDecision, AuditRecord};

/// Calls that took longest, as many as are listed.
const MAX_SLOWEST: usize = 10;
/// Characters that are shown of a text.
const MAX_TEXT: usize = 2000;

/// What the records come to.
pub(super) struct ReportData {
    pub stats: RecordStats,
    /// When something was decided, in seconds since 1970, and what.
    pub decisions: Vec<(u64, AuditDecision)>,
    /// How often each rule held, by what was decided.
    pub rules: BTreeMap<String, BTreeMap<AuditDecision, usize>>,
    /// The latest events with a decision or a message, the oldest first.
    pub events: VecDeque<ReportEvent>,
    /// Events of which something was said.
    pub notable: usize,
    /// The slowest calls, the slowest first.
    pub slowest: Vec<(f64, ReportEvent)>,
    max_events: usize,
}

/// An event as the page shows it. Every text may have come from anywhere.
#[derive(Debug, Clone, Serialize)]
pub(super) struct ReportEvent {
    pub id: String,
    pub time: String,
    /// The time as people read it.
    pub shown: String,
    pub decided: &'static str,
    pub host: String,
    pub what: String,
    pub about: String,
    pub reason: String,
    pub rules: Vec<String>,
    pub evidence: Vec<String>,
    pub took: String,
}

impl ReportEvent {
    fn from_entry(entry: &AuditRecord) -> Self {
        let what = [entry.tool(), entry.kind()].into_iter().find(|it| !it.is_empty()).unwrap_or_default();
        let evidence = entry.rules().iter().filter_map(|rule| rule.get("evidence")?.as_array()).flatten();
        Self {
            id: entry.id().to_owned(),
            time: entry.timestamp().to_owned(),
            shown: format_time(entry.timestamp()),
            decided: entry.decision().name(),
            host: entry.host().to_owned(),
            what: what.to_owned(),
            about: sanitize(&entry.summary()),
            reason: sanitize(entry.reason()),
            rules: entry.rule_ids().map(ToOwned::to_owned).collect(),
            evidence: evidence
                .filter_map(Value::as_str)
                .map(sanitize)
                .chain(entry.backups().iter().map(|backup| sanitize(backup)))
                .collect(),
            took: format!("{:.2}", entry.duration_ms()),
        }
    }
}

/// Returns a time to the second: `2026-11-21 18:00:00`.
pub(super) fn format_time(time: &str) -> String {
    time.get(..19).unwrap_or(time).replace('T', " ")
}

/// Returns a text as it is shown: what would hide something or turn it round becomes a sign.
fn sanitize(text: &str) -> String {
    let is_hidden = |it: char| {
        (it.is_control() && it != '\n')
            || matches!(it, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
    };
    let mut shown: String = text.chars().take(MAX_TEXT).map(|it| if is_hidden(it) { '\u{fffd}' } else { it }).collect();
    if text.chars().nth(MAX_TEXT).is_some() {
        shown.push('…');
    }
    shown
}

impl ReportData {
    pub(super) fn new(max_events: usize) -> Self {
        Self {
            stats: RecordStats::default(),
            decisions: Vec::new(),
            rules: BTreeMap::new(),
            events: VecDeque::new(),
            notable: 0,
            slowest: Vec::new(),
            max_events,
        }
    }

    pub(super) fn add(&mut self, entry: &AuditRecord) {
        self.stats.add(entry);
        let decided = entry.decision();
        let since = entry.system_time().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        self.decisions.extend(since.map(|since| (since.as_secs(), decided)));
        for rule in entry.rule_ids() {
            *self.rules.entry(rule.to_owned()).or_default().entry(decided).or_default() += 1;
        }
        let took = entry.duration_ms();
        let at = self.slowest.partition_point(|(other, _)| *other >= took);
        if at < MAX_SLOWEST {
            self.slowest.insert(at, (took, ReportEvent::from_entry(entry)));
            self.slowest.truncate(MAX_SLOWEST);
        }
        if decided == AuditDecision::None && entry.rules().is_empty() {
            return;
        }
        self.notable += 1;
        if self.max_events == 0 {
            return;
        }
        if self.events.len() == self.max_events {
            self.events.pop_front();
        }
        self.events.push_back(ReportEvent::from_entry(entry));
    }
}
