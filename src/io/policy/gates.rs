//! Gates as written: their rules become rules of the file, which ask how the gate stands.

use std::collections::BTreeMap;
use std::collections::HashMap;
use std::ops::Range;

use super::check::value_span;
use super::code::Code;
use super::diagnostic::{Diagnostic, Report};
use super::document::{Written, with_conditions_apart};
use super::gather::Piece;
use super::keys::keys_of;
use super::misfit::Misfit;
use super::node::{Node, NodeValue};
use super::read::read_all;
use crate::domain::condition::Gates;
use crate::domain::gate::{Gate, Stand, Transition};
use crate::domain::policy::Part;
use crate::domain::rule::Rule;
use crate::domain::suggest;

/// The keys under which a gate's own rules stand, and how it stands for them.
const WHILE: [(&str, Stand); 2] = [("while_closed", Stand::Closed), ("while_open", Stand::Open)];

/// A gate that was read.
pub(super) struct Read {
    /// The gate, without its rules.
    pub gate: Gate,
    /// The tree it was read from.
    pub node: Node,
    /// Its rules, each with its tree.
    pub rules: Vec<(Rule, Node)>,
}

/// Reads a gate; nothing when it has a mistake.
pub(super) fn read_gate(node: &Node, report: &mut Report) -> Option<Read> {
    let mut fits = true;
    let mut add = |misfit| {
        fits = false;
        report.add_misfit(misfit);
    };
    let NodeValue::Map(entries) = &node.value else {
        add(Misfit::wrong("a gate, which is a map", node));
        return None;
    };
    let id = node.get("id").and_then(Node::text).unwrap_or_default();
    let entries = entries.iter().map(|(key, value)| {
        let stand = WHILE.iter().find(|(name, _)| key.text() == Some(name)).map(|(_, stand)| *stand);
        let value = match (key.text(), stand) {
            (Some("opens" | "closes"), _) => apart::<Transition>(value, |_, _| {}, &mut add),
            (_, Some(stand)) => apart::<Rule>(value, |at, rule| name(rule, id, stand, at), &mut add),
            _ => value.clone(),
        };
        (key.clone(), value)
    });
    let node = Node { span: node.span.clone(), value: NodeValue::Map(entries.collect()) };
    let gate = read_all::<Gate>(&node, &mut add);
    let mut gate = gate.filter(|_| fits)?;
    let mut rules = Vec::new();
    for (key, stand) in WHILE {
        let own = match stand {
            Stand::Closed => std::mem::take(&mut gate.while_closed),
            Stand::Open => std::mem::take(&mut gate.while_open),
        };
        let nodes = node.get(key).map(Node::items).unwrap_or_default();
        for (mut rule, node) in own.into_iter().zip(nodes) {
            let gates = rule.conditions.gate.get_or_insert(Gates(BTreeMap::new()));
            gates.0.insert(gate.id.clone(), stand);
            rules.push((rule, node.clone()));
        }
    }
    Some(Read { gate, node, rules })
}

