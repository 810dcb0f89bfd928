//! What the structure of rules says of them before any event: which conditions imply which others,
//! and which can never hold.
//!
//! Nothing is guessed. One thing implies another when it asks the same or more, and lists the same
//! or less of what is enough; where that is not plain to see, the answer is no.

use std::collections::BTreeSet;

use serde_json::Value;

use super::condition::{Conditions, Matcher};
use super::literal::Literal;
use super::rule::{Mode, Rule};

/// Tells whether the second conditions hold for everything that the first hold for.
pub fn implies(narrow: &Conditions, wide: &Conditions) -> bool {
    // Most rules have nothing to do with one another, and this says so at little cost.
    let asked = narrow.questions();
    if wide.questions().iter().any(|question| !asked.contains(question)) {
        return false;
    }
    let (Ok(Value::Object(narrow)), Ok(Value::Object(wide))) =
        (serde_json::to_value(narrow), serde_json::to_value(wide))
    else {
        return false;
    };
    let asked = wide.iter().filter(|(_, asked)| !asked.is_null());
    asked.into_iter().all(|(key, wide)| narrow.get(key).is_some_and(|narrow| question_implies(key, narrow, wide)))
}

fn question_implies(key: &str, narrow: &Value, wide: &Value) -> bool {
    if narrow == wide {
        return true;
    }
    match key {
        "host" | "tool" | "subagent" | "permission_mode" | "command" => lists_less(Some(narrow), Some(wide)),
        "files" => {
            same_but(narrow, wide, &["paths", "access", "except"])
                && restricts(narrow, wide, &["paths"])
                && restricts(narrow, wide, &["access"])
                && lists_less(wide.get("except"), narrow.get("except"))
        }
        "urls" => same_but(narrow, wide, &["hosts", "regex"]) && restricts(narrow, wide, &["hosts", "regex"]),
        "does" => same_but(narrow, wide, &["what"]) && restricts(narrow, wide, &["what"]),
        "shell" | "content" | "prompt" | "output" | "response" => {
            same_but(narrow, wide, &["contains", "regex"]) && restricts(narrow, wide, &["contains", "regex"])
        }
        "match" => match (narrow, wide) {
            (Value::Object(narrow), Value::Object(wide)) => {
                wide.iter().all(|(field, asked)| narrow.get(field) == Some(asked))
            }
            _ => false,
        },
        _ => false,
    }
}

/// Tells whether two questions differ in nothing but some of their lists.
fn same_but(narrow: &Value, wide: &Value, lists: &[&str]) -> bool {
    let (Value::Object(narrow), Value::Object(wide)) = (narrow, wide) else { return false };
    let keys: BTreeSet<&String> = narrow.keys().chain(wide.keys()).collect();
    keys.into_iter().filter(|key| !lists.contains(&key.as_str())).all(|key| narrow.get(key) == wide.get(key))
}

/// Tells whether lists of what is enough say no more than others; of several together one entry is
/// enough, and no entry at all restricts nothing.
fn restricts(narrow: &Value, wide: &Value, lists: &[&str]) -> bool {
    let is_open = |question: &Value| {
        lists.iter().all(|list| question.get(list).and_then(Value::as_array).is_none_or(Vec::is_empty))
    };
    is_open(wide) || (!is_open(narrow) && lists.iter().all(|list| lists_less(narrow.get(list), wide.get(list))))
}

fn lists_less(less: Option<&Value>, more: Option<&Value>) -> bool {
    let (Some(Value::Array(less)), Some(Value::Array(more))) = (less, more) else { return less == more };
    less.iter().all(|item| more.contains(item))
}

/// Tells whether an exception of the rule holds for everything that the rule holds for. Returns its
/// position.
pub fn always_excused(rule: &Rule) -> Option<usize> {
    rule.except.iter().position(|exception| implies(&rule.conditions, exception))
}

/// Tells whether a rule holds whenever another does, at every moment that the other watches.
pub fn covers(wide: &Rule, narrow: &Rule) -> bool {
    let excuses = |exception: &Conditions| narrow.except.iter().any(|other| implies(exception, other));
    narrow.when.iter().all(|moment| wide.when.contains(moment.kind))
        && implies(&narrow.conditions, &wide.conditions)
        && wide.except.iter().all(excuses)
}

