//! What an expression begins with: strings, brackets, names, and the names that are imported.

use super::{Eval, MAX_ARGUMENTS, MAX_STRINGS};
use crate::domain::shell::code::lex::{Part, Token, read};
use crate::domain::shell::code::names::returned;
use crate::domain::shell::code::table::Meaning;
use crate::domain::shell::code::value::Value;
use crate::domain::shell::code::{Argument, Call, Language};
use crate::domain::shell::script::Word;

/// The words of all these languages that stand before a value and change nothing of it.
const PREFIXES: &[&str] = &[
    "new", "await", "return", "yield", "my", "our", "local", "const", "let", "var", "else", "then", "async", "not",
    "and", "or", "unless", "until", "begin", "do", "puts", "say", "throw", "raise", "quote", "if", "while", "elif",
];

impl<'t, 'a> Eval<'t, 'a> {
    pub(super) fn primary(&mut self) -> Value {
        let Some(token) = self.peek() else { return Value::Unknown };
        match token {
            Token::Text(parts) => {
                self.at += 1;
                Value::Text(self.text(parts))
            }
            Token::Command(parts) => {
                self.at += 1;
                let word = self.text(parts);
                self.note(Meaning::Shell, vec![Argument::Text(word)]);
                Value::Unknown
            }
            Token::Pattern(text) => {
                self.at += 1;
                Value::Text(Word { glob: true, ..Word::known(*text) })
            }
            Token::Words(text) => {
                self.at += 1;
                Value::List(text.split_whitespace().take(MAX_ARGUMENTS).map(Word::known).collect())
            }
            // A number or a pattern has methods too, by names that mean something else elsewhere.
            Token::Other => {
                self.at += 1;
                Value::Name("/".to_owned())
            }
            Token::Variable(name) => {
                self.at += 1;
                match self.variable(name) {
                    Some(_) if self.is_sign(0, '=') && !self.is_sign(1, '=') => Value::Name((*name).to_owned()),
                    Some(value) => self.paid(value),
                    None => Value::Name((*name).to_owned()),
                }
            }
            Token::Name(name) => self.named(name),
            Token::Sign(open @ ('(' | '[' | '{')) => {
                self.at += 1;
                self.bracketed(*open)
            }
            Token::Sign(_) | Token::Line => Value::Unknown,
        }
    }

    /// Reads what stands in brackets: an expression, a list, named values, a form of Lisp.
    fn bracketed(&mut self, open: char) -> Value {
        match open {
            '(' => {
                if self.is(Language::Lisp) {
                    return self.form();
                }
                let mut values = self.sequence(')');
                if values.len() == 1 {
                    return values.pop().map_or(Value::Unknown, |(_, value)| value);
                }
                Value::List(values.iter().take(MAX_ARGUMENTS).map(|(_, value)| value.word()).collect())
            }
            '[' => {
                let values = self.sequence(']');
                let mut words = Vec::new();
                for (_, value) in values.iter().take(MAX_ARGUMENTS) {
                    match value {
                        Value::List(inner) => words.extend(inner.iter().cloned()),
                        other => words.push(other.word()),
                    }
                }
                Value::List(words)
            }
            _ => {
                let values = self.sequence('}');
                Value::Named(
                    values
                        .into_iter()
                        .filter_map(|(key, value)| {
                            let key = key.or_else(|| match &value {
                                Value::Name(name) => Some(name.clone()),
                                _ => None,
                            });
                            Some((key?, value))
                        })
                        .collect(),
                )
            }
        }
    }

