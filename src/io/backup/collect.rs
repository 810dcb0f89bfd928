//! What of a call's changes goes into a backup: which files, what of the index, which references.

use std::collections::{HashMap, HashSet};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::BackupError;
use crate::domain::facts::loss::{Change, Loss, LossKind};
use crate::domain::shell::Discarded;
use crate::domain::verdict::backup::{BackupChange, BackupRequest};
use crate::io::git::loss::{LostReference, StagedFile, list_losses, lost_references, staged_files};

/// The kinds of losses that nothing brings back.
const LOST_KINDS: [LossKind; 6] = [
    LossKind::Modified,
    LossKind::Staged,
    LossKind::Untracked,
    LossKind::Ignored,
    LossKind::Unpushed,
    LossKind::Stashed,
];

/// The kinds of losses that are files of the working tree.
const FILE_KINDS: [LossKind; 4] = [LossKind::Modified, LossKind::Staged, LossKind::Untracked, LossKind::Ignored];

/// What goes into a backup.
pub(super) struct Collected {
    /// Files, links and directories.
    pub(super) sources: Vec<Source>,
    /// What only the index has, with the root of the working tree.
    pub(super) staged: Vec<(PathBuf, StagedFile)>,
    /// References.
    pub(super) references: Vec<LostReference>,
    /// The size of it in bytes.
    pub(super) bytes: u64,
    /// Whether all of it is inside the project.
    pub(super) is_inside: bool,
}

/// A file, a link or a directory.
pub(super) struct Source {
    /// Its path; no directory in it is a link.
    pub(super) path: PathBuf,
    /// What is known of it.
    pub(super) metadata: Metadata,
    /// Whether a second name for it is a copy.
    pub(super) may_link: bool,
}

/// Collects within the bounds of a request.
struct Collector<'a> {
    request: &'a BackupRequest<'a>,
    started: Instant,
    project: PathBuf,
    /// Directories, and where they really are.
    real: HashMap<PathBuf, PathBuf>,
    seen: HashSet<PathBuf>,
    found: Collected,
}

/// Collects what some changes would destroy.
///
/// # Errors
/// Returns that there is too much, that it would take too long, or that it is not known.
pub(super) fn collect(request: &BackupRequest<'_>, started: Instant) -> Result<Collected, BackupError> {
    let project = Path::new(request.project);
    let found =
        Collected { sources: Vec::new(), staged: Vec::new(), references: Vec::new(), bytes: 0, is_inside: true };
    let mut collector = Collector {
        request,
        started,
        project: fs::canonicalize(project).unwrap_or_else(|_| project.to_owned()),
        real: HashMap::new(),
        seen: HashSet::new(),
        found,
    };
    for change in request.changes {
        collector.add_change(change)?;
    }
    Ok(collector.found)
}

