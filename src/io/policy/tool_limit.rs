//! The second look at `tools`: a limit must limit something, and what it hangs on must be known when
//! a tool is called.

use std::collections::BTreeMap;
use std::ops::Range;

use super::code::DiagnosticCode;
use super::diagnostic::DiagnosticReport;
use super::node::Node;
use crate::domain::condition::{Conditions, Selection, Tools};
use crate::domain::event::kind::Kind;
use crate::domain::policy::limit::ToolLimit;
use crate::domain::policy::rule::Rule;
use crate::domain::text::template::Expression;

/// Words that have a value at one of the two events, or another one at each.
const EVENT_SPECIFIC_VARIABLES: &[&str] = &[
    "event", "tool", "command", "file", "url", "does", "opaque", "loss", "shell", "mcp", "agent", "prompt", "output",
    "response", "model", "request", "usage", "subject", "message", "path", "secret", "pii", "passage", "guard",
    "native",
];

/// Checks the limit that a rule sets on tools.
pub(super) fn check(rule: &Rule, limit: &ToolLimit, whole: &Node, report: &mut DiagnosticReport) {
    let Some((key, node)) = whole.get("then").and_then(|then| then.entry("tools")) else { return };
    let key = &key.span;
    let mut add = |code, span: &Range<usize>, message: &str, help: &str| {
        report.add(code, span, message, Some(help.to_owned()));
    };
    if limit.is_empty() {
        let help = "list tools under `allow` or `deny`, or use `mode: none`";
        add(DiagnosticCode::NoEffect, key, "`tools` limits nothing", help);
    }
    for (name, tools) in [("allow", &limit.allow), ("deny", &limit.deny)] {
        if tools.as_ref().is_some_and(|Tools(names)| names.is_empty()) {
            let span = node.get(name).map_or(&node.span, |node| &node.span);
            let help = "list tools, or use `mode: none` to allow none";
            add(DiagnosticCode::EmptyCondition, span, &format!("`{name}` is not a tool"), help);
        }
    }
    let tells = rule.when.contains(Kind::ModelTools);
    if !limit.enforce && !tells {
        let help = "remove `enforce: false`, or use the moment `model.tools`";
        add(
            DiagnosticCode::NoEffect,
            key,
            "the limit has no effect: the model isn't told, and no call is denied",
            help,
        );
    }
    if limit.enforce && tells {
        let mut all = std::iter::once(&rule.conditions).chain(&rule.except);
        if let Some(what) = all.find_map(event_specific_condition) {
            let message = format!(
                "the limit depends on `{what}`, which differs between `model.tools` and `tool.before`, where calls are denied"
            );
            let help = "use the session, the host or similar; or set `enforce: false` to only tell the model";
            add(DiagnosticCode::LimitNotJudged, key, &message, help);
        }
    }
}

/// Returns what conditions look at that is not there at both events.
fn event_specific_condition(conditions: &Conditions) -> Option<String> {
    let word = |path: &String| path.split('.').next().unwrap_or(path).to_owned();
    let fields = conditions.r#match.iter().flat_map(BTreeMap::keys).map(word);
    let words = conditions.r#if.iter().flat_map(Expression::root_names).map(str::to_owned);
    let of_value = fields.chain(words).find(|word| EVENT_SPECIFIC_VARIABLES.contains(&word.as_str()));
    // Texts are other ones at each event.
    let given = || {
        let mut specific =
            conditions.given().filter(|it| it.spec.kinds.is_some() || it.spec.selection == Selection::Text);
        specific.next().map(|given| given.key.to_owned())
    };
    let in_branch = || conditions.any.iter().flatten().find_map(event_specific_condition);
    of_value.or_else(given).or_else(in_branch)
}
