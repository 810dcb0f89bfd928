//! The texts to look through, and the threads that do it.
//!
//! Which thread takes which text is chance; what is reported, and in which order, is not.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::Args;
use super::scanner::{FileScanner, ScanFinding};
use crate::cli::CommandError;
use crate::domain::text::path::PathContext;
use crate::io::files::{self, FileError};
use crate::io::process::stdio;
use crate::io::scan::git::{self, DiffScope};
use crate::io::scan::text::{FileContent, decode_text, read_text};
use crate::io::scan::walk;

/// Threads at most: beyond that the disk is what is waited for.
const MAX_THREADS: usize = 16;

/// How often a user is told how far it is.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

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
}

/// What is to be done, and what could not even be listed.
pub(super) struct ScanJobs {
    jobs: Vec<ScanJob>,
    errors: Vec<String>,
}

/// What was found, and what was not looked through.
#[derive(Debug, Default)]
pub(super) struct ScanResults {
    /// The findings, by path and place.
    pub findings: Vec<ScanFinding>,
    /// Texts that were looked through.
    pub scanned_files: usize,
    /// Files that are no text.
    pub binary: usize,
    /// Files that are larger than allowed, with their size.
    pub too_large: BTreeMap<String, u64>,
    /// What a user should know of what was not searched.
    pub notes: Vec<String>,
    /// What could not be read.
    pub errors: Vec<String>,
}

/// Returns what a command line asks to look through.
pub(super) fn collect_jobs(args: &Args, place: &PathContext) -> Result<ScanJobs, CommandError> {
    let asked = if args.staged { Some(DiffScope::Staged) } else { args.diff.as_deref().map(DiffScope::Since) };
    if let Some(asked) = asked {
        let root = git::repository_root(&place.cwd)?;
        let changed = git::changed_files(&place.cwd, asked, args.max_size << 20)?;
        let jobs = changed.into_iter().map(|changed| ScanJob {
            path: place.resolve(&changed.path, Some(&root)),
            source: changed.bytes.map_or_else(JobSource::TooLarge, JobSource::Bytes),
            lines: Some(changed.lines),
        });
        return Ok(ScanJobs { jobs: jobs.collect(), errors: Vec::new() });
    }
    let (standard, paths): (Vec<PathBuf>, Vec<PathBuf>) =
        args.paths.iter().cloned().partition(|path| path == Path::new("-"));
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
    Ok(ScanJobs { jobs, errors: listed.errors })
}

/// What came of a text.
enum JobOutcome {
    Searched(Vec<ScanFinding>),
    Binary,
    TooLarge(u64),
    Failed(FileError),
}

/// Looks through everything.
pub(super) fn run(jobs: ScanJobs, examiner: &FileScanner<'_>, most: u64) -> ScanResults {
    let ScanJobs { jobs, errors } = jobs;
    let all = jobs.len();
    let threads = thread::available_parallelism().map_or(2, NonZero::get).clamp(2, MAX_THREADS).min(all.max(1));
    let next = AtomicUsize::new(0);
    let mut done: Vec<(usize, JobOutcome)> = Vec::with_capacity(all);
    let watched = stdio::is_stderr_terminal();
    thread::scope(|scope| {
        let (tell, hear) = mpsc::channel();
        for _ in 0..threads {
            let (tell, next, jobs) = (tell.clone(), &next, &jobs);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(at) else { break };
                    // Nobody listens only when nobody is left.
                    let _heard = tell.send((at, scan_job(job, examiner, most)));
                }
            });
        }
        drop(tell);
        let mut told = Instant::now();
        for one in hear {
            done.push(one);
            if watched && told.elapsed() >= PROGRESS_INTERVAL {
                stdio::show_progress(&format!("{} of {all} files", done.len()));
                told = Instant::now();
            }
        }
        if watched {
            stdio::show_progress("");
        }
    });
    done.sort_by_key(|(at, _)| *at);
    collect(&jobs, done, errors, examiner.place)
}

fn scan_job(job: &ScanJob, examiner: &FileScanner<'_>, most: u64) -> JobOutcome {
    let fetched = match &job.source {
        JobSource::File(path) => read_text(path, most),
        JobSource::Bytes(bytes) => Ok(decode_text(bytes.clone(), most)),
        JobSource::TooLarge(size) => Ok(FileContent::TooLarge(*size)),
    };
    match fetched {
        Ok(FileContent::Text(text)) => JobOutcome::Searched(examiner.scan_text(&text, &job.path, job.lines.as_deref())),
        Ok(FileContent::Binary) => JobOutcome::Binary,
        Ok(FileContent::TooLarge(size)) => JobOutcome::TooLarge(size),
        Err(error) => JobOutcome::Failed(error),
    }
}

fn collect(jobs: &[ScanJob], done: Vec<(usize, JobOutcome)>, errors: Vec<String>, place: &PathContext) -> ScanResults {
    let mut scanned = ScanResults { errors, ..ScanResults::default() };
    for (job, (_, done)) in jobs.iter().zip(done) {
        let path = place.display(&job.path).into_owned();
        match done {
            JobOutcome::Searched(hits) => {
                scanned.scanned_files += 1;
                scanned.findings.extend(hits);
            }
            JobOutcome::Binary => scanned.binary += 1,
            JobOutcome::TooLarge(size) => {
                let mib = size.div_ceil(1 << 20);
                scanned.notes.push(format!("{path} has {mib} MiB and was not searched; see --max-size"));
                scanned.too_large.insert(path, size);
            }
            JobOutcome::Failed(error) => scanned.errors.push(error.to_string()),
        }
    }
    scanned
}
