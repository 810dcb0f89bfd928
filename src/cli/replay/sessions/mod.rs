//! What a policy would have stopped in past sessions, from the transcripts that hosts keep.

mod find;
mod format;
mod page;
mod read;
mod summary;

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use find::find_transcripts;
pub(super) use find::is_transcript;
use read::SessionTask;

use super::replay_judge::{PlaceCache, ReplayJudge};
use crate::adapters::{TRANSCRIPT_FORMATS, TranscriptFormat};
use crate::cli::args::records::parse_since;
use crate::cli::output::print::{print, print_file, print_json};
use crate::cli::{CommandError, ExitStatus, context};
use crate::domain::time::Time;
use crate::io::files::write_atomic;

/// How far back transcripts are read when nothing else is asked for.
const DEFAULT_AGE: &str = "30d";

/// What is asked of past sessions.
pub(super) struct SessionRequest<'a> {
    /// Transcripts, or directories of them; those of this machine when there are none.
    pub paths: &'a [PathBuf],
    /// The policy that is tried.
    pub policy: &'a [PathBuf],
    pub since: Option<&'a Window>,
    pub host: Option<&'a str>,
    pub home: Option<&'a str>,
    pub examples: usize,
    pub uses_machine: bool,
    pub threads: Option<NonZero<usize>>,
}

/// How the answer is given.
pub(super) enum SessionOutput<'a> {
    Text,
    Json,
    Page(&'a Path),
}

/// The time that is looked at.
#[derive(Debug, Clone)]
pub(super) struct Window {
    since: SystemTime,
    /// It in words: `in the last 30 days`.
    words: String,
}

impl Window {
    /// Reads an age (`30d`) or a time (`2026-11-21T12:00:00Z`).
    ///
    /// # Errors
    /// Returns what may be written.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        const DAY: u64 = 86_400;
        let since = parse_since(text)?;
        let words = match humantime::parse_duration(text).map(|age| age.as_secs()) {
            Ok(DAY) => "in the last day".to_owned(),
            Ok(age) if age > 0 && age.is_multiple_of(DAY) => format!("in the last {} days", age / DAY),
            Ok(age) => format!("in the last {}", humantime::format_duration(Duration::from_secs(age))),
            Err(_) => format!("since {}", humantime::format_rfc3339_seconds(since)),
        };
        Ok(Self { since, words })
    }

    fn begin(&self) -> Time {
        Time(self.since.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs()))
    }
}

/// Judges the calls of past sessions, and says what would have been stopped.
///
/// # Errors
/// Returns that there are no transcripts, or that the policy cannot be used.
pub(super) fn run(request: &SessionRequest<'_>, output: &SessionOutput<'_>) -> Result<ExitStatus, CommandError> {
    let format = request.host.map(format_by_name).transpose()?;
    let default_window = Window::parse(DEFAULT_AGE)?;
    let window = request.since.or_else(|| request.paths.is_empty().then_some(&default_window));
    let files = find_transcripts(request.paths, format, window.map(|window| window.since))?;
    let task = SessionTask {
        judge: ReplayJudge::new(request.policy, request.uses_machine, false)?.with_exceptions(),
        places: PlaceCache::new(request.home),
        since: window.map(Window::begin),
        threads: request.threads,
        files,
    };
    let words = window.map_or("in these transcripts", |window| window.words.as_str());
    let summary = read::run(&task, request.examples);
    match output {
        SessionOutput::Text => print(&format::text(&summary, words)),
        SessionOutput::Json => print_json(&format::as_json(&summary, words)),
        SessionOutput::Page(path) => {
            let html = page::render(&summary, words)?;
            if *path == Path::new("-") {
                print_file(&html);
            } else {
                write_atomic(path, &html)?;
                print(&format!("{}{} written\n", format::headline(&summary, words), path.display()));
            }
        }
    }
    Ok(ExitStatus::Success)
}

fn format_by_name(name: &str) -> Result<&'static TranscriptFormat, String> {
    let known = || TRANSCRIPT_FORMATS.iter().copied();
    let found = known().find(|format| format.name == name);
    found.ok_or_else(|| context::unknown_value("host", name, known().map(|format| format.name).collect()))
}
