//! The effects that a rule may ask for, as kinds and as sets of kinds.
//!
//! An effect is what one rule asks for; a [`Verdict`](super::verdict::Verdict) is the combination of all of them.
//! Which kinds of events can have an effect on any host is a column of the table in [`super::event::kind`]; how each
//! host carries it out is in the tables of the hosts.

pub mod spec;
mod table;

use std::fmt;

use spec::EffectForm;
pub use table::EffectKind;

impl EffectKind {
    /// Returns the key of the effect in a policy.
    pub const fn name(self) -> &'static str {
        self.spec().key
    }

    /// Returns the effect with a key, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|effect| effect.name() == name)
    }

    /// Returns what the effect consists of.
    pub const fn form(self) -> EffectForm {
        self.spec().form
    }

    /// Returns whether the effect of a project's rule is withheld until a user trusts that project's policy.
    pub const fn needs_trust(self) -> bool {
        self.spec().needs_trust
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

const _: () = assert!(EffectKind::ALL.len() <= u32::BITS as usize, "a set has a bit for each kind");

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

    /// Returns whether the set contains a kind.
    pub const fn contains(self, kind: EffectKind) -> bool {
        self.0 & (1 << (kind as u32)) != 0
    }

    /// Returns whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Lists the kinds in order.
    pub fn iter(self) -> impl Iterator<Item = EffectKind> {
        EffectKind::ALL.into_iter().filter(move |kind| self.contains(*kind))
    }
}
