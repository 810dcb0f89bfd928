//! The files of trees, without what ignore files leave out.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ignore::{DirEntry, WalkBuilder};

/// The name of our own ignore files; their form is that of `.gitignore`.
const IGNORE_FILE: &str = ".rulewardignore";

/// Files, and what could not be listed.
#[derive(Debug, Default)]
pub struct FileList {
    /// The files, each once, in order.
    pub files: BTreeSet<PathBuf>,
    /// What went wrong, for people.
    pub errors: Vec<String>,
}

/// Lists the files at and below paths; a file that is named itself is always one of them.
///
/// Unless `everything` is wanted, what `.gitignore`, `.ignore` and `.rulewardignore` exclude is left out, also those of
/// directories above. What git keeps for itself and what links lead to is left out in any case.
pub fn list_files(paths: &[PathBuf], everything: bool) -> FileList {
    let mut listed = FileList::default();
    for path in paths {
        if path.is_file() {
            listed.files.insert(path.clone());
            continue;
        }
        let mut walk = WalkBuilder::new(path);
        walk.standard_filters(false).follow_links(false).filter_entry(is_not_git_directory);
        if !everything {
            walk.git_ignore(true).ignore(true).parents(true).require_git(false).add_custom_ignore_filename(IGNORE_FILE);
        }
        for entry in walk.build() {
            match entry {
                Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                    listed.files.insert(entry.into_path());
                }
                Ok(_) => {}
                Err(error) => listed.errors.push(error.to_string()),
            }
        }
    }
    listed
}

fn is_not_git_directory(entry: &DirEntry) -> bool {
    entry.depth() == 0 || Path::new(entry.file_name()) != Path::new(".git")
}
