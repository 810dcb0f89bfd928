//! Passwords that a call takes after the user: `connect("app", "…")`, `NetworkCredential("svc", "…")`,
//! `auth=("svc", "…")`, `ConvertTo-SecureString "…"`.
//!
//! No name marks the value as a password, so only a value that is unlikely as a host, user or table name counts.

use std::ops::Range;

use super::{BuiltinMatch, KeywordContext};
use crate::domain::secret::detector::Tier;
use crate::domain::secret::placeholder;

/// The maximum length of a name after the keyword, in bytes.
const MAX_NAME: usize = 24;

/// How many bytes of a call are read.
const MAX_CALL: usize = 256;

/// How many arguments are read.
const MAX_ARGUMENTS: usize = 5;

pub(super) fn find(place: &KeywordContext<'_>) -> Option<BuiltinMatch> {
    let rest = place.slice_around(place.keyword_span.end..place.keyword_span.end.saturating_add(MAX_CALL));
    let name = rest.bytes().take(MAX_NAME).take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let behind = rest.get(name..)?;
    let alone = place.keyword().eq_ignore_ascii_case("securestring");
    let open = if alone {
        behind.trim_start_matches(' ').trim_start_matches("-String ").trim_start_matches(' ')
    } else {
        behind.trim_start_matches([' ', '=']).strip_prefix('(')?
    };
    let at = place.keyword_span.end + (rest.len() - open.len());
    let first = usize::from(!alone);
    let value =
        string_arguments(open).into_iter().skip(first).flatten().find(|span| is_password(open.get(span.clone())))?;
    Some(BuiltinMatch { span: at + value.start..at + value.end, tier: Tier::Generic })
}

/// Returns the arguments of a call on one line; those that are not plain strings as `None`.
fn string_arguments(text: &str) -> Vec<Option<Range<usize>>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while found.len() < MAX_ARGUMENTS {
        at += bytes.get(at..).unwrap_or_default().iter().take_while(|byte| **byte == b' ').count();
        let rest = bytes.get(at..).unwrap_or_default();
        let quote = rest.first().copied().filter(|byte| matches!(byte, b'"' | b'\'' | b'`'));
        let ends =
            |byte: &u8| quote.map_or_else(|| b",()\n\"'`".contains(byte), |quote| *byte == quote || *byte == b'\n');
        let start = at + usize::from(quote.is_some());
        let Some(len) = bytes.get(start..).and_then(|rest| rest.iter().position(ends)) else { break };
        let closed = quote.is_some() && bytes.get(start + len).copied() == quote;
        found.push(closed.then_some(start..start + len));
        at = start + len + usize::from(closed);
        at += bytes.get(at..).unwrap_or_default().iter().take_while(|byte| **byte == b' ').count();
        if bytes.get(at) != Some(&b',') {
            break;
        }
        at += 1;
    }
    found
}

fn is_password(value: Option<&str>) -> bool {
    value.is_some_and(|value| {
        let counted = value.bytes().any(|byte| byte.is_ascii_digit());
        let odd = value.bytes().any(|byte| b"!#$%&*+?@^~".contains(&byte));
        value.len() >= 8
            && placeholder::looks_human_chosen(value)
            && (counted && odd && !value.contains('@')
                || placeholder::has_mixed_classes(value) && placeholder::digit_letter_transitions(value) >= 1)
    })
}
