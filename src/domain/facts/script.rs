//! Scripts in files that a call runs: which files are read, and which of their commands count.
//!
//! Such a script existed before the call, and most belong to the project: they build, test, clean and deploy. So only
//! what is certain counts. A path that is computed at run time is not assumed to be the worst possible one.

use std::rc::Rc;

use super::loss::{Change, Loss};
use super::proof::{Checkout, ProgramLocation, RevisionFiles, TreeFilter};
use super::repository::{Divergence, RepositoryState, UnknownRepository};
use crate::domain::shell::script_files::MAX_FILE_BYTES;
use crate::domain::shell::{
    self, Access, Command, Cwd, DeferredLine, Dialect, FileCache, FileContent, FileRequest, FileUse, Opaque,
    OpaqueReason, RedirectKind, ResolvedFile, Script, parse_with_files,
};
use crate::domain::text::path::{PathContext, has_wildcard};

/// The file system that a call would run on, as far as its judgment needs it.
pub trait FileSystem {
    /// Returns the target of an absolute path after links are resolved, if it differs.
    fn real_path(&self, path: &str) -> Option<String>;

    /// Returns the content of the file at an absolute path, if it is a text of at most `most` bytes.
    fn read(&self, path: &str, most: usize) -> FileContent;

    /// Returns the absolute paths that an absolute pattern matches, as a shell expands it; `**` matches any number of
    /// directories. `None` if they are not known, or too many to list.
    fn expand(&self, pattern: &str) -> Option<Vec<String>>;

    /// Returns the value of a variable of the environment that is an absolute path.
    fn path_variable(&self, name: &str) -> Option<String>;

    /// Returns the state of the repository that a directory belongs to; `None` if it belongs to none.
    ///
    /// # Errors
    /// Returns why it is not known.
    fn repository(&self, _directory: &str) -> Result<Option<RepositoryState>, UnknownRepository> {
        Err(UnknownRepository("the repository is not read here".to_owned()))
    }

    /// Returns how far the repository of a directory and its upstream have parted; `None` if it belongs to none.
    ///
    /// # Errors
    /// Returns why it is not known.
    fn divergence(&self, _directory: &str) -> Result<Option<Divergence>, UnknownRepository> {
        Err(UnknownRepository("the repository is not read here".to_owned()))
    }

    /// Returns whether it is certain that nothing is at an absolute path. What is not known is not certain.
    fn is_absent(&self, _path: &str) -> bool {
        false
    }

    /// Returns whether a path is a directory, or leads to one.
    fn is_directory(&self, _path: &str) -> bool {
        false
    }

    /// Returns the absolute paths of the files in a directory and in those below it, so far as a search with a filter
    /// reads them; for a file, itself. `None` if they are not known, or more than a number.
    fn walk(&self, _directory: &str, _filter: &TreeFilter, _most: usize) -> Option<Vec<String>> {
        None
    }

    /// Returns where the program is that a name leads to.
    fn program(&self, _name: &str) -> ProgramLocation {
        ProgramLocation::Missing
    }

    /// Returns what a directory is to git; `None` if that is not known.
    fn checkout(&self, _directory: &str) -> Option<Checkout> {
        None
    }

    /// Returns the commit that is checked out in the repository that a directory belongs to.
    fn head_commit(&self, _directory: &str) -> Option<String> {
        None
    }

    /// Returns the files that a test chooses by their path in the working tree, and that are not as in a commit, or not in
    /// it; `None` if they are not known.
    fn changed_since(&self, _directory: &str, _commit: &str, _is_chosen: &dyn Fn(&str) -> bool) -> Option<Vec<String>> {
        None
    }

    /// Returns the files of a revision of the repository that a directory belongs to.
    fn revision_files(&self, _directory: &str, _revision: &str) -> RevisionFiles {
        RevisionFiles::Unknown
    }

    /// Returns what a change would lose: one loss for each path of a change of paths, and one otherwise. It is
    /// unknown where nothing can be looked at.
    fn losses(&self, change: &Change) -> Vec<Loss> {
        let unknown = || Loss::unknown("the files are not read here");
        match change {
            Change::Git { .. } => vec![unknown()],
            Change::Delete(paths) | Change::Overwrite(paths) => paths.iter().map(|_| unknown()).collect(),
        }
    }
}

/// A file system without links and without files.
#[derive(Debug, Clone, Copy)]
pub struct EmptyFileSystem;

impl FileSystem for EmptyFileSystem {
    fn real_path(&self, _: &str) -> Option<String> {
        None
    }

    fn read(&self, _: &str, _: usize) -> FileContent {
        FileContent::Missing
    }

    fn expand(&self, _: &str) -> Option<Vec<String>> {
        None
    }

    fn path_variable(&self, _: &str) -> Option<String> {
        None
    }
}

/// The greatest number of times that a text is parsed again with the files that it runs.
const MAX_ROUNDS: usize = 8;

/// The number of parent directories that are searched for a file of a project.
const MAX_PARENTS: usize = 16;

/// Parses a text together with the scripts in files that it runs. `base` is the directory it starts in.
pub fn parse(
    text: &str,
    dialect: Dialect,
    base: Option<&str>,
    place: &PathContext,
    machine: &dyn FileSystem,
) -> Script {
    resolve_files(base, place, machine, |library| parse_with_files(text, dialect, library), text.len())
}

