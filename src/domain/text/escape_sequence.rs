//! Escape sequences of terminals in a text: how long they are, and which set the style of what follows.

/// Bytes that a string sequence, such as a title, may have.
const MAX_STRING_BYTES: usize = 4096;

/// Ways in which programs write the escape character into other texts.
const WRITTEN_ESCAPES: &[&[u8]] = &[b"\\u001b", b"\\u001B", b"\\x1b", b"\\x1B", b"\\033", b"\\e"];

/// Returns the length of the escape sequence that a text begins with, also where its escape character is written out
/// (`\u001b[31m`).
pub fn sequence_len(text: &[u8]) -> Option<usize> {
    match text {
        [0x1b, rest @ ..] => Some(1 + body_len(rest)),
        // The control sequence introducer of one character, in UTF-8.
        [0xc2, 0x9b, rest @ ..] => Some(2 + arguments_len(rest).unwrap_or(0)),
        [b'\\', ..] => {
            let (written, rest) = WRITTEN_ESCAPES.iter().find_map(|it| Some((*it, text.strip_prefix(*it)?)))?;
            Some(written.len() + 1 + arguments_len(rest.strip_prefix(b"[")?)?)
        }
        _ => None,
    }
}

/// Returns the length of what follows the escape character.
fn body_len(text: &[u8]) -> usize {
    match text {
        [b'[', rest @ ..] => 1 + arguments_len(rest).unwrap_or(0),
        [b']' | b'P' | b'_' | b'^' | b'X', rest @ ..] => {
            let shown = rest.get(..MAX_STRING_BYTES).unwrap_or(rest);
            let by_bell = memchr::memchr(0x07, shown).map(|at| at + 1);
            let by_terminator = memchr::memmem::find(shown, b"\x1b\\").map(|at| at + 2);
            1 + by_bell.into_iter().chain(by_terminator).min().unwrap_or(0)
        }
        [b' ' | b'#' | b'%' | b'(' | b')' | b'*' | b'+', 0x20..0x7f, ..] => 2,
        [0x20..0x7f, ..] => 1,
        _ => 0,
    }
}

/// Returns the length of arguments with their final byte.
fn arguments_len(text: &[u8]) -> Option<usize> {
    let end = text.iter().position(|byte| !(0x20..0x40).contains(byte))?;
    text.get(end).is_some_and(|last| (0x40..0x7f).contains(last)).then_some(end + 1)
}

/// Returns the sequences of a text that set colors or clear the rest of the line, in order.
pub fn style_sequences(text: &str) -> impl Iterator<Item = &str> {
    memchr::memchr_iter(0x1b, text.as_bytes()).filter_map(|at| {
        let rest = text.get(at..)?;
        let sequence = rest.get(..sequence_len(rest.as_bytes())?)?;
        (sequence.starts_with("\u{1b}[") && sequence.ends_with(['m', 'K'])).then_some(sequence)
    })
}

#[cfg(test)]
mod tests {
    use super::{sequence_len, style_sequences};

    #[test]
    fn sequences_have_their_length() {
        for (text, len) in [
            ("\u{1b}[01;31m\u{1b}[Kx", Some(8)),
            ("\u{1b}[Kx", Some(3)),
            ("\u{1b}[mx", Some(3)),
            ("\u{1b}]8;;http://x\u{7}y", Some(14)),
            ("\u{1b}]0;x\u{1b}\\y", Some(7)),
            ("\u{1b}(Bx", Some(3)),
            ("\u{1b}7x", Some(2)),
            ("\u{1b}", Some(1)),
            ("\u{1b}é", Some(1)),
            ("\u{9b}31mx", Some(5)),
            ("\\u001b[31mx", Some(10)),
            ("\\033[0mx", Some(7)),
            ("\\e[1;32mx", Some(8)),
            ("\\033x", None),
            ("\\end", None),
            ("[31m", None),
        ] {
            assert_eq!(sequence_len(text.as_bytes()), len, "{text:?}");
        }
    }

    #[test]
    fn styles_are_picked_out() {
        let text = "a\u{1b}[1mb\u{1b}[2Jc\u{1b}[m\u{1b}[Kd";
        assert_eq!(style_sequences(text).collect::<Vec<_>>(), ["\u{1b}[1m", "\u{1b}[m", "\u{1b}[K"]);
    }
}
