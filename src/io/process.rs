//! Other programs: found as a shell would find them, and run within bounds.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::io::platform::{Surroundings, System};

/// Bytes of each stream that are kept.
const MOST_OUTPUT: u64 = 1 << 20;

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

/// Runs a program with a text on its standard input, and waits for it.
///
/// # Errors
/// Returns that it could not be started, or did not end within `patience`; then it was ended.
pub fn run(command: &mut Command, input: &str, patience: Duration) -> Result<Output, Failure> {
    let begun = Instant::now();
    let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = spawned.map_err(|error| Failure::NotStarted(error.to_string()))?;
    if let Some(mut stdin) = child.stdin.take() {
        let input = input.to_owned();
        // A program that does not read ends the write by ending itself.
        thread::spawn(move || stdin.write_all(input.as_bytes()));
    }
    let stdout = collect(child.stdout.take());
    let stderr = collect(child.stderr.take());
    let code = wait(&mut child, begun, patience)?;
    let rest = patience.saturating_sub(begun.elapsed()).max(Duration::from_millis(200));
    // What inherited the streams may hold them open; what was said until now is what counts.
    let text = |stream: &mpsc::Receiver<Vec<u8>>| {
        String::from_utf8_lossy(&stream.recv_timeout(rest).unwrap_or_default()).into_owned()
    };
    Ok(Output { stdout: text(&stdout), stderr: text(&stderr), code, took: begun.elapsed() })
}

fn wait(child: &mut Child, begun: Instant, patience: Duration) -> Result<Option<i32>, Failure> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status.code()),
            Ok(None) if begun.elapsed() < patience => thread::sleep(Duration::from_millis(2)),
            Ok(None) | Err(_) => {
                // It may have ended by itself in the meantime.
                let _ended = child.kill();
                let _reaped = child.wait();
                return Err(Failure::TimedOut);
            }
        }
    }
}

fn collect(stream: Option<impl Read + Send + 'static>) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    if let Some(stream) = stream {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let mut stream = stream.take(MOST_OUTPUT);
            // What was read before an error is still what was said.
            let _cut = stream.read_to_end(&mut bytes);
            let _late = sender.send(bytes);
        });
    }
    receiver
}
