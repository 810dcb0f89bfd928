//! A policy file and everything that it extends, as parts of one layer.
//!
//! Texts come from a [`PolicySource`]: at run time from files and the packs in the program, at build
//! time from the texts of the packs.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::check::check;
use super::code::DiagnosticCode;
use super::compiled::StoredPart;
use super::diagnostic::{Diagnostic, DiagnosticReport, SourceText};
use super::document::{ParsedDocument, read_document};
use super::example;
use super::gate_checks::{gate_references, merge_gates};
use super::loaded_part::{CollectedParts, LoadedPart};
use super::node::Node;
use crate::domain::layer::Layer;
use crate::domain::policy::host_name::HostName;
use crate::domain::policy::part::PolicyPart;
use crate::domain::policy::rule::Rule;
use crate::domain::policy::settings::Settings;
use crate::domain::severity::Mode;

/// Files that one file may bring with it.
const MAX_FILES: usize = 64;

/// Where texts come from.
pub trait PolicySource {
    /// Opens what the text `from` extends under a name.
    ///
    /// # Errors
    /// Returns why there is nothing under that name.
    fn read_policy_file(&self, from: &SourceText, name: &str) -> Result<OpenedSource, SourceError>;
}

/// What is under a name.
#[derive(Debug)]
pub enum OpenedSource {
    /// A text, still to be read.
    Text(Arc<SourceText>),
    /// Parts that were read before.
    Compiled(Vec<StoredPart>),
}

/// Why there is nothing under a name.
#[derive(Debug)]
pub struct SourceError {
    /// What kind of mistake it is.
    pub code: DiagnosticCode,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// Reads the files of one layer and everything that they extend.
pub fn collect(
    roots: &[Arc<SourceText>],
    layer: Layer,
    shelf: &dyn PolicySource,
    hosts: &[HostName],
) -> CollectedParts {
    let mut gatherer =
        Collector { layer, sources: shelf, hosts, parts: Vec::new(), diagnostics: Vec::new(), open_files: Vec::new() };
    for root in roots {
        gatherer.collect_source(root);
    }
    gatherer.merge_rules();
    let mut diagnostics = gatherer.diagnostics;
    diagnostics.extend(merge_gates(&mut gatherer.parts));
    CollectedParts { parts: gatherer.parts, diagnostics }
}

struct Collector<'a> {
    layer: Layer,
    sources: &'a dyn PolicySource,
    hosts: &'a [HostName],
    parts: Vec<LoadedPart>,
    diagnostics: Vec<Diagnostic>,
    /// The names of the files that are being read, each extended by the one before.
    open_files: Vec<String>,
}

