//! Syntax tree to commands: what would run, in which words, reached through what.
//!
//! The walk follows the text the way a shell does, with one difference: every branch is taken. It
//! keeps the values of variables as far as the text tells them, so that a command that is spelled
//! through variables, quotes or wrappers comes out in its own words. It runs nothing and reads no
//! file: a script in a file is walked where its text is given, else it is asked for. Each step costs from a fixed amount; when that is spent, the rest is reported and left.

mod brace;
mod builtin;
mod code;
mod directory;
mod disk;
mod expand;
mod flow;
mod output;
mod parameter;
mod project;
mod runner;
mod scope;
mod shells;
mod simple;
mod tools;
mod windows;
mod wrapper;
mod wrappers;

use std::ops::Range;
use std::rc::Rc;

use super::files::Library;
use super::option::Kept;
use super::script::{Command, Dialect, Opaque, OpaqueReason, Redirect, Script, Word};
use super::syntax::{self, MAX_DEPTH};
pub(super) use code::code_of;
use disk::{Account, Here};
pub(super) use runner::{found, is_git_code};
use scope::Scope;
pub(super) use shells::is_shell;
pub(super) use simple::{CODE_VARIABLES, DECLARERS, EXPANDED_VARIABLES};

/// The most commands that are listed.
const MAX_COMMANDS: usize = 4096;

/// The most nodes of syntax that are visited.
const MAX_STEPS: usize = 1 << 16;

/// The text that may be produced beyond a multiple of the source, in bytes.
const BASE_FUEL: usize = 1 << 20;

/// What a command prints, when the text tells.
type Output = Option<Word>;

/// What a command reads from its standard input.
#[derive(Debug, Clone, Default)]
enum Feed {
    /// Whatever the script itself reads.
    #[default]
    Inherited,
    /// A text, possibly with unknown parts.
    Text(Word),
    /// The file of this path.
    File(String),
    /// The file of this path, through a pipe.
    Copy(String),
    /// The output of another command.
    Pipe { decoded: bool },
}

/// A command about to be listed, and what is needed to look into it.
#[derive(Debug, Clone, Default)]
struct Invocation {
    words: Vec<Word>,
    assignments: Vec<(String, Word)>,
    redirects: Vec<Redirect>,
    span: Range<usize>,
    /// What the process substitutions among the words print.
    processes: Vec<Output>,
    feed: Feed,
    /// Whether the shell itself runs it, so that it may be a builtin or a function.
    direct: bool,
}

/// Where in a pipeline the walk is.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    pipeline: usize,
    stage: usize,
    /// The last stage that is taken.
    last: usize,
    /// Whether pipelines inside are part of this one.
    shared: bool,
}

/// The walk over a script.
struct Walker {
    script: Script,
    scope: Scope,
    via: Vec<String>,
    base: Option<Range<usize>>,
    dialect: Dialect,
    /// How many texts and wrappers deep the walk is.
    depth: usize,
    /// How many nodes of syntax deep it is.
    nested: usize,
    place: Place,
    pipelines: usize,
    feed: Feed,
    elsewhere: bool,
    steps: usize,
    listed: usize,
    fuel: usize,
    stopped: bool,
    /// The files that are given.
    library: Rc<Library>,
    /// What files may cost.
    account: Account,
    /// The file whose text is being walked.
    here: Option<Rc<Here>>,
}

/// Returns what a text runs.
pub(super) fn walk(text: &str, dialect: Dialect, library: &Rc<Library>) -> Script {
    let mut walker = Walker {
        script: Script::default(),
        scope: Scope::new(),
        via: Vec::new(),
        base: None,
        dialect,
        depth: 0,
        nested: 0,
        place: Place::default(),
        pipelines: 0,
        feed: Feed::Inherited,
        elsewhere: false,
        steps: 0,
        listed: 0,
        fuel: text.len().saturating_mul(6).saturating_add(BASE_FUEL),
        stopped: false,
        library: Rc::clone(library),
        account: Account::new(),
        here: None,
    };
    if dialect == Dialect::Posix {
        let (list, opaque) = syntax::read(text, 0, None);
        walker.script.opaque.extend(opaque);
        walker.list(&list);
        walker.uncalled();
    } else {
        walker.lines(text, dialect);
    }
    walker.script
}

