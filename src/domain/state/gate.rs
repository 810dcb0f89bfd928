//! How gates stand, and what changes it: the one machine for all gates.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::count::Counts;
use super::time::Time;
use super::{Remembered, State};
use crate::domain::facts::Facts;
use crate::domain::focus::Focus;
use crate::domain::gate::{ActiveGate, Lasting, Per, Reach, Stand};
use crate::domain::path::Place;

/// Files of one gate that are remembered; of more than that, all others count as closed.
const MOST_FILES: usize = 4_096;

/// What is remembered of gates, by their keys.
pub type GateRecords = BTreeMap<String, GateRecord>;

/// What is remembered of one gate.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GateRecord {
    /// How it stands, where it has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all: Option<Position>,
    /// How it stands for each file, where it is one for each.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, Position>,
}

/// How a gate came to stand as it does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// How it stands.
    pub stand: Stand,
    /// Since when.
    pub since: Mark,
    /// How long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lasts: Option<Lasting>,
    /// How often it was opened.
    #[serde(default)]
    pub opened: u64,
}

/// A point in what goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Mark {
    /// The time.
    pub time: Time,
    /// The prompts before it.
    pub turns: u64,
    /// The tool calls before it.
    pub calls: u64,
}

/// How a gate stands at an event, for rules and messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The gate's id.
    pub id: String,
    /// How it stands.
    pub stand: Stand,
    /// Prompts since it changed.
    pub turns: u64,
    /// Tool calls since it changed, the present one included.
    pub calls: u64,
    /// Seconds since it changed.
    pub seconds: u64,
    /// How often it was opened.
    pub opened: u64,
    /// The file, of a gate for each file.
    pub file: Option<String>,
}

impl Mark {
    fn now(counts: &Counts, time: Time) -> Self {
        Self { time, turns: counts.turns, calls: counts.calls }
    }
}

impl Position {
    /// Returns how it is at a mark, when what does not last has run out.
    #[must_use]
    pub fn at(self, now: Mark) -> Self {
        let ended = match self.lasts {
            // The clock was set back: how much of its time is over cannot be known.
            Some(Lasting::Seconds(_)) if now.time < self.since.time && self.stand == Stand::Open => now,
            Some(Lasting::Seconds(most)) if now.time.since(self.since.time) >= most => {
                Mark { time: Time(self.since.time.0.saturating_add(most)), ..now }
            }
            Some(Lasting::Turns(most)) if now.turns.saturating_sub(self.since.turns) >= most => {
                Mark { turns: self.since.turns.saturating_add(most), ..now }
            }
            Some(Lasting::Calls(most)) if now.calls.saturating_sub(self.since.calls) > most => {
                Mark { calls: self.since.calls.saturating_add(most), ..now }
            }
            _ => return self,
        };
        self.moved(self.stand.other(), ended, None)
    }

    /// Returns how it is after a change. One that leaves it as it stands begins it anew.
    #[must_use]
    fn moved(&self, stand: Stand, since: Mark, lasts: Option<Lasting>) -> Self {
        let opens = u64::from(stand == Stand::Open);
        Self { stand, since, lasts, opened: self.opened.saturating_add(opens) }
    }
}

impl GateRecord {
    /// Returns how the gate stands, for a file if it is one for each.
    fn position(&self, file: Option<&str>, starts: Stand, counts: &Counts, now: Mark) -> Position {
        let known = file.and_then(|file| self.files.get(file)).or(self.all.as_ref()).cloned();
        let begun = Mark { time: counts.begun.unwrap_or(now.time), ..Mark::default() };
        known.unwrap_or(Position { stand: starts, since: begun, lasts: None, opened: 0 }).at(now)
    }

    /// Changes how the gate stands: for a file, or for all of them.
    fn change(&mut self, file: Option<String>, position: Position) {
        let Some(file) = file else {
            self.files.clear();
            self.all = Some(position);
            return;
        };
        if self.files.len() < MOST_FILES || self.files.contains_key(&file) {
            self.files.insert(file, position);
        } else {
            self.all = Some(Position { stand: Stand::Closed, lasts: None, ..position });
        }
    }
}

