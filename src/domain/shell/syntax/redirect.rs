//! Redirections and here-documents.
//!
//! The body of a here-document follows the end of its line, whatever command that line ends in; until then the
//! redirection holds an empty cell.

use std::cell::OnceCell;
use std::rc::Rc;

use super::ast::{Part, RawRedirect, RawTarget, RawWord};
use super::parser::{Parser, PendingHereDocument};
use super::word::WordBuilder;
use crate::domain::shell::script::RedirectKind;

/// The operators, each before any that it begins with.
const REDIRECT_OPERATORS: &[(&str, RedirectKind)] = &[
    ("&>>", RedirectKind::Append),
    ("&>", RedirectKind::Write),
    ("<<<", RedirectKind::HereString),
    ("<<", RedirectKind::HereDoc),
    ("<>", RedirectKind::ReadWrite),
    ("<&", RedirectKind::Duplicate),
    ("<", RedirectKind::Read),
    (">>", RedirectKind::Append),
    (">|", RedirectKind::Write),
    (">!", RedirectKind::Write),
    (">&", RedirectKind::Duplicate),
    (">", RedirectKind::Write),
];

impl Parser<'_> {
    /// Reads a redirection, if one is here.
    pub(super) fn redirect(&mut self) -> Option<RawRedirect> {
        let prefix = self.descriptor_length();
        let operator = self.rest().get(prefix..)?;
        if operator.starts_with("<(") || operator.starts_with(">(") {
            return None;
        }
        let (text, kind) = REDIRECT_OPERATORS.iter().find(|(text, _)| operator.starts_with(text))?;
        if prefix > 0 && text.starts_with('&') {
            return None;
        }
        let fd = self.slice(self.pos, self.pos + prefix).parse().ok();
        self.pos += prefix + text.len();
        if *kind == RedirectKind::HereDoc {
            return Some(self.here_document(fd));
        }
        self.skip_blanks();
        let word = self.word();
        if word.parts.is_empty() {
            self.report_syntax_error();
        }
        // `>&file` is the older spelling of `&>file`; `>&2` and `>&-` name a descriptor.
        let kind = match word.parts.as_slice() {
            [Part::Text { text: target, .. }] if *text == ">&" && !is_descriptor(target) => RedirectKind::Write,
            _ => *kind,
        };
        Some(RawRedirect { kind, fd, target: RawTarget::Word(word) })
    }

    /// Returns the length of `2` in `2>` and of `{fd}` in `{fd}>`.
    fn descriptor_length(&self) -> usize {
        let rest = self.rest();
        let length = if rest.starts_with('{') {
            let inside = rest.bytes().skip(1).take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
            if self.byte_at(inside + 1) == Some(b'}') { inside + 2 } else { 0 }
        } else {
            rest.bytes().take_while(u8::is_ascii_digit).count()
        };
        if matches!(self.byte_at(length), Some(b'<' | b'>')) { length } else { 0 }
    }

    fn here_document(&mut self, fd: Option<u32>) -> RawRedirect {
        let strip_tabs = self.eat("-");
        self.skip_blanks();
        let start = self.pos;
        self.word();
        let written = self.slice(start, self.pos);
        let quoted = written.contains(['\'', '"', '\\']);
        let delimiter = written.trim_start_matches('$').replace(['\'', '"', '\\'], "");
        if start == self.pos {
            self.report_syntax_error();
        }
        let body = Rc::new(OnceCell::new());
        self.pending_here_documents.push(PendingHereDocument { delimiter, quoted, strip_tabs, body: Rc::clone(&body) });
        RawRedirect { kind: RedirectKind::HereDoc, fd, target: RawTarget::HereDocument(body) }
    }

    /// Reads the bodies of the here-documents of the line that ended here.
    pub(super) fn read_here_documents(&mut self) {
        for pending in std::mem::take(&mut self.pending_here_documents) {
            let start = self.pos;
            let text = self.here_document_body(&pending);
            let span = self.span(start, self.pos);
            let parts = if pending.quoted {
                vec![Part::Text { text, quoted: true }]
            } else {
                self.parse_nested(&text, span.clone(), parse_body_parts)
            };
            // Nothing else holds this cell, so it cannot have been filled before.
            drop(pending.body.set(RawWord { parts, span }));
        }
    }

    /// Takes the lines up to the delimiter.
    fn here_document_body(&mut self, pending: &PendingHereDocument) -> String {
        let mut text = String::new();
        let start = self.pos;
        while !self.at_end() {
            let rest = self.rest();
            let line = rest.split_inclusive('\n').next().unwrap_or_default();
            let content = line.trim_end_matches(['\n', '\r']);
            let content = if pending.strip_tabs { content.trim_start_matches('\t') } else { content };
            // The end of a substitution may follow the delimiter, as in `$(cat <<END … END)`.
            if content == pending.delimiter {
                self.pos += line.len();
                return text;
            }
            if let Some(behind) = content.strip_prefix(&pending.delimiter)
                && behind.starts_with(')')
                && self.depth > 0
            {
                self.pos += line.find(&pending.delimiter).unwrap_or(0) + pending.delimiter.len();
                return text;
            }
            text.push_str(content);
            text.push('\n');
            self.pos += line.len();
        }
        self.report_unbalanced(start);
        text
    }
}

fn parse_body_parts(parser: &mut Parser<'_>) -> Vec<Part> {
    let mut out = WordBuilder::default();
    while let Some(character) = parser.peek() {
        parser.double_quoted_element(character, "$`\\", &mut out);
    }
    out.finish()
}

fn is_descriptor(target: &str) -> bool {
    target == "-" || target.trim_end_matches('-').bytes().all(|byte| byte.is_ascii_digit())
}
