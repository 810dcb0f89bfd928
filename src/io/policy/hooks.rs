//! Hooks as written: each is read as a rule whose effect is a run.

use regex::Regex;

use super::check::{key_span, value_span};
use super::code::Code;
use super::diagnostic::Report;
use super::document::with_conditions_apart;
use super::keys::keys_of;
use super::misfit::Misfit;
use super::node::{Node, NodeValue};
use crate::domain::condition::Conditions;
use crate::domain::hook::KEYS;
use crate::domain::run::{Run, Speaks, Stdout};
use crate::domain::template::Template;

/// Returns a hook as the rule that it is: what is said of its run stands under `then`.
pub(super) fn as_rule(node: &Node, report: &mut dyn FnMut(Misfit)) -> Option<Node> {
    let NodeValue::Map(entries) = &node.value else {
        report(Misfit::wrong("a hook, which is a map", node));
        return None;
    };
    let of_conditions = keys_of::<Conditions>();
    let of_run: Vec<&str> = keys_of::<Run>().iter().copied().filter(|key| !of_conditions.contains(key)).collect();
    let own: Vec<&str> = KEYS.iter().chain(&of_run).copied().collect();
    let apart = with_conditions_apart(node, entries, &own, report);
    let NodeValue::Map(entries) = apart.value else { return None };
    let is_of_run = |key: &Node| key.text().is_some_and(|key| of_run.contains(&key));
    let (mut run, mut rule): (Vec<_>, Vec<_>) = entries.into_iter().partition(|(key, _)| is_of_run(key));
    let Some(at) = rule.iter().position(|(key, _)| key.text() == Some(RUN)) else {
        let help = "say what runs, such as `run: [./hooks/audit.py]`, or `run: { shell: \"…\" }`";
        report(Misfit::new(Code::MissingKey, format!("missing key `{RUN}`"), Some(help.into())).at(node));
        return None;
    };
    let (key, program) = rule.remove(at);
    let node_at = |text: &str| Node { span: key.span.clone(), value: NodeValue::Str(text.into()) };
    match program.value {
        NodeValue::Map(entries) => run.extend(entries),
        value => run.push((node_at("command"), Node { span: program.span, value })),
    }
    let map = |entries| Node { span: node.span.clone(), value: NodeValue::Map(entries) };
    rule.push((node_at("then"), map(vec![(key.clone(), map(run))])));
    Some(Node { span: node.span.clone(), value: NodeValue::Map(rule) })
}

/// The key of what runs, in a hook as under `then`.
const RUN: &str = "run";

/// Looks at a run for what cannot be meant.
pub(super) fn check(run: &Run, node: &Node, report: &mut Report) {
    let mut add = |code, key: &str, message: &str, help: &str| {
        report.add(code, &value_span(node, key), message, Some(help.to_owned()));
    };
    match (run.command.first(), &run.shell) {
        (None, None) => {
            let help = "name the program under `command`, or give `shell` a text";
            add(Code::MissingKey, "command", "nothing says what is run", help);
        }
        (Some(_), Some(_)) => {
            add(Code::InvalidValue, "shell", "of `command` and `shell` only one can run", "take one of them away");
        }
        (Some(program), None) => {
            let is_line = program.names().is_empty() && program.source().contains(' ') && run.command.len() == 1;
            if is_line && !program.source().contains(['/', '\\']) {
                let help = "write every word by itself, such as `[cargo, fmt]`, or `shell: \"cargo fmt\"`";
                add(Code::InvalidValue, "command", "there is no program of that name, spaces and all", help);
            }
            if program.source().is_empty() {
                add(Code::InvalidValue, "command", "the program has no name", "name a program");
            }
        }
        (None, Some(text)) => {
            if Template::parse(text).is_ok_and(|template| !template.names().is_empty()) {
                let help = "set a variable, `env: { set: { FILE: \"{{ file.path }}\" } }`, and write `\"$FILE\"`: what is filled into a shell's text could be a command";
                add(Code::InvalidValue, "shell", "nothing is filled into the text of a shell", help);
            }
        }
    }
    if let Some(matcher) = &run.matcher {
        if matches!(run.speaks, Speaks::ExitCode | Speaks::Native) {
            let help = "say whose words it is in, `speaks: claude` or `speaks: gemini`, or write conditions such as `tool: shell`";
            add(
                Code::InvalidValue,
                "matcher",
                "a matcher is in the words of a host, and the program speaks no host's",
                help,
            );
        } else if !matches!(matcher.trim(), "" | "*") && Regex::new(matcher).is_err() {
            let help = "look-ahead and back-references are not known here: write conditions such as `tool: shell`";
            add(Code::InvalidValue, "matcher", "the regular expression cannot be read", help);
        }
    }
    let names = run.env.pass.iter().chain(run.env.set.keys());
    if let Some(name) = names.into_iter().find(|name| name.is_empty() || name.contains(['=', '\0', '*', '$'])) {
        let help = "write the names of single variables, such as `GITHUB_TOKEN`";
        add(Code::InvalidValue, "env", &format!("`{name}` is no name of a variable"), help);
    }
    for (key, why) in idle(run) {
        if node.get(key).is_some() {
            let message = format!("`{key}` never acts: {why}");
            report.add(Code::IdleKey, &key_span(node, key), message, Some("take it away".into()));
        }
    }
}

/// Returns the keys of a run that never act, and why.
fn idle(run: &Run) -> Vec<(&'static str, &'static str)> {
    const UNHEARD: &str = "nobody waits for what is `async`";
    if run.r#async {
        return vec![("on_failure", UNHEARD), ("stdout", UNHEARD), ("parallel", UNHEARD)];
    }
    let said = run.speaks != Speaks::ExitCode && run.stdout != Stdout::None;
    if said { vec![("stdout", "what it prints is its answer, in what it `speaks`")] } else { Vec::new() }
}
