//! Every test from outside, as one program: one link, and all of them side by side.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "here a panic is how a failure is told"
)]

mod allow;
mod audit;
mod blocks;
mod book;
mod ci;
mod cli;
mod commands;
mod common;
mod contracts;
mod cookbook;
mod dialects;
mod docs;
mod doctor;
#[cfg(unix)]
mod faults;
mod fmt;
mod fuzz;
mod gate_laws;
mod guard;
mod hook;
mod hosts;
mod import;
mod install;
mod laws;
mod leaks;
mod meaning;
mod policy_cache;
mod policy_errors;
mod policy_load;
mod respellings;
mod scan;
mod scripts;
mod secret_collection;
mod secret_quality;
mod secret_shapes;
mod secrets;
mod shell_commands;
mod shell_differential;
mod shell_effects;
mod shell_files;
mod shell_laws;
mod shell_patterns;
mod shell_structure;
mod state;
mod subhooks;
mod tidy;
mod trust;
