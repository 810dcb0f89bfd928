//! Prefilters: what an event must have for a rule to hold.
//!
//! Most rules of a large policy are not about most events. A prefilter tells so without decoding the rule: a no is
//! always right, and a yes only means that the rule has to be evaluated.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::rule::Rule;
use crate::domain::condition::requirements::{EventSummary, Requirements};
use crate::domain::event::kind::KindSet;

/// A cheap and necessary condition of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prefilter {
    pub(crate) kinds: KindSet,
    pub(crate) requirements: Requirements,
}

impl Prefilter {
    /// Returns the prefilter of a rule.
    pub fn of(rule: &Rule) -> Self {
        Self { kinds: rule.kinds(), requirements: rule.conditions.requirements() }
    }

    /// Returns the kinds of events at which the rule is evaluated.
    pub const fn kinds(&self) -> KindSet {
        self.kinds
    }

    /// Returns whether the rule may hold.
    pub fn may_match(&self, event: &EventSummary<'_, '_>) -> bool {
        event.is_kind_in(self.kinds) && self.requirements.may_match(event)
    }
}

/// A rule that is decoded when it is needed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CompiledRule {
    /// The rule's id.
    pub id: Cow<'static, str>,
    /// The pack that defines it.
    pub source: Cow<'static, str>,
    /// Its prefilter.
    pub prefilter: Prefilter,
    /// The rule, encoded.
    pub(crate) rule: Cow<'static, [u8]>,
}

impl CompiledRule {
    /// Compiles a rule of a pack or file.
    ///
    /// # Errors
    /// Returns why it cannot be encoded.
    pub fn encode(rule: &Rule, source: &str) -> Result<Self, CodecError> {
        let encoded = postcard::to_allocvec(rule).map_err(CodecError)?;
        let (id, source) = (rule.id.clone().into(), source.to_owned().into());
        Ok(Self { id, source, prefilter: Prefilter::of(rule), rule: encoded.into() })
    }

    /// Returns the rule.
    ///
    /// # Errors
    /// Returns that the bytes are not a rule's.
    pub fn decode(&self) -> Result<Rule, CodecError> {
        postcard::from_bytes(&self.rule).map_err(CodecError)
    }
}

/// The reason why a rule cannot be encoded or decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodecError(postcard::Error);

impl fmt::Display for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for CodecError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}
