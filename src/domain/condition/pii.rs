//! `pii:` — a text of the event contains personal data.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::binding::{Binding, PiiMatch, SensitiveValue};
use super::interface::{Condition, ConditionMatch, ConditionSpec, Reference, Selection};
use super::requirements::Requirements;
use super::secrets::SecretField;
use crate::domain::allowlist::{AllowEntry, DetectedValue, has_inline_marker, is_suppressed};
use crate::domain::facts::Facts;
use crate::domain::pii::{self, PiiFilter};
use crate::domain::text::path::{Glob, PathContext};
use crate::domain::text::template::RenderError;

/// Kinds of personal data and where to look.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(extend("x-shorthand" = "kinds")))]
pub struct Pii {
    /// Kinds: ids with `*` for any part, `all`, `-id` to exclude one. There is no default.
    pub kinds: Vec<String>,
    /// Where to look (default: all texts of the event).
    #[serde(default)]
    pub r#in: Vec<SecretField>,
    /// Findings that are known to be harmless: values, or maps of conditions.
    #[serde(default)]
    pub allow: Vec<AllowEntry>,
    /// Files in which numbers that need a context word don't count.
    #[serde(default)]
    pub lower: Vec<Glob>,
    /// Whether a comment `ruleward:allow pii` on the line suppresses a finding.
    #[serde(default)]
    pub markers: bool,
}

impl Pii {
    /// Returns whether the condition's own allowlist, or the file, suppresses a finding.
    pub fn suppresses(&self, seen: &DetectedValue<'_>, place: &PathContext) -> bool {
        is_suppressed(&self.allow, &self.lower, seen, place)
    }
}

impl Condition for Pii {
    fn spec() -> ConditionSpec {
        ConditionSpec { kinds: None, selection: Selection::Text }
    }

    fn matches(&self, facts: &Facts<'_>, binding: &Binding) -> Result<ConditionMatch, RenderError> {
        let found = SecretField::texts(&self.r#in, facts).into_iter().flat_map(|(text, origin)| {
            let found = pii::scan(text, |kind| PiiFilter(&self.kinds).selects(kind));
            let file = (!found.is_empty()).then(|| facts.file_of_text(text)).flatten();
            let left = found.into_iter().filter(move |finding| {
                let seen = DetectedValue::from_pii(finding, text, file.as_deref());
                let marked = self.markers && has_inline_marker(&seen);
                let known = facts.suppression().is_some_and(|known| known.suppresses(&seen, binding.layer));
                !marked && !known && !self.suppresses(&seen, facts.path_context)
            });
            left.map(move |finding| PiiMatch {
                id: finding.kind.id,
                name: finding.kind.name,
                line: finding.line,
                masked: finding.masked(text),
                origin: origin.to_owned(),
                value: SensitiveValue::new(text.get(finding.span.clone()).unwrap_or_default()),
            })
        });
        Ok(found.map(|at| Binding { pii: Some(at), ..binding.clone() }).collect::<Vec<_>>().into())
    }

    fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    fn implies(&self, _: &Self) -> bool {
        false
    }

    fn require(&self, _: &mut Requirements) {}

    fn for_each_reference(&self, _: &mut dyn FnMut(Reference<'_>)) {}
}
