//! Why a command could not do what it was asked to: the kind decides the exit status.

use std::error::Error;
use std::fmt;
use std::process::ExitCode;

use super::ExitStatus;
use crate::io::audit::AuditError;
use crate::io::exceptions::ExceptionError;
use crate::io::files::FileError;
use crate::io::process::stdio;
use crate::io::scan::git::GitError;
use crate::io::settings::SettingsError;
use crate::io::trust::TrustError;

/// Why a command could not do what it was asked to.
#[derive(Debug)]
pub(super) enum CommandError {
    /// The arguments ask for something that cannot be.
    Usage(String),
    /// What the arguments name does not exist.
    NotFound(String),
    /// A file, a store or another program failed.
    Io(Box<dyn Error>),
    /// The policy in force has an error.
    Policy(String),
    /// What was asked for was tried, and failed.
    Failed(String),
    /// The program itself is wrong.
    Internal(String),
}

impl CommandError {
    /// Returns an error of the machine as the failure of the command.
    pub(super) fn failed(error: &impl fmt::Display) -> Self {
        Self::Failed(error.to_string())
    }

    /// Returns the exit status of a command that ends so.
    pub(super) const fn exit_status(&self) -> ExitStatus {
        match self {
            Self::Usage(_) | Self::NotFound(_) | Self::Io(_) | Self::Policy(_) => ExitStatus::Usage,
            Self::Failed(_) => ExitStatus::Failure,
            Self::Internal(_) => ExitStatus::InternalError,
        }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message)
            | Self::NotFound(message)
            | Self::Policy(message)
            | Self::Failed(message)
            | Self::Internal(message) => f.write_str(message),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl Error for CommandError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io(error) => Some(&**error),
            Self::Usage(_) | Self::NotFound(_) | Self::Policy(_) | Self::Failed(_) | Self::Internal(_) => None,
        }
    }
}

/// A message of what reads arguments is about the arguments.
impl From<String> for CommandError {
    fn from(message: String) -> Self {
        Self::Usage(message)
    }
}

impl From<&str> for CommandError {
    fn from(message: &str) -> Self {
        Self::Usage(message.to_owned())
    }
}

macro_rules! from_io {
    ($($error:ty),+) => {
        $(impl From<$error> for CommandError {
            fn from(error: $error) -> Self {
                Self::Io(Box::new(error))
            }
        })+
    };
}

from_io!(FileError, AuditError, ExceptionError, GitError, SettingsError, TrustError);

/// Prints why a command failed, and returns the exit code of the process.
#[inline(never)]
pub(super) fn finish(result: Result<ExitStatus, CommandError>) -> ExitCode {
    let status = result.unwrap_or_else(|error| {
        stdio::print_stderr(&format!("error: {error}"));
        error.exit_status()
    });
    status.into()
}