/// How strict what a rule decides is, when it decides and does nothing else.
fn decides(rule: &Rule) -> Option<u8> {
    let then = &rule.then;
    let silent = then.context.is_none() && then.warn.is_none() && then.audit.is_none() && then.retry.is_none();
    let plain = silent && then.rewrite.is_none() && then.stop.is_none();
    match (&then.deny, &then.ask, &then.allow) {
        (Some(_), None, None) if plain => Some(2),
        (None, Some(_), None) if plain => Some(1),
        (None, None, Some(_)) if plain => Some(0),
        _ => None,
    }
}

/// Tells whether one rule leaves another nothing to decide: it holds whenever the other does, and is as
/// strict or stricter.
pub fn shadows(wide: &Rule, narrow: &Rule) -> bool {
    let strict = |rule: &Rule| match (&rule.then.deny, &rule.then.stop, &rule.then.ask) {
        (Some(_), ..) | (_, Some(_), _) => 2,
        (.., Some(_)) => 1,
        _ => 0,
    };
    let Some(own) = decides(narrow) else { return false };
    // A question of style does not look into scripts, and a grave one does.
    let looks_as_far = strict(wide) == 2 || wide.severity >= narrow.severity;
    wide.mode == Mode::Enforce && strict(wide) > 0 && strict(wide) >= own && looks_as_far && covers(wide, narrow)
}

/// Returns the field that two rules give different values whenever both hold, when one always holds with
/// the other.
pub fn rewrites_against<'r>(one: &'r Rule, other: &'r Rule) -> Option<&'r str> {
    let (ours, theirs) = (one.then.rewrite.as_ref()?, other.then.rewrite.as_ref()?);
    if !covers(one, other) && !covers(other, one) {
        return None;
    }
    ours.iter()
        .find(|(field, value)| theirs.get(*field).is_some_and(|other| other != *value))
        .map(|(field, _)| field.as_str())
}

/// Returns the field under `match` that can be no such thing, and why.
pub fn contradiction(conditions: &Conditions) -> Option<(&str, String)> {
    let fields = conditions.r#match.iter().flatten();
    fields.into_iter().find_map(|(field, matcher)| Some((field.as_str(), of_matcher(matcher)?)))
}

fn of_matcher(matcher: &Matcher) -> Option<String> {
    let Matcher { equals, one_of, not, lt, gt, exists, .. } = matcher;
    if let (Some(equals), Some(not)) = (equals, not)
        && equals == not
    {
        return Some("it is to be a value and not to be it".into());
    }
    if equals.as_ref().is_some_and(|equals| !one_of.is_empty() && !one_of.contains(equals)) {
        return Some("`equals` is none of `one_of`".into());
    }
    if let (Some(lt), Some(gt)) = (lt, gt)
        && lt <= gt
    {
        return Some(format!("no number is below {lt} and above {gt}"));
    }
    if let (Some(Literal::Int(number)), Some(limit)) = (equals, lt)
        && *limit <= as_number(*number)
    {
        return Some(format!("{number} is not below {limit}"));
    }
    let asks_value = equals.is_some() || !one_of.is_empty() || lt.is_some() || gt.is_some();
    (*exists == Some(false) && asks_value).then(|| "what is not there has no value".into())
}

