//! `gate:` — how gates stand.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::facts::Facts;
use crate::domain::focus::Focus;
use crate::domain::gate::{self, Per, Stand};
use crate::domain::template::RenderError;

/// Gates by id, and how each stands: `{tests: open}`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Gates(pub BTreeMap<String, Stand>);

impl Gates {
    pub(super) fn narrow(&self, facts: &Facts<'_>, focus: &Focus) -> Result<Vec<Focus>, RenderError> {
        let mut left = vec![focus.clone()];
        for (id, stand) in &self.0 {
            let mut next = Vec::new();
            for focus in &left {
                next.extend(one(id, *stand, facts, focus)?);
            }
            left = next;
        }
        Ok(left)
    }
}

/// Returns what is left of a focus where a gate stands so. Of a gate for each file, every file of the
/// event is asked for, where none was picked out.
fn one(id: &str, stand: Stand, facts: &Facts<'_>, focus: &Focus) -> Result<Vec<Focus>, RenderError> {
    let known = facts.remembered().and_then(|it| Some((it, gate::meant(it.gates, id, focus.speaker)?)));
    let Some((remembered, active)) = known else {
        return Err(RenderError(format!("it is not known how the gate `{id}` stands")));
    };
    let foci = match (active.gate.per, focus.file) {
        (Some(Per::File), None) if !facts.files().is_empty() => {
            (0..facts.files().len()).map(|file| Focus { file: Some(file), ..focus.clone() }).collect()
        }
        _ => vec![focus.clone()],
    };
    let standing = |focus: Focus| {
        let standing = remembered.standing(active, facts, &focus);
        (standing.stand == stand).then_some(Focus { gate: Some(standing), ..focus })
    };
    Ok(foci.into_iter().filter_map(standing).collect())
}