impl Collector<'_> {
    /// Reads a text and what it extends; returns the settings they come to.
    fn collect_source(&mut self, source: &Arc<SourceText>) -> Settings {
        let mut report = DiagnosticReport::new(Arc::clone(source));
        let written = match Node::parse(&source.text) {
            Ok(root) => read_document(root, self.hosts, &mut report),
            Err(malformed) => {
                report.add(malformed.code, &malformed.span, malformed.message, malformed.help);
                None
            }
        };
        let Some(written) = written else {
            self.diagnostics.extend(report.into_sorted());
            return Settings::default();
        };
        let mut settings = written.settings();
        let (extends, mode) = (written.extends.clone(), written.document.mode);
        let first = self.parts.len();
        self.open_files.push(source.name.clone());
        for (name, span) in extends {
            settings = merge_settings(settings, self.resolve_extends(source, &name, &span, &mut report));
        }
        self.open_files.pop();
        // A rule may name what is in the files that its own extends.
        let others = self.parts.iter().flat_map(|piece| &piece.part.detectors).map(|entry| entry.id.as_str());
        check(&written, self.hosts, &others.collect::<Vec<_>>(), &mut report);
        let piece = self.build_part(written, Arc::clone(source));
        self.parts.insert(first, piece);
        self.diagnostics.extend(report.into_sorted());
        let brought = self.parts.get_mut(first..).unwrap_or_default();
        if mode == Mode::Monitor {
            for rule in brought.iter_mut().flat_map(|piece| &mut piece.part.rules) {
                rule.mode = Mode::Monitor;
            }
        }
        // What a file says itself overrides what it extends.
        for piece in &mut *brought {
            piece.part.settings = Settings::default();
        }
        if let Some(own) = brought.first_mut() {
            own.part.settings = settings;
        }
        settings
    }

    fn resolve_extends(
        &mut self,
        from: &Arc<SourceText>,
        name: &str,
        span: &Range<usize>,
        report: &mut DiagnosticReport,
    ) -> Settings {
        match self.sources.read_policy_file(from, name) {
            Ok(OpenedSource::Text(source)) if self.open_files.contains(&source.name) => {
                let help = "a file that extends another cannot be extended by it";
                report.add(
                    DiagnosticCode::CircularExtends,
                    span,
                    format!("`{name}` extends itself"),
                    Some(help.into()),
                );
                Settings::default()
            }
            Ok(OpenedSource::Text(source)) => match self.parts.iter().find(|piece| piece.part.source == source.name) {
                Some(known) => known.part.settings,
                None if self.parts.len() + self.open_files.len() >= MAX_FILES => {
                    let message = format!("more than {MAX_FILES} files extend one another");
                    report.add(DiagnosticCode::ExceededLimit, span, message, None);
                    Settings::default()
                }
                None => self.collect_source(&source),
            },
            Ok(OpenedSource::Compiled(parts)) => {
                let mut settings = Settings::default();
                for part in parts {
                    let part = part.into_part(self.layer);
                    settings = merge_settings(settings, part.settings);
                    self.parts.push(LoadedPart {
                        part,
                        source: None,
                        rule_spans: Vec::new(),
                        gate_spans: Vec::new(),
                        gate_references: Vec::new(),
                        disable_spans: Vec::new(),
                        tests: None,
                        examples: Vec::new(),
                    });
                }
                settings
            }
            Err(SourceError { code, message, help }) => {
                report.add(code, span, message, help);
                Settings::default()
            }
        }
    }

    fn build_part(&self, mut written: ParsedDocument, source: Arc<SourceText>) -> LoadedPart {
        let rules_at = written.rule_nodes.iter().map(|node| node.get("id").unwrap_or(node).span.clone()).collect();
        let gates_at = written.gate_nodes.iter().map(|node| node.get("id").unwrap_or(node).span.clone()).collect();
        let asks_gates = gate_references(&written);
        let rules = written.document.rules.iter_mut().zip(&written.rule_nodes);
        let examples = rules.flat_map(|(rule, node)| example::take_examples(rule, node)).collect();
        let part = PolicyPart {
            layer: self.layer,
            source: source.name.clone(),
            settings: Settings::default(),
            suppressions: written.document.secrets,
            arguments: written.document.arguments,
            terminals: written.document.terminals,
            detectors: written.document.detectors,
            rules: written.document.rules,
            compiled_rules: Vec::new(),
            gates: written.document.gates,
            disable: written.document.disable,
        };
        LoadedPart {
            part,
            source: Some(source),
            rule_spans: rules_at,
            gate_spans: gates_at,
            gate_references: asks_gates,
            disable_spans: written.disable_spans,
            tests: written.tests_node,
            examples,
        }
    }

    /// Leaves one of each rule that came in twice, and reports those that differ.
    fn merge_rules(&mut self) {
        let mut known: HashMap<String, (usize, usize)> = HashMap::new();
        for index in 0..self.parts.len() {
            let (before, rest) = self.parts.split_at_mut(index);
            let Some(piece) = rest.first_mut() else { return };
            let places = std::mem::take(&mut piece.rule_spans);
            for (position, rule) in std::mem::take(&mut piece.part.rules).into_iter().enumerate() {
                let at = places.get(position).cloned();
                let earlier = known.get(&rule.id).and_then(|(piece, rule)| {
                    let piece = before.get_mut(*piece)?;
                    Some((piece.part.rules.get_mut(*rule)?, &piece.part.source))
                });
                let Some((other, source)) = earlier else {
                    known.entry(rule.id.clone()).or_insert((index, piece.part.rules.len()));
                    piece.part.rules.push(rule);
                    piece.rule_spans.extend(at);
                    continue;
                };
                if !merge_duplicate(other, &rule) {
                    let message = format!("another rule `{}` is in {source}", rule.id);
                    let help = Some("change one of the ids".into());
                    let (code, source) = (DiagnosticCode::DuplicateRule, piece.source_text());
                    self.diagnostics.push(Diagnostic { code, source, span: at, message, help });
                }
            }
        }
    }
}

/// Merges a rule with an equal one; of two that differ only in their mode, the enforced one is kept.
fn merge_duplicate(rule: &mut Rule, other: &Rule) -> bool {
    let mode = std::mem::replace(&mut rule.mode, other.mode);
    let same = rule == other;
    if !same || mode == Mode::Enforce {
        rule.mode = mode;
    }
    same
}

fn merge_settings(first: Settings, second: Settings) -> Settings {
    Settings {
        on_error: first.on_error.or(second.on_error),
        on_state_error: first.on_state_error.or(second.on_state_error),
        ask_fallback: first.ask_fallback.or(second.ask_fallback),
        interactive: first.interactive.or(second.interactive),
        defaults: first.defaults.or(second.defaults),
        audit: first.audit.or(second.audit),
        tamper: first.tamper.or(second.tamper),
        backups: first.backups.or(second.backups),
    }
}
