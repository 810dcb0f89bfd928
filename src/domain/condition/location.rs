//! `where:` — whether a command runs on this machine, or on another one or in a container.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::facts::{CommandAt, Facts};
use crate::domain::focus::Focus;

/// Where a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Location {
    /// On this machine.
    Here,
    /// On another machine or in a container: behind `ssh`, `docker exec`, `kubectl exec`.
    Elsewhere,
}

impl Location {
    /// Returns the location of a command.
    pub const fn of(elsewhere: bool) -> Self {
        if elsewhere { Self::Elsewhere } else { Self::Here }
    }

    /// Returns its name in policies.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Here => "here",
            Self::Elsewhere => "elsewhere",
        }
    }

    pub(super) fn narrow(self, facts: &Facts<'_>, focus: &Focus) -> Vec<Focus> {
        let holds = |at: CommandAt| facts.command(at).is_some_and(|command| Self::of(command.elsewhere) == self);
        // A file tool's file is here, whatever else the event runs.
        let by_tool = focus.file.is_some() || focus.url.is_some() || focus.deed.is_some();
        match focus.command {
            Some(at) => {
                if holds(at) {
                    vec![focus.clone()]
                } else {
                    Vec::new()
                }
            }
            None if by_tool || facts.commands().next().is_none() => {
                if self == Self::Here {
                    vec![focus.clone()]
                } else {
                    Vec::new()
                }
            }
            None => facts
                .places_of_commands()
                .filter(|at| holds(*at))
                .map(|at| Focus { command: Some(at), ..focus.clone() })
                .collect(),
        }
    }
}
