//! A mistake in a policy, with its place, in the form that compilers use.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::code::{DiagnosticCode, DiagnosticSeverity};
use super::type_error::TypeError;
use crate::domain::text::visible::{EscapeForm, visible};

/// A text of a policy and what people call it.
#[derive(Debug, PartialEq, Eq)]
pub struct SourceText {
    /// The file's path or the pack's name.
    pub name: String,
    /// The text.
    pub text: String,
}

impl SourceText {
    /// Returns a source that diagnostics can share.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        Arc::new(Self { name: name.into(), text: text.into() })
    }

    /// Returns the line and the column of a byte, both counted from 1.
    pub(crate) fn position(&self, at: usize) -> (usize, usize) {
        let before = self.text.get(..at).unwrap_or(&self.text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let column = before.get(line_start..).unwrap_or_default().chars().count();
        (1 + before.bytes().filter(|byte| *byte == b'\n').count(), column + 1)
    }
}

/// A mistake in a policy.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    /// What kind of mistake it is.
    pub code: DiagnosticCode,
    /// The text it is in. Empty when the file could not be read.
    pub source: Arc<SourceText>,
    /// Where in the text, in bytes; nowhere in particular when it is about the file as a whole.
    pub span: Option<Range<usize>>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// Returns how bad the mistake is.
    pub fn severity(&self) -> DiagnosticSeverity {
        self.code.severity()
    }

    /// Returns whether the policy cannot be used.
    pub fn is_error(&self) -> bool {
        self.severity() == DiagnosticSeverity::Error
    }

    /// Returns the line and the column, both counted from 1.
    pub fn position(&self) -> Option<(usize, usize)> {
        Some(self.source.position(self.span.as_ref()?.start))
    }

    /// Returns the mistake with its line and a caret under its place.
    pub fn render(&self, color: bool) -> String {
        let level = match self.severity() {
            DiagnosticSeverity::Error => Level::ERROR,
            DiagnosticSeverity::Warning => Level::WARNING,
            DiagnosticSeverity::Note => Level::NOTE,
        };
        // The texts come from files that a stranger may have written; a terminal obeys some characters.
        let name = visible(&self.source.name, EscapeForm::Text);
        let mut group =
            Group::with_title(level.primary_title(visible(&self.message, EscapeForm::Text)).id(self.code.name()));
        let (line_start, line, span) = self.first_line();
        group = match &self.span {
            Some(_) => group.element(
                Snippet::source(line).path(name).line_start(line_start).annotation(AnnotationKind::Primary.span(span)),
            ),
            None => group.element(Origin::path(name)),
        };
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(visible(help, EscapeForm::Text)));
        }
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        renderer.render(&[group])
    }

    /// Returns the number and the text of the first line that the mistake touches, and what of it.
    fn first_line(&self) -> (usize, &str, Range<usize>) {
        let text = self.source.text.as_str();
        let span = self.span.clone().unwrap_or_default();
        let start = span.start.min(text.len());
        let (number, _) = self.source.position(start);
        let line_start = text.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1);
        let rest = text.get(line_start..).unwrap_or_default();
        let line = rest.lines().next().unwrap_or_default();
        let from = (start - line_start).min(line.len());
        let to = span.end.saturating_sub(line_start).clamp(from, line.len());
        (number, line, from..to)
    }
}

/// One line: `file:line:column: message`.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&visible(&self.source.name, EscapeForm::Text))?;
        if let Some((line, column)) = self.position() {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", visible(&self.message, EscapeForm::Text))
    }
}

/// Mistakes that are reported of one text at most: whoever has so many begins with the first.
const MAX_DIAGNOSTICS: usize = 200;

/// Characters that one message has at most, since it may quote what a stranger wrote.
const MAX_MESSAGE_CHARS: usize = 400;

/// The mistakes of one text, as they are found.
#[derive(Debug)]
pub(crate) struct DiagnosticReport {
    /// The text.
    pub source: Arc<SourceText>,
    /// The mistakes.
    pub diagnostics: Vec<Diagnostic>,
}

impl DiagnosticReport {
    /// Returns a report without mistakes.
    pub(crate) fn new(source: Arc<SourceText>) -> Self {
        Self { source, diagnostics: Vec::new() }
    }

    /// Adds a mistake. One and the same, met again where an alias repeats it, is added once.
    pub(crate) fn add(
        &mut self,
        code: DiagnosticCode,
        span: &Range<usize>,
        message: impl Into<String>,
        help: Option<String>,
    ) {
        let mut message: String = message.into();
        if let Some((at, _)) = message.char_indices().nth(MAX_MESSAGE_CHARS) {
            message.truncate(at);
            message.push('…');
        }
        let (source, span) = (Arc::clone(&self.source), Some(span.clone()));
        let diagnostic = Diagnostic { code, source, span, message, help };
        if self.diagnostics.len() < MAX_DIAGNOSTICS && !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Adds what did not fit.
    pub(crate) fn add_type_error(&mut self, misfit: TypeError) {
        self.add(misfit.code, &misfit.span.unwrap_or_default(), misfit.message, misfit.help);
    }

    /// Returns the mistakes in the order of their places.
    pub(crate) fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.diagnostics
            .sort_by_key(|diagnostic| diagnostic.span.as_ref().map_or((0, 0), |span| (span.start, span.end)));
        self.diagnostics
    }
}
