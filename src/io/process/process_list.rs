//! The processes of the machine, as far as the system shows them.
//!
//! Linux tells by `/proc`, other Unix systems by `ps`, Windows by its management interface.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::{ProcessError, run};
use crate::io::platform::file::is_changeable_by_users;
use crate::io::platform::process::{HAS_PROC, stdin_terminal};
use crate::io::platform::{OsFamily, Platform};

/// How long the system may take to say.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Processes above one another that are looked at.
const MAX_ANCESTORS: usize = 64;
/// Files that container runtimes put into a container.
const CONTAINER_MARKS: &[&str] = &["/.dockerenv", "/run/.containerenv", "/run/systemd/container", "/.flatpak-info"];
/// What stands in `/proc/self/uid_map` where no user namespace was made.
const WHOLE_UID_MAP: [&str; 3] = ["0", "0", "4294967295"];

/// A process.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Process {
    /// The process that started it, or that it was given to when that one ended; 0 for none.
    pub parent: u32,
    /// Its words, the program first.
    pub words: Vec<String>,
    /// The name that the process gives itself.
    pub title: String,
    /// The file of its program, where that can be seen.
    pub program: Option<String>,
    /// Whether somebody else than the administrator may change that file.
    pub is_program_changeable: bool,
    /// The user it runs as, where that can be seen.
    pub user: Option<u32>,
    /// Whether it began the session that it is in.
    pub leads_session: bool,
    /// The terminal that its session belongs to.
    pub terminal: Option<String>,
    /// Whether it was stopped and waits to be continued.
    pub is_stopped: bool,
}

/// Which relations between processes a system shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// Parents, sessions and terminals.
    Sessions,
    /// Parents alone.
    Parents,
}

/// The processes, and which of them this one is.
#[derive(Debug, Clone)]
pub struct ProcessList {
    /// This process.
    pub own: u32,
    /// All processes by their numbers.
    pub processes: BTreeMap<u32, Process>,
    /// The names of the variables that the processes above this one were started with, as far as they can be read.
    pub variables: BTreeMap<u32, Vec<String>>,
    /// What the system shows.
    pub visibility: Visibility,
    /// The terminal that standard input is, by the same name as [`Process::terminal`], where that is known.
    pub stdin_terminal: Option<String>,
    /// Whether this is a namespace that an ordinary user can have made, and no container.
    pub is_private_namespace: bool,
}

/// Why the processes are not known.
#[derive(Debug)]
pub enum ProcessListError {
    /// The program that lists processes gave no answer.
    NotRun(ProcessError),
    /// The program that lists processes failed, with this on its standard error.
    Failed(String),
    /// The list does not have the processes above this one.
    NotVisible,
}

impl fmt::Display for ProcessListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NOT_LISTED: &str = "the running processes can't be listed";
        match self {
            Self::NotRun(why) => write!(f, "{NOT_LISTED}: {why}"),
            Self::Failed(why) => write!(f, "{NOT_LISTED}: {why}"),
            Self::NotVisible => f.write_str("the parent process is not visible"),
        }
    }
}

impl Error for ProcessListError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::NotRun(why) => Some(why),
            Self::Failed(_) | Self::NotVisible => None,
        }
    }
}

impl ProcessList {
    /// Lists the processes of this machine.
    ///
    /// # Errors
    /// Returns why they cannot be seen.
    pub fn current(platform: &Platform) -> Result<Self, ProcessListError> {
        let own = std::process::id();
        let processes = if HAS_PROC { read_all_proc() } else { list_by_program(platform)? };
        let visibility = if platform.os == OsFamily::Windows { Visibility::Parents } else { Visibility::Sessions };
        let mut list = Self {
            own,
            processes,
            variables: BTreeMap::new(),
            visibility,
            stdin_terminal: stdin_terminal(),
            is_private_namespace: HAS_PROC && is_private_namespace(),
        };
        let above: Vec<u32> = list.ancestors(own).map(|(pid, _)| pid).collect();
        let is_top = list.processes.get(&own).is_some_and(|process| process.parent == 0);
        if above.is_empty() && !is_top {
            return Err(ProcessListError::NotVisible);
        }
        list.variables = above.into_iter().map(|pid| (pid, read_variables(pid))).collect();
        Ok(list)
    }

