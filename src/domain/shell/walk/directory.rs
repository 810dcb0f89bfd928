//! The directory that a command changes to by its own options.
//!
//! It applies only to that one command, unlike that of `cd`.

use super::scope::PossibleDirectories;
use crate::domain::shell::arguments;
use crate::domain::shell::script::{Dialect, Word, program_name};

/// The programs with an option that names the directory to work in.
const DIRECTORY_OPTIONS: &[(&str, &[&str])] = &[
    ("make", &["-C", "--directory"]),
    ("gmake", &["-C", "--directory"]),
    ("ninja", &["-C"]),
    ("pnpm", &["-C", "--dir"]),
    ("npm", &["--prefix"]),
    ("yarn", &["--cwd"]),
    ("terraform", &["-chdir"]),
    ("tofu", &["-chdir"]),
    ("cargo", &["-C"]),
];

/// Returns where a command with these words runs when the shell is in `dirs`.
pub(super) fn command_directory(words: &[Word], dirs: &PossibleDirectories) -> PossibleDirectories {
    let mut dirs = dirs.clone();
    let program = words.first().map_or("", |word| program_name(&word.text));
    if program == "git" {
        let mut rest = words.iter().skip(1);
        // After the subcommand the letter means something else.
        while let Some(word) = rest.next().filter(|word| word.text.starts_with('-')) {
            match word.text.as_str() {
                "-C" => dirs = rest.next().map_or(PossibleDirectories::Unknown, |dir| dirs.change_to(dir)),
                "-c" | "--git-dir" | "--work-tree" | "--namespace" | "--exec-path" => {
                    rest.next();
                }
                _ => {}
            }
        }
    }
    if let Some((_, names)) = DIRECTORY_OPTIONS.iter().find(|(name, _)| *name == program) {
        for dir in arguments::parse(words, Dialect::Posix, names).values(names) {
            dirs = dirs.change_to(dir);
        }
    }
    dirs
}
