//! Syntax errors: the parser's messages, reworded for authors of policies.

use std::ops::Range;

use serde_yaml::{Error, Location};

use super::code::DiagnosticCode;

/// A syntax error.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SyntaxError {
    /// What kind of mistake it is.
    pub code: DiagnosticCode,
    /// Where, in bytes.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// Returns the bytes that a place of the parser's covers.
pub(crate) fn span_of(location: &Location, text: &str) -> Range<usize> {
    let span = location.span();
    let byte = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(text.len());
    if let (Some(start), Some(length)) = (span.byte_offset(), span.byte_len()) {
        return byte(start)..byte(start.saturating_add(length));
    }
    // Where the scanner stopped is known in characters alone.
    let line = usize::try_from(location.line()).unwrap_or_default().saturating_sub(1);
    let column = usize::try_from(location.column()).unwrap_or_default().saturating_sub(1);
    let line_start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let rest = text.get(line_start..).unwrap_or_default();
    let (at, length) = rest.char_indices().nth(column).map_or((rest.len(), 0), |(at, it)| (at, it.len_utf8()));
    line_start + at..line_start + at + length
}

/// What the scanner says, what it means, and what to do about it.
const ERROR_TRANSLATIONS: &[(&str, &str, &str)] = &[
    ("tabs disallowed", "a tab is not allowed here", "indent with spaces"),
    ("found a tab", "a tab is not allowed here", "indent with spaces"),
    (
        "invalid indentation in multiline quoted scalar",
        "unclosed quoted string",
        "close the quote that was opened above, or indent the continuation lines",
    ),
    ("unexpected end of stream", "unclosed quoted string", "close the quote that was opened above"),
    (
        "mapping values are not allowed",
        "unexpected second `:` in a value",
        "quote values that contain `: `, or put each key on its own line",
    ),
    ("illegal placement of ':'", "unexpected `:`", "a `[` or `{` above may not be closed"),
    ("unexpected character: `@'", "a value can't start with `@`", "quote the value"),
    ("unexpected character: `%'", "a value can't start with `%`", "quote the value"),
    ("unexpected character: ``'", "a value can't start with a backtick", "quote the value"),
    ("recursive references", "an anchor contains itself", "name it elsewhere"),
    ("unknown anchor", "unknown anchor", "write `&name` before the anchored value"),
    ("unsupported tag", "tags (`!…`) are not supported", "take it away"),
    ("multiple YAML documents", "a policy file contains a single document", "remove the second `---`"),
];

/// Returns what an error of the parser means.
pub(crate) fn translate_error(error: &Error, text: &str) -> SyntaxError {
    let bare = error.without_snippet();
    let span = bare.location().map_or(0..0, |location| span_of(&location, text));
    let said = bare.to_string();
    let said = said.split(" at line ").next().unwrap_or(&said);
    let trouble = |code, message: &str, help: Option<&str>| SyntaxError {
        code,
        span: span.clone(),
        message: message.to_owned(),
        help: help.map(ToOwned::to_owned),
    };
    if is_budget_error(bare) || ["nesting", "recursion limit"].iter().any(|sign| said.contains(sign)) {
        let help = "check for aliases that expand, or deep nesting";
        return trouble(DiagnosticCode::ExceededLimit, "the file expands beyond the limit", Some(help));
    }
    match ERROR_TRANSLATIONS.iter().find(|(sign, ..)| said.contains(sign)) {
        Some((_, message, help)) => trouble(DiagnosticCode::MalformedYaml, message, Some(help)),
        None => trouble(DiagnosticCode::MalformedYaml, said, None),
    }
}

fn is_budget_error(error: &Error) -> bool {
    match error {
        Error::AliasReplayCounterOverflow { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. }
        | Error::Budget { .. } => true,
        Error::AliasError { error, .. } => is_budget_error(error),
        _ => false,
    }
}
