//! An answer that arrives in pieces, each of which is shown before the next one is known.
//!
//! Every piece is judged together with the end of what was shown before it, so that what stands in
//! two of them is found, and what may be the beginning of a finding is held back until the next
//! piece tells. When the last piece never comes, what is held back was never shown.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::Redactions;

/// Bytes of what was shown that the next piece is judged with.
const CONTEXT: usize = 2 * 1024;

/// Bytes that are held back at most. No value is longer than a private key.
const MOST_HELD: usize = 32 * 1024;

/// What is remembered of an answer from one piece to the next.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Stream {
    /// The end of what was shown, as it was shown.
    context: String,
    /// What came and was not shown yet.
    held: String,
    /// Whether the rest of the answer is withheld, since it was replaced.
    withheld: bool,
}

/// What becomes of a piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What is shown in its place.
    pub shown: String,
    /// What is to be remembered for the next one; `None` after the last.
    pub next: Option<Stream>,
}

impl Stream {
    /// Returns the text that a piece is judged in: what was shown, what is held back, the piece.
    pub fn text_with(&self, piece: &str) -> String {
        [&self.context, &self.held, piece].concat()
    }

    /// Returns what becomes of a piece when this is to be taken out of [`Stream::text_with`] it, or
    /// when the whole answer gives way to another text.
    #[must_use]
    pub fn step(mut self, piece: &str, is_last: bool, redactions: &Redactions, instead: Option<&str>) -> Step {
        let shown = if self.withheld {
            String::new()
        } else if let Some(text) = instead {
            self.withheld = true;
            text.to_owned()
        } else {
            let text = self.text_with(piece);
            let start = self.context.len();
            let cut = if is_last { text.len() } else { cut(&text, start, &redactions.spans(0)) };
            let kept = text.get(start..cut).unwrap_or_default();
            let shown = redactions.within(0, &(start..cut)).apply(0, kept).unwrap_or_else(|| kept.to_owned());
            text.get(cut..).unwrap_or_default().clone_into(&mut self.held);
            self.context.push_str(&shown);
            let excess = self.context.len().saturating_sub(CONTEXT);
            self.context = self.context.split_off(self.context.ceil_char_boundary(excess));
            return Step { shown, next: (!is_last).then_some(self) };
        };
        self.held.clear();
        Step { shown, next: (!is_last).then_some(self) }
    }
}

/// Returns where what is held back begins. `start` is where begins what was not shown yet.
fn cut(text: &str, start: usize, found: &[Range<usize>]) -> usize {
    let begins = [word(text), groups(text), block(text)].into_iter().flatten().min().unwrap_or(text.len());
    // What goes up to the end may go on, and nothing is cut in two.
    let open = found.iter().filter(|span| span.end >= text.len() || (span.start < begins && begins < span.end));
    let cut = open.map(|span| span.start).chain([begins]).min().unwrap_or(begins).max(start);
    if text.len() - cut > MOST_HELD { text.len() } else { cut }
}

/// Where blocks of many lines begin, with what must stand on the line, where the last line begins, and what
/// ends it.
const BLOCKS: &[(&str, &str, &str, &str)] =
    &[("-----BEGIN ", "PRIVATE KEY", "-----END ", "-----"), ("PuTTY-User-Key-File-", "", "Private-MAC:", "\n")];

/// Words on a line of a block at most; a line with more is prose.
const MOST_WORDS: usize = 8;

/// Returns where a block of many lines begins that has not come to its end.
fn block(text: &str) -> Option<usize> {
    let begun = |(begin, label, last, end): &(&str, &str, &str, &str)| {
        let at = text.rfind(begin)?;
        let rest = text.get(at..)?;
        let first = rest.lines().next()?;
        let goes_on = || rest.lines().skip(1).all(|line| line.split_whitespace().count() <= MOST_WORDS);
        let is_over = rest.split_once(last).is_some_and(|(_, after)| after.contains(end));
        (first.contains(label) && !is_over && goes_on()).then_some(at)
    };
    BLOCKS.iter().filter_map(begun).min()
}

/// Returns where the last word begins, if the end of a value may still be to come.
fn word(text: &str) -> Option<usize> {
    let ends = |character: char| character.is_whitespace() || "\"'`<>(){}[],;|".contains(character);
    let at = text.rfind(ends).map_or(0, |at| text.ceil_char_boundary(at + 1));
    let word = text.get(at..).unwrap_or_default();
    let before = text.get(..at).unwrap_or_default();
    (!word.is_empty() && (may_be_value(word) || is_assigned(before))).then_some(at)
}

/// Tells whether a word may be the beginning of a key or a password.
fn may_be_value(word: &str) -> bool {
    is_mixed(word) || assigns(word)
}

/// Tells whether a word is none of those that people write: it has a digit, a joint or a point within, or
/// capitals where words have none.
fn is_mixed(word: &str) -> bool {
    let bytes = word.as_bytes();
    let turns = bytes.array_windows().any(|[one, other]| one.is_ascii_lowercase() && other.is_ascii_uppercase());
    let capitals = bytes.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    let has_inner_point = word.trim_end_matches('.').contains('.');
    has_inner_point || turns || capitals >= 3 || bytes.iter().any(|byte| byte.is_ascii_digit() || b"-_@".contains(byte))
}

/// Tells whether a word gives something a value, and holds a part of the value: `key=va`, `https://me:pa`.
fn assigns(word: &str) -> bool {
    let address = word.split_once("://").map(|(_, rest)| rest);
    match address {
        Some(rest) => rest.contains(':') && !rest.contains('@') || rest.contains('='),
        None => word.split_once(['=', ':']).is_some_and(|(name, value)| {
            !name.is_empty() && !value.is_empty() && !value.starts_with([':', '/', '=', '-', '*'])
        }),
    }
}

