//! Runs of a policy carried out on this machine: which program, in which directory, with which
//! environment.

use std::fmt;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::domain::layer::Layer;
use crate::domain::verdict::plan::{RunCommand, RunPlan};
use crate::domain::verdict::run_record::{Exit, Output, Runner, Task};
use crate::io::platform::{OsFamily, Platform};
use crate::io::process::{self, panics};

/// Variables that every program has: where programs, the user and languages are. None holds a secret.
const BASE_VARIABLES: &[&str] = &[
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
const WINDOWS_BASE_VARIABLES: &[&str] = &[
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
const LOCALE_PREFIX: &str = "LC_";

/// The variable that says in how many runs a program is.
const DEPTH_VARIABLE: &str = "RULEWARD_DEPTH";

/// Runs that may be in one another: a program may start an agent, whose hook runs programs.
const MAX_DEPTH: u32 = 3;

/// Why a run of a policy cannot become a command.
#[derive(Debug, Clone, PartialEq, Eq)]
enum RunSetupError {
    /// Too many runs are nested.
    TooDeep,
    /// The working directory does not exist.
    MissingDirectory(String),
    /// The run names no program.
    NoProgram,
    /// No directory of PATH has the program.
    NotInPath(String),
    /// A policy that is not the project's names a program by a relative path.
    RelativePath {
        /// The path.
        name: String,
        /// The layer of the policy.
        layer: Layer,
    },
    /// The file of the program does not exist.
    MissingFile(String),
    /// The file of the program is not executable.
    NotExecutable(String),
}

impl fmt::Display for RunSetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooDeep => write!(f, "{MAX_DEPTH} runs are already nested"),
            Self::MissingDirectory(directory) => write!(f, "the directory {directory} doesn't exist"),
            Self::NoProgram => f.write_str("no program is given"),
            Self::NotInPath(name) => write!(f, "there is no program `{name}` in PATH"),
            Self::RelativePath { name, layer } => write!(
                f,
                "`{name}` is relative to the current project; a policy of the {} layer must use an absolute path, a path in the home directory (`~/…`), or a name in PATH",
                layer.name()
            ),
            Self::MissingFile(path) => write!(f, "there is no file {path}"),
            Self::NotExecutable(path) => write!(f, "{path} is not executable; run `chmod +x` on it"),
        }
    }
}

impl std::error::Error for RunSetupError {}

/// Programs on this machine.
pub struct ProcessRunner<'a> {
    /// What surrounds them.
    pub platform: &'a Platform,
    /// Extends the deadline of the present evaluation, and returns by how much.
    pub extend_deadline: &'a (dyn Fn(Duration) -> Duration + Sync),
}

impl Runner for ProcessRunner<'_> {
    fn available_time(&self, wanted: Duration) -> Duration {
        (self.extend_deadline)(wanted)
    }

    fn run(&self, tasks: &[Task<'_>]) -> Vec<(Exit, Duration)> {
        if let [task] = tasks {
            return vec![self.run_one(task)];
        }
        thread::scope(|scope| {
            let start = |task| thread::Builder::new().spawn_scoped(scope, move || self.run_one(task));
            let started: Vec<_> = tasks.iter().map(start).collect();
            started.into_iter().map(join).collect()
        })
    }
}

/// Waits for a thread that runs a program.
fn join(thread: std::io::Result<thread::ScopedJoinHandle<'_, (Exit, Duration)>>) -> (Exit, Duration) {
    let failed = |why: String| (Exit::SpawnFailed(why), Duration::ZERO);
    match thread {
        Ok(handle) => handle.join().unwrap_or_else(|_| failed(panics::message())),
        Err(error) => failed(error.to_string()),
    }
}

impl ProcessRunner<'_> {
    fn run_one(&self, task: &Task<'_>) -> (Exit, Duration) {
        let started = Instant::now();
        let exit = if task.plan.blocking { self.wait_for(task) } else { self.detach(task) };
        (exit, started.elapsed())
    }

    fn wait_for(&self, task: &Task<'_>) -> Exit {
        match self.command(task).map(|mut command| process::run(&mut command, task.stdin, task.timeout)) {
            Ok(Ok(process::ProcessOutput { stdout, stderr, exit_code, .. })) => {
                Exit::Completed(Output { stdout, stderr, exit_code })
            }
            Ok(Err(process::ProcessError::TimedOut)) => Exit::TimedOut,
            Ok(Err(process::ProcessError::NotStarted(error))) => Exit::SpawnFailed(error.to_string()),
            Err(error) => Exit::SpawnFailed(error.to_string()),
        }
    }

    fn detach(&self, task: &Task<'_>) -> Exit {
        match self.command(task).map(|mut command| process::spawn_detached(&mut command, task.stdin)) {
            Ok(Ok(())) => Exit::Detached,
            Ok(Err(process::ProcessError::NotStarted(error))) => Exit::SpawnFailed(error.to_string()),
            Ok(Err(error @ process::ProcessError::TimedOut)) => Exit::SpawnFailed(error.to_string()),
            Err(error) => Exit::SpawnFailed(error.to_string()),
        }
    }
}

