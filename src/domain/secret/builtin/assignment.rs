//! Names that suggest a secret, and the values assigned to them.
//!
//! This is the weakest evidence, so much is left out: names of metadata about a secret, values that refer to a secret,
//! identifiers, digests, words of code. Name and value together are strong evidence only when the value is long and
//! can only be random.

use super::{BuiltinMatch, KeywordContext};
use crate::domain::secret::assignment::Assignment;
use crate::domain::secret::detector::Tier;
use crate::domain::secret::placeholder;

/// Last words of names of metadata about a secret.
const METADATA_WORDS: &[&str] = &[
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

/// Suffixes of names of tokens that grant no access: cursors of lists, and idempotency keys.
const CURSOR_TOKEN_SUFFIXES: &[&str] =
    &["nexttoken", "pagetoken", "continuationtoken", "clienttoken", "requesttoken", "synctoken"];

/// Words of names that suggest a password, anywhere in a name.
const PASSWORD_WORDS: &[&str] = &["password", "passwd", "passphrase"];

/// Last words of names whose values users choose.
const PASSWORD_NAME_ENDINGS: &[&str] =
    &["password", "passwd", "passphrase", "pwd", "pass", "pw", "psk", "dbpass", "requirepass", "bindpw", "storepass"];

pub(super) fn find(place: &KeywordContext<'_>) -> Option<BuiltinMatch> {
    let given = place.assignment()?;
    let value = place.slice(&given.value);
    grade(place, &given, value).map(|tier| BuiltinMatch { span: given.value.clone(), tier })
}

fn grade(place: &KeywordContext<'_>, given: &Assignment, value: &str) -> Option<Tier> {
    let name = place.slice(&given.name);
    let least = if given.quoted { 8 } else { 12 };
    let foreign = |sign: char| !sign.is_ascii_graphic() || "\"'`\\".contains(sign);
    let lower = name.to_ascii_lowercase();
    if value.contains(foreign)
        || is_metadata_name(name)
        || lower.contains("public")
        || lower.contains("tokeniz")
        || lower.ends_with("stdin")
    {
        return None;
    }
    if given.quoted && placeholder::is_framework_key(value) {
        return Some(Tier::Paired);
    }
    if is_public_value(value) || !given.quoted && is_dotted_name(value) {
        return None;
    }
    let ending = last_word(name).to_ascii_lowercase();
    let person = PASSWORD_NAME_ENDINGS.contains(&ending.as_str())
        || lower.ends_with("identified by")
        || lower.ends_with("password");
    // `pass` also begins words such as `passed` and `passenger`.
    let only_pass = lower.contains("pass") && !person && !PASSWORD_WORDS.iter().any(|word| lower.contains(word));
    if only_pass && !has_other_secret_word(&lower) {
        return None;
    }
    let random = value.len() >= least && (placeholder::looks_random(value) || placeholder::is_hex_key(value));
    let refused = || placeholder::is_placeholder(value) || placeholder::is_dummy(value);
    let chosen =
        if given.quoted { placeholder::looks_human_chosen(value) } else { placeholder::looks_strong_chosen(value) };
    let found = random && !refused() || person && chosen;
    let settled = random && is_strong_evidence(value, person && given.quoted);
    found.then_some(if settled { Tier::Paired } else { Tier::Generic })
}

/// Returns whether a random value is as long as a key, or a password of mixed characters that no user chose.
fn is_strong_evidence(value: &str, password: bool) -> bool {
    let mixed = placeholder::has_mixed_classes(value);
    let key = value.len() >= 20 && mixed && placeholder::digit_letter_transitions(value) >= 4;
    let odd = value.bytes().any(|byte| b"!#$%&*+?@^~".contains(&byte));
    key || placeholder::is_hex_key(value) || password && value.len() >= 10 && mixed && odd
}

/// Returns whether a name suggests a secret by another word than `pass`.
fn has_other_secret_word(name: &str) -> bool {
    ["secret", "token", "key", "credential"].iter().any(|word| name.contains(word))
}

/// Returns whether the form shows that the value is an identifier, a digest or code rather than a secret.
fn is_public_value(value: &str) -> bool {
    let digest = ["sha1-", "sha256-", "sha384-", "sha512-", "sha256:", "data:", "urn:", "0x", "ssh-", "$2a$", "$2b$"];
    digest.iter().any(|start| value.starts_with(start))
        || is_uuid(value)
        || value.contains(['(', '[', '{', '<'])
        || value.split(['/', '\\']).count() > 4
        || is_file_path(value)
        || is_host_with_port(value)
        || value.contains("::")
}

/// Returns whether the value is a dotted name: `library.module.Name2`.
fn is_dotted_name(value: &str) -> bool {
    let is_name = |part: &str| {
        part.starts_with(|sign: char| sign.is_ascii_alphabetic() || sign == '_')
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let first = value.split('.').next().unwrap_or_default();
    value.contains('.') && value.split('.').all(is_name) && first.len() < 20 && !placeholder::has_mixed_classes(first)
}

/// Returns whether the value is a host with a port.
fn is_host_with_port(value: &str) -> bool {
    value.rsplit_once(':').is_some_and(|(host, port)| {
        (2..=5).contains(&port.len())
            && port.bytes().all(|byte| byte.is_ascii_digit())
            && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte))
    })
}

/// Returns whether the value is the path of a file with an extension.
fn is_file_path(value: &str) -> bool {
    let ending = value.rsplit_once('/').and_then(|(_, name)| name.rsplit_once('.')).map_or("", |(_, ending)| ending);
    (1..=5).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

/// Returns whether the value is groups of hexadecimal digits, as in a UUID.
fn is_uuid(value: &str) -> bool {
    let lengths = value.split('-').map(str::len);
    lengths.eq([8, 4, 4, 4, 12]) && value.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// Returns whether the last word makes the name one of metadata.
fn is_metadata_name(name: &str) -> bool {
    let whole: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    METADATA_WORDS.contains(&last_word(name).to_ascii_lowercase().as_str())
        || CURSOR_TOKEN_SUFFIXES.iter().any(|mark| whole.to_ascii_lowercase().ends_with(mark))
}

/// Returns what follows the last separator or the last capital that begins a word.
fn last_word(name: &str) -> &str {
    let part = name.rsplit(['_', '-', '.']).next().unwrap_or_default();
    let inner = part.char_indices().filter(|(_, sign)| sign.is_ascii_uppercase()).map(|(at, _)| at).next_back();
    inner
        .filter(|_| part.contains(|sign: char| sign.is_ascii_lowercase()))
        .and_then(|at| part.get(at..))
        .unwrap_or(part)
}
