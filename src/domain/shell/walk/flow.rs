//! Lists, pipelines and compound commands: which state reaches which command.
//!
//! Branches are walked one after the other from the same state, and their results are joined; loops are walked until a
//! round changes nothing for the next.

use super::multiplication::multiplies;
use super::scope::{Changes, Function, PossibleDirectories, Value, concat_outputs};
use super::{Invocation, Output, PipelinePosition, Stdin, Walker, alternatives};
use crate::domain::shell::script::{OpaqueReason, RedirectKind, Word};
use crate::domain::shell::syntax::MAX_DEPTH;
use crate::domain::shell::syntax::ast::{Chain, LogicalOperator, Node, NodeKind, Part, Pipeline, RawWord};

/// The most values for which the body of a loop is walked one by one.
const MAX_LOOP_ROUNDS: usize = 32;

/// How many nodes of syntax may be walked inside each other. Each text is less deep than that, but
/// a text that runs a text that calls a function is as deep as all of them together.
const MAX_SYNTAX_DEPTH: usize = 64;

/// How many calls of a function are walked inside each other.
const MAX_RECURSION: usize = 2;

/// The programs whose output, put through a pipe, is decoded text.
const DECODERS: &[&str] = &[
    "base64",
    "base32",
    "basenc",
    "xxd",
    "openssl",
    "uudecode",
    "gunzip",
    "zcat",
    "gzip",
    "bzcat",
    "bunzip2",
    "xzcat",
    "unxz",
    "zstdcat",
    "uncompress",
    "rev",
    "tr",
    "gpg",
    "age",
    "od",
    "hexdump",
    "xz",
    "zstd",
    "bzip2",
    "lz4",
    "lz4cat",
    "lzma",
    "brotli",
    "iconv",
];

/// The builtins after which nothing else of a list runs.
const CONTROL_FLOW_BUILTINS: &[&str] = &["exit", "return", "continue", "break"];

impl Walker {
    /// Walks chains in order and returns what they print together.
    pub(super) fn walk_list(&mut self, list: &[Chain]) -> Output {
        let mut output = Some(Word::known(""));
        for chain in list {
            if self.stopped {
                return None;
            }
            let printed = if chain.background {
                self.subshell(|walker| walker.walk_chain(chain))
            } else {
                self.walk_chain(chain)
            };
            output = concat_outputs(output, printed);
        }
        output
    }

    /// Walks a chain. A `cd` in it has worked for what follows `&&`, has failed for what follows
    /// `||`, and may have done either for what comes after the chain.
    fn walk_chain(&mut self, chain: &Chain) -> Output {
        let mut failed = self.scope.state.cwd.clone();
        let mut output = self.walk_pipeline(&chain.first);
        let mark = self.scope.checkpoint();
        let mut skipped: Option<PossibleDirectories> = None;
        for (joint, pipeline) in &chain.rest {
            let worked = self.scope.state.cwd.clone();
            if *joint == LogicalOperator::And {
                if worked != failed {
                    add_directories(&mut skipped, failed);
                }
                failed = worked;
            } else {
                add_directories(&mut skipped, failed);
                self.scope.state.cwd = skipped.take().unwrap_or(PossibleDirectories::Unknown);
                failed = worked;
            }
            let printed = self.walk_pipeline(pipeline);
            output = concat_outputs(output, printed);
            if *joint == LogicalOperator::Or {
                let after = std::mem::replace(&mut self.scope.state.cwd, failed.clone());
                if !ends_list(pipeline) {
                    self.scope.state.cwd.merge(after);
                }
                failed = self.scope.state.cwd.clone();
            }
        }
        let mut state = self.scope.state.clone();
        if !state.exit_on_error {
            state.cwd.merge(failed);
        }
        if let Some(skipped) = skipped {
            state.cwd.merge(skipped);
        }
        let changes = self.scope.rollback(&mark);
        self.scope.merge_branches(vec![changes], true);
        self.scope.state = state;
        output
    }

