//! Compiles detector entries to the tables that the scan uses.
//!
//! For the bundled detectors this runs in the tests, which write the tables that the program is compiled with; for
//! custom detectors of a policy it runs when one of their keywords occurs.

pub mod aho_corasick;
mod dfa;
#[cfg(test)]
pub mod encoded_prefix;
mod error;
mod literals;
mod syntax;

pub use aho_corasick::OwnedKeywordAutomaton;
pub use dfa::Dfa;
pub use error::{DetectorError, DetectorMistake, ExpressionError};

use super::spec::DetectorSpec;

/// The minimum length of a keyword, in bytes: shorter ones occur on every line.
pub const MIN_KEYWORD_LEN: usize = 3;

/// How many bytes before its keyword a match may begin.
pub const MAX_LOOKBACK: usize = 256;

/// A literal at which an expression is tried.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Keyword {
    /// The literal, in lower case; it matches both cases.
    pub text: String,
    /// The literal as written in matches.
    pub exact_text: String,
    /// The minimum number of bytes before it at which a match begins.
    pub min_lookback: usize,
    /// The maximum number of bytes before it at which a match begins.
    pub max_lookback: usize,
}

/// Returns the keywords of an entry.
///
/// # Errors
/// Returns the first error in the entry.
pub fn extract_keywords(entry: &DetectorSpec) -> Result<Vec<Keyword>, DetectorError> {
    let shapes = [entry.token.is_some(), entry.assigned.is_some(), entry.near.is_some(), entry.builtin.is_some()];
    if shapes.into_iter().filter(|given| *given).count() != 1 {
        return Err(DetectorError::new(&[], DetectorMistake::ShapeCount));
    }
    let given = enumerate_literals(&entry.keywords, &["keywords"])?;
    if let Some(token) = &entry.token {
        let hir = syntax::parse(token).map_err(DetectorError::at(&["token"]))?;
        if given.is_empty() {
            return literals::extract(&hir).ok_or(DetectorError::new(&["token"], DetectorMistake::NoLiteral));
        }
        let most = hir.properties().maximum_len().map_or(MAX_LOOKBACK, |len| len.min(MAX_LOOKBACK));
        return Ok(given
            .into_iter()
            .map(|text| Keyword { exact_text: text.clone(), text, min_lookback: 0, max_lookback: most })
            .collect());
    }
    let names = if let Some(assigned) = &entry.assigned {
        syntax::parse(&assigned.value).map_err(DetectorError::at(&["assigned", "value"]))?;
        enumerate_literals(&assigned.to, &["assigned", "to"])?
    } else if let Some(near) = &entry.near {
        syntax::parse(&near.value).map_err(DetectorError::at(&["near", "value"]))?;
        enumerate_literals(&near.words, &["near", "words"])?
    } else {
        given
    };
    if names.is_empty() {
        return Err(DetectorError::new(&[], DetectorMistake::NoKeyword));
    }
    Ok(names
        .into_iter()
        .map(|text| Keyword { exact_text: text.clone(), text, min_lookback: 0, max_lookback: 0 })
        .collect())
}

fn enumerate_literals(expressions: &[String], at: &'static [&'static str]) -> Result<Vec<String>, DetectorError> {
    let mut texts = Vec::new();
    for expression in expressions {
        texts.extend(syntax::enumerate_texts(expression).map_err(DetectorError::at(at))?);
    }
    texts.sort_unstable();
    texts.dedup();
    Ok(texts)
}

/// Returns the table of an entry's expression; `None` for a built-in search.
///
/// # Errors
/// Fails if the expression is too large.
pub fn compile_dfa(entry: &DetectorSpec) -> Result<Option<Dfa>, DetectorError> {
    let (expression, at): (&str, &'static [&'static str]) = match (&entry.token, &entry.assigned, &entry.near) {
        (Some(token), ..) => (token, &["token"]),
        (_, Some(assigned), _) => (&assigned.value, &["assigned", "value"]),
        (.., Some(near)) => (&near.value, &["near", "value"]),
        _ => return Ok(None),
    };
    let hir = syntax::parse(expression).map_err(DetectorError::at(at))?;
    dfa::build(&hir).map(Some).map_err(DetectorError::at(at))
}
