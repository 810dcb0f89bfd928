//! What a repository tells of its branches, remotes and settings, for the conditions about it.

use std::path::Path;

use super::budget::Budget;
use super::history::only_reachable;
use super::object::Objects;
use super::{GitError, Oid, Repository};
use crate::domain::facts::repository::{Divergence, RepositoryState};

/// The sections of the configuration that say where pushes go.
const SECTIONS: &[&str] = &["alias.", "branch.", "push.", "remote.", "url."];

/// Returns the state of the repository that a directory belongs to; `None` if it belongs to none. A directory that is
/// not there belongs to the repository of the nearest one above it that is.
///
/// # Errors
/// Returns that the repository is damaged or of a kind that is not read, or that it takes too long.
pub fn read(directory: &Path) -> Result<Option<RepositoryState>, GitError> {
    let Some(repository) = nearest(directory)? else { return Ok(None) };
    let mut state =
        RepositoryState { branch: repository.head()?.branch().map(ToOwned::to_owned), ..Default::default() };
    let config = repository.config()?;
    let is_wanted = |name: &str| SECTIONS.iter().any(|section| name.starts_with(section));
    let settings = config.all().filter(|(name, _)| is_wanted(name));
    state.settings = settings.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let remotes: Vec<String> = state.remotes().into_iter().map(ToOwned::to_owned).collect();
    for reference in repository.refs(&Budget::start())? {
        if let Some(name) = reference.name.strip_prefix("refs/heads/") {
            state.branches.push(name.to_owned());
        } else if let Some(name) = reference.name.strip_prefix("refs/remotes/") {
            let of_remote = |remote: &&String| name.strip_prefix(remote.as_str()).is_some_and(|it| it.starts_with('/'));
            let Some(remote) = remotes.iter().filter(of_remote).max_by_key(|remote| remote.len()) else { continue };
            let branch = name.get(remote.len() + 1..).unwrap_or_default();
            if branch != "HEAD" {
                state.remote_branches.push((remote.clone(), branch.to_owned()));
            }
        }
    }
    for remote in remotes {
        let start = format!("refs/remotes/{remote}/");
        let target = repository.symbolic_target(&format!("{start}HEAD"))?;
        if let Some(branch) = target.as_deref().and_then(|target| target.strip_prefix(&start)) {
            state.default_branches.push((remote, branch.to_owned()));
        }
    }
    Ok(Some(state))
}

/// Returns how far the repository of a directory and the upstream of its branch have parted; `None` if the directory
/// belongs to none.
///
/// # Errors
/// Returns that the repository is damaged or of a kind that is not read, or that it takes too long.
pub fn divergence(directory: &Path) -> Result<Option<Divergence>, GitError> {
    let Some(repository) = nearest(directory)? else { return Ok(None) };
    let head = repository.head()?;
    let Some(commit) = head.commit() else { return Ok(Some(Divergence::default())) };
    let budget = Budget::start();
    let objects = Objects::open(&repository, &budget)?;
    let config = repository.config()?;
    let upstream = head.branch().and_then(|branch| config.upstream(branch));
    let tracking = upstream.and_then(|upstream| config.tracking_reference(&upstream));
    let upstream = match tracking {
        Some(name) => repository.resolve_ref(&name)?,
        None => None,
    };
    let count = |own: &[Oid], other: &[Oid]| -> Result<u64, GitError> {
        Ok(u64::try_from(only_reachable(&objects, own, other)?.len()).unwrap_or(u64::MAX))
    };
    let Some(upstream) = upstream else {
        let is_remote = |name: &str| name.starts_with("refs/remotes/");
        let refs = repository.refs(&budget)?;
        let pushed: Vec<Oid> =
            refs.iter().filter(|reference| is_remote(&reference.name)).map(|reference| reference.target).collect();
        return Ok(Some(Divergence { ahead: count(&[commit], &pushed)?, behind: 0 }));
    };
    Ok(Some(Divergence { ahead: count(&[commit], &[upstream])?, behind: count(&[upstream], &[commit])? }))
}

/// Returns the repository that a directory belongs to, or the nearest one above it that is there.
fn nearest(directory: &Path) -> Result<Option<Repository>, GitError> {
    match directory.ancestors().find(|above| above.is_dir()) {
        Some(directory) => Repository::discover(directory),
        None => Ok(None),
    }
}
