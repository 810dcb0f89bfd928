//! The words of the grammar that precede a command.
//!
//! Conditions are skipped, not evaluated: the command of either outcome is found.

use crate::domain::shell::script::Word;

/// Returns how many words are before a command: the condition of `if`, the head of `for`.
pub(super) fn prefix_len(words: &[Word]) -> usize {
    let is = |at: usize, names: &[&str]| {
        words.get(at).is_some_and(|word| {
            let text = word.text.strip_prefix('@').filter(|rest| !rest.is_empty()).unwrap_or(&word.text);
            names.iter().any(|name| text.eq_ignore_ascii_case(name))
        })
    };
    let mut at = 0;
    while at < words.len() {
        if is(at, &["rem"]) || words.get(at).is_some_and(|word| word.text.starts_with(':')) {
            return words.len();
        } else if is(at, &["call", "else", "@"]) {
            at += 1;
        } else if is(at, &["if"]) {
            at += 1;
            while is(at, &["not", "/i"]) {
                at += 1;
            }
            let compares = words.get(at).is_some_and(|word| word.text.contains("=="));
            at += if compares {
                1
            } else if is(at, &["exist", "defined", "errorlevel", "cmdextversion"]) {
                2
            } else {
                3
            };
        } else if is(at, &["for"]) {
            match (at..words.len()).find(|at| is(*at, &["do"])) {
                Some(found) => at = found + 1,
                None => return at,
            }
        } else {
            return at;
        }
    }
    words.len()
}
