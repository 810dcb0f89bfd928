//! Numbers as people write them: matched by a form, byte by byte.

/// Returns where a number of this form that begins here ends. The longest form has a few dozen bytes, so that is how
/// far is looked.
pub(super) fn end_of(shape: &str, text: &[u8], from: usize) -> Option<usize> {
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

/// Tells whether a number may begin here: not within a word, a longer number, a path or an identifier.
pub(super) fn may_begin(text: &[u8], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).and_then(|at| text.get(at)).copied();
    match before(1) {
        Some(byte) if is_inner(byte) => {
            // An escape for the end of a line ends in a letter.
            matches!(byte, b'n' | b'r' | b't') && before(2) == Some(b'\\')
        }
        Some(b'.' | b'-' | b'/' | b'+' | b'@' | b':' | b'%' | b'$' | b'#') => !before(2).is_some_and(is_inner),
        Some(_) | None => true,
    }
}

/// Tells whether a number may end here.
pub(super) fn may_end(text: &[u8], at: usize) -> bool {
    let after = |on: usize| text.get(at + on).copied();
    match after(0) {
        Some(byte) if is_inner(byte) => false,
        Some(b'.' | b'-' | b'/' | b'@' | b'%') => !after(1).is_some_and(is_inner),
        Some(_) | None => true,
    }
}

/// Tells whether a byte is of a word or a number, or of a letter beyond ASCII.
pub(super) fn is_inner(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::end_of;

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
            assert_eq!(end_of(shape, text.as_bytes(), 0), expected, "{shape} {text}");
        }
    }
}
