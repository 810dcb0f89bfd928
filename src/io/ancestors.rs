//! The processes above this one, as far as the system shows them.
//!
//! Linux tells by `/proc`, other Unix systems by `ps`, Windows by its management interface.

use std::collections::BTreeMap;
use std::process::Command;
use std::time::Duration;

use super::platform::{Surroundings, System};
use super::process;

/// How long the system may take to say.
const PATIENCE: Duration = Duration::from_secs(20);
/// Processes above one another that are looked at.
const MOST: usize = 64;

/// A process, by its parent and its words, the program first.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Process {
    parent: u32,
    words: Vec<String>,
}

/// Returns the words of the processes above this one, the nearest first.
///
/// # Errors
/// Returns that they cannot be seen, for people.
pub fn ancestors(surroundings: &Surroundings) -> Result<Vec<Vec<String>>, String> {
    let listed = if cfg!(target_os = "linux") { BTreeMap::new() } else { listed(surroundings)? };
    let look = |pid: u32| if cfg!(target_os = "linux") { in_proc(pid) } else { listed.get(&pid).cloned() };
    let mut next = look(std::process::id());
    let mut found: Vec<Vec<String>> = Vec::new();
    while let Some(process) = next.filter(|process| process.parent > 0 && found.len() < MOST) {
        next = look(process.parent);
        found.extend(next.iter().map(|parent| parent.words.clone()));
    }
    if found.is_empty() {
        return Err("the program that started this one cannot be seen".to_owned());
    }
    Ok(found)
}

/// Looks at a process by `/proc`.
fn in_proc(pid: u32) -> Option<Process> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name stands in brackets and may hold anything.
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
fn listed(surroundings: &Surroundings) -> Result<BTreeMap<u32, Process>, String> {
    let mut command = match surroundings.system {
        System::Unix | System::MacOs => {
            let mut command = Command::new("/bin/ps");
            command.args(["-A", "-o", "pid=", "-o", "ppid=", "-o", "command="]);
            command
        }
        System::Windows => {
            let root = surroundings.directory("SystemRoot").unwrap_or(r"C:\Windows");
            let shell = [r"System32", "WindowsPowerShell", "v1.0", "powershell.exe"];
            let mut command = Command::new(surroundings.join(root, &shell));
            let each = "Get-CimInstance Win32_Process | ForEach-Object { \"$($_.ProcessId) $($_.ParentProcessId) $($_.CommandLine)\" }";
            command.args(["-NoProfile", "-NonInteractive", "-Command", each]);
            command
        }
    };
    let failed = |why: String| format!("the running programs cannot be listed: {why}");
    let said = process::run(&mut command, b"", PATIENCE).map_err(|failure| failed(failure.to_string()))?;
    if said.code != Some(0) {
        return Err(failed(said.stderr));
    }
    Ok(said.stdout.lines().filter_map(read).collect())
}

/// Reads a line of such a list: number, number of the parent, command line.
fn read(line: &str) -> Option<(u32, Process)> {
    let (pid, rest) = line.trim_start().split_once(char::is_whitespace)?;
    let (parent, rest) = rest.trim_start().split_once(char::is_whitespace)?;
    let words = rest.split_whitespace().map(|word| word.trim_matches('"').to_owned()).collect();
    Some((pid.parse().ok()?, Process { parent: parent.parse().ok()?, words }))
}

#[cfg(test)]
mod tests {
    use super::{Process, ancestors, in_proc, read};
    use crate::io::platform::Surroundings;

    #[test]
    fn lists_are_read() {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let expected = Process { parent: 1, words: words(&["/usr/bin/node", "x.js"]) };
        assert_eq!(read("  42     1 /usr/bin/node x.js"), Some((42, expected)));
        let expected = Process { parent: 8, words: words(&[r"C:\x\node.exe", "a"]) };
        assert_eq!(read("9 8 \"C:\\x\\node.exe\" a"), Some((9, expected)));
        assert_eq!(read("PID PPID COMMAND"), None);
    }

    #[test]
    fn the_program_that_runs_the_test_is_seen() {
        let found = ancestors(&Surroundings::here()).unwrap();
        assert!(found.iter().all(|words| !words.is_empty()));
        #[cfg(target_os = "linux")]
        assert!(in_proc(std::process::id()).unwrap().words[0].contains("ruleward"));
        #[cfg(not(target_os = "linux"))]
        assert_eq!(in_proc(std::process::id()), None);
    }
}
