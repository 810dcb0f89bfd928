//! Other programs: found as a shell would find them, and run within bounds.
//!
//! A program that is waited for runs in a process group of its own, which is ended with it: what it
//! started and left behind holds nothing up and goes on nowhere. What it prints beyond the bound is
//! read and dropped, and what it does not read keeps nobody waiting.

pub mod hardening;
pub mod panics;
pub mod payload_bytes;
pub mod process_list;
pub mod runner;
pub mod stdio;
pub mod watchdog;

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use crate::io::files;
use crate::io::platform::file::may_execute;
use crate::io::platform::process::{Termination, has_exited, terminate_group, use_own_process_group};
use crate::io::platform::{OsFamily, Platform};

/// Bytes of each stream that are kept.
const MAX_OUTPUT: usize = 1 << 20;
/// Bytes of stack for a thread that moves bytes.
const STACK_SIZE: usize = 128 << 10;
/// How long a program that is asked to end may take to do so.
const GRACE_PERIOD: Duration = Duration::from_millis(250);
/// The longest pause between two looks at a program.
const MAX_POLL_INTERVAL: Duration = Duration::from_millis(5);

/// What a program said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessOutput {
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
    /// How it ended; none when it was killed by a signal.
    pub exit_code: Option<i32>,
    /// How long it took.
    pub duration: Duration,
}

/// Why a program gave no answer.
#[derive(Debug)]
pub enum ProcessError {
    /// It could not be started.
    NotStarted(io::Error),
    /// It did not finish in time and was ended.
    TimedOut,
}

impl std::fmt::Display for ProcessError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotStarted(why) => write!(f, "it could not be started: {why}"),
            Self::TimedOut => f.write_str("it did not finish in time"),
        }
    }
}

impl std::error::Error for ProcessError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NotStarted(error) => Some(error),
            Self::TimedOut => None,
        }
    }
}

impl From<io::Error> for ProcessError {
    fn from(error: io::Error) -> Self {
        Self::NotStarted(error)
    }
}

/// Returns the path of a program, as a shell would find it.
pub fn find_in_path(surroundings: &Platform, name: &str) -> Option<String> {
    let separator = if surroundings.os == OsFamily::Windows { ';' } else { ':' };
    let endings: Vec<&str> = match surroundings.os {
        OsFamily::Windows => vec![".exe", ".cmd", ".bat", ".ps1", ""],
        OsFamily::Unix | OsFamily::MacOs => vec![""],
    };
    let directories = surroundings.env_var("PATH")?.split(separator).filter(|directory| !directory.is_empty());
    let mut candidates = directories
        .flat_map(|directory| endings.iter().map(|ending| surroundings.join(directory, &[&format!("{name}{ending}")])));
    candidates.find(|path| is_executable(Path::new(path)))
}

/// Returns whether a path is a file that can be run.
pub fn is_executable(path: &Path) -> bool {
    let Ok(metadata) = path.metadata() else { return false };
    metadata.is_file() && may_execute(&metadata)
}

/// Runs a program with this on its standard input, and waits for it.
///
/// # Errors
/// Returns that it could not be started, or did not end within `patience`; then it was ended. What it
/// started in its process group is ended in any case.
pub fn run(command: &mut Command, input: &[u8], patience: Duration) -> Result<ProcessOutput, ProcessError> {
    let begun = Instant::now();
    use_own_process_group(command);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let streams = child.stdin.take().map_or(Ok(()), |stdin| write_stdin(stdin, input));
    let streams = streams
        .and_then(|()| Ok((OutputReader::spawn(child.stdout.take())?, OutputReader::spawn(child.stderr.take())?)));
    let (stdout, stderr) = match streams {
        Ok(streams) => streams,
        Err(error) => {
            let _ended = terminate(&mut child);
            return Err(error.into());
        }
    };
    if !wait_for_exit(&mut child, begun, patience) {
        let _ended = terminate(&mut child);
        return Err(ProcessError::TimedOut);
    }
    // What inherited the streams may hold them open; what was said until now is what counts.
    let waiting = Instant::now();
    let text = |stream: &OutputReader| stream.text(GRACE_PERIOD.saturating_sub(waiting.elapsed()));
    let (stdout, stderr) = (text(&stdout), text(&stderr));
    let took = begun.elapsed();
    let status = terminate(&mut child)?;
    Ok(ProcessOutput { stdout, stderr, exit_code: status.code(), duration: took })
}

