//! Everything that conditions may ask about an event, computed when first needed.

pub mod action;
mod content;
mod deferred;
mod embedded_text;
mod expansion;
mod fact;
pub mod hook_status;
mod link_target;
pub mod location;
pub mod loss;
pub mod memory;
pub mod proof;
pub mod push;
mod redacted;
pub mod repository;
pub mod script;
mod ssh_host;
pub mod target;
mod text_field;
pub mod trace;
mod work_tree;

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

use crate::domain::allowlist::Suppression;
use crate::domain::event::kind::Kind;
use crate::domain::event::tool::{Access, Accesses, CommandText, ToolCall, ToolKind};
use crate::domain::event::{Event, Payload};
use crate::domain::secret::{self, CustomDetectors, Detector, Finding, KnownSecrets, ScanCache};
use crate::domain::shell::{self, Command, FileRole};
use crate::domain::text::path::PathContext;
use crate::domain::time::Time;
use action::ActionFact;
pub use fact::{CommandIndex, ExpandedPath, FileFact, OpaqueFact, ParsedScript, UrlFact};
use hook_status::HookStatusProbe;
use loss::{Loss, LossFact};
use memory::Memory;
use proof::Proof;
use push::PushFact;
use repository::{RepositoryState, UnknownRepository};
use script::FileSystem;
pub use text_field::TextField;
use trace::{ConditionsId, Trace};
use work_tree::DivergenceFact;

/// The facts of one event.
pub struct Facts<'a> {
    /// The event.
    pub event: &'a Event<'a>,
    /// The context in which its paths are resolved.
    pub path_context: &'a PathContext,
    file_system: &'a dyn FileSystem,
    suppression: Option<&'a Suppression<'a>>,
    trace: Option<&'a dyn Trace>,
    detectors: CustomDetectors,
    memory: Option<Rc<dyn Memory + 'a>>,
    hook_status: Option<HookStatusProbe<'a>>,
    scripts: OnceCell<Vec<ParsedScript<'a>>>,
    files: OnceCell<Vec<FileFact<'a>>>,
    urls: OnceCell<Vec<UrlFact<'a>>>,
    written_texts: OnceCell<Vec<String>>,
    dequoted_commands: OnceCell<Vec<String>>,
    secret_searches: RefCell<HashMap<(usize, usize), ScanCache>>,
    seen_secrets: OnceCell<KnownSecrets>,
    actions: OnceCell<Vec<ActionFact>>,
    opaque: OnceCell<Vec<OpaqueFact>>,
    pushes: OnceCell<Vec<PushFact>>,
    repositories: RefCell<HashMap<String, RepositoryFact>>,
    divergences: RefCell<HashMap<String, DivergenceFact>>,
    work_trees: RefCell<HashMap<String, Option<bool>>>,
    losses: OnceCell<Vec<LossFact>>,
    proof: OnceCell<Proof>,
    /// The time of the event, if it is known.
    pub now: Time,
}

/// The state of a repository, or why it is not known.
type RepositoryFact = Rc<Result<Option<RepositoryState>, UnknownRepository>>;

impl fmt::Debug for Facts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Facts").field("event", self.event).field("place", self.path_context).finish_non_exhaustive()
    }
}

/// The greatest number of characters of an opaque text that are shown.
const MAX_OPAQUE_CHARS: usize = 200;

impl<'a> Facts<'a> {
    /// Creates the facts of an event. The file system is only asked for what a rule looks at.
    pub fn new(event: &'a Event<'a>, path_context: &'a PathContext, file_system: &'a dyn FileSystem) -> Self {
        Self {
            event,
            path_context,
            file_system,
            suppression: None,
            trace: None,
            detectors: CustomDetectors::default(),
            memory: None,
            hook_status: None,
            scripts: OnceCell::new(),
            files: OnceCell::new(),
            urls: OnceCell::new(),
            written_texts: OnceCell::new(),
            dequoted_commands: OnceCell::new(),
            secret_searches: RefCell::default(),
            seen_secrets: OnceCell::new(),
            actions: OnceCell::new(),
            opaque: OnceCell::new(),
            pushes: OnceCell::new(),
            repositories: RefCell::default(),
            divergences: RefCell::default(),
            work_trees: RefCell::default(),
            losses: OnceCell::new(),
            proof: OnceCell::new(),
            now: Time::default(),
        }
    }

