//! Lists, pipelines and compound commands: which state reaches which command.
//!
//! Branches are walked one after the other from the same state, and what they leave is joined; loops are
//! walked until a round leaves nothing new for the next.

use super::scope::{Changes, Dirs, Function, Value, followed};
use super::{Feed, Invocation, Output, Place, Walker};
use crate::domain::shell::script::{OpaqueReason, Word};
use crate::domain::shell::syntax::MAX_DEPTH;
use crate::domain::shell::syntax::ast::{Chain, Joint, Kind, Node, Part, Pipeline, RawWord};

/// The most values for which the body of a loop is walked one by one.
const MAX_ROUNDS: usize = 32;

/// How many nodes of syntax may be walked inside of each other. Each text is less deep than that, but
/// a text that runs a text that calls a function is as deep as all of them together.
const MAX_NESTED: usize = 64;

/// How many calls of a function are walked inside of each other.
const MAX_CALLS: usize = 2;

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
const LEAVERS: &[&str] = &["exit", "return", "continue", "break"];

impl Walker {
    /// Walks chains in order and returns what they print together.
    pub(super) fn list(&mut self, list: &[Chain]) -> Output {
        let mut output = Some(Word::known(""));
        for chain in list {
            if self.stopped {
                return None;
            }
            let printed =
                if chain.background { self.subshell(|walker| walker.chain(chain)) } else { self.chain(chain) };
            output = followed(output, printed);
        }
        output
    }

    /// Walks a chain. A `cd` in it has worked for what follows `&&`, has failed for what follows
    /// `||`, and may have done either for what comes after the chain.
    fn chain(&mut self, chain: &Chain) -> Output {
        let mut failed = self.scope.state.cwd.clone();
        let mut output = self.pipeline(&chain.first);
        let mark = self.scope.mark();
        let mut skipped: Option<Dirs> = None;
        for (joint, pipeline) in &chain.rest {
            let worked = self.scope.state.cwd.clone();
            if *joint == Joint::And {
                if worked != failed {
                    add(&mut skipped, failed);
                }
                failed = worked;
            } else {
                add(&mut skipped, failed);
                self.scope.state.cwd = skipped.take().unwrap_or(Dirs::Unknown);
                failed = worked;
            }
            let printed = self.pipeline(pipeline);
            output = followed(output, printed);
            if *joint == Joint::Or {
                let after = std::mem::replace(&mut self.scope.state.cwd, failed.clone());
                if !leaves(pipeline) {
                    self.scope.state.cwd.add(after);
                }
                failed = self.scope.state.cwd.clone();
            }
        }
        let mut state = self.scope.state.clone();
        if !state.strict {
            state.cwd.add(failed);
        }
        if let Some(skipped) = skipped {
            state.cwd.add(skipped);
        }
        let changes = self.scope.rollback(&mark);
        self.scope.join(vec![changes], true);
        self.scope.state = state;
        output
    }

    fn pipeline(&mut self, pipeline: &Pipeline) -> Output {
        let alone = pipeline.stages.len() == 1;
        let outer = self.place;
        if outer.shared {
            self.place.last = outer.stage;
        } else {
            self.pipelines += 1;
            self.place = Place { pipeline: self.pipelines, stage: 0, last: 0, shared: !alone };
        }
        let outer_feed = self.feed.clone();
        let mut output = None;
        for (at, node) in pipeline.stages.iter().enumerate() {
            if at > 0 {
                self.place.last += 1;
                self.place.stage = self.place.last;
                let decoded = self.script.commands.last().is_some_and(|command| DECODERS.contains(&command.program()));
                self.feed = match output.take() {
                    Some(text) => Feed::Text(text),
                    None => self.copied(decoded),
                };
            }
            output = if alone { self.node(node) } else { self.subshell(|walker| walker.node(node)) };
        }
        self.feed = outer_feed;
        // What follows in the outer pipeline is a later stage than all of these.
        let last = self.place.last;
        self.place = outer;
        if outer.shared {
            self.place.last = last.max(outer.last);
        }
        output
    }

