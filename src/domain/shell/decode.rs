//! Encodings that hide a command from a reader: base64, hexadecimal digits, UTF-16, reversal, `tr`.
//!
//! A text is decoded only where it is completely known; what does not decode to text is unknown.

use crate::domain::text::encoding;

/// Returns the bytes that base64 represents, in either alphabet, over blanks and line breaks.
pub(crate) fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let symbols = text.bytes().filter(|byte| !byte.is_ascii_whitespace());
    encoding::decode_base64(symbols.take_while(|byte| *byte != b'='))
}

/// Returns the text that base64 represents.
pub(crate) fn decode_base64_text(text: &str) -> Option<String> {
    String::from_utf8(decode_base64(text)?).ok()
}

/// Returns the text whose UTF-16 form, low bytes first, base64 represents.
pub(crate) fn decode_base64_utf16(text: &str) -> Option<String> {
    let bytes = decode_base64(text)?;
    let units = bytes.chunks_exact(2).map(|pair| pair.iter().rev().fold(0, |unit, byte| unit << 8 | u16::from(*byte)));
    // What is no code decodes to characters of any script.
    let text = String::from_utf16(&units.collect::<Vec<u16>>()).ok()?;
    (bytes.len() % 2 == 0 && text.chars().all(|character| u32::from(character) < 0x2100)).then_some(text)
}

/// Returns the text that pairs of hexadecimal digits represent.
pub(crate) fn decode_hex(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(|character| !character.is_whitespace()).collect();
    String::from_utf8(encoding::decode_hex(digits.as_bytes())?).ok()
}

/// Returns each line of a text backwards.
pub(crate) fn reverse_lines(text: &str) -> String {
    text.split('\n').map(|line| line.chars().rev().collect::<String>()).collect::<Vec<_>>().join("\n")
}

/// Returns a text with characters of one set in the places of those of another, as `tr` does it.
pub(crate) fn translate_characters(text: &str, from: &str, to: &str) -> Option<String> {
    let (from, to) = (parse_character_set(from)?, parse_character_set(to)?);
    let last = *to.last()?;
    let translate = |character: char| match from.iter().position(|known| *known == character) {
        Some(at) => to.get(at).copied().unwrap_or(last),
        None => character,
    };
    Some(text.chars().map(translate).collect())
}

/// Returns the characters of a set with ranges and the common classes.
pub(crate) fn parse_character_set(written: &str) -> Option<Vec<char>> {
    let written = written.replace("[:lower:]", "a-z").replace("[:upper:]", "A-Z").replace("[:space:]", " \t\n");
    if written.contains("[:") || written.contains("[=") {
        return None;
    }
    let plain: Vec<char> = super::syntax::escape::decode_escapes(&written).chars().collect();
    let mut characters = Vec::new();
    let mut at = 0;
    while let Some(first) = plain.get(at) {
        match (plain.get(at + 1), plain.get(at + 2)) {
            (Some('-'), Some(last)) if first <= last && u32::from(*last) - u32::from(*first) < 256 => {
                characters.extend(*first..=*last);
                at += 3;
            }
            _ => {
                characters.push(*first);
                at += 1;
            }
        }
    }
    Some(characters)
}

#[cfg(test)]
mod tests {
    use super::{decode_base64_text, decode_base64_utf16, decode_hex, reverse_lines, translate_characters};

    #[test]
    fn decodings_give_the_text_back() {
        assert_eq!(decode_base64_text("cm0gLXJm\nIH4=").as_deref(), Some("rm -rf ~"));
        assert_eq!(decode_base64_text("cm0*"), None);
        assert_eq!(decode_base64_utf16("bABzAA==").as_deref(), Some("ls"));
        assert_eq!(decode_hex("72 6d").as_deref(), Some("rm"));
        assert_eq!(decode_hex("7x"), None);
        assert_eq!(reverse_lines("mr\nsl"), "rm\nls");
        assert_eq!(translate_characters("EZ", "A-Z", "n-za-m").as_deref(), Some("rm"));
        assert_eq!(translate_characters("RM", "[:upper:]", "[:lower:]").as_deref(), Some("rm"));
    }
}
