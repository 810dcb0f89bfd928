//! YAML as a tree in which every node knows its place.
//!
//! A scalar without quotes keeps the text it was written as: `1.10`, `on` and `0x1f` mean one
//! thing where a text is wanted and another where a number is, and only the reader knows which.
//! Anchors, aliases and merges work and are bounded, so that no file unfolds into a bomb.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_yaml::{DuplicateKeyPolicy, NonFiniteFloatPolicy, Options, Spanned};

use super::syntax_error::{SyntaxError, span_of, translate_error};

/// Containers inside containers that a file may have.
const MAX_DEPTH: usize = 32;
/// Nodes that a file may unfold into.
const MAX_NODES: usize = 50_000;
/// Nodes that its aliases may unfold into.
const MAX_ALIAS_NODES: usize = 10_000;

/// A value and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Where it is, in bytes; of a list or a map, only where it begins.
    pub span: Range<usize>,
    /// The value.
    pub value: NodeValue,
}

/// What a node holds. Plain scalars come with the text they were written as.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeValue {
    /// Nothing.
    Null,
    /// A truth value.
    Bool(bool, String),
    /// A whole number.
    Int(i128, String),
    /// A number.
    Float(f64, String),
    /// Text.
    Str(String),
    /// A list.
    Seq(Vec<Node>),
    /// A map in the order of the file.
    Map(Vec<(Node, Node)>),
}

impl Node {
    /// Reads a text.
    ///
    /// # Errors
    /// Returns where the text stops being YAML, or asks for more than is granted.
    pub(crate) fn parse(text: &str) -> Result<Self, SyntaxError> {
        match serde_yaml::from_str_with_options::<Spanned<RawNode>>(text, options()) {
            Ok(raw) => Ok(Self::from_raw(raw, text)),
            Err(error) => Err(translate_error(&error, text)),
        }
    }

    /// Returns the entries of a map; none of anything else.
    pub(crate) fn entries(&self) -> &[(Self, Self)] {
        match &self.value {
            NodeValue::Map(entries) => entries,
            _ => &[],
        }
    }

    /// Returns the items of a list, or what stands for a list of one.
    pub(crate) fn items(&self) -> &[Self] {
        match &self.value {
            NodeValue::Seq(items) => items,
            _ => std::slice::from_ref(self),
        }
    }

    /// Returns the entry of a key.
    pub(crate) fn entry(&self, key: &str) -> Option<&(Self, Self)> {
        self.entries().iter().find(|(name, _)| name.text() == Some(key))
    }

