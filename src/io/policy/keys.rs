//! The keys that a struct of the domain takes, asked of the struct itself.

use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, forward_to_deserialize_any};

/// Returns the keys that a struct takes.
pub(crate) fn keys_of<'de, T: Deserialize<'de>>() -> &'static [&'static str] {
    match T::deserialize(KeyProbe) {
        Ok(_) => &[],
        Err(ProbedKeys(keys)) => keys,
    }
}

/// Asks a type which keys it takes, and nothing more.
struct KeyProbe;

/// The answer to a [`KeyProbe`].
#[derive(Debug)]
struct ProbedKeys(&'static [&'static str]);

impl fmt::Display for ProbedKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

impl std::error::Error for ProbedKeys {}

impl de::Error for ProbedKeys {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self(&[])
    }
}

impl<'de> Deserializer<'de> for KeyProbe {
    type Error = ProbedKeys;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, ProbedKeys> {
        Err(ProbedKeys(&[]))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, ProbedKeys> {
        Err(ProbedKeys(fields))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
