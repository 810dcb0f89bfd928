//! Where in an event text stands.

/// The places of an event where text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextPlace {
    /// Text that a call writes.
    Content,
    /// Shell text.
    Command,
    /// Addresses that a call fetches.
    Url,
    /// A prompt, also one for a sub-agent.
    Prompt,
    /// The same, and of a request to the model all that is new to it.
    Told,
    /// What a tool returned.
    Output,
    /// What the agent or the model answered.
    Response,
}
