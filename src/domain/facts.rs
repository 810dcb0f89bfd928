//! All that a condition may look at, worked out when it is first asked for.

mod led;
mod shown;
mod spoken;

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::fmt;

use super::condition::Conditions;
use super::deed::{self, DeedFact};
use super::event::{Event, Payload};
use super::kind::Kind;
use super::leak::Known;
use super::path::Place;
use super::scripts::{self, Machine};
use super::secret::{self, Detector, Finding, Own, Searched, Seen};
use super::shell::{self, Command, Cwd, FileText, OpaqueReason, Script};
use super::standing::Look;
use super::state::Remembered;
pub use super::text_place::TextPlace;
use super::tool::{Access, Accesses, CommandText, ToolCall, ToolKind};
use super::witness::Witness;

/// The facts of one event.
pub struct Facts<'a> {
    /// The event.
    pub event: &'a Event<'a>,
    /// Where its paths are read from.
    pub place: &'a Place,
    machine: &'a dyn Machine,
    known: Option<&'a Known<'a>>,
    witness: Option<&'a dyn Witness>,
    detectors: Own,
    remembered: Option<Remembered<'a>>,
    look: Option<Look<'a>>,
    scripts: OnceCell<Vec<Analysed<'a>>>,
    files: OnceCell<Vec<FileFact<'a>>>,
    urls: OnceCell<Vec<UrlFact<'a>>>,
    written: OnceCell<Vec<String>>,
    unquoted: OnceCell<Vec<String>>,
    searched: RefCell<HashMap<(usize, usize), Searched>>,
    seen: OnceCell<Seen>,
    deeds: OnceCell<Vec<DeedFact>>,
    opaque: OnceCell<Vec<OpaqueFact>>,
}

impl fmt::Debug for Facts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Facts").field("event", self.event).field("place", self.place).finish_non_exhaustive()
    }
}

/// A shell text of the event, understood.
#[derive(Debug)]
pub struct Analysed<'a> {
    /// The tool call it belongs to, by position.
    pub call: usize,
    /// The text.
    pub text: &'a str,
    /// The directory it starts in, where the call says so.
    pub base: Option<&'a str>,
    /// What it runs.
    pub script: Script,
}

/// Where a command stands: the shell text, and the command in it, by position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandAt {
    /// The shell text.
    pub script: usize,
    /// The command in it.
    pub command: usize,
}

/// A file that the event reads, writes or deletes.
#[derive(Debug)]
pub struct FileFact<'a> {
    /// The path as written.
    pub written: Cow<'a, str>,
    /// Where it leads: absolute and normalised.
    pub path: String,
    /// Where it really leads, if a link stands in between.
    pub real: Option<String>,
    /// Whether the path is a pattern, which may stand for several files.
    pub glob: bool,
    /// What is done with it.
    pub access: Accesses,
    /// The tool call it belongs to, by position.
    pub call: usize,
    /// The command that does it, if a command does.
    pub by: Option<CommandAt>,
}

impl FileFact<'_> {
    /// Tells whether the same is done to the same file, by a command or by none as there.
    pub fn is_alike(&self, other: &FileFact<'_>) -> bool {
        let of = |file: &FileFact<'_>| (file.access, file.glob, file.by.is_some());
        of(self) == of(other) && self.path == other.path && self.real == other.real
    }
}

/// An address that the event fetches.
#[derive(Debug)]
pub struct UrlFact<'a> {
    /// The address as written.
    pub url: Cow<'a, str>,
    /// The command that fetches it, if a command does.
    pub by: Option<CommandAt>,
}

/// A place of a shell text whose effect is not known from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpaqueFact {
    /// Why it is not known.
    pub reason: OpaqueReason,
    /// The text that stands there, cut where it is long.
    pub text: String,
    /// The command that it belongs to, if it belongs to one.
    pub by: Option<CommandAt>,
}

/// The longest text of an opaque place that is shown, in characters.
const MOST_SHOWN: usize = 200;

impl<'a> Facts<'a> {
    /// Returns the facts of an event. The machine is asked only for what a rule looks at.
    pub fn new(event: &'a Event<'a>, place: &'a Place, machine: &'a dyn Machine) -> Self {
        Self {
            event,
            place,
            machine,
            known: None,
            witness: None,
            detectors: Own::default(),
            remembered: None,
            look: None,
            scripts: OnceCell::new(),
            files: OnceCell::new(),
            urls: OnceCell::new(),
            written: OnceCell::new(),
            unquoted: OnceCell::new(),
            searched: RefCell::default(),
            seen: OnceCell::new(),
            deeds: OnceCell::new(),
            opaque: OnceCell::new(),
        }
    }

