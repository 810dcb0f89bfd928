//! Names that suggest a secret, and the values assigned to them.
//!
//! This is the weakest evidence, so much is left out: values that refer to a secret, identifiers, digests, words of
//! code. Name and value together are strong evidence only when the value is long and can only be random.

use std::ops::Range;

use super::name::{self, Promise};
use super::{BuiltinMatch, KeywordContext};
use crate::domain::secret::assignment::{self, Assignment, Notation};
use crate::domain::secret::detector::Tier;
use crate::domain::secret::{base64, placeholder};

/// The minimum length of a value that nothing but a plain name or a place beside it marks.
const MIN_PLAIN_VALUE: usize = 16;

/// How many bytes before a name are searched for a command that sets it.
const MAX_COMMAND: usize = 64;

/// The maximum length of the value of a short option, in bytes.
const MAX_OPTION_VALUE: usize = 256;

/// Words of commands that take a name and its value as arguments.
const SETTERS: &[&str] =
    &["setx ", "set ", "config ", "env ", "add ", "put ", "secret", "setenv", "variable", "requirepass"];

pub(super) fn find(place: &KeywordContext<'_>) -> Vec<BuiltinMatch> {
    let Some(name) = place.name() else { return Vec::new() };
    let mut found: Vec<BuiltinMatch> = Vec::new();
    if let Some(given) = place.assignment() {
        let value = token_of_header(place, &given);
        let tier = grade(place, &given, place.slice(&value));
        found.extend(tier.map(|tier| BuiltinMatch { span: value, tier }));
    }
    if matches!(place.bytes().get(name.end), Some(b',' | b'"' | b'\n' | b'\r')) {
        found.extend(column_values(place, &name));
    }
    found
}

/// Returns the values below a name in the first line of a table.
fn column_values(place: &KeywordContext<'_>, name: &Range<usize>) -> Vec<BuiltinMatch> {
    let Some(promise) = name::promise(place.slice(name)) else { return Vec::new() };
    let cells = assignment::column_cells(place.bytes(), name);
    place.bytes_scanned.set(place.bytes_scanned.get() + cells.last().map_or(0, |cell| cell.end - name.start));
    let is_secret = |cell: &Range<usize>| {
        let value = place.slice(cell);
        let public = is_public_value(value) || is_dotted_name(value);
        let random = value.len() >= MIN_PLAIN_VALUE && is_random(value) && !is_refused(value) && !public;
        let chosen = promise == Promise::Password && placeholder::looks_strong_chosen(value);
        !value.contains(is_foreign) && (random || chosen)
    };
    let cells = cells.into_iter().filter(is_secret);
    cells.map(|span| BuiltinMatch { span, tier: Tier::Generic }).collect()
}

/// Returns the value, or what follows the scheme in it when it is one of a header.
fn token_of_header(place: &KeywordContext<'_>, given: &Assignment) -> Range<usize> {
    let value = place.slice(&given.value);
    let header = given.quoted && place.slice(&given.name).to_ascii_lowercase().ends_with("authorization");
    let parts = value.split_once(' ').filter(|(scheme, token)| {
        header
            && !scheme.eq_ignore_ascii_case("basic")
            && scheme.bytes().all(|byte| byte.is_ascii_alphabetic())
            && !token.contains(' ')
    });
    parts.map_or_else(|| given.value.clone(), |(scheme, _)| given.value.start + scheme.len() + 1..given.value.end)
}

/// Returns whether a character cannot be in a value.
fn is_foreign(sign: char) -> bool {
    !sign.is_ascii_graphic() || "\"'`\\".contains(sign)
}

fn is_random(value: &str) -> bool {
    placeholder::looks_random(value) || placeholder::is_hex_key(value)
}

fn is_refused(value: &str) -> bool {
    placeholder::is_placeholder(value) || placeholder::is_dummy(value) && !is_base64_with_slashes(value)
}

