//! Deserializes the domain's types from a tree, and reports type errors in the policy's terms.
//!
//! The types derive `Deserialize`; conveniences of the language are added here: a single value is
//! accepted for a list of one, and a short form for a struct's main field. If a value has several
//! mistakes, each is found: the faulty entry is removed and the rest is read again.

use std::collections::HashSet;
use std::ops::Range;

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeOwned, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, forward_to_deserialize_any};

use super::code::DiagnosticCode;
use super::node::{Node, NodeValue};
use super::type_error::TypeError;
use crate::domain::text::suggest;

/// Structs that have a short form, the field that one value stands for, and the field that a list
/// stands for. The same is said to editors through the types' `x-shorthand` and
/// `x-shorthand-list`.
pub(crate) const SHORTHANDS: &[(&str, &str, &str)] = &[
    ("Actions", "what", "what"),
    ("Allow", "reason", "reason"),
    ("AllowEntry", "value", "value"),
    ("FieldMatcher", "equals", "one_of"),
    ("Files", "paths", "paths"),
    ("Losses", "kinds", "kinds"),
    ("Mcp", "server", "server"),
    ("Pii", "kinds", "kinds"),
    ("PushDestination", "branch", "branch"),
    ("Redact", "with", "with"),
    ("Respond", "with", "with"),
    ("Retry", "reason", "reason"),
    ("Run", "command", "command"),
    ("Scenario", "command", "command"),
    ("Secrets", "in", "in"),
    ("TextMatcher", "contains", "contains"),
    ("ToolLimit", "mode", "allow"),
    ("Urls", "hosts", "hosts"),
];

/// Mistakes that are reported of one value at most.
const MAX_ERRORS: usize = 32;

/// Reads a value.
///
/// # Errors
/// Returns the first thing that does not fit.
pub(crate) fn read<'de, T: Deserialize<'de>>(node: &'de Node) -> Result<T, TypeError> {
    T::deserialize(NodeDeserializer(node))
}

/// Reads a value, reports all that does not fit, and returns what the rest makes.
pub(crate) fn read_all<T: DeserializeOwned>(node: &Node, report: &mut dyn FnMut(TypeError)) -> Option<T> {
    let mut misfit = match read(node) {
        Ok(value) => return Some(value),
        Err(misfit) => misfit,
    };
    let mut rest = node.clone();
    let mut removed: Vec<(Option<Range<usize>>, Box<str>)> = Vec::new();
    for _ in 0..MAX_ERRORS {
        let path: Vec<usize> = misfit.path.iter().rev().copied().collect();
        let meant = misfit.key.clone().filter(|_| misfit.code == DiagnosticCode::UnknownKey);
        // What was taken out of a map is not missing there.
        let is_echo = misfit.code == DiagnosticCode::MissingKey
            && removed.iter().any(|(map, key)| *map == misfit.span && Some(key) == misfit.key.as_ref());
        if !is_echo {
            report(misfit);
        }
        let (last, parent) = path.split_last()?;
        let map = rest.descendant_mut(parent)?;
        if !meant.is_some_and(|key| map.rename(*last, key.into())) {
            let key = map.remove(*last).unwrap_or_default();
            removed.push((Some(map.span.clone()), key.into()));
        }
        misfit = match read(&rest) {
            Ok(value) => return Some(value),
            Err(misfit) => misfit,
        };
    }
    None
}

/// A node as a source of values.
#[derive(Clone, Copy)]
struct NodeDeserializer<'de>(&'de Node);

impl<'de> NodeDeserializer<'de> {
    fn text(self) -> Result<&'de str, TypeError> {
        self.0.text().ok_or_else(|| TypeError::wrong_type("text", self.0))
    }
}

/// A sequence method for each kind of list: all take one value for a list of one.
macro_rules! lists {
    ($($method:ident($($argument:ident: $type:ty),*))*) => {$(
        fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value, TypeError> {
            match &self.0.value {
                NodeValue::Null => Err(TypeError::wrong_type("a list", self.0)),
                NodeValue::Seq(items) => visitor.visit_seq(ItemAccess { items, position: Some(0) }),
                _ => visitor.visit_seq(ItemAccess { items: std::slice::from_ref(self.0), position: None }),
            }
            .map_err(|misfit| misfit.at_node(self.0))
        }
    )*};
}

macro_rules! numbers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeError> {
            let NodeValue::Int(value, _) = &self.0.value else { return Err(TypeError::wrong_type("a whole number", self.0)) };
            visit_int(*value, visitor).map_err(|misfit| misfit.at_node(self.0))
        }
    )*};
}