    /// Adds the detectors of secrets that the policy brings.
    #[must_use]
    pub fn with_detectors(self, detectors: &Own) -> Self {
        Self { detectors: detectors.clone(), ..self }
    }

    /// Tells whether there is a file at an absolute path.
    pub fn is_there(&self, path: &str) -> bool {
        self.machine.read(path, 0) != FileText::Missing
    }

    /// Returns the secrets that the wanted detectors see in a text of these facts. What several rules look for in the
    /// same text is looked for once.
    pub fn secrets<'f>(&'f self, text: &'f str, wanted: impl Fn(&Detector) -> bool) -> Vec<Finding> {
        // Texts of an event and of its facts stay where they are until both are gone.
        let place = (text.as_ptr().addr(), text.len());
        self.searched.borrow_mut().entry(place).or_default().findings(text, &self.detectors, &wanted)
    }

    /// Returns what stands for a value in a placeholder: the same for the same value, within the session.
    pub fn tag(&self, value: &str) -> String {
        secret::tag(value, self.event.session.id.unwrap_or_default())
    }

    /// Returns the same facts, with what is known to be no leak.
    #[must_use]
    pub fn with_known(self, known: &'a Known<'a>) -> Self {
        Self { known: Some(known), ..self }
    }

    /// Returns the same facts, with somebody to tell what the evaluator sees.
    #[must_use]
    pub fn with_witness(self, witness: Option<&'a dyn Witness>) -> Self {
        Self { witness, ..self }
    }

    /// Tells the witness, if there is one, whether a question of some conditions held; returns that.
    pub fn saw(&self, asked: &Conditions, question: &'static str, held: bool) -> bool {
        if let Some(witness) = self.witness {
            witness.saw(asked, question, held);
        }
        held
    }

    /// Returns the same facts, with what is remembered at this event.
    #[must_use]
    pub fn with_remembered(self, remembered: Remembered<'a>) -> Self {
        Self { remembered: Some(remembered), ..self }
    }

    /// Returns what is remembered at this event; nothing where the policy needs none.
    pub const fn remembered(&self) -> Option<&Remembered<'a>> {
        self.remembered.as_ref()
    }

    /// Returns the same facts, with a look at how the hook itself stands.
    #[must_use]
    pub fn with_look(self, look: Option<Look<'a>>) -> Self {
        Self { look, ..self }
    }

    /// Returns the look at how the hook itself stands, where somebody can tell.
    pub const fn look(&self) -> Option<&Look<'a>> {
        self.look.as_ref()
    }

    /// Returns what is known to be no leak, if somebody said so.
    pub const fn known(&self) -> Option<&Known<'a>> {
        self.known
    }

    /// Returns the file that a text of the event is of or goes into: absolute and normalised. `None` when there is no
    /// such file, or more than one.
    pub fn file_of(&self, text: &str) -> Option<String> {
        let holds = |call: &&ToolCall<'_>| {
            let returned = call.outcome.iter().flat_map(|outcome| &outcome.output);
            call.texts.iter().map(|passage| &passage.text).chain(returned).any(|own| own == text)
        };
        let mut found: Option<String> = None;
        for file in self.event.calls().iter().filter(holds).flat_map(|call| &call.files) {
            let path = self.place.resolve(&file.path, None);
            if file.glob || found.as_ref().is_some_and(|known| *known != path) {
                return None;
            }
            found = Some(path);
        }
        found
    }

    /// Returns the shell texts of the event, understood.
    pub fn scripts(&self) -> &[Analysed<'a>] {
        self.scripts.get_or_init(|| {
            let calls = self.event.calls().iter().enumerate();
            calls
                .flat_map(|(call, tool)| tool.commands.iter().map(move |command| self.analyse(call, command)))
                .collect()
        })
    }

    /// Returns every command of the event.
    pub fn commands(&self) -> impl Iterator<Item = &Command> {
        self.scripts().iter().flat_map(|analysed| &analysed.script.commands)
    }

    /// Returns a command of the event.
    pub fn command(&self, at: CommandAt) -> Option<&Command> {
        self.scripts().get(at.script)?.script.commands.get(at.command)
    }

    /// Returns the files that the event touches, by whatever tool.
    pub fn files(&self) -> &[FileFact<'a>] {
        self.files.get_or_init(|| {
            let named = self.event.calls().iter().enumerate().flat_map(|(call, tool)| self.named_files(call, tool));
            let used = self.scripts().iter().enumerate().flat_map(|(index, script)| self.used_files(index, script));
            named.chain(used).collect()
        })
    }

    /// Returns the addresses that the event fetches, by whatever tool.
    pub fn urls(&self) -> &[UrlFact<'a>] {
        self.urls.get_or_init(|| {
            let named = self.event.calls().iter().flat_map(|tool| &tool.urls);
            let named = named.map(|url| UrlFact { url: url.clone(), by: None });
            let used = self.scripts().iter().enumerate().flat_map(|(script, analysed)| {
                shell::urls(&analysed.script)
                    .into_iter()
                    .map(move |(url, command)| UrlFact { url: url.into(), by: Some(CommandAt { script, command }) })
            });
            named.chain(used).collect()
        })
    }

    /// Returns what the event does besides touching files and fetching addresses, by whatever tool.
    pub fn deeds(&self) -> &[DeedFact] {
        self.deeds.get_or_init(|| deed::of(self))
    }

    /// Returns the files that something sends, by their positions in [`Facts::files`].
    pub fn files_sent(&self, deed: &DeedFact) -> Vec<usize> {
        deed::files_sent(self, deed)
    }

    /// Returns the places of the event's shell texts whose effect is not known.
    pub fn opaque(&self) -> &[OpaqueFact] {
        self.opaque.get_or_init(|| {
            let scripts = self.scripts().iter().enumerate();
            let places = scripts.flat_map(|(index, analysed)| {
                analysed.script.opaque.iter().map(move |opaque| (index, analysed, opaque))
            });
            let fact = |(script, analysed, opaque): (usize, &Analysed<'_>, &shell::Opaque)| OpaqueFact {
                reason: shell::reason_of(&analysed.script, opaque),
                text: analysed
                    .text
                    .get(opaque.span.clone())
                    .unwrap_or(analysed.text)
                    .chars()
                    .take(MOST_SHOWN)
                    .collect(),
                by: shell::command_of(&analysed.script, opaque).map(|command| CommandAt { script, command }),
            };
            places.map(fact).collect()
        })
    }

    /// Returns where the commands of the event stand.
    pub fn places_of_commands(&self) -> impl Iterator<Item = CommandAt> {
        let scripts = self.scripts().iter().enumerate();
        scripts.flat_map(|(script, analysed)| {
            (0..analysed.script.commands.len()).map(move |command| CommandAt { script, command })
        })
    }

    /// Returns the texts that stand at a place of the event, each with its origin.
    pub fn texts(&self, at: TextPlace) -> Vec<(&str, &str)> {
        let event = self.event;
        let calls = event.calls().iter();
        match at {
            TextPlace::Content => {
                let named = calls.flat_map(|call| &call.texts).map(|text| (text.text.as_ref(), text.origin.as_ref()));
                named.chain(self.written().iter().map(|text| (text.as_str(), "command"))).collect()
            }
            TextPlace::Command => {
                calls.flat_map(|call| &call.commands).map(|command| (command.text.as_ref(), "command")).collect()
            }
            TextPlace::Url => self.urls().iter().map(|url| (url.url.as_ref(), "url")).collect(),
            TextPlace::Output => {
                let outcomes = calls.filter_map(|call| call.outcome.as_ref());
                outcomes.flat_map(|outcome| &outcome.output).map(|text| (text.as_ref(), "output")).collect()
            }
            TextPlace::Prompt => {
                let told = calls.filter_map(|call| call.agent.as_ref()?.prompt).map(|text| (text, "prompt"));
                let asked = match &event.payload {
                    Payload::Prompt(text) => Some(*text),
                    Payload::Answer(answer) => answer.prompt,
                    Payload::Model(model) => model.prompt().map(|message| message.text),
                    Payload::Tools(_) | Payload::Notice(_) => None,
                };
                told.chain(asked.map(|text| (text, "prompt"))).collect()
            }
            TextPlace::Told => {
                let Payload::Model(model) = &event.payload else { return self.texts(TextPlace::Prompt) };
                let new = model.unanswered().iter();
                new.flat_map(|message| [message.preamble, Some(message.text)])
                    .flatten()
                    .map(|it| (it, "prompt"))
                    .collect()
            }
            TextPlace::Response => match &event.payload {
                Payload::Answer(answer) => answer.text.map(|text| (text, "response")).into_iter().collect(),
                Payload::Model(model) => model.response.as_deref().map(|text| (text, "response")).into_iter().collect(),
                Payload::Tools(_) | Payload::Prompt(_) | Payload::Notice(_) => Vec::new(),
            },
        }
    }

    /// Returns the names of files that calls write, as written.
    pub fn written_names(&self) -> Vec<&str> {
        let files = self.event.calls().iter().flat_map(|call| &call.files);
        files.filter(|file| file.access.contains(Access::Write)).map(|file| file.path.as_ref()).collect()
    }

    /// Tells whether a value in a text that a call writes stood there before the call: it is in what the call takes
    /// away, or on a line of a patch that adds nothing.
    pub fn stood_before(&self, value: &str, text: &str, line: usize) -> bool {
        let mut calls = self.event.calls().iter().filter(|call| call.texts.iter().any(|passage| passage.text == text));
        let taken = |call: &ToolCall<'_>| call.replaced.iter().any(|old| old.contains(value));
        let context = |call: &ToolCall<'_>| {
            let line = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
            let is_patch = text.trim_start().starts_with("*** Begin Patch");
            is_patch && call.kind != ToolKind::Write && line.starts_with([' ', '-', '@'])
        };
        calls.any(|call| taken(call) || context(call))
    }

    /// Returns the texts that commands put into files: here-documents, and what is echoed past the screen.
    fn written(&self) -> &[String] {
        self.written.get_or_init(|| spoken::written(self.scripts()))
    }

    /// Returns the commands whose words, as programs receive them, do not stand so in the shell text: quotes in the
    /// middle of a value hide it from whoever reads the line.
    pub fn unquoted(&self) -> &[String] {
        self.unquoted.get_or_init(|| spoken::unquoted(self.scripts()))
    }

    /// Understands a shell text. The scripts in files that it runs are looked at when it is about to run.
    fn analyse(&self, call: usize, command: &'a CommandText<'a>) -> Analysed<'a> {
        let CommandText { text, base, dialect, .. } = command;
        let script = match self.event.kind {
            Kind::ToolBefore | Kind::PermissionRequest => {
                scripts::parse(text, *dialect, *base, self.place, self.machine)
            }
            _ => shell::parse(text, *dialect),
        };
        Analysed { call, text, base: *base, script }
    }

    fn named_files(&self, call: usize, tool: &'a ToolCall<'a>) -> impl Iterator<Item = FileFact<'a>> {
        tool.files.iter().map(move |file| {
            let path = self.place.resolve(&file.path, None);
            let real = if file.glob { None } else { self.machine.follow(&path) };
            FileFact { written: file.path.clone(), path, real, glob: file.glob, access: file.access, call, by: None }
        })
    }

    /// Returns the files that a script touches, once for each directory that it may be in.
    fn used_files(&self, script: usize, analysed: &Analysed<'a>) -> Vec<FileFact<'a>> {
        let mut facts: Vec<FileFact<'a>> = Vec::new();
        let links = self.links(analysed);
        for used in shell::file_uses(&analysed.script) {
            let Some(command) = analysed.script.commands.get(used.command) else { continue };
            // In a directory that is not known, a path is taken to be where the script started.
            let directories = command.cwd.candidates().unwrap_or_else(|| vec![""]);
            for directory in directories {
                let base = if directory.is_empty() {
                    analysed.base.map(ToOwned::to_owned)
                } else {
                    Some(self.place.resolve(directory, analysed.base))
                };
                let path = self.place.resolve(&used.path, base.as_deref());
                if !scripts::counts(command, &used, &path, self.place) {
                    continue;
                }
                let by = Some(CommandAt { script, command: used.command });
                if facts.iter().any(|fact| fact.path == path && fact.by == by && fact.access.contains(used.access)) {
                    continue;
                }
                let led = led::lead(&path, &used, &links);
                let glob = used.glob || directory.contains(['*', '?']);
                for path in std::iter::once(path).chain(led) {
                    let known = facts.iter().find(|fact| !fact.glob && fact.path == path);
                    let real = match known {
                        _ if glob => None,
                        Some(known) => known.real.clone(),
                        None => self.machine.follow(&path),
                    };
                    facts.push(FileFact {
                        real,
                        written: used.path.clone().into(),
                        path,
                        glob,
                        access: Accesses::of(&[used.access]),
                        call: analysed.call,
                        by,
                    });
                }
            }
        }
        facts
    }

    /// Returns the links that a script makes before it uses them: command, new name, and target.
    fn links(&self, analysed: &Analysed<'a>) -> Vec<(usize, String, String)> {
        let made = shell::links(&analysed.script);
        let resolved = made.into_iter().flat_map(|link| {
            let cwd = analysed.script.commands.get(link.command).map(|command| &command.cwd);
            let directories = cwd.and_then(Cwd::candidates).unwrap_or_else(|| vec![""]);
            let one = |directory: &str| {
                let base = if directory.is_empty() {
                    analysed.base.map(ToOwned::to_owned)
                } else {
                    Some(self.place.resolve(directory, analysed.base))
                };
                let path = self.place.resolve(&link.path, base.as_deref());
                let parent = path.rsplit_once('/').map(|(parent, _)| parent.to_owned()).filter(|_| link.beside);
                let target = self.place.resolve(&link.target, parent.or(base).as_deref());
                (link.command, path, target)
            };
            directories.into_iter().map(one).collect::<Vec<_>>()
        });
        resolved.filter(|(_, path, target)| path != target).collect()
    }
}
