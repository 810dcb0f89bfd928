//! From what an entry says to what the search works with.
//!
//! For the bundled detectors this runs when the program is built, for a policy's own when one of their keywords
//! occurred.

mod automaton;
pub mod encoded;
pub mod keyword_table;
mod keywords;
mod shape;

pub use automaton::Rows;
pub use keyword_table::KeywordTable;

use super::entry::Entry;

/// Bytes that a keyword has at least: what is shorter stands on every line.
pub const LEAST_KEYWORD: usize = 3;

/// Bytes that a match may begin before its keyword.
pub const MOST_BACK: usize = 256;

/// A literal that says where it is worth to try an expression.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Keyword {
    /// The literal, in small letters; it stands for both cases.
    pub text: String,
    /// The literal as matches have it.
    pub exact: String,
    /// How many bytes before it a match begins at least.
    pub least_back: usize,
    /// How many bytes before it a match begins at most.
    pub most_back: usize,
}

/// A mistake in an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The keys that lead to it, such as `assigned` and `value`; the entry as a whole when there are none.
    pub at: &'static [&'static str],
    /// What is wrong, and on a second line what to do about it.
    pub message: String,
}

impl Mistake {
    fn new(at: &'static [&'static str], message: impl Into<String>) -> Self {
        Self { at, message: message.into() }
    }
}

/// Returns where the search for an entry's secrets begins.
///
/// # Errors
/// Returns what of the entry makes no sense.
pub fn keywords(entry: &Entry) -> Result<Vec<Keyword>, Mistake> {
    let shapes = [entry.token.is_some(), entry.assigned.is_some(), entry.near.is_some(), entry.builtin.is_some()];
    if shapes.into_iter().filter(|given| *given).count() != 1 {
        let message = "an entry has one of `token`, `assigned`, `near` and `builtin`\n\
                       write two entries for two shapes";
        return Err(Mistake::new(&[], message));
    }
    let given = listed(&entry.keywords, &["keywords"])?;
    if let Some(token) = &entry.token {
        let hir = shape::parse(token).map_err(|message| Mistake::new(&["token"], message))?;
        if given.is_empty() {
            let message = "no literal of three bytes or more is in every match, near its beginning\n\
                           name literals under `keywords`, or use `near` or `assigned`";
            return keywords::of(&hir).ok_or_else(|| Mistake::new(&["token"], message));
        }
        let most = hir.properties().maximum_len().map_or(MOST_BACK, |len| len.min(MOST_BACK));
        return Ok(given
            .into_iter()
            .map(|text| Keyword { exact: text.clone(), text, least_back: 0, most_back: most })
            .collect());
    }
    let names = if let Some(assigned) = &entry.assigned {
        shape::parse(&assigned.value).map_err(|message| Mistake::new(&["assigned", "value"], message))?;
        listed(&assigned.to, &["assigned", "to"])?
    } else if let Some(near) = &entry.near {
        shape::parse(&near.value).map_err(|message| Mistake::new(&["near", "value"], message))?;
        listed(&near.words, &["near", "words"])?
    } else {
        given
    };
    if names.is_empty() {
        let message = "nothing says where the search begins\nname literals of three bytes or more";
        return Err(Mistake::new(&[], message));
    }
    Ok(names.into_iter().map(|text| Keyword { exact: text.clone(), text, least_back: 0, most_back: 0 }).collect())
}

fn listed(expressions: &[String], at: &'static [&'static str]) -> Result<Vec<String>, Mistake> {
    let mut texts = Vec::new();
    for expression in expressions {
        texts.extend(shape::texts(expression).map_err(|message| Mistake::new(at, message))?);
    }
    texts.sort_unstable();
    texts.dedup();
    Ok(texts)
}

/// Returns the table of an entry's expression; `None` for one whose search is written in the program.
///
/// # Errors
/// Returns that the expression is too large.
pub fn rows(entry: &Entry) -> Result<Option<Rows>, Mistake> {
    let (expression, at): (&str, &'static [&'static str]) = match (&entry.token, &entry.assigned, &entry.near) {
        (Some(token), ..) => (token, &["token"]),
        (_, Some(assigned), _) => (&assigned.value, &["assigned", "value"]),
        (.., Some(near)) => (&near.value, &["near", "value"]),
        _ => return Ok(None),
    };
    let mistake = |message| Mistake::new(at, message);
    let hir = shape::parse(expression).map_err(mistake)?;
    automaton::build(&hir).map(Some).map_err(mistake)
}
