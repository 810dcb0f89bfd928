//! Reads the domain's types from a tree, and says in the policy's words what does not fit.
//!
//! The types derive their reading; what makes the language pleasant is here: one where several may
//! stand is a list of one, and a struct whose main field has a short form takes it. Where several
//! mistakes stand in one value, each is found: the entry at fault is taken out and the rest is
//! read again.

use std::collections::HashSet;
use std::ops::Range;

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeOwned, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, forward_to_deserialize_any};

use super::code::Code;
use super::misfit::Misfit;
use super::node::{Node, NodeValue};
use crate::domain::suggest;

/// Structs that have a short form, the field that one value stands for, and the field that a list
/// stands for. The same is said to editors through the types' `x-shorthand` and
/// `x-shorthand-list`.
pub(crate) const SHORTHANDS: &[(&str, &str, &str)] = &[
    ("Allow", "reason", "reason"),
    ("AllowEntry", "value", "value"),
    ("Described", "command", "command"),
    ("Does", "what", "what"),
    ("Files", "paths", "paths"),
    ("Matcher", "equals", "one_of"),
    ("Mcp", "server", "server"),
    ("Pii", "kinds", "kinds"),
    ("Redact", "with", "with"),
    ("Respond", "with", "with"),
    ("Retry", "reason", "reason"),
    ("Run", "command", "command"),
    ("Secrets", "in", "in"),
    ("Text", "contains", "contains"),
    ("ToolLimit", "mode", "allow"),
    ("Urls", "hosts", "hosts"),
];

/// Mistakes that are reported of one value at most.
const MOST_MISTAKES: usize = 32;

/// Reads a value.
///
/// # Errors
/// Returns the first thing that does not fit.
pub(crate) fn read<'de, T: Deserialize<'de>>(node: &'de Node) -> Result<T, Misfit> {
    T::deserialize(Reader(node))
}

/// Reads a value, reports all that does not fit, and returns what the rest makes.
pub(crate) fn read_all<T: DeserializeOwned>(node: &Node, report: &mut dyn FnMut(Misfit)) -> Option<T> {
    let mut misfit = match read(node) {
        Ok(value) => return Some(value),
        Err(misfit) => misfit,
    };
    let mut rest = node.clone();
    let mut removed: Vec<(Option<Range<usize>>, Box<str>)> = Vec::new();
    for _ in 0..MOST_MISTAKES {
        let path: Vec<usize> = misfit.path.iter().rev().copied().collect();
        let meant = misfit.key.clone().filter(|_| misfit.code == Code::UnknownKey);
        // What was taken out of a map is not missing there.
        let is_echo = misfit.code == Code::MissingKey
            && removed.iter().any(|(map, key)| *map == misfit.span && Some(key) == misfit.key.as_ref());
        if !is_echo {
            report(misfit);
        }
        let (last, parent) = path.split_last()?;
        let map = rest.at_mut(parent)?;
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
struct Reader<'de>(&'de Node);

impl<'de> Reader<'de> {
    fn text(self) -> Result<&'de str, Misfit> {
        self.0.text().ok_or_else(|| Misfit::wrong("text", self.0))
    }
}

/// A sequence method for each kind of list: all take one value for a list of one.
macro_rules! lists {
    ($($method:ident($($argument:ident: $type:ty),*))*) => {$(
        fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value, Misfit> {
            match &self.0.value {
                NodeValue::Null => Err(Misfit::wrong("a list", self.0)),
                NodeValue::Seq(items) => visitor.visit_seq(Items { items, position: Some(0) }),
                _ => visitor.visit_seq(Items { items: std::slice::from_ref(self.0), position: None }),
            }
            .map_err(|misfit| misfit.at(self.0))
        }
    )*};
}

