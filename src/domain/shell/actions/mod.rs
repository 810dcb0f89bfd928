//! Actions of commands that do not concern one local file: data is sent away, secrets are sent away, history is
//! discarded, code is put into the environment, the environment is shown.
//!
//! Each kind is a table with a small reader: `send`, `disclosure`, `history`, `environment`, `dump`. A program that is
//! in no table has no action here.

mod code_disclosure;
mod disclosure;
mod environment;
mod environment_dump;
mod environment_table;
mod history;
mod host;
mod masking;
mod output_use;
mod owner_table;
mod printed_secret;
mod project_data;
mod remote;
mod secret_variable;
mod send;
mod send_table;
mod shown_input;
mod token_use;
mod transfer_script;

use std::cell::OnceCell;

use serde::{Deserialize, Serialize};

use super::effects::{Access, command_files};
use super::script::{Command, RedirectKind, Script};
pub use disclosure::{Disclosure, Means};
pub(crate) use environment::assigned_variables;
pub use environment::{Setting, runs_code};
pub use history::HistoryRewrite;
pub(crate) use host::is_local as is_local_host;
pub use output_use::{OutputUse, output_use};
pub use project_data::ProjectShare;
pub use remote::{RemoteAct, RemoteRelation, RemoteUse, relation as remote_relation};
pub use send::OutboundTransfer;
pub use shown_input::shows_input;

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ActionKind {
    /// Data is sent over the network.
    Send,
    /// Version control history is rewritten or discarded.
    History,
    /// A variable or setting is set that makes a program run code.
    Environment,
    /// All variables are shown.
    Dump,
    /// A secret variable or token is sent to a host.
    Disclose,
    /// Commits are pushed to a URL, or the URL of a remote is changed.
    Remote,
}

/// What a command does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// The index of the command in the script.
    pub command: usize,
    /// What it does.
    pub detail: ActionDetail,
}

/// What is done, with what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ActionDetail {
    /// Data is sent over the network.
    Send(OutboundTransfer),
    /// History is rewritten or thrown away.
    History(HistoryRewrite),
    /// A variable or setting is set that makes a program run code.
    Environment(Setting),
    /// All variables are shown.
    Dump,
    /// A secret variable or token is sent to a host.
    Disclose(Disclosure),
    /// Commits are pushed to a URL, or the URL of a remote is changed.
    Remote(RemoteUse),
}

impl ActionDetail {
    /// Returns the kind of what is done.
    pub const fn kind(&self) -> ActionKind {
        match self {
            Self::Send(_) => ActionKind::Send,
            Self::History(_) => ActionKind::History,
            Self::Environment(_) => ActionKind::Environment,
            Self::Dump => ActionKind::Dump,
            Self::Disclose(_) => ActionKind::Disclose,
            Self::Remote(_) => ActionKind::Remote,
        }
    }
}

impl ActionKind {
    /// Every kind, with its name in policies.
    pub const NAMES: [(Self, &'static str); 6] = [
        (Self::Send, "send"),
        (Self::History, "history"),
        (Self::Environment, "environment"),
        (Self::Dump, "dump"),
        (Self::Disclose, "disclose"),
        (Self::Remote, "remote"),
    ];

    /// Returns the kind's name in policies.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }
}

/// Returns what the commands of a script do besides touching files.
pub fn actions(script: &Script) -> Vec<Action> {
    let mut deeds: Vec<Action> = Vec::new();
    let telling: OnceCell<Vec<bool>> = OnceCell::new();
    let tells = |(index, command): (usize, &Command)| {
        command_files(command).iter().any(|(_, access)| *access == Access::Read)
            || environment_dump::prints_environment(index, command, script)
    };
    let told = |index: usize| {
        let telling = telling.get_or_init(|| script.commands.iter().enumerate().map(tells).collect());
        telling.get(index).copied().unwrap_or(false)
    };
    for (index, command) in script.commands.iter().enumerate() {
        let transfer = send::explicit_transfer(command);
        let disclosed = disclosure::detect(index, command, transfer.as_ref(), script).into_iter();
        let disclosed = disclosed.map(ActionDetail::Disclose);
        let sent = send::detect(index, command, transfer, script, &told).map(ActionDetail::Send);
        let remotes = remote::detect(index, command, script).into_iter().map(ActionDetail::Remote);
        let rewritten = history::detect(command).into_iter().map(ActionDetail::History);
        let put = environment::detect(command).into_iter().map(ActionDetail::Environment);
        let shown = environment_dump::dumps_environment(index, command, script).then_some(ActionDetail::Dump);
        for what in sent.into_iter().chain(disclosed).chain(remotes).chain(rewritten).chain(put).chain(shown) {
            let deed = Action { command: index, detail: what };
            if !deeds.iter().rev().take(8).any(|seen| *seen == deed) {
                deeds.push(deed);
            }
        }
    }
    deeds
}

/// Returns the files that a command sends, as written.
pub(crate) fn sent_files(command: &Command) -> Vec<String> {
    send::explicit_transfer(command).map(|sending| sending.files).unwrap_or_default()
}

/// Returns whether a command reads something besides the terminal: a pipe, a file, a text.
fn has_input(command: &Command) -> bool {
    let feeds = |kind| {
        matches!(kind, RedirectKind::Read | RedirectKind::ReadWrite | RedirectKind::HereDoc | RedirectKind::HereString)
    };
    command.stage > 0 || command.redirects.iter().any(|redirect| feeds(redirect.kind))
}

/// Returns the commands whose output a command is given: earlier stages of its pipeline, and
/// substitutions among its words.
pub fn upstream_commands<'s>(command: &'s Command, script: &'s Script) -> impl Iterator<Item = (usize, &'s Command)> {
    let depth = |command: &Command| command.call_chain.iter().filter(|via| via.contains('…')).count();
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
