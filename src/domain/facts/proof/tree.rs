//! What a search of a directory reads: all that is in it, looked up on the disk.

use super::arguments::ParsedArguments;
use super::row::TreeReader;
use super::{Proved, Prover, gap};

/// The greatest number of files and directories that are looked at.
const MAX_ENTRIES: usize = 10_000;

/// What a search leaves out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TreeFilter {
    /// Whether hidden files are left out.
    pub skips_hidden: bool,
    /// Whether what git ignores is left out.
    pub skips_ignored: bool,
    /// Names of directories that are left out.
    pub skipped_directories: Vec<String>,
    /// Globs of ripgrep that choose files.
    pub globs: Vec<String>,
    /// The directory in which the globs begin.
    pub globs_from: String,
    /// Types of ripgrep that choose files.
    pub types: Vec<String>,
    /// Globs of names, of which one must match; any name, if there are none.
    pub names: Vec<String>,
}

impl TreeFilter {
    /// Returns the filter of a search with these arguments.
    pub(super) fn of(reader: TreeReader, arguments: &ParsedArguments, directory: &str) -> Self {
        let all = |names: &[&'static str]| -> Vec<String> {
            names.iter().flat_map(|name| arguments.values(name)).map(ToOwned::to_owned).collect()
        };
        match reader {
            TreeReader::Ripgrep => {
                let is_unrestricted = arguments.has(&["-u", "--unrestricted"]);
                Self {
                    skips_hidden: !is_unrestricted && !arguments.has(&["--hidden", "-."]),
                    skips_ignored: !is_unrestricted && !arguments.has(&["--no-ignore", "--no-ignore-vcs"]),
                    // In what letter case a glob matches makes no difference to what it leaves out.
                    globs: if arguments.has(&["--iglob"]) { vec!["*".to_owned()] } else { all(&["-g", "--glob"]) },
                    globs_from: directory.to_owned(),
                    types: all(&["-t", "--type"]),
                    ..Self::default()
                }
            }
            TreeReader::Grep => {
                let is_plain = |name: &String| !name.contains(['*', '?', '[', '/']);
                let skipped = all(&["--exclude-dir"]).into_iter().filter(is_plain).collect();
                Self { skipped_directories: skipped, names: all(&["--include"]), ..Self::default() }
            }
        }
    }
}

impl Prover<'_, '_> {
    /// Checks that a directory holds no file that must not be shown, so far as a search with a filter reads it. A file
    /// is one that is read.
    pub(super) fn readable_tree(&self, path: &str, filter: &TreeFilter) -> Proved {
        self.readable(path)?;
        let place = self.facts.path_context;
        for glob in filter.names.iter().chain(&filter.globs) {
            if glob.starts_with('.') {
                return gap(format!("`{glob}` asks for hidden files"));
            }
            self.unprotected(&format!("{path}/{glob}"))?;
        }
        let Some(found) = self.facts.file_system.walk(path, filter, MAX_ENTRIES) else {
            return gap(format!("what is in `{}` is not known, or too much to look at", place.display(path)));
        };
        for file in found {
            let name = file.rsplit('/').next().unwrap_or_default();
            let is_chosen = |glob: &String| fast_glob::glob_match(glob, name);
            if filter.names.is_empty() || filter.names.iter().any(is_chosen) {
                self.showable(&file)?;
            }
        }
        Ok(())
    }
}
