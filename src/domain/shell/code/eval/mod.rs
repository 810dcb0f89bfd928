//! Evaluates expressions: assignments, concatenation and calls.
//!
//! The code is walked twice, so that a function sees what is assigned below it; each round takes each token once. The
//! size of computed values is limited by a fixed budget.

mod call;
mod operator;
mod primary;

use std::collections::HashMap;

use super::function_table::CallKind;
use super::functions::{CALL_RESULT, element_value, method_value, path_method_kind};
use super::lexer::{SpannedToken, Token, tokenize};
use super::value::Value;
use super::{Argument, Call, Language};
use crate::domain::shell::script::Word;

/// How deep brackets are followed, and strings in strings.
const MAX_DEPTH: usize = 32;
const MAX_STRING_DEPTH: usize = 3;

/// The most arguments of a call that are read.
const MAX_ARGUMENTS: usize = 64;

/// The text that values may take together.
const FUEL: usize = 1 << 20;

pub(super) fn calls(code: &str, language: Language) -> Vec<Call> {
    let tokens = tokenize(code, language);
    let mut eval = Evaluator {
        tokens: &tokens,
        at: 0,
        operand_start: 0,
        language,
        variables: HashMap::new(),
        calls: Vec::new(),
        depth: 0,
        string_depth: 0,
        open_brackets: 0,
        in_print: false,
        fuel: FUEL,
    };
    eval.run();
    eval.at = 0;
    eval.fuel = FUEL;
    eval.calls.clear();
    eval.run();
    eval.calls
}

struct Evaluator<'t, 'a> {
    tokens: &'t [SpannedToken<'a>],
    at: usize,
    /// The start of the operand that is being read.
    operand_start: usize,
    language: Language,
    variables: HashMap<String, Value>,
    calls: Vec<Call>,
    depth: usize,
    /// How many strings deep the code is.
    string_depth: usize,
    /// How many brackets are open, in which a line does not end.
    open_brackets: usize,
    /// Whether a `print` of awk may be redirected here.
    in_print: bool,
    fuel: usize,
}

impl<'t, 'a> Evaluator<'t, 'a> {
    fn run(&mut self) {
        while self.at < self.tokens.len() {
            let before = self.at;
            self.expression();
            if self.at == before {
                self.in_print &= !matches!(self.peek(), Some(Token::Newline | Token::Punctuation(';' | '}')));
                self.at += 1;
            }
        }
    }

    fn peek(&self) -> Option<&'t Token<'a>> {
        self.peek_at(0)
    }

    fn peek_at(&self, more: usize) -> Option<&'t Token<'a>> {
        self.tokens.get(self.at + more).map(|placed| &placed.token)
    }

    fn is_adjacent(&self) -> bool {
        self.tokens.get(self.at).is_some_and(|placed| placed.is_adjacent)
    }

    fn is_punctuation(&self, more: usize, sign: char) -> bool {
        matches!(self.peek_at(more), Some(Token::Punctuation(found)) if *found == sign)
    }

    fn skip_lines(&mut self) {
        while self.open_brackets > 0 && self.peek() == Some(&Token::Newline) {
            self.at += 1;
        }
    }

    const fn is_language(&self, language: Language) -> bool {
        self.language as u8 == language as u8
    }

    /// Pays for a value; one that cannot be paid for is unknown.
    fn charge(&mut self, value: Value) -> Value {
        let rest = self.fuel.checked_sub(value.cost());
        self.fuel = rest.unwrap_or(0);
        if rest.is_some() { value } else { Value::Unknown }
    }

