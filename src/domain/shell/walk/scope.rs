//! The state of the shell between commands: variables, functions, the directory.
//!
//! It is unknown whether a command runs, only that it may. So the scope keeps a log of changes: a subshell reverts
//! its
//! changes, and after a branch a variable that may have either of two values is unknown.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use super::Output;
use super::script_file::FileContext;
use crate::domain::shell::script::{Cwd, Word};
use crate::domain::shell::syntax::ast::Node;

/// The most directories a command may be in before it counts as unknown.
const MAX_DIRS: usize = 8;

/// The longest text of a file or an output that is kept.
const MAX_TEXT: usize = 1 << 16;

/// The most files whose text is kept.
const MAX_FILES: usize = 64;

/// The longest path that is kept.
const MAX_PATH: usize = 1024;

/// The value of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Scalar(Word),
    List(Vec<Word>),
    /// One of these.
    OneOf(Vec<Word>),
}

/// The directories the shell may be in; an empty path is where the script started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PossibleDirectories {
    OneOf(Vec<String>),
    Unknown,
}

/// A function that was defined.
#[derive(Debug, Clone)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) body: Rc<Node>,
    pub(super) call_chain: Vec<String>,
    pub(super) span_override: Option<Range<usize>>,
    pub(super) called: bool,
    /// How many of its calls are being walked.
    pub(super) active_calls: usize,
    /// The file that it is in.
    pub(super) file: Option<Rc<FileContext>>,
}

/// The part of the scope that is copied and not logged.
#[derive(Debug, Clone)]
pub(super) struct ShellState {
    pub(super) cwd: PossibleDirectories,
    pub(super) directory_stack: Vec<PossibleDirectories>,
    /// The positional parameters, or nothing when they are unknown.
    pub(super) positional: Option<Rc<Vec<Word>>>,
    /// Whether a failing command ends the script, so that what follows a `cd` is in the directory.
    pub(super) exit_on_error: bool,
}

/// A place in the log to go back to.
#[derive(Debug, Clone)]
pub(super) struct Checkpoint {
    undo_len: usize,
    pub(super) state: ShellState,
}

/// What a branch changed.
#[derive(Debug)]
pub(super) struct Changes {
    variables: Vec<(String, Value)>,
    state: ShellState,
}

#[derive(Debug)]
pub(super) struct Scope {
    variables: HashMap<String, Value>,
    undo_log: Vec<(String, Option<Value>)>,
    /// Whether some variable has, or had, one of several values.
    has_alternatives: bool,
    /// The variables that keep their value.
    readonly: BTreeSet<String>,
    /// The variables of the functions that are being walked, with the values that they had before.
    locals: Vec<Vec<(String, Option<Value>)>>,
    pub(super) state: ShellState,
    pub(super) functions: Vec<Function>,
    function_index: BTreeMap<String, usize>,
    pub(super) aliases: BTreeMap<String, String>,
    /// The files that were written, with their text as far as it is known.
    files: BTreeMap<String, Output>,
    /// The files that came from elsewhere.
    downloads: BTreeSet<String>,
    /// The directories into which files of unknown names came from elsewhere.
    download_directories: BTreeSet<String>,
    /// The files that were copied or moved from others, by the place they are at now.
    copies: BTreeMap<String, String>,
}

impl Scope {
    pub(super) fn new() -> Self {
        let state = ShellState {
            cwd: PossibleDirectories::OneOf(vec![String::new()]),
            directory_stack: Vec::new(),
            positional: Some(Rc::new(Vec::new())),
            exit_on_error: false,
        };
        let mut scope = Self {
            variables: HashMap::new(),
            undo_log: Vec::new(),
            has_alternatives: false,
            readonly: BTreeSet::new(),
            locals: Vec::new(),
            state,
            functions: Vec::new(),
            function_index: BTreeMap::new(),
            aliases: BTreeMap::new(),
            files: BTreeMap::new(),
            downloads: BTreeSet::new(),
            download_directories: BTreeSet::new(),
            copies: BTreeMap::new(),
        };
        scope.set("IFS", Value::Scalar(Word::known(" \t\n")));
        scope
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.variables.get(name)
    }

    /// Returns whether some variable has one of several values.
    pub(super) const fn has_alternatives(&self) -> bool {
        self.has_alternatives
    }

