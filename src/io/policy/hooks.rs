//! Hooks as written: each is read as a rule whose effect is a run.

use regex::Regex;

use super::code::DiagnosticCode;
use super::diagnostic::DiagnosticReport;
use super::keys::keys_of;
use super::node::{Node, NodeValue};
use super::rule_keys::split_conditions;
use super::type_error::TypeError;
use crate::domain::condition::Conditions;
use crate::domain::policy::hook::HOOK_KEYS;
use crate::domain::policy::host_name::HostName;
use crate::domain::policy::run::{Run, RunProtocol, StdoutUse};
use crate::domain::text::template::Template;

/// Returns a hook as the rule that it is: what is said of its run is under `then`.
pub(super) fn as_rule(node: &Node, report: &mut dyn FnMut(TypeError)) -> Option<Node> {
    let NodeValue::Map(entries) = &node.value else {
        report(TypeError::wrong_type("a hook, which is a map", node));
        return None;
    };
    let of_conditions = keys_of::<Conditions>();
    let of_run: Vec<&str> = keys_of::<Run>().iter().copied().filter(|key| !of_conditions.contains(key)).collect();
    let own: Vec<&str> = HOOK_KEYS.iter().chain(&of_run).copied().collect();
    let apart = split_conditions(node, entries, &own, report);
    let NodeValue::Map(entries) = apart.value else { return None };
    let is_of_run = |key: &Node| key.text().is_some_and(|key| of_run.contains(&key));
    let (mut run, mut rule): (Vec<_>, Vec<_>) = entries.into_iter().partition(|(key, _)| is_of_run(key));
    let Some(at) = rule.iter().position(|(key, _)| key.text() == Some(RUN_KEY)) else {
        let help = "name the program, such as `run: [./hooks/audit.py]`, or `run: { shell: \"…\" }`";
        report(
            TypeError::new(DiagnosticCode::MissingKey, format!("missing key `{RUN_KEY}`"), Some(help.into()))
                .at_node(node),
        );
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
const RUN_KEY: &str = "run";

/// Checks a run for what cannot be meant.
pub(super) fn check(run: &Run, node: &Node, hosts: &[HostName], report: &mut DiagnosticReport) {
    let mut add = |code, key: &str, message: &str, help: &str| {
        report.add(code, &node.value_span(key), message, Some(help.to_owned()));
    };
    match (run.command.first(), &run.shell) {
        (None, None) => {
            let help = "name the program under `command`, or set `shell`";
            add(DiagnosticCode::MissingKey, "command", "no program is given", help);
        }
        (Some(_), Some(_)) => {
            add(DiagnosticCode::InvalidValue, "shell", "`command` and `shell` can't be combined", "remove one of them");
        }
        (Some(program), None) => {
            let is_line = program.names().is_empty() && program.source().contains(' ') && run.command.len() == 1;
            if is_line && !program.source().contains(['/', '\\']) {
                let help = "use a list of words, such as `[cargo, fmt]`, or `shell: \"cargo fmt\"`";
                add(
                    DiagnosticCode::InvalidValue,
                    "command",
                    "there is no program with this name, including spaces",
                    help,
                );
            }
            if program.source().is_empty() {
                add(DiagnosticCode::InvalidValue, "command", "the program has no name", "name a program");
            }
        }
        (None, Some(text)) => {
            if Template::parse(text).is_ok_and(|template| !template.names().is_empty()) {
                let help = "set a variable, `env: { set: { FILE: \"{{ file.path }}\" } }`, and write `\"$FILE\"`: a value that is expanded in a shell script could be a command";
                add(DiagnosticCode::InvalidValue, "shell", "templates are not expanded in `shell`", help);
            }
        }
    }
    if let Some((message, help)) = run.matcher.as_deref().and_then(|matcher| matcher_issue(run, matcher, hosts)) {
        add(DiagnosticCode::InvalidValue, "matcher", message, &help);
    }
    let names = run.env.pass.iter().chain(run.env.set.keys());
    if let Some(name) = names.into_iter().find(|name| name.is_empty() || name.contains(['=', '\0', '*', '$'])) {
        let help = "list names of variables, such as `GITHUB_TOKEN`";
        add(DiagnosticCode::InvalidValue, "env", &format!("`{name}` is not a variable name"), help);
    }
    for (key, why) in idle_keys(run) {
        if node.get(key).is_some() {
            let message = format!("`{key}` has no effect: {why}");
            report.add(DiagnosticCode::IdleKey, &node.key_span(key), message, Some("take it away".into()));
        }
    }
}

/// Returns what is wrong with a matcher, and what to do.
fn matcher_issue(run: &Run, matcher: &str, hosts: &[HostName]) -> Option<(&'static str, String)> {
    if matches!(run.speaks, RunProtocol::ExitCode | RunProtocol::Native) {
        let examples: Vec<String> = HostName::protocols(hosts).iter().map(|name| format!("`speaks: {name}`")).collect();
        let help = format!("name the host with {}, or use conditions such as `tool: shell`", examples.join(" or "));
        return Some(("a matcher requires the protocol of a host", help));
    }
    let is_unreadable = !matches!(matcher.trim(), "" | "*") && Regex::new(matcher).is_err();
    is_unreadable.then(|| {
        let help = "look-ahead and back-references are not supported; use conditions such as `tool: shell`";
        ("the regular expression is invalid", help.to_owned())
    })
}

/// Returns that a rule's program is to speak as a host that there is not; where none are known, any may be named.
pub(super) fn unknown_protocol(rule: &Node, hosts: &[HostName]) -> Option<TypeError> {
    let node = rule.get("then")?.get(RUN_KEY)?.get("speaks")?;
    let word = node.text()?;
    let hosts = HostName::protocols(hosts);
    let known: Vec<&str> = RunProtocol::NEUTRAL_NAMES.into_iter().chain(hosts.iter().copied()).collect();
    (!hosts.is_empty() && !known.contains(&word)).then(|| TypeError::unknown_word(word, &known).at_node(node))
}

/// Returns the keys of a run that never act, and why.
fn idle_keys(run: &Run) -> Vec<(&'static str, &'static str)> {
    const UNHEARD: &str = "`async` programs are not waited for";
    if run.r#async {
        return vec![("on_failure", UNHEARD), ("stdout", UNHEARD), ("parallel", UNHEARD)];
    }
    let said = run.speaks != RunProtocol::ExitCode && run.stdout != StdoutUse::None;
    if said { vec![("stdout", "its output is its answer, in the protocol that it `speaks`")] } else { Vec::new() }
}
