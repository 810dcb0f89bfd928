//! The schemas of policy files and of test files, for editors.
//!
//! It is drawn from the types that a policy is read into. What the reader takes beyond them (one
//! value for a list of one, short forms) is added here by rule, so that the schema and the reader
//! cannot drift apart.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::document::Document;
use crate::io::suite::Suite;

/// Returns the schema of policy files, as it is published.
pub fn policy() -> String {
    published(&with_tests(drawn::<Document>(), &drawn::<Suite>()), "ruleward policy")
}

/// Returns the schema of test files, as it is published.
pub fn suite() -> String {
    published(&drawn::<Suite>(), "ruleward policy tests")
}

/// Says what the tests in a policy are: its reader leaves them to whoever runs them.
fn with_tests(mut policy: Value, suite: &Value) -> Value {
    if let (Some(Value::Object(known)), Some(Value::Object(more))) =
        (policy.get_mut("definitions"), suite.get("definitions"))
    {
        known.extend(more.clone());
    }
    let path = "/properties/tests/items";
    if let (Some(items), Some(cases)) = (policy.pointer_mut(path), suite.pointer(path)) {
        items.clone_from(cases);
    }
    policy
}

/// Brings the schema of the types into the form that the reader knows.
fn completed(drawn: &Value, title: &str) -> Value {
    let mut schema = drawn.clone();
    simplify(&mut schema);
    if let Some(definitions) = schema.get_mut("definitions").and_then(Value::as_object_mut) {
        definitions.values_mut().for_each(add_short_forms);
        definitions.values_mut().for_each(leave_the_word_to_keys);
    }
    if let Value::Object(root) = &mut schema {
        root.insert("title".into(), json!(title));
    }
    schema
}

fn published(drawn: &Value, title: &str) -> String {
    let mut text = serde_json::to_string_pretty(&completed(drawn, title)).unwrap_or_default();
    text.push('\n');
    text
}

/// Returns the schema of the types alone.
fn drawn<T: JsonSchema>() -> Value {
    // The newest draft that editors know in full.
    SchemaSettings::draft07().into_generator().into_root_schema_for::<T>().into()
}

/// Brings a schema and all within it into the form that the reader knows: a key that is left out
/// is not `null`, and one value may stand for a list.
fn simplify(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(simplify),
        Value::Object(entries) => {
            entries.values_mut().for_each(simplify);
            without_null(entries);
            if let Some(Value::String(description)) = entries.get_mut("description") {
                *description = description.replace('\n', " ");
            }
            one_or_many(entries);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn without_null(entries: &mut Map<String, Value>) {
    let says_nothing = |value: &Value| match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(entries) => entries.values().all(|value| value.as_array().is_some_and(Vec::is_empty)),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    };
    if entries.get("default").is_some_and(says_nothing) {
        entries.remove("default");
    }
    if let Some(Value::Array(types)) = entries.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            entries.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(choices)) = entries.get_mut("anyOf") {
        choices.retain(|choice| *choice != json!({ "type": "null" }));
        if let [only] = choices.as_slice() {
            let only = only.clone();
            entries.remove("anyOf");
            entries.insert("allOf".into(), json!([only]));
        }
    }
}

/// Lets one value stand for a list of one.
fn one_or_many(entries: &mut Map<String, Value>) {
    if entries.get("type") != Some(&json!("array")) {
        return;
    }
    let Some(items) = entries.get("items").cloned() else { return };
    let mut list = Map::new();
    for key in ["type", "items", "minItems"] {
        list.extend(entries.remove(key).map(|value| (key.to_owned(), value)));
    }
    entries.insert("anyOf".into(), json!([items, list]));
}

/// Lets the short form of a struct stand for it.
fn add_short_forms(definition: &mut Value) {
    let Value::Object(entries) = definition else { return };
    let name = |value: Value| value.as_str().map(ToOwned::to_owned);
    let Some(one) = entries.remove("x-shorthand").and_then(name) else { return };
    let list = entries.remove("x-shorthand-list").and_then(name);
    let field = |name: &str| {
        let mut form = entries.get("properties").and_then(|fields| fields.get(name)).cloned().unwrap_or_default();
        // It would be told of the whole, where the short form stands.
        form.as_object_mut().map(|form| form.remove("description"));
        form
    };
    let mut forms = match list {
        // Of a field that takes any value, a map is not the short form.
        Some(_) => vec![json!({ "type": ["string", "number", "boolean"] }), json!({ "type": "array" })],
        None => vec![field(&one)],
    };
    let description = entries.remove("description");
    forms.insert(0, Value::Object(std::mem::take(entries)));
    entries.extend(description.map(|description| ("description".to_owned(), description)));
    entries.insert("anyOf".into(), Value::Array(forms));
}

/// Keeps what a type is from hiding what a key is for: of several descriptions that hold for one
/// place, editors show the innermost.
fn leave_the_word_to_keys(definition: &mut Value) {
    let Value::Object(entries) = definition else { return };
    if let Some(description) = entries.remove("description") {
        entries.insert("$comment".into(), description);
    }
}

#[cfg(test)]
mod tests {
    use super::super::document::Document;
    use super::{drawn, policy, suite};
    use crate::io::policy::read::SHORTHANDS;

    #[test]
    fn short_forms_are_those_that_the_reader_takes() {
        let schema = drawn::<Document>();
        let definitions = schema["definitions"].as_object().unwrap();
        let marked = definitions.iter().filter_map(|(name, definition)| {
            let one = definition.get("x-shorthand")?.as_str()?;
            let list = definition.get("x-shorthand-list").map_or(Some(one), |list| list.as_str())?;
            Some((name.as_str(), one, list))
        });
        assert_eq!(marked.collect::<Vec<_>>(), SHORTHANDS);
    }

    #[test]
    fn the_published_schemas_are_up_to_date() {
        for (name, text) in [("policy", policy()), ("suite", suite())] {
            let path = format!("{}/schema/{name}.schema.json", env!("CARGO_MANIFEST_DIR"));
            if std::env::var_os("RULEWARD_BLESS").is_some() {
                std::fs::write(&path, &text).unwrap();
            }
            let stored = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(stored == text, "run the tests with RULEWARD_BLESS=1 to rewrite {path}");
        }
    }
}