/// Words beside which a value stands.
const NAMES: &[&str] = &["pass", "pwd", "secret", "token", "key", "auth", "cred", "bearer", "basic", "login"];

/// Tells whether a text ends with the name of a secret and what sets it off from the value.
fn is_assigned(before: &str) -> bool {
    let head = before.trim_end_matches(['"', '\'', '`', ' ']);
    let set_off = head.ends_with(['=', ':', '>']);
    let tail = head.get(head.floor_char_boundary(head.len().saturating_sub(48))..).unwrap_or_default();
    let line = tail.rsplit('\n').next().unwrap_or_default().to_ascii_lowercase();
    let last = line.rsplit(' ').next().unwrap_or_default();
    set_off && NAMES.iter().any(|name| line.contains(name)) || matches!(last, "bearer" | "basic" | "token")
}

/// Bytes that a number in groups has at most.
const LONGEST_NUMBER: usize = 48;

/// Returns where a number in groups begins that the text ends with, such as that of a card.
fn groups(text: &str) -> Option<usize> {
    let tail = text.floor_char_boundary(text.len().saturating_sub(LONGEST_NUMBER));
    let end = text.get(tail..)?;
    let part = |byte: u8| byte.is_ascii_digit() || b" -./()+".contains(&byte);
    let length = end.bytes().rev().take_while(|byte| part(*byte)).count();
    let number = end.get(end.len() - length..)?;
    // The number of an account begins with letters.
    let letters = end.get(..end.len() - length)?.bytes().rev().take_while(u8::is_ascii_uppercase).count();
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    let start = text.len() - number.trim_start().len() - if number.starts_with(' ') { 0 } else { letters };
    (digits >= 4 || letters == 2 && digits >= 2).then_some(start)
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use proptest::prelude::*;

    use super::{Redactions, Stream};
    use crate::domain::redaction::Stretch;
    use crate::domain::rule::Severity;
    use crate::domain::verdict::Note;

    const PEM: &str = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIFq5XocS3LRNTDSFnLVfaBJMtli04TxWJzz9jysqoOUD\n-----END PRIVATE KEY-----";
    const SECRETS: [&str; 4] = ["AKIAEFSDXL5DCJGVEBLE", "glpat-9xNaGNkFTNOBb16yFPDC", "4539 1488 0343 6467", PEM];
    const REST: &str = " and that is all, really. See src/main.rs";

    /// Finds the secrets only when all of them is there, and the private key also without its end.
    fn found(text: &str) -> Redactions {
        let note = Note { severity: Reverse(Severity::High), rule: "rule".into(), text: "[taken]".into() };
        let mut found = Redactions::default();
        for secret in SECRETS {
            for (start, _) in text.match_indices(secret) {
                found.insert(Stretch { text: 0, start, end: start + secret.len() }, note.clone());
            }
        }
        found
    }

    /// Returns what is shown of a text that comes in pieces.
    fn shown(text: &str, cuts: &[usize], found: fn(&str) -> Redactions) -> String {
        let mut ends: Vec<usize> = cuts.iter().map(|cut| text.floor_char_boundary(cut % text.len())).collect();
        ends.sort_unstable();
        ends.push(text.len());
        let (mut shown, mut begin, mut stream) = (String::new(), 0, Stream::default());
        for (number, end) in ends.iter().enumerate() {
            let piece = text.get(begin..*end).unwrap();
            let redactions = found(&stream.text_with(piece));
            let step = stream.step(piece, number + 1 == ends.len(), &redactions, None);
            shown.push_str(&step.shown);
            (begin, stream) = (*end, step.next.unwrap_or_default());
        }
        shown
    }

    #[test]
    fn a_secret_in_two_pieces_is_taken_out_wherever_it_is_cut() {
        for secret in SECRETS {
            let text = format!("The configuration says: token is {secret}{REST}");
            for cut in 0..text.len() {
                let shown = shown(&text, &[cut], found);
                assert!(shown.ends_with(REST) && !shown.contains(secret), "{cut}: {shown}");
                assert!(!shown.contains(secret.get(..secret.len() / 2).unwrap()), "{cut}: {shown}");
            }
        }
    }

    #[test]
    fn the_rest_of_an_answer_that_gave_way_is_withheld() {
        let step = Stream::default().step("one", false, &Redactions::default(), Some("withheld"));
        assert_eq!(step.shown, "withheld");
        let step = step.next.unwrap().step("two", false, &Redactions::default(), None);
        assert_eq!(step.shown, "");
        assert_eq!(step.next.unwrap().step("three", true, &Redactions::default(), None).shown, "");
    }

    proptest! {
        #[test]
        fn no_secret_is_shown_whole_however_it_is_cut(secret in 0..4_usize, cuts in proptest::collection::vec(0..1000_usize, 0..60)) {
            let secret = SECRETS[secret];
            let text = format!("The configuration says: token is {secret}{REST}");
            let shown = shown(&text, &cuts, found);
            prop_assert!(shown.ends_with(REST) && !shown.contains(secret), "{}", shown);
        }

        #[test]
        fn what_holds_no_secret_is_shown_as_it_is(text in "[a-zA-Z0-9 \u{e9}\u{1F600}:=./\n-]{1,80}", cuts in proptest::collection::vec(0..1000_usize, 0..20)) {
            prop_assert_eq!(shown(&text, &cuts, |_| Redactions::default()), text);
        }
    }
}
