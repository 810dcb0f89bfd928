//! A policy file and everything that it extends, as parts of one layer.
//!
//! Where texts come from is the [`Shelf`]'s business: at run time files and the packs in the
//! program, at build time the texts of the packs.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::check::check;
use super::code::Code;
use super::compiled::Stored;
use super::diagnostic::{Diagnostic, Report, Source};
use super::document::{Written, read_document};
use super::example::{self, Placed};
use super::gates;
use super::node::Node;
use crate::domain::policy::{Layer, Part, Settings};
use crate::domain::rule::{Mode, Rule};

/// Files that one file may bring with it.
const MOST_FILES: usize = 64;

/// Where texts come from.
pub trait Shelf {
    /// Opens what the text `from` extends under a name.
    ///
    /// # Errors
    /// Returns why there is nothing under that name.
    fn open(&self, from: &Source, name: &str) -> Result<Opened, Unavailable>;
}

/// What stands under a name.
#[derive(Debug)]
pub enum Opened {
    /// A text, still to be read.
    Text(Arc<Source>),
    /// Parts that were read before.
    Ready(Vec<Stored>),
}

/// Why there is nothing under a name.
#[derive(Debug)]
pub struct Unavailable {
    /// What kind of mistake it is.
    pub code: Code,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// A part and where it stands.
#[derive(Debug)]
pub struct Piece {
    /// The part.
    pub part: Part,
    /// The text it was read from; none for a stored one.
    pub source: Option<Arc<Source>>,
    /// For each rule, the place of its id.
    pub rules_at: Vec<Range<usize>>,
    /// For each of its gates, the place of its id.
    pub gates_at: Vec<Range<usize>>,
    /// The gates that its rules ask about, each with its place.
    pub asks_gates: Vec<(String, Range<usize>)>,
    /// For each order to turn rules down, the place of the name.
    pub disable_at: Vec<Range<usize>>,
    /// The tests that stand in the text, unread.
    pub tests: Option<Node>,
    /// The examples of its rules.
    pub examples: Vec<Placed>,
}

impl Piece {
    /// Returns the text that mistakes in the part stand in.
    pub(super) fn text(&self) -> Arc<Source> {
        self.source.clone().unwrap_or_else(|| Source::new(self.part.source.clone(), ""))
    }
}

/// The parts of one layer, and the mistakes in them.
#[derive(Debug)]
pub struct Gathered {
    /// The parts: a file, then what it extends.
    pub pieces: Vec<Piece>,
    /// The mistakes, by file, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the files of one layer and everything that they extend.
pub fn gather(roots: &[Arc<Source>], layer: Layer, shelf: &dyn Shelf, hosts: &[&str]) -> Gathered {
    let mut gatherer = Gatherer { layer, shelf, hosts, pieces: Vec::new(), diagnostics: Vec::new(), open: Vec::new() };
    for root in roots {
        gatherer.take(root);
    }
    gatherer.merge();
    let mut diagnostics = gatherer.diagnostics;
    diagnostics.extend(gates::merge(&mut gatherer.pieces));
    Gathered { pieces: gatherer.pieces, diagnostics }
}

struct Gatherer<'a> {
    layer: Layer,
    shelf: &'a dyn Shelf,
    hosts: &'a [&'a str],
    pieces: Vec<Piece>,
    diagnostics: Vec<Diagnostic>,
    /// The names of the files that are being read, each extended by the one before.
    open: Vec<String>,
}

