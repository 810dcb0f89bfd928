//! Matches commands against patterns.
//!
//! Programs are compared first, because that decides most pairs; arguments are parsed only for a program that matches.
//! An unknown word matches `*` and `...` and nothing else.

use std::collections::BTreeMap;

use super::environment::{self, Variables};
use super::{OperandPattern, OptionPattern, PatternAlternative, WordPattern};
use crate::domain::shell::arguments::{self, Arguments, OptionNames, ParsedOption};
use crate::domain::shell::feature::{self, ProgramFilter, TextHash};
use crate::domain::shell::glob;
use crate::domain::shell::script::{Command, Dialect, Script, Word};

/// Returns the commands at which a match of all stages ends.
pub(super) fn find_matches(stages: &[Vec<PatternAlternative>], script: &Script) -> Vec<usize> {
    // The earliest stage of each pipeline up to which the pattern's stages so far have matched.
    let variables = Variables::new(script);
    let mut reached: Option<BTreeMap<usize, usize>> = None;
    let mut found = Vec::new();
    for forms in stages {
        found.clear();
        let forms: Vec<(Option<TextHash>, &PatternAlternative)> =
            forms.iter().map(|form| (form.program_hash(), form)).collect();
        let mut ends: BTreeMap<usize, usize> = BTreeMap::new();
        for (index, command) in script.commands.iter().enumerate() {
            let follows = reached
                .as_ref()
                .is_none_or(|reached| reached.get(&command.pipeline).is_some_and(|stage| *stage < command.stage));
            let marks = command.program_hashes();
            let may_match = |mark: &Option<TextHash>| mark.is_none_or(|mark| marks.contains(&mark));
            let matches = |form: &PatternAlternative| form.matches(command) && form.is_set_for(&variables, index);
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

/// Returns whether a command is as the last stage says.
pub(super) fn matches_last_stage(stages: &[Vec<PatternAlternative>], command: &Command) -> bool {
    stages.last().is_some_and(|forms| forms.iter().any(|form| form.matches(command) && form.sets_variables(command)))
}

impl PatternAlternative {
    /// Returns the number of the program's name; nothing where it may have several.
    fn program_hash(&self) -> Option<TextHash> {
        match ProgramFilter::from_pattern(&self.program.pattern, self.program.wild) {
            ProgramFilter::Named(mark) => Some(mark),
            ProgramFilter::Any | ProgramFilter::Begins(_) => None,
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
            arguments::parse(&command.words, command.dialect, &valued)
        };
        self.options_match(command, &arguments) && self.operands_match(command, &arguments)
    }

    fn options_match(&self, command: &Command, arguments: &Arguments<'_>) -> bool {
        if self.options.is_empty() {
            return true;
        }
        let names = OptionNames::new(command);
        self.options.iter().all(|option| option.matches(command.dialect, names, &arguments.options))
    }

    /// Returns whether the variables are set for a command of a script, by itself or by what came before.
    fn is_set_for(&self, variables: &Variables<'_>, index: usize) -> bool {
        self.assignments.iter().all(|(name, value)| variables.is_set_for(name, value, index))
    }

    /// Returns whether the variables are set by a command itself.
    fn sets_variables(&self, command: &Command) -> bool {
        self.assignments.iter().all(|(name, value)| environment::is_set_by(name, value, command))
    }

    /// Returns whether the words that must be operands are there at all. Most patterns fail here, before
    /// options and operands are distinguished.
    fn has_words(&self, command: &Command) -> bool {
        command.dialect == Dialect::Cmd
            || self.operands.iter().all(|operand| match operand {
                OperandPattern::Text(text) => {
                    command.words.iter().skip(1).any(|word| text.matches(&word.text, command.dialect))
                }
                OperandPattern::Any | OperandPattern::Rest | OperandPattern::Dashes => true,
            })
    }

    /// Returns whether there may be an option at all, when some must be given.
    fn has_options(&self, command: &Command) -> bool {
        self.options.is_empty() || command.dialect == Dialect::Cmd || command.args().iter().any(feature::is_option)
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
            return self.program.matches(&word.text, command.dialect);
        }
        self.program.matches(command.written_program(), command.dialect)
            || (command.dialect != Dialect::Posix && self.program.matches(command.program(), command.dialect))
    }

    fn operands_match(&self, command: &Command, arguments: &Arguments<'_>) -> bool {
        // In the oldest dialect options begin with a slash, and so look like operands in a pattern.
        let slashes = command.dialect == Dialect::Cmd;
        let is_switch = |operand: &OperandPattern| matches!(operand, OperandPattern::Text(text) if slashes && text.pattern.starts_with('/'));
        let given = |operand: &OperandPattern| match operand {
            OperandPattern::Text(text) => {
                arguments.options.iter().any(|given| text.matches(&given.name, command.dialect))
            }
            OperandPattern::Any | OperandPattern::Rest | OperandPattern::Dashes => false,
        };
        if !self.operands.iter().filter(|operand| is_switch(operand)).all(given) {
            return false;
        }
        let mut wanted: Vec<&OperandPattern> = self.operands.iter().filter(|operand| !is_switch(operand)).collect();
        if !self.closed {
            wanted.push(&OperandPattern::Rest);
        }
        let mut words: Vec<Option<&Word>> = arguments.operands.iter().copied().map(Some).collect();
        if wanted.contains(&&OperandPattern::Dashes)
            && let Some(at) = arguments.end_of_options
        {
            words.insert(at.min(words.len()), None);
        }
        match_sequence(&wanted, &words, command.dialect)
    }
}

/// Returns whether words are as the operands say, one by one; only the last `...` is ever tried again.
fn match_sequence(wanted: &[&OperandPattern], words: &[Option<&Word>], dialect: Dialect) -> bool {
    let (mut at, mut from) = (0, 0);
    let mut rest: Option<(usize, usize)> = None;
    while let Some(word) = words.get(from) {
        let fits = match (wanted.get(at), word) {
            (Some(OperandPattern::Rest), _) => {
                rest = Some((at + 1, from));
                at += 1;
                continue;
            }
            (Some(OperandPattern::Any), Some(_)) | (Some(OperandPattern::Dashes), None) => true,
            (Some(OperandPattern::Text(text)), Some(word)) => word.literal && text.matches(&word.text, dialect),
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
    wanted.get(at..).unwrap_or_default().iter().all(|operand| **operand == OperandPattern::Rest)
}

impl OptionPattern {
    fn matches(&self, dialect: Dialect, names: OptionNames, options: &[ParsedOption]) -> bool {
        let given = |name: &str| options.iter().any(|given| names.is_same_option(&given.name, name));
        match self {
            Self::Letters(word) => {
                let clustered = names.style == Dialect::Posix;
                given(word) || (clustered && word.chars().skip(1).all(|letter| given(&format!("-{letter}"))))
            }
            Self::Long(text) if text.wild => options.iter().any(|given| text.matches(&given.name, dialect)),
            Self::Long(text) => given(&text.pattern),
            Self::Valued(name, text) => options.iter().any(|given| {
                let value = given.value.as_ref().or(given.next_word.as_ref());
                let fits = |value: &Word| text.pattern == "*" || (value.literal && text.matches(&value.text, dialect));
                value.is_some_and(fits) && names.is_same_option(&given.name, name)
            }),
        }
    }
}

impl WordPattern {
    pub(super) fn matches(&self, text: &str, dialect: Dialect) -> bool {
        match dialect {
            Dialect::Posix if self.wild => glob::matches(&self.pattern, text),
            Dialect::Posix => self.pattern == text,
            _ if self.wild => glob::matches(&self.pattern.to_lowercase(), &text.to_lowercase()),
            _ => self.pattern.eq_ignore_ascii_case(text),
        }
    }
}
