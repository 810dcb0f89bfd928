//! What keeps a hook from being ended from outside, or from telling what it holds when it ends.
//!
//! Most hosts take a hook that died by a signal for one that had nothing to say. So signals that ask
//! a program to end are left alone, as the hook's own deadline ends it soon in any case; an abort,
//! which is what a want of memory or of stack comes to, becomes the exit code that refuses, with the
//! runtime's own words on standard error; and no core is written, since the payload would be in it.
//! Nothing helps against being killed outright.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code that every host takes for a refusal when something stands on standard error.
#[cfg(unix)]
const REFUSED: i32 = 2;

/// What an abort comes to, which depends on the event that is judged.
#[derive(Debug, Clone)]
pub struct Aborts {
    refuse: Arc<AtomicBool>,
}

impl Aborts {
    /// Settles whether an abort refuses, or is a death like any other.
    pub fn settle(&self, refuse: bool) {
        self.refuse.store(refuse, Ordering::Relaxed);
    }
}

/// Prepares the process; an abort refuses until something else is settled.
pub fn start() -> Aborts {
    let aborts = Aborts { refuse: Arc::new(AtomicBool::new(true)) };
    prepare(&aborts);
    aborts
}

#[cfg(unix)]
fn prepare(aborts: &Aborts) {
    use signal_hook::consts::signal::{SIGABRT, SIGHUP, SIGINT, SIGTERM, SIGXCPU, SIGXFSZ};
    use signal_hook::flag;
    // A system on which one of these cannot be had is guarded no worse than without them.
    let _kept = flag::register_conditional_shutdown(SIGABRT, REFUSED, Arc::clone(&aborts.refuse));
    let unread = Arc::new(AtomicBool::new(false));
    for signal in [SIGHUP, SIGINT, SIGTERM, SIGXCPU, SIGXFSZ] {
        let _kept = flag::register(signal, Arc::clone(&unread));
    }
    let _kept = no_core();
}

/// Elsewhere processes are not ended in this way.
#[cfg(not(unix))]
fn prepare(_: &Aborts) {}

/// Cores go to programs as well, which a limit on their size does not stop; here the whole process is closed.
#[cfg(target_os = "linux")]
fn no_core() -> rustix::io::Result<()> {
    use rustix::process::{DumpableBehavior, set_dumpable_behavior};
    set_dumpable_behavior(DumpableBehavior::NotDumpable)
}

#[cfg(all(unix, not(target_os = "linux")))]
fn no_core() -> rustix::io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })
}
