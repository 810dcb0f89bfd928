//! Everything that begins with a dollar sign, backquotes, and `<(…)`.
//!
//! The inside is parsed at once, as syntax, and not kept as text: a bracket in a comment or a quote in a `case` inside
//! `$(…)` would mislead any search for the end.

use super::ast::{Parameter, ParameterOperator, Part};
use super::command::script;
use super::parser::{Parser, is_name_character, is_name_start};
use super::word::WordBuilder;

/// How the output of a command that is unknown is in a word's text.
pub(crate) const SUBSTITUTION_PLACEHOLDER: &str = "$(…)";

/// How far the end of the obsolete `$[…]` is looked for: in most texts it is a dollar and a bracket.
const MAX_LEGACY_ARITHMETIC: usize = 128;

impl Parser<'_> {
    /// Reads what begins with a dollar.
    pub(super) fn dollar_expansion(&mut self, quoted: bool, out: &mut WordBuilder) {
        let Some(next) = self.rest().chars().nth(1) else {
            self.pos += 1;
            out.push('$', quoted);
            return;
        };
        match next {
            // Only text that was put together from words holds it: see `SPLICE`.
            '(' if self.span_override.is_some() && self.eat(SUBSTITUTION_PLACEHOLDER) => {
                out.push_part(Part::OuterSubstitution { quoted });
            }
            '(' if self.byte_at(2) == Some(b'(') && self.is_arithmetic(3) => {
                self.pos += 3;
                let parts = self.with_depth(Self::arithmetic);
                out.push_part(Part::Arithmetic { parts, quoted });
            }
            '(' => {
                self.pos += 2;
                let list = self.with_depth(|parser| parser.list_until(')'));
                out.push_part(Part::Substitution { list, quoted, backquoted: false });
            }
            '{' if matches!(self.byte_at(2), Some(b' ' | b'\t' | b'\n' | b'|')) => {
                self.pos += 3;
                let list = self.with_depth(|parser| parser.list_until('}'));
                out.push_part(Part::Substitution { list, quoted, backquoted: false });
            }
            '{' => {
                self.pos += 2;
                let parameter = self.with_depth(|parser| parser.braced_parameter(quoted));
                out.push_part(Part::Parameter { parameter, quoted });
            }
            '[' if self.rest().bytes().take(MAX_LEGACY_ARITHMETIC).any(|byte| byte == b']') => {
                self.pos += 2;
                let parts = self.with_depth(|parser| parser.parts_until(']', true));
                out.push_part(Part::Arithmetic { parts, quoted });
            }
            '\'' if !quoted => {
                self.pos += 1;
                self.ansi_c_quoted(out);
            }
            '"' if !quoted => {
                self.pos += 1;
                self.double_quoted(out);
            }
            _ if is_name_start(next) => {
                self.pos += 1;
                let name = self.name();
                out.push_part(Part::Parameter { parameter: Parameter { name, ..Parameter::default() }, quoted });
            }
            _ if next.is_ascii_digit() || "@*#?-$!".contains(next) => {
                self.pos += 2;
                let parameter = Parameter { name: next.to_string(), ..Parameter::default() };
                out.push_part(Part::Parameter { parameter, quoted });
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
        let length = rest.find(|character| !is_name_character(character)).unwrap_or(rest.len());
        let start = self.pos;
        self.pos += length;
        self.slice(start, self.pos).to_owned()
    }

    /// Reads the inside `${…}` and its closing brace.
    fn braced_parameter(&mut self, quoted: bool) -> Parameter {
        let mut parameter = Parameter { braced: true, ..Parameter::default() };
        let names_follow = self.byte_at(1).is_some_and(|byte| byte != b'}' && !b"-=+?%/:#".contains(&byte));
        if names_follow && self.eat("#") {
            parameter.operator = ParameterOperator::Length;
        } else if names_follow && self.eat("!") {
            parameter.operator = ParameterOperator::Indirect;
        }
        parameter.name = self.name();
        if parameter.name.is_empty()
            && let Some(special) = self.peek().filter(|character| "@*#?-$!".contains(*character))
        {
            self.pos += 1;
            parameter.name = special.to_string();
        }
        if self.eat("[") {
            parameter.index = self.parts_until(']', quoted);
        }
        if parameter.operator == ParameterOperator::Plain {
            parameter.operator = self.parameter_operator();
            parameter.argument = self.parts_until('}', quoted);
        } else if !self.parts_until('}', quoted).is_empty() {
            parameter.operator = ParameterOperator::Other;
        }
        parameter
    }

    fn parameter_operator(&mut self) -> ParameterOperator {
        let colon = self.eat(":");
        let operator = match self.peek() {
            Some('}') | None if !colon => return ParameterOperator::Plain,
            Some('-') => ParameterOperator::Default,
            Some('=') => ParameterOperator::Assign,
            Some('+') => ParameterOperator::Alternative,
            Some('?') => ParameterOperator::Require,
            _ if colon => return ParameterOperator::Substring,
            Some('#') => ParameterOperator::RemovePrefix { longest: self.byte_at(1) == Some(b'#') },
            Some('%') => ParameterOperator::RemoveSuffix { longest: self.byte_at(1) == Some(b'%') },
            Some('/') => ParameterOperator::Replace { all: self.byte_at(1) == Some(b'/') },
            Some('^') => ParameterOperator::Upper { all: self.byte_at(1) == Some(b'^') },
            Some(',') => ParameterOperator::Lower { all: self.byte_at(1) == Some(b',') },
            _ => return ParameterOperator::Other,
        };
        let doubled = matches!(
            operator,
            ParameterOperator::RemovePrefix { longest: true }
                | ParameterOperator::RemoveSuffix { longest: true }
                | ParameterOperator::Replace { all: true }
                | ParameterOperator::Upper { all: true }
                | ParameterOperator::Lower { all: true }
        );
        self.pos += if doubled { 2 } else { 1 };
        operator
    }

    /// Returns whether the parentheses that open before `ahead` close as `))`, so that they hold
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
        let mut out = WordBuilder::default();
        let mut open = 0_usize;
        loop {
            match self.peek() {
                None => {
                    self.report_unbalanced(start);
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
                Some('"') => self.double_quoted(&mut out),
                Some(character) => self.double_quoted_element(character, "", &mut out),
            }
        }
        out.finish()
    }

    /// Reads backquotes; what is between them is unescaped once and read as text of its own.
    pub(super) fn backquotes(&mut self, quoted: bool, out: &mut WordBuilder) {
        let start = self.pos;
        self.pos += 1;
        let mut text = String::new();
        loop {
            match self.bump() {
                None => {
                    self.report_unbalanced(start);
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
        let list = self.parse_nested(&text, span, script);
        out.push_part(Part::Substitution { list, quoted, backquoted: true });
    }

    /// Reads `<(…)` or `>(…)`.
    pub(super) fn process_substitution(&mut self, out: &mut WordBuilder) {
        let input = self.peek() == Some('<');
        self.pos += 2;
        let list = self.with_depth(|parser| parser.list_until(')'));
        out.push_part(Part::ProcessSubstitution { list, input });
    }
}
