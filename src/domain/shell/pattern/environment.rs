//! The variables that are set for a command: its own, those of what runs it, and those that were exported earlier in
//! the same text.

use std::cell::OnceCell;

use super::WordPattern;
use crate::domain::shell::actions::assigned_variables;
use crate::domain::shell::script::{Command, Dialect, Script, Word};

/// A variable that is set at some place of a script.
struct VariableAssignment {
    /// The command that sets it.
    command: usize,
    name: String,
    value: Word,
    /// Whether it is set for all that follows, and not for what the command runs alone.
    exported: bool,
}

/// The variables that are set in a script, computed when they are first asked for.
pub(super) struct Variables<'s> {
    script: &'s Script,
    assignments: OnceCell<Vec<VariableAssignment>>,
}

impl<'s> Variables<'s> {
    pub(super) fn new(script: &'s Script) -> Self {
        Self { script, assignments: OnceCell::new() }
    }

    /// Returns whether a variable of such a name and value is set for a command.
    pub(super) fn is_set_for(&self, name: &WordPattern, value: &WordPattern, index: usize) -> bool {
        let Some(command) = self.script.commands.get(index) else { return false };
        let own = assigned_variables(command);
        // What is before the command wins over what was exported.
        let known: Vec<&(String, Word)> = own.iter().filter(|(set, _)| name.matches(set, Dialect::Posix)).collect();
        if !known.is_empty() {
            return known.iter().any(|(_, word)| matches_value(value, word));
        }
        self.assignments().iter().filter(|set| set.command < index && name.matches(&set.name, Dialect::Posix)).any(
            |set| {
                let runs = self.script.commands.get(set.command).is_some_and(|outer| encloses(outer, command));
                (set.exported || runs) && matches_value(value, &set.value)
            },
        )
    }

    fn assignments(&self) -> &[VariableAssignment] {
        self.assignments.get_or_init(|| {
            let commands = self.script.commands.iter().enumerate();
            let sets = commands.flat_map(|(at, command)| {
                let exports =
                    command.dialect != Dialect::Posix || (!command.words.is_empty() && command.assignments.is_empty());
                assigned_variables(command).into_iter().map(move |(name, value)| VariableAssignment {
                    command: at,
                    name,
                    value,
                    exported: exports,
                })
            });
            let mut sets: Vec<VariableAssignment> = sets.collect();
            let all = self.script.commands.iter().any(exports_all);
            let names: Vec<&str> = self.script.commands.iter().flat_map(exported_names).collect();
            for set in &mut sets {
                let alone = self.script.commands.get(set.command).is_some_and(|command| command.words.is_empty());
                set.exported |= alone && (all || names.contains(&set.name.as_str()));
            }
            sets
        })
    }
}

/// Returns whether a command of one pattern has such a variable before it.
pub(super) fn is_set_by(name: &WordPattern, value: &WordPattern, command: &Command) -> bool {
    assigned_variables(command)
        .iter()
        .any(|(set, word)| name.matches(set, Dialect::Posix) && matches_value(value, word))
}

fn matches_value(pattern: &WordPattern, word: &Word) -> bool {
    pattern.pattern == "*" || (word.literal && pattern.matches(&word.text, Dialect::Posix))
}

/// Returns whether a command runs another one: it is around it, and what it sets is set for it.
fn encloses(outer: &Command, inner: &Command) -> bool {
    outer.span.start <= inner.span.start
        && outer.span.end >= inner.span.end
        && outer.call_chain.len() < inner.call_chain.len()
        && inner.call_chain.starts_with(&outer.call_chain)
}

/// Returns whether all variables are exported from here on: `set -a`.
fn exports_all(command: &Command) -> bool {
    let option =
        |text: &str| text == "allexport" || (text.starts_with('-') && !text.starts_with("--") && text.contains('a'));
    command.program() == "set" && command.args().iter().any(|word| option(&word.text))
}

/// Returns the names that a command exports without a value.
fn exported_names(command: &Command) -> impl Iterator<Item = &str> {
    let exports = matches!(command.program(), "export" | "declare" | "typeset");
    let names = command.args().iter().filter(move |_| exports).map(|word| word.text.as_str());
    names.filter(|name| !name.starts_with('-') && !name.contains('='))
}
