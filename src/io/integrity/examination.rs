//! A thorough look after the quick one has found a difference: what has changed, who may have done it,
//! and what follows.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::calls::{self, RunningCall};
use super::entry::{Entry, EntryDetails, Presence, Role, Snapshot, WatchedPath, change_time, stamp};
use super::restore::{keep_versions, kept_path, restore};
use super::seal::{KeptVersion, PendingChange, Seal, Section, grants_in, keep_copy, sealed_content};
use super::{Guard, version_control, witness_path};
use crate::domain::integrity::{Finding, Moment, Phase};
use crate::domain::policy::settings::TamperResponse;
use crate::io::audit::{self, IntegrityRecord, LogState, MirroredLog, RecordId};
use crate::io::files;

/// How long a hook waits for others that compare.
const LOCK_TIMEOUT: Duration = Duration::from_millis(500);
/// What a person does about a change.
const HELP: &str = "the user reviews the change with `ruleward accept`";

/// What became of a watched path.
enum Change {
    /// Nothing but its times.
    None,
    /// It differs, and the guard stands as before.
    Harmless,
    /// A permission is gone.
    Withdrawn,
    /// It differs in what the guard depends on.
    Real(String),
}

/// A thorough look.
pub(super) struct Examination<'e> {
    guard: &'e Guard<'e>,
    directory: &'e Path,
    moment: &'e Moment<'e>,
    running: Vec<RunningCall>,
    response: TamperResponse,
    tampered: Vec<PendingChange>,
    /// What a person changed: the path and what was found.
    edited: Vec<(String, String)>,
    warnings: Vec<String>,
}

impl<'e> Examination<'e> {
    /// Looks at everything, and returns what is said of it.
    pub(super) fn run(
        guard: &'e Guard<'e>,
        directory: &'e Path,
        moment: &'e Moment<'e>,
        log: Option<MirroredLog>,
    ) -> Option<Finding> {
        let was_sealed = witness_path(guard.platform).is_some_and(|path| path.exists());
        let held = files::create_private_directory(directory)
            .map_err(|error| error.to_string())
            .and_then(|()| files::lock(&directory.join("lock"), LOCK_TIMEOUT).map_err(|error| error.to_string()));
        let _held = match held {
            Ok(held) => held,
            Err(why) if was_sealed => {
                return Some(Finding::Refusal(format!(
                    "The files that ruleward depends on could not be compared with their seals: {why}."
                )));
            }
            // Nothing can be kept on this machine, and nothing was ever kept.
            Err(_) => return None,
        };
        let running = calls::running(directory);
        let found = Seal::read(directory);
        let response = found.as_ref().map_or(guard.response, |seal| seal.response);
        let (tampered, edited, warnings) = (Vec::new(), Vec::new(), Vec::new());
        let look = Self { guard, directory, moment, running, response, tampered, edited, warnings };
        match found {
            Some(seal) if seal.response != TamperResponse::Off => look.compare(seal, log),
            other => look.seal_first(other.is_none() && was_sealed),
        }
    }

    /// Seals everything for the first time, or anew.
    fn seal_first(mut self, was_removed: bool) -> Option<Finding> {
        let mut seal = Seal { response: self.guard.response, records: self.guard.records, ..Seal::default() };
        for (key, paths) in self.sections() {
            seal.put_section(Section::seal(self.directory, key, paths));
        }
        if was_removed {
            let text = "the seals were removed, so earlier changes can't be detected".to_owned();
            if self.is_after_calls() {
                self.tampered.push(PendingChange {
                    path: self.directory.to_string_lossy().into_owned(),
                    role: None,
                    text,
                    is_restored: false,
                    before: KeptVersion::Unknown,
                    after: KeptVersion::Unknown,
                });
            } else {
                self.warnings.push(text);
            }
        }
        seal.pending = std::mem::take(&mut self.tampered);
        seal.write(self.directory).ok()?;
        if let Some(witness) = witness_path(self.guard.platform) {
            // Without it, seals that are removed are made anew in silence.
            let _made = files::write_private(&witness, b"");
        }
        if was_removed {
            let kind = if seal.pending.is_empty() { IntegrityRecord::Lost } else { IntegrityRecord::Tampered };
            self.record(kind, "the seals were removed", json!([{ "path": self.directory }]));
        }
        self.finding(&seal)
    }

