//! One coding agent each: its words in, its words out, and what it honours.
//!
//! Four fifths of a host is table: which events it reports, where their fields stand, which tools
//! it has, and what it makes of each effect. The reader, the degrading of what a host cannot do,
//! `lint` and the documents all go by the same rows; only the spelling of an answer is code.
//! Nothing here touches the machine.

pub mod adopt;
mod arguments;
pub mod capability;
mod claude;
mod compose;
mod degrade;
pub mod dialect;
mod gemini;
pub mod inspect;
mod json;
mod llxprt;
pub mod native;
mod output;
mod read;
pub mod registration;
mod request;
mod response;
mod rewrite;
mod table;

use crate::domain::effect::EffectKind;
use crate::domain::event::{self, Event, Notice, Session};
use crate::domain::kind::Kind;
use crate::domain::policy::AskFallback;
use crate::domain::rule::Severity;
use crate::domain::shell::Dialect;
use crate::domain::state::Spent;
use crate::domain::tool::{Accesses, ToolKind};
use crate::domain::verdict::{Note, Verdict};
use crate::domain::version::Version;

pub use compose::{Asked, compose};
pub use degrade::{Loss, Manner};
pub use json::{Payload, Unreadable, parse, sniff_event};
pub use read::read;
pub use response::Response;
pub use rewrite::rewritten_payload;

/// Every host. The command line, the documents and the tests go through this list.
pub const HOSTS: &[&Host] = &[&gemini::HOST, &claude::HOST, &llxprt::HOST];

/// Fields of payloads that tell one event from another and say nothing of what happens.
pub const IDENTITY: &[&str] = &[
    "session_id",
    "transcript_path",
    "agent_transcript_path",
    "timestamp",
    "prompt_id",
    "turn_id",
    "tool_use_id",
    "duration_ms",
];

/// A coding agent whose hook ruleward can be.
#[derive(Debug)]
pub struct Host {
    /// Its name on the command line and in policies.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// The version whose contract the tables describe.
    pub version: &'static str,
    /// The events it reports.
    pub rows: &'static [Row],
    /// The tools it brings.
    pub tools: &'static [ToolRow],
    /// The environment variables in which it names the project's directory.
    pub project_vars: &'static [&'static str],
    /// Where it says its version to a hook.
    pub sign: Option<Sign>,
    /// How it is told of its hook.
    pub registration: &'static registration::Registration,
    /// Whether it takes what stands on standard error for an answer when standard output is empty.
    pub reads_stderr: bool,
    /// Puts a verdict that the row honours into the host's words.
    write: fn(&Row, &Event<'_>, &Verdict) -> Response,
    /// Refuses when not even the event is known.
    blind: fn(&str) -> Response,
    /// Returns the tool server and its own name of the tool, when the tool belongs to one.
    server: fn(&str, &Payload) -> Option<(String, String)>,
    /// Returns the host's name of a tool of a tool server.
    server_tool: fn(&str, &str) -> String,
    /// The transcripts that say how many tokens were used; none, where the events do.
    pub transcripts: Option<Transcripts>,
    /// How an answer of the model comes in pieces.
    pub pieces: Pieces,
    /// Wraps a text as what a tool returned, as far as anybody describes it.
    returned: fn(&str) -> serde_json::Value,
    /// How hooks that were written for it are spoken with.
    pub dialect: dialect::Dialect,
}

/// How a host hands an answer of the model out in pieces.
#[derive(Debug, Clone, Copy)]
pub struct Pieces {
    /// Returns the piece that a payload holds; `None` when it holds none.
    pub piece: fn(&Payload) -> Option<Piece>,
    /// Returns the payload with another text of the piece.
    pub with_text: fn(&Payload, &str) -> Payload,
    /// Returns the request to the model, without what tells it from an equal one; `None` where an answer
    /// cannot be known to be whole.
    pub request: fn(&Payload) -> Option<String>,
}

/// A piece of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// What all pieces of the answer have in common, and those of no other.
    pub common: String,
    /// Its text.
    pub text: String,
    /// Whether it is known to be the first.
    pub is_first: bool,
    /// Whether it is the last.
    pub is_last: bool,
}

/// What a host writes down of a session.
#[derive(Debug, Clone, Copy)]
pub struct Transcripts {
    /// The keys of a payload under which paths of transcripts stand.
    pub keys: &'static [&'static str],
    /// Returns what a line of one says was used.
    pub spent: fn(&str) -> Option<Spent>,
}

/// An environment variable that holds a host's version between other words.
#[derive(Debug)]
pub struct Sign {
    /// The variable.
    pub variable: &'static str,
    /// What stands before the version; numbers are set apart by dashes or dots.
    pub before: &'static str,
}

