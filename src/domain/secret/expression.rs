//! Expressions at work: a walk over a table, at many beginnings at once.
//!
//! Of the matches that begin at one place the longest counts whose right neighbour the detector's `ends` allows. All
//! beginnings advance together, and of two that come to the same row only the earlier goes on, since what lies ahead
//! of both is the same: so no byte is looked at more often than the table has rows, whatever the text.

use std::ops::Range;

use super::{compile::Rows, entry::Ends};

/// The table of an expression. Row 0 is the end of all hope, row 1 the beginning.
#[derive(Debug, Clone, Copy)]
pub struct Table<'a> {
    /// The column of each byte.
    pub columns: &'a [u8; 256],
    /// Columns of a row.
    pub width: usize,
    /// The first row in which the text so far is a match; all behind it are such rows too.
    pub accepting: usize,
    /// The next row, by row and column.
    pub next: &'a [u16],
}

impl<'a> From<&'a Rows> for Table<'a> {
    fn from(rows: &'a Rows) -> Self {
        Self { columns: &rows.columns, width: rows.width, accepting: rows.accepting, next: &rows.next }
    }
}

/// The row in which every walk begins. No expression matches the empty text, so it is never an accepting one.
const FIRST: u16 = 1;

impl Table<'_> {
    fn step(&self, row: u16, byte: u8) -> u16 {
        let column = self.columns.get(usize::from(byte)).copied().unwrap_or(0);
        self.next.get(usize::from(row) * self.width + usize::from(column)).copied().unwrap_or(0)
    }

    fn accepts(&self, row: u16) -> bool {
        usize::from(row) >= self.accepting
    }

    /// Returns the matches that begin at the given places, which are in order.
    pub(super) fn matches(
        &self,
        text: &[u8],
        starts: impl IntoIterator<Item = usize>,
        ends: Ends,
        work: &mut usize,
    ) -> Vec<Range<usize>> {
        let mut walks: Vec<Walk> = Vec::new();
        let mut found = Vec::new();
        let mut taken: Vec<usize> = vec![0; self.next.len() / self.width.max(1)];
        let mut starts = starts.into_iter().peekable();
        while let Some(first) = starts.peek().copied() {
            let mut at = first;
            loop {
                while starts.next_if(|start| *start <= at).is_some() {
                    if walks.last().is_none_or(|walk| walk.start != at) {
                        walks.push(Walk { row: FIRST, start: at, end: None });
                    }
                }
                let Some(byte) = text.get(at) else {
                    found.extend(walks.drain(..).filter_map(Walk::into_match));
                    return found;
                };
                at += 1;
                walks.retain_mut(|walk| {
                    *work += 1;
                    walk.row = self.step(walk.row, *byte);
                    let slot = taken.get_mut(usize::from(walk.row)).filter(|slot| walk.row != 0 && **slot != at);
                    let Some(slot) = slot else {
                        found.extend(walk.into_match());
                        return false;
                    };
                    *slot = at;
                    walk.end = (self.accepts(walk.row) && ends.right(text, at)).then_some(at).or(walk.end);
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

/// A match that may come.
#[derive(Clone, Copy)]
struct Walk {
    row: u16,
    start: usize,
    end: Option<usize>,
}

impl Walk {
    fn into_match(self) -> Option<Range<usize>> {
        self.end.map(|end| self.start..end)
    }
}

impl Ends {
    fn has(self, byte: u8) -> bool {
        let more: &[u8] = match self {
            Self::Word => b"",
            Self::Urlsafe => b"_-",
            Self::Base64 => b"+/=",
            Self::Any => return false,
        };
        byte.is_ascii_alphanumeric() || more.contains(&byte)
    }

    /// Tells whether a value may end where it does.
    pub(super) fn right(self, text: &[u8], end: usize) -> bool {
        text.get(end).is_none_or(|byte| !self.has(*byte))
    }

    /// Tells whether a value may begin where it does.
    pub(super) fn left(self, text: &[u8], start: usize) -> bool {
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
