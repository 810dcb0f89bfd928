//! A detector entry as written: in the bundled `policies/detectors/*.yaml`, and under `detectors:` of a policy.
//!
//! An entry has exactly one of four shapes. [`super::compile`] compiles it to the form that the scan uses.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::builtin::Builtin;
use super::check::Check;
use super::detector::{Severity, Tier};

/// A kind of secret and how to know it.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DetectorSpec {
    /// Kebab-case and unique; what policies, findings and placeholders write.
    pub id: String,
    /// What it finds, as a noun phrase for people.
    pub name: String,
    /// A value known by its own form: an expression over ASCII with classes, counted repetition and alternatives, but
    /// without anchors, look-around and groups that capture. Every match holds a literal of three bytes or more.
    #[serde(default)]
    pub token: Option<String>,
    /// A value that a telling name is given.
    #[serde(default)]
    pub assigned: Option<AssignedSpec>,
    /// A value of a common shape near a telling word.
    #[serde(default)]
    pub near: Option<NearSpec>,
    /// A search that no expression can say; only for the detectors that come with the program.
    #[serde(default)]
    pub builtin: Option<Builtin>,
    /// Literals of three bytes or more, of which every match of `token` holds one, for when none can be taken from the
    /// expression; for a `builtin`, where its search begins.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// Which signs cannot stand beside the value.
    #[serde(default)]
    pub ends: Boundary,
    /// What must hold beyond the shape.
    #[serde(default)]
    pub check: Option<Check>,
    /// What a value is whose proof fails.
    #[serde(default)]
    pub lookalike: FailedProof,
    /// The least entropy of the value's random part, in bits per byte.
    #[serde(default)]
    pub entropy: Option<f32>,
    /// How well a finding is proved when nothing beyond the shape proves it.
    pub tier: DeclaredTier,
    /// What a finding costs when it is real.
    pub severity: Severity,
    /// Where such a value belongs instead: the word of a standing advice, or a sentence.
    pub advice: String,
    /// Values that documentation shows and that open nothing. `¦` is left out of them, as of examples.
    #[serde(default)]
    pub dummies: Vec<String>,
    /// Texts that show what is found and what is not. `¦` is left out of them, so that no scanner takes an example for
    /// a leak.
    #[serde(default)]
    pub examples: DetectorExamples,
}

/// A value that a telling name is given, in any notation for assignments.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AssignedSpec {
    /// What the name holds, in any case: texts of three bytes or more, with few choices (`dd[-_.]?api`).
    pub to: Vec<String>,
    /// The value as an expression.
    pub value: String,
}

/// A value of a common shape near a telling word.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NearSpec {
    /// The words, in any case: texts of three bytes or more, with few choices.
    pub words: Vec<String>,
    /// The value as an expression.
    pub value: String,
    /// How many lines away a word may stand.
    #[serde(default = "default_near_lines")]
    pub lines: u8,
}

const fn default_near_lines() -> u8 {
    5
}

/// Which signs cannot stand beside a value.
///
/// On the left these are letters and digits, for `base64` also `+` and `/`; an escape such as `\n` or `%3D` counts as a
/// sign of its own. On the right it is the word's whole alphabet.
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
    /// Any sign may stand there.
    Any,
}

/// What a value is whose shape is right and whose proof fails.
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
    /// Often harmless: asked for by name only. A check of such an entry filters and raises nothing.
    Generic,
    /// A common shape in telling surroundings.
    Paired,
    /// A form that is used for nothing else.
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

/// Texts that show what is found and what is not.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DetectorExamples {
    /// Each holds one such secret.
    #[serde(default)]
    pub secret: Vec<String>,
    /// The nearest texts without one.
    #[serde(default)]
    pub pass: Vec<String>,
}

/// The standard values of `advice`.
pub const STANDARD_ADVICE: &[(&str, &str)] = &[
    ("variable", "Read it from an environment variable at run time and name the variable in the code."),
    ("secret-store", "Keep it in the secret store of the place where the program runs, and write only its name here."),
    ("aws", "Name a profile or rely on the role of the machine; the SDK and the command line find the key themselves."),
    ("google", "Use application default credentials or workload identity; the client libraries find them themselves."),
    ("azure", "Use a managed identity, or a reference to a key vault, instead of a connection string with the key."),
    (
        "packages",
        "Log in with the package manager's own command or use trusted publishing; no file of the project needs it.",
    ),
    ("pipeline", "Use the variable that the pipeline provides, or the credential helper of git."),
    ("chat", "Read it from an environment variable; whoever holds it can post and read as the application."),
    (
        "key-file",
        "Leave the key in its own file, outside the project and readable by its owner only, and write the path.",
    ),
    ("login", "Write the URL without user and password, and read both from the environment at run time."),
    ("header", "Put the credential into an environment variable and let the header name it."),
];

/// Returns the sentence of an advice; `None` when it is neither a known word nor a sentence.
pub fn advice_text(written: &str) -> Option<&str> {
    let known = STANDARD_ADVICE.iter().find(|(word, _)| *word == written).map(|(_, sentence)| *sentence);
    known.or_else(|| (written.contains(' ') && written.ends_with('.')).then_some(written))
}
