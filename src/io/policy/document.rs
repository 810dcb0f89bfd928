//! A policy file as written: its keys, and how each is read.
//!
//! The conditions of a rule stand beside its other keys in the file and in a struct of their own
//! in the domain; the tree is brought into that form first, places kept. Each rule is read by
//! itself, so that a mistake in one hides none in another.

use std::collections::HashSet;
use std::ops::Range;

use schemars::JsonSchema;
use serde::Deserialize;

use super::code::Code;
use super::detectors::read_own;
use super::diagnostic::Report;
use super::gates::read_gate;
use super::hooks;
use super::keys::keys_of;
use super::misfit::Misfit;
use super::node::{Node, NodeValue};
use super::read::{read, read_all};
use crate::domain::condition::Conditions;
use crate::domain::gate::Gate;
use crate::domain::hook::Hook;
use crate::domain::leak::Quieting;
use crate::domain::policy::{AskFallback, AuditLevel, Disable, OnError, Settings};
use crate::domain::rule::{Mode, Rule, Then};
use crate::domain::secret::entry::Entry;
use crate::domain::suggest;
use crate::domain::tool::Arguments;

/// The version of the policy language that this build reads.
const VERSION: i128 = 1;

/// A policy.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Document {
    /// The version of the policy language: 1.
    pub version: Version,
    /// What the policy is for.
    #[serde(default)]
    pub description: Option<String>,
    /// Bundled packs by name, and policy files by their path from here, whose rules are added.
    #[serde(default)]
    pub extends: Vec<String>,
    /// What follows when a call cannot be judged: a broken policy, an error of ruleward's own.
    #[serde(default)]
    pub on_error: Option<OnError>,
    /// What follows when a rule goes by what happened before, and that cannot be read or kept: the
    /// database is damaged, or held by another program.
    #[serde(default)]
    pub on_state_error: Option<OnError>,
    /// What becomes of `ask` where the host cannot put the question.
    #[serde(default)]
    pub ask_fallback: Option<AskFallback>,
    /// Whether a person sits at the host, on hosts that do not say.
    #[serde(default)]
    pub interactive: Option<bool>,
    /// Whether the bundled pack `recommended` applies beside this policy.
    #[serde(default)]
    pub defaults: Option<Defaults>,
    /// What is recorded in the audit log.
    #[serde(default)]
    pub audit: Option<AuditLevel>,
    /// Whether the rules act; `monitor` turns every rule of this file, and of those it extends,
    /// into one that only records.
    #[serde(default)]
    pub mode: Mode,
    /// Names of arguments of tools that ruleward does not know, and what they mean.
    #[serde(default)]
    pub arguments: Arguments,
    /// Detectors of secrets of one's own, to be named by `secrets: {detectors: […]}`.
    #[serde(default)]
    pub detectors: Vec<Entry>,
    /// What `secrets` and `pii` find and is no leak.
    #[serde(default)]
    pub secrets: Quieting,
    /// Rules that are turned down.
    #[serde(default)]
    pub disable: Vec<Disable>,
    /// The rules.
    #[serde(default)]
    pub rules: Vec<Rule>,
    /// Hooks: programs that look at events by themselves, in whatever host's words they know. They are
    /// read as rules.
    #[serde(default)]
    #[schemars(with = "Vec<Hook>")]
    pub hooks: (),
    /// Gates: what is open or closed by what happened before, and the rules of either.
    #[serde(default)]
    pub gates: Vec<Gate>,
    /// Samples of events and what the policy must make of them.
    #[serde(default)]
    pub tests: Vec<serde_json::Map<String, serde_json::Value>>,
}

/// The version of the policy language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub(crate) struct Version(u8);

impl JsonSchema for Version {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Version".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "const": 1 })
    }
}

/// Which bundled policy applies beside the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Defaults {
    /// The pack `recommended`.
    Recommended,
    /// None.
    None,
}

/// A policy file that was read.
#[derive(Debug)]
pub(crate) struct Written {
    /// What stands in it. Of its rules, only those without mistakes.
    pub document: Document,
    /// What it extends, each name with its place.
    pub extends: Vec<(String, Range<usize>)>,
    /// For each of its orders to turn rules down, the place of the name.
    pub disable_at: Vec<Range<usize>>,
    /// For each of its rules, the tree it was read from.
    pub nodes: Vec<Node>,
    /// For each of its gates, the tree it was read from.
    pub gates: Vec<Node>,
    /// The tree of what it says is no leak.
    pub secrets: Option<Node>,
    /// Its tests, unread.
    pub tests: Option<Node>,
}