impl<'de> Deserializer<'de> for NodeDeserializer<'de> {
    type Error = TypeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeError> {
        match &self.0.value {
            NodeValue::Null => visitor.visit_unit(),
            NodeValue::Bool(value, _) => visitor.visit_bool(*value),
            NodeValue::Int(value, _) => visit_int(*value, visitor),
            NodeValue::Float(value, _) => visitor.visit_f64(*value),
            NodeValue::Str(text) => visitor.visit_borrowed_str(text),
            NodeValue::Seq(_) => return self.deserialize_seq(visitor),
            NodeValue::Map(_) => return self.deserialize_map(visitor),
        }
        .map_err(|misfit| misfit.at_node(self.0))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeError> {
        match &self.0.value {
            NodeValue::Bool(value, _) => visitor.visit_bool(*value).map_err(|misfit: TypeError| misfit.at_node(self.0)),
            _ => Err(TypeError::wrong_type("`true` or `false`", self.0)),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeError> {
        match &self.0.value {
            #[expect(clippy::cast_precision_loss, reason = "the limit must be at most 2^53")]
            NodeValue::Int(value, _) => visitor.visit_f64(*value as f64),
            NodeValue::Float(value, _) => visitor.visit_f64(*value),
            _ => Err(TypeError::wrong_type("a number", self.0)),
        }
        .map_err(|misfit| misfit.at_node(self.0))
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeError> {
        self.deserialize_f64(visitor)
    }

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeError> {
        visitor.visit_borrowed_str(self.text()?).map_err(|misfit: TypeError| misfit.at_node(self.0))
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeError> {
        self.deserialize_str(visitor)
    }

    /// A key without a value is no way to leave the key out: a condition that someone forgot to
    /// fill in would silently hold for everything.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, TypeError> {
        visitor.visit_newtype_struct(self)
    }

    lists! {
        deserialize_seq()
        deserialize_tuple(_length: usize)
        deserialize_tuple_struct(_name: &'static str, _length: usize)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeError> {
        match &self.0.value {
            NodeValue::Map(entries) => visitor
                .visit_map(EntryAccess { entries, position: 0, seen: HashSet::new() })
                .map_err(|misfit| misfit.at_node(self.0)),
            _ => Err(TypeError::wrong_type("a map", self.0)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TypeError> {
        let short = SHORTHANDS.iter().find(|(long, ..)| *long == name);
        let field = short.map(|(_, one, list)| if matches!(self.0.value, NodeValue::Seq(_)) { *list } else { *one });
        match (&self.0.value, field) {
            (NodeValue::Map(_), _) => self.deserialize_map(visitor),
            (value, Some(field)) if *value != NodeValue::Null => visitor
                .visit_map(ShorthandAccess { field: Some(field), value: self.0 })
                .map_err(|misfit| misfit.at_node(self.0)),
            _ => {
                let mut misfit = TypeError::wrong_type("a map", self.0);
                misfit.help = Some(format!("its keys are {}", suggest::quote_list(fields.iter().copied())));
                Err(misfit)
            }
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TypeError> {
        let Some(text) = self.0.text() else {
            return Err(TypeError::wrong_type(
                &format!("one of {}", suggest::quote_list(variants.iter().copied())),
                self.0,
            ));
        };
        let word: StrDeserializer<'_, TypeError> = text.into_deserializer();
        visitor.visit_enum(word).map_err(|misfit| misfit.at_node(self.0))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeError> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! { bytes byte_buf unit unit_struct }
}

fn visit_int<'de, V: Visitor<'de>>(value: i128, visitor: V) -> Result<V::Value, TypeError> {
    match (u64::try_from(value), i64::try_from(value)) {
        (Ok(value), _) => visitor.visit_u64(value),
        (_, Ok(value)) => visitor.visit_i64(value),
        _ => Err(TypeError::new(DiagnosticCode::InvalidValue, "the number is too large".into(), None)),
    }
}

/// The items of a list; without a position when one value stands for the list.
struct ItemAccess<'de> {
    items: &'de [Node],
    position: Option<usize>,
}

impl<'de> SeqAccess<'de> for ItemAccess<'de> {
    type Error = TypeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, TypeError> {
        let Some((first, rest)) = self.items.split_first() else { return Ok(None) };
        self.items = rest;
        let item = seed
            .deserialize(NodeDeserializer(first))
            .map_err(|misfit| misfit.at_node(first).at_position(self.position))?;
        self.position = self.position.map(|position| position + 1);
        Ok(Some(item))
    }
}

/// The entries of a map.
struct EntryAccess<'de> {
    entries: &'de [(Node, Node)],
    position: usize,
    seen: HashSet<&'de str>,
}

impl<'de> MapAccess<'de> for EntryAccess<'de> {
    type Error = TypeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, TypeError> {
        let Some((key, _)) = self.entries.get(self.position) else { return Ok(None) };
        if let Some(name) = key.text().filter(|name| !self.seen.insert(name)) {
            return Err(TypeError::duplicate_key(name, key).at_position(Some(self.position)));
        }
        seed.deserialize(NodeDeserializer(key))
            .map(Some)
            .map_err(|misfit| misfit.at_node(key).at_position(Some(self.position)))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, TypeError> {
        let Some((_, value)) = self.entries.get(self.position) else {
            return Err(TypeError::new(DiagnosticCode::MissingKey, "a key has no value".into(), None));
        };
        let position = self.position;
        self.position += 1;
        seed.deserialize(NodeDeserializer(value)).map_err(|misfit| misfit.at_node(value).at_position(Some(position)))
    }
}

/// A short form: a map of the one field that it stands for.
struct ShorthandAccess<'de> {
    field: Option<&'static str>,
    value: &'de Node,
}

impl<'de> MapAccess<'de> for ShorthandAccess<'de> {
    type Error = TypeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, TypeError> {
        let key: Option<StrDeserializer<'_, TypeError>> = self.field.take().map(IntoDeserializer::into_deserializer);
        key.map(|key| seed.deserialize(key)).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, TypeError> {
        seed.deserialize(NodeDeserializer(self.value))
    }
}
