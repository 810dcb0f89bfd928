//! Which records a command is about: files, and what is to be true of them.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::cli::CommandError;
use crate::io::audit::{self, AuditDecision, AuditRecord};
use crate::io::platform::Platform;

/// Where records are read from.
#[derive(Debug, Clone, Default, clap::Args)]
pub(in crate::cli) struct RecordSource {
    /// Audit log files (default: those of this machine).
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

impl RecordSource {
    /// Returns the files, the oldest first.
    pub(in crate::cli) fn files(&self) -> Result<Vec<PathBuf>, CommandError> {
        if !self.files.is_empty() {
            return Ok(self.files.clone());
        }
        Ok(audit::log_files(&Self::default_path()?))
    }

    /// Returns the file that is written on this machine.
    pub(in crate::cli) fn default_path() -> Result<PathBuf, CommandError> {
        audit::log_path(&Platform::current()).ok_or_else(|| "no directory for the audit log".into())
    }
}

/// Returns the records of files, in their order.
pub(in crate::cli) fn read_records(files: &[PathBuf]) -> Result<impl Iterator<Item = AuditRecord>, CommandError> {
    let each = files.iter().map(|path| audit::read_records(path)).collect::<Result<Vec<_>, _>>()?;
    Ok(each.into_iter().flatten())
}

/// Returns the one record whose id begins like this.
pub(in crate::cli) fn find_record(source: &RecordSource, id: &str) -> Result<AuditRecord, CommandError> {
    let matching: Vec<AuditRecord> =
        read_records(&source.files()?)?.filter(|entry| entry.id().starts_with(id)).take(2).collect();
    match matching.as_slice() {
        [entry] => Ok(entry.clone()),
        [] => Err(CommandError::NotFound(format!("no record `{id}`; list records with `ruleward log`"))),
        _ => Err(CommandError::Usage(format!("several records begin with `{id}`"))),
    }
}

/// What is to be true of a record.
#[derive(Debug, Clone, Default, clap::Args)]
pub(in crate::cli) struct RecordFilter {
    /// Only records of at most this age (`2h`, `7days`), or since this time
    /// (`2026-11-21T12:00:00Z`).
    #[arg(long, value_name = "AGE or TIME", value_parser = parse_since)]
    since: Option<SystemTime>,
    /// Only this decision: `deny`, `defer`, `ask`, `allow`, `stop`, `retry`, `none`; repeatable.
    #[arg(long, value_name = "DECISION", value_parser = parse_decision)]
    decision: Vec<AuditDecision>,
    /// Only records in which this rule matched (id or glob).
    #[arg(long, value_name = "RULE")]
    rule: Option<String>,
    /// The host.
    #[arg(long, value_name = "HOST")]
    host: Option<String>,
    /// Only this session (id or prefix).
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Only this tool, by the host's name.
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,
    /// Only records in this directory or below it.
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
}

impl RecordFilter {
    /// Returns whether a record is wanted.
    pub(in crate::cli) fn matches(&self, entry: &AuditRecord) -> bool {
        let glob = |rule: &String| entry.rule_ids().any(|id| fast_glob::glob_match(rule, id));
        self.since.is_none_or(|since| entry.system_time().is_some_and(|at| at >= since))
            && (self.decision.is_empty() || self.decision.contains(&entry.decision()))
            && self.rule.as_ref().is_none_or(glob)
            && self.host.as_ref().is_none_or(|host| entry.host() == host)
            && self.session.as_ref().is_none_or(|session| entry.session().starts_with(session))
            && self.tool.as_ref().is_none_or(|tool| entry.tool() == tool)
            && self.cwd.as_ref().is_none_or(|cwd| Path::new(entry.cwd()).starts_with(cwd))
    }
}

pub(in crate::cli) fn parse_since(text: &str) -> Result<SystemTime, String> {
    if let Ok(time) = humantime::parse_rfc3339_weak(text) {
        return Ok(time);
    }
    let age: Duration =
        humantime::parse_duration(text).map_err(|error| format!("{error}; write `2h` or `2026-11-21T12:00:00Z`"))?;
    Ok(SystemTime::now().checked_sub(age).unwrap_or(SystemTime::UNIX_EPOCH))
}

fn parse_decision(text: &str) -> Result<AuditDecision, String> {
    let known = AuditDecision::ALL.map(AuditDecision::name);
    AuditDecision::from_name(text).ok_or_else(|| crate::cli::context::unknown_value("decision", text, known.to_vec()))
}
