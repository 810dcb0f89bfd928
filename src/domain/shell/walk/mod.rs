//! Walks the syntax tree to commands: what would run, with which words, reached through what.
//!
//! The walk follows the text the way a shell does, with one difference: every branch is taken. It keeps the values of
//! variables as far as the text determines them, so that a command that is spelled through variables, quotes or
//! wrappers is listed with its actual words. It runs nothing and reads no file: a script in a file is walked when its
//! text is given, and otherwise requested. Each step has a cost; when the fixed budget is spent, the rest is reported
//! and skipped.

mod alternatives;
mod brace;
mod builtin;
mod code;
mod deferred;
mod directory;
mod edited_file;
mod expand;
mod fetched_file;
mod filter;
mod flow;
mod input;
mod modules;
mod multiplication;
mod output;
mod package_name;
mod parallel;
mod parameter;
mod patch_file;
mod project;
mod runner;
mod scope;
mod script_file;
mod script_options;
mod shell_escape;
mod shells;
mod simple;
mod task_invocation;
mod unknown_program;
mod windows;
mod wrapper;
mod wrapper_table;

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use super::arguments::CommandCache;
use super::deferred::DeferredLine;
use super::script::{Command, Dialect, Opaque, OpaqueReason, Redirect, Script, Word};
use super::script_files::FileCache;
use super::syntax::{self, MAX_DEPTH};
pub(super) use code::inline_code;
pub(super) use runner::{deletes_findings, find_results, is_git_command_key};
use scope::Scope;
use script_file::{FileBudget, FileContext};
pub(super) use shells::is_shell;
pub(super) use simple::{CODE_VARIABLES, DECLARATION_BUILTINS, EXPANDED_VARIABLES};

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
enum Stdin {
    /// Whatever the script itself reads.
    #[default]
    Inherited,
    /// A text, possibly with unknown parts.
    Text(Word),
    /// The file of this path.
    File(String),
    /// The file of this path, through a pipe.
    PipedFile(String),
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
    process_outputs: Vec<Output>,
    stdin: Stdin,
    /// Whether the shell itself runs it, so that it may be a builtin or a function.
    runs_in_shell: bool,
}

/// Where in a pipeline the walk is.
#[derive(Debug, Clone, Copy, Default)]
struct PipelinePosition {
    pipeline: usize,
    stage: usize,
    /// The last stage that is taken.
    last_stage: usize,
    /// Whether pipelines inside are part of this one.
    is_nested: bool,
}

/// How the standard streams of a command are used.
#[derive(Debug, Clone, Copy, Default)]
struct StreamUse {
    /// Whether something depends on what is printed.
    wants_output: bool,
    /// Whether the standard input is read again and again, by a loop.
    is_loop_input: bool,
}

/// The walk over a script.
struct Walker {
    script: Script,
    scope: Scope,
    call_chain: Vec<String>,
    span_override: Option<Range<usize>>,
    dialect: Dialect,
    /// How many texts and wrappers deep the walk is.
    depth: usize,
    /// How many nodes of syntax deep it is.
    syntax_depth: usize,
    position: PipelinePosition,
    pipeline_count: usize,
    stdin: Stdin,
    /// What open descriptors read from.
    descriptors: BTreeMap<u32, Stdin>,
    /// The code of traps, which runs with the variables as they are at the end.
    traps: Vec<Word>,
    /// How the standard streams are used.
    streams: StreamUse,
    /// How often the present command is walked because of variables that have several values.
    alternative_runs: usize,
    /// Why code that the present command is given is unknown, when its language told.
    code_origin: Option<OpaqueReason>,
    is_remote: bool,
    /// The program of unknown effect that may run what is being walked.
    assumed_by: Option<String>,
    steps: usize,
    command_count: usize,
    fuel: usize,
    stopped: bool,
    /// The files that are given.
    file_cache: Rc<FileCache>,
    /// The budget for files.
    file_budget: FileBudget,
    /// The file whose text is being walked.
    current_file: Option<Rc<FileContext>>,
}

/// Returns what a text runs.
pub(super) fn walk(text: &str, dialect: Dialect, library: &Rc<FileCache>) -> Script {
    let mut walker = Walker::new(text.len(), dialect, library);
    if dialect == Dialect::Posix {
        let (list, opaque) = syntax::parse(text, 0, None);
        walker.script.opaque.extend(opaque.into_iter().map(|opaque| Opaque {
            reason: if is_rejected(&opaque, text) { OpaqueReason::Rejected } else { opaque.reason },
            ..opaque
        }));
        walker.walk_list(&list);
        walker.walk_late_traps();
        walker.walk_uncalled_functions();
    } else {
        walker.walk_windows_lines(text, dialect);
    }
    walker.walk_written_files();
    walker.script
}

/// Returns what the lines of a file run that a tool runs later.
pub(super) fn walk_deferred(lines: &[DeferredLine], path: &str, library: &Rc<FileCache>) -> Script {
    let mut walker = Walker::new(0, Dialect::Posix, library);
    walker.walk_deferred_lines(path, lines);
    walker.script
}

/// Returns whether the shell refuses the text of a call at a place that could not be read. It accepts a here-document
/// that ends with the text, and leaves out bytes that are zero.
fn is_rejected(opaque: &Opaque, text: &str) -> bool {
    matches!(opaque.reason, OpaqueReason::Unbalanced | OpaqueReason::Syntax)
        && !text.contains("<<")
        && !text.contains('\0')
}