impl Collector<'_> {
    fn add_change(&mut self, change: &BackupChange) -> Result<(), BackupError> {
        let most = u64::from(self.request.max_files);
        let mut losses = list_losses(&change.change, most);
        for loss in &mut losses {
            loss.forget(change.saved);
            if let Some(why) = loss.unknown.take() {
                return Err(BackupError::Unknown(why));
            }
            if LossKind::ALL.iter().any(|kind| loss.total(*kind).count > most) {
                return Err(BackupError::TooMany(most));
            }
        }
        match &change.change {
            Change::Delete(paths) => {
                for (path, loss) in paths.iter().zip(&losses) {
                    self.add_deleted(path, loss, change.unlinks)?;
                }
            }
            Change::Overwrite(paths) => {
                for (path, _) in paths.iter().zip(&losses).filter(|(_, loss)| is_lost(loss)) {
                    // What is written through a link is the file that it leads to.
                    let real = fs::canonicalize(path).map_err(BackupError::at(path))?;
                    self.add(real, false)?;
                }
            }
            Change::Git { directory, what } => {
                for loss in &losses {
                    self.add_discarded(Path::new(directory), what, loss, change.unlinks)?;
                }
            }
        }
        Ok(())
    }

    /// Adds all that is at a path, without what a build makes again.
    fn add_deleted(&mut self, path: &str, loss: &Loss, may_link: bool) -> Result<(), BackupError> {
        if !is_lost(loss) {
            return Ok(());
        }
        let rebuildable = loss.items.iter().filter(|item| item.kind == LossKind::Rebuildable);
        let skipped: Result<HashSet<PathBuf>, _> =
            rebuildable.map(|item| self.real_path(Path::new(&item.name))).collect();
        let path = self.real_path(Path::new(path))?;
        self.walk(path, may_link, &skipped?)
    }

    /// Adds what a command of git discards.
    fn add_discarded(
        &mut self,
        directory: &Path,
        what: &Discarded,
        loss: &Loss,
        may_link: bool,
    ) -> Result<(), BackupError> {
        if matches!(what, Discarded::Worktree(_)) {
            return Err(BackupError::Unknown("a whole worktree is not backed up".to_owned()));
        }
        for item in loss.items.iter().filter(|item| FILE_KINDS.contains(&item.kind)) {
            let path = self.real_path(Path::new(&item.name))?;
            // What is only in the index may not be on disk.
            if fs::symlink_metadata(&path).is_ok() {
                self.walk(path, may_link, &HashSet::new())?;
            }
        }
        let names = |kind| loss.items.iter().filter(move |item| item.kind == kind).map(|item| item.name.as_str());
        let staged: Vec<&str> = names(LossKind::Staged).collect();
        if !staged.is_empty() {
            let (root, files) = staged_files(directory, &staged)?;
            for file in files {
                self.found.bytes = self.found.bytes.saturating_add(file.content.len() as u64);
                self.found.staged.push((root.clone(), file));
                self.check_bounds()?;
            }
        }
        if loss.total_of(&[LossKind::Unpushed, LossKind::Stashed]).count > 0 {
            let stashed: Vec<&str> = names(LossKind::Stashed).collect();
            for reference in lost_references(directory, what, &stashed)? {
                self.found.is_inside &= self.is_near(&reference.work_tree);
                if !self.found.references.contains(&reference) {
                    self.found.references.push(reference);
                }
            }
            self.check_bounds()?;
        }
        Ok(())
    }

    /// Returns whether a working tree is the project's, around it or in it.
    fn is_near(&self, work_tree: &Path) -> bool {
        let real = fs::canonicalize(work_tree).unwrap_or_else(|_| work_tree.to_owned());
        real.starts_with(&self.project) || self.project.starts_with(&real)
    }

    /// Returns a path with the links of its directory followed, and not one that it is itself.
    fn real_path(&mut self, path: &Path) -> Result<PathBuf, BackupError> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Ok(path.to_owned()) };
        if let Some(real) = self.real.get(parent) {
            return Ok(real.join(name));
        }
        let real = fs::canonicalize(parent).map_err(BackupError::at(parent))?;
        let path = real.join(name);
        self.real.insert(parent.to_owned(), real);
        Ok(path)
    }

    /// Adds a path with all that is below it, and follows no link.
    fn walk(&mut self, path: PathBuf, may_link: bool, skipped: &HashSet<PathBuf>) -> Result<(), BackupError> {
        let mut left = vec![path];
        while let Some(path) = left.pop() {
            if skipped.contains(&path) || !self.add(path.clone(), may_link)? {
                continue;
            }
            for entry in fs::read_dir(&path).map_err(BackupError::at(&path))? {
                left.push(entry.map_err(BackupError::at(&path))?.path());
            }
        }
        Ok(())
    }

    /// Adds one path. Returns whether it is a directory that was not added before.
    fn add(&mut self, path: PathBuf, may_link: bool) -> Result<bool, BackupError> {
        let metadata = fs::symlink_metadata(&path).map_err(BackupError::at(&path))?;
        let kind = metadata.file_type();
        // Pipes, sockets and devices hold nothing.
        if !(kind.is_dir() || kind.is_file() || kind.is_symlink()) || !self.seen.insert(path.clone()) {
            return Ok(false);
        }
        if path.to_str().is_none() {
            return Err(BackupError::NotText(path));
        }
        self.found.is_inside &= path.starts_with(&self.project);
        if kind.is_file() {
            self.found.bytes = self.found.bytes.saturating_add(metadata.len());
        }
        self.found.sources.push(Source { path, metadata, may_link });
        self.check_bounds()?;
        Ok(kind.is_dir())
    }

    fn check_bounds(&self) -> Result<(), BackupError> {
        let (request, found) = (self.request, &self.found);
        let count = found.sources.len() + found.staged.len() + found.references.len();
        if count as u64 > u64::from(request.max_files) {
            return Err(BackupError::TooMany(request.max_files.into()));
        }
        if found.bytes > request.max_bytes {
            return Err(BackupError::TooLarge(request.max_bytes));
        }
        if self.started.elapsed() > request.timeout {
            return Err(BackupError::TooSlow(request.timeout));
        }
        Ok(())
    }
}

fn is_lost(loss: &Loss) -> bool {
    loss.total_of(&LOST_KINDS).count > 0
}
