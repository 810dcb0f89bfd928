//! The two ends of a hook: the payload in, one answer out.
//!
//! Whoever settles the answer first, the judgment or the deadline, writes it; the other one is
//! too late and writes nothing.

use std::error::Error;
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use super::payload_bytes::PayloadBytes;
use crate::domain::text::visible::{EscapeForm, visible};
use crate::io::platform::stdio::{enlarge_stdin_pipe, is_stdout_discarded};

/// Bytes of a payload that are read; a larger one is not judged.
pub const MAX_PAYLOAD_BYTES: u64 = 64 << 20;

static ANSWERED: AtomicBool = AtomicBool::new(false);

/// Why there is no payload.
#[derive(Debug)]
pub enum PayloadError {
    /// Standard input could not be read.
    NotRead(io::Error),
    /// It is larger than [`MAX_PAYLOAD_BYTES`].
    TooLarge,
}

impl fmt::Display for PayloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotRead(error) => write!(f, "the payload could not be read: {error}"),
            Self::TooLarge => write!(f, "the payload is larger than {} MiB", MAX_PAYLOAD_BYTES >> 20),
        }
    }
}

impl Error for PayloadError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::NotRead(error) => Some(error),
            Self::TooLarge => None,
        }
    }
}

/// Reads the payload.
///
/// # Errors
/// Returns that it cannot be read, or is larger than [`MAX_PAYLOAD_BYTES`].
pub fn read_payload() -> Result<PayloadBytes, PayloadError> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        print_stderr("waiting for a hook payload on standard input; to try a policy by hand, use `ruleward check`");
    }
    let mut stdin = stdin.lock();
    let read = PayloadBytes::read(&mut stdin, enlarge_stdin_pipe);
    let bytes = read.map_err(PayloadError::NotRead)?;
    if bytes.len() as u64 > MAX_PAYLOAD_BYTES {
        return Err(PayloadError::TooLarge);
    }
    Ok(bytes)
}

/// Writes the one answer of the process.
///
/// Returns whether this call was the one that wrote it, and whether it arrived.
pub fn write_answer(stdout: &str, stderr: &str) -> Delivery {
    if ANSWERED.swap(true, Ordering::SeqCst) {
        return Delivery::AlreadyAnswered;
    }
    if !stderr.is_empty() {
        // Nobody is left to tell when this fails.
        let _unheard = io::stderr().write_all(stderr.as_bytes());
    }
    if stdout.is_empty() {
        return Delivery::Delivered;
    }
    let mut out = io::stdout().lock();
    if out.write_all(stdout.as_bytes()).and_then(|()| out.flush()).is_ok() && !is_stdout_discarded() {
        return Delivery::Delivered;
    }
    // Some hosts look here for an answer when there is none in its place; the others show it.
    let _unheard = writeln!(io::stderr(), "{}", stdout.trim_end());
    Delivery::Lost
}

/// What became of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// It is with the host.
    Delivered,
    /// Nobody reads standard output; it is on standard error instead.
    Lost,
    /// Another answer was given before.
    AlreadyAnswered,
}

/// Says something to people, on standard error.
pub fn print_stderr(text: &str) {
    // Nobody is left to tell when this fails.
    let _unheard = writeln!(io::stderr(), "{}", visible(text, EscapeForm::Text));
}

/// Returns whether a user sees standard error as it is written.
pub fn is_stderr_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Shows how far something is, on one line of standard error that the next such line takes the place of.
pub fn show_progress(text: &str) {
    let _unheard = write!(io::stderr(), "\r\u{1b}[K{text}");
}

/// Prints a result, on standard output. A reader that went away ends the output quietly.
pub fn print(text: &str) {
    let _unheard = try_print(text);
}

/// Prints a part of a result; false when nobody reads it any more.
pub fn try_print(text: &str) -> bool {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_ok()
}

/// Returns whether standard input and standard output are a terminal.
pub fn is_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Returns whether standard output is a terminal.
pub fn is_stdout_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Puts a question to whoever sits at the terminal, and returns the line that is typed.
pub fn prompt(question: &str) -> Option<String> {
    print(&visible(question, EscapeForm::Text));
    io::stdin().lines().next()?.ok()
}

/// Returns whether standard output is a terminal that wants colours (`NO_COLOR` turns them off).
pub fn supports_color() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stdout().is_terminal() && !refused && !dumb
}
