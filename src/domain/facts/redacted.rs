//! Texts of an event as they may be shown: without the values of secrets.

use super::Facts;
use crate::domain::event::strings::{SKIP_NONE, visit_strings};
use crate::domain::secret::{KnownSecrets, Redacted};

impl Facts<'_> {
    /// Returns a text of the event as it may be shown.
    pub fn redact(&self, text: &str) -> Redacted {
        Redacted::in_session(text, &self.detectors, self.event.session.id.unwrap_or_default())
    }

    /// Returns a rendered text as it may be shown. A value is also recognised by its context in the event, which the
    /// rendered text may not contain.
    pub fn redact_rendered(&self, text: &str) -> Redacted {
        let seen = self.seen_secrets.get_or_init(|| {
            let mut seen = KnownSecrets::default();
            for value in self.event.native.values() {
                visit_strings(value, SKIP_NONE, &mut |text| seen.add(text, &self.secrets(text, |_| true)));
            }
            seen
        });
        seen.redact(text, &self.detectors, self.event.session.id.unwrap_or_default())
    }
}
