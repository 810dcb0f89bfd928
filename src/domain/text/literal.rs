//! Literal values in a policy, with which a field is compared or which it is set to.

use std::collections::BTreeMap;
use std::fmt;

#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Number, Value};

use super::template::{RenderError, Template, VariableLookup};

/// A literal value of a policy. Its texts may be templates.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum Literal {
    /// Null; in a rewrite, the field is removed.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A number.
    Float(f64),
    /// Text, which may contain `{{ … }}`.
    Text(Template),
    /// A list.
    List(Vec<Literal>),
    /// A map.
    Map(BTreeMap<String, Literal>),
}

impl Literal {
    /// Returns the value with its templates rendered.
    pub fn render(&self, vars: &mut VariableLookup<'_>) -> Result<Value, RenderError> {
        Ok(match self {
            Self::Null => Value::Null,
            Self::Bool(value) => Value::Bool(*value),
            Self::Int(value) => Value::Number((*value).into()),
            Self::Float(value) => Number::from_f64(*value).map_or(Value::Null, Value::Number),
            Self::Text(template) => Value::String(template.render(vars)?),
            Self::List(items) => Value::Array(items.iter().map(|item| item.render(vars)).collect::<Result<_, _>>()?),
            Self::Map(entries) => {
                let rendered = entries.iter().map(|(key, value)| Ok((key.clone(), value.render(vars)?)));
                Value::Object(rendered.collect::<Result<Map<_, _>, RenderError>>()?)
            }
        })
    }

    /// Lists the templates in the value.
    pub fn templates(&self) -> Vec<&Template> {
        match self {
            Self::Text(template) => vec![template],
            Self::List(items) => items.iter().flat_map(Self::templates).collect(),
            Self::Map(entries) => entries.values().flat_map(Self::templates).collect(),
            Self::Null | Self::Bool(_) | Self::Int(_) | Self::Float(_) => Vec::new(),
        }
    }
}

#[cfg(test)]
impl JsonSchema for Literal {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Literal".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "description": "A value; its strings can contain `{{ … }}`." })
    }
}

/// The encoded form, which a format without types of its own can read back.
#[derive(Deserialize)]
enum StoredLiteral {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Template),
    List(Vec<Literal>),
    Map(BTreeMap<String, Literal>),
}

impl<'de> Deserialize<'de> for Literal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return deserializer.deserialize_any(LiteralVisitor);
        }
        StoredLiteral::deserialize(deserializer).map(|stored| match stored {
            StoredLiteral::Null => Self::Null,
            StoredLiteral::Bool(value) => Self::Bool(value),
            StoredLiteral::Int(value) => Self::Int(value),
            StoredLiteral::Float(value) => Self::Float(value),
            StoredLiteral::Text(value) => Self::Text(value),
            StoredLiteral::List(value) => Self::List(value),
            StoredLiteral::Map(value) => Self::Map(value),
        })
    }
}

struct LiteralVisitor;

impl<'de> Visitor<'de> for LiteralVisitor {
    type Value = Literal;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Literal, E> {
        Ok(Literal::Null)
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<Literal, E> {
        Ok(Literal::Bool(value))
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Literal, E> {
        Ok(Literal::Int(value))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Literal, E> {
        i64::try_from(value).map(Literal::Int).map_err(|_| E::custom("number too large"))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Literal, E> {
        Ok(Literal::Float(value))
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Literal, E> {
        Template::parse(value).map(Literal::Text).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Literal, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Literal::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Literal, A::Error> {
        let mut entries = BTreeMap::new();
        while let Some((key, value)) = map.next_entry()? {
            entries.insert(key, value);
        }
        Ok(Literal::Map(entries))
    }
}
