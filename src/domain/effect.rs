//! What a rule may ask for, as kinds and as sets of kinds.
//!
//! An effect is what one rule wants; a [`Verdict`](super::verdict::Verdict) is what all of them
//! together come to. Which effect a moment can carry at all stands in [`super::kind`]; what each
//! host makes of it stands in the hosts' tables.

use std::fmt;

/// One kind of effect, in the order of strictness in which answers are explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EffectKind {
    /// Ends the agent's loop.
    Stop,
    /// Refuses what is about to happen, or takes back what just did.
    Deny,
    /// Puts the call off until somebody can decide.
    Defer,
    /// Puts the question to a person.
    Ask,
    /// Puts another text in the place of an output or an answer.
    Replace,
    /// Takes what was found out of a text.
    Redact,
    /// Sends the agent back to work with a reason.
    Retry,
    /// Has the agent begin its conversation anew.
    ClearContext,
    /// Changes the input of a tool call, or a request to the model.
    Rewrite,
    /// Answers in the model's place.
    Respond,
    /// Limits the tools that the model may use.
    Tools,
    /// Runs a program, and heeds what it says.
    Run,
    /// Tells the agent something.
    Context,
    /// Tells the person something.
    Warn,
    /// Skips the host's own question.
    Allow,
    /// Leaves a line in the audit log.
    Audit,
}

impl EffectKind {
    /// Every kind, in order.
    pub const ALL: [Self; 16] = [
        Self::Stop,
        Self::Deny,
        Self::Defer,
        Self::Ask,
        Self::Replace,
        Self::Redact,
        Self::Retry,
        Self::ClearContext,
        Self::Rewrite,
        Self::Respond,
        Self::Tools,
        Self::Run,
        Self::Context,
        Self::Warn,
        Self::Allow,
        Self::Audit,
    ];

    /// Tells whether the effect of a project's rule waits until a person trusts that project's policy.
    ///
    /// What only refuses, asks or records can be a stranger's. Whatever else there is can approve,
    /// change what is done, or speak with the hook's authority: to the agent it would be an
    /// instruction that a repository slips in, to the person a message in the program's name.
    pub const fn needs_trust(self) -> bool {
        match self {
            Self::Stop | Self::Deny | Self::Defer | Self::Ask | Self::Tools | Self::Audit => false,
            Self::Replace
            | Self::Redact
            | Self::Retry
            | Self::ClearContext
            | Self::Rewrite
            | Self::Respond
            | Self::Run
            | Self::Context
            | Self::Warn
            | Self::Allow => true,
        }
    }

    /// Returns the key of the effect in a policy.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Deny => "deny",
            Self::Defer => "defer",
            Self::Ask => "ask",
            Self::Replace => "replace",
            Self::Redact => "redact",
            Self::Retry => "retry",
            Self::ClearContext => "clear_context",
            Self::Rewrite => "rewrite",
            Self::Respond => "respond",
            Self::Tools => "tools",
            Self::Run => "run",
            Self::Context => "context",
            Self::Warn => "warn",
            Self::Allow => "allow",
            Self::Audit => "audit",
        }
    }
}

impl fmt::Display for EffectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of effect kinds, usable in constant tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effects(u32);

impl Effects {
    /// Returns the set of the given kinds.
    pub const fn of(kinds: &[EffectKind]) -> Self {
        let mut bits = 0;
        let mut rest = kinds;
        while let [first, tail @ ..] = rest {
            bits |= 1 << (*first as u32);
            rest = tail;
        }
        Self(bits)
    }

    /// Returns the set with one more kind.
    #[must_use]
    pub const fn with(self, kind: EffectKind) -> Self {
        Self(self.0 | 1 << (kind as u32))
    }

    /// Tells whether the set holds a kind.
    pub const fn contains(self, kind: EffectKind) -> bool {
        self.0 & (1 << (kind as u32)) != 0
    }

    /// Tells whether the set holds nothing.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Lists the kinds in order.
    pub fn iter(self) -> impl Iterator<Item = EffectKind> {
        EffectKind::ALL.into_iter().filter(move |kind| self.contains(*kind))
    }
}
