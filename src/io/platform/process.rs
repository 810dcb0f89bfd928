//! Processes: their groups, their end, and how the running ones are found.

use std::process::{Child, Command};

/// Whether `/proc` has a directory for each process.
pub const HAS_PROC: bool = cfg!(target_os = "linux");

/// Returns the terminal that standard input is, by the number that `/proc` has for it, where there is `/proc`.
pub fn stdin_terminal() -> Option<String> {
    #[cfg(target_os = "linux")]
    {
        let device = rustix::fs::fstat(std::io::stdin()).ok()?.st_rdev;
        let (major, minor) = (rustix::fs::major(device), rustix::fs::minor(device));
        Some((((minor & !0xff) << 12) | (major << 8) | (minor & 0xff)).to_string())
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// Returns how many bytes of address space the process may still take, where that is limited.
pub fn free_address_space() -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, getrlimit};
        let limit = getrlimit(Resource::As).current?;
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let size = status.lines().find_map(|line| line.strip_prefix("VmSize:"));
        let kibibytes = size.and_then(|size| size.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0);
        Some(limit.saturating_sub(kibibytes << 10))
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// Returns how many bytes of stack the process may take, where that is limited.
pub fn max_stack() -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        rustix::process::getrlimit(rustix::process::Resource::Stack).current
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// How a process group is ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Termination {
    /// Its processes are asked to end.
    Graceful,
    /// They are not asked.
    Forced,
}

/// Has a program start in a process group of its own, out of reach of what ends ours.
pub fn use_own_process_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    {
        /// `CREATE_NEW_PROCESS_GROUP` and `CREATE_NO_WINDOW`.
        const FLAGS: u32 = 0x0000_0200 | 0x0800_0000;
        std::os::windows::process::CommandExt::creation_flags(command, FLAGS);
    }
}

/// Returns whether a program has ended, and leaves its name to it: until it is waited for, no other
/// process, and no other group, is called the same.
pub fn has_exited(child: &mut Child) -> bool {
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
pub fn terminate_group(child: &Child, how: Termination) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        let signal = if how == Termination::Graceful { Signal::TERM } else { Signal::KILL };
        // Nothing is left of it when this fails.
        let _gone = kill_process_group(Pid::from_child(child), signal);
    }
    #[cfg(windows)]
    if how == Termination::Forced {
        use std::process::Stdio;
        let mut command = Command::new("taskkill.exe");
        let command = command.args(["/T", "/F", "/PID"]).arg(child.id().to_string());
        // Nothing is left of it when this fails.
        let _gone = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
}
