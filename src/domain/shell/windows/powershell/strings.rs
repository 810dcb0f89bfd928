//! Strings of all kinds, with what is filled into them.

use super::Reader;
use super::value::Value;
use crate::domain::shell::script::Word;

impl Reader<'_> {
    /// Reads the string that is next: with single or double quotes, or a here-string.
    pub(super) fn string(&mut self) -> Value {
        if self.rest().starts_with("@\"") || self.rest().starts_with("@'") {
            return self.here_string();
        }
        let start = self.pos;
        match self.next() {
            Some('\'') => self.single_quoted(start),
            _ => self.double_quoted(start),
        }
    }

    fn here_string(&mut self) -> Value {
        let start = self.pos;
        let quote = self.peek_second().unwrap_or('"');
        self.pos += 2;
        let head = self.rest().find('\n').map_or(self.rest().len(), |at| at + 1);
        let begin = self.pos + head;
        let ending = format!("\n{quote}@");
        // An empty one ends right after its first line.
        let body = self.text.get(begin.saturating_sub(1)..).unwrap_or_default();
        let Some(length) = body.find(&ending) else {
            self.report_unbalanced(start);
            self.pos = self.text.len();
            return Value::output();
        };
        let place = begin..(begin + length).saturating_sub(1).max(begin);
        let end = begin.saturating_sub(1) + length + ending.len();
        let value = if quote == '\'' {
            Value::known(self.text.get(place).unwrap_or_default())
        } else {
            self.elsewhere(place, |reader| reader.interpolated(None))
        };
        self.pos = self.pos.max(end).min(self.text.len());
        value
    }

    fn single_quoted(&mut self, start: usize) -> Value {
        let mut text = String::new();
        loop {
            match self.next() {
                None => {
                    self.report_unbalanced(start);
                    break;
                }
                Some('\'') if !self.eat("'") => break,
                Some(character) => text.push(character),
            }
        }
        Value::known(text)
    }

    fn double_quoted(&mut self, start: usize) -> Value {
        let value = self.interpolated(Some('"'));
        if !self.eat("\"") {
            self.report_unbalanced(start);
        }
        value
    }

    /// Reads text with variables and substitutions in it, up to a quote or to the end.
    fn interpolated(&mut self, quote: Option<char>) -> Value {
        let mut value = Value::known("");
        let mut plain = String::new();
        while let Some(character) = self.peek() {
            if Some(character) == quote {
                let is_doubled = self.peek_second() == quote;
                if !is_doubled {
                    break;
                }
                self.pos += 2;
                plain.push('"');
                continue;
            }
            let is_variable = character == '$' && self.is_variable_start();
            if is_variable {
                value.append(&Value::known(std::mem::take(&mut plain)));
                if self.rest().starts_with("$(") {
                    self.pos += 1;
                    let inner = self.parenthesized();
                    value.append(&Value::of(inner.join(" ")).with_origin(inner.origin));
                } else {
                    value.append(&self.variable());
                }
                continue;
            }
            self.pos += character.len_utf8();
            match character {
                '`' => plain.extend(self.escaped()),
                character => plain.push(character),
            }
        }
        value.append(&Value::known(plain));
        value
    }

    /// Returns what the character after a backtick represents; nothing for an end of a line.
    pub(super) fn escaped(&mut self) -> Option<char> {
        Some(match self.next()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            '0' | 'a' | 'b' | 'f' | 'v' | 'e' => ' ',
            '\n' => return None,
            '\r' => {
                self.eat("\n");
                return None;
            }
            character => character,
        })
    }

    /// Returns whether a `$` begins a variable or a substitution here.
    pub(super) fn is_variable_start(&self) -> bool {
        self.peek() == Some('$')
            && self
                .peek_second()
                .is_some_and(|next| next.is_alphanumeric() || matches!(next, '_' | '{' | '(' | '?' | '$' | '^'))
    }
}

/// Returns a word for a text in quotes.
pub(super) fn quoted_word(text: impl Into<String>) -> Word {
    Word { quoted: true, ..Word::known(text) }
}
