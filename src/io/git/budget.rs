//! How much of a repository is read before the answer is that it is not known.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use super::GitError;

/// The steps that are taken whatever the time: a small repository is read on a slow machine as well.
const FREE_STEPS: u32 = 4096;

/// The time that nothing may exceed.
const MAX_TIME: Duration = Duration::from_millis(200);

/// The time after which only free steps are taken.
const USUAL_TIME: Duration = Duration::from_millis(45);

/// How many steps are taken between two looks at the clock.
const STEPS_PER_LOOK: u32 = 64;

/// A bound of the work on one question. A step is a file that is looked at, or an object that is read.
#[derive(Debug)]
pub struct Budget {
    started: Instant,
    steps: AtomicU32,
}

impl Budget {
    /// Starts a budget.
    pub fn start() -> Self {
        Self { started: Instant::now(), steps: AtomicU32::new(0) }
    }

    /// Takes some steps.
    ///
    /// # Errors
    /// Returns that there is no time left for them.
    pub fn spend(&self, steps: u32) -> Result<(), GitError> {
        let before = self.steps.fetch_add(steps, Ordering::Relaxed);
        let after = before.saturating_add(steps);
        if before / STEPS_PER_LOOK == after / STEPS_PER_LOOK {
            return Ok(());
        }
        let most = if after < FREE_STEPS { MAX_TIME } else { USUAL_TIME };
        if self.started.elapsed() < most { Ok(()) } else { Err(GitError::Exhausted) }
    }
}
