//! What an event does besides touching files and fetching addresses, by whatever tool.

use super::{CommandIndex, Facts};
use crate::domain::event::tool::{Access, ToolCall, ToolKind, name_words};
use crate::domain::shell::actions::{self, ActionDetail, ActionKind, ProjectShare};
use crate::domain::text::url::host_of;

/// Something that the event does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionFact {
    /// The kind of the action.
    pub kind: ActionKind,
    /// What it is done to or by: a variable or setting, a part of the history, a program that sends, or a secret.
    pub name: String,
    /// What the variable or setting is set to; how a secret goes; what is sent; what an address is to the repository.
    pub value: String,
    /// The destination as written, for data that is sent; `None` if the call does not name it.
    pub destination: Option<String>,
    /// The position of the tool call that it belongs to.
    pub call: usize,
    /// The command that does it, if a command does.
    pub command: Option<CommandIndex>,
    /// The files that are sent, as written.
    pub files: Vec<String>,
}

/// What is sent, where that is the project, its history or its sources.
const PROJECT: &str = "project";

/// Words in the names of tools that send their arguments.
const SENDING_WORDS: &[&str] = &[
    "send", "post", "upload", "publish", "submit", "reply", "comment", "email", "mail", "share", "push", "notify",
    "tweet",
];

/// Names of arguments that hold variables.
const ENVIRONMENT_ARGUMENTS: &[&str] = &["env", "environment", "envs", "env_vars", "envVars"];

impl ActionFact {
    /// Returns the host that the data is sent to, if the call names it.
    pub fn host(&self) -> Option<String> {
        let to = self.destination.as_deref()?;
        let host = if to.contains("://") {
            host_of(to)
        } else {
            let before = to.split(['/', ':']).next().unwrap_or(to);
            before.rsplit('@').next().unwrap_or(before).to_ascii_lowercase()
        };
        Some(host).filter(|host| !host.is_empty())
    }
}

impl Facts<'_> {
    /// Returns the addresses of the remotes of the repository that a command works in; none if they are not known.
    /// `directory` is relative to the command's own.
    fn remotes(&self, command: Option<CommandIndex>, directory: Option<&str>) -> Vec<String> {
        let script = command.and_then(|at| self.scripts().get(at.script));
        let start = script.and_then(|analysed| analysed.start_directory);
        let cwd = command.and_then(|at| self.command(at)).map(|command| &command.cwd);
        let Some(candidates) = cwd.and_then(crate::domain::shell::Cwd::candidates) else { return Vec::new() };
        // After a `cd` that may have failed, the directory that it leads to is meant.
        let inner = candidates.into_iter().max_by_key(|candidate| candidate.len()).unwrap_or_default();
        let base = self.path_context.resolve(if inner.is_empty() { "." } else { inner }, start);
        let path =
            directory.map_or_else(|| base.clone(), |directory| self.path_context.resolve(directory, Some(&base)));
        match self.repository(&path).as_ref() {
            Ok(Some(state)) => state.remote_addresses(),
            Ok(None) | Err(_) => Vec::new(),
        }
    }
}

/// Returns the actions of an event.
pub(super) fn collect(facts: &Facts<'_>) -> Vec<ActionFact> {
    let mut all = Vec::new();
    for (call, tool) in facts.event.calls().iter().enumerate() {
        collect_from_arguments(call, tool, &mut all);
    }
    for (index, analysed) in facts.scripts().iter().enumerate() {
        for deed in actions::actions(&analysed.script) {
            let kind = deed.detail.kind();
            let program = analysed.script.commands.get(deed.command).map_or("", |command| command.program());
            let mut fact = ActionFact {
                kind,
                name: program.to_owned(),
                value: String::new(),
                destination: None,
                call: analysed.call,
                command: Some(CommandIndex { script: index, command: deed.command }),
                files: Vec::new(),
            };
            match deed.detail {
                ActionDetail::Send(sending) => {
                    let is_project = match sending.project {
                        ProjectShare::None => false,
                        ProjectShare::ToStranger => facts.is_strange_host(sending.destination.as_deref()),
                        ProjectShare::Any => true,
                    };
                    if is_project {
                        PROJECT.clone_into(&mut fact.value);
                    }
                    (fact.destination, fact.files) = (sending.destination, sending.files);
                }
                ActionDetail::Remote(used) => {
                    let known = facts.remotes(fact.command, used.directory.as_deref());
                    // An address that is not known says nothing.
                    let Some(relation) = actions::remote_relation(&used.address, &known) else { continue };
                    used.act.name().clone_into(&mut fact.name);
                    relation.name().clone_into(&mut fact.value);
                    fact.destination = Some(used.address);
                }
                ActionDetail::History(history) => history.name().clone_into(&mut fact.name),
                ActionDetail::Environment(setting) => (fact.name, fact.value) = (setting.name, setting.value),
                ActionDetail::Dump => {}
                ActionDetail::Disclose(disclosure) => {
                    (fact.name, fact.destination) = (disclosure.secret, disclosure.destination);
                    disclosure.means.name().clone_into(&mut fact.value);
                }
            }
            all.push(fact);
        }
    }
    all
}

/// Returns the files that an action sends, as positions among the facts.
pub(super) fn sent_files(facts: &Facts<'_>, deed: &ActionFact) -> Vec<usize> {
    let script = deed.command.and_then(|by| facts.scripts().get(by.script)).map(|analysed| &analysed.script);
    let command = deed.command.and_then(|by| facts.command(by));
    let mut piped = vec![false; script.map_or(0, |script| script.commands.len())];
    for (index, _) in
        command.zip(script).into_iter().flat_map(|(command, script)| actions::upstream_commands(command, script))
    {
        piped.get_mut(index).into_iter().for_each(|piped| *piped = deed.kind == ActionKind::Send);
    }
    let sent = facts.files().iter().enumerate().filter(|(_, file)| {
        let named = file.command == deed.command
            && file.call == deed.call
            && deed.files.iter().any(|path| *path == file.written_path);
        let same_text = file.command.zip(deed.command).filter(|(file, deed)| file.script == deed.script);
        let piped = same_text.is_some_and(|(file, _)| piped.get(file.command).copied().unwrap_or(false));
        (named || piped) && file.access.contains(Access::Read)
    });
    sent.map(|(index, _)| index).collect()
}

/// Adds the actions that follow from the name and the arguments of an MCP tool.
fn collect_from_arguments(call: usize, tool: &ToolCall<'_>, all: &mut Vec<ActionFact>) {
    let Some(mcp) = tool.mcp.as_ref().filter(|_| tool.kind == ToolKind::Mcp) else { return };
    let fact = |kind, name: &str| ActionFact {
        kind,
        name: name.to_owned(),
        value: String::new(),
        destination: None,
        call,
        command: None,
        files: Vec::new(),
    };
    if name_words(&mcp.tool).iter().any(|word| SENDING_WORDS.contains(&word.as_str())) {
        all.push(ActionFact {
            destination: tool.urls.first().map(|url| url.clone().into_owned()),
            files: tool.files.iter().map(|file| file.path.clone().into_owned()).collect(),
            ..fact(ActionKind::Send, &mcp.tool)
        });
    }
    let variables = ENVIRONMENT_ARGUMENTS.iter().filter_map(|name| tool.input.get(*name)?.as_object());
    for (name, value) in variables.flatten().take(64) {
        if let Some(value) = value.as_str().filter(|value| actions::runs_code(name, value)) {
            all.push(ActionFact { value: value.to_owned(), ..fact(ActionKind::Environment, name) });
        }
    }
}
