//! The texts to look through, and the threads that do it.
//!
//! Which thread takes which text is chance; what is reported, and in which order, is not.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::Args;
use super::history::{ScannedVersions, SharedHistory, scan_versions};
use super::scanner::{FileScanner, ScanFinding};
use crate::cli::CommandError;
use crate::cli::output::{group_digits, pluralize};
use crate::domain::text::path::PathContext;
use crate::io::files::{self, FileError};
use crate::io::process::stdio;
use crate::io::scan::git::{self, DiffScope};
use crate::io::scan::history::{FileHistory, read_history};
use crate::io::scan::objects::ObjectReader;
use crate::io::scan::text::{FileContent, decode_text, read_text};
use crate::io::scan::walk;

/// Threads at most: beyond that the disk is what is waited for.
const MAX_THREADS: usize = 16;

/// How often the progress is shown.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Before this time no progress is shown: a short scan prints its findings alone.
const PROGRESS_DELAY: Duration = Duration::from_millis(500);

/// The path under which the message of a commit is scanned.
const MESSAGE_PATH: &str = "(commit message)";

/// A text to look through.
pub(super) struct ScanJob {
    /// Absolute and normalised; what a user would recognise, for standard input.
    path: String,
    source: JobSource,
    lines: Option<Vec<Range<usize>>>,
}

enum JobSource {
    File(PathBuf),
    Bytes(Vec<u8>),
    TooLarge(u64),
    History(FileHistory),
}

impl ScanJob {
    /// Returns the number of texts.
    const fn text_count(&self) -> usize {
        match &self.source {
            JobSource::History(file) => file.versions.len(),
            JobSource::File(_) | JobSource::Bytes(_) | JobSource::TooLarge(_) => 1,
        }
    }
}

/// What is to be done, and what is known already.
#[derive(Default)]
pub(super) struct ScanJobs {
    jobs: Vec<ScanJob>,
    /// The results so far: what could not be listed, and what commit messages contain.
    results: ScanResults,
    history: SharedHistory,
}

/// What was found, and what was not looked through.
#[derive(Debug, Default)]
pub(super) struct ScanResults {
    /// The findings, by path and place.
    pub findings: Vec<ScanFinding>,
    /// Texts that were looked through.
    pub scanned_files: usize,
    /// Whether the texts are versions of files in the history of a repository.
    pub is_history: bool,
    /// Files that are no text.
    pub binary: usize,
    /// Files that are larger than allowed, with their size.
    pub too_large: BTreeMap<String, u64>,
    /// What a user should know of what was not searched.
    pub notes: Vec<String>,
    /// What could not be read.
    pub errors: Vec<String>,
}

impl ScanResults {
    /// Returns how many texts were scanned: `12 files`.
    pub(super) fn describe_scanned(&self) -> String {
        pluralize(self.scanned_files, if self.is_history { "version" } else { "file" })
    }
}

/// Returns what a command line asks to look through.
pub(super) fn collect_jobs(args: &Args, scanner: &FileScanner<'_>) -> Result<ScanJobs, CommandError> {
    let place = scanner.place;
    if args.history {
        return history_jobs(scanner);
    }
    let asked = if args.staged { Some(DiffScope::Staged) } else { args.diff.as_deref().map(DiffScope::Since) };
    if let Some(asked) = asked {
        let root = git::repository_root(&place.cwd)?;
        let changed = git::changed_files(&place.cwd, asked, args.max_size << 20)?;
        let jobs = changed.into_iter().map(|changed| ScanJob {
            path: place.resolve(&changed.path, Some(&root)),
            source: changed.bytes.map_or_else(JobSource::TooLarge, JobSource::Bytes),
            lines: Some(changed.lines),
        });
        return Ok(ScanJobs { jobs: jobs.collect(), ..ScanJobs::default() });
    }
    let paths = if args.paths.is_empty() { vec![PathBuf::from(".")] } else { args.paths.clone() };
    let (standard, paths): (Vec<PathBuf>, Vec<PathBuf>) = paths.into_iter().partition(|path| path == Path::new("-"));
    let listed = walk::list_files(&paths, args.no_ignore);
    let mut jobs: BTreeMap<String, ScanJob> = BTreeMap::new();
    for file in listed.files {
        let path = place.resolve(&file.to_string_lossy(), None);
        jobs.insert(path.clone(), ScanJob { path, source: JobSource::File(file), lines: None });
    }
    let mut jobs: Vec<ScanJob> = jobs.into_values().collect();
    if !standard.is_empty() {
        let bytes = files::read_or_stdin(Path::new("-"))?;
        jobs.push(ScanJob {
            path: place.resolve("(standard input)", None),
            source: JobSource::Bytes(bytes),
            lines: None,
        });
    }
    let results = ScanResults { errors: listed.errors, ..ScanResults::default() };
    Ok(ScanJobs { jobs, results, ..ScanJobs::default() })
}

