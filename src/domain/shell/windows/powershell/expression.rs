//! Expressions: operators between values, lists and casts.

use super::Reader;
use super::operator;
use super::value::Value;

impl Reader<'_> {
    /// Reads an expression.
    pub(super) fn expression(&mut self) -> Value {
        self.deeper(|reader| {
            let mut value = reader.list();
            loop {
                let pos = reader.pos;
                reader.skip_blanks();
                let Some(name) = reader.operator() else {
                    reader.pos = pos;
                    return value;
                };
                reader.target = None;
                reader.skip_lines();
                let right = reader.list();
                reader.target = None;
                value = if name == "?" {
                    reader.skip_lines();
                    let mut either = right;
                    if reader.eat(":") {
                        reader.skip_lines();
                        let other = reader.list();
                        either.merge(other);
                    }
                    either
                } else {
                    operator::apply(&name, value, right)
                };
            }
        })
    }

    /// Reads values with commas between them.
    fn list(&mut self) -> Value {
        let mut value = self.unary();
        loop {
            let pos = self.pos;
            self.skip_blanks();
            if !self.eat(",") {
                self.pos = pos;
                return value;
            }
            self.target = None;
            self.skip_lines();
            value.extend(self.unary());
            self.target = None;
        }
    }

    /// Reads a value with what is written before it.
    pub(super) fn unary(&mut self) -> Value {
        self.skip_blanks();
        if self.eat("++") || self.eat("--") {
            self.unary();
            return Value::output();
        }
        if self.eat("!") {
            self.unary();
            return Value::output();
        }
        if self.eat(",") || self.eat("+") {
            return self.unary();
        }
        if self.peek() == Some('-') {
            self.next();
            let name = self.letters().to_ascii_lowercase();
            self.pos += name.len();
            self.skip_lines();
            let value = self.list();
            self.target = None;
            return match name.as_str() {
                "join" => Value::of(value.join("")).with_origin(value.origin),
                "split" => operator::apply("-split", value, Value::known(" ")),
                "" => value.map(|text| Some(format!("-{text}"))),
                _ => Value::output(),
            };
        }
        self.primary()
    }

    /// Returns whether an operator of one value is next: `-join`, `-not`.
    pub(super) fn is_unary_operator(&self) -> bool {
        let name = self.rest().get(1..).unwrap_or_default();
        ["join", "not", "bnot", "split"].iter().any(|operator| {
            name.get(..operator.len()).is_some_and(|start| start.eq_ignore_ascii_case(operator))
                && !name.get(operator.len()..).is_some_and(|rest| rest.starts_with(char::is_alphanumeric))
        })
    }

    /// Returns the letters from here on.
    fn letters(&self) -> &str {
        let rest = self.rest();
        rest.get(..rest.find(|next: char| !next.is_ascii_alphabetic()).unwrap_or(rest.len())).unwrap_or_default()
    }

    /// Reads the operator that is next, if there is one between two values.
    pub(super) fn operator(&mut self) -> Option<String> {
        let second = self.peek_second();
        let name = match self.peek()? {
            '+' | '*' | '/' | '%' if second != Some('=') && second != Some('+') => self.next()?.to_string(),
            '.' if second == Some('.') => {
                self.pos += 2;
                "..".to_owned()
            }
            '?' if second == Some('?') && !self.rest().starts_with("??=") => {
                self.pos += 2;
                "??".to_owned()
            }
            '?' if second.is_some_and(char::is_whitespace) => self.next()?.to_string(),
            '-' if second.is_some_and(|next| next.is_ascii_alphabetic()) => {
                self.next();
                let name = self.letters().to_ascii_lowercase();
                self.pos += name.len();
                format!("-{name}")
            }
            '-' if second != Some('=') && second != Some('-') => self.next()?.to_string(),
            _ => return None,
        };
        Some(name)
    }
}
