//! Where pushes go: the branches of a remote, by the words of the command and the configuration of the repository.

mod resolve;

use std::cell::OnceCell;

use super::repository::UnknownRepository;
use super::{CommandIndex, Facts};
use crate::domain::shell::{Cwd, GitPush, PushWords, alias_pushes, git_directory, git_pushes};
use resolve::resolve;

/// How deep aliases lead to aliases.
const MAX_ALIASES: usize = 5;

/// A command that pushes, or may push.
#[derive(Debug)]
pub struct PushFact {
    /// The command.
    pub command: CommandIndex,
    push: GitPush,
    target: OnceCell<Option<PushTarget>>,
}

/// The destination of a push.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PushTarget {
    /// The remote: a name or an address.
    pub remote: String,
    /// The addresses of the remote.
    pub urls: Vec<String>,
    /// Branches of the remote that are written or deleted.
    pub branches: Vec<TargetBranch>,
    /// Why there may be other branches, if there may be.
    pub unknown: Option<String>,
    /// Whether the addresses may be others.
    pub has_unknown_url: bool,
}

/// A branch that a push writes or deletes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetBranch {
    /// The short name.
    pub name: String,
    /// Whether it is the default branch of the remote.
    pub is_default: bool,
}

impl PushTarget {
    /// Returns it in words: `pushes to main of origin`.
    pub fn summary(&self) -> String {
        let names: Vec<&str> = self.branches.iter().map(|branch| branch.name.as_str()).collect();
        let remote = if self.remote.is_empty() { String::new() } else { format!(" of {}", self.remote) };
        match (&self.unknown, names.is_empty()) {
            (None, true) => "pushes no branch".to_owned(),
            (None, false) => format!("pushes to {}{remote}", names.join(", ")),
            (Some(why), true) => format!("may push to any branch{remote}: {why}"),
            (Some(why), false) => format!("pushes to {}{remote} and possibly to others: {why}", names.join(", ")),
        }
    }
}

/// Returns the commands that push. The repository is not looked at for it.
pub(super) fn collect(facts: &Facts<'_>) -> Vec<PushFact> {
    let scripts = facts.scripts().iter().enumerate();
    let each = scripts.flat_map(|(script, analysed)| {
        git_pushes(&analysed.script).into_iter().map(move |push| PushFact {
            command: CommandIndex { script, command: push.command },
            push,
            target: OnceCell::new(),
        })
    });
    each.collect()
}

impl PushFact {
    /// Returns where it goes; `None` if it pushes nothing: an alias that does something else, no repository.
    pub fn target(&self, facts: &Facts<'_>) -> Option<&PushTarget> {
        self.target.get_or_init(|| self.find_target(facts)).as_ref()
    }

    fn find_target(&self, facts: &Facts<'_>) -> Option<PushTarget> {
        let Some(directories) = facts.directories(self.command, &self.push.directory) else {
            return find(facts, &self.push, Err(UnknownRepository("the directory is unknown".into())), None, 0);
        };
        let mut found: Option<PushTarget> = None;
        for directory in directories {
            let state = facts.repository(&directory);
            let no_repository = || UnknownRepository("there is no repository yet".to_owned());
            let (state, exists) = match state.as_ref() {
                Ok(state) => (state.as_ref().ok_or_else(no_repository), state.is_some()),
                Err(why) => (Err(why.clone()), true),
            };
            let Some(mut target) = find(facts, &self.push, state, Some(&directory), 0) else { continue };
            if !exists && self.push.before.checkout.is_none() {
                // Without a repository, git pushes nothing; another command may make one, and refspecs tell the branch.
                target.unknown = None;
            }
            match &mut found {
                None => found = Some(target),
                Some(known) => known.merge(target),
            }
        }
        found
    }
}

impl PushTarget {
    fn merge(&mut self, other: Self) {
        let new = other.branches.into_iter().filter(|branch| !self.branches.contains(branch)).collect::<Vec<_>>();
        self.branches.extend(new);
        self.urls.extend(other.urls);
        self.unknown = self.unknown.take().or(other.unknown);
        self.has_unknown_url |= other.has_unknown_url;
    }
}

/// Returns where a push goes in a directory whose repository is known, or is not.
fn find(
    facts: &Facts<'_>,
    push: &GitPush,
    state: Result<&super::repository::RepositoryState, UnknownRepository>,
    directory: Option<&str>,
    depth: usize,
) -> Option<PushTarget> {
    let is_file = |name: &str| {
        directory.is_some_and(|directory| facts.file_exists(&facts.path_context.resolve(name, Some(directory))))
    };
    let PushWords::Alias { name, arguments } = &push.what else { return Some(resolve(push, state, &is_file)) };
    let key = format!("alias.{}", name.to_lowercase());
    let given = push.settings.iter().rev().find(|(known, _)| *known == key).map(|(_, value)| value.as_str());
    let value = given.or_else(|| state.as_ref().ok().and_then(|state| state.setting(&key)))?;
    if depth == MAX_ALIASES {
        return None;
    }
    let mut found: Option<PushTarget> = None;
    for mut inner in alias_pushes(value, arguments) {
        if inner.before.checkout.is_none() {
            inner.before.checkout.clone_from(&push.before.checkout);
        }
        inner.settings.splice(0..0, push.settings.iter().cloned());
        let Some(target) = find(facts, &inner, state.clone(), directory, depth + 1) else { continue };
        match &mut found {
            None => found = Some(target),
            Some(known) => known.merge(target),
        }
    }
    found
}

impl Facts<'_> {
    /// Returns the directories whose repository a command is about, with `-C` of git; `None` if not known.
    pub fn git_directories(&self, at: CommandIndex) -> Option<Vec<String>> {
        let option = git_directory(self.command(at)?)?;
        self.directories(at, &option)
    }

    /// Returns the directories that a command may run in, with the directory of an option; `None` if not known, or on
    /// another machine.
    fn directories(&self, at: CommandIndex, option: &str) -> Option<Vec<String>> {
        let analysed = self.scripts().get(at.script)?;
        let command = analysed.script.commands.get(at.command)?;
        if command.is_remote || command.cwd == Cwd::Unknown {
            return None;
        }
        let directories = command.cwd.candidates()?.into_iter().map(|directory| {
            let base = if directory.is_empty() {
                analysed.start_directory.map(ToOwned::to_owned)
            } else {
                Some(self.path_context.resolve(directory, analysed.start_directory))
            };
            self.path_context.resolve(if option.is_empty() { "." } else { option }, base.as_deref())
        });
        Some(directories.collect())
    }
}
