//! What the commands share about hosts, places and the policy that holds there.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{hook_status, trust_notice};
use crate::adapters::judge::{self, Environment, Judgment, StateContext};
use crate::adapters::{HOSTS, Host, PayloadError, PayloadFields, host_names, hosts_with_event, original_host};
use crate::domain::event::kind::EVENT_SPECS;
use crate::domain::text::path::PathContext;
use crate::domain::text::suggest;
use crate::domain::text::version::Version;
use crate::io::backup::MeasuredBackups;
use crate::io::files::local_machine::LocalMachine;
use crate::io::files::{self, FileError};
use crate::io::platform::Platform;
use crate::io::policy::discover::{may_exist, project_root};
use crate::io::policy::load::{LoadRequest, LoadedPolicy, load};
use crate::io::state;
use crate::io::trust::TrustBasis;

/// A place, and the policy that holds there.
pub(super) struct PolicyContext {
    /// The policy and its mistakes.
    pub loaded: LoadedPolicy,
    /// Where paths are read from.
    pub place: PathContext,
}

impl PolicyContext {
    /// Returns what is wrong where nobody is at home: the user's own policy cannot be found, and nobody can
    /// tell what `~` is.
    pub(super) fn missing_home(&self) -> Option<String> {
        let why = "unknown home directory: `HOME` (on Windows `USERPROFILE`) must be an absolute path in UTF-8";
        self.place.home.is_none().then(|| why.to_owned())
    }

    /// Returns the environment of a judgment on this machine in which nothing is remembered, no program
    /// runs and backups are only measured: what a user tries leaves no trace.
    pub(super) fn environment(&self) -> Environment<'_> {
        Environment {
            file_system: &LocalMachine,
            read_file: &|path| Ok(files::read_text(path)?),
            state: StateContext::stateless(state::now()),
            hook_status: Some(&|query| hook_status::inspect_machine(query, &[])),
            policy_error: policy_error(&self.loaded).or_else(|| self.missing_home()),
            session_notice: trust_notice::notice(&self.loaded),
            backups: Some(&MeasuredBackups),
            ..Environment::isolated(&self.place)
        }
    }

    /// Judges a payload in an environment that leaves no trace.
    pub(super) fn judge(&self, host: &'static Host, payload: &PayloadFields) -> Result<Judgment, PayloadError> {
        judge::explain(host, payload, &self.loaded.policy, &self.environment())
    }
}

/// Returns the error of a policy, if it has one that makes it unusable.
fn policy_error(loaded: &LoadedPolicy) -> Option<String> {
    let error = loaded.diagnostics.iter().find(|diagnostic| diagnostic.is_error())?;
    Some(format!("the policy has an error, {error}; the user can list all errors with `ruleward lint`"))
}

/// Returns the policy that holds in a directory, for a host that names the project's directory in
/// these variables.
pub(super) fn load_context(surroundings: &Platform, chosen: &[String], cwd: &str, variables: &[&str]) -> PolicyContext {
    let project = project_root(surroundings, cwd, variables, &may_exist);
    load_for_project(surroundings, chosen, cwd, project.as_deref(), TrustBasis::Records)
}

/// Returns the same for a hook, which has no use for tests, examples and warnings, and no time.
pub(super) fn load_for_hook(
    surroundings: &Platform,
    chosen: &[String],
    cwd: &str,
    variables: &[&str],
) -> PolicyContext {
    let project = project_root(surroundings, cwd, variables, &may_exist);
    let (project, hosts) = (project.as_deref(), host_names());
    from_request(
        LoadRequest {
            platform: surroundings,
            project,
            explicit_files: chosen,
            hosts: &hosts,
            trust: TrustBasis::Records,
            use_cache: true,
        },
        cwd,
    )
}

/// Returns the policy that would hold in a directory of a project, if trust in it were settled so.
pub(super) fn load_for_project(
    surroundings: &Platform,
    chosen: &[String],
    cwd: &str,
    project: Option<&str>,
    trust: TrustBasis,
) -> PolicyContext {
    from_request(
        LoadRequest {
            platform: surroundings,
            project,
            explicit_files: chosen,
            hosts: &host_names(),
            trust,
            use_cache: false,
        },
        cwd,
    )
}

fn from_request(request: LoadRequest<'_>, cwd: &str) -> PolicyContext {
    PolicyContext { loaded: load(&request), place: request.platform.place(cwd, request.project) }
}

/// Returns the policy that holds in a directory, for a command that a user runs.
pub(super) fn load_for_user(chosen: &[PathBuf], cwd: &str) -> PolicyContext {
    let chosen: Vec<String> = chosen.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    load_context(&Platform::current(), &chosen, cwd, &[])
}

/// Returns a directory as an absolute path, or the one the program runs in.
pub(super) fn absolute_directory(given: Option<&Path>) -> Result<String, FileError> {
    files::canonical_path(given.unwrap_or(Path::new(".")))
}

/// Returns the host of a name that a user typed.
pub(super) fn by_name(name: &str) -> Result<&'static Host, String> {
    Host::by_name(name).ok_or_else(|| unknown_value("host", name, names()))
}

/// Returns the host that a payload is one of.
pub(super) fn by_payload(payload: &PayloadFields) -> Result<&'static Host, String> {
    let wire = payload.get("hook_event_name").and_then(Value::as_str);
    let wire = wire.ok_or("this is not a hook payload: `hook_event_name` is missing")?;
    by_event(wire, payload.get("tool_name").and_then(Value::as_str))
}

/// Returns the host that has an event, and a tool, of these names. Of a host and those that are modeled on it, it is
/// the one.
pub(super) fn by_event(wire: &str, tool: Option<&str>) -> Result<&'static Host, String> {
    let by_tool = hosts_with_event(wire).find(|host| tool.is_some_and(|tool| host.tool(tool).is_some()));
    let by_event = || original_host(&hosts_with_event(wire).collect::<Vec<_>>());
    by_tool.or_else(by_event).ok_or_else(|| {
        format!(
            "`{wire}` is an event of several hosts, or of none: name the host with `--host`, or with `host` in a test"
        )
    })
}

/// Returns the version that a user typed.
pub(super) fn parse_version(text: &str) -> Result<Version, String> {
    Version::in_text(text).ok_or_else(|| format!("`{text}` is not a version such as 2.1.329"))
}

/// Returns the version that a host says of itself to those that it starts.
pub(super) fn reported_version(surroundings: &Platform, host: &Host) -> Option<Version> {
    let sign = host.version_variable.as_ref()?;
    sign.version(surroundings.env_var(sign.variable)?)
}

/// Returns the names of all hosts.
pub(super) fn names() -> Vec<&'static str> {
    HOSTS.iter().map(|host| host.name).collect()
}

/// Says that an event is not known.
pub(super) fn unknown_event(name: &str) -> String {
    unknown_value("moment", name, EVENT_SPECS.iter().map(|moment| moment.name).collect())
}

/// Says that a word is not known, in one line.
pub(super) fn unknown_value(what: &str, word: &str, known: Vec<&str>) -> String {
    suggest::unknown_among(what, word, known).replace('\n', "; ")
}
