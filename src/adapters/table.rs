//! The words in which the hosts' tables are written.

use super::{Action, Arg, Form, Reads, Role, Row, Support, ToolRow};
use crate::domain::effect::EffectKind::{self, Deny};
use crate::domain::kind::Kind;
use crate::domain::shell::Access;
use crate::domain::tool::{Accesses, ToolKind};

/// What an event makes of effects.
pub(super) type Honours = &'static [(EffectKind, Support)];

pub(super) const YES: Support = Support::Honoured("");
pub(super) const NOBODY_ASKS: Support = Support::As(Deny, "the host asks nobody at this event");
pub(super) const NOT_AMONG: Support = Support::As(Deny, "a call of a tool that is not among them is refused");

pub(super) const READ: Accesses = Accesses::of(&[Access::Read]);
pub(super) const WRITE: Accesses = Accesses::of(&[Access::Write]);

pub(super) const fn row(wire: &'static str, kind: Kind, reads: Reads, form: Form, honours: Honours) -> Row {
    Row { wire, kind, reads, form, honours }
}

pub(super) const fn tool(wire: &'static str, kind: ToolKind, args: &'static [Arg]) -> ToolRow {
    ToolRow { wire, kind, action: None, args }
}

impl ToolRow {
    /// Says what the tool does, where tools of other hosts do the same.
    pub(super) const fn does(self, action: Action) -> Self {
        Self { action: Some(action), ..self }
    }
}

/// An argument without which a call cannot be judged.
pub(super) const fn must(key: &'static str, role: Role) -> Arg {
    Arg { key, role, required: true }
}

/// An argument that may be left out.
pub(super) const fn may(key: &'static str, role: Role) -> Arg {
    Arg { key, role, required: false }
}
