//! The machine as the program finds it, as data.
//!
//! Environment and platform are looked at here and nowhere else, so that what follows from them is
//! tested on every platform for every other.

use std::collections::BTreeMap;
#[cfg(windows)]
use std::process::Stdio;
use std::process::{Child, Command};

use memmap2::MmapMut;

use crate::domain::path::Place;

/// Whether a name is the same file only when it is the same bytes, and a path without links is its
/// own real path.
pub const NAMES_ARE_EXACT: bool = cfg!(target_os = "linux");

/// The kinds of operating systems that differ in where files are and how paths are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    /// Linux and its like.
    Unix,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

/// What surrounds the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surroundings {
    /// The operating system.
    pub system: System,
    /// The person's home directory; none where it is not known, or no absolute path in UTF-8.
    pub home: Option<String>,
    /// The environment.
    pub variables: BTreeMap<String, String>,
}

impl Surroundings {
    /// Looks around.
    pub fn here() -> Self {
        let system = if cfg!(windows) {
            System::Windows
        } else if cfg!(target_os = "macos") {
            System::MacOs
        } else {
            System::Unix
        };
        let text = |value: std::ffi::OsString| value.into_string().ok();
        let variables = std::env::vars_os().filter_map(|(name, value)| Some((text(name)?, text(value)?))).collect();
        let home = std::env::home_dir().and_then(|home| text(home.into_os_string()));
        let mut here = Self { system, home, variables };
        // A home that depends on where the program runs would be another one at every call.
        here.home = here.home.take().filter(|home| here.is_absolute(home));
        here
    }

    /// Returns the value of a variable, if it is set to something.
    pub fn variable(&self, name: &str) -> Option<&str> {
        let found = match self.system {
            System::Windows => self.variables.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, it)| it),
            System::Unix | System::MacOs => self.variables.get(name),
        };
        found.map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Returns the value of a variable, if it is an absolute path.
    pub fn directory(&self, name: &str) -> Option<&str> {
        self.variable(name).filter(|path| self.is_absolute(path))
    }

    /// Returns where paths of an event are read from.
    pub fn place(&self, cwd: &str, project: Option<&str>) -> Place {
        Place {
            windows: self.system == System::Windows,
            ignore_case: self.system != System::Unix,
            home: self.home.clone(),
            cwd: cwd.to_owned(),
            project: project.map(ToOwned::to_owned),
        }
    }

    /// Returns the directory of a program's settings.
    pub fn settings_of(&self, name: &str) -> Option<String> {
        match self.system {
            System::Unix => self.below(Some("XDG_CONFIG_HOME"), &[".config"], &[name]),
            System::MacOs => self.below(None, &["Library", "Preferences"], &[name]),
            System::Windows => self.below(Some("APPDATA"), &["AppData", "Roaming"], &[name, "Config"]),
        }
    }

    /// Returns the directory of what a program keeps.
    pub fn data_of(&self, name: &str) -> Option<String> {
        match self.system {
            System::Unix => self.below(Some("XDG_DATA_HOME"), &[".local", "share"], &[name]),
            System::MacOs => self.below(None, &["Library", "Application Support"], &[name]),
            System::Windows => self.below(Some("LOCALAPPDATA"), &["AppData", "Local"], &[name, "Data"]),
        }
    }

    fn below(&self, variable: Option<&str>, usual: &[&str], names: &[&str]) -> Option<String> {
        let said = variable.and_then(|name| self.directory(name)).map(ToOwned::to_owned);
        let base = said.or_else(|| self.home.as_deref().map(|home| self.join(home, usual)))?;
        Some(self.join(&base, names))
    }

    /// Returns the path of something below a directory.
    pub fn join(&self, directory: &str, names: &[&str]) -> String {
        let separator = if self.system == System::Windows { "\\" } else { "/" };
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
            drive if self.system == System::Windows && drive.ends_with(':') => path.get(..=drive.len())?,
            parent => parent,
        })
    }

    fn is_absolute(&self, path: &str) -> bool {
        let drive = || {
            let mut characters = path.chars();
            let letter = characters.next().is_some_and(|letter| letter.is_ascii_alphabetic());
            letter && characters.next() == Some(':') && characters.next().is_some_and(|it| it == '\\' || it == '/')
        };
        match self.system {
            System::Windows => drive() || path.starts_with(r"\\"),
            System::Unix | System::MacOs => path.starts_with('/'),
        }
    }

    fn separators(&self) -> &'static [char] {
        if self.system == System::Windows { &['\\', '/'] } else { &['/'] }
    }
}

