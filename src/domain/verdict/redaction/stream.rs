//! Redaction of an answer that arrives in pieces, each of which is shown before the next one is known.
//!
//! Every piece is judged together with the end of what was shown before it, so that a value that spans two pieces is
//! found. What may be the beginning of a finding is held back until the next piece decides it. If the last piece
//! never arrives, what is held back is never shown.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::Redactions;

/// The number of bytes of the shown text that the next piece is judged with.
const MAX_CONTEXT: usize = 2 * 1024;

/// The greatest number of bytes that are held back. No value is longer than a private key.
const MAX_HELD: usize = 32 * 1024;

/// The state of an answer between two pieces.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RedactionStream {
    /// The end of the shown text, as it was shown.
    context: String,
    /// The text that arrived and was not shown yet.
    held: String,
    /// Whether the rest of the answer is withheld, since it was replaced.
    withheld: bool,
}

/// The result for one piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamStep {
    /// The text that is shown instead.
    pub output: String,
    /// The state for the next piece; `None` after the last.
    pub next: Option<RedactionStream>,
}

impl RedactionStream {
    /// Returns the text in which a piece is judged: the shown text, the held text and the piece.
    pub fn pending_text(&self, piece: &str) -> String {
        [&self.context, &self.held, piece].concat()
    }

    /// Returns the result for a piece, given the redactions of [`RedactionStream::pending_text`], or the text that
    /// replaces the whole answer.
    #[must_use]
    pub fn push(mut self, piece: &str, is_last: bool, redactions: &Redactions, instead: Option<&str>) -> StreamStep {
        let shown = if self.withheld {
            String::new()
        } else if let Some(text) = instead {
            self.withheld = true;
            text.to_owned()
        } else {
            let text = self.pending_text(piece);
            let start = self.context.len();
            let cut = if is_last { text.len() } else { hold_start(&text, start, &redactions.spans(0)) };
            let kept = text.get(start..cut).unwrap_or_default();
            let shown = redactions.slice(0, &(start..cut)).apply(0, kept).unwrap_or_else(|| kept.to_owned());
            text.get(cut..).unwrap_or_default().clone_into(&mut self.held);
            self.context.push_str(&shown);
            let excess = self.context.len().saturating_sub(MAX_CONTEXT);
            self.context = self.context.split_off(self.context.ceil_char_boundary(excess));
            return StreamStep { output: shown, next: (!is_last).then_some(self) };
        };
        self.held.clear();
        StreamStep { output: shown, next: (!is_last).then_some(self) }
    }
}

/// Returns where the held text begins. `start` is the beginning of the text that was not shown yet.
fn hold_start(text: &str, start: usize, found: &[Range<usize>]) -> usize {
    let begins = [open_word_start(text), open_number_start(text), open_block_start(text)]
        .into_iter()
        .flatten()
        .min()
        .unwrap_or(text.len());
    // A finding that reaches the end may continue, and no finding is cut in two.
    let open = found.iter().filter(|span| span.end >= text.len() || (span.start < begins && begins < span.end));
    let cut = open.map(|span| span.start).chain([begins]).min().unwrap_or(begins).max(start);
    if text.len() - cut > MAX_HELD { text.len() } else { cut }
}

/// Blocks of several lines: the start, what the line must contain, where the last line begins, and the end.
const BLOCKS: &[(&str, &str, &str, &str)] =
    &[("-----BEGIN ", "PRIVATE KEY", "-----END ", "-----"), ("PuTTY-User-Key-File-", "", "Private-MAC:", "\n")];

/// The greatest number of words on a line of a block; a line with more is prose.
const MAX_BLOCK_WORDS: usize = 8;

/// Returns where a block of several lines begins that is not complete.
fn open_block_start(text: &str) -> Option<usize> {
    let begun = |(begin, label, last, end): &(&str, &str, &str, &str)| {
        let at = text.rfind(begin)?;
        let rest = text.get(at..)?;
        let first = rest.lines().next()?;
        let goes_on = || rest.lines().skip(1).all(|line| line.split_whitespace().count() <= MAX_BLOCK_WORDS);
        let is_over = rest.split_once(last).is_some_and(|(_, after)| after.contains(end));
        (first.contains(label) && !is_over && goes_on()).then_some(at)
    };
    BLOCKS.iter().filter_map(begun).min()
}

/// Returns where the last word begins, if the rest of a value may still follow.
fn open_word_start(text: &str) -> Option<usize> {
    let ends = |character: char| character.is_whitespace() || "\"'`<>(){}[],;|".contains(character);
    let at = text.rfind(ends).map_or(0, |at| text.ceil_char_boundary(at + 1));
    let word = text.get(at..).unwrap_or_default();
    let before = text.get(..at).unwrap_or_default();
    (!word.is_empty() && (may_be_value(word) || follows_secret_name(before))).then_some(at)
}

/// Returns whether a word may be the beginning of a key or a password.
fn may_be_value(word: &str) -> bool {
    is_non_word(word) || is_assignment(word)
}