    /// Returns what the command before a pipe hands on whose output is not known: that of `cat` is a file.
    fn copied(&self, decoded: bool) -> Feed {
        match self.script.commands.last() {
            Some(command) if command.program() == "cat" && command.redirects.is_empty() => match command.args() {
                [file] if file.literal && !file.glob && !file.text.starts_with('-') => Feed::Copy(file.text.clone()),
                _ => Feed::Pipe { decoded },
            },
            _ => Feed::Pipe { decoded },
        }
    }

    fn node(&mut self, node: &Node) -> Output {
        if !self.step(&node.span) {
            return None;
        }
        if self.nested >= MAX_NESTED {
            self.report(OpaqueReason::TooDeep, node.span.clone());
            return None;
        }
        self.nested += 1;
        let output = self.node_inside(node);
        self.nested -= 1;
        output
    }

    fn node_inside(&mut self, node: &Node) -> Output {
        if let Kind::Simple { assignments, words } = &node.kind {
            return self.simple(assignments, words, node);
        }
        let outer = self.feed.clone();
        let mut processes = Vec::new();
        let redirects = self.redirects(&node.redirects, &mut processes);
        if !redirects.is_empty() {
            self.feed = Self::fed(&redirects, &processes).unwrap_or(outer.clone());
            self.push(&Invocation { redirects: redirects.clone(), span: node.span.clone(), ..Invocation::default() });
        }
        let output = self.compound(node);
        self.feed = outer;
        self.redirected(&redirects, output)
    }

    fn compound(&mut self, node: &Node) -> Output {
        match &node.kind {
            Kind::Subshell(list) => self.subshell(|walker| walker.list(list)),
            Kind::Group(list) => self.list(list),
            Kind::If { arms, otherwise } => {
                let mut branches = Vec::new();
                for (condition, body) in arms {
                    self.list(condition);
                    branches.extend(self.branch(body));
                }
                branches.extend(self.branch(otherwise));
                self.scope.join(branches, false);
                None
            }
            Kind::Loop { condition, body } => {
                self.repeated(|walker| {
                    walker.list(condition);
                    walker.list(body);
                });
                None
            }
            Kind::For { name, words, body } => {
                self.iteration(name, words.as_deref(), body);
                None
            }
            Kind::Case { subject, arms } => {
                self.expand_single(subject);
                let mut branches = Vec::new();
                for (patterns, body) in arms {
                    for pattern in patterns {
                        self.expand_single(pattern);
                    }
                    branches.extend(self.branch(body));
                }
                self.scope.join(branches, true);
                None
            }
            Kind::Function { name, body } => {
                self.scope.define(Function {
                    name: name.clone(),
                    body: body.clone(),
                    via: self.via.clone(),
                    base: self.base.clone(),
                    called: false,
                    running: 0,
                    here: self.here.clone(),
                });
                Some(Word::known(""))
            }
            Kind::Test(words) => {
                for word in words {
                    self.expand_single(word);
                }
                Some(Word::known(""))
            }
            Kind::Detached(node) => self.subshell(|walker| walker.node(node)),
            Kind::Simple { .. } => None,
        }
    }

    /// Walks a branch and takes its changes back; nothing comes of one that leaves the script.
    fn branch(&mut self, list: &[Chain]) -> Option<Changes> {
        let mark = self.scope.mark();
        self.list(list);
        let changes = self.scope.rollback(&mark);
        let gone = list.last().is_some_and(|chain| leaves(chain.rest.last().map_or(&chain.first, |(_, last)| last)));
        (!gone).then_some(changes)
    }

    /// Walks the body of a loop, once more when a round leaves something for the next one.
    fn repeated(&mut self, mut round: impl FnMut(&mut Self)) {
        let mark = self.scope.mark();
        let (commands, opaque) = (self.script.commands.len(), self.script.opaque.len());
        // A body that shifts the parameters is done when none are left.
        let mut left = usize::MAX;
        let mut rounds = 0;
        while rounds < MAX_ROUNDS && self.parameters() < left && (rounds == 0 || self.parameters() > 0) {
            left = self.parameters();
            rounds += 1;
            round(self);
        }
        let mut changes = self.scope.rollback(&mark);
        if changes.overwrite(&self.scope) && !self.stopped && rounds < 2 {
            self.script.commands.truncate(commands);
            self.script.opaque.truncate(opaque);
            if changes.shifted(&self.scope) {
                self.scope.state.positional = None;
            }
            let moved = changes.moved(&self.scope);
            self.scope.join(vec![changes], true);
            if moved {
                self.scope.state.cwd = Dirs::Unknown;
            }
            let mark = self.scope.mark();
            round(self);
            changes = self.scope.rollback(&mark);
        }
        self.scope.join(vec![changes], true);
    }

