//! Protects a hook from being ended by signals, and from leaking its memory when it ends.
//!
//! Most hosts take a hook that died by a signal for one that had nothing to say. So signals that ask
//! a program to end are left alone, as the hook's own deadline ends it soon in any case; an abort,
//! which is what a want of memory or of stack comes to, becomes the exit code that refuses, with the
//! runtime's own words on standard error; and no core is written, since the payload would be in it.
//! Nothing helps against being killed outright.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::io::platform::signal::install_signal_handlers;

/// What an abort comes to, which depends on the event that is judged.
#[derive(Debug, Clone)]
pub struct AbortHandler {
    refuse: Arc<AtomicBool>,
}

impl AbortHandler {
    /// Settles whether an abort refuses, or is a death like any other.
    pub fn set_refusal(&self, refuse: bool) {
        self.refuse.store(refuse, Ordering::Relaxed);
    }
}

/// Prepares the process; an abort refuses until something else is settled.
pub fn install() -> AbortHandler {
    let aborts = AbortHandler { refuse: Arc::new(AtomicBool::new(true)) };
    install_signal_handlers(&aborts.refuse);
    aborts
}
