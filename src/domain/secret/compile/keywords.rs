//! The literals of an expression: where in a text it is worth a try.

use regex_syntax::hir::literal::{Extractor, Seq};
use regex_syntax::hir::{Hir, HirKind};

use super::{Keyword, LEAST_KEYWORD, MOST_BACK};

/// Literals that one expression may be searched by.
const MOST_KEYWORDS: usize = 128;

/// Bytes of a literal that are searched for.
const LONGEST: usize = 8;

/// Returns literals, in small letters, of which every match holds one, and how far before it a match may begin.
pub(super) fn of(hir: &Hir) -> Option<Vec<Keyword>> {
    let mut found = match hir.kind() {
        HirKind::Alternation(branches) => {
            let each: Option<Vec<Vec<Keyword>>> = branches.iter().map(of).collect();
            each?.into_iter().flatten().collect()
        }
        HirKind::Concat(parts) => of_parts(parts)?,
        _ => at(hir, 0, 0)?,
    };
    found.sort_unstable();
    found.dedup();
    (!found.is_empty() && found.len() <= MOST_KEYWORDS).then_some(found)
}

/// Returns the best literals of a sequence: those that end with the longest shortest one, and of these the nearest to
/// the beginning.
fn of_parts(parts: &[Hir]) -> Option<Vec<Keyword>> {
    let (mut least, mut most) = (0, 0);
    let mut best: Option<Vec<Keyword>> = None;
    let worth = |keywords: &[Keyword]| keywords.iter().map(|keyword| keyword.text.len().min(6)).min().unwrap_or(0);
    for (position, part) in parts.iter().enumerate() {
        let rest = Hir::concat(parts.get(position..)?.to_vec());
        if let Some(keywords) = at(&rest, least, most).or_else(|| within(part, least, most))
            && best.as_deref().is_none_or(|best| worth(&keywords) > worth(best))
        {
            best = Some(keywords);
        }
        let properties = part.properties();
        least += properties.minimum_len()?;
        match properties.maximum_len() {
            Some(len) if most + len <= MOST_BACK => most += len,
            _ => break,
        }
    }
    best
}

/// Returns the literals inside of an alternative that itself stands in a sequence.
fn within(part: &Hir, least: usize, most: usize) -> Option<Vec<Keyword>> {
    let HirKind::Alternation(_) = part.kind() else { return None };
    let keywords = of(part)?.into_iter();
    keywords
        .map(|keyword| {
            let (least, most) = (keyword.least_back + least, keyword.most_back + most);
            (most <= MOST_BACK).then_some(Keyword { least_back: least, most_back: most, ..keyword })
        })
        .collect()
}

/// Returns the literals that an expression begins with, if all are long enough.
fn at(hir: &Hir, least_back: usize, most_back: usize) -> Option<Vec<Keyword>> {
    let mut extractor = Extractor::new();
    extractor.limit_class(10).limit_repeat(12).limit_literal_len(24).limit_total(MOST_KEYWORDS);
    let mut sequence: Seq = extractor.extract(hir);
    sequence.dedup();
    let literals = sequence.literals()?;
    let texts: Vec<String> =
        literals.iter().map(|text| String::from_utf8_lossy(text.as_bytes()).into_owned()).collect();
    let long = !texts.is_empty() && texts.iter().all(|text| text.len() >= LEAST_KEYWORD && text.is_ascii());
    // What is longer finds nothing else, and makes the table larger.
    let cut = |exact: String| exact.get(..LONGEST).map(str::to_owned).unwrap_or(exact);
    let keyword = |exact: String| Keyword { text: exact.to_ascii_lowercase(), exact, least_back, most_back };
    long.then(|| texts.into_iter().map(cut).map(keyword).collect())
}