    /// Returns what a variable holds.
    fn variable_value(&self, name: &str) -> Option<Value> {
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
            value = match self.apply_operator(value) {
                Ok(value) => self.charge(value),
                Err(value) => {
                    self.at = before;
                    self.depth -= 1;
                    return value;
                }
            };
        }
    }

    /// Reads one operand with the calls, members and elements after it.
    fn operand(&mut self) -> Value {
        if self.depth >= MAX_DEPTH {
            self.at += 1;
            return Value::Unknown;
        }
        self.depth += 1;
        self.skip_lines();
        while let Some(Token::Punctuation('-' | '!' | '*' | '&' | '~' | '@' | '+' | '$' | '#' | '\'')) = self.peek() {
            self.at += 1;
        }
        let outer = std::mem::replace(&mut self.operand_start, self.at);
        let mut value = self.primary();
        while let Some(more) = self.postfix(&value) {
            value = self.charge(more);
        }
        self.operand_start = outer;
        self.depth -= 1;
        value
    }

    /// Reads one more step after a value: a member, an element, a call.
    fn postfix(&mut self, value: &Value) -> Option<Value> {
        if let Some(steps) = self.member_operator_len() {
            self.at += steps;
            if self.is_punctuation(0, '!') {
                self.at += 1;
                self.record_call(CallKind::Shell, vec![value.to_argument()]);
                return Some(Value::Unknown);
            }
            let Some(Token::Name(name)) = self.peek() else { return Some(Value::Unknown) };
            let name = *name;
            self.at += 1;
            return Some(self.access_member(value, name));
        }
        match (self.peek()?, value) {
            (Token::Punctuation('('), Value::Name(path)) => {
                self.at += 1;
                let arguments = self.arguments();
                Some(self.call(path, &arguments))
            }
            (Token::Punctuation('('), _) if self.is_adjacent() => {
                self.at += 1;
                self.arguments();
                Some(Value::Unknown)
            }
            (Token::Punctuation('['), _) if self.is_adjacent() => {
                self.at += 1;
                let key = self.sequence(']').pop().map(|(_, value)| value);
                Some(Self::index_value(value, key.as_ref()))
            }
            (Token::Punctuation('{'), Value::Name(name)) if self.is_adjacent() && self.is_language(Language::Perl) => {
                let name = name.clone();
                self.at += 1;
                let key = self.sequence('}').pop().map(|(key, value)| key.map_or(value, Value::text));
                let key = match key {
                    Some(Value::Name(name)) => Some(Value::text(name)),
                    other => other,
                };
                Some(Self::index_value(&Value::Name(name), key.as_ref()))
            }
            // A template tag may pass it to a shell, as Bun's and zx's `$` does.
            (Token::Text(_), Value::Name(name)) if self.is_adjacent() && self.is_language(Language::JavaScript) => {
                let shell = name.ends_with('$');
                let Value::Text(word) = self.primary() else { return Some(Value::Unknown) };
                if shell {
                    self.record_call(CallKind::Shell, vec![Argument::Text(word)]);
                }
                Some(Value::Unknown)
            }
            (_, Value::Name(path)) if self.is_bare_call(path) => {
                let arguments = self.bare_arguments();
                let path = path.clone();
                Some(self.call(&path, &arguments))
            }
            _ => None,
        }
    }

    /// Returns how many tokens separate a value from its member.
    fn member_operator_len(&self) -> Option<usize> {
        let name = |more: usize| matches!(self.peek_at(more), Some(Token::Name(_)));
        let sigils = matches!(self.language, Language::Perl | Language::Php);
        if !sigils && self.is_punctuation(0, '.') && (name(1) || self.is_punctuation(1, '!')) {
            return Some(1);
        }
        if self.is_language(Language::JavaScript)
            && self.is_punctuation(0, '?')
            && self.is_punctuation(1, '.')
            && name(2)
        {
            return Some(2);
        }
        if self.is_punctuation(0, ':') && self.is_punctuation(1, ':') && name(2) && self.is_adjacent() {
            return Some(2);
        }
        if sigils && self.is_punctuation(0, '-') && self.is_punctuation(1, '>') && name(2) {
            return Some(2);
        }
        (self.is_language(Language::Lua) && self.is_punctuation(0, ':') && self.is_adjacent() && name(1)).then_some(1)
    }

    /// Returns the member of a value by its name, or what calling it returns.
    fn access_member(&mut self, value: &Value, name: &str) -> Value {
        match value {
            Value::Name(path) if (path.as_str(), name) == ("Dir", "home") && !self.is_punctuation(0, '(') => {
                Value::Path(Word::known("~"))
            }
            Value::Name(path) => element_value(path, name).unwrap_or_else(|| Value::Name(format!("{path}.{name}"))),
            Value::Unknown | Value::Named(_) => Value::Name(format!("{CALL_RESULT}.{name}")),
            Value::Text(_) | Value::Path(_) | Value::List(_) => {
                let called = self.is_punctuation(0, '(');
                self.at += usize::from(called);
                let arguments = if called { self.arguments() } else { Vec::new() };
                if let (Value::Path(_), Some(meaning)) = (value, path_method_kind(name, &arguments)) {
                    let rest = arguments.iter().map(Value::to_argument);
                    self.record_call(meaning, std::iter::once(value.to_argument()).chain(rest).collect());
                    return Value::Unknown;
                }
                if name == "execute" {
                    self.record_call(CallKind::Shell, vec![value.to_argument()]);
                }
                match (value, name) {
                    (Value::Path(_), "parent" | "dirname") => value.join_path(&Value::text("..")),
                    _ => method_value(value, name, &arguments).unwrap_or(Value::Unknown),
                }
            }
        }
    }

    fn index_value(value: &Value, key: Option<&Value>) -> Value {
        match (value, key.and_then(Value::as_known_str)) {
            (Value::Name(path), Some(key)) => {
                element_value(path, key).unwrap_or_else(|| Value::Name(format!("{path}.{key}")))
            }
            _ => Value::Unknown,
        }
    }
}
