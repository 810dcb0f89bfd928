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
            Self::Syntax { path, source } => write!(
                f,
                "{}{source}; the host drops such a file as a whole, with every hook in it: mend it first",
                path.display()
            ),
            Self::WrongShape { path, key, expected } => {
                write!(f, "{}: `{key}` is not {expected}; the host does not read it, so mend it first", path.display())
            }
            Self::DuplicateHooks(path) => {
                write!(f, "{}: `hooks` stands there twice, and only the last one counts: make them one", path.display())
            }
            Self::Switch { path, key, problem } => {
                write!(f, "{}: `{key}", path.display())?;
                match problem {
                    SwitchProblem::NoPlace => f.write_str("` has no place in it")?,
                    SwitchProblem::NotObject => f.write_str("` is not an object")?,
                    SwitchProblem::Off(switch) => write!(f, ".{switch}` is not true, so no hook runs")?,
                }
                f.write_str("; mend it first")
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
            Self::InvalidWhitespace => f.write_str(": between its values stands a blank that is none in JSON"),
            Self::NotObject => f.write_str(": the file does not hold an object"),
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