impl Gatherer<'_> {
    /// Reads a text and what it extends; returns the settings they come to.
    fn take(&mut self, source: &Arc<Source>) -> Settings {
        let mut report = Report::new(Arc::clone(source));
        let written = match Node::parse(&source.text) {
            Ok(root) => read_document(root, &mut report),
            Err(malformed) => {
                report.add(malformed.code, &malformed.span, malformed.message, malformed.help);
                None
            }
        };
        let Some(written) = written else {
            self.diagnostics.extend(report.sorted());
            return Settings::default();
        };
        let mut settings = written.settings();
        let (extends, mode) = (written.extends.clone(), written.document.mode);
        let first = self.pieces.len();
        self.open.push(source.name.clone());
        for (name, span) in extends {
            settings = or(settings, self.extend(source, &name, &span, &mut report));
        }
        self.open.pop();
        // A rule may name what stands in the files that its own extends.
        let others = self.pieces.iter().flat_map(|piece| &piece.part.detectors).map(|entry| entry.id.as_str());
        check(&written, self.hosts, &others.collect::<Vec<_>>(), &mut report);
        let piece = self.piece(written, Arc::clone(source));
        self.pieces.insert(first, piece);
        self.diagnostics.extend(report.sorted());
        let brought = self.pieces.get_mut(first..).unwrap_or_default();
        if mode == Mode::Monitor {
            for rule in brought.iter_mut().flat_map(|piece| &mut piece.part.rules) {
                rule.mode = Mode::Monitor;
            }
        }
        // What a file says itself stands over what it extends, so only the file speaks.
        for piece in &mut *brought {
            piece.part.settings = Settings::default();
        }
        if let Some(own) = brought.first_mut() {
            own.part.settings = settings;
        }
        settings
    }

    fn extend(&mut self, from: &Arc<Source>, name: &str, span: &Range<usize>, report: &mut Report) -> Settings {
        match self.shelf.open(from, name) {
            Ok(Opened::Text(source)) if self.open.contains(&source.name) => {
                let help = "a file that extends another cannot be extended by it";
                report.add(Code::CircularExtends, span, format!("`{name}` extends itself"), Some(help.into()));
                Settings::default()
            }
            Ok(Opened::Text(source)) => match self.pieces.iter().find(|piece| piece.part.source == source.name) {
                Some(known) => known.part.settings,
                None if self.pieces.len() + self.open.len() >= MOST_FILES => {
                    let message = format!("more than {MOST_FILES} files extend one another");
                    report.add(Code::ExceededLimit, span, message, None);
                    Settings::default()
                }
                None => self.take(&source),
            },
            Ok(Opened::Ready(parts)) => {
                let mut settings = Settings::default();
                for part in parts {
                    let part = part.into_part(self.layer);
                    settings = or(settings, part.settings);
                    self.pieces.push(Piece {
                        part,
                        source: None,
                        rules_at: Vec::new(),
                        gates_at: Vec::new(),
                        asks_gates: Vec::new(),
                        disable_at: Vec::new(),
                        tests: None,
                        examples: Vec::new(),
                    });
                }
                settings
            }
            Err(Unavailable { code, message, help }) => {
                report.add(code, span, message, help);
                Settings::default()
            }
        }
    }

    fn piece(&self, mut written: Written, source: Arc<Source>) -> Piece {
        let rules_at = written.nodes.iter().map(|node| node.get("id").unwrap_or(node).span.clone()).collect();
        let gates_at = written.gates.iter().map(|node| node.get("id").unwrap_or(node).span.clone()).collect();
        let asks_gates = gates::asked(&written);
        let rules = written.document.rules.iter_mut().zip(&written.nodes);
        let examples = rules.flat_map(|(rule, node)| example::take(rule, node)).collect();
        let part = Part {
            layer: self.layer,
            source: source.name.clone(),
            settings: Settings::default(),
            quieting: written.document.secrets,
            arguments: written.document.arguments,
            detectors: written.document.detectors,
            rules: written.document.rules,
            packed: Vec::new(),
            gates: written.document.gates,
            disable: written.document.disable,
        };
        Piece {
            part,
            source: Some(source),
            rules_at,
            gates_at,
            asks_gates,
            disable_at: written.disable_at,
            tests: written.tests,
            examples,
        }
    }

    /// Leaves one of each rule that came in twice, and reports those that differ.
    fn merge(&mut self) {
        let mut known: HashMap<String, (usize, usize)> = HashMap::new();
        for index in 0..self.pieces.len() {
            let (before, rest) = self.pieces.split_at_mut(index);
            let Some(piece) = rest.first_mut() else { return };
            let places = std::mem::take(&mut piece.rules_at);
            for (position, rule) in std::mem::take(&mut piece.part.rules).into_iter().enumerate() {
                let at = places.get(position).cloned();
                let earlier = known.get(&rule.id).and_then(|(piece, rule)| {
                    let piece = before.get_mut(*piece)?;
                    Some((piece.part.rules.get_mut(*rule)?, &piece.part.source))
                });
                let Some((other, source)) = earlier else {
                    known.entry(rule.id.clone()).or_insert((index, piece.part.rules.len()));
                    piece.part.rules.push(rule);
                    piece.rules_at.extend(at);
                    continue;
                };
                if !absorb(other, &rule) {
                    let message = format!("another rule `{}` stands in {source}", rule.id);
                    let help = Some("give one of them another id".into());
                    let (code, source) = (Code::DuplicateRule, piece.text());
                    self.diagnostics.push(Diagnostic { code, source, span: at, message, help });
                }
            }
        }
    }
}

/// Lets one rule stand for another that is the same; of two that differ in their mode alone, the
/// one that acts stands.
fn absorb(rule: &mut Rule, other: &Rule) -> bool {
    let mode = std::mem::replace(&mut rule.mode, other.mode);
    let same = rule == other;
    if !same || mode == Mode::Enforce {
        rule.mode = mode;
    }
    same
}

fn or(first: Settings, second: Settings) -> Settings {
    Settings {
        on_error: first.on_error.or(second.on_error),
        on_state_error: first.on_state_error.or(second.on_state_error),
        ask_fallback: first.ask_fallback.or(second.ask_fallback),
        interactive: first.interactive.or(second.interactive),
        defaults: first.defaults.or(second.defaults),
        audit: first.audit.or(second.audit),
    }
}