/// Moves the conditions of each item into a map of their own.
fn apart<T: for<'de> serde::Deserialize<'de>>(
    list: &Node,
    complete: impl Fn(usize, &mut Vec<(Node, Node)>),
    report: &mut dyn FnMut(Misfit),
) -> Node {
    let one = |(at, item): (usize, &Node), report: &mut dyn FnMut(Misfit)| {
        let NodeValue::Map(entries) = &item.value else { return item.clone() };
        let mut entries = entries.clone();
        complete(at, &mut entries);
        with_conditions_apart(item, &entries, keys_of::<T>(), report)
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
fn name(rule: &mut Vec<(Node, Node)>, gate: &str, stand: Stand, at: usize) {
    let Some((first, _)) = rule.first().filter(|_| rule.iter().all(|(key, _)| key.text() != Some("id"))) else {
        return;
    };
    let number = if at == 0 { String::new() } else { format!("-{}", at + 1) };
    let id = format!("{gate}/{}{number}", stand.name());
    let node = |text: &str| Node { span: first.span.clone(), value: NodeValue::Str(text.to_owned()) };
    let entry = (node("id"), node(&id));
    rule.push(entry);
}

/// Looks at a gate for what cannot be meant. Its changes and its rules are looked at as rules are.
pub(super) fn check(gate: &Gate, node: &Node, report: &mut Report) {
    let known = |character: char| character.is_alphanumeric() || "-_.".contains(character);
    let span = value_span(node, "id");
    if gate.id.is_empty() || !gate.id.chars().all(known) {
        let help = "use letters, digits and `-`";
        report.add(Code::InvalidId, &span, format!("`{}` is no id of a gate", gate.id), Some(help.into()));
    }
    let stuck = gate.starts;
    if !gate.can_stand(stuck.other()) {
        let (verb, key) = match stuck {
            Stand::Closed => ("opens", "opens"),
            Stand::Open => ("closes", "closes"),
        };
        let message = format!("nothing {verb} the gate `{}`, so it stays {}", gate.id, stuck.name());
        let help = format!(
            "say under `{key}` what does; a change that needs the gate to be {} already is none",
            stuck.other().name()
        );
        report.add(Code::StuckGate, &span, message, Some(help));
    }
}

/// Returns the gates that the rules and gates of a file ask about, each with its place.
pub(super) fn asked(written: &Written) -> Vec<(String, Range<usize>)> {
    let mut found = Vec::new();
    for rule in &written.nodes {
        asked_by(rule, &mut found);
    }
    for gate in &written.gates {
        let lists = ["opens", "closes"].into_iter().filter_map(|key| gate.get(key));
        lists.flat_map(Node::items).for_each(|transition| asked_by(transition, &mut found));
    }
    found
}

/// Returns the gates that the rules and gates of a part ask about, whose places are not known.
pub(super) fn asked_by_part(part: &Part) -> Vec<(String, Range<usize>)> {
    let mut found = Vec::new();
    let mut add = |id: &str| found.push((id.to_owned(), 0..0));
    part.rules.iter().for_each(|rule| rule.gates(&mut add));
    let transitions = part.gates.iter().flat_map(Gate::transitions);
    transitions.for_each(|transition| transition.as_rule(String::new()).gates(&mut add));
    found
}

fn asked_by(node: &Node, found: &mut Vec<(String, Range<usize>)>) {
    for (key, value) in node.entries() {
        match key.text() {
            Some("gate") => {
                let ids = value.entries().iter();
                found.extend(ids.filter_map(|(id, _)| Some((id.text()?.to_owned(), id.span.clone()))));
            }
            Some("conditions") => asked_by(value, found),
            Some("any" | "except") => value.items().iter().for_each(|item| asked_by(item, found)),
            _ => {}
        }
    }
}

/// Leaves one of each gate that came in twice, and reports those that differ.
pub(super) fn merge(pieces: &mut [Piece]) -> Vec<Diagnostic> {
    let mut known: HashMap<String, (Gate, String)> = HashMap::new();
    let mut diagnostics = Vec::new();
    for piece in pieces {
        let text = piece.text();
        let mut places = std::mem::take(&mut piece.gates_at).into_iter();
        for gate in std::mem::take(&mut piece.part.gates) {
            let span = places.next();
            match known.get(&gate.id) {
                Some((other, _)) if *other == gate => continue,
                Some((_, source)) => diagnostics.push(Diagnostic {
                    code: Code::DuplicateRule,
                    source: text.clone(),
                    span: span.clone(),
                    message: format!("another gate `{}` stands in {source}", gate.id),
                    help: Some("give one of them another id".into()),
                }),
                None => {
                    known.insert(gate.id.clone(), (gate.clone(), piece.part.source.clone()));
                }
            }
            piece.part.gates.push(gate);
            piece.gates_at.extend(span);
        }
    }
    diagnostics
}

/// Looks for rules that ask about a gate that neither their layer nor one above it has.
pub(super) fn unknown(pieces: &[Piece]) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for piece in pieces {
        let above = pieces.iter().filter(|other| other.part.layer.governs(piece.part.layer));
        let ids: Vec<&str> = above.flat_map(|other| &other.part.gates).map(|gate| gate.id.as_str()).collect();
        let mut report = Report::new(piece.text());
        for (id, span) in piece.asks_gates.iter().filter(|(id, _)| !ids.contains(&id.as_str())) {
            let message = suggest::unknown("gate", id, suggest::nearest(id, ids.iter().copied()));
            let help = "a gate stands under `gates` of this file, of one that it extends, or of a layer above";
            report.add(Code::UnknownGate, span, message, Some(help.into()));
        }
        diagnostics.extend(report.diagnostics);
    }
    diagnostics
}
