//! What happens to our answer when other plugins of `OpenCode` see the same event. This file is a table.
//!
//! Source: runs of 1.18.33.

use crate::adapters::contract::Coexistence;

pub(super) const COEXISTENCE: &[Coexistence] = &[
    Coexistence {
        events: &["tool.execute.before", "chat.message"],
        field: "",
        resolution: "the plugins run one after another; the first one that throws denies the call",
        advice: "–",
    },
    Coexistence {
        events: &["tool.execute.before"],
        field: "input",
        resolution: "all plugins change the same object, and the host uses the final state",
        advice: "evaluates what it receives; `ruleward doctor` lists the plugins that may run later",
    },
    Coexistence {
        events: &["tool.execute.after"],
        field: "output",
        resolution: "all plugins change the same object: a later one may undo a redaction",
        advice: "always changes the whole result; if a redaction matters, don't use a second plugin that changes results",
    },
];
