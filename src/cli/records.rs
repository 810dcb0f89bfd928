//! Which records a command is about: files, and what is to be true of them.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::io::audit::{self, Decided, Entry};
use crate::io::platform::Surroundings;

/// Where records are read from.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct Source {
    /// Files of records; those of this machine when none is named.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

impl Source {
    /// Returns the files, the oldest first.
    pub(super) fn files(&self) -> Result<Vec<PathBuf>, String> {
        if !self.files.is_empty() {
            return Ok(self.files.clone());
        }
        Ok(audit::files(&Self::own()?))
    }

    /// Returns the file that is written on this machine.
    pub(super) fn own() -> Result<PathBuf, String> {
        audit::path(&Surroundings::here()).ok_or_else(|| "there is no directory for the audit log".to_owned())
    }
}

/// Returns the records of files, in their order.
pub(super) fn records(files: &[PathBuf]) -> Result<impl Iterator<Item = Entry>, String> {
    let each: Result<Vec<_>, String> = files.iter().map(|path: &PathBuf| audit::entries(Path::new(path))).collect();
    Ok(each?.into_iter().flatten())
}

/// Returns the one record whose id begins like this.
pub(super) fn one(source: &Source, id: &str) -> Result<Entry, String> {
    let matching: Vec<Entry> = records(&source.files()?)?.filter(|entry| entry.id().starts_with(id)).take(2).collect();
    match matching.as_slice() {
        [entry] => Ok(entry.clone()),
        [] => Err(format!("there is no record `{id}`; `ruleward log` lists them")),
        _ => Err(format!("more than one record begins with `{id}`")),
    }
}

/// What is to be true of a record.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct Filter {
    /// Of this age or younger (`2h`, `7days`), or from this time on (`2026-11-21T12:00:00Z`).
    #[arg(long, value_name = "AGE or TIME", value_parser = since)]
    since: Option<SystemTime>,
    /// What was decided: `deny`, `defer`, `ask`, `allow`, `stop`, `retry`, `none`; may be given again.
    #[arg(long, value_name = "DECISION", value_parser = decided)]
    decision: Vec<Decided>,
    /// A rule that held, by id or glob.
    #[arg(long, value_name = "RULE")]
    rule: Option<String>,
    /// The host.
    #[arg(long, value_name = "HOST")]
    host: Option<String>,
    /// The session, by the beginning of its id.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// The tool, by the host's name of it.
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,
    /// The directory that the host worked in, or one above it.
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
}

impl Filter {
    /// Tells whether a record is wanted.
    pub(super) fn takes(&self, entry: &Entry) -> bool {
        let glob = |rule: &String| entry.rule_ids().any(|id| fast_glob::glob_match(rule, id));
        self.since.is_none_or(|since| entry.at().is_some_and(|at| at >= since))
            && (self.decision.is_empty() || self.decision.contains(&entry.decided()))
            && self.rule.as_ref().is_none_or(glob)
            && self.host.as_ref().is_none_or(|host| entry.host() == host)
            && self.session.as_ref().is_none_or(|session| entry.session().starts_with(session))
            && self.tool.as_ref().is_none_or(|tool| entry.tool() == tool)
            && self.cwd.as_ref().is_none_or(|cwd| Path::new(entry.cwd()).starts_with(cwd))
    }
}

fn since(text: &str) -> Result<SystemTime, String> {
    if let Ok(time) = humantime::parse_rfc3339_weak(text) {
        return Ok(time);
    }
    let age: Duration =
        humantime::parse_duration(text).map_err(|error| format!("{error}; write `2h` or `2026-11-21T12:00:00Z`"))?;
    Ok(SystemTime::now().checked_sub(age).unwrap_or(SystemTime::UNIX_EPOCH))
}

fn decided(text: &str) -> Result<Decided, String> {
    let known = Decided::ALL.map(Decided::name);
    Decided::named(text).ok_or_else(|| super::hosts::unknown("decision", text, known.to_vec()))
}