fn grade(place: &KeywordContext<'_>, given: &Assignment, value: &str) -> Option<Tier> {
    if value.len() < 6 {
        return None;
    }
    let name = place.slice(&given.name);
    let promise = name::promise(name)?;
    if given.quoted && value.contains(' ') {
        let chosen = promise == Promise::Password && placeholder::looks_chosen_phrase(value);
        let words = promise != Promise::Key && placeholder::looks_generated_words(value);
        return (chosen || words).then_some(Tier::Generic);
    }
    if value.contains(is_foreign) {
        return None;
    }
    if given.quoted && placeholder::is_framework_key(value) {
        return Some(Tier::Paired);
    }
    if is_uuid(value) {
        let cell = || place.slice_around(given.value.start.saturating_sub(2)..given.value.start) == "| ";
        let set = given.notation != Notation::Beside || is_set_by_command(place, &given.name) || cell();
        let issued = promise != Promise::Key && name::may_be_uuid(name) && set;
        return (issued && !is_sample_uuid(value)).then_some(Tier::Generic);
    }
    if value.contains(['(', '[', '{', '<']) {
        return (promise != Promise::Key && placeholder::looks_generated(value)).then_some(Tier::Generic);
    }
    if is_public_value(value)
        || !given.quoted && is_dotted_name(value)
        || promise == Promise::Key && (is_element_key(place, &given.name) || is_encoded_login(value))
    {
        return None;
    }
    let person = promise == Promise::Password;
    let weak = promise == Promise::Key || given.notation != Notation::Operator;
    let least = if weak {
        MIN_PLAIN_VALUE
    } else if given.quoted {
        8
    } else {
        12
    };
    let random = value.len() >= least && is_random(value) && !is_refused(value);
    if weak {
        let set = given.notation == Notation::Beside && is_set_by_command(place, &given.name);
        let chosen = person
            && (set && placeholder::looks_strong_chosen(value)
                || given.notation == Notation::Distant && given.quoted && placeholder::looks_human_chosen(value));
        let strong = match given.notation {
            Notation::Beside => set || is_unwritten(value),
            Notation::Distant | Notation::Operator => given.quoted || is_unwritten(value),
        };
        let keyed = promise != Promise::Key || is_key_value(name, value);
        return (random && strong && keyed || chosen).then_some(Tier::Generic);
    }
    let chosen =
        if given.quoted { placeholder::looks_human_chosen(value) } else { placeholder::looks_strong_chosen(value) };
    let found = random || person && chosen;
    let settled = random && is_strong_evidence(value, person && given.quoted);
    found.then_some(if settled { Tier::Paired } else { Tier::Generic })
}

/// Returns whether a random value may be a key and no digest or identifier: under `key` alone, digests are common.
fn is_key_value(name: &str, value: &str) -> bool {
    let digest = matches!(value.len(), 40 | 64 | 128) && value.bytes().all(|byte| byte.is_ascii_hexdigit());
    placeholder::digit_letter_transitions(value) >= 3 && !(digest && name.eq_ignore_ascii_case("key"))
}

/// Returns whether a command that sets a variable or an option stands before the name.
fn is_set_by_command(place: &KeywordContext<'_>, name: &Range<usize>) -> bool {
    let before = place.slice_around(name.start.saturating_sub(MAX_COMMAND)..name.start);
    let line = before.rsplit('\n').next().unwrap_or_default().to_ascii_lowercase();
    SETTERS.iter().any(|word| line.contains(word))
        || line.trim_start_matches([' ', '-', '+']).is_empty() && line.contains('-')
}

/// Returns whether a value is base64 of a user and a password, which has a search of its own.
fn is_encoded_login(value: &str) -> bool {
    let text = base64::decode(value).and_then(|bytes| String::from_utf8(bytes).ok());
    text.is_some_and(|text| text.contains(':') && !text.contains(|sign: char| sign.is_control() || !sign.is_ascii()))
}

/// Returns whether the name is the attribute `key` of an element, by which a library tells elements apart.
fn is_element_key(place: &KeywordContext<'_>, name: &Range<usize>) -> bool {
    let before = place.slice_around(name.start.saturating_sub(MAX_COMMAND)..name.start);
    place.slice(name) == "key" && before.rfind('<').is_some_and(|at| before.rfind('>').is_none_or(|end| end < at))
}

/// Returns whether nobody can have written the value: long, and as mixed as chance makes it.
fn is_unwritten(value: &str) -> bool {
    let one_case = value.len() >= 24
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && placeholder::digit_letter_transitions(value) >= 6;
    is_strong_evidence(value, false) || one_case
}

/// A value behind an option or a command that often takes a key (`-k v`, `--value v`, `login v`), or that is fed to one
/// (`echo v | docker login --password-stdin`).
pub(super) fn option_value(place: &KeywordContext<'_>) -> Option<BuiltinMatch> {
    if place.keyword().starts_with("--") && !place.keyword().ends_with(' ') {
        return fed_value(place);
    }
    let rest = place.slice_around(place.keyword_span.end..place.keyword_span.end.saturating_add(MAX_OPTION_VALUE));
    let marks = rest.len() - rest.trim_start_matches(['"', '\'']).len();
    let value = rest.get(marks..)?.split(is_foreign).next()?;
    let start = place.keyword_span.end + marks;
    let known = !is_refused(value) && is_random(value) && !is_public_value(value) && is_strong_evidence(value, false);
    known.then(|| BuiltinMatch { span: start..start + value.len(), tier: Tier::Generic })
}

