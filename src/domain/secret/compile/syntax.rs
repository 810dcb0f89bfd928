//! The syntax of detector expressions: the supported subset of regular expressions and its limits.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Hir, HirKind};

use super::error::ExpressionError;

/// The maximum length of an expression, in bytes.
const MAX_BYTES: usize = 1024;

/// The maximum size of an expression with its repetitions expanded.
const MAX_EXPANDED_SIZE: usize = 3_000;

/// The maximum nesting of groups and repetitions in an expression.
const MAX_DEPTH: u32 = 32;

/// Parses an expression over ASCII.
///
/// # Errors
/// Returns why the expression cannot be used.
pub(super) fn parse(expression: &str) -> Result<Hir, ExpressionError> {
    if expression.len() > MAX_BYTES {
        return Err(ExpressionError::TooLong { limit: MAX_BYTES });
    }
    if !expression.is_ascii() {
        return Err(ExpressionError::NotAscii);
    }
    let mut parser = ParserBuilder::new().unicode(false).utf8(false).nest_limit(MAX_DEPTH).build();
    let hir = parser.parse(expression).map_err(|error| ExpressionError::Syntax(Box::new(error)))?;
    check_supported(&hir)?;
    if expanded_size(&hir) > MAX_EXPANDED_SIZE {
        return Err(ExpressionError::TooLarge);
    }
    match hir.properties().minimum_len() {
        Some(0) | None => Err(ExpressionError::MatchesEmpty),
        Some(_) => Ok(hir),
    }
}

/// Returns the size of an expression with its repetitions expanded.
fn expanded_size(hir: &Hir) -> usize {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 0,
        HirKind::Literal(literal) => literal.0.len(),
        HirKind::Class(_) => 1,
        HirKind::Capture(capture) => expanded_size(&capture.sub),
        HirKind::Repetition(repetition) => {
            let times = repetition.max.unwrap_or(repetition.min.saturating_add(1));
            expanded_size(&repetition.sub).saturating_mul(usize::try_from(times).unwrap_or(usize::MAX))
        }
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().map(expanded_size).fold(0, usize::saturating_add)
        }
    }
}

fn check_supported(hir: &Hir) -> Result<(), ExpressionError> {
    match hir.kind() {
        HirKind::Look(_) => Err(ExpressionError::Assertion),
        HirKind::Capture(_) => Err(ExpressionError::CapturingGroup),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) => Ok(()),
        HirKind::Repetition(repetition) => check_supported(&repetition.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().try_for_each(check_supported),
    }
}

/// Returns every text that an expression with few alternatives matches, in lower case.
///
/// # Errors
/// Returns why the texts cannot be listed or cannot be searched for.
pub(super) fn enumerate_texts(expression: &str) -> Result<Vec<String>, ExpressionError> {
    let hir = parse(expression)?;
    let mut extractor = regex_syntax::hir::literal::Extractor::new();
    extractor.limit_class(16).limit_repeat(8).limit_literal_len(64).limit_total(256);
    let found = extractor.extract(&hir);
    let texts = found.literals().filter(|_| found.is_exact());
    let texts = texts.ok_or_else(|| ExpressionError::TooManyTexts(expression.to_owned()))?;
    let mut small: Vec<String> =
        texts.iter().map(|text| String::from_utf8_lossy(text.as_bytes()).to_ascii_lowercase()).collect();
    small.sort_unstable();
    small.dedup();
    match small.iter().find(|text| text.len() < super::MIN_KEYWORD_LEN) {
        Some(short) => Err(ExpressionError::TextTooShort(short.clone())),
        None => Ok(small),
    }
}
