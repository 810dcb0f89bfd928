//! What happens to our answer when other plugins of OpenCode see the same event. This file is a table.
//!
//! Source: runs of 1.18.33.

use crate::adapters::contract::Coexistence;

pub(super) const COEXISTENCE: &[Coexistence] = &[
    Coexistence {
        events: &["tool.execute.before", "chat.message"],
        field: "",
        resolution: "the plugins run one after the other; the first one that throws refuses",
        advice: "–",
    },
    Coexistence {
        events: &["tool.execute.before"],
        field: "input",
        resolution: "all plugins change the same object, and the host runs what the last one leaves",
        advice: "judges what it is given; `ruleward doctor` lists the plugins that may run later",
    },
    Coexistence {
        events: &["tool.execute.after"],
        field: "output",
        resolution: "all plugins change the same object: a later one may bring back what was removed",
        advice: "always changes the whole result; where a redaction matters, let no second plugin change results",
    },
];
