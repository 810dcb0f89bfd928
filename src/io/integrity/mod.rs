//! The check for tampering: what the guard depends on is sealed, compared at every event of the hook,
//! and restored when a call has changed it.
//!
//! `entry` says what is at a path, `seal` keeps what was there, `calls` knows which calls are running,
//! `examination` tells a person's change from a call's, `restore` undoes the latter, and `review` lets a
//! person accept it.

mod calls;
mod entry;
mod examination;
mod restore;
mod review;
mod seal;
mod version_control;

use std::path::{Path, PathBuf};

use self::examination::Examination;
use self::seal::QuickLook;
use crate::domain::integrity::{Finding, IntegrityCheck, Moment, Phase};
use crate::domain::policy::settings::TamperResponse;
use crate::io::audit::{self, MirroredLog};
use crate::io::platform::Platform;

pub use entry::{Role, WatchedPath, key_of};
pub use review::{HumanChange, Review, ReviewError, ReviewedChange, SealStatus, seal_status};

/// The keys of the subjects whose paths are watched at an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SectionKeys {
    /// Of the machine and the person.
    pub machine: u64,
    /// Of the host.
    pub host: u64,
    /// Of the project, where there is one.
    pub project: Option<u64>,
}

impl SectionKeys {
    fn list(&self) -> Vec<u64> {
        [self.machine, self.host].into_iter().chain(self.project).collect()
    }
}

/// The paths that are watched, by subject.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SectionPaths {
    /// Of the machine and the person.
    pub machine: Vec<WatchedPath>,
    /// Of the host.
    pub host: Vec<WatchedPath>,
    /// Of the project.
    pub project: Vec<WatchedPath>,
}

/// Returns how a host would no longer run the hook if a settings file were changed from one content to
/// another; `None` for no file.
pub type SettingsLoss<'a> = dyn Fn(Option<&[u8]>, Option<&[u8]>) -> Vec<String> + 'a;

/// What is watched at an event, and what follows from a change.
pub struct Guard<'a> {
    /// The machine.
    pub platform: &'a Platform,
    /// The keys of the subjects.
    pub keys: SectionKeys,
    /// Returns the paths of the subjects; called only when they are sealed.
    pub paths: &'a dyn Fn() -> SectionPaths,
    /// Tells what a change of a settings file comes to.
    pub settings_loss: &'a SettingsLoss<'a>,
    /// The root of the project.
    pub project: Option<&'a str>,
    /// What follows from a change by a call.
    pub response: TamperResponse,
    /// Whether the audit log is written.
    pub records: bool,
}

impl std::fmt::Debug for Guard<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guard").field("keys", &self.keys).field("response", &self.response).finish_non_exhaustive()
    }
}

impl IntegrityCheck for Guard<'_> {
    /// Compares what is watched with its seal, restores what a call has changed, and notes which calls run.
    fn check(&self, moment: &Moment<'_>) -> Option<Finding> {
        let directory = audit::seal_directory(self.platform)?;
        let look = seal::quick_look(&directory, &self.keys.list());
        if self.response == TamperResponse::Off && matches!(look, QuickLook::Off | QuickLook::Missing) {
            return None;
        }
        if moment.phase == Phase::Boundary {
            calls::end_session(&directory, moment.call.session);
        }
        let log = MirroredLog::with_copy_in(&directory, self.platform);
        let is_intact = look == QuickLook::Unchanged && !log.as_ref().is_some_and(MirroredLog::may_have_lost_records);
        let finding = if is_intact { None } else { Examination::run(self, &directory, moment, log) };
        match moment.phase {
            Phase::Begin => {
                let goes_ahead = !moment.is_refused && !matches!(finding, Some(Finding::Refusal(_)));
                if moment.acts && goes_ahead {
                    calls::begin(&directory, &self.keys, moment.call);
                }
            }
            Phase::End if moment.acts => calls::end(&directory, &self.keys, moment.call),
            Phase::BatchEnd | Phase::TurnEnd => calls::end_session(&directory, moment.call.session),
            Phase::End | Phase::Boundary => {}
        }
        finding
    }
}

/// Notes that no call of a session is running, for a session that is none.
pub fn end_session(platform: &Platform, session: &str) {
    if let Some(directory) = audit::seal_directory(platform) {
        calls::end_session(&directory, session);
    }
}

/// Returns the file in the state directory that says that there was a seal: whoever deletes the one directory
/// leaves the other.
fn witness_path(platform: &Platform) -> Option<PathBuf> {
    Some(Path::new(&platform.state_dir()?).join("sealed"))
}
