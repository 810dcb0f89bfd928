//! What a policy makes of all calls of past sessions.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use super::read::{CallResult, FileResult};
use crate::adapters::TranscriptFormat;
use crate::cli::replay::diff::NO_RULE;
use crate::io::audit::AuditDecision;

/// A call that is stopped. Its texts hold no secrets.
#[derive(Debug, Clone)]
pub(super) struct StoppedCall {
    /// The rules that stop it.
    pub rules: Vec<String>,
    pub reason: String,
    pub about: String,
    pub time: String,
    pub cwd: String,
    pub session: String,
}

/// What was counted of some calls.
#[derive(Debug, Default, Clone, Copy, Serialize)]
pub(super) struct Counts {
    pub calls: usize,
    pub asked: usize,
    pub denied: usize,
}

impl Counts {
    pub(super) const fn stopped(self) -> usize {
        self.asked + self.denied
    }

    fn add(&mut self, decision: AuditDecision) {
        self.calls += 1;
        match decision {
            AuditDecision::None | AuditDecision::Allow => {}
            AuditDecision::Ask | AuditDecision::Defer => self.asked += 1,
            AuditDecision::Retry | AuditDecision::Deny | AuditDecision::Stop => self.denied += 1,
        }
    }
}

/// What one rule stops.
#[derive(Debug, Default)]
pub(super) struct RuleStops {
    pub counts: Counts,
    pub sessions: HashSet<u64>,
    /// The first of the calls that differ.
    pub examples: Vec<StopExample>,
}

/// A call that a rule stops.
#[derive(Debug, Clone, Serialize)]
pub(super) struct StopExample {
    pub decision: &'static str,
    pub host: &'static str,
    pub time: String,
    pub cwd: String,
    pub session: String,
    pub about: String,
    pub reason: String,
}

/// What a policy makes of past sessions.
pub(super) struct Summary {
    pub counts: Counts,
    pub rules: BTreeMap<String, RuleStops>,
    /// By the name of the kind.
    pub tools: BTreeMap<&'static str, Counts>,
    /// By the name of the host.
    pub hosts: BTreeMap<&'static str, Counts>,
    /// Sessions with calls, and those of them with stops.
    pub sessions: HashSet<u64>,
    pub stopped_sessions: HashSet<u64>,
    pub files: usize,
    /// Calls that were copied from one transcript to another.
    pub repeated: usize,
    /// Records that could not be read, files that could not, and the first of either.
    pub broken: usize,
    pub unreadable: usize,
    pub first_broken: Option<String>,
    seen: HashSet<u64>,
    max_examples: usize,
}

impl Summary {
    pub(super) fn new(max_examples: usize) -> Self {
        Self {
            counts: Counts::default(),
            rules: BTreeMap::new(),
            tools: BTreeMap::new(),
            hosts: BTreeMap::new(),
            sessions: HashSet::new(),
            stopped_sessions: HashSet::new(),
            files: 0,
            repeated: 0,
            broken: 0,
            unreadable: 0,
            first_broken: None,
            seen: HashSet::new(),
            max_examples,
        }
    }

    /// Adds what a transcript comes to. A call counts in the first transcript that has it.
    pub(super) fn add(&mut self, format: &'static TranscriptFormat, result: FileResult) {
        self.files += 1;
        self.broken += result.broken;
        self.unreadable += usize::from(result.is_unreadable);
        self.first_broken = self.first_broken.take().or(result.first_broken);
        // A host may also write a call to one transcript more than once, as it goes on.
        let mut own = HashSet::new();
        for call in result.calls.into_iter().filter(|call| own.insert(call.id)) {
            if self.seen.insert(call.id) {
                self.add_call(format, call);
            } else {
                self.repeated += 1;
            }
        }
    }

    fn add_call(&mut self, format: &'static TranscriptFormat, call: CallResult) {
        self.counts.add(call.decision);
        self.tools.entry(call.kind.name()).or_default().add(call.decision);
        self.hosts.entry(format.name).or_default().add(call.decision);
        self.sessions.insert(call.session);
        let Some(stopped) = call.stopped else { return };
        self.stopped_sessions.insert(call.session);
        for rule in &stopped.rules {
            let name = if rule.is_empty() { NO_RULE } else { rule };
            let group = self.rules.entry(name.to_owned()).or_default();
            group.counts.add(call.decision);
            group.sessions.insert(call.session);
            if group.examples.len() < self.max_examples && group.examples.iter().all(|it| it.about != stopped.about) {
                let StoppedCall { reason, about, time, cwd, session, .. } = (*stopped).clone();
                let (decision, host) = (call.decision.name(), format.title);
                group.examples.push(StopExample { decision, host, time, cwd, session, about, reason });
            }
        }
    }

    /// Returns how many of a thousand calls a number is.
    pub(super) fn per_thousand(&self, number: usize) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "it is shown with one digit")]
        let share = number as f64 * 1000.0 / self.counts.calls.max(1) as f64;
        (share * 10.0).round() / 10.0
    }

    /// Returns the rules, the one with most stops first.
    pub(super) fn sorted_rules(&self) -> Vec<(&String, &RuleStops)> {
        let mut rules: Vec<_> = self.rules.iter().collect();
        rules.sort_by_key(|(name, group)| (std::cmp::Reverse(group.counts.stopped()), *name));
        rules
    }
}
