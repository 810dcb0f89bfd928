//! A line and the places in it that can be mutated.

use std::ops::Range;

use crate::domain::shell::script::{Dialect, RedirectKind};
use crate::domain::shell::syntax::ast::{Chain, Node, NodeKind, Part, RawTarget, RawWord};
use crate::domain::shell::{file_uses, parse, syntax};
use crate::domain::text::path::PathContext;

/// The maximum number of commands of one line that are mutated.
const MAX_SITES: usize = 4;

/// Programs that change the shell they run in, and have no effect in another.
const STATEFUL_BUILTINS: &[&str] = &[
    "cd", "pushd", "popd", "export", "unset", "set", "alias", "unalias", "declare", "typeset", "readonly", "local",
    "umask", "ulimit", "shopt", "hash", "enable", "trap", "history", "exit", "return", "shift", "bind", "setopt",
];

/// Programs that only a shell has, besides those that change it.
const OTHER_BUILTINS: &[&str] =
    &["source", ".", "eval", "exec", "builtin", "command", "type", "read", "wait", "coproc"];

/// A line that can be read.
pub(super) struct ParsedLine<'l> {
    /// The line as written.
    pub(super) text: &'l str,
    /// Where it would run.
    pub(super) place: &'l PathContext,
    /// Its commands, but for those inside functions and substitutions.
    pub(super) sites: Vec<CommandSite>,
    /// Whether it is one command and nothing else.
    pub(super) is_single: bool,
    /// Whether the line defines names that may replace programs.
    pub(super) has_definitions: bool,
}

/// A command of a line.
#[derive(Debug)]
pub(super) struct CommandSite {
    /// The program without quotes; empty when it is put together.
    name: String,
    /// Its words, the program first; never empty.
    pub(super) words: Vec<SourceWord>,
    /// The files among its words and after its redirections.
    pub(super) files: Vec<SourceWord>,
}

/// A word of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SourceWord {
    /// Where it is.
    pub(super) span: Range<usize>,
    /// The word as written.
    pub(super) raw: String,
}

impl SourceWord {
    /// Returns whether the word is no more than its letters: no quotes, patterns or expansions.
    pub(super) fn is_plain(&self) -> bool {
        let plain = |character: char| character.is_ascii_alphanumeric() || "_./:@%+,=-".contains(character);
        !self.raw.is_empty() && self.raw.chars().all(plain)
    }

    /// Returns whether the word is an option.
    pub(super) fn is_option(&self) -> bool {
        self.raw.len() > 1 && self.raw.starts_with('-')
    }
}

impl CommandSite {
    /// Returns the program as written.
    pub(super) fn program(&self) -> &str {
        self.words.first().map_or("", |word| word.raw.as_str())
    }

    /// Returns whether the program could be any.
    pub(super) fn is_dynamic(&self) -> bool {
        self.name.is_empty()
    }

    /// Returns the arguments.
    pub(super) fn arguments(&self) -> &[SourceWord] {
        self.words.get(1..).unwrap_or_default()
    }

    /// Returns whether only the shell itself has the program.
    pub(super) fn is_builtin(&self) -> bool {
        self.changes_shell_state() || self.is_dynamic() || OTHER_BUILTINS.contains(&self.name.as_str())
    }

