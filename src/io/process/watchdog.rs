//! The deadline of a hook: an answer of our own before the host gives up on us.
//!
//! A host that runs out of patience lets the action go ahead. So a thread waits beside the
//! judgment, whatever that is stuck in (a pipe that nobody closes, a policy on a network drive),
//! and refuses in time. Programs that rules have run get the time they need, up to a bound.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::stdio::{Delivery, write_answer};

/// Bytes of stack for a thread that sleeps and writes one line.
const STACK_SIZE: usize = 64 << 10;

/// When an answer is due.
#[derive(Debug)]
pub struct Deadline {
    started_at: Instant,
    /// Milliseconds from the beginning.
    due_ms: AtomicU64,
    max: Duration,
}

impl Deadline {
    /// Returns a deadline that begins now, and is never put off beyond `latest`.
    pub fn new(deadline: Duration, latest: Duration) -> Self {
        Self { started_at: Instant::now(), due_ms: AtomicU64::new(millis(deadline)), max: latest.max(deadline) }
    }

    /// Puts the deadline off by so much, or as far as it goes; returns how much of that there is. Where it
    /// cannot be put off any more, three quarters of what is left may still be waited for.
    pub fn extend(&self, by: Duration) -> Duration {
        let before = self.total();
        let after = before.saturating_add(by).min(self.max);
        self.due_ms.store(millis(after), Ordering::SeqCst);
        after.saturating_sub(before).max(by.min(self.remaining().mul_f64(0.75)))
    }

    /// Returns how much of a time may be used without putting the deadline off: three quarters of what is left.
    pub fn available(&self, wanted: Duration) -> Duration {
        wanted.min(self.remaining().mul_f64(0.75))
    }

    /// Returns how long it is from the beginning to the end.
    pub fn total(&self) -> Duration {
        Duration::from_millis(self.due_ms.load(Ordering::SeqCst))
    }

    fn remaining(&self) -> Duration {
        self.total().saturating_sub(self.started_at.elapsed())
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Starts to watch a deadline. When it passes first, `refusal` gives standard output, standard error and
/// exit code, and the process ends.
///
/// # Errors
/// Returns the system's error when no thread can be started.
pub fn start(
    deadline: Arc<Deadline>,
    refusal: impl FnOnce() -> (String, String, u8) + Send + 'static,
) -> std::io::Result<()> {
    let wait = move || {
        let mut left = deadline.remaining();
        while !left.is_zero() {
            thread::sleep(left);
            left = deadline.remaining();
        }
        let (stdout, stderr, code) = refusal();
        if write_answer(&stdout, &stderr) != Delivery::AlreadyAnswered {
            exit(code);
        }
    };
    thread::Builder::new().stack_size(STACK_SIZE).spawn(wait).map(drop)
}

#[expect(clippy::exit, reason = "the evaluation is blocked and is not waited for")]
fn exit(code: u8) -> ! {
    process::exit(code.into())
}
