//! Looking through encodings, where something hints at a secret below.
//!
//! Nothing is decoded on suspicion alone: the automaton knows how the beginnings of tokens look in base64, at each of
//! the three positions that a byte can have in it, and in hexadecimal; and it knows the escapes of URLs and of JSON.
//! Only the run, or the part of the line, around such a hit is decoded.

use std::ops::Range;

use super::base64;

/// Where a piece of an encoded token stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hint {
    /// Where it begins, in bytes.
    pub at: usize,
    /// How many signs before it the group of four begins; [`HEX`] for a piece of hexadecimal, [`ESCAPE`] for an escape.
    pub ahead: usize,
}

/// Marks a hint as one in hexadecimal.
pub const HEX: u16 = 16;

/// Marks a hint as an escape.
pub const ESCAPE: u16 = 17;

/// A piece of text that was decoded.
#[derive(Debug)]
pub(super) struct Piece {
    /// What it decodes to.
    pub text: String,
    /// Where it stands.
    span: Range<usize>,
    /// For each byte of `text`, where it came from; empty when all of it came from all of the piece.
    from: Vec<usize>,
}

impl Piece {
    /// Returns what of the outer text to speak of for a value in the inner one: what it was written with, or the whole
    /// piece where no part stands for the value alone.
    pub(super) fn outer(&self, inner: &Range<usize>) -> Option<Range<usize>> {
        if self.from.is_empty() {
            return (inner.end <= self.text.len()).then(|| self.span.clone());
        }
        let end = if inner.end == self.from.len() { self.span.end } else { *self.from.get(inner.end)? };
        Some(*self.from.get(inner.start)?..end)
    }
}

/// Signs that an encoded piece has at least.
const SHORTEST: usize = 24;

/// Bytes before and after an escape that are decoded with it, within its line.
const AROUND: usize = 256;

/// Returns what the surroundings of hints decode to, each stretch once.
pub(super) fn pieces(text: &str, hints: &[Hint]) -> Vec<Piece> {
    let (escapes, runs): (Vec<Hint>, Vec<Hint>) =
        hints.iter().copied().partition(|hint| hint.ahead == usize::from(ESCAPE));
    let mut pieces = runs_around(text, &runs);
    pieces.extend(lines_around(text, &escapes).into_iter().filter_map(|span| unescaped(text, span)));
    pieces
}

/// Returns the parts of lines in which escapes stand; those that meet are one.
fn lines_around(text: &str, escapes: &[Hint]) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut spans: Vec<Range<usize>> = Vec::new();
    for Hint { at, .. } in escapes {
        let before = bytes.get(at.saturating_sub(AROUND)..*at).unwrap_or_default();
        let after = bytes.get(*at..(at + AROUND).min(bytes.len())).unwrap_or_default();
        let start = at - before.iter().rev().take_while(|byte| **byte != b'\n').count();
        let end = at + after.iter().take_while(|byte| **byte != b'\n').count();
        match spans.last_mut() {
            Some(last) if start <= last.end => last.end = last.end.max(end),
            _ => spans.push(start..end),
        }
    }
    spans
}

/// Returns a stretch with its escapes replaced by what they stand for; `None` when there are none.
fn unescaped(text: &str, span: Range<usize>) -> Option<Piece> {
    let span = text.ceil_char_boundary(span.start)..text.floor_char_boundary(span.end);
    let bytes = text.get(span.clone())?.as_bytes();
    let mut inner = Vec::with_capacity(bytes.len());
    let mut from = Vec::with_capacity(bytes.len());
    let mut at = 0;
    let mut changed = false;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let (byte, len) = escape(rest);
        changed = changed || len > 1;
        inner.push(byte);
        from.push(span.start + at);
        at += len;
    }
    changed.then(|| String::from_utf8(inner).ok()).flatten().map(|text| Piece { text, span, from })
}

/// Returns the byte that a text begins with, and how many bytes it is written with.
fn escape(text: &[u8]) -> (u8, usize) {
    let hex = |digits: &[u8]| {
        let byte = std::str::from_utf8(digits).ok().and_then(|digits| u8::from_str_radix(digits, 16).ok());
        byte.filter(u8::is_ascii_graphic)
    };
    match text {
        [b'%', a, b, ..] => hex(&[*a, *b]).map_or((b'%', 1), |byte| (byte, 3)),
        [b'\\', b'u' | b'U', b'0', b'0', a, b, ..] => hex(&[*a, *b]).map_or((b'\\', 1), |byte| (byte, 6)),
        [b'\\', b'/', ..] => (b'/', 2),
        [byte, ..] => (*byte, 1),
        [] => (0, 1),
    }
}

/// Returns what the runs of base64 and hexadecimal around hints decode to.
fn runs_around(text: &str, hints: &[Hint]) -> Vec<Piece> {
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
        pieces.extend(printable(&inner).map(|text| Piece { text, span: first..end, from: Vec::new() }));
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