    fn walk_pipeline(&mut self, pipeline: &Pipeline) -> Output {
        let alone = pipeline.stages.len() == 1;
        let outer = self.position;
        if outer.is_nested {
            self.position.last_stage = outer.stage;
        } else {
            self.pipeline_count += 1;
            self.position =
                PipelinePosition { pipeline: self.pipeline_count, stage: 0, last_stage: 0, is_nested: !alone };
        }
        let outer_feed = self.stdin.clone();
        let wanted = self.wanted_outputs(pipeline);
        let outer_wants = self.streams.wants_output;
        let mut output = None;
        for (at, node) in pipeline.stages.iter().enumerate() {
            self.streams.wants_output = wanted.get(at).copied().unwrap_or(outer_wants);
            if at > 0 {
                self.position.last_stage += 1;
                self.position.stage = self.position.last_stage;
                let decoded = self.script.commands.last().is_some_and(|command| DECODERS.contains(&command.program()));
                self.stdin = match (output.take(), self.piped_stdin(decoded)) {
                    (Some(_), Stdin::PipedFile(path)) if self.scope.written_text(&path).is_none() => {
                        Stdin::PipedFile(path)
                    }
                    (Some(text), _) => Stdin::Text(text),
                    (None, piped) => piped,
                };
            }
            output = if alone { self.walk_node(node) } else { self.subshell(|walker| walker.walk_node(node)) };
        }
        self.streams.wants_output = outer_wants;
        self.stdin = outer_feed;
        // What follows in the outer pipeline is a later stage than all of these.
        let last = self.position.last_stage;
        self.position = outer;
        if outer.is_nested {
            self.position.last_stage = last.max(outer.last_stage);
        }
        output
    }

    /// Returns the input that a command before a pipe passes on when its output is unknown: that of `cat` is a file.
    fn piped_stdin(&self, decoded: bool) -> Stdin {
        match self.script.commands.last() {
            Some(command) if command.program() == "cat" && command.redirects.is_empty() && !command.is_remote => {
                match command.args() {
                    [file] if file.literal && !file.glob && !file.text.starts_with('-') => {
                        Stdin::PipedFile(file.text.clone())
                    }
                    _ => Stdin::Pipe { decoded },
                }
            }
            _ => Stdin::Pipe { decoded },
        }
    }

    fn walk_node(&mut self, node: &Node) -> Output {
        if !self.count_step(&node.span) {
            return None;
        }
        if self.syntax_depth >= MAX_SYNTAX_DEPTH {
            self.report(OpaqueReason::TooDeep, node.span.clone());
            return None;
        }
        self.syntax_depth += 1;
        let output = self.walk_node_inner(node);
        self.syntax_depth -= 1;
        output
    }

    fn walk_node_inner(&mut self, node: &Node) -> Output {
        if let NodeKind::Simple { assignments, words } = &node.kind {
            return self.walk_simple(assignments, words, node);
        }
        let outer = self.stdin.clone();
        let outer_line_source = self.streams.is_loop_input;
        let mut processes = Vec::new();
        let redirects = self.expand_redirects(&node.redirects, &mut processes);
        self.streams.is_loop_input |= matches!(node.kind, NodeKind::Loop { .. });
        if !redirects.is_empty() {
            self.stdin = self.redirected_stdin(&redirects, &processes).unwrap_or(outer.clone());
            self.push_command(&Invocation {
                redirects: redirects.clone(),
                span: node.span.clone(),
                ..Invocation::default()
            });
        }
        let is_wanted =
            self.streams.wants_output || redirects.iter().any(|redirect| redirect.kind == RedirectKind::Write);
        let output = self.with_wanted_output(is_wanted, |walker| walker.walk_compound(node));
        self.streams.is_loop_input = outer_line_source;
        self.stdin = outer;
        self.apply_redirects(&redirects, output)
    }