    /// Returns the processes above one, the nearest first.
    pub fn ancestors(&self, pid: u32) -> impl Iterator<Item = (u32, &Process)> {
        let above = move |pid: u32| {
            let parent = self.processes.get(&pid)?.parent;
            (parent != 0 && parent != pid).then_some(parent).filter(|parent| self.processes.contains_key(parent))
        };
        let chain = std::iter::successors(above(pid), move |pid| above(*pid)).take(MAX_ANCESTORS);
        chain.filter_map(|pid| Some((pid, self.processes.get(&pid)?)))
    }
}

/// Reads every process of `/proc`.
fn read_all_proc() -> BTreeMap<u32, Process> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter_map(|pid| Some((pid, read_proc(pid)?))).collect()
}

/// Reads a process of `/proc`.
fn read_proc(pid: u32) -> Option<Process> {
    let directory = format!("/proc/{pid}");
    let stat = std::fs::read_to_string(format!("{directory}/stat")).ok()?;
    // The name is in brackets and may hold anything.
    let (head, fields) = stat.rsplit_once(')')?;
    let title = head.split_once('(').map(|(_, name)| name.to_owned()).unwrap_or_default();
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let number = |at: usize| fields.get(at).and_then(|field| field.parse::<u32>().ok());
    let line = std::fs::read(format!("{directory}/cmdline")).unwrap_or_default();
    let words = line.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned());
    let mut words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        words.push(title.clone());
    }
    let program_link = format!("{directory}/exe");
    let program = std::fs::read_link(&program_link).ok().map(|path| path.to_string_lossy().into_owned());
    Some(Process {
        parent: number(1)?,
        words,
        title,
        is_program_changeable: program.is_some() && is_changeable_by_users(Path::new(&program_link)),
        program: program.map(|path| path.trim_end_matches(" (deleted)").to_owned()),
        user: read_user(&directory),
        leads_session: number(3) == Some(pid),
        terminal: number(4).filter(|number| *number != 0).map(|number| number.to_string()),
        is_stopped: fields.first() == Some(&"T"),
    })
}

