//! Which moments have what conditions look at. This file is a table.

use crate::domain::kind::Kind;

/// The moments that are about tool calls.
pub(super) const CALLS: &[Kind] = &[
    Kind::ToolBefore,
    Kind::ToolAfter,
    Kind::ToolFailed,
    Kind::ToolBatch,
    Kind::PermissionRequest,
    Kind::PermissionDenied,
];

/// The moments that are about a prompt, also one that a call hands to a sub-agent.
const PROMPTS: &[Kind] = &[
    Kind::PromptSubmit,
    Kind::PromptExpand,
    Kind::AgentAfter,
    Kind::SubagentAfter,
    Kind::ModelBefore,
    Kind::ModelTools,
    Kind::ModelAfter,
    Kind::ToolBefore,
    Kind::ToolAfter,
    Kind::ToolFailed,
    Kind::ToolBatch,
    Kind::PermissionRequest,
    Kind::PermissionDenied,
];

/// Conditions that look at something, and the moments that have it.
pub(super) const NEEDS: &[(&str, &[Kind])] = &[
    ("tool", CALLS),
    ("mcp", CALLS),
    ("command", CALLS),
    ("files", CALLS),
    ("urls", CALLS),
    ("does", CALLS),
    ("opaque", CALLS),
    ("where", CALLS),
    ("shell", CALLS),
    ("content", CALLS),
    ("outcome", &[Kind::ToolAfter, Kind::ToolFailed, Kind::ToolBatch]),
    ("output", &[Kind::ToolAfter, Kind::ToolFailed, Kind::ToolBatch]),
    ("prompt", PROMPTS),
    ("response", &[Kind::AgentAfter, Kind::SubagentAfter, Kind::ModelAfter]),
];
