//! The platform: the machine and its environment, as data.
//!
//! Environment and platform are looked at here and nowhere else, so that what follows from them is
//! tested on every platform for every other. The modules below hold every call that only some
//! systems have; no other file is compiled differently for one of them.

pub mod file;
pub mod process;
mod program;
pub mod signal;
pub mod stdio;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::domain::text::path::PathContext;
pub use program::program_location;

/// The kinds of operating systems that differ in where files are and how paths are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OsFamily {
    /// Linux and its like.
    Unix,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

/// Whether names of files that only differ in letter case are usually the same file.
pub const IGNORES_CASE: bool = cfg!(any(windows, target_os = "macos"));

/// Returns the value of a variable of the environment that is an absolute path. Other values may be secrets.
pub fn env_path(name: &str) -> Option<String> {
    let value = std::env::var_os(name)?.into_string().ok()?;
    let is_path = std::path::Path::new(&value).is_absolute() && !value.contains([':', ' ', '\n']);
    is_path.then_some(value)
}

/// Returns whether a variable of the environment is set to something, without looking at its value.
pub fn is_variable_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// Returns the user's home directory, where it is known and absolute.
pub fn home_directory() -> Option<String> {
    let home = std::env::home_dir().filter(|home| home.is_absolute())?;
    home.into_os_string().into_string().ok()
}

/// The platform that the program runs on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Platform {
    /// The operating system.
    pub os: OsFamily,
    /// The user's home directory; none where it is not known, or no absolute path in UTF-8.
    pub home: Option<String>,
    /// The environment.
    pub env: BTreeMap<String, String>,
    /// The paths of the running program: as it was started, the links it was reached through, and the file.
    pub programs: Vec<String>,
    /// The directory of what this program writes, once that was asked.
    state: OnceLock<Option<String>>,
}

impl Platform {
    /// Reads the current platform.
    pub fn current() -> Self {
        let system = if cfg!(windows) {
            OsFamily::Windows
        } else if cfg!(target_os = "macos") {
            OsFamily::MacOs
        } else {
            OsFamily::Unix
        };
        let text = |value: std::ffi::OsString| value.into_string().ok();
        let variables = std::env::vars_os().filter_map(|(name, value)| Some((text(name)?, text(value)?))).collect();
        let home = std::env::home_dir().and_then(|home| text(home.into_os_string()));
        let mut here = Self::new(system, home, variables);
        // A home that depends on where the program runs would be another one at every call.
        here.home = here.home.take().filter(|home| here.is_absolute(home));
        here.programs = program::paths(&here);
        here
    }

    /// Creates a platform on which no path of the running program is known.
    pub const fn new(os: OsFamily, home: Option<String>, env: BTreeMap<String, String>) -> Self {
        Self { os, home, env, programs: Vec::new(), state: OnceLock::new() }
    }

    /// Returns the platform with another home directory.
    #[must_use]
    pub fn with_home(self, home: Option<String>) -> Self {
        Self { home, state: OnceLock::new(), ..self }
    }

