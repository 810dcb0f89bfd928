//! A line and the places in it where something can be spelled anew.

use std::ops::Range;

use crate::domain::path::Place;
use crate::domain::shell::script::{Dialect, RedirectKind};
use crate::domain::shell::syntax::ast::{Chain, Kind, Node, Part, RawTarget, RawWord};
use crate::domain::shell::{file_uses, parse, syntax};

/// Commands of one line that are respelled at most.
const MOST_SITES: usize = 4;

/// Programs that change the shell they run in, and mean nothing in another.
const STATE: &[&str] = &[
    "cd", "pushd", "popd", "export", "unset", "set", "alias", "unalias", "declare", "typeset", "readonly", "local",
    "umask", "ulimit", "shopt", "hash", "enable", "trap", "history", "exit", "return", "shift", "bind", "setopt",
];

/// Programs that only a shell has, besides those that change it.
const BUILTIN: &[&str] = &["source", ".", "eval", "exec", "builtin", "command", "type", "read", "wait", "coproc"];

/// A line that can be read.
pub(super) struct Line<'l> {
    /// The line as written.
    pub(super) text: &'l str,
    /// Where it would run.
    pub(super) place: &'l Place,
    /// Its commands, but for those inside of functions and substitutions.
    pub(super) sites: Vec<Site>,
    /// Whether it is one command and nothing else.
    pub(super) is_single: bool,
    /// Whether names of its own may stand for programs.
    pub(super) has_names: bool,
}

/// A command of a line.
#[derive(Debug)]
pub(super) struct Site {
    /// The program without quotes; empty when it is put together.
    name: String,
    /// Its words, the program first; never empty.
    pub(super) words: Vec<Piece>,
    /// The files among its words and behind its redirections.
    pub(super) files: Vec<Piece>,
}

/// A word of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    /// Where it stands.
    pub(super) span: Range<usize>,
    /// The word as written.
    pub(super) raw: String,
}

impl Piece {
    /// Tells whether the word is no more than its letters: no quotes, patterns or expansions.
    pub(super) fn is_plain(&self) -> bool {
        let plain = |character: char| character.is_ascii_alphanumeric() || "_./:@%+,=-".contains(character);
        !self.raw.is_empty() && self.raw.chars().all(plain)
    }

    /// Tells whether the word is an option.
    pub(super) fn is_option(&self) -> bool {
        self.raw.len() > 1 && self.raw.starts_with('-')
    }
}

impl Site {
    /// Returns the program as written.
    pub(super) fn program(&self) -> &str {
        self.words.first().map_or("", |word| word.raw.as_str())
    }

    /// Tells whether the program could be any.
    pub(super) fn is_dynamic(&self) -> bool {
        self.name.is_empty()
    }

    /// Returns the arguments.
    pub(super) fn arguments(&self) -> &[Piece] {
        self.words.get(1..).unwrap_or_default()
    }

    /// Tells whether only the shell itself has the program.
    pub(super) fn is_builtin(&self) -> bool {
        self.is_state() || self.is_dynamic() || BUILTIN.contains(&self.name.as_str())
    }

    fn is_state(&self) -> bool {
        STATE.contains(&self.name.as_str())
    }

    /// Returns where the first word begins.
    pub(super) fn start(&self) -> usize {
        self.words.first().map_or(0, |word| word.span.start)
    }

    /// Returns where the last word ends.
    pub(super) fn end(&self) -> usize {
        self.words.last().map_or(0, |word| word.span.end)
    }
}

impl<'l> Line<'l> {
    /// Reads a line; `None` when it is not one that can be respelled.
    pub(super) fn read(text: &'l str, place: &'l Place) -> Option<Self> {
        if text.len() > super::MOST_BYTES || text.trim().is_empty() {
            return None;
        }
        let (list, opaque) = syntax::read(text, 0, None);
        if !opaque.is_empty() {
            return None;
        }
        let script = parse(text, Dialect::Posix);
        let files: Vec<String> = file_uses(&script).into_iter().map(|used| used.path).collect();
        let is_single = match list.as_slice() {
            [Chain { first, rest, background: false }] => {
                rest.is_empty() && matches!(first.stages.as_slice(), [Node { kind: Kind::Simple { .. }, .. }])
            }
            _ => false,
        };
        let mut line = Self { text, place, sites: Vec::new(), is_single, has_names: false };
        line.list(&list, &files);
        line.has_names = line.has_names || line.sites.iter().any(|site| site.program() == "alias");
        Some(line)
    }