    pub(super) fn set(&mut self, name: &str, value: Value) {
        if self.readonly.contains(name) {
            return;
        }
        self.has_alternatives |= matches!(value, Value::OneOf(_));
        let before = self.variables.insert(name.to_owned(), value);
        self.undo_log.push((name.to_owned(), before));
    }

    /// Keeps the value of a variable from now on.
    pub(super) fn make_readonly(&mut self, name: &str) {
        self.readonly.insert(name.to_owned());
    }

    /// Remembers what a variable of the present function was before; outside of a function, it is an ordinary one.
    pub(super) fn make_local(&mut self, name: &str) {
        let before = self.get(name).cloned();
        if let Some(locals) = self.locals.last_mut().filter(|locals| locals.iter().all(|(known, _)| known != name)) {
            locals.push((name.to_owned(), before));
        }
    }

    pub(super) fn enter_function(&mut self) {
        self.locals.push(Vec::new());
    }

    /// Gives the variables of a function back the values that they had before it.
    pub(super) fn leave_function(&mut self) {
        for (name, before) in self.locals.pop().unwrap_or_default() {
            self.restore(&name, before);
        }
    }

    /// Gives a variable back the value it had, or none.
    pub(super) fn restore(&mut self, name: &str, value: Option<Value>) {
        if let Some(value) = value {
            self.set(name, value);
        } else {
            let before = self.variables.remove(name);
            self.undo_log.push((name.to_owned(), before));
        }
    }

    pub(super) fn checkpoint(&self) -> Checkpoint {
        Checkpoint { undo_len: self.undo_log.len(), state: self.state.clone() }
    }

    /// Reverts everything since the checkpoint and returns it.
    pub(super) fn rollback(&mut self, mark: &Checkpoint) -> Changes {
        let mut variables = Vec::new();
        for (name, before) in self.undo_log.split_off(mark.undo_len.min(self.undo_log.len())).into_iter().rev() {
            let now = match before {
                Some(value) => self.variables.insert(name.clone(), value),
                None => self.variables.remove(&name),
            };
            variables.extend(now.map(|value| (name, value)));
        }
        let state = std::mem::replace(&mut self.state, mark.state.clone());
        Changes { variables, state }
    }

    /// Merges the changes of alternative branches; with `skippable`, none of them may have run.
    pub(super) fn merge_branches(&mut self, branches: Vec<Changes>, skippable: bool) {
        let mut dirs = skippable.then(|| self.state.cwd.clone());
        for changes in branches {
            let mut seen = HashSet::new();
            for (name, value) in changes.variables {
                // The log is read backwards, so the first value of a name is its last one.
                if !seen.insert(name.clone()) {
                    continue;
                }
                let value = match self.get(&name) {
                    Some(now) if *now != value => {
                        Value::either(now, value).unwrap_or_else(|| Value::Scalar(Word::unknown(format!("${name}"))))
                    }
                    _ => value,
                };
                self.set(&name, value);
            }
            match &mut dirs {
                Some(dirs) => dirs.merge(changes.state.cwd),
                None => dirs = Some(changes.state.cwd),
            }
        }
        self.state.cwd = dirs.unwrap_or(PossibleDirectories::Unknown);
    }

    /// Remembers what is written to a file; or nothing when the text is unknown.
    pub(super) fn record_write(&mut self, path: &str, text: Output, append: bool) {
        if path.is_empty() || path.starts_with("/dev/") || self.files.len() >= MAX_FILES {
            return;
        }
        let text = text.filter(|text| !text.glob);
        for dir in self.directories() {
            let path = resolve_path(&dir, path);
            let known = if append { self.files.remove(&path) } else { None };
            let text = match known {
                Some(before) => concat_outputs(before, text.clone()),
                // What is in front of it is unknown.
                None if append && self.copies.contains_key(&path) => None,
                None => text.clone(),
            };
            if !append {
                self.downloads.remove(&path);
            }
            self.copies.remove(&path);
            self.files.insert(path, text);
        }
    }

    /// Remembers a file that comes from elsewhere.
    pub(super) fn record_download(&mut self, path: &str) {
        self.record_write(path, None, false);
        for dir in self.directories() {
            self.downloads.insert(resolve_path(&dir, path));
        }
    }

    /// Remembers a directory into which files came from elsewhere.
    pub(super) fn record_download_directory(&mut self, directory: &str) {
        for dir in self.directories() {
            if self.download_directories.len() < MAX_FILES {
                self.download_directories.insert(resolve_path(&dir, directory));
            }
        }
    }