impl Written {
    /// Adds a rule, if it has no mistake, with the tree it was read from.
    fn add_rule(&mut self, read: Option<(Rule, Node)>) {
        if let Some((rule, node)) = read {
            self.document.rules.push(rule);
            self.nodes.push(node);
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
        }
    }
}

/// Reads a file's tree; `None` when even its top level means nothing.
pub(crate) fn read_document(mut root: Node, report: &mut Report) -> Option<Written> {
    take_duplicates(&mut root, report);
    check_version(&mut root, report)?;
    let extends = take(&mut root, "extends");
    let detectors = take(&mut root, "detectors");
    let disable = take(&mut root, "disable");
    let rules = take(&mut root, "rules");
    let hooks = take(&mut root, "hooks");
    let gates = take(&mut root, "gates");
    let tests = take(&mut root, "tests");
    let secrets = root.get("secrets").cloned();
    let document: Document = read_all(&root, &mut |misfit| report.add_misfit(misfit))?;
    let mut written =
        Written { document, extends: vec![], disable_at: vec![], nodes: vec![], gates: vec![], secrets, tests };
    for node in listed(extends.as_ref(), report) {
        match read::<String>(node) {
            Ok(name) => written.extends.push((name, node.span.clone())),
            Err(misfit) => report.add_misfit(misfit),
        }
    }
    written.document.detectors = detectors.map(|list| read_own(&list, report)).unwrap_or_default();
    for node in listed(disable.as_ref(), report) {
        let mut fits = true;
        let disable = read_all::<Disable>(node, &mut |misfit| {
            fits = false;
            report.add_misfit(misfit);
        });
        if let (Some(disable), true) = (disable, fits) {
            written.document.disable.push(disable);
            written.disable_at.push(node.get("rule").unwrap_or(node).span.clone());
        }
    }
    for node in listed(rules.as_ref(), report) {
        written.add_rule(read_rule(node, report));
    }
    for node in listed(hooks.as_ref(), report) {
        let mut fits = true;
        let rule = hooks::as_rule(node, &mut |misfit| {
            fits = false;
            report.add_misfit(misfit);
        });
        let rule = rule.and_then(|rule| read_parted(&rule, report));
        written.add_rule(rule.filter(|_| fits));
    }
    for node in listed(gates.as_ref(), report) {
        if let Some(read) = read_gate(node, report) {
            written.document.gates.push(read.gate);
            written.gates.push(read.node);
            read.rules.into_iter().for_each(|rule| written.add_rule(Some(rule)));
        }
    }
    Some(written)
}

/// Returns the items under a key; a key that was left empty is a mistake.
fn listed<'n>(node: Option<&'n Node>, report: &mut Report) -> &'n [Node] {
    match node {
        Some(Node { value: NodeValue::Null, span }) => {
            report.add(Code::WrongType, span, "expected a list, found nothing", None);
            &[]
        }
        Some(node) => node.items(),
        None => &[],
    }
}

/// Takes the value of a key out of a map.
fn take(root: &mut Node, key: &str) -> Option<Node> {
    let NodeValue::Map(entries) = &mut root.value else { return None };
    let position = entries.iter().position(|(name, _)| name.text() == Some(key))?;
    Some(entries.remove(position).1)
}

/// Takes out the keys that the file has twice: what is taken apart here is not seen by the reader.
fn take_duplicates(root: &mut Node, report: &mut Report) {
    let NodeValue::Map(entries) = &mut root.value else { return };
    let mut seen: HashSet<String> = HashSet::new();
    entries.retain(|(key, _)| {
        let Some(name) = key.text() else { return true };
        let is_new = seen.insert(name.to_owned());
        if !is_new {
            report.add_misfit(Misfit::duplicate_key(name, key));
        }
        is_new
    });
}