impl Walker {
    /// Notes a place whose effect is not known; one note per place is enough.
    fn report(&mut self, reason: OpaqueReason, span: Range<usize>) {
        if self.account.is_open() {
            return;
        }
        let repeated = self.script.opaque.iter().rev().take(8).any(|seen| seen.span == span);
        if !self.stopped && !repeated {
            self.script.opaque.push(Opaque { reason, span });
        }
    }

    /// Gives up on the rest of the script.
    fn stop(&mut self, reason: OpaqueReason, span: Range<usize>) {
        if !self.account.is_open() {
            self.script.opaque.push(Opaque { reason, span });
        }
        self.stopped = true;
    }

    /// Counts a visited node and tells whether the walk goes on.
    fn step(&mut self, span: &Range<usize>) -> bool {
        self.steps += 1;
        if self.steps > MAX_STEPS && !self.stopped {
            self.stop(OpaqueReason::TooMany, span.clone());
        }
        !self.stopped
    }

    /// Pays for text and tells whether the walk goes on.
    fn spend(&mut self, length: usize, span: &Range<usize>) -> bool {
        match self.fuel.checked_sub(length) {
            Some(rest) => self.fuel = rest,
            None if self.stopped => {}
            None => self.stop(OpaqueReason::TooLong, span.clone()),
        }
        !self.stopped
    }

    /// Adds a command to the list.
    fn push(&mut self, call: &Invocation) {
        self.listed += 1;
        if self.listed > MAX_COMMANDS && !self.stopped {
            self.stop(OpaqueReason::TooMany, call.span.clone());
        }
        // A chain of wrappers lists all words again at each link, which is paid for like other text.
        let length = call.words.iter().map(|word| word.text.len() + 8).sum();
        if self.stopped || !self.spend(length, &call.span) {
            return;
        }
        let (span, file) = self.standing(&call.span);
        self.script.commands.push(Command {
            words: call.words.clone(),
            assignments: call.assignments.clone(),
            redirects: call.redirects.clone(),
            via: self.via.clone(),
            pipeline: self.place.pipeline,
            stage: self.place.stage,
            cwd: directory::of(&call.words, &self.scope.state.cwd).cwd(),
            dialect: self.dialect,
            elsewhere: self.elsewhere,
            span,
            file,
            kept: Kept::default(),
        });
    }

    /// Walks something one level in, with its own way there and its own pipelines.
    fn inside<T>(&mut self, label: &str, walk: impl FnOnce(&mut Self) -> T) -> T {
        self.via.push(label.to_owned());
        let place = std::mem::take(&mut self.place);
        let feed = std::mem::take(&mut self.feed);
        let value = walk(self);
        self.feed = feed;
        self.place = place;
        self.via.pop();
        value
    }

    /// Walks something whose effects on the scope are its own.
    fn subshell<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.scope.mark();
        let value = walk(self);
        self.scope.rollback(&mark);
        value
    }

    /// Walks text that a command takes as shell code; variables and directory are the caller's matter.
    fn text(&mut self, text: &Word, label: &str, span: &Range<usize>) -> Output {
        if self.depth >= MAX_DEPTH {
            self.report(OpaqueReason::TooDeep, span.clone());
            return None;
        }
        if !self.spend(text.text.len(), span) {
            return None;
        }
        self.depth += 1;
        self.via.push(label.to_owned());
        let base = self.base.replace(span.clone());
        let dialect = std::mem::take(&mut self.dialect);
        let (list, opaque) = syntax::read(&text.text, self.depth, Some(span.clone()));
        for opaque in opaque {
            self.report(opaque.reason, opaque.span);
        }
        let output = self.list(&list);
        self.dialect = dialect;
        self.base = base;
        self.via.pop();
        self.depth -= 1;
        output
    }
}
