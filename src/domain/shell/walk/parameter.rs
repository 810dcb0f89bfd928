//! The values of `$name` and `${…}`, as far as the text determines them.
//!
//! A variable that the text never sets comes from the environment and is unknown, except for the two that paths are
//! written with.

use std::ops::Range;

use super::Walker;
use super::expand::join_words;
use super::scope::{PossibleDirectories, Value};
use crate::domain::shell::glob;
use crate::domain::shell::script::{OpaqueReason, Word};
use crate::domain::shell::syntax::SUBSTITUTION_PLACEHOLDER;
use crate::domain::shell::syntax::ast::{Parameter, ParameterOperator};
use crate::domain::shell::syntax::escape::decode_escapes;
use crate::domain::shell::variable_names::is_whole_secret;

/// The longest sum that is computed.
const MAX_ARITHMETIC: usize = 64;

/// The longest value that patterns are tried on: each of its prefixes is one try.
const MAX_PATTERN_INPUT: usize = 1024;

/// The variables that the shell sets itself.
const SHELL_VARIABLES: &[&str] = &[
    "PATH",
    "OLDPWD",
    "RANDOM",
    "SECONDS",
    "LINENO",
    "SHLVL",
    "PPID",
    "UID",
    "EUID",
    "IFS",
    "REPLY",
    "OPTARG",
    "OPTIND",
    "HOME",
    "PWD",
    "PIPESTATUS",
    "FUNCNAME",
    "DIRSTACK",
    "HOSTNAME",
    "SHELL",
];

impl Walker {
    /// Returns the fields that a parameter becomes: one, except for lists.
    #[expect(clippy::too_many_lines, reason = "one arm for each form of a parameter")]
    pub(super) fn expand_parameter(&mut self, parameter: &Parameter, span: &Range<usize>) -> Vec<Word> {
        // The argument is expanded in any case: what runs in it must be found.
        let index = self.expand_parts_single(&parameter.index, span);
        let argument = self.expand_parts_single(&parameter.argument, span);
        // `${!#}` is the last parameter.
        if (parameter.name.as_str(), parameter.operator, argument.text.as_str())
            == ("!", ParameterOperator::RemovePrefix { longest: false }, "")
        {
            let last = self.scope.state.positional.as_ref().and_then(|all| all.last().cloned());
            return vec![last.unwrap_or_else(|| unknown_parameter(parameter))];
        }
        let value = self.lookup_variable(&parameter.name, &index, parameter.braced);
        if parameter.operator == ParameterOperator::Indirect {
            let name = value.and_then(|value| match value {
                Value::Scalar(word) if word.literal => Some(word.text),
                Value::Scalar(_) | Value::List(_) | Value::OneOf(_) => None,
            });
            let Some(name) = name else { return vec![unknown_parameter(parameter)] };
            return match self.lookup_variable(&name, &Word::known(""), true) {
                Some(value) => self.value_fields(value, &parameter.name, ""),
                // The variable that it is about is known, if its value is not.
                None => vec![Word::unknown(format!("${{{name}}}"))],
            };
        }
        match parameter.operator {
            // The value is expanded like a prompt, with the substitutions in it.
            ParameterOperator::Other if argument.text.ends_with("@P") => {
                self.report(OpaqueReason::DynamicCode, span.clone());
                vec![unknown_parameter(parameter)]
            }
            ParameterOperator::Plain => value.map_or_else(
                || vec![unknown_parameter(parameter)],
                |value| self.value_fields(value, &parameter.name, &index.text),
            ),
            // The default stands for what is not set; a secret is set where it matters.
            ParameterOperator::Default if value.is_none() && is_whole_secret(&parameter.name) => {
                vec![unknown_parameter(parameter)]
            }
            ParameterOperator::Default => {
                value.map_or_else(|| vec![argument.clone()], |value| non_empty_or(value, &argument))
            }
            ParameterOperator::Assign => {
                let fields = value.map_or_else(|| vec![argument.clone()], |value| non_empty_or(value, &argument));
                self.assign_variable(&parameter.name, join_words(&fields));
                fields
            }
            ParameterOperator::Require => value.map_or_else(
                || vec![unknown_parameter(parameter)],
                |value| non_empty_or(value, &unknown_parameter(parameter)),
            ),
            ParameterOperator::Alternative => match value {
                Some(Value::Scalar(word)) if word.literal && word.text.is_empty() => vec![word],
                Some(Value::Scalar(word)) if word.literal => vec![argument],
                _ => vec![Word { literal: false, ..argument }],
            },
            _ => {
                let scalar = match value {
                    Some(Value::Scalar(word)) if word.literal => word.text,
                    // A part of what another command prints.
                    Some(Value::Scalar(word))
                        if parameter.operator == ParameterOperator::Substring && word.text.starts_with("$(") =>
                    {
                        return vec![word];
                    }
                    Some(Value::List(words)) if parameter.operator == ParameterOperator::Substring => {
                        return slice(&words, parameter, &argument)
                            .unwrap_or_else(|| vec![unknown_parameter(parameter)]);
                    }
                    Some(Value::List(words)) if parameter.operator == ParameterOperator::Length => {
                        return vec![Word::known(words.len().to_string())];
                    }
                    _ => return vec![unknown_parameter(parameter)],
                };
                let argument = match parameter.operator {
                    ParameterOperator::Substring => self.evaluate_positions(&argument),
                    _ => argument,
                };
                if !self.spend(pattern_cost(scalar.len(), &argument.text), span) {
                    return vec![unknown_parameter(parameter)];
                }
                vec![
                    apply_operator(&scalar, parameter.operator, &argument)
                        .map_or_else(|| unknown_parameter(parameter), Word::known),
                ]
            }
        }
    }

