//! What happens to our answer when other hooks of llxprt-code answer the same event. This file is a table.
//!
//! Source: its hook code, 0.11.0.

use crate::adapters::contract::Coexistence;

pub(super) const COEXISTENCE: &[Coexistence] = &[
    Coexistence {
        events: &["BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "SessionStart"],
        field: "",
        resolution: "any denial wins; reasons, messages and context are joined with line breaks",
        advice: "gives no reason unless it denies or asks",
    },
    Coexistence {
        events: &["BeforeModel", "AfterModel"],
        field: "",
        resolution: "for each field, the last hook that sets it wins: an `allow` of a later hook lifts a denial",
        advice: "never sends `allow` there",
    },
    Coexistence {
        events: &["BeforeToolSelection"],
        field: "",
        resolution: "only names that are in every list remain; the mode is ignored",
        advice: "sends nothing unless a rule limits tools",
    },
];
