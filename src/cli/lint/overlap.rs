//! Rules that never hold, or that others leave nothing to decide.

use std::ptr;

use super::Linter;
use crate::domain::condition::Conditions;
use crate::domain::policy::ActiveRule;
use crate::domain::policy::overlap::{always_excepted, conflicting_rewrite, contradiction, shadows};
use crate::io::policy::code::DiagnosticCode;
use crate::io::policy::locate::PathSegment;

pub(super) fn check(look: &mut Linter<'_>, file: usize) {
    for active in look.rules(file) {
        let rule = &active.rule;
        if let Some(index) = always_excepted(rule) {
            let message =
                format!("this exception covers everything that `{}` matches, so the rule never applies", rule.id);
            let help = "narrow the exception, or remove the rule";
            look.add(
                file,
                &rule.id,
                &[PathSegment::Key("except"), PathSegment::Item(index)],
                DiagnosticCode::DeadRule,
                message,
                help,
            );
        }
        check_contradictions(look, file, &rule.id, &rule.conditions, &[]);
        for (index, exception) in rule.except.iter().enumerate() {
            check_contradictions(
                look,
                file,
                &rule.id,
                exception,
                &[PathSegment::Key("except"), PathSegment::Item(index)],
            );
        }
        check_other_rules(look, file, active);
    }
}

fn check_contradictions(
    look: &mut Linter<'_>,
    file: usize,
    rule: &str,
    conditions: &Conditions,
    path: &[PathSegment<'_>],
) {
    if let Some((field, why)) = contradiction(conditions) {
        let path = [path, &[PathSegment::Key("match"), PathSegment::Key(field)]].concat();
        look.add(
            file,
            rule,
            &path,
            DiagnosticCode::DeadRule,
            format!("`{field}` can never match: {why}"),
            "change one of the two",
        );
    }
    for (index, branch) in conditions.any.iter().flatten().enumerate() {
        check_contradictions(
            look,
            file,
            rule,
            branch,
            &[path, &[PathSegment::Key("any"), PathSegment::Item(index)]].concat(),
        );
    }
}

/// Compares a rule with all others in force.
fn check_other_rules(look: &mut Linter<'_>, file: usize, active: &ActiveRule) {
    let rule = &active.rule;
    let rules = &look.policy.rules;
    let own = rules.iter().position(|other| ptr::eq(other, active));
    for (index, other) in rules.iter().enumerate().filter(|(index, _)| Some(*index) != own) {
        let is_earlier = own.is_some_and(|own| index < own);
        // Of two that are alike, the later one is superfluous.
        if shadows(&other.rule, rule) && (is_earlier || !shadows(rule, &other.rule)) {
            let place = look.location_text(other);
            let message = format!(
                "whenever `{}` matches, `{}` ({place}) matches too and is at least as strict",
                rule.id, other.rule.id
            );
            let help = "remove this rule, or narrow the other one";
            look.add(file, &rule.id, &[], DiagnosticCode::ShadowedRule, message, help);
            return;
        }
        if let Some(field) = conflicting_rewrite(rule, &other.rule).filter(|_| is_earlier) {
            let place = look.location_text(other);
            let message = format!(
                "`{}` ({place}) sets `{field}` to another value for the same calls, so they are denied",
                other.rule.id
            );
            let path = [PathSegment::Key("then"), PathSegment::Key("rewrite"), PathSegment::Key(field)];
            look.add(
                file,
                &rule.id,
                &path,
                DiagnosticCode::ConflictingRewrite,
                message,
                "rewrite it in only one of the two rules",
            );
        }
    }
}
