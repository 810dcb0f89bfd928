//! Follows expressions: what is assigned, joined and called.
//!
//! The code is gone through twice, so that a function sees what is assigned below it; every round
//! takes each token once. What is put together is paid for from a fixed amount.

mod call;
mod operator;
mod primary;

use std::collections::HashMap;

use super::lex::{Placed, Token, read};
use super::names::{RETURNED, element, method, path_method};
use super::table::Meaning;
use super::value::Value;
use super::{Argument, Call, Language};
use crate::domain::shell::script::Word;

/// How deep brackets are followed, and strings in strings.
const MAX_DEPTH: usize = 32;
const MAX_STRINGS: usize = 3;

/// The most arguments of a call that are read.
const MAX_ARGUMENTS: usize = 64;

/// The text that values may take together.
const FUEL: usize = 1 << 20;

pub(super) fn calls(code: &str, language: Language) -> Vec<Call> {
    let tokens = read(code, language);
    let mut eval = Eval {
        tokens: &tokens,
        at: 0,
        start: 0,
        language,
        variables: HashMap::new(),
        calls: Vec::new(),
        depth: 0,
        strings: 0,
        brackets: 0,
        printing: false,
        fuel: FUEL,
    };
    eval.run();
    eval.at = 0;
    eval.fuel = FUEL;
    eval.calls.clear();
    eval.run();
    eval.calls
}

struct Eval<'t, 'a> {
    tokens: &'t [Placed<'a>],
    at: usize,
    /// Where the operand begins that is read.
    start: usize,
    language: Language,
    variables: HashMap<String, Value>,
    calls: Vec<Call>,
    depth: usize,
    /// How many strings deep the code stands.
    strings: usize,
    /// How many brackets are open, in which a line does not end.
    brackets: usize,
    /// Whether a `print` of awk may be redirected here.
    printing: bool,
    fuel: usize,
}

impl<'t, 'a> Eval<'t, 'a> {
    fn run(&mut self) {
        while self.at < self.tokens.len() {
            let before = self.at;
            self.expression();
            if self.at == before {
                self.printing &= !matches!(self.peek(), Some(Token::Line | Token::Sign(';' | '}')));
                self.at += 1;
            }
        }
    }

    fn peek(&self) -> Option<&'t Token<'a>> {
        self.ahead(0)
    }

    fn ahead(&self, more: usize) -> Option<&'t Token<'a>> {
        self.tokens.get(self.at + more).map(|placed| &placed.token)
    }

    fn is_glued(&self) -> bool {
        self.tokens.get(self.at).is_some_and(|placed| placed.glued)
    }

    fn is_sign(&self, more: usize, sign: char) -> bool {
        matches!(self.ahead(more), Some(Token::Sign(found)) if *found == sign)
    }

    fn skip_lines(&mut self) {
        while self.brackets > 0 && self.peek() == Some(&Token::Line) {
            self.at += 1;
        }
    }

    const fn is(&self, language: Language) -> bool {
        self.language as u8 == language as u8
    }

    /// Pays for a value; one that cannot be paid for is not known.
    fn paid(&mut self, value: Value) -> Value {
        let rest = self.fuel.checked_sub(value.cost());
        self.fuel = rest.unwrap_or(0);
        if rest.is_some() { value } else { Value::Unknown }
    }

    /// Returns what a variable holds.
    fn variable(&self, name: &str) -> Option<Value> {
        if self.fuel == 0 { Some(Value::Unknown) } else { self.variables.get(name).cloned() }
    }

    /// Reads operands and the operators between them.
    fn expression(&mut self) -> Value {
        if self.depth >= MAX_DEPTH {
            self.at += 1;
            return Value::Unknown;
        }
        self.depth += 1;
        let mut value = self.operand();
        loop {
            self.skip_lines();
            let before = self.at;
            value = match self.operator(value) {
                Ok(value) => self.paid(value),
                Err(value) => {
                    self.at = before;
                    self.depth -= 1;
                    return value;
                }
            };
        }
    }

    /// Reads one operand with the calls, members and elements behind it.
    fn operand(&mut self) -> Value {
        if self.depth >= MAX_DEPTH {
            self.at += 1;
            return Value::Unknown;
        }
        self.depth += 1;
        self.skip_lines();
        while let Some(Token::Sign('-' | '!' | '*' | '&' | '~' | '@' | '+' | '$' | '#' | '\'')) = self.peek() {
            self.at += 1;
        }
        let outer = std::mem::replace(&mut self.start, self.at);
        let mut value = self.primary();
        while let Some(more) = self.behind(&value) {
            value = self.paid(more);
        }
        self.start = outer;
        self.depth -= 1;
        value
    }