/// Lists the versions of all files in the history of the repository, and scans the messages of its commits.
fn history_jobs(scanner: &FileScanner<'_>) -> Result<ScanJobs, CommandError> {
    let place = scanner.place;
    let root = git::repository_root(&place.cwd)?;
    let mut results = ScanResults { is_history: true, ..ScanResults::default() };
    let message_path = place.resolve(MESSAGE_PATH, Some(&root));
    let mut progress = Progress::start();
    let mut commits = 0;
    let history = read_history(&root, |commit, message| {
        commits += 1;
        progress.show(|| format!("reading the history: {}", pluralize(commits, "commit")));
        for mut finding in scanner.scan_text(message, &message_path, None) {
            finding.commit = Some(Arc::new(commit.clone()));
            results.findings.push(finding);
        }
    });
    progress.clear();
    let history = history?;
    if history.is_shallow {
        results.notes.push("the repository is a shallow clone: older commits are missing".to_owned());
    }
    let jobs = history.files.into_iter().map(|file| ScanJob {
        path: place.resolve(&file.path, Some(&root)),
        source: JobSource::History(file),
        lines: None,
    });
    Ok(ScanJobs { jobs: jobs.collect(), results, history: SharedHistory::new(root, history.commits) })
}

/// The line on standard error that shows how far the scan is, at a terminal.
struct Progress {
    is_watched: bool,
    shown: Option<Instant>,
    started: Instant,
}

impl Progress {
    fn start() -> Self {
        Self { is_watched: stdio::is_stderr_terminal(), shown: None, started: Instant::now() }
    }

    fn show(&mut self, text: impl FnOnce() -> String) {
        let is_due = match self.shown {
            None => self.started.elapsed() >= PROGRESS_DELAY,
            Some(shown) => shown.elapsed() >= PROGRESS_INTERVAL,
        };
        if self.is_watched && is_due {
            stdio::show_progress(&text());
            self.shown = Some(Instant::now());
        }
    }

    fn clear(&self) {
        if self.shown.is_some() {
            stdio::show_progress("");
        }
    }
}

/// What came of a job.
enum JobOutcome {
    Searched(Vec<ScanFinding>),
    Versions(ScannedVersions),
    Binary,
    TooLarge(u64),
    Failed(FileError),
}

