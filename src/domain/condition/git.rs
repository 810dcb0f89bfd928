//! `git:` — the repository in which a command runs, and where a push goes.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::binding::Binding;
use super::evaluate::is_stricter;
use super::interface::{CALL_KINDS, Condition, ConditionMatch, ConditionSpec, Reference, Selection};
use super::requirements::{Requirement, Requirements};
use crate::domain::facts::push::{PushTarget, TargetBranch};
use crate::domain::facts::repository::RepositoryState;
use crate::domain::facts::{CommandIndex, Facts};
use crate::domain::text::template::RenderError;

/// The state of a repository, and the destination of a push. What is not known counts as if it held.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Git {
    /// Globs, of which one matches the branch that is checked out.
    #[serde(default)]
    pub branch: Vec<String>,
    /// Whether no branch is checked out.
    #[serde(default)]
    pub detached: Option<bool>,
    /// Globs, of which one matches the name or the address of a remote of the repository.
    #[serde(default)]
    pub remote: Vec<String>,
    /// Whether tracked files have changes that no commit has.
    #[serde(default)]
    pub dirty: Option<bool>,
    /// The least number of commits that the upstream of the branch does not have.
    #[serde(default)]
    pub ahead: Option<u64>,
    /// The least number of commits that only the upstream of the branch has.
    #[serde(default)]
    pub behind: Option<u64>,
    /// The command pushes to such a branch.
    #[serde(default)]
    pub pushes_to: Option<PushDestination>,
}

/// The destination of a push.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(extend("x-shorthand" = "branch")))]
pub struct PushDestination {
    /// Globs, of which one matches a branch that is written or deleted: `main`, `release/*`.
    #[serde(default)]
    pub branch: Vec<String>,
    /// Globs, of which one matches the remote as it is named.
    #[serde(default)]
    pub remote: Vec<String>,
    /// Globs, one of which matches a URL that is pushed to: `*github.com[:/]acme/*`.
    #[serde(default)]
    pub url: Vec<String>,
    /// Whether the branch is the default branch of the remote.
    #[serde(default)]
    pub default_branch: Option<bool>,
}

impl Git {
    fn has_state(&self) -> bool {
        let has_counts = self.dirty.is_some() || self.ahead.is_some() || self.behind.is_some();
        !self.branch.is_empty() || self.detached.is_some() || !self.remote.is_empty() || has_counts
    }

    /// Returns whether the state of the repository of a directory is like this; where it is not known, it is.
    fn holds_in(&self, facts: &Facts<'_>, directory: &str) -> bool {
        match facts.repository(directory).as_ref() {
            Ok(state) => {
                let holds = state.as_ref().is_some_and(|state| self.holds_for(state));
                // What takes longer to find out comes last.
                holds && self.holds_for_divergence(facts, directory) && self.holds_for_changes(facts, directory)
            }
            Err(_) => true,
        }
    }

    fn holds_for_changes(&self, facts: &Facts<'_>, directory: &str) -> bool {
        self.dirty.is_none_or(|wanted| facts.is_dirty(directory).is_none_or(|dirty| dirty == wanted))
    }

    fn holds_for_divergence(&self, facts: &Facts<'_>, directory: &str) -> bool {
        if self.ahead.is_none() && self.behind.is_none() {
            return true;
        }
        match facts.divergence(directory) {
            Ok(Some(found)) => {
                self.ahead.is_none_or(|least| found.ahead >= least)
                    && self.behind.is_none_or(|least| found.behind >= least)
            }
            Ok(None) => false,
            Err(_) => true,
        }
    }

    fn holds_for(&self, state: &RepositoryState) -> bool {
        let is_branch = || state.branch.as_deref().is_some_and(|branch| matches_any(&self.branch, branch));
        let is_remote = |remote: &&str| {
            let address = || state.setting(&format!("remote.{remote}.url"));
            matches_any(&self.remote, remote) || address().is_some_and(|url| matches_any(&self.remote, url))
        };
        (self.branch.is_empty() || is_branch())
            && self.detached.is_none_or(|wanted| wanted == state.branch.is_none())
            && (self.remote.is_empty() || state.remotes().iter().any(is_remote))
    }

