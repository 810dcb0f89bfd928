//! Everything that touches the machine: files, environment, clock, standard streams.

pub mod ancestors;
pub mod audit;
pub mod bytes;
pub mod digest;
pub mod exceptions;
pub mod files;
pub mod gitleaks;
pub mod hardening;
pub mod lines;
pub mod link;
pub mod machine;
pub mod platform;
pub mod policy;
pub mod process;
pub mod runner;
pub mod scan;
pub mod settings;
pub mod state;
pub mod stdio;
pub mod suite;
pub mod transcript;
pub mod trust;
pub mod watchdog;
