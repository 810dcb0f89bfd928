//! `mcp:` — a tool of an MCP server, by the server's name and its own name of the tool.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::binding::Binding;
use super::interface::{CALL_KINDS, Condition, ConditionMatch, ConditionSpec, Reference, Selection};
use super::is_wildcard_match;
use super::requirements::{Requirement, Requirements};
use crate::domain::facts::Facts;
use crate::domain::text::template::RenderError;

/// MCP servers and tools (default: any).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(extend("x-shorthand" = "server")))]
pub struct Mcp {
    /// Names of servers, with `*` for any part.
    #[serde(default)]
    pub server: Vec<String>,
    /// The servers' names of tools, with `*` for any part.
    #[serde(default)]
    pub tool: Vec<String>,
}

impl Condition for Mcp {
    fn spec() -> ConditionSpec {
        ConditionSpec { kinds: Some(CALL_KINDS), selection: Selection::None }
    }

    fn matches(&self, facts: &Facts<'_>, _: &Binding) -> Result<ConditionMatch, RenderError> {
        let one_of = |names: &[String], name: &str| {
            names.is_empty() || names.iter().any(|like_name| is_wildcard_match(like_name, name))
        };
        let mut tools = facts.event.calls().iter().filter_map(|call| call.mcp.as_ref());
        Ok(tools.any(|mcp| one_of(&self.server, &mcp.server) && one_of(&self.tool, &mcp.tool)).into())
    }

    fn is_empty(&self) -> bool {
        // An empty list allows anything.
        false
    }

    fn implies(&self, _: &Self) -> bool {
        false
    }

    fn require(&self, requirements: &mut Requirements) {
        requirements.add(Requirement::Mcp);
    }

    fn for_each_reference(&self, _: &mut dyn FnMut(Reference<'_>)) {}
}
