//! Command patterns: the language of `command:` in rules.
//!
//! A pattern is written like a command and matched against what a command does with its arguments, not against its
//! text: options count wherever and however they are spelled, operands in their order. It begins with the program and
//! allows any further arguments, unless it ends in `$`; variables that must be set for the command may precede the
//! program.

mod environment;
mod matching;
mod parser;

use std::fmt;

use serde::{Deserialize, Serialize};

use super::feature::{Feature, ProgramFilter, TextHash};
use super::script::{Command, Script};

/// A pattern for commands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandPattern {
    source: String,
    /// The stages of a pipeline; one for a pattern of a single command.
    stages: Vec<Vec<PatternAlternative>>,
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
struct PatternAlternative {
    /// Variables that must be set for the command, by name and value.
    assignments: Vec<(WordPattern, WordPattern)>,
    program: WordPattern,
    options: Vec<OptionPattern>,
    operands: Vec<OperandPattern>,
    /// Whether no more operands may follow.
    closed: bool,
}

/// A text with wildcards; quoted parts are escaped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct WordPattern {
    pattern: String,
    wild: bool,
}

/// An option that must have been given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum OptionPattern {
    /// `-rf`: each of the letters, or the word as a whole.
    Letters(String),
    /// `--force`, `--no-*`.
    Long(WordPattern),
    /// `--name=value`, `-X=value`.
    Valued(String, WordPattern),
}

/// One place among the operands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum OperandPattern {
    /// `*`: any one word, known or not.
    Any,
    /// `...`: any number of words.
    Rest,
    /// `--`: the end of the options.
    Dashes,
    /// A word.
    Text(WordPattern),
}

impl CommandPattern {
    /// Reads a pattern.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        Ok(Self { source: text.to_owned(), stages: parser::parse_stages(text)? })
    }

    /// Returns the pattern as it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the indices of the commands that are as the pattern says; of a pipeline, the last one.
    pub fn find(&self, script: &Script) -> Vec<usize> {
        matching::find_matches(&self.stages, script)
    }

    /// Returns whether a command alone is as the pattern of one command says.
    pub fn matches_command(&self, command: &Command) -> bool {
        matching::matches_last_stage(&self.stages, command)
    }

    /// Returns features, one of which the command that a match begins with has.
    pub fn features(&self) -> Vec<Feature> {
        let plain = |operand: &OperandPattern| match operand {
            OperandPattern::Text(WordPattern { pattern, wild: false }) => Some(TextHash::new(pattern)),
            OperandPattern::Any | OperandPattern::Rest | OperandPattern::Dashes | OperandPattern::Text(_) => None,
        };
        let sign = |form: &PatternAlternative| Feature {
            program: ProgramFilter::from_pattern(&form.program.pattern, form.program.wild),
            word: form.operands.iter().find_map(plain),
            option: !form.options.is_empty(),
        };
        self.stages.first().into_iter().flatten().map(sign).collect()
    }
}
