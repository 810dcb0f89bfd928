//! `gate:` — the status of gates.

use std::collections::BTreeMap;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::binding::Binding;
use super::interface::{Condition, ConditionMatch, ConditionSpec, Reference, Selection};
use super::requirements::Requirements;
use crate::domain::facts::Facts;
use crate::domain::facts::memory::GateStatus;
use crate::domain::text::template::RenderError;

/// Gates by id, and how each stands: `{tests: open}`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(transparent)]
pub struct Gates(pub BTreeMap<String, GateStatus>);

impl Condition for Gates {
    fn spec() -> ConditionSpec {
        ConditionSpec { kinds: None, selection: Selection::None }
    }

    fn matches(&self, facts: &Facts<'_>, binding: &Binding) -> Result<ConditionMatch, RenderError> {
        let mut left = vec![binding.clone()];
        for (id, stand) in &self.0 {
            let mut next = Vec::new();
            for binding in &left {
                next.extend(match_gate(id, *stand, facts, binding)?);
            }
            left = next;
        }
        Ok(left.into())
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn implies(&self, _: &Self) -> bool {
        false
    }

    fn require(&self, _: &mut Requirements) {}

    fn for_each_reference(&self, each: &mut dyn FnMut(Reference<'_>)) {
        self.0.keys().for_each(|id| each(Reference::Gate(id)));
    }
}

/// Returns the bindings for which a gate has the status. A gate that is kept per file is checked for every file of
/// the event if none was picked out.
fn match_gate(id: &str, stand: GateStatus, facts: &Facts<'_>, focus: &Binding) -> Result<Vec<Binding>, RenderError> {
    let unknown = || RenderError(format!("the state of the gate `{id}` is unknown"));
    let memory = facts.memory().ok_or_else(unknown)?;
    let is_per_file = memory.is_per_file(id, focus.layer).ok_or_else(unknown)?;
    let foci = match focus.file {
        None if is_per_file && !facts.files().is_empty() => {
            (0..facts.files().len()).map(|file| Binding { file: Some(file), ..focus.clone() }).collect()
        }
        _ => vec![focus.clone()],
    };
    let standing = |focus: Binding| {
        let standing = memory.gate(id, focus.layer, facts, focus.file)?;
        (standing.status == stand).then_some(Binding { gate: Some(standing), ..focus })
    };
    Ok(foci.into_iter().filter_map(standing).collect())
}
