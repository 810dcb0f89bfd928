//! The prefixes of tokens in base64 and hexadecimal.
//!
//! A byte can be at three positions of a group of four base64 characters; at each, only the characters that do not
//! depend on neighbouring bytes count.

use super::Keyword;
use crate::domain::secret::builtin::Builtin;
use crate::domain::secret::check::Check;
use crate::domain::secret::decode::HEX_HINT;
use crate::domain::secret::detector::Severity;
use crate::domain::secret::spec::{DeclaredTier, DetectorSpec};

/// The maximum length of an encoded prefix: long enough to be rare, short enough to keep the table small.
const MAX_PREFIX: usize = 6;

/// The minimum length of an encoded prefix.
const MIN_PREFIX: usize = 4;

/// Escapes in encoded secrets: of base64 characters, of URLs, and of an escape itself.
pub const ESCAPE_SEQUENCES: &[&str] =
    &["%2b", "%2d", "%2e", "%2f", "%3a", "%3d", "%40", "%5f", "%7e", "%25", "\\u00", "\\/"];

/// Returns encoded prefixes of an entry's secrets, in lower case, and the offset of the base64 group before each
/// ([`HEX_HINT`] for hexadecimal). Only for the highest severity: each prefix makes the table larger.
pub fn encoded_prefixes(entry: &DetectorSpec, keywords: &[Keyword]) -> Vec<(String, u16)> {
    let begins: Vec<&str> = match entry.builtin {
        Some(Builtin::PrivateKey) => vec!["-----BEGIN "],
        // The first key of the header; the rest of a web token differs.
        _ if entry.check == Some(Check::Jwt) && entry.tier == DeclaredTier::Generic => {
            vec!["eyJhbGci", "eyJ0eXAi", "eyJraWQi"]
        }
        Some(Builtin::ConnectionUrl) => vec!["postgres", "mongodb", "mysql://", "redis://", "amqp://"],
        _ if entry.token.is_some() && entry.tier != DeclaredTier::Generic && entry.severity == Severity::Critical => {
            keywords
                .iter()
                .filter(|keyword| keyword.max_lookback == 0)
                .map(|keyword| keyword.exact_text.as_str())
                .collect()
        }
        _ => Vec::new(),
    };
    let long = begins.into_iter().filter(|text| text.len() >= 4);
    let mut encoded: Vec<(String, u16)> =
        long.flat_map(|text| [hex_prefix(text)].into_iter().chain(base64_prefixes(text))).collect();
    encoded.sort();
    encoded.dedup();
    encoded
}

fn hex_prefix(text: &str) -> (String, u16) {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
    (text.bytes().take(MAX_PREFIX / 2).flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect(), HEX_HINT)
}

fn base64_prefixes(text: &str) -> impl Iterator<Item = (String, u16)> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let position = |shift: usize, skipped: usize| {
        let bits: Vec<u8> = std::iter::repeat_n(0, shift * 8)
            .chain(text.bytes().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1)))
            .collect();
        let signs = bits.chunks_exact(6).skip(skipped).take(MAX_PREFIX).filter_map(|sextet| {
            let value = sextet.iter().fold(0_usize, |value, bit| value << 1 | usize::from(*bit));
            ALPHABET.get(value).map(|sign| char::from(*sign).to_ascii_lowercase())
        });
        let ahead = u16::try_from(skipped).unwrap_or_default();
        (signs.collect::<String>(), ahead)
    };
    [position(0, 0), position(1, 2), position(2, 3)].into_iter().filter(|(signs, _)| signs.len() >= MIN_PREFIX)
}
