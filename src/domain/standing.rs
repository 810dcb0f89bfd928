//! How the hook itself stands: whether its host would still run it, by what the settings now say.
//!
//! Somebody who knows hosts and files looks; a policy sees the outcome under the word `guard`.

use std::cell::OnceCell;
use std::fmt;

/// A look at how the hook stands, taken when a rule asks.
pub struct Look<'a> {
    look: Box<dyn Fn() -> Standing + 'a>,
    seen: OnceCell<Standing>,
}

impl<'a> Look<'a> {
    /// Returns a look that is not taken yet.
    pub fn new(look: impl Fn() -> Standing + 'a) -> Self {
        Self { look: Box::new(look), seen: OnceCell::new() }
    }

    /// Returns what is to be seen.
    pub fn standing(&self) -> &Standing {
        self.seen.get_or_init(&self.look)
    }
}

impl fmt::Debug for Look<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Look").field("seen", &self.seen).finish_non_exhaustive()
    }
}

/// What the host's settings say of the hook.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Standing {
    /// Whether calls, or events like the present one, are not judged any more.
    pub broken: bool,
    /// What is wrong, in words for people.
    pub faults: Vec<String>,
}
