//! Wildcards over single words: `*`, `?` and `[…]`.
//!
//! Unlike in file names, `*` also matches slashes: a word is not a path here. The worst-case cost is the product of
//! the
//! two lengths, because only the last `*` is retried.

/// Returns whether a whole text matches the pattern.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    // Most texts differ in their first letter.
    let first = pattern.bytes().next().filter(u8::is_ascii_alphanumeric);
    if first.is_some_and(|first| text.bytes().next() != Some(first)) {
        return false;
    }
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    let (mut at, mut from) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while let Some(character) = text.get(from) {
        if pattern.get(at) == Some(&'*') {
            star = Some((at + 1, from));
            at += 1;
        } else if let Some(length) = match_element(pattern.get(at..).unwrap_or_default(), *character) {
            at += length;
            from += 1;
        } else if let Some((behind, tried)) = star {
            star = Some((behind, tried + 1));
            (at, from) = (behind, tried + 1);
        } else {
            return false;
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(|character| *character == '*')
}

/// Returns whether a pattern has anything but plain text.
pub(crate) fn is_pattern(pattern: &str) -> bool {
    pattern.contains(['*', '?', '['])
}

/// Returns the length of the pattern's first element if it matches the character.
fn match_element(pattern: &[char], character: char) -> Option<usize> {
    match pattern.first()? {
        '?' => Some(1),
        '[' => match match_bracket(pattern, character) {
            Some((length, true)) => Some(length),
            Some((_, false)) => None,
            None => (character == '[').then_some(1),
        },
        '\\' if pattern.len() > 1 => (pattern.get(1) == Some(&character)).then_some(2),
        other => (*other == character).then_some(1),
    }
}

/// Returns the length of a bracket expression and whether the character is in it.
fn match_bracket(pattern: &[char], character: char) -> Option<(usize, bool)> {
    let negated = matches!(pattern.get(1), Some('!' | '^'));
    let first = if negated { 2 } else { 1 };
    let mut at = first;
    let mut found = false;
    loop {
        let low = *pattern.get(at)?;
        if low == ']' && at > first {
            return Some((at + 1, found != negated));
        }
        match (pattern.get(at + 1), pattern.get(at + 2)) {
            (Some('-'), Some(high)) if *high != ']' => {
                found |= (low..=*high).contains(&character);
                at += 3;
            }
            _ => {
                found |= low == character;
                at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn wildcards_stand_for_text() {
        for (pattern, text, expected) in [
            ("mkfs.*", "mkfs.ext4", true),
            ("mkfs.*", "mkfs", false),
            ("*", "", true),
            ("+*", "+main", true),
            ("of=/dev/*", "of=/dev/disk/by-id/x", true),
            ("a?c", "abc", true),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[x", "[x", true),
            ("*a*b*c", "xxaxxbxxcxxc", true),
            ("a", "ab", false),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }
}
