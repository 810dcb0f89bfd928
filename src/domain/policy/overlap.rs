//! Relations between rules that follow from their structure: which conditions imply which others, and which can never
//! hold.
//!
//! Nothing is guessed. A condition implies another one if it requires the same or more, and lists the same
//! alternatives or fewer; if that is not certain, the answer is no.

use super::rule::Rule;
use crate::domain::condition::{Conditions, FieldMatcher};
use crate::domain::severity::Mode;
use crate::domain::text::literal::Literal;

/// Returns the position of an exception that holds for everything that the rule holds for, if there is one.
pub fn always_excepted(rule: &Rule) -> Option<usize> {
    rule.except.iter().position(|exception| rule.conditions.implies(exception))
}

/// Returns whether a rule holds whenever another does, at every kind of event of the other.
pub fn subsumes(wide: &Rule, narrow: &Rule) -> bool {
    let excuses = |exception: &Conditions| narrow.except.iter().any(|other| exception.implies(other));
    narrow.when.iter().all(|moment| wide.when.contains(moment.kind))
        && narrow.conditions.implies(&wide.conditions)
        && wide.except.iter().all(excuses)
}

/// Returns how strict the decision of a rule is, if it decides and does nothing else.
fn decision_rank(rule: &Rule) -> Option<u8> {
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

/// Returns whether one rule makes another redundant: it holds whenever the other does, and is as strict or stricter.
pub fn shadows(wide: &Rule, narrow: &Rule) -> bool {
    let strict = |rule: &Rule| match (&rule.then.deny, &rule.then.stop, &rule.then.ask) {
        (Some(_), ..) | (_, Some(_), _) => 2,
        (.., Some(_)) => 1,
        _ => 0,
    };
    let Some(own) = decision_rank(narrow) else { return false };
    // A rule of style does not apply to scripts, and a severe one does.
    let looks_as_far = strict(wide) == 2 || wide.severity >= narrow.severity;
    wide.mode == Mode::Enforce && strict(wide) > 0 && strict(wide) >= own && looks_as_far && subsumes(wide, narrow)
}

/// Returns the field that two rules set to different values whenever both hold, if one always holds with the other.
pub fn conflicting_rewrite<'r>(one: &'r Rule, other: &'r Rule) -> Option<&'r str> {
    let (ours, theirs) = (one.then.rewrite.as_ref()?, other.then.rewrite.as_ref()?);
    if !subsumes(one, other) && !subsumes(other, one) {
        return None;
    }
    ours.iter()
        .find(|(field, value)| theirs.get(*field).is_some_and(|other| other != *value))
        .map(|(field, _)| field.as_str())
}

/// Returns the field under `match` whose conditions can never hold, and why.
pub fn contradiction(conditions: &Conditions) -> Option<(&str, String)> {
    let fields = conditions.r#match.iter().flatten();
    fields.into_iter().find_map(|(field, matcher)| Some((field.as_str(), matcher_contradiction(matcher)?)))
}

fn matcher_contradiction(matcher: &FieldMatcher) -> Option<String> {
    let FieldMatcher { equals, one_of, not, lt, gt, exists, .. } = matcher;
    if let (Some(equals), Some(not)) = (equals, not)
        && equals == not
    {
        return Some("it has to equal a value and differ from it".into());
    }
    if equals.as_ref().is_some_and(|equals| !one_of.is_empty() && !one_of.contains(equals)) {
        return Some("`equals` is not in `one_of`".into());
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
    (*exists == Some(false) && asks_value).then(|| "a missing field has no value".into())
}

#[expect(clippy::cast_precision_loss, reason = "it is compared with a number")]
const fn as_number(number: i64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{always_excepted, conflicting_rewrite, contradiction, shadows, subsumes};
    use crate::domain::condition::Conditions;
    use crate::domain::policy::rule::Rule;

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
            assert_eq!(conditions(&narrow).implies(&conditions(&wide)), implied, "{narrow} {wide}");
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
        assert!(subsumes(&rule(&ab, &exception, &deny), &rule(&a, &json!([{ "host": ["x", "y"] }]), &ask)));
        assert_eq!(always_excepted(&rule(&a, &json!([{ "host": ["x"] }, { "command": ["a", "b"] }]), &deny)), Some(1));
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
        assert_eq!(conflicting_rewrite(&change("x"), &change("y")), Some("command"));
        assert_eq!(conflicting_rewrite(&change("x"), &change("x")), None);
    }
}
