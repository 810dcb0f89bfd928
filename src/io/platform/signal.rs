//! Signals that would end a hook, and the core files that some of them leave.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The exit code that every host takes for a refusal when something is on standard error.
#[cfg(unix)]
const REFUSAL_EXIT_CODE: i32 = 2;

/// Ignores the signals that ask a program to end, turns an abort into the exit code of a refusal while
/// the flag is set, and writes no core files.
#[cfg(unix)]
pub fn install_signal_handlers(refuse_on_abort: &Arc<AtomicBool>) {
    use signal_hook::consts::signal::{SIGABRT, SIGHUP, SIGINT, SIGTERM, SIGXCPU, SIGXFSZ};
    use signal_hook::flag;
    // A system on which one of these cannot be had is guarded no worse than without them.
    let _kept = flag::register_conditional_shutdown(SIGABRT, REFUSAL_EXIT_CODE, Arc::clone(refuse_on_abort));
    let unread = Arc::new(AtomicBool::new(false));
    for signal in [SIGHUP, SIGINT, SIGTERM, SIGXCPU, SIGXFSZ] {
        let _kept = flag::register(signal, Arc::clone(&unread));
    }
    let _kept = disable_core_dumps();
}

/// Elsewhere processes are not ended in this way.
#[cfg(not(unix))]
pub fn install_signal_handlers(_: &Arc<AtomicBool>) {}

/// Cores go to programs as well, which a limit on their size does not stop; here the whole process is closed.
#[cfg(target_os = "linux")]
fn disable_core_dumps() -> rustix::io::Result<()> {
    use rustix::process::{DumpableBehavior, set_dumpable_behavior};
    set_dumpable_behavior(DumpableBehavior::NotDumpable)
}

#[cfg(all(unix, not(target_os = "linux")))]
fn disable_core_dumps() -> rustix::io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })
}
