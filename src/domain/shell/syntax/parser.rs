//! The reading position, and operations that every part of the grammar shares.
//!
//! Limits are enforced here: depth, number of words, number of reports. Beyond one of the first two, the position
//! jumps
//! to the end of the text, and everything that is being read ends by itself.

use std::ops::Range;
use std::rc::Rc;

use std::cell::OnceCell;

use super::MAX_DEPTH;
use super::ast::RawWord;
use crate::domain::shell::script::{Opaque, OpaqueReason};

/// The most words and commands that one text may hold.
const MAX_ITEMS: usize = 1 << 16;

/// The most unreadable places that are reported for one text.
const MAX_REPORTS: usize = 32;

/// A reader at a place in a text.
pub(super) struct Parser<'a> {
    text: &'a str,
    pub(super) pos: usize,
    pub(super) depth: usize,
    pub(super) span_override: Option<Range<usize>>,
    pub(super) pending_here_documents: Vec<PendingHereDocument>,
    item_count: usize,
    stopped: bool,
    pub(super) opaque: Vec<Opaque>,
}

/// A here-document whose body has not come yet.
pub(super) struct PendingHereDocument {
    pub(super) delimiter: String,
    pub(super) quoted: bool,
    pub(super) strip_tabs: bool,
    pub(super) body: Rc<OnceCell<RawWord>>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str, depth: usize, span_override: Option<Range<usize>>) -> Self {
        Self {
            text,
            pos: 0,
            depth,
            span_override,
            pending_here_documents: Vec::new(),
            item_count: 0,
            stopped: false,
            opaque: Vec::new(),
        }
    }

    /// Reads text that is inside this one but is not a slice of it, as the body of backquotes.
    pub(super) fn parse_nested<T: Default>(
        &mut self,
        text: &str,
        span: Range<usize>,
        read: fn(&mut Parser<'_>) -> T,
    ) -> T {
        if self.depth >= MAX_DEPTH {
            self.stop(OpaqueReason::TooDeep);
            return T::default();
        }
        let mut parser = Parser::new(text, self.depth + 1, Some(span));
        parser.item_count = self.item_count;
        let value = read(&mut parser);
        self.item_count = parser.item_count;
        for opaque in parser.opaque {
            self.report(opaque.reason, opaque.span);
        }
        value
    }

    /// Reads one level deeper, or gives up on the rest of the text.
    pub(super) fn with_depth<T: Default>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= MAX_DEPTH {
            self.stop(OpaqueReason::TooDeep);
            return T::default();
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    /// Counts a word or command, and gives up on the rest of the text beyond the bound.
    pub(super) fn count_item(&mut self) {
        self.item_count += 1;
        if self.item_count > MAX_ITEMS {
            self.stop(OpaqueReason::TooMany);
        }
    }

    fn stop(&mut self, reason: OpaqueReason) {
        self.report(reason, self.span(self.pos, self.text.len()));
        self.stopped = true;
        self.pos = self.text.len();
        self.pending_here_documents.clear();
    }

    /// Records a place that could not be read. A missing end is noted once: all levels miss theirs.
    pub(super) fn report(&mut self, reason: OpaqueReason, span: Range<usize>) {
        let repeated = reason == OpaqueReason::Unbalanced && self.opaque.iter().any(|seen| seen.reason == reason);
        if !self.stopped && !repeated && self.opaque.len() < MAX_REPORTS {
            self.opaque.push(Opaque { reason, span });
        }
    }

    /// Records that what began at `start` has no end.
    pub(super) fn report_unbalanced(&mut self, start: usize) {
        self.report(OpaqueReason::Unbalanced, self.span(start, self.text.len()));
    }

    pub(super) fn span(&self, start: usize, end: usize) -> Range<usize> {
        self.span_override.clone().unwrap_or(start..end)
    }

    pub(super) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.pos..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Returns a byte ahead of the position.
    pub(super) fn byte_at(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.pos + ahead).copied()
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.pos += character.len_utf8();
        Some(character)
    }

    pub(super) fn starts_with(&self, text: &str) -> bool {
        self.rest().starts_with(text)
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.starts_with(text);
        if found {
            self.pos += text.len();
        }
        found
    }

    pub(super) fn at_end(&self) -> bool {
        self.pos >= self.text.len()
    }

    /// Returns the length of the line end at the position, or 0.
    pub(super) fn newline_len(&self) -> usize {
        match (self.byte_at(0), self.byte_at(1)) {
            (Some(b'\n'), _) => 1,
            (Some(b'\r'), Some(b'\n')) => 2,
            _ => 0,
        }
    }

    /// Returns the length of the line continuation at the position, or 0.
    pub(super) fn continuation_len(&self) -> usize {
        match (self.byte_at(0), self.byte_at(1), self.byte_at(2)) {
            (Some(b'\\'), Some(b'\n'), _) => 2,
            (Some(b'\\'), Some(b'\r'), Some(b'\n')) => 3,
            _ => 0,
        }
    }

    /// Skips blanks, continued lines and a comment.
    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.byte_at(0) {
                Some(b' ' | b'\t') => self.pos += 1,
                Some(b'\\') if self.continuation_len() > 0 => self.pos += self.continuation_len(),
                Some(b'#') => {
                    let rest = self.rest();
                    self.pos += rest.find('\n').unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    /// Skips blanks and line ends, reading the here-documents that begin there.
    pub(super) fn skip_blank_lines(&mut self) {
        loop {
            self.skip_blanks();
            let newline = self.newline_len();
            if newline == 0 {
                return;
            }
            self.pos += newline;
            self.read_here_documents();
        }
    }
}

/// Returns whether a character ends an unquoted word.
pub(super) fn ends_word(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')')
}

/// Returns whether a character can begin a variable's name.
pub(super) fn is_name_start(character: char) -> bool {
    character.is_ascii_alphabetic() || character == '_'
}

/// Returns whether a character can be in a variable's name.
pub(super) fn is_name_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}
