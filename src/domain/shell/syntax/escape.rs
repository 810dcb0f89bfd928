//! Backslash escapes, as in `$'…'`, `echo -e` and `printf`.
//!
//! A byte above 127 that is written as an escape becomes the character of that number: names of
//! programs and options are ASCII, and that is what the decoding is for.

use std::iter::Peekable;
use std::str::Chars;

/// Returns a text with its escapes decoded.
pub(crate) fn decode_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        if character == '\\' {
            decode_escape(&mut rest, &mut out);
        } else {
            out.push(character);
        }
    }
    out
}

fn decode_escape(rest: &mut Peekable<Chars<'_>>, out: &mut String) {
    let Some(kind) = rest.next() else {
        out.push('\\');
        return;
    };
    let code = match kind {
        'a' => Some(0x7),
        'b' => Some(0x8),
        'e' | 'E' => Some(0x1b),
        'f' => Some(0xc),
        'n' => Some(0xa),
        'r' => Some(0xd),
        't' => Some(0x9),
        'v' => Some(0xb),
        '\\' | '\'' | '"' | '?' => Some(u32::from(kind)),
        'x' => parse_digits(rest, 16, 2, None),
        'u' => parse_digits(rest, 16, 4, None),
        'U' => parse_digits(rest, 16, 8, None),
        'c' => rest.next().map(|control| u32::from(control) & 0x1f),
        // `echo -e` and `%b` take up to three digits after a leading zero, `$'…'` three in all.
        '0' => parse_digits(rest, 8, 3, Some(0)),
        '1'..='7' => parse_digits(rest, 8, 2, kind.to_digit(8)),
        _ => None,
    };
    if let Some(character) = code.and_then(char::from_u32) {
        out.push(character);
    } else {
        out.push('\\');
        out.push(kind);
    }
}

/// Reads up to `most` digits after what was read `before`; or nothing when there are none at all.
fn parse_digits(rest: &mut Peekable<Chars<'_>>, radix: u32, most: usize, before: Option<u32>) -> Option<u32> {
    let mut value = before;
    for _ in 0..most {
        let Some(digit) = rest.peek().and_then(|character| character.to_digit(radix)) else { break };
        rest.next();
        value = Some(value.unwrap_or(0).saturating_mul(radix).saturating_add(digit));
    }
    value
}

#[cfg(test)]
mod tests {
    use super::decode_escapes;

    #[test]
    fn escapes_become_characters() {
        for (written, meant) in [
            (r"\x72m", "rm"),
            (r"\162\155", "rm"),
            (r"\u0072m", "rm"),
            (r"\0162m", "rm"),
            (r"a\nb", "a\nb"),
            (r"\q\", r"\q\"),
        ] {
            assert_eq!(decode_escapes(written), meant, "{written}");
        }
    }
}
