//! What a repository tells of its branches, remotes and settings, for the conditions about it.

use std::path::Path;

use super::budget::Budget;
use super::{GitError, Repository};
use crate::domain::facts::repository::RepositoryState;

/// The sections of the configuration that say where pushes go.
const SECTIONS: &[&str] = &["alias.", "branch.", "push.", "remote.", "url."];

/// Returns the state of the repository that a directory belongs to; `None` if it belongs to none. A directory that is
/// not there belongs to the repository of the nearest one above it that is.
///
/// # Errors
/// Returns that the repository is damaged or of a kind that is not read, or that it takes too long.
pub fn read(directory: &Path) -> Result<Option<RepositoryState>, GitError> {
    let Some(directory) = directory.ancestors().find(|above| above.is_dir()) else { return Ok(None) };
    let Some(repository) = Repository::discover(directory)? else { return Ok(None) };
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
