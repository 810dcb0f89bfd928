//! What a change would lose, found out from the files and the repository as they are now.

mod commits;
mod deletion;
mod kept;
mod paths;
mod tree;

use std::path::Path;

use super::{Budget, GitError, Repository};
use crate::domain::facts::loss::{Change, Loss};
use crate::domain::shell::Discarded;
use crate::domain::time::Time;
pub use kept::{LostReference, StagedFile, lost_references, staged_files};
use paths::Selection;
use tree::WorkTree;

/// Returns what a change would lose: one loss for each path of a change of paths, and one otherwise.
pub fn losses(change: &Change) -> Vec<Loss> {
    list_losses(change, 0)
}

/// Returns what a change would lose, and names this many more things of each kind than usual.
pub fn list_losses(change: &Change, more: u64) -> Vec<Loss> {
    let budget = Budget::start();
    match change {
        Change::Git { directory, what } => {
            let mut loss = Loss::naming_more(more);
            if let Err(error) = add_discarded(Path::new(directory), what, &budget, &mut loss) {
                loss.unknown = Some(error.to_string());
            }
            vec![loss]
        }
        Change::Delete(paths) => deletion::deleted(paths, more, &budget),
        Change::Overwrite(paths) => deletion::overwritten(paths, more, &budget),
    }
}

/// Adds what a command of git discards in a directory.
fn add_discarded(directory: &Path, what: &Discarded, budget: &Budget, loss: &mut Loss) -> Result<(), GitError> {
    if !directory.is_dir() {
        return Err(GitError::Unsupported("a directory that does not exist yet"));
    }
    if let Discarded::Worktree(path) = what {
        return deletion::add_worktree(Path::new(path), budget, loss);
    }
    let repository =
        Repository::discover(directory)?.ok_or(GitError::Unsupported("a directory outside a repository"))?;
    match what {
        Discarded::Stash(entry) => commits::stashed(&repository, entry.as_deref(), budget, loss)?,
        Discarded::Branches { names, remote } => {
            let start = if *remote { "refs/remotes/" } else { "refs/heads/" };
            let names: Vec<String> = names.iter().map(|name| format!("{start}{name}")).collect();
            commits::without_references(&repository, &names, None, budget, loss)?;
        }
        Discarded::MoveBranch(name) => {
            commits::without_references(&repository, &[format!("refs/heads/{name}")], None, budget, loss)?;
        }
        Discarded::Reset { target, worktree, staged } => {
            let tree = WorkTree::open(&repository, budget)?;
            if *worktree {
                tree.add_modified(&Selection::all(), loss)?;
            }
            if *staged {
                tree.add_staged(&Selection::all(), loss)?;
            }
            if let Some(target) = target {
                commits::reset_to(&repository, target, budget, loss)?;
            }
        }
        Discarded::Switch => WorkTree::open(&repository, budget)?.add_changes(&Selection::all(), loss)?,
        Discarded::Remove { paths } => {
            let tree = WorkTree::open(&repository, budget)?;
            tree.add_changes(&Selection::read(paths, tree.root())?, loss)?;
        }
        Discarded::Restore { source, staged, paths } => {
            let tree = WorkTree::open(&repository, budget)?;
            tree.add_restored(source.as_deref(), *staged, paths, loss)?;
        }
        Discarded::Checkout { words, force } => {
            WorkTree::open(&repository, budget)?.add_checked_out(directory, words, *force, loss)?;
        }
        Discarded::Clean { directories, ignored, untracked, repositories, except, paths } => {
            let tree = WorkTree::open(&repository, budget)?;
            let places = if paths.is_empty() { vec![directory.to_string_lossy().into_owned()] } else { paths.clone() };
            let cleaned = tree::Cleaned {
                directories: *directories || !paths.is_empty(),
                ignored: *ignored,
                untracked: *untracked,
                repositories: *repositories,
                except,
            };
            tree.add_cleaned(&Selection::read(&places, tree.root())?, &cleaned, loss)?;
        }
        Discarded::Worktree(_) => {}
    }
    Ok(())
}

/// Returns a time in whole seconds from one in nanoseconds; `None` if it is not known.
fn time_of(nanoseconds: i64) -> Option<Time> {
    u64::try_from(nanoseconds / 1_000_000_000).ok().filter(|seconds| *seconds > 0).map(Time)
}