    /// Returns whether the state is like this where a command runs.
    fn holds_at(&self, facts: &Facts<'_>, at: CommandIndex) -> bool {
        let Some(directories) = facts.git_directories(at) else { return true };
        directories.iter().any(|directory| self.holds_in(facts, directory))
    }
}

impl PushDestination {
    fn holds_for(&self, target: &PushTarget) -> bool {
        let is_branch = |branch: &TargetBranch| {
            (self.branch.is_empty() || matches_any(&self.branch, &branch.name))
                && self.default_branch.is_none_or(|wanted| wanted == branch.is_default)
        };
        let goes_there =
            self.url.is_empty() || target.has_unknown_url || target.urls.iter().any(|url| matches_any(&self.url, url));
        goes_there
            && (self.remote.is_empty() || matches_any(&self.remote, &target.remote))
            && (target.unknown.is_some() || target.branches.iter().any(is_branch))
    }
}

/// Returns whether a glob of a list matches; `*` matches any part, also with slashes.
fn matches_any(globs: &[String], text: &str) -> bool {
    // A separator that no name has, so that `*` reaches beyond slashes.
    let flat = |text: &str| text.replace('/', "\u{1}");
    globs.iter().any(|glob| fast_glob::glob_match(flat(glob), flat(text)))
}

impl Condition for Git {
    fn spec() -> ConditionSpec {
        ConditionSpec { kinds: Some(CALL_KINDS), selection: Selection::Action }
    }

    fn matches(&self, facts: &Facts<'_>, binding: &Binding) -> Result<ConditionMatch, RenderError> {
        let Some(destination) = &self.pushes_to else {
            if let Some(at) = binding.command {
                return Ok(self.holds_at(facts, at).into());
            }
            let file = binding.file.and_then(|file| facts.files().get(file));
            let directory = file.and_then(|file| Some(file.path.rsplit_once('/')?.0));
            return Ok(self.holds_in(facts, directory.unwrap_or(&facts.path_context.cwd)).into());
        };
        let mut found = Vec::new();
        for (position, push) in facts.pushes().iter().enumerate() {
            if binding.command.is_some_and(|bound| bound != push.command) {
                continue;
            }
            if push.target(facts).is_some_and(|target| destination.holds_for(target))
                && (!self.has_state() || self.holds_at(facts, push.command))
            {
                found.push(Binding { command: Some(push.command), push: Some(position), ..binding.clone() });
            }
        }
        Ok(found.into())
    }

    fn is_empty(&self) -> bool {
        !self.has_state() && self.pushes_to.is_none()
    }

    fn empty_help(&self) -> &'static str {
        "add a state of the repository, such as `branch: main`, or a destination, such as `pushes_to: main`"
    }

    fn implies(&self, wide: &Self) -> bool {
        let destination = match (&self.pushes_to, &wide.pushes_to) {
            (_, None) => true,
            (Some(narrow), Some(wide)) => {
                is_stricter(&narrow.branch, &wide.branch)
                    && is_stricter(&narrow.remote, &wide.remote)
                    && is_stricter(&narrow.url, &wide.url)
                    && (wide.default_branch.is_none() || narrow.default_branch == wide.default_branch)
            }
            (None, Some(_)) => false,
        };
        destination
            && is_stricter(&self.branch, &wide.branch)
            && is_stricter(&self.remote, &wide.remote)
            && (wide.detached.is_none() || self.detached == wide.detached)
            && (wide.dirty.is_none() || self.dirty == wide.dirty)
            && self.ahead.unwrap_or_default() >= wide.ahead.unwrap_or_default()
            && self.behind.unwrap_or_default() >= wide.behind.unwrap_or_default()
    }

    fn require(&self, requirements: &mut Requirements) {
        if self.pushes_to.is_some() {
            requirements.add(Requirement::Push);
        }
    }

    fn for_each_reference(&self, _: &mut dyn FnMut(Reference<'_>)) {}
}
