//! Brace expansion: `{a,b}` and `{1..3}`, before any value is substituted.
//!
//! The number of words grows with the product of all groups, so it is bounded, and a word beyond the bound is left as
//! it is and counts as unknown.

use super::expand::ExpandedPart;

/// The most words that one word may become.
const MAX_WORDS: usize = 256;

/// The most braces and the most text a word may have to be expanded.
const MAX_BRACES: usize = 32;
const MAX_TEXT: usize = 4096;

/// One unquoted character, or anything else.
#[derive(Clone)]
enum Token {
    Open(char),
    Literal(ExpandedPart),
}

/// Returns whether a word has a brace that may be expanded.
pub(super) fn has_braces(pieces: &[ExpandedPart]) -> bool {
    pieces.iter().any(|piece| matches!(piece, ExpandedPart::Text { text, quoted: false } if text.contains('{')))
}

/// Returns the words that a word represents; or nothing when there are too many to follow.
pub(super) fn expand(pieces: &[ExpandedPart]) -> Option<Vec<Vec<ExpandedPart>>> {
    let tokens: Vec<Token> = pieces.iter().take(MAX_TEXT).flat_map(tokenize).take(MAX_TEXT + 1).collect();
    let braces = tokens.iter().filter(|token| matches!(token, Token::Open('{'))).count();
    if tokens.len() > MAX_TEXT || braces > MAX_BRACES {
        return None;
    }
    let words = alternatives(&tokens)?;
    Some(words.into_iter().map(merge_tokens).collect())
}

/// Returns a pattern that all words match which a word represents: any text takes the place of what is in braces.
pub(super) fn widen(pieces: &[ExpandedPart]) -> Vec<ExpandedPart> {
    let mut depth = 0_usize;
    let mut widened = Vec::new();
    for piece in pieces {
        match piece {
            ExpandedPart::Text { text, quoted: false } => {
                let mut outside = String::new();
                for character in text.chars() {
                    match character {
                        '{' => {
                            if depth == 0 {
                                outside.push('*');
                            }
                            depth += 1;
                        }
                        '}' => depth = depth.saturating_sub(1),
                        other if depth == 0 => outside.push(other),
                        _ => {}
                    }
                }
                widened.push(ExpandedPart::Text { text: outside, quoted: false });
            }
            other if depth == 0 => widened.push(other.clone()),
            ExpandedPart::Text { .. } | ExpandedPart::Value { .. } => {}
        }
    }
    widened
}

fn tokenize(piece: &ExpandedPart) -> Vec<Token> {
    match piece {
        ExpandedPart::Text { text, quoted: false } => text.chars().map(Token::Open).collect(),
        other => vec![Token::Literal(other.clone())],
    }
}

fn merge_tokens(tokens: Vec<Token>) -> Vec<ExpandedPart> {
    let mut pieces: Vec<ExpandedPart> = Vec::new();
    for token in tokens {
        match (token, pieces.last_mut()) {
            (Token::Open(character), Some(ExpandedPart::Text { text, quoted: false })) => text.push(character),
            (Token::Open(character), _) => {
                pieces.push(ExpandedPart::Text { text: character.to_string(), quoted: false });
            }
            (Token::Literal(piece), _) => pieces.push(piece),
        }
    }
    pieces
}

/// Expands the first group and everything after it.
fn alternatives(tokens: &[Token]) -> Option<Vec<Vec<Token>>> {
    let opens = (0..tokens.len()).filter(|at| matches!(tokens.get(*at), Some(Token::Open('{'))));
    let found = opens.into_iter().find_map(|at| parse_group(tokens, at).map(|(end, choices)| (at, end, choices)));
    let Some((start, end, choices)) = found else {
        return Some(vec![tokens.to_vec()]);
    };
    let before = tokens.get(..start).unwrap_or_default();
    let behind = alternatives(tokens.get(end + 1..).unwrap_or_default())?;
    let mut words = Vec::new();
    for choice in choices {
        for middle in alternatives(&choice)? {
            for tail in &behind {
                words.push([before, &middle, tail].concat());
                if words.len() > MAX_WORDS {
                    return None;
                }
            }
        }
    }
    Some(words)
}

/// Returns the end of the group that opens at a place and what it offers, if it is one.
fn parse_group(tokens: &[Token], start: usize) -> Option<(usize, Vec<Vec<Token>>)> {
    let mut choices: Vec<Vec<Token>> = vec![Vec::new()];
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(start + 1) {
        match token {
            Token::Open('}') if depth == 0 => {
                return match choices.as_slice() {
                    [only] => parse_sequence(only).map(|choices| (at, choices)),
                    _ => Some((at, choices)),
                };
            }
            Token::Open(',') if depth == 0 => {
                choices.push(Vec::new());
                continue;
            }
            Token::Open('{') => depth += 1,
            Token::Open('}') => depth -= 1,
            Token::Open(_) | Token::Literal(_) => {}
        }
        choices.last_mut()?.push(token.clone());
    }
    None
}

/// Reads `1..3` or `a..e`, with an optional step.
fn parse_sequence(tokens: &[Token]) -> Option<Vec<Vec<Token>>> {
    let mut text = String::new();
    for token in tokens {
        match token {
            Token::Open(character) => text.push(*character),
            Token::Literal(_) => return None,
        }
    }
    let mut ends = text.split("..");
    let (first, last, step) = (ends.next()?, ends.next()?, ends.next().unwrap_or("1"));
    let step = step.parse::<i64>().ok()?.unsigned_abs().max(1);
    let as_character = |text: &str| {
        let mut characters = text.chars();
        characters.next().filter(|character| character.is_ascii_alphabetic() && characters.next().is_none())
    };
    let words: Vec<String> = if let (Ok(first), Ok(last)) = (first.parse::<i64>(), last.parse::<i64>()) {
        expand_range(first, last, step)?.into_iter().map(|number| number.to_string()).collect()
    } else {
        let (first, last) = (as_character(first)?, as_character(last)?);
        let codes = expand_range(i64::from(u32::from(first)), i64::from(u32::from(last)), step)?;
        codes.into_iter().filter_map(|code| char::from_u32(u32::try_from(code).ok()?)).map(String::from).collect()
    };
    Some(words.into_iter().map(|word| word.chars().map(Token::Open).collect()).collect())
}

fn expand_range(first: i64, last: i64, step: u64) -> Option<Vec<i64>> {
    let count = first.abs_diff(last) / step;
    let step = i64::try_from(step).ok()?;
    let step = if first <= last { step } else { -step };
    let count = i64::try_from(count).ok().filter(|count| *count <= 1024)?;
    Some((0..=count).map(|at| first + at * step).collect())
}
