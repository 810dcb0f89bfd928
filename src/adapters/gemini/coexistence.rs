//! What happens to our answer when other hooks of Gemini CLI answer the same event. This file is a table.
//!
//! Sources: the hook code of 0.61.0; runs with two hooks.

use crate::adapters::contract::Coexistence;

pub(super) const COEXISTENCE: &[Coexistence] = &[
    Coexistence {
        events: &["BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "SessionStart"],
        field: "",
        resolution: "any denial wins, then any question; `continue: false` of any hook wins; reasons, messages and context of all hooks are joined with line breaks",
        advice: "gives no reason unless it denies or asks",
    },
    Coexistence {
        events: &["BeforeTool"],
        field: "tool_input",
        resolution: "the whole input of the last hook wins, in the order of registration",
        advice: "always sends the whole input; a hook that is registered after it can undo a rewrite, but not a denial: deny if it matters",
    },
    Coexistence {
        events: &["BeforeModel", "AfterModel"],
        field: "",
        resolution: "for each field, the last hook that sets it wins: an `allow` of a later hook lifts a denial, a text of a later hook undoes a redaction",
        advice: "never sends `allow` there, and ends the loop instead of denying where possible; register it last",
    },
    Coexistence {
        events: &["BeforeToolSelection"],
        field: "",
        resolution: "the strictest mode wins (NONE, ANY, AUTO); names are merged",
        advice: "sends nothing unless a rule limits tools; the same rule denies the call",
    },
    Coexistence {
        events: &["Notification", "SessionEnd", "PreCompress"],
        field: "",
        resolution: "for each field, the last hook wins",
        advice: "–",
    },
];
