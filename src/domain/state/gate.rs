//! The status of gates, and their transitions: one state machine for all gates.

use crate::domain::facts::memory::GateView;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::count::Counts;
use super::{State, StateView};
use crate::domain::condition::binding::Binding;
use crate::domain::facts::Facts;
use crate::domain::facts::memory::GateStatus;
use crate::domain::policy::gate::{ActiveGate, GatePartition, GateScope};
use crate::domain::text::duration::GateDuration;
use crate::domain::text::fold::fold_name;
use crate::domain::text::path::PathContext;
use crate::domain::time::Time;

/// The greatest number of files that are stored per gate; for further files it counts as closed.
const MAX_FILES: usize = 4_096;

/// The records of gates, by their keys.
pub type GateRecords = BTreeMap<String, GateRecord>;

/// The record of one gate.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GateRecord {
    /// The state, if it has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all: Option<GateState>,
    /// The state for each file, if the gate is kept per file.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, GateState>,
}

/// The status of a gate, and when it began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateState {
    /// The status.
    pub stand: GateStatus,
    /// The point at which it began.
    pub since: Checkpoint,
    /// The duration, if it is limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lasts: Option<GateDuration>,
    /// The number of times that it was opened.
    #[serde(default)]
    pub opened: u64,
}

/// A point in a session, in every unit of a duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The time.
    pub time: Time,
    /// The number of prompts before it.
    pub turns: u64,
    /// The number of tool calls before it.
    pub calls: u64,
}

impl Checkpoint {
    fn now(counts: &Counts, time: Time) -> Self {
        Self { time, turns: counts.turns, calls: counts.calls }
    }
}

impl GateState {
    /// Returns the state at a checkpoint, closed if its duration is over.
    #[must_use]
    pub fn expired_at(self, now: Checkpoint) -> Self {
        let ended = match self.lasts {
            // The clock was set back, so the elapsed time is not known.
            Some(GateDuration::Seconds(_)) if now.time < self.since.time && self.stand == GateStatus::Open => now,
            Some(GateDuration::Seconds(most)) if now.time.seconds_since(self.since.time) >= most => {
                Checkpoint { time: Time(self.since.time.0.saturating_add(most)), ..now }
            }
            Some(GateDuration::Turns(most)) if now.turns.saturating_sub(self.since.turns) >= most => {
                Checkpoint { turns: self.since.turns.saturating_add(most), ..now }
            }
            Some(GateDuration::Calls(most)) if now.calls.saturating_sub(self.since.calls) > most => {
                Checkpoint { calls: self.since.calls.saturating_add(most), ..now }
            }
            _ => return self,
        };
        self.transition(self.stand.opposite(), ended, None)
    }

    /// Returns the state after a transition. A transition to the same status starts it again.
    #[must_use]
    fn transition(&self, stand: GateStatus, since: Checkpoint, lasts: Option<GateDuration>) -> Self {
        let opens = u64::from(stand == GateStatus::Open);
        Self { stand, since, lasts, opened: self.opened.saturating_add(opens) }
    }
}

impl GateRecord {
    /// Returns the state of the gate, for a file if it is kept per file.
    fn state(&self, file: Option<&str>, starts: GateStatus, counts: &Counts, now: Checkpoint) -> GateState {
        let known = file.and_then(|file| self.files.get(file)).or(self.all.as_ref()).cloned();
        let begun = Checkpoint { time: counts.begun.unwrap_or(now.time), ..Checkpoint::default() };
        known.unwrap_or(GateState { stand: starts, since: begun, lasts: None, opened: 0 }).expired_at(now)
    }

    /// Sets the state of the gate, for one file or for all.
    fn set(&mut self, file: Option<String>, position: GateState) {
        let Some(file) = file else {
            self.files.clear();
            self.all = Some(position);
            return;
        };
        if self.files.len() < MAX_FILES || self.files.contains_key(&file) {
            self.files.insert(file, position);
        } else {
            self.all = Some(GateState { stand: GateStatus::Closed, lasts: None, ..position });
        }
    }
}

