//! The table of effects: one row for each, from which [`EffectKind`] and its properties are generated. A row without
//! one of the fields does not compile.

use super::spec::{EffectForm, EffectSpec, VersionFallback};

macro_rules! effects {
    ($($(#[$doc:meta])* $kind:ident { $($row:tt)* })*) => {
        /// One kind of effect, in the order of strictness in which answers are explained.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum EffectKind {
            $($(#[$doc])* $kind,)*
        }

        impl EffectKind {
            /// The number of kinds.
            const COUNT: usize = [$(Self::$kind),*].len();

            /// Every kind, in order.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$kind),*];

            /// Returns the row of the effect.
            pub const fn spec(self) -> &'static EffectSpec {
                match self {
                    $(Self::$kind => &EffectSpec { $($row)* },)*
                }
            }
        }
    };
}

effects! {
    /// Ends the agent's loop.
    Stop {
        key: "stop",
        form: EffectForm::Text,
        needs_trust: false,
        dropped_on_refusal: false,
        continues_turn: false,
        version_fallback: VersionFallback::Sent,
        consent_phrase: "ends the agent's loop, and says",
        example: "Events for which the rule stops the agent.",
    }
    /// Refuses what is about to happen, or rejects what has just happened.
    Deny {
        key: "deny",
        form: EffectForm::Text,
        needs_trust: false,
        dropped_on_refusal: false,
        continues_turn: false,
        version_fallback: VersionFallback::Sent,
        consent_phrase: "denies, and says",
        example: "Events that the rule denies: commands, or events as in tests.",
    }
    /// Defers the call until somebody can decide.
    Defer {
        key: "defer",
        form: EffectForm::Text,
        needs_trust: false,
        dropped_on_refusal: true,
        continues_turn: false,
        version_fallback: VersionFallback::Substitute(EffectKind::Deny),
        consent_phrase: "defers the call, and says",
        example: "Events that the rule defers.",
    }
    /// Asks the user.
    Ask {
        key: "ask",
        form: EffectForm::Text,
        needs_trust: false,
        dropped_on_refusal: true,
        continues_turn: false,
        version_fallback: VersionFallback::Substitute(EffectKind::Deny),
        consent_phrase: "asks the user",
        example: "Events for which the rule asks.",
    }
    /// Replaces an output or an answer by another text.
    Replace {
        key: "replace",
        form: EffectForm::Text,
        needs_trust: true,
        dropped_on_refusal: false,
        continues_turn: false,
        // A refusal would not remove the result.
        version_fallback: VersionFallback::Substitute(EffectKind::Stop),
        consent_phrase: "replaces the tool's result with",
        example: "Events whose text the rule replaces.",
    }
    /// Redacts what was found in a text.
    Redact {
        key: "redact",
        form: EffectForm::Redactions,
        needs_trust: true,
        dropped_on_refusal: false,
        continues_turn: false,
        // A refusal would not remove the result.
        version_fallback: VersionFallback::Substitute(EffectKind::Stop),
        consent_phrase: "redacts its findings, and writes instead",
        example: "Events that the rule redacts.",
    }
    /// Sends the agent back to work with a reason.
    Retry {
        key: "retry",
        form: EffectForm::Text,
        needs_trust: true,
        dropped_on_refusal: false,
        continues_turn: true,
        version_fallback: VersionFallback::Lost,
        consent_phrase: "sends the agent back to work, and says",
        example: "Events for which the rule sends the agent back.",
    }
    /// Makes the agent start its conversation again.
    ClearContext {
        key: "clear_context",
        form: EffectForm::Flag("The conversation was cleared."),
        needs_trust: true,
        dropped_on_refusal: false,
        continues_turn: false,
        version_fallback: VersionFallback::Lost,
        consent_phrase: "clears the conversation",
        example: "Events for which the rule clears the conversation.",
    }
    /// Changes the input of a tool call, or a request to the model.
    Rewrite {
        key: "rewrite",
        form: EffectForm::Fields,
        needs_trust: true,
        dropped_on_refusal: true,
        continues_turn: false,
        version_fallback: VersionFallback::Substitute(EffectKind::Deny),
        consent_phrase: "changes the call:",
        example: "Events whose input the rule rewrites.",
    }
    /// Answers instead of the model.
    Respond {
        key: "respond",
        form: EffectForm::Text,
        needs_trust: true,
        dropped_on_refusal: true,
        continues_turn: false,
        version_fallback: VersionFallback::Substitute(EffectKind::Deny),
        consent_phrase: "answers instead of the model",
        example: "Events that the rule answers instead of the model.",
    }
    /// Limits the tools that the model may use.
    Tools {
        key: "tools",
        form: EffectForm::ToolLimits,
        needs_trust: false,
        dropped_on_refusal: false,
        continues_turn: false,
        version_fallback: VersionFallback::Substitute(EffectKind::Deny),
        consent_phrase: "limits the tools",
        example: "Events for which the rule limits tools.",
    }
    /// Runs a program, and applies its answer.
    Run {
        key: "run",
        form: EffectForm::Program,
        needs_trust: true,
        dropped_on_refusal: false,
        continues_turn: false,
        version_fallback: VersionFallback::Lost,
        consent_phrase: "runs",
        example: "Events for which the rule runs its program.",
    }
    /// Copies what a call would destroy before it runs.
    Backup {
        key: "backup",
        form: EffectForm::Backup,
        needs_trust: true,
        dropped_on_refusal: true,
        continues_turn: false,
        version_fallback: VersionFallback::Lost,
        consent_phrase: "keeps copies of what a call would destroy",
        example: "What the rule takes a backup before.",
    }
    /// Sends a text to the agent.
    Context {
        key: "context",
        form: EffectForm::Text,
        needs_trust: true,
        dropped_on_refusal: false,
        continues_turn: true,
        version_fallback: VersionFallback::Lost,
        consent_phrase: "tells the agent",
        example: "Events for which the rule gives the agent context.",
    }
    /// Shows a text to the user.
    Warn {
        key: "warn",
        form: EffectForm::Text,
        needs_trust: true,
        dropped_on_refusal: false,
        continues_turn: false,
        version_fallback: VersionFallback::Lost,
        consent_phrase: "tells you",
        example: "Events for which the rule warns the user.",
    }
    /// Skips the host's own question to the user.
    Allow {
        key: "allow",
        form: EffectForm::Text,
        needs_trust: true,
        dropped_on_refusal: true,
        continues_turn: false,
        version_fallback: VersionFallback::Lost,
        consent_phrase: "approves for you, and says",
        example: "Events that the rule approves.",
    }
    /// Writes a line to the audit log.
    Audit {
        key: "audit",
        form: EffectForm::Text,
        needs_trust: false,
        dropped_on_refusal: false,
        continues_turn: false,
        version_fallback: VersionFallback::Lost,
        consent_phrase: "records",
        example: "Events for which the rule adds an audit note.",
    }
}
