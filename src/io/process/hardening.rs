//! Protects a hook from being ended by signals, and from leaking its memory when it ends.
//!
//! Most hosts take a hook that died by a signal for one that had nothing to say. So signals that ask
//! a program to end are left alone, as the hook's own deadline ends it soon in any case; an abort,
//! which is what a want of memory or of stack comes to, becomes the exit code that refuses, with the
//! runtime's own words on standard error; and no core is written, since the payload would be in it.
//! Where the address space is limited, the stack is taken before it is needed: a stack that cannot grow
//! is a death by a signal that nothing can be made of. Nothing helps against being killed outright.

use std::hint::black_box;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::io::platform::process::{free_address_space, max_stack};
use crate::io::platform::signal::install_signal_handlers;

/// Bytes of stack that are taken in advance, or half of those that there may be: what the deepest judgment takes.
const STACK_BYTES: usize = 4 << 20;
/// Bytes of one step of taking them.
const STEP_BYTES: usize = 4 << 10;
/// Bytes of address space without which no judgment is begun: the stack, and as much again for everything else.
const MIN_ADDRESS_SPACE: u64 = 2 * STACK_BYTES as u64;

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

/// Takes the stack that a judgment may need, where the address space is limited.
///
/// # Errors
/// Returns how many bytes are left, when they are too few to judge anything.
pub fn reserve_stack() -> Result<(), u64> {
    match free_address_space() {
        Some(free) if free < MIN_ADDRESS_SPACE => Err(free),
        Some(_) => {
            let most = max_stack().map_or(STACK_BYTES, |most| usize::try_from(most / 2).unwrap_or(STACK_BYTES));
            touch_stack(std::ptr::from_ref(&most).addr(), STACK_BYTES.min(most));
            Ok(())
        }
        None => Ok(()),
    }
}

/// Uses so many bytes of stack below an address.
#[inline(never)]
fn touch_stack(top: usize, bytes: usize) {
    let page = black_box([0_u8; STEP_BYTES]);
    if top.abs_diff(std::ptr::from_ref(&page).addr()) < bytes {
        touch_stack(top, bytes);
    }
    black_box(&page);
}
