//! The values of `$name` and `${…}`, as far as the text tells them.
//!
//! A variable that the text never sets is the environment's and not known, except for the two that paths
//! are told by.

use std::ops::Range;

use super::Walker;
use super::expand::joined;
use super::scope::{Dirs, Value};
use crate::domain::shell::glob;
use crate::domain::shell::script::{OpaqueReason, Word};
use crate::domain::shell::syntax::SPLICE;
use crate::domain::shell::syntax::ast::{Operator, Parameter};

/// The longest value that patterns are tried on: each of its prefixes is one try.
const MAX_TRIED: usize = 1024;

impl Walker {
    /// Returns the fields that a parameter becomes: one, except for lists.
    pub(super) fn parameter(&mut self, parameter: &Parameter, span: &Range<usize>) -> Vec<Word> {
        // The argument is expanded in any case: what runs in it must be found.
        let index = self.single(&parameter.index, span);
        let argument = self.single(&parameter.argument, span);
        let value = self.look_up(&parameter.name, &index, parameter.braced);
        if parameter.operator == Operator::Indirect {
            let name = value.and_then(|value| match value {
                Value::Scalar(word) if word.literal => Some(word.text),
                Value::Scalar(_) | Value::List(_) => None,
            });
            return match name.and_then(|name| self.look_up(&name, &Word::known(""), true)) {
                Some(value) => fields(value, &parameter.name, ""),
                None => vec![unknown(parameter)],
            };
        }
        match parameter.operator {
            // The value is expanded like a prompt, with the substitutions in it.
            Operator::Other if argument.text.ends_with("@P") => {
                self.report(OpaqueReason::DynamicCode, span.clone());
                vec![unknown(parameter)]
            }
            Operator::Plain => {
                value.map_or_else(|| vec![unknown(parameter)], |value| fields(value, &parameter.name, &index.text))
            }
            Operator::Default => value.map_or_else(|| vec![argument.clone()], |value| or(value, &argument)),
            Operator::Assign => {
                let fields = value.map_or_else(|| vec![argument.clone()], |value| or(value, &argument));
                self.assign(&parameter.name, joined(&fields));
                fields
            }
            Operator::Require => value.map_or_else(|| vec![unknown(parameter)], |value| or(value, &unknown(parameter))),
            Operator::Alternative => match value {
                Some(Value::Scalar(word)) if word.literal && word.text.is_empty() => vec![word],
                Some(Value::Scalar(word)) if word.literal => vec![argument],
                _ => vec![Word { literal: false, ..argument }],
            },
            _ => {
                let scalar = match value {
                    Some(Value::Scalar(word)) if word.literal => word.text,
                    Some(Value::List(words)) if parameter.operator == Operator::Length => {
                        return vec![Word::known(words.len().to_string())];
                    }
                    _ => return vec![unknown(parameter)],
                };
                if !self.spend(cost(scalar.len(), &argument.text), span) {
                    return vec![unknown(parameter)];
                }
                vec![transform(&scalar, parameter.operator, &argument).map_or_else(|| unknown(parameter), Word::known)]
            }
        }
    }

    /// Returns the value of a name, nothing when only the running shell knows it.
    fn look_up(&self, name: &str, index: &Word, braced: bool) -> Option<Value> {
        if let Some(position) = name.parse::<usize>().ok().filter(|position| *position > 0) {
            let positional = self.scope.state.positional.as_ref()?;
            return Some(Value::Scalar(positional.get(position - 1).cloned().unwrap_or_else(|| Word::known(""))));
        }
        match name {
            "@" | "*" => return Some(Value::List(self.scope.state.positional.as_ref()?.to_vec())),
            "#" => return Some(Value::Scalar(Word::known(self.scope.state.positional.as_ref()?.len().to_string()))),
            _ => {}
        }
        let element = format!("{name}[{}]", index.text);
        if !index.text.is_empty()
            && let Some(value) = self.scope.get(&element)
        {
            return Some(value.clone());
        }
        match self.scope.get(name).cloned() {
            Some(Value::List(words)) if !index.literal => {
                Some(Value::Scalar(Word { literal: false, ..joined(&words) }))
            }
            Some(Value::List(words)) if matches!(index.text.as_str(), "@" | "*") => Some(Value::List(words)),
            Some(Value::List(words)) => {
                let position = if index.text.is_empty() { Some(0) } else { index.text.trim().parse::<usize>().ok() };
                Some(Value::Scalar(
                    position.and_then(|position| words.get(position).cloned()).unwrap_or_else(|| Word::known("")),
                ))
            }
            Some(value) => Some(value),
            None => self.ambient(name, braced).map(Value::Scalar),
        }
    }

    /// Returns how a variable is spelled that every shell has and that paths are told by.
    fn ambient(&self, name: &str, braced: bool) -> Option<Word> {
        let spelled = if braced { format!("${{{name}}}") } else { format!("${name}") };
        match name {
            "HOME" => Some(Word::known(spelled)),
            "PWD" => Some(self.working_directory(&spelled)),
            _ => None,
        }
    }

