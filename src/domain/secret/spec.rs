//! A detector entry as written: in the bundled `policies/detectors/*.yaml`, and under `detectors:` of a policy.
//!
//! An entry has exactly one of four shapes. [`super::compile`] compiles it to the form that the scan uses.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::builtin::Builtin;
use super::check::Check;
use super::detector::{Severity, Tier};

/// A kind of secret and how to find it.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DetectorSpec {
    /// Kebab-case and unique; what policies, findings and placeholders write.
    pub id: String,
    /// A short name for people.
    pub name: String,
    /// A value with its own format: an ASCII expression with classes, counted repetition and
    /// alternatives, but without anchors, look-around and capturing groups. Every match contains a
    /// literal of at least three bytes.
    #[serde(default)]
    pub token: Option<String>,
    /// A value assigned to a certain name.
    #[serde(default)]
    pub assigned: Option<AssignedSpec>,
    /// A value with a common format near a certain word.
    #[serde(default)]
    pub near: Option<NearSpec>,
    /// A search that an expression can't describe; only for bundled detectors.
    #[serde(default)]
    pub builtin: Option<Builtin>,
    /// Literals of at least three bytes. Every match of `token` contains one of them; needed if
    /// none can be taken from the expression. For a `builtin`, the literals to search for.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// Characters that can't be next to the value.
    #[serde(default)]
    pub ends: Boundary,
    /// A condition in addition to the format.
    #[serde(default)]
    pub check: Option<Check>,
    /// How to treat a value whose check fails.
    #[serde(default)]
    pub lookalike: FailedProof,
    /// The least entropy of the value's random part, in bits per byte.
    #[serde(default)]
    pub entropy: Option<f32>,
    /// The confidence of a finding without a check.
    pub tier: DeclaredTier,
    /// The severity of a real finding.
    pub severity: Severity,
    /// Where to store such a value instead: a predefined advice, or a sentence.
    pub advice: String,
    /// Documentation examples that give no access. `¦` is removed from them, as from examples.
    #[serde(default)]
    pub dummies: Vec<String>,
    /// Examples of texts that match and texts that don't. `¦` is removed from them, so that
    /// scanners don't report the examples.
    #[serde(default)]
    pub examples: DetectorExamples,
}

/// A value assigned to a name, in any notation.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AssignedSpec {
    /// Parts of the name, in any case: texts of at least three bytes, with few choices
    /// (`dd[-_.]?api`).
    pub to: Vec<String>,
    /// The value as an expression.
    pub value: String,
}

/// A value with a common format near a certain word.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NearSpec {
    /// The words, in any case: texts of three bytes or more, with few choices.
    pub words: Vec<String>,
    /// The value as an expression.
    pub value: String,
    /// The maximum distance to a word in lines.
    #[serde(default = "default_near_lines")]
    pub lines: u8,
}

const fn default_near_lines() -> u8 {
    5
}

/// Characters that can't be next to a value.
///
/// On the left these are letters and digits, for `base64` also `+` and `/`; an escape such as `\n` or `%3D` counts as
/// one character. On the right it is the word's whole alphabet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Boundary {
    /// Letters and digits.
    #[default]
    Word,
    /// Letters, digits, `_` and `-`.
    Urlsafe,
    /// Letters, digits, `+`, `/` and `=`.
    Base64,
    /// Any character is allowed.
    Any,
}

/// How to treat a value with the right format whose check fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FailedProof {
    /// A finding of the tier `generic`.
    #[default]
    Generic,
    /// None.
    Drop,
}

/// A tier that an entry may give: `proved` is for proofs to give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum DeclaredTier {
    /// Often harmless; only used by name. A check of such an entry filters matches and doesn't
    /// raise the tier.
    Generic,
    /// A common format in a context that identifies it.
    Paired,
    /// A format that is used for nothing else.
    Strong,
}

impl From<DeclaredTier> for Tier {
    fn from(tier: DeclaredTier) -> Self {
        match tier {
            DeclaredTier::Generic => Self::Generic,
            DeclaredTier::Paired => Self::Paired,
            DeclaredTier::Strong => Self::Strong,
        }
    }
}

/// Examples of texts that match and texts that don't.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DetectorExamples {
    /// Texts that contain one such secret each.
    #[serde(default)]
    pub secret: Vec<String>,
    /// Similar texts without a secret.
    #[serde(default)]
    pub pass: Vec<String>,
}

/// The standard values of `advice`.
pub const STANDARD_ADVICE: &[(&str, &str)] = &[
    ("variable", "Read it from an environment variable at runtime, and only use the name of the variable in the code."),
    (
        "secret-store",
        "Store it in the secret store of the environment where the program runs, and only use its name here.",
    ),
    ("aws", "Use a profile or the machine's role; the SDK and the command line find the key themselves."),
    ("google", "Use application default credentials or workload identity; the client libraries find them themselves."),
    ("azure", "Use a managed identity, or a reference to a key vault, instead of a connection string with the key."),
    (
        "packages",
        "Log in with the package manager's own command or use trusted publishing; no file of the project needs the token.",
    ),
    ("pipeline", "Use the pipeline's variable or git's credential helper."),
    ("chat", "Read it from an environment variable; anyone who has it can post and read as the application."),
    ("key-file", "Keep the key in its own file outside the project, readable only by its owner, and use the path."),
    ("login", "Write the URL without user and password, and read both from the environment at runtime."),
    ("header", "Put the credential into an environment variable, and use the variable in the header."),
];

/// Returns the sentence of an advice; `None` when it is neither a known word nor a sentence.
pub fn advice_text(written: &str) -> Option<&str> {
    let known = STANDARD_ADVICE.iter().find(|(word, _)| *word == written).map(|(_, sentence)| *sentence);
    known.or_else(|| (written.contains(' ') && written.ends_with('.')).then_some(written))
}
