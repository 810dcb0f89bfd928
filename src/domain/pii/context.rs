//! Whether a word of a kind stands near a number.

/// Bytes before a number in which a word may stand, on its line or the one above.
const BEFORE: usize = 64;

/// Bytes after a number in which a word may stand, on its line.
const AFTER: usize = 24;

/// Bytes of a table's head that are looked at.
const HEAD: usize = 1 << 10;

/// A text whose numbers are looked at.
pub(super) struct Surroundings<'t> {
    text: &'t str,
    /// The first line in lower case: in a table with separators it names the columns.
    head: String,
}

impl<'t> Surroundings<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let line = text.get(..text.floor_char_boundary(HEAD)).unwrap_or(text).lines().next().unwrap_or_default();
        let head = if line.contains([',', ';', '\t']) { line.to_lowercase() } else { String::new() };
        Self { text, head }
    }

    /// Tells whether one of the words stands near the piece of text.
    pub(super) fn has(&self, words: &[&str], start: usize, end: usize) -> bool {
        let from = self.text.floor_char_boundary(start.saturating_sub(BEFORE));
        let to = self.text.ceil_char_boundary(end.saturating_add(AFTER));
        let before = self.text.get(from..start).unwrap_or_default();
        // Its own line and the one above.
        let cut = before.rmatch_indices('\n').nth(1).map_or(0, |(at, _)| at + 1);
        let before = before.get(cut..).unwrap_or_default().to_lowercase();
        let after = self.text.get(end..to).unwrap_or_default().split('\n').next().unwrap_or_default().to_lowercase();
        let near = |text: &str| words.iter().any(|word| stands(word, text));
        near(&before) || near(&after) || (self.in_table(start) && near(&self.head))
    }

    fn in_table(&self, start: usize) -> bool {
        let before = self.text.as_bytes().get(start.saturating_sub(BEFORE)..start).unwrap_or_default();
        !self.head.is_empty() && before.iter().any(|byte| matches!(byte, b',' | b';' | b'\t' | b'\n'))
    }
}

/// Tells whether a word stands in a text as a word of its own, or of a name such as `user_ssn` or `ssnNumber`.
fn stands(word: &str, text: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + word.len()..).and_then(|after| after.chars().next());
        let letter = |sign: Option<char>| sign.is_some_and(char::is_alphabetic);
        // A long word is one wherever it stands; a short one may be a part of many others.
        word.len() > 5 || (!letter(before) && !letter(after))
    })
}

#[cfg(test)]
mod tests {
    use super::Surroundings;

    #[test]
    fn a_word_is_near_or_heads_the_table() {
        for (text, expected) in [
            ("ssn: 1234", true),
            ("user_ssn = 1234", true),
            ("SSN\n1234", true),
            ("1234 (SSN)", true),
            ("name,ssn\nx,1234", true),
            ("ssn\n\n\n1234", false),
            ("assna: 1234", false),
            ("nothing 1234", false),
        ] {
            let at = text.find("1234").unwrap();
            assert_eq!(Surroundings::new(text).has(&["ssn"], at, at + 4), expected, "{text}");
        }
    }
}
