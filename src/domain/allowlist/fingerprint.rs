//! Fingerprints, which identify a finding without disclosing its value.
//!
//! A fingerprint is computed from the kind, the path and the value, and from no line number, so that it stays the
//! same when lines move. A long random token is hashed as a whole. A value that can be guessed (a password, a card
//! number) only contributes 16 bits: enough to distinguish the values of one file, too few to confirm a guess.

#[cfg(test)]
use std::borrow::Cow;
use std::fmt;

#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use sha2::{Digest, Sha256};

use crate::domain::text::encoding::encode_hex;

/// The number of bytes of the digest that are kept.
const DIGEST_BYTES: usize = 16;

/// A fingerprint of a finding: 32 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Fingerprint(String);

/// The error for a text that is not a fingerprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidFingerprint;

impl fmt::Display for InvalidFingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = DIGEST_BYTES * 2;
        write!(f, "a fingerprint has {digits} hexadecimal digits in lower case, as `ruleward scan` shows it")
    }
}

impl std::error::Error for InvalidFingerprint {}

/// Whether the possible values could be enumerated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entropy {
    /// A user chose it, or there are few of its kind.
    Low,
    /// It is long and random.
    High,
}

impl Fingerprint {
    /// Returns the fingerprint of a value of a kind in a file, whose path is `/`-separated from the project's root.
    pub fn compute(kind: &str, path: &str, value: &str, guess: Entropy) -> Self {
        let digest = Sha256::digest(value.as_bytes());
        let kept = match guess {
            Entropy::Low => 2,
            Entropy::High => digest.len(),
        };
        let value = digest.get(..kept).unwrap_or_default();
        let whole = [b"ruleward/1\0", kind.as_bytes(), b"\0", path.as_bytes(), b"\0", value].concat();
        Self(encode_hex(Sha256::digest(&whole).get(..DIGEST_BYTES).unwrap_or_default()))
    }

    /// Reads a fingerprint.
    ///
    /// # Errors
    /// Returns an error if it is not one.
    pub fn parse(text: &str) -> Result<Self, InvalidFingerprint> {
        let is_hex = text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        if text.len() == DIGEST_BYTES * 2 && is_hex {
            return Ok(Self(text.to_owned()));
        }
        Err(InvalidFingerprint)
    }

    /// Returns the digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Fingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let human = deserializer.is_human_readable();
        let text = String::deserialize(deserializer)?;
        if human { Self::parse(&text).map_err(D::Error::custom) } else { Ok(Self(text)) }
    }
}

#[cfg(test)]
impl JsonSchema for Fingerprint {
    fn schema_name() -> Cow<'static, str> {
        "Fingerprint".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^[0-9a-f]{32}$",
            "description": "The fingerprint of a finding, as `ruleward scan` shows it.",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Entropy, Fingerprint};

    #[test]
    fn kind_path_and_value_make_it() {
        let of = |kind, path, value| Fingerprint::compute(kind, path, value, Entropy::High);
        let first = of("a", "b", "c");
        assert_eq!(first, Fingerprint::parse(first.as_str()).unwrap());
        for other in [of("x", "b", "c"), of("a", "x", "c"), of("a", "b", "x"), of("ab", "", "c"), of("a", "bc", "")] {
            assert_ne!(first, other);
        }
    }

    #[test]
    fn a_guess_cannot_be_confirmed() {
        // Of this many guesses, several match the fingerprint of a value that can be guessed, so the right one is not
        // known.
        let of = |guess, value: usize| Fingerprint::compute("k", "p", &value.to_string(), guess);
        let fits = |guess, value: usize| of(guess, value) == of(guess, 0);
        assert!((1..300_000).any(|value| fits(Entropy::Low, value)));
        assert!(!(1..3_000).any(|value| fits(Entropy::High, value)));
    }

    #[test]
    fn what_is_none_is_refused() {
        for text in ["", "abc", &"g".repeat(32), &"A".repeat(32), &"0".repeat(33)] {
            assert!(Fingerprint::parse(text).is_err(), "{text}");
        }
    }
}
