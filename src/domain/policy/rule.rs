//! A rule of a policy: when it is evaluated, what must hold, what follows.

use crate::domain::severity::Mode;
use crate::domain::severity::Severity;
use std::collections::BTreeMap;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::effects::RuleEffects;
use super::example::{Examples, deserialize_examples, serialize_empty};
use super::run::Run;
use crate::domain::condition::Conditions;
use crate::domain::event::kind::{Kind, KindSet};
use crate::domain::layer::Layer;
use crate::domain::text::literal::Literal;
use crate::domain::text::template::Template;

/// A rule.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The id by which tests, the audit log and other layers refer to the rule.
    pub id: String,
    /// The purpose of the rule, for readers of the policy.
    #[serde(default)]
    pub description: Option<String>,
    /// The severity of a match; the most severe reason comes first in an answer.
    #[serde(default)]
    pub severity: Severity,
    /// Whether the rule has effects, or only records what it would have done.
    #[serde(default)]
    pub mode: Mode,
    /// Whether `ruleward allow` can lift the rule for a call. The default is true, except for rules
    /// of the managed layer.
    #[serde(default)]
    pub exceptions: Option<bool>,
    /// The moments of the rule.
    pub when: KindSet,
    /// Conditions; all given ones must match.
    #[serde(default)]
    #[cfg_attr(test, schemars(flatten))]
    pub conditions: Conditions,
    /// Exceptions.
    #[serde(default)]
    pub except: Vec<Conditions>,
    /// The effects.
    pub then: RuleEffects,
    /// Events that the rule matches, by effect, and events that it doesn't match. `ruleward test`
    /// and `ruleward lint` check them; the hook ignores them.
    #[serde(default, serialize_with = "serialize_empty", deserialize_with = "deserialize_examples")]
    #[cfg_attr(test, schemars(with = "Examples"))]
    pub examples: Examples,
}

impl Rule {
    /// Passes the id of every gate that the rule asks about to `each`.
    pub fn for_each_gate(&self, each: &mut dyn FnMut(&str)) {
        self.conditions.for_each_gate(each);
        self.except.iter().for_each(|exception| exception.for_each_gate(each));
    }

    /// Passes every name that the rule uses in expressions, messages and under `match`, dotted, to `each`.
    pub fn for_each_name(&self, each: &mut dyn FnMut(&str)) {
        self.conditions.for_each_name(each);
        self.except.iter().for_each(|exception| exception.for_each_name(each));
        let values = self.then.rewrite.iter().flat_map(BTreeMap::values).flat_map(Literal::templates);
        let texts = self.then.messages().map(|(_, template)| template);
        let run = self.then.run.iter().flat_map(Run::templates);
        texts.chain(values).chain(run).flat_map(Template::names).for_each(|name| each(name));
    }
}

impl Rule {
    /// Returns the kinds of events at which the rule is evaluated: those under `when`, and that of a call that it may
    /// refuse because of its limit on tools.
    pub fn kinds(&self) -> KindSet {
        let limits = self.then.tools.as_ref().is_some_and(|limit| limit.enforce);
        if limits { self.when.union(KindSet::one(Kind::ToolBefore)) } else { self.when }
    }

    /// Returns whether a user may waive the rule for a call, if it comes from this layer.
    pub fn is_waivable(&self, layer: Layer) -> bool {
        self.exceptions.unwrap_or(layer != Layer::Managed)
    }
}