    fn compare(mut self, mut seal: Seal, log: Option<MirroredLog>) -> Option<Finding> {
        self.response = seal.response;
        for key in self.guard.keys.list() {
            if let Some(section) = seal.sections.iter_mut().find(|section| section.key == key) {
                self.compare_section(section);
            }
        }
        if let Some(log) = log {
            self.compare_log(&log);
        }
        let is_rebuilt = self.tampered.is_empty();
        if is_rebuilt {
            // The policy that was loaded is the one that holds, so its files are the ones to watch.
            let needs_sealing = |key| seal.section(key).is_none_or(|section| section.is_outdated);
            if self.guard.keys.list().into_iter().any(needs_sealing) {
                for (key, paths) in self.sections() {
                    seal.put_section(Section::seal(self.directory, key, paths));
                }
                (seal.response, seal.records) = (self.guard.response, self.guard.records);
            }
        }
        self.write_records(seal.records || self.guard.records);
        seal.pending.append(&mut self.tampered);
        if let Err(error) = seal.write(self.directory) {
            return Some(Finding::Refusal(format!(
                "The seals of the files that ruleward depends on could not be stored: {error}."
            )));
        }
        self.finding(&seal)
    }

    fn finding(self, seal: &Seal) -> Option<Finding> {
        if !seal.pending.is_empty() {
            return Some(Finding::Refusal(refusal_text(&seal.pending)));
        }
        (!self.warnings.is_empty()).then(|| Finding::Warning(self.warnings.join("; ")))
    }

    /// Returns the subjects with the paths that belong to them now.
    fn sections(&self) -> Vec<(u64, Vec<(String, Role)>)> {
        let paths = (self.guard.paths)();
        let pairs = |paths: Vec<WatchedPath>| paths.into_iter().map(|watched| (watched.path, watched.role)).collect();
        let keys = self.guard.keys;
        let mut sections = vec![(keys.machine, pairs(paths.machine)), (keys.host, pairs(paths.host))];
        sections.extend(keys.project.map(|key| (key, pairs(paths.project))));
        sections
    }

    fn compare_section(&mut self, section: &mut Section) {
        let key = section.key;
        let stores: Vec<String> =
            section.entries.iter().filter(|entry| entry.role == Role::Store).map(|entry| entry.path.clone()).collect();
        for path in stores.iter().flat_map(|store| grants_in(store)) {
            if section.entries.iter().all(|entry| entry.path != path) {
                let details = EntryDetails::default();
                section.entries.push(Entry { path, role: Role::Grant, stamp: 0, details });
            }
        }
        let mut kept = Vec::with_capacity(section.entries.len());
        for mut entry in std::mem::take(&mut section.entries) {
            if stamp(&entry.path, entry.role) != entry.stamp {
                let now = Snapshot::take(&entry.path, entry.role);
                match self.change_of(&entry, &now) {
                    Change::None => entry.stamp = now.entry.stamp,
                    Change::Withdrawn => continue,
                    Change::Harmless => {
                        keep_copy(self.directory, &now);
                        entry = now.entry;
                    }
                    Change::Real(what) => {
                        let changed = change_time(&entry.path);
                        if self.is_by_a_call(key, changed) && !self.is_version_control(&entry, &what) {
                            entry = self.undo(entry, &now, &what);
                        } else {
                            self.edited.push((entry.path.clone(), what));
                            keep_copy(self.directory, &now);
                            entry = now.entry;
                        }
                        section.is_outdated = true;
                    }
                }
            }
            kept.push(entry);
        }
        // What was restored has changed its directory once more.
        for entry in kept.iter_mut().filter(|entry| entry.role == Role::Store) {
            entry.stamp = stamp(&entry.path, entry.role);
        }
        kept.retain(|entry| entry.role != Role::Grant || entry.details.presence != Presence::Absent);
        section.entries = kept;
    }

