//! `if:` — an expression over the event.

use crate::domain::facts::Facts;
use crate::domain::focus::Focus;
use crate::domain::template::{Expression, RenderError};
use crate::domain::view;

pub(super) fn holds(expression: Option<&Expression>, facts: &Facts<'_>, focus: &Focus) -> Result<bool, RenderError> {
    expression.map_or(Ok(true), |expression| expression.holds(&mut |root| view::root(facts, focus, root)))
}
