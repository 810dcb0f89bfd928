//! "Did you mean": the known word nearest to a misspelt one, or else the list of known words.
//!
//! Serde passes an error on as one text. A message with help therefore carries it on a second line: [`with_help`]
//! joins the two in the `Display` of an error, and [`split_help`] separates them when a diagnostic is created from
//! the text.

use std::cmp::Reverse;
use std::fmt;

/// The error for an unknown word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownWord {
    /// What the word should name, such as `event`.
    pub what: String,
    /// The word.
    pub word: String,
    /// The known word that is nearest to it.
    pub nearest: Option<String>,
    /// The known words, or those of them that are similar, as help; none if one of them is near.
    pub help: Option<String>,
}

impl UnknownWord {
    /// Creates the error for a word that is not among the known ones.
    pub fn among<'a>(what: &str, word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Self {
        let nearest = nearest(word, known.clone()).map(ToOwned::to_owned);
        let help = nearest.is_none().then(|| list_words(word, &known.into_iter().collect::<Vec<_>>()));
        Self { what: what.to_owned(), word: word.to_owned(), nearest, help }
    }

    /// Returns the message without the help.
    pub fn message(&self) -> String {
        unknown_message(&self.what, &self.word, self.nearest.as_deref())
    }
}

impl fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&join_help(&self.message(), self.help.as_deref()))
    }
}

impl std::error::Error for UnknownWord {}

/// The greatest number of words that are listed whole.
const MAX_LISTED: usize = 120;

/// How many similar words are listed in place of a longer list.
const MAX_SIMILAR: usize = 5;

/// Returns which words to use: all of them, or of a long list those that share the most with `word`.
fn list_words(word: &str, known: &[&str]) -> String {
    if known.len() <= MAX_LISTED {
        return format!("use one of {}", quote_list(known.iter().copied()));
    }
    let parts: Vec<&str> = word.split(['-', '_', '.', ' ', '*']).filter(|part| part.len() >= 3).collect();
    let shared = |candidate: &str| -> usize {
        parts.iter().filter(|part| candidate.contains(**part)).map(|part| part.len()).sum()
    };
    let mut similar: Vec<(usize, &str)> =
        known.iter().map(|candidate| (shared(candidate), *candidate)).filter(|(shared, _)| *shared > 0).collect();
    similar.sort_by_key(|(shared, candidate)| (Reverse(*shared), candidate.len()));
    if similar.is_empty() {
        return format!("there are {}, none of which is similar", known.len());
    }
    format!("similar are {}", quote_list(similar.into_iter().take(MAX_SIMILAR).map(|(_, candidate)| candidate)))
}

/// Returns the candidate nearest to `word`, if it is near enough to be what was meant.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    let limit = 1 + length / 4;
    candidates
        .into_iter()
        // The distance is at least the difference in length.
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= limit)
        .map(|candidate| (strsim::osa_distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Returns "unknown …", with the nearest word if there is one.
pub fn unknown_message(what: &str, word: &str, near: Option<&str>) -> String {
    match near {
        Some(near) => format!("unknown {what} `{word}`, did you mean `{near}`?"),
        None => format!("unknown {what} `{word}`"),
    }
}

/// Returns "unknown …" with the nearest of the known words, or else with all of them as help.
pub fn unknown_among<'a>(what: &str, word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    UnknownWord::among(what, word, known).to_string()
}

/// Lists words for users.
pub fn quote_list<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// Joins a message and its help into one text.
pub fn with_help(message: &str, help: &str) -> String {
    format!("{message}\n{help}")
}

/// Joins a message and its help, if there is one, into one text.
pub fn join_help(message: &str, help: Option<&str>) -> String {
    help.map_or_else(|| message.to_owned(), |help| with_help(message, help))
}

/// Returns a text with its help in one line.
pub fn inline_help(text: &str) -> String {
    text.replace('\n', "; ")
}

/// Separates a message and its help.
pub fn split_help(text: &str) -> (&str, Option<&str>) {
    text.split_once('\n').map_or((text, None), |(message, help)| (message, Some(help)))
}

#[cfg(test)]
mod tests {
    use super::{UnknownWord, inline_help, nearest, split_help};

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

    #[test]
    fn a_swap_is_one_edit() {
        assert_eq!(nearest("flies", ["files"]), Some("files"));
        assert_eq!(nearest("ad", ["da"]), Some("da"));
        assert_eq!(nearest("abc", ["cab"]), None);
    }

    #[test]
    fn an_unknown_word_comes_with_the_nearest_or_with_all() {
        let near = UnknownWord::among("field", "comand", ["command", "files"]).to_string();
        assert_eq!(near, "unknown field `comand`, did you mean `command`?");
        let far = UnknownWord::among("field", "whatever", ["command", "files"]).to_string();
        assert_eq!(far, "unknown field `whatever`\nuse one of `command`, `files`");
        assert_eq!(split_help(&far), ("unknown field `whatever`", Some("use one of `command`, `files`")));
        assert_eq!(inline_help(&far), "unknown field `whatever`; use one of `command`, `files`");
    }

    #[test]
    fn a_long_list_is_cut_to_what_is_similar() {
        let words: Vec<String> = (0..147).map(|number| format!("word-{number}")).collect();
        let known = words.iter().map(String::as_str).chain(["slack-token", "slack-webhook", "github-token"]);
        let similar = UnknownWord::among("detector", "slack", known.clone()).help.unwrap();
        assert_eq!(similar, "similar are `slack-token`, `slack-webhook`");
        let none = UnknownWord::among("detector", "zzz-qqq", known).help.unwrap();
        assert_eq!(none, "there are 150, none of which is similar");
    }
}