/// Starts a program that nobody waits for, with this on its standard input: it goes on when we end, and
/// has nothing of ours.
///
/// # Errors
/// Returns that it could not be started.
pub fn spawn_detached(command: &mut Command, input: &[u8]) -> Result<(), ProcessError> {
    use_own_process_group(command);
    // A pipe would have to be fed by somebody who stays.
    command.stdin(temporary_file(input)?).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    Ok(())
}

/// Returns a file that holds this and is gone when it is closed.
fn temporary_file(bytes: &[u8]) -> io::Result<File> {
    let (mut file, path) = files::create_temporary()?;
    // On systems that keep the name of an open file, it is gone when the file is closed.
    let removed = std::fs::remove_file(path);
    file.write_all(bytes)?;
    file.rewind()?;
    removed.map(|()| file)
}

/// Waits until a program has ended; false when it has not within `patience`.
fn wait_for_exit(child: &mut Child, begun: Instant, patience: Duration) -> bool {
    let mut pause = Duration::from_micros(200);
    loop {
        if has_exited(child) {
            return true;
        }
        if begun.elapsed() >= patience {
            return false;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(MAX_POLL_INTERVAL);
    }
}

/// Ends a program, if it has not ended, with all of its process group: asked first, then not asked.
fn terminate(child: &mut Child) -> io::Result<ExitStatus> {
    terminate_group(child, Termination::Graceful);
    wait_for_exit(child, Instant::now(), GRACE_PERIOD);
    terminate_group(child, Termination::Forced);
    child.wait()
}

/// Gives a program its input. One that does not read ends the write by ending itself.
fn write_stdin(mut stdin: ChildStdin, input: &[u8]) -> io::Result<()> {
    let input = input.to_owned();
    let write = move || {
        // Nobody has to read it.
        let _unread = stdin.write_all(&input);
    };
    thread::Builder::new().stack_size(STACK_SIZE).spawn(write).map(drop)
}

/// What a program prints, read to its end and kept up to the bound.
struct OutputReader {
    buffer: Arc<Mutex<Vec<u8>>>,
    finished: mpsc::Receiver<()>,
}

impl OutputReader {
    fn spawn(source: Option<impl Read + Send + 'static>) -> io::Result<Self> {
        let kept: Arc<Mutex<Vec<u8>>> = Arc::default();
        let (sender, ended) = mpsc::channel();
        if let Some(source) = source {
            let keeping = Arc::clone(&kept);
            let read = move || {
                drain(source, &keeping);
                let _late = sender.send(());
            };
            thread::Builder::new().stack_size(STACK_SIZE).spawn(read)?;
        }
        Ok(Self { buffer: kept, finished: ended })
    }

    /// Returns what was said, at the end or after `patience`.
    fn text(&self, patience: Duration) -> String {
        let _ended = self.finished.recv_timeout(patience);
        String::from_utf8_lossy(&self.buffer.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }
}

fn drain(mut source: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut chunk = [0; 16 << 10];
    loop {
        let read = match source.read(&mut chunk) {
            Ok(0) => return,
            Ok(read) => chunk.get(..read).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            // What was read before an error is still what was said.
            Err(_) => return,
        };
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        let room = MAX_OUTPUT.saturating_sub(kept.len());
        kept.extend_from_slice(read.get(..room.min(read.len())).unwrap_or_default());
    }
}
