//! Mutations of a command line: other spellings that run the same.
//!
//! A rule is only as strong as the weakest spelling that it stops. Here a line that a rule stops is written in all the
//! ways that a table knows, so that a test can tell which of them get past. Nothing is random: a line has the same
//! mutations every time, in the same order. A mutation is only made where it certainly means the same; a line that
//! cannot be read has none.

mod apply;
mod line;
mod option;
mod path;
mod quote;
mod space;
mod table;
mod variable;

use std::collections::HashSet;

use crate::domain::text::path::PathContext;
use line::ParsedLine;
use table::MutationOperator;
pub use table::{Guarantee, OPERATORS};

/// A mutation of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutation {
    /// How it was made: the names of operators, joined by `+`.
    pub operator: String,
    /// The text.
    pub text: String,
    /// What it guarantees compared with the original.
    pub guarantee: Guarantee,
}

/// Which mutations are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MutationSet {
    /// All: what is stopped must be stopped in each of them.
    All,
    /// Equivalent ones: what is allowed must be allowed in each of them.
    Equivalent,
}

/// The maximum length of a line that is mutated, in bytes.
const MAX_BYTES: usize = 4096;

/// Returns at most `most` mutations of a line of a POSIX shell. First come those of one operator each, one of every
/// operator before the second of any, then those of two.
pub fn mutate(text: &str, place: &PathContext, wanted: MutationSet, most: usize) -> Vec<Mutation> {
    let mut found = Vec::new();
    let mut seen = HashSet::from([text.to_owned()]);
    let operators: Vec<&MutationOperator> = OPERATORS
        .iter()
        .filter(|operator| wanted == MutationSet::All || operator.guarantee == Guarantee::SameDecision)
        .collect();
    let Some(line) = ParsedLine::parse(text, place) else { return found };
    let mut by_operator: Vec<(&MutationOperator, std::vec::IntoIter<String>)> =
        operators.iter().map(|operator| (*operator, operator.apply(&line).into_iter())).collect();
    while found.len() < most && !by_operator.is_empty() {
        by_operator.retain_mut(|(operator, texts)| {
            let Some(text) = texts.next() else { return false };
            if found.len() < most && seen.insert(text.clone()) {
                found.push(Mutation { operator: operator.name.to_owned(), text, guarantee: operator.guarantee });
            }
            true
        });
    }
    compose_mutations(&mut found, &mut seen, &operators, place, most);
    found
}

/// Adds mutations of mutations, each by the next operator in turn that has one.
fn compose_mutations(
    found: &mut Vec<Mutation>,
    seen: &mut HashSet<String>,
    operators: &[&MutationOperator],
    place: &PathContext,
    most: usize,
) {
    let first = found.clone();
    for round in 0..operators.len() {
        for (index, respelling) in first.iter().enumerate() {
            if found.len() >= most {
                return;
            }
            // A step that shares no factor with the length of most tables mixes what is apart.
            let Some(operator) = operators.get((index * 31 + round) % operators.len()) else { return };
            let Some(line) = ParsedLine::parse(&respelling.text, place) else { continue };
            let Some(text) = operator.apply(&line).into_iter().next() else { continue };
            if seen.insert(text.clone()) {
                let name = format!("{}+{}", respelling.operator, operator.name);
                found.push(Mutation { operator: name, text, guarantee: respelling.guarantee.max(operator.guarantee) });
            }
        }
    }
}

/// Returns other spellings of the path of a file, as a tool may be given it.
pub fn mutate_path(path: &str, place: &PathContext, most: usize) -> Vec<Mutation> {
    let mut found: Vec<Mutation> = Vec::new();
    for (name, spell) in path::PATH_OPERATORS {
        if let Some(text) = spell(path, place).filter(|text| found.iter().all(|known| known.text != *text)) {
            found.push(Mutation { operator: (*name).to_owned(), text, guarantee: Guarantee::SameDecision });
        }
    }
    found.truncate(most);
    found
}

#[cfg(test)]
mod tests;
