//! Which policy files hold here.
//!
//! Nothing is searched for by guess: four places, each of a layer of its own, and a project's root
//! that the host names or that lies above the working directory.

use crate::domain::layer::{Layer, Trust};
use crate::io::platform::{OsFamily, Platform};

/// The directory of a project's policy.
const PROJECT_DIRECTORY: &str = ".ruleward";
/// A policy that is shared, the machine's, the user's or the project's.
const POLICY_FILE: &str = "policy.yaml";
/// A project's policy for one checkout.
const LOCAL_POLICY_FILE: &str = "policy.local.yaml";

/// A place where a policy may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The layer that a policy there belongs to.
    pub layer: Layer,
    /// The path of the file.
    pub path: String,
}

/// Lists the places where policies may be, the highest layer first.
pub fn candidates(surroundings: &Platform, project: Option<&str>) -> Vec<Candidate> {
    let files = [
        (Layer::Managed, managed_policy_path(surroundings)),
        (Layer::User, user_policy_path(surroundings)),
        (
            Layer::Project(Trust::Untrusted),
            project.map(|root| surroundings.join(root, &[PROJECT_DIRECTORY, POLICY_FILE])),
        ),
        (
            Layer::Local(Trust::Untrusted),
            project.map(|root| surroundings.join(root, &[PROJECT_DIRECTORY, LOCAL_POLICY_FILE])),
        ),
    ];
    files.into_iter().filter_map(|(layer, path)| Some(Candidate { layer, path: path? })).collect()
}

/// Returns where the policy of whoever manages the machine is.
pub fn managed_policy_path(surroundings: &Platform) -> Option<String> {
    let directory = match surroundings.os {
        OsFamily::Unix => "/etc",
        OsFamily::MacOs => "/Library/Application Support",
        OsFamily::Windows => surroundings.env_dir("ProgramData").unwrap_or(r"C:\ProgramData"),
    };
    Some(surroundings.join(directory, &["ruleward", POLICY_FILE]))
}

/// Returns where the user's own policy is.
pub fn user_policy_path(surroundings: &Platform) -> Option<String> {
    let home = |names: &[&str]| Some(surroundings.join(surroundings.home.as_deref()?, names));
    match surroundings.os {
        OsFamily::Windows => match surroundings.env_dir("APPDATA") {
            Some(data) => Some(surroundings.join(data, &["ruleward", POLICY_FILE])),
            None => home(&["AppData", "Roaming", "ruleward", POLICY_FILE]),
        },
        OsFamily::Unix | OsFamily::MacOs => match surroundings.env_dir("XDG_CONFIG_HOME") {
            Some(config) => Some(surroundings.join(config, &["ruleward", POLICY_FILE])),
            None => home(&[".config", "ruleward", POLICY_FILE]),
        },
    }
}

/// Returns the directory of the user's own policy.
pub fn user_directory(surroundings: &Platform) -> Option<String> {
    surroundings.parent(&user_policy_path(surroundings)?).map(ToOwned::to_owned)
}

/// Returns the root of the project: the nearest directory, from where the host says the project is
/// or else from `cwd` upwards, that has a policy; where none has one, the nearest that is a repository.
///
/// A host that was started in a part of a repository names that part, and the policy of the whole
/// must hold there too. So it does in a repository that was made inside of a project: `git init` in a
/// subdirectory must not be a way out. The search ends at the home directory, whose policy is that of a
/// project only for what lies in no repository below it.
pub fn project_root(
    surroundings: &Platform,
    cwd: &str,
    variables: &[&str],
    is_there: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let named = variables.iter().find_map(|name| surroundings.env_dir(name));
    let marked = |start: &str| root_above(surroundings, start, is_there);
    named.and_then(marked).or_else(|| marked(cwd)).or_else(|| named.map(ToOwned::to_owned))
}

fn root_above(surroundings: &Platform, start: &str, is_there: &dyn Fn(&str) -> bool) -> Option<String> {
    let mut directory = start;
    let mut repository = None;
    loop {
        let is_home = surroundings.home.as_deref() == Some(directory);
        if is_home && repository.is_some() {
            return repository;
        }
        let has = |names: &[&str]| is_there(&surroundings.join(directory, names));
        // Most directories have neither, and each question is a call of the system.
        let has_policy = || {
            has(&[PROJECT_DIRECTORY])
                && (has(&[PROJECT_DIRECTORY, POLICY_FILE]) || has(&[PROJECT_DIRECTORY, LOCAL_POLICY_FILE]))
        };
        if has_policy() {
            return Some(directory.to_owned());
        }
        if repository.is_none() && has(&[".git"]) {
            repository = Some(directory.to_owned());
        }
        match surroundings.parent(directory).filter(|_| !is_home) {
            Some(above) => directory = above,
            None => return repository,
        }
    }
}

