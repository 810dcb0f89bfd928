//! Decides by the running processes whether a user sits at the terminal that this program was started from.
//!
//! A terminal is believed where the processes show how it came to be: an interactive shell below this program's
//! ancestors leads the session, and a program that opens terminals for users started that shell. Anything else may
//! be a program that created a terminal to give the answers itself.

use std::fmt;

use super::agents::{find_agent, marks};
use super::programs::{ProgramKind, System, is_interactive_shell, kind_of, program_name, program_stem};
use crate::io::process::process_list::{Process, ProcessList, Visibility};

/// Sessions within sessions (`sudo`, a multiplexer) that are looked at.
const MAX_SESSIONS: usize = 4;

/// Why nobody can be said to sit at the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Absence {
    /// An agent is among the processes above.
    BelowAgent(&'static str),
    /// A process above was started with a variable that agents set.
    MarkedAncestor(String, String),
    /// The process belongs to no terminal, or to another one than it reads from.
    NoTerminal,
    /// The process that leads the session is not among those above: it was started and left alone.
    Orphan,
    /// The terminal is one of a namespace that a program can have made.
    PrivateNamespace,
    /// A program stands between the shell and this one.
    Through(String),
    /// The terminal was opened for one command.
    OneCommand(String),
    /// The terminal was created by a program that types.
    Automated(String),
    /// The terminal was opened by a program that is not known.
    UnknownTerminal(String),
    /// The file of the program that opened the terminal may be replaced by any program of the user.
    ChangeableTerminal(String, String),
    /// An agent runs, and can type into the windows of a multiplexer.
    AgentBesideMultiplexer(String, &'static str),
    /// Nobody looks at the multiplexer's windows from a terminal.
    Detached(String),
    /// An agent runs in the same terminal.
    SharedTerminal(&'static str),
}

impl fmt::Display for Absence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const OWN: &str = "run this yourself, in your own terminal";
        const SETTING: &str = "if it is your terminal, add it to your own policy:";
        match self {
            Self::BelowAgent(agent) => write!(f, "`{agent}` is a parent process; {OWN}"),
            Self::MarkedAncestor(program, mark) => {
                write!(f, "`{program}`, a parent process, was started with {mark}, which agents set; {OWN}")
            }
            Self::NoTerminal => write!(f, "the process has no controlling terminal, or reads from another one; {OWN}"),
            Self::Orphan => {
                write!(f, "the process that started this has exited, so it can't be traced to a user; {OWN}")
            }
            Self::PrivateNamespace => write!(f, "processes outside this namespace are not visible; {OWN}"),
            Self::Through(program) => {
                write!(f, "`{program}` is running this; type the command in a shell in your own terminal")
            }
            Self::OneCommand(program) => {
                write!(f, "this terminal was opened only for `{program}`; type the command in a shell")
            }
            Self::Automated(program) => {
                write!(f, "this terminal was created by `{program}`, which can type into it; {OWN}")
            }
            Self::UnknownTerminal(program) => {
                write!(
                    f,
                    "this terminal was opened by the unknown program `{program}`; {SETTING} `terminals: [{program}]`, or use another terminal"
                )
            }
            Self::ChangeableTerminal(program, path) => {
                write!(
                    f,
                    "this terminal was opened by `{program}`, whose file other programs can replace; {SETTING} `terminals: [{path}]`, or use another terminal"
                )
            }
            Self::AgentBesideMultiplexer(program, agent) => {
                write!(
                    f,
                    "`{agent}` is running and can type into the windows of `{program}`; run this in a terminal outside `{program}`"
                )
            }
            Self::Detached(program) => {
                write!(f, "no user is attached to `{program}` from a terminal; {OWN}, outside `{program}`")
            }
            Self::SharedTerminal(agent) => {
                write!(f, "`{agent}` is running in the same terminal; quit it, or use another terminal")
            }
        }
    }
}

/// Returns the agent that is among the processes above, or that started one of them.
pub(super) fn check_no_agent_above(list: &ProcessList) -> Result<(), Absence> {
    for (pid, process) in list.ancestors(list.own) {
        if let Some(agent) = find_agent(process) {
            return Err(Absence::BelowAgent(agent));
        }
        let variables = list.variables.get(&pid).map(Vec::as_slice).unwrap_or_default();
        if let Some(mark) = marks().find(|mark| variables.iter().any(|name| name == mark)) {
            return Err(Absence::MarkedAncestor(program_name(process), mark.to_owned()));
        }
    }
    Ok(())
}

/// Checks that a user sits at the terminal; `terminals` are programs that the user says open such.
pub(super) fn check_presence(list: &ProcessList, terminals: &[String]) -> Result<(), Absence> {
    check_no_agent_above(list)?;
    let presence = Presence { list, terminals };
    match list.visibility {
        Visibility::Parents => presence.check_parents(),
        Visibility::Sessions => {
            let own = list.processes.get(&list.own).and_then(|own| own.terminal.as_ref()).ok_or(Absence::NoTerminal)?;
            if list.stdin_terminal.as_ref().is_some_and(|stdin| stdin != own) {
                return Err(Absence::NoTerminal);
            }
            if let Some(agent) = presence.find_agent_at(own) {
                return Err(Absence::SharedTerminal(agent));
            }
            presence.check_session(list.own, MAX_SESSIONS)
        }
    }
}

/// A look at the processes.
struct Presence<'a> {
    list: &'a ProcessList,
    terminals: &'a [String],
}