    fn changes_shell_state(&self) -> bool {
        STATEFUL_BUILTINS.contains(&self.name.as_str())
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

impl<'l> ParsedLine<'l> {
    /// Reads a line; `None` when it cannot be mutated.
    pub(super) fn parse(text: &'l str, place: &'l PathContext) -> Option<Self> {
        if text.len() > super::MAX_BYTES || text.trim().is_empty() {
            return None;
        }
        let (list, opaque) = syntax::parse(text, 0, None);
        if !opaque.is_empty() {
            return None;
        }
        let script = parse(text, Dialect::Posix);
        let files: Vec<String> = file_uses(&script).into_iter().map(|used| used.path).collect();
        let is_single = match list.as_slice() {
            [Chain { first, rest, background: false }] => {
                rest.is_empty() && matches!(first.stages.as_slice(), [Node { kind: NodeKind::Simple { .. }, .. }])
            }
            _ => false,
        };
        let mut line = Self { text, place, sites: Vec::new(), is_single, has_definitions: false };
        line.collect_list(&list, &files);
        line.has_definitions = line.has_definitions || line.sites.iter().any(|site| site.program() == "alias");
        Some(line)
    }

    fn collect_list(&mut self, list: &[Chain], files: &[String]) {
        for chain in list {
            let pipelines = std::iter::once(&chain.first).chain(chain.rest.iter().map(|(_, pipeline)| pipeline));
            for node in pipelines.flat_map(|pipeline| &pipeline.stages) {
                self.collect_node(node, files);
            }
        }
    }

    fn collect_node(&mut self, node: &Node, files: &[String]) {
        match &node.kind {
            NodeKind::Simple { words, .. } if !words.is_empty() && self.sites.len() < MAX_SITES => {
                let name = words.first().map(literal_text).unwrap_or_default();
                let words: Vec<SourceWord> = words.iter().map(|word| self.source_word(word)).collect();
                let targets = node.redirects.iter().filter_map(|redirect| match (&redirect.target, redirect.kind) {
                    (RawTarget::Word(word), RedirectKind::Read | RedirectKind::Write | RedirectKind::Append) => {
                        Some(self.source_word(word))
                    }
                    _ => None,
                });
                let all = words.iter().skip(1).cloned().chain(targets);
                let files = all.filter(|word| is_plain_path(&word.raw) && files.contains(&word.raw)).collect();
                self.sites.push(CommandSite { name, words, files });
            }
            NodeKind::Subshell(list) | NodeKind::Group(list) => self.collect_list(list, files),
            NodeKind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    self.collect_list(condition, files);
                    self.collect_list(body, files);
                }
                self.collect_list(otherwise, files);
            }
            NodeKind::Loop { condition, body } => {
                self.collect_list(condition, files);
                self.collect_list(body, files);
            }
            NodeKind::For { body, .. } => self.collect_list(body, files),
            NodeKind::Case { arms, .. } => arms.iter().for_each(|(_, body)| self.collect_list(body, files)),
            NodeKind::Function { .. } => self.has_definitions = true,
            NodeKind::Simple { .. } | NodeKind::Test(_) | NodeKind::Coprocess(_) => {}
        }
    }

    fn source_word(&self, word: &RawWord) -> SourceWord {
        let raw = self.text.get(word.span.clone()).unwrap_or_default().to_owned();
        SourceWord { span: word.span.clone(), raw }
    }

    /// Returns whether the line does nothing but change the shell it runs in.
    pub(super) fn only_changes_shell_state(&self) -> bool {
        self.sites.iter().all(CommandSite::changes_shell_state)
    }

    /// Returns whether something can be after the line without becoming part of it.
    pub(super) fn is_appendable(&self) -> bool {
        let has_end = self.text.trim_end().ends_with([';', '&', '\\']);
        !has_end && !self.text.contains(['#', '\n']) && !self.text.contains("<<")
    }

    /// Returns the line with what ends its last command.
    pub(super) fn terminated(&self) -> String {
        let end = if self.is_appendable() { "; " } else { "\n" };
        format!("{}{end}", self.text)
    }

    /// Returns whether every shell of the family reads the line the same way.
    pub(super) fn is_portable(&self) -> bool {
        let marks = ["<(", ">(", "[[", "((", "$'", "$\"", "<<<", "&>", "function ", "=(", "..", "{", "source "];
        !marks.iter().any(|mark| self.text.contains(mark))
    }

    /// Returns the line with some stretches replaced, which must not overlap.
    pub(super) fn apply_edits(&self, mut edits: Vec<(Range<usize>, String)>) -> String {
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

/// Returns a word without its quotes; or nothing when something is put into it.
fn literal_text(word: &RawWord) -> String {
    let text = |part: &Part| match part {
        Part::Text { text, .. } => Some(text.clone()),
        _ => None,
    };
    word.parts.iter().map(text).collect::<Option<String>>().unwrap_or_default()
}

/// Returns whether a word can be spelled as a path: no quotes, and no expansion but the home's.
fn is_plain_path(raw: &str) -> bool {
    let tail = raw.strip_prefix('~').unwrap_or(raw);
    let plain = |character: char| character.is_ascii_alphanumeric() || "_./:@%+,=-*?".contains(character);
    !raw.is_empty() && tail.chars().all(plain) && (tail == raw || tail.is_empty() || tail.starts_with('/'))
}
