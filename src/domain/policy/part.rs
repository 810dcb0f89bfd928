//! One policy file, read and checked, before it is combined with the others.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::gate::Gate;
use super::prefilter::CompiledRule;
use super::rule::Rule;
use super::settings::Settings;
use crate::domain::allowlist::Suppressions;
use crate::domain::event::tool::ArgumentNames;
use crate::domain::layer::Layer;
use crate::domain::secret::spec::DetectorSpec;

/// Disables rules by id or glob.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Disable {
    /// The rule's id, or a glob over ids (`db-*`).
    pub rule: String,
    /// The reason, for readers of the policy.
    pub reason: String,
    /// Turn it off, or only record what it would have done.
    #[serde(default)]
    pub to: DisabledMode,
}

impl Disable {
    /// Returns whether the entry matches a rule.
    pub fn is_match(&self, id: &str) -> bool {
        fast_glob::glob_match(&self.rule, id)
    }
}

/// The mode of a disabled rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum DisabledMode {
    /// The rule is off.
    #[default]
    Off,
    /// The rule only records what it would have done.
    Monitor,
}

/// One policy file, read and checked.
#[derive(Debug, Clone, PartialEq)]
pub struct PolicyPart {
    /// The layer it belongs to.
    pub layer: Layer,
    /// The file or the bundled pack that it comes from, for users.
    pub source: String,
    /// Its settings.
    pub settings: Settings,
    /// Its suppressions.
    pub suppressions: Suppressions,
    /// The names of arguments that it adds.
    pub arguments: ArgumentNames,
    /// The programs that it names as terminals of the user.
    pub terminals: Vec<String>,
    /// The detectors of secrets that it adds.
    pub detectors: Vec<DetectorSpec>,
    /// Its rules.
    pub rules: Vec<Rule>,
    /// Its compiled rules, which are decoded when needed.
    pub compiled_rules: Vec<CompiledRule>,
    /// Its gates, whose rules are among the others.
    pub gates: Vec<Gate>,
    /// The rules that it disables.
    pub disable: Vec<Disable>,
}
