//! The schemas of policy files and of test files, for editors.
//!
//! It is drawn from the types that a policy is read into. What the reader takes beyond them (one
//! value for a list of one, short forms) is added here by rule, so that the schema and the reader
//! cannot drift apart.

#[cfg(test)]
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::document::Document;
use super::test_case::Suite;
use crate::domain::policy::host_name::HostName;

/// Returns the schema of policy files that may name these hosts, as it is published.
pub(crate) fn policy_schema(hosts: &[HostName]) -> String {
    to_published_json(&with_tests(generate::<Document>(), &generate::<Suite>()), hosts, "ruleward policy")
}

/// Returns the schema of test files, as it is published.
pub(crate) fn suite_schema() -> String {
    to_published_json(&generate::<Suite>(), &[], "ruleward policy tests")
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
fn complete(drawn: &Value, hosts: &[HostName], title: &str) -> Value {
    let mut schema = drawn.clone();
    simplify(&mut schema);
    if let Some(definitions) = schema.get_mut("definitions").and_then(Value::as_object_mut) {
        definitions.values_mut().for_each(|definition| add_hosts(definition, hosts));
        definitions.values_mut().for_each(add_shorthands);
        definitions.values_mut().for_each(move_description_to_comment);
    }
    if let Value::Object(root) = &mut schema {
        root.insert("title".into(), json!(title));
    }
    schema
}

fn to_published_json(drawn: &Value, hosts: &[HostName], title: &str) -> String {
    let mut text = serde_json::to_string_pretty(&complete(drawn, hosts, title)).unwrap_or_default();
    text.push('\n');
    text
}

/// Returns the schema of the types alone.
fn generate<T: JsonSchema>() -> Value {
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
            remove_null(entries);
            if let Some(Value::String(description)) = entries.get_mut("description") {
                *description = description.replace('\n', " ");
            }
            allow_single_item(entries);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn remove_null(entries: &mut Map<String, Value>) {
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
fn allow_single_item(entries: &mut Map<String, Value>) {
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

/// Adds the hosts as whose hooks a program can be run to the words that may be in their place.
fn add_hosts(definition: &mut Value, hosts: &[HostName]) {
    let Value::Object(entries) = definition else { return };
    if entries.remove("x-hosts").is_none() {
        return;
    }
    let Some(Value::Array(words)) = entries.get_mut("oneOf") else { return };
    for name in HostName::protocols(hosts) {
        let title = hosts.iter().find(|host| host.name == name).map_or(name, |host| host.title);
        let description = format!("As a hook of {title}, whatever the host is.");
        words.push(json!({ "type": "string", "const": name, "description": description }));
    }
}

/// Lets the short form of a struct stand for it.
fn add_shorthands(definition: &mut Value) {
    let Value::Object(entries) = definition else { return };
    let name = |value: Value| value.as_str().map(ToOwned::to_owned);
    let Some(one) = entries.remove("x-shorthand").and_then(name) else { return };
    let list = entries.remove("x-shorthand-list").and_then(name);
    let field = |name: &str| {
        let mut form = entries.get("properties").and_then(|fields| fields.get(name)).cloned().unwrap_or_default();
        // It would be told of the whole, where the short form is.
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
fn move_description_to_comment(definition: &mut Value) {
    let Value::Object(entries) = definition else { return };
    if let Some(description) = entries.remove("description") {
        entries.insert("$comment".into(), description);
    }
}

#[cfg(test)]
mod tests {
    use super::generate;
    use crate::domain::condition::Conditions;
    use crate::io::policy::document::Document;
    use crate::io::policy::keys::keys_of;
    use crate::io::policy::read::SHORTHANDS;

    #[test]
    fn short_forms_are_those_that_the_reader_takes() {
        let schema = generate::<Document>();
        let definitions = schema["definitions"].as_object().unwrap();
        let marked = definitions.iter().filter_map(|(name, definition)| {
            let one = definition.get("x-shorthand")?.as_str()?;
            let list = definition.get("x-shorthand-list").map_or(Some(one), |list| list.as_str())?;
            Some((name.as_str(), one, list))
        });
        assert_eq!(marked.collect::<Vec<_>>(), SHORTHANDS);
    }

    #[test]
    fn every_condition_is_read_published_and_documented() {
        let keys = Conditions::specs().map(|(key, _)| key);
        assert_eq!(keys_of::<Conditions>(), keys);
        let schema = generate::<Document>();
        let published = schema["definitions"]["Conditions"]["properties"].as_object().unwrap();
        let documents = std::fs::read_to_string(format!("{}/docs/policy.md", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let cells: String = documents.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next()).collect();
        for key in keys {
            assert!(published.contains_key(key), "`{key}` is not in the schema");
            let is_documented = cells.contains(&format!("`{key}`")) || cells.contains(&format!("`{key}: "));
            assert!(is_documented, "`{key}` is in no row of docs/policy.md");
        }
        assert_eq!(published.len(), keys.len());
    }
}
