//! Semantic checks: what is well-formed but cannot be meant.
//!
//! A rule may ask for what its events cannot carry, look at what they do not have, or name what
//! is not there. Each such mistake would make a guard that never acts, so it is found here and not
//! in the field.

use std::collections::BTreeMap;
use std::ops::Range;

use super::code::DiagnosticCode;
use super::diagnostic::DiagnosticReport;
use super::document::ParsedDocument;
use super::node::Node;
use super::{example, gate_checks, hooks, tool_limit};
use crate::domain::allowlist::AllowEntry;
use crate::domain::condition::{Conditions, SecretField, Secrets};
use crate::domain::effect::{EffectKind, Effects};
use crate::domain::event::kind::{EVENT_SPECS, Kind, KindSet};
use crate::domain::event::request::{self, FieldType};
use crate::domain::pii::{KINDS, PiiFilter};
use crate::domain::policy::effects::backup::Backup;
use crate::domain::policy::effects::retry::Retry;
use crate::domain::policy::host_name::HostName;
use crate::domain::policy::rule::Rule;
use crate::domain::secret::DETECTORS;
use crate::domain::text::literal::Literal;
use crate::domain::text::suggest;
use crate::domain::text::vocabulary::check_name;

/// Events that are named in one message at most.
const MAX_NAMES: usize = 4;

/// Checks every rule of a file. Where it is not known which hosts there are (none are given), any
/// may be named. `others` are the detectors that other files of the policy bring.
pub(crate) fn check(written: &ParsedDocument, hosts: &[HostName], others: &[&str], report: &mut DiagnosticReport) {
    if let Some(node) = &written.secrets_node {
        check_allow_entries(&written.document.secrets.allow, node, report);
    }
    let own = written.document.detectors.iter().map(|entry| entry.id.as_str());
    let own: Vec<&str> = own.chain(others.iter().copied()).collect();
    let mut ids: Vec<&str> = Vec::new();
    for (rule, node) in written.document.rules.iter().zip(&written.rule_nodes) {
        if ids.contains(&rule.id.as_str()) {
            let message = format!("the id `{}` is used by two rules", rule.id);
            let help = "tests and other policies refer to rules by id; use a unique id for each";
            report.add(DiagnosticCode::DuplicateRule, &node.value_span("id"), message, Some(help.into()));
        }
        ids.push(&rule.id);
        RuleChecker { rule, node, hosts, detectors: &own, report }.check_rule();
        example::check(rule, node, report);
    }
    for (gate, node) in written.document.gates.iter().zip(&written.gate_nodes) {
        gate_checks::check(gate, node, report);
        for (key, transitions) in [("opens", &gate.opens), ("closes", &gate.closes)] {
            let nodes = node.get(key).map(Node::items).unwrap_or_default();
            for (transition, node) in transitions.iter().zip(nodes) {
                let rule = transition.to_rule(gate.id.clone());
                RuleChecker { rule: &rule, node, hosts, detectors: &own, report }.check_transition();
            }
        }
    }
}

/// How deep `any` may be in `any`.
const MAX_NESTING: usize = 4;

/// Checks the entries of an allow-list.
fn check_allow_entries(entries: &[AllowEntry], node: &Node, report: &mut DiagnosticReport) {
    let nodes = node.get("allow").map(Node::items).unwrap_or_default();
    // One whose keys have mistakes of their own was reported for those.
    let says_nothing = |node: &Node| node.entries().iter().all(|(key, _)| key.text() == Some("reason"));
    for (_, node) in entries.iter().zip(nodes).filter(|(entry, node)| entry.is_empty() && says_nothing(node)) {
        let help = "add a condition on the finding: `value`, `regex`, `path`, `detector` or `fingerprint`";
        report.add(
            DiagnosticCode::EmptyCondition,
            &node.span,
            "the entry doesn't define what it allows",
            Some(help.into()),
        );
    }
}

/// A look at one rule.
struct RuleChecker<'a> {
    rule: &'a Rule,
    node: &'a Node,
    hosts: &'a [HostName],
    detectors: &'a [&'a str],
    report: &'a mut DiagnosticReport,
}

