//! Testing commands against patterns.
//!
//! Programs are compared first, because that settles most pairs; arguments are taken apart only for a
//! program that fits. A word that is not known fits `*` and `...` and nothing else.

use std::collections::BTreeMap;

use super::environment::{self, Variables};
use super::{Form, Operand, OptionPattern, Text};
use crate::domain::shell::glob;
use crate::domain::shell::option::{self, Arguments, Given, Names};
use crate::domain::shell::script::{Command, Dialect, Script, Word};
use crate::domain::shell::sign::{self, Mark, Program};

/// Returns the commands at which a match of all stages ends.
pub(super) fn find(stages: &[Vec<Form>], script: &Script) -> Vec<usize> {
    // The earliest stage of each pipeline up to which the pattern's stages so far have matched.
    let variables = Variables::of(script);
    let mut reached: Option<BTreeMap<usize, usize>> = None;
    let mut found = Vec::new();
    for forms in stages {
        found.clear();
        let forms: Vec<(Option<Mark>, &Form)> = forms.iter().map(|form| (form.mark(), form)).collect();
        let mut ends: BTreeMap<usize, usize> = BTreeMap::new();
        for (index, command) in script.commands.iter().enumerate() {
            let follows = reached
                .as_ref()
                .is_none_or(|reached| reached.get(&command.pipeline).is_some_and(|stage| *stage < command.stage));
            let marks = command.marks();
            let may_match = |mark: &Option<Mark>| mark.is_none_or(|mark| marks.contains(&mark));
            let matches = |form: &Form| form.matches(command) && form.is_set_for(&variables, index);
            if follows && forms.iter().any(|(mark, form)| may_match(mark) && matches(form)) {
                found.push(index);
                let stage = ends.entry(command.pipeline).or_insert(command.stage);
                *stage = command.stage.min(*stage);
            }
        }
        reached = Some(ends);
    }
    found
}

/// Tells whether a command is as the last stage says.
pub(super) fn is_like(stages: &[Vec<Form>], command: &Command) -> bool {
    stages.last().is_some_and(|forms| forms.iter().any(|form| form.matches(command) && form.sets(command)))
}

impl Form {
    /// Returns the number of the program's name; nothing where it may have several.
    fn mark(&self) -> Option<Mark> {
        match Program::of(&self.program.pattern, self.program.wild) {
            Program::Named(mark) => Some(mark),
            Program::Any | Program::Begins(_) => None,
        }
    }

    fn matches(&self, command: &Command) -> bool {
        if !self.program_matches(command) || !self.has_words(command) || !self.has_options(command) {
            return false;
        }
        let valued: Vec<&str> = self
            .options
            .iter()
            .filter_map(|option| match option {
                OptionPattern::Valued(name, _) => Some(name.as_str()),
                OptionPattern::Letters(_) | OptionPattern::Long(_) => None,
            })
            .collect();
        let arguments = if valued.is_empty() {
            command.arguments()
        } else {
            option::read(&command.words, command.dialect, &valued)
        };
        self.options_match(command, &arguments) && self.operands_match(command, &arguments)
    }

    fn options_match(&self, command: &Command, arguments: &Arguments<'_>) -> bool {
        if self.options.is_empty() {
            return true;
        }
        let names = Names::of(command);
        self.options.iter().all(|option| option.matches(command.dialect, names, &arguments.options))
    }

    /// Tells whether the variables are set for a command of a script, by itself or by what came before.
    fn is_set_for(&self, variables: &Variables<'_>, index: usize) -> bool {
        self.assignments.iter().all(|(name, value)| variables.hold(name, value, index))
    }

    /// Tells whether the variables are set by a command itself.
    fn sets(&self, command: &Command) -> bool {
        self.assignments.iter().all(|(name, value)| environment::own_hold(name, value, command))
    }

    /// Tells whether the words that must be operands are there at all. Most patterns fail here, before
    /// options and operands are told apart.
    fn has_words(&self, command: &Command) -> bool {
        command.dialect == Dialect::Cmd
            || self.operands.iter().all(|operand| match operand {
                Operand::Text(text) => command.words.iter().skip(1).any(|word| text.is(&word.text, command.dialect)),
                Operand::Any | Operand::Rest | Operand::Dashes => true,
            })
    }