    /// Returns the value of a variable, if it is set to something.
    pub fn env_var(&self, name: &str) -> Option<&str> {
        let found = match self.os {
            OsFamily::Windows => self.env.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, it)| it),
            OsFamily::Unix | OsFamily::MacOs => self.env.get(name),
        };
        found.map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Returns the value of a variable, if it is an absolute path.
    pub fn env_dir(&self, name: &str) -> Option<&str> {
        self.env_var(name).filter(|path| self.is_absolute(path))
    }

    /// Returns where paths of an event are read from.
    pub fn place(&self, cwd: &str, project: Option<&str>) -> PathContext {
        PathContext {
            windows: self.os == OsFamily::Windows,
            ignore_case: self.os != OsFamily::Unix,
            home: self.home.clone(),
            cwd: cwd.to_owned(),
            project: project.map(ToOwned::to_owned),
            programs: self.programs.clone(),
        }
    }

    /// Returns the directory of a program's settings.
    pub fn config_dir(&self, name: &str) -> Option<String> {
        match self.os {
            OsFamily::Unix => self.base_dir(Some("XDG_CONFIG_HOME"), &[".config"], &[name]),
            OsFamily::MacOs => self.base_dir(None, &["Library", "Preferences"], &[name]),
            OsFamily::Windows => self.base_dir(Some("APPDATA"), &["AppData", "Roaming"], &[name, "Config"]),
        }
    }

    /// Returns the directory of what a program keeps.
    pub fn data_dir(&self, name: &str) -> Option<String> {
        match self.os {
            OsFamily::Unix => self.base_dir(Some("XDG_DATA_HOME"), &[".local", "share"], &[name]),
            OsFamily::MacOs => self.base_dir(None, &["Library", "Application Support"], &[name]),
            OsFamily::Windows => self.base_dir(Some("LOCALAPPDATA"), &["AppData", "Local"], &[name, "Data"]),
        }
    }

    /// Returns the directory of what this program writes while it runs.
    pub fn state_dir(&self) -> Option<&str> {
        let find = || match self.os {
            OsFamily::Windows => self.base_dir(Some("LOCALAPPDATA"), &["AppData", "Local"], &["ruleward"]),
            OsFamily::Unix | OsFamily::MacOs => {
                self.base_dir(Some("XDG_STATE_HOME"), &[".local", "state"], &["ruleward"])
            }
        };
        self.state.get_or_init(find).as_deref()
    }

    fn base_dir(&self, variable: Option<&str>, usual: &[&str], names: &[&str]) -> Option<String> {
        let said = variable.and_then(|name| self.env_dir(name)).map(ToOwned::to_owned);
        let base = said.or_else(|| self.home.as_deref().map(|home| self.join(home, usual)))?;
        Some(self.join(&base, names))
    }

    /// Returns the path of something below a directory.
    pub fn join(&self, directory: &str, names: &[&str]) -> String {
        let separator = if self.os == OsFamily::Windows { "\\" } else { "/" };
        let mut path = directory.trim_end_matches(self.separators()).to_owned();
        for name in names {
            path.push_str(separator);
            path.push_str(name);
        }
        path
    }

    /// Returns the directory above; `None` at the root.
    pub fn parent<'p>(&self, path: &'p str) -> Option<&'p str> {
        let path = path.trim_end_matches(self.separators());
        let (parent, _) = path.rsplit_once(self.separators())?;
        Some(match parent {
            "" => "/",
            drive if self.os == OsFamily::Windows && drive.ends_with(':') => path.get(..=drive.len())?,
            parent => parent,
        })
    }

    fn is_absolute(&self, path: &str) -> bool {
        let drive = || {
            let mut characters = path.chars();
            let letter = characters.next().is_some_and(|letter| letter.is_ascii_alphabetic());
            letter && characters.next() == Some(':') && characters.next().is_some_and(|it| it == '\\' || it == '/')
        };
        match self.os {
            OsFamily::Windows => drive() || path.starts_with(r"\\"),
            OsFamily::Unix | OsFamily::MacOs => path.starts_with('/'),
        }
    }

    fn separators(&self) -> &'static [char] {
        if self.os == OsFamily::Windows { &['\\', '/'] } else { &['/'] }
    }
}

#[cfg(test)]
mod tests {
    use super::{OsFamily, Platform};

    fn on(system: OsFamily) -> Platform {
        let variables = [("HERE", "/x"), ("THERE", "x/y"), ("AppData", r"C:\Users\u\AppData"), ("NONE", "")];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned())).into_iter().collect();
        Platform::new(system, Some("/home/u".into()), variables)
    }

    #[test]
    fn directories_are_absolute_or_none() {
        assert_eq!(on(OsFamily::Unix).env_dir("HERE"), Some("/x"));
        assert_eq!(on(OsFamily::Unix).env_dir("THERE"), None);
        assert_eq!(on(OsFamily::Unix).env_dir("NONE"), None);
        assert_eq!(on(OsFamily::Windows).env_dir("APPDATA"), Some(r"C:\Users\u\AppData"));
        assert_eq!(on(OsFamily::Windows).env_dir("HERE"), None);
    }

    #[test]
    fn parents_end_at_the_root() {
        for (system, path, parent) in [
            (OsFamily::Unix, "/a/b", Some("/a")),
            (OsFamily::Unix, "/a/", Some("/")),
            (OsFamily::Unix, "/", None),
            (OsFamily::Windows, r"C:\a\b", Some(r"C:\a")),
            (OsFamily::Windows, r"C:\a", Some(r"C:\")),
            (OsFamily::Windows, r"C:\", None),
            (OsFamily::Windows, "C:/a/b", Some("C:/a")),
        ] {
            assert_eq!(on(system).parent(path), parent, "{path}");
        }
        assert_eq!(on(OsFamily::Windows).join(r"C:\", &["a", "b"]), r"C:\a\b");
        assert_eq!(on(OsFamily::MacOs).join("/", &["a"]), "/a");
    }
}
