//! Judges what coding agents are about to do, by one policy for every host.
//!
//! The hook of a host hands its payload to an adapter, which turns it into a neutral event; the
//! domain judges the event by a policy; the adapter puts the verdict into the host's words. See
//! `ARCHITECTURE.md` for the map.

pub mod adapters;
pub mod cli;
pub mod domain;
pub mod io;
