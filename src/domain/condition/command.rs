//! `command:` — what would run, over words and whatever the spelling.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use crate::domain::facts::{CommandAt, Facts};
use crate::domain::focus::Focus;
use crate::domain::shell::{CommandPattern, Sign};
use crate::domain::suggest;

/// Patterns over commands.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct Commands(pub Vec<CommandLike>);

/// One pattern over commands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CommandLike(CommandPattern);

impl Commands {
    pub(super) fn narrow(&self, facts: &Facts<'_>, focus: &Focus) -> Vec<Focus> {
        let mut found: Vec<CommandAt> = Vec::new();
        for (script, analysed) in facts.scripts().iter().enumerate() {
            for pattern in &self.0 {
                for command in pattern.0.find(&analysed.script) {
                    let at = CommandAt { script, command };
                    if !found.contains(&at) && focus.command.is_none_or(|focus| focus == at) {
                        found.push(at);
                    }
                }
            }
        }
        found.sort_by_key(|at| (at.script, at.command));
        found.into_iter().map(|at| Focus { command: Some(at), ..focus.clone() }).collect()
    }
}

impl CommandLike {
    /// Returns signs of which the command that a match begins with bears one.
    pub fn signs(&self) -> Vec<Sign> {
        self.0.signs()
    }

    /// Returns the pattern as written.
    pub fn source(&self) -> &str {
        self.0.source()
    }
}

impl<'de> Deserialize<'de> for CommandLike {
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

impl JsonSchema for CommandLike {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "CommandPattern".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "A command over its words: options in any order and spelling, operands in order, `...` for any operands, `(a | b)` for either, `a | b` for a pipeline.",
            "examples": ["git push (--force | -f)", "rm -rf ... (/ | ~)", "(curl | wget) | (sh | bash)"],
        })
    }
}
