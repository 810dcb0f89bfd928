//! Runs of a policy carried out on this machine: which program, in which directory, with which
//! environment.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::platform::{Surroundings, System};
use super::process;
use crate::domain::ran::{Ended, Runner, Said, Task};
use crate::domain::run::{Planned, Program};

/// Variables that every program has: where programs, the person and languages are. None holds a secret.
const BASE: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TMPDIR",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "XDG_RUNTIME_DIR",
];

/// The same on Windows, where nothing runs without them.
const WINDOWS_BASE: &[&str] = &[
    "PATH",
    "PATHEXT",
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "COMSPEC",
    "TEMP",
    "TMP",
    "USERPROFILE",
    "USERNAME",
    "HOMEDRIVE",
    "HOMEPATH",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
    "NUMBER_OF_PROCESSORS",
    "PROCESSOR_ARCHITECTURE",
    "OS",
];

/// How the variables begin that say how texts are to be spelled.
const LOCALE: &str = "LC_";

/// The variable that says in how many runs a program stands.
const DEPTH: &str = "RULEWARD_DEPTH";

/// Runs that may stand in one another: a program may start an agent, whose hook runs programs.
const MOST_DEPTH: u32 = 3;

/// Programs on this machine.
pub struct Programs<'a> {
    /// What surrounds them.
    pub surroundings: &'a Surroundings,
    /// Has the deadline of the present judgement wait longer, and returns for how long it does.
    pub extend: &'a (dyn Fn(Duration) -> Duration + Sync),
}

impl Runner for Programs<'_> {
    fn granted(&self, wanted: Duration) -> Duration {
        (self.extend)(wanted)
    }

    fn run(&self, task: &Task<'_>) -> (Ended, Duration) {
        let begun = Instant::now();
        let said = self.command(task).map(|mut command| process::run(&mut command, task.stdin, task.patience));
        let ended = match said {
            Ok(Ok(output)) => Ended::Said(Said { stdout: output.stdout, stderr: output.stderr, exit: output.code }),
            Ok(Err(process::Failure::TimedOut)) => Ended::TimedOut,
            Ok(Err(process::Failure::NotStarted(why))) | Err(why) => Ended::NotStarted(why),
        };
        (ended, begun.elapsed())
    }

    fn start(&self, task: &Task<'_>) -> (Ended, Duration) {
        let begun = Instant::now();
        let started = self.command(task).and_then(|mut command| {
            process::start(&mut command, task.stdin).map_err(|failure| match failure {
                process::Failure::NotStarted(why) => why,
                process::Failure::TimedOut => failure.to_string(),
            })
        });
        (started.map_or_else(Ended::NotStarted, |()| Ended::Started), begun.elapsed())
    }
}

impl Programs<'_> {
    fn command(&self, task: &Task<'_>) -> Result<Command, String> {
        let depth = self.surroundings.variable(DEPTH).and_then(|depth| depth.parse().ok()).unwrap_or(0_u32);
        if depth >= MOST_DEPTH {
            return Err(format!("{MOST_DEPTH} runs stand in one another already"));
        }
        let directory = self.directory(task);
        if !Path::new(&directory).is_dir() {
            return Err(format!("the directory {directory} is not there"));
        }
        let mut command = match &task.planned.program {
            Program::Direct(words) => {
                let (program, arguments) = words.split_first().ok_or("nothing says what is run")?;
                let mut command = Command::new(self.program(program, task.planned, &directory)?);
                command.args(arguments);
                command
            }
            Program::Shell(text) if self.surroundings.system == System::Windows => {
                let mut command = Command::new("powershell.exe");
                command.args(["-NoProfile", "-NonInteractive", "-Command", text]);
                command
            }
            Program::Shell(text) => {
                let mut command = Command::new("/bin/sh");
                command.args(["-c", text]);
                command
            }
        };
        command.current_dir(directory).env_clear().envs(self.environment(task)).env(DEPTH, (depth + 1).to_string());
        Ok(command)
    }

    fn directory(&self, task: &Task<'_>) -> String {
        let own = task.planned.directory.as_deref();
        own.map_or_else(|| task.directory.to_owned(), |own| self.at(own, task.directory))
    }

    /// Returns an absolute path: from the home directory, or from another one.
    fn at(&self, path: &str, base: &str) -> String {
        match (path.strip_prefix("~/"), &self.surroundings.home) {
            (Some(rest), Some(home)) => self.surroundings.join(home, &[rest]),
            _ if Path::new(path).is_absolute() => path.to_owned(),
            _ => self.surroundings.join(base, &[path.strip_prefix("./").unwrap_or(path)]),
        }
    }

    /// Returns the path of a program. A project's own policy alone may name one by a path from there: for
    /// any other, whoever wrote the project would say what runs.
    fn program(&self, name: &str, planned: &Planned, directory: &str) -> Result<String, String> {
        let is_path = |sign| name.contains(sign) && (sign == '/' || self.surroundings.system == System::Windows);
        if !is_path('/') && !is_path('\\') {
            let found = process::find(self.surroundings, name).filter(|path| Path::new(path).is_absolute());
            return found.ok_or_else(|| format!("there is no program `{name}` in PATH"));
        }
        let is_relative = !name.starts_with("~/") && !Path::new(name).is_absolute();
        if is_relative && !planned.layer.is_of_project() {
            return Err(format!(
                "`{name}` would be a file of whatever project this is; a policy of the {} layer names programs by an absolute path, from the home directory (`~/…`), or by a name in PATH",
                planned.layer.name()
            ));
        }
        let path = self.at(name, directory);
        let there = Path::new(&path);
        if !there.is_file() {
            return Err(format!("there is no file {path}"));
        }
        if !process::is_executable(there) {
            return Err(format!("{path} may not be executed; `chmod +x` lets it"));
        }
        Ok(path)
    }

    /// Returns the environment: the few variables that every program has, those that the policy passes on,
    /// those of its dialect, and those that the policy sets.
    fn environment(&self, task: &Task<'_>) -> Vec<(String, String)> {
        let Planned { pass, set, rule, .. } = task.planned;
        let windows = self.surroundings.system == System::Windows;
        let base = if windows { WINDOWS_BASE } else { BASE };
        let is_named = |name: &str| {
            let same = |known: &str| if windows { known.eq_ignore_ascii_case(name) } else { known == name };
            base.iter().any(|known| same(known)) || name.starts_with(LOCALE) || pass.iter().any(|known| same(known))
        };
        let inherited = self.surroundings.variables.iter().filter(|(name, _)| is_named(name));
        let inherited = inherited.map(|(name, value)| (name.clone(), value.clone()));
        let own = [("RULEWARD_RULE".to_owned(), rule.clone())];
        let dialect = task.env.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        inherited.chain(own).chain(dialect).chain(set.iter().cloned()).collect()
    }
}
