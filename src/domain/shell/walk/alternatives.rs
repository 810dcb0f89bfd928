//! Variables that have one of several values: after a branch, in a loop over lines, behind a command that may not run.
//!
//! A command that uses such a variable is walked once for each value, as if each were a branch of its own.

use super::scope::Value;
use super::{Output, Walker};
use crate::domain::shell::script::Word;
use crate::domain::shell::syntax::ast::{Node, NodeKind, Part, RawAssignment, RawTarget, RawValue, RawWord};

/// The most values of a variable for which a command is walked one by one.
const MAX_ALTERNATIVES: usize = 64;

/// The most values that are kept of a variable.
pub(super) const MAX_VALUES: usize = 512;

impl Walker {
    /// Walks a simple command once for each value of a variable in it that has several.
    pub(super) fn walk_alternatives(
        &mut self,
        assignments: &[RawAssignment],
        words: &[RawWord],
        node: &Node,
    ) -> Option<Output> {
        if !self.scope.has_alternatives() {
            return None;
        }
        let names = self.uncertain_variables(assignments, words, node);
        let first = names.first()?;
        let Some(Value::OneOf(values)) = self.scope.get(first).cloned() else { return None };
        if values.len().saturating_mul(self.alternative_runs) > MAX_ALTERNATIVES {
            let before = self.scope.get(first).cloned();
            self.scope.set(first, Value::Scalar(widen(&values)));
            let output = self.walk_simple(assignments, words, node);
            self.scope.restore(first, before);
            return Some(output);
        }
        // Columns of the same lines belong together.
        let columns: Vec<(&String, Vec<Word>)> = names
            .iter()
            .filter_map(|name| match self.scope.get(name) {
                Some(Value::OneOf(column)) if column.len() == values.len() => Some((name, column.clone())),
                _ => None,
            })
            .collect();
        let outer_runs = self.alternative_runs;
        self.alternative_runs = outer_runs * values.len();
        let mut branches = Vec::new();
        for at in 0..values.len() {
            let mark = self.scope.checkpoint();
            for (name, value) in columns.iter().filter_map(|(name, column)| Some((name, column.get(at)?))) {
                self.scope.set(name, Value::Scalar(value.clone()));
            }
            self.walk_simple(assignments, words, node);
            let mut changes = self.scope.rollback(&mark);
            for (name, value) in columns.iter().filter_map(|(name, column)| Some((name, column.get(at)?))) {
                changes.forget_unchanged(name, value);
            }
            branches.push(changes);
            if self.stopped {
                break;
            }
        }
        self.alternative_runs = outer_runs;
        self.scope.merge_branches(branches, false);
        Some(None)
    }

    /// Returns the variables of a command that have several values.
    fn uncertain_variables(&self, assignments: &[RawAssignment], words: &[RawWord], node: &Node) -> Vec<String> {
        let values = assignments.iter().flat_map(|assignment| match &assignment.value {
            RawValue::Scalar(word) => std::slice::from_ref(word),
            RawValue::Array(words) => words.as_slice(),
        });
        let targets = node.redirects.iter().filter_map(|redirect| match &redirect.target {
            RawTarget::Word(word) => Some(word),
            RawTarget::HereDocument(_) => None,
        });
        let mut names = Vec::new();
        for part in values.chain(words).chain(targets).flat_map(|word| &word.parts) {
            self.add_uncertain(part, &mut names);
        }
        names
    }

    fn add_uncertain(&self, part: &Part, names: &mut Vec<String>) {
        match part {
            Part::Parameter { parameter, .. } => {
                if matches!(self.scope.get(&parameter.name), Some(Value::OneOf(_))) && !names.contains(&parameter.name)
                {
                    names.push(parameter.name.clone());
                }
                parameter.argument.iter().for_each(|part| self.add_uncertain(part, names));
            }
            Part::Substitution { list, .. } => {
                // What is printed is used as it is: `"$(dirname "$f")"`.
                for node in list.iter().flat_map(|chain| &chain.first.stages) {
                    if let NodeKind::Simple { assignments, words } = &node.kind {
                        let inside = self.uncertain_variables(assignments, words, node);
                        names.extend(inside.into_iter().filter(|name| !names.contains(name)).collect::<Vec<_>>());
                    }
                }
            }
            Part::Text { .. }
            | Part::ProcessSubstitution { .. }
            | Part::Arithmetic { .. }
            | Part::OuterSubstitution { .. } => {}
        }
    }

    /// Returns the values of a word that is nothing but a variable with several.
    pub(super) fn alternatives_of(&self, word: &RawWord) -> Option<Vec<Word>> {
        let [Part::Parameter { parameter, .. }] = word.parts.as_slice() else { return None };
        match self.scope.get(&parameter.name) {
            Some(Value::OneOf(values)) => Some(values.clone()),
            _ => None,
        }
    }
}

/// Returns a pattern that all of some words match.
pub(super) fn widen(words: &[Word]) -> Word {
    let mut texts = words.iter().map(|word| word.text.as_str());
    let Some(first) = texts.next() else { return Word::known("") };
    let (mut head, mut tail) = (first, first);
    for text in texts {
        head = common_prefix(head, text);
        tail = common_suffix(tail, text);
    }
    let longest = words.iter().map(|word| word.text.len()).min().unwrap_or(0);
    let tail = if head.len() + tail.len() > longest { "" } else { tail };
    let middle = |text: &str| text.get(head.len()..text.len() - tail.len()).unwrap_or_default().contains('/');
    let text = if words.iter().any(|word| middle(&word.text)) {
        // They are in several directories, somewhere below one.
        let directory = head.rsplit_once('/').map_or("", |(directory, _)| directory);
        if directory.is_empty() && !head.starts_with('/') { "**".to_owned() } else { format!("{directory}/**") }
    } else {
        format!("{head}*{tail}")
    };
    Word { text, literal: words.iter().all(|word| word.literal), glob: true, quoted: false }
}

fn common_prefix<'a>(one: &'a str, other: &str) -> &'a str {
    let length = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    one.get(..length).unwrap_or_default()
}

fn common_suffix<'a>(one: &'a str, other: &str) -> &'a str {
    let length: usize =
        one.chars().rev().zip(other.chars().rev()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    one.get(one.len() - length..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::widen;
    use crate::domain::shell::script::Word;

    #[test]
    fn many_words_become_one_pattern() {
        for (words, expected) in [
            (vec!["log1.txt", "log22.txt"], "log*.txt"),
            (vec![".cache1", ".claude"], ".c*"),
            (vec!["/a/b/c", "/a/d/e/c"], "/a/**"),
            (vec!["a/b", "c/d"], "**"),
            (vec!["x", "x"], "x*"),
        ] {
            let words: Vec<Word> = words.into_iter().map(Word::known).collect();
            assert_eq!(widen(&words).text, expected);
        }
    }
}
