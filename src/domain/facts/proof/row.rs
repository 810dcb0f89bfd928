//! A row of the table of programs that may be approved.
//!
//! The options are names between blanks. Behind the name stands what value the option takes: nothing, `=` any text,
//! `=N` a number, `=F` a file that is read, `=D` a directory or file of which only names are shown, `=C` the directory
//! in which the program works, `=J` a filter of jq, `=R` a name that is sent to a service, `=O` a
//! repository with its owner there, `=2` two texts, `=?` a text
//! that can only stand behind `=`, `=W` a file that is written, `=a|b` one of these words. `-#` is a number alone, as
//! in `head -20`, and `!words` says that names with one dash are not groups of letters.

use super::Effect;

/// A program, or a subcommand of one, with the options that are known to do no more than its effect says.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The names between blanks; a subcommand is behind a colon: `git:log`.
    pub names: &'static str,
    /// The options.
    pub options: &'static str,
    /// What the other arguments are.
    pub operands: Operands,
    /// What else must hold.
    pub checks: &'static [Check],
    /// The greatest effect.
    pub effect: Effect,
    /// A line that is approved; `{}` is each of the names.
    pub approved: &'static str,
    /// A line that is not.
    pub refused: &'static str,
}

/// What the arguments of a program are that belong to no option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operands {
    /// There are none.
    None,
    /// Texts that the program prints or computes with.
    Printed,
    /// Texts.
    Text,
    /// Names that are sent to a service.
    Names,
    /// Files of which only names and attributes are shown.
    Paths,
    /// Files that are read.
    Files,
    /// Files that are read, after this number of texts; none of the texts where an option gives them.
    TextsThenFiles(usize, &'static [&'static str]),
    /// Directories and files that are read with all that is in them, after one text.
    TextThenTrees(&'static [&'static str]),
    /// Directories that are made.
    Created,
    /// Files that are written.
    Written,
    /// A file that is read, and the file or directory that it is copied to.
    Copied,
    /// The name of a subcommand, which has a row of its own.
    Subcommand,
    /// A command that is run, after this number of texts.
    Command(usize),
    /// What a check reads.
    Checked,
}

/// Something that must hold besides the words of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// The script of sed does nothing but print and replace.
    Sed,
    /// The program of awk does nothing but print.
    Awk,
    /// The filter of jq or yq shows no variables of the environment and reads no other files.
    Jq,
    /// The expression of find only selects and prints names.
    Find,
    /// The SQL only selects.
    Sql,
    /// The test uses no arithmetic.
    Test,
    /// Without a path, the current directory with all that is in it is read.
    Tree(TreeReader),
    /// None of the arguments is one of these words.
    NoOperandIs(&'static [&'static str]),
    /// At least one of the options is given.
    OneOf(&'static [&'static str]),
    /// At least one argument is given.
    SomeOperand,
    /// No more than this number of arguments is given.
    AtMost(usize),
    /// Each argument is one of these words.
    OperandIs(&'static [&'static str]),
    /// The first argument is one of these words.
    FirstIs(&'static [&'static str]),
    /// The archive is a file of this machine.
    LocalArchive,
    /// The arguments are plain names.
    PlainNames,
    /// The argument is a form for a date.
    Format,
    /// The repository runs nothing of its own.
    Git,
    /// The same, unless one of the options names another repository.
    GitUnless(&'static [&'static str]),
    /// Arguments are only given with an option that lists.
    GitListing(&'static [&'static str]),
    /// No argument names another host.
    OwnHost,
    /// The arguments are revisions and paths, and nothing protected is among what is shown.
    GitContent,
    /// The arguments are revisions and paths, of which only names are shown.
    GitNames,
    /// The one argument is a setting that holds no credentials.
    GitSetting,
    /// No address of a remote holds credentials.
    GitRemotes,
    /// The remote is a name and not an address, and what reaches it is known.
    GitService,
    /// The argument is the name of a kind of objects that holds no credentials.
    KubernetesKind,
    /// The toolchain is not chosen by the project to be a program of it.
    RustToolchain,
    /// The package manager is the one that is installed.
    NodeManager,
    /// What decides what runs is as in the commit that the session began with.
    Project,
    /// The script of the manifest is one of tests, linters, builds and formatters.
    Script,
    /// The targets are those of tests, linters, builds and formatters.
    Target,
    /// The arguments but the first one are paths inside the project.
    InsidePaths,
    /// Python only tells its version, or runs a module of its own that nothing of the project replaces.
    Python,
}

/// How a program reads a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeReader {
    /// As grep does: everything, where an option says so.
    Grep,
    /// As ripgrep does: without hidden files and without what git ignores.
    Ripgrep,
}

/// Returns a row of a program that only reads.
pub(super) const fn row(
    names: &'static str,
    options: &'static str,
    operands: Operands,
    approved: &'static str,
    refused: &'static str,
) -> Row {
    Row { names, options, operands, checks: &[], effect: Effect::Read, approved, refused }
}

impl Row {
    /// Returns the row with checks.
    pub(super) const fn checked(self, checks: &'static [Check]) -> Self {
        Self { checks, ..self }
    }

    /// Returns the row with another effect.
    pub(super) const fn with_effect(self, effect: Effect) -> Self {
        Self { effect, ..self }
    }

    /// Returns the names.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.names.split(' ').filter(|name| !name.is_empty())
    }
}
