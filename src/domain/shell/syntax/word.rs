//! Words and what stands between quotes.
//!
//! Quotes are taken off here; each piece remembers whether it was quoted, since that decides about
//! splitting, patterns and braces later.

use super::ast::{Part, RawWord};
use super::cursor::{Parser, ends_word};
use super::escape::decode;
use crate::domain::shell::script::OpaqueReason;

/// The parts of a word while it is read; neighboring text of one kind grows together.
#[derive(Default)]
pub(super) struct Parts {
    finished: Vec<Part>,
    text: String,
    quoted: bool,
}

impl Parts {
    pub(super) fn push(&mut self, character: char, quoted: bool) {
        self.switch(quoted);
        self.text.push(character);
    }

    pub(super) fn text(&mut self, text: &str, quoted: bool) {
        self.switch(quoted);
        self.text.push_str(text);
    }

    /// Notes a pair of quotes, which make a word even when nothing stands between them.
    pub(super) fn quotes(&mut self) {
        self.flush();
        if !matches!(self.finished.last(), Some(Part::Text { quoted: true, .. })) {
            self.finished.push(Part::Text { text: String::new(), quoted: true });
        }
    }

    pub(super) fn part(&mut self, part: Part) {
        self.flush();
        self.finished.push(part);
    }

    pub(super) fn finish(mut self) -> Vec<Part> {
        self.flush();
        self.finished
    }

    fn switch(&mut self, quoted: bool) {
        if self.quoted != quoted {
            self.flush();
            self.quoted = quoted;
        }
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            self.finished.push(Part::Text { text: std::mem::take(&mut self.text), quoted: self.quoted });
        }
    }
}

impl Parser<'_> {
    /// Reads a word; an empty one when none begins here.
    pub(super) fn word(&mut self) -> RawWord {
        let start = self.pos;
        let mut out = Parts::default();
        let mut brackets = 0_usize;
        let mut last = None;
        while let Some(character) = self.peek() {
            let opens_pattern = character == '('
                && (brackets > 0 || matches!(last, Some('?' | '*' | '+' | '@' | '!')) && self.byte(1) != Some(b')'));
            if matches!(character, '<' | '>') && self.byte(1) == Some(b'(') {
                self.process(&mut out);
            } else if opens_pattern || (brackets > 0 && character == ')') {
                brackets = if opens_pattern { brackets + 1 } else { brackets - 1 };
                self.pos += 1;
                out.push(character, false);
            } else if (ends_word(character) || self.newline() > 0) && (brackets == 0 || self.newline() > 0) {
                break;
            } else {
                self.element(character, &mut out);
            }
            last = Some(character);
        }
        self.count();
        RawWord { parts: out.finish(), span: self.span(start, self.pos) }
    }

    /// Reads one quoted stretch, expansion or character outside of quotes.
    fn element(&mut self, character: char, out: &mut Parts) {
        match character {
            '\'' => self.single(out),
            '"' => self.double(out),
            '\\' => self.backslash(out),
            '$' => self.dollar(false, out),
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

    /// Reads parts up to a closing character, which is consumed: the inside of `${…}` and `[…]`.
    pub(super) fn until(&mut self, close: char, quoted: bool) -> Vec<Part> {
        let start = self.pos;
        let mut out = Parts::default();
        loop {
            let Some(character) = self.peek() else {
                self.unbalanced(start);
                break;
            };
            if character == close {
                self.pos += close.len_utf8();
                break;
            }
            match character {
                '<' | '>' if !quoted && self.byte(1) == Some(b'(') => self.process(&mut out),
                '"' | '\\' => self.element(character, &mut out),
                _ if quoted => self.quoted(character, "", &mut out),
                _ => self.element(character, &mut out),
            }
        }
        out.finish()
    }

    fn backslash(&mut self, out: &mut Parts) {
        let continuation = self.continuation();
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

    fn single(&mut self, out: &mut Parts) {
        let start = self.pos;
        self.pos += 1;
        out.quotes();
        let rest = self.rest();
        if let Some(end) = rest.find('\'') {
            out.text(self.slice(self.pos, self.pos + end), true);
            self.pos += end + 1;
        } else {
            out.text(rest, true);
            self.pos += rest.len();
            self.unbalanced(start);
        }
    }

    /// Reads `'…'` with escapes; the position is behind the dollar.
    pub(super) fn decoded(&mut self, out: &mut Parts) {
        let start = self.pos;
        self.pos += 1;
        let inside = self.pos;
        out.quotes();
        loop {
            match self.bump() {
                Some('\\') => {
                    self.bump();
                }
                Some('\'') => {
                    out.text(&decode(self.slice(inside, self.pos - 1)), true);
                    return;
                }
                Some(_) => {}
                None => {
                    out.text(&decode(self.slice(inside, self.pos)), true);
                    self.unbalanced(start);
                    return;
                }
            }
        }
    }

    pub(super) fn double(&mut self, out: &mut Parts) {
        let start = self.pos;
        self.pos += 1;
        out.quotes();
        loop {
            match self.peek() {
                None => {
                    self.unbalanced(start);
                    return;
                }
                Some('"') => {
                    self.pos += 1;
                    return;
                }
                Some(character) => self.quoted(character, "$`\"\\", out),
            }
        }
    }

    /// Reads one element between double quotes or in a here-document; a backslash counts only
    /// before the characters of `escaped`.
    pub(super) fn quoted(&mut self, character: char, escaped: &str, out: &mut Parts) {
        match character {
            '$' => self.dollar(true, out),
            '`' => self.backquotes(true, out),
            '\\' if self.continuation() > 0 => self.pos += self.continuation(),
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
