//! Other programs: found as a shell would find them, and run within bounds.
//!
//! A program that is waited for runs in a process group of its own, which is ended with it: what it
//! started and left behind holds nothing up and goes on nowhere. What it prints beyond the bound is
//! read and dropped, and what it does not read keeps nobody waiting.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use crate::io::files;
use crate::io::platform::{self, Ending, Surroundings, System};

/// Bytes of each stream that are kept.
const MOST_OUTPUT: usize = 1 << 20;
/// Bytes of stack for a thread that moves bytes.
const STACK: usize = 128 << 10;
/// How long a program that is asked to end may take to do so.
const GRACE: Duration = Duration::from_millis(250);
/// The longest pause between two looks at a program.
const MOST_PAUSE: Duration = Duration::from_millis(5);

/// What a program said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// On standard output.
    pub stdout: String,
    /// On standard error.
    pub stderr: String,
    /// How it ended; none when a signal ended it.
    pub code: Option<i32>,
    /// How long it took.
    pub took: Duration,
}

/// Why a program gave no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// It could not be started, with the system's words.
    NotStarted(String),
    /// It did not end in time and was ended.
    TimedOut,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotStarted(why) => write!(f, "it could not be started: {why}"),
            Self::TimedOut => f.write_str("it did not end in time"),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::NotStarted(error.to_string())
    }
}

/// Returns the path of a program, as a shell would find it.
pub fn find(surroundings: &Surroundings, name: &str) -> Option<String> {
    let separator = if surroundings.system == System::Windows { ';' } else { ':' };
    let endings: Vec<&str> = match surroundings.system {
        System::Windows => vec![".exe", ".cmd", ".bat", ".ps1", ""],
        System::Unix | System::MacOs => vec![""],
    };
    let directories = surroundings.variable("PATH")?.split(separator).filter(|directory| !directory.is_empty());
    let mut candidates = directories
        .flat_map(|directory| endings.iter().map(|ending| surroundings.join(directory, &[&format!("{name}{ending}")])));
    candidates.find(|path| is_executable(Path::new(path)))
}

/// Tells whether a path is a file that can be run.
pub fn is_executable(path: &Path) -> bool {
    let Ok(metadata) = path.metadata() else { return false };
    #[cfg(unix)]
    let allowed = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let allowed = true;
    metadata.is_file() && allowed
}

/// Runs a program with this on its standard input, and waits for it.
///
/// # Errors
/// Returns that it could not be started, or did not end within `patience`; then it was ended. What it
/// started in its process group is ended in any case.
pub fn run(command: &mut Command, input: &[u8], patience: Duration) -> Result<Output, Failure> {
    let begun = Instant::now();
    platform::set_apart(command);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let streams = child.stdin.take().map_or(Ok(()), |stdin| feed(stdin, input));
    let streams = streams.and_then(|()| Ok((Stream::of(child.stdout.take())?, Stream::of(child.stderr.take())?)));
    let (stdout, stderr) = match streams {
        Ok(streams) => streams,
        Err(error) => {
            let _ended = end(&mut child);
            return Err(error.into());
        }
    };
    if !has_ended(&mut child, begun, patience) {
        let _ended = end(&mut child);
        return Err(Failure::TimedOut);
    }
    // What inherited the streams may hold them open; what was said until now is what counts.
    let waiting = Instant::now();
    let text = |stream: &Stream| stream.text(GRACE.saturating_sub(waiting.elapsed()));
    let (stdout, stderr) = (text(&stdout), text(&stderr));
    let took = begun.elapsed();
    let status = end(&mut child)?;
    Ok(Output { stdout, stderr, code: status.code(), took })
}

/// Starts a program that nobody waits for, with this on its standard input: it goes on when we end, and
/// has nothing of ours.
///
/// # Errors
/// Returns that it could not be started.
pub fn start(command: &mut Command, input: &[u8]) -> Result<(), Failure> {
    platform::set_apart(command);
    // A pipe would have to be fed by somebody who stays.
    command.stdin(file_of(input)?).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    Ok(())
}

/// Returns a file that holds this and is gone when it is closed.
fn file_of(bytes: &[u8]) -> io::Result<File> {
    let (mut file, path) = files::create_temporary()?;
    // On systems that keep the name of an open file, it is gone when the file is closed.
    let removed = std::fs::remove_file(path);
    file.write_all(bytes)?;
    file.rewind()?;
    removed.map(|()| file)
}

/// Waits until a program has ended; false when it has not within `patience`.
fn has_ended(child: &mut Child, begun: Instant, patience: Duration) -> bool {
    let mut pause = Duration::from_micros(200);
    loop {
        if platform::has_ended(child) {
            return true;
        }
        if begun.elapsed() >= patience {
            return false;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(MOST_PAUSE);
    }
}

/// Ends a program, if it has not ended, with all of its process group: asked first, then not asked.
fn end(child: &mut Child) -> io::Result<ExitStatus> {
    platform::end_group(child, Ending::Asked);
    has_ended(child, Instant::now(), GRACE);
    platform::end_group(child, Ending::Forced);
    child.wait()
}

/// Gives a program its input. One that does not read ends the write by ending itself.
fn feed(mut stdin: ChildStdin, input: &[u8]) -> io::Result<()> {
    let input = input.to_owned();
    let write = move || {
        // Nobody has to read it.
        let _unread = stdin.write_all(&input);
    };
    thread::Builder::new().stack_size(STACK).spawn(write).map(drop)
}

/// What a program prints, read to its end and kept up to the bound.
struct Stream {
    kept: Arc<Mutex<Vec<u8>>>,
    ended: mpsc::Receiver<()>,
}

impl Stream {
    fn of(source: Option<impl Read + Send + 'static>) -> io::Result<Self> {
        let kept: Arc<Mutex<Vec<u8>>> = Arc::default();
        let (sender, ended) = mpsc::channel();
        if let Some(source) = source {
            let keeping = Arc::clone(&kept);
            let read = move || {
                drain(source, &keeping);
                let _late = sender.send(());
            };
            thread::Builder::new().stack_size(STACK).spawn(read)?;
        }
        Ok(Self { kept, ended })
    }

    /// Returns what was said, at the end or after `patience`.
    fn text(&self, patience: Duration) -> String {
        let _ended = self.ended.recv_timeout(patience);
        String::from_utf8_lossy(&self.kept.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
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
        let room = MOST_OUTPUT.saturating_sub(kept.len());
        kept.extend_from_slice(read.get(..room.min(read.len())).unwrap_or_default());
    }
}
