//! Why a text is not a glob.

use std::fmt;

/// The reason why a text is not a glob.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InvalidGlob {
    /// It is empty.
    Empty,
    /// It begins with `!`.
    Negated,
    /// It does not follow the syntax.
    Syntax(fast_glob::Error),
}

impl fmt::Display for InvalidGlob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the glob is empty"),
            Self::Negated => f.write_str("a glob can't be negated; put it under `except`"),
            Self::Syntax(error) => write!(f, "invalid glob: {error}"),
        }
    }
}

impl std::error::Error for InvalidGlob {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Syntax(error) => Some(error),
            Self::Empty | Self::Negated => None,
        }
    }
}