    /// Returns how many parameters are left, or that it is not known.
    fn parameters(&self) -> usize {
        self.scope.state.positional.as_ref().map_or(usize::MAX - 1, |all| all.len())
    }

    /// Walks a `for` loop, value by value where the values are written out.
    fn iteration(&mut self, name: &str, words: Option<&[RawWord]>, body: &[Chain]) {
        let values: Vec<Word> = match words {
            Some(words) => words.iter().flat_map(|word| self.expand(word, &mut Vec::new())).collect(),
            None => self.scope.state.positional.as_ref().map_or_else(Vec::new, |all| all.to_vec()),
        };
        if values.len() > MAX_ROUNDS || values.is_empty() || name.is_empty() {
            self.scope.set(name, Value::Scalar(Word::unknown(format!("${name}"))));
            self.repeated(|walker| {
                walker.list(body);
            });
            return;
        }
        for value in values {
            self.scope.set(name, Value::Scalar(value));
            self.list(body);
        }
    }

    /// Walks the functions that nothing in the script calls, because something else may.
    pub(super) fn uncalled(&mut self) {
        let mut at = 0;
        while let Some(function) = self.scope.functions.get(at).cloned() {
            at += 1;
            // A script in a file that is run as a whole, or read for the functions in it, runs those it calls.
            if function.called || function.here.is_some() || self.stopped {
                continue;
            }
            self.scope.state.positional = None;
            self.scope.state.cwd = Dirs::Unknown;
            self.via.clone_from(&function.via);
            self.via.push(format!("{}()", function.name));
            self.base.clone_from(&function.base);
            self.subshell(|walker| walker.node(&function.body));
        }
    }

    /// Walks the body of a function that is called with these arguments.
    pub(super) fn call(&mut self, at: usize, call: &Invocation) -> Output {
        if self.depth >= MAX_DEPTH {
            self.report(OpaqueReason::TooDeep, call.span.clone());
            return None;
        }
        let function = self.scope.functions.get_mut(at)?;
        function.called = true;
        if function.running >= MAX_CALLS {
            // The arguments of the calls further in may be others.
            if call.words.len() > 1 {
                self.report(OpaqueReason::DynamicCode, call.span.clone());
            }
            return None;
        }
        function.running += 1;
        let function = function.clone();
        self.depth += 1;
        let arguments = call.words.get(1..).unwrap_or_default().to_vec();
        let positional = self.scope.state.positional.replace(arguments.into());
        let base = std::mem::replace(&mut self.base, function.base);
        self.via.push(format!("{}()", function.name));
        let feed = std::mem::replace(&mut self.feed, call.feed.clone());
        let in_file = function.here.is_some();
        let here = std::mem::replace(&mut self.here, function.here);
        let output = if in_file {
            self.on_account(&call.span, |walker| walker.node(&function.body))
        } else {
            self.node(&function.body)
        };
        self.here = here;
        self.feed = feed;
        self.via.pop();
        self.base = base;
        self.scope.state.positional = positional;
        self.depth -= 1;
        if let Some(function) = self.scope.functions.get_mut(at) {
            function.running -= 1;
        }
        output
    }
}

fn add(dirs: &mut Option<Dirs>, more: Dirs) {
    match dirs {
        Some(dirs) => dirs.add(more),
        None => *dirs = Some(more),
    }
}

/// Tells whether nothing runs behind a pipeline: it ends in `exit`, `return` or the like.
fn leaves(pipeline: &Pipeline) -> bool {
    let [node] = pipeline.stages.as_slice() else { return false };
    match &node.kind {
        Kind::Simple { words, .. } => words.first().is_some_and(
            |word| matches!(word.parts.as_slice(), [Part::Text { text, .. }] if LEAVERS.contains(&text.as_str())),
        ),
        Kind::Group(list) => list.last().is_some_and(|chain| chain.rest.is_empty() && leaves(&chain.first)),
        _ => false,
    }
}
