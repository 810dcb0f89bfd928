//! Calls: their arguments in the forms that languages have for them, and what is noted of them.

use std::ops::Range;

use super::{Eval, MAX_ARGUMENTS};
use crate::domain::shell::code::lex::{Part, Token};
use crate::domain::shell::code::names::{meaning, returned};
use crate::domain::shell::code::table::Meaning;
use crate::domain::shell::code::value::Value;
use crate::domain::shell::code::{Argument, Call, Language};
use crate::domain::shell::script::Word;

/// The words that follow a value and begin something else.
const INFIXES: &[&str] = &[
    "if", "unless", "for", "foreach", "while", "and", "or", "do", "with", "in", "of", "as", "is", "eq", "ne", "x",
    "then", "else", "not",
];

/// The names of arguments that count like those without one.
const KEYS: &[&str] = &["args", "file", "path", "mode", "command", "cmd", "src", "dst"];

impl Eval<'_, '_> {
    pub(super) fn note(&mut self, meaning: Meaning, arguments: Vec<Argument>) {
        let span = self.span();
        self.calls.push(Call { meaning, arguments, span });
    }

    /// Returns where the operand stands that is read.
    pub(super) fn span(&self) -> Range<usize> {
        let start = self.tokens.get(self.start).map_or(0, |placed| placed.span.start);
        let end = self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(start, |placed| placed.span.end);
        start..end.max(start)
    }

    /// Tells whether a function is called here without parentheses.
    pub(super) fn is_bare(&self, path: &str) -> bool {
        let begins = match self.peek() {
            Some(Token::Text(_) | Token::Words(_) | Token::Pattern(_) | Token::Command(_)) => true,
            Some(Token::Variable(_)) => self.is(Language::Perl) || self.is(Language::Php),
            Some(Token::Name(name)) => {
                matches!(self.language, Language::Perl | Language::Ruby) && !INFIXES.contains(name)
            }
            Some(Token::Sign('[')) => self.is(Language::Ruby) && !self.is_glued(),
            _ => false,
        };
        let language =
            matches!(self.language, Language::Perl | Language::Ruby | Language::Lua | Language::Awk | Language::Php);
        language && begins && (meaning(path, self.language).is_some() || matches!(path, "glob" | "require"))
    }

    /// Reads the arguments of a call without parentheses.
    pub(super) fn bare(&mut self) -> Vec<Value> {
        let mut values = Vec::new();
        while values.len() < MAX_ARGUMENTS {
            let before = self.at;
            // A bracket around the call is not one around its arguments.
            values.push(self.expression());
            if self.at == before || !self.is_sign(0, ',') {
                break;
            }
            self.at += 1;
            while self.peek() == Some(&Token::Line) {
                self.at += 1;
            }
        }
        values
    }

    /// Reads a form of Lisp: a function and its arguments.
    pub(super) fn form(&mut self) -> Value {
        self.brackets += 1;
        self.skip_lines();
        let name = match self.peek() {
            Some(Token::Name(name)) => {
                self.at += 1;
                name.rsplit([':', '/', '.']).next().unwrap_or(name)
            }
            _ => "",
        };
        let mut arguments = Vec::new();
        loop {
            self.skip_lines();
            if self.peek().is_none() || self.is_sign(0, ')') {
                break;
            }
            let before = self.at;
            let value = if let Some(Token::Name(name)) = self.peek() {
                self.at += 1;
                self.variable(name).unwrap_or(Value::Unknown)
            } else {
                self.operand()
            };
            if self.at == before {
                self.at += 1;
            } else if arguments.len() < MAX_ARGUMENTS {
                arguments.push(value);
            }
        }
        self.at += 1;
        self.brackets -= 1;
        let texts: Vec<Value> = arguments.iter().filter(|value| **value != Value::Unknown).cloned().collect();
        self.call(name, if texts.is_empty() { &arguments } else { &texts })
    }

