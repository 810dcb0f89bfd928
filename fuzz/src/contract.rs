//! What each host takes for an answer to each event: a JSON Schema for each host, in `contracts/`.
//!
//! Checked by the few words of JSON Schema that they use. A word that is not among them is a fault of the schema,
//! so that nothing which a schema asks for is passed over.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use ruleward::adapters::{HOSTS, Host, Response};
use serde_json::{Map, Value, json};

/// What stands in the place of an event that could not be read.
const UNKNOWN_EVENT: &str = "unknown";

/// Words that say something to people, or hold what others refer to.
const ANNOTATION_KEYWORDS: &[&str] =
    &["$schema", "$id", "$comment", "$defs", "definitions", "title", "description", "default", "format"];

/// Returns the schemas of a host, by its name.
pub(crate) fn schemas(host: &str) -> &'static Value {
    static ALL: LazyLock<Map<String, Value>> = LazyLock::new(|| {
        // The crate of the tests and that of the fuzz targets both compile this file.
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folders = [root.join("contracts"), root.join("fuzz/contracts")];
        let folder = folders.iter().find(|folder| folder.is_dir()).expect("the folder of the schemas");
        let read = |name: &str| -> Value {
            let text = fs::read_to_string(folder.join(format!("{name}.json"))).expect("a host with schemas");
            serde_json::from_str(&text).expect("a schema in JSON")
        };
        HOSTS.iter().map(|host| (host.name.to_owned(), read(host.name))).collect()
    });
    ALL.get(host).expect("a host with schemas")
}

/// Holds the answer to an event to what the host takes; `wire` is the host's name of the event, where that could be
/// read.
pub(crate) fn check_response(host: &Host, wire: Option<&str>, response: &Response) -> Result<(), String> {
    let Response { stdout, stderr, exit_code: exit } = response;
    let at = |fault: String| format!("{} {}: {fault}: {response:?}", host.name, wire.unwrap_or(UNKNOWN_EVENT));
    match (exit, stdout.is_empty(), stderr.trim().is_empty()) {
        // One that reads standard error would take it for the answer.
        (0, true, silent) if silent || !host.reads_stderr => Ok(()),
        (0, false, _) => check_output(host, wire, stdout).map_err(at),
        // Without a reason some hosts take it for an approval; and at this one nobody heeds the exit code.
        (2, true, false) if wire != Some("PermissionRequest") => Ok(()),
        _ => Err(at("neither an answer nor a refusal".to_owned())),
    }
}

fn check_output(host: &Host, wire: Option<&str>, stdout: &str) -> Result<(), String> {
    if !stdout.is_ascii() {
        return Err("not in ASCII".to_owned());
    }
    let answer: Value = serde_json::from_str(stdout).map_err(|error| error.to_string())?;
    let named = answer.pointer("/hookSpecificOutput/hookEventName");
    if named.is_some_and(|named| named.as_str() != wire) {
        return Err("another event is named".to_owned());
    }
    let root = schemas(host.name);
    let event = wire.unwrap_or(UNKNOWN_EVENT);
    let schema = root.pointer(&format!("/$defs/{event}")).ok_or_else(|| format!("no schema of `{event}`"))?;
    validate(root, schema, &answer, "$")
}

/// Tells whether a value is what a schema describes; `path` is where it stands.
pub(crate) fn validate(root: &Value, schema: &Value, value: &Value, path: &str) -> Result<(), String> {
    let Value::Object(words) = schema else {
        return if *schema == json!(true) { Ok(()) } else { Err(format!("{path} may not be there")) };
    };
    words.iter().try_for_each(|(word, means)| validate_keyword(root, words, (word, means), value, path))
}