    /// Reads what begins with a name.
    pub(super) fn named(&mut self, name: &'a str) -> Value {
        self.at += 1;
        match name {
            "do" if self.is(Language::AppleScript) => {
                if self.peek() == Some(&Token::Name("shell")) && self.ahead(1) == Some(&Token::Name("script")) {
                    self.at += 2;
                    let code = self.expression();
                    self.note(Meaning::Shell, vec![code.argument()]);
                }
                Value::Unknown
            }
            "import" if !self.is_sign(0, '(') => {
                self.imports("");
                Value::Unknown
            }
            "from" if self.is(Language::Python) => {
                let module = self.dotted();
                if self.peek() == Some(&Token::Name("import")) {
                    self.at += 1;
                    self.imports(&module);
                }
                Value::Unknown
            }
            _ if PREFIXES.contains(&name) && !self.is_sign(0, '.') => self.operand(),
            _ => {
                self.printing |= self.is(Language::Awk) && name.starts_with("print");
                match self.variable(name) {
                    // The name that is assigned to is not its value.
                    Some(_) if self.is_sign(0, '=') && !self.is_sign(1, '=') => Value::Name(name.to_owned()),
                    Some(_) if matches!(self.peek(), Some(Token::Name("in" | "of"))) => Value::Name(name.to_owned()),
                    Some(value) => self.paid(value),
                    None => Value::Name(name.to_owned()),
                }
            }
        }
    }

    pub(super) fn dotted(&mut self) -> String {
        let mut path = String::new();
        while let Some(Token::Name(name)) = self.peek() {
            if matches!(*name, "import" | "as") {
                break;
            }
            path.push_str(name);
            self.at += 1;
            if !self.is_sign(0, '.') {
                break;
            }
            path.push('.');
            self.at += 1;
        }
        path
    }

    /// Reads what is imported, and notes the names that it gets.
    pub(super) fn imports(&mut self, module: &str) {
        let start = self.at;
        if self.is(Language::JavaScript) {
            let mut names = Value::Unknown;
            if self.is_sign(0, '{') {
                names = self.primary();
            } else if self.is_sign(0, '*') {
                self.at += 2;
            }
            if let Some(Token::Name(name)) = self.peek()
                && *name != "from"
            {
                self.at += 1;
                names = Value::Name((*name).to_owned());
            }
            if self.peek() == Some(&Token::Name("from")) {
                self.at += 1;
            }
            let from = self.operand();
            let from = returned("require", &[from]).unwrap_or(Value::Unknown);
            self.assign(&names, &from);
            return;
        }
        while self.at < start + MAX_ARGUMENTS {
            self.at += usize::from(self.is_sign(0, '('));
            let path = self.dotted();
            if path.is_empty() {
                return;
            }
            let full = if module.is_empty() { path.clone() } else { format!("{module}.{path}") };
            let mut local = path;
            if self.peek() == Some(&Token::Name("as")) {
                self.at += 1;
                local = self.dotted();
            }
            if local != full {
                self.variables.insert(local, Value::Name(full));
            }
            if !self.is_sign(0, ',') {
                return;
            }
            self.at += 1;
        }
    }

    /// Returns the text of a string with the values that are put in.
    pub(super) fn text(&mut self, parts: &'t [Part<'a>]) -> Word {
        let mut value = Value::text("");
        for part in parts {
            let more = match part {
                Part::Text(text) => Value::text(text.as_str()),
                Part::Code(code) => self.spliced(code),
            };
            value = value.followed(&more);
        }
        value.word()
    }

    /// Returns the value of an expression inside of a string.
    pub(super) fn spliced(&mut self, code: &str) -> Value {
        if self.strings >= MAX_STRINGS {
            return Value::Unknown;
        }
        let code = code.strip_prefix("${").and_then(|code| code.strip_suffix('}')).unwrap_or(code);
        let tokens = read(code, self.language);
        let mut inner = Eval {
            tokens: &tokens,
            at: 0,
            start: 0,
            language: self.language,
            variables: std::mem::take(&mut self.variables),
            calls: Vec::new(),
            depth: self.depth,
            strings: self.strings + 1,
            brackets: 0,
            printing: false,
            fuel: self.fuel,
        };
        let value = inner.expression();
        // What follows the value is code as well.
        inner.run();
        let Eval { variables, calls, fuel, .. } = inner;
        self.variables = variables;
        self.fuel = fuel;
        // What stands in a string stands where the string does.
        let span = self.span();
        self.calls.extend(calls.into_iter().map(|call| Call { span: span.clone(), ..call }));
        match value {
            Value::Name(name) => self.variable(&name).unwrap_or(Value::Unknown),
            value => value,
        }
    }
}
