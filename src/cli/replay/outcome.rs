//! What came of an event, as far as it is compared.

use serde_json::{Value, json};

use crate::domain::effect::{EffectKind, Effects};
use crate::domain::severity::Mode;
use crate::domain::verdict::outcome::Outcome;
use crate::io::audit::AuditDecision;

/// The effects beside the decision that are compared.
const COMPARED_EFFECTS: [EffectKind; 3] = [EffectKind::Rewrite, EffectKind::Context, EffectKind::Warn];

/// What came of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReplayOutcome {
    /// The decision.
    pub decision: AuditDecision,
    /// What the rules that held asked for besides.
    effects: Effects,
    /// The rules that held and acted, by id.
    pub rules: Vec<String>,
    /// What stops the call, where it was judged here.
    pub stops: Vec<Stop>,
}

/// A rule that stops a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stop {
    /// Its id; empty where no rule could be evaluated.
    pub rule: String,
    /// What it says.
    pub reason: String,
}

impl ReplayOutcome {
    /// Returns what an outcome comes to.
    pub(super) fn from_outcome(outcome: &Outcome) -> Self {
        let acting = || outcome.findings.iter().filter(|finding| finding.mode == Mode::Enforce);
        let effects = acting().flat_map(|finding| finding.effects.iter()).collect();
        let rules = acting().map(|finding| finding.rule.clone()).collect();
        let decision = AuditDecision::from_verdict(&outcome.verdict);
        let is_stop = decision >= AuditDecision::Ask;
        let notes = decision.effect().filter(|_| is_stop).into_iter().flat_map(|it| outcome.verdict.notes.of(it));
        let stops = notes.map(|note| Stop { rule: note.rule.clone(), reason: note.text.clone() }).collect();
        Self { stops, ..Self::new(decision, effects, rules) }
    }

    /// Reads what a record says: its decision, and its list of rules.
    pub(super) fn from_record(decision: &str, rules: &str) -> Option<Self> {
        let decided = AuditDecision::from_name(decision)?;
        let rules: Vec<Value> = serde_json::from_str(rules).ok()?;
        let acting = || rules.iter().filter(|rule| rule.get("mode").and_then(Value::as_str) == Some("enforce"));
        let names = acting().filter_map(|rule| rule.get("effects")?.as_array()).flatten().filter_map(Value::as_str);
        let effects = names.filter_map(EffectKind::from_name);
        let ids = acting().filter_map(|rule| rule.get("id")?.as_str().map(ToOwned::to_owned)).collect();
        Some(Self::new(decided, effects.collect(), ids))
    }

    fn new(decision: AuditDecision, effects: Vec<EffectKind>, mut rules: Vec<String>) -> Self {
        rules.sort();
        rules.dedup();
        let refused = matches!(decision, AuditDecision::Deny | AuditDecision::Stop);
        let others: Vec<EffectKind> =
            effects.into_iter().filter(|it| COMPARED_EFFECTS.contains(it) && !refused).collect();
        Self { decision, effects: Effects::of(&others), rules, stops: Vec::new() }
    }

    /// Returns whether the agent and the user would see the same, whatever rules are behind it.
    pub(super) fn is_equivalent(&self, other: &Self) -> bool {
        (self.decision, self.effects) == (other.decision, other.effects)
    }

    /// Returns it in words: the decision, and what is done besides.
    pub(super) fn summary(&self) -> String {
        let others = self.effects.iter().map(|effect| format!(" + {effect}"));
        std::iter::once(self.decision.name().to_owned()).chain(others).collect()
    }

    pub(super) fn as_json(&self) -> Value {
        let others: Vec<&str> = self.effects.iter().map(EffectKind::name).collect();
        json!({ "decision": self.decision.name(), "effects": others, "rules": self.rules })
    }
}
