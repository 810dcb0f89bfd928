//! Names that promise a secret, and the values given to them.
//!
//! The weakest evidence there is, so much is refused: names about a secret rather than of one, values that refer to a
//! secret, identifiers, digests, words of code.

use super::{Found, Place};
use crate::domain::secret::{assigned::Given, detector::Tier, placeholder};

/// Last words of names that hold something about a secret.
const ABOUT: &[&str] = &[
    "id",
    "name",
    "url",
    "uri",
    "path",
    "file",
    "filename",
    "type",
    "hash",
    "digest",
    "length",
    "len",
    "size",
    "count",
    "expiry",
    "expires",
    "expiration",
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
    "placeholder",
    "hint",
    "message",
    "msg",
    "text",
    "help",
    "error",
    "env",
    "var",
    "input",
    "strength",
    "policy",
    "rules",
    "reset",
    "manager",
    "provider",
    "service",
    "store",
    "storage",
    "column",
    "param",
    "sha",
    "sha1",
    "sha256",
    "md5",
    "checksum",
    "fingerprint",
    "integrity",
    "commit",
    "rev",
    "revision",
];

/// Words of names that promise a secret, wherever they stand in one.
const PROMISES: &[&str] = &["password", "passwd", "passphrase"];

/// Last words of names whose values people choose.
const CHOSEN: &[&str] =
    &["password", "passwd", "passphrase", "pwd", "pass", "pw", "psk", "dbpass", "requirepass", "bindpw", "storepass"];

pub(super) fn find(place: &Place<'_>) -> Option<Found> {
    let given = place.given()?;
    let value = place.slice(&given.value);
    judge(place, &given, value).then(|| Found { span: given.value.clone(), tier: Tier::Generic })
}

fn judge(place: &Place<'_>, given: &Given, value: &str) -> bool {
    let name = place.slice(&given.name);
    let least = if given.quoted { 8 } else { 12 };
    let foreign = |sign: char| !sign.is_ascii_graphic() || "\"'`\\".contains(sign);
    if value.contains(foreign) || is_about(name) || is_public_form(value) {
        return false;
    }
    let lower = name.to_ascii_lowercase();
    let ending = last_word(name).to_ascii_lowercase();
    let person = CHOSEN.contains(&ending.as_str()) || lower.ends_with("identified by") || lower.ends_with("password");
    // `pass` also begins words such as `passed` and `passenger`.
    let only_pass = lower.contains("pass") && !person && !PROMISES.iter().any(|word| lower.contains(word));
    if only_pass && !others(&lower) {
        return false;
    }
    let random = value.len() >= least && placeholder::looks_random(value);
    let refused = || placeholder::is_placeholder(value) || placeholder::is_dummy(value);
    let chosen = if given.quoted { placeholder::looks_chosen(value) } else { placeholder::looks_invented(value) };
    random && !refused() || person && chosen
}

/// Whether a name promises a secret by another word than `pass`.
fn others(name: &str) -> bool {
    ["secret", "token", "key", "credential"].iter().any(|word| name.contains(word))
}

/// Whether the form says that the value is an identifier, a digest or code rather than a secret.
fn is_public_form(value: &str) -> bool {
    let digest = ["sha1-", "sha256-", "sha384-", "sha512-", "sha256:", "data:", "urn:", "0x", "ssh-", "$2a$", "$2b$"];
    digest.iter().any(|start| value.starts_with(start))
        || is_uuid(value)
        || value.contains(['(', '[', '{', '<'])
        || value.split(['/', '\\']).count() > 4
        || is_file(value)
        || value.contains("::")
}

/// Whether the value is the path of a file with an ending.
fn is_file(value: &str) -> bool {
    let ending = value.rsplit_once('/').and_then(|(_, name)| name.rsplit_once('.')).map_or("", |(_, ending)| ending);
    (1..=5).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

/// Groups of hexadecimal digits, the way identifiers are written.
fn is_uuid(value: &str) -> bool {
    let lengths = value.split('-').map(str::len);
    lengths.eq([8, 4, 4, 4, 12]) && value.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// Whether the name ends in a word that makes it a name of something else.
fn is_about(name: &str) -> bool {
    ABOUT.contains(&last_word(name).to_ascii_lowercase().as_str())
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
