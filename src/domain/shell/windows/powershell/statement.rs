//! Statements: pipelines, branches, loops and definitions.

use super::Reader;
use super::function::Function;
use super::value::Value;
use crate::domain::shell::script::Word;

/// What a pipeline came to.
#[derive(Default)]
pub(super) struct PipelineResult {
    pub(super) value: Value,
    /// Whether it is an expression alone, whose value is printed.
    pub(super) is_expression: bool,
}

impl Reader<'_> {
    /// Reads statements up to a closing bracket, which is left, or to the end; returns what they print.
    pub(super) fn statements(&mut self, closing: Option<char>) -> Value {
        // What is printed between parentheses is the value of what is around them.
        let is_captured = matches!(closing, Some(')' | ']'));
        self.captured += usize::from(is_captured);
        let value = self.statement_list(closing);
        self.captured -= usize::from(is_captured);
        value
    }

    fn statement_list(&mut self, closing: Option<char>) -> Value {
        let mut printed = Value::default();
        loop {
            self.skip_lines();
            while self.eat(";") {
                self.skip_lines();
            }
            let Some(next) = self.peek() else { return printed };
            if Some(next) == closing {
                return printed;
            }
            let start = self.pos;
            printed.extend(self.statement());
            if self.pos == start {
                // A bracket that nothing opened, or text of another language.
                self.next();
            }
        }
    }

    /// Reads what is between parentheses or braces, of which the first is next; returns what it prints.
    pub(super) fn parenthesized(&mut self) -> Value {
        let start = self.pos;
        let closing = if self.next() == Some('{') { '}' } else { ')' };
        let value = self.deeper(|reader| reader.statements(Some(closing)));
        if self.next() != Some(closing) {
            self.report_unbalanced(start);
        }
        value
    }

    pub(super) fn statement(&mut self) -> Value {
        if self.peek() == Some(':') && self.identifier_at(1) {
            // The name of a loop.
            self.next();
            self.pos += self.identifier().len();
            self.skip_lines();
        }
        let keyword = self.identifier().to_ascii_lowercase();
        let behind = self.text.get(self.pos + keyword.len()..).and_then(|rest| rest.chars().next());
        if behind.is_none_or(|next| next.is_whitespace() || "({;}$[".contains(next))
            && let Some(value) = self.keyword(&keyword)
        {
            return value;
        }
        self.chain()
    }

    fn identifier_at(&self, offset: usize) -> bool {
        self.rest().get(offset..).is_some_and(|rest| rest.starts_with(char::is_alphabetic))
    }

    /// Reads pipelines that `&&` and `||` connect.
    fn chain(&mut self) -> Value {
        let mut printed = Value::default();
        loop {
            let start = self.pos;
            let result = self.pipeline();
            if result.is_expression && self.captured == 0 {
                self.print(&result.value, start);
            }
            printed.extend(result.value);
            self.skip_blanks();
            if !self.eat("&&") && !self.eat("||") {
                self.eat("&");
                return printed;
            }
            self.skip_lines();
        }
    }

    /// Lists the value of an expression that is printed, where something unknown is in it.
    fn print(&mut self, value: &Value, start: usize) {
        let shown: Vec<Word> =
            value.words.iter().filter(|word| !word.literal && word.text.starts_with('$')).cloned().collect();
        let is_environment =
            |word: &Word| word.text.get(1..).is_some_and(|name| name.starts_with(|c: char| c.is_ascii_uppercase()));
        if shown.iter().any(is_environment) {
            let mut words = vec![Word::known("Write-Output")];
            words.extend(shown);
            self.emit_words(words, None, start);
        }
    }

    /// Reads the statement that a keyword begins, if it is one.
    fn keyword(&mut self, keyword: &str) -> Option<Value> {
        let length = keyword.len();
        let needs_block = matches!(
            keyword,
            "else" | "try" | "finally" | "do" | "begin" | "process" | "end" | "clean" | "dynamicparam"
        );
        if needs_block && !self.rest().get(length..).is_some_and(|rest| rest.trim_start().starts_with('{')) {
            // A command of that name.
            return None;
        }
        match keyword {
            "if" | "elseif" | "while" | "until" | "switch" | "else" | "try" | "finally" | "do" | "begin"
            | "process" | "end" | "clean" | "dynamicparam" | "catch" | "trap" | "for" | "foreach" => {
                self.pos += length;
                let has_loop_variable = keyword == "foreach" && self.loop_variable().is_some();
                Some(self.branch(keyword, has_loop_variable))
            }
            "function" | "filter" | "workflow" => {
                self.pos += length;
                self.define_function();
                Some(Value::default())
            }
            "param" => {
                self.pos += length;
                self.skip_lines();
                if self.peek() == Some('(') {
                    let place = self.skip_brackets();
                    self.bind_parameters(&place);
                }
                Some(Value::default())
            }
            "class" | "enum" => {
                self.pos += length;
                let brace = self.rest().find('{')?;
                self.pos += brace;
                self.skip_brackets();
                Some(Value::default())
            }
            "return" | "throw" | "exit" => {
                self.pos += length;
                self.skip_blanks();
                let ends = self.peek().is_none_or(|next| matches!(next, ';' | '\n' | '}' | ')'));
                Some(if ends { Value::default() } else { self.chain() })
            }
            "break" | "continue" | "using" => {
                self.pos += self.rest().find(['\n', ';', '}']).unwrap_or(self.rest().len());
                Some(Value::default())
            }
            _ => None,
        }
    }

    /// Reads the head of a `foreach` loop and gives its variable the values; returns the variable's name.
    fn loop_variable(&mut self) -> Option<String> {
        self.skip_blanks();
        if self.peek() != Some('(') {
            return None;
        }
        self.next();
        self.skip_lines();
        if self.peek() != Some('$') {
            return None;
        }
        let name = self.variable_name();
        self.skip_lines();
        if self.identifier().eq_ignore_ascii_case("in") {
            self.pos += 2;
        }
        let values = self.statements(Some(')'));
        self.eat(")");
        let values = if values.words.is_empty() { Value::unknown(format!("${name}")) } else { values };
        self.variables.insert(name.clone(), values);
        Some(name)
    }

    /// Reads a condition and the blocks that depend on it.
    fn branch(&mut self, keyword: &str, has_loop_variable: bool) -> Value {
        self.skip_lines();
        while self.peek() == Some('-') {
            // `switch -Regex`
            self.next();
            self.pos += self.identifier().len();
            self.skip_lines();
        }
        if keyword == "catch" {
            while self.peek() == Some('[') {
                self.skip_brackets();
                self.skip_blanks();
                self.eat(",");
                self.skip_lines();
            }
        }
        let condition =
            if self.peek() == Some('(') && !has_loop_variable { self.parenthesized() } else { Value::default() };
        self.skip_lines();
        if self.peek() != Some('{') {
            return Value::default();
        }
        self.branches += 1;
        let before = if keyword == "switch" { self.variables.insert("_".to_owned(), condition) } else { None };
        let value = if keyword == "switch" { self.clauses() } else { self.parenthesized() };
        if keyword == "switch" {
            match before {
                Some(before) => self.variables.insert("_".to_owned(), before),
                None => self.variables.remove("_"),
            };
        }
        self.branches -= 1;
        value
    }

    /// Reads the clauses of a `switch`: values, each with a block.
    fn clauses(&mut self) -> Value {
        self.next();
        let mut printed = Value::default();
        loop {
            self.skip_lines();
            match self.peek() {
                None => return printed,
                Some('}') => {
                    self.next();
                    return printed;
                }
                Some('{') => printed.extend(self.parenthesized()),
                Some(_) => {
                    let start = self.pos;
                    self.argument();
                    if self.pos == start {
                        self.next();
                    }
                }
            }
        }
    }

    /// Reads the definition of a function; its body is read where it is called.
    fn define_function(&mut self) {
        self.skip_blanks();
        let rest = self.rest();
        let end = rest.find(|next: char| next.is_whitespace() || "({".contains(next)).unwrap_or(rest.len());
        let written = rest.get(..end).unwrap_or_default().to_lowercase();
        let name = written.rsplit(':').next().unwrap_or_default().to_owned();
        self.pos += end;
        self.skip_lines();
        let parameters = (self.peek() == Some('(')).then(|| self.skip_brackets());
        self.skip_lines();
        if self.peek() == Some('{') {
            let body = self.skip_brackets();
            self.functions.insert(name, Function { parameters, body, was_called: false });
        }
    }

    /// Reads commands and expressions that pipes connect.
    pub(super) fn pipeline(&mut self) -> PipelineResult {
        self.pipeline_count += 1;
        let (pipeline, mut stage) = (self.pipeline_count, 0);
        let mut result = PipelineResult::default();
        loop {
            self.skip_blanks();
            let input = result.value;
            result = if stage == 0 && self.is_expression() {
                let value = self.expression_statement(pipeline);
                PipelineResult { value, is_expression: true }
            } else {
                let value = self.command(pipeline, stage, &input);
                PipelineResult { value, is_expression: false }
            };
            self.skip_blanks();
            if self.rest().starts_with("||") || !self.continues_pipeline() {
                return result;
            }
            self.skip_lines();
            stage += 1;
        }
    }

    /// Skips the pipe between two stages, which may also begin the next line.
    fn continues_pipeline(&mut self) -> bool {
        if self.eat("|") {
            return true;
        }
        let pos = self.pos;
        self.skip_lines();
        if self.pos != pos && self.peek() == Some('|') && !self.rest().starts_with("||") {
            self.next();
            return true;
        }
        self.pos = pos;
        false
    }

    /// Returns whether an expression is next and not a command.
    fn is_expression(&self) -> bool {
        let second = self.peek_second();
        match self.peek() {
            Some('$' | '"' | '\'' | '(' | '[' | '{' | '!' | ',' | '+') => true,
            Some('@') => matches!(second, Some('(' | '{' | '"' | '\'')),
            Some('-') => {
                second.is_some_and(|next| next.is_ascii_digit() || "($-".contains(next)) || self.is_unary_operator()
            }
            Some('0'..='9') => {
                let rest = self.rest();
                let end = rest
                    .find(|next: char| next.is_whitespace() || ";|),}+*/%-<>=".contains(next))
                    .unwrap_or(rest.len());
                let number = rest.get(..end).unwrap_or_default();
                number.starts_with(|first: char| first.is_ascii_digit())
                    && number
                        .bytes()
                        .all(|byte| byte.is_ascii_digit() || byte == b'.' || b"kmgtbxKMGTB".contains(&byte))
            }
            _ => false,
        }
    }
}