/// Looks through everything.
pub(super) fn run(jobs: ScanJobs, scanner: &FileScanner<'_>, max_size: u64) -> ScanResults {
    let ScanJobs { jobs, results, history } = jobs;
    let all: usize = jobs.iter().map(ScanJob::text_count).sum();
    let threads = thread::available_parallelism().map_or(2, NonZero::get).clamp(2, MAX_THREADS).min(jobs.len().max(1));
    // The longest jobs go first, so that no thread is left with one at the end.
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    order.sort_by_key(|at| Reverse(jobs.get(*at).map(ScanJob::text_count)));
    let (next, done_texts) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let mut done: Vec<(usize, JobOutcome)> = Vec::with_capacity(jobs.len());
    let mut progress = Progress::start();
    thread::scope(|scope| {
        let (tell, hear) = mpsc::channel();
        for _ in 0..threads {
            let (tell, next, jobs, order, done_texts, history) =
                (tell.clone(), &next, &jobs, &order, &done_texts, &history);
            scope.spawn(move || {
                let mut worker = Worker { scanner, max_size, history, reader: None, done_texts };
                while let Some(at) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Some(job) = jobs.get(*at) else { break };
                    // Nobody listens only when nobody is left.
                    let _heard = tell.send((*at, worker.scan(job)));
                }
            });
        }
        drop(tell);
        let texts = if results.is_history { "versions of files" } else { "files" };
        loop {
            match hear.recv_timeout(PROGRESS_INTERVAL) {
                Ok(one) => done.push(one),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            let so_far = done_texts.load(Ordering::Relaxed);
            progress.show(|| format!("{} of {} {texts}", group_digits(so_far), group_digits(all)));
        }
        progress.clear();
    });
    done.sort_by_key(|(at, _)| *at);
    collect(&jobs, done, results, scanner.place)
}

/// A thread that scans.
struct Worker<'a> {
    scanner: &'a FileScanner<'a>,
    max_size: u64,
    history: &'a SharedHistory,
    /// Git, once it is needed.
    reader: Option<ObjectReader>,
    done_texts: &'a AtomicUsize,
}

impl Worker<'_> {
    fn scan(&mut self, job: &ScanJob) -> JobOutcome {
        let fetched = match &job.source {
            JobSource::History(file) => return JobOutcome::Versions(self.scan_history(file, &job.path)),
            JobSource::File(path) => read_text(path, self.max_size),
            JobSource::Bytes(bytes) => Ok(decode_text(bytes.clone(), self.max_size)),
            JobSource::TooLarge(size) => Ok(FileContent::TooLarge(*size)),
        };
        let outcome = match fetched {
            Ok(FileContent::Text(text)) => {
                JobOutcome::Searched(self.scanner.scan_text(&text, &job.path, job.lines.as_deref()))
            }
            Ok(FileContent::Binary) => JobOutcome::Binary,
            Ok(FileContent::TooLarge(size)) => JobOutcome::TooLarge(size),
            Err(error) => JobOutcome::Failed(error),
        };
        self.done_texts.fetch_add(1, Ordering::Relaxed);
        outcome
    }

    fn scan_history(&mut self, file: &FileHistory, path: &str) -> ScannedVersions {
        let reader = match self.reader.take() {
            Some(reader) => Ok(reader),
            None => ObjectReader::start(&self.history.root),
        };
        match reader {
            Ok(reader) => {
                let reader = self.reader.insert(reader);
                let limits = (self.max_size, self.done_texts);
                scan_versions(file, path, self.history, reader, self.scanner, limits)
            }
            Err(error) => ScannedVersions { errors: vec![error.to_string()], ..ScannedVersions::default() },
        }
    }
}

fn collect(
    jobs: &[ScanJob],
    done: Vec<(usize, JobOutcome)>,
    mut scanned: ScanResults,
    place: &PathContext,
) -> ScanResults {
    for (job, (_, done)) in jobs.iter().zip(done) {
        let path = place.display(&job.path).into_owned();
        let too_large = match done {
            JobOutcome::Searched(hits) => {
                scanned.scanned_files += 1;
                scanned.findings.extend(hits);
                None
            }
            JobOutcome::Versions(versions) => {
                scanned.scanned_files += versions.scanned;
                scanned.binary += versions.binary;
                scanned.findings.extend(versions.findings);
                scanned.errors.extend(versions.errors.iter().map(|error| format!("{path}: {error}")));
                versions.too_large
            }
            JobOutcome::Binary => {
                scanned.binary += 1;
                None
            }
            JobOutcome::TooLarge(size) => Some(size),
            JobOutcome::Failed(error) => {
                scanned.errors.push(error.to_string());
                None
            }
        };
        if let Some(size) = too_large {
            let mib = size.div_ceil(1 << 20);
            scanned.notes.push(format!("{path} was skipped ({mib} MiB); see --max-size"));
            scanned.too_large.insert(path, size);
        }
    }
    scanned
}
