//! The log through the threads: which of them takes which lines is chance; what is reported, and in
//! which order, is not.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use super::diff::{Diff, Example};
use super::json_members::{members, unescaped_string};
use super::outcome::ReplayOutcome;
use super::progress::ProgressBar;
use super::replay_judge::{PlaceCache, RecordedCall, ReplayJudge};
use crate::adapters::Host;
use crate::cli::context;
use crate::cli::output::print::try_print_json;
use crate::domain::time::Time;
use crate::io::audit;
use crate::io::files::FileError;
use crate::io::files::lines::{LineBlock, read_blocks, total_size};

/// Characters that are shown of what an event was about.
const MAX_SUMMARY_CHARS: usize = 100;

/// What events are held against.
pub(super) struct ReplayTask {
    /// The policy that is tried.
    pub new: ReplayJudge,
    /// The policy before; the recorded decision, when there is none.
    pub old: Option<ReplayJudge>,
    /// The host of payloads that do not tell it.
    pub host: Option<&'static Host>,
    /// Where events happened.
    pub places: PlaceCache,
    /// Examples of one group.
    pub examples: usize,
    /// Whether a line is printed for each event.
    pub prints_lines: bool,
    /// The log.
    pub paths: Vec<PathBuf>,
    /// Threads; as many as there are processors when none is given.
    pub threads: Option<NonZero<usize>>,
}

/// What a part of the log came to.
struct BlockResult {
    bytes: u64,
    diff: Diff,
    lines: String,
}

