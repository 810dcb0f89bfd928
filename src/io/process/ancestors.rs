//! The processes above this one, as far as the system shows them.
//!
//! Linux tells by `/proc`, other Unix systems by `ps`, Windows by its management interface.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::process::Command;
use std::time::Duration;

use super::{ProcessError, run};
use crate::io::platform::process::HAS_PROC;
use crate::io::platform::{OsFamily, Platform};

/// How long the system may take to say.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Processes above one another that are looked at.
const MAX_ANCESTORS: usize = 64;

/// A process, by its parent and its words, the program first.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Process {
    parent: u32,
    words: Vec<String>,
}

/// Why the processes above this one are not known.
#[derive(Debug)]
pub enum AncestorsError {
    /// The program that lists processes gave no answer.
    NotRun(ProcessError),
    /// The program that lists processes failed, with this on its standard error.
    Failed(String),
    /// The list does not have them.
    NotVisible,
}

impl fmt::Display for AncestorsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NOT_LISTED: &str = "the running programs cannot be listed";
        match self {
            Self::NotRun(why) => write!(f, "{NOT_LISTED}: {why}"),
            Self::Failed(why) => write!(f, "{NOT_LISTED}: {why}"),
            Self::NotVisible => f.write_str("the program that started this one cannot be seen"),
        }
    }
}

impl Error for AncestorsError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::NotRun(why) => Some(why),
            Self::Failed(_) | Self::NotVisible => None,
        }
    }
}

/// Returns the words of the processes above this one, the nearest first.
///
/// # Errors
/// Returns why they cannot be seen.
pub fn ancestors(surroundings: &Platform) -> Result<Vec<Vec<String>>, AncestorsError> {
    let listed = if HAS_PROC { BTreeMap::new() } else { list_processes(surroundings)? };
    let look = |pid: u32| if HAS_PROC { read_proc(pid) } else { listed.get(&pid).cloned() };
    let mut next = look(std::process::id());
    let mut found: Vec<Vec<String>> = Vec::new();
    while let Some(process) = next.filter(|process| process.parent > 0 && found.len() < MAX_ANCESTORS) {
        next = look(process.parent);
        found.extend(next.iter().map(|parent| parent.words.clone()));
    }
    if found.is_empty() {
        return Err(AncestorsError::NotVisible);
    }
    Ok(found)
}

/// Checks a process by `/proc`.
fn read_proc(pid: u32) -> Option<Process> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name is in brackets and may hold anything.
    let parent = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()?;
    let name = stat.split_once('(').and_then(|(_, rest)| rest.rsplit_once(')')).map(|(name, _)| name.to_owned());
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let words = line.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned());
    let mut words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        words.extend(name);
    }
    Some(Process { parent, words })
}

/// Lists the processes by another program.
fn list_processes(surroundings: &Platform) -> Result<BTreeMap<u32, Process>, AncestorsError> {
    let mut command = match surroundings.os {
        OsFamily::Unix | OsFamily::MacOs => {
            let mut command = Command::new("/bin/ps");
            command.args(["-A", "-o", "pid=", "-o", "ppid=", "-o", "command="]);
            command
        }
        OsFamily::Windows => {
            let root = surroundings.env_dir("SystemRoot").unwrap_or(r"C:\Windows");
            let shell = [r"System32", "WindowsPowerShell", "v1.0", "powershell.exe"];
            let mut command = Command::new(surroundings.join(root, &shell));
            let each = "Get-CimInstance Win32_Process | ForEach-Object { \"$($_.ProcessId) $($_.ParentProcessId) $($_.CommandLine)\" }";
            command.args(["-NoProfile", "-NonInteractive", "-Command", each]);
            command
        }
    };
    let said = run(&mut command, b"", TIMEOUT).map_err(AncestorsError::NotRun)?;
    if said.exit_code != Some(0) {
        return Err(AncestorsError::Failed(said.stderr));
    }
    Ok(said.stdout.lines().filter_map(parse_process).collect())
}

/// Reads a line of such a list: number, number of the parent, command line.
fn parse_process(line: &str) -> Option<(u32, Process)> {
    let (pid, rest) = line.trim_start().split_once(char::is_whitespace)?;
    let (parent, rest) = rest.trim_start().split_once(char::is_whitespace)?;
    let words = rest.split_whitespace().map(|word| word.trim_matches('"').to_owned()).collect();
    Some((pid.parse().ok()?, Process { parent: parent.parse().ok()?, words }))
}

#[cfg(test)]
mod tests {
    use super::{Process, ancestors, parse_process, read_proc};
    use crate::io::platform::Platform;
    use crate::io::platform::process::HAS_PROC;

    #[test]
    fn lists_are_read() {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let expected = Process { parent: 1, words: words(&["/usr/bin/node", "x.js"]) };
        assert_eq!(parse_process("  42     1 /usr/bin/node x.js"), Some((42, expected)));
        let expected = Process { parent: 8, words: words(&[r"C:\x\node.exe", "a"]) };
        assert_eq!(parse_process("9 8 \"C:\\x\\node.exe\" a"), Some((9, expected)));
        assert_eq!(parse_process("PID PPID COMMAND"), None);
    }

    #[test]
    fn the_program_that_runs_the_test_is_seen() {
        let found = ancestors(&Platform::current()).unwrap();
        assert!(found.iter().all(|words| !words.is_empty()));
        let own = read_proc(std::process::id());
        assert_eq!(own.is_some_and(|own| own.words[0].contains("ruleward")), HAS_PROC);
    }
}
