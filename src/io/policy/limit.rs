//! The second look at `tools`: a limit must limit something, and what it hangs on must be known when
//! a tool is called.

use std::collections::BTreeMap;
use std::ops::Range;

use super::code::Code;
use super::diagnostic::Report;
use super::needs::NEEDS;
use super::node::Node;
use crate::domain::condition::{Conditions, Tools};
use crate::domain::kind::Kind;
use crate::domain::limit::ToolLimit;
use crate::domain::rule::Rule;
use crate::domain::template::Expression;

/// Words that have a value at one of the two moments, or another one at each.
const ONE_MOMENT: &[&str] = &[
    "event", "tool", "command", "file", "url", "does", "opaque", "shell", "mcp", "agent", "prompt", "output",
    "response", "model", "request", "usage", "subject", "message", "path", "secret", "pii", "passage", "guard",
    "native",
];

/// Conditions that look into texts, which are other ones at each moment.
const TEXTS: &[&str] = &["secrets", "pii"];

/// Looks at the limit that a rule sets on tools.
pub(super) fn check(rule: &Rule, limit: &ToolLimit, whole: &Node, report: &mut Report) {
    let Some((key, node)) = whole.get("then").and_then(|then| then.entry("tools")) else { return };
    let key = &key.span;
    let mut add = |code, span: &Range<usize>, message: &str, help: &str| {
        report.add(code, span, message, Some(help.to_owned()));
    };
    if limit.is_idle() {
        let help = "give `allow` or `deny` names of tools, or say `mode: none`";
        add(Code::NoEffect, key, "`tools` limits nothing", help);
    }
    for (name, tools) in [("allow", &limit.allow), ("deny", &limit.deny)] {
        if tools.as_ref().is_some_and(|Tools(names)| names.is_empty()) {
            let span = node.get(name).map_or(&node.span, |node| &node.span);
            let help = "name tools, or say `mode: none` where no tool may be called";
            add(Code::EmptyCondition, span, &format!("`{name}` names no tool"), help);
        }
    }
    let tells = rule.when.contains(Kind::ModelTools);
    if !limit.enforce && !tells {
        let help = "take `enforce: false` away, or let the rule watch `model.tools`";
        add(Code::NoEffect, key, "nothing comes of the limit: nobody is told, and no call is refused", help);
    }
    if limit.enforce && tells {
        let exceptions = whole.get("except").map(Node::items).unwrap_or_default();
        let own = (&rule.conditions, whole.get("conditions").unwrap_or(whole));
        let all = std::iter::once(own).chain(rule.except.iter().zip(exceptions));
        if let Some(what) = all.into_iter().find_map(|(conditions, node)| of_one_moment(conditions, node)) {
            let message = format!(
                "the limit hangs on `{what}`, which is not the same at `model.tools` and at `tool.before`, where calls are refused"
            );
            let help = "go by the session, the host or the like; or say `enforce: false`, which only tells the model";
            add(Code::LimitNotJudged, key, &message, help);
        }
    }
}

/// Returns what conditions look at that is not there at both moments.
fn of_one_moment(conditions: &Conditions, node: &Node) -> Option<String> {
    let word = |path: &String| path.split('.').next().unwrap_or(path).to_owned();
    let fields = conditions.r#match.iter().flat_map(BTreeMap::keys).map(word);
    let words = conditions.r#if.iter().flat_map(Expression::roots).map(str::to_owned);
    let of_value = fields.chain(words).find(|word| ONE_MOMENT.contains(&word.as_str()));
    let given = || {
        let mut names = NEEDS.iter().map(|(name, _)| *name).chain(TEXTS.iter().copied());
        names.find(|name| node.get(name).is_some()).map(str::to_owned)
    };
    let in_branch = || {
        let nodes = node.get("any").map(Node::items).unwrap_or_default();
        conditions.any.iter().flatten().zip(nodes).find_map(|(branch, node)| of_one_moment(branch, node))
    };
    of_value.or_else(given).or_else(in_branch)
}
