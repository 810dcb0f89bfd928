//! `match:` — fields of the event by their dotted path.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::like;
use crate::domain::facts::Facts;
use crate::domain::focus::Focus;
use crate::domain::literal::Literal;
use crate::domain::pattern::Pattern;
use crate::domain::view;

/// What a field is like; all that is given must hold.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-shorthand" = "equals", "x-shorthand-list" = "one_of"))]
pub struct Matcher {
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
    /// Its text is like one of these, with `*` for any part.
    #[serde(default)]
    pub glob: Vec<String>,
    /// Its text or its list holds one of these.
    #[serde(default)]
    pub contains: Vec<String>,
    /// It is a number below this, or a text that spells one.
    #[serde(default)]
    pub lt: Option<f64>,
    /// It is a number above this, or a text that spells one.
    #[serde(default)]
    pub gt: Option<f64>,
    /// It is there, or is not.
    #[serde(default)]
    pub exists: Option<bool>,
    /// The length of its text, list or map is like this.
    #[serde(default)]
    pub length: Option<Box<Matcher>>,
}

pub(super) fn all_hold(fields: Option<&BTreeMap<String, Matcher>>, facts: &Facts<'_>, focus: &Focus) -> bool {
    fields.is_none_or(|fields| {
        fields.iter().all(|(path, matcher)| matcher.holds(view::field(facts, focus, path).as_ref()))
    })
}

impl Matcher {
    fn holds(&self, value: Option<&Value>) -> bool {
        if self.exists.is_some_and(|exists| exists != value.is_some()) {
            return false;
        }
        let Some(value) = value else { return self.holds_for_nothing() };
        let text = text_of(value);
        let is_number = |fits: &dyn Fn(f64) -> bool| number_of(value).is_some_and(fits);
        self.equals.as_ref().is_none_or(|literal| same(literal, value))
            && (self.one_of.is_empty() || self.one_of.iter().any(|literal| same(literal, value)))
            && self.not.as_ref().is_none_or(|literal| !same(literal, value))
            && (self.regex.is_empty() || self.regex.iter().any(|pattern| pattern.find(&text).is_some()))
            && (self.glob.is_empty() || self.glob.iter().any(|glob| like(glob, &text)))
            && (self.contains.is_empty() || self.contains.iter().any(|part| holds_part(value, &text, part)))
            && self.lt.is_none_or(|limit| is_number(&|number| number < limit))
            && self.gt.is_none_or(|limit| is_number(&|number| number > limit))
            && self.length.as_ref().is_none_or(|length| length.holds(Some(&length_of(value).into())))
    }

    /// A field that is not there is not any value; it differs from every value.
    fn holds_for_nothing(&self) -> bool {
        let only = Self { exists: None, not: None, ..self.clone() };
        (self.exists == Some(false) || self.not.is_some()) && only == Self::default()
    }
}

fn same(literal: &Literal, value: &Value) -> bool {
    match (literal, value) {
        (Literal::Text(text), Value::String(value)) => text.source() == value,
        (Literal::Text(text), Value::Number(_)) => text.source() == text_of(value),
        (Literal::Int(number), Value::Number(_) | Value::String(_)) => whole(value) == Some(*number),
        (Literal::Float(number), Value::Number(_) | Value::String(_)) => number_of(value) == Some(*number),
        (Literal::Bool(left), Value::Bool(right)) => left == right,
        (Literal::Null, Value::Null) => true,
        (Literal::List(items), Value::Array(values)) => {
            items.len() == values.len() && items.iter().zip(values).all(|(item, value)| same(item, value))
        }
        (Literal::Map(entries), Value::Object(values)) => {
            entries.len() == values.len()
                && entries.iter().all(|(key, item)| values.get(key).is_some_and(|value| same(item, value)))
        }
        _ => false,
    }
}

/// Returns the number that a value is. Hosts take a text for the number that it spells, and so does whoever would get
/// around a rule by it.
fn number_of(value: &Value) -> Option<f64> {
    let number = value.as_str().map_or_else(|| value.as_f64(), |text| text.trim().parse().ok());
    number.filter(|number| number.is_finite())
}

/// Returns the whole number that a value is, also as `7.0`, `70e-1` or a text.
fn whole(value: &Value) -> Option<i64> {
    let exact = value.as_str().map_or_else(|| value.as_i64(), |text| text.trim().parse().ok());
    exact.or_else(|| format!("{:.0}", number_of(value).filter(|number| number.fract() == 0.0)?).parse().ok())
}

/// Returns what a value is as a text: of a number always the same, however it is spelled.
fn text_of(value: &Value) -> std::borrow::Cow<'_, str> {
    match value {
        Value::String(text) => text.as_str().into(),
        Value::Number(number) => whole(value).map_or_else(|| number.to_string(), |number| number.to_string()).into(),
        other => other.to_string().into(),
    }
}

fn holds_part(value: &Value, text: &str, part: &str) -> bool {
    match value {
        Value::Array(items) => items.iter().any(|item| text_of(item) == part),
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
