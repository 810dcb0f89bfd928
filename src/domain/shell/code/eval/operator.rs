//! Operators: what texts, lists and paths become together, and what a name is given.

use super::Eval;
use crate::domain::shell::code::lex::Token;
use crate::domain::shell::code::table::Meaning;
use crate::domain::shell::code::value::{Value, formatted};
use crate::domain::shell::code::{Argument, Language};

impl Eval<'_, '_> {
    /// Applies the operator that follows; gives the value back when there is none.
    pub(super) fn operator(&mut self, value: Value) -> Result<Value, Value> {
        let awk = self.is(Language::Awk);
        match self.peek() {
            Some(Token::Sign(sign)) => self.sign(*sign, value),
            Some(Token::Text(_)) if self.is(Language::Python) && matches!(value, Value::Text(_)) => {
                let other = self.operand();
                Ok(value.followed(&other))
            }
            Some(Token::Text(_) | Token::Variable(_)) if awk && matches!(value, Value::Text(_)) => {
                let other = self.operand();
                Ok(value.followed(&other))
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
    fn sign(&mut self, sign: char, value: Value) -> Result<Value, Value> {
        match sign {
            '=' if self.is_sign(1, '=') || self.is_sign(1, '~') || self.is_sign(1, '>') => {
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
            '>' | '|' | '<' if self.is(Language::Awk) => {
                self.at += 1;
                self.redirection(sign, &value);
                Ok(Value::Unknown)
            }
            '+' | '&' | '<' | '.' if self.joins(sign) => {
                self.at += 1 + usize::from(sign == '<' || self.is(Language::Lua) && sign == '.');
                self.skip_lines();
                let other = self.operand();
                Ok(value.followed(&other))
            }
            '/' if matches!(value, Value::Path(_)) => {
                self.at += 1;
                let name = self.operand();
                Ok(value.below(&name))
            }
            '%' if matches!(value, Value::Text(_)) => {
                self.at += 1;
                let values = match self.operand() {
                    Value::List(words) => words,
                    other => vec![other.word()],
                };
                Ok(value.as_word().map_or(Value::Unknown, |format| formatted(format, &values)))
            }
            '+' | '-' | '*' | '/' | '%' | '|' | '&' | '?' | '<' | '>' | '^' | '!' => {
                self.at += 1;
                self.operand();
                Ok(Value::Unknown)
            }
            _ => Err(value),
        }
    }

    /// Tells whether a sign puts texts together.
    pub(super) fn joins(&self, sign: char) -> bool {
        match (self.language, sign) {
            (Language::Perl | Language::Php, '.') | (Language::AppleScript, '&') => true,
            (Language::Lua, '.') => self.is_sign(1, '.'),
            (Language::Ruby, '<') => self.is_sign(1, '>') || self.is_sign(1, '<'),
            (Language::Python | Language::JavaScript | Language::Ruby, '+') => !self.is_sign(1, '+'),
            _ => false,
        }
    }

    /// Notes what a name stands for from now on.
    pub(super) fn assign(&mut self, target: &Value, value: &Value) {
        match (target, value) {
            (Value::Name(name), value) if !name.contains('.') => {
                let value = match value {
                    Value::Name(other) if other == name => return,
                    other => other.clone(),
                };
                let value = self.paid(value);
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

    /// Reads what stands behind `>`, `|` and `<` of awk.
    pub(super) fn redirection(&mut self, sign: char, value: &Value) {
        let doubled = sign == '>' && self.is_sign(0, '>') || sign == '|' && self.is_sign(0, '&');
        self.at += usize::from(doubled);
        if sign == '|' && matches!(self.peek(), Some(Token::Name("getline"))) {
            self.note(Meaning::Shell, vec![value.argument()]);
            return;
        }
        let target = self.operand();
        let meaning = match sign {
            '>' if self.printing => Meaning::Write,
            '|' if self.printing => Meaning::Shell,
            '<' => Meaning::Read,
            _ => return,
        };
        if let Argument::Text(word) = target.argument() {
            self.note(meaning, vec![Argument::Text(word)]);
        }
    }
}
