//! The examples of rules: those that cannot be meant are found when a policy is read, and the rest
//! goes, with its places, to whoever runs them. A rule in force has none.

use std::ops::Range;

use super::code::DiagnosticCode;
use super::diagnostic::DiagnosticReport;
use super::node::Node;
use crate::domain::condition::CALL_KINDS;
use crate::domain::effect::EffectKind;
use crate::domain::event::kind::Kind;
use crate::domain::policy::example::{ExampleOutcome, Scenario};
use crate::domain::policy::rule::Rule;
use crate::domain::text::suggest;

/// An example and where it is.
#[derive(Debug, Clone, PartialEq)]
pub struct LocatedExample {
    /// The rule's id.
    pub rule: String,
    /// What it shows.
    pub showing: ExampleOutcome,
    /// The event, with its kind filled in.
    pub event: Scenario,
    /// The host that the rule is for, when it is for one.
    pub host: Option<String>,
    /// Where it is in the rule's file, in bytes.
    pub span: Range<usize>,
}

/// Checks for examples that their rule can have nothing to do with.
pub(super) fn check(rule: &Rule, node: &Node, report: &mut DiagnosticReport) {
    let Some(examples) = node.get("examples") else { return };
    for (key, value) in examples.entries() {
        let Some(showing) = key.text().and_then(ExampleOutcome::from_key) else { continue };
        if let ExampleOutcome::Effect(effect) = showing
            && !rule.then.effects().contains(effect)
        {
            let message = format!("the rule has no `{effect}`, so it has no such example");
            let able = suggest::quote_list(rule.then.effects().iter().map(EffectKind::name));
            let help = format!("it has {able}; put events that it doesn't match under `pass`");
            report.add(DiagnosticCode::MisplacedExample, &key.span, message, Some(help));
        }
        for (event, node) in rule.examples.of(showing).iter().zip(value.items()) {
            check_event(rule, event, node, report);
        }
    }
}

fn check_event(rule: &Rule, event: &Scenario, node: &Node, report: &mut DiagnosticReport) {
    let mut add = |span: &Range<usize>, message: String, help: String| {
        report.add(DiagnosticCode::MisplacedExample, span, message, Some(help));
    };
    if *event == Scenario::default() {
        let help = "use a command line, or an event such as `{ tool: read, path: .env }`";
        return add(&node.span, "the example is empty".into(), help.into());
    }
    let watched = || suggest::quote_list(rule.kinds().iter().map(|moment| moment.name));
    let span = node.get("when").map_or(&node.span, |when| &when.span);
    match (&event.when, example_kind(rule, event)) {
        (Some(name), Some(kind)) if !rule.kinds().contains(kind) => {
            let help = format!("it watches {}", watched());
            add(span, format!("the rule doesn't have the moment `{name}`"), help);
        }
        (Some(name), None) => {
            let unknown = suggest::unknown_among(
                "moment",
                name,
                crate::domain::event::kind::EVENT_SPECS.iter().map(|moment| moment.name),
            );
            let (message, help) = suggest::split_help(&unknown);
            add(span, message.to_owned(), help.unwrap_or("docs/vocabulary.md lists all moments").to_owned());
        }
        (None, Some(kind)) if is_tool_call(event) && !CALL_KINDS.contains(&kind) => {
            let help = format!("its moments are {}: use an event of one of them", watched());
            add(span, "the rule has no moment for tool calls".into(), help);
        }
        _ => {}
    }
}

/// Returns whether an event can only be a tool call.
const fn is_tool_call(event: &Scenario) -> bool {
    event.tool.is_some() || event.command.is_some() || event.url.is_some() || event.mcp.is_some()
}

/// Returns the event of an example: the one it names, or the first that the rule watches, where
/// calls that are about to run come first.
fn example_kind(rule: &Rule, event: &Scenario) -> Option<Kind> {
    match &event.when {
        Some(name) => Kind::from_name(name),
        None if rule.kinds().contains(Kind::ToolBefore) => Some(Kind::ToolBefore),
        None => {
            let mut watched = rule.kinds().iter().map(|moment| moment.kind);
            let first = rule.kinds().iter().next().map(|moment| moment.kind);
            if is_tool_call(event) { watched.find(|kind| CALL_KINDS.contains(kind)).or(first) } else { first }
        }
    }
}

/// Takes the examples out of a rule.
pub(super) fn take_examples(rule: &mut Rule, node: &Node) -> Vec<LocatedExample> {
    let Some(written) = node.get("examples") else { return Vec::new() };
    let examples = std::mem::take(&mut rule.examples);
    let host = rule.conditions.host.as_ref().and_then(|hosts| hosts.0.first());
    let mut placed = Vec::new();
    for (key, value) in written.entries() {
        let Some(showing) = key.text().and_then(ExampleOutcome::from_key) else { continue };
        for (event, node) in examples.of(showing).iter().zip(value.items()) {
            let when = example_kind(rule, event).map(|kind| kind.name().to_owned());
            placed.push(LocatedExample {
                rule: rule.id.clone(),
                showing,
                event: Scenario { when, ..event.clone() },
                host: host.cloned(),
                span: node.span.clone(),
            });
        }
    }
    placed
}