    /// Returns whether a file, if it was not there before, came from elsewhere.
    pub(super) fn is_in_download_directory(&self, path: &str) -> bool {
        !self.download_directories.is_empty()
            && self.directories().iter().map(|dir| resolve_path(dir, path)).any(|path| {
                self.download_directories.iter().any(|dir| match path.strip_prefix(dir.as_str()) {
                    Some(rest) => dir.is_empty() && !path.starts_with(['/', '~', '$', '.']) || rest.starts_with('/'),
                    None => false,
                })
            })
    }

    /// Returns whether a file came from elsewhere.
    pub(super) fn is_download(&self, path: &str) -> bool {
        self.directories().iter().any(|dir| self.downloads.contains(&resolve_path(dir, path)))
    }

    /// Remembers that a file is copied or moved. The target may be a directory, so both places count.
    pub(super) fn record_copy(&mut self, source: &str, target: &str) {
        let name = source.rsplit('/').next().unwrap_or(source);
        for target in [target.to_owned(), format!("{}/{name}", target.trim_end_matches('/'))] {
            if self.is_download(source) {
                self.record_download(&target);
            } else if let Some(text) = self.written_text(source).cloned() {
                self.record_write(&target, text, false);
            } else if self.copies.len() < MAX_FILES {
                for dir in self.directories() {
                    let (from, to) = (self.original_path(&dir, source), resolve_path(&dir, &target));
                    self.files.remove(&to);
                    self.copies.insert(to, from);
                }
            }
        }
    }

    /// Returns what the script itself has written to a file, if it has; that may not be known.
    pub(super) fn written_text(&self, path: &str) -> Option<&Output> {
        self.directories().iter().find_map(|dir| self.files.get(&resolve_path(dir, path)))
    }

    /// Returns whether the script itself has written a file.
    pub(super) fn has_written_files(&self) -> bool {
        !self.files.is_empty()
    }

    /// Returns the texts that the script has written to the files of some paths, as far as they are known.
    pub(super) fn written_files(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<(String, String)> {
        let written = self.files.iter().filter(|(path, _)| is_wanted(path));
        let known = written.filter_map(|(path, text)| Some((path.clone(), text.as_ref()?.text.clone())));
        known.collect()
    }

    /// Returns the original path of a file, from before the script started.
    pub(super) fn original_path(&self, dir: &str, path: &str) -> String {
        let path = resolve_path(dir, path);
        self.copies.get(&path).cloned().unwrap_or(path)
    }

    /// Returns the directories that the script may be in; where nothing is known, the start.
    pub(super) fn directories(&self) -> Vec<String> {
        match &self.state.cwd {
            PossibleDirectories::OneOf(dirs) => dirs.clone(),
            PossibleDirectories::Unknown => vec![String::new()],
        }
    }

    pub(super) fn define_function(&mut self, function: Function) {
        self.function_index.insert(function.name.clone(), self.functions.len());
        self.functions.push(function);
    }

    /// Returns the place of a function in the list.
    pub(super) fn function(&self, name: &str) -> Option<usize> {
        self.function_index.get(name).copied()
    }
}

impl Value {
    /// Returns the value of a variable that has one of two; `None` if a part of it is unknown or they are too many.
    fn either(one: &Self, other: Self) -> Option<Self> {
        let mut words = match one {
            Self::Scalar(word) => vec![word.clone()],
            Self::OneOf(words) => words.clone(),
            Self::List(_) => return None,
        };
        let more = match other {
            Self::Scalar(word) => vec![word],
            Self::OneOf(words) => words,
            Self::List(_) => return None,
        };
        for word in more {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        let is_known = words.len() <= super::alternatives::MAX_VALUES && words.iter().all(|word| word.literal);
        is_known.then_some(Self::OneOf(words))
    }
}

impl Changes {
    /// Leaves out a variable that still has the value that it was given for the branch.
    pub(super) fn forget_unchanged(&mut self, name: &str, value: &Word) {
        self.variables.retain(|(other, now)| other != name || *now != Value::Scalar(value.clone()));
    }

    /// Returns whether the directory is another.
    pub(super) fn changes_directory(&self, scope: &Scope) -> bool {
        self.state.cwd != scope.state.cwd
    }

