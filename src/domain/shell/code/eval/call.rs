//! Calls: reads their arguments in the notations of all languages, and notes them.

use std::ops::Range;

use super::{Evaluator, MAX_ARGUMENTS};
use crate::domain::shell::code::function_table::CallKind;
use crate::domain::shell::code::functions::{call_kind, return_value};
use crate::domain::shell::code::lexer::{StringPart, Token};
use crate::domain::shell::code::value::Value;
use crate::domain::shell::code::{Argument, Call, Language};
use crate::domain::shell::script::Word;

/// The words that follow a value and begin something else.
const INFIXES: &[&str] = &[
    "if", "unless", "for", "foreach", "while", "and", "or", "do", "with", "in", "of", "as", "is", "eq", "ne", "x",
    "then", "else", "not",
];

/// The names of arguments that count like those without one.
const POSITIONAL_KEYWORDS: &[&str] = &["args", "file", "path", "mode", "command", "cmd", "src", "dst"];

impl Evaluator<'_, '_> {
    pub(super) fn record_call(&mut self, meaning: CallKind, arguments: Vec<Argument>) {
        let span = self.operand_span();
        self.calls.push(Call { kind: meaning, arguments, span });
    }

    /// Returns the span of the operand that is being read.
    pub(super) fn operand_span(&self) -> Range<usize> {
        let start = self.tokens.get(self.operand_start).map_or(0, |placed| placed.span.start);
        let end = self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(start, |placed| placed.span.end);
        start..end.max(start)
    }

    /// Returns whether a function is called here without parentheses.
    pub(super) fn is_bare_call(&self, path: &str) -> bool {
        let begins = match self.peek() {
            Some(Token::Text(_) | Token::Words(_) | Token::Glob(_) | Token::Command(_)) => true,
            Some(Token::Variable(_)) => self.is_language(Language::Perl) || self.is_language(Language::Php),
            Some(Token::Name(name)) => {
                matches!(self.language, Language::Perl | Language::Ruby) && !INFIXES.contains(name)
            }
            Some(Token::Punctuation('[')) => self.is_language(Language::Ruby) && !self.is_adjacent(),
            _ => false,
        };
        let language =
            matches!(self.language, Language::Perl | Language::Ruby | Language::Lua | Language::Awk | Language::Php);
        language && begins && (call_kind(path, self.language).is_some() || matches!(path, "glob" | "require"))
    }

    /// Reads the arguments of a call without parentheses.
    pub(super) fn bare_arguments(&mut self) -> Vec<Value> {
        let mut values = Vec::new();
        while values.len() < MAX_ARGUMENTS {
            let before = self.at;
            // A bracket around the call is not one around its arguments.
            values.push(self.expression());
            if self.at == before || !self.is_punctuation(0, ',') {
                break;
            }
            self.at += 1;
            while self.peek() == Some(&Token::Newline) {
                self.at += 1;
            }
        }
        values
    }

    /// Reads a form of Lisp: a function and its arguments.
    pub(super) fn lisp_form(&mut self) -> Value {
        self.open_brackets += 1;
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
            if self.peek().is_none() || self.is_punctuation(0, ')') {
                break;
            }
            let before = self.at;
            let value = if let Some(Token::Name(name)) = self.peek() {
                self.at += 1;
                self.variable_value(name).unwrap_or(Value::Unknown)
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
        self.open_brackets -= 1;
        let texts: Vec<Value> = arguments.iter().filter(|value| **value != Value::Unknown).cloned().collect();
        self.call(name, if texts.is_empty() { &arguments } else { &texts })
    }

    /// Reads the arguments after an opening parenthesis.
    pub(super) fn arguments(&mut self) -> Vec<Value> {
        let values = self.sequence(')');
        let counts = |key: &Option<String>| key.as_ref().is_none_or(|key| POSITIONAL_KEYWORDS.contains(&key.as_str()));
        values.into_iter().filter(|(key, _)| counts(key)).map(|(_, value)| value).take(MAX_ARGUMENTS).collect()
    }

    /// Reads values, some of them named, up to a closing bracket.
    pub(super) fn sequence(&mut self, close: char) -> Vec<(Option<String>, Value)> {
        let mut values = Vec::new();
        self.open_brackets += 1;
        loop {
            self.skip_lines();
            if self.peek().is_none() {
                break;
            }
            if self.is_punctuation(0, close) {
                self.at += 1;
                break;
            }
            let key = self.argument_name(close);
            let before = self.at;
            let value = self.expression();
            if self.at == before {
                self.at += 1;
            } else if values.len() < MAX_ARGUMENTS {
                values.push((key, value));
            }
        }
        self.open_brackets -= 1;
        values
    }

    /// Reads the name of a value: `key=`, `key:`, `key =>`.
    pub(super) fn argument_name(&mut self, close: char) -> Option<String> {
        let name = match self.peek()? {
            Token::Name(name) => (*name).to_owned(),
            Token::Text(parts) => match parts.as_slice() {
                [StringPart::Text(text)] => text.clone(),
                _ => return None,
            },
            _ => return None,
        };
        let equals = close == ')'
            && self.is_language(Language::Python)
            && self.is_punctuation(1, '=')
            && !self.is_punctuation(2, '=');
        let colon = close != ']'
            && self.is_punctuation(1, ':')
            && !self.is_punctuation(2, ':')
            && !self.is_language(Language::Lua);
        let renamed =
            close == '}' && self.is_language(Language::JavaScript) && self.peek_at(1) == Some(&Token::Name("as"));
        let arrow =
            self.is_punctuation(1, '=') && self.is_punctuation(2, '>') && !self.is_language(Language::JavaScript);
        let length = 2 + usize::from(arrow);
        (equals || colon || renamed || arrow).then(|| {
            self.at += length;
            name
        })
    }

    /// Records a call, and returns what it returns.
    pub(super) fn call(&mut self, path: &str, arguments: &[Value]) -> Value {
        // A function that is passed to another is called by it.
        if let ("array_map" | "map" | "apply", [Value::Text(name), rest @ ..]) = (path, arguments) {
            let name = name.text.clone();
            return self.call(&name, rest);
        }
        if let Some(meaning) = call_kind(path, self.language) {
            let mut arguments: Vec<Argument> = arguments.iter().map(Value::to_argument).collect();
            let last = path.rsplit('.').next().unwrap_or(path);
            // The functions of Python begin with a mode.
            let has_mode = last.starts_with("spawn") && self.is_language(Language::Python);
            if has_mode && arguments.first() == Some(&Argument::Unknown) {
                arguments.remove(0);
            }
            let opens = self.is_language(Language::Perl) && last == "open";
            let program = if opens { perl_open_command(&arguments) } else { None };
            match program {
                Some(code) => self.record_call(CallKind::Shell, vec![Argument::Text(code)]),
                None => self.record_call(meaning, arguments),
            }
        }
        return_value(path, arguments).unwrap_or(Value::Unknown)
    }
}

/// Returns the command that Perl's `open` starts, if it starts one.
fn perl_open_command(arguments: &[Argument]) -> Option<Word> {
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