    /// Reads one more step behind a value: a member, an element, a call.
    fn behind(&mut self, value: &Value) -> Option<Value> {
        if let Some(steps) = self.member() {
            self.at += steps;
            if self.is_sign(0, '!') {
                self.at += 1;
                self.note(Meaning::Shell, vec![value.argument()]);
                return Some(Value::Unknown);
            }
            let Some(Token::Name(name)) = self.peek() else { return Some(Value::Unknown) };
            let name = *name;
            self.at += 1;
            return Some(self.step(value, name));
        }
        match (self.peek()?, value) {
            (Token::Sign('('), Value::Name(path)) => {
                self.at += 1;
                let arguments = self.arguments();
                Some(self.call(path, &arguments))
            }
            (Token::Sign('('), _) if self.is_glued() => {
                self.at += 1;
                self.arguments();
                Some(Value::Unknown)
            }
            (Token::Sign('['), _) if self.is_glued() => {
                self.at += 1;
                let key = self.sequence(']').pop().map(|(_, value)| value);
                Some(Self::at_key(value, key.as_ref()))
            }
            (Token::Sign('{'), Value::Name(name)) if self.is_glued() && self.is(Language::Perl) => {
                let name = name.clone();
                self.at += 1;
                let key = self.sequence('}').pop().map(|(key, value)| key.map_or(value, Value::text));
                let key = match key {
                    Some(Value::Name(name)) => Some(Value::text(name)),
                    other => other,
                };
                Some(Self::at_key(&Value::Name(name), key.as_ref()))
            }
            // A tag of a template may hand it to a shell, as Bun's and zx's `$` does.
            (Token::Text(_), Value::Name(name)) if self.is_glued() && self.is(Language::JavaScript) => {
                let shell = name.ends_with('$');
                let Value::Text(word) = self.primary() else { return Some(Value::Unknown) };
                if shell {
                    self.note(Meaning::Shell, vec![Argument::Text(word)]);
                }
                Some(Value::Unknown)
            }
            (_, Value::Name(path)) if self.is_bare(path) => {
                let arguments = self.bare();
                let path = path.clone();
                Some(self.call(&path, &arguments))
            }
            _ => None,
        }
    }

    /// Returns how many tokens separate a value from its member.
    fn member(&self) -> Option<usize> {
        let name = |more: usize| matches!(self.ahead(more), Some(Token::Name(_)));
        let sigils = matches!(self.language, Language::Perl | Language::Php);
        if !sigils && self.is_sign(0, '.') && (name(1) || self.is_sign(1, '!')) {
            return Some(1);
        }
        if self.is(Language::JavaScript) && self.is_sign(0, '?') && self.is_sign(1, '.') && name(2) {
            return Some(2);
        }
        if self.is_sign(0, ':') && self.is_sign(1, ':') && name(2) && self.is_glued() {
            return Some(2);
        }
        if sigils && self.is_sign(0, '-') && self.is_sign(1, '>') && name(2) {
            return Some(2);
        }
        (self.is(Language::Lua) && self.is_sign(0, ':') && self.is_glued() && name(1)).then_some(1)
    }

    /// Returns the member of a value by its name, or what calling it returns.
    fn step(&mut self, value: &Value, name: &str) -> Value {
        match value {
            Value::Name(path) if (path.as_str(), name) == ("Dir", "home") && !self.is_sign(0, '(') => {
                Value::Path(Word::known("~"))
            }
            Value::Name(path) => element(path, name).unwrap_or_else(|| Value::Name(format!("{path}.{name}"))),
            Value::Unknown | Value::Named(_) => Value::Name(format!("{RETURNED}.{name}")),
            Value::Text(_) | Value::Path(_) | Value::List(_) => {
                let called = self.is_sign(0, '(');
                self.at += usize::from(called);
                let arguments = if called { self.arguments() } else { Vec::new() };
                if let (Value::Path(_), Some(meaning)) = (value, path_method(name, &arguments)) {
                    let rest = arguments.iter().map(Value::argument);
                    self.note(meaning, std::iter::once(value.argument()).chain(rest).collect());
                    return Value::Unknown;
                }
                if name == "execute" {
                    self.note(Meaning::Shell, vec![value.argument()]);
                }
                match (value, name) {
                    (Value::Path(_), "parent" | "dirname") => value.below(&Value::text("..")),
                    _ => method(value, name, &arguments).unwrap_or(Value::Unknown),
                }
            }
        }
    }

    fn at_key(value: &Value, key: Option<&Value>) -> Value {
        match (value, key.and_then(Value::known)) {
            (Value::Name(path), Some(key)) => {
                element(path, key).unwrap_or_else(|| Value::Name(format!("{path}.{key}")))
            }
            _ => Value::Unknown,
        }
    }
}
