//! The second look: what is well-formed and still cannot be meant.
//!
//! A rule may ask for what its moments cannot carry, look at what they do not have, or name what
//! is not there. Each such slip would make a guard that never acts, so it is found here and not
//! in the field.

use std::collections::BTreeMap;
use std::ops::Range;

use super::code::Code;
use super::diagnostic::Report;
use super::document::Written;
use super::needs::NEEDS;
use super::node::Node;
use super::{example, gates, hooks, limit};
use crate::domain::condition::{Conditions, Matcher, Opaque, SecretPlace, Secrets, Text};
use crate::domain::effect::{EffectKind, Effects};
use crate::domain::kind::{Kind, MOMENTS, Moments};
use crate::domain::leak::AllowEntry;
use crate::domain::literal::Literal;
use crate::domain::pii::{KINDS, Kinds};
use crate::domain::request::{self, Takes};
use crate::domain::rule::{Retry, Rule};
use crate::domain::secret::DETECTORS;
use crate::domain::suggest;
use crate::domain::vocabulary::VOCABULARY;

/// Moments that are named in one message at most.
const MOST_NAMED: usize = 4;

/// Looks at every rule of a file. Where it is not known which hosts there are (none are given), any
/// may be named. `others` are the detectors that other files of the policy bring.
pub(crate) fn check(written: &Written, hosts: &[&str], others: &[&str], report: &mut Report) {
    if let Some(node) = &written.secrets {
        at_entries(&written.document.secrets.allow, node, report);
    }
    let own = written.document.detectors.iter().map(|entry| entry.id.as_str());
    let own: Vec<&str> = own.chain(others.iter().copied()).collect();
    let mut ids: Vec<&str> = Vec::new();
    for (rule, node) in written.document.rules.iter().zip(&written.nodes) {
        if ids.contains(&rule.id.as_str()) {
            let message = format!("the id `{}` is given to two rules", rule.id);
            let help = "people, tests and other policies speak of a rule by its id: give each its own";
            report.add(Code::DuplicateRule, &value_span(node, "id"), message, Some(help.into()));
        }
        ids.push(&rule.id);
        Look { rule, node, hosts, own: &own, report }.at_rule();
        example::check(rule, node, report);
    }
    for (gate, node) in written.document.gates.iter().zip(&written.gates) {
        gates::check(gate, node, report);
        for (key, transitions) in [("opens", &gate.opens), ("closes", &gate.closes)] {
            let nodes = node.get(key).map(Node::items).unwrap_or_default();
            for (transition, node) in transitions.iter().zip(nodes) {
                let rule = transition.as_rule(gate.id.clone());
                Look { rule: &rule, node, hosts, own: &own, report }.at_transition();
            }
        }
    }
}

/// How deep `any` may stand in `any`.
const MOST_NESTED: usize = 4;

/// Looks at the entries of an allow-list.
fn at_entries(entries: &[AllowEntry], node: &Node, report: &mut Report) {
    let nodes = node.get("allow").map(Node::items).unwrap_or_default();
    // One whose keys have mistakes of their own was reported for those.
    let says_nothing = |node: &Node| node.entries().iter().all(|(key, _)| key.text() == Some("reason"));
    for (_, node) in entries.iter().zip(nodes).filter(|(entry, node)| entry.is_empty() && says_nothing(node)) {
        let help = "say what must hold of a finding: `value`, `regex`, `path`, `detector` or `fingerprint`";
        report.add(Code::EmptyCondition, &node.span, "the entry says nothing of what it allows", Some(help.into()));
    }
}

/// A look at one rule.
struct Look<'a> {
    rule: &'a Rule,
    node: &'a Node,
    hosts: &'a [&'a str],
    own: &'a [&'a str],
    report: &'a mut Report,
}

