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
use super::examine::{Examiner, Hit};
use crate::domain::path::Place;
use crate::io::scan::git::{self, Changes};
use crate::io::scan::text::{Fetched, decode, fetch};
use crate::io::scan::walk;
use crate::io::{files, stdio};

/// Threads at most: beyond that the disk is what is waited for.
const MOST_THREADS: usize = 16;

/// How often a person is told how far it is.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// A text to look through.
pub(super) struct Job {
    /// Absolute and normalised; what a person would recognise, for standard input.
    path: String,
    source: Source,
    lines: Option<Vec<Range<usize>>>,
}

enum Source {
    File(PathBuf),
    Bytes(Vec<u8>),
    TooLarge(u64),
}

/// What is to be done, and what could not even be listed.
pub(super) struct Jobs {
    jobs: Vec<Job>,
    errors: Vec<String>,
}

/// What was found, and what was not looked through.
#[derive(Debug, Default)]
pub(super) struct Scanned {
    /// The findings, by path and place.
    pub hits: Vec<Hit>,
    /// Texts that were looked through.
    pub texts: usize,
    /// Files that are no text.
    pub binary: usize,
    /// Files that are larger than allowed, with their size.
    pub too_large: BTreeMap<String, u64>,
    /// What a person should know of what was not searched.
    pub notes: Vec<String>,
    /// What could not be read.
    pub errors: Vec<String>,
}

/// Returns what a command line asks to look through.
pub(super) fn jobs(args: &Args, place: &Place) -> Result<Jobs, String> {
    let asked = if args.staged { Some(Changes::Staged) } else { args.diff.as_deref().map(Changes::Since) };
    if let Some(asked) = asked {
        let root = git::root(&place.cwd)?;
        let changed = git::changed(&place.cwd, asked, args.max_size << 20)?;
        let jobs = changed.into_iter().map(|changed| Job {
            path: place.resolve(&changed.path, Some(&root)),
            source: changed.bytes.map_or_else(Source::TooLarge, Source::Bytes),
            lines: Some(changed.lines),
        });
        return Ok(Jobs { jobs: jobs.collect(), errors: Vec::new() });
    }
    let (standard, paths): (Vec<PathBuf>, Vec<PathBuf>) =
        args.paths.iter().cloned().partition(|path| path == Path::new("-"));
    let listed = walk::files(&paths, args.no_ignore);
    let mut jobs: BTreeMap<String, Job> = BTreeMap::new();
    for file in listed.files {
        let path = place.resolve(&file.to_string_lossy(), None);
        jobs.insert(path.clone(), Job { path, source: Source::File(file), lines: None });
    }
    let mut jobs: Vec<Job> = jobs.into_values().collect();
    if !standard.is_empty() {
        let bytes = files::read(Path::new("-"))?;
        jobs.push(Job { path: place.resolve("(standard input)", None), source: Source::Bytes(bytes), lines: None });
    }
    Ok(Jobs { jobs, errors: listed.errors })
}

/// What came of a text.
enum Done {
    Searched(Vec<Hit>),
    Binary,
    TooLarge(u64),
    Failed(String),
}

/// Looks through everything.
pub(super) fn run(jobs: Jobs, examiner: &Examiner<'_>, most: u64) -> Scanned {
    let Jobs { jobs, errors } = jobs;
    let all = jobs.len();
    let threads = thread::available_parallelism().map_or(2, NonZero::get).clamp(2, MOST_THREADS).min(all.max(1));
    let next = AtomicUsize::new(0);
    let mut done: Vec<(usize, Done)> = Vec::with_capacity(all);
    let watched = stdio::is_watched();
    thread::scope(|scope| {
        let (tell, hear) = mpsc::channel();
        for _ in 0..threads {
            let (tell, next, jobs) = (tell.clone(), &next, &jobs);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(at) else { break };
                    // Nobody listens only when nobody is left.
                    let _heard = tell.send((at, look(job, examiner, most)));
                }
            });
        }
        drop(tell);
        let mut told = Instant::now();
        for one in hear {
            done.push(one);
            if watched && told.elapsed() >= TELL_EVERY {
                stdio::progress(&format!("{} of {all} files", done.len()));
                told = Instant::now();
            }
        }
        if watched {
            stdio::progress("");
        }
    });
    done.sort_by_key(|(at, _)| *at);
    gathered(&jobs, done, errors, examiner.place)
}

fn look(job: &Job, examiner: &Examiner<'_>, most: u64) -> Done {
    let fetched = match &job.source {
        Source::File(path) => fetch(path, most),
        Source::Bytes(bytes) => Ok(decode(bytes.clone(), most)),
        Source::TooLarge(size) => Ok(Fetched::TooLarge(*size)),
    };
    match fetched {
        Ok(Fetched::Text(text)) => Done::Searched(examiner.examine(&text, &job.path, job.lines.as_deref())),
        Ok(Fetched::Binary) => Done::Binary,
        Ok(Fetched::TooLarge(size)) => Done::TooLarge(size),
        Err(why) => Done::Failed(why),
    }
}

fn gathered(jobs: &[Job], done: Vec<(usize, Done)>, errors: Vec<String>, place: &Place) -> Scanned {
    let mut scanned = Scanned { errors, ..Scanned::default() };
    for (job, (_, done)) in jobs.iter().zip(done) {
        let path = place.shown(&job.path).into_owned();
        match done {
            Done::Searched(hits) => {
                scanned.texts += 1;
                scanned.hits.extend(hits);
            }
            Done::Binary => scanned.binary += 1,
            Done::TooLarge(size) => {
                let mib = size.div_ceil(1 << 20);
                scanned.notes.push(format!("{path} has {mib} MiB and was not searched; see --max-size"));
                scanned.too_large.insert(path, size);
            }
            Done::Failed(why) => scanned.errors.push(why),
        }
    }
    scanned
}
