//! The comment that suppresses a finding on its own line: `ruleward:allow secret`, or `ruleward:allow pii`.
//!
//! Ids may follow, and then it only applies to those: `ruleward:allow secret jwt, stripe-key`.

use super::detected_value::{DetectedValue, FindingKind};

/// The beginning of a marker.
const MARKER: &str = "ruleward:allow";

/// The number of bytes of a line that are searched on either side of the value.
const MAX_LINE_CONTEXT: usize = 1 << 10;

/// Returns whether a line of the value has a marker that suppresses it.
pub fn has_inline_marker(seen: &DetectedValue<'_>) -> bool {
    let text = seen.text;
    let from = text.floor_char_boundary(seen.span.start.saturating_sub(MAX_LINE_CONTEXT));
    let to = text.ceil_char_boundary(seen.span.end.saturating_add(MAX_LINE_CONTEXT));
    let before = text.get(from..seen.span.start).unwrap_or_default();
    let before = before.rsplit('\n').next().unwrap_or_default();
    let after = text.get(seen.span.end..to).unwrap_or_default();
    let after = after.split('\n').next().unwrap_or_default();
    [before, after].iter().any(|part| part.split(MARKER).skip(1).any(|rest| marker_applies(rest, seen)))
}

/// Returns whether the text after the marker applies to the finding.
fn marker_applies(rest: &str, seen: &DetectedValue<'_>) -> bool {
    let mut words = rest.split(|sign: char| sign.is_whitespace() || sign == ',').filter(|word| !word.is_empty());
    let subject = match seen.kind {
        FindingKind::Secret => "secret",
        FindingKind::Pii => "pii",
    };
    // The marker is separated by a blank from its subject, or it is another word.
    if !rest.starts_with(char::is_whitespace) || words.next() != Some(subject) {
        return false;
    }
    let is_id = |word: &&str| {
        word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && word.bytes().any(|byte| byte.is_ascii_alphanumeric())
    };
    let ids: Vec<&str> = words.take_while(is_id).collect();
    ids.is_empty() || ids.contains(&seen.id)
}

#[cfg(test)]
mod tests {
    use super::has_inline_marker;
    use crate::domain::allowlist::detected_value::{DetectedValue, FindingKind};
    use crate::domain::secret::Tier;

    #[test]
    fn a_marker_holds_on_its_line_for_what_it_names() {
        for (text, expected) in [
            ("k = 'VALUE' # ruleward:allow secret", true),
            ("k = 'VALUE' // ruleward:allow secret jwt", true),
            ("k = 'VALUE' /* ruleward:allow secret stripe-key, jwt */", true),
            ("<!-- ruleward:allow secret --> VALUE", true),
            ("k = 'VALUE' # ruleward:allow secret stripe-key", false),
            ("k = 'VALUE' # ruleward:allow pii", false),
            ("k = 'VALUE' # ruleward:allow", false),
            ("k = 'VALUE' # ruleward:allowed secret", false),
            ("k = 'VALUE' # ruleward:allow secrets", false),
            ("# ruleward:allow secret\nk = 'VALUE'", false),
            ("k = 'VALUE'\n# ruleward:allow secret", false),
            ("k = 'VALUE'", false),
        ] {
            let at = text.find("VALUE").unwrap();
            let seen = DetectedValue {
                kind: FindingKind::Secret,
                id: "jwt",
                tier: Tier::Proved,
                text,
                span: at..at + 5,
                file: None,
            };
            assert_eq!(has_inline_marker(&seen), expected, "{text}");
        }
    }
}
