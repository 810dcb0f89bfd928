//! `opaque:` — what a shell text does is not known from it.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::domain::facts::Facts;
use crate::domain::focus::Focus;
use crate::domain::shell::OpaqueReason;

/// Why something is not known: one of these reasons, or any.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Opaque(Vec<OpaqueReason>);

impl Opaque {
    /// Tells whether the condition is about places that are not known for a reason.
    pub fn is_about(&self, reason: OpaqueReason) -> bool {
        self.0.contains(&reason)
    }

    /// Tells whether no reason is given.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn narrow(&self, facts: &Facts<'_>, focus: &Focus) -> Vec<Focus> {
        let places = facts.opaque().iter().enumerate();
        places
            .filter(|(index, _)| focus.opaque.is_none_or(|focus| focus == *index))
            .filter(|(_, place)| focus.command.is_none() || place.by == focus.command)
            .filter(|(_, place)| self.is_about(place.reason))
            .map(|(index, place)| Focus { opaque: Some(index), command: focus.command.or(place.by), ..focus.clone() })
            .collect()
    }
}

impl<'de> Deserialize<'de> for Opaque {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(Words)
        } else {
            Vec::<OpaqueReason>::deserialize(deserializer).map(Self)
        }
    }
}

/// Reads `true`, one reason, or a list of them.
struct Words;

impl<'de> Visitor<'de> for Words {
    type Value = Opaque;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("`true` or reasons")
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Opaque, E> {
        if value {
            // That a program on disk is no readable script is ordinary, and asked for by its name only.
            return Ok(Opaque(OpaqueReason::ALL.into_iter().filter(|reason| !reason.is_script()).collect()));
        }
        Err(E::custom("`opaque: false` asks for nothing\nwrite `true` or reasons, or put it under `except`"))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Opaque, E> {
        OpaqueReason::deserialize(de::value::StrDeserializer::new(value)).map(|reason| Opaque(vec![reason]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Opaque, A::Error> {
        let mut reasons = Vec::new();
        while let Some(reason) = items.next_element()? {
            reasons.push(reason);
        }
        Ok(Opaque(reasons))
    }
}

impl JsonSchema for Opaque {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Opaque".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names = OpaqueReason::ALL.map(OpaqueReason::name);
        json_schema!({
            "description": "`true` for any reason but scripts on disk that cannot be read, or the reasons for which something is not known.",
            "anyOf": [
                { "const": true },
                { "type": "string", "enum": names },
                { "type": "array", "items": { "type": "string", "enum": names }, "minItems": 1 },
            ],
        })
    }
}
