//! Everything that touches the machine: files, environment, clock, standard streams.

pub mod platform;
pub mod policy;