    /// Sets the time of the event.
    #[must_use]
    pub fn with_time(self, now: Time) -> Self {
        Self { now, ..self }
    }

    /// Adds the detectors of secrets that the policy defines.
    #[must_use]
    pub fn with_detectors(self, detectors: &CustomDetectors) -> Self {
        Self { detectors: detectors.clone(), ..self }
    }

    /// Returns the secrets that the selected detectors find in a text of these facts. The result of a search is
    /// shared by all rules that ask for it.
    pub fn secrets<'f>(&'f self, text: &'f str, wanted: impl Fn(&Detector) -> bool) -> Vec<Finding> {
        // The address identifies a text: texts of an event and of its facts are not moved while both exist.
        let place = (text.as_ptr().addr(), text.len());
        self.secret_searches.borrow_mut().entry(place).or_default().findings(text, &self.detectors, &wanted)
    }

    /// Returns the tag of a value for placeholders; equal values have equal tags within a session.
    pub fn tag(&self, value: &str) -> String {
        secret::tag(value, self.event.session.id.unwrap_or_default())
    }

    /// Returns the same facts with suppressions.
    #[must_use]
    pub fn with_suppression(self, known: &'a Suppression<'a>) -> Self {
        Self { suppression: Some(known), ..self }
    }

    /// Returns the same facts with an observer of the evaluation.
    #[must_use]
    pub fn with_trace(self, witness: Option<&'a dyn Trace>) -> Self {
        Self { trace: witness, ..self }
    }

    /// Reports to the observer, if there is one, whether a condition held, and returns that.
    pub fn trace_condition(&self, asked: ConditionsId, question: &'static str, held: bool) -> bool {
        if let Some(witness) = self.trace {
            witness.condition_evaluated(asked, question, held);
        }
        held
    }

    /// Returns the same facts with the state of earlier events.
    #[must_use]
    pub fn with_memory(self, memory: Option<Rc<dyn Memory + 'a>>) -> Self {
        Self { memory, ..self }
    }

    /// Returns the state of earlier events; `None` if the policy needs none of it.
    pub fn memory(&self) -> Option<&Rc<dyn Memory + 'a>> {
        self.memory.as_ref()
    }

    /// Returns the same facts with a check of the hook's status.
    #[must_use]
    pub fn with_hook_status(self, look: Option<HookStatusProbe<'a>>) -> Self {
        Self { hook_status: look, ..self }
    }

    /// Returns the check of the hook's status, if there is one.
    pub const fn hook_status(&self) -> Option<&HookStatusProbe<'a>> {
        self.hook_status.as_ref()
    }

    /// Returns the suppressions, if there are any.
    pub const fn suppression(&self) -> Option<&Suppression<'a>> {
        self.suppression
    }

    /// Returns the absolute, normalised path of the file that a text of the event comes from or is written to; `None`
    /// if there is no such file, or more than one.
    pub fn file_of_text(&self, text: &str) -> Option<String> {
        let holds = |call: &&ToolCall<'_>| {
            let returned = call.result.iter().flat_map(|outcome| &outcome.output);
            call.texts.iter().map(|passage| &passage.text).chain(returned).any(|own| own == text)
        };
        let mut found: Option<String> = None;
        for file in self.event.calls().iter().filter(holds).flat_map(|call| &call.files) {
            let path = self.path_context.resolve(&file.path, None);
            if file.is_glob || found.as_ref().is_some_and(|known| *known != path) {
                return None;
            }
            found = Some(path);
        }
        found
    }

    /// Returns the shell texts of the event, parsed.
    pub fn scripts(&self) -> &[ParsedScript<'a>] {
        self.scripts.get_or_init(|| {
            let calls = self.event.calls().iter().enumerate();
            calls
                .flat_map(|(call, tool)| {
                    let named = tool.commands.iter().map(move |command| self.parse_script(call, command));
                    named.chain(self.deferred_scripts(call, tool))
                })
                .collect()
        })
    }

    /// Returns every command of the event.
    pub fn commands(&self) -> impl Iterator<Item = &Command> {
        self.scripts().iter().flat_map(|analysed| &analysed.script.commands)
    }

    /// Returns a command of the event.
    pub fn command(&self, at: CommandIndex) -> Option<&Command> {
        self.scripts().get(at.script)?.script.commands.get(at.command)
    }

    /// Returns whether a command is in a file that the event writes, and that a tool runs later.
    pub fn is_deferred(&self, at: CommandIndex) -> bool {
        let file = self.command(at).and_then(|command| command.file.as_ref());
        file.is_some_and(|file| file.role != FileRole::Script)
    }

    /// Returns the files that the event touches, through any tool.
    pub fn files(&self) -> &[FileFact<'a>] {
        self.files.get_or_init(|| {
            let named = self.event.calls().iter().enumerate().flat_map(|(call, tool)| self.tool_files(call, tool));
            let used = self.scripts().iter().enumerate().flat_map(|(index, script)| self.script_files(index, script));
            named.chain(used).collect()
        })
    }

    /// Returns the addresses that the event fetches, through any tool.
    pub fn urls(&self) -> &[UrlFact<'a>] {
        self.urls.get_or_init(|| {
            let named = self.event.calls().iter().flat_map(|tool| &tool.urls);
            let named = named.map(|url| UrlFact { url: url.clone(), command: None });
            let used = self.scripts().iter().enumerate().flat_map(|(script, analysed)| {
                shell::urls(&analysed.script).into_iter().map(move |(url, command)| UrlFact {
                    url: url.into(),
                    command: Some(CommandIndex { script, command }),
                })
            });
            named.chain(used).collect()
        })
    }

    /// Returns the actions of the event, through any tool.
    pub fn actions(&self) -> &[ActionFact] {
        self.actions.get_or_init(|| action::collect(self))
    }

    /// Returns the files that an action sends, as positions in [`Facts::files`].
    pub fn sent_files(&self, deed: &ActionFact) -> Vec<usize> {
        action::sent_files(self, deed)
    }

    /// Returns the parts of the event's shell texts whose effect is not known.
    pub fn opaque(&self) -> &[OpaqueFact] {
        self.opaque.get_or_init(|| {
            let scripts = self.scripts().iter().enumerate();
            let places = scripts.flat_map(|(index, analysed)| {
                analysed.script.opaque.iter().map(move |opaque| (index, analysed, opaque))
            });
            let fact = |(script, analysed, opaque): (usize, &ParsedScript<'_>, &shell::Opaque)| OpaqueFact {
                reason: shell::refined_reason(&analysed.script, opaque),
                text: analysed
                    .text
                    .get(opaque.span.clone())
                    .unwrap_or(&analysed.text)
                    .chars()
                    .take(MAX_OPAQUE_CHARS)
                    .collect(),
                command: shell::enclosing_command(&analysed.script, opaque)
                    .map(|command| CommandIndex { script, command }),
            };
            places.map(fact).collect()
        })
    }

    /// Returns the commands that push, or may push by an alias. No repository is looked at for it.
    pub fn pushes(&self) -> &[PushFact] {
        self.pushes.get_or_init(|| push::collect(self))
    }

    /// Returns the state of the repository that an absolute directory belongs to.
    pub fn repository(&self, directory: &str) -> RepositoryFact {
        let mut known = self.repositories.borrow_mut();
        let read = || Rc::new(self.file_system.repository(directory));
        Rc::clone(known.entry(directory.to_owned()).or_insert_with(read))
    }

    /// Returns the changes of the event that may lose something. What they lose is not looked up for it.
    pub fn losses(&self) -> &[LossFact] {
        self.losses.get_or_init(|| loss::collect(self))
    }

    /// Returns what a change loses, by its position in [`Facts::losses`]: as a whole, or of one of its files, by
    /// position in [`Facts::files`].
    pub fn loss(&self, number: usize, file: Option<usize>) -> Option<Loss> {
        let fact = self.losses().get(number)?;
        let losses = fact.losses.get_or_init(|| loss::evaluate(self, fact, number));
        let Some(file) = file.filter(|_| !fact.files.is_empty()) else { return Some(losses.whole.clone()) };
        let mut found = Loss::default();
        if fact.changes.is_none() {
            found.unknown.clone_from(&losses.whole.unknown);
        }
        for (_, path) in fact.files.iter().filter(|(position, _)| *position == file) {
            let own = losses.by_path.iter().find(|(known, _)| known == path);
            if let Some((_, loss)) = own {
                found.merge(loss.clone());
            }
        }
        Some(found)
    }

    /// Returns the indices of the commands of the event.
    pub fn command_indices(&self) -> impl Iterator<Item = CommandIndex> {
        let scripts = self.scripts().iter().enumerate();
        scripts.flat_map(|(script, analysed)| {
            (0..analysed.script.commands.len()).map(move |command| CommandIndex { script, command })
        })
    }

    /// Returns the texts of a field of the event, each with its origin.
    pub fn texts(&self, at: TextField) -> Vec<(&str, &str)> {
        let event = self.event;
        let calls = event.calls().iter();
        match at {
            TextField::Content => {
                let named = calls.flat_map(|call| &call.texts).map(|text| (text.text.as_ref(), text.origin.as_ref()));
                named.chain(self.written_texts().iter().map(|text| (text.as_str(), "command"))).collect()
            }
            TextField::Command => {
                calls.flat_map(|call| &call.commands).map(|command| (command.text.as_ref(), "command")).collect()
            }
            TextField::Url => self.urls().iter().map(|url| (url.url.as_ref(), "url")).collect(),
            TextField::Output => {
                let outcomes = calls.filter_map(|call| call.result.as_ref());
                outcomes.flat_map(|outcome| &outcome.output).map(|text| (text.as_ref(), "output")).collect()
            }
            TextField::Prompt => {
                let told = calls.filter_map(|call| call.agent.as_ref()?.prompt).map(|text| (text, "prompt"));
                let asked = match &event.payload {
                    Payload::Prompt(text) => Some(*text),
                    Payload::Answer(answer) => answer.prompt,
                    Payload::Model(model) => model.prompt().map(|message| message.text),
                    Payload::Tools(_) | Payload::Notice(_) => None,
                };
                told.chain(asked.map(|text| (text, "prompt"))).collect()
            }
            TextField::NewInput => {
                let Payload::Model(model) = &event.payload else { return self.texts(TextField::Prompt) };
                let new = model.new_messages().iter();
                new.flat_map(|message| [message.preamble, Some(message.text)])
                    .flatten()
                    .map(|it| (it, "prompt"))
                    .collect()
            }
            TextField::Response => match &event.payload {
                Payload::Answer(answer) => answer.text.map(|text| (text, "response")).into_iter().collect(),
                Payload::Model(model) => model.response.as_deref().map(|text| (text, "response")).into_iter().collect(),
                Payload::Tools(_) | Payload::Prompt(_) | Payload::Notice(_) => Vec::new(),
            },
        }
    }

    /// Returns the names of files that calls write, as written.
    pub fn written_paths(&self) -> Vec<&str> {
        let files = self.event.calls().iter().flat_map(|call| &call.files);
        files.filter(|file| file.access.contains(Access::Write)).map(|file| file.path.as_ref()).collect()
    }

    /// Returns whether a value in a text that a call writes existed before the call: it is in the text that the call
    /// replaces, or on a line of a patch that adds nothing.
    pub fn is_preexisting(&self, value: &str, text: &str, line: usize) -> bool {
        let mut calls = self.event.calls().iter().filter(|call| call.texts.iter().any(|passage| passage.text == text));
        let taken = |call: &ToolCall<'_>| call.replaced_texts.iter().any(|old| old.contains(value));
        let context = |call: &ToolCall<'_>| {
            let line = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
            let is_patch = text.trim_start().starts_with("*** Begin Patch");
            is_patch && call.kind != ToolKind::Write && line.starts_with([' ', '-', '@'])
        };
        calls.any(|call| taken(call) || context(call))
    }

    /// Returns the texts that commands write to files: here-documents, and redirected output of `echo`.
    fn written_texts(&self) -> &[String] {
        self.written_texts.get_or_init(|| embedded_text::written_texts(self.scripts()))
    }

    /// Returns the commands whose words, as programs receive them, differ from the shell text: quotes in the middle
    /// of a value hide it from a reader of the line.
    pub fn dequoted_commands(&self) -> &[String] {
        self.dequoted_commands.get_or_init(|| embedded_text::dequoted_commands(self.scripts()))
    }

    /// Parses a shell text. Scripts in files that it runs are read if it is about to run.
    fn parse_script(&self, call: usize, command: &'a CommandText<'a>) -> ParsedScript<'a> {
        let CommandText { text, base, dialect, .. } = command;
        let script = match self.event.kind {
            Kind::ToolBefore | Kind::PermissionRequest => {
                script::parse(text, *dialect, *base, self.path_context, self.file_system)
            }
            _ => shell::parse(text, *dialect),
        };
        ParsedScript { call, text: Cow::Borrowed(text), start_directory: *base, script }
    }

    fn tool_files(&self, call: usize, tool: &'a ToolCall<'a>) -> impl Iterator<Item = FileFact<'a>> {
        tool.files.iter().map(move |file| {
            let path = self.path_context.resolve(&file.path, None);
            let real = if file.is_glob { None } else { self.file_system.real_path(&path) };
            FileFact {
                written_path: file.path.clone(),
                path,
                real_path: real,
                is_glob: file.is_glob,
                is_known: true,
                access: file.access,
                call,
                command: None,
                expansion: OnceCell::new(),
            }
        })
    }

    /// Returns the files that a script touches, once for each possible working directory.
    fn script_files(&self, script: usize, analysed: &ParsedScript<'a>) -> Vec<FileFact<'a>> {
        let mut facts: Vec<FileFact<'a>> = Vec::new();
        let links = self.links(analysed);
        for used in shell::file_uses(&analysed.script) {
            let Some(command) = analysed.script.commands.get(used.command) else { continue };
            let used = if command.file.is_none() { expansion::bounded(used) } else { used };
            // If the directory is unknown, a path is resolved from where the script started.
            let directories = command.cwd.candidates().unwrap_or_else(|| vec![""]);
            for directory in directories {
                let base = if directory.is_empty() {
                    analysed.start_directory.map(ToOwned::to_owned)
                } else {
                    Some(self.path_context.resolve(directory, analysed.start_directory))
                };
                let path = self.path_context.resolve(&used.path, base.as_deref());
                if !script::is_relevant_use(command, &used, &path, self.path_context) {
                    continue;
                }
                let by = Some(CommandIndex { script, command: used.command });
                if facts.iter().any(|fact| fact.path == path && fact.command == by && fact.access.contains(used.access))
                {
                    continue;
                }
                let led = link_target::follow_links(&path, &used, &links);
                let glob = used.glob || directory.contains(['*', '?']);
                for path in std::iter::once(path).chain(led) {
                    let known = facts.iter().find(|fact| !fact.is_glob && fact.path == path);
                    let real = match known {
                        _ if glob => None,
                        Some(known) => known.real_path.clone(),
                        None => self.file_system.real_path(&path),
                    };
                    facts.push(FileFact {
                        real_path: real,
                        written_path: used.path.clone().into(),
                        path,
                        is_glob: glob,
                        is_known: used.literal,
                        access: Accesses::of(&[used.access]),
                        call: analysed.call,
                        command: by,
                        expansion: OnceCell::new(),
                    });
                }
            }
        }
        facts
    }
}
