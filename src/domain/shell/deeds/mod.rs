//! What commands do that is not about one file here: data sent away, history thrown away, code put
//! into the environment, the environment shown.
//!
//! Each kind is a table with a small reader: `send`, `history`, `environment`, `dump`. A
//! program that is in no table does none of this here.

mod dump;
mod environment;
mod environment_table;
mod history;
mod send;
mod send_table;

use std::cell::OnceCell;

use serde::{Deserialize, Serialize};

use super::effects::{Access, files_of};
use super::script::{Command, RedirectKind, Script};
pub(crate) use environment::assigned;
pub use environment::{Setting, runs_code};
pub use history::History;
pub use send::Sending;

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DeedKind {
    /// Data is sent over the network.
    Send,
    /// History of version control is rewritten or thrown away.
    History,
    /// A variable or setting is set that makes some program run code.
    Environment,
    /// The whole environment is shown.
    Dump,
}

/// What a command does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deed {
    /// The index of the command in the script.
    pub command: usize,
    /// What it does.
    pub what: What,
}

/// What is done, with what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// Data is sent over the network.
    Send(Sending),
    /// History is rewritten or thrown away.
    History(History),
    /// A variable or setting is set that makes some program run code.
    Environment(Setting),
    /// The whole environment is shown.
    Dump,
}

impl What {
    /// Returns the kind of what is done.
    pub const fn kind(&self) -> DeedKind {
        match self {
            Self::Send(_) => DeedKind::Send,
            Self::History(_) => DeedKind::History,
            Self::Environment(_) => DeedKind::Environment,
            Self::Dump => DeedKind::Dump,
        }
    }
}

impl DeedKind {
    /// Every kind, with its name in policies.
    pub const NAMES: [(Self, &'static str); 4] =
        [(Self::Send, "send"), (Self::History, "history"), (Self::Environment, "environment"), (Self::Dump, "dump")];

    /// Returns the kind's name in policies.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }
}

/// Returns what the commands of a script do besides touching files.
pub fn deeds(script: &Script) -> Vec<Deed> {
    let mut deeds: Vec<Deed> = Vec::new();
    let telling: OnceCell<Vec<bool>> = OnceCell::new();
    let tells = |(index, command): (usize, &Command)| {
        files_of(command).iter().any(|(_, access)| *access == Access::Read) || dump::prints(index, command, script)
    };
    let told = |index: usize| {
        let telling = telling.get_or_init(|| script.commands.iter().enumerate().map(tells).collect());
        telling.get(index).copied().unwrap_or(false)
    };
    for (index, command) in script.commands.iter().enumerate() {
        let sent = send::of(command, script, &told).map(What::Send);
        let rewritten = history::of(command).into_iter().map(What::History);
        let put = environment::of(command).into_iter().map(What::Environment);
        let shown = dump::shows(index, command, script).then_some(What::Dump);
        for what in sent.into_iter().chain(rewritten).chain(put).chain(shown) {
            let deed = Deed { command: index, what };
            if !deeds.iter().rev().take(8).any(|seen| *seen == deed) {
                deeds.push(deed);
            }
        }
    }
    deeds
}

/// Returns the files that a command sends, as written.
pub(crate) fn sent_files(command: &Command) -> Vec<String> {
    send::named(command).map(|sending| sending.files).unwrap_or_default()
}

/// Tells whether a command reads something besides the terminal: a pipe, a file, a text.
fn is_fed(command: &Command) -> bool {
    let feeds = |kind| {
        matches!(kind, RedirectKind::Read | RedirectKind::ReadWrite | RedirectKind::HereDoc | RedirectKind::HereString)
    };
    command.stage > 0 || command.redirects.iter().any(|redirect| feeds(redirect.kind))
}

/// Returns the commands whose output a command is given: earlier stages of its pipeline, and
/// substitutions among its words.
pub fn sources<'s>(command: &'s Command, script: &'s Script) -> impl Iterator<Item = (usize, &'s Command)> {
    let depth = |command: &Command| command.via.iter().filter(|via| via.contains('…')).count();
    let own = depth(command);
    let within = move |other: &Command| {
        other.span.start >= command.span.start && other.span.end <= command.span.end && depth(other) > own
    };
    script
        .commands
        .iter()
        .enumerate()
        .filter(move |(_, other)| (other.pipeline == command.pipeline && other.stage < command.stage) || within(other))
}
