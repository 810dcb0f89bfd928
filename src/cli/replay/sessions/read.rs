//! Transcripts through the threads: each is read and judged by one of them, and what they come to is put together in
//! the order of the files.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::find::TranscriptFile;
use super::summary::{StoppedCall, Summary};
use crate::adapters::{TranscriptCall, TranscriptFormat};
use crate::cli::replay::json_members::members;
use crate::cli::replay::progress::{INTERVAL, ProgressBar};
use crate::cli::replay::replay_judge::{PlaceCache, RecordedCall, ReplayJudge};
use crate::cli::replay::workers::parse_timestamp;
use crate::domain::event::tool::ToolKind;
use crate::domain::time::Time;
use crate::io::audit::{self, AuditDecision};
use crate::io::files::digest;
use crate::io::files::json_records::{self, JsonRecord};

/// How long nothing is shown of the progress.
const PROGRESS_DELAY: Duration = Duration::from_secs(1);
/// Characters that are shown of what a call is about, and of a reason.
const MAX_SUMMARY_CHARS: usize = 100;
const MAX_REASON_CHARS: usize = 240;
/// Bytes of a text that are searched for secrets before it is shortened.
const MAX_TEXT_BYTES: usize = 4096;
/// The greatest size of the file that names a project.
const MAX_PROJECT_BYTES: usize = 4096;
/// The directory below the home directory where calls are taken to happen whose directory is not in the transcript.
const UNKNOWN_DIRECTORY: &str = "project";

/// What is read, and by which policy it is judged.
pub(super) struct SessionTask {
    pub judge: ReplayJudge,
    pub places: PlaceCache,
    /// Calls before this time are left out.
    pub since: Option<Time>,
    pub threads: Option<NonZero<usize>>,
    pub files: Vec<TranscriptFile>,
}

/// What one transcript comes to.
#[derive(Default)]
pub(super) struct FileResult {
    /// The calls, in order.
    pub calls: Vec<CallResult>,
    /// Records that could not be read.
    pub broken: usize,
    /// Where the first of them is, or why the file could not be read.
    pub first_broken: Option<String>,
    pub is_unreadable: bool,
}

/// A call of a transcript.
pub(super) struct CallResult {
    /// A hash of the host and the id.
    pub id: u64,
    /// A hash of the host and the session.
    pub session: u64,
    pub kind: ToolKind,
    pub decision: AuditDecision,
    /// More about it, when it is stopped.
    pub stopped: Option<Box<StoppedCall>>,
}

