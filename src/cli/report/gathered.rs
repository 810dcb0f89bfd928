//! What the page says, gathered from the records in one pass.

use std::collections::{BTreeMap, VecDeque};
use std::time::UNIX_EPOCH;

use serde::Serialize;
use serde_json::Value;

use crate::cli::stats::Counts;
use crate::io::audit::{Decided, Entry};

/// Calls that took longest, as many as are listed.
const SLOWEST: usize = 10;
/// Characters that are shown of a text.
const MOST_TEXT: usize = 2000;

/// What the records come to.
pub(super) struct Gathered {
    pub counts: Counts,
    /// When something was decided, in seconds since 1970, and what.
    pub moments: Vec<(u64, Decided)>,
    /// How often each rule held, by what was decided.
    pub rules: BTreeMap<String, BTreeMap<Decided, usize>>,
    /// The youngest events of which something was said, the oldest first.
    pub events: VecDeque<Event>,
    /// Events of which something was said.
    pub said: usize,
    /// The slowest calls, the slowest first.
    pub slowest: Vec<(f64, Event)>,
    listed: usize,
}

/// An event as the page shows it. Every text may have come from anywhere.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Event {
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

impl Event {
    fn of(entry: &Entry) -> Self {
        let what = [entry.tool(), entry.moment()].into_iter().find(|it| !it.is_empty()).unwrap_or_default();
        let evidence = entry.rules().iter().filter_map(|rule| rule.get("evidence")?.as_array()).flatten();
        Self {
            id: entry.id().to_owned(),
            time: entry.time().to_owned(),
            shown: clock(entry.time()),
            decided: entry.decided().name(),
            host: entry.host().to_owned(),
            what: what.to_owned(),
            about: shortened(&entry.about()),
            reason: shortened(entry.reason()),
            rules: entry.rule_ids().map(ToOwned::to_owned).collect(),
            evidence: evidence.filter_map(Value::as_str).map(shortened).collect(),
            took: format!("{:.2}", entry.took()),
        }
    }
}

/// Returns a time to the second: `2026-11-21 18:00:00`.
pub(super) fn clock(time: &str) -> String {
    time.get(..19).unwrap_or(time).replace('T', " ")
}

/// Returns a text as it is shown: what would hide something or turn it round becomes a sign.
fn shortened(text: &str) -> String {
    let is_hidden = |it: char| {
        (it.is_control() && it != '\n')
            || matches!(it, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
    };
    let mut shown: String =
        text.chars().take(MOST_TEXT).map(|it| if is_hidden(it) { '\u{fffd}' } else { it }).collect();
    if text.chars().nth(MOST_TEXT).is_some() {
        shown.push('…');
    }
    shown
}

impl Gathered {
    pub(super) fn new(listed: usize) -> Self {
        Self {
            counts: Counts::default(),
            moments: Vec::new(),
            rules: BTreeMap::new(),
            events: VecDeque::new(),
            said: 0,
            slowest: Vec::new(),
            listed,
        }
    }

    pub(super) fn add(&mut self, entry: &Entry) {
        self.counts.add(entry);
        let decided = entry.decided();
        let since = entry.at().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        self.moments.extend(since.map(|since| (since.as_secs(), decided)));
        for rule in entry.rule_ids() {
            *self.rules.entry(rule.to_owned()).or_default().entry(decided).or_default() += 1;
        }
        let took = entry.took();
        let at = self.slowest.partition_point(|(other, _)| *other >= took);
        if at < SLOWEST {
            self.slowest.insert(at, (took, Event::of(entry)));
            self.slowest.truncate(SLOWEST);
        }
        if decided == Decided::None && entry.rules().is_empty() {
            return;
        }
        self.said += 1;
        if self.listed == 0 {
            return;
        }
        if self.events.len() == self.listed {
            self.events.pop_front();
        }
        self.events.push_back(Event::of(entry));
    }
}
