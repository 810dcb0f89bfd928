//! Functions and blocks of code: their parameters, and what happens when they are called.

use std::ops::Range;

use super::value::Value;
use super::{MAX_WORDS, Reader};
use crate::domain::shell::script::Word;

/// The deepest nesting of calls that is followed.
const MAX_CALLS: usize = 24;

/// A function of the text.
#[derive(Debug, Clone)]
pub(super) struct Function {
    /// Where its parameters are, when they are after its name.
    pub(super) parameters: Option<Range<usize>>,
    /// Where its body is.
    pub(super) body: Range<usize>,
    pub(super) was_called: bool,
}

/// A parameter with its value, in case none is given.
struct Parameter {
    name: String,
    default: Option<Value>,
    is_switch: bool,
}

impl Reader<'_> {
    /// Reads the body of a function with its arguments; nothing when no function has the name.
    pub(super) fn call_function(&mut self, name: &str, arguments: &[Word]) -> Option<Value> {
        let function = self.functions.get_mut(&name.to_lowercase())?;
        function.was_called = true;
        let function = function.clone();
        Some(self.call_block(function.parameters.as_ref(), &function.body, arguments))
    }

    /// Reads a block of code with its arguments; returns what it prints.
    pub(super) fn call_block(
        &mut self,
        parameters: Option<&Range<usize>>,
        body: &Range<usize>,
        arguments: &[Word],
    ) -> Value {
        self.word_count += 8 + self.variables.len() + body.len() / 8;
        self.check_budget();
        if self.depth >= MAX_CALLS || self.word_count > MAX_WORDS {
            return Value::output();
        }
        let outer = std::mem::replace(&mut self.arguments, arguments.to_vec());
        let before = self.variables.clone();
        if let Some(place) = parameters {
            self.bind_parameters(place);
        }
        let value = self.elsewhere(body.clone(), |reader| reader.statements(None));
        self.variables = before;
        self.arguments = outer;
        value
    }

    /// Reads a block of code here, for each of the values that it is given as `$_`.
    pub(super) fn run_block(&mut self, body: &Range<usize>, input: &Value) -> Value {
        let item = if input.words.is_empty() { Value::unknown("$_").with_origin(input.origin) } else { input.clone() };
        let before = self.variables.insert("_".to_owned(), item.clone());
        self.variables.insert("psitem".to_owned(), item);
        self.branches += 1;
        let value = self.elsewhere(body.clone(), |reader| reader.statements(None));
        self.branches -= 1;
        self.variables.remove("psitem");
        match before {
            Some(before) => self.variables.insert("_".to_owned(), before),
            None => self.variables.remove("_"),
        };
        value
    }

    /// Reads the functions that nothing in the text called, whose arguments are unknown.
    pub(super) fn uncalled_functions(&mut self) {
        let uncalled: Vec<Function> =
            self.functions.values().filter(|function| !function.was_called).cloned().collect();
        for function in uncalled {
            self.call_block(function.parameters.as_ref(), &function.body, &[]);
        }
    }

    /// Gives parameters the values of the arguments.
    pub(super) fn bind_parameters(&mut self, place: &Range<usize>) {
        let parameters = self.elsewhere(place.clone(), Self::parameters);
        let arguments = self.arguments.clone();
        let mut given: Vec<Option<Value>> = parameters.iter().map(|_| None).collect();
        let mut positional = Vec::new();
        let mut words = arguments.iter().peekable();
        while let Some(word) = words.next() {
            let named = word.text.strip_prefix('-').filter(|name| !word.quoted && !name.is_empty()).and_then(|name| {
                let (name, inline) = name.split_once(':').map_or((name, None), |(name, value)| (name, Some(value)));
                let at = parameters.iter().position(|parameter| parameter.name.starts_with(&name.to_lowercase()))?;
                Some((at, inline.filter(|value| !value.is_empty())))
            });
            match named {
                Some((at, inline)) => {
                    let is_switch = parameters.get(at).is_some_and(|parameter| parameter.is_switch);
                    let value = match inline {
                        Some(value) => Some(Value::of(Word { text: value.to_owned(), ..word.clone() })),
                        None if is_switch => Some(Value::known("$true")),
                        None => words.next().map(|word| Value::of(word.clone())),
                    };
                    if let Some(slot) = given.get_mut(at) {
                        *slot = value;
                    }
                }
                None => positional.push(word.clone()),
            }
        }
        let mut positional = positional.into_iter();
        let last = parameters.iter().rposition(|parameter| !parameter.is_switch);
        for (at, (parameter, given)) in parameters.into_iter().zip(given).enumerate() {
            let mut value = given.or_else(|| if parameter.is_switch { None } else { positional.next().map(Value::of) });
            // A list reaches the function as several words; the last parameter takes what is left.
            if Some(at) == last
                && let Some(value) = &mut value
            {
                value.extend(Value::list(positional.by_ref().collect()));
            }
            let value = value.or(parameter.default).unwrap_or_else(|| Value::unknown(format!("${}", parameter.name)));
            self.variables.insert(parameter.name, value);
        }
    }

    /// Reads the declarations of parameters up to the end of the text.
    fn parameters(&mut self) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        let mut is_switch = false;
        loop {
            self.skip_lines();
            match self.peek() {
                None => return parameters,
                Some('[') => {
                    let place = self.skip_brackets();
                    is_switch |= self.text.get(place).is_some_and(|name| name.eq_ignore_ascii_case("switch"));
                }
                Some('$') => {
                    let name = self.variable_name();
                    self.skip_lines();
                    let default = self.eat("=").then(|| self.expression());
                    parameters.push(Parameter { name, default, is_switch });
                    is_switch = false;
                }
                Some(_) => {
                    self.next();
                }
            }
        }
    }
}
