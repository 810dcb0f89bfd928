//! Type errors: how a tree does not match the type read from it, in the policy's terms.

use std::fmt;
use std::ops::Range;

use serde::de::{self, Unexpected};

use super::code::DiagnosticCode;
use super::node::{Node, NodeValue};
use crate::domain::text::suggest;

/// A type error.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TypeError {
    /// What kind of mistake it is.
    pub code: DiagnosticCode,
    /// Where, in bytes; known once the error has passed the node it is about.
    pub span: Option<Range<usize>>,
    /// The positions that lead to it, innermost first.
    pub(crate) path: Vec<usize>,
    /// The key that is missing, or that an unknown one was meant to be.
    pub(crate) key: Option<Box<str>>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// What to write where a key is missing.
const MISSING_KEY_HELP: &[(&str, &str)] = &[
    ("id", "give the rule a unique id, such as `id: no-force-push`"),
    ("when", "add the moment, such as `when: tool.before`"),
    ("then", "add an effect, such as `then: { deny: \"Do this instead.\" }`"),
    ("what", "add the action, such as `what: send`"),
    ("kinds", "add what would be lost, such as `kinds: [modified, untracked]`"),
    ("rule", "name the rule by its id"),
    ("reason", "add a reason for the readers of the policy"),
];

impl TypeError {
    pub(crate) fn new(code: DiagnosticCode, message: String, help: Option<String>) -> Self {
        Self { code, span: None, path: Vec::new(), key: None, message, help }
    }

    /// Returns that something else was expected where a node is.
    pub(crate) fn wrong_type(expected: &str, node: &Node) -> Self {
        let help = (node.value == NodeValue::Null).then(|| "add a value, or remove the key".to_owned());
        Self::new(DiagnosticCode::WrongType, format!("expected {expected}, found {}", node.describe()), help)
            .at_node(node)
    }

    /// Returns that a word is none of those that may be here.
    pub(crate) fn unknown_word(word: &str, known: &[&str]) -> Self {
        let help = format!("use one of {}", suggest::quote_list(known.iter().copied()));
        let near = suggest::nearest(word, known.iter().copied());
        Self::new(DiagnosticCode::UnknownWord, suggest::unknown_message("word", word, near), Some(help))
    }

    /// Returns that a key means nothing here.
    pub(crate) fn unknown_key(key: &str, known: &[&str]) -> Self {
        let near = suggest::nearest(key, known.iter().copied());
        let help = near.is_none().then(|| format!("keys here are {}", suggest::quote_list(known.iter().copied())));
        let misfit = Self::new(DiagnosticCode::UnknownKey, suggest::unknown_message("key", key, near), help);
        Self { key: near.map(Into::into), ..misfit }
    }

    /// Returns that a map has a key twice.
    pub(crate) fn duplicate_key(key: &str, node: &Node) -> Self {
        let help = "combine the values into one list, or remove one of the keys";
        Self::new(DiagnosticCode::DuplicateKey, format!("duplicate key `{key}`"), Some(help.into())).at_node(node)
    }

    /// Sets the place, unless a node further in has.
    pub(crate) fn at_node(mut self, node: &Node) -> Self {
        self.span.get_or_insert_with(|| node.span.clone());
        self
    }

    pub(crate) fn at_position(mut self, position: Option<usize>) -> Self {
        self.path.extend(position);
        self
    }
}

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for TypeError {}

impl de::Error for TypeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        let text = message.to_string();
        let (message, help) = suggest::split_help(&text);
        Self::new(DiagnosticCode::InvalidValue, message.to_owned(), help.map(ToOwned::to_owned))
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::new(DiagnosticCode::WrongType, format!("expected {expected}, found {unexpected}"), None)
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Self::unknown_word(variant, expected)
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self::unknown_key(field, expected)
    }

    fn missing_field(field: &'static str) -> Self {
        let help = MISSING_KEY_HELP.iter().find(|(key, _)| *key == field).map(|(_, help)| (*help).to_owned());
        let misfit = Self::new(DiagnosticCode::MissingKey, format!("missing key `{field}`"), help);
        Self { key: Some(field.into()), ..misfit }
    }
}
