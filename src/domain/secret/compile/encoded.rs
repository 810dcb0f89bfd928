//! How the beginnings of tokens look in base64 and in hexadecimal.
//!
//! A byte can begin at three positions of a group of four signs; at each, those signs count that its neighbours do not
//! share in.

use super::Keyword;
use crate::domain::secret::{
    builtin::Builtin,
    decode::HEX,
    detector::Severity,
    entry::{Entry, WrittenTier},
};

/// Signs of a beginning that are searched for: enough to be rare, few enough to keep the table small.
const LONGEST: usize = 6;

/// Signs that a beginning has at least.
const SHORTEST: usize = 4;

/// Escapes that stand in encoded secrets: of signs of base64, of URLs, and of an escape itself.
pub const ESCAPES: &[&str] = &["%2b", "%2d", "%2e", "%2f", "%3a", "%3d", "%40", "%5f", "%7e", "%25", "\\u00", "\\/"];

/// Returns encoded beginnings of an entry's secrets, in small letters, and how many signs before each its group begins
/// ([`HEX`] for hexadecimal). Only of what costs most when it is lost: each beginning makes the table larger.
pub fn of(entry: &Entry, keywords: &[Keyword]) -> Vec<(String, u16)> {
    let begins: Vec<&str> = match entry.builtin {
        Some(Builtin::PrivateKey) => vec!["-----BEGIN "],
        Some(Builtin::ConnectionUrl) => vec!["postgres", "mongodb", "mysql://", "redis://", "amqp://"],
        _ if entry.token.is_some() && entry.tier != WrittenTier::Generic && entry.severity == Severity::Critical => {
            keywords.iter().filter(|keyword| keyword.most_back == 0).map(|keyword| keyword.exact.as_str()).collect()
        }
        _ => Vec::new(),
    };
    let long = begins.into_iter().filter(|text| text.len() >= 4);
    let mut encoded: Vec<(String, u16)> = long.flat_map(|text| [hex(text)].into_iter().chain(base64(text))).collect();
    encoded.sort();
    encoded.dedup();
    encoded
}

fn hex(text: &str) -> (String, u16) {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
    (text.bytes().take(LONGEST / 2).flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect(), HEX)
}

fn base64(text: &str) -> impl Iterator<Item = (String, u16)> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let position = |shift: usize, skipped: usize| {
        let bits: Vec<u8> = std::iter::repeat_n(0, shift * 8)
            .chain(text.bytes().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1)))
            .collect();
        let signs = bits.chunks_exact(6).skip(skipped).take(LONGEST).filter_map(|sextet| {
            let value = sextet.iter().fold(0_usize, |value, bit| value << 1 | usize::from(*bit));
            ALPHABET.get(value).map(|sign| char::from(*sign).to_ascii_lowercase())
        });
        let ahead = u16::try_from(skipped).unwrap_or_default();
        (signs.collect::<String>(), ahead)
    };
    [position(0, 0), position(1, 2), position(2, 3)].into_iter().filter(|(signs, _)| signs.len() >= SHORTEST)
}
