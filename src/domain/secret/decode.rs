//! Decodes encoded text where a hint points to a secret inside it.
//!
//! Nothing is decoded without a hint: the automaton contains the prefixes of tokens in base64, at each of the three
//! positions that a byte can have in it, and in hexadecimal, and the escapes of URLs and JSON. Only the run, or the
//! part of the line, around such a hit is decoded.

use std::ops::Range;

use super::base64;
use crate::domain::text::encoding;

/// A hint to an encoded token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EncodedHint {
    /// Its start, in bytes.
    pub at: usize,
    /// How many characters before it the group of four begins; [`HEX_HINT`] for hexadecimal, [`ESCAPE_HINT`] for an
    /// escape.
    pub group_offset: usize,
}

/// Marks a hexadecimal hint.
pub const HEX_HINT: u16 = 16;

/// Marks an escape hint.
pub const ESCAPE_HINT: u16 = 17;

/// How a piece of text is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Base64, also its form for URLs.
    Base64,
    /// Hexadecimal digits.
    Hex,
    /// Percent-encoding of URLs.
    Url,
    /// Escapes of JSON and of programming languages.
    Escapes,
    /// HTML entities, or characters that are not visible.
    Hidden,
}

impl Encoding {
    /// Returns the name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Base64 => "base64",
            Self::Hex => "hex",
            Self::Url => "url",
            Self::Escapes => "escapes",
            Self::Hidden => "hidden",
        }
    }
}

/// A decoded piece of text.
#[derive(Debug)]
pub(super) struct DecodedText {
    /// The decoded text.
    pub text: String,
    /// How it was encoded.
    pub encoding: Encoding,
    /// Its span in the outer text.
    span: Range<usize>,
    /// The start and the end in the outer text of each byte of `text`; empty when only the whole piece is known.
    sources: Vec<(usize, usize)>,
}

impl DecodedText {
    /// Returns a text of whose bytes each has its place in the outer text.
    pub(super) const fn with_sources(text: String, encoding: Encoding, sources: Vec<(usize, usize)>) -> Self {
        Self { text, encoding, span: 0..0, sources }
    }

    /// Returns the span in the outer text of a value in the inner one, or the whole piece where no part represents
    /// only the value.
    pub(super) fn source_span(&self, inner: &Range<usize>) -> Option<Range<usize>> {
        if self.sources.is_empty() {
            return (inner.end <= self.text.len()).then(|| self.span.clone());
        }
        let (start, _) = self.sources.get(inner.start)?;
        let (_, end) = self.sources.get(inner.end.checked_sub(1)?)?;
        (start < end).then_some(*start..*end)
    }
}

/// The minimum length of an encoded run.
const MIN_RUN: usize = 24;

/// How many bytes before and after an escape are decoded with it, within its line.
const ESCAPE_CONTEXT: usize = 256;

/// Returns the decoded text around hints, each stretch once.
pub(super) fn decode_hints(text: &str, hints: &[EncodedHint]) -> Vec<DecodedText> {
    let (escapes, runs): (Vec<EncodedHint>, Vec<EncodedHint>) =
        hints.iter().copied().partition(|hint| hint.group_offset == usize::from(ESCAPE_HINT));
    let mut pieces = decode_runs(text, &runs);
    pieces.extend(escape_regions(text, &escapes).into_iter().filter_map(|span| decode_escapes(text, span)));
    pieces
}

/// Returns the parts of lines that contain escapes; adjacent ones are merged.
fn escape_regions(text: &str, escapes: &[EncodedHint]) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut spans: Vec<Range<usize>> = Vec::new();
    for EncodedHint { at, .. } in escapes {
        let before = bytes.get(at.saturating_sub(ESCAPE_CONTEXT)..*at).unwrap_or_default();
        let after = bytes.get(*at..(at + ESCAPE_CONTEXT).min(bytes.len())).unwrap_or_default();
        let start = at - before.iter().rev().take_while(|byte| **byte != b'\n').count();
        let end = at + after.iter().take_while(|byte| **byte != b'\n').count();
        match spans.last_mut() {
            Some(last) if start <= last.end => last.end = last.end.max(end),
            _ => spans.push(start..end),
        }
    }
    spans
}

/// Returns a span with its escapes decoded; `None` when there are none.
fn decode_escapes(text: &str, span: Range<usize>) -> Option<DecodedText> {
    let span = text.ceil_char_boundary(span.start)..text.floor_char_boundary(span.end);
    let bytes = text.get(span.clone())?.as_bytes();
    let mut inner = Vec::with_capacity(bytes.len());
    let mut from = Vec::with_capacity(bytes.len());
    let mut at = 0;
    let mut encoding = None;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let (byte, len) = decode_escape(rest);
        if len > 1 && encoding.is_none() {
            encoding = Some(if rest.starts_with(b"%") { Encoding::Url } else { Encoding::Escapes });
        }
        inner.push(byte);
        from.push((span.start + at, span.start + at + len));
        at += len;
    }
    let text = String::from_utf8(inner).ok()?;
    encoding.map(|encoding| DecodedText { text, encoding, span, sources: from })
}

/// Returns the first byte of a text, decoded, and its encoded length.
fn decode_escape(text: &[u8]) -> (u8, usize) {
    let hex = |high: u8, low: u8| encoding::decode_hex_byte(high, low).filter(u8::is_ascii_graphic);
    match text {
        [b'%', a, b, ..] => hex(*a, *b).map_or((b'%', 1), |byte| (byte, 3)),
        [b'\\', b'u' | b'U', b'0', b'0', a, b, ..] => hex(*a, *b).map_or((b'\\', 1), |byte| (byte, 6)),
        [b'\\', b'/', ..] => (b'/', 2),
        [byte, ..] => (*byte, 1),
        [] => (0, 1),
    }
}

/// Returns the decoded runs of base64 and hexadecimal around hints.
fn decode_runs(text: &str, hints: &[EncodedHint]) -> Vec<DecodedText> {
    let bytes = text.as_bytes();
    let mut pieces: Vec<DecodedText> = Vec::new();
    let mut reached = [0; 2];
    for hint in hints {
        let hex = hint.group_offset == usize::from(HEX_HINT);
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
        let ahead = if hex { 0 } else { hint.group_offset };
        // A group begins this many characters before the hit; each earlier group begins one step before the next.
        let Some(group) = hint.at.checked_sub(ahead).filter(|group| *group >= first) else { continue };
        let start = group - (group - first) / step * step;
        let decode = |run: &str| if hex { encoding::decode_hex(run.as_bytes()) } else { base64::decode(run) };
        let decoded = text.get(start..end).and_then(decode);
        while !hex && bytes.get(end) == Some(&b'=') {
            end += 1;
        }
        let Some(inner) = decoded.filter(|_| end - start >= MIN_RUN) else { continue };
        let encoding = if hex { Encoding::Hex } else { Encoding::Base64 };
        let piece = |text| DecodedText { text, encoding, span: first..end, sources: Vec::new() };
        pieces.extend(printable_text(&inner).map(piece));
    }
    pieces
}

/// Returns bytes as text if nearly all are printable; others become blanks.
fn printable_text(bytes: &[u8]) -> Option<String> {
    let strange = |byte: &&u8| !(byte.is_ascii_graphic() || byte.is_ascii_whitespace());
    let odd = bytes.iter().filter(strange).count();
    if odd * 8 > bytes.len() {
        return None;
    }
    String::from_utf8(bytes.iter().map(|byte| if strange(&byte) { b' ' } else { *byte }).collect()).ok()
}
