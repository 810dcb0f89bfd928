//! What is said of a panic: where in the program it was, and nothing of its message, which may hold what was judged.

use std::panic::{self, AssertUnwindSafe};
use std::sync::OnceLock;

/// Where the first panic of the process was. Others follow from it.
static PLACE: OnceLock<String> = OnceLock::new();

/// Has the places of panics kept from now on, and nothing of them printed.
pub(super) fn watch() {
    panic::set_hook(Box::new(|panic| {
        if let Some(place) = panic.location() {
            let _is_first = PLACE.set(place.to_string());
        }
    }));
}

/// Runs something.
///
/// # Errors
/// Returns what to tell people of a panic in it.
pub(super) fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    panic::catch_unwind(AssertUnwindSafe(run)).map_err(|_| told())
}

/// Returns what to tell people of a panic.
pub(super) fn told() -> String {
    let place = PLACE.get().map(|place| format!(", at {place}")).unwrap_or_default();
    format!("an error inside ruleward itself{place}; please report it")
}