#[expect(clippy::cast_precision_loss, reason = "it is compared with a number that was written as one")]
const fn as_number(number: i64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{always_excused, contradiction, covers, implies, rewrites_against, shadows};
    use crate::domain::condition::Conditions;
    use crate::domain::rule::Rule;

    fn conditions(value: &serde_json::Value) -> Conditions {
        serde_json::from_value(value.clone()).unwrap()
    }

    fn rule(conditions: &serde_json::Value, except: &serde_json::Value, then: &serde_json::Value) -> Rule {
        let rule =
            json!({ "id": "r", "when": ["tool.before"], "conditions": conditions, "except": except, "then": then });
        serde_json::from_value(rule).unwrap()
    }

    #[test]
    fn more_questions_and_fewer_alternatives_imply() {
        let files = |paths: &[&str], except: &[&str]| json!({ "files": { "paths": paths, "except": except } });
        for (narrow, wide, implied) in [
            (json!({ "command": ["a"] }), json!({}), true),
            (json!({}), json!({ "command": ["a"] }), false),
            (json!({ "command": ["a"] }), json!({ "command": ["a", "b"] }), true),
            (json!({ "command": ["a", "c"] }), json!({ "command": ["a", "b"] }), false),
            (json!({ "command": ["a"], "tool": ["shell"] }), json!({ "command": ["a"] }), true),
            (files(&["a"], &[]), files(&["a", "b"], &[]), true),
            (files(&["a"], &[]), files(&[], &[]), true),
            (files(&[], &[]), files(&["a"], &[]), false),
            (files(&["a"], &[]), files(&["a"], &["x"]), false),
            (files(&["a"], &["x", "y"]), files(&["a"], &["x"]), true),
            (
                json!({ "content": { "contains": ["a"] } }),
                json!({ "content": { "contains": ["a"], "regex": ["b"] } }),
                true,
            ),
            (
                json!({ "content": { "contains": ["a"] } }),
                json!({ "content": { "contains": ["a"], "ignore_case": true } }),
                false,
            ),
            (
                json!({ "match": { "host": { "equals": "a" }, "message": { "equals": "b" } } }),
                json!({ "match": { "host": { "equals": "a" } } }),
                true,
            ),
            (json!({ "if": "host == 'a'" }), json!({ "if": "host == 'b'" }), false),
        ] {
            assert_eq!(implies(&conditions(&narrow), &conditions(&wide)), implied, "{narrow} {wide}");
        }
    }

    #[test]
    fn rules_shadow_one_another() {
        let ab = json!({ "command": ["a", "b"] });
        let a = json!({ "command": ["a"] });
        let (deny, ask) = (json!({ "deny": "d" }), json!({ "ask": "q" }));
        let none = json!([]);
        assert!(shadows(&rule(&ab, &none, &deny), &rule(&a, &none, &ask)));
        assert!(!shadows(&rule(&ab, &none, &ask), &rule(&a, &none, &deny)), "milder");
        assert!(!shadows(&rule(&a, &none, &deny), &rule(&ab, &none, &ask)), "narrower");
        assert!(
            !shadows(&rule(&ab, &none, &deny), &rule(&a, &none, &json!({ "ask": "q", "warn": "w" }))),
            "it also warns"
        );
        let exception = json!([{ "host": ["x"] }]);
        assert!(!shadows(&rule(&ab, &exception, &deny), &rule(&a, &none, &ask)), "it has an exception");
        assert!(shadows(&rule(&ab, &exception, &deny), &rule(&a, &exception, &ask)));
        assert!(covers(&rule(&ab, &exception, &deny), &rule(&a, &json!([{ "host": ["x", "y"] }]), &ask)));
        assert_eq!(always_excused(&rule(&a, &json!([{ "host": ["x"] }, { "command": ["a", "b"] }]), &deny)), Some(1));
    }

    #[test]
    fn what_cannot_be_is_named() {
        let of = |matcher: serde_json::Value| {
            contradiction(&conditions(&json!({ "match": { "message": matcher } }))).is_some()
        };
        assert!(of(json!({ "lt": 1.0, "gt": 2.0 })));
        assert!(of(json!({ "equals": "a", "not": "a" })));
        assert!(of(json!({ "equals": "a", "one_of": ["b"] })));
        assert!(of(json!({ "exists": false, "equals": "a" })));
        assert!(!of(json!({ "lt": 2.0, "gt": 1.0, "equals": 1 })));
        let change =
            |to: &str| rule(&json!({ "command": ["a"] }), &json!([]), &json!({ "rewrite": { "command": to } }));
        assert_eq!(rewrites_against(&change("x"), &change("y")), Some("command"));
        assert_eq!(rewrites_against(&change("x"), &change("x")), None);
    }
}
