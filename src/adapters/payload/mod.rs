//! A host's payload: parsed, read as a neutral event, or composed from a description.

mod arguments;
mod compose;
mod embedded;
pub(super) mod json;
pub(super) mod mcp_name;
pub(super) mod output;
mod read;
mod server_command;

pub use compose::{NeutralEvent, compose_payload};
pub use json::{PayloadError, parse_payload, sniff_event};
pub use read::read_event;
