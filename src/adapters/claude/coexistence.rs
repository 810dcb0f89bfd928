//! What happens to our answer when other hooks of Claude Code answer the same event. This file is a table.
//!
//! Sources: the hooks reference; runs of 2.1.329 with two hooks.

use crate::adapters::contract::Coexistence;

pub(super) const COEXISTENCE: &[Coexistence] = &[
    Coexistence {
        events: &["PreToolUse"],
        field: "",
        resolution: "deny, then defer, ask, allow, in any order; of several denials, only the reason of the last hook to finish is shown",
        advice: "a denial applies, but its reason may not be the one shown",
    },
    Coexistence {
        events: &["PreToolUse"],
        field: "updatedInput",
        resolution: "the input of the last hook to finish is used: a race",
        advice: "always sends the whole input, and the same one for the same rules; if a rewrite matters, don't use a second hook that rewrites, or deny instead",
    },
    Coexistence {
        events: &["PostToolUse"],
        field: "updatedToolOutput",
        resolution: "the output of the last hook to finish is used: it may undo a redaction",
        advice: "always sends the whole output; if a redaction matters, don't use a second hook that changes outputs",
    },
    Coexistence {
        events: &["PermissionRequest"],
        field: "",
        resolution: "the first answer wins, including that of the user or of `--permission-prompt-tool`: a later denial has no effect",
        advice: "deny at `tool.before`, where the strictest wins",
    },
    Coexistence {
        events: &["MessageDisplay"],
        field: "",
        resolution: "the text of the last hook to finish is used: it may undo a redaction",
        advice: "don't use a second hook that changes displayed text",
    },
    Coexistence {
        events: &["Stop", "SubagentStop"],
        field: "",
        resolution: "each reason is a separate message; the ninth block in a row is overridden",
        advice: "sends the agent back once per turn, or up to `max_retries` times",
    },
    Coexistence {
        events: &["UserPromptSubmit", "UserPromptExpansion", "PreCompact", "ConfigChange"],
        field: "",
        resolution: "any block wins",
        advice: "–",
    },
    Coexistence { events: &["PreModelSwitch"], field: "", resolution: "deny, then ask, allow", advice: "–" },
    Coexistence {
        events: &["Elicitation", "ElicitationResult"],
        field: "",
        resolution: "any decline wins",
        advice: "–",
    },
    Coexistence {
        events: &[],
        field: "",
        resolution: "the context of all hooks is joined with line breaks; `continue: false` of any hook applies",
        advice: "–",
    },
];