    fn walk_compound(&mut self, node: &Node) -> Output {
        match &node.kind {
            NodeKind::Subshell(list) => self.subshell(|walker| walker.walk_list(list)),
            NodeKind::Group(list) => self.walk_list(list),
            NodeKind::If { arms, otherwise } => {
                let mut branches = Vec::new();
                for (condition, body) in arms {
                    self.walk_list(condition);
                    branches.extend(self.walk_branch(body));
                }
                branches.extend(self.walk_branch(otherwise));
                self.scope.merge_branches(branches, false);
                None
            }
            NodeKind::Loop { condition, body } => {
                self.report_endless_loop(condition, body, node);
                self.walk_loop(|walker| {
                    walker.walk_list(condition);
                    walker.walk_list(body);
                });
                None
            }
            NodeKind::For { name, words, body } => {
                self.walk_for(name, words.as_deref(), body);
                None
            }
            NodeKind::Case { subject, arms } => {
                self.expand_single(subject);
                let mut branches = Vec::new();
                for (patterns, body) in arms {
                    for pattern in patterns {
                        self.expand_single(pattern);
                    }
                    branches.extend(self.walk_branch(body));
                }
                self.scope.merge_branches(branches, true);
                None
            }
            NodeKind::Function { name, body } => {
                self.scope.define_function(Function {
                    name: name.clone(),
                    body: body.clone(),
                    call_chain: self.call_chain.clone(),
                    span_override: self.span_override.clone(),
                    called: false,
                    active_calls: 0,
                    file: self.current_file.clone(),
                });
                Some(Word::known(""))
            }
            NodeKind::Test(words) => {
                for word in words {
                    let text = self.expand_single(word).text;
                    self.report_evaluated_names(&text, &node.span);
                }
                Some(Word::known(""))
            }
            // What it reads comes from the rest of the script.
            NodeKind::Coprocess(node) => self
                .with_stdin(&Stdin::Pipe { decoded: false }, |walker| walker.subshell(|walker| walker.walk_node(node))),
            NodeKind::Simple { .. } => None,
        }
    }

    /// Reports variables in a sum or a comparison whose value would be evaluated, with the commands in it.
    fn report_evaluated_names(&mut self, text: &str, span: &std::ops::Range<usize>) {
        let names = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let is_code = |name: &str| match self.scope.get(name) {
            Some(Value::Scalar(word)) => runs_when_evaluated(&word.text),
            Some(Value::List(words) | Value::OneOf(words)) => words.iter().any(|word| runs_when_evaluated(&word.text)),
            None => false,
        };
        if names.filter(|name| !name.is_empty()).any(is_code) {
            self.report(OpaqueReason::DynamicCode, span.clone());
        }
    }

    /// Walks a branch and reverts its changes; nothing remains of one that leaves the script.
    fn walk_branch(&mut self, list: &[Chain]) -> Option<Changes> {
        let mark = self.scope.checkpoint();
        self.walk_list(list);
        let changes = self.scope.rollback(&mark);
        let gone = list.last().is_some_and(|chain| ends_list(chain.rest.last().map_or(&chain.first, |(_, last)| last)));
        (!gone).then_some(changes)
    }

    /// Walks the body of a loop, once more when a round leaves something for the next one.
    fn walk_loop(&mut self, mut round: impl FnMut(&mut Self)) {
        let mark = self.scope.checkpoint();
        let (commands, opaque) = (self.script.commands.len(), self.script.opaque.len());
        // A body that shifts the parameters is done when none are left.
        let mut left = usize::MAX;
        let mut rounds = 0;
        while rounds < MAX_LOOP_ROUNDS
            && self.remaining_parameters() < left
            && (rounds == 0 || self.remaining_parameters() > 0)
        {
            left = self.remaining_parameters();
            rounds += 1;
            round(self);
        }
        let mut changes = self.scope.rollback(&mark);
        if changes.has_overwrites(&self.scope) && !self.stopped && rounds < 2 {
            self.script.commands.truncate(commands);
            self.script.opaque.truncate(opaque);
            if changes.changes_parameters(&self.scope) {
                self.scope.state.positional = None;
            }
            let moved = changes.changes_directory(&self.scope);
            self.scope.merge_branches(vec![changes], true);
            if moved {
                self.scope.state.cwd = PossibleDirectories::Unknown;
            }
            let mark = self.scope.checkpoint();
            round(self);
            changes = self.scope.rollback(&mark);
        }
        self.scope.merge_branches(vec![changes], true);
    }

    /// Returns how many parameters are left, or that it is unknown.
    fn remaining_parameters(&self) -> usize {
        self.scope.state.positional.as_ref().map_or(usize::MAX - 1, |all| all.len())
    }

    /// Walks a `for` loop, value by value where the values are written out.
    fn walk_for(&mut self, name: &str, words: Option<&[RawWord]>, body: &[Chain]) {
        let values: Vec<Word> = match words {
            Some(words) => words
                .iter()
                .flat_map(|word| self.alternatives_of(word).unwrap_or_else(|| self.expand_word(word, &mut Vec::new())))
                .collect(),
            None => self.scope.state.positional.as_ref().map_or_else(Vec::new, |all| all.to_vec()),
        };
        if values.len() > MAX_LOOP_ROUNDS && values.iter().all(|value| value.literal) && !name.is_empty() {
            let value = if values.len() > alternatives::MAX_VALUES {
                Value::Scalar(alternatives::widen(&values))
            } else {
                Value::OneOf(values)
            };
            self.scope.set(name, value);
            self.walk_loop(|walker| {
                walker.walk_list(body);
            });
            return;
        }
        if values.len() > MAX_LOOP_ROUNDS || values.is_empty() || name.is_empty() {
            self.scope.set(name, Value::Scalar(Word::unknown(format!("${name}"))));
            self.walk_loop(|walker| {
                walker.walk_list(body);
            });
            return;
        }
        for value in values {
            self.scope.set(name, Value::Scalar(value));
            self.walk_list(body);
        }
    }

