//! "Did you mean": the nearest known word to a misspelt one, or else the words there are.
//!
//! What reads a policy goes through a framework whose errors are one text. A message that comes
//! with help therefore carries it on a second line, and whoever shows it takes the two apart.

/// Returns the candidate nearest to `word`, when it is near enough to be what was meant.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    let limit = 1 + length / 4;
    candidates
        .into_iter()
        // A word is at least as far away as it is longer or shorter.
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= limit)
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Returns "unknown …", with the nearest word where there is one.
pub fn unknown(what: &str, word: &str, near: Option<&str>) -> String {
    match near {
        Some(near) => format!("unknown {what} `{word}`, did you mean `{near}`?"),
        None => format!("unknown {what} `{word}`"),
    }
}

/// Returns "unknown …" with the nearest of the known words, or else with all of them as help.
pub fn among<'a>(what: &str, word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match nearest(word, known.clone()) {
        Some(near) => unknown(what, word, Some(near)),
        None => with_help(&unknown(what, word, None), &format!("use one of {}", quoted(known))),
    }
}

/// Lists words for people.
pub fn quoted<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// Joins a message and its help into one text.
pub fn with_help(message: &str, help: &str) -> String {
    format!("{message}\n{help}")
}

/// Takes a message and its help apart.
pub fn split_help(text: &str) -> (&str, Option<&str>) {
    text.split_once('\n').map_or((text, None), |(message, help)| (message, Some(help)))
}

/// Returns the number of single-character edits, transpositions included, between two words.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    let mut previous = None;
    for (row, character) in left.chars().enumerate() {
        let mut current = vec![row + 1];
        for (column, other) in right.iter().enumerate() {
            let at = |row: &[usize], index: usize| row.get(index).copied().unwrap_or(usize::MAX - 1);
            let substitution = at(&last, column) + usize::from(character != *other);
            let mut best = substitution.min(at(&last, column + 1) + 1).min(at(&current, column) + 1);
            let swapped = column > 0 && previous == Some(*other) && right.get(column - 1) == Some(&character);
            if swapped && row > 0 {
                best = best.min(at(&before_last, column - 1) + 1);
            }
            current.push(best);
        }
        before_last = last;
        last = current;
        previous = Some(character);
    }
    last.last().copied().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn one_slip_is_recognised() {
        for (typed, meant) in
            [("comand", "command"), ("fiels", "files"), ("tool.befor", "tool.before"), ("then", "then")]
        {
            assert_eq!(nearest(typed, ["command", "files", "tool.before", "then"]), Some(meant));
        }
    }

    #[test]
    fn another_word_is_not() {
        assert_eq!(nearest("whatever", ["command", "files"]), None);
    }
}
