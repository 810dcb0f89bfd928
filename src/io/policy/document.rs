//! A policy file as written: its keys, and how each is read.
//!
//! The conditions of a rule are beside its other keys in the file and in a struct of their own
//! in the domain; the tree is brought into that form first, places kept. Each rule is read by
//! itself, so that a mistake in one hides none in another.

use std::collections::HashSet;
use std::ops::Range;

#[cfg(test)]
use schemars::JsonSchema;
use serde::Deserialize;

use super::code::DiagnosticCode;
use super::detectors::read_custom;
use super::diagnostic::DiagnosticReport;
use super::gates::read_gate;
use super::hooks;
use super::keys::keys_of;
use super::node::{Node, NodeValue};
use super::read::{read, read_all};
use super::rule_keys::split_conditions;
use super::type_error::TypeError;
use crate::domain::allowlist::Suppressions;
use crate::domain::event::tool::ArgumentNames;
use crate::domain::policy::gate::Gate;
#[cfg(test)]
use crate::domain::policy::hook::HookEntry;
use crate::domain::policy::host_name::HostName;
use crate::domain::policy::part::Disable;
use crate::domain::policy::rule::Rule;
use crate::domain::policy::settings::{AskFallback, AuditLevel, Backups, Settings, TamperResponse};
use crate::domain::secret::spec::DetectorSpec;
use crate::domain::severity::Mode;
use crate::domain::severity::OnError;

/// The version of the policy language that this build reads.
const VERSION: i128 = 1;

/// A policy.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Document {
    /// The version of the policy language: 1.
    pub version: Version,
    /// What the policy is for.
    #[serde(default)]
    pub description: Option<String>,
    /// Bundled packs by name, and policy files by relative path, whose rules are added.
    #[serde(default)]
    pub extends: Vec<String>,
    /// The decision if a call can't be evaluated: an invalid policy, an internal error.
    #[serde(default)]
    pub on_error: Option<OnError>,
    /// The decision if a rule needs state that can't be read or stored: the database is damaged, or
    /// locked by another program.
    #[serde(default)]
    pub on_state_error: Option<OnError>,
    /// The decision for `ask` if the host can't ask the user.
    #[serde(default)]
    pub ask_fallback: Option<AskFallback>,
    /// Whether a user is present, on hosts that don't report it.
    #[serde(default)]
    pub interactive: Option<bool>,
    /// Whether the bundled pack `recommended` applies in addition to this policy.
    #[serde(default)]
    pub defaults: Option<Defaults>,
    /// What is recorded in the audit log.
    #[serde(default)]
    pub audit: Option<AuditLevel>,
    /// What happens if a call changes a file that ruleward depends on: a registration, a policy,
    /// the program, a record. Only the user's and the managed policy can set it.
    #[serde(default)]
    pub tamper: Option<TamperResponse>,
    /// Whether rules can back up what calls destroy; with `off`, they ask instead. Only the user's and the managed
    /// policy can set it.
    #[serde(default)]
    pub backups: Option<Backups>,
    /// With `monitor`, all rules of this file, and of files that it extends, are only recorded.
    #[serde(default)]
    pub mode: Mode,
    /// Argument names of unknown tools, and their meaning.
    #[serde(default)]
    pub arguments: ArgumentNames,
    /// Additional terminal programs, by name or path. Only the user's and the managed policy can
    /// set it.
    #[serde(default)]
    pub terminals: Vec<String>,
    /// Your own secret detectors, for `secrets: {detectors: […]}`.
    #[serde(default)]
    pub detectors: Vec<DetectorSpec>,
    /// Findings of `secrets` and `pii` that are harmless.
    #[serde(default)]
    pub secrets: Suppressions,
    /// Rules to disable.
    #[serde(default)]
    pub disable: Vec<Disable>,
    /// The rules.
    #[serde(default)]
    pub rules: Vec<Rule>,
    /// Hooks: programs that evaluate events, in any host's protocol. They have the keys of rules.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Vec<HookEntry>"))]
    pub hooks: (),
    /// Gates: switches that events open and close, with rules for each state.
    #[serde(default)]
    pub gates: Vec<Gate>,
    /// Test events and the expected results.
    #[serde(default)]
    pub tests: Vec<serde_json::Map<String, serde_json::Value>>,
}

