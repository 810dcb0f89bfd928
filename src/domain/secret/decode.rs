//! Looking through encodings, where something hints at a secret below.
//!
//! Nothing is decoded on suspicion alone: the automaton knows how the beginnings of tokens look in base64, at each of
//! the three positions that a byte can have in it, and in hexadecimal. Only the run around such a hit is decoded.

use std::ops::Range;

use super::base64;

/// Where a piece of an encoded token stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hint {
    /// Where it begins, in bytes.
    pub at: usize,
    /// How many signs before it the group of four begins; [`HEX`] for a piece of hexadecimal.
    pub ahead: usize,
}

/// Marks a hint as one in hexadecimal.
pub const HEX: u16 = 16;

/// A piece of text that was decoded.
#[derive(Debug)]
pub(super) struct Piece {
    /// What it decodes to.
    pub text: String,
    /// Where it stands.
    span: Range<usize>,
}

impl Piece {
    /// Returns what of the outer text to speak of for a value in the inner one: the whole piece.
    pub(super) fn outer(&self, inner: &Range<usize>) -> Option<Range<usize>> {
        (inner.end <= self.text.len()).then(|| self.span.clone())
    }
}

/// Signs that an encoded piece has at least.
const SHORTEST: usize = 24;

/// Returns what the runs around hints decode to, each run once.
pub(super) fn pieces(text: &str, hints: &[Hint]) -> Vec<Piece> {
    let bytes = text.as_bytes();
    let mut pieces: Vec<Piece> = Vec::new();
    let mut reached = [0; 2];
    for hint in hints {
        let hex = hint.ahead == usize::from(HEX);
        let Some(reached) = reached.get_mut(usize::from(hex)) else { continue };
        if hint.at < *reached {
            continue;
        }
        let in_run = |byte: &&u8| {
            if hex { byte.is_ascii_hexdigit() } else { byte.is_ascii_alphanumeric() || b"+/-_".contains(*byte) }
        };
        let before = bytes.get(*reached..hint.at).unwrap_or_default();
        let first = hint.at - before.iter().rev().take_while(in_run).count();
        let tail = bytes.get(hint.at..).unwrap_or_default();
        let mut end = hint.at + tail.iter().take_while(in_run).count();
        *reached = end;
        let step = if hex { 2 } else { 4 };
        let ahead = if hex { 0 } else { hint.ahead };
        // A group begins so many signs before the hit, and each group before that one step earlier.
        let Some(group) = hint.at.checked_sub(ahead).filter(|group| *group >= first) else { continue };
        let start = group - (group - first) / step * step;
        let decoded = if hex { unhex(text.get(start..end)) } else { text.get(start..end).and_then(base64::decode) };
        while !hex && bytes.get(end) == Some(&b'=') {
            end += 1;
        }
        let Some(inner) = decoded.filter(|_| end - start >= SHORTEST) else { continue };
        pieces.extend(printable(&inner).map(|text| Piece { text, span: first..end }));
    }
    pieces
}

fn unhex(text: Option<&str>) -> Option<Vec<u8>> {
    let pair = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    text?.as_bytes().chunks_exact(2).map(pair).collect()
}

/// Returns bytes as text if nearly all are printable; what is not becomes a blank.
fn printable(bytes: &[u8]) -> Option<String> {
    let strange = |byte: &&u8| !(byte.is_ascii_graphic() || byte.is_ascii_whitespace());
    let odd = bytes.iter().filter(strange).count();
    if odd * 8 > bytes.len() {
        return None;
    }
    String::from_utf8(bytes.iter().map(|byte| if strange(&byte) { b' ' } else { *byte }).collect()).ok()
}
