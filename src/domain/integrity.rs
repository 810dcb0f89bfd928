//! The check that what the guard depends on was not changed by a call: what it is asked, and what it says.

/// What an event means for the calls that are running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// A call begins.
    Begin,
    /// A call has ended.
    End,
    /// Several calls have ended.
    BatchEnd,
    /// The agent has ended its turn.
    TurnEnd,
    /// A person speaks, or a session begins or ends: no call of the session is running.
    Boundary,
}

/// A call, as it is known at its beginning and at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallId<'a> {
    /// The session.
    pub session: &'a str,
    /// The host's id of the call. A host without such ids runs one call after the other.
    pub call: Option<&'a str>,
}

/// An event at which what is watched is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment<'a> {
    /// What it means for the calls that are running.
    pub phase: Phase,
    /// The call; for other events only its session matters.
    pub call: CallId<'a>,
    /// Whether the call may change files.
    pub acts: bool,
    /// Whether the call is refused anyway.
    pub is_refused: bool,
}

/// What is said of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// Calls are refused until a person has looked at it.
    Refusal(String),
    /// A person is told of it.
    Warning(String),
}

/// Compares what the guard depends on with what it was.
pub trait IntegrityCheck {
    /// Returns what is said of changes, if there are some.
    fn check(&self, moment: &Moment<'_>) -> Option<Finding>;
}
