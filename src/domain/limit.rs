//! `tools:` — which tools the model may use, and whether it must use one.
//!
//! A host that asks at `model.tools` tells the model; none is sure to hold it to the answer. So a
//! limit is a promise about calls: a call of another tool is refused when it is about to run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::condition::Tools;
use super::template::Template;
use super::tool::{ToolCall, ToolKind};
use super::verdict::Note;

/// The tools that the model may use. A word alone is the mode, a list what is allowed.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-shorthand" = "mode", "x-shorthand-list" = "allow"), example = shown())]
pub struct ToolLimit {
    /// Whether the model may, must or must not call a tool.
    #[serde(default)]
    pub mode: ToolMode,
    /// The only tools that may be called: a neutral kind (`shell`, `read`, …) or a host's own
    /// name, with `*` for any part of it.
    #[serde(default)]
    pub allow: Option<Tools>,
    /// Tools that may not be called, named alike.
    #[serde(default)]
    pub deny: Option<Tools>,
    /// Whether calls of other tools are refused as well; `false` only tells the model.
    #[serde(default = "enforced")]
    pub enforce: bool,
    /// Why, for the agent whose call is refused.
    #[serde(default)]
    pub reason: Option<Template>,
}

/// Whether the model may, must or must not call a tool; the later word is the stricter one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ToolMode {
    /// The model decides.
    #[default]
    Auto,
    /// The model must call a tool. Asked for at every request, it never comes to an answer.
    Any,
    /// The model must not call any tool.
    None,
}

/// A limit in force, as a part of a verdict.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Limited {
    /// Why, for an agent whose call is refused.
    pub note: Note,
    /// Whether the model may, must or must not call a tool.
    pub mode: ToolMode,
    /// The only tools that may be called, if some are named.
    pub allow: Option<Vec<String>>,
    /// Tools that may not be called.
    pub deny: Vec<String>,
}

fn enforced() -> bool {
    true
}

fn shown() -> serde_json::Value {
    serde_json::json!({ "allow": ["read", "search"], "reason": "Planning only reads." })
}

impl ToolLimit {
    /// Tells whether the limit is none.
    pub fn is_idle(&self) -> bool {
        self.mode == ToolMode::Auto && self.allow.is_none() && self.deny.is_none()
    }

    /// Tells whether a call keeps to the limit.
    pub fn admits(&self, call: &ToolCall<'_>) -> bool {
        let among = |tools: &Tools| tools.cover(call.kind, call.name);
        self.mode != ToolMode::None && self.allow.as_ref().is_none_or(among) && !self.deny.as_ref().is_some_and(among)
    }

    /// Returns the limit as a part of a verdict.
    pub fn limited(&self, note: Note) -> Limited {
        Limited {
            note,
            mode: self.mode,
            allow: self.allow.as_ref().map(|tools| tools.0.clone()),
            deny: self.deny.as_ref().map(|tools| tools.0.clone()).unwrap_or_default(),
        }
    }

    /// Says in words what the limit is.
    pub fn described(&self) -> String {
        match (self.mode, &self.allow, &self.deny) {
            (ToolMode::None, ..) => "No tool may be called here.".to_owned(),
            (_, Some(allow), _) => format!("Only these tools may be called here: {}.", allow.0.join(", ")),
            (_, None, Some(deny)) => format!("These tools may not be called here: {}.", deny.0.join(", ")),
            (_, None, None) => "A tool has to be called here.".to_owned(),
        }
    }
}

/// What limits come to for a host that takes a mode and names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The strictest mode.
    pub mode: ToolMode,
    /// The names of the tools that are left, where the limits name tools and nothing but tools.
    pub names: Option<Vec<String>>,
}

impl Choice {
    /// Returns what limits come to. Kinds and patterns stand for tools that only the host knows,
    /// and a model's service refuses a name that it was not told of: they are no names.
    pub fn of<'l>(limits: impl Iterator<Item = &'l Limited>) -> Self {
        let mut choice = Self { mode: ToolMode::Auto, names: None };
        let mut denied: Vec<&String> = Vec::new();
        for limit in limits {
            choice.mode = choice.mode.max(limit.mode);
            denied.extend(&limit.deny);
            let Some(allow) = limit.allow.as_ref().filter(|allow| allow.iter().all(|name| is_name(name))) else {
                continue;
            };
            let mut names = allow.clone();
            names.sort_unstable();
            names.dedup();
            choice.names = Some(match choice.names {
                Some(known) => known.into_iter().filter(|name| names.contains(name)).collect(),
                None => names,
            });
        }
        if let Some(names) = &mut choice.names {
            names.retain(|name| !denied.contains(&name));
            if names.is_empty() {
                choice.mode = ToolMode::None;
            }
        }
        choice
    }
}

fn is_name(entry: &str) -> bool {
    !entry.contains(['*', '?', '{', '[']) && ToolKind::NAMES.iter().all(|(_, kind)| *kind != entry)
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::{Choice, Limited, ToolMode};
    use crate::domain::rule::Severity;
    use crate::domain::verdict::Note;

    fn limit(mode: ToolMode, allow: Option<&[&str]>, deny: &[&str]) -> Limited {
        let note = Note { severity: Reverse(Severity::Low), rule: String::new(), text: String::new() };
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        Limited { note, mode, allow: allow.map(owned), deny: owned(deny) }
    }

    fn choice(limits: &[Limited]) -> (ToolMode, Option<Vec<String>>) {
        let Choice { mode, names } = Choice::of(limits.iter());
        (mode, names)
    }

    #[test]
    fn names_are_met_and_what_is_denied_goes() {
        let one = limit(ToolMode::Any, Some(&["b_x", "a_x", "c_x"]), &[]);
        let other = limit(ToolMode::Auto, Some(&["c_x", "a_x"]), &[]);
        let denied = limit(ToolMode::Auto, None, &["c_x"]);
        assert_eq!(choice(&[one, other, denied]), (ToolMode::Any, Some(vec!["a_x".to_owned()])));
    }

    #[test]
    fn nothing_left_is_no_tool() {
        let one = limit(ToolMode::Any, Some(&["a_x"]), &[]);
        let other = limit(ToolMode::Auto, Some(&["b_x"]), &[]);
        assert_eq!(choice(&[one, other]), (ToolMode::None, Some(Vec::new())));
    }

    #[test]
    fn kinds_and_patterns_are_no_names() {
        let kinds = limit(ToolMode::Any, Some(&["read", "mcp_*"]), &[]);
        assert_eq!(choice(&[kinds]), (ToolMode::Any, None));
    }
}