    /// Returns the value of a name, or nothing when only the running shell knows it.
    fn lookup_variable(&mut self, name: &str, index: &Word, braced: bool) -> Option<Value> {
        if let Some(position) = name.parse::<usize>().ok().filter(|position| *position > 0) {
            let positional = self.scope.state.positional.as_ref()?;
            return Some(Value::Scalar(positional.get(position - 1).cloned().unwrap_or_else(|| Word::known(""))));
        }
        match name {
            "@" | "*" => return Some(Value::List(self.scope.state.positional.as_ref()?.to_vec())),
            "#" => return Some(Value::Scalar(Word::known(self.scope.state.positional.as_ref()?.len().to_string()))),
            _ => {}
        }
        // A reference to a reference is not followed: it may lead back.
        let target = match self.scope.get(&nameref_key(name)) {
            Some(Value::Scalar(target)) => target.text.clone(),
            _ => name.to_owned(),
        };
        let name = target.as_str();
        let element = format!("{name}[{}]", index.text);
        if !index.text.is_empty()
            && let Some(value) = self.scope.get(&element)
        {
            return Some(value.clone());
        }
        match self.scope.get(name).cloned() {
            Some(Value::List(words)) if !index.literal => {
                // It is one of these, so none of them is the name of a program that is known.
                let text = format!("{SUBSTITUTION_PLACEHOLDER} {}", join_words(&words).text);
                Some(Value::Scalar(Word::unknown(text)))
            }
            Some(Value::List(words)) if matches!(index.text.as_str(), "@" | "*") => Some(Value::List(words)),
            Some(Value::List(words)) => {
                let position = if index.text.is_empty() { Some(0) } else { self.evaluate_arithmetic(&index.text) };
                let position = position.and_then(|at| {
                    usize::try_from(if at < 0 { at + i64::try_from(words.len()).ok()? } else { at }).ok()
                });
                Some(Value::Scalar(
                    position.and_then(|position| words.get(position).cloned()).unwrap_or_else(|| Word::known("")),
                ))
            }
            Some(Value::OneOf(_)) => Some(Value::Scalar(Word::unknown(format!("${name}")))),
            Some(value) => Some(value),
            None => {
                self.environment_variable(name, braced).or_else(|| self.inherited_variable(name)).map(Value::Scalar)
            }
        }
    }

    /// Returns the positions of a part of a value as numbers: `i:1`.
    fn evaluate_positions(&self, argument: &Word) -> Word {
        let number = |text: &str| self.evaluate_arithmetic(text).map(|number| number.to_string());
        let text = match argument.text.split_once(':') {
            Some((offset, length)) => number(offset).zip(number(length)).map(|(one, other)| format!("{one}:{other}")),
            None => number(&argument.text),
        };
        text.map_or_else(|| argument.clone(), |text| Word { text, ..argument.clone() })
    }

