//! Texts of an event as they may be shown: without the values of secrets.

use super::Facts;
use crate::domain::redaction::{NOTHING, strings};
use crate::domain::secret::{Redacted, Seen};

impl Facts<'_> {
    /// Returns a text of the event as it may be shown.
    pub fn redacted(&self, text: &str) -> Redacted {
        Redacted::in_session(text, &self.detectors, self.event.session.id.unwrap_or_default())
    }

    /// Returns a text that was filled in from the event, as it may be shown: what stands beside a value in the
    /// event may give it away, and be missing here.
    pub fn filled(&self, text: &str) -> Redacted {
        let seen = self.seen.get_or_init(|| {
            let mut seen = Seen::default();
            for value in self.event.native.values() {
                strings(value, NOTHING, &mut |text| seen.add(text, &self.secrets(text, |_| true)));
            }
            seen
        });
        seen.redacted(text, &self.detectors, self.event.session.id.unwrap_or_default())
    }
}
