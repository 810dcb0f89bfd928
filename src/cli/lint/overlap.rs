//! Rules that never hold, or that others leave nothing to decide.

use std::ptr;

use super::Look;
use crate::domain::condition::Conditions;
use crate::domain::overlap::{always_excused, contradiction, rewrites_against, shadows};
use crate::domain::policy::Active;
use crate::io::policy::code::Code;
use crate::io::policy::locate::Step;

pub(super) fn look(look: &mut Look<'_>, file: usize) {
    for active in look.rules(file) {
        let rule = &active.rule;
        if let Some(index) = always_excused(rule) {
            let message = format!("this exception covers all that `{}` holds for, so it never acts", rule.id);
            let help = "narrow the exception, or take the rule away";
            look.add(file, &rule.id, &[Step::Key("except"), Step::Item(index)], Code::DeadRule, message, help);
        }
        contradictions(look, file, &rule.id, &rule.conditions, &[]);
        for (index, exception) in rule.except.iter().enumerate() {
            contradictions(look, file, &rule.id, exception, &[Step::Key("except"), Step::Item(index)]);
        }
        others(look, file, active);
    }
}

fn contradictions(look: &mut Look<'_>, file: usize, rule: &str, conditions: &Conditions, path: &[Step<'_>]) {
    if let Some((field, why)) = contradiction(conditions) {
        let path = [path, &[Step::Key("match"), Step::Key(field)]].concat();
        look.add(
            file,
            rule,
            &path,
            Code::DeadRule,
            format!("`{field}` can never be so: {why}"),
            "change one of the two",
        );
    }
    for (index, branch) in conditions.any.iter().flatten().enumerate() {
        contradictions(look, file, rule, branch, &[path, &[Step::Key("any"), Step::Item(index)]].concat());
    }
}

/// Compares a rule with all others in force.
fn others(look: &mut Look<'_>, file: usize, active: &Active) {
    let rule = &active.rule;
    let rules = &look.policy.rules;
    let own = rules.iter().position(|other| ptr::eq(other, active));
    for (index, other) in rules.iter().enumerate().filter(|(index, _)| Some(*index) != own) {
        let is_earlier = own.is_some_and(|own| index < own);
        // Of two that are alike, the later one is superfluous.
        if shadows(&other.rule, rule) && (is_earlier || !shadows(rule, &other.rule)) {
            let place = look.shown(other);
            let message =
                format!("whenever `{}` holds, `{}` ({place}) holds too and is as strict", rule.id, other.rule.id);
            let help = "take this rule away, or narrow the other one";
            look.add(file, &rule.id, &[], Code::ShadowedRule, message, help);
            return;
        }
        if let Some(field) = rewrites_against(rule, &other.rule).filter(|_| is_earlier) {
            let place = look.shown(other);
            let message = format!(
                "`{}` ({place}) gives `{field}` another value for the same calls, so they are refused",
                other.rule.id
            );
            let path = [Step::Key("then"), Step::Key("rewrite"), Step::Key(field)];
            look.add(file, &rule.id, &path, Code::ConflictingRewrite, message, "let one of the two rules rewrite it");
        }
    }
}