    fn change_of(&self, sealed: &Entry, now: &Snapshot) -> Change {
        if sealed.has_same_content(&now.entry) {
            return Change::None;
        }
        let (before, after) = (&sealed.details, &now.entry.details);
        match sealed.role {
            Role::Store if matches!(after.presence, Presence::Absent | Presence::Directory) => Change::Harmless,
            Role::Grant if after.presence == Presence::Absent => Change::Withdrawn,
            Role::Settings => {
                if after.presence == Presence::Other {
                    return Change::Real("the host can no longer read it".to_owned());
                }
                let content = sealed_content(self.directory, sealed);
                let losses = (self.guard.settings_loss)(content.as_deref(), now.content.as_deref());
                if losses.is_empty() { Change::Harmless } else { Change::Real(losses.join("; ")) }
            }
            Role::Store | Role::Grant | Role::Policy | Role::ProjectPolicy | Role::Program => {
                let what = match (before.presence, after.presence) {
                    (Presence::Absent, _) => "it was added",
                    (_, Presence::Absent) => "it was deleted",
                    (_, Presence::Other | Presence::Directory) => "it can no longer be read",
                    _ if before.link != after.link => "it now points to another file",
                    _ if before.hash != after.hash => "its content was changed",
                    _ => "its permissions were changed",
                };
                Change::Real(what.to_owned())
            }
        }
    }

    /// Returns whether calls have just ended that were compared at their beginning.
    const fn is_after_calls(&self) -> bool {
        match self.moment.phase {
            Phase::End => self.moment.acts,
            Phase::BatchEnd | Phase::TurnEnd => true,
            Phase::Begin | Phase::Boundary => false,
        }
    }

    /// Returns whether a call may have changed something of a subject at a time.
    fn is_by_a_call(&self, key: u64, changed: i64) -> bool {
        let is_common = key == self.guard.keys.machine;
        let own = self.running.iter().find(|running| running.is_call(self.moment.call));
        // What was unchanged when the call began has been changed since.
        let may = |running: &RunningCall| is_common || running.has_seen(key) || running.may_have_changed(changed);
        if self.is_after_calls() && own.is_none_or(may) {
            return true;
        }
        let mut others =
            self.running.iter().filter(|running| !running.is_sequential() && !running.is_call(self.moment.call));
        others.any(may) || calls::is_soon_after_a_call(self.directory, changed)
    }

    /// Returns whether a policy of the project came with another commit, which trust deals with.
    fn is_version_control(&mut self, entry: &Entry, what: &str) -> bool {
        let Some(project) = self.guard.project.filter(|_| entry.role == Role::ProjectPolicy) else { return false };
        let since = self.running.iter().map(RunningCall::began_seconds).min();
        let is_moved = since.is_some_and(|since| version_control::has_moved_since(Path::new(project), since));
        if is_moved {
            self.warnings.push(format!("{} changed with another commit: {what}", entry.path));
        }
        is_moved
    }

    /// Undoes a change by a call, as far as that is wanted and possible; returns what is sealed now.
    fn undo(&mut self, sealed: Entry, now: &Snapshot, what: &str) -> Entry {
        let versions = keep_versions(self.directory, &sealed, now);
        let restored = match self.response {
            TamperResponse::Restore => restore(self.directory, &sealed, &versions).map_err(|error| error.to_string()),
            TamperResponse::Deny | TamperResponse::Off => Err("the policy says `tamper: deny`".to_owned()),
        };
        let mut present = Snapshot::take(&sealed.path, sealed.role).entry;
        let is_restored = restored.is_ok() && sealed.has_same_content(&present);
        let text = match restored {
            Ok(()) if is_restored => format!("{what} (restored)"),
            Ok(()) => format!("{what} (not restored: it differs again)"),
            Err(why) => format!("{what} (not restored: {why})"),
        };
        self.tampered.push(PendingChange {
            path: sealed.path.clone(),
            role: Some(sealed.role),
            text,
            is_restored,
            before: versions.before,
            after: versions.after,
        });
        if is_restored {
            present.details = sealed.details;
        }
        present
    }

