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
mod approval;
mod approvals;
mod audit;
mod backups;
mod book;
#[cfg(target_os = "linux")]
mod chains;
mod ci;
mod cli;
mod command_cases;
mod common;
mod contracts;
mod cookbook;
mod dialects;
mod doc_blocks;
mod docs;
mod doctor;
#[cfg(unix)]
mod faults;
mod fmt;
mod fuzz;
mod gate_properties;
mod git_losses;
mod git_pushes;
mod git_repositories;
mod hook;
mod hook_programs;
mod hosts;
mod import;
mod install;
mod integrity;
mod mutations;
mod output;
mod payload_equivalence;
mod plugins;
mod policy_cache;
mod policy_errors;
mod policy_load;
mod prefilter;
mod properties;
mod replay_sessions;
mod scan;
mod scripts;
mod secret_collection;
mod secret_disguises;
mod secret_forms;
mod secret_leaks;
mod secret_matrix;
mod secret_quality;
mod secret_shapes;
mod secrets;
mod shell_commands;
mod shell_differential;
mod shell_effects;
mod shell_files;
mod shell_patterns;
mod shell_properties;
mod shell_structure;
mod source_layout;
mod state;
mod task_runners;
mod tidy;
mod trust;
