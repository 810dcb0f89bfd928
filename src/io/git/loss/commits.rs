//! Which commits and stash entries are lost with references.

use super::time_of;
use crate::domain::facts::loss::{Loss, LossKind};
use crate::io::git::BACKUP_REFERENCES;
use crate::io::git::history::{log, only_reachable, resolve};
use crate::io::git::object::Objects;
use crate::io::git::{Budget, GitError, Head, Oid, Repository};

/// Adds commits that only some references hold. `to` is where one of them leads afterwards.
pub(super) fn without_references(
    repository: &Repository,
    names: &[String],
    to: Option<Oid>,
    budget: &Budget,
    loss: &mut Loss,
) -> Result<(), GitError> {
    let mut gone = Vec::new();
    for name in names {
        gone.extend(repository.resolve_ref(name)?);
    }
    let objects = Objects::open(repository, budget)?;
    let mut kept: Vec<Oid> = to.into_iter().collect();
    let stays = |name: &str| !names.iter().any(|gone| gone == name) && name != "refs/stash" && !is_backup(name);
    let refs = repository.refs(budget)?;
    kept.extend(refs.into_iter().filter(|reference| stays(&reference.name)).map(|reference| reference.target));
    let head = repository.head()?;
    for head in repository.other_heads(budget)?.into_iter().chain([head]) {
        let is_gone = matches!(&head, Head::Branch { name, .. } if !stays(name)) || gone_is_detached(&head, names);
        kept.extend(head.commit().filter(|_| !is_gone));
    }
    add_commits(&objects, &gone, &kept, loss)
}

/// Returns whether a reference belongs to a backup, which goes after some time.
fn is_backup(name: &str) -> bool {
    name.starts_with(BACKUP_REFERENCES)
}

/// Returns whether what goes is the place of a `HEAD` on no branch.
fn gone_is_detached(head: &Head, names: &[String]) -> bool {
    matches!(head, Head::Detached(_)) && names.iter().any(|name| name == "HEAD")
}

fn add_commits(objects: &Objects<'_>, gone: &[Oid], kept: &[Oid], loss: &mut Loss) -> Result<(), GitError> {
    for (oid, commit) in only_reachable(objects, gone, kept)? {
        let time = commit.time.checked_mul(1_000_000_000).and_then(time_of);
        loss.add(LossKind::Unpushed, || oid.to_string(), 0, time);
    }
    Ok(())
}

/// Adds commits that only the current branch holds, and that it does not hold after a reset.
pub(super) fn reset_to(
    repository: &Repository,
    target: &str,
    budget: &Budget,
    loss: &mut Loss,
) -> Result<(), GitError> {
    let objects = Objects::open(repository, budget)?;
    let (target, _) = objects.commit(resolve(repository, &objects, target)?)?;
    let head = repository.head()?;
    if head.commit().is_none_or(|commit| commit == target) {
        return Ok(());
    }
    let name = match head {
        Head::Branch { name, .. } => name,
        Head::Detached(_) => "HEAD".to_owned(),
    };
    without_references(repository, &[name], Some(target), budget, loss)
}

/// Adds stash entries that no other reference holds: one by its name, the last one by an empty name, or all.
pub(super) fn stashed(
    repository: &Repository,
    entry: Option<&str>,
    budget: &Budget,
    loss: &mut Loss,
) -> Result<(), GitError> {
    let Some(last) = repository.resolve_ref("refs/stash")? else { return Ok(()) };
    let mut entries = log(repository, "refs/stash")?;
    entries.reverse();
    if entries.is_empty() {
        entries.push(last);
    }
    if let Some(name) = entry {
        let number = name.strip_prefix("refs/").unwrap_or(name);
        let number = number.strip_prefix("stash@{").and_then(|rest| rest.strip_suffix('}')).unwrap_or(number);
        let number = match number {
            "" | "stash" => 0,
            number => number.parse().map_err(|_| GitError::UnknownRevision(name.to_owned()))?,
        };
        entries = entries.get(number).copied().into_iter().collect::<Vec<Oid>>();
    }
    let objects = Objects::open(repository, budget)?;
    let others = repository.refs(budget)?;
    for oid in entries {
        if others.iter().any(|other| other.target == oid && other.name != "refs/stash" && !is_backup(&other.name)) {
            continue;
        }
        let time = objects.commit(oid).ok().and_then(|(_, commit)| commit.time.checked_mul(1_000_000_000));
        loss.add(LossKind::Stashed, || oid.to_string(), 0, time.and_then(time_of));
    }
    Ok(())
}

/// Adds what is lost with a repository: commits that nothing of a remote holds, and stash entries.
pub(super) fn with_repository(repository: &Repository, budget: &Budget, loss: &mut Loss) -> Result<(), GitError> {
    let objects = Objects::open(repository, budget)?;
    let (kept, gone): (Vec<_>, Vec<_>) =
        repository.refs(budget)?.into_iter().partition(|reference| reference.name.starts_with("refs/remotes/"));
    let gone = gone
        .iter()
        .filter(|reference| reference.name != "refs/stash" && !is_backup(&reference.name))
        .map(|reference| reference.target);
    let heads = repository.other_heads(budget)?.into_iter().chain([repository.head()?]);
    let gone: Vec<Oid> = gone.chain(heads.filter_map(|head| head.commit())).collect();
    let kept: Vec<Oid> = kept.into_iter().map(|reference| reference.target).collect();
    add_commits(&objects, &gone, &kept, loss)?;
    stashed(repository, None, budget, loss)
}
