//! `mcp:` — a tool of a tool server, by the server's name and its own name of the tool.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::like;
use crate::domain::facts::Facts;

/// Tool servers and their tools; what is not given may be any.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-shorthand" = "server"))]
pub struct Mcp {
    /// Names of servers, with `*` for any part.
    #[serde(default)]
    pub server: Vec<String>,
    /// The servers' own names of tools, with `*` for any part.
    #[serde(default)]
    pub tool: Vec<String>,
}

impl Mcp {
    pub(super) fn holds(&self, facts: &Facts<'_>) -> bool {
        let one_of =
            |names: &[String], name: &str| names.is_empty() || names.iter().any(|like_name| like(like_name, name));
        let mut tools = facts.event.calls().iter().filter_map(|call| call.mcp.as_ref());
        tools.any(|mcp| one_of(&self.server, &mcp.server) && one_of(&self.tool, &mcp.tool))
    }
}