/// Checks the version, and puts a right one in the place of a missing one, so that reading goes on.
fn check_version(root: &mut Node, report: &mut Report) -> Option<()> {
    let NodeValue::Map(entries) = &mut root.value else {
        let message = format!("expected a policy, which is a map, found {}", root.kind());
        report.add(Code::WrongType, &root.span, message, Some("begin with `version: 1`".into()));
        return None;
    };
    match entries.iter().find(|(key, _)| key.text() == Some("version")) {
        Some((_, Node { value: NodeValue::Int(VERSION, _), .. })) => Some(()),
        Some((_, node)) => {
            let message = format!("expected `version: {VERSION}`, found {}", node.kind());
            let help = "a higher number needs a newer ruleward";
            report.add(Code::UnsupportedVersion, &node.span, message, Some(help.into()));
            None
        }
        None => {
            let help = Some(format!("begin with `version: {VERSION}`"));
            report.add(Code::UnsupportedVersion, &root.span, "missing key `version`", help);
            let place = |value| Node { span: root.span.clone(), value };
            let number = NodeValue::Int(VERSION, VERSION.to_string());
            entries.push((place(NodeValue::Str("version".into())), place(number)));
            Some(())
        }
    }
}

/// Reads a rule, and returns it with the tree it was read from when it has no mistake.
fn read_rule(node: &Node, report: &mut Report) -> Option<(Rule, Node)> {
    let mut fits = true;
    let mut add = |misfit| {
        fits = false;
        report.add_misfit(misfit);
    };
    let NodeValue::Map(entries) = &node.value else {
        add(Misfit::wrong("a rule, which is a map", node));
        return None;
    };
    let node = with_conditions_apart(node, entries, keys_of::<Rule>(), &mut add);
    read_parted(&node, report).filter(|_| fits)
}

/// Reads a rule whose conditions stand apart.
fn read_parted(node: &Node, report: &mut Report) -> Option<(Rule, Node)> {
    let mut fits = true;
    let rule = read_all::<Rule>(node, &mut |misfit| {
        fits = false;
        report.add_misfit(misfit);
    });
    rule.filter(|_| fits).map(|rule| (rule, node.clone()))
}

/// Moves the conditions of a rule, or of what else has some, into a map of their own. An unknown key
/// is reported, and goes on as the one it was meant to be.
pub(super) fn with_conditions_apart(
    node: &Node,
    entries: &[(Node, Node)],
    own: &[&str],
    report: &mut dyn FnMut(Misfit),
) -> Node {
    let of_conditions = keys_of::<Conditions>();
    let of_rule: Vec<&str> = own.iter().copied().filter(|key| *key != CONDITIONS).collect();
    let known: Vec<&str> = of_rule.iter().chain(of_conditions).copied().collect();
    let mut own = Vec::new();
    let mut conditions = Vec::new();
    for (key, value) in entries {
        let mut key = key.clone();
        let name = key.text().unwrap_or_default().to_owned();
        if !known.contains(&name.as_str()) {
            let misfit = unknown_in_rule(&name, &known).at(&key);
            let meant = misfit.key.clone().filter(|meant| node.entry(meant).is_none());
            report(misfit);
            let Some(meant) = meant else { continue };
            key.value = NodeValue::Str(meant.into());
        }
        let is_condition = key.text().is_some_and(|name| of_conditions.contains(&name));
        if is_condition { &mut conditions } else { &mut own }.push((key, value.clone()));
    }
    let span = node.span.clone();
    let key = Node { span: span.clone(), value: NodeValue::Str(CONDITIONS.into()) };
    own.push((key, Node { span: span.clone(), value: NodeValue::Map(conditions) }));
    Node { span, value: NodeValue::Map(own) }
}

/// The field of a rule that its conditions are read into; no key of the language.
const CONDITIONS: &str = "conditions";

/// Words of other tools, and ours for the same.
const OTHER_WORDS: &[(&str, &str)] = &[
    ("on", "when"),
    ("event", "when"),
    ("events", "when"),
    ("hook", "when"),
    ("trigger", "when"),
    ("action", "then"),
    ("actions", "then"),
    ("effect", "then"),
    ("name", "id"),
    ("matcher", "tool"),
    ("path", "files"),
    ("paths", "files"),
    ("unless", "except"),
    ("not", "except"),
];

/// Returns that a key means nothing in a rule, and what to write instead.
fn unknown_in_rule(key: &str, known: &[&str]) -> Misfit {
    let mut misfit = Misfit::unknown_key(key, known);
    if keys_of::<Then>().contains(&key) {
        misfit.key = None;
        misfit.message = suggest::unknown("key", key, None);
        misfit.help = Some(format!("`{key}` belongs under `then`"));
    } else if let Some((_, ours)) = OTHER_WORDS.iter().find(|(other, _)| *other == key) {
        misfit.key = Some((*ours).into());
        misfit.message = suggest::unknown("key", key, None);
        misfit.help = Some(format!("the key for that is `{ours}`"));
    }
    misfit
}
