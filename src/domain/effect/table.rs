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
        example: "What the rule ends the loop for.",
    }
    /// Refuses what is about to happen, or rejects what has just happened.
    Deny {
        key: "deny",
        form: EffectForm::Text,
        needs_trust: false,
        dropped_on_refusal: false,
        continues_turn: false,
        version_fallback: VersionFallback::Sent,
        consent_phrase: "refuses, and says",
        example: "What the rule refuses: command lines, or events as in tests.",
    }
    /// Defers the call until somebody can decide.
    Defer {
        key: "defer",
        form: EffectForm::Text,
        needs_trust: false,
        dropped_on_refusal: true,
        continues_turn: false,
        version_fallback: VersionFallback::Substitute(EffectKind::Deny),
        consent_phrase: "puts the call off, and says",
        example: "What the rule puts off.",
    }
    /// Asks the user.
    Ask {
        key: "ask",
        form: EffectForm::Text,
        needs_trust: false,
        dropped_on_refusal: true,
        continues_turn: false,
        version_fallback: VersionFallback::Substitute(EffectKind::Deny),
        consent_phrase: "has a person asked",
        example: "What the rule has a person asked about.",
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
        consent_phrase: "puts in the place of what a tool returned",
        example: "What the rule puts another text in the place of.",
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
        consent_phrase: "takes what it finds out of texts, and writes there",
        example: "What the rule takes something out of.",
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
        example: "What the rule sends the agent back to work for.",
    }
    /// Makes the agent start its conversation again.
    ClearContext {
        key: "clear_context",
        form: EffectForm::Flag("The conversation begins anew."),
        needs_trust: true,
        dropped_on_refusal: false,
        continues_turn: false,
        version_fallback: VersionFallback::Lost,
        consent_phrase: "has the conversation begin anew",
        example: "What the rule has the conversation begun anew for.",
    }
    /// Changes the input of a tool call, or a request to the model.
    Rewrite {
        key: "rewrite",
        form: EffectForm::Fields,
        needs_trust: true,
        dropped_on_refusal: true,
        continues_turn: false,
        version_fallback: VersionFallback::Substitute(EffectKind::Deny),
        consent_phrase: "changes what is done:",
        example: "What the rule changes the input of.",
    }
    /// Answers instead of the model.
    Respond {
        key: "respond",
        form: EffectForm::Text,
        needs_trust: true,
        dropped_on_refusal: true,
        continues_turn: false,
        version_fallback: VersionFallback::Substitute(EffectKind::Deny),
        consent_phrase: "answers in the model's place",
        example: "What the rule answers in the model's place.",
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
        example: "What the rule limits the tools at.",
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
        example: "What the rule runs its program at.",
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
        example: "What the rule tells the agent something about.",
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
        example: "What the rule tells the person something about.",
    }
    /// Skips the host's own question to the user.
    Allow {
        key: "allow",
        form: EffectForm::Text,
        needs_trust: true,
        dropped_on_refusal: true,
        continues_turn: false,
        version_fallback: VersionFallback::Lost,
        consent_phrase: "approves in your place, and says",
        example: "What the rule approves.",
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
        example: "What the rule leaves a note about.",
    }
}
