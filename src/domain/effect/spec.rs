//! The fields of a row in the table of effects.

use super::EffectKind;

/// The row of one effect.
#[derive(Debug)]
pub struct EffectSpec {
    /// The key in policies, in audit records and in the output of commands.
    pub key: &'static str,
    /// What it consists of.
    pub form: EffectForm,
    /// Whether the effect of a project's rule is withheld until a user trusts that project's policy.
    ///
    /// An effect that only refuses, asks or records is harmless from any author. Every other effect can approve,
    /// change what is done, or speak with the hook's authority: to the agent it would be an instruction injected by a
    /// repository, to the user a message in the program's name.
    pub needs_trust: bool,
    /// Whether it is omitted from an answer that refuses, since it has no use there.
    pub dropped_on_refusal: bool,
    /// Whether it makes an agent continue after its answer, so that it is only sent a limited number of times in one
    /// turn.
    pub continues_turn: bool,
    /// What replaces it at a version of a host that does not carry it out yet.
    pub version_fallback: VersionFallback,
    /// The description for users who are asked to trust a policy; its parameters follow.
    pub consent_phrase: &'static str,
    /// The description of the examples of a rule under its key.
    pub example: &'static str,
}

/// What an effect consists of. It determines how programs answer with it, and where a verdict stores it: all forms
/// except texts and flags have a field there, so at most one effect has each of those forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EffectForm {
    /// A text: a message, a reason or an answer.
    Text,
    /// No value: it is requested or not. The text describes it.
    Flag(&'static str),
    /// New values of fields.
    Fields,
    /// Spans of the event's texts.
    Redactions,
    /// Limits on tools.
    ToolLimits,
    /// A program, whose answer has effects of its own.
    Program,
    /// A copy of what a call would destroy. Where none can be taken, another effect follows.
    Backup,
}

/// What replaces an effect at a version of a host that does not carry it out yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VersionFallback {
    /// It is still sent: a refusal stays in effect if a version is unknown or wrong.
    Sent,
    /// Another effect is sent.
    Substitute(EffectKind),
    /// Nothing is sent.
    Lost,
}