    /// Tells whether there may be an option at all, when some must be given.
    fn has_options(&self, command: &Command) -> bool {
        self.options.is_empty() || command.dialect == Dialect::Cmd || command.args().iter().any(sign::is_option)
    }

    fn program_matches(&self, command: &Command) -> bool {
        let Some(word) = command.words.first() else { return false };
        if self.program.pattern == "*" {
            return true;
        }
        if command.is_dynamic() {
            return false;
        }
        if self.program.pattern.contains('/') {
            return self.program.is(&word.text, command.dialect);
        }
        self.program.is(command.written_program(), command.dialect)
            || (command.dialect != Dialect::Posix && self.program.is(command.program(), command.dialect))
    }

    fn operands_match(&self, command: &Command, arguments: &Arguments<'_>) -> bool {
        // In the oldest dialect options begin with a slash, and so look like operands in a pattern.
        let slashes = command.dialect == Dialect::Cmd;
        let is_switch =
            |operand: &Operand| matches!(operand, Operand::Text(text) if slashes && text.pattern.starts_with('/'));
        let given = |operand: &Operand| match operand {
            Operand::Text(text) => arguments.options.iter().any(|given| text.is(&given.name, command.dialect)),
            Operand::Any | Operand::Rest | Operand::Dashes => false,
        };
        if !self.operands.iter().filter(|operand| is_switch(operand)).all(given) {
            return false;
        }
        let mut wanted: Vec<&Operand> = self.operands.iter().filter(|operand| !is_switch(operand)).collect();
        if !self.closed {
            wanted.push(&Operand::Rest);
        }
        let mut words: Vec<Option<&Word>> = arguments.operands.iter().copied().map(Some).collect();
        if wanted.contains(&&Operand::Dashes)
            && let Some(at) = arguments.dashes
        {
            words.insert(at.min(words.len()), None);
        }
        in_sequence(&wanted, &words, command.dialect)
    }
}

/// Tells whether words are as the operands say, one by one; only the last `...` is ever tried again.
fn in_sequence(wanted: &[&Operand], words: &[Option<&Word>], dialect: Dialect) -> bool {
    let (mut at, mut from) = (0, 0);
    let mut rest: Option<(usize, usize)> = None;
    while let Some(word) = words.get(from) {
        let fits = match (wanted.get(at), word) {
            (Some(Operand::Rest), _) => {
                rest = Some((at + 1, from));
                at += 1;
                continue;
            }
            (Some(Operand::Any), Some(_)) | (Some(Operand::Dashes), None) => true,
            (Some(Operand::Text(text)), Some(word)) => word.literal && text.is(&word.text, dialect),
            _ => false,
        };
        if fits {
            at += 1;
            from += 1;
        } else if let Some((behind, tried)) = rest {
            rest = Some((behind, tried + 1));
            (at, from) = (behind, tried + 1);
        } else {
            return false;
        }
    }
    wanted.get(at..).unwrap_or_default().iter().all(|operand| **operand == Operand::Rest)
}

impl OptionPattern {
    fn matches(&self, dialect: Dialect, names: Names, options: &[Given]) -> bool {
        let given = |name: &str| options.iter().any(|given| names.is(&given.name, name));
        match self {
            Self::Letters(word) => {
                let clustered = names.spelling == Dialect::Posix;
                given(word) || (clustered && word.chars().skip(1).all(|letter| given(&format!("-{letter}"))))
            }
            Self::Long(text) if text.wild => options.iter().any(|given| text.is(&given.name, dialect)),
            Self::Long(text) => given(&text.pattern),
            Self::Valued(name, text) => options.iter().any(|given| {
                let value = given.value.as_ref().or(given.next.as_ref());
                let fits = |value: &Word| text.pattern == "*" || (value.literal && text.is(&value.text, dialect));
                value.is_some_and(fits) && names.is(&given.name, name)
            }),
        }
    }
}

impl Text {
    pub(super) fn is(&self, text: &str, dialect: Dialect) -> bool {
        match dialect {
            Dialect::Posix if self.wild => glob::matches(&self.pattern, text),
            Dialect::Posix => self.pattern == text,
            _ if self.wild => glob::matches(&self.pattern.to_lowercase(), &text.to_lowercase()),
            _ => self.pattern.eq_ignore_ascii_case(text),
        }
    }
}
