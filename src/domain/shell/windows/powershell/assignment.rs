//! Expressions as statements: values that are assigned, printed or passed on.

use super::Reader;
use super::value::Value;
use crate::domain::shell::script::Word;
use crate::domain::shell::windows::WindowsCommand;

/// The operators that assign, the longest first.
const OPERATORS: &[&str] = &["??=", "+=", "-=", "*=", "/=", "%=", "="];

impl Reader<'_> {
    /// Reads an expression that begins a pipeline.
    pub(super) fn expression_statement(&mut self, pipeline: usize) -> Value {
        let start = self.pos;
        let value = self.expression();
        let target = self.target.take();
        self.skip_blanks();
        let operator =
            OPERATORS.iter().find(|operator| self.rest().starts_with(**operator) && !self.rest().starts_with("=="));
        if let Some(operator) = operator {
            self.pos += operator.len();
            self.skip_lines();
            let given = self.assigned_value();
            if let Some(name) = target {
                self.assign(&name, operator, given, start);
            }
            // An assignment prints nothing.
            return Value::default();
        }
        let mut redirects = Vec::new();
        while let Some(redirect) = self.redirect() {
            redirects.push(redirect);
            self.skip_blanks();
        }
        if redirects.is_empty() {
            return value;
        }
        let mut words = vec![Word::known("Write-Output")];
        words.extend(value.words);
        let span = start..self.pos;
        self.emit(WindowsCommand { words, redirects, span, pipeline, ..WindowsCommand::default() });
        Value::default()
    }

    /// Reads the statement whose output is assigned.
    fn assigned_value(&mut self) -> Value {
        let keyword = self.identifier().to_ascii_lowercase();
        if matches!(keyword.as_str(), "if" | "switch" | "foreach" | "try" | "for" | "while" | "do") {
            self.captured += 1;
            let mut value = self.deeper(Self::statement);
            loop {
                let pos = self.pos;
                self.skip_lines();
                let next = self.identifier().to_ascii_lowercase();
                if !matches!(next.as_str(), "else" | "elseif" | "catch" | "finally") {
                    self.pos = pos;
                    self.captured -= 1;
                    return value;
                }
                value.merge(self.statement());
            }
        }
        self.deeper(|reader| reader.pipeline().value)
    }

    fn assign(&mut self, name: &str, operator: &str, given: Value, start: usize) {
        let value = match operator {
            "=" => given,
            "??=" => {
                let mut value = self.value_of(name);
                value.merge(given);
                value
            }
            "+=" => {
                let mut value = self.value_of(name);
                if value.words.len() == 1 && value.entries.is_empty() && !given.words.is_empty() {
                    value.append(&given);
                } else {
                    value.extend(given);
                }
                value
            }
            _ => Value::unknown(format!("${name}")),
        };
        if let Some(variable) = name.strip_prefix("env:") {
            let span = start..self.pos;
            let assignments = vec![(variable.to_ascii_uppercase(), value.join(" "))];
            self.pipeline_count += 1;
            let pipeline = self.pipeline_count;
            self.emit(WindowsCommand { assignments, span, pipeline, ..WindowsCommand::default() });
        }
        self.set_variable(name, value);
    }

    /// Gives a variable a value; in a branch it may keep the one that it has.
    pub(super) fn set_variable(&mut self, name: &str, value: Value) {
        match self.variables.get_mut(name) {
            Some(before) if self.branches > 0 => {
                before.merge(value.clone());
                before.block = before.block.take().or(value.block);
            }
            _ => {
                self.variables.insert(name.to_owned(), value);
            }
        }
    }
}
