//! Constants and constructors for the hosts' tables.

use super::{AnswerForm, Arg, ArgRole, EventRow, PayloadShape, Support, ToolAction, ToolRow};
use crate::domain::effect::EffectKind::{self, Deny};
use crate::domain::event::kind::Kind;
use crate::domain::event::tool::{Accesses, ToolKind};
use crate::domain::shell::{Access, Dialect};

/// How an event supports effects.
pub(in crate::adapters) type EffectSupports = &'static [(EffectKind, Support)];

pub(in crate::adapters) const FULL: Support = Support::Full("");
pub(in crate::adapters) const ASK_AS_DENY: Support = Support::Substitute(Deny, "the host doesn't ask at this event");
pub(in crate::adapters) const TOOLS_AS_DENY: Support = Support::Substitute(Deny, "calls of other tools are denied");

/// The dialect of most hosts' shell tools.
pub(in crate::adapters) const SHELL_COMMAND: ArgRole = ArgRole::Command(Dialect::Posix);

pub(in crate::adapters) const READ: Accesses = Accesses::of(&[Access::Read]);
pub(in crate::adapters) const WRITE: Accesses = Accesses::of(&[Access::Write]);
pub(in crate::adapters) const DELETE: Accesses = Accesses::of(&[Access::Delete]);
/// Changed, and moved away.
pub(in crate::adapters) const MOVE: Accesses = Accesses::of(&[Access::Write, Access::Delete, Access::Move]);

pub(in crate::adapters) const fn event_row(
    wire: &'static str,
    kind: Kind,
    reads: PayloadShape,
    form: AnswerForm,
    honours: EffectSupports,
) -> EventRow {
    EventRow { wire, kind, payload: reads, answer: form, effects: honours }
}

pub(in crate::adapters) const fn tool(wire: &'static str, kind: ToolKind, args: &'static [Arg]) -> ToolRow {
    ToolRow { wire, kind, action: None, args }
}

impl ToolRow {
    /// Sets the tool's action, for tools that have counterparts on other hosts.
    pub(in crate::adapters) const fn with_action(self, action: ToolAction) -> Self {
        Self { action: Some(action), ..self }
    }
}

/// Returns an argument without which a call cannot be judged.
pub(in crate::adapters) const fn required(key: &'static str, role: ArgRole) -> Arg {
    Arg { key, role, required: true }
}

/// Returns an argument that may be missing.
pub(in crate::adapters) const fn optional(key: &'static str, role: ArgRole) -> Arg {
    Arg { key, role, required: false }
}