    /// Returns the value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        self.entry(key).map(|(_, value)| value)
    }

    /// Returns the place of a key, or of the map where it is not given.
    pub(crate) fn key_span(&self, key: &str) -> Range<usize> {
        self.entry(key).map_or_else(|| self.span.clone(), |(key, _)| key.span.clone())
    }

    /// Returns the place of a value, or of the map where it is not given.
    pub(crate) fn value_span(&self, key: &str) -> Range<usize> {
        self.get(key).map_or_else(|| self.span.clone(), |value| value.span.clone())
    }

    /// Returns the text of a scalar, as written.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            NodeValue::Bool(_, text) | NodeValue::Int(_, text) | NodeValue::Float(_, text) | NodeValue::Str(text) => {
                Some(text)
            }
            NodeValue::Null | NodeValue::Seq(_) | NodeValue::Map(_) => None,
        }
    }

    /// Says what the node is, for "expected …, found …".
    pub(crate) fn describe(&self) -> String {
        match &self.value {
            NodeValue::Null => "nothing".into(),
            NodeValue::Bool(_, text) => format!("`{text}`"),
            NodeValue::Int(_, text) | NodeValue::Float(_, text) => format!("the number `{text}`"),
            NodeValue::Str(text) if text.chars().count() <= 30 && !text.contains('\n') => format!("the text `{text}`"),
            NodeValue::Str(_) => "a text".into(),
            NodeValue::Seq(_) => "a list".into(),
            NodeValue::Map(_) => "a map".into(),
        }
    }

    /// Returns what a path of positions leads to.
    pub(crate) fn descendant_mut(&mut self, path: &[usize]) -> Option<&mut Self> {
        let Some((first, rest)) = path.split_first() else { return Some(self) };
        match &mut self.value {
            NodeValue::Seq(items) => items.get_mut(*first)?.descendant_mut(rest),
            NodeValue::Map(entries) => entries.get_mut(*first)?.1.descendant_mut(rest),
            _ => None,
        }
    }

    /// Takes an item or an entry away; returns the entry's key.
    pub(crate) fn remove(&mut self, position: usize) -> Option<String> {
        match &mut self.value {
            NodeValue::Seq(items) if position < items.len() => drop(items.remove(position)),
            NodeValue::Map(entries) if position < entries.len() => {
                return entries.remove(position).0.text().map(ToOwned::to_owned);
            }
            _ => {}
        }
        None
    }

    /// Gives an entry another key, unless the map has it already.
    pub(crate) fn rename(&mut self, position: usize, key: String) -> bool {
        if self.entry(&key).is_some() {
            return false;
        }
        match &mut self.value {
            NodeValue::Map(entries) => {
                entries.get_mut(position).map(|(name, _)| name.value = NodeValue::Str(key)).is_some()
            }
            _ => false,
        }
    }

    fn from_raw(raw: Spanned<RawNode>, text: &str) -> Self {
        let span = span_of(&raw.defined, text);
        let written = || text.get(span.clone()).unwrap_or_default().to_owned();
        let value = match raw.value {
            RawNode::Null => NodeValue::Null,
            RawNode::Bool(value) => NodeValue::Bool(value, written()),
            RawNode::Int(value) => NodeValue::Int(value, written()),
            RawNode::Float(value) => NodeValue::Float(value, written()),
            RawNode::Str(value) => NodeValue::Str(value),
            RawNode::Seq(items) => NodeValue::Seq(items.into_iter().map(|item| Self::from_raw(item, text)).collect()),
            RawNode::Map(entries) => {
                let pairs =
                    entries.into_iter().map(|(key, value)| (Self::from_raw(key, text), Self::from_raw(value, text)));
                NodeValue::Map(pairs.collect())
            }
        };
        let first = match &value {
            NodeValue::Map(entries) => entries.first().map(|(key, _)| key.span.clone()),
            NodeValue::Seq(_) if span.is_empty() => Some(span.start..span.start + 1),
            _ => None,
        };
        let span = first.filter(|first| span.is_empty() && first.start >= span.start).unwrap_or(span);
        Self { span, value }
    }
}

/// A value whose parts have the parser's own places.
enum RawNode {
    Null,
    Bool(bool),
    Int(i128),
    Float(f64),
    Str(String),
    Seq(Vec<Spanned<RawNode>>),
    Map(Vec<(Spanned<RawNode>, Spanned<RawNode>)>),
}

impl<'de> Deserialize<'de> for RawNode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = RawNode;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<RawNode, E> {
        Ok(RawNode::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<RawNode, E> {
        Ok(RawNode::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<RawNode, E> {
        Ok(RawNode::Int(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<RawNode, E> {
        Ok(RawNode::Int(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<RawNode, E> {
        Ok(RawNode::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<RawNode, E> {
        Ok(RawNode::Str(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<RawNode, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(RawNode::Seq(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawNode, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(RawNode::Map(entries))
    }
}

/// Duplicate keys are let through: the reader reports each of them, the parser only the first.
fn options() -> Options {
    let mut options = serde_yaml::options! {
        budget: serde_yaml::budget! {
            max_depth: MAX_DEPTH,
            flow_nesting_limit: MAX_DEPTH,
            max_nodes: MAX_NODES,
            max_events: 2 * MAX_NODES,
            max_documents: 2,
        },
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        strict_booleans: true,
        leading_zero_numbers_as_strings: true,
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
        reject_unsupported_tags: true,
        with_snippet: false,
    };
    options.alias_limits.max_total_replayed_events = MAX_ALIAS_NODES;
    options
}
