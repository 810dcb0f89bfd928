//! Operators: concatenation of texts, lists and paths, and assignment.

use super::Evaluator;
use crate::domain::shell::code::function_table::CallKind;
use crate::domain::shell::code::lexer::Token;
use crate::domain::shell::code::value::{Value, format_values};
use crate::domain::shell::code::{Argument, Language};

impl Evaluator<'_, '_> {
    /// Applies the operator that follows; gives the value back when there is none.
    pub(super) fn apply_operator(&mut self, value: Value) -> Result<Value, Value> {
        let awk = self.is_language(Language::Awk);
        match self.peek() {
            Some(Token::Punctuation(sign)) => self.apply_punctuation(*sign, value),
            Some(Token::Text(_)) if self.is_language(Language::Python) && matches!(value, Value::Text(_)) => {
                let other = self.operand();
                Ok(value.concat(&other))
            }
            Some(Token::Text(_) | Token::Variable(_)) if awk && matches!(value, Value::Text(_)) => {
                let other = self.operand();
                Ok(value.concat(&other))
            }
            Some(Token::Name("in" | "of")) => {
                self.at += 1;
                let all = self.expression();
                self.assign(&value, &all);
                Ok(Value::Unknown)
            }
            _ => Err(value),
        }
    }

    /// Applies an operator that is a sign.
    fn apply_punctuation(&mut self, sign: char, value: Value) -> Result<Value, Value> {
        match sign {
            '=' if self.is_punctuation(1, '=') || self.is_punctuation(1, '~') || self.is_punctuation(1, '>') => {
                self.at += 2;
                self.operand();
                Ok(Value::Unknown)
            }
            '=' => {
                self.at += 1;
                self.skip_lines();
                let new = self.expression();
                self.assign(&value, &new);
                Ok(new)
            }
            '>' | '|' | '<' if self.is_language(Language::Awk) => {
                self.at += 1;
                self.awk_redirection(sign, &value);
                Ok(Value::Unknown)
            }
            '+' | '&' | '<' | '.' if self.is_concatenation(sign) => {
                self.at += 1 + usize::from(sign == '<' || self.is_language(Language::Lua) && sign == '.');
                self.skip_lines();
                let other = self.operand();
                Ok(value.concat(&other))
            }
            '/' if matches!(value, Value::Path(_)) => {
                self.at += 1;
                let name = self.operand();
                Ok(value.join_path(&name))
            }
            '%' if matches!(value, Value::Text(_)) => {
                self.at += 1;
                let values = match self.operand() {
                    Value::List(words) => words,
                    other => vec![other.to_word()],
                };
                Ok(value.as_word().map_or(Value::Unknown, |format| format_values(format, &values)))
            }
            '+' | '-' | '*' | '/' | '%' | '|' | '&' | '?' | '<' | '>' | '^' | '!' => {
                self.at += 1;
                self.operand();
                Ok(Value::Unknown)
            }
            _ => Err(value),
        }
    }

    /// Returns whether a sign puts texts together.
    pub(super) fn is_concatenation(&self, sign: char) -> bool {
        match (self.language, sign) {
            (Language::Perl | Language::Php, '.') | (Language::AppleScript, '&') => true,
            (Language::Lua, '.') => self.is_punctuation(1, '.'),
            (Language::Ruby, '<') => self.is_punctuation(1, '>') || self.is_punctuation(1, '<'),
            (Language::Python | Language::JavaScript | Language::Ruby, '+') => !self.is_punctuation(1, '+'),
            _ => false,
        }
    }

    /// Assigns a value to a name.
    pub(super) fn assign(&mut self, target: &Value, value: &Value) {
        match (target, value) {
            (Value::Name(name), value) if !name.contains('.') => {
                let value = match value {
                    Value::Name(other) if other == name => return,
                    other => other.clone(),
                };
                let value = self.charge(value);
                self.variables.insert(name.clone(), value);
            }
            (Value::Named(pairs), Value::Name(module)) => {
                for (key, local) in pairs {
                    let name = match local {
                        Value::Name(name) => name.clone(),
                        _ => key.clone(),
                    };
                    self.variables.insert(name, Value::Name(format!("{module}.{key}")));
                }
            }
            _ => {}
        }
    }

    /// Reads what is after `>`, `|` and `<` of awk.
    pub(super) fn awk_redirection(&mut self, sign: char, value: &Value) {
        let doubled = sign == '>' && self.is_punctuation(0, '>') || sign == '|' && self.is_punctuation(0, '&');
        self.at += usize::from(doubled);
        if sign == '|' && matches!(self.peek(), Some(Token::Name("getline"))) {
            self.record_call(CallKind::Shell, vec![value.to_argument()]);
            return;
        }
        let mut target = self.operand();
        while matches!(self.peek(), Some(Token::Text(_) | Token::Variable(_))) {
            let next = self.operand();
            target = target.concat(&next);
        }
        let meaning = match sign {
            '>' if self.in_print => CallKind::Write,
            '|' if self.in_print => CallKind::Shell,
            '<' => CallKind::Read,
            _ => return,
        };
        if let Argument::Text(word) = target.to_argument() {
            self.record_call(meaning, vec![Argument::Text(word)]);
        }
    }
}
