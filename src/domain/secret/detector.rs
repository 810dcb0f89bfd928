//! A detector in the form that the scan uses: its entry and its compiled tables.
//!
//! [`Tier`] and [`Severity`] are independent of each other: how certain it is that the value is a credential, and how
//! much damage its loss does.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::builtin::Builtin;
use super::check::Check;
use super::custom::LazyDfa;
use super::matcher::DfaRef;
use super::spec::{Boundary, FailedProof};

/// The confidence of a finding, from lowest to highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// A name that suggests a secret and a value that looks random, or a known format that is often
    /// harmless.
    Generic,
    /// A format that many harmless values share, in a context that identifies it.
    Paired,
    /// A prefix that is used for nothing else, followed by the right length and alphabet.
    Strong,
    /// A correct checksum, or an inner structure that can be decoded.
    Proved,
}

impl Tier {
    /// Returns the tier's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Generic => "generic",
            Self::Paired => "paired",
            Self::Strong => "strong",
            Self::Proved => "proved",
        }
    }
}

/// The severity of a leaked value of this kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Little: an identifier, or something that opens nothing alone.
    Low,
    /// One narrow service, or a key that is itself protected.
    Medium,
    /// An account with a service.
    High,
    /// Money, machines, source code, or an identity.
    Critical,
}

/// A kind of secret and how it is detected.
#[derive(Debug)]
pub struct Detector {
    /// The id in policies and placeholders: kebab-case and unique.
    pub id: &'static str,
    /// What it finds, as a noun phrase for messages.
    pub name: &'static str,
    /// The tier of a finding that only its shape proves.
    pub tier: Tier,
    /// The severity of a real finding.
    pub severity: Severity,
    /// Where such a value belongs instead, for the agent that was about to write it.
    pub advice: &'static str,
    pub(super) pattern: DetectorPattern,
    pub(super) boundary: Boundary,
    pub(super) check: Option<Check>,
    pub(super) lookalike: FailedProof,
    pub(super) entropy: Option<f32>,
    pub(super) dummies: &'static [&'static str],
}

/// How the secrets of a detector are found.
#[derive(Debug)]
pub(super) enum DetectorPattern {
    /// A value recognized by its own form.
    Token(CompiledExpression),
    /// A value that is assigned to a matching name.
    Assigned(CompiledExpression),
    /// A value within a number of lines of a keyword.
    Near(CompiledExpression, u8),
    /// A built-in search.
    Builtin(Builtin),
}

/// The expression of a detector.
#[derive(Debug)]
pub(super) enum CompiledExpression {
    /// A constant of the program.
    Static(DfaRef<'static>),
    /// Compiled when it is first needed.
    Lazy(Box<LazyDfa>),
}