/// Returns whether something is at a path, or may be: what cannot be looked at is not taken for absent.
pub fn may_exist(path: &str) -> bool {
    use std::io::ErrorKind::{InvalidInput, NotADirectory, NotFound};
    match std::fs::symlink_metadata(path) {
        Ok(_) => true,
        Err(error) => !matches!(error.kind(), NotFound | NotADirectory | InvalidInput),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{candidates, project_root};
    use crate::io::platform::{OsFamily, Platform};

    fn on(system: OsFamily, home: &str, variables: &[(&str, &str)]) -> Platform {
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Platform::new(system, Some(home.to_owned()), variables)
    }

    #[test]
    fn every_platform_has_its_places() {
        let paths = |surroundings: &Platform, project: &str| -> Vec<String> {
            candidates(surroundings, Some(project)).into_iter().map(|candidate| candidate.path).collect()
        };
        assert_eq!(
            paths(&on(OsFamily::Unix, "/home/u", &[]), "/p"),
            [
                "/etc/ruleward/policy.yaml",
                "/home/u/.config/ruleward/policy.yaml",
                "/p/.ruleward/policy.yaml",
                "/p/.ruleward/policy.local.yaml",
            ]
        );
        let moved = on(OsFamily::Unix, "/home/u", &[("XDG_CONFIG_HOME", "/cfg")]);
        assert_eq!(paths(&moved, "/p")[1], "/cfg/ruleward/policy.yaml");
        let mac = on(OsFamily::MacOs, "/Users/u", &[]);
        assert_eq!(paths(&mac, "/p")[0], "/Library/Application Support/ruleward/policy.yaml");
        let windows = [("ProgramData", r"D:\Data"), ("APPDATA", r"C:\Users\u\AppData\Roaming")];
        assert_eq!(
            paths(&on(OsFamily::Windows, r"C:\Users\u", &windows), r"C:\p"),
            [
                r"D:\Data\ruleward\policy.yaml",
                r"C:\Users\u\AppData\Roaming\ruleward\policy.yaml",
                r"C:\p\.ruleward\policy.yaml",
                r"C:\p\.ruleward\policy.local.yaml",
            ]
        );
    }

    #[test]
    fn the_root_is_named_or_found() {
        let root = |cwd: &str, variables: &[(&str, &str)], there: &[&str]| {
            let surroundings = on(OsFamily::Unix, "/home/u", variables);
            let is_there = |path: &str| there.iter().any(|it| Path::new(it).starts_with(path));
            project_root(&surroundings, cwd, &["ONE", "TWO"], &is_there)
        };
        assert_eq!(root("/x", &[("TWO", "/p")], &[]).as_deref(), Some("/p"));
        assert_eq!(root("/x", &[("ONE", "p")], &[]), None);
        assert_eq!(root("/home/u/p/a/b", &[], &["/home/u/p/.git"]).as_deref(), Some("/home/u/p"));
        let inner = ["/home/u/p/.git", "/home/u/p/a/.ruleward/policy.yaml"];
        assert_eq!(root("/home/u/p/a/b", &[], &inner).as_deref(), Some("/home/u/p/a"));
        assert_eq!(root("/home/u/p", &[], &["/home/.git"]), None);
        assert_eq!(root("/home/u", &[], &["/home/u/.git"]).as_deref(), Some("/home/u"));
        let nested = ["/home/u/p/.ruleward/policy.yaml", "/home/u/p/a/.git"];
        assert_eq!(root("/home/u/p/a/b", &[], &nested).as_deref(), Some("/home/u/p"), "git init in a subdirectory");
        let both = ["/w/.git", "/w/a/.git"];
        assert_eq!(root("/w/a/b", &[], &both).as_deref(), Some("/w/a"), "repositories without a policy");
        let of_home = ["/home/u/.ruleward/policy.yaml", "/home/u/p/.git"];
        assert_eq!(root("/home/u/p", &[], &of_home).as_deref(), Some("/home/u/p"));
        assert_eq!(root("/home/u/x", &[], &of_home).as_deref(), Some("/home/u"));
        let windows = on(OsFamily::Windows, r"C:\Users\u", &[]);
        let found = project_root(&windows, r"C:\w\p\a", &[], &|path| path == r"C:\w\p\.git");
        assert_eq!(found.as_deref(), Some(r"C:\w\p"));
    }
}
