//! Arguments that several commands share.

pub(super) mod event;
pub(super) mod hosts;
pub(super) mod records;
