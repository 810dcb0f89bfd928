//! What shows only when a rule is tried: a suggestion that is itself refused, a template that is taken
//! for the file with the secrets.

use std::ops::Range;

use super::Linter;
use crate::cli::scenario::ScenarioRunner;
use crate::domain::condition::Conditions;
use crate::domain::effect::EffectKind;
use crate::domain::event::kind::Kind;
use crate::domain::policy::example::Scenario;
use crate::domain::policy::{ActiveRule, Policy};
use crate::domain::severity::Mode;
use crate::domain::state::MemoryStore;
use crate::domain::verdict::note::Decision;
use crate::io::policy::code::DiagnosticCode;
use crate::io::policy::locate::PathSegment;

/// The words before a command that make it a suggestion.
const SUGGESTION_WORDS: &[&str] = &["use", "run", "try", "prefer", "with", "call", "do"];

pub(super) fn check(look: &mut Linter<'_>, file: usize) {
    let mut enforced = look.policy.clone();
    enforced.rules.iter_mut().for_each(|active| active.rule.mode = Mode::Enforce);
    for active in look.rules(file) {
        check_suggestions(look, file, active, &enforced);
        check_env_templates(look, file, active);
    }
}

/// Checks for commands that a message tells the agent to use, and that are refused.
fn check_suggestions(look: &mut Linter<'_>, file: usize, active: &ActiveRule, enforced: &Policy) {
    let rule = &active.rule;
    for (effect, template) in rule.then.messages() {
        for command in suggested_commands(template.source()) {
            let event = Scenario { command: Some(command.to_owned()), ..Scenario::default() };
            let Ok(judged) = ScenarioRunner::new(enforced, &MemoryStore::default()).judge(&event, None) else {
                continue;
            };
            let verdict = &judged.outcome.verdict;
            let Some(by) =
                verdict.notes.of(EffectKind::Deny).first().filter(|_| verdict.decision() == Some(Decision::Deny))
            else {
                continue;
            };
            let message = format!("the suggested command `{command}` is denied by `{}`", by.rule);
            let help = "suggest an allowed command, or add an exception to that rule";
            let path = [PathSegment::Key("then"), PathSegment::Key(effect.name())];
            look.add(file, &rule.id, &path, DiagnosticCode::RefusedSuggestion, message, help);
        }
    }
}

/// Returns the commands between backticks that a text tells to use: behind a word such as "use" or "run".
fn suggested_commands(text: &str) -> Vec<&str> {
    let parts: Vec<&str> = text.split('`').collect();
    let pairs = parts.windows(2).step_by(2);
    pairs
        .filter_map(|pair| {
            let [before, code] = pair else { return None };
            let word = before.split_whitespace().next_back()?.to_lowercase();
            let is_filled = !code.contains(['<', '>', '…', '{', '}']) && !code.trim().is_empty();
            let is_name = code.starts_with(|first: char| first.is_ascii_lowercase());
            (SUGGESTION_WORDS.contains(&word.as_str()) && is_filled && is_name).then_some(*code)
        })
        .collect()
}

/// Checks whether a rule on `.env` takes `.env.example` for one.
fn check_env_templates(look: &mut Linter<'_>, file: usize, active: &ActiveRule) {
    let rule = &active.rule;
    let then = &rule.then;
    let stops = then.deny.is_some() || then.ask.is_some() || then.stop.is_some();
    if !stops || !rule.when.contains(Kind::ToolBefore) || !rule.conditions.has_in_any_branch(&|it| it.files.is_some()) {
        return;
    }
    let mut alone = active.clone();
    alone.rule.mode = Mode::Enforce;
    let policy = Policy { rules: vec![alone], ..Policy::default() };
    let holds = |tool: &str, path: &str| {
        let content = (tool == "write").then(|| "A=1".to_owned());
        let event = Scenario { tool: Some(tool.into()), path: Some(path.into()), content, ..Scenario::default() };
        ScenarioRunner::new(&policy, &MemoryStore::default())
            .judge(&event, None)
            .is_ok_and(|judged| !judged.outcome.findings.is_empty())
    };
    let is_mistaken = |tool: &str| holds(tool, ".env") && holds(tool, ".env.example") && !holds(tool, "notes.txt");
    if let Some(tool) = ["read", "write"].into_iter().find(|tool| is_mistaken(tool)) {
        let message = format!("`{}` also matches `.env.example`, which contains no secrets ({tool})", rule.id);
        let help = "add `except: [\".env.{example,sample,template,dist}\"]` to its `files`";
        let path = files_condition_path(&rule.conditions).unwrap_or_default();
        look.add(file, &rule.id, &path, DiagnosticCode::NoTemplateException, message, help);
    }
}

/// Returns the way to the first condition on files.
fn files_condition_path(conditions: &Conditions) -> Option<Vec<PathSegment<'static>>> {
    if conditions.files.is_some() {
        return Some(vec![PathSegment::Key("files")]);
    }
    let branches: Range<usize> = 0..conditions.any.as_ref().map_or(0, Vec::len);
    branches.zip(conditions.any.iter().flatten()).find_map(|(index, branch)| {
        Some([vec![PathSegment::Key("any"), PathSegment::Item(index)], files_condition_path(branch)?].concat())
    })
}

#[cfg(test)]
mod tests {
    use super::suggested_commands;

    #[test]
    fn only_what_is_told_to_use_is_a_suggestion() {
        let text = "`rm -rf x` is refused: use `trash x`, run `git stash`. Not `dd`. Use `<file>` with `.env`, try `make {{ x }}`.";
        assert_eq!(suggested_commands(text), ["trash x", "git stash"]);
        assert!(suggested_commands("no code, use `unclosed").len() <= 1);
    }
}
