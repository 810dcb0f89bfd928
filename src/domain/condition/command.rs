//! `command:` — which command would run, by its words and independent of its spelling.

#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use super::binding::Binding;
use super::evaluate::is_subset;
use super::interface::{CALL_KINDS, Condition, ConditionMatch, ConditionSpec, Reference, Selection};
use super::requirements::{Requirement, Requirements};
use crate::domain::facts::{CommandIndex, Facts};
use crate::domain::shell::{CommandPattern, Feature};
use crate::domain::text::suggest;
use crate::domain::text::template::RenderError;

/// Patterns over commands.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Commands(pub Vec<CommandMatcher>);

/// One pattern over commands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CommandMatcher(CommandPattern);

impl Condition for Commands {
    fn spec() -> ConditionSpec {
        ConditionSpec { kinds: Some(CALL_KINDS), selection: Selection::Action }
    }

    fn matches(&self, facts: &Facts<'_>, binding: &Binding) -> Result<ConditionMatch, RenderError> {
        let mut found: Vec<CommandIndex> = Vec::new();
        for (script, analysed) in facts.scripts().iter().enumerate() {
            for pattern in &self.0 {
                for command in pattern.0.find(&analysed.script) {
                    let at = CommandIndex { script, command };
                    let is_apart = binding.file.is_some() && binding.command.is_none() && facts.is_deferred(at);
                    if !found.contains(&at) && binding.command.is_none_or(|bound| bound == at) && !is_apart {
                        found.push(at);
                    }
                }
            }
        }
        found.sort_by_key(|at| (at.script, at.command));
        Ok(found.into_iter().map(|at| Binding { command: Some(at), ..binding.clone() }).collect::<Vec<_>>().into())
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn implies(&self, wide: &Self) -> bool {
        is_subset(&self.0, &wide.0)
    }

    fn require(&self, requirements: &mut Requirements) {
        let mut features: Vec<Feature> = self.0.iter().flat_map(CommandMatcher::features).collect();
        features.sort_unstable();
        features.dedup();
        requirements.add(Requirement::Command);
        requirements.features = features.into();
    }

    fn for_each_reference(&self, _: &mut dyn FnMut(Reference<'_>)) {}
}

impl CommandMatcher {
    /// Returns features of which the first command of a match has at least one.
    pub fn features(&self) -> Vec<Feature> {
        self.0.features()
    }

    /// Returns the pattern as written.
    pub fn source(&self) -> &str {
        self.0.source()
    }
}

impl<'de> Deserialize<'de> for CommandMatcher {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return CommandPattern::deserialize(deserializer).map(Self);
        }
        let source = String::deserialize(deserializer)?;
        CommandPattern::parse(&source).map(Self).map_err(|error| {
            let message = format!("{} at character {}", error.message, error.offset + 1);
            D::Error::custom(error.help.map_or(message.clone(), |help| suggest::with_help(&message, &help)))
        })
    }
}

#[cfg(test)]
impl JsonSchema for CommandMatcher {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "CommandPattern".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "A command pattern: options in any order and spelling, operands in order, `...` for any operands, `(a | b)` for alternatives, `a | b` for a pipeline.",
            "examples": ["git push (--force | -f)", "rm -rf ... (/ | ~)", "(curl | wget) | (sh | bash)"],
        })
    }
}
