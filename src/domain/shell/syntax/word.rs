//! Words and quoted text.
//!
//! Quotes are removed here; each piece remembers whether it was quoted, since that decides about splitting, patterns
//! and braces later.

use super::ast::{Part, RawWord};
use super::escape::decode_escapes;
use super::parser::{Parser, ends_word};
use crate::domain::shell::script::OpaqueReason;

/// The parts of a word while it is read; neighbouring text of one kind grows together.
#[derive(Default)]
pub(super) struct WordBuilder {
    parts: Vec<Part>,
    text: String,
    quoted: bool,
}

impl WordBuilder {
    pub(super) fn push(&mut self, character: char, quoted: bool) {
        self.set_quoted(quoted);
        self.text.push(character);
    }

    pub(super) fn push_text(&mut self, text: &str, quoted: bool) {
        self.set_quoted(quoted);
        self.text.push_str(text);
    }

    /// Records a pair of quotes, which make a word even when nothing is between them.
    pub(super) fn mark_quoted(&mut self) {
        self.flush();
        if !matches!(self.parts.last(), Some(Part::Text { quoted: true, .. })) {
            self.parts.push(Part::Text { text: String::new(), quoted: true });
        }
    }

    pub(super) fn push_part(&mut self, part: Part) {
        self.flush();
        self.parts.push(part);
    }

    pub(super) fn finish(mut self) -> Vec<Part> {
        self.flush();
        self.parts
    }

    fn set_quoted(&mut self, quoted: bool) {
        if self.quoted != quoted {
            self.flush();
            self.quoted = quoted;
        }
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            self.parts.push(Part::Text { text: std::mem::take(&mut self.text), quoted: self.quoted });
        }
    }
}

impl Parser<'_> {
    /// Reads a word; an empty one when none begins here.
    pub(super) fn word(&mut self) -> RawWord {
        let start = self.pos;
        let mut out = WordBuilder::default();
        let mut brackets = 0_usize;
        let mut last = None;
        while let Some(character) = self.peek() {
            let opens_pattern = character == '('
                && (brackets > 0 || matches!(last, Some('?' | '*' | '+' | '@' | '!')) && self.byte_at(1) != Some(b')'));
            if matches!(character, '<' | '>') && self.byte_at(1) == Some(b'(') {
                self.process_substitution(&mut out);
            } else if opens_pattern || (brackets > 0 && character == ')') {
                brackets = if opens_pattern { brackets + 1 } else { brackets - 1 };
                self.pos += 1;
                out.push(character, false);
            } else if (ends_word(character) || self.newline_len() > 0) && (brackets == 0 || self.newline_len() > 0) {
                break;
            } else {
                self.element(character, &mut out);
            }
            last = Some(character);
        }
        self.count_item();
        RawWord { parts: out.finish(), span: self.span(start, self.pos) }
    }

    /// Reads one quoted stretch, expansion or character outside of quotes.
    fn element(&mut self, character: char, out: &mut WordBuilder) {
        match character {
            '\'' => self.single_quoted(out),
            '"' => self.double_quoted(out),
            '\\' => self.backslash(out),
            '$' => self.dollar_expansion(false, out),
            '`' => self.backquotes(false, out),
            _ => {
                self.bump();
                if character == '\0' {
                    self.report(OpaqueReason::Syntax, self.span(self.pos - 1, self.pos));
                }
                out.push(character, false);
            }
        }
    }

    /// Reads parts up to a closing character, which is consumed: the inside `${…}` and `[…]`.
    pub(super) fn parts_until(&mut self, close: char, quoted: bool) -> Vec<Part> {
        let start = self.pos;
        let mut out = WordBuilder::default();
        loop {
            let Some(character) = self.peek() else {
                self.report_unbalanced(start);
                break;
            };
            if character == close {
                self.pos += close.len_utf8();
                break;
            }
            match character {
                '<' | '>' if !quoted && self.byte_at(1) == Some(b'(') => self.process_substitution(&mut out),
                '"' | '\\' => self.element(character, &mut out),
                _ if quoted => self.double_quoted_element(character, "", &mut out),
                _ => self.element(character, &mut out),
            }
        }
        out.finish()
    }

    fn backslash(&mut self, out: &mut WordBuilder) {
        let continuation = self.continuation_len();
        if continuation > 0 {
            self.pos += continuation;
            return;
        }
        self.pos += 1;
        match self.bump() {
            Some(character) => out.push(character, true),
            None => out.push('\\', true),
        }
    }

    fn single_quoted(&mut self, out: &mut WordBuilder) {
        let start = self.pos;
        self.pos += 1;
        out.mark_quoted();
        let rest = self.rest();
        if let Some(end) = rest.find('\'') {
            out.push_text(self.slice(self.pos, self.pos + end), true);
            self.pos += end + 1;
        } else {
            out.push_text(rest, true);
            self.pos += rest.len();
            self.report_unbalanced(start);
        }
    }

    /// Reads `'…'` with escapes; the position is after the dollar.
    pub(super) fn ansi_c_quoted(&mut self, out: &mut WordBuilder) {
        let start = self.pos;
        self.pos += 1;
        let inside = self.pos;
        out.mark_quoted();
        loop {
            match self.bump() {
                Some('\\') => {
                    self.bump();
                }
                Some('\'') => {
                    out.push_text(&decode_escapes(self.slice(inside, self.pos - 1)), true);
                    return;
                }
                Some(_) => {}
                None => {
                    out.push_text(&decode_escapes(self.slice(inside, self.pos)), true);
                    self.report_unbalanced(start);
                    return;
                }
            }
        }
    }

    pub(super) fn double_quoted(&mut self, out: &mut WordBuilder) {
        let start = self.pos;
        self.pos += 1;
        out.mark_quoted();
        loop {
            match self.peek() {
                None => {
                    self.report_unbalanced(start);
                    return;
                }
                Some('"') => {
                    self.pos += 1;
                    return;
                }
                Some(character) => self.double_quoted_element(character, "$`\"\\", out),
            }
        }
    }

    /// Reads one element between double quotes or in a here-document; a backslash counts only
    /// before the characters of `escaped`.
    pub(super) fn double_quoted_element(&mut self, character: char, escaped: &str, out: &mut WordBuilder) {
        match character {
            '$' => self.dollar_expansion(true, out),
            '`' => self.backquotes(true, out),
            '\\' if self.continuation_len() > 0 => self.pos += self.continuation_len(),
            '\\' => {
                self.pos += 1;
                match self.peek() {
                    Some(next) if escaped.contains(next) => {
                        self.bump();
                        out.push(next, true);
                    }
                    _ => out.push('\\', true),
                }
            }
            _ => {
                self.bump();
                out.push(character, true);
            }
        }
    }
}
