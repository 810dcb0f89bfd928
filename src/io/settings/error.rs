//! Why a settings file cannot be read or changed.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

use jsonc_parser::errors::ParseError;

use crate::io::files::FileError;

/// Why a settings file cannot be used.
#[derive(Debug)]
pub enum SettingsError {
    /// It could not be read.
    File(FileError),
    /// It is not UTF-8.
    NotUtf8(PathBuf),
    /// Its host could not read it.
    Syntax {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: SettingsSyntaxError,
    },
    /// A value is not of the type that the host expects there.
    WrongShape {
        /// The file.
        path: PathBuf,
        /// The key of the value.
        key: String,
        /// What the host expects.
        expected: &'static str,
    },
    /// It has the hooks twice.
    DuplicateHooks(PathBuf),
    /// The switch for hooks cannot be set.
    Switch {
        /// The file.
        path: PathBuf,
        /// The key of the object that the switch belongs to.
        key: String,
        /// What prevents it.
        problem: SwitchProblem,
    },
}

/// Why the switch for hooks cannot be set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SwitchProblem {
    /// The file is not an object.
    NoPlace,
    /// The value of the key is not an object.
    NotObject,
    /// The switch of this name is off.
    Off(String),
}

/// Why a host could not read a text of settings. The message begins with what separates it from the
/// name of the file.
#[derive(Debug)]
pub enum SettingsSyntaxError {
    /// It is not JSON.
    Json(serde_json::Error),
    /// It is not JSON with comments.
    Jsonc(ParseError),
    /// It has a blank that JSON does not know.
    InvalidWhitespace,
    /// It is not an object.
    NotObject,
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::NotUtf8(path) => write!(f, "{} is not UTF-8", path.display()),
            Self::Syntax { path, source } => {
                write!(f, "{}{source}; the host ignores such a file and all its hooks, so fix it first", path.display())
            }
            Self::WrongShape { path, key, expected } => {
                write!(f, "{}: `{key}` is not {expected}; the host doesn't read it, so fix it first", path.display())
            }
            Self::DuplicateHooks(path) => {
                write!(f, "{}: `hooks` occurs twice, and only the last one counts; merge them", path.display())
            }
            Self::Switch { path, key, problem } => {
                write!(f, "{}: `{key}", path.display())?;
                match problem {
                    SwitchProblem::NoPlace => f.write_str("` is not allowed")?,
                    SwitchProblem::NotObject => f.write_str("` is not an object")?,
                    SwitchProblem::Off(switch) => write!(f, ".{switch}` is not true, so no hooks run")?,
                }
                f.write_str("; fix it first")
            }
        }
    }
}

impl Error for SettingsError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::File(error) => Some(error),
            Self::Syntax { source, .. } => Some(source),
            Self::NotUtf8(_) | Self::WrongShape { .. } | Self::DuplicateHooks(_) | Self::Switch { .. } => None,
        }
    }
}

impl From<FileError> for SettingsError {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

impl fmt::Display for SettingsSyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => write!(f, ": {error}"),
            Self::Jsonc(error) => {
                write!(f, ":{}:{}: {}", error.line_display(), error.column_display(), error.kind())
            }
            Self::InvalidWhitespace => f.write_str(": it contains whitespace that is not valid in JSON"),
            Self::NotObject => f.write_str(": the file doesn't contain an object"),
        }
    }
}

impl Error for SettingsSyntaxError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Json(error) => Some(error),
            Self::Jsonc(error) => Some(error),
            Self::InvalidWhitespace | Self::NotObject => None,
        }
    }
}