macro_rules! numbers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
            let NodeValue::Int(value, _) = &self.0.value else { return Err(Misfit::wrong("a whole number", self.0)) };
            visit_int(*value, visitor).map_err(|misfit| misfit.at(self.0))
        }
    )*};
}

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match &self.0.value {
            NodeValue::Null => visitor.visit_unit(),
            NodeValue::Bool(value, _) => visitor.visit_bool(*value),
            NodeValue::Int(value, _) => visit_int(*value, visitor),
            NodeValue::Float(value, _) => visitor.visit_f64(*value),
            NodeValue::Str(text) => visitor.visit_borrowed_str(text),
            NodeValue::Seq(_) => return self.deserialize_seq(visitor),
            NodeValue::Map(_) => return self.deserialize_map(visitor),
        }
        .map_err(|misfit| misfit.at(self.0))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match &self.0.value {
            NodeValue::Bool(value, _) => visitor.visit_bool(*value).map_err(|misfit: Misfit| misfit.at(self.0)),
            _ => Err(Misfit::wrong("`true` or `false`", self.0)),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match &self.0.value {
            #[expect(clippy::cast_precision_loss, reason = "a limit beyond 2^53 is no limit that anyone counts to")]
            NodeValue::Int(value, _) => visitor.visit_f64(*value as f64),
            NodeValue::Float(value, _) => visitor.visit_f64(*value),
            _ => Err(Misfit::wrong("a number", self.0)),
        }
        .map_err(|misfit| misfit.at(self.0))
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        self.deserialize_f64(visitor)
    }

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_borrowed_str(self.text()?).map_err(|misfit: Misfit| misfit.at(self.0))
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        self.deserialize_str(visitor)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        self.deserialize_str(visitor)
    }

    /// A key without a value is no way to leave the key out: a condition that someone forgot to
    /// fill in would silently hold for everything.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_newtype_struct(self)
    }

    lists! {
        deserialize_seq()
        deserialize_tuple(_length: usize)
        deserialize_tuple_struct(_name: &'static str, _length: usize)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match &self.0.value {
            NodeValue::Map(entries) => visitor
                .visit_map(Entries { all: entries, position: 0, seen: HashSet::new() })
                .map_err(|misfit| misfit.at(self.0)),
            _ => Err(Misfit::wrong("a map", self.0)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        let short = SHORTHANDS.iter().find(|(long, ..)| *long == name);
        let field = short.map(|(_, one, list)| if matches!(self.0.value, NodeValue::Seq(_)) { *list } else { *one });
        match (&self.0.value, field) {
            (NodeValue::Map(_), _) => self.deserialize_map(visitor),
            (value, Some(field)) if *value != NodeValue::Null => {
                visitor.visit_map(Short { field: Some(field), value: self.0 }).map_err(|misfit| misfit.at(self.0))
            }
            _ => {
                let mut misfit = Misfit::wrong("a map", self.0);
                misfit.help = Some(format!("its keys are {}", suggest::quoted(fields.iter().copied())));
                Err(misfit)
            }
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        let Some(text) = self.0.text() else {
            return Err(Misfit::wrong(&format!("one of {}", suggest::quoted(variants.iter().copied())), self.0));
        };
        let word: StrDeserializer<'_, Misfit> = text.into_deserializer();
        visitor.visit_enum(word).map_err(|misfit| misfit.at(self.0))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! { bytes byte_buf unit unit_struct }
}

fn visit_int<'de, V: Visitor<'de>>(value: i128, visitor: V) -> Result<V::Value, Misfit> {
    match (u64::try_from(value), i64::try_from(value)) {
        (Ok(value), _) => visitor.visit_u64(value),
        (_, Ok(value)) => visitor.visit_i64(value),
        _ => Err(Misfit::new(Code::InvalidValue, "the number is too large".into(), None)),
    }
}

/// The items of a list; without a position when one value stands for the list.
struct Items<'de> {
    items: &'de [Node],
    position: Option<usize>,
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Misfit;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Misfit> {
        let Some((first, rest)) = self.items.split_first() else { return Ok(None) };
        self.items = rest;
        let item = seed.deserialize(Reader(first)).map_err(|misfit| misfit.at(first).within(self.position))?;
        self.position = self.position.map(|position| position + 1);
        Ok(Some(item))
    }
}

/// The entries of a map.
struct Entries<'de> {
    all: &'de [(Node, Node)],
    position: usize,
    seen: HashSet<&'de str>,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Misfit;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Misfit> {
        let Some((key, _)) = self.all.get(self.position) else { return Ok(None) };
        if let Some(name) = key.text().filter(|name| !self.seen.insert(name)) {
            return Err(Misfit::duplicate_key(name, key).within(Some(self.position)));
        }
        seed.deserialize(Reader(key)).map(Some).map_err(|misfit| misfit.at(key).within(Some(self.position)))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Misfit> {
        let Some((_, value)) = self.all.get(self.position) else {
            return Err(Misfit::new(Code::MissingKey, "a key has no value".into(), None));
        };
        let position = self.position;
        self.position += 1;
        seed.deserialize(Reader(value)).map_err(|misfit| misfit.at(value).within(Some(position)))
    }
}

/// A short form: a map of the one field that it stands for.
struct Short<'de> {
    field: Option<&'static str>,
    value: &'de Node,
}

impl<'de> MapAccess<'de> for Short<'de> {
    type Error = Misfit;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Misfit> {
        let key: Option<StrDeserializer<'_, Misfit>> = self.field.take().map(IntoDeserializer::into_deserializer);
        key.map(|key| seed.deserialize(key)).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Misfit> {
        seed.deserialize(Reader(self.value))
    }
}