/// The version of the policy language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub(crate) struct Version(u8);

#[cfg(test)]
impl JsonSchema for Version {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Version".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "const": 1 })
    }
}

/// The bundled policy that applies in addition to the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Defaults {
    /// The pack `recommended`.
    Recommended,
    /// None.
    None,
}

/// A policy file that was read.
#[derive(Debug)]
pub(crate) struct ParsedDocument {
    /// What is in it. Of its rules, only those without mistakes.
    pub document: Document,
    /// What it extends, each name with its place.
    pub extends: Vec<(String, Range<usize>)>,
    /// For each of its orders to turn rules down, the place of the name.
    pub disable_spans: Vec<Range<usize>>,
    /// For each of its rules, the tree it was read from.
    pub rule_nodes: Vec<Node>,
    /// For each of its gates, the tree it was read from.
    pub gate_nodes: Vec<Node>,
    /// The tree of what it says is no leak.
    pub secrets_node: Option<Node>,
    /// Its tests, unread.
    pub tests_node: Option<Node>,
}

impl ParsedDocument {
    /// Adds a rule, if it has no mistake, with the tree it was read from.
    fn add_rule(&mut self, read: Option<(Rule, Node)>) {
        if let Some((rule, node)) = read {
            self.document.rules.push(rule);
            self.rule_nodes.push(node);
        }
    }

    /// Returns the file's settings.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            on_error: self.document.on_error,
            on_state_error: self.document.on_state_error,
            ask_fallback: self.document.ask_fallback,
            interactive: self.document.interactive,
            defaults: self.document.defaults.map(|defaults| defaults == Defaults::Recommended),
            audit: self.document.audit,
            tamper: self.document.tamper,
            backups: self.document.backups,
        }
    }
}

/// Reads a file's tree; `None` when even its top level means nothing.
pub(crate) fn read_document(
    mut root: Node,
    hosts: &[HostName],
    report: &mut DiagnosticReport,
) -> Option<ParsedDocument> {
    remove_duplicate_keys(&mut root, report);
    check_version(&mut root, report)?;
    let extends = take_key(&mut root, "extends");
    let detectors = take_key(&mut root, "detectors");
    let disable = take_key(&mut root, "disable");
    let rules = take_key(&mut root, "rules");
    let hooks = take_key(&mut root, "hooks");
    let gates = take_key(&mut root, "gates");
    let tests = take_key(&mut root, "tests");
    let secrets = root.get("secrets").cloned();
    let document: Document = read_all(&root, &mut |misfit| report.add_type_error(misfit))?;
    let mut written = ParsedDocument {
        document,
        extends: vec![],
        disable_spans: vec![],
        rule_nodes: vec![],
        gate_nodes: vec![],
        secrets_node: secrets,
        tests_node: tests,
    };
    for node in list_items(extends.as_ref(), report) {
        match read::<String>(node) {
            Ok(name) => written.extends.push((name, node.span.clone())),
            Err(misfit) => report.add_type_error(misfit),
        }
    }
    written.document.detectors = detectors.map(|list| read_custom(&list, report)).unwrap_or_default();
    for node in list_items(disable.as_ref(), report) {
        let mut fits = true;
        let disable = read_all::<Disable>(node, &mut |misfit| {
            fits = false;
            report.add_type_error(misfit);
        });
        if let (Some(disable), true) = (disable, fits) {
            written.document.disable.push(disable);
            written.disable_spans.push(node.get("rule").unwrap_or(node).span.clone());
        }
    }
    for node in list_items(rules.as_ref(), report) {
        written.add_rule(read_rule(node, hosts, report));
    }
    for node in list_items(hooks.as_ref(), report) {
        let mut fits = true;
        let rule = hooks::as_rule(node, &mut |misfit| {
            fits = false;
            report.add_type_error(misfit);
        });
        let rule = rule.and_then(|rule| read_split_rule(&rule, hosts, report));
        written.add_rule(rule.filter(|_| fits));
    }
    for node in list_items(gates.as_ref(), report) {
        if let Some(read) = read_gate(node, hosts, report) {
            written.document.gates.push(read.gate);
            written.gate_nodes.push(read.node);
            read.rules.into_iter().for_each(|rule| written.add_rule(Some(rule)));
        }
    }
    Some(written)
}

