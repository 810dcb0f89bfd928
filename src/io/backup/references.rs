//! References whose commits a backup keeps, and what only the index has.
//!
//! A backup keeps an object by a reference of its own below `refs/ruleward/`, which is written as git writes one.
//! Restoring is a command of a person, and runs git.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::manifest::{ReferenceEntry, StagedEntry};
use super::{Backup, BackupError, content_path};
use crate::io::git::BACKUP_REFERENCES;
use crate::io::git::loss::LostReference;

/// Returns the entry of a reference in a backup.
pub(super) fn entry(lost: &LostReference, id: &str, number: usize) -> ReferenceEntry {
    ReferenceEntry {
        git_dir: lost.common_dir.clone(),
        root: lost.work_tree.clone(),
        name: lost.name.clone(),
        object: lost.target.to_string(),
        kept: format!("{BACKUP_REFERENCES}{id}/{number}"),
    }
}

/// Keeps the object of a reference.
///
/// # Errors
/// Returns what could not be written.
pub(super) fn keep(entry: &ReferenceEntry) -> Result<(), BackupError> {
    let path = entry.git_dir.join(&entry.kept);
    let fresh = path.with_extension("lock");
    let directory = path.parent().unwrap_or(&entry.git_dir);
    let written = fs::create_dir_all(directory)
        .and_then(|()| fs::write(&fresh, format!("{}\n", entry.object)))
        .and_then(|()| fs::File::open(&fresh)?.sync_all())
        .and_then(|()| fs::rename(&fresh, &path));
    written.map_err(BackupError::at(path))
}

/// Lets the object of a reference go. A reference that git has packed stays until [`drop_packed`].
pub(super) fn release(entry: &ReferenceEntry) {
    if !entry.kept.starts_with(BACKUP_REFERENCES) {
        return;
    }
    let path = entry.git_dir.join(&entry.kept);
    // It may be packed, or its repository gone.
    let _gone = fs::remove_file(&path);
    for directory in path.ancestors().skip(1).take(2) {
        // It is only removed when it is empty.
        let _gone = fs::remove_dir(directory);
    }
}

/// Removes a reference that git may have packed.
pub(super) fn drop_packed(entry: &ReferenceEntry) {
    if entry.kept.starts_with(BACKUP_REFERENCES) {
        // Where its repository is gone, so is the reference.
        let _gone = git(&entry.root, &["update-ref", "-d", &entry.kept]);
    }
}

/// Restores the references of a backup and what only the index had, and returns what was done, a line each. A
/// reference that leads elsewhere now stays; its commits get a branch of their own. `only_looks` says what would be
/// done.
///
/// # Errors
/// Returns what git said.
pub fn restore_references(backup: &Backup, only_looks: bool) -> Result<Vec<String>, BackupError> {
    let mut done = Vec::new();
    for entry in &backup.manifest.references {
        let text = match restoration(entry, &backup.header.id) {
            Restoration::None => continue,
            Restoration::Stash => {
                let subject = git(&entry.root, &["log", "-1", "--format=%s", &entry.object])?;
                if !only_looks {
                    git(&entry.root, &["stash", "store", "-m", &subject, &entry.object])?;
                }
                format!("stash entry {} ({subject})", short(&entry.object))
            }
            Restoration::Forward(branch) => {
                if !only_looks {
                    git(&entry.root, &["reset", "--quiet", "--keep", &entry.object])?;
                }
                format!("{branch} is at {} again", short(&entry.object))
            }
            Restoration::Create(name) => {
                if !only_looks {
                    git(&entry.root, &["update-ref", &name, &entry.object, ""])?;
                }
                format!("{} at {}", name.strip_prefix("refs/heads/").unwrap_or(&name), short(&entry.object))
            }
        };
        done.push(text);
    }
    for entry in &backup.manifest.staged {
        if is_staged_elsewise(entry) {
            done.push(format!("{}: the index has something newer, which stays", entry.path));
            continue;
        }
        if !only_looks {
            stage(entry, &content_path(&backup.directory, entry.number))?;
        }
        done.push(format!("{} is staged again", entry.path));
    }
    Ok(done)
}

/// How a reference is restored.
enum Restoration {
    /// It is as it was.
    None,
    /// The stash gets an entry.
    Stash,
    /// The branch that is checked out goes on to the object.
    Forward(String),
    /// A reference of this name is made.
    Create(String),
}

fn restoration(entry: &ReferenceEntry, id: &str) -> Restoration {
    let root = &entry.root;
    if entry.name == "refs/stash" {
        // Without any entry, git fails.
        let list = git(root, &["stash", "list", "--format=%H"]).unwrap_or_default();
        let is_there = list.lines().any(|line| line == entry.object);
        return if is_there { Restoration::None } else { Restoration::Stash };
    }
    let aside = || Restoration::Create(format!("refs/heads/restored-{id}"));
    let now = git(root, &["rev-parse", "--verify", "--quiet", &entry.name]).ok();
    let Some(now) = now else {
        return if entry.name.starts_with("refs/") { Restoration::Create(entry.name.clone()) } else { aside() };
    };
    let holds = |old: &str, new: &str| git(root, &["merge-base", "--is-ancestor", old, new]).is_ok();
    if holds(&entry.object, &now) {
        return Restoration::None;
    }
    let head = git(root, &["symbolic-ref", "--quiet", "HEAD"]).unwrap_or_else(|_| "HEAD".to_owned());
    let is_clean = || git(root, &["diff", "--quiet", "HEAD"]).is_ok();
    let is_forward = head == entry.name && holds(&now, &entry.object) && is_clean();
    let name = entry.name.strip_prefix("refs/heads/").unwrap_or(&entry.name);
    if is_forward { Restoration::Forward(name.to_owned()) } else { aside() }
}

/// Returns whether the index has a change of a file.
fn is_staged_elsewise(entry: &StagedEntry) -> bool {
    git(&entry.root, &["diff", "--cached", "--quiet", "--", &format!(":(top,literal){}", entry.path)]).is_err()
}

fn stage(entry: &StagedEntry, content: &Path) -> Result<(), BackupError> {
    let content = content.to_str().ok_or_else(|| BackupError::NotText(content.to_owned()))?;
    let object = git(&entry.root, &["hash-object", "-w", "--no-filters", "--", content])?;
    let information = format!("{:o},{object},{}", entry.mode, entry.path);
    git(&entry.root, &["update-index", "--add", "--cacheinfo", &information]).map(drop)
}

fn short(object: &str) -> &str {
    object.get(..8).unwrap_or(object)
}

/// Runs git in a working tree, without anything that the repository has it run, and returns what it prints.
fn git(root: &Path, args: &[&str]) -> Result<String, BackupError> {
    let mut command = Command::new("git");
    command.args(["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"]);
    command.args(args).current_dir(root).stdin(Stdio::null());
    let output = command.output().map_err(|error| BackupError::Command(format!("git cannot be run: {error}")))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let verb = args.first().copied().unwrap_or_default();
    Err(BackupError::Command(format!("`git {verb}` failed: {}", said.trim_end())))
}
