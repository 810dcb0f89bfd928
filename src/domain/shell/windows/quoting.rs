//! Quotes, escapes and variables.
//!
//! A variable that was set to a plain string in the same text is substituted; any other stays as written and makes its
//! word unknown.

use std::ops::Range;

use super::parse;
use super::reader::WindowsReader;
use crate::domain::shell::script::{Dialect, Opaque, OpaqueReason, Word};
use crate::domain::shell::syntax::SUBSTITUTION_PLACEHOLDER;

impl WindowsReader<'_> {
    pub(super) fn escape(&mut self) {
        match self.peek() {
            Some('\r' | '\n') => {
                self.eat('\r');
                self.eat('\n');
            }
            Some(character) => {
                self.pos += character.len_utf8();
                self.push(character, true);
            }
            None => {}
        }
    }

    pub(super) fn single_quoted(&mut self) {
        self.word.get_or_insert_with(|| Word::known("")).quoted = true;
        loop {
            match self.peek() {
                None => return self.report_unbalanced(),
                Some('\'') => {
                    self.pos += 1;
                    if !self.eat('\'') {
                        return;
                    }
                    self.push('\'', true);
                }
                Some(character) => {
                    self.pos += character.len_utf8();
                    self.push(character, true);
                }
            }
        }
    }

    pub(super) fn double_quoted(&mut self) {
        self.word.get_or_insert_with(|| Word::known("")).quoted = true;
        loop {
            let Some(character) = self.peek() else { return self.report_unbalanced() };
            self.pos += character.len_utf8();
            match character {
                '"' if self.is_powershell && self.eat('"') => self.push('"', true),
                '"' => return,
                '`' if self.is_powershell => self.escape(),
                '$' if self.is_powershell && self.peek() == Some('(') => self.substitution_in_string(),
                '$' | '%' => self.variable(character),
                _ => self.push(character, true),
            }
        }
    }

    /// Reads `$(…)` in a string as text of its own; the word goes on with an unknown part.
    pub(super) fn substitution_in_string(&mut self) {
        let start = self.pos + 1;
        let mut open = 0_usize;
        while let Some(character) = self.peek() {
            self.pos += character.len_utf8();
            match character {
                '(' => open += 1,
                ')' if open == 1 => break,
                ')' => open -= 1,
                _ => {}
            }
        }
        let inside = self.text.get(start..self.pos.saturating_sub(1)).unwrap_or_default();
        self.read_nested(inside, start..self.pos);
        self.push_unknown(SUBSTITUTION_PLACEHOLDER);
    }

    /// Reads text inside this one, one level deep; what is nested further is reported.
    pub(super) fn read_nested(&mut self, inside: &str, span: Range<usize>) {
        if inside.contains("\"$(") {
            self.opaque.push(Opaque { reason: OpaqueReason::TooDeep, span });
            return;
        }
        let (lines, _) = parse(inside, if self.is_powershell { Dialect::PowerShell } else { Dialect::Cmd });
        let before = self.pipeline_count;
        for mut line in lines {
            line.pipeline += before;
            self.pipeline_count = self.pipeline_count.max(line.pipeline);
            line.span = span.clone();
            self.finished.push(line);
        }
        self.pipeline_count += 1;
    }

    pub(super) fn push_unknown(&mut self, text: &str) {
        let word = self.word.get_or_insert_with(|| Word::known(""));
        word.text.push_str(text);
        word.literal = false;
    }

    pub(super) fn variable(&mut self, sigil: char) {
        let rest = self.text.get(self.pos..).unwrap_or_default();
        if sigil == '%' {
            // In the older shell, a loop's variable is `%i` and any other is between two characters.
            let name = rest
                .split('%')
                .next()
                .filter(|name| !self.is_powershell && name.len() < rest.len() && !name.contains(' '));
            match name {
                Some(name) => {
                    self.pos += name.len() + 1;
                    self.push_unknown(&format!("%{name}%"));
                }
                None if self.is_powershell => self.push('%', false),
                None => self.push_unknown("%"),
            }
            return;
        }
        if !self.is_powershell || rest.starts_with('(') {
            self.push('$', false);
            return;
        }
        let length = rest
            .find(|character: char| !character.is_ascii_alphanumeric() && character != '_' && character != ':')
            .unwrap_or(rest.len());
        let name = rest.get(..length).unwrap_or_default();
        self.pos += length;
        match self.variables.get(&name.to_ascii_lowercase()).cloned() {
            Some(value) => self.word.get_or_insert_with(|| Word::known("")).text.push_str(&value),
            None if matches!(name.to_ascii_lowercase().as_str(), "home" | "pwd") => {
                let text = &mut self.word.get_or_insert_with(|| Word::known("")).text;
                text.push('$');
                text.push_str(&name.to_ascii_uppercase());
            }
            None => self.push_unknown(&format!("${name}")),
        }
    }
}
