//! The schemas of what hosts take for an answer: they cover every event, pass over nothing, and refuse an answer that
//! is but a little wrong.

use crate::fuzz::targets::contract::{check_response, schemas, validate};
use crate::fuzz::targets::effects::single_effect;
use crate::hosts::{EFFECTS, INTERACTIVE, NONINTERACTIVE, with_event};
use ruleward::adapters::{HOSTS, Host, Response};
use serde_json::{Map, Value, json};

/// Fields whose words are the host's.
const HOST_FIELDS: &[&str] =
    &["continue", "decision", "permissionDecision", "behavior", "action", "mode", "retry", "clearContext"];
/// Fields that others may not stand without.
const DEPENDENT_FIELDS: &[&str] = &["hookEventName", "reason", "stopReason", "permissionDecisionReason"];

/// Lists the schemas that a schema is made of, itself first.
fn subschemas(schema: &Value) -> Vec<&Value> {
    let mut found = vec![schema];
    for word in ["properties", "$defs", "dependentSchemas"] {
        found
            .extend(schema.get(word).and_then(Value::as_object).into_iter().flat_map(Map::values).flat_map(subschemas));
    }
    for word in ["items", "additionalProperties"] {
        found.extend(schema.get(word).into_iter().flat_map(subschemas));
    }
    found.extend(schema.get("anyOf").and_then(Value::as_array).into_iter().flatten().flat_map(subschemas));
    found
}

#[test]
fn every_event_has_its_schema_and_every_schema_its_use() {
    for host in HOSTS {
        let root = schemas(host.name);
        let defined = root["$defs"].as_object().unwrap();
        for row in host.events {
            assert!(defined.contains_key(row.wire), "{} {}", host.name, row.wire);
        }
        let text = root.to_string();
        for name in defined.keys().filter(|name| host.event_row(name).is_none() && *name != "unknown") {
            assert!(text.contains(&format!("\"#/$defs/{name}\"")), "{} {name}", host.name);
        }
        assert!(text.contains(&format!("{} {} ", host.title, host.version)), "{} has another version", host.name);
    }
}

#[test]
fn schemas_say_of_every_object_what_else_may_be_in_it() {
    for host in HOSTS {
        let root = schemas(host.name);
        for part in subschemas(root) {
            for value in [json!(null), json!(""), json!([]), json!({})] {
                let fault = validate(root, part, &value, "$").err().unwrap_or_default();
                assert!(!fault.contains("is not known") && !fault.contains("there is no"), "{fault}: {part}");
            }
            let is_closed = part.get("additionalProperties").is_some() || part.get("type") != Some(&json!("object"));
            assert!(is_closed || part.get("properties").is_none(), "{}: {part}", host.name);
        }
    }
}

/// Every answer of which one thing is wrong, with what is wrong about it.
fn invalid_variants(answer: &Value) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    for place in ["", "/hookSpecificOutput", "/hookSpecificOutput/decision", "/hookSpecificOutput/toolConfig"] {
        let Some(fields) = answer.pointer(place).and_then(Value::as_object) else { continue };
        let mut put = |what: String, key: &str, value: Option<Value>| {
            let mut answer = answer.clone();
            let fields = answer.pointer_mut(place).unwrap().as_object_mut().unwrap();
            match value {
                Some(value) => fields.insert(key.to_owned(), value),
                None => fields.remove(key),
            };
            found.push((what, answer));
        };
        put(format!("{place}: a key that no host knows"), "made_up", Some(json!(true)));
        for (key, value) in fields {
            for other in [json!(null), json!(7), json!(["x"])] {
                // What a tool returned may have been a list.
                if std::mem::discriminant(value) != std::mem::discriminant(&other) && key != "updatedToolOutput" {
                    put(format!("{place}/{key}: {other}"), key, Some(other));
                }
            }
            if HOST_FIELDS.contains(&key.as_str()) && !value.is_object() {
                put(format!("{place}/{key}: another word"), key, Some(json!("DENY")));
                put(format!("{place}/{key}: the other switch"), key, Some(json!(!value.as_bool().unwrap_or_default())));
            }
            if key == "hookEventName" {
                put("another event".to_owned(), key, Some(json!("SessionEnd")));
            }
            if DEPENDENT_FIELDS.contains(&key.as_str()) {
                put(format!("{place}: without {key}"), key, None);
            }
        }
    }
    found
}

/// Gives each answer of the program to all that can be wanted, one thing or two.
fn for_each_answer(check: &mut dyn FnMut(&Host, &str, &Response)) {
    for host in HOSTS {
        for row in host.events {
            with_event(host, row, |event| {
                for (effect, other) in EFFECTS.iter().flat_map(|effect| EFFECTS.map(|other| (*effect, other))) {
                    for manner in [NONINTERACTIVE, INTERACTIVE] {
                        let verdict = single_effect(effect).merge(single_effect(other));
                        check(host, row.wire, &host.answer(event, verdict, manner).response);
                    }
                }
            });
        }
    }
}

#[test]
fn whatever_two_rules_want_is_said_as_the_host_takes_it() {
    for_each_answer(&mut |host, wire, response| check_response(host, Some(wire), response).unwrap());
}

#[test]
fn an_answer_that_is_a_little_wrong_is_found() {
    let mut tried = 0;
    let mut passed = Vec::new();
    for_each_answer(&mut |host, wire, response| {
        let mut wrong = |what: String, response: Response| {
            tried += 1;
            if check_response(host, Some(wire), &response).is_ok() {
                passed.push(format!("{} {wire}, {what}: {response:?}", host.name));
            }
        };
        let exit = |exit: u8| Response { exit_code: exit, ..response.clone() };
        wrong("an exit code that hosts take for an approval".to_owned(), exit(1));
        let Ok(answer) = serde_json::from_str::<Value>(&response.stdout) else { return };
        wrong("an answer beside an exit code".to_owned(), exit(2));
        for text in [format!("note\n{}", response.stdout), format!("{0}\n{0}", response.stdout), "null".to_owned()] {
            wrong("more or less than an object".to_owned(), Response { stdout: text, ..Response::default() });
        }
        for (what, answer) in invalid_variants(&answer) {
            wrong(what, Response::json(&answer));
        }
    });
    assert!(passed.is_empty(), "{} of {tried}:\n{}", passed.len(), passed.join("\n"));
    assert!(tried > 10_000, "{tried}");
}

#[test]
fn silence_where_a_refusal_was_due_is_found() {
    for host in HOSTS {
        let silent = Response { exit_code: 2, ..Response::default() };
        assert!(check_response(host, None, &silent).is_err(), "{}", host.name);
        // This one takes what stands on standard error for the answer.
        let talks = Response { stderr: "a word\n".into(), ..Response::default() };
        assert_eq!(check_response(host, None, &talks).is_err(), host.reads_stderr, "{}", host.name);
    }
    let claude = Host::by_name("claude").unwrap();
    let refused = Response::from_exit_code(2, "No.");
    assert!(check_response(claude, Some("PreToolUse"), &refused).is_ok());
    assert!(check_response(claude, Some("PermissionRequest"), &refused).is_err());
}