/// Returns the items under a key; a key that was left empty is a mistake.
fn list_items<'n>(node: Option<&'n Node>, report: &mut DiagnosticReport) -> &'n [Node] {
    match node {
        Some(Node { value: NodeValue::Null, span }) => {
            report.add(DiagnosticCode::WrongType, span, "expected a list, found nothing", None);
            &[]
        }
        Some(node) => node.items(),
        None => &[],
    }
}

/// Takes the value of a key out of a map.
fn take_key(root: &mut Node, key: &str) -> Option<Node> {
    let NodeValue::Map(entries) = &mut root.value else { return None };
    let position = entries.iter().position(|(name, _)| name.text() == Some(key))?;
    Some(entries.remove(position).1)
}

/// Takes out the keys that the file has twice: what is taken apart here is not seen by the reader.
fn remove_duplicate_keys(root: &mut Node, report: &mut DiagnosticReport) {
    let NodeValue::Map(entries) = &mut root.value else { return };
    let mut seen: HashSet<String> = HashSet::new();
    entries.retain(|(key, _)| {
        let Some(name) = key.text() else { return true };
        let is_new = seen.insert(name.to_owned());
        if !is_new {
            report.add_type_error(TypeError::duplicate_key(name, key));
        }
        is_new
    });
}

/// Checks the version, and puts a right one in the place of a missing one, so that reading goes on.
fn check_version(root: &mut Node, report: &mut DiagnosticReport) -> Option<()> {
    let NodeValue::Map(entries) = &mut root.value else {
        let message = format!("expected a policy, which is a map, found {}", root.describe());
        report.add(DiagnosticCode::WrongType, &root.span, message, Some("start the file with `version: 1`".into()));
        return None;
    };
    match entries.iter().find(|(key, _)| key.text() == Some("version")) {
        Some((_, Node { value: NodeValue::Int(VERSION, _), .. })) => Some(()),
        Some((_, node)) => {
            let message = format!("expected `version: {VERSION}`, found {}", node.describe());
            let help = "a higher version requires a newer ruleward";
            report.add(DiagnosticCode::UnsupportedVersion, &node.span, message, Some(help.into()));
            None
        }
        None => {
            let help = Some(format!("start the file with `version: {VERSION}`"));
            report.add(DiagnosticCode::UnsupportedVersion, &root.span, "missing key `version`", help);
            let place = |value| Node { span: root.span.clone(), value };
            let number = NodeValue::Int(VERSION, VERSION.to_string());
            entries.push((place(NodeValue::Str("version".into())), place(number)));
            Some(())
        }
    }
}

/// Reads a rule, and returns it with the tree it was read from when it has no mistake.
fn read_rule(node: &Node, hosts: &[HostName], report: &mut DiagnosticReport) -> Option<(Rule, Node)> {
    let mut fits = true;
    let mut add = |misfit| {
        fits = false;
        report.add_type_error(misfit);
    };
    let NodeValue::Map(entries) = &node.value else {
        add(TypeError::wrong_type("a rule, which is a map", node));
        return None;
    };
    let node = split_conditions(node, entries, keys_of::<Rule>(), &mut add);
    read_split_rule(&node, hosts, report).filter(|_| fits)
}

/// Reads a rule whose conditions are apart.
fn read_split_rule(node: &Node, hosts: &[HostName], report: &mut DiagnosticReport) -> Option<(Rule, Node)> {
    let mut fits = true;
    let mut add = |misfit| {
        fits = false;
        report.add_type_error(misfit);
    };
    let rule = read_all::<Rule>(node, &mut add);
    hooks::unknown_protocol(node, hosts).into_iter().for_each(add);
    rule.filter(|_| fits).map(|rule| (rule, node.clone()))
}
