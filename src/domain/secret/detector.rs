//! A detector as the search works with it: what its entry says, and the tables that were made of that.
//!
//! [`Tier`] and [`Severity`] answer different questions and are independent of each other: how sure it is that the
//! value is a credential at all, and how much is lost when it is one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    builtin::Builtin,
    check::Check,
    entry::{Ends, Lookalike},
    expression::Table,
    own::Lazy,
};

/// How well a finding is proved, from the weakest to the strongest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// A name that promises a secret and a value that looks random, or a known shape that is often harmless.
    Generic,
    /// A shape that many harmless values share, in surroundings that settle it.
    Paired,
    /// A prefix that is used for nothing else, and the right length and alphabet behind it.
    Strong,
    /// A checksum that holds, or an inner structure that decodes.
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

/// How much a leaked value of this kind gives away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize, JsonSchema)]
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

/// A kind of secret and how to know it.
#[derive(Debug)]
pub struct Detector {
    /// Kebab-case and unique; what policies and placeholders write.
    pub id: &'static str,
    /// What it finds, as a noun phrase for people.
    pub name: &'static str,
    /// How well a finding is proved when nothing beyond the shape proves it.
    pub tier: Tier,
    /// What a finding costs when it is real.
    pub severity: Severity,
    /// Where such a value belongs instead, said to the agent that was about to write it.
    pub advice: &'static str,
    pub(super) shape: Shape,
    pub(super) ends: Ends,
    pub(super) check: Option<Check>,
    pub(super) lookalike: Lookalike,
    pub(super) entropy: Option<f32>,
    pub(super) dummies: &'static [&'static str],
}

/// How the secrets of a detector look.
#[derive(Debug)]
pub(super) enum Shape {
    /// A value known by its own form.
    Token(Expression),
    /// A value that a telling name is given.
    Assigned(Expression),
    /// A value within so many lines of a telling word.
    Near(Expression, u8),
    /// A search that is written in the program.
    Builtin(Builtin),
}

/// The expression of a detector.
#[derive(Debug)]
pub(super) enum Expression {
    /// Made when the program was built.
    Ready(Table<'static>),
    /// Made when it is first needed.
    Lazy(Box<Lazy>),
}