impl ProcessRunner<'_> {
    fn command(&self, task: &Task<'_>) -> Result<Command, RunSetupError> {
        let depth = self.platform.env_var(DEPTH_VARIABLE).and_then(|depth| depth.parse().ok()).unwrap_or(0_u32);
        if depth >= MAX_DEPTH {
            return Err(RunSetupError::TooDeep);
        }
        let directory = self.working_dir(task);
        if !Path::new(&directory).is_dir() {
            return Err(RunSetupError::MissingDirectory(directory));
        }
        let mut command = match &task.plan.program {
            RunCommand::Direct(words) => {
                let (program, arguments) = words.split_first().ok_or(RunSetupError::NoProgram)?;
                let mut command = Command::new(self.resolve_program(program, task.plan, &directory)?);
                command.args(arguments);
                command
            }
            RunCommand::Shell(text) if self.platform.os == OsFamily::Windows => {
                let mut command = Command::new("powershell.exe");
                command.args(["-NoProfile", "-NonInteractive", "-Command", text]);
                command
            }
            RunCommand::Shell(text) => {
                let mut command = Command::new("/bin/sh");
                command.args(["-c", text]);
                command
            }
        };
        command
            .current_dir(directory)
            .env_clear()
            .envs(self.environment(task))
            .env(DEPTH_VARIABLE, (depth + 1).to_string());
        Ok(command)
    }

    fn working_dir(&self, task: &Task<'_>) -> String {
        let own = task.plan.directory.as_deref();
        own.map_or_else(|| task.directory.to_owned(), |own| self.resolve_path(own, task.directory))
    }

    /// Returns an absolute path: from the home directory, or from another one.
    fn resolve_path(&self, path: &str, base: &str) -> String {
        match (path.strip_prefix("~/"), &self.platform.home) {
            (Some(rest), Some(home)) => self.platform.join(home, &[rest]),
            _ if Path::new(path).is_absolute() => path.to_owned(),
            _ => self.platform.join(base, &[path.strip_prefix("./").unwrap_or(path)]),
        }
    }

    /// Returns the path of a program. A project's own policy alone may name one by a path from there: for
    /// any other, whoever wrote the project would say what runs.
    fn resolve_program(&self, name: &str, planned: &RunPlan, directory: &str) -> Result<String, RunSetupError> {
        let is_path = |sign| name.contains(sign) && (sign == '/' || self.platform.os == OsFamily::Windows);
        if !is_path('/') && !is_path('\\') {
            let found = process::find_in_path(self.platform, name).filter(|path| Path::new(path).is_absolute());
            return found.ok_or_else(|| RunSetupError::NotInPath(name.to_owned()));
        }
        let is_relative = !name.starts_with("~/") && !Path::new(name).is_absolute();
        if is_relative && !planned.layer.is_project() {
            return Err(RunSetupError::RelativePath { name: name.to_owned(), layer: planned.layer });
        }
        let path = self.resolve_path(name, directory);
        let there = Path::new(&path);
        if !there.is_file() {
            return Err(RunSetupError::MissingFile(path));
        }
        if !process::is_executable(there) {
            return Err(RunSetupError::NotExecutable(path));
        }
        Ok(path)
    }

    /// Returns the environment: the few variables that every program has, those that the policy passes on,
    /// those of its dialect, and those that the policy sets.
    fn environment(&self, task: &Task<'_>) -> Vec<(String, String)> {
        let RunPlan { inherited_env: pass, env: set, rule, .. } = task.plan;
        let windows = self.platform.os == OsFamily::Windows;
        let base = if windows { WINDOWS_BASE_VARIABLES } else { BASE_VARIABLES };
        let is_named = |name: &str| {
            let same = |known: &str| if windows { known.eq_ignore_ascii_case(name) } else { known == name };
            base.iter().any(|known| same(known))
                || name.starts_with(LOCALE_PREFIX)
                || pass.iter().any(|known| same(known))
        };
        let inherited = self.platform.env.iter().filter(|(name, _)| is_named(name));
        let inherited = inherited.map(|(name, value)| (name.clone(), value.clone()));
        let own = [("RULEWARD_RULE".to_owned(), rule.clone())];
        let dialect = task.env.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        inherited.chain(own).chain(dialect).chain(set.iter().cloned()).collect()
    }
}
