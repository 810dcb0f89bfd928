//! What happens to our answer when other hooks of Claude Code answer the same event. This file is a table.
//!
//! Sources: the hooks reference; runs of 2.1.329 with two hooks.

use crate::adapters::contract::Coexistence;

pub(super) const COEXISTENCE: &[Coexistence] = &[
    Coexistence {
        events: &["PreToolUse"],
        field: "",
        resolution: "deny, then defer, ask, allow, in whatever order they come; of several refusals one reason is shown, that of the hook that ended last",
        advice: "a refusal stands; its reason may not be the one that is read",
    },
    Coexistence {
        events: &["PreToolUse"],
        field: "updatedInput",
        resolution: "the hook that ends last wins with its whole input: a race",
        advice: "always sends the whole input, from the same rules the same one; where a rewrite matters, let no second hook rewrite, or deny",
    },
    Coexistence {
        events: &["PostToolUse"],
        field: "updatedToolOutput",
        resolution: "the hook that ends last wins with its whole output: it may bring back what was taken out",
        advice: "always sends the whole output; where a redaction matters, let no second hook change outputs",
    },
    Coexistence {
        events: &["PermissionRequest"],
        field: "",
        resolution: "the first answer wins, also that of the person or of `--permission-prompt-tool`: a refusal that comes late comes too late",
        advice: "refuse at `tool.before`, where the strictest wins",
    },
    Coexistence {
        events: &["MessageDisplay"],
        field: "",
        resolution: "the hook that ends last wins with its text: it may bring back what was taken out",
        advice: "let no second hook change what is shown",
    },
    Coexistence {
        events: &["Stop", "SubagentStop"],
        field: "",
        resolution: "each reason is a message of its own; the ninth block in a row is overridden",
        advice: "sends the agent back once a turn, or as often as `max_retries` says",
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
        resolution: "any decline wins over what accepts",
        advice: "–",
    },
    Coexistence {
        events: &[],
        field: "",
        resolution: "context of all hooks is joined with line breaks; `continue: false` of any hook holds",
        advice: "–",
    },
];
