//! The error of a store.

use std::error::Error;
use std::fmt;

/// The reason why state could not be loaded or saved.
///
/// Stores fail in different ways, so the error wraps whatever the store reports and shows that message.
#[derive(Debug)]
pub struct StateError(Box<dyn Error + Send + Sync>);

impl StateError {
    /// Returns the error of a store.
    pub fn new(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(cause.into())
    }
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for StateError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::StateError;

    #[test]
    fn the_message_is_the_one_of_the_store() {
        let error = StateError::new("there is no directory");
        assert_eq!(error.to_string(), "there is no directory");
        assert!(error.source().is_none());
    }
}
