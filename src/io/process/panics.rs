//! A panic's message is its location only: its text may contain a payload and is never shown.

use std::panic::{self, AssertUnwindSafe};
use std::sync::OnceLock;

/// Where the first panic of the process was. Others follow from it.
static PANIC_LOCATION: OnceLock<String> = OnceLock::new();

/// Has the places of panics kept from now on, and nothing of them printed.
pub fn install_hook() {
    panic::set_hook(Box::new(|panic| {
        if let Some(place) = panic.location() {
            let _is_first = PANIC_LOCATION.set(place.to_string());
        }
    }));
}

/// Runs something.
///
/// # Errors
/// Returns what to tell people of a panic in it.
pub fn catch<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    panic::catch_unwind(AssertUnwindSafe(run)).map_err(|_| message())
}

/// Returns what to tell people of a panic.
pub fn message() -> String {
    let place = PANIC_LOCATION.get().map(|place| format!(", at {place}")).unwrap_or_default();
    format!("an error inside ruleward itself{place}; please report it")
}
