//! Names that promise a secret, and the values given to them.
//!
//! The weakest evidence there is, so much is left out: names about a secret rather than of one, values that refer to a
//! secret, identifiers, digests, words of code. Only where the value cannot be anything but random, and is long, do name
//! and value settle it together.

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
    "used",
    "changed",
    "updated",
    "created",
    "expired",
    "date",
    "time",
    "age",
    "commit",
    "rev",
    "revision",
];

/// Ends of names of tokens that open nothing: they say where a list goes on, or which of two equal requests is which.
const MARKS: &[&str] = &["nexttoken", "pagetoken", "continuationtoken", "clienttoken", "requesttoken", "synctoken"];

/// Words of names that promise a secret, wherever they stand in one.
const PROMISES: &[&str] = &["password", "passwd", "passphrase"];

/// Last words of names whose values people choose.
const CHOSEN: &[&str] =
    &["password", "passwd", "passphrase", "pwd", "pass", "pw", "psk", "dbpass", "requirepass", "bindpw", "storepass"];

pub(super) fn find(place: &Place<'_>) -> Option<Found> {
    let given = place.given()?;
    let value = place.slice(&given.value);
    judge(place, &given, value).map(|tier| Found { span: given.value.clone(), tier })
}

fn judge(place: &Place<'_>, given: &Given, value: &str) -> Option<Tier> {
    let name = place.slice(&given.name);
    let least = if given.quoted { 8 } else { 12 };
    let foreign = |sign: char| !sign.is_ascii_graphic() || "\"'`\\".contains(sign);
    let lower = name.to_ascii_lowercase();
    if value.contains(foreign) || is_about(name) || lower.contains("public") || lower.contains("tokeniz") {
        return None;
    }
    if given.quoted && placeholder::is_salt(value) {
        return Some(Tier::Paired);
    }
    if is_public_form(value) || !given.quoted && is_member(value) {
        return None;
    }
    let ending = last_word(name).to_ascii_lowercase();
    let person = CHOSEN.contains(&ending.as_str()) || lower.ends_with("identified by") || lower.ends_with("password");
    // `pass` also begins words such as `passed` and `passenger`.
    let only_pass = lower.contains("pass") && !person && !PROMISES.iter().any(|word| lower.contains(word));
    if only_pass && !others(&lower) {
        return None;
    }
    let random = value.len() >= least && (placeholder::looks_random(value) || placeholder::is_hex_key(value));
    let refused = || placeholder::is_placeholder(value) || placeholder::is_dummy(value);
    let chosen = if given.quoted { placeholder::looks_chosen(value) } else { placeholder::looks_invented(value) };
    let found = random && !refused() || person && chosen;
    let settled = random && is_settled(value, person && given.quoted);
    found.then_some(if settled { Tier::Paired } else { Tier::Generic })
}

/// Whether a random value is as long as keys are, or a password of all kinds of signs that no person chose.
fn is_settled(value: &str, password: bool) -> bool {
    let mixed = placeholder::is_mixed(value);
    let key = value.len() >= 20 && mixed && placeholder::seams(value) >= 4;
    let odd = value.bytes().any(|byte| b"!#$%&*+?@^~".contains(&byte));
    key || placeholder::is_hex_key(value) || password && value.len() >= 10 && mixed && odd
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
        || is_host(value)
        || value.contains("::")
}

/// Whether the value is a name behind the names that it stands in: `library.module.Name2`.
fn is_member(value: &str) -> bool {
    let is_name = |part: &str| {
        part.starts_with(|sign: char| sign.is_ascii_alphabetic() || sign == '_')
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let first = value.split('.').next().unwrap_or_default();
    value.contains('.') && value.split('.').all(is_name) && first.len() < 20 && !placeholder::is_mixed(first)
}

/// Whether the value is a host with a port.
fn is_host(value: &str) -> bool {
    value.rsplit_once(':').is_some_and(|(host, port)| {
        (2..=5).contains(&port.len())
            && port.bytes().all(|byte| byte.is_ascii_digit())
            && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte))
    })
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
    let whole: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    ABOUT.contains(&last_word(name).to_ascii_lowercase().as_str())
        || MARKS.iter().any(|mark| whole.to_ascii_lowercase().ends_with(mark))
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
