//! Text without what splits it where a reader sees none of it: escape sequences, controls, characters without width;
//! and with the characters that HTML entities stand for.
//!
//! A search that colors what it finds cuts a value in pieces, and so does a character without width. Only the
//! surroundings of such places are looked at again, and most texts have none.

use std::ops::Range;

use super::decode::{DecodedText, Encoding};
use crate::domain::text::escape_sequence::sequence_len;
use crate::domain::text::visible::is_hidden;

/// How many bytes before and after such a place are read again with it.
const CONTEXT_BYTES: usize = 4096;

/// Bytes of which it is looked at once whether one of them is a control character or none of ASCII.
const BLOCK: usize = 64;

/// Characters by the names that entities have for them, of those that values are written with.
const ENTITIES: &[(&[u8], u8)] = &[
    (b"amp", b'&'),
    (b"apos", b'\''),
    (b"ast", b'*'),
    (b"bsol", b'\\'),
    (b"colon", b':'),
    (b"comma", b','),
    (b"commat", b'@'),
    (b"dollar", b'$'),
    (b"equals", b'='),
    (b"excl", b'!'),
    (b"gt", b'>'),
    (b"lowbar", b'_'),
    (b"lpar", b'('),
    (b"lt", b'<'),
    (b"num", b'#'),
    (b"percnt", b'%'),
    (b"period", b'.'),
    (b"plus", b'+'),
    (b"quest", b'?'),
    (b"quot", b'"'),
    (b"rpar", b')'),
    (b"semi", b';'),
    (b"sol", b'/'),
    (b"UnderBar", b'_'),
];

/// What stands at a place of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece {
    /// So many bytes that nobody sees.
    Hidden(usize),
    /// An entity of so many bytes for a character.
    Entity(usize, u8),
    /// A character of so many bytes.
    Plain(usize),
}

/// Returns the pieces of a text that somebody would read otherwise than they are written.
pub(super) fn plain_pieces(text: &str) -> Vec<DecodedText> {
    regions(text, &disguises(text)).into_iter().filter_map(|region| plain_text(text, region)).collect()
}

/// Returns where something is hidden or an entity stands, in order.
fn disguises(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let is_disguise = |at: &usize| !matches!(piece_at(text, *at), Some(Piece::Plain(_)) | None);
    let mut found: Vec<usize> = memchr::memchr3_iter(0x1b, b'&', b'\\', bytes).filter(is_disguise).collect();
    for (number, block) in bytes.chunks(BLOCK).enumerate() {
        let is_odd = |byte: &u8| !(b' '..0x7f).contains(byte) && !b"\n\t\r\x1b".contains(byte);
        if !block.iter().fold(false, |odd, byte| odd | is_odd(byte)) {
            continue;
        }
        let odd = block.iter().enumerate().filter(|(_, byte)| is_odd(byte)).map(|(at, _)| number * BLOCK + at);
        found.extend(odd.filter(|at| text.is_char_boundary(*at)).filter(is_disguise));
    }
    found.sort_unstable();
    found
}

/// Returns what stands at a place; none in the middle of a character, and at the end.
fn piece_at(text: &str, at: usize) -> Option<Piece> {
    let rest = text.get(at..)?;
    let character = rest.chars().next()?;
    let plain = Piece::Plain(character.len_utf8());
    Some(match character {
        '\n' | '\t' | '\r' => plain,
        '\u{1b}' | '\u{9b}' | '\\' => sequence_len(rest.as_bytes()).map_or(plain, Piece::Hidden),
        '&' => entity(rest.as_bytes()).map_or(plain, |(len, byte)| Piece::Entity(len, byte)),
        // What chooses the form of a symbol belongs to it.
        '\u{fe0f}' | '\u{200d}' if is_after_symbol(text, at) => plain,
        _ if is_hidden(character) => Piece::Hidden(character.len_utf8()),
        _ => plain,
    })
}

fn is_after_symbol(text: &str, at: usize) -> bool {
    text.get(..at).and_then(|before| before.chars().next_back()).is_some_and(|before| before >= '\u{2000}')
}

/// Returns the length and the character of the entity that a text begins with.
fn entity(text: &[u8]) -> Option<(usize, u8)> {
    let end = text.iter().take(12).position(|byte| *byte == b';')?;
    let name = text.get(1..end)?;
    let code = match name {
        [b'#', b'x' | b'X', digits @ ..] => u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok(),
        [b'#', digits @ ..] => std::str::from_utf8(digits).ok()?.parse().ok(),
        _ => ENTITIES.iter().find(|(known, _)| *known == name).map(|(_, byte)| *byte),
    };
    code.filter(u8::is_ascii_graphic).map(|byte| (end + 1, byte))
}

/// Returns the surroundings of places; overlapping ones are merged.
fn regions(text: &str, places: &[usize]) -> Vec<Range<usize>> {
    let mut regions: Vec<Range<usize>> = Vec::new();
    for at in places {
        let start = text.floor_char_boundary(at.saturating_sub(CONTEXT_BYTES));
        let end = text.ceil_char_boundary((at + CONTEXT_BYTES).min(text.len()));
        match regions.last_mut() {
            Some(last) if start <= last.end => last.end = last.end.max(end),
            _ => regions.push(start..end),
        }
    }
    regions
}

/// Returns a region as it is read.
fn plain_text(text: &str, region: Range<usize>) -> Option<DecodedText> {
    let bytes = text.as_bytes();
    let (mut inner, mut sources) = (Vec::with_capacity(region.len()), Vec::with_capacity(region.len()));
    let mut at = region.start;
    while at < region.end {
        let length = match piece_at(text, at)? {
            Piece::Hidden(length) => length,
            Piece::Entity(length, byte) => {
                inner.push(byte);
                sources.push((at, at + length));
                length
            }
            Piece::Plain(length) => {
                inner.extend_from_slice(bytes.get(at..at + length)?);
                sources.extend((at..at + length).map(|byte| (byte, byte + 1)));
                length
            }
        };
        at += length;
    }
    Some(DecodedText::with_sources(String::from_utf8(inner).ok()?, Encoding::Hidden, sources))
}

#[cfg(test)]
mod tests {
    use super::plain_pieces;

    #[test]
    fn what_is_read_is_found_with_its_places() {
        for (text, plain) in [
            ("a\u{1b}[01;31m\u{1b}[Kb\u{1b}[m\u{1b}[Kc", "abc"),
            ("a\u{200b}b\u{feff}c\0d", "abcd"),
            ("&#97;&#x62;&lowbar;c&quot;", "ab_c\""),
            ("a\\u001b[31mb", "ab"),
            ("é\u{ad}ß", "éß"),
        ] {
            let pieces = plain_pieces(text);
            assert_eq!(pieces.len(), 1, "{text:?}");
            assert_eq!(pieces[0].text, plain);
            let whole = pieces[0].source_span(&(0..plain.len())).unwrap();
            assert!(text.get(whole).is_some());
        }
        let text = "x\u{1b}[1mab\u{1b}[m";
        let piece = &plain_pieces(text)[0];
        assert_eq!(text.get(piece.source_span(&(1..3)).unwrap()), Some("ab"), "sequences around it stay");
    }

    #[test]
    fn ordinary_text_is_not_read_again() {
        for text in [
            "",
            "plain\r\n\ttext",
            "a & b && c; &x; &copy;",
            "C:\\Users\\u \\end \\033",
            "Grüße ⚠\u{fe0f} 👩\u{200d}💻",
        ] {
            assert!(plain_pieces(text).is_empty(), "{text:?}");
        }
    }
}