impl Sign {
    /// Returns the version in a value of the variable.
    pub fn version(&self, value: &str) -> Option<Version> {
        Version::in_text(&value.strip_prefix(self.before)?.replace('-', "."))
    }
}

/// One event of a host.
#[derive(Debug)]
pub struct Row {
    /// The host's name of it.
    pub wire: &'static str,
    /// The neutral moment.
    pub kind: Kind,
    /// How its payload is read.
    pub reads: Reads,
    /// How its answer is spelled.
    pub form: Form,
    /// What the host makes of each effect; one that is not listed is lost.
    pub honours: &'static [(EffectKind, Support)],
}

/// What a host makes of an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// It is carried out; the first version that does, where that is known.
    Honoured(&'static str),
    /// It is carried out, with something to know.
    With(&'static str),
    /// It is carried out from this version on, with something to know.
    Since(&'static str, &'static str),
    /// The host does it by itself when nothing is said.
    Unsaid(&'static str),
    /// Another effect is sent in its place, and why.
    As(EffectKind, &'static str),
    /// It is carried out when a person sits at the host; else another effect is sent.
    Interactive(EffectKind, &'static str),
    /// It is carried out where the shape of the tool's result is known; else another effect is sent.
    Shaped(EffectKind, &'static str),
    /// It is carried out beside another effect; else a third is sent.
    Beside(EffectKind, EffectKind, &'static str),
}

/// How an event's payload is read. The strings are keys of the payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reads {
    /// A call that is about to run.
    Call,
    /// A call that is done, with its result.
    Result {
        /// The key of what the tool returned.
        output: &'static str,
        /// Whether the event itself says that the call failed.
        failed: bool,
    },
    /// The calls of a turn.
    Batch,
    /// A prompt.
    Prompt,
    /// The agent's answer: where its text stands.
    Answer(&'static str),
    /// A call of the model.
    Model(Talk),
    /// Anything else: keys of the subject, the text and the path; "" for none.
    Notice(&'static str, &'static str, &'static str),
}

/// How a host spells a conversation with the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Talk {
    /// `messages` with a `role` and a `content`; a response with its `text`.
    Messages,
    /// `contents` with a `speaker` and `blocks`; a response is one of these.
    Blocks,
}

/// How an answer is spelled; each host's writer knows those of its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Decision, reason, context, input and message under the names of the tool event.
    Tool,
    /// An answer to the host's own question.
    Permission,
    /// A block with a reason, context beside it.
    Block,
    /// A choice of tools: a mode and names, or nothing at all.
    Choice,
    /// A switch of the model.
    Switch,
    /// A request for input is declined.
    Decline,
    /// The exit code refuses, standard error says why.
    ExitCode,
    /// The model may try again.
    TryAgain,
    /// Another text is shown.
    Display,
    /// Nothing is ever said.
    Silent,
}

/// A tool of a host.
#[derive(Debug)]
pub struct ToolRow {
    /// The host's name of it.
    pub wire: &'static str,
    /// What it is for.
    pub kind: ToolKind,
    /// What it does, where tools of other hosts do the same.
    pub action: Option<Action>,
    /// Its arguments that matter to a policy, or have another name elsewhere.
    pub args: &'static [Arg],
}

/// What tools of several hosts do alike. The first row of a host that does it is the one that
/// another host's tool is told as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Runs shell text.
    RunShell,
    /// Reads a file.
    ReadFile,
    /// Writes a whole file.
    WriteFile,
    /// Replaces a part of a file.
    EditFile,
    /// Finds files by their names.
    FindFiles,
    /// Finds text in files.
    SearchText,
    /// Fetches an address.
    FetchUrl,
    /// Searches the web.
    SearchWeb,
    /// Sets another agent to work.
    StartAgent,
    /// Brings a skill in.
    UseSkill,
    /// Notes what is to be done.
    NoteTasks,
    /// Asks the person.
    AskPerson,
    /// Begins to plan.
    EnterPlan,
    /// Ends planning.
    ExitPlan,
    /// Reads what a tool server offers.
    ReadResource,
}

/// An argument of a tool.
#[derive(Debug)]
pub struct Arg {
    /// Its key; `a[].b` leads into each entry of a list.
    pub key: &'static str,
    /// What it means.
    pub role: Role,
    /// Whether a call without it cannot be judged.
    pub required: bool,
}

/// What an argument means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Shell text.
    Command(Dialect),
    /// The directory that shell text starts in.
    Base,
    /// A file or directory.
    Path(Accesses),
    /// Patterns over files.
    Paths(Accesses),
    /// A pattern over files below the directory that another argument names.
    PathBelow(&'static str, Accesses),
    /// A patch: new text, with the names of the files that it changes.
    Patch,
    /// New text.
    Content,
    /// Text that goes.
    Replaced,
    /// An address.
    Url,
    /// Free text that may hold addresses.
    UrlsWithin,
    /// The sub-agent that is asked for.
    AgentName,
    /// What a sub-agent is told.
    AgentPrompt,
    /// What the call is for, in words for the person.
    Purpose,
    /// Whether the call goes on in the background.
    Background,
    /// Whether every place is changed instead of the only one.
    Everywhere,
    /// The line that reading begins at, counted from one.
    FirstLine,
    /// The last line that is read.
    LastLine,
    /// How many lines are read.
    Lines,
    /// The name of a skill.
    Skill,
}

impl Role {
    /// Tells whether policies look at the argument; others only have another name elsewhere.
    pub const fn is_judged(self) -> bool {
        !matches!(
            self,
            Self::Purpose
                | Self::Background
                | Self::Everywhere
                | Self::FirstLine
                | Self::LastLine
                | Self::Lines
                | Self::Skill
        )
    }
}

/// What a host is told, and what of the verdict it could not be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The bytes and the exit code.
    pub response: Response,
    /// What degraded on the way.
    pub losses: Vec<Loss>,
}

impl Host {
    /// Returns the host of a name.
    pub fn named(name: &str) -> Option<&'static Self> {
        HOSTS.iter().find(|host| host.name == name).copied()
    }

    /// Returns the row of an event, by the host's name of it.
    pub fn row(&self, wire: &str) -> Option<&'static Row> {
        self.rows.iter().find(|row| row.wire == wire)
    }

    /// Returns the rows of a neutral moment.
    pub fn rows_of(&self, kind: Kind) -> impl Iterator<Item = &'static Row> {
        self.rows.iter().filter(move |row| row.kind == kind)
    }

    /// Returns the row of a tool, by the host's name of it.
    pub fn tool(&self, wire: &str) -> Option<&'static ToolRow> {
        self.tools.iter().find(|tool| tool.wire == wire)
    }

    /// Puts a verdict into the host's words.
    pub fn answer(&self, event: &Event<'_>, verdict: Verdict, manner: Manner) -> Answer {
        let Some(row) = self.row(event.wire) else {
            return Answer { response: Response::silence(), losses: degrade::all_lost(verdict) };
        };
        let (verdict, losses) = degrade::degrade(row, event, verdict, manner);
        let response = if verdict.is_silent() { Response::silence() } else { (self.write)(row, event, &verdict) };
        Answer { response: response.for_reader(self.reads_stderr), losses }
    }

    /// Refuses an event that could not be judged, if it is one that can be refused at all; the
    /// event is known by name only. With no name, refuses in every way the host understands.
    pub fn refuse(&self, wire: Option<&str>, reason: &str) -> Response {
        let mut verdict = Verdict::default();
        verdict.deny.insert(note(reason));
        self.answer_blindly(wire, reason, verdict, AskFallback::Deny)
    }

    /// Has a person asked about an event that could not be judged; where nobody can be asked, it is
    /// as [`Host::refuse`], unless the policy lets it go ahead.
    pub fn ask(&self, wire: Option<&str>, reason: &str, fallback: AskFallback) -> Response {
        let mut verdict = Verdict::default();
        verdict.ask.insert(note(reason));
        self.answer_blindly(wire, reason, verdict, fallback)
    }

    fn answer_blindly(
        &self,
        wire: Option<&str>,
        reason: &str,
        verdict: Verdict,
        ask_fallback: AskFallback,
    ) -> Response {
        let Some(wire) = wire else { return (self.blind)(reason).for_reader(self.reads_stderr) };
        let Some(row) = self.row(wire).filter(|row| row.support(EffectKind::Deny).is_some()) else {
            return Response::silence();
        };
        let native = Payload::new();
        let event = Event {
            kind: row.kind,
            host: self.name,
            wire: row.wire,
            session: Session::default(),
            payload: event::Payload::Notice(Notice::default()),
            native: &native,
        };
        self.answer(&event, verdict, Manner { interactive: false, ask_fallback, version: None }).response
    }
}

fn note(text: &str) -> Note {
    Note { severity: std::cmp::Reverse(Severity::Critical), rule: String::new(), text: text.to_owned() }
}

impl Row {
    /// Returns what the host makes of an effect; `None` when it is lost.
    pub fn support(&self, effect: EffectKind) -> Option<Support> {
        self.honours.iter().find(|(kind, _)| *kind == effect).map(|(_, support)| *support)
    }
}

/// Lists the hosts whose word for an event the payload uses, for a hook that was not told. Each of
/// them understands the first one's refusal.
pub fn hosts_of_event(wire: &str) -> impl Iterator<Item = &'static Host> {
    HOSTS.iter().copied().filter(move |host| host.row(wire).is_some())
}
