//! Judges what coding agents are about to do, by one policy for every host.
//!
//! A host's payload goes to its adapter, which turns it into a neutral event; the domain evaluates the
//! policy; the adapter renders the verdict in the host's schema. [`judge`] is that whole path, and the
//! `ruleward` program is built on it:
//!
//! ```
//! use ruleward::{Environment, Host, PathContext};
//!
//! let policy = ruleward::parse_policy(
//!     "policy.yaml",
//!     "version: 1
//! rules:
//!   - id: no-push
//!     when: tool.before
//!     command: git push
//!     then: { deny: Open a pull request instead. }
//! ",
//! )?;
//! let payload = serde_json::json!({
//!     "hook_event_name": "BeforeTool",
//!     "session_id": "s",
//!     "cwd": "/project",
//!     "tool_name": "run_shell_command",
//!     "tool_input": { "command": "cd app && git push origin main" },
//! });
//! let host = Host::by_name("gemini").expect("a known host");
//! let paths = PathContext { cwd: "/project".into(), ..PathContext::default() };
//! let response =
//!     ruleward::judge(host, payload.as_object().expect("an object"), &policy, &Environment::isolated(&paths));
//! assert!(response.stdout.contains("Open a pull request instead."), "{}", response.stdout);
//! # Ok::<(), Vec<ruleward::Diagnostic>>(())
//! ```
//!
//! The modules are public for the project's own tests, benchmarks and fuzz targets; only what is
//! re-exported here is meant for other programs.

#[doc(hidden)]
pub mod adapters;
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod domain;
#[doc(hidden)]
pub mod io;

pub use adapters::judge::{Environment, HookStatusQuery, Judgment, StateContext, explain, judge};
pub use adapters::{HOSTS, Host, PayloadError, PayloadFields, RenderedVerdict, Response, parse_payload};
pub use domain::policy::Policy;
pub use domain::text::path::PathContext;
pub use io::policy::diagnostic::Diagnostic;

/// Returns the policy that applies without any configuration: the pack `recommended`.
pub fn recommended_policy() -> Policy {
    Policy::from_parts(Vec::new(), io::policy::builtin::DEFAULTS)
}

/// Reads a policy from a YAML text; `name` is the file that diagnostics name. The recommended pack applies
/// beside it, unless the text says `defaults: false`.
///
/// # Errors
/// Returns the mistakes in the text, each with its line and column.
pub fn parse_policy(name: &str, text: &str) -> Result<Policy, Vec<Diagnostic>> {
    io::policy::load::parse_policy(name, text, &adapters::host_names())
}
