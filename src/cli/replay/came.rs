//! What came of an event, as far as it is compared.

use serde_json::{Value, json};

use crate::domain::decide::Outcome;
use crate::domain::effect::{EffectKind, Effects};
use crate::domain::rule::Mode;
use crate::io::audit::Decided;

/// The effects beside the decision that are compared.
const OTHERS: [EffectKind; 3] = [EffectKind::Rewrite, EffectKind::Context, EffectKind::Warn];

/// What came of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Came {
    /// The decision.
    pub decided: Decided,
    /// What the rules that held asked for besides.
    others: Effects,
    /// The rules that held and acted, by id.
    pub rules: Vec<String>,
}

impl Came {
    /// Returns what an outcome comes to.
    pub(super) fn of(outcome: &Outcome) -> Self {
        let acting = || outcome.findings.iter().filter(|finding| finding.mode == Mode::Enforce);
        let effects = acting().flat_map(|finding| finding.effects.iter()).collect();
        let rules = acting().map(|finding| finding.rule.clone()).collect();
        Self::new(Decided::of(&outcome.verdict), effects, rules)
    }

    /// Reads what a record says: its decision, and its list of rules.
    pub(super) fn recorded(decision: &str, rules: &str) -> Option<Self> {
        let decided = Decided::named(decision)?;
        let rules: Vec<Value> = serde_json::from_str(rules).ok()?;
        let acting = || rules.iter().filter(|rule| rule.get("mode").and_then(Value::as_str) == Some("enforce"));
        let names = acting().filter_map(|rule| rule.get("effects")?.as_array()).flatten().filter_map(Value::as_str);
        let effects = names.filter_map(|name| EffectKind::ALL.into_iter().find(|effect| effect.name() == name));
        let ids = acting().filter_map(|rule| rule.get("id")?.as_str().map(ToOwned::to_owned)).collect();
        Some(Self::new(decided, effects.collect(), ids))
    }

    fn new(decided: Decided, effects: Vec<EffectKind>, mut rules: Vec<String>) -> Self {
        rules.sort();
        rules.dedup();
        let refused = matches!(decided, Decided::Deny | Decided::Stop);
        let others: Vec<EffectKind> = effects.into_iter().filter(|it| OTHERS.contains(it) && !refused).collect();
        Self { decided, others: Effects::of(&others), rules }
    }

    /// Tells whether the agent and the person would see the same, whatever rules are behind it.
    pub(super) fn looks_like(&self, other: &Self) -> bool {
        (self.decided, self.others) == (other.decided, other.others)
    }

    /// Returns it in words: the decision, and what is done besides.
    pub(super) fn name(&self) -> String {
        let others = self.others.iter().map(|effect| format!(" + {effect}"));
        std::iter::once(self.decided.name().to_owned()).chain(others).collect()
    }

    pub(super) fn as_json(&self) -> Value {
        let others: Vec<&str> = self.others.iter().map(EffectKind::name).collect();
        json!({ "decision": self.decided.name(), "effects": others, "rules": self.rules })
    }
}