/// Judges the calls of all transcripts.
pub(super) fn run(task: &SessionTask, examples: usize) -> Summary {
    let threads = task.threads.or_else(|| thread::available_parallelism().ok()).map_or(2, NonZero::get);
    let next = AtomicUsize::new(0);
    let bytes = AtomicU64::new(0);
    let calls = AtomicUsize::new(0);
    let (tell, hear) = mpsc::channel::<(usize, FileResult)>();
    let total = task.files.iter().map(|file| file.bytes).sum();
    let mut bar = ProgressBar::new("calls", Some(total), PROGRESS_DELAY);
    let mut summary = Summary::new(examples);
    thread::scope(|scope| {
        for _ in 0..threads {
            let tell = tell.clone();
            let (next, bytes, calls) = (&next, &bytes, &calls);
            scope.spawn(move || {
                let mut places = task.places.clone();
                loop {
                    let position = next.fetch_add(1, Ordering::Relaxed);
                    let Some(file) = task.files.get(position) else { break };
                    let result = read_file(task, &mut places, file, calls);
                    bytes.fetch_add(file.bytes, Ordering::Relaxed);
                    if tell.send((position, result)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(tell);
        let mut waiting: BTreeMap<usize, FileResult> = BTreeMap::new();
        let mut due = 0;
        loop {
            match hear.recv_timeout(INTERVAL) {
                Ok((position, result)) => {
                    waiting.insert(position, result);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            while let Some((file, result)) = task.files.get(due).zip(waiting.remove(&due)) {
                summary.add(file.format, result);
                due += 1;
            }
            bar.update(calls.load(Ordering::Relaxed), bytes.load(Ordering::Relaxed));
        }
    });
    bar.finish();
    summary
}

fn read_file(task: &SessionTask, places: &mut PlaceCache, file: &TranscriptFile, calls: &AtomicUsize) -> FileResult {
    let mut result = FileResult::default();
    let format = file.format;
    let project = format.project_file.and_then(|name| project_of(&file.path, name));
    let mut session = SessionJudge { task, places, format, project, start: None };
    let mut reader = (format.reader)();
    let mut found = Vec::new();
    let mut broken = (0, None);
    let take = |record: JsonRecord| match record {
        JsonRecord::Broken(line) => {
            broken.0 += 1;
            broken.1.get_or_insert_with(|| format!("{}:{line}: not a JSON object", file.path.display()));
        }
        JsonRecord::Value(record) => {
            reader.read(&record, &mut found);
            calls.fetch_add(found.len(), Ordering::Relaxed);
            for call in found.drain(..) {
                result.calls.extend(session.judge(call));
            }
        }
    };
    let is_document = file.path.extension().is_some_and(|extension| extension == "json");
    let read = if is_document {
        json_records::read_document(&file.path, format.list_key, take)
    } else {
        json_records::read_lines(&file.path, format.is_relevant, take)
    };
    (result.broken, result.first_broken) = broken;
    if let Err(error) = read {
        result.is_unreadable = true;
        result.first_broken.get_or_insert_with(|| error.to_string());
    }
    result
}

/// Returns what a file beside a transcript, or above it, says of the project.
fn project_of(transcript: &Path, name: &str) -> Option<String> {
    let found = transcript.ancestors().skip(1).take(4).find_map(|directory| {
        let path = directory.join(name);
        let (_, size) = crate::io::files::modified_and_size(&path)?;
        usize::try_from(size).is_ok_and(|size| size <= MAX_PROJECT_BYTES).then_some(path)
    })?;
    let text = crate::io::files::read_text(found.to_str()?).ok()?;
    Some(text.trim().to_owned()).filter(|path| !path.is_empty())
}

/// Judges the calls of one transcript.
struct SessionJudge<'a> {
    task: &'a SessionTask,
    places: &'a mut PlaceCache,
    format: &'static TranscriptFormat,
    /// The directory of the project, where a file beside the transcript tells it.
    project: Option<String>,
    /// The directory of the first call.
    start: Option<String>,
}

impl SessionJudge<'_> {
    /// Judges a call; `None` when it is not of the time that is looked at, or cannot be read.
    fn judge(&mut self, call: TranscriptCall) -> Option<CallResult> {
        let cwd = call.cwd.or_else(|| self.project.clone()).unwrap_or_else(|| self.places.in_home(UNKNOWN_DIRECTORY));
        let start = self.start.get_or_insert_with(|| cwd.clone());
        let time = call.time.as_deref().and_then(parse_timestamp);
        if self.task.since.zip(time).is_some_and(|(since, time)| time < since) {
            return None;
        }
        let mut payload = call.payload;
        payload.insert("cwd".into(), cwd.as_str().into());
        let payload = Value::Object(payload);
        let text = payload.to_string();
        let place = self.places.get(&cwd, Some(start));
        let recorded =
            RecordedCall { host: self.format.host, place: &place, time, payload: &text, members: &members(&text)? };
        let outcome = self.task.judge.judge(&recorded).ok()?;
        let stopped = (outcome.decision >= AuditDecision::Ask).then(|| {
            let tool = payload.get("tool_name").and_then(Value::as_str).unwrap_or_default();
            let about = audit::payload_summary(&payload);
            let about = if call.kind == ToolKind::Shell { about } else { format!("{tool} {about}") };
            let first = outcome.stops.first().map_or("", |stop| stop.reason.as_str());
            Box::new(StoppedCall {
                rules: outcome.stops.iter().map(|stop| stop.rule.clone()).collect(),
                reason: shorten(first, MAX_REASON_CHARS),
                about: shorten(&self.task.judge.redact(start_of(&about)), MAX_SUMMARY_CHARS),
                time: call.time.unwrap_or_default(),
                cwd,
                session: call.session.clone(),
            })
        });
        let hash = |text: &str| digest_of(self.format.name, text);
        let (id, session) = (hash(&call.id), hash(&call.session));
        Some(CallResult { id, session, kind: call.kind, decision: outcome.decision, stopped })
    }
}

fn digest_of(host: &str, text: &str) -> u64 {
    let hex = digest::sha256(format!("{host} {text}").as_bytes());
    hex.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or_default()
}

/// Returns the beginning of a text, which is all that an example may show of it.
fn start_of(text: &str) -> &str {
    text.get(..text.floor_char_boundary(MAX_TEXT_BYTES)).unwrap_or(text)
}

/// Returns a text on one line, shortened.
fn shorten(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}
