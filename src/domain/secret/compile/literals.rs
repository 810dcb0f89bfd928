//! Extracts the literals of an expression, which tell where in a text it is tried.

use regex_syntax::hir::literal::{Extractor, Seq};
use regex_syntax::hir::{Hir, HirKind};

use super::{Keyword, MAX_LOOKBACK, MIN_KEYWORD_LEN};

/// The maximum number of keywords of one expression.
const MAX_KEYWORDS: usize = 900;

/// The maximum length of a searched literal, in bytes.
const MAX_LITERAL: usize = 8;

/// Returns literals, in lower case, one of which is in every match, and how far before it a match may begin.
pub(super) fn extract(hir: &Hir) -> Option<Vec<Keyword>> {
    let mut found = match hir.kind() {
        HirKind::Alternation(branches) => {
            let each: Option<Vec<Vec<Keyword>>> = branches.iter().map(extract).collect();
            each?.into_iter().flatten().collect()
        }
        HirKind::Concat(parts) => extract_from_sequence(parts)?,
        _ => prefix_literals(hir, 0, 0)?,
    };
    found.sort_unstable();
    found.dedup();
    (!found.is_empty() && found.len() <= MAX_KEYWORDS).then_some(found)
}

/// Returns the best literals of a sequence: those whose shortest is the longest, and of these the nearest to the
/// start.
fn extract_from_sequence(parts: &[Hir]) -> Option<Vec<Keyword>> {
    let (mut least, mut most) = (0, 0);
    let mut best: Option<Vec<Keyword>> = None;
    let worth = |keywords: &[Keyword]| keywords.iter().map(|keyword| keyword.text.len().min(6)).min().unwrap_or(0);
    for (position, part) in parts.iter().enumerate() {
        let rest = Hir::concat(parts.get(position..)?.to_vec());
        if let Some(keywords) =
            prefix_literals(&rest, least, most).or_else(|| extract_from_alternation(part, least, most))
            && best.as_deref().is_none_or(|best| worth(&keywords) > worth(best))
        {
            best = Some(keywords);
        }
        let properties = part.properties();
        least += properties.minimum_len()?;
        match properties.maximum_len() {
            Some(len) if most + len <= MAX_LOOKBACK => most += len,
            _ => break,
        }
    }
    best
}

/// Returns the literals inside an alternation that is part of a sequence.
fn extract_from_alternation(part: &Hir, least: usize, most: usize) -> Option<Vec<Keyword>> {
    let HirKind::Alternation(_) = part.kind() else { return None };
    let keywords = extract(part)?.into_iter();
    keywords
        .map(|keyword| {
            let (least, most) = (keyword.min_lookback + least, keyword.max_lookback + most);
            (most <= MAX_LOOKBACK).then_some(Keyword { min_lookback: least, max_lookback: most, ..keyword })
        })
        .collect()
}

/// Returns the literals that an expression begins with, if all are long enough.
fn prefix_literals(hir: &Hir, least_back: usize, most_back: usize) -> Option<Vec<Keyword>> {
    let mut extractor = Extractor::new();
    extractor.limit_class(10).limit_repeat(12).limit_literal_len(24).limit_total(MAX_KEYWORDS);
    let mut sequence: Seq = extractor.extract(hir);
    sequence.dedup();
    let literals = sequence.literals()?;
    let texts: Vec<String> =
        literals.iter().map(|text| String::from_utf8_lossy(text.as_bytes()).into_owned()).collect();
    let long = !texts.is_empty() && texts.iter().all(|text| text.len() >= MIN_KEYWORD_LEN && text.is_ascii());
    // A longer literal finds nothing else, and makes the table larger.
    let cut = |exact: String| exact.get(..MAX_LITERAL).map(str::to_owned).unwrap_or(exact);
    let keyword = |exact: String| Keyword {
        text: exact.to_ascii_lowercase(),
        exact_text: exact,
        min_lookback: least_back,
        max_lookback: most_back,
    };
    long.then(|| texts.into_iter().map(cut).map(keyword).collect())
}