    fn list(&mut self, list: &[Chain], files: &[String]) {
        for chain in list {
            let pipelines = std::iter::once(&chain.first).chain(chain.rest.iter().map(|(_, pipeline)| pipeline));
            for node in pipelines.flat_map(|pipeline| &pipeline.stages) {
                self.node(node, files);
            }
        }
    }

    fn node(&mut self, node: &Node, files: &[String]) {
        match &node.kind {
            Kind::Simple { words, .. } if !words.is_empty() && self.sites.len() < MOST_SITES => {
                let name = words.first().map(value).unwrap_or_default();
                let words: Vec<Piece> = words.iter().map(|word| self.piece(word)).collect();
                let targets = node.redirects.iter().filter_map(|redirect| match (&redirect.target, redirect.kind) {
                    (RawTarget::Word(word), RedirectKind::Read | RedirectKind::Write | RedirectKind::Append) => {
                        Some(self.piece(word))
                    }
                    _ => None,
                });
                let all = words.iter().skip(1).cloned().chain(targets);
                let files = all.filter(|word| is_path(&word.raw) && files.contains(&word.raw)).collect();
                self.sites.push(Site { name, words, files });
            }
            Kind::Subshell(list) | Kind::Group(list) => self.list(list, files),
            Kind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    self.list(condition, files);
                    self.list(body, files);
                }
                self.list(otherwise, files);
            }
            Kind::Loop { condition, body } => {
                self.list(condition, files);
                self.list(body, files);
            }
            Kind::For { body, .. } => self.list(body, files),
            Kind::Case { arms, .. } => arms.iter().for_each(|(_, body)| self.list(body, files)),
            Kind::Function { .. } => self.has_names = true,
            Kind::Simple { .. } | Kind::Test(_) | Kind::Detached(_) => {}
        }
    }

    fn piece(&self, word: &RawWord) -> Piece {
        let raw = self.text.get(word.span.clone()).unwrap_or_default().to_owned();
        Piece { span: word.span.clone(), raw }
    }

    /// Tells whether the line does nothing but change the shell it runs in.
    pub(super) fn is_state(&self) -> bool {
        self.sites.iter().all(Site::is_state)
    }

    /// Tells whether something can stand behind the line without becoming part of it.
    pub(super) fn is_open(&self) -> bool {
        let has_end = self.text.trim_end().ends_with([';', '&', '\\']);
        !has_end && !self.text.contains(['#', '\n']) && !self.text.contains("<<")
    }

    /// Returns the line with what ends its last command.
    pub(super) fn closed(&self) -> String {
        let end = if self.is_open() { "; " } else { "\n" };
        format!("{}{end}", self.text)
    }

    /// Tells whether every shell of the family reads the line the same way.
    pub(super) fn is_portable(&self) -> bool {
        let marks = ["<(", ">(", "[[", "((", "$'", "$\"", "<<<", "&>", "function ", "=(", "..", "{", "source "];
        !marks.iter().any(|mark| self.text.contains(mark))
    }

    /// Returns the line with some stretches replaced, which must not overlap.
    pub(super) fn with(&self, mut edits: Vec<(Range<usize>, String)>) -> String {
        edits.sort_by_key(|(span, _)| (span.start, span.end));
        let mut text = String::with_capacity(self.text.len() + 16);
        let mut done = 0;
        for (span, new) in edits {
            text.push_str(self.text.get(done..span.start).unwrap_or_default());
            text.push_str(&new);
            done = span.end;
        }
        text.push_str(self.text.get(done..).unwrap_or_default());
        text
    }
}

/// Returns a word without its quotes; nothing when something is put into it.
fn value(word: &RawWord) -> String {
    let text = |part: &Part| match part {
        Part::Text { text, .. } => Some(text.clone()),
        _ => None,
    };
    word.parts.iter().map(text).collect::<Option<String>>().unwrap_or_default()
}

/// Tells whether a word can be spelled as a path: no quotes, and no expansion but the home's.
fn is_path(raw: &str) -> bool {
    let tail = raw.strip_prefix('~').unwrap_or(raw);
    let plain = |character: char| character.is_ascii_alphanumeric() || "_./:@%+,=-*?".contains(character);
    !raw.is_empty() && tail.chars().all(plain) && (tail == raw || tail.is_empty() || tail.starts_with('/'))
}
