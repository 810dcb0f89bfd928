//! By what a finding is known again without its value being told.
//!
//! A fingerprint is drawn from the kind, the path and the value, and from no line, so that it stays when lines move.
//! A long random token enters whole. What can be guessed (a password, a card number) enters with 16 bits alone: enough
//! to tell the values of one file apart, too few for anybody to confirm a guess.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use sha2::{Digest, Sha256};

/// Bytes of the digest that are kept.
const BYTES: usize = 16;

/// A fingerprint of a finding: 32 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Fingerprint(String);

/// Whether somebody could list all the values that may be meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guess {
    /// A person chose it, or there are few of its kind.
    Feasible,
    /// It is long and random.
    Hopeless,
}

impl Fingerprint {
    /// Returns the fingerprint of a value of a kind in a file, whose path is `/`-separated from the project's root.
    pub fn of(kind: &str, path: &str, value: &str, guess: Guess) -> Self {
        let digest = Sha256::digest(value.as_bytes());
        let kept = match guess {
            Guess::Feasible => 2,
            Guess::Hopeless => digest.len(),
        };
        let value = digest.get(..kept).unwrap_or_default();
        let whole = [b"ruleward/1\0", kind.as_bytes(), b"\0", path.as_bytes(), b"\0", value].concat();
        Self(hex(Sha256::digest(&whole).get(..BYTES).unwrap_or_default()))
    }

    /// Reads a fingerprint.
    ///
    /// # Errors
    /// Returns that it is none.
    pub fn parse(text: &str) -> Result<Self, String> {
        let is_hex = text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        if text.len() == BYTES * 2 && is_hex {
            return Ok(Self(text.to_owned()));
        }
        Err(format!("a fingerprint has {} hexadecimal digits in lower case, as `ruleward scan` shows it", BYTES * 2))
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

/// Returns bytes in hexadecimal, lower case.
fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _written = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::{Fingerprint, Guess};

    #[test]
    fn kind_path_and_value_make_it() {
        let of = |kind, path, value| Fingerprint::of(kind, path, value, Guess::Hopeless);
        let first = of("a", "b", "c");
        assert_eq!(first, Fingerprint::parse(first.as_str()).unwrap());
        for other in [of("x", "b", "c"), of("a", "x", "c"), of("a", "b", "x"), of("ab", "", "c"), of("a", "bc", "")] {
            assert_ne!(first, other);
        }
    }

    #[test]
    fn a_guess_cannot_be_confirmed() {
        // Of this many guesses, many fit a fingerprint of a value that can be guessed, and the right one cannot be told.
        let of = |guess, value: usize| Fingerprint::of("k", "p", &value.to_string(), guess);
        let fits = |guess, value: usize| of(guess, value) == of(guess, 0);
        assert!((1..300_000).any(|value| fits(Guess::Feasible, value)));
        assert!(!(1..3_000).any(|value| fits(Guess::Hopeless, value)));
    }

    #[test]
    fn what_is_none_is_refused() {
        for text in ["", "abc", &"g".repeat(32), &"A".repeat(32), &"0".repeat(33)] {
            assert!(Fingerprint::parse(text).is_err(), "{text}");
        }
    }
}