/// How a process group is ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Its processes are asked to end.
    Asked,
    /// They are not asked.
    Forced,
}

/// Has a program start in a process group of its own, out of reach of what ends ours.
pub fn set_apart(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    {
        /// `CREATE_NEW_PROCESS_GROUP` and `CREATE_NO_WINDOW`.
        const FLAGS: u32 = 0x0000_0200 | 0x0800_0000;
        std::os::windows::process::CommandExt::creation_flags(command, FLAGS);
    }
}

/// Tells whether a program has ended, and leaves its name to it: until it is waited for, no other
/// process, and no other group, is called the same.
pub fn has_ended(child: &mut Child) -> bool {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // What cannot be asked about is not there any more.
        waitid(WaitId::Pid(Pid::from_child(child)), options).is_ok_and(|status| status.is_some())
    }
    #[cfg(not(unix))]
    child.try_wait().is_ok_and(|status| status.is_some())
}

/// Ends a program, which was set apart and not waited for, with what it has started.
pub fn end_group(child: &Child, how: Ending) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        let signal = if how == Ending::Asked { Signal::TERM } else { Signal::KILL };
        // Nothing is left of it when this fails.
        let _gone = kill_process_group(Pid::from_child(child), signal);
    }
    #[cfg(windows)]
    if how == Ending::Forced {
        let mut command = Command::new("taskkill.exe");
        let command = command.args(["/T", "/F", "/PID"]).arg(child.id().to_string());
        // Nothing is left of it when this fails.
        let _gone = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
}

/// Lets more stand in the pipe that standard input is, so that who writes and who reads take turns less often.
pub fn widen_stdin() {
    #[cfg(target_os = "linux")]
    {
        // What is no pipe, or may not be wider, is read as it is.
        let _as_it_is = rustix::pipe::fcntl_setpipe_size(std::io::stdin(), 1 << 20);
    }
}

/// Returns memory for so many bytes that is given in large pages, where the system knows such and has them to give.
pub fn large_pages(bytes: usize) -> Option<MmapMut> {
    #[cfg(target_os = "linux")]
    {
        let memory = MmapMut::map_anon(bytes).ok()?;
        memory.advise(memmap2::Advice::HugePage).ok()?;
        Some(memory)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _none = bytes;
        None
    }
}

/// Tells whether standard output goes nowhere: into the null device, which also stands there when the
/// program was started with its standard output closed.
#[cfg(unix)]
pub fn is_unheard() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let null = || std::fs::metadata("/dev/null").ok().map(|null| (null.dev(), null.ino()));
    let out = rustix::fs::fstat(std::io::stdout()).ok();
    out.is_some_and(|out| null() == Some((out.st_dev, out.st_ino)))
}

/// Elsewhere that cannot be told.
#[cfg(not(unix))]
pub fn is_unheard() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::{Surroundings, System};

    fn on(system: System) -> Surroundings {
        let variables = [("HERE", "/x"), ("THERE", "x/y"), ("AppData", r"C:\Users\u\AppData"), ("NONE", "")];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned())).into_iter().collect();
        Surroundings { system, home: Some("/home/u".into()), variables }
    }

    #[test]
    fn directories_are_absolute_or_none() {
        assert_eq!(on(System::Unix).directory("HERE"), Some("/x"));
        assert_eq!(on(System::Unix).directory("THERE"), None);
        assert_eq!(on(System::Unix).directory("NONE"), None);
        assert_eq!(on(System::Windows).directory("APPDATA"), Some(r"C:\Users\u\AppData"));
        assert_eq!(on(System::Windows).directory("HERE"), None);
    }

    #[test]
    fn parents_end_at_the_root() {
        for (system, path, parent) in [
            (System::Unix, "/a/b", Some("/a")),
            (System::Unix, "/a/", Some("/")),
            (System::Unix, "/", None),
            (System::Windows, r"C:\a\b", Some(r"C:\a")),
            (System::Windows, r"C:\a", Some(r"C:\")),
            (System::Windows, r"C:\", None),
            (System::Windows, "C:/a/b", Some("C:/a")),
        ] {
            assert_eq!(on(system).parent(path), parent, "{path}");
        }
        assert_eq!(on(System::Windows).join(r"C:\", &["a", "b"]), r"C:\a\b");
        assert_eq!(on(System::MacOs).join("/", &["a"]), "/a");
    }
}
