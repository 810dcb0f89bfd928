//! What shell text runs: a flat list of commands, and the places that could not be read.
//!
//! The list holds every command that may run, wherever it is: in a branch, a substitution, the body of a function, the
//! argument of a wrapper. It does not say under which condition one runs. A place whose meaning depends on something
//! unknown is an [`Opaque`], never silently left out.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::arguments::CommandCache;
use super::feature::TextHash;
use super::script_files::{FileLocation, FileRequest};

/// The language a text is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// The shells of the Bourne family: sh, bash, zsh, dash, ksh.
    #[default]
    Posix,
    /// Windows `PowerShell` and its successor.
    PowerShell,
    /// The command interpreter of Windows.
    Cmd,
}

/// All that a text runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Script {
    /// The commands in the order in which they are reached.
    pub commands: Vec<Command>,
    /// The places whose effect is unknown from the text.
    pub opaque: Vec<Opaque>,
    /// The files that would be run and were not given.
    pub requested_files: Vec<FileRequest>,
    /// The variables of the environment whose values were not given.
    pub requested_variables: Vec<String>,
}

/// A place whose effect is unknown from the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opaque {
    /// Why it is unknown.
    pub reason: OpaqueReason,
    /// Where it is in the source text, in bytes.
    pub span: Range<usize>,
}

/// Why a place could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpaqueReason {
    /// A quote, substitution or here-document without its end.
    Unbalanced,
    /// Text that is not of the shell's grammar.
    Syntax,
    /// Text of the call itself that the shell refuses for one of these reasons, so that nothing of it runs from there
    /// on.
    Rejected,
    /// Nesting beyond the bound.
    TooDeep,
    /// More commands than the bound.
    TooMany,
    /// More text than the bound, once variables are put in.
    TooLong,
    /// The name of a program that only the running shell knows.
    DynamicProgram,
    /// Code for a shell or another interpreter of which a part is computed.
    DynamicCode,
    /// Code that a shell or another interpreter reads from a pipe or a substitution.
    PipedCode,
    /// Code that was encoded and is decoded on the way to its interpreter.
    EncodedCode,
    /// A script in a file that is larger than what is read, or has more in it than is followed.
    ScriptTooLarge,
    /// A script in a file that is not there or cannot be read.
    ScriptUnread,
    /// Code that is downloaded on the way to its interpreter.
    DownloadedCode,
    /// A command whose targets another program computes, or that are in a list which cannot be read.
    UnknownTargets,
    /// A function that starts itself several times at once, whenever it runs.
    EndlessProcesses,
}

impl OpaqueReason {
    /// Every reason.
    pub const ALL: [Self; 15] = [
        Self::Unbalanced,
        Self::Syntax,
        Self::Rejected,
        Self::TooDeep,
        Self::TooMany,
        Self::TooLong,
        Self::DynamicProgram,
        Self::DynamicCode,
        Self::PipedCode,
        Self::EncodedCode,
        Self::DownloadedCode,
        Self::ScriptTooLarge,
        Self::ScriptUnread,
        Self::UnknownTargets,
        Self::EndlessProcesses,
    ];

    /// Returns the reason's name in policies.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unbalanced => "unbalanced",
            Self::Syntax => "syntax",
            Self::Rejected => "rejected",
            Self::TooDeep => "too-deep",
            Self::TooMany => "too-many",
            Self::TooLong => "too-long",
            Self::DynamicProgram => "dynamic-program",
            Self::DynamicCode => "dynamic-code",
            Self::PipedCode => "piped-code",
            Self::EncodedCode => "encoded-code",
            Self::DownloadedCode => "downloaded-code",
            Self::UnknownTargets => "unknown-targets",
            Self::EndlessProcesses => "endless-processes",
            Self::ScriptTooLarge => "script-too-large",
            Self::ScriptUnread => "script-unread",
        }
    }

    /// Returns whether a bound was reached, so that what is after it was not read.
    pub const fn is_limit(self) -> bool {
        matches!(self, Self::TooDeep | Self::TooMany | Self::TooLong)
    }

    /// Returns whether it is about a script in a file and not about the text itself.
    pub const fn is_script(self) -> bool {
        matches!(self, Self::ScriptTooLarge | Self::ScriptUnread)
    }
}

