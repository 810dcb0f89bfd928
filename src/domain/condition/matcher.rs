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
    /// It is a number below this.
    #[serde(default)]
    pub lt: Option<f64>,
    /// It is a number above this.
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
        let number = value.as_f64();
        self.equals.as_ref().is_none_or(|literal| same(literal, value))
            && (self.one_of.is_empty() || self.one_of.iter().any(|literal| same(literal, value)))
            && self.not.as_ref().is_none_or(|literal| !same(literal, value))
            && (self.regex.is_empty() || self.regex.iter().any(|pattern| pattern.find(&text).is_some()))
            && (self.glob.is_empty() || self.glob.iter().any(|glob| like(glob, &text)))
            && (self.contains.is_empty() || self.contains.iter().any(|part| holds_part(value, &text, part)))
            && self.lt.is_none_or(|limit| number.is_some_and(|number| number < limit))
            && self.gt.is_none_or(|limit| number.is_some_and(|number| number > limit))
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
        (Literal::Int(number), Value::Number(value)) => value.as_i64() == Some(*number),
        (Literal::Float(number), Value::Number(value)) => value.as_f64() == Some(*number),
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

fn text_of(value: &Value) -> std::borrow::Cow<'_, str> {
    match value {
        Value::String(text) => text.as_str().into(),
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