/// Returns the real user of a process.
fn read_user(directory: &str) -> Option<u32> {
    let status = std::fs::read_to_string(format!("{directory}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("Uid:"))?.split_whitespace().next()?.parse().ok()
}

/// Returns the names of the variables that a process was started with.
fn read_variables(pid: u32) -> Vec<String> {
    let text = if HAS_PROC { std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default() } else { Vec::new() };
    let entries = text.split(|byte| *byte == 0).map(String::from_utf8_lossy);
    entries.filter_map(|entry| Some(entry.split_once('=')?.0.to_owned())).collect()
}

/// Returns whether the process is in a user namespace that no container runtime speaks for.
fn is_private_namespace() -> bool {
    let map = std::fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    let is_whole = map.split_whitespace().eq(WHOLE_UID_MAP);
    !is_whole && !map.is_empty() && !CONTAINER_MARKS.iter().any(|path| Path::new(path).exists())
}

/// Lists the processes by another program.
fn list_by_program(platform: &Platform) -> Result<BTreeMap<u32, Process>, ProcessListError> {
    if platform.os == OsFamily::Windows {
        let root = platform.env_dir("SystemRoot").unwrap_or(r"C:\Windows");
        let shell = [r"System32", "WindowsPowerShell", "v1.0", "powershell.exe"];
        let mut command = Command::new(platform.join(root, &shell));
        let each = "Get-CimInstance Win32_Process | ForEach-Object { $line = $_.CommandLine; if (-not $line) { $line = $_.Name }; \"$($_.ProcessId) $($_.ParentProcessId) $line\" }";
        command.args(["-NoProfile", "-NonInteractive", "-Command", each]);
        return Ok(output_of(&mut command)?.lines().filter_map(parse_windows_line).collect());
    }
    let ps = |columns: &[&str]| {
        let mut command = Command::new("/bin/ps");
        command.arg("-A").args(columns.iter().flat_map(|column| ["-o", column]));
        output_of(&mut command)
    };
    let listed = ps(&["pid=", "ppid=", "uid=", "tty=", "stat=", "command="])?;
    let mut processes: BTreeMap<u32, Process> = listed.lines().filter_map(parse_ps_line).collect();
    // A path may have blanks in it, and stands here alone.
    for line in ps(&["pid=", "comm="])?.lines() {
        let Some((pid, path)) = line.trim_start().split_once(char::is_whitespace) else { continue };
        let process = pid.parse().ok().and_then(|pid: u32| processes.get_mut(&pid));
        if let Some(process) = process {
            process.program = Some(path.trim().to_owned()).filter(|path| path.starts_with('/'));
        }
    }
    Ok(processes)
}

fn output_of(command: &mut Command) -> Result<String, ProcessListError> {
    let said = run(command, b"", TIMEOUT).map_err(ProcessListError::NotRun)?;
    if said.exit_code == Some(0) { Ok(said.stdout) } else { Err(ProcessListError::Failed(said.stderr)) }
}

/// Takes the first word off a line.
fn take_word(line: &str) -> Option<(&str, &str)> {
    line.trim_start().split_once(char::is_whitespace)
}

fn words_of(line: &str) -> Vec<String> {
    line.split_whitespace().map(|word| word.trim_matches('"').to_owned()).collect()
}

/// Reads a line of Windows' list: number, number of the parent, command line.
fn parse_windows_line(line: &str) -> Option<(u32, Process)> {
    let (pid, rest) = take_word(line)?;
    let (parent, rest) = take_word(rest)?;
    let words = words_of(rest);
    let path = rest.trim_start().strip_prefix('"').and_then(|rest| rest.split_once('"')).map(|(path, _)| path);
    let program = path.map(ToOwned::to_owned).or_else(|| words.first().cloned());
    Some((pid.parse().ok()?, Process { parent: parent.parse().ok()?, words, program, ..Process::default() }))
}

/// Reads a line of `ps`: number, number of the parent, user, terminal, state, command line.
fn parse_ps_line(line: &str) -> Option<(u32, Process)> {
    let (pid, rest) = take_word(line)?;
    let (parent, rest) = take_word(rest)?;
    let (user, rest) = take_word(rest)?;
    let (terminal, rest) = take_word(rest)?;
    let (state, rest) = take_word(rest)?;
    let has_terminal = !terminal.starts_with(['?', '-']);
    let process = Process {
        parent: parent.parse().ok()?,
        words: words_of(rest),
        user: user.parse().ok(),
        leads_session: state.contains('s'),
        terminal: has_terminal.then(|| terminal.to_owned()),
        is_stopped: state.starts_with('T'),
        ..Process::default()
    };
    Some((pid.parse().ok()?, process))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Process, ProcessList, parse_ps_line, parse_windows_line, read_proc};
    use crate::io::platform::Platform;
    use crate::io::platform::process::HAS_PROC;

    #[test]
    fn lists_are_read() {
        let (pid, process) = parse_ps_line("  42     1   501 ttys003 Ss+  -zsh -l").unwrap();
        assert_eq!((pid, process.parent, process.user), (42, 1, Some(501)));
        assert_eq!((process.terminal.as_deref(), process.leads_session), (Some("ttys003"), true));
        assert_eq!(process.words, ["-zsh", "-l"]);
        let (_, daemon) = parse_ps_line("7 1 0 ?? T /usr/sbin/x y").unwrap();
        assert_eq!((daemon.terminal, daemon.leads_session, daemon.is_stopped), (None, false, true));
        assert_eq!(parse_ps_line("PID PPID UID TTY STAT COMMAND"), None);
        let (pid, process) = parse_windows_line("9 8 \"C:\\My Tools\\node.exe\" a").unwrap();
        assert_eq!((pid, process.parent, process.program.as_deref()), (9, 8, Some(r"C:\My Tools\node.exe")));
    }

    #[test]
    fn the_program_that_runs_the_test_is_seen() {
        let list = ProcessList::current(&Platform::current()).unwrap();
        assert!(list.ancestors(list.own).all(|(_, process)| !process.words.is_empty()));
        let own = read_proc(std::process::id());
        assert_eq!(own.is_some_and(|own| own.words[0].contains("ruleward")), HAS_PROC);
    }

    #[test]
    fn a_loop_of_parents_ends() {
        let process = |parent| Process { parent, ..Process::default() };
        let list = ProcessList {
            own: 5,
            processes: [(5, process(6)), (6, process(5))].into(),
            variables: BTreeMap::new(),
            visibility: super::Visibility::Sessions,
            stdin_terminal: None,
            is_private_namespace: false,
        };
        assert!(list.ancestors(5).count() <= super::MAX_ANCESTORS);
    }
}