/// A value that a pipe feeds to the command before the keyword.
fn fed_value(place: &KeywordContext<'_>) -> Option<BuiltinMatch> {
    let start = place.keyword_span.start.saturating_sub(MAX_OPTION_VALUE);
    let before = place.slice_around(start..place.keyword_span.start);
    let line = before.rsplit('\n').next()?;
    let fed = line.rsplit_once('|')?.0.trim_end().trim_end_matches(['"', '\'']);
    let value = fed.rsplit([' ', '"', '\'']).next()?;
    let echoed = fed.contains("echo ") || fed.contains("printf ");
    let random = !is_refused(value) && is_random(value) && !value.contains(is_foreign) && is_unwritten(value);
    let start = place.keyword_span.start - line.len() + (fed.len() - value.len());
    (echoed && random).then(|| BuiltinMatch { span: start..start + value.len(), tier: Tier::Generic })
}

/// A value that the name of its provider alone is given.
pub(super) fn provider_value(place: &KeywordContext<'_>) -> Option<BuiltinMatch> {
    let given = place.assignment().filter(|given| given.name.len() == place.keyword_span.len())?;
    let value = place.slice(&given.value);
    let plain = !value.contains(is_foreign) && !value.contains(['(', '[', '{', '<']) && !is_public_value(value);
    // Beside a name such as `github` stand revisions.
    let revision = given.notation == Notation::Beside && value.bytes().all(|byte| byte.is_ascii_hexdigit());
    let random = plain && !revision && is_random(value) && !is_refused(value) && is_unwritten(value);
    (random && !is_uuid(value)).then(|| BuiltinMatch { span: given.value.clone(), tier: Tier::Generic })
}

/// Returns whether a random value is as long as a key, or a password of mixed characters that no user chose.
fn is_strong_evidence(value: &str, password: bool) -> bool {
    let mixed = placeholder::has_mixed_classes(value);
    let key = value.len() >= 20 && mixed && placeholder::digit_letter_transitions(value) >= 4;
    let odd = value.bytes().any(|byte| b"!#$%&*+?@^~".contains(&byte));
    key || placeholder::is_hex_key(value) || password && value.len() >= 10 && mixed && odd
}

/// Beginnings of digests, of data, and of keys that everybody may know.
const PUBLIC_PREFIXES: &[&str] = &[
    "sha1-",
    "sha256-",
    "sha384-",
    "sha512-",
    "sha1=",
    "sha256=",
    "md5=",
    "sha1:",
    "sha256:",
    "sha512:",
    "data:",
    "urn:",
    "0x",
    "ssh-",
    "$2a$",
    "$2b$",
    "$2y$",
    "$argon2",
    "$pbkdf2",
    "pbkdf2_",
    "pk_live_",
    "pk_test_",
    "AAAAB3NzaC1",
    "AAAAC3NzaC1",
    "AAAAE2VjZHNh",
    "MIIBIjANBgkqhk",
    "MIICIjANBgkqhk",
    "MFkwEwYHKoZIzj0",
    "MCowBQYDK2Vw",
    "MIID",
    "MIIF",
];

/// UUIDs of standards and of documentation.
const SAMPLE_UUIDS: &[&str] = &[
    "550e8400-e29b-41d4-a716-446655440000",
    "123e4567-e89b-12d3-a456-426614174000",
    "123e4567-e89b-12d3-a456-426655440000",
    "f47ac10b-58cc-4372-a567-0e02b2c3d479",
    "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
];

fn is_sample_uuid(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let digits: String = lower.chars().filter(char::is_ascii_hexdigit).collect();
    // The identifiers that standards assign to name spaces.
    SAMPLE_UUIDS.contains(&lower.as_str())
        || lower.ends_with("-9dad-11d1-80b4-00c04fd430c8")
        || placeholder::is_placeholder(&digits)
        || placeholder::entropy(&digits) < 2.8
}

/// Returns whether the form shows that the value is an identifier, a digest or code rather than a secret.
fn is_public_value(value: &str) -> bool {
    PUBLIC_PREFIXES.iter().any(|start| value.starts_with(start))
        || value.split(['/', '\\']).count() > 4 && !is_base64_with_slashes(value)
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
    value.contains('.')
        && value.split('.').all(is_name)
        && first.len() < 20
        && !placeholder::has_mixed_classes(first)
        && !value.split('.').any(is_random_part)
}

/// Returns whether a part between dots is a token rather than a name.
fn is_random_part(part: &str) -> bool {
    part.len() >= 16 && !part.contains('_') && is_strong_evidence(part, false) && placeholder::looks_random(part)
}

/// Returns whether the value is base64 in which slashes stand by chance, and no path.
fn is_base64_with_slashes(value: &str) -> bool {
    let base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
    value.len() >= 32
        && value.bytes().all(base64)
        && placeholder::has_mixed_classes(value)
        && placeholder::digit_letter_transitions(value) >= 3
        && placeholder::looks_random(value)
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
