//! How far a replay is, on one line of standard error, for whoever watches.

use std::time::{Duration, Instant};

use crate::io::process::stdio;

/// How often a user is told how far it is.
pub(super) const INTERVAL: Duration = Duration::from_millis(100);
/// Signs of the bar.
const WIDTH: usize = 24;

/// The line at a terminal; nothing elsewhere.
pub(super) struct ProgressBar {
    is_visible: bool,
    started: Instant,
    last_update: Instant,
    total_bytes: Option<u64>,
    /// What is counted.
    what: &'static str,
    /// How long nothing is shown at first.
    delay: Duration,
}

impl ProgressBar {
    pub(super) fn new(what: &'static str, total_bytes: Option<u64>, delay: Duration) -> Self {
        let now = Instant::now();
        let is_visible = stdio::is_stderr_terminal();
        Self { is_visible, started: now, last_update: now, total_bytes, what, delay }
    }

    pub(super) fn update(&mut self, count: usize, bytes: u64) {
        if !self.is_visible || self.last_update.elapsed() < INTERVAL || self.started.elapsed() < self.delay {
            return;
        }
        self.last_update = Instant::now();
        #[expect(clippy::cast_precision_loss, reason = "it is shown in whole thousands")]
        let rate = count as f64 / self.started.elapsed().as_secs_f64() / 1000.0;
        let filled = self
            .total_bytes
            .filter(|all| *all > 0)
            .map(|all| usize::try_from(bytes * 24 / all).unwrap_or(WIDTH).min(WIDTH));
        let bar =
            filled.map(|filled| format!("[{}{}] ", "#".repeat(filled), "·".repeat(WIDTH - filled))).unwrap_or_default();
        stdio::show_progress(&format!("{bar}{count} {}, {rate:.1} thousand a second", self.what));
    }

    pub(super) fn finish(&self) {
        if self.is_visible {
            stdio::show_progress("");
        }
    }
}
