//! The status of the hook itself: whether the current settings of its host would still run it.
//!
//! A caller that knows hosts and files checks it; a policy sees the result as the variable `guard`.

use std::cell::OnceCell;
use std::fmt;

/// A check of the hook's status that runs when a rule first asks for it.
pub struct HookStatusProbe<'a> {
    probe: Box<dyn Fn() -> HookStatus + 'a>,
    status: OnceCell<HookStatus>,
}

impl<'a> HookStatusProbe<'a> {
    /// Creates a check that has not run yet.
    pub fn new(look: impl Fn() -> HookStatus + 'a) -> Self {
        Self { probe: Box::new(look), status: OnceCell::new() }
    }

    /// Returns the status, and runs the check the first time.
    pub fn status(&self) -> &HookStatus {
        self.status.get_or_init(&self.probe)
    }
}

impl fmt::Debug for HookStatusProbe<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Look").field("seen", &self.status).finish_non_exhaustive()
    }
}

/// What the settings of the host imply for the hook.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HookStatus {
    /// Whether calls, or events like the present one, are no longer judged.
    pub is_broken: bool,
    /// Descriptions of what is wrong, for users.
    pub faults: Vec<String>,
}
