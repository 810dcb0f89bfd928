//! The variables that are set for a command: its own, those of what runs it, and those that were
//! exported earlier in the same text.

use std::cell::OnceCell;

use super::Text;
use crate::domain::shell::deeds::assigned;
use crate::domain::shell::script::{Command, Dialect, Script, Word};

/// A variable that is set at some place of a script.
struct Set {
    /// The command that sets it.
    at: usize,
    name: String,
    value: Word,
    /// Whether it is set for all that follows, and not for what the command runs alone.
    exported: bool,
}

/// The variables that are set in a script, worked out when they are first asked for.
pub(super) struct Variables<'s> {
    script: &'s Script,
    set: OnceCell<Vec<Set>>,
}

impl<'s> Variables<'s> {
    pub(super) fn of(script: &'s Script) -> Self {
        Self { script, set: OnceCell::new() }
    }

    /// Tells whether a variable of such a name and value is set for a command.
    pub(super) fn hold(&self, name: &Text, value: &Text, index: usize) -> bool {
        let Some(command) = self.script.commands.get(index) else { return false };
        let own = assigned(command);
        // What stands before the command wins over what was exported.
        let known: Vec<&(String, Word)> = own.iter().filter(|(set, _)| name.is(set, Dialect::Posix)).collect();
        if !known.is_empty() {
            return known.iter().any(|(_, word)| is_value(value, word));
        }
        self.set().iter().filter(|set| set.at < index && name.is(&set.name, Dialect::Posix)).any(|set| {
            let runs = self.script.commands.get(set.at).is_some_and(|outer| surrounds(outer, command));
            (set.exported || runs) && is_value(value, &set.value)
        })
    }

    fn set(&self) -> &[Set] {
        self.set.get_or_init(|| {
            let commands = self.script.commands.iter().enumerate();
            let sets = commands.flat_map(|(at, command)| {
                let exports =
                    command.dialect != Dialect::Posix || (!command.words.is_empty() && command.assignments.is_empty());
                assigned(command).into_iter().map(move |(name, value)| Set { at, name, value, exported: exports })
            });
            let mut sets: Vec<Set> = sets.collect();
            let all = self.script.commands.iter().any(exports_all);
            let names: Vec<&str> = self.script.commands.iter().flat_map(exported_names).collect();
            for set in &mut sets {
                let alone = self.script.commands.get(set.at).is_some_and(|command| command.words.is_empty());
                set.exported |= alone && (all || names.contains(&set.name.as_str()));
            }
            sets
        })
    }
}

/// Tells whether a command of one pattern has such a variable before it.
pub(super) fn own_hold(name: &Text, value: &Text, command: &Command) -> bool {
    assigned(command).iter().any(|(set, word)| name.is(set, Dialect::Posix) && is_value(value, word))
}

fn is_value(pattern: &Text, word: &Word) -> bool {
    pattern.pattern == "*" || (word.literal && pattern.is(&word.text, Dialect::Posix))
}

/// Tells whether a command runs another one: it stands around it, and what it sets is set for it.
fn surrounds(outer: &Command, inner: &Command) -> bool {
    outer.span.start <= inner.span.start
        && outer.span.end >= inner.span.end
        && outer.via.len() < inner.via.len()
        && inner.via.starts_with(&outer.via)
}

/// Tells whether all variables are exported from here on: `set -a`.
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
