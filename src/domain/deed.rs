//! What an event does besides touching files and fetching addresses, by whatever tool.

use super::facts::{CommandAt, Facts};
use super::shell::deeds::{self, DeedKind, What};
use super::tool::{Access, ToolCall, ToolKind, name_words};
use super::url::host_of;

/// Something that the event does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeedFact {
    /// What kind of thing it is.
    pub kind: DeedKind,
    /// What it is done to or by: a variable or setting, a part of history, a program that sends.
    pub name: String,
    /// What the variable or setting is set to.
    pub value: String,
    /// Where it goes, as written, when something is sent and the call says where to.
    pub to: Option<String>,
    /// The tool call it belongs to, by position.
    pub call: usize,
    /// The command that does it, if a command does.
    pub by: Option<CommandAt>,
    /// The files that are sent, as written.
    pub files: Vec<String>,
}

/// Words in the names of tools that send what they are given.
const SENDING: &[&str] = &[
    "send", "post", "upload", "publish", "submit", "reply", "comment", "email", "mail", "share", "push", "notify",
    "tweet",
];

/// Names of arguments that hold variables.
const VARIABLES: &[&str] = &["env", "environment", "envs", "env_vars", "envVars"];

impl DeedFact {
    /// Returns the host that something is sent to, where the call says it.
    pub fn host(&self) -> Option<String> {
        let to = self.to.as_deref()?;
        let host = if to.contains("://") {
            host_of(to)
        } else {
            let before = to.split(['/', ':']).next().unwrap_or(to);
            before.rsplit('@').next().unwrap_or(before).to_ascii_lowercase()
        };
        Some(host).filter(|host| !host.is_empty())
    }
}

/// Returns what an event does.
pub(super) fn of(facts: &Facts<'_>) -> Vec<DeedFact> {
    let mut all = Vec::new();
    for (call, tool) in facts.event.calls().iter().enumerate() {
        by_arguments(call, tool, &mut all);
    }
    for (index, analysed) in facts.scripts().iter().enumerate() {
        for deed in deeds::deeds(&analysed.script) {
            let kind = deed.what.kind();
            let program = analysed.script.commands.get(deed.command).map_or("", |command| command.program());
            let mut fact = DeedFact {
                kind,
                name: program.to_owned(),
                value: String::new(),
                to: None,
                call: analysed.call,
                by: Some(CommandAt { script: index, command: deed.command }),
                files: Vec::new(),
            };
            match deed.what {
                What::Send(sending) => (fact.to, fact.files) = (sending.to, sending.files),
                What::History(history) => history.name().clone_into(&mut fact.name),
                What::Environment(setting) => (fact.name, fact.value) = (setting.name, setting.value),
                What::Dump => {}
            }
            all.push(fact);
        }
    }
    all
}

/// Returns the files that something sends, by their positions among the facts.
pub(super) fn files_sent(facts: &Facts<'_>, deed: &DeedFact) -> Vec<usize> {
    let script = deed.by.and_then(|by| facts.scripts().get(by.script)).map(|analysed| &analysed.script);
    let command = deed.by.and_then(|by| facts.command(by));
    let mut piped = vec![false; script.map_or(0, |script| script.commands.len())];
    for (index, _) in command.zip(script).into_iter().flat_map(|(command, script)| deeds::sources(command, script)) {
        piped.get_mut(index).into_iter().for_each(|piped| *piped = deed.kind == DeedKind::Send);
    }
    let sent = facts.files().iter().enumerate().filter(|(_, file)| {
        let named = file.by == deed.by && file.call == deed.call && deed.files.iter().any(|path| *path == file.written);
        let same_text = file.by.zip(deed.by).filter(|(file, deed)| file.script == deed.script);
        let piped = same_text.is_some_and(|(file, _)| piped.get(file.command).copied().unwrap_or(false));
        (named || piped) && file.access.contains(Access::Read)
    });
    sent.map(|(index, _)| index).collect()
}

/// Notes what a tool of a tool server does by its name and arguments.
fn by_arguments(call: usize, tool: &ToolCall<'_>, all: &mut Vec<DeedFact>) {
    let Some(mcp) = tool.mcp.as_ref().filter(|_| tool.kind == ToolKind::Mcp) else { return };
    let fact = |kind, name: &str| DeedFact {
        kind,
        name: name.to_owned(),
        value: String::new(),
        to: None,
        call,
        by: None,
        files: Vec::new(),
    };
    if name_words(&mcp.tool).iter().any(|word| SENDING.contains(&word.as_str())) {
        all.push(DeedFact {
            to: tool.urls.first().map(|url| url.clone().into_owned()),
            files: tool.files.iter().map(|file| file.path.clone().into_owned()).collect(),
            ..fact(DeedKind::Send, &mcp.tool)
        });
    }
    let variables = VARIABLES.iter().filter_map(|name| tool.input.get(*name)?.as_object());
    for (name, value) in variables.flatten().take(64) {
        if let Some(value) = value.as_str().filter(|value| deeds::runs_code(name, value)) {
            all.push(DeedFact { value: value.to_owned(), ..fact(DeedKind::Environment, name) });
        }
    }
}
