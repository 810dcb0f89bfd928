//! What would change, by rule.

use std::collections::BTreeMap;

use super::outcome::ReplayOutcome;

/// How events are changed by one rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ChangeKind {
    /// It holds where it did not.
    Gained,
    /// It held and no longer does.
    Lost,
    /// It holds as before, and comes to something else.
    Changed,
}

impl ChangeKind {
    pub(super) const fn symbol(self) -> &'static str {
        match self {
            Self::Gained => "+",
            Self::Lost => "-",
            Self::Changed => "~",
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Gained => "gained",
            Self::Lost => "lost",
            Self::Changed => "turned",
        }
    }
}

/// An event that would change.
#[derive(Debug, Clone)]
pub(super) struct Example {
    /// The record's name, or where it is: `file:line`.
    pub location: String,
    /// What it was about.
    pub about: String,
}

/// The events that one rule changes.
#[derive(Debug, Default)]
pub(super) struct RuleChanges {
    /// How many they are.
    pub events: usize,
    /// From what to what they change, and how often.
    pub transitions: BTreeMap<(String, String), usize>,
    /// The first of them.
    pub examples: Vec<Example>,
}

/// What would change of some events.
#[derive(Debug, Default)]
pub(super) struct Diff {
    /// Events that were judged again.
    pub events: usize,
    /// Those that would come to something else.
    pub changed: usize,
    /// Those that would come to the same by other rules.
    pub same_by_other_rules: usize,
    /// Those of which it cannot be told, because a record holds no secrets.
    pub unsure: usize,
    /// Lines that could not be judged, and why the first of them.
    pub unreadable: usize,
    pub first_unreadable: Option<String>,
    /// From what to what events change, and how often.
    pub transitions: BTreeMap<(String, String), usize>,
    /// What each rule changes.
    pub groups: BTreeMap<(String, ChangeKind), RuleChanges>,
}

/// The group of events that no rule answers for.
pub(super) const NO_RULE: &str = "(no rule)";

impl Diff {
    /// Adds an event that changes; `example` is asked for while there are too few.
    pub(super) fn add(
        &mut self,
        before: &ReplayOutcome,
        after: &ReplayOutcome,
        most: usize,
        example: &dyn Fn() -> Example,
    ) {
        self.changed += 1;
        let turn = (before.summary(), after.summary());
        *self.transitions.entry(turn.clone()).or_default() += 1;
        let only = |one: &ReplayOutcome, other: &ReplayOutcome| -> Vec<String> {
            one.rules.iter().filter(|rule| !other.rules.contains(rule)).cloned().collect()
        };
        let gained = only(after, before).into_iter().map(|rule| (rule, ChangeKind::Gained));
        let lost = only(before, after).into_iter().map(|rule| (rule, ChangeKind::Lost));
        let mut ways: Vec<(String, ChangeKind)> = gained.chain(lost).collect();
        if ways.is_empty() {
            ways.extend(after.rules.iter().map(|rule| (rule.clone(), ChangeKind::Changed)));
        }
        if ways.is_empty() {
            ways.push((NO_RULE.to_owned(), ChangeKind::Changed));
        }
        for way in ways {
            let group = self.groups.entry(way).or_default();
            group.events += 1;
            *group.transitions.entry(turn.clone()).or_default() += 1;
            if group.examples.len() < most {
                group.examples.push(example());
            }
        }
    }

    /// Adds what a later part of the log comes to.
    pub(super) fn merge(&mut self, other: Self, most: usize) {
        self.events += other.events;
        self.changed += other.changed;
        self.same_by_other_rules += other.same_by_other_rules;
        self.unsure += other.unsure;
        self.unreadable += other.unreadable;
        self.first_unreadable = self.first_unreadable.take().or(other.first_unreadable);
        for (turn, count) in other.transitions {
            *self.transitions.entry(turn).or_default() += count;
        }
        for (way, group) in other.groups {
            let known = self.groups.entry(way).or_default();
            known.events += group.events;
            for (turn, count) in group.transitions {
                *known.transitions.entry(turn).or_default() += count;
            }
            let room = most.saturating_sub(known.examples.len());
            known.examples.extend(group.examples.into_iter().take(room));
        }
    }

    /// Returns the groups, the one with most events first.
    pub(super) fn sorted(&self) -> Vec<(&(String, ChangeKind), &RuleChanges)> {
        let mut groups: Vec<_> = self.groups.iter().collect();
        groups.sort_by_key(|(way, group)| (std::cmp::Reverse(group.events), *way));
        groups
    }
}
