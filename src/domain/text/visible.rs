//! Characters that a terminal obeys or does not show, written so that a reader sees them.
//!
//! What a stranger wrote (a payload, a file name, a policy) may hold escape sequences, which change what the terminal
//! shows, characters that turn the direction of the text round, and ones that cannot be seen.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The form in which such characters are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EscapeForm {
    /// `\u{202e}`.
    Text,
    /// `\u202e`, in the strings of JSON.
    Json,
}

/// Characters from here on may join others to a picture or choose its form.
const FIRST_SYMBOL: char = '\u{2000}';

/// Returns whether a character is not seen as itself: a control character (also line feed and tab), one that turns the
/// direction round, or one without width.
pub const fn is_hidden(character: char) -> bool {
    matches!(character,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fdd0}'..='\u{fdef}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Returns a text in which every hidden character but line feed and tab is written as an escape. What joins symbols
/// to one picture stays.
pub fn visible(text: &str, form: EscapeForm) -> Cow<'_, str> {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    if text.bytes().all(is_plain) || !text.chars().any(|character| is_escaped(character, None, None)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut before = None;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if is_escaped(character, before, characters.peek().copied()) {
            write_escape(&mut shown, character, form);
        } else {
            shown.push(character);
        }
        before = Some(character);
    }
    Cow::Owned(shown)
}

/// Returns whether a character is written as an escape between these.
fn is_escaped(character: char, before: Option<char>, after: Option<char>) -> bool {
    let is_symbol =
        |character: Option<char>| character.is_some_and(|character| character >= FIRST_SYMBOL && !is_hidden(character));
    match character {
        '\n' | '\t' => false,
        '\u{fe0f}' => !is_symbol(before),
        '\u{200d}' => !(is_symbol(after) && (is_symbol(before) || before == Some('\u{fe0f}'))),
        _ => is_hidden(character),
    }
}

/// Writes a character as an escape.
pub fn write_escape(shown: &mut String, character: char, form: EscapeForm) {
    let number = u32::from(character);
    // Writing to a string does not fail.
    let _written = match form {
        EscapeForm::Text => write!(shown, "\\u{{{number:x}}}"),
        EscapeForm::Json => {
            let mut units = [0; 2];
            character.encode_utf16(&mut units).iter().try_for_each(|unit| write!(shown, "\\u{unit:04x}"))
        }
    };
}

#[cfg(test)]
mod tests {
    use super::{EscapeForm, visible};

    #[test]
    fn what_a_terminal_obeys_is_shown() {
        for (text, shown) in [
            ("plain\ttext\n", "plain\ttext\n"),
            ("Grüße, 日本, naïve", "Grüße, 日本, naïve"),
            ("\u{1b}[2J", "\\u{1b}[2J"),
            ("\u{9b}31m", "\\u{9b}31m"),
            ("a\rb\u{8}", "a\\u{d}b\\u{8}"),
            ("rm \u{202e}txt", "rm \\u{202e}txt"),
            ("a\u{200b}b\u{feff}", "a\\u{200b}b\\u{feff}"),
            ("\u{e0041}", "\\u{e0041}"),
            ("⚠\u{fe0f} 👩\u{200d}💻", "⚠\u{fe0f} 👩\u{200d}💻"),
            ("a\u{fe0f}b\u{200d}c", "a\\u{fe0f}b\\u{200d}c"),
            ("⚠\u{fe0f}\u{fe0f}", "⚠\u{fe0f}\\u{fe0f}"),
        ] {
            assert_eq!(visible(text, EscapeForm::Text), shown);
        }
        assert_eq!(visible("\"\u{85}\u{e0041}\"", EscapeForm::Json), "\"\\u0085\\udb40\\udc41\"");
    }
}