    /// Returns the working directory as a word; `start` is what the start is called.
    pub(super) fn working_directory(&self, start: &str) -> Word {
        match &self.scope.state.cwd {
            Dirs::Among(dirs) => match dirs.as_slice() {
                [dir] if dir.is_empty() => Word::known(start),
                [dir] if dir.starts_with(['/', '~', '$']) => Word::known(dir.as_str()),
                [dir] => Word::known(format!("{start}/{dir}")),
                _ => Word::unknown(SPLICE),
            },
            Dirs::Unknown => Word::unknown(SPLICE),
        }
    }
}

fn fields(value: Value, name: &str, index: &str) -> Vec<Word> {
    match value {
        Value::Scalar(word) => vec![word],
        Value::List(words) if name == "*" || index == "*" => vec![joined(&words)],
        Value::List(words) => words,
    }
}

/// Returns the value, or the other word when the value is known to be empty.
fn or(value: Value, other: &Word) -> Vec<Word> {
    match value {
        Value::Scalar(word) if word.literal && word.text.is_empty() => vec![other.clone()],
        Value::List(words) if words.is_empty() => vec![other.clone()],
        Value::Scalar(word) => vec![word],
        Value::List(words) => words,
    }
}

fn unknown(parameter: &Parameter) -> Word {
    let name = &parameter.name;
    if parameter.operator == Operator::Length {
        return Word::unknown(format!("${{#{name}}}"));
    }
    Word::unknown(if parameter.braced { format!("${{{name}}}") } else { format!("${name}") })
}

/// Returns what trying a pattern on every part of a value costs.
fn cost(length: usize, pattern: &str) -> usize {
    if pattern.contains('*') { length.saturating_mul(length).saturating_mul(pattern.len()) } else { length }
}

/// Applies an operator to a known value; nothing when the result is not known.
fn transform(value: &str, operator: Operator, argument: &Word) -> Option<String> {
    if !argument.literal {
        return None;
    }
    match operator {
        Operator::Length => Some(value.chars().count().to_string()),
        Operator::Substring => substring(value, &argument.text),
        Operator::RemovePrefix { longest } => Some(without_prefix(value, &argument.text, longest)?.to_owned()),
        Operator::RemoveSuffix { longest } => Some(without_suffix(value, &argument.text, longest)?.to_owned()),
        Operator::Replace { all } => replace(value, &argument.text, all),
        Operator::Upper { all } if argument.text.is_empty() => Some(cased(value, all, char::to_ascii_uppercase)),
        Operator::Lower { all } if argument.text.is_empty() => Some(cased(value, all, char::to_ascii_lowercase)),
        _ => None,
    }
}

fn substring(value: &str, argument: &str) -> Option<String> {
    let (offset, length) = argument.split_once(':').unwrap_or((argument, ""));
    let offset: i64 = offset.trim().parse().ok()?;
    let total = value.chars().count();
    let from =
        usize::try_from(offset).ok().or_else(|| total.checked_sub(usize::try_from(offset.unsigned_abs()).ok()?))?;
    let rest = value.chars().skip(from);
    if length.trim().is_empty() {
        return Some(rest.collect());
    }
    let length: i64 = length.trim().parse().ok()?;
    let most = usize::try_from(length)
        .ok()
        .or_else(|| total.checked_sub(from)?.checked_sub(usize::try_from(length.unsigned_abs()).ok()?))?;
    Some(rest.take(most).collect())
}

fn without_prefix<'a>(value: &'a str, pattern: &str, longest: bool) -> Option<&'a str> {
    if value.len() > MAX_TRIED {
        return None;
    }
    let mut ends = (0..=value.len()).filter_map(|at| value.split_at_checked(at));
    let fits = |halves: &(&str, &str)| glob::matches(pattern, halves.0);
    let found = if longest { ends.rfind(fits) } else { ends.find(fits) };
    Some(found.map_or(value, |(_, rest)| rest))
}

fn without_suffix<'a>(value: &'a str, pattern: &str, longest: bool) -> Option<&'a str> {
    if value.len() > MAX_TRIED {
        return None;
    }
    let mut starts = (0..=value.len()).filter_map(|at| value.split_at_checked(at));
    let fits = |halves: &(&str, &str)| glob::matches(pattern, halves.1);
    let found = if longest { starts.find(fits) } else { starts.rfind(fits) };
    Some(found.map_or(value, |(rest, _)| rest))
}

fn replace(value: &str, argument: &str, all: bool) -> Option<String> {
    let (pattern, replacement) = argument.split_once('/').unwrap_or((argument, ""));
    if pattern.is_empty() || pattern.contains(['*', '?', '[', '#', '%']) {
        return None;
    }
    Some(if all { value.replace(pattern, replacement) } else { value.replacen(pattern, replacement, 1) })
}

fn cased(value: &str, all: bool, change: fn(&char) -> char) -> String {
    value
        .chars()
        .enumerate()
        .map(|(at, character)| if all || at == 0 { change(&character) } else { character })
        .collect()
}