/// Returns a file of the facts in the form in which gates store it.
fn gate_file(facts: &Facts<'_>, file: Option<usize>) -> Option<String> {
    let file = facts.files().get(file?)?;
    Some(normalize_case(file.real_path.as_deref().unwrap_or(&file.path), facts.path_context))
}

fn normalize_case(path: &str, place: &PathContext) -> String {
    if place.ignore_case { fold_name(path).into_owned() } else { path.to_owned() }
}

/// Returns the key of a gate for the agent that acts.
fn gate_key(active: &ActiveGate, facts: &Facts<'_>) -> String {
    let agent = facts.event.session.subagent.as_ref().filter(|_| active.gate.scope == GateScope::Subagent);
    match agent {
        Some(agent) => format!("{}#{}", active.key(), agent.id.unwrap_or(agent.name)),
        None => active.key(),
    }
}

impl State {
    /// Returns the records of gates of a scope.
    pub const fn gates(&self, reach: GateScope) -> &GateRecords {
        match reach {
            GateScope::Session | GateScope::Subagent => &self.session.gates,
            GateScope::Project => &self.project.gates,
        }
    }

    /// Returns the status of a gate for the main agent of a session, and for no file in particular.
    pub fn gate_status(&self, active: &ActiveGate, now: Time) -> GateStatus {
        let counts = self.counts(active.gate.scope.state_scope());
        let none = GateRecord::default();
        let record = self.gates(active.gate.scope).get(&active.key()).unwrap_or(&none);
        record.state(None, active.gate.starts, counts, Checkpoint::now(counts, now)).stand
    }

    /// Sets the status of a gate for every agent and every file.
    pub fn set_gate(&mut self, active: &ActiveGate, stand: GateStatus, now: Time) {
        let since = Checkpoint::now(self.counts(active.gate.scope.state_scope()), now);
        let position = GateState { stand, since, lasts: None, opened: u64::from(stand == GateStatus::Open) };
        let record = GateRecord { all: Some(position), files: BTreeMap::new() };
        self.gates_mut(active.gate.scope).insert(active.key(), record);
    }

    const fn gates_mut(&mut self, reach: GateScope) -> &mut GateRecords {
        match reach {
            GateScope::Session | GateScope::Subagent => &mut self.session.gates,
            GateScope::Project => &mut self.project.gates,
        }
    }

    /// Changes the status of a gate for everything that the bindings name.
    pub fn transition_gate(
        &mut self,
        active: &ActiveGate,
        to: (GateStatus, Option<GateDuration>),
        facts: &Facts<'_>,
        foci: &[Binding],
        now: Time,
    ) {
        let gate = &active.gate;
        let counts = self.counts(gate.scope.state_scope()).clone();
        let mark = Checkpoint::now(&counts, now);
        let record = self.gates_mut(gate.scope).entry(gate_key(active, facts)).or_default();
        let mut files: Vec<Option<String>> = match gate.per {
            Some(GatePartition::File) => foci.iter().map(|focus| gate_file(facts, focus.file)).collect(),
            None => vec![None],
        };
        files.sort();
        files.dedup();
        for file in files {
            let before = record.state(file.as_deref(), gate.starts, &counts, mark);
            record.set(file, before.transition(to.0, mark, to.1));
        }
    }
}

impl StateView<'_> {
    /// Returns the view of a gate for a file of the facts.
    pub fn gate_view(&self, active: &ActiveGate, facts: &Facts<'_>, file: Option<usize>) -> GateView {
        let gate = &active.gate;
        let counts = self.state.counts(gate.scope.state_scope());
        let now = Checkpoint::now(counts, self.now);
        let file = gate.per.and_then(|GatePartition::File| gate_file(facts, file));
        let none = GateRecord::default();
        let record = self.state.gates(gate.scope).get(&gate_key(active, facts)).unwrap_or(&none);
        let position = record.state(file.as_deref(), gate.starts, counts, now);
        GateView {
            id: gate.id.clone(),
            status: position.stand,
            turns: now.turns.saturating_sub(position.since.turns),
            calls: now.calls.saturating_sub(position.since.calls),
            seconds: now.time.seconds_since(position.since.time),
            open_count: position.opened,
            file: file.map(|file| facts.path_context.display(&file).into_owned()),
        }
    }
}
