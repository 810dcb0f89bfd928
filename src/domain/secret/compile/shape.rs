//! Expressions of detectors: what of a regular expression they may use, and what they promise.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Hir, HirKind};

/// Bytes that an expression may have.
const MOST_BYTES: usize = 1024;

/// Signs that an expression may have when its repetitions are written out.
const MOST_SIGNS: usize = 3_000;

/// Levels of groups and repetitions that an expression may have.
const MOST_LEVELS: u32 = 32;

/// Reads an expression over ASCII.
///
/// # Errors
/// Returns what is wrong, and on a second line what to write instead.
pub(super) fn parse(expression: &str) -> Result<Hir, String> {
    if expression.len() > MOST_BYTES {
        return Err(format!("the expression has more than {MOST_BYTES} bytes"));
    }
    if !expression.is_ascii() {
        return Err("the expression holds a sign that is not ASCII\nsecrets are ASCII; write `.` for any sign".into());
    }
    let mut parser = ParserBuilder::new().unicode(false).utf8(false).nest_limit(MOST_LEVELS).build();
    let hir = parser.parse(expression).map_err(|error| {
        let text = error.to_string();
        let reason = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
        format!("the expression cannot be read: {reason}")
    })?;
    allowed(&hir)?;
    if size(&hir) > MOST_SIGNS {
        return Err("the expression is too large\nrepeat less, or give fewer alternatives".into());
    }
    match hir.properties().minimum_len() {
        Some(0) | None => Err("the expression matches nothing at all or the empty text".into()),
        Some(_) => Ok(hir),
    }
}

/// Returns how many signs an expression has when its repetitions are written out.
fn size(hir: &Hir) -> usize {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 0,
        HirKind::Literal(literal) => literal.0.len(),
        HirKind::Class(_) => 1,
        HirKind::Capture(capture) => size(&capture.sub),
        HirKind::Repetition(repetition) => {
            let times = repetition.max.unwrap_or(repetition.min.saturating_add(1));
            size(&repetition.sub).saturating_mul(usize::try_from(times).unwrap_or(usize::MAX))
        }
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().map(size).fold(0, usize::saturating_add),
    }
}

fn allowed(hir: &Hir) -> Result<(), String> {
    match hir.kind() {
        HirKind::Look(_) => Err("the expression looks at what stands beside the value\n\
             leave out `^`, `$` and `\\b`; `ends` says what may stand beside it"
            .into()),
        HirKind::Capture(_) => Err("the expression has a group that captures\n\
             write `(?:…)`; the whole match is the value"
            .into()),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) => Ok(()),
        HirKind::Repetition(repetition) => allowed(&repetition.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().try_for_each(allowed),
    }
}

/// Returns every text that an expression of few choices stands for, in small letters.
///
/// # Errors
/// Returns why the texts cannot be listed or cannot be searched for.
pub(super) fn texts(expression: &str) -> Result<Vec<String>, String> {
    let hir = parse(expression)?;
    let mut extractor = regex_syntax::hir::literal::Extractor::new();
    extractor.limit_class(16).limit_repeat(8).limit_literal_len(64).limit_total(256);
    let found = extractor.extract(&hir);
    let texts = found.literals().filter(|_| found.is_exact()).ok_or_else(|| {
        format!("`{expression}` stands for more texts than can be searched for\nwrite it with few choices, such as `dd[-_.]?api`")
    })?;
    let mut small: Vec<String> =
        texts.iter().map(|text| String::from_utf8_lossy(text.as_bytes()).to_ascii_lowercase()).collect();
    small.sort_unstable();
    small.dedup();
    match small.iter().find(|text| text.len() < super::LEAST_KEYWORD) {
        Some(short) => Err(format!("`{short}` is too short to search for\ngive three signs or more")),
        None => Ok(small),
    }
}
