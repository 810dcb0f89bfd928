//! The comment that excuses a finding on its own line: `ruleward:allow secret`, or `ruleward:allow pii`.
//!
//! Ids may follow, and then it is about those alone: `ruleward:allow secret jwt, stripe-key`.

use super::seen::{Seen, Subject};

/// What a marker begins with.
const MARK: &str = "ruleward:allow";

/// Bytes of a line that are looked at on either side of the value.
const REACH: usize = 1 << 10;

/// Tells whether a line that the value stands on says that it is no leak.
pub fn is_marked(seen: &Seen<'_>) -> bool {
    let text = seen.text;
    let from = text.floor_char_boundary(seen.span.start.saturating_sub(REACH));
    let to = text.ceil_char_boundary(seen.span.end.saturating_add(REACH));
    let before = text.get(from..seen.span.start).unwrap_or_default();
    let before = before.rsplit('\n').next().unwrap_or_default();
    let after = text.get(seen.span.end..to).unwrap_or_default();
    let after = after.split('\n').next().unwrap_or_default();
    [before, after].iter().any(|part| part.split(MARK).skip(1).any(|rest| is_about(rest, seen)))
}

/// Tells whether what follows the mark speaks of the finding.
fn is_about(rest: &str, seen: &Seen<'_>) -> bool {
    let mut words = rest.split(|sign: char| sign.is_whitespace() || sign == ',').filter(|word| !word.is_empty());
    let subject = match seen.subject {
        Subject::Secret => "secret",
        Subject::Personal => "pii",
    };
    // The mark stands apart from what it is about, or it is another word.
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
    use super::super::seen::{Seen, Subject};
    use super::is_marked;
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
            let seen =
                Seen { subject: Subject::Secret, id: "jwt", tier: Tier::Proved, text, span: at..at + 5, file: None };
            assert_eq!(is_marked(&seen), expected, "{text}");
        }
    }
}
