//! What a host makes of an effect, in words: the documents and `ruleward hosts` say it alike.

use super::{Host, Row, Support};
use crate::domain::effect::EffectKind;

/// What an event of a host makes of an effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capability {
    /// The effect.
    pub effect: EffectKind,
    /// What comes of it, in a few words.
    pub short: String,
    /// What there is to know about it; empty when nothing.
    pub note: &'static str,
    /// The first version that carries it out; empty when all that are known do.
    pub since: &'static str,
}

impl Support {
    /// Returns the first version that carries it out; empty when all that are known do.
    pub const fn since(self) -> &'static str {
        match self {
            Self::Honoured(since) | Self::Since(since, _) => since,
            Self::With(_)
            | Self::Unsaid(_)
            | Self::As(..)
            | Self::Interactive(..)
            | Self::Shaped(..)
            | Self::Beside(..) => "",
        }
    }

    /// Returns what comes of an effect in a few words, and what there is to know about it.
    pub fn told(self) -> (String, &'static str) {
        match self {
            Self::Honoured("") => ("yes".into(), ""),
            Self::Honoured(since) => (format!("yes, since {since}"), ""),
            Self::With(note) => ("yes".into(), note),
            Self::Since(since, note) => (format!("yes, since {since}"), note),
            Self::Unsaid(note) => ("by itself".into(), note),
            Self::As(to, note) => (format!("as {to}"), note),
            Self::Interactive(to, note) => (format!("with a person; else as {to}"), note),
            Self::Shaped(to, note) => (format!("where the result's shape is known; else as {to}"), note),
            Self::Beside(beside, to, note) => (format!("beside {beside}; else as {to}"), note),
        }
    }
}

/// Lists what an event makes of effects, in the order of the effects.
pub fn capabilities(row: &Row) -> Vec<Capability> {
    let listed = EffectKind::ALL.into_iter().filter_map(|effect| row.support(effect).map(|support| (effect, support)));
    listed
        .map(|(effect, support)| {
            let (short, note) = support.told();
            Capability { effect, short, note, since: support.since() }
        })
        .collect()
}

/// Returns the effects that a host's documents speak of: `audit` does not go through a host.
pub fn effects(host: &Host) -> Vec<EffectKind> {
    let honoured = |effect: &EffectKind| host.rows.iter().any(|row| row.support(*effect).is_some());
    EffectKind::ALL.into_iter().filter(honoured).collect()
}
