//! `match:` — fields of the event by their dotted path.

use std::collections::BTreeMap;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::binding::Binding;
use super::interface::{Condition, ConditionMatch, ConditionSpec, Reference, Selection};
use super::is_wildcard_match;
use super::requirements::{Requirement, Requirements};
use super::variable;
use crate::domain::facts::Facts;
use crate::domain::text::literal::Literal;
use crate::domain::text::pattern::Pattern;
use crate::domain::text::template::RenderError;

/// Conditions on a field; all given keys must match.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(extend("x-shorthand" = "equals", "x-shorthand-list" = "one_of")))]
pub struct FieldMatcher {
    /// It is this value.
    #[serde(default)]
    pub equals: Option<Literal>,
    /// It is one of these values.
    #[serde(default)]
    pub one_of: Vec<Literal>,
    /// It is not this value.
    #[serde(default)]
    pub not: Option<Literal>,
    /// Its text matches one of these regular expressions.
    #[serde(default)]
    pub regex: Vec<Pattern>,
    /// Its text matches one of these globs, with `*` for any part.
    #[serde(default)]
    pub glob: Vec<String>,
    /// Its text or list contains one of these.
    #[serde(default)]
    pub contains: Vec<String>,
    /// It is a number (or numeric text) less than this.
    #[serde(default)]
    pub lt: Option<f64>,
    /// It is a number (or numeric text) greater than this.
    #[serde(default)]
    pub gt: Option<f64>,
    /// It exists, or doesn't.
    #[serde(default)]
    pub exists: Option<bool>,
    /// The length of its text, list or map matches.
    #[serde(default)]
    pub length: Option<Box<FieldMatcher>>,
}

impl Condition for BTreeMap<String, FieldMatcher> {
    fn spec() -> ConditionSpec {
        ConditionSpec { kinds: None, selection: Selection::None }
    }

    fn matches(&self, facts: &Facts<'_>, binding: &Binding) -> Result<ConditionMatch, RenderError> {
        let mut fields = self.iter();
        Ok(fields.all(|(path, matcher)| matcher.is_match(variable::lookup_path(facts, binding, path).as_ref())).into())
    }

    fn is_empty(&self) -> bool {
        self.is_empty() || self.values().any(|matcher| *matcher == FieldMatcher::default())
    }

    fn implies(&self, wide: &Self) -> bool {
        wide.iter().all(|(field, matcher)| self.get(field) == Some(matcher))
    }

    fn require(&self, requirements: &mut Requirements) {
        let asks = |field: &str, what: &dyn Fn(&FieldMatcher) -> bool| self.get(field).is_some_and(what);
        let is_unusual =
            |it: &FieldMatcher| !it.regex.is_empty() && it.regex.iter().all(Pattern::requires_unusual_char);
        if asks("command.via", &|it| !it.contains.is_empty()) {
            requirements.add(Requirement::Via);
        }
        if asks("command.text", &is_unusual) {
            requirements.add(Requirement::UnusualCommand);
        }
        if asks("file.absolute", &is_unusual) {
            requirements.add(Requirement::UnusualPath);
        }
    }

    fn for_each_reference(&self, each: &mut dyn FnMut(Reference<'_>)) {
        for path in self.keys() {
            each(Reference::Variable(path));
        }
    }
}

impl FieldMatcher {
    fn is_match(&self, value: Option<&Value>) -> bool {
        if self.exists.is_some_and(|exists| exists != value.is_some()) {
            return false;
        }
        let Some(value) = value else { return self.is_match_for_absent() };
        let text = as_text(value);
        let is_number = |fits: &dyn Fn(f64) -> bool| as_number(value).is_some_and(fits);
        self.equals.as_ref().is_none_or(|literal| equals_literal(literal, value))
            && (self.one_of.is_empty() || self.one_of.iter().any(|literal| equals_literal(literal, value)))
            && self.not.as_ref().is_none_or(|literal| !equals_literal(literal, value))
            && (self.regex.is_empty() || self.regex.iter().any(|pattern| pattern.find(&text).is_some()))
            && (self.glob.is_empty() || self.glob.iter().any(|glob| is_wildcard_match(glob, &text)))
            && (self.contains.is_empty() || self.contains.iter().any(|part| contains_part(value, &text, part)))
            && self.lt.is_none_or(|limit| is_number(&|number| number < limit))
            && self.gt.is_none_or(|limit| is_number(&|number| number > limit))
            && self.length.as_ref().is_none_or(|length| length.is_match(Some(&length_of(value).into())))
    }

    /// An absent field equals no value; it differs from every value.
    fn is_match_for_absent(&self) -> bool {
        let only = Self { exists: None, not: None, ..self.clone() };
        (self.exists == Some(false) || self.not.is_some()) && only == Self::default()
    }
}

fn equals_literal(literal: &Literal, value: &Value) -> bool {
    match (literal, value) {
        (Literal::Text(text), Value::String(value)) => text.source() == value,
        (Literal::Text(text), Value::Number(_)) => text.source() == as_text(value),
        (Literal::Int(number), Value::Number(_) | Value::String(_)) => as_integer(value) == Some(*number),
        (Literal::Float(number), Value::Number(_) | Value::String(_)) => as_number(value) == Some(*number),
        (Literal::Bool(left), Value::Bool(right)) => left == right,
        (Literal::Null, Value::Null) => true,
        (Literal::List(items), Value::Array(values)) => {
            items.len() == values.len() && items.iter().zip(values).all(|(item, value)| equals_literal(item, value))
        }
        (Literal::Map(entries), Value::Object(values)) => {
            entries.len() == values.len()
                && entries.iter().all(|(key, item)| values.get(key).is_some_and(|value| equals_literal(item, value)))
        }
        _ => false,
    }
}

/// Returns the number that a value represents. Hosts accept a text that spells a number, so a call could otherwise
/// evade a rule with it.
fn as_number(value: &Value) -> Option<f64> {
    let number = value.as_str().map_or_else(|| value.as_f64(), |text| text.trim().parse().ok());
    number.filter(|number| number.is_finite())
}

/// Returns the integer that a value represents, also as `7.0`, `70e-1` or a text.
fn as_integer(value: &Value) -> Option<i64> {
    let exact = value.as_str().map_or_else(|| value.as_i64(), |text| text.trim().parse().ok());
    exact.or_else(|| format!("{:.0}", as_number(value).filter(|number| number.fract() == 0.0)?).parse().ok())
}

/// Returns a value as text; equal numbers give equal text, whatever their spelling.
fn as_text(value: &Value) -> std::borrow::Cow<'_, str> {
    match value {
        Value::String(text) => text.as_str().into(),
        Value::Number(number) => {
            as_integer(value).map_or_else(|| number.to_string(), |number| number.to_string()).into()
        }
        other => other.to_string().into(),
    }
}

fn contains_part(value: &Value, text: &str, part: &str) -> bool {
    match value {
        Value::Array(items) => items.iter().any(|item| as_text(item) == part),
        Value::Object(entries) => entries.contains_key(part),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => text.contains(part),
    }
}

fn length_of(value: &Value) -> usize {
    match value {
        Value::String(text) => text.chars().count(),
        Value::Array(items) => items.len(),
        Value::Object(entries) => entries.len(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}
