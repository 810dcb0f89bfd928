//! The keys of a rule: which of them are conditions, and what an unknown one was meant to be.

use super::keys::keys_of;
use super::node::{Node, NodeValue};
use super::type_error::TypeError;
use crate::domain::condition::Conditions;
use crate::domain::policy::effects::RuleEffects;
use crate::domain::text::suggest;

/// Moves the conditions of a rule, or of what else has some, into a map of their own. An unknown key
/// is reported, and goes on as the one it was meant to be.
pub(super) fn split_conditions(
    node: &Node,
    entries: &[(Node, Node)],
    own: &[&str],
    report: &mut dyn FnMut(TypeError),
) -> Node {
    let of_conditions = keys_of::<Conditions>();
    let of_rule: Vec<&str> = own.iter().copied().filter(|key| *key != CONDITIONS_KEY).collect();
    let known: Vec<&str> = of_rule.iter().chain(of_conditions).copied().collect();
    let mut own = Vec::new();
    let mut conditions = Vec::new();
    for (key, value) in entries {
        let mut key = key.clone();
        let name = key.text().unwrap_or_default().to_owned();
        if !known.contains(&name.as_str()) {
            let misfit = unknown_rule_key(&name, &known).at_node(&key);
            let meant = misfit.key.clone().filter(|meant| node.entry(meant).is_none());
            report(misfit);
            let Some(meant) = meant else { continue };
            key.value = NodeValue::Str(meant.into());
        }
        let is_condition = key.text().is_some_and(|name| of_conditions.contains(&name));
        if is_condition { &mut conditions } else { &mut own }.push((key, value.clone()));
    }
    let span = node.span.clone();
    let key = Node { span: span.clone(), value: NodeValue::Str(CONDITIONS_KEY.into()) };
    own.push((key, Node { span: span.clone(), value: NodeValue::Map(conditions) }));
    Node { span, value: NodeValue::Map(own) }
}

/// The field of a rule that its conditions are read into; no key of the language.
const CONDITIONS_KEY: &str = "conditions";

/// Words of other tools, and ours for the same.
const KEY_SYNONYMS: &[(&str, &str)] = &[
    ("on", "when"),
    ("event", "when"),
    ("events", "when"),
    ("hook", "when"),
    ("trigger", "when"),
    ("action", "then"),
    ("actions", "then"),
    ("effect", "then"),
    ("name", "id"),
    ("matcher", "tool"),
    ("path", "files"),
    ("paths", "files"),
    ("unless", "except"),
    ("not", "except"),
];

/// Returns that a key means nothing in a rule, and what to write instead.
fn unknown_rule_key(key: &str, known: &[&str]) -> TypeError {
    let mut misfit = TypeError::unknown_key(key, known);
    if keys_of::<RuleEffects>().contains(&key) {
        misfit.key = None;
        misfit.message = suggest::unknown_message("key", key, None);
        misfit.help = Some(format!("`{key}` belongs under `then`"));
    } else if let Some((_, ours)) = KEY_SYNONYMS.iter().find(|(other, _)| *other == key) {
        misfit.key = Some((*ours).into());
        misfit.message = suggest::unknown_message("key", key, None);
        misfit.help = Some(format!("use the key `{ours}`"));
    }
    misfit
}
