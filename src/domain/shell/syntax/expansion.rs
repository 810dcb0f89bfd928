//! Everything that begins with a dollar, backquotes, and `<(…)`.
//!
//! What is inside is read at once, as syntax, and not kept as text: a bracket in a comment or a quote in
//! a `case` inside `$(…)` would mislead any search for the end.

use super::ast::{Operator, Parameter, Part};
use super::command::script;
use super::cursor::{Parser, begins_name, in_name};
use super::word::Parts;

/// How the output of a command that is not known stands in a word's text.
pub(crate) const SPLICE: &str = "$(…)";

/// How far the end of the obsolete `$[…]` is looked for: in most texts it is a dollar and a bracket.
const MAX_OLD_ARITHMETIC: usize = 128;

impl Parser<'_> {
    /// Reads what begins with a dollar.
    pub(super) fn dollar(&mut self, quoted: bool, out: &mut Parts) {
        let Some(next) = self.rest().chars().nth(1) else {
            self.pos += 1;
            out.push('$', quoted);
            return;
        };
        match next {
            // Only text that was put together from words holds it: see `SPLICE`.
            '(' if self.base.is_some() && self.eat(SPLICE) => out.part(Part::Spliced { quoted }),
            '(' if self.byte(2) == Some(b'(') && self.is_arithmetic(3) => {
                self.pos += 3;
                let parts = self.deeper(Self::arithmetic);
                out.part(Part::Arithmetic { parts, quoted });
            }
            '(' => {
                self.pos += 2;
                let list = self.deeper(|parser| parser.enclosed(')'));
                out.part(Part::Substitution { list, quoted, backquoted: false });
            }
            '{' if matches!(self.byte(2), Some(b' ' | b'\t' | b'\n' | b'|')) => {
                self.pos += 3;
                let list = self.deeper(|parser| parser.enclosed('}'));
                out.part(Part::Substitution { list, quoted, backquoted: false });
            }
            '{' => {
                self.pos += 2;
                let parameter = self.deeper(|parser| parser.braced(quoted));
                out.part(Part::Parameter { parameter, quoted });
            }
            '[' if self.rest().bytes().take(MAX_OLD_ARITHMETIC).any(|byte| byte == b']') => {
                self.pos += 2;
                let parts = self.deeper(|parser| parser.until(']', true));
                out.part(Part::Arithmetic { parts, quoted });
            }
            '\'' if !quoted => {
                self.pos += 1;
                self.decoded(out);
            }
            '"' if !quoted => {
                self.pos += 1;
                self.double(out);
            }
            _ if begins_name(next) => {
                self.pos += 1;
                let name = self.name();
                out.part(Part::Parameter { parameter: Parameter { name, ..Parameter::default() }, quoted });
            }
            _ if next.is_ascii_digit() || "@*#?-$!".contains(next) => {
                self.pos += 2;
                let parameter = Parameter { name: next.to_string(), ..Parameter::default() };
                out.part(Part::Parameter { parameter, quoted });
            }
            _ => {
                self.pos += 1;
                out.push('$', quoted);
            }
        }
    }

    /// Reads a name; empty when none begins here.
    pub(super) fn name(&mut self) -> String {
        let rest = self.rest();
        let length = rest.find(|character| !in_name(character)).unwrap_or(rest.len());
        let start = self.pos;
        self.pos += length;
        self.slice(start, self.pos).to_owned()
    }

    /// Reads the inside of `${…}` and its closing brace.
    fn braced(&mut self, quoted: bool) -> Parameter {
        let mut parameter = Parameter { braced: true, ..Parameter::default() };
        let names_follow = self.byte(1).is_some_and(|byte| byte != b'}' && !b"-=+?%/:#".contains(&byte));
        if names_follow && self.eat("#") {
            parameter.operator = Operator::Length;
        } else if names_follow && self.eat("!") {
            parameter.operator = Operator::Indirect;
        }
        parameter.name = self.name();
        if parameter.name.is_empty()
            && let Some(special) = self.peek().filter(|character| "@*#?-$!".contains(*character))
        {
            self.pos += 1;
            parameter.name = special.to_string();
        }
        if self.eat("[") {
            parameter.index = self.until(']', quoted);
        }
        if parameter.operator == Operator::Plain {
            parameter.operator = self.operator();
            parameter.argument = self.until('}', quoted);
        } else if !self.until('}', quoted).is_empty() {
            parameter.operator = Operator::Other;
        }
        parameter
    }

    fn operator(&mut self) -> Operator {
        let colon = self.eat(":");
        let operator = match self.peek() {
            Some('}') | None if !colon => return Operator::Plain,
            Some('-') => Operator::Default,
            Some('=') => Operator::Assign,
            Some('+') => Operator::Alternative,
            Some('?') => Operator::Require,
            _ if colon => return Operator::Substring,
            Some('#') => Operator::RemovePrefix { longest: self.byte(1) == Some(b'#') },
            Some('%') => Operator::RemoveSuffix { longest: self.byte(1) == Some(b'%') },
            Some('/') => Operator::Replace { all: self.byte(1) == Some(b'/') },
            Some('^') => Operator::Upper { all: self.byte(1) == Some(b'^') },
            Some(',') => Operator::Lower { all: self.byte(1) == Some(b',') },
            _ => return Operator::Other,
        };
        let doubled = matches!(
            operator,
            Operator::RemovePrefix { longest: true }
                | Operator::RemoveSuffix { longest: true }
                | Operator::Replace { all: true }
                | Operator::Upper { all: true }
                | Operator::Lower { all: true }
        );
        self.pos += if doubled { 2 } else { 1 };
        operator
    }

    /// Tells whether the parentheses that open before `ahead` close as `))`, so that they hold
    /// arithmetic and not a subshell in a substitution.
    pub(super) fn is_arithmetic(&self, ahead: usize) -> bool {
        let mut open = 0_usize;
        let mut bytes = self.rest().bytes().skip(ahead).peekable();
        while let Some(byte) = bytes.next() {
            match byte {
                b'\\' => {
                    bytes.next();
                }
                b'\'' => {
                    bytes.by_ref().find(|byte| *byte == b'\'');
                }
                b'(' => open += 1,
                b')' if open == 0 => return bytes.peek() == Some(&b')'),
                b')' => open -= 1,
                _ => {}
            }
        }
        false
    }

    /// Reads arithmetic up to and with its `))`.
    pub(super) fn arithmetic(&mut self) -> Vec<Part> {
        let start = self.pos;
        let mut out = Parts::default();
        let mut open = 0_usize;
        loop {
            match self.peek() {
                None => {
                    self.unbalanced(start);
                    break;
                }
                Some(')') if open == 0 => {
                    self.pos += 1;
                    self.eat(")");
                    break;
                }
                Some(character @ ('(' | ')')) => {
                    open = if character == '(' { open + 1 } else { open - 1 };
                    self.pos += 1;
                    out.push(character, true);
                }
                Some('"') => self.double(&mut out),
                Some(character) => self.quoted(character, "", &mut out),
            }
        }
        out.finish()
    }

    /// Reads backquotes; what stands between them is unescaped once and read as text of its own.
    pub(super) fn backquotes(&mut self, quoted: bool, out: &mut Parts) {
        let start = self.pos;
        self.pos += 1;
        let mut text = String::new();
        loop {
            match self.bump() {
                None => {
                    self.unbalanced(start);
                    break;
                }
                Some('`') => break,
                Some('\\') => match self.peek() {
                    Some(next) if "`\\$".contains(next) || (quoted && next == '"') => {
                        self.bump();
                        text.push(next);
                    }
                    _ => text.push('\\'),
                },
                Some(character) => text.push(character),
            }
        }
        let span = self.span(start, self.pos);
        let list = self.inner(&text, span, script);
        out.part(Part::Substitution { list, quoted, backquoted: true });
    }

    /// Reads `<(…)` or `>(…)`.
    pub(super) fn process(&mut self, out: &mut Parts) {
        let input = self.peek() == Some('<');
        self.pos += 2;
        let list = self.deeper(|parser| parser.enclosed(')'));
        out.part(Part::Process { list, input });
    }
}
