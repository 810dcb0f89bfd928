//! `host:` — which host reports the event.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::facts::Facts;

/// Names of hosts.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct Hosts(pub Vec<String>);

impl Hosts {
    pub(super) fn holds(&self, facts: &Facts<'_>) -> bool {
        self.0.iter().any(|name| name == facts.event.host)
    }
}
