//! What happens to our answer when other hooks of Codex answer the same event. This file is a table.
//!
//! Source: runs of 0.169.0 with two hooks.

use crate::adapters::contract::Coexistence;

pub(super) const COEXISTENCE: &[Coexistence] = &[
    Coexistence {
        events: &["PreToolUse", "PermissionRequest"],
        field: "",
        resolution: "the hooks run at the same time, and any refusal wins",
        advice: "–",
    },
    Coexistence {
        events: &["PreToolUse"],
        field: "updatedInput",
        resolution: "the hook that ends last wins with its whole input: a race",
        advice: "always sends the whole input, from the same rules the same one; where a rewrite matters, let no second hook rewrite, or deny",
    },
    Coexistence {
        events: &["Stop", "SubagentStop"],
        field: "",
        resolution: "any block sends the agent on, as often as a hook asks for it",
        advice: "sends the agent back once a turn, or as often as `max_retries` says",
    },
];