    /// Walks the functions that nothing in the script calls, because something else may.
    pub(super) fn walk_uncalled_functions(&mut self) {
        let mut at = 0;
        while let Some(function) = self.scope.functions.get(at).cloned() {
            at += 1;
            // A script in a file that is run as a whole, or read for the functions in it, runs those it calls.
            if function.called || function.file.is_some() || self.stopped {
                continue;
            }
            self.scope.state.positional = None;
            self.scope.state.cwd = PossibleDirectories::Unknown;
            self.call_chain.clone_from(&function.call_chain);
            self.call_chain.push(format!("{}()", function.name));
            self.span_override.clone_from(&function.span_override);
            self.subshell(|walker| walker.walk_node(&function.body));
        }
    }

    /// Walks the body of a function that is called with these arguments.
    pub(super) fn call_function(&mut self, at: usize, call: &Invocation) -> Output {
        if self.depth >= MAX_DEPTH {
            self.report(OpaqueReason::TooDeep, call.span.clone());
            return None;
        }
        let function = self.scope.functions.get(at)?;
        if function.active_calls == 0 && multiplies(&function.body, &function.name) {
            self.report(OpaqueReason::EndlessProcesses, call.span.clone());
        }
        let is_repeated =
            self.scope.state.positional.as_ref().is_some_and(|given| call.words.get(1..) == Some(given.as_slice()));
        let function = self.scope.functions.get_mut(at)?;
        function.called = true;
        if function.active_calls >= MAX_RECURSION {
            // The arguments of the calls further in may be others, unless they are passed on as they are.
            if call.words.len() > 1 && !is_repeated {
                self.report(OpaqueReason::DynamicCode, call.span.clone());
            }
            return None;
        }
        function.active_calls += 1;
        let function = function.clone();
        self.depth += 1;
        let arguments = call.words.get(1..).unwrap_or_default().to_vec();
        let positional = self.scope.state.positional.replace(arguments.into());
        let base = std::mem::replace(&mut self.span_override, function.span_override);
        self.call_chain.push(format!("{}()", function.name));
        let feed = std::mem::replace(&mut self.stdin, call.stdin.clone());
        self.scope.enter_function();
        let in_file = function.file.is_some();
        let here = std::mem::replace(&mut self.current_file, function.file);
        let output = if in_file {
            self.with_file_budget(&call.span, |walker| walker.walk_node(&function.body))
        } else {
            self.walk_node(&function.body)
        };
        self.scope.leave_function();
        self.current_file = here;
        self.stdin = feed;
        self.call_chain.pop();
        self.span_override = base;
        self.scope.state.positional = positional;
        self.depth -= 1;
        if let Some(function) = self.scope.functions.get_mut(at) {
            function.active_calls -= 1;
        }
        output
    }
}

/// Returns whether evaluating a text as a number runs a command: `a[$(…)]`.
fn runs_when_evaluated(text: &str) -> bool {
    text.contains("[$(") || text.contains("[`")
}

fn add_directories(dirs: &mut Option<PossibleDirectories>, more: PossibleDirectories) {
    match dirs {
        Some(dirs) => dirs.merge(more),
        None => *dirs = Some(more),
    }
}

/// Returns whether nothing runs after a pipeline: it ends in `exit`, `return` or the like.
fn ends_list(pipeline: &Pipeline) -> bool {
    let [node] = pipeline.stages.as_slice() else { return false };
    match &node.kind {
        NodeKind::Simple { words, .. } => words.first().is_some_and(
            |word| matches!(word.parts.as_slice(), [Part::Text { text, .. }] if CONTROL_FLOW_BUILTINS.contains(&text.as_str())),
        ),
        NodeKind::Group(list) => list.last().is_some_and(|chain| chain.rest.is_empty() && ends_list(&chain.first)),
        _ => false,
    }
}
