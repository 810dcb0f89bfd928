//! Everything that touches the machine: files, environment, clock, standard streams.

pub mod audit;
pub mod backup;
pub mod exceptions;
pub mod files;
pub mod git;
pub mod grants;
pub mod heartbeat;
pub mod integrity;
pub mod platform;
pub mod policy;
pub mod process;
pub mod scan;
pub mod settings;
pub mod state;
pub mod suite;
pub mod transcript;
pub mod trust;
