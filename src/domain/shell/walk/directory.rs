//! The directory that a command goes to by its own options.
//!
//! It is the directory of that one command only, unlike that of `cd`.

use super::scope::Dirs;
use crate::domain::shell::option;
use crate::domain::shell::script::{Dialect, Word, program_name};

/// The programs with an option that names the directory to work in.
const OPTIONS: &[(&str, &[&str])] = &[
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
pub(super) fn of(words: &[Word], dirs: &Dirs) -> Dirs {
    let mut dirs = dirs.clone();
    let program = words.first().map_or("", |word| program_name(&word.text));
    if program == "git" {
        let mut rest = words.iter().skip(1);
        // Behind the subcommand the letter means something else.
        while let Some(word) = rest.next().filter(|word| word.text.starts_with('-')) {
            match word.text.as_str() {
                "-C" => dirs = rest.next().map_or(Dirs::Unknown, |dir| dirs.enter(dir)),
                "-c" | "--git-dir" | "--work-tree" | "--namespace" | "--exec-path" => {
                    rest.next();
                }
                _ => {}
            }
        }
    }
    if let Some((_, names)) = OPTIONS.iter().find(|(name, _)| *name == program) {
        for dir in option::read(words, Dialect::Posix, names).values(names) {
            dirs = dirs.enter(dir);
        }
    }
    dirs
}