impl Walker {
    fn new(length: usize, dialect: Dialect, library: &Rc<FileCache>) -> Self {
        Self {
            script: Script::default(),
            scope: Scope::new(),
            call_chain: Vec::new(),
            span_override: None,
            dialect,
            depth: 0,
            syntax_depth: 0,
            position: PipelinePosition::default(),
            pipeline_count: 0,
            stdin: Stdin::Inherited,
            descriptors: BTreeMap::new(),
            traps: Vec::new(),
            streams: StreamUse::default(),
            alternative_runs: 1,
            code_origin: None,
            is_remote: false,
            assumed_by: None,
            steps: 0,
            command_count: 0,
            fuel: length.saturating_mul(6).saturating_add(BASE_FUEL),
            stopped: false,
            file_cache: Rc::clone(library),
            file_budget: FileBudget::new(),
            current_file: None,
        }
    }

    /// Records a place whose effect is unknown; one note per place is enough.
    fn report(&mut self, reason: OpaqueReason, span: Range<usize>) {
        let is_deferred = self.current_file.as_ref().is_some_and(|file| file.is_deferred());
        let reason = if is_deferred { self.reason_in_deferred_code(reason) } else { reason };
        let is_code = matches!(reason, OpaqueReason::DownloadedCode | OpaqueReason::EncodedCode);
        let is_own = is_code && is_deferred;
        if (self.file_budget.is_active() && !is_own) || self.assumed_by.is_some() {
            return;
        }
        // A program that is no script says nothing of the code beside it.
        let hides = |seen: &Opaque| seen.span == span && (seen.reason == reason || !seen.reason.is_script());
        let repeated = self.script.opaque.iter().rev().take(8).any(hides);
        if !self.stopped && !repeated {
            self.script.opaque.push(Opaque { reason, span });
        }
    }

    /// Gives up on the rest of the script.
    fn stop(&mut self, reason: OpaqueReason, span: Range<usize>) {
        if !self.file_budget.is_active() {
            self.script.opaque.push(Opaque { reason, span });
        }
        self.stopped = true;
    }

    /// Counts a visited node and returns whether the walk goes on.
    fn count_step(&mut self, span: &Range<usize>) -> bool {
        self.steps += 1;
        if self.steps > MAX_STEPS && !self.stopped {
            self.stop(OpaqueReason::TooMany, span.clone());
        }
        !self.stopped
    }

    /// Pays for text and returns whether the walk goes on.
    fn spend(&mut self, length: usize, span: &Range<usize>) -> bool {
        match self.fuel.checked_sub(length) {
            Some(rest) => self.fuel = rest,
            None if self.stopped => {}
            None => self.stop(OpaqueReason::TooLong, span.clone()),
        }
        !self.stopped
    }

    /// Adds a command to the list.
    fn push_command(&mut self, call: &Invocation) {
        self.command_count += 1;
        if self.command_count > MAX_COMMANDS && !self.stopped {
            self.stop(OpaqueReason::TooMany, call.span.clone());
        }
        // A chain of wrappers lists all words again at each link, which is paid for like other text.
        let length = call.words.iter().map(|word| word.text.len() + 8).sum();
        if self.stopped || !self.spend(length, &call.span) {
            return;
        }
        let (span, file) = self.source_location(&call.span);
        self.script.commands.push(Command {
            words: call.words.clone(),
            assignments: call.assignments.clone(),
            redirects: call.redirects.clone(),
            call_chain: self.call_chain.clone(),
            pipeline: self.position.pipeline,
            stage: self.position.stage,
            input: self.known_input(call),
            cwd: directory::command_directory(&call.words, &self.scope.state.cwd).to_cwd(),
            dialect: self.dialect,
            is_remote: self.is_remote,
            alternatives: self.alternative_runs,
            assumed_by: self.assumed_by.clone(),
            span,
            file,
            cache: CommandCache::default(),
        });
    }

    /// Walks nested code with its own call chain and pipelines.
    fn in_nested_context<T>(&mut self, label: &str, walk: impl FnOnce(&mut Self) -> T) -> T {
        self.call_chain.push(label.to_owned());
        let place = std::mem::take(&mut self.position);
        let feed = std::mem::take(&mut self.stdin);
        let value = walk(self);
        self.stdin = feed;
        self.position = place;
        self.call_chain.pop();
        value
    }

    /// Walks something whose effects on the scope are its own.
    fn subshell<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.scope.checkpoint();
        let value = walk(self);
        self.scope.rollback(&mark);
        value
    }

    /// Walks text that a command takes as shell code; the caller handles variables and directory.
    fn walk_text(&mut self, text: &Word, label: &str, span: &Range<usize>) -> Output {
        if self.depth >= MAX_DEPTH {
            self.report(OpaqueReason::TooDeep, span.clone());
            return None;
        }
        if !self.spend(text.text.len(), span) {
            return None;
        }
        self.depth += 1;
        self.call_chain.push(label.to_owned());
        let base = self.span_override.replace(span.clone());
        let dialect = std::mem::take(&mut self.dialect);
        let (list, opaque) = syntax::parse(&text.text, self.depth, Some(span.clone()));
        for opaque in opaque {
            self.report(opaque.reason, opaque.span);
        }
        let output = self.walk_list(&list);
        self.dialect = dialect;
        self.span_override = base;
        self.call_chain.pop();
        self.depth -= 1;
        output
    }
}
