//! The fields of an event that contain text.

/// A field of an event that contains text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextField {
    /// Text that a call writes.
    Content,
    /// Shell text.
    Command,
    /// Addresses that a call fetches.
    Url,
    /// A prompt, also one for a sub-agent.
    Prompt,
    /// A prompt, or all new messages of a request to the model.
    NewInput,
    /// A tool's result.
    Output,
    /// An answer of the agent or the model.
    Response,
}
