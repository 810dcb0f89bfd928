//! Errors in detector entries.

use std::error::Error;
use std::fmt;

use crate::domain::text::suggest::join_help;

/// An error in an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DetectorError {
    /// The path of keys to it, such as `assigned` and `value`; empty for the entry as a whole.
    pub key_path: &'static [&'static str],
    /// What is wrong.
    pub mistake: DetectorMistake,
}

/// What is wrong in an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DetectorMistake {
    /// It has no shape, or more than one.
    ShapeCount,
    /// No literal is part of every match of a token.
    NoLiteral,
    /// It has no literal that can be searched for.
    NoKeyword,
    /// One of its expressions cannot be used.
    Expression(ExpressionError),
}

/// Why an expression of an entry cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpressionError {
    /// It is too long.
    TooLong {
        /// The maximum length, in bytes.
        limit: usize,
    },
    /// It has a character that is not ASCII.
    NotAscii,
    /// It does not follow the syntax of regular expressions.
    Syntax(Box<regex_syntax::Error>),
    /// Its table would be too large.
    TooLarge,
    /// It matches nothing, or the empty text.
    MatchesEmpty,
    /// It has an assertion about the text around the match.
    Assertion,
    /// It has a capturing group.
    CapturingGroup,
    /// It matches more texts than can be searched for.
    TooManyTexts(String),
    /// It matches this text, which is too short to be searched for.
    TextTooShort(String),
}

impl DetectorError {
    pub(super) const fn new(key_path: &'static [&'static str], mistake: DetectorMistake) -> Self {
        Self { key_path, mistake }
    }

    /// Returns an error with the location of the expression.
    pub(super) fn at(key_path: &'static [&'static str]) -> impl Fn(ExpressionError) -> Self {
        move |error| Self { key_path, mistake: DetectorMistake::Expression(error) }
    }

    /// Returns what is wrong.
    pub fn message(&self) -> String {
        match &self.mistake {
            DetectorMistake::ShapeCount => "an entry needs one of `token`, `assigned`, `near` and `builtin`".to_owned(),
            DetectorMistake::NoLiteral => {
                "no literal of at least three bytes is near the start of every match".to_owned()
            }
            DetectorMistake::NoKeyword => "no literal to search for".to_owned(),
            DetectorMistake::Expression(error) => error.message(),
        }
    }

    /// Returns how to fix it.
    pub const fn help(&self) -> Option<&'static str> {
        match &self.mistake {
            DetectorMistake::ShapeCount => Some("use two entries for two formats"),
            DetectorMistake::NoLiteral => Some("add literals under `keywords`, or use `near` or `assigned`"),
            DetectorMistake::NoKeyword => Some("use literals of at least three bytes"),
            DetectorMistake::Expression(error) => error.help(),
        }
    }
}

impl fmt::Display for DetectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&join_help(&self.message(), self.help()))
    }
}

impl Error for DetectorError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.mistake {
            DetectorMistake::Expression(error) => Some(error),
            DetectorMistake::ShapeCount | DetectorMistake::NoLiteral | DetectorMistake::NoKeyword => None,
        }
    }
}

impl ExpressionError {
    /// Returns what is wrong.
    pub fn message(&self) -> String {
        match self {
            Self::TooLong { limit } => format!("the expression is longer than {limit} bytes"),
            Self::NotAscii => "the expression contains a non-ASCII character".to_owned(),
            Self::Syntax(error) => {
                // The lines before the last one draw the position, which a diagnostic shows itself.
                let text = error.to_string();
                let reason = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
                format!("the expression is invalid: {reason}")
            }
            Self::TooLarge => "the expression is too large".to_owned(),
            Self::MatchesEmpty => "the expression matches nothing, or the empty text".to_owned(),
            Self::Assertion => "the expression checks the text next to the value".to_owned(),
            Self::CapturingGroup => "the expression has a capturing group".to_owned(),
            Self::TooManyTexts(expression) => {
                format!("`{expression}` expands to too many texts")
            }
            Self::TextTooShort(text) => format!("`{text}` is too short"),
        }
    }

    /// Returns how to fix it.
    pub const fn help(&self) -> Option<&'static str> {
        match self {
            Self::TooLong { .. } | Self::Syntax(_) | Self::MatchesEmpty => None,
            Self::NotAscii => Some("secrets are ASCII; use `.` for any character"),
            Self::TooLarge => Some("use fewer repetitions or alternatives"),
            Self::Assertion => Some("remove `^`, `$` and `\\b`; use `ends` to limit adjacent characters"),
            Self::CapturingGroup => Some("use `(?:…)`; the whole match is the value"),
            Self::TooManyTexts(_) => Some("use fewer choices, such as `dd[-_.]?api`"),
            Self::TextTooShort(_) => Some("use at least three characters"),
        }
    }
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&join_help(&self.message(), self.help()))
    }
}

impl Error for ExpressionError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Syntax(error) => Some(error.as_ref()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::syntax::{enumerate_texts, parse};
    use super::{DetectorError, DetectorMistake, ExpressionError};

    #[test]
    fn expressions_that_cannot_be_used_are_refused_with_help() {
        let long = "a".repeat(1025);
        for (expression, error, text) in [
            (long.as_str(), Some(ExpressionError::TooLong { limit: 1024 }), "the expression is longer than 1024 bytes"),
            (
                "\u{e9}+",
                Some(ExpressionError::NotAscii),
                "the expression contains a non-ASCII character\nsecrets are ASCII; use `.` for any character",
            ),
            ("(a", None, "the expression is invalid: unclosed group"),
            (
                "a{4000}",
                Some(ExpressionError::TooLarge),
                "the expression is too large\nuse fewer repetitions or alternatives",
            ),
            ("a*", Some(ExpressionError::MatchesEmpty), "the expression matches nothing, or the empty text"),
            (
                r"\ba",
                Some(ExpressionError::Assertion),
                "the expression checks the text next to the value\n\
                 remove `^`, `$` and `\\b`; use `ends` to limit adjacent characters",
            ),
            (
                "(a)",
                Some(ExpressionError::CapturingGroup),
                "the expression has a capturing group\nuse `(?:…)`; the whole match is the value",
            ),
        ] {
            let found = parse(expression).unwrap_err();
            assert_eq!(found.to_string(), text);
            assert!(error.is_none_or(|error| error == found), "{expression}");
        }
        assert_eq!(enumerate_texts("[a-z]+key").unwrap_err(), ExpressionError::TooManyTexts("[a-z]+key".to_owned()));
        assert_eq!(enumerate_texts("ab").unwrap_err(), ExpressionError::TextTooShort("ab".to_owned()));
    }

    #[test]
    fn mistakes_of_an_entry_come_with_help() {
        let error = DetectorError::new(&[], DetectorMistake::NoKeyword);
        assert_eq!(error.to_string(), "no literal to search for\nuse literals of at least three bytes");
        assert_eq!(error.help(), Some("use literals of at least three bytes"));
    }
}
