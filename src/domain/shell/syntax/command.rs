//! Lists, chains, pipelines and simple commands.
//!
//! A reader that finds nothing of its kind leaves the position unchanged; the outermost one skips what no reader
//! accepts, which guarantees progress.

use std::rc::Rc;

use super::ast::{Chain, List, LogicalOperator, Node, NodeKind, Pipeline, RawAssignment, RawValue, RawWord};
use super::parser::{Parser, ends_word, is_name_character, is_name_start};
use crate::domain::shell::script::OpaqueReason;

/// The words that end a list when they are where a command could.
const LIST_TERMINATORS: &[&str] = &["then", "elif", "else", "fi", "do", "done", "esac", "}"];

/// Reads a whole text.
pub(super) fn script(parser: &mut Parser<'_>) -> List {
    parser.script()
}

impl Parser<'_> {
    /// Reads to the end of the text, over whatever does not belong there.
    pub(super) fn script(&mut self) -> List {
        let mut out = self.list();
        while !self.at_end() {
            self.skip_unexpected();
            out.extend(self.list());
        }
        if !self.pending_here_documents.is_empty() {
            self.report_unbalanced(self.pos);
        }
        out
    }

    /// Reads a list up to and with the bracket that closes it.
    pub(super) fn list_until(&mut self, close: char) -> List {
        let start = self.pos;
        let mut out = self.list();
        loop {
            if self.at_end() {
                self.report_unbalanced(start);
                return out;
            }
            if self.peek() == Some(close) {
                self.pos += close.len_utf8();
                return out;
            }
            self.skip_unexpected();
            out.extend(self.list());
        }
    }

    /// Skips a word or character that cannot begin a command.
    fn skip_unexpected(&mut self) {
        self.report_syntax_error();
        match LIST_TERMINATORS.iter().find(|word| self.at_word(word)) {
            Some(word) => self.pos += word.len(),
            None => {
                self.bump();
            }
        }
    }

    /// Reads chains until something that cannot begin one.
    pub(super) fn list(&mut self) -> List {
        let mut out = List::new();
        loop {
            self.skip_blank_lines();
            if self.at_end() || LIST_TERMINATORS.iter().any(|word| self.at_word(word)) {
                return out;
            }
            match self.chain() {
                Some(chain) => out.push(chain),
                // A stray separator: `;` after `&`, or two of them.
                None if self.at_semicolon() => self.pos += 1,
                None => return out,
            }
        }
    }

    fn chain(&mut self) -> Option<Chain> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            self.skip_blanks();
            let joint = if self.eat("&&") {
                LogicalOperator::And
            } else if self.eat("||") {
                LogicalOperator::Or
            } else {
                break;
            };
            self.skip_blank_lines();
            match self.pipeline() {
                Some(pipeline) => rest.push((joint, pipeline)),
                None => self.report_syntax_error(),
            }
        }
        let background = self.byte_at(0) == Some(b'&');
        if background || self.at_semicolon() {
            self.pos += 1;
        } else if !self.ends_chain() {
            self.report_syntax_error();
        }
        Some(Chain { first, rest, background })
    }

    fn at_semicolon(&self) -> bool {
        self.byte_at(0) == Some(b';') && !matches!(self.byte_at(1), Some(b';' | b'&'))
    }

    fn ends_chain(&self) -> bool {
        let bracket = matches!(self.byte_at(0), Some(b')' | b';'));
        bracket || self.at_end() || self.newline_len() > 0 || LIST_TERMINATORS.iter().any(|word| self.at_word(word))
    }

    fn pipeline(&mut self) -> Option<Pipeline> {
        self.skip_prefixes();
        let mut stages = Vec::new();
        loop {
            match self.node() {
                Some(node) => stages.push(node),
                None if self.byte_at(0) == Some(b'|') || !stages.is_empty() => self.report_syntax_error(),
                None => return None,
            }
            self.skip_blanks();
            if self.byte_at(0) != Some(b'|') || (self.byte_at(1) == Some(b'|') && !stages.is_empty()) {
                return Some(Pipeline { stages });
            }
            self.pos += if self.byte_at(1) == Some(b'&') { 2 } else { 1 };
            self.skip_blank_lines();
            self.skip_prefixes();
        }
    }

    /// Skips `!`, and over `time` where it is a word of the grammar and not a program.
    fn skip_prefixes(&mut self) {
        loop {
            self.skip_blanks();
            let before = self.pos;
            if self.at_word("!") || self.starts_with("!(") {
                self.pos += 1;
            } else if self.at_word("time") {
                self.pos += "time".len();
                self.skip_blanks();
                while self.at_word("-p") || self.at_word("--") {
                    self.pos += 2;
                    self.skip_blanks();
                }
                if !self.at_compound() && !self.at_word("time") && !self.at_word("!") {
                    self.pos = before;
                    return;
                }
            } else {
                return;
            }
        }
    }

    /// Returns whether an unquoted word is here.
    pub(super) fn at_word(&self, word: &str) -> bool {
        self.rest()
            .strip_prefix(word)
            .is_some_and(|rest| rest.chars().next().is_none_or(ends_word) || rest.starts_with("\r\n"))
    }

    /// Skips an unquoted word, or notes that another is here.
    pub(super) fn expect(&mut self, word: &str) -> bool {
        self.skip_blank_lines();
        let found = self.at_word(word);
        if found {
            self.pos += word.len();
        } else if self.at_end() {
            self.report_unbalanced(self.pos);
        } else {
            self.report_syntax_error();
        }
        found
    }

    /// Records that what is here is not understood.
    pub(super) fn report_syntax_error(&mut self) {
        if self.at_end() {
            self.report_unbalanced(self.pos);
        } else {
            let length = self.peek().map_or(0, char::len_utf8);
            self.report(OpaqueReason::Syntax, self.span(self.pos, self.pos + length));
        }
    }

    pub(super) fn node(&mut self) -> Option<Node> {
        self.skip_blanks();
        let start = self.pos;
        let Some(kind) = self.compound() else { return self.simple() };
        let mut redirects = Vec::new();
        loop {
            self.skip_blanks();
            match self.redirect() {
                Some(redirect) => redirects.push(redirect),
                None => break,
            }
        }
        Some(Node { kind, redirects, span: self.span(start, self.pos) })
    }

    fn simple(&mut self) -> Option<Node> {
        let start = self.pos;
        let mut end = start;
        let (mut assignments, mut words, mut redirects) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            self.skip_blanks();
            if let Some(redirect) = self.redirect() {
                redirects.push(redirect);
            } else if let Some(assignment) = self.assignment(words.is_empty()) {
                assignments.push(assignment);
            } else if self.at_end()
                || self.newline_len() > 0
                || (self.peek().is_some_and(ends_word) && !self.at_process_substitution())
            {
                break;
            } else {
                let name_start = self.pos;
                words.push(self.word());
                let name = self.slice(name_start, self.pos);
                if words.len() == 1 && assignments.is_empty() && self.eat_parentheses() {
                    return Some(self.function(name.to_owned(), start));
                }
            }
            end = self.pos;
        }
        if words.is_empty() && assignments.is_empty() && redirects.is_empty() {
            return None;
        }
        self.count_item();
        Some(Node { kind: NodeKind::Simple { assignments, words }, redirects, span: self.span(start, end) })
    }

    fn at_process_substitution(&self) -> bool {
        self.starts_with("<(") || self.starts_with(">(")
    }

    /// Skips `()` after the name of a function.
    fn eat_parentheses(&mut self) -> bool {
        let start = self.pos;
        self.skip_blanks();
        if self.eat("(") {
            self.skip_blanks();
            if self.eat(")") {
                return true;
            }
        }
        self.pos = start;
        false
    }

    /// Reads the body of a function; the position is after its parentheses.
    pub(super) fn function(&mut self, name: String, start: usize) -> Node {
        self.skip_blank_lines();
        let body = self.with_depth(Self::node);
        if body.is_none() {
            self.report_syntax_error();
        }
        let span = self.span(start, self.pos);
        let empty = || Node { kind: NodeKind::Group(List::new()), redirects: Vec::new(), span: span.clone() };
        let kind = NodeKind::Function { name, body: Rc::new(body.unwrap_or_else(empty)) };
        Node { kind, redirects: Vec::new(), span }
    }

    /// Reads `name=value`, `name+=value`, `name[1]=value` or `name=(…)`, the last one anywhere.
    fn assignment(&mut self, leading: bool) -> Option<RawAssignment> {
        let rest = self.rest();
        let name_end = rest.find(|character| !is_name_character(character))?;
        if !rest.starts_with(is_name_start) {
            return None;
        }
        let mut end = name_end;
        if rest.get(end..)?.starts_with('[') {
            let index = rest.get(end + 1..)?;
            let length =
                index.find(|character: char| !character.is_ascii_alphanumeric() && !"@*+-_".contains(character))?;
            end += length + 2;
            if !index.get(length..)?.starts_with(']') {
                return None;
            }
        }
        let name = rest.get(..end)?.to_owned();
        let append = rest.get(end..)?.starts_with('+');
        end += usize::from(append);
        let value = rest.get(end..)?.strip_prefix('=')?;
        let array = value.starts_with('(');
        if !leading && !array {
            return None;
        }
        self.pos += end + 1;
        let value = if array { RawValue::Array(self.array()) } else { RawValue::Scalar(self.word()) };
        Some(RawAssignment { name, append, value })
    }

    fn array(&mut self) -> Vec<RawWord> {
        let start = self.pos;
        self.pos += 1;
        let mut words = Vec::new();
        loop {
            self.skip_blank_lines();
            match self.peek() {
                None => {
                    self.report_unbalanced(start);
                    return words;
                }
                Some(')') => {
                    self.pos += 1;
                    return words;
                }
                Some(character) if ends_word(character) && !self.at_process_substitution() => {
                    self.report_syntax_error();
                    self.bump();
                }
                Some(_) => words.push(self.word()),
            }
        }
    }
}