/// Returns whether a word is not a natural word: it contains a digit, an underscore or a point, or capitals inside.
fn is_non_word(word: &str) -> bool {
    let bytes = word.as_bytes();
    let turns = bytes.array_windows().any(|[one, other]| one.is_ascii_lowercase() && other.is_ascii_uppercase());
    let capitals = bytes.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    let has_inner_point = word.trim_end_matches('.').contains('.');
    has_inner_point || turns || capitals >= 3 || bytes.iter().any(|byte| byte.is_ascii_digit() || b"-_@".contains(byte))
}

/// Returns whether a word assigns a value, and contains a part of it: `key=va`, `https://me:pa`.
fn is_assignment(word: &str) -> bool {
    let address = word.split_once("://").map(|(_, rest)| rest);
    match address {
        Some(rest) => rest.contains(':') && !rest.contains('@') || rest.contains('='),
        None => word.split_once(['=', ':']).is_some_and(|(name, value)| {
            !name.is_empty() && !value.is_empty() && !value.starts_with([':', '/', '=', '-', '*'])
        }),
    }
}

/// Words that a secret value follows.
const SECRET_NAMES: &[&str] = &["pass", "pwd", "secret", "token", "key", "auth", "cred", "bearer", "basic", "login"];

/// Returns whether a text ends with the name of a secret and a separator.
fn follows_secret_name(before: &str) -> bool {
    let head = before.trim_end_matches(['"', '\'', '`', ' ']);
    let set_off = head.ends_with(['=', ':', '>']);
    let tail = head.get(head.floor_char_boundary(head.len().saturating_sub(48))..).unwrap_or_default();
    let line = tail.rsplit('\n').next().unwrap_or_default().to_ascii_lowercase();
    let last = line.rsplit(' ').next().unwrap_or_default();
    set_off && SECRET_NAMES.iter().any(|name| line.contains(name)) || matches!(last, "bearer" | "basic" | "token")
}

/// The greatest number of bytes of a number in groups.
const MAX_NUMBER: usize = 48;

/// Returns where a number in groups at the end of a text begins, such as that of a card.
fn open_number_start(text: &str) -> Option<usize> {
    let tail = text.floor_char_boundary(text.len().saturating_sub(MAX_NUMBER));
    let end = text.get(tail..)?;
    let part = |byte: u8| byte.is_ascii_digit() || b" -./()+".contains(&byte);
    let length = end.bytes().rev().take_while(|byte| part(*byte)).count();
    let number = end.get(end.len() - length..)?;
    // An account number begins with letters.
    let letters = end.get(..end.len() - length)?.bytes().rev().take_while(u8::is_ascii_uppercase).count();
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    let start = text.len() - number.trim_start().len() - if number.starts_with(' ') { 0 } else { letters };
    (digits >= 4 || letters == 2 && digits >= 2).then_some(start)
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use proptest::prelude::*;

    use super::{RedactionStream, Redactions};
    use crate::domain::severity::Severity;
    use crate::domain::verdict::note::Note;
    use crate::domain::verdict::redaction::TextSpan;

    const PEM: &str = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIFq5XocS3LRNTDSFnLVfaBJMtli04TxWJzz9jysqoOUD\n-----END PRIVATE KEY-----";
    const SECRETS: [&str; 4] = ["AKIAEFSDXL5DCJGVEBLE", "glpat-9xNaGNkFTNOBb16yFPDC", "4539 1488 0343 6467", PEM];
    const REST: &str = " and that is all, really. See src/main.rs";

    /// Finds the secrets only when they are complete, and the private key also without its end.
    fn found(text: &str) -> Redactions {
        let note = Note { severity: Reverse(Severity::High), rule: "rule".into(), text: "[taken]".into() };
        let mut found = Redactions::default();
        for secret in SECRETS {
            for (start, _) in text.match_indices(secret) {
                found.insert(TextSpan { text: 0, start, end: start + secret.len() }, note.clone());
            }
        }
        found
    }

    /// Returns what is shown of a text that arrives in pieces.
    fn shown(text: &str, cuts: &[usize], found: fn(&str) -> Redactions) -> String {
        let mut ends: Vec<usize> = cuts.iter().map(|cut| text.floor_char_boundary(cut % text.len())).collect();
        ends.sort_unstable();
        ends.push(text.len());
        let (mut shown, mut begin, mut stream) = (String::new(), 0, RedactionStream::default());
        for (number, end) in ends.iter().enumerate() {
            let piece = text.get(begin..*end).unwrap();
            let redactions = found(&stream.pending_text(piece));
            let step = stream.push(piece, number + 1 == ends.len(), &redactions, None);
            shown.push_str(&step.output);
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
        let step = RedactionStream::default().push("one", false, &Redactions::default(), Some("withheld"));
        assert_eq!(step.output, "withheld");
        let step = step.next.unwrap().push("two", false, &Redactions::default(), None);
        assert_eq!(step.output, "");
        assert_eq!(step.next.unwrap().push("three", true, &Redactions::default(), None).output, "");
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
