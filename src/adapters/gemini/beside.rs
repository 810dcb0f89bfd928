//! What becomes of an answer of ours when other hooks of Gemini CLI answer the same event. This file is a table.
//!
//! Sources: the hook code of 0.61.0; runs with two hooks.

use crate::adapters::registration::Beside;

pub(super) const BESIDE: &[Beside] = &[
    Beside {
        events: &["BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "SessionStart"],
        field: "",
        becomes: "any refusal wins, then any question; `continue: false` of any hook wins; reasons, messages and context are joined with line breaks, also those of hooks that allow",
        so: "gives no reason when it does not object",
    },
    Beside {
        events: &["BeforeTool"],
        field: "tool_input",
        becomes: "the last hook's whole input wins, in the order of registration",
        so: "always sends the whole input; a hook that is registered behind it can undo a rewrite, never a refusal: deny where it matters",
    },
    Beside {
        events: &["BeforeModel", "AfterModel"],
        field: "",
        becomes: "field by field, the last hook that says something wins: an `allow` of a later hook lifts a refusal, a text of a later hook undoes a redaction",
        so: "never says `allow` there, and ends the loop instead of refusing where that is possible; register it last",
    },
    Beside {
        events: &["BeforeToolSelection"],
        field: "",
        becomes: "the strictest mode wins (NONE, ANY, AUTO), names are united",
        so: "says nothing unless a rule asks for it; the same rule refuses the call",
    },
    Beside {
        events: &["Notification", "SessionEnd", "PreCompress"],
        field: "",
        becomes: "field by field, the last one wins",
        so: "–",
    },
];