    /// Reads the arguments behind an opening parenthesis.
    pub(super) fn arguments(&mut self) -> Vec<Value> {
        let values = self.sequence(')');
        let counts = |key: &Option<String>| key.as_ref().is_none_or(|key| KEYS.contains(&key.as_str()));
        values.into_iter().filter(|(key, _)| counts(key)).map(|(_, value)| value).take(MAX_ARGUMENTS).collect()
    }

    /// Reads values, some of them named, up to a closing bracket.
    pub(super) fn sequence(&mut self, close: char) -> Vec<(Option<String>, Value)> {
        let mut values = Vec::new();
        self.brackets += 1;
        loop {
            self.skip_lines();
            if self.peek().is_none() {
                break;
            }
            if self.is_sign(0, close) {
                self.at += 1;
                break;
            }
            let key = self.key(close);
            let before = self.at;
            let value = self.expression();
            if self.at == before {
                self.at += 1;
            } else if values.len() < MAX_ARGUMENTS {
                values.push((key, value));
            }
        }
        self.brackets -= 1;
        values
    }

    /// Reads the name of a value: `key=`, `key:`, `key =>`.
    pub(super) fn key(&mut self, close: char) -> Option<String> {
        let name = match self.peek()? {
            Token::Name(name) => (*name).to_owned(),
            Token::Text(parts) => match parts.as_slice() {
                [Part::Text(text)] => text.clone(),
                _ => return None,
            },
            _ => return None,
        };
        let equals = close == ')' && self.is(Language::Python) && self.is_sign(1, '=') && !self.is_sign(2, '=');
        let colon = close != ']' && self.is_sign(1, ':') && !self.is_sign(2, ':') && !self.is(Language::Lua);
        let renamed = close == '}' && self.is(Language::JavaScript) && self.ahead(1) == Some(&Token::Name("as"));
        let arrow = self.is_sign(1, '=') && self.is_sign(2, '>') && !self.is(Language::JavaScript);
        let length = 2 + usize::from(arrow);
        (equals || colon || renamed || arrow).then(|| {
            self.at += length;
            name
        })
    }

    /// Notes a call, and returns what it returns.
    pub(super) fn call(&mut self, path: &str, arguments: &[Value]) -> Value {
        // A function that is handed to another is called by it.
        if let ("array_map" | "map" | "apply", [Value::Text(name), rest @ ..]) = (path, arguments) {
            let name = name.text.clone();
            return self.call(&name, rest);
        }
        if let Some(meaning) = meaning(path, self.language) {
            let mut arguments: Vec<Argument> = arguments.iter().map(Value::argument).collect();
            let last = path.rsplit('.').next().unwrap_or(path);
            // The functions of Python begin with a mode.
            let has_mode = last.starts_with("spawn") && self.is(Language::Python);
            if has_mode && arguments.first() == Some(&Argument::Unknown) {
                arguments.remove(0);
            }
            let opens = self.is(Language::Perl) && last == "open";
            let program = if opens { opened(&arguments) } else { None };
            match program {
                Some(code) => self.note(Meaning::Shell, vec![Argument::Text(code)]),
                None => self.note(meaning, arguments),
            }
        }
        returned(path, arguments).unwrap_or(Value::Unknown)
    }
}

/// Returns the command that Perl's `open` starts, if it starts one.
fn opened(arguments: &[Argument]) -> Option<Word> {
    let texts: Vec<&Word> = arguments
        .iter()
        .filter_map(|argument| match argument {
            Argument::Text(word) => Some(word),
            _ => None,
        })
        .collect();
    match texts.as_slice() {
        [mode, code, ..] if matches!(mode.text.trim(), "-|" | "|-") => Some((*code).clone()),
        [code, ..] => {
            let text = code.text.trim();
            let command = text.strip_suffix('|').or_else(|| text.strip_prefix('|'))?;
            Some(Word { text: command.to_owned(), ..(*code).clone() })
        }
        [] => None,
    }
}
