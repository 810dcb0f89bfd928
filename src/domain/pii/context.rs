//! Checks whether a context word of a kind is near a number.

/// How many bytes before a number are searched for a context word, on its line or the one above.
const MAX_BEFORE: usize = 64;

/// How many bytes after a number are searched for a context word, on its line.
const MAX_AFTER: usize = 24;

/// How many bytes of a table's header are searched.
const MAX_HEADER: usize = 1 << 10;

/// A text in which numbers are searched.
pub(super) struct TextContext<'t> {
    text: &'t str,
    /// The first line in lower case: in a delimited table it names the columns.
    header: String,
}

impl<'t> TextContext<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let line = text.get(..text.floor_char_boundary(MAX_HEADER)).unwrap_or(text).lines().next().unwrap_or_default();
        let header = if line.contains([',', ';', '\t']) { line.to_lowercase() } else { String::new() };
        Self { text, header }
    }

    /// Returns whether one of the words is near the span.
    pub(super) fn has_word_near(&self, words: &[&str], start: usize, end: usize) -> bool {
        let from = self.text.floor_char_boundary(start.saturating_sub(MAX_BEFORE));
        let to = self.text.ceil_char_boundary(end.saturating_add(MAX_AFTER));
        let before = self.text.get(from..start).unwrap_or_default();
        // The line itself and the one above.
        let cut = before.rmatch_indices('\n').nth(1).map_or(0, |(at, _)| at + 1);
        let before = before.get(cut..).unwrap_or_default().to_lowercase();
        let after = self.text.get(end..to).unwrap_or_default().split('\n').next().unwrap_or_default().to_lowercase();
        let near = |text: &str| words.iter().any(|word| contains_word(word, text));
        near(&before) || near(&after) || (self.is_table_cell(start) && near(&self.header))
    }

    fn is_table_cell(&self, start: usize) -> bool {
        let before = self.text.as_bytes().get(start.saturating_sub(MAX_BEFORE)..start).unwrap_or_default();
        !self.header.is_empty() && before.iter().any(|byte| matches!(byte, b',' | b';' | b'\t' | b'\n'))
    }
}

/// Returns whether a text contains a word as a word of its own, or as a part of a name such as `user_ssn` or
/// `ssnNumber`.
fn contains_word(word: &str, text: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + word.len()..).and_then(|after| after.chars().next());
        let letter = |sign: Option<char>| sign.is_some_and(char::is_alphabetic);
        // A long word counts wherever it occurs; a short one may be a part of many others.
        word.len() > 5 || (!letter(before) && !letter(after))
    })
}

#[cfg(test)]
mod tests {
    use super::TextContext;

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
            assert_eq!(TextContext::new(text).has_word_near(&["ssn"], at, at + 4), expected, "{text}");
        }
    }
}