/// Returns the file that a focus is about, as gates remember it.
fn file_of(facts: &Facts<'_>, focus: &Focus) -> Option<String> {
    let file = facts.files().get(focus.file?)?;
    Some(folded(file.real.as_deref().unwrap_or(&file.path), facts.place))
}

fn folded(path: &str, place: &Place) -> String {
    if place.ignore_case { path.to_lowercase() } else { path.to_owned() }
}

/// Returns the key of a gate for whoever acts.
fn key(active: &ActiveGate, facts: &Facts<'_>) -> String {
    let agent = facts.event.session.subagent.as_ref().filter(|_| active.gate.scope == Reach::Subagent);
    match agent {
        Some(agent) => format!("{}#{}", active.key(), agent.id.unwrap_or(agent.name)),
        None => active.key(),
    }
}

impl State {
    /// Returns what is remembered of gates of this reach.
    pub const fn gates(&self, reach: Reach) -> &GateRecords {
        match reach {
            Reach::Session | Reach::Subagent => &self.session.gates,
            Reach::Project => &self.project.gates,
        }
    }

    /// Returns how a gate stands for whoever acts first in a session, and for no file in particular.
    pub fn stand(&self, active: &ActiveGate, now: Time) -> Stand {
        let counts = self.counts(active.gate.scope.scope());
        let none = GateRecord::default();
        let record = self.gates(active.gate.scope).get(&active.key()).unwrap_or(&none);
        record.position(None, active.gate.starts, counts, Mark::now(counts, now)).stand
    }

    /// Puts a gate into a stand, for everybody and every file.
    pub fn put_gate(&mut self, active: &ActiveGate, stand: Stand, now: Time) {
        let since = Mark::now(self.counts(active.gate.scope.scope()), now);
        let position = Position { stand, since, lasts: None, opened: u64::from(stand == Stand::Open) };
        let record = GateRecord { all: Some(position), files: BTreeMap::new() };
        self.gates_mut(active.gate.scope).insert(active.key(), record);
    }

    const fn gates_mut(&mut self, reach: Reach) -> &mut GateRecords {
        match reach {
            Reach::Session | Reach::Subagent => &mut self.session.gates,
            Reach::Project => &mut self.project.gates,
        }
    }

    /// Brings a gate to stand so, for everything that is picked out.
    pub fn move_gate(
        &mut self,
        active: &ActiveGate,
        to: (Stand, Option<Lasting>),
        facts: &Facts<'_>,
        foci: &[Focus],
        now: Time,
    ) {
        let gate = &active.gate;
        let counts = self.counts(gate.scope.scope()).clone();
        let mark = Mark::now(&counts, now);
        let record = self.gates_mut(gate.scope).entry(key(active, facts)).or_default();
        let mut files: Vec<Option<String>> = match gate.per {
            Some(Per::File) => foci.iter().map(|focus| file_of(facts, focus)).collect(),
            None => vec![None],
        };
        files.sort();
        files.dedup();
        for file in files {
            let before = record.position(file.as_deref(), gate.starts, &counts, mark);
            record.change(file, before.moved(to.0, mark, to.1));
        }
    }
}

impl Remembered<'_> {
    /// Returns how a gate stands for what a focus is about.
    pub fn standing(&self, active: &ActiveGate, facts: &Facts<'_>, focus: &Focus) -> Standing {
        let gate = &active.gate;
        let counts = self.state.counts(gate.scope.scope());
        let now = Mark::now(counts, self.now);
        let file = gate.per.and_then(|Per::File| file_of(facts, focus));
        let none = GateRecord::default();
        let record = self.state.gates(gate.scope).get(&key(active, facts)).unwrap_or(&none);
        let position = record.position(file.as_deref(), gate.starts, counts, now);
        Standing {
            id: gate.id.clone(),
            stand: position.stand,
            turns: now.turns.saturating_sub(position.since.turns),
            calls: now.calls.saturating_sub(position.since.calls),
            seconds: now.time.since(position.since.time),
            opened: position.opened,
            file: file.map(|file| facts.place.shown(&file).into_owned()),
        }
    }
}