/// Judges the whole log again.
///
/// # Errors
/// Returns what could not be read.
pub(super) fn run(task: &ReplayTask) -> Result<Diff, FileError> {
    let threads = task.threads.or_else(|| thread::available_parallelism().ok()).map_or(2, NonZero::get);
    let (give, take) = mpsc::sync_channel::<(usize, LineBlock)>(2 * threads);
    let take = Arc::new(Mutex::new(take));
    let (tell, hear) = mpsc::channel::<(usize, BlockResult)>();
    thread::scope(|scope| {
        let read = scope.spawn(move || {
            let mut number = 0;
            read_blocks(&task.paths, |block| {
                number += 1;
                give.send((number - 1, block)).is_ok()
            })
        });
        for _ in 0..threads {
            let (tell, take) = (tell.clone(), Arc::clone(&take));
            scope.spawn(move || {
                let mut places = task.places.clone();
                while let Some((number, block)) = next_block(&take) {
                    if tell.send((number, judge_block(task, &mut places, &block))).is_err() {
                        break;
                    }
                }
            });
        }
        drop((tell, take));
        let diff = collect(task, &hear);
        // Whoever still judges is told that nobody listens, and so, in turn, whoever still reads.
        drop(hear);
        match read.join() {
            Ok(done) => done.map(|()| diff),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

fn next_block(take: &Mutex<Receiver<(usize, LineBlock)>>) -> Option<(usize, LineBlock)> {
    take.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// Puts the parts together in their order, and prints lines as soon as those before are printed.
fn collect(task: &ReplayTask, hear: &Receiver<(usize, BlockResult)>) -> Diff {
    let mut diff = Diff::default();
    let mut waiting: BTreeMap<usize, BlockResult> = BTreeMap::new();
    let (mut due, mut bytes) = (0, 0);
    let mut bar = ProgressBar::new("events", total_size(&task.paths), Duration::ZERO);
    for (number, part) in hear {
        waiting.insert(number, part);
        while let Some(part) = waiting.remove(&due) {
            due += 1;
            bytes += part.bytes;
            diff.merge(part.diff, task.examples);
            if !part.lines.is_empty() && !try_print_json(&part.lines) {
                return diff;
            }
        }
        bar.update(diff.events, bytes);
    }
    bar.finish();
    diff
}

/// Judges the lines of a block.
fn judge_block(task: &ReplayTask, places: &mut PlaceCache, block: &LineBlock) -> BlockResult {
    let bytes = u64::try_from(block.bytes.len()).unwrap_or(u64::MAX);
    let mut part = BlockResult { bytes, diff: Diff::default(), lines: String::new() };
    for (index, line) in block.bytes.split(|byte| *byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let place = || {
            let file = task.paths.get(block.file).map_or_else(String::new, |path| path.display().to_string());
            format!("{}:{}", if file == "-" { "(standard input)" } else { &file }, block.line + index)
        };
        let said = match std::str::from_utf8(line).map_err(|_| "it is not UTF-8".to_owned()).and_then(|text| {
            let recorded = LogLine::parse(text, task)?;
            compare_event(task, places, &recorded, &mut part.diff, &place)
        }) {
            Ok(said) => said,
            Err(why) => {
                part.diff.unreadable += 1;
                part.diff.first_unreadable.get_or_insert_with(|| format!("{}: {why}", place()));
                json!({ "error": why })
            }
        };
        if task.prints_lines {
            part.lines.push_str(&said.to_string());
            part.lines.push('\n');
        }
    }
    part
}

/// Judges an event again, and adds what changes. Returns the line that is said of it.
fn compare_event(
    task: &ReplayTask,
    places: &mut PlaceCache,
    recorded: &LogLine<'_>,
    diff: &mut Diff,
    position: &dyn Fn() -> String,
) -> Result<Value, String> {
    let place = places.get(&recorded.cwd()?, None);
    let call = RecordedCall {
        host: recorded.host,
        place: &place,
        time: recorded.time,
        payload: recorded.payload,
        members: &recorded.members,
    };
    let after = task.new.judge(&call)?;
    let (before, unsure) = if let Some(old) = &task.old {
        ((*old.judge(&call)?).clone(), false)
    } else {
        let unknown = "it has no recorded decision; name the previous policy with --against";
        let (decision, rules) = recorded.decision.ok_or(unknown)?;
        let before = ReplayOutcome::from_record(decision, rules).ok_or("its recorded decision is unreadable")?;
        let unsure = task.new.is_unsure(&before, &after);
        (before, unsure)
    };
    let changed = !before.is_equivalent(&after);
    diff.events += 1;
    if unsure {
        diff.unsure += 1;
    } else if changed {
        let example = || Example {
            location: recorded.id.map_or_else(position, ToOwned::to_owned),
            about: event_summary(recorded.payload),
        };
        diff.add(&before, &after, task.examples, &example);
    } else if before.rules != after.rules {
        diff.same_by_other_rules += 1;
    }
    if !task.prints_lines {
        return Ok(Value::Null);
    }
    let mut said = json!({ "before": before.as_json(), "after": after.as_json(), "changed": changed && !unsure });
    if let Value::Object(fields) = &mut said {
        if unsure {
            fields.insert("unsure".into(), json!(true));
        }
        if let Some(id) = recorded.id {
            fields.insert("id".into(), json!(id));
        }
    }
    Ok(said)
}

/// Returns what a payload is about, in one short line that a terminal can be shown.
fn event_summary(payload: &str) -> String {
    let value = serde_json::from_str(payload).unwrap_or(Value::Null);
    let text: String = audit::payload_summary(&value).chars().filter(|it| !it.is_control()).collect();
    match text.char_indices().nth(MAX_SUMMARY_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// Returns a time that is in a log.
pub(super) fn parse_timestamp(text: &str) -> Option<Time> {
    let since = humantime::parse_rfc3339(text).ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Some(Time(since.as_secs()))
}

/// A line of a log.
struct LogLine<'l> {
    host: &'static Host,
    id: Option<&'l str>,
    /// When the event was.
    time: Option<Time>,
    /// The decision, and the rules as JSON.
    decision: Option<(&'l str, &'l str)>,
    payload: &'l str,
    members: Vec<(&'l str, &'l str)>,
}

impl<'l> LogLine<'l> {
    /// Reads a record of the audit log, or a payload as a host sends it.
    fn parse(text: &'l str, task: &ReplayTask) -> Result<Self, String> {
        let line = members(text).ok_or("it is not a JSON object")?;
        let raw = |key: &str| line.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
        let written = |key: &str| raw(key).and_then(unescaped_string);
        if let Some(payload) = raw("ruleward.payload") {
            let host = context::by_name(written("gen_ai.agent.name").ok_or("it names no host")?)?;
            let members = members(payload).ok_or("its payload is not a JSON object")?;
            let decided = written("ruleward.decision").map(|it| (it, raw("ruleward.rules").unwrap_or("[]")));
            let time = written("timestamp").and_then(parse_timestamp);
            return Ok(Self { host, id: written("ruleward.id"), time, decision: decided, payload, members });
        }
        let wire = written("hook_event_name").ok_or("it is neither a record nor a payload")?;
        let host = task.host.map_or_else(|| context::by_event(wire, written("tool_name")), Ok)?;
        let time = written("timestamp").and_then(parse_timestamp);
        Ok(Self { host, id: None, time, decision: None, payload: text, members: line })
    }

    /// Returns the directory that the event happened in.
    fn cwd(&self) -> Result<String, String> {
        let value = self.members.iter().find(|(key, _)| *key == "cwd").map_or("\"/\"", |(_, value)| *value);
        serde_json::from_str(value).map_err(|error| format!("its `cwd` is unreadable: {error}"))
    }
}
