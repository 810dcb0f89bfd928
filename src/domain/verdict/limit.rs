//! The combination of limits on the tools of a model.

use super::note::Note;
use crate::domain::event::tool::ToolKind;
use crate::domain::policy::limit::{ToolLimit, ToolMode};

/// A limit in force, as a part of a verdict.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ToolLimitNote {
    /// The reason, for an agent whose call is refused.
    pub note: Note,
    /// Whether the model may, must or must not call a tool.
    pub mode: ToolMode,
    /// The only tools that may be called, if the limit names any.
    pub allow: Option<Vec<String>>,
    /// Tools that may not be called.
    pub deny: Vec<String>,
}

impl ToolLimitNote {
    /// Creates the part of a verdict for a limit of a policy.
    pub fn from_limits(limit: &ToolLimit, note: Note) -> Self {
        Self {
            note,
            mode: limit.mode,
            allow: limit.allow.as_ref().map(|tools| tools.0.clone()),
            deny: limit.deny.as_ref().map(|tools| tools.0.clone()).unwrap_or_default(),
        }
    }
}

/// The combined limits, for a host that takes a mode and names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolChoice {
    /// The strictest mode.
    pub mode: ToolMode,
    /// The names of the tools that are left, if the limits contain nothing but names.
    pub names: Option<Vec<String>>,
}

impl ToolChoice {
    /// Combines limits. Kinds and patterns are not names: only the host knows which tools they match, and a model's
    /// service rejects names that it does not know.
    pub fn of<'l>(limits: impl Iterator<Item = &'l ToolLimitNote>) -> Self {
        let mut choice = Self { mode: ToolMode::Auto, names: None };
        let mut denied: Vec<&String> = Vec::new();
        for limit in limits {
            choice.mode = choice.mode.max(limit.mode);
            denied.extend(&limit.deny);
            let Some(allow) = limit.allow.as_ref().filter(|allow| allow.iter().all(|name| is_tool_name(name))) else {
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

fn is_tool_name(entry: &str) -> bool {
    !entry.contains(['*', '?', '{', '[']) && ToolKind::NAMES.iter().all(|(_, kind)| *kind != entry)
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::ToolMode;
    use super::{ToolChoice, ToolLimitNote};
    use crate::domain::severity::Severity;
    use crate::domain::verdict::note::Note;

    fn limit(mode: ToolMode, allow: Option<&[&str]>, deny: &[&str]) -> ToolLimitNote {
        let note = Note { severity: Reverse(Severity::Low), rule: String::new(), text: String::new() };
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        ToolLimitNote { note, mode, allow: allow.map(owned), deny: owned(deny) }
    }

    fn choice(limits: &[ToolLimitNote]) -> (ToolMode, Option<Vec<String>>) {
        let ToolChoice { mode, names } = ToolChoice::of(limits.iter());
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
