//! What happens to our answer when other hooks of llxprt-code answer the same event. This file is a table.
//!
//! Source: its hook code, 0.11.0.

use crate::adapters::contract::Coexistence;

pub(super) const COEXISTENCE: &[Coexistence] = &[
    Coexistence {
        events: &["BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "SessionStart"],
        field: "",
        resolution: "any refusal wins; reasons, messages and context are joined with line breaks",
        advice: "gives no reason when it does not object",
    },
    Coexistence {
        events: &["BeforeModel", "AfterModel"],
        field: "",
        resolution: "field by field, the last hook that says something wins: an `allow` of a later hook lifts a refusal",
        advice: "never says `allow` there",
    },
    Coexistence {
        events: &["BeforeToolSelection"],
        field: "",
        resolution: "only names that every list has are left; the mode is not looked at",
        advice: "says nothing unless a rule asks for it",
    },
];
