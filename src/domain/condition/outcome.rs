//! `outcome:` — how a call, and the command that was picked out of it, ended.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::facts::Facts;
use crate::domain::focus::Focus;
use crate::domain::shell::is_vouched_for;

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Ended {
    /// It succeeded, and with it the command that was picked out: `cargo test | tail` and
    /// `cargo test; true` say nothing of the tests, so they do not count; nor does what still runs in
    /// the background.
    Ok,
    /// It failed.
    Failed,
}

impl Ended {
    pub(super) fn holds(self, facts: &Facts<'_>, focus: &Focus) -> bool {
        let script = focus.command.and_then(|at| facts.scripts().get(at.script));
        let calls = facts.event.calls();
        let call = script.map_or_else(|| calls.first(), |script| calls.get(script.call));
        let Some(outcome) = call.and_then(|call| call.outcome.as_ref()) else { return false };
        match self {
            Self::Failed => !outcome.ok,
            Self::Ok => {
                let command = focus.command.and_then(|at| facts.command(at));
                let vouched =
                    script.zip(command).is_none_or(|(it, command)| is_vouched_for(it.text, &it.script, command));
                outcome.ok && !outcome.running && vouched
            }
        }
    }
}