impl Presence<'_> {
    /// Checks the session that a process is in.
    fn check_session(&self, pid: u32, left: usize) -> Result<(), Absence> {
        let process = self.list.processes.get(&pid).ok_or(Absence::Orphan)?;
        let terminal = process.terminal.as_ref().ok_or(Absence::NoTerminal)?;
        let own = std::iter::once((pid, process));
        let mut leader = None;
        for (at, above) in own.chain(self.list.ancestors(pid)) {
            if above.terminal.as_ref() != Some(terminal) {
                return Err(Absence::Orphan);
            }
            if above.leads_session {
                leader = Some((at, above));
                break;
            }
            let passes = matches!(
                kind_of(above, System::Unix),
                ProgramKind::Shell | ProgramKind::Wrapper | ProgramKind::UserChanger
            );
            if at != pid && !passes && !self.is_listed(above) {
                return Err(Absence::Through(program_name(above)));
            }
        }
        let (at, leader) = leader.ok_or(Absence::Orphan)?;
        self.check_leader(at, leader, at == pid && pid != self.list.own, left)
    }

    /// Checks the process that leads a session, and the one that started it.
    fn check_leader(&self, at: u32, leader: &Process, is_client: bool, left: usize) -> Result<(), Absence> {
        let starter = self.list.processes.get(&leader.parent).filter(|_| leader.parent != 0);
        let kind = starter.map(|starter| kind_of(starter, System::Unix));
        let own = kind_of(leader, System::Unix);
        let reads_commands = match own {
            ProgramKind::Shell => is_interactive_shell(leader, kind == Some(ProgramKind::Terminal)),
            ProgramKind::Login => true,
            // A multiplexer's client that a terminal was opened for.
            ProgramKind::Multiplexer => is_client,
            _ => false,
        };
        if !reads_commands && !starter.is_some_and(|starter| self.is_listed(starter)) {
            return Err(Absence::OneCommand(program_name(leader)));
        }
        let Some(starter) = starter else {
            // The first process of a container, or one that the runtime put into it.
            return if self.list.is_private_namespace {
                Err(Absence::PrivateNamespace)
            } else if at == 1 || leader.parent == 0 {
                Ok(())
            } else {
                Err(Absence::Orphan)
            };
        };
        if self.is_listed(starter) {
            return Ok(());
        }
        let name = || program_name(starter);
        match kind.unwrap_or(ProgramKind::Unknown) {
            ProgramKind::Terminal | ProgramKind::Login if starter.is_program_changeable => {
                Err(Absence::ChangeableTerminal(name(), starter.program.clone().unwrap_or_else(name)))
            }
            ProgramKind::Terminal | ProgramKind::Login => Ok(()),
            ProgramKind::UserChanger if left > 0 => self.check_session(leader.parent, left - 1),
            ProgramKind::Multiplexer if left > 0 => self.check_multiplexer(leader.parent, starter, left - 1),
            ProgramKind::Init if own == ProgramKind::Login => Ok(()),
            ProgramKind::Init => Err(Absence::Orphan),
            ProgramKind::Automation | ProgramKind::Shell | ProgramKind::Wrapper => Err(Absence::Automated(name())),
            ProgramKind::Unknown | ProgramKind::UserChanger | ProgramKind::Multiplexer => {
                Err(Absence::UnknownTerminal(name()))
            }
        }
    }

    /// Checks that no agent runs that could type into the windows of a multiplexer, and that a user looks at them.
    fn check_multiplexer(&self, server: u32, process: &Process, left: usize) -> Result<(), Absence> {
        let name = program_name(process);
        let agents = self.list.processes.values().filter(|other| other.user.is_none() || other.user == process.user);
        if let Some(agent) = agents.filter(|other| !other.is_stopped).find_map(find_agent) {
            return Err(Absence::AgentBesideMultiplexer(name, agent));
        }
        let is_client = |pid: u32, other: &Process| {
            pid != server && other.terminal.is_some() && program_name(other).eq_ignore_ascii_case(&name)
        };
        let clients = self.list.processes.iter().filter(|(pid, other)| is_client(**pid, other));
        let is_watched = clients.into_iter().any(|(pid, _)| self.check_session(*pid, left).is_ok());
        if is_watched { Ok(()) } else { Err(Absence::Detached(name)) }
    }

    /// Checks the processes above where sessions are not shown: shells, up to a program that opens consoles.
    fn check_parents(&self) -> Result<(), Absence> {
        for (_, process) in self.list.ancestors(self.list.own) {
            match kind_of(process, System::Windows) {
                ProgramKind::Shell => {}
                ProgramKind::Terminal => return Ok(()),
                _ if self.is_listed(process) => return Ok(()),
                ProgramKind::Automation => return Err(Absence::Automated(program_name(process))),
                _ => return Err(Absence::UnknownTerminal(program_name(process))),
            }
        }
        Err(Absence::Orphan)
    }

    /// Returns the agent that runs at a terminal. One that was stopped cannot do anything there.
    fn find_agent_at(&self, terminal: &str) -> Option<&'static str> {
        let there = self.list.processes.values().filter(|other| other.terminal.as_deref() == Some(terminal));
        there.filter(|other| !other.is_stopped).find_map(find_agent)
    }

    /// Returns whether the user names a program as one that opens terminals: by its name or its path, or by those of
    /// its script.
    fn is_listed(&self, process: &Process) -> bool {
        let name = program_name(process);
        let program = process.program.as_deref();
        let script = process.words.get(1).map(String::as_str).filter(|word| !word.starts_with('-'));
        let script = script.filter(|_| super::programs::is_interpreter(&name));
        self.terminals.iter().any(|listed| {
            let is_path = listed.contains(['/', '\\']);
            let is_same = |path: &str| if is_path { path == listed } else { program_stem(path) == listed };
            (!is_path && name == *listed) || program.is_some_and(is_same) || script.is_some_and(is_same)
        })
    }
}

#[cfg(test)]
mod tests;
