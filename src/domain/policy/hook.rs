//! `hooks:` — programs that look at events by themselves, each written as one entry.
//!
//! A hook is a rule whose only effect is a run; the keys of the run are beside the conditions instead of under
//! `then`. It is read into that rule, so there is only one kind of entry to judge.

#[cfg(test)]
use std::borrow::Cow;

#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator};
#[cfg(test)]
use serde_json::{Map, Value, json};

#[cfg(test)]
use super::rule::Rule;
#[cfg(test)]
use super::run::Run;
#[cfg(test)]
use crate::domain::condition::Conditions;

/// The keys of a hook, besides its conditions and those of its run.
pub const HOOK_KEYS: &[&str] =
    &["id", "description", "severity", "mode", "exceptions", "when", "conditions", "except", "run", "examples"];

/// A hook, as it is written.
#[cfg(test)]
#[derive(Debug)]
pub struct HookEntry;

#[cfg(test)]
impl JsonSchema for HookEntry {
    fn schema_name() -> Cow<'static, str> {
        "Hook".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = Rule::json_schema(generator);
        let conditions = properties(&Conditions::json_schema(generator));
        let of_run = properties(&Run::json_schema(generator));
        let program = generator.subschema_for::<Run>();
        if let Some(Value::Object(own)) = schema.get_mut("properties") {
            own.remove("then");
            own.extend(of_run.into_iter().filter(|(key, _)| key != "command" && !conditions.contains_key(key)));
            let about = "The program and its arguments, or `{ shell: \"…\" }`.";
            own.insert("run".into(), json!({ "description": about, "allOf": [program] }));
        }
        schema.insert("required".into(), json!(["id", "when", "run"]));
        schema
    }
}

#[cfg(test)]
fn properties(schema: &Schema) -> Map<String, Value> {
    schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default()
}