impl fmt::Display for OpaqueReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unbalanced => "an unclosed quote or bracket",
            Self::Syntax => "text that is not shell syntax",
            Self::Rejected => "text that the shell rejects",
            Self::TooDeep => "nesting that is too deep to follow",
            Self::TooMany => "too many commands to follow",
            Self::TooLong => "too much text to follow",
            Self::DynamicProgram => "a program name computed at runtime",
            Self::DynamicCode => "code computed at runtime",
            Self::PipedCode => "code read from a pipe",
            Self::EncodedCode => "encoded code",
            Self::ScriptTooLarge => "a script too large to read",
            Self::ScriptUnread => "a script that could not be read",
            Self::DownloadedCode => "code that is downloaded at runtime",
            Self::UnknownTargets => "targets that are only known at runtime",
            Self::EndlessProcesses => "processes that multiply without limit",
        })
    }
}

/// One command with its words as the program receives them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The program and its arguments; empty for bare redirections and assignments.
    pub words: Vec<Word>,
    /// The variables set for this command, or for the shell when there are no words.
    pub assignments: Vec<(String, Word)>,
    /// The redirections in order.
    pub redirects: Vec<Redirect>,
    /// What it was reached through, outermost first: `sudo`, `bash -c`, `$(…)`, `find -exec`.
    pub call_chain: Vec<String>,
    /// The pipeline it is in, unique within the script.
    pub pipeline: usize,
    /// Its position in that pipeline, from 0.
    pub stage: usize,
    /// What it reads besides its words, as far as that is known: its standard input, and the files that it names and
    /// that were written before it, each but the last ended by a NUL.
    pub input: Option<String>,
    /// Where it runs.
    pub cwd: Cwd,
    /// The language its line is written in.
    pub dialect: Dialect,
    /// Whether it runs on another machine or in a container, where paths mean something else.
    pub is_remote: bool,
    /// How many times it is listed, each with another value of a variable that has several; 1 for a command without.
    pub alternatives: usize,
    /// The program of unknown effect whose arguments it is, where it is only assumed that it runs.
    pub assumed_by: Option<String>,
    /// Where it is in the source text, in bytes; for nested text, where the outer command is.
    pub span: Range<usize>,
    /// The file it is in, when it is not part of the text but of a script that the text runs.
    pub file: Option<FileLocation>,
    /// What was computed of it.
    pub(crate) cache: CommandCache,
}

/// One word after expansion and quote removal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Word {
    /// The text; what is unknown is in it as written, or as `$(…)` for a command's output.
    pub text: String,
    /// Whether the whole text is known; `$HOME` and `$PWD` count as known.
    pub literal: bool,
    /// Whether the shell expands the text as a file name pattern.
    pub glob: bool,
    /// Whether any part was quoted.
    pub quoted: bool,
}

/// One redirection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    /// What is done.
    pub kind: RedirectKind,
    /// The file descriptor, when it is written out.
    pub fd: Option<u32>,
    /// The file, the descriptor, or the text of a here-document or here-string.
    pub target: Word,
}

/// What a redirection does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RedirectKind {
    /// `< file`
    Read,
    /// `> file`, `>| file`, `&> file`
    Write,
    /// `>> file`, `&>> file`
    Append,
    /// `<> file`
    ReadWrite,
    /// `>&1`, `<&3`, `>&-`
    Duplicate,
    /// `<< END`
    HereDoc,
    /// `<<< text`
    HereString,
}

/// The directory a command runs in, relative to where the script started.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Cwd {
    /// Where the script started.
    #[default]
    Start,
    /// This directory; relative to the start unless it is absolute or begins with `~` or `$HOME`.
    Known(String),
    /// One of these, because a `cd` may have failed or been skipped; an empty one is the start.
    OneOf(Vec<String>),
    /// Nothing is known.
    Unknown,
}

impl Cwd {
    /// Returns the directories it may be, the start as an empty text, or nothing when unknown.
    pub fn candidates(&self) -> Option<Vec<&str>> {
        match self {
            Self::Start => Some(vec![""]),
            Self::Known(dir) => Some(vec![dir]),
            Self::OneOf(dirs) => Some(dirs.iter().map(String::as_str).collect()),
            Self::Unknown => None,
        }
    }
}

