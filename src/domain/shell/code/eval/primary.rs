//! The beginnings of expressions: strings, brackets, names, and imports.

use super::{Evaluator, MAX_ARGUMENTS, MAX_STRING_DEPTH};
use crate::domain::shell::code::function_table::CallKind;
use crate::domain::shell::code::functions::return_value;
use crate::domain::shell::code::lexer::{StringPart, Token, tokenize};
use crate::domain::shell::code::value::Value;
use crate::domain::shell::code::{Argument, Call, Language};
use crate::domain::shell::script::Word;

/// The words of all these languages that are before a value and change nothing of it.
const PREFIXES: &[&str] = &[
    "new", "await", "return", "yield", "my", "our", "local", "const", "let", "var", "else", "then", "async", "not",
    "and", "or", "unless", "until", "begin", "do", "puts", "say", "throw", "raise", "quote", "if", "while", "elif",
];

impl<'t, 'a> Evaluator<'t, 'a> {
    pub(super) fn primary(&mut self) -> Value {
        let Some(token) = self.peek() else { return Value::Unknown };
        match token {
            Token::Text(parts) => {
                self.at += 1;
                Value::Text(self.interpolated_text(parts))
            }
            Token::Command(parts) => {
                self.at += 1;
                let word = self.interpolated_text(parts);
                self.record_call(CallKind::Shell, vec![Argument::Text(word)]);
                Value::Unknown
            }
            Token::Glob(text) => {
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
                match self.variable_value(name) {
                    Some(_) if self.is_punctuation(0, '=') && !self.is_punctuation(1, '=') => {
                        Value::Name((*name).to_owned())
                    }
                    Some(value) => self.charge(value),
                    None => Value::Name((*name).to_owned()),
                }
            }
            Token::Name(name) => self.name_expression(name),
            Token::Punctuation(open @ ('(' | '[' | '{')) => {
                self.at += 1;
                self.bracketed(*open)
            }
            Token::Punctuation(_) | Token::Newline => Value::Unknown,
        }
    }

    /// Reads what is in brackets: an expression, a list, named values, a form of Lisp.
    fn bracketed(&mut self, open: char) -> Value {
        match open {
            '(' => {
                if self.is_language(Language::Lisp) {
                    return self.lisp_form();
                }
                let mut values = self.sequence(')');
                if values.len() == 1 {
                    return values.pop().map_or(Value::Unknown, |(_, value)| value);
                }
                Value::List(values.iter().take(MAX_ARGUMENTS).map(|(_, value)| value.to_word()).collect())
            }
            '[' => {
                let values = self.sequence(']');
                let mut words = Vec::new();
                for (_, value) in values.iter().take(MAX_ARGUMENTS) {
                    match value {
                        Value::List(inner) => words.extend(inner.iter().cloned()),
                        other => words.push(other.to_word()),
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
    pub(super) fn name_expression(&mut self, name: &'a str) -> Value {
        self.at += 1;
        match name {
            "do" if self.is_language(Language::AppleScript) => {
                if self.peek() == Some(&Token::Name("shell")) && self.peek_at(1) == Some(&Token::Name("script")) {
                    self.at += 2;
                    let code = self.expression();
                    self.record_call(CallKind::Shell, vec![code.to_argument()]);
                }
                Value::Unknown
            }
            "import" if !self.is_punctuation(0, '(') => {
                self.import_names("");
                Value::Unknown
            }
            "from" if self.is_language(Language::Python) => {
                let module = self.dotted_name();
                if self.peek() == Some(&Token::Name("import")) {
                    self.at += 1;
                    self.import_names(&module);
                }
                Value::Unknown
            }
            _ if PREFIXES.contains(&name) && !self.is_punctuation(0, '.') => self.operand(),
            _ => {
                self.in_print |= self.is_language(Language::Awk) && name.starts_with("print");
                match self.variable_value(name) {
                    // The name that is assigned to is not its value.
                    Some(_) if self.is_punctuation(0, '=') && !self.is_punctuation(1, '=') => {
                        Value::Name(name.to_owned())
                    }
                    Some(_) if matches!(self.peek(), Some(Token::Name("in" | "of"))) => Value::Name(name.to_owned()),
                    Some(value) => self.charge(value),
                    None => Value::Name(name.to_owned()),
                }
            }
        }
    }

    pub(super) fn dotted_name(&mut self) -> String {
        let mut path = String::new();
        while let Some(Token::Name(name)) = self.peek() {
            if matches!(*name, "import" | "as") {
                break;
            }
            path.push_str(name);
            self.at += 1;
            if !self.is_punctuation(0, '.') {
                break;
            }
            path.push('.');
            self.at += 1;
        }
        path
    }

    /// Reads what is imported, and notes the names that it gets.
    pub(super) fn import_names(&mut self, module: &str) {
        let start = self.at;
        if self.is_language(Language::JavaScript) {
            let mut names = Value::Unknown;
            if self.is_punctuation(0, '{') {
                names = self.primary();
            } else if self.is_punctuation(0, '*') {
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
            let from = return_value("require", &[from]).unwrap_or(Value::Unknown);
            self.assign(&names, &from);
            return;
        }
        while self.at < start + MAX_ARGUMENTS {
            self.at += usize::from(self.is_punctuation(0, '('));
            let path = self.dotted_name();
            if path.is_empty() {
                return;
            }
            let full = if module.is_empty() { path.clone() } else { format!("{module}.{path}") };
            let mut local = path;
            if self.peek() == Some(&Token::Name("as")) {
                self.at += 1;
                local = self.dotted_name();
            }
            if local != full {
                self.variables.insert(local, Value::Name(full));
            }
            if !self.is_punctuation(0, ',') {
                return;
            }
            self.at += 1;
        }
    }

    /// Returns the text of a string with the values that are put in.
    pub(super) fn interpolated_text(&mut self, parts: &'t [StringPart<'a>]) -> Word {
        let mut value = Value::text("");
        for part in parts {
            let more = match part {
                StringPart::Text(text) => Value::text(text.as_str()),
                StringPart::Code(code) => self.interpolated_value(code),
            };
            value = value.concat(&more);
        }
        value.to_word()
    }

    /// Returns the value of an expression inside a string.
    pub(super) fn interpolated_value(&mut self, code: &str) -> Value {
        if self.string_depth >= MAX_STRING_DEPTH {
            return Value::Unknown;
        }
        let code = code.strip_prefix("${").and_then(|code| code.strip_suffix('}')).unwrap_or(code);
        let tokens = tokenize(code, self.language);
        let mut inner = Evaluator {
            tokens: &tokens,
            at: 0,
            operand_start: 0,
            language: self.language,
            variables: std::mem::take(&mut self.variables),
            calls: Vec::new(),
            depth: self.depth,
            string_depth: self.string_depth + 1,
            open_brackets: 0,
            in_print: false,
            fuel: self.fuel,
        };
        let value = inner.expression();
        // What follows the value is code as well.
        inner.run();
        let Evaluator { variables, calls, fuel, .. } = inner;
        self.variables = variables;
        self.fuel = fuel;
        // What is in a string is where the string does.
        let span = self.operand_span();
        self.calls.extend(calls.into_iter().map(|call| Call { span: span.clone(), ..call }));
        match value {
            Value::Name(name) => self.variable_value(&name).unwrap_or(Value::Unknown),
            value => value,
        }
    }
}
