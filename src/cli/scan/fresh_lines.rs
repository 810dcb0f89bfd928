//! The lines of a file's version that earlier versions do not have.

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hasher as _};

/// Lines before and after a new one that are kept with it: a detector looks no further for a word that belongs to a
/// value.
const CONTEXT_LINES: usize = 12;

/// A line that belongs to no assignment. It replaces the first line of a gap, so that the lines before and after the
/// gap are not read as adjacent.
const GAP: &str = "}";

/// The lines of the versions so far.
#[derive(Debug, Default)]
pub(super) struct FreshLines {
    /// The hashes of each two adjacent lines.
    seen: HashSet<u64>,
}

impl FreshLines {
    /// Returns the text with empty lines where no new line is near, and remembers its lines; `None` when no line is new.
    ///
    /// A line is new when it is different from all earlier ones or follows another line than before.
    pub(super) fn keep_fresh<'t>(&mut self, text: &'t str) -> Option<Cow<'t, str>> {
        let is_first = self.seen.is_empty();
        let mut previous = 0;
        let mut fresh = Vec::new();
        for (number, line) in text.split('\n').enumerate() {
            let own = hash_of(&line);
            if self.seen.insert(hash_of(&(previous, own))) {
                fresh.push(number);
            }
            previous = own;
        }
        if is_first {
            return Some(Cow::Borrowed(text));
        }
        (!fresh.is_empty()).then(|| Cow::Owned(keep_near(text, &fresh)))
    }
}

fn hash_of(value: &impl std::hash::Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Empties the lines that are near none of some lines, which are in order.
fn keep_near(text: &str, numbers: &[usize]) -> String {
    let mut kept = String::with_capacity(text.len() / 4);
    let mut ahead = numbers.iter().copied().peekable();
    let mut last: Option<usize> = None;
    let mut in_gap = false;
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            kept.push('\n');
        }
        while let Some(next) = ahead.next_if(|next| *next <= number) {
            last = Some(next);
        }
        let is_near = last.is_some_and(|last| number - last <= CONTEXT_LINES)
            || ahead.peek().is_some_and(|next| next - number <= CONTEXT_LINES);
        if is_near {
            kept.push_str(line);
        } else if !in_gap {
            kept.push_str(GAP);
        }
        in_gap = !is_near;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::{CONTEXT_LINES, FreshLines};

    fn numbered(lines: usize) -> Vec<String> {
        (0..lines).map(|line| format!("line {line}")).collect()
    }

    #[test]
    fn only_the_surroundings_of_new_lines_are_kept() {
        let mut lines = numbered(100);
        let mut fresh = FreshLines::default();
        let first = lines.join("\n");
        assert_eq!(fresh.keep_fresh(&first).unwrap(), first);
        assert!(fresh.keep_fresh(&first).is_none());
        lines[50] = "new".to_owned();
        let text = lines.join("\n");
        let kept = fresh.keep_fresh(&text).unwrap().into_owned();
        let kept: Vec<&str> = kept.split('\n').collect();
        assert_eq!(kept.len(), 100);
        assert_eq!(kept[0], "}");
        assert!(kept[1..50 - CONTEXT_LINES].iter().all(|line| line.is_empty()));
        assert_eq!(kept[50 - CONTEXT_LINES..=51 + CONTEXT_LINES], lines[50 - CONTEXT_LINES..=51 + CONTEXT_LINES]);
        assert_eq!(kept[52 + CONTEXT_LINES], "}");
        // The version before comes back.
        assert!(fresh.keep_fresh(&first).is_none());
    }

    #[test]
    fn a_line_in_another_place_is_new() {
        let mut fresh = FreshLines::default();
        fresh.keep_fresh("a\nb\nc").unwrap();
        assert_eq!(fresh.keep_fresh("b\na\nc").unwrap(), "b\na\nc");
        assert!(fresh.keep_fresh("a\nb").is_none());
    }
}