    fn compare_log(&mut self, log: &MirroredLog) {
        if !log.may_have_lost_records() {
            return;
        }
        let state = log.compare();
        if state == LogState::Intact {
            return;
        }
        let path = log.log.to_string_lossy().into_owned();
        let is_by_a_call = self.is_by_a_call(self.guard.keys.machine, change_time(&path));
        let name = RecordId::new().as_str().to_owned();
        if is_by_a_call && self.response == TamperResponse::Restore {
            let restored = log.restore(&kept_path(self.directory, &format!("{name}.log")));
            let what = state.describe();
            let text = match &restored {
                Ok(()) => format!("{what} (restored)"),
                Err(why) => format!("{what} (not restored: {why})"),
            };
            let is_restored = restored.is_ok();
            let (before, after) = (KeptVersion::Unknown, KeptVersion::Unknown);
            self.tampered.push(PendingChange { path, role: None, text, is_restored, before, after });
            return;
        }
        let kept = kept_path(self.directory, &format!("{name}.before.log"));
        let _made = kept.parent().map(files::create_private_directory);
        // A copy that stays in its place is reported once more.
        let _kept = log.accept(&kept);
        let text = format!("{}; its previous content is in {}", state.describe(), kept.display());
        if is_by_a_call {
            let (before, after) = (KeptVersion::Unknown, KeptVersion::Unknown);
            self.tampered.push(PendingChange { path, role: None, text, is_restored: false, before, after });
        } else {
            let text = format!("the audit log {path}: {text}");
            self.record(IntegrityRecord::Lost, &text, json!([{ "path": path }]));
            self.warnings.push(text);
        }
    }

    fn write_records(&self, is_wanted: bool) {
        if !is_wanted {
            return;
        }
        if !self.tampered.is_empty() {
            let changes = self.tampered.iter().map(|change| {
                json!({ "path": change.path, "change": change.text, "restored": change.is_restored,
                    "before": self.hash_of(&change.before), "after": self.hash_of(&change.after) })
            });
            self.record(IntegrityRecord::Tampered, "changed while a call was running", changes.collect());
        }
        if !self.edited.is_empty() {
            let changes = self.edited.iter().map(|(path, what)| {
                let now = fs::read(path).ok().map(|bytes| files::digest::sha256(&bytes));
                json!({ "path": path, "change": what, "after": now })
            });
            self.record(IntegrityRecord::Changed, "changed while no call was running", changes.collect());
        }
    }

    fn hash_of(&self, version: &KeptVersion) -> Value {
        let KeptVersion::File(name, _) = version else { return Value::Null };
        fs::read(kept_path(self.directory, name)).map_or(Value::Null, |bytes| json!(files::digest::sha256(&bytes)))
    }

    fn record(&self, kind: IntegrityRecord, text: &str, changes: Value) {
        let session = Some(self.moment.call.session).filter(|session| !session.is_empty());
        // What cannot be recorded is said all the same.
        let _recorded = audit::record_integrity(self.guard.platform, kind, session, text, changes);
    }
}

/// Says what was changed, and what a person can do.
fn refusal_text(pending: &[PendingChange]) -> String {
    let mut changes: Vec<String> = pending.iter().map(|change| format!("{}: {}", change.path, change.text)).collect();
    changes.dedup();
    format!("A call changed files that ruleward depends on: {}. Calls are denied until {HELP}.", changes.join("; "))
}
