//! What becomes of an answer of ours when other hooks of Claude Code answer the same event. This file is a table.
//!
//! Sources: the hooks reference; runs of 2.1.329 with two hooks.

use crate::adapters::registration::Beside;

pub(super) const BESIDE: &[Beside] = &[
    Beside {
        events: &["PreToolUse"],
        field: "",
        becomes: "deny, then defer, ask, allow, in whatever order they come; of several refusals one reason is shown, that of the hook that ended last",
        so: "a refusal stands; its reason may not be the one that is read",
    },
    Beside {
        events: &["PreToolUse"],
        field: "updatedInput",
        becomes: "the hook that ends last wins with its whole input: a race",
        so: "always sends the whole input, from the same rules the same one; where a rewrite matters, let no second hook rewrite, or deny",
    },
    Beside {
        events: &["PostToolUse"],
        field: "updatedToolOutput",
        becomes: "the hook that ends last wins with its whole output: it may bring back what was taken out",
        so: "always sends the whole output; where a redaction matters, let no second hook change outputs",
    },
    Beside {
        events: &["PermissionRequest"],
        field: "",
        becomes: "the first answer wins, also that of the person or of `--permission-prompt-tool`: a refusal that comes late comes too late",
        so: "refuse at `tool.before`, where the strictest wins",
    },
    Beside {
        events: &["MessageDisplay"],
        field: "",
        becomes: "the hook that ends last wins with its text: it may bring back what was taken out",
        so: "let no second hook change what is shown",
    },
    Beside {
        events: &["Stop", "SubagentStop"],
        field: "",
        becomes: "each reason is a message of its own; the ninth block in a row is overridden",
        so: "sends the agent back once a turn, or as often as `max_retries` says",
    },
    Beside {
        events: &["UserPromptSubmit", "UserPromptExpansion", "PreCompact", "ConfigChange"],
        field: "",
        becomes: "any block wins",
        so: "–",
    },
    Beside { events: &["PreModelSwitch"], field: "", becomes: "deny, then ask, allow", so: "–" },
    Beside {
        events: &["Elicitation", "ElicitationResult"],
        field: "",
        becomes: "any decline wins over what accepts",
        so: "–",
    },
    Beside {
        events: &[],
        field: "",
        becomes: "context of all hooks is joined with line breaks; `continue: false` of any hook holds",
        so: "–",
    },
];