    /// Returns the value of sums and differences of numbers and known variables.
    pub(super) fn evaluate_arithmetic(&self, text: &str) -> Option<i64> {
        let mut total = 0_i64;
        let mut sign = 1;
        let mut rest = text.trim();
        if rest.len() > MAX_ARITHMETIC {
            return None;
        }
        while !rest.is_empty() {
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let (term, behind) = rest.split_at_checked(length)?;
            let value = match (term.parse::<i64>(), self.scope.get(term)) {
                _ if term.is_empty() => 0,
                (Ok(number), _) => number,
                (_, Some(Value::Scalar(word))) if word.literal => word.text.trim().parse().ok()?,
                _ => return None,
            };
            total = total.checked_add(value.checked_mul(sign)?)?;
            let behind = behind.trim_start();
            let Some(operator) = behind.chars().next() else { break };
            sign = match operator {
                '+' => 1,
                '-' => -1,
                _ => return None,
            };
            rest = behind.get(1..)?.trim_start();
        }
        Some(total)
    }

    /// Returns the fields of a value; `*` makes one of them, with the first separator in between.
    fn value_fields(&self, value: Value, name: &str, index: &str) -> Vec<Word> {
        match value {
            Value::Scalar(word) => vec![word],
            Value::List(words) if name == "*" || index == "*" => {
                let separator = self.field_separators().chars().next().map(String::from).unwrap_or_default();
                let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
                vec![Word { text: texts.join(&separator), ..join_words(&words) }]
            }
            Value::List(words) => words,
            Value::OneOf(_) => vec![Word::unknown(format!("${name}"))],
        }
    }

    /// Returns the value of a variable that the shell inherits, where it is a path.
    fn inherited_variable(&mut self, name: &str) -> Option<Word> {
        let is_own = SHELL_VARIABLES.contains(&name) || name.starts_with("BASH");
        let is_plain = name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_' || byte.is_ascii_digit());
        if is_own || !is_plain || name.len() < 2 || self.is_remote {
            return None;
        }
        if let Some(value) = self.file_cache.variable(name) {
            return value.map(Word::known);
        }
        if !self.script.requested_variables.iter().any(|known| known == name) {
            self.script.requested_variables.push(name.to_owned());
        }
        None
    }

    /// Returns how a variable is spelled that every shell has and that paths are written with.
    fn environment_variable(&self, name: &str, braced: bool) -> Option<Word> {
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
            PossibleDirectories::OneOf(dirs) => match dirs.as_slice() {
                [dir] if dir.is_empty() => Word::known(start),
                [dir] if dir.starts_with(['/', '~', '$']) => Word::known(dir.as_str()),
                [dir] => Word::known(format!("{start}/{dir}")),
                _ => Word::unknown(SUBSTITUTION_PLACEHOLDER),
            },
            PossibleDirectories::Unknown => Word::unknown(SUBSTITUTION_PLACEHOLDER),
        }
    }
}

/// Returns the name under which a reference to another variable is kept.
pub(super) fn nameref_key(name: &str) -> String {
    format!("&{name}")
}

/// Returns some elements of a list: `${a[@]:1:2}`. The parameters are counted from 1.
fn slice(words: &[Word], parameter: &Parameter, argument: &Word) -> Option<Vec<Word>> {
    let (offset, length) = argument.text.split_once(':').unwrap_or((&argument.text, ""));
    let offset: usize = offset.trim().parse().ok()?;
    let skipped = if matches!(parameter.name.as_str(), "@" | "*") { offset.saturating_sub(1) } else { offset };
    let length = if length.trim().is_empty() { usize::MAX } else { length.trim().parse().ok()? };
    argument.literal.then(|| words.iter().skip(skipped).take(length).cloned().collect())
}

/// Returns the value, or the other word when the value is known to be empty.
fn non_empty_or(value: Value, other: &Word) -> Vec<Word> {
    match value {
        Value::Scalar(word) if word.literal && word.text.is_empty() => vec![other.clone()],
        Value::List(words) if words.is_empty() => vec![other.clone()],
        Value::Scalar(word) => vec![word],
        Value::List(words) | Value::OneOf(words) => words,
    }
}

fn unknown_parameter(parameter: &Parameter) -> Word {
    let name = &parameter.name;
    if parameter.operator == ParameterOperator::Length {
        return Word::unknown(format!("${{#{name}}}"));
    }
    Word::unknown(if parameter.braced { format!("${{{name}}}") } else { format!("${name}") })
}

/// Returns what trying a pattern on every part of a value costs.
fn pattern_cost(length: usize, pattern: &str) -> usize {
    if pattern.contains(['*', '?', '[']) { length.saturating_mul(length).saturating_mul(pattern.len()) } else { length }
}

