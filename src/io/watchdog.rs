//! The deadline of a hook: an answer of our own before the host gives up on us.
//!
//! A host that runs out of patience lets the action go ahead. So a thread waits beside the
//! judgement, whatever that is stuck in (a pipe that nobody closes, a policy on a network drive),
//! and refuses in time.

use std::process;
use std::thread;
use std::time::Duration;

use super::stdio::{Written, answer};

/// Bytes of stack for a thread that sleeps and writes one line.
const STACK: usize = 64 << 10;

/// Starts the deadline. When it passes first, `refusal` gives standard output, standard error and
/// exit code, and the process ends.
///
/// # Errors
/// Returns the system's error when no thread can be started.
pub fn start(
    deadline: Duration,
    refusal: impl FnOnce() -> (String, String, u8) + Send + 'static,
) -> std::io::Result<()> {
    let wait = move || {
        thread::sleep(deadline);
        let (stdout, stderr, code) = refusal();
        if answer(&stdout, &stderr) != Written::TooLate {
            end(code);
        }
    };
    thread::Builder::new().stack_size(STACK).spawn(wait).map(drop)
}

#[expect(clippy::exit, reason = "what the judgement is stuck in cannot be waited for")]
fn end(code: u8) -> ! {
    process::exit(code.into())
}
