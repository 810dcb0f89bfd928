//! Encodings that hide a command from a reader: base64, hexadecimal digits, UTF-16, reversal, `tr`.
//!
//! A text is decoded only where it is known whole; what does not decode to text is not known.

/// Returns the bytes that base64 stands for, in either alphabet, over blanks and line breaks.
pub(crate) fn base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut held) = (0_u32, 0_u32);
    for letter in text.bytes().filter(|byte| !byte.is_ascii_whitespace()).take_while(|byte| *byte != b'=') {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(value)) & 0xffff;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(bits >> held & 0xff).ok()?);
        }
    }
    Some(bytes)
}

/// Returns bytes in base64, with signs that fill it up.
pub fn encode_base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = String::new();
    for chunk in bytes.chunks(3) {
        let three = [0, 1, 2].map(|index| u32::from(chunk.get(index).copied().unwrap_or_default()));
        let bits = three.iter().fold(0, |bits, byte| bits << 8 | byte);
        for place in 0..4 {
            let sign = usize::try_from(bits >> (18 - 6 * place) & 63).ok().and_then(|index| SIGNS.get(index));
            encoded.push(if place > chunk.len() { '=' } else { sign.copied().map_or('=', char::from) });
        }
    }
    encoded
}

/// Returns the text that base64 stands for.
pub(crate) fn base64_text(text: &str) -> Option<String> {
    String::from_utf8(base64(text)?).ok()
}

/// Returns the text whose UTF-16 form, low bytes first, base64 stands for.
pub(crate) fn base64_utf16(text: &str) -> Option<String> {
    let bytes = base64(text)?;
    let units = bytes.chunks_exact(2).map(|pair| pair.iter().rev().fold(0, |unit, byte| unit << 8 | u16::from(*byte)));
    // What is no code decodes to signs of any script.
    let text = String::from_utf16(&units.collect::<Vec<u16>>()).ok()?;
    (bytes.len() % 2 == 0 && text.chars().all(|character| u32::from(character) < 0x2100)).then_some(text)
}

/// Returns the text that pairs of hexadecimal digits stand for.
pub(crate) fn hexadecimal(text: &str) -> Option<String> {
    let digits: Vec<u8> = text
        .chars()
        .filter(|character| !character.is_whitespace())
        .map(|character| character.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect::<Option<_>>()?;
    String::from_utf8(digits.chunks_exact(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect())
        .ok()
}

/// Returns each line of a text backwards.
pub(crate) fn reversed(text: &str) -> String {
    text.split('\n').map(|line| line.chars().rev().collect::<String>()).collect::<Vec<_>>().join("\n")
}

/// Returns a text with characters of one set in the places of those of another, as `tr` does it.
pub(crate) fn translated(text: &str, from: &str, to: &str) -> Option<String> {
    let (from, to) = (set(from)?, set(to)?);
    let last = *to.last()?;
    let translate = |character: char| match from.iter().position(|known| *known == character) {
        Some(at) => to.get(at).copied().unwrap_or(last),
        None => character,
    };
    Some(text.chars().map(translate).collect())
}

/// Returns the characters of a set with ranges and the common classes.
pub(crate) fn set(written: &str) -> Option<Vec<char>> {
    let written = written.replace("[:lower:]", "a-z").replace("[:upper:]", "A-Z").replace("[:space:]", " \t\n");
    if written.contains("[:") || written.contains("[=") {
        return None;
    }
    let plain: Vec<char> = super::syntax::escape::decode(&written).chars().collect();
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
    use super::{base64_text, base64_utf16, hexadecimal, reversed, translated};

    #[test]
    fn decodings_give_the_text_back() {
        assert_eq!(base64_text("cm0gLXJm\nIH4=").as_deref(), Some("rm -rf ~"));
        assert_eq!(base64_text("cm0*"), None);
        assert_eq!(base64_utf16("bABzAA==").as_deref(), Some("ls"));
        assert_eq!(hexadecimal("72 6d").as_deref(), Some("rm"));
        assert_eq!(hexadecimal("7x"), None);
        assert_eq!(reversed("mr\nsl"), "rm\nls");
        assert_eq!(translated("EZ", "A-Z", "n-za-m").as_deref(), Some("rm"));
        assert_eq!(translated("RM", "[:upper:]", "[:lower:]").as_deref(), Some("rm"));
    }
}
