//! Features that exclude most commands from a pattern without running the pattern.
//!
//! A command that has no feature of a pattern cannot match it. Texts are compared by hash: when two of them share one,
//! the pattern itself decides.

use serde::{Deserialize, Serialize};

use super::script::{Command, Dialect, Word, program_name};

/// A hash of a text that ignores the case of ASCII letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TextHash(pub(crate) u32);

impl TextHash {
    /// Returns the hash of a text: FNV-1a over its bytes in lower case.
    pub fn new(text: &str) -> Self {
        let mix = |hash: u32, byte: u8| (hash ^ u32::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0193);
        Self(text.bytes().fold(0x811c_9dc5, mix))
    }
}

/// Which programs a pattern matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ProgramFilter {
    /// Any.
    Any,
    /// The one with this name.
    Named(TextHash),
    /// Those that begin with this byte, in lower case.
    Begins(u8),
}

impl ProgramFilter {
    /// Returns the filter for the program word of a pattern.
    pub(super) fn from_pattern(pattern: &str, wild: bool) -> Self {
        match pattern.bytes().next() {
            _ if !wild => Self::Named(TextHash::new(program_name(pattern))),
            // Any part of a path may be that of the name.
            Some(first) if first.is_ascii_alphanumeric() && !pattern.contains(['/', '\\']) => {
                Self::Begins(first.to_ascii_lowercase())
            }
            _ => Self::Any,
        }
    }
}

/// What a command must have to match one alternative of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Feature {
    /// Its program.
    pub(crate) program: ProgramFilter,
    /// A word among its arguments; `None` when none is required.
    pub(crate) word: Option<TextHash>,
    /// Whether an option is required.
    pub(crate) option: bool,
}

/// The features of one command.
#[derive(Debug)]
struct CommandFeatures {
    programs: [TextHash; 2],
    initials: [u8; 2],
    words: Vec<TextHash>,
    has_option: bool,
    /// Whether options look like operands, so that neither can be distinguished here.
    has_slash_options: bool,
}

impl CommandFeatures {
    fn from_command(command: &Command) -> Self {
        let names = [command.program(), command.written_program()];
        Self {
            programs: command.program_hashes(),
            initials: names.map(|name| name.bytes().next().unwrap_or_default().to_ascii_lowercase()),
            words: command.args().iter().map(|word| TextHash::new(&word.text)).collect(),
            has_option: command.args().iter().any(is_option),
            has_slash_options: command.dialect == Dialect::Cmd,
        }
    }

    fn has(&self, sign: &Feature) -> bool {
        let is_about = match sign.program {
            ProgramFilter::Any => true,
            ProgramFilter::Named(program) => self.programs.contains(&program),
            ProgramFilter::Begins(initial) => self.initials.contains(&initial),
        };
        is_about
            && (self.has_slash_options
                || (self.has_option >= sign.option && sign.word.is_none_or(|word| self.words.contains(&word))))
    }
}

/// The features of the commands of an event.
#[derive(Debug)]
pub struct FeatureSet {
    commands: Vec<CommandFeatures>,
    /// A bit for each program, by its hash: most features are of other programs, which this rules out at once.
    programs: u64,
    /// A bit for the first byte of each program.
    initials: u64,
}

impl FeatureSet {
    /// Returns the features of some commands.
    pub fn from_commands<'c>(commands: impl Iterator<Item = &'c Command>) -> Self {
        let commands: Vec<CommandFeatures> = commands.map(CommandFeatures::from_command).collect();
        let programs = commands.iter().flat_map(|signs| signs.programs).fold(0, |bits, mark| bits | bloom_bit(mark.0));
        let initials = commands.iter().flat_map(|signs| signs.initials).fold(0, |bits, it| bits | bloom_bit(it.into()));
        Self { commands, programs, initials }
    }

    /// Returns whether there is no command.
    pub const fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }

    /// Returns whether one of the commands has a feature.
    /// Called thousands of times per event, from another module: without this it is not inlined in a build with
    /// several codegen units.
    #[inline]
    pub fn has(&self, sign: &Feature) -> bool {
        let is_there = match sign.program {
            ProgramFilter::Any => true,
            ProgramFilter::Named(TextHash(mark)) => self.programs & bloom_bit(mark) != 0,
            ProgramFilter::Begins(initial) => self.initials & bloom_bit(initial.into()) != 0,
        };
        is_there && self.commands.iter().any(|command| command.has(sign))
    }
}

/// Returns the bit of a hash, which others share.
const fn bloom_bit(number: u32) -> u64 {
    1 << (number & 63)
}

/// Returns whether a word looks like an option.
pub(super) fn is_option(word: &Word) -> bool {
    word.text.len() > 1 && word.text.starts_with('-')
}
