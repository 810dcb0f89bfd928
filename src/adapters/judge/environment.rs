//! What a judgement needs besides the payload and the policy.

use std::fmt;

use crate::adapters::Host;
use crate::domain::allowlist::ReadFile;
use crate::domain::decide::exception::Exceptions;
use crate::domain::event::kind::{Kind, KindSet};
use crate::domain::facts::hook_status::HookStatus;
use crate::domain::facts::script::{EmptyFileSystem, FileSystem};
use crate::domain::facts::trace::Trace;
use crate::domain::integrity::IntegrityCheck;
use crate::domain::state::{NullStore, StateStore};
use crate::domain::text::path::PathContext;
use crate::domain::text::version::Version;
use crate::domain::time::Time;
use crate::domain::verdict::backup::BackupStore;
use crate::domain::verdict::run_record::Runner;

/// What a judgement needs besides the payload and the policy: files, state, programs, and who asks.
pub struct Environment<'a> {
    /// The directories that paths are resolved against.
    pub paths: &'a PathContext,
    /// Resolves links, and reads the scripts that a call runs.
    pub file_system: &'a dyn FileSystem,
    /// Reads baselines, ignore files, and the files that findings are in.
    pub read_file: ReadFile<'a>,
    /// What is remembered of earlier events.
    pub state: StateContext<'a>,
    /// Returns whether the host would still run the hook; `None` where that cannot be told.
    pub hook_status: Option<&'a dyn Fn(&HookStatusQuery<'_>) -> HookStatus>,
    /// The error of a policy that cannot be used; it becomes part of every verdict.
    pub policy_error: Option<String>,
    /// What the user is told when a session starts.
    pub session_notice: Option<String>,
    /// The host's version, where it is known.
    pub host_version: Option<Version>,
    /// The id of the audit record, which reasons end with so that users find it.
    pub record_id: Option<String>,
    /// The exceptions that users granted; `None` where they do not count.
    pub exceptions: Option<&'a dyn Exceptions>,
    /// Compares what the guard depends on with what it was; `None` where a judgement leaves no trace.
    pub integrity: Option<&'a dyn IntegrityCheck>,
    /// Observes which conditions hold.
    pub trace: Option<&'a dyn Trace>,
    /// Takes the backups of rules; without one, none can be taken.
    pub backups: Option<&'a dyn BackupStore>,
    /// Runs the programs of rules; without one, the outcome only says which would run.
    pub runner: Option<&'a dyn Runner>,
}

impl fmt::Debug for Environment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Environment").field("paths", self.paths).finish_non_exhaustive()
    }
}

impl<'a> Environment<'a> {
    /// Returns an environment in which nothing of a machine is seen or changed: no file exists, nothing is
    /// remembered, no program runs.
    pub fn isolated(paths: &'a PathContext) -> Self {
        Self {
            paths,
            file_system: &EmptyFileSystem,
            read_file: &|_| Err("files are not read here".into()),
            state: StateContext::stateless(Time::default()),
            hook_status: None,
            policy_error: None,
            session_notice: None,
            host_version: None,
            record_id: None,
            exceptions: None,
            integrity: None,
            trace: None,
            backups: None,
            runner: None,
        }
    }
}

/// A question about the registration of the hook.
#[derive(Debug, Clone, Copy)]
pub struct HookStatusQuery<'a> {
    /// The host.
    pub host: &'static Host,
    /// The project's directory, if there is one.
    pub project: Option<&'a str>,
    /// The kinds of event that some rule watches.
    pub watched_kinds: KindSet,
    /// The kind of the present event.
    pub kind: Kind,
}

/// Returns the whole lines of the file at a path from a byte offset on, and the offset after them.
pub type TranscriptReader = dyn Fn(&str, u64) -> Option<(String, u64)>;

/// What is remembered of earlier events, and when the present one happens.
#[derive(Clone, Copy)]
pub struct StateContext<'a> {
    /// Stores it.
    pub store: &'a dyn StateStore,
    /// The time of the present event.
    pub now: Time,
    /// Reads what a host has added to a transcript.
    pub read_transcript: &'a TranscriptReader,
}

impl fmt::Debug for StateContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StateContext").field("now", &self.now).finish_non_exhaustive()
    }
}

impl StateContext<'_> {
    /// Returns a context in which nothing is remembered.
    pub fn stateless(now: Time) -> Self {
        Self { store: &NullStore, now, read_transcript: &|_, _| None }
    }
}
