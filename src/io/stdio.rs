//! The two ends of a hook: the payload in, one answer out.
//!
//! Whoever settles the answer first, the judgement or the deadline, writes it; the other one is
//! too late and writes nothing.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use super::bytes::Bytes;
use super::platform::{is_unheard, widen_stdin};

/// Bytes of a payload that are read; a larger one is not judged.
pub const MOST_BYTES: u64 = 64 << 20;

static ANSWERED: AtomicBool = AtomicBool::new(false);

/// Reads the payload.
///
/// # Errors
/// Returns what is wrong, for people: it cannot be read, or is larger than [`MOST_BYTES`].
pub fn read_payload() -> Result<Bytes, String> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        say("waiting for a hook payload on standard input; to try a policy by hand, see `ruleward check --help`");
    }
    let mut stdin = stdin.lock();
    let read = Bytes::read(&mut stdin, widen_stdin);
    let bytes = read.map_err(|error| format!("the payload could not be read: {error}"))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!("the payload is larger than {} MiB", MOST_BYTES >> 20));
    }
    Ok(bytes)
}

/// Writes the one answer of the process.
///
/// Returns whether this call was the one that wrote it, and whether it arrived.
pub fn answer(stdout: &str, stderr: &str) -> Written {
    if ANSWERED.swap(true, Ordering::SeqCst) {
        return Written::TooLate;
    }
    if !stderr.is_empty() {
        // Nobody is left to tell when this fails.
        let _unheard = io::stderr().write_all(stderr.as_bytes());
    }
    if stdout.is_empty() {
        return Written::Delivered;
    }
    let mut out = io::stdout().lock();
    if out.write_all(stdout.as_bytes()).and_then(|()| out.flush()).is_ok() && !is_unheard() {
        return Written::Delivered;
    }
    // Some hosts look here for an answer when there is none in its place; the others show it.
    say(stdout.trim_end());
    Written::Lost
}

/// What became of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// It is with the host.
    Delivered,
    /// Nobody reads standard output; it stands on standard error instead.
    Lost,
    /// Another answer was given before.
    TooLate,
}

/// Says something to people, on standard error.
pub fn say(text: &str) {
    // Nobody is left to tell when this fails.
    let _unheard = writeln!(io::stderr(), "{text}");
}

/// Tells whether a person sees standard error as it is written.
pub fn is_watched() -> bool {
    io::stderr().is_terminal()
}

/// Shows how far something is, on one line of standard error that the next such line takes the place of.
pub fn progress(text: &str) {
    let _unheard = write!(io::stderr(), "\r\u{1b}[K{text}");
}

/// Prints a result, on standard output. A reader that went away ends the output quietly.
pub fn print(text: &str) {
    let _unheard = is_printed(text);
}

/// Prints a part of a result; false when nobody reads it any more.
pub fn is_printed(text: &str) -> bool {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_ok()
}

/// Tells whether standard input and standard output are a terminal.
pub fn is_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Puts a question to whoever sits at the terminal, and returns the line that is typed.
pub fn ask(question: &str) -> Option<String> {
    print(question);
    io::stdin().lines().next()?.ok()
}

/// Tells whether standard output is a terminal that wants colours (`NO_COLOR` turns them off).
pub fn wants_colour() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stdout().is_terminal() && !refused && !dumb
}
