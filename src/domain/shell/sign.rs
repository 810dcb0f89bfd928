//! Signs by which most commands are told from those that a pattern is about, without the pattern.
//!
//! A command that bears no sign of a pattern cannot match it. Texts are compared as numbers: two of
//! them may have one number, and then the pattern itself is asked.

use serde::{Deserialize, Serialize};

use super::script::{Command, Dialect, Word, program_name};

/// A number for a text, whatever the case of its ASCII letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Mark(pub(crate) u32);

impl Mark {
    /// Returns the number of a text: FNV-1a over its bytes in lower case.
    pub fn of(text: &str) -> Self {
        let mix = |hash: u32, byte: u8| (hash ^ u32::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0193);
        Self(text.bytes().fold(0x811c_9dc5, mix))
    }
}

/// Which programs a pattern is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Program {
    /// Any.
    Any,
    /// The one of this name.
    Named(Mark),
    /// Those that begin with this byte, in lower case.
    Begins(u8),
}

impl Program {
    /// Returns the programs that a word of a pattern stands for.
    pub(super) fn of(pattern: &str, wild: bool) -> Self {
        match pattern.bytes().next() {
            _ if !wild => Self::Named(Mark::of(program_name(pattern))),
            // Of a path, any part may be that of the name.
            Some(first) if first.is_ascii_alphanumeric() && !pattern.contains(['/', '\\']) => {
                Self::Begins(first.to_ascii_lowercase())
            }
            _ => Self::Any,
        }
    }
}

/// What a command must have to match one choice of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Sign {
    /// Its program.
    pub(crate) program: Program,
    /// A word among its arguments; none when there need be none.
    pub(crate) word: Option<Mark>,
    /// Whether there is an option.
    pub(crate) option: bool,
}

/// What a command has of what signs ask for.
#[derive(Debug)]
struct Signs {
    programs: [Mark; 2],
    initials: [u8; 2],
    words: Vec<Mark>,
    option: bool,
    /// Whether options look like operands, so that neither is told from the other here.
    slashes: bool,
}

impl Signs {
    fn of(command: &Command) -> Self {
        let names = [command.program(), command.written_program()];
        Self {
            programs: command.marks(),
            initials: names.map(|name| name.bytes().next().unwrap_or_default().to_ascii_lowercase()),
            words: command.args().iter().map(|word| Mark::of(&word.text)).collect(),
            option: command.args().iter().any(is_option),
            slashes: command.dialect == Dialect::Cmd,
        }
    }

    fn bear(&self, sign: &Sign) -> bool {
        let is_about = match sign.program {
            Program::Any => true,
            Program::Named(program) => self.programs.contains(&program),
            Program::Begins(initial) => self.initials.contains(&initial),
        };
        is_about
            && (self.slashes || (self.option >= sign.option && sign.word.is_none_or(|word| self.words.contains(&word))))
    }
}

/// What the commands of an event have of what signs ask for.
#[derive(Debug)]
pub struct Borne {
    commands: Vec<Signs>,
    /// A bit for each program, by its mark: most signs are of other programs, and this tells at once.
    programs: u64,
    /// A bit for the first byte of each program.
    initials: u64,
}

impl Borne {
    /// Returns what some commands have.
    pub fn by<'c>(commands: impl Iterator<Item = &'c Command>) -> Self {
        let commands: Vec<Signs> = commands.map(Signs::of).collect();
        let programs = commands.iter().flat_map(|signs| signs.programs).fold(0, |bits, mark| bits | bit(mark.0));
        let initials = commands.iter().flat_map(|signs| signs.initials).fold(0, |bits, it| bits | bit(it.into()));
        Self { commands, programs, initials }
    }

    /// Tells whether there is no command.
    pub const fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }

    /// Tells whether one of the commands bears a sign.
    pub fn bear(&self, sign: &Sign) -> bool {
        let is_there = match sign.program {
            Program::Any => true,
            Program::Named(Mark(mark)) => self.programs & bit(mark) != 0,
            Program::Begins(initial) => self.initials & bit(initial.into()) != 0,
        };
        is_there && self.commands.iter().any(|command| command.bear(sign))
    }
}

/// Returns the bit of a number, which others share.
const fn bit(number: u32) -> u64 {
    1 << (number & 63)
}

/// Tells whether a word looks like an option.
pub(super) fn is_option(word: &Word) -> bool {
    word.text.len() > 1 && word.text.starts_with('-')
}
