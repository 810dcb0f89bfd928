//! Formats of written numbers, matched byte by byte.

/// Returns the end of a number in this format that begins at this position. The longest format has a few dozen bytes,
/// which bounds the search.
pub(super) fn match_end(shape: &str, text: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    let mut separator: Option<Option<u8>> = None;
    for sign in shape.bytes() {
        let byte = text.get(at).copied();
        if sign == b'_' {
            let here = byte.filter(|byte| matches!(byte, b' ' | b'-'));
            if *separator.get_or_insert(here) != here {
                return None;
            }
            at += usize::from(here.is_some());
            continue;
        }
        let byte = byte?;
        let fits = match sign {
            b'9' => byte.is_ascii_digit(),
            b'A' => byte.is_ascii_uppercase(),
            b'X' => byte.is_ascii_digit() || byte.is_ascii_uppercase(),
            b'M' => byte.is_ascii_digit() || byte.is_ascii_uppercase() || byte == b'<',
            literal => byte == literal,
        };
        if !fits {
            return None;
        }
        at += 1;
    }
    Some(at)
}

/// Returns whether a number may begin here: not inside a word, a longer number, a path or an identifier.
pub(super) fn may_begin(text: &[u8], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).and_then(|at| text.get(at)).copied();
    match before(1) {
        Some(byte) if is_word_byte(byte) => {
            // An escape for a line end ends in a letter.
            matches!(byte, b'n' | b'r' | b't') && before(2) == Some(b'\\')
        }
        Some(b'.' | b'-' | b'/' | b'+' | b'@' | b':' | b'%' | b'$' | b'#') => !before(2).is_some_and(is_word_byte),
        Some(_) | None => true,
    }
}

/// Returns whether a number may end here.
pub(super) fn may_end(text: &[u8], at: usize) -> bool {
    let after = |on: usize| text.get(at + on).copied();
    match after(0) {
        Some(byte) if is_word_byte(byte) => false,
        Some(b'.' | b'-' | b'/' | b'@' | b'%') => !after(1).is_some_and(is_word_byte),
        Some(_) | None => true,
    }
}

/// Returns whether a byte belongs to a word or a number, or to a letter beyond ASCII.
pub(super) fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::match_end;

    #[test]
    fn separators_are_the_same_throughout() {
        for (shape, text, expected) in [
            ("99_99_99", "123456", Some(6)),
            ("99_99_99", "12 34 56", Some(8)),
            ("99_99_99", "12-34-56", Some(8)),
            ("99_99_99", "12-34 56", None),
            ("99_99_99", "1234-56", None),
            ("A9X", "B2c", None),
            ("A9X", "B2C", Some(3)),
            ("99.99", "12.34", Some(5)),
            ("99.99", "12.3", None),
        ] {
            assert_eq!(match_end(shape, text.as_bytes(), 0), expected, "{shape} {text}");
        }
    }
}
