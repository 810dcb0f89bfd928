//! Passwords that a call is given behind the user: `connect("app", "…")`, `NetworkCredential("svc", "…")`,
//! `auth=("svc", "…")`, `ConvertTo-SecureString "…"`.
//!
//! No name says that the value is one, so only what nobody calls a host, a user or a table is taken for a password.

use std::ops::Range;

use super::{Found, Place};
use crate::domain::secret::{detector::Tier, placeholder};

/// Bytes of a name behind the keyword.
const NAME: usize = 24;

/// Bytes of a call that are looked at.
const CALL: usize = 256;

/// Arguments that are looked at.
const ARGUMENTS: usize = 5;

pub(super) fn find(place: &Place<'_>) -> Option<Found> {
    let rest = place.around(place.at.end..place.at.end.saturating_add(CALL));
    let name = rest.bytes().take(NAME).take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let behind = rest.get(name..)?;
    let alone = place.keyword().eq_ignore_ascii_case("securestring");
    let open = if alone {
        behind.trim_start_matches(' ').trim_start_matches("-String ").trim_start_matches(' ')
    } else {
        behind.trim_start_matches([' ', '=']).strip_prefix('(')?
    };
    let at = place.at.end + (rest.len() - open.len());
    let first = usize::from(!alone);
    let value = strings(open).into_iter().skip(first).flatten().find(|span| is_password(open.get(span.clone())))?;
    Some(Found { span: at + value.start..at + value.end, tier: Tier::Generic })
}

/// Returns the arguments of a call on one line; those that are no plain strings as `None`.
fn strings(text: &str) -> Vec<Option<Range<usize>>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while found.len() < ARGUMENTS {
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
            && placeholder::looks_chosen(value)
            && (counted && odd && !value.contains('@')
                || placeholder::is_mixed(value) && placeholder::seams(value) >= 1)
    })
}
