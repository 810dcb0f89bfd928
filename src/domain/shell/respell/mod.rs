//! Other spellings of a command line that run the same.
//!
//! A rule is worth what its weakest spelling is worth. Here a line that a rule stops is written in
//! all the ways that a table knows, so that a test can say which of them get past. Nothing is drawn
//! by lot: a line has the same spellings every time, in the same order. A spelling is only given
//! where it certainly means the same; a line that cannot be read has none.

mod apply;
mod line;
mod option;
mod path;
mod quote;
mod space;
mod table;
mod variable;

use std::collections::HashSet;

use crate::domain::path::Place;
use line::Line;
use table::Operator;
pub use table::{Keeps, OPERATORS};

/// Another spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Respelling {
    /// How it was come by: the names of operators, joined by `+`.
    pub operator: String,
    /// The text.
    pub text: String,
    /// What it owes to what it spells.
    pub keeps: Keeps,
}

/// Which spellings are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// All: what is stopped must be stopped in each of them.
    All,
    /// Those that nobody would be asked about: what may pass must pass in each of them.
    Plain,
}

/// Bytes of a line that is respelled: a longer one is no example of anything.
const MOST_BYTES: usize = 4096;

/// Returns other spellings of a line of a POSIX shell, at most so many. First come those of one
/// operator each, of every operator one before any has a second, then those of two.
pub fn respell(text: &str, place: &Place, wanted: Wanted, most: usize) -> Vec<Respelling> {
    let mut found = Vec::new();
    let mut seen = HashSet::from([text.to_owned()]);
    let operators: Vec<&Operator> =
        OPERATORS.iter().filter(|operator| wanted == Wanted::All || operator.keeps == Keeps::Both).collect();
    let Some(line) = Line::read(text, place) else { return found };
    let mut by_operator: Vec<(&Operator, std::vec::IntoIter<String>)> =
        operators.iter().map(|operator| (*operator, operator.apply(&line).into_iter())).collect();
    while found.len() < most && !by_operator.is_empty() {
        by_operator.retain_mut(|(operator, texts)| {
            let Some(text) = texts.next() else { return false };
            if found.len() < most && seen.insert(text.clone()) {
                found.push(Respelling { operator: operator.name.to_owned(), text, keeps: operator.keeps });
            }
            true
        });
    }
    compose(&mut found, &mut seen, &operators, place, most);
    found
}

/// Adds spellings of spellings, each by the next operator in turn that has one.
fn compose(
    found: &mut Vec<Respelling>,
    seen: &mut HashSet<String>,
    operators: &[&Operator],
    place: &Place,
    most: usize,
) {
    let first = found.clone();
    for round in 0..operators.len() {
        for (index, respelling) in first.iter().enumerate() {
            if found.len() >= most {
                return;
            }
            // A step that shares no factor with the length of most tables mixes what stands apart.
            let Some(operator) = operators.get((index * 31 + round) % operators.len()) else { return };
            let Some(line) = Line::read(&respelling.text, place) else { continue };
            let Some(text) = operator.apply(&line).into_iter().next() else { continue };
            if seen.insert(text.clone()) {
                let name = format!("{}+{}", respelling.operator, operator.name);
                found.push(Respelling { operator: name, text, keeps: respelling.keeps.max(operator.keeps) });
            }
        }
    }
}

/// Returns other spellings of the path of a file, as a tool may be given it.
pub fn respell_path(path: &str, place: &Place, most: usize) -> Vec<Respelling> {
    let mut found: Vec<Respelling> = Vec::new();
    for (name, spell) in path::PLAIN {
        if let Some(text) = spell(path, place).filter(|text| found.iter().all(|known| known.text != *text)) {
            found.push(Respelling { operator: (*name).to_owned(), text, keeps: Keeps::Both });
        }
    }
    found.truncate(most);
    found
}

#[cfg(test)]
mod tests;
