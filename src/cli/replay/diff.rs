//! What would change, by rule.

use std::collections::BTreeMap;

use super::came::Came;

/// How events are changed by one rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Way {
    /// It holds where it did not.
    Gained,
    /// It held and no longer does.
    Lost,
    /// It holds as before, and comes to something else.
    Turned,
}

impl Way {
    pub(super) const fn sign(self) -> &'static str {
        match self {
            Self::Gained => "+",
            Self::Lost => "-",
            Self::Turned => "~",
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Gained => "gained",
            Self::Lost => "lost",
            Self::Turned => "turned",
        }
    }
}

/// An event that would change.
#[derive(Debug, Clone)]
pub(super) struct Example {
    /// The record's name, or where it stands: `file:line`.
    pub place: String,
    /// What it was about.
    pub about: String,
}

/// The events that one rule changes.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// How many they are.
    pub events: usize,
    /// From what to what they change, and how often.
    pub turns: BTreeMap<(String, String), usize>,
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
    pub otherwise: usize,
    /// Those of which it cannot be told, because a record holds no secrets.
    pub unsure: usize,
    /// Lines that could not be judged, and why the first of them.
    pub unread: usize,
    pub unread_first: Option<String>,
    /// From what to what events change, and how often.
    pub turns: BTreeMap<(String, String), usize>,
    /// What each rule changes.
    pub groups: BTreeMap<(String, Way), Group>,
}

/// The group of events that no rule answers for.
pub(super) const NO_RULE: &str = "(no rule)";

impl Diff {
    /// Adds an event that changes; `example` is asked for while there are too few.
    pub(super) fn add(&mut self, before: &Came, after: &Came, most: usize, example: &dyn Fn() -> Example) {
        self.changed += 1;
        let turn = (before.name(), after.name());
        *self.turns.entry(turn.clone()).or_default() += 1;
        let only = |one: &Came, other: &Came| -> Vec<String> {
            one.rules.iter().filter(|rule| !other.rules.contains(rule)).cloned().collect()
        };
        let gained = only(after, before).into_iter().map(|rule| (rule, Way::Gained));
        let lost = only(before, after).into_iter().map(|rule| (rule, Way::Lost));
        let mut ways: Vec<(String, Way)> = gained.chain(lost).collect();
        if ways.is_empty() {
            ways.extend(after.rules.iter().map(|rule| (rule.clone(), Way::Turned)));
        }
        if ways.is_empty() {
            ways.push((NO_RULE.to_owned(), Way::Turned));
        }
        for way in ways {
            let group = self.groups.entry(way).or_default();
            group.events += 1;
            *group.turns.entry(turn.clone()).or_default() += 1;
            if group.examples.len() < most {
                group.examples.push(example());
            }
        }
    }

    /// Adds what a later part of the log comes to.
    pub(super) fn merge(&mut self, other: Self, most: usize) {
        self.events += other.events;
        self.changed += other.changed;
        self.otherwise += other.otherwise;
        self.unsure += other.unsure;
        self.unread += other.unread;
        self.unread_first = self.unread_first.take().or(other.unread_first);
        for (turn, count) in other.turns {
            *self.turns.entry(turn).or_default() += count;
        }
        for (way, group) in other.groups {
            let known = self.groups.entry(way).or_default();
            known.events += group.events;
            for (turn, count) in group.turns {
                *known.turns.entry(turn).or_default() += count;
            }
            let room = most.saturating_sub(known.examples.len());
            known.examples.extend(group.examples.into_iter().take(room));
        }
    }

    /// Returns the groups, the one with most events first.
    pub(super) fn sorted(&self) -> Vec<(&(String, Way), &Group)> {
        let mut groups: Vec<_> = self.groups.iter().collect();
        groups.sort_by_key(|(way, group)| (std::cmp::Reverse(group.events), *way));
        groups
    }
}
