//! How a host supports an effect, in words. The documents and `ruleward hosts` share these texts.

use crate::adapters::contract::{EventRow, Host, Support};
use crate::domain::effect::EffectKind;

/// How an event of a host supports an effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capability {
    /// The effect.
    pub effect: EffectKind,
    /// The result, in a few words.
    pub summary: String,
    /// A remark about it; empty when there is none.
    pub note: &'static str,
    /// The first version that supports it; empty when all known versions do.
    pub since: &'static str,
}

impl Support {
    /// Returns the first version that supports it; empty when all known versions do.
    pub const fn since(self) -> &'static str {
        match self {
            Self::Full(since) | Self::Since(since, _) => since,
            Self::WithNote(_)
            | Self::Implicit(_)
            | Self::Substitute(..)
            | Self::Interactive(..)
            | Self::KnownShape(..)
            | Self::Combined(..) => "",
        }
    }

    /// Returns a short description of how an effect is supported, and a remark about it.
    pub fn describe(self) -> (String, &'static str) {
        match self {
            Self::Full("") => ("yes".into(), ""),
            Self::Full(since) => (format!("yes, since {since}"), ""),
            Self::WithNote(note) => ("yes".into(), note),
            Self::Since(since, note) => (format!("yes, since {since}"), note),
            Self::Implicit(note) => ("by itself".into(), note),
            Self::Substitute(to, note) => (format!("as {to}"), note),
            Self::Interactive(to, note) => (format!("with a user; otherwise as {to}"), note),
            Self::KnownShape(to, note) => (format!("if the result's structure is known; otherwise as {to}"), note),
            Self::Combined(beside, to, note) => (format!("with {beside}; otherwise as {to}"), note),
        }
    }
}

/// Lists how an event supports effects, in the order of the effects.
pub fn capabilities(row: &EventRow) -> Vec<Capability> {
    let listed = EffectKind::ALL.into_iter().filter_map(|effect| row.support(effect).map(|support| (effect, support)));
    listed
        .map(|(effect, support)| {
            let (short, note) = support.describe();
            Capability { effect, summary: short, note, since: support.since() }
        })
        .collect()
}

/// Returns the effects that a host's documents list: `audit` does not go through a host.
pub fn supported_effects(host: &Host) -> Vec<EffectKind> {
    let honoured = |effect: &EffectKind| host.events.iter().any(|row| row.support(*effect).is_some());
    EffectKind::ALL.into_iter().filter(honoured).collect()
}
