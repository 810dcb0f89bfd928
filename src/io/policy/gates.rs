//! Gates as written: their rules become rules of the file, with a condition on the gate's status.

use std::collections::BTreeMap;

use super::diagnostic::DiagnosticReport;
use super::hooks;
use super::keys::keys_of;
use super::node::{Node, NodeValue};
use super::read::read_all;
use super::rule_keys::split_conditions;
use super::type_error::TypeError;
use crate::domain::condition::Gates;
use crate::domain::facts::memory::GateStatus;
use crate::domain::policy::gate::{Gate, Transition};
use crate::domain::policy::host_name::HostName;
use crate::domain::policy::rule::Rule;

/// The keys of a gate's own rules, and the gate's status for them.
const GATE_RULE_KEYS: [(&str, GateStatus); 2] =
    [("while_closed", GateStatus::Closed), ("while_open", GateStatus::Open)];

/// A gate that was read.
pub(super) struct ParsedGate {
    /// The gate, without its rules.
    pub gate: Gate,
    /// The tree it was read from.
    pub node: Node,
    /// Its rules, each with its tree.
    pub rules: Vec<(Rule, Node)>,
}

/// Reads a gate; nothing when it has a mistake.
pub(super) fn read_gate(node: &Node, hosts: &[HostName], report: &mut DiagnosticReport) -> Option<ParsedGate> {
    let mut fits = true;
    let mut add = |misfit| {
        fits = false;
        report.add_type_error(misfit);
    };
    let NodeValue::Map(entries) = &node.value else {
        add(TypeError::wrong_type("a gate, which is a map", node));
        return None;
    };
    let id = node.get("id").and_then(Node::text).unwrap_or_default();
    let entries = entries.iter().map(|(key, value)| {
        let stand = GATE_RULE_KEYS.iter().find(|(name, _)| key.text() == Some(name)).map(|(_, stand)| *stand);
        let value = match (key.text(), stand) {
            (Some("opens" | "closes"), _) => split_item_conditions::<Transition>(value, |_, _| {}, &mut add),
            (_, Some(stand)) => {
                split_item_conditions::<Rule>(value, |at, rule| add_default_id(rule, id, stand, at), &mut add)
            }
            _ => value.clone(),
        };
        (key.clone(), value)
    });
    let node = Node { span: node.span.clone(), value: NodeValue::Map(entries.collect()) };
    let gate = read_all::<Gate>(&node, &mut add);
    let rules = GATE_RULE_KEYS.iter().filter_map(|(key, _)| node.get(key)).flat_map(Node::items);
    rules.filter_map(|rule| hooks::unknown_protocol(rule, hosts)).for_each(add);
    let mut gate = gate.filter(|_| fits)?;
    let mut rules = Vec::new();
    for (key, stand) in GATE_RULE_KEYS {
        let own = match stand {
            GateStatus::Closed => std::mem::take(&mut gate.while_closed),
            GateStatus::Open => std::mem::take(&mut gate.while_open),
        };
        let nodes = node.get(key).map(Node::items).unwrap_or_default();
        for (mut rule, node) in own.into_iter().zip(nodes) {
            let gates = rule.conditions.gate.get_or_insert(Gates(BTreeMap::new()));
            gates.0.insert(gate.id.clone(), stand);
            rules.push((rule, node.clone()));
        }
    }
    Some(ParsedGate { gate, node, rules })
}

/// Moves the conditions of each item into a map of their own.
fn split_item_conditions<T: for<'de> serde::Deserialize<'de>>(
    list: &Node,
    complete: impl Fn(usize, &mut Vec<(Node, Node)>),
    report: &mut dyn FnMut(TypeError),
) -> Node {
    let one = |(at, item): (usize, &Node), report: &mut dyn FnMut(TypeError)| {
        let NodeValue::Map(entries) = &item.value else { return item.clone() };
        let mut entries = entries.clone();
        complete(at, &mut entries);
        split_conditions(item, &entries, keys_of::<T>(), report)
    };
    match &list.value {
        NodeValue::Seq(items) => {
            let items = items.iter().enumerate().map(|item| one(item, report)).collect();
            Node { span: list.span.clone(), value: NodeValue::Seq(items) }
        }
        _ => one((0, list), report),
    }
}

/// Gives a rule of a gate a name, where it has none: `tests/closed`, `tests/closed-2`.
fn add_default_id(rule: &mut Vec<(Node, Node)>, gate: &str, stand: GateStatus, at: usize) {
    let Some((first, _)) = rule.first().filter(|_| rule.iter().all(|(key, _)| key.text() != Some("id"))) else {
        return;
    };
    let number = if at == 0 { String::new() } else { format!("-{}", at + 1) };
    let id = format!("{gate}/{}{number}", stand.name());
    let node = |text: &str| Node { span: first.span.clone(), value: NodeValue::Str(text.to_owned()) };
    let entry = (node("id"), node(&id));
    rule.push(entry);
}
