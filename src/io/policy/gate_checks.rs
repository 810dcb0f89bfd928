//! Gates of a policy that was read: whether they can be meant, which rules ask about them, and what
//! becomes of one that comes in twice.

use std::collections::HashMap;
use std::ops::Range;

use super::code::DiagnosticCode;
use super::diagnostic::{Diagnostic, DiagnosticReport};
use super::document::ParsedDocument;
use super::loaded_part::LoadedPart;
use super::node::Node;
use crate::domain::facts::memory::GateStatus;
use crate::domain::policy::gate::Gate;
use crate::domain::policy::part::PolicyPart;
use crate::domain::text::suggest;

/// Checks a gate for what cannot be meant. Its changes and its rules are looked at as rules are.
pub(super) fn check(gate: &Gate, node: &Node, report: &mut DiagnosticReport) {
    let known = |character: char| character.is_alphanumeric() || "-_.".contains(character);
    let span = node.value_span("id");
    if gate.id.is_empty() || !gate.id.chars().all(known) {
        let help = "use letters, digits and `-`";
        report.add(
            DiagnosticCode::InvalidId,
            &span,
            format!("`{}` is not a valid gate id", gate.id),
            Some(help.into()),
        );
    }
    let stuck = gate.starts;
    if !gate.can_reach(stuck.opposite()) {
        let (verb, key) = match stuck {
            GateStatus::Closed => ("opens", "opens"),
            GateStatus::Open => ("closes", "closes"),
        };
        let message = format!("nothing {verb} the gate `{}`, so it stays {}", gate.id, stuck.name());
        let help = format!(
            "add `{key}`; a change that requires the gate to be {} already doesn't count",
            stuck.opposite().name()
        );
        report.add(DiagnosticCode::StuckGate, &span, message, Some(help));
    }
}

/// Returns the gates that the rules and gates of a file ask about, each with its place.
pub(super) fn gate_references(written: &ParsedDocument) -> Vec<(String, Range<usize>)> {
    let mut found = Vec::new();
    for rule in &written.rule_nodes {
        collect_gate_references(rule, &mut found);
    }
    for gate in &written.gate_nodes {
        let lists = ["opens", "closes"].into_iter().filter_map(|key| gate.get(key));
        lists.flat_map(Node::items).for_each(|transition| collect_gate_references(transition, &mut found));
    }
    found
}

/// Returns the gates that the rules and gates of a part ask about, whose places are not known.
pub(super) fn part_gate_references(part: &PolicyPart) -> Vec<(String, Range<usize>)> {
    let mut found = Vec::new();
    let mut add = |id: &str| found.push((id.to_owned(), 0..0));
    part.rules.iter().for_each(|rule| rule.for_each_gate(&mut add));
    let transitions = part.gates.iter().flat_map(Gate::transitions);
    transitions.for_each(|transition| transition.to_rule(String::new()).for_each_gate(&mut add));
    found
}

fn collect_gate_references(node: &Node, found: &mut Vec<(String, Range<usize>)>) {
    for (key, value) in node.entries() {
        match key.text() {
            Some("gate") => {
                let ids = value.entries().iter();
                found.extend(ids.filter_map(|(id, _)| Some((id.text()?.to_owned(), id.span.clone()))));
            }
            Some("conditions") => collect_gate_references(value, found),
            Some("any" | "except") => value.items().iter().for_each(|item| collect_gate_references(item, found)),
            _ => {}
        }
    }
}

/// Leaves one of each gate that came in twice, and reports those that differ.
pub(super) fn merge_gates(pieces: &mut [LoadedPart]) -> Vec<Diagnostic> {
    let mut known: HashMap<String, (Gate, String)> = HashMap::new();
    let mut diagnostics = Vec::new();
    for piece in pieces {
        let text = piece.source_text();
        let mut places = std::mem::take(&mut piece.gate_spans).into_iter();
        for gate in std::mem::take(&mut piece.part.gates) {
            let span = places.next();
            match known.get(&gate.id) {
                Some((other, _)) if *other == gate => continue,
                Some((_, source)) => diagnostics.push(Diagnostic {
                    code: DiagnosticCode::DuplicateRule,
                    source: text.clone(),
                    span: span.clone(),
                    message: format!("another gate `{}` is in {source}", gate.id),
                    help: Some("change one of the ids".into()),
                }),
                None => {
                    known.insert(gate.id.clone(), (gate.clone(), piece.part.source.clone()));
                }
            }
            piece.part.gates.push(gate);
            piece.gate_spans.extend(span);
        }
    }
    diagnostics
}

/// Checks for rules that ask about a gate that neither their layer nor one above it has.
pub(super) fn unknown_gates(pieces: &[LoadedPart]) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for piece in pieces {
        let above = pieces.iter().filter(|other| other.part.layer.can_override(piece.part.layer));
        let ids: Vec<&str> = above.flat_map(|other| &other.part.gates).map(|gate| gate.id.as_str()).collect();
        let mut report = DiagnosticReport::new(piece.source_text());
        for (id, span) in piece.gate_references.iter().filter(|(id, _)| !ids.contains(&id.as_str())) {
            let message = suggest::unknown_message("gate", id, suggest::nearest(id, ids.iter().copied()));
            let help = "define it under `gates` in this file, in a file that it extends, or in a layer above";
            report.add(DiagnosticCode::UnknownGate, span, message, Some(help.into()));
        }
        diagnostics.extend(report.diagnostics);
    }
    diagnostics
}