fn validate_keyword(
    root: &Value,
    words: &Map<String, Value>,
    (word, means): (&str, &Value),
    value: &Value,
    path: &str,
) -> Result<(), String> {
    let expect = |held: bool| if held { Ok(()) } else { Err(format!("{path} is not of {word} {means}: {value}")) };
    let names = || means.as_array().into_iter().flatten().filter_map(Value::as_str);
    let has = |key: &str| value.get(key).is_some();
    let length = |length: usize| means.as_u64().is_some_and(|bound| length as u64 >= bound);
    match (word, value) {
        ("$ref", _) => {
            let target = means.as_str().and_then(|place| root.pointer(place.strip_prefix('#')?));
            validate(root, target.ok_or_else(|| format!("there is no {means}"))?, value, path)
        }
        ("type", _) => expect(is_of_type(value, means) || names().any(|name| is_of_type(value, &json!(name)))),
        ("const", _) => expect(means == value),
        ("enum", _) => expect(means.as_array().is_some_and(|values| values.contains(value))),
        ("anyOf", _) => {
            let mut schemas = means.as_array().into_iter().flatten();
            expect(schemas.any(|schema| validate(root, schema, value, path).is_ok()))
        }
        ("maxLength", Value::String(text)) => {
            expect(means.as_u64().is_some_and(|most| text.chars().count() as u64 <= most))
        }
        ("required", Value::Object(_)) => expect(names().all(has)),
        ("minProperties", Value::Object(fields)) => expect(length(fields.len())),
        ("dependentRequired", Value::Object(_)) => {
            entries(means).filter(|(key, _)| has(key)).try_for_each(|(_, others)| {
                expect(others.as_array().into_iter().flatten().filter_map(Value::as_str).all(has))
            })
        }
        ("dependentSchemas", Value::Object(_)) => {
            entries(means).filter(|(key, _)| has(key)).try_for_each(|(_, schema)| validate(root, schema, value, path))
        }
        ("properties", Value::Object(fields)) => entries(means)
            .filter_map(|(key, schema)| Some((key, schema, fields.get(key)?)))
            .try_for_each(|(key, schema, field)| validate(root, schema, field, &format!("{path}.{key}"))),
        ("additionalProperties", Value::Object(fields)) => {
            let known = |key: &str| words.get("properties").is_some_and(|known| known.get(key).is_some());
            let mut others = fields.iter().filter(|(key, _)| !known(key));
            others.try_for_each(|(key, field)| validate(root, means, field, &format!("{path}.{key}")))
        }
        ("items", Value::Array(items)) => {
            let mut places = items.iter().enumerate();
            places.try_for_each(|(at, item)| validate(root, means, item, &format!("{path}[{at}]")))
        }
        ("minItems" | "uniqueItems" | "minimum" | "maximum", _) => expect(is_within(word, means, value)),
        // These say nothing of values of other types.
        (
            "maxLength"
            | "required"
            | "minProperties"
            | "dependentRequired"
            | "dependentSchemas"
            | "properties"
            | "additionalProperties"
            | "items",
            _,
        ) => Ok(()),
        _ if ANNOTATION_KEYWORDS.contains(&word) => Ok(()),
        _ => Err(format!("{path}: the word `{word}` is not known")),
    }
}

/// Tells whether a list or a number is within a bound; it says nothing of values of other types.
fn is_within(word: &str, bound: &Value, value: &Value) -> bool {
    match (word, value) {
        ("minItems", Value::Array(items)) => bound.as_u64().is_some_and(|least| items.len() as u64 >= least),
        ("uniqueItems", Value::Array(items)) => {
            let is_new = |at: usize| items.iter().take(at).all(|other| Some(other) != items.get(at));
            *bound != json!(true) || (0..items.len()).all(is_new)
        }
        ("minimum", Value::Number(number)) => number.as_f64() >= bound.as_f64(),
        ("maximum", Value::Number(number)) => number.as_f64() <= bound.as_f64(),
        _ => true,
    }
}

fn entries(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value.as_object().into_iter().flatten().map(|(key, value)| (key.as_str(), value))
}

fn is_of_type(value: &Value, name: &Value) -> bool {
    name == type_of(value) || *name == json!("integer") && (value.is_u64() || value.is_i64())
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
