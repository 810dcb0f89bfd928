//! What the commands share about hosts, places and the policy that holds there.

use std::path::{Path, PathBuf};

use crate::adapters::{HOSTS, Host};
use crate::domain::kind::MOMENTS;
use crate::domain::path::Place;
use crate::domain::suggest;
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