/// Parses lines of a file that a tool runs later, together with the scripts in files that they run. `path` is the
/// file for messages.
pub(super) fn parse_deferred(
    lines: &[DeferredLine],
    path: &str,
    place: &PathContext,
    machine: &dyn FileSystem,
) -> Script {
    resolve_files(None, place, machine, |library| shell::parse_deferred(lines, path, library), 0)
}

/// Parses again and again, with the files that were asked for, until no more is asked for.
fn resolve_files(
    base: Option<&str>,
    place: &PathContext,
    machine: &dyn FileSystem,
    parse: impl Fn(&Rc<FileCache>) -> Script,
    length: usize,
) -> Script {
    let mut library = Rc::new(FileCache::default());
    let mut script = parse(&library);
    for _ in 0..MAX_ROUNDS {
        if script.requested_files.is_empty() && script.requested_variables.is_empty() {
            return script;
        }
        let answers = Rc::make_mut(&mut library);
        for name in std::mem::take(&mut script.requested_variables) {
            let value = machine.path_variable(&name);
            answers.add_variable(name, value);
        }
        for wanted in std::mem::take(&mut script.requested_files) {
            let found = find_file(&wanted, base, place, machine);
            answers.add(wanted, found);
        }
        script = parse(&library);
    }
    if !script.requested_files.is_empty() {
        script.opaque.push(Opaque { reason: OpaqueReason::ScriptTooLarge, span: 0..length });
    }
    script
}

fn find_file(wanted: &FileRequest, base: Option<&str>, place: &PathContext, machine: &dyn FileSystem) -> ResolvedFile {
    let mut dir = place.resolve(if wanted.dir.is_empty() { "." } else { &wanted.dir }, base);
    let root = place.project.as_deref().map(|project| place.resolve(project, None));
    for above in 0..MAX_PARENTS {
        for name in &wanted.names {
            let path = place.resolve(name, Some(&dir));
            let text = if has_wildcard(name) { read_all(&path, machine) } else { machine.read(&path, MAX_FILE_BYTES) };
            if text != FileContent::Missing {
                // A program that is a link is known by the name of what it leads to.
                let real = if text == FileContent::Binary { machine.real_path(&path) } else { None };
                return ResolvedFile {
                    display_path: place.display(&path).into(),
                    path: real.unwrap_or(path),
                    levels_up: above,
                    content: text,
                };
            }
        }
        let parent = dir.rsplit_once('/').map(|(parent, _)| parent.to_owned());
        match parent.filter(|_| wanted.search_parents && root.as_ref() != Some(&dir)) {
            Some(parent) if !parent.is_empty() => dir = parent,
            _ => break,
        }
    }
    let path = place.resolve(wanted.names.first().map_or("", String::as_str), Some(&dir));
    ResolvedFile { display_path: place.display(&path).into(), path, levels_up: 0, content: FileContent::Missing }
}

/// Returns the texts of the files that a pattern matches, one after the other: each may be the one that runs.
fn read_all(pattern: &str, machine: &dyn FileSystem) -> FileContent {
    let mut whole = String::new();
    for path in machine.expand(pattern).unwrap_or_default() {
        match machine.read(&path, MAX_FILE_BYTES) {
            FileContent::Text(text) if whole.len() + text.len() <= MAX_FILE_BYTES => {
                whole.push_str(&text);
                whole.push('\n');
            }
            FileContent::Missing | FileContent::Binary => {}
            FileContent::Text(_) | FileContent::TooLarge => return FileContent::TooLarge,
            FileContent::Unreadable => return FileContent::Unreadable,
        }
    }
    if whole.is_empty() { FileContent::Missing } else { FileContent::Text(whole) }
}

/// The programs that print, or pass on, what they read.
const DISPLAY_PROGRAMS: &[&str] = &[
    "cat", "tac", "nl", "head", "tail", "less", "more", "bat", "batcat", "grep", "egrep", "fgrep", "rg", "awk", "gawk",
    "sed", "cut", "sort", "rev", "strings", "od", "xxd", "hexdump", "base64", "base32", "diff", "jq", "yq", "tee",
    "dd", "curl", "wget", "scp", "rsync", "nc", "ncat", "tar", "zip", "gpg", "openssl", "git",
];

/// Returns whether the use of a file by a command counts. In a script from a file, it counts if the path is known
/// from the text and the command does more than print a file of the project.
pub fn is_relevant_use(command: &Command, used: &FileUse, path: &str, place: &PathContext) -> bool {
    if command.file.is_none() {
        return true;
    }
    let is_rooted = || place.resolve(&used.path, Some("/a")) == place.resolve(&used.path, Some("/b"));
    if !used.literal || (command.cwd == Cwd::Unknown && !is_rooted()) {
        return false;
    }
    let project = place.project.as_deref().unwrap_or(&place.cwd);
    if used.access != Access::Read || place.relative_to(path, &place.resolve(project, None)).is_none() {
        return true;
    }
    let quiet = command.arguments().has(&["-q", "--quiet", "--silent"]);
    let taken_in = command.call_chain.iter().any(|via| matches!(via.as_str(), "$(…)" | "`…`" | "<(…)"))
        || command.redirects.iter().any(|it| it.kind == RedirectKind::Read && it.target.text == used.path);
    DISPLAY_PROGRAMS.contains(&command.program()) && !quiet && !taken_in
}
