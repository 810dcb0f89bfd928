//! What shows only when a rule is tried: a suggestion that is itself refused, a template that is taken
//! for the file with the secrets.

use std::ops::Range;

use super::Look;
use crate::cli::described::Stage;
use crate::domain::condition::Conditions;
use crate::domain::example::Described;
use crate::domain::kind::Kind;
use crate::domain::policy::{Active, Policy};
use crate::domain::rule::Mode;
use crate::domain::state::InMemory;
use crate::domain::verdict::Decision;
use crate::io::policy::code::Code;
use crate::io::policy::locate::Step;

/// The words before a command that make it a suggestion.
const SUGGESTS: &[&str] = &["use", "run", "try", "prefer", "with", "call", "do"];

pub(super) fn look(look: &mut Look<'_>, file: usize) {
    let mut enforced = look.policy.clone();
    enforced.rules.iter_mut().for_each(|active| active.rule.mode = Mode::Enforce);
    for active in look.rules(file) {
        suggestions(look, file, active, &enforced);
        templates(look, file, active);
    }
}

/// Looks for commands that a message tells the agent to use, and that are refused.
fn suggestions(look: &mut Look<'_>, file: usize, active: &Active, enforced: &Policy) {
    let rule = &active.rule;
    for (effect, template) in rule.then.messages() {
        for command in suggested(template.source()) {
            let event = Described { command: Some(command.to_owned()), ..Described::default() };
            let Ok(judged) = Stage::bare(enforced, &InMemory::default()).judge(&event, None) else { continue };
            let verdict = &judged.outcome.verdict;
            let Some(by) = verdict.deny.first().filter(|_| verdict.decision() == Some(Decision::Deny)) else {
                continue;
            };
            let message = format!("the suggestion `{command}` is itself refused, by `{}`", by.rule);
            let help = "suggest what goes ahead, or let that rule pass it";
            let path = [Step::Key("then"), Step::Key(effect.name())];
            look.add(file, &rule.id, &path, Code::RefusedSuggestion, message, help);
        }
    }
}

/// Returns the commands between backticks that a text tells to use: behind a word such as "use" or "run".
fn suggested(text: &str) -> Vec<&str> {
    let parts: Vec<&str> = text.split('`').collect();
    let pairs = parts.windows(2).step_by(2);
    pairs
        .filter_map(|pair| {
            let [before, code] = pair else { return None };
            let word = before.split_whitespace().next_back()?.to_lowercase();
            let is_filled = !code.contains(['<', '>', '…', '{', '}']) && !code.trim().is_empty();
            let is_name = code.starts_with(|first: char| first.is_ascii_lowercase());
            (SUGGESTS.contains(&word.as_str()) && is_filled && is_name).then_some(*code)
        })
        .collect()
}

/// Looks whether a rule on `.env` takes `.env.example` for one.
fn templates(look: &mut Look<'_>, file: usize, active: &Active) {
    let rule = &active.rule;
    let then = &rule.then;
    let stops = then.deny.is_some() || then.ask.is_some() || then.stop.is_some();
    if !stops || !rule.when.contains(Kind::ToolBefore) || !rule.conditions.ask(&|it| it.files.is_some()) {
        return;
    }
    let mut alone = active.clone();
    alone.rule.mode = Mode::Enforce;
    let policy = Policy { rules: vec![alone], ..Policy::default() };
    let holds = |tool: &str, path: &str| {
        let content = (tool == "write").then(|| "A=1".to_owned());
        let event = Described { tool: Some(tool.into()), path: Some(path.into()), content, ..Described::default() };
        Stage::bare(&policy, &InMemory::default())
            .judge(&event, None)
            .is_ok_and(|judged| !judged.outcome.findings.is_empty())
    };
    let is_mistaken = |tool: &str| holds(tool, ".env") && holds(tool, ".env.example") && !holds(tool, "notes.txt");
    if let Some(tool) = ["read", "write"].into_iter().find(|tool| is_mistaken(tool)) {
        let message = format!("`{}` holds for `.env.example` too, which has no secrets in it ({tool})", rule.id);
        let help = "add `except: [\".env.{example,sample,template,dist}\"]` to its `files`";
        let path = files_of(&rule.conditions).unwrap_or_default();
        look.add(file, &rule.id, &path, Code::NoTemplateException, message, help);
    }
}

/// Returns the way to the first condition on files.
fn files_of(conditions: &Conditions) -> Option<Vec<Step<'static>>> {
    if conditions.files.is_some() {
        return Some(vec![Step::Key("files")]);
    }
    let branches: Range<usize> = 0..conditions.any.as_ref().map_or(0, Vec::len);
    branches
        .zip(conditions.any.iter().flatten())
        .find_map(|(index, branch)| Some([vec![Step::Key("any"), Step::Item(index)], files_of(branch)?].concat()))
}

#[cfg(test)]
mod tests {
    use super::suggested;

    #[test]
    fn only_what_is_told_to_use_is_a_suggestion() {
        let text = "`rm -rf x` is refused: use `trash x`, run `git stash`. Not `dd`. Use `<file>` with `.env`, try `make {{ x }}`.";
        assert_eq!(suggested(text), ["trash x", "git stash"]);
        assert!(suggested("no code, use `unclosed").len() <= 1);
    }
}
