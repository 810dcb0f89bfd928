//! What the commands share about hosts, places and the policy that holds there.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::adapters::{HOSTS, Host, Payload, hosts_of_event};
use crate::domain::kind::MOMENTS;
use crate::domain::path::Place;
use crate::domain::suggest;
use crate::domain::version::Version;
use crate::io::policy::discover::{is_there, project_root};
use crate::io::policy::load::{Loaded, Request, load};
use crate::io::trust::Basis;
use crate::io::{files, platform::Surroundings};

/// A place, and the policy that holds there.
pub(super) struct Here {
    /// The policy and its mistakes.
    pub loaded: Loaded,
    /// Where paths are read from.
    pub place: Place,
}

impl Here {
    /// Returns what is wrong where nobody is at home: the person's own policy cannot be found, and nobody can
    /// tell what `~` is.
    pub(super) fn homeless(&self) -> Option<String> {
        let why = "the person's home directory is not known: `HOME` (on Windows `USERPROFILE`) has to be an absolute path in UTF-8";
        self.place.home.is_none().then(|| why.to_owned())
    }
}

/// Returns the policy that holds in a directory, for a host that names the project's directory in
/// these variables.
pub(super) fn here(surroundings: &Surroundings, chosen: &[String], cwd: &str, variables: &[&str]) -> Here {
    let project = project_root(surroundings, cwd, variables, &is_there);
    of_project(surroundings, chosen, cwd, project.as_deref(), Basis::Records)
}

/// Returns the same for a hook, which has no use for tests, examples and warnings, and no time.
pub(super) fn for_hook(surroundings: &Surroundings, chosen: &[String], cwd: &str, variables: &[&str]) -> Here {
    let project = project_root(surroundings, cwd, variables, &is_there);
    let (project, names) = (project.as_deref(), names());
    in_force(Request { surroundings, project, chosen, hosts: &names, trust: Basis::Records, warm: true }, cwd)
}

/// Returns the policy that would hold in a directory of a project, if trust in it were settled so.
pub(super) fn of_project(
    surroundings: &Surroundings,
    chosen: &[String],
    cwd: &str,
    project: Option<&str>,
    trust: Basis,
) -> Here {
    in_force(Request { surroundings, project, chosen, hosts: &names(), trust, warm: false }, cwd)
}

fn in_force(request: Request<'_>, cwd: &str) -> Here {
    Here { loaded: load(&request), place: request.surroundings.place(cwd, request.project) }
}

/// Returns the policy that holds in a directory, for a command that a person runs.
pub(super) fn for_person(chosen: &[PathBuf], cwd: &str) -> Here {
    let chosen: Vec<String> = chosen.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    here(&Surroundings::here(), &chosen, cwd, &[])
}

/// Returns a directory as an absolute path, or the one the program runs in.
pub(super) fn directory(given: Option<&Path>) -> Result<String, String> {
    files::absolute(given.unwrap_or(Path::new(".")))
}

/// Returns the host of a name that a person typed.
pub(super) fn named(name: &str) -> Result<&'static Host, String> {
    Host::named(name).ok_or_else(|| unknown("host", name, names()))
}

/// Returns the host that a payload is one of.
pub(super) fn of(payload: &Payload) -> Result<&'static Host, String> {
    let wire = payload.get("hook_event_name").and_then(Value::as_str);
    let wire = wire.ok_or("the payload has no `hook_event_name`, so it is no hook payload")?;
    of_event(wire, payload.get("tool_name").and_then(Value::as_str))
}

/// Returns the host that has an event, and a tool, of these names. Where one host has all the events of
/// another, it is taken.
pub(super) fn of_event(wire: &str, tool: Option<&str>) -> Result<&'static Host, String> {
    let by_tool = hosts_of_event(wire).find(|host| tool.is_some_and(|tool| host.tool(tool).is_some()));
    let has_all = |one: &Host, other: &Host| other.rows.iter().all(|row| one.row(row.wire).is_some());
    let by_event = || hosts_of_event(wire).find(|one| hosts_of_event(wire).all(|other| has_all(one, other)));
    by_tool.or_else(by_event).ok_or_else(|| {
        format!(
            "`{wire}` is an event of more than one host, or of none: name the host with `--host`, or `host` in a test"
        )
    })
}

/// Returns the version that a person typed.
pub(super) fn version(text: &str) -> Result<Version, String> {
    Version::in_text(text).ok_or_else(|| format!("`{text}` is not a version such as 2.1.329"))
}

/// Returns the version that a host says of itself to those that it starts.
pub(super) fn said_version(surroundings: &Surroundings, host: &Host) -> Option<Version> {
    let sign = host.sign.as_ref()?;
    sign.version(surroundings.variable(sign.variable)?)
}

/// Returns the names of all hosts.
pub(super) fn names() -> Vec<&'static str> {
    HOSTS.iter().map(|host| host.name).collect()
}

/// Says that a moment is not known.
pub(super) fn unknown_moment(name: &str) -> String {
    unknown("moment", name, MOMENTS.iter().map(|moment| moment.name).collect())
}

/// Says that a word is not known, in one line.
pub(super) fn unknown(what: &str, word: &str, known: Vec<&str>) -> String {
    suggest::among(what, word, known).replace('\n', "; ")
}