    /// Returns whether the positional parameters are others.
    pub(super) fn changes_parameters(&self, scope: &Scope) -> bool {
        self.state.positional != scope.state.positional
    }

    /// Returns whether a variable that was set before has another value, or the directory is another.
    pub(super) fn has_overwrites(&self, scope: &Scope) -> bool {
        self.changes_directory(scope)
            || self.changes_parameters(scope)
            || self.variables.iter().any(|(name, value)| scope.get(name).is_some_and(|before| before != value))
    }
}

impl PossibleDirectories {
    /// Returns the directories after a successful change of directory.
    pub(super) fn change_to(&self, target: &Word) -> Self {
        match self {
            // A pattern stays one: what is touched below it is what it may represent.
            _ if target.glob && target.text.contains(['[', '{', '(']) => Self::Unknown,
            _ if !target.literal || target.text.len() > MAX_PATH => Self::Unknown,
            _ if is_absolute(&target.text) => Self::OneOf(vec![target.text.clone()]),
            Self::OneOf(dirs) if dirs.iter().any(|dir| dir.len() > MAX_PATH) => Self::Unknown,
            Self::OneOf(dirs) => Self::OneOf(dirs.iter().map(|dir| join_path(dir, &target.text)).collect()),
            Self::Unknown => Self::Unknown,
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        match (&mut *self, other) {
            (Self::OneOf(dirs), Self::OneOf(more)) => {
                for dir in more {
                    if !dirs.contains(&dir) {
                        dirs.push(dir);
                    }
                }
                if dirs.len() > MAX_DIRS {
                    *self = Self::Unknown;
                }
            }
            _ => *self = Self::Unknown,
        }
    }

    pub(super) fn to_cwd(&self) -> Cwd {
        match self {
            Self::Unknown => Cwd::Unknown,
            Self::OneOf(dirs) => match dirs.as_slice() {
                [dir] if dir.is_empty() => Cwd::Start,
                [dir] => Cwd::Known(dir.clone()),
                _ => Cwd::OneOf(dirs.clone()),
            },
        }
    }
}

/// Returns two texts one after the other, or nothing when one is unknown or both are too long.
pub(super) fn concat_outputs(first: Output, second: Output) -> Output {
    let (mut first, second) = first.zip(second)?;
    if first.text.len() + second.text.len() > MAX_TEXT {
        return None;
    }
    first.text.push_str(&second.text);
    first.literal &= second.literal;
    first.glob |= second.glob;
    Some(first)
}

/// Returns whether a path means the same in every directory.
fn is_absolute(path: &str) -> bool {
    let drive = path.as_bytes().get(1) == Some(&b':');
    drive || ["/", "~", "$HOME", "${HOME}", "$PWD", "${PWD}", "\\"].iter().any(|root| path.starts_with(root))
}

/// Returns where a path leads from a directory.
fn resolve_path(dir: &str, path: &str) -> String {
    if is_absolute(path) && !path.starts_with("$PWD") && !path.starts_with("${PWD}") {
        return if path.starts_with('/') { join_path("/", path) } else { path.to_owned() };
    }
    let path = path.strip_prefix("$PWD/").or_else(|| path.strip_prefix("${PWD}/")).unwrap_or(path);
    join_path(dir, path)
}

/// Returns a path inside a directory, with `.` and `..` taken out where the text allows it.
fn join_path(dir: &str, path: &str) -> String {
    let mut parts: Vec<&str> =
        dir.split('/').enumerate().filter(|(i, part)| *i == 0 || !part.is_empty()).map(|(_, part)| part).collect();
    if dir.is_empty() {
        parts.clear();
    }
    for part in path.split('/') {
        match (part, parts.last()) {
            ("" | ".", _) => {}
            ("..", Some(last)) if !last.is_empty() && *last != ".." && !last.starts_with(['~', '$']) => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    if parts == [""] { "/".to_owned() } else { parts.join("/") }
}

#[cfg(test)]
mod tests {
    use super::join_path;

    #[test]
    fn directories_are_joined_by_text() {
        for (dir, path, joined) in [
            ("", "a/b", "a/b"),
            ("a", "..", ""),
            ("a", "../..", ".."),
            ("/", "etc", "/etc"),
            ("/etc", "..", "/"),
            ("~", "..", "~/.."),
            ("a", "./b/", "a/b"),
        ] {
            assert_eq!(join_path(dir, path), joined, "{dir} + {path}");
        }
    }
}
