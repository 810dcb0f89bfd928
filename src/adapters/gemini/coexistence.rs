//! What happens to our answer when other hooks of Gemini CLI answer the same event. This file is a table.
//!
//! Sources: the hook code of 0.61.0; runs with two hooks.

use crate::adapters::contract::Coexistence;

pub(super) const COEXISTENCE: &[Coexistence] = &[
    Coexistence {
        events: &["BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "SessionStart"],
        field: "",
        resolution: "any refusal wins, then any question; `continue: false` of any hook wins; reasons, messages and context are joined with line breaks, also those of hooks that allow",
        advice: "gives no reason when it does not object",
    },
    Coexistence {
        events: &["BeforeTool"],
        field: "tool_input",
        resolution: "the last hook's whole input wins, in the order of registration",
        advice: "always sends the whole input; a hook that is registered behind it can undo a rewrite, never a refusal: deny where it matters",
    },
    Coexistence {
        events: &["BeforeModel", "AfterModel"],
        field: "",
        resolution: "field by field, the last hook that says something wins: an `allow` of a later hook lifts a refusal, a text of a later hook undoes a redaction",
        advice: "never says `allow` there, and ends the loop instead of refusing where that is possible; register it last",
    },
    Coexistence {
        events: &["BeforeToolSelection"],
        field: "",
        resolution: "the strictest mode wins (NONE, ANY, AUTO), names are united",
        advice: "says nothing unless a rule asks for it; the same rule refuses the call",
    },
    Coexistence {
        events: &["Notification", "SessionEnd", "PreCompress"],
        field: "",
        resolution: "field by field, the last one wins",
        advice: "–",
    },
];
