//! The row type of the detector table, and what its columns mean.
//!
//! [`Tier`] and [`Severity`] answer different questions and are independent of each other: how sure it is that the
//! value is a credential at all, and how much is lost when it is one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How well a finding is proved, from the weakest to the strongest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

/// What a check found out about a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// The candidate is what the detector is about.
    Secret,
    /// The candidate only has the shape.
    Lookalike,
}

impl From<bool> for Check {
    fn from(secret: bool) -> Self {
        if secret { Self::Secret } else { Self::Lookalike }
    }
}

/// How much text around a keyword is searched, in bytes.
///
/// The end is moved on to where the token that stands there ends, so that no value is cut. The same distances,
/// measured from the value, bound what a check may see of the surroundings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Bytes before the keyword.
    pub back: usize,
    /// Bytes after the keyword's first.
    pub ahead: usize,
}

impl Window {
    /// A value that holds the keyword, or stands on the same line.
    pub const LINE: Self = Self { back: 128, ahead: 640 };
    /// A value a few lines away from the keyword.
    pub const NEARBY: Self = Self { back: 384, ahead: 384 };
    /// A value of many lines: no key in use has more.
    pub const BLOCK: Self = Self { back: 64, ahead: 32 * 1024 };
}

/// A piece of text that a pattern matched, with its surroundings.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'t> {
    /// The piece that would be a secret.
    pub value: &'t str,
    /// Text that ends where the value begins.
    pub before: &'t str,
    /// Text that begins where the value ends.
    pub after: &'t str,
}

/// A kind of secret and how to know it.
#[derive(Clone, Copy, Debug)]
pub struct Detector {
    /// Kebab-case and unique; what policies and placeholders write.
    pub id: &'static str,
    /// What it finds, as a noun phrase for people.
    pub name: &'static str,
    /// Lower case, three bytes or more. The pattern is not even compiled before one of them occurred, in any case.
    pub keywords: &'static [&'static str],
    /// Where, relative to a keyword, the pattern is tried.
    pub window: Window,
    /// An expression over bytes, without Unicode classes. The first group that took part is the value.
    pub pattern: &'static str,
    /// What must hold beyond the pattern; `None` when the pattern says all.
    pub check: Option<fn(&Candidate<'_>) -> Check>,
    /// How well a finding is proved.
    pub tier: Tier,
    /// What a finding costs when it is real.
    pub severity: Severity,
    /// Where such a value belongs instead, said to the agent that was about to write it.
    pub advice: &'static str,
    /// Pieces that together make text with one such secret. In pieces, so that no scanner takes the table for a leak.
    pub positive: &'static [&'static str],
    /// Pieces that together make the nearest text without one.
    pub negative: &'static [&'static str],
}