impl RuleChecker<'_> {
    /// Checks what changes a gate: it need not tell anybody.
    fn check_transition(&mut self) {
        let is_silent = self.rule.then.effects() == Effects::default();
        if self.rule.when == KindSet::default() || !is_silent {
            self.check_effects();
        }
        self.check_all_conditions();
    }

    fn check_rule(&mut self) {
        self.check_id();
        self.check_effects();
        self.check_all_conditions();
    }

    fn check_all_conditions(&mut self) {
        let conditions = self.node.get("conditions").unwrap_or(self.node);
        self.check_conditions(&self.rule.conditions, conditions, 0);
        let exceptions = self.node.get("except").map(Node::items).unwrap_or_default();
        for (exception, node) in self.rule.except.iter().zip(exceptions) {
            if *exception == Conditions::default() {
                let help = "add conditions, or remove it";
                self.add(
                    DiagnosticCode::EmptyCondition,
                    &node.span,
                    "an exception without conditions matches everything",
                    help,
                );
            }
            self.check_conditions(exception, node, 0);
        }
    }

    fn add(&mut self, code: DiagnosticCode, span: &Range<usize>, message: impl Into<String>, help: &str) {
        let help = (!help.is_empty()).then(|| help.to_owned());
        self.report.add(code, span, message, help);
    }

    fn add_unknown(&mut self, code: DiagnosticCode, span: &Range<usize>, unknown: &str) {
        let (message, help) = suggest::split_help(unknown);
        self.add(code, span, message, help.unwrap_or_default());
    }

    fn check_id(&mut self) {
        let id = self.rule.id.as_str();
        let known = |character: char| character.is_alphanumeric() || "-_./:".contains(character);
        if id.is_empty() || !id.chars().all(known) {
            let span = self.node.value_span("id");
            self.add(DiagnosticCode::InvalidId, &span, format!("invalid id `{id}`"), "use letters, digits and `-`");
        }
    }

    fn check_effects(&mut self) {
        if self.rule.when == KindSet::default() {
            let span = self.node.value_span("when");
            self.add(DiagnosticCode::NoMoment, &span, "the rule has no moment, so it never applies", "name a moment");
            return;
        }
        let Some((key, then)) = self.node.entry("then") else { return };
        let effects: Vec<EffectKind> = self.rule.then.effects().iter().collect();
        if effects.is_empty() {
            let help = format!("use one of {}", suggest::quote_list(EffectKind::ALL.map(EffectKind::name)));
            self.add(DiagnosticCode::NoEffect, &key.span, "the rule has no effect", &help);
        }
        for effect in effects {
            let span = then.key_span(effect.name());
            self.check_effect(effect, &span);
        }
        if let (Some(fields), Some(node)) = (&self.rule.then.rewrite, then.get("rewrite")) {
            self.check_rewrite(fields, node);
        }
        if let (Some(retry), Some(node)) = (&self.rule.then.retry, then.get("retry")) {
            self.check_retry(retry, node);
        }
        if self.rule.then.respond.as_ref().is_some_and(|respond| respond.with.is_some() && respond.cache.is_some()) {
            let span = then.key_span("respond");
            let message = "the rule answers both with a text and with a cached answer";
            self.add(
                DiagnosticCode::InvalidValue,
                &span,
                message,
                "use `with` or `cache`; put the text in a separate rule",
            );
        }
        if let Some(node) = then.get("allow").filter(|node| node.get("remember").is_some()) {
            self.check_remember(node);
        }
        if let (Some(backup), Some(node)) = (&self.rule.then.backup, then.get("backup")) {
            self.check_backup(backup, node);
        }
        self.check_clear_context(then);
        if let (Some(run), Some(node)) = (&self.rule.then.run, then.get("run")) {
            hooks::check(run, node, self.hosts, self.report);
            run.possible_effects().for_each(|(key, effect)| self.check_effect(effect, &node.value_span(key)));
        }
        if let Some(limit) = &self.rule.then.tools {
            tool_limit::check(self.rule, limit, self.node, self.report);
        }
    }

    fn check_effect(&mut self, effect: EffectKind, span: &Range<usize>) {
        let can = |moment: &&crate::domain::event::kind::EventSpec| moment.effects.contains(effect);
        let (carriers, others): (Vec<_>, Vec<_>) = self.rule.when.iter().partition(can);
        if carriers.is_empty() {
            let able: Vec<&str> = EVENT_SPECS.iter().filter(can).map(|moment| moment.name).collect();
            let help = match others.as_slice() {
                [only] => {
                    let carried = suggest::quote_list(only.effects.iter().map(EffectKind::name));
                    format!("it supports {carried}; `{effect}` is supported at {}", name_list(&able))
                }
                _ => format!("`{effect}` is supported at {}", name_list(&able)),
            };
            let names: Vec<&str> = others.iter().map(|moment| moment.name).collect();
            let message = format!("{} doesn't support `{effect}`", name_list(&names));
            self.add(DiagnosticCode::EffectNotCarried, span, message, &help);
        } else if !others.is_empty() {
            let names: Vec<&str> = others.iter().map(|moment| moment.name).collect();
            let able: Vec<&str> = carriers.iter().map(|moment| moment.name).collect();
            let message = format!("`{effect}` has no effect at {}", name_list(&names));
            let help = format!("of this rule's moments, it is supported at {}", name_list(&able));
            self.add(DiagnosticCode::EffectPartlyCarried, span, message, &help);
        }
        if effect == EffectKind::Redact && !self.rule.conditions.selects_text() {
            let message = "the rule doesn't define what to redact";
            let help = "add `secrets`, `pii`, or a condition on the text such as `output: {regex: …}`";
            self.add(DiagnosticCode::NothingToRedact, span, message, help);
        }
        let asks = [Kind::PermissionRequest, Kind::ElicitationRequest];
        let asks = asks.into_iter().find(|kind| self.rule.when.contains(*kind));
        if let Some(kind) = asks.filter(|_| effect == EffectKind::Rewrite && self.rule.then.allow.is_none()) {
            let message = format!("at `{kind}`, input can only be changed together with an approval");
            let help = match kind {
                Kind::PermissionRequest => "add `allow` to this rule, or only use `tool.before`",
                _ => "add `allow` to this rule",
            };
            self.add(DiagnosticCode::RewriteNeedsAllow, span, message, help);
        }
    }

    fn check_clear_context(&mut self, then: &Node) {
        let own = &self.rule.then;
        if own.clear_context && own.retry.is_none() && own.stop.is_none() {
            let span = then.key_span("clear_context");
            let message = "a conversation can only be cleared if the agent continues or stops";
            self.add(DiagnosticCode::ClearNeedsRetry, &span, message, "add `retry` or `stop` to this rule");
        }
    }

    fn check_retry(&mut self, retry: &Retry, node: &Node) {
        if !(1..=Retry::MAX).contains(&retry.max_retries) {
            let message = format!("an agent can't be sent back {} times", retry.max_retries);
            let help = format!("use a number from 1 to {}", Retry::MAX);
            self.add(DiagnosticCode::InvalidValue, &node.value_span("max_retries"), message, &help);
        }
    }

    fn check_backup(&mut self, backup: &Backup, node: &Node) {
        for (key, value) in [("max_mb", backup.max_mb), ("max_files", backup.max_files)] {
            if value == 0 {
                let message = "a backup of nothing can never be taken";
                self.add(DiagnosticCode::InvalidValue, &node.value_span(key), message, "say a number above 0");
            }
        }
        if backup.replaces.is_some() && self.rule.then.ask.is_none() {
            let message = "the backup replaces a question that the rule does not ask";
            let help = "add `ask` with the question for where no backup can be taken, or take `replaces` out";
            self.add(DiagnosticCode::InvalidValue, &node.key_span("replaces"), message, help);
        }
    }

    fn check_remember(&mut self, node: &Node) {
        if !self.rule.when.contains(Kind::PermissionRequest) {
            let message = "approvals can only be remembered at `permission.request`";
            let help = "remove `remember`, or use the moment `permission.request`";
            self.add(DiagnosticCode::InvalidValue, &node.key_span("remember"), message, help);
        }
    }

    fn check_rewrite(&mut self, fields: &BTreeMap<String, Literal>, node: &Node) {
        if fields.is_empty() {
            self.add(
                DiagnosticCode::NoEffect,
                &node.span,
                "`rewrite` names no field",
                "name a field of the tool's input",
            );
        }
        let changed = self.rule.when.iter().filter(|moment| moment.effects.contains(EffectKind::Rewrite));
        let mut changed = changed.map(|moment| (moment.name, rewrite_target(moment.kind)));
        let Some((first, what)) = changed.next() else { return };
        if let Some((other, another)) = changed.find(|(_, another)| *another != what) {
            let message = format!("`{first}` rewrites {what}, but `{other}` rewrites {another}");
            self.add(DiagnosticCode::RewriteOfTwoThings, &node.span, message, "use two rules");
            return;
        }
        if !self.rule.when.contains(Kind::ModelBefore) {
            return;
        }
        for (field, value) in fields {
            let span = node.value_span(field);
            let Some((_, takes)) = request::REQUEST_FIELDS.iter().find(|(name, _)| name == field) else {
                let unknown =
                    suggest::unknown_among("field", field, request::REQUEST_FIELDS.iter().map(|(name, _)| *name));
                self.add_unknown(DiagnosticCode::UnknownField, &node.key_span(field), &unknown);
                continue;
            };
            let what = match takes {
                FieldType::Text if !matches!(value, Literal::Text(_)) => "a text",
                FieldType::Number if !matches!(value, Literal::Int(_) | Literal::Float(_) | Literal::Null) => {
                    "a number"
                }
                FieldType::Text | FieldType::Number => continue,
            };
            self.add(DiagnosticCode::WrongType, &span, format!("`{field}` of a request is {what}"), "");
        }
    }

    fn check_conditions(&mut self, conditions: &Conditions, node: &Node, depth: usize) {
        for (key, value) in node.entries() {
            let Some(name) = key.text() else { continue };
            if let Some(having) = Conditions::spec(name).and_then(|spec| spec.kinds) {
                self.check_availability(name, having, &key.span);
            }
            if let Some(given) = conditions.given().find(|given| given.key == name && given.condition.is_empty()) {
                let message = format!("`{name}` is empty, so it never matches");
                self.add(DiagnosticCode::EmptyCondition, &value.span, message, given.condition.empty_help());
            }
        }
        self.check_text_fields(conditions, node);
        self.check_detectors(conditions, node);
        self.check_pii_kinds(conditions, node);
        self.check_allow_lists(conditions, node);
        self.check_hosts(conditions, node);
        self.check_match_fields(conditions, node);
        self.check_branches(conditions, node, depth);
    }

    /// Checks the branches of `any`.
    fn check_branches(&mut self, conditions: &Conditions, node: &Node, depth: usize) {
        let (Some(branches), Some((key, value))) = (&conditions.any, node.entry("any")) else { return };
        if depth >= MAX_NESTING {
            let message = format!("`any` is nested more than {MAX_NESTING} levels deep");
            self.add(
                DiagnosticCode::ExceededLimit,
                &key.span,
                message,
                "move the inner branches to the outer list, or use two rules",
            );
            return;
        }
        for (branch, node) in branches.iter().zip(value.items()) {
            if *branch == Conditions::default() {
                let help = "add conditions, or remove the branch";
                self.add(
                    DiagnosticCode::EmptyCondition,
                    &node.span,
                    "a branch without conditions always matches",
                    help,
                );
            }
            self.check_conditions(branch, node, depth + 1);
        }
    }

    fn check_availability(&mut self, what: &str, having: &[Kind], span: &Range<usize>) {
        if self.rule.when == KindSet::default() || having.iter().any(|kind| self.rule.when.contains(*kind)) {
            return;
        }
        let names: Vec<&str> = self.rule.when.iter().map(|moment| moment.name).collect();
        let having: Vec<&str> = having.iter().map(|kind| kind.name()).collect();
        let verb = if names.len() == 1 { "has" } else { "have" };
        let message = format!("{} {verb} no `{what}`, so this never matches", name_list(&names));
        let help = format!("`{what}` is available at {}", name_list(&having));
        self.add(DiagnosticCode::ConditionNeverHolds, span, message, &help);
    }

    fn check_text_fields(&mut self, conditions: &Conditions, node: &Node) {
        let secrets = conditions.secrets.as_ref().zip(node.get("secrets"));
        self.check_text_field_list(
            secrets.map(|(secrets, node)| (secrets.r#in.as_slice(), node.get("in").unwrap_or(node))),
        );
        let pii = conditions.pii.as_ref().zip(node.get("pii").and_then(|node| node.get("in")));
        self.check_text_field_list(pii.map(|(pii, node)| (pii.r#in.as_slice(), node)));
    }

    fn check_text_field_list(&mut self, given: Option<(&[SecretField], &Node)>) {
        let Some((places, node)) = given else { return };
        for (place, node) in places.iter().zip(node.items()) {
            let (name, spec) = place.condition();
            if let Some(having) = spec.kinds {
                self.check_availability(name, having, &node.span);
            }
        }
    }

    fn check_pii_kinds(&mut self, conditions: &Conditions, node: &Node) {
        let (Some(pii), Some(node)) = (&conditions.pii, node.get("pii")) else { return };
        for (entry, node) in pii.kinds.iter().zip(node.get("kinds").unwrap_or(node).items()) {
            if !PiiFilter::is_known(entry) {
                let name = entry.trim_start_matches('-');
                let unknown = suggest::unknown_among("kind of personal data", name, KINDS.iter().map(|kind| kind.id));
                self.add_unknown(DiagnosticCode::UnknownDetector, &node.span, &unknown);
            }
        }
    }

    fn check_allow_lists(&mut self, conditions: &Conditions, node: &Node) {
        let secrets = conditions.secrets.as_ref().map(|it| &it.allow).zip(node.get("secrets"));
        let pii = conditions.pii.as_ref().map(|it| &it.allow).zip(node.get("pii"));
        for (entries, node) in secrets.into_iter().chain(pii) {
            check_allow_entries(entries, node, self.report);
        }
    }

    fn check_detectors(&mut self, conditions: &Conditions, node: &Node) {
        let Some(secrets) = &conditions.secrets else { return };
        let Some(node) = node.get("secrets").and_then(|node| node.get("detectors")) else { return };
        for (entry, node) in secrets.detectors.iter().zip(node.items()) {
            let known = || DETECTORS.iter().map(|row| row.id).chain(self.detectors.iter().copied());
            if !Secrets::is_known_detector(entry, known()) {
                let name = entry.trim_start_matches('-');
                let message = suggest::unknown_message("detector", name, suggest::nearest(name, known()));
                let help = "use `all`, an id, or a pattern with `*`, such as `aws-*`";
                self.add(DiagnosticCode::UnknownDetector, &node.span, message, help);
            }
        }
    }

    fn check_hosts(&mut self, conditions: &Conditions, node: &Node) {
        let (Some(hosts), Some(node)) = (&conditions.host, node.get("host")) else { return };
        for (host, node) in hosts.0.iter().zip(node.items()) {
            if !self.hosts.is_empty() && !self.hosts.iter().any(|known| known.name == host) {
                let unknown = suggest::unknown_among("host", host, self.hosts.iter().map(|known| known.name));
                self.add_unknown(DiagnosticCode::UnknownHost, &node.span, &unknown);
            }
        }
    }

    fn check_match_fields(&mut self, conditions: &Conditions, node: &Node) {
        let (Some(fields), Some(node)) = (&conditions.r#match, node.get("match")) else { return };
        for path in fields.keys() {
            if let Err(unknown) = check_name("field", path) {
                self.add_unknown(DiagnosticCode::UnknownField, &node.key_span(path), &unknown.to_string());
            }
        }
    }
}

/// Returns what a rule rewrites at an event.
fn rewrite_target(kind: Kind) -> &'static str {
    match kind {
        Kind::ModelBefore => "a request to the model",
        Kind::ElicitationRequest | Kind::ElicitationResult => "a form",
        _ => "the input of a call",
    }
}

/// Lists names for people, not all of them when they are many.
fn name_list(names: &[&str]) -> String {
    let some = suggest::quote_list(names.iter().copied().take(MAX_NAMES));
    match names.len().saturating_sub(MAX_NAMES) {
        0 => some,
        more => format!("{some} and {more} more"),
    }
}
