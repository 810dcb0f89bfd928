//! What becomes of an answer of ours when other hooks of llxprt-code answer the same event. This file is a table.
//!
//! Source: its hook code, 0.11.0.

use crate::adapters::registration::Beside;

pub(super) const BESIDE: &[Beside] = &[
    Beside {
        events: &["BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "SessionStart"],
        field: "",
        becomes: "any refusal wins; reasons, messages and context are joined with line breaks",
        so: "gives no reason when it does not object",
    },
    Beside {
        events: &["BeforeModel", "AfterModel"],
        field: "",
        becomes: "field by field, the last hook that says something wins: an `allow` of a later hook lifts a refusal",
        so: "never says `allow` there",
    },
    Beside {
        events: &["BeforeToolSelection"],
        field: "",
        becomes: "only names that every list has are left; the mode is not looked at",
        so: "says nothing unless a rule asks for it",
    },
];