/// Applies an operator to a known value; or nothing when the result is unknown.
fn apply_operator(value: &str, operator: ParameterOperator, argument: &Word) -> Option<String> {
    if !argument.literal {
        return None;
    }
    match operator {
        ParameterOperator::Length => Some(value.chars().count().to_string()),
        ParameterOperator::Substring => substring(value, &argument.text),
        ParameterOperator::RemovePrefix { longest } => {
            Some(strip_prefix_pattern(value, &argument.text, longest)?.to_owned())
        }
        ParameterOperator::RemoveSuffix { longest } => {
            Some(strip_suffix_pattern(value, &argument.text, longest)?.to_owned())
        }
        ParameterOperator::Replace { all } => replace_pattern(value, argument, all),
        ParameterOperator::Upper { all } => Some(change_case(value, &argument.text, all, char::to_ascii_uppercase)),
        ParameterOperator::Lower { all } => Some(change_case(value, &argument.text, all, char::to_ascii_lowercase)),
        ParameterOperator::Other => match argument.text.rsplit('@').next()? {
            "L" => Some(value.to_lowercase()),
            "U" => Some(value.to_uppercase()),
            "u" => Some(change_case(value, "", false, char::to_ascii_uppercase)),
            "E" => Some(decode_escapes(value)),
            _ => None,
        },
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

fn strip_prefix_pattern<'a>(value: &'a str, pattern: &str, longest: bool) -> Option<&'a str> {
    if value.len() > MAX_PATTERN_INPUT {
        return None;
    }
    let mut ends = (0..=value.len()).filter_map(|at| value.split_at_checked(at));
    let fits = |halves: &(&str, &str)| glob::matches(pattern, halves.0);
    let found = if longest { ends.rfind(fits) } else { ends.find(fits) };
    Some(found.map_or(value, |(_, rest)| rest))
}

fn strip_suffix_pattern<'a>(value: &'a str, pattern: &str, longest: bool) -> Option<&'a str> {
    if value.len() > MAX_PATTERN_INPUT {
        return None;
    }
    let mut starts = (0..=value.len()).filter_map(|at| value.split_at_checked(at));
    let fits = |halves: &(&str, &str)| glob::matches(pattern, halves.1);
    let found = if longest { starts.find(fits) } else { starts.rfind(fits) };
    Some(found.map_or(value, |(rest, _)| rest))
}

fn replace_pattern(value: &str, argument: &Word, all: bool) -> Option<String> {
    let (pattern, replacement) = argument.text.split_once('/').unwrap_or((&argument.text, ""));
    if pattern.is_empty() || value.len() > MAX_PATTERN_INPUT {
        return None;
    }
    let (anchor, rest) = pattern.split_at_checked(1)?;
    match anchor {
        // Whether the sign was quoted, so that it represents itself, does not show here.
        "#" | "%" if argument.quoted && !rest.starts_with(anchor) => None,
        "#" => {
            let behind = strip_prefix_pattern(value, rest, true)?;
            Some(if behind.len() == value.len() { value.to_owned() } else { format!("{replacement}{behind}") })
        }
        "%" => {
            let before = strip_suffix_pattern(value, rest, true)?;
            Some(if before.len() == value.len() { value.to_owned() } else { format!("{before}{replacement}") })
        }
        _ if argument.glob => Some(replace_matches(value, pattern, replacement, all)),
        _ if all => Some(value.replace(pattern, replacement)),
        _ => Some(value.replacen(pattern, replacement, 1)),
    }
}

/// Replaces the longest match of a pattern at each place, or at the first.
fn replace_matches(value: &str, pattern: &str, replacement: &str, all: bool) -> String {
    let mut out = String::new();
    let mut rest = value;
    while let Some(character) = rest.chars().next() {
        let mut ends = (1..=rest.len()).rev().filter_map(|end| rest.split_at_checked(end));
        let Some((_, behind)) = ends.find(|(head, _)| glob::matches(pattern, head)) else {
            out.push(character);
            rest = rest.get(character.len_utf8()..).unwrap_or_default();
            continue;
        };
        out.push_str(replacement);
        rest = behind;
        if !all {
            break;
        }
    }
    out.push_str(rest);
    out
}

fn change_case(value: &str, pattern: &str, all: bool, change: fn(&char) -> char) -> String {
    let fits = |character: char| pattern.is_empty() || glob::matches(pattern, character.encode_utf8(&mut [0; 4]));
    value
        .chars()
        .enumerate()
        .map(|(at, character)| if (all || at == 0) && fits(character) { change(&character) } else { character })
        .collect()
}
