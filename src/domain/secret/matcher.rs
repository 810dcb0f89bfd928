//! Matches expressions: a walk over a table, for many start positions at once.
//!
//! Of the matches that begin at one position, the longest whose right neighbour the detector's `ends` allows counts.
//! All walks advance together. When two of them reach the same row only the earlier continues, since the rest of both
//! is the same, so no byte is read more often than the table has rows, whatever the text.

use std::ops::Range;

use super::compile::Dfa;
use super::spec::Boundary;

/// The table of an expression. Row 0 is the dead state, row 1 the start.
#[derive(Debug, Clone, Copy)]
pub struct DfaRef<'a> {
    /// The column of each byte.
    pub byte_classes: &'a [u8; 256],
    /// Columns of a row.
    pub class_count: usize,
    /// The first row in which the text so far is a match; all after it are such rows too.
    pub first_accepting: usize,
    /// The next row, by row and column, the lower byte first.
    pub transitions: &'a [[u8; 2]],
}

impl<'a> From<&'a Dfa> for DfaRef<'a> {
    fn from(rows: &'a Dfa) -> Self {
        Self {
            byte_classes: &rows.byte_classes,
            class_count: rows.class_count,
            first_accepting: rows.first_accepting,
            transitions: &rows.transitions,
        }
    }
}

/// The row in which every walk begins. No expression matches the empty text, so it is never an accepting one.
const START_STATE: u16 = 1;

impl DfaRef<'_> {
    fn next_state(&self, row: u16, byte: u8) -> u16 {
        let column = self.byte_classes.get(usize::from(byte)).copied().unwrap_or(0);
        self.transitions
            .get(usize::from(row) * self.class_count + usize::from(column))
            .copied()
            .map_or(0, u16::from_le_bytes)
    }

    fn is_accepting(&self, row: u16) -> bool {
        usize::from(row) >= self.first_accepting
    }

    /// Returns the matches that begin at the given positions, which are sorted.
    pub(super) fn find_matches(
        &self,
        text: &[u8],
        starts: impl IntoIterator<Item = usize>,
        ends: Boundary,
        work: &mut usize,
    ) -> Vec<Range<usize>> {
        let mut walks: Vec<ActiveMatch> = Vec::new();
        let mut found = Vec::new();
        let mut taken: Vec<usize> = vec![0; self.transitions.len() / self.class_count.max(1)];
        let mut starts = starts.into_iter().peekable();
        while let Some(first) = starts.peek().copied() {
            let mut at = first;
            loop {
                while starts.next_if(|start| *start <= at).is_some() {
                    if walks.last().is_none_or(|walk| walk.start != at) {
                        walks.push(ActiveMatch { state: START_STATE, start: at, end: None });
                    }
                }
                let Some(byte) = text.get(at) else {
                    found.extend(walks.drain(..).filter_map(ActiveMatch::into_match));
                    return found;
                };
                at += 1;
                walks.retain_mut(|walk| {
                    *work += 1;
                    walk.state = self.next_state(walk.state, *byte);
                    let slot = taken.get_mut(usize::from(walk.state)).filter(|slot| walk.state != 0 && **slot != at);
                    let Some(slot) = slot else {
                        found.extend(walk.into_match());
                        return false;
                    };
                    *slot = at;
                    walk.end = (self.is_accepting(walk.state) && ends.allows_end(text, at)).then_some(at).or(walk.end);
                    true
                });
                if walks.is_empty() {
                    break;
                }
            }
        }
        found
    }
}

/// A match in progress.
#[derive(Clone, Copy)]
struct ActiveMatch {
    state: u16,
    start: usize,
    end: Option<usize>,
}

impl ActiveMatch {
    fn into_match(self) -> Option<Range<usize>> {
        self.end.map(|end| self.start..end)
    }
}

impl Boundary {
    fn is_word_byte(self, byte: u8) -> bool {
        let more: &[u8] = match self {
            Self::Word => b"",
            Self::Urlsafe => b"_-",
            Self::Base64 => b"+/=",
            Self::Any => return false,
        };
        byte.is_ascii_alphanumeric() || more.contains(&byte)
    }

    /// Returns whether a value may end at this position.
    pub(super) fn allows_end(self, text: &[u8], end: usize) -> bool {
        text.get(end).is_none_or(|byte| !self.is_word_byte(*byte))
    }

    /// Returns whether a value may begin at this position.
    pub(super) fn allows_start(self, text: &[u8], start: usize) -> bool {
        if self == Self::Any {
            return true;
        }
        let Some(before) = text.get(start.saturating_sub(6)..start) else { return false };
        match before {
            [.., b'+' | b'/'] if self == Self::Base64 => false,
            [] | [.., b'\\', b'n' | b'r' | b't'] => true,
            [.., byte] if !byte.is_ascii_alphanumeric() => true,
            [.., b'%', a, b] => a.is_ascii_hexdigit() && b.is_ascii_hexdigit(),
            [b'\\', b'u', hex @ ..] => hex.iter().all(u8::is_ascii_hexdigit),
            _ => false,
        }
    }
}
