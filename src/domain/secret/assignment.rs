//! Names that promise a secret, and the values given to them.
//!
//! The weakest evidence there is, so much is refused: names about a secret rather than of one, values that refer to a
//! secret, and values that a person would remember.

use super::{
    detector::{Candidate, Check},
    placeholder,
};

/// Last words of names that hold something about a secret.
const ABOUT: &[&str] = &[
    "id",
    "name",
    "url",
    "uri",
    "path",
    "file",
    "type",
    "hash",
    "digest",
    "length",
    "size",
    "count",
    "expiry",
    "expires",
    "ttl",
    "endpoint",
    "arn",
    "ref",
    "version",
    "field",
    "header",
    "prefix",
    "suffix",
    "pattern",
    "regex",
    "format",
    "class",
    "label",
    "title",
    "description",
    "selector",
    "index",
    "kind",
    "public",
    "at",
    "on",
    "key_id",
    "dir",
];

/// A value that looks random, under a name that promises a secret.
pub(super) fn secret(candidate: &Candidate<'_>) -> Check {
    let value = candidate.value;
    // What is longer is data: a picture, a font, a page of minified code.
    let random = value.len() <= 1024 && placeholder::looks_random(value);
    let chosen = random && !placeholder::is_placeholder(value) && !placeholder::is_dummy(value);
    (chosen && !is_public_form(value) && !is_about(candidate.before)).into()
}

/// Whether the form says that the value is an identifier, a digest or code rather than a secret.
fn is_public_form(value: &str) -> bool {
    let digest = ["sha1-", "sha256-", "sha384-", "sha512-", "sha256:", "data:", "urn:", "0x", "ssh-"];
    digest.iter().any(|start| value.starts_with(start))
        || is_uuid(value)
        || value.contains(['(', '[', '{', '<'])
        || value.split(['/', '\\']).count() > 4
        || value.contains("::")
}

/// Groups of hexadecimal digits, the way identifiers are written.
fn is_uuid(value: &str) -> bool {
    let lengths = value.split('-').map(str::len);
    lengths.eq([8, 4, 4, 4, 12]) && value.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// Whether the name before the value ends in a word that makes it a name of something else.
fn is_about(before: &str) -> bool {
    let name = before.trim_end_matches(|sign: char| !sign.is_ascii_alphanumeric());
    let start = name.rfind(|sign: char| !(sign.is_ascii_alphanumeric() || "_-.".contains(sign))).map_or(0, |at| at + 1);
    // The sign before the name may be longer than a byte, then there is no name to judge.
    let name = name.get(start..).unwrap_or_default();
    let word = last_word(name);
    ABOUT.contains(&word.to_ascii_lowercase().as_str())
}

/// Returns what stands behind the last separator or the last capital that begins a word.
fn last_word(name: &str) -> &str {
    let part = name.rsplit(['_', '-', '.']).next().unwrap_or_default();
    let inner = part.char_indices().filter(|(_, sign)| sign.is_ascii_uppercase()).map(|(at, _)| at).next_back();
    inner
        .filter(|_| part.contains(|sign: char| sign.is_ascii_lowercase()))
        .and_then(|at| part.get(at..))
        .unwrap_or(part)
}
