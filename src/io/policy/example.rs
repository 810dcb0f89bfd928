//! The examples of rules: those that cannot be meant are found when a policy is read, and the rest
//! goes, with its places, to whoever runs them. A rule in force has none.

use std::ops::Range;

use super::code::Code;
use super::diagnostic::Report;
use super::needs::CALLS;
use super::node::Node;
use crate::domain::effect::EffectKind;
use crate::domain::example::{Described, Showing};
use crate::domain::kind::Kind;
use crate::domain::rule::Rule;
use crate::domain::suggest;

/// An example and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// The rule's id.
    pub rule: String,
    /// What it shows.
    pub showing: Showing,
    /// The event, its moment filled in.
    pub event: Described,
    /// The host that the rule is for, when it is for one.
    pub host: Option<String>,
    /// Where it stands in the rule's file, in bytes.
    pub span: Range<usize>,
}

/// Looks for examples that their rule can have nothing to do with.
pub(super) fn check(rule: &Rule, node: &Node, report: &mut Report) {
    let Some(examples) = node.get("examples") else { return };
    for (key, value) in examples.entries() {
        let Some(showing) = key.text().and_then(Showing::of_key) else { continue };
        if let Showing::Effect(effect) = showing
            && !rule.then.effects().contains(effect)
        {
            let message = format!("the rule has no `{effect}`, so this shows nothing of it");
            let able = suggest::quoted(rule.then.effects().iter().map(EffectKind::name));
            let help = format!("it has {able}; what it leaves alone stands under `pass`");
            report.add(Code::MisplacedExample, &key.span, message, Some(help));
        }
        for (event, node) in rule.examples.of(showing).iter().zip(value.items()) {
            check_event(rule, event, node, report);
        }
    }
}

fn check_event(rule: &Rule, event: &Described, node: &Node, report: &mut Report) {
    let mut add = |span: &Range<usize>, message: String, help: String| {
        report.add(Code::MisplacedExample, span, message, Some(help));
    };
    if *event == Described::default() {
        let help = "write a command line, or an event such as `{ tool: read, path: .env }`";
        return add(&node.span, "the example says nothing".into(), help.into());
    }
    let watched = || suggest::quoted(rule.moments().iter().map(|moment| moment.name));
    let span = node.get("when").map_or(&node.span, |when| &when.span);
    match (&event.when, moment_of(rule, event)) {
        (Some(name), Some(kind)) if !rule.moments().contains(kind) => {
            let help = format!("it watches {}", watched());
            add(span, format!("the rule does not watch `{name}`, so this shows nothing of it"), help);
        }
        (Some(name), None) => {
            let unknown = suggest::among("moment", name, crate::domain::kind::MOMENTS.iter().map(|moment| moment.name));
            let (message, help) = suggest::split_help(&unknown);
            add(span, message.to_owned(), help.unwrap_or("the moments stand in docs/vocabulary.md").to_owned());
        }
        (None, Some(kind)) if is_call(event) && !CALLS.contains(&kind) => {
            let help = format!("it watches {}: write an event of that moment", watched());
            add(span, "the rule watches no tool calls, so this shows nothing of it".into(), help);
        }
        _ => {}
    }
}

/// Tells whether an event can only be a tool call.
const fn is_call(event: &Described) -> bool {
    event.tool.is_some() || event.command.is_some() || event.url.is_some() || event.mcp.is_some()
}

/// Returns the moment of an example: the one it names, or the first that the rule watches, where
/// calls that are about to run come first.
fn moment_of(rule: &Rule, event: &Described) -> Option<Kind> {
    match &event.when {
        Some(name) => Kind::from_name(name),
        None if rule.moments().contains(Kind::ToolBefore) => Some(Kind::ToolBefore),
        None => {
            let mut watched = rule.moments().iter().map(|moment| moment.kind);
            let first = rule.moments().iter().next().map(|moment| moment.kind);
            if is_call(event) { watched.find(|kind| CALLS.contains(kind)).or(first) } else { first }
        }
    }
}

/// Takes the examples out of a rule.
pub(super) fn take(rule: &mut Rule, node: &Node) -> Vec<Placed> {
    let Some(written) = node.get("examples") else { return Vec::new() };
    let examples = std::mem::take(&mut rule.examples);
    let host = rule.conditions.host.as_ref().and_then(|hosts| hosts.0.first());
    let mut placed = Vec::new();
    for (key, value) in written.entries() {
        let Some(showing) = key.text().and_then(Showing::of_key) else { continue };
        for (event, node) in examples.of(showing).iter().zip(value.items()) {
            let when = moment_of(rule, event).map(|kind| kind.name().to_owned());
            placed.push(Placed {
                rule: rule.id.clone(),
                showing,
                event: Described { when, ..event.clone() },
                host: host.cloned(),
                span: node.span.clone(),
            });
        }
    }
    placed
}