impl Word {
    /// Returns a word that means exactly its text.
    pub fn known(text: impl Into<String>) -> Self {
        Self { text: text.into(), literal: true, glob: false, quoted: false }
    }

    /// Returns a word of which only a description is known.
    pub fn unknown(text: impl Into<String>) -> Self {
        Self { text: text.into(), literal: false, glob: false, quoted: false }
    }
}

impl Command {
    /// Returns the name of the program without directory and `.exe`; empty when there is none.
    ///
    /// In the shells of Windows, an alias is returned as the name of what it represents.
    pub fn program(&self) -> &str {
        match self.dialect {
            Dialect::Posix => self.written_program(),
            Dialect::PowerShell | Dialect::Cmd => super::windows::resolve_alias(self.written_program(), self.dialect),
        }
    }

    /// Returns the name of the program as it is written, without directory and `.exe`.
    pub fn written_program(&self) -> &str {
        let Some(word) = self.words.first() else { return "" };
        word.text.get(self.cache.program_name(word).range()).unwrap_or_default()
    }

    /// Returns whether the name of the program is unknown. A name after an unknown directory is.
    pub fn is_dynamic(&self) -> bool {
        self.words.first().is_some_and(|word| self.cache.program_name(word).is_dynamic)
    }

    /// Returns the numbers of the program's name: as a rule names it, and as it is written.
    pub(super) fn program_hashes(&self) -> [TextHash; 2] {
        let written = self.words.first().map_or_else(|| TextHash::new(""), |word| self.cache.program_name(word).hash);
        match self.dialect {
            Dialect::Posix => [written; 2],
            Dialect::PowerShell | Dialect::Cmd => [TextHash::new(self.program()), written],
        }
    }

    /// Returns the arguments, without the program.
    pub fn args(&self) -> &[Word] {
        self.words.get(1..).unwrap_or_default()
    }

    /// Returns the words joined by blanks, for messages.
    pub fn text(&self) -> String {
        let words: Vec<&str> = self.words.iter().map(|word| word.text.as_str()).collect();
        words.join(" ")
    }

    /// Returns all text that the program receives, as far as it is known: its words, then its input, each ended by a NUL.
    pub fn received(&self) -> String {
        let words = self.words.iter().map(|word| word.text.as_str());
        words.chain(self.input.as_deref()).flat_map(|text| [text, "\0"]).collect()
    }
}

/// Where the name of a program is in the word that names it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProgramName {
    start: usize,
    end: usize,
    /// Whether it is unknown from the word.
    pub(crate) is_dynamic: bool,
    /// The number of the name as it is written.
    pub(crate) hash: TextHash,
}

impl ProgramName {
    /// Reads a word that names a program.
    pub(crate) fn parse(word: &Word) -> Self {
        let name = program_name(&word.text);
        let start = name.as_ptr().addr() - word.text.as_ptr().addr();
        Self { start, end: start + name.len(), is_dynamic: is_dynamic(word), hash: TextHash::new(name) }
    }

    const fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// Returns whether the name of a program is unknown from its word.
pub(crate) fn is_dynamic(word: &Word) -> bool {
    let name = program_name(&word.text);
    if word.glob && super::glob::is_pattern(name) {
        return true;
    }
    !word.literal && (name.is_empty() || name.contains(['$', '`']) || !word.text.contains('/'))
}

/// Returns the name of a program without its directory and without `.exe`.
pub(crate) fn program_name(path: &str) -> &str {
    // By bytes: patterns ask this of every command.
    let directory = path.bytes().rposition(|byte| matches!(byte, b'/' | b'\\')).map_or(0, |at| at + 1);
    let name = path.get(directory..).unwrap_or(path);
    // In zsh, `=rm` is the path of `rm`.
    let name = name.strip_prefix('=').filter(|rest| !rest.is_empty()).unwrap_or(name);
    let stem = name.len().checked_sub(4).and_then(|end| name.split_at_checked(end));
    match stem {
        Some((stem, extension)) if !stem.is_empty() && extension.eq_ignore_ascii_case(".exe") => stem,
        _ => name,
    }
}
