//! The expression of find: tests, and actions that print names.

use super::super::command::Site;
use super::super::{Proved, Prover, gap};

/// Tests and actions without an argument.
const ALONE: &[&str] = &[
    "-print",
    "-print0",
    "-not",
    "!",
    "-o",
    "-or",
    "-a",
    "-and",
    "(",
    ")",
    "-prune",
    "-empty",
    "-ls",
    "-depth",
    "-xdev",
    "-mount",
    "-readable",
    "-writable",
    "-executable",
    "-true",
    "-false",
    "-daystart",
    "-quit",
    "-d",
];

/// Tests with one argument that is a text or a number.
const WITH_TEXT: &[&str] = &[
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-iwholename",
    "-regex",
    "-iregex",
    "-regextype",
    "-type",
    "-maxdepth",
    "-mindepth",
    "-size",
    "-mtime",
    "-mmin",
    "-ctime",
    "-cmin",
    "-atime",
    "-amin",
    "-perm",
    "-user",
    "-group",
    "-links",
    "-inum",
    "-printf",
    "-lname",
    "-newermt",
    "-fstype",
    "-xtype",
    "-uid",
    "-gid",
];

/// Tests with one argument that is a file.
const WITH_FILE: &[&str] = &["-newer", "-anewer", "-cnewer", "-samefile"];

impl Prover<'_, '_> {
    /// Checks where find begins, and that it only prints names.
    pub(super) fn find_expression(&self, site: &Site<'_>) -> Proved {
        let words: Vec<&str> = site.arguments.operands.iter().map(|it| it.text.as_str()).collect();
        let begins = |word: &str| word.starts_with('-') || matches!(word, "(" | "!" | ")");
        let starts = words.iter().take_while(|word| !begins(word)).count();
        for start in words.iter().take(starts) {
            self.inside(&self.resolve(start, site.directory)?)?;
        }
        let mut rest = words.into_iter().skip(starts);
        while let Some(word) = rest.next() {
            if ALONE.contains(&word) {
                continue;
            }
            let Some(value) = rest.next().filter(|_| WITH_TEXT.contains(&word) || WITH_FILE.contains(&word)) else {
                return gap(format!("`{word}` of find is not in the table"));
            };
            if WITH_FILE.contains(&word) {
                self.inside(&self.resolve(value, site.directory)?)?;
            }
        }
        Ok(())
    }
}
