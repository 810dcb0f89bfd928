//! `opaque:` — the effect of a shell text is not known.

#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::binding::Binding;
use super::interface::{CALL_KINDS, Condition, ConditionMatch, ConditionSpec, Reference, Selection};
use super::requirements::{Requirement, Requirements};
use crate::domain::facts::Facts;
use crate::domain::shell::OpaqueReason;
use crate::domain::text::template::RenderError;

/// Why something is not known: one of these reasons, or any.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OpaqueReasons(Vec<OpaqueReason>);

impl OpaqueReasons {
    /// Returns whether the condition is about parts that are not known for a reason.
    pub fn contains(&self, reason: OpaqueReason) -> bool {
        self.0.contains(&reason)
    }
}

impl Condition for OpaqueReasons {
    fn spec() -> ConditionSpec {
        ConditionSpec { kinds: Some(CALL_KINDS), selection: Selection::Action }
    }

    fn matches(&self, facts: &Facts<'_>, binding: &Binding) -> Result<ConditionMatch, RenderError> {
        let places = facts.opaque().iter().enumerate();
        let found = places
            .filter(|(index, _)| binding.opaque.is_none_or(|bound| bound == *index))
            .filter(|(_, place)| binding.command.is_none() || place.command == binding.command)
            .filter(|(_, place)| self.contains(place.reason))
            .map(|(index, place)| Binding {
                opaque: Some(index),
                command: binding.command.or(place.command),
                ..binding.clone()
            });
        Ok(found.collect::<Vec<_>>().into())
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn implies(&self, _: &Self) -> bool {
        false
    }

    fn require(&self, requirements: &mut Requirements) {
        let reasons = OpaqueReason::ALL.into_iter().filter(|reason| self.contains(*reason));
        requirements.add(Requirement::Opaque);
        requirements.reasons = reasons.fold(0, |bits, reason| bits | 1 << reason as u16);
    }

    fn for_each_reference(&self, _: &mut dyn FnMut(Reference<'_>)) {}
}

impl<'de> Deserialize<'de> for OpaqueReasons {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(OpaqueReasonsVisitor)
        } else {
            Vec::<OpaqueReason>::deserialize(deserializer).map(Self)
        }
    }
}

/// Reads `true`, one reason, or a list of them.
struct OpaqueReasonsVisitor;

impl<'de> Visitor<'de> for OpaqueReasonsVisitor {
    type Value = OpaqueReasons;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("`true` or reasons")
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<OpaqueReasons, E> {
        if value {
            // A program on disk that is not a readable script is ordinary, so it has to be asked for by name.
            return Ok(OpaqueReasons(OpaqueReason::ALL.into_iter().filter(|reason| !reason.is_script()).collect()));
        }
        Err(E::custom("`opaque: false` has no effect\nuse `true` or reasons, or put it under `except`"))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<OpaqueReasons, E> {
        OpaqueReason::deserialize(de::value::StrDeserializer::new(value)).map(|reason| OpaqueReasons(vec![reason]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<OpaqueReasons, A::Error> {
        let mut reasons = Vec::new();
        while let Some(reason) = items.next_element()? {
            reasons.push(reason);
        }
        Ok(OpaqueReasons(reasons))
    }
}

#[cfg(test)]
impl JsonSchema for OpaqueReasons {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Opaque".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names = OpaqueReason::ALL.map(OpaqueReason::name);
        json_schema!({
            "description": "`true` for any reason except unreadable scripts on disk, or a list of reasons.",
            "anyOf": [
                { "const": true },
                { "type": "string", "enum": names },
                { "type": "array", "items": { "type": "string", "enum": names }, "minItems": 1 },
            ],
        })
    }
}