impl Look<'_> {
    /// Looks at what changes a gate: it need not tell anybody.
    fn at_transition(&mut self) {
        let is_silent = self.rule.then.effects() == Effects::default();
        if self.rule.when == Moments::default() || !is_silent {
            self.at_effects();
        }
        self.at_all_conditions();
    }

    fn at_rule(&mut self) {
        self.at_id();
        self.at_effects();
        self.at_all_conditions();
    }

    fn at_all_conditions(&mut self) {
        let conditions = self.node.get("conditions").unwrap_or(self.node);
        self.at_conditions(&self.rule.conditions, conditions, 0);
        let exceptions = self.node.get("except").map(Node::items).unwrap_or_default();
        for (exception, node) in self.rule.except.iter().zip(exceptions) {
            if *exception == Conditions::default() {
                let help = "say what must not hold, or take it away";
                self.add(Code::EmptyCondition, &node.span, "an exception without conditions excuses everything", help);
            }
            self.at_conditions(exception, node, 0);
        }
    }

    fn add(&mut self, code: Code, span: &Range<usize>, message: impl Into<String>, help: &str) {
        let help = (!help.is_empty()).then(|| help.to_owned());
        self.report.add(code, span, message, help);
    }

    fn add_unknown(&mut self, code: Code, span: &Range<usize>, unknown: &str) {
        let (message, help) = suggest::split_help(unknown);
        self.add(code, span, message, help.unwrap_or_default());
    }

    fn at_id(&mut self) {
        let id = self.rule.id.as_str();
        let known = |character: char| character.is_alphanumeric() || "-_./:".contains(character);
        if id.is_empty() || !id.chars().all(known) {
            let span = value_span(self.node, "id");
            self.add(Code::InvalidId, &span, format!("`{id}` is no id"), "use letters, digits and `-`");
        }
    }

    fn at_effects(&mut self) {
        if self.rule.when == Moments::default() {
            let span = value_span(self.node, "when");
            self.add(Code::NoMoment, &span, "the rule watches no moment, so it never acts", "name a moment");
            return;
        }
        let Some((key, then)) = self.node.entry("then") else { return };
        let effects: Vec<EffectKind> = self.rule.then.effects().iter().collect();
        if effects.is_empty() {
            let help = format!("name one of {}", suggest::quoted(EffectKind::ALL.map(EffectKind::name)));
            self.add(Code::NoEffect, &key.span, "the rule asks for nothing, so it does nothing", &help);
        }
        for effect in effects {
            let span = key_span(then, effect.name());
            self.at_effect(effect, &span);
        }
        if let (Some(fields), Some(node)) = (&self.rule.then.rewrite, then.get("rewrite")) {
            self.at_rewrite(fields, node);
        }
        if let (Some(retry), Some(node)) = (&self.rule.then.retry, then.get("retry")) {
            self.at_retry(retry, node);
        }
        if self.rule.then.respond.as_ref().is_some_and(|respond| respond.with.is_some() && respond.cache.is_some()) {
            let span = key_span(then, "respond");
            let message = "the rule answers with a text and with what the model has answered before";
            self.add(Code::InvalidValue, &span, message, "take `with` or `cache`; a text can be a rule of its own");
        }
        if let Some(node) = then.get("allow").filter(|node| node.get("remember").is_some()) {
            self.at_remembering(node);
        }
        self.at_beginning(then);
        if let (Some(run), Some(node)) = (&self.rule.then.run, then.get("run")) {
            hooks::check(run, node, self.report);
            run.consequences().for_each(|(key, effect)| self.at_effect(effect, &value_span(node, key)));
        }
        if let Some(limit) = &self.rule.then.tools {
            limit::check(self.rule, limit, self.node, self.report);
        }
    }

    fn at_effect(&mut self, effect: EffectKind, span: &Range<usize>) {
        let can = |moment: &&crate::domain::kind::Moment| moment.effects.contains(effect);
        let (carriers, others): (Vec<_>, Vec<_>) = self.rule.when.iter().partition(can);
        if carriers.is_empty() {
            let able: Vec<&str> = MOMENTS.iter().filter(can).map(|moment| moment.name).collect();
            let help = match others.as_slice() {
                [only] => {
                    let carried = suggest::quoted(only.effects.iter().map(EffectKind::name));
                    format!("it can carry {carried}; `{effect}` can be carried at {}", named(&able))
                }
                _ => format!("`{effect}` can be carried at {}", named(&able)),
            };
            let names: Vec<&str> = others.iter().map(|moment| moment.name).collect();
            let message = format!("{} cannot carry `{effect}`", named(&names));
            self.add(Code::EffectNotCarried, span, message, &help);
        } else if !others.is_empty() {
            let names: Vec<&str> = others.iter().map(|moment| moment.name).collect();
            let able: Vec<&str> = carriers.iter().map(|moment| moment.name).collect();
            let message = format!("`{effect}` is lost at {}", named(&names));
            let help = format!("of this rule's moments, it can be carried at {}", named(&able));
            self.add(Code::EffectPartlyCarried, span, message, &help);
        }
        if effect == EffectKind::Redact && !finds_text(&self.rule.conditions) {
            let message = "nothing says what is to be taken out of the text";
            let help = "add `secrets`, `pii`, or a condition on the text such as `output: {regex: …}`";
            self.add(Code::NothingToRedact, span, message, help);
        }
        let asks = [Kind::PermissionRequest, Kind::ElicitationRequest];
        let asks = asks.into_iter().find(|kind| self.rule.when.contains(*kind));
        if let Some(kind) = asks.filter(|_| effect == EffectKind::Rewrite && self.rule.then.allow.is_none()) {
            let message = format!("at `{kind}` input is changed only together with an approval");
            let help = match kind {
                Kind::PermissionRequest => "add `allow` to this rule, or let it watch `tool.before` alone",
                _ => "add `allow` to this rule",
            };
            self.add(Code::RewriteNeedsAllow, span, message, help);
        }
    }

    fn at_beginning(&mut self, then: &Node) {
        let own = &self.rule.then;
        if own.clear_context && own.retry.is_none() && own.stop.is_none() {
            let span = key_span(then, "clear_context");
            let message = "a conversation begins anew only when the agent goes on or stops";
            self.add(Code::ClearNeedsRetry, &span, message, "add `retry` or `stop` to this rule");
        }
    }

    fn at_retry(&mut self, retry: &Retry, node: &Node) {
        if !(1..=Retry::MOST).contains(&retry.max_retries) {
            let message = format!("an agent cannot be sent back {} times", retry.max_retries);
            let help = format!("say a number from 1 to {}", Retry::MOST);
            self.add(Code::InvalidValue, &value_span(node, "max_retries"), message, &help);
        }
    }

    fn at_remembering(&mut self, node: &Node) {
        if !self.rule.when.contains(Kind::PermissionRequest) {
            let message = "an approval is remembered at `permission.request` alone";
            let help = "take `remember` out, or let the rule watch `permission.request`";
            self.add(Code::InvalidValue, &key_span(node, "remember"), message, help);
        }
    }

    fn at_rewrite(&mut self, fields: &BTreeMap<String, Literal>, node: &Node) {
        if fields.is_empty() {
            self.add(Code::NoEffect, &node.span, "`rewrite` names no field", "name a field of the tool's input");
        }
        let changed = self.rule.when.iter().filter(|moment| moment.effects.contains(EffectKind::Rewrite));
        let mut changed = changed.map(|moment| (moment.name, rewritten_at(moment.kind)));
        let Some((first, what)) = changed.next() else { return };
        if let Some((other, another)) = changed.find(|(_, another)| *another != what) {
            let message = format!("at `{first}` {what} is rewritten, at `{other}` {another}");
            self.add(Code::RewriteOfTwoThings, &node.span, message, "make two rules");
            return;
        }
        if !self.rule.when.contains(Kind::ModelBefore) {
            return;
        }
        for (field, value) in fields {
            let span = value_span(node, field);
            let Some((_, takes)) = request::FIELDS.iter().find(|(name, _)| name == field) else {
                let unknown = suggest::among("field", field, request::FIELDS.iter().map(|(name, _)| *name));
                self.add_unknown(Code::UnknownField, &key_span(node, field), &unknown);
                continue;
            };
            let what = match takes {
                Takes::Text if !matches!(value, Literal::Text(_)) => "a text",
                Takes::Number if !matches!(value, Literal::Int(_) | Literal::Float(_) | Literal::Null) => "a number",
                Takes::Text | Takes::Number => continue,
            };
            self.add(Code::WrongType, &span, format!("`{field}` of a request is {what}"), "");
        }
    }

    fn at_conditions(&mut self, conditions: &Conditions, node: &Node, depth: usize) {
        for (key, value) in node.entries() {
            let Some(name) = key.text() else { continue };
            if let Some(row) = NEEDS.iter().find(|(condition, _)| *condition == name) {
                self.at_need(name, row.1, &key.span);
            }
            if lists_nothing(conditions, name) {
                let message = format!("`{name}` names nothing to look for, so it never holds");
                let help = match name {
                    "files" => "say which files, such as `paths: [\"**/*.pem\"]` or `outside: project`",
                    _ => "name something, or take the condition away",
                };
                self.add(Code::EmptyCondition, &value.span, message, help);
            }
        }
        self.at_places(conditions, node);
        self.at_detectors(conditions, node);
        self.at_kinds(conditions, node);
        self.at_allowed(conditions, node);
        self.at_hosts(conditions, node);
        self.at_fields(conditions, node);
        self.at_branches(conditions, node, depth);
    }

    /// Looks at the branches of `any`.
    fn at_branches(&mut self, conditions: &Conditions, node: &Node, depth: usize) {
        let (Some(branches), Some((key, value))) = (&conditions.any, node.entry("any")) else { return };
        if depth >= MOST_NESTED {
            let message = format!("`any` stands more than {MOST_NESTED} deep");
            self.add(
                Code::ExceededLimit,
                &key.span,
                message,
                "put the inner branches into the outer list, or make two rules",
            );
            return;
        }
        for (branch, node) in branches.iter().zip(value.items()) {
            if *branch == Conditions::default() {
                let help = "say what must hold, or take the branch away";
                self.add(Code::EmptyCondition, &node.span, "a branch without conditions always holds", help);
            }
            self.at_conditions(branch, node, depth + 1);
        }
    }

    fn at_need(&mut self, what: &str, having: &[Kind], span: &Range<usize>) {
        if self.rule.when == Moments::default() || having.iter().any(|kind| self.rule.when.contains(*kind)) {
            return;
        }
        let names: Vec<&str> = self.rule.when.iter().map(|moment| moment.name).collect();
        let having: Vec<&str> = having.iter().map(|kind| kind.name()).collect();
        let verb = if names.len() == 1 { "has" } else { "have" };
        let message = format!("{} {verb} no `{what}`, so this never holds", named(&names));
        let help = format!("`{what}` is there at {}", named(&having));
        self.add(Code::ConditionNeverHolds, span, message, &help);
    }

    fn at_places(&mut self, conditions: &Conditions, node: &Node) {
        let secrets = conditions.secrets.as_ref().zip(node.get("secrets"));
        self.at_places_of(secrets.map(|(secrets, node)| (secrets.r#in.as_slice(), node.get("in").unwrap_or(node))));
        let pii = conditions.pii.as_ref().zip(node.get("pii").and_then(|node| node.get("in")));
        self.at_places_of(pii.map(|(pii, node)| (pii.r#in.as_slice(), node)));
    }

    fn at_places_of(&mut self, given: Option<(&[SecretPlace], &Node)>) {
        let Some((places, node)) = given else { return };
        for (place, node) in places.iter().zip(node.items()) {
            let name = match place {
                SecretPlace::Content => "content",
                SecretPlace::Command => "command",
                SecretPlace::Url => "urls",
                SecretPlace::Prompt => "prompt",
                SecretPlace::Output => "output",
                SecretPlace::Response => "response",
            };
            if let Some((_, having)) = NEEDS.iter().find(|(condition, _)| *condition == name) {
                self.at_need(name, having, &node.span);
            }
        }
    }

    fn at_kinds(&mut self, conditions: &Conditions, node: &Node) {
        let (Some(pii), Some(node)) = (&conditions.pii, node.get("pii")) else { return };
        for (entry, node) in pii.kinds.iter().zip(node.get("kinds").unwrap_or(node).items()) {
            if !Kinds::is_known(entry) {
                let name = entry.trim_start_matches('-');
                let unknown = suggest::among("kind of personal data", name, KINDS.iter().map(|kind| kind.id));
                self.add_unknown(Code::UnknownDetector, &node.span, &unknown);
            }
        }
    }

    fn at_allowed(&mut self, conditions: &Conditions, node: &Node) {
        let secrets = conditions.secrets.as_ref().map(|it| &it.allow).zip(node.get("secrets"));
        let pii = conditions.pii.as_ref().map(|it| &it.allow).zip(node.get("pii"));
        for (entries, node) in secrets.into_iter().chain(pii) {
            at_entries(entries, node, self.report);
        }
    }

    fn at_detectors(&mut self, conditions: &Conditions, node: &Node) {
        let Some(secrets) = &conditions.secrets else { return };
        let Some(node) = node.get("secrets").and_then(|node| node.get("detectors")) else { return };
        for (entry, node) in secrets.detectors.iter().zip(node.items()) {
            let known = || DETECTORS.iter().map(|row| row.id).chain(self.own.iter().copied());
            // Where no detectors are known, as when the packs are built, any may be named.
            if !DETECTORS.is_empty() && !Secrets::is_known(entry, known()) {
                let name = entry.trim_start_matches('-');
                let message = suggest::unknown("detector", name, suggest::nearest(name, known()));
                let help = "write `all`, an id, or a part of ids with `*`, such as `aws-*`";
                self.add(Code::UnknownDetector, &node.span, message, help);
            }
        }
    }

    fn at_hosts(&mut self, conditions: &Conditions, node: &Node) {
        let (Some(hosts), Some(node)) = (&conditions.host, node.get("host")) else { return };
        for (host, node) in hosts.0.iter().zip(node.items()) {
            if !self.hosts.is_empty() && !self.hosts.contains(&host.as_str()) {
                let unknown = suggest::among("host", host, self.hosts.iter().copied());
                self.add_unknown(Code::UnknownHost, &node.span, &unknown);
            }
        }
    }

    fn at_fields(&mut self, conditions: &Conditions, node: &Node) {
        let (Some(fields), Some(node)) = (&conditions.r#match, node.get("match")) else { return };
        for path in fields.keys() {
            let word = path.split('.').next().unwrap_or(path);
            if VOCABULARY.iter().all(|(known, _)| *known != word) {
                let unknown = suggest::among("field", word, VOCABULARY.iter().map(|(word, _)| *word));
                self.add_unknown(Code::UnknownField, &key_span(node, path), &unknown);
            }
        }
    }
}

/// Returns what a rule rewrites at a moment.
fn rewritten_at(kind: Kind) -> &'static str {
    match kind {
        Kind::ModelBefore => "a request to the model",
        Kind::ElicitationRequest | Kind::ElicitationResult => "a form",
        _ => "the input of a call",
    }
}

/// Tells whether conditions pick out something in a text, in every branch of theirs.
fn finds_text(conditions: &Conditions) -> bool {
    let texts = [&conditions.shell, &conditions.content, &conditions.prompt, &conditions.output, &conditions.response];
    let branches = conditions.any.as_ref().is_some_and(|branches| branches.iter().all(finds_text));
    conditions.secrets.is_some() || conditions.pii.is_some() || branches || texts.iter().any(|text| text.is_some())
}

/// Tells whether a condition is given and still names nothing that it could hold for.
fn lists_nothing(conditions: &Conditions, key: &str) -> bool {
    let no_words = |text: &Option<Text>| text.as_ref().is_some_and(|it| it.contains.is_empty() && it.regex.is_empty());
    match key {
        "host" => conditions.host.as_ref().is_some_and(|it| it.0.is_empty()),
        "tool" => conditions.tool.as_ref().is_some_and(|it| it.0.is_empty()),
        "subagent" => conditions.subagent.as_ref().is_some_and(|it| it.0.is_empty()),
        "permission_mode" => conditions.permission_mode.as_ref().is_some_and(|it| it.0.is_empty()),
        "command" => conditions.command.as_ref().is_some_and(|it| it.0.is_empty()),
        "files" => conditions.files.as_ref().is_some_and(|it| !it.names_files()),
        "pii" => conditions.pii.as_ref().is_some_and(|it| it.kinds.is_empty()),
        "does" => conditions.does.as_ref().is_some_and(|it| it.what.is_empty()),
        "opaque" => conditions.opaque.as_ref().is_some_and(Opaque::is_empty),
        "gate" => conditions.gate.as_ref().is_some_and(|it| it.0.is_empty()),
        "any" => conditions.any.as_ref().is_some_and(Vec::is_empty),
        "shell" => no_words(&conditions.shell),
        "content" => no_words(&conditions.content),
        "prompt" => no_words(&conditions.prompt),
        "output" => no_words(&conditions.output),
        "response" => no_words(&conditions.response),
        "match" => conditions
            .r#match
            .as_ref()
            .is_some_and(|it| it.is_empty() || it.values().any(|it| *it == Matcher::default())),
        _ => false,
    }
}

pub(super) fn key_span(node: &Node, key: &str) -> Range<usize> {
    node.entry(key).map_or_else(|| node.span.clone(), |(key, _)| key.span.clone())
}

/// Returns the place of a value, or of the map where it is not given.
pub(super) fn value_span(node: &Node, key: &str) -> Range<usize> {
    node.get(key).map_or_else(|| node.span.clone(), |value| value.span.clone())
}

/// Lists names for people, not all of them when they are many.
fn named(names: &[&str]) -> String {
    let some = suggest::quoted(names.iter().copied().take(MOST_NAMED));
    match names.len().saturating_sub(MOST_NAMED) {
        0 => some,
        more => format!("{some} and {more} more"),
    }
}
