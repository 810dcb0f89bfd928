//! Command patterns: the language of `command:` in rules.
//!
//! A pattern is written like a command and tested against what a command does with its arguments,
//! not against its text: options count wherever and however they are spelled, operands in their
//! order. It begins with the program and says nothing of what may follow, unless it ends in `$`;
//! variables that must be set for the command may stand before the program.

mod environment;
mod matching;
mod read;

use std::fmt;

use serde::{Deserialize, Serialize};

use super::script::{Command, Script};
use super::sign::{Mark, Program, Sign};

/// A pattern for commands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandPattern {
    source: String,
    /// The stages of a pipeline; one for a pattern of a single command.
    stages: Vec<Vec<Form>>,
}

/// Why a pattern was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternError {
    /// Where the mistake is, in bytes.
    pub offset: usize,
    /// What is wrong, as a fragment.
    pub message: String,
    /// How to write it instead, when that is known.
    pub help: Option<String>,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for PatternError {}

/// One choice of all alternatives of a stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Form {
    /// Variables that must be set for the command, by name and value.
    assignments: Vec<(Text, Text)>,
    program: Text,
    options: Vec<OptionPattern>,
    operands: Vec<Operand>,
    /// Whether no more operands may follow.
    closed: bool,
}

/// A text with wildcards; quoted parts are escaped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Text {
    pattern: String,
    wild: bool,
}

/// An option that must have been given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum OptionPattern {
    /// `-rf`: each of the letters, or the word as a whole.
    Letters(String),
    /// `--force`, `--no-*`.
    Long(Text),
    /// `--name=value`, `-X=value`.
    Valued(String, Text),
}

/// One place among the operands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum Operand {
    /// `*`: any one word, known or not.
    Any,
    /// `...`: any number of words.
    Rest,
    /// `--`: the end of the options.
    Dashes,
    /// A word.
    Text(Text),
}

impl CommandPattern {
    /// Reads a pattern.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        Ok(Self { source: text.to_owned(), stages: read::stages(text)? })
    }

    /// Returns the pattern as it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the indices of the commands that are as the pattern says; of a pipeline, the last one.
    pub fn find(&self, script: &Script) -> Vec<usize> {
        matching::find(&self.stages, script)
    }

    /// Tells whether a command alone is as the pattern of one command says.
    pub fn is_like(&self, command: &Command) -> bool {
        matching::is_like(&self.stages, command)
    }

    /// Returns signs of which the command that a match begins with bears one.
    pub fn signs(&self) -> Vec<Sign> {
        let plain = |operand: &Operand| match operand {
            Operand::Text(Text { pattern, wild: false }) => Some(Mark::of(pattern)),
            Operand::Any | Operand::Rest | Operand::Dashes | Operand::Text(_) => None,
        };
        let sign = |form: &Form| Sign {
            program: Program::of(&form.program.pattern, form.program.wild),
            word: form.operands.iter().find_map(plain),
            option: !form.options.is_empty(),
        };
        self.stages.first().into_iter().flatten().map(sign).collect()
    }
}
