//! The prefilter: one pass that finds every keyword of every detector, ignoring case.
//!
//! An automaton reads the text byte by byte; its table is a constant of the program. Each step depends on the one
//! before, so a single reader mostly waits for memory; four readers, each on a quarter of the text, run in parallel.

use std::ops::Range;
use std::panic::resume_unwind;
use std::thread;

/// The length of a text from which two processors share the work, in bytes.
const PARALLEL_THRESHOLD: usize = 1 << 20;

/// Columns of a row. A power of two, so that a row's offset is a shift.
pub const ROW_WIDTH: usize = 64;

/// A table that is aligned to cache lines.
#[derive(Debug)]
#[repr(align(128))]
pub struct CacheAligned<T: ?Sized>(pub T);

/// The automaton of keywords.
#[derive(Debug, Clone, Copy)]
pub struct KeywordAutomaton<'a> {
    /// The column of each byte; both cases of a letter have the same.
    pub byte_classes: &'a [u8; 256],
    /// The next row, by row and column, the lower byte first. Row 0 is the start.
    pub transitions: &'a [[u8; 2]],
    /// The first row in which a keyword ends; all later rows are such rows too.
    pub first_output_state: u16,
    /// The row in which the search goes on after each state behind the last row: a keyword ends there that begins no
    /// other, so that such a state needs no row of its own.
    pub continuations: &'a [[u8; 2]],
    /// The offset in `outputs` for each state in which a keyword ends, followed by the end of the last one.
    pub output_offsets: &'a [[u8; 2]],
    /// What ends in the rows.
    pub outputs: &'a [KeywordOutput],
    /// The length of the longest keyword.
    pub max_keyword_len: usize,
}

/// The output for a keyword that ends in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeywordOutput {
    /// The number of its detector; [`ENCODED_DETECTOR`] for an encoded token prefix.
    pub detector: u16,
    /// The length of the keyword.
    pub len: u8,
    /// The minimum number of bytes before it at which a match begins.
    pub min_lookback: u16,
    /// The maximum number of bytes before it at which a match begins.
    pub max_lookback: u16,
}

impl KeywordOutput {
    /// Returns the output in its file format: two-byte numbers, the lower byte first.
    pub const fn to_bytes(self) -> [[u8; 2]; 4] {
        let Self { detector, len, min_lookback, max_lookback } = self;
        [detector.to_le_bytes(), [len, 0], min_lookback.to_le_bytes(), max_lookback.to_le_bytes()]
    }

    /// Returns the output from its file format.
    pub const fn from_bytes([detector, [len, _], min, max]: [[u8; 2]; 4]) -> Self {
        let (min_lookback, max_lookback) = (u16::from_le_bytes(min), u16::from_le_bytes(max));
        Self { detector: u16::from_le_bytes(detector), len, min_lookback, max_lookback }
    }
}

/// Takes the place of a detector for an encoded token prefix.
pub const ENCODED_DETECTOR: u16 = u16::MAX;

/// Where a keyword ends, and in which row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct KeywordHit {
    pub end: usize,
    state: u16,
}

impl KeywordAutomaton<'_> {
    #[inline]
    fn next_state(&self, row: u16, byte: u8) -> u16 {
        let column = self.byte_classes.get(usize::from(byte)).copied().unwrap_or(0);
        self.transitions.get(usize::from(row) * ROW_WIDTH + usize::from(column)).copied().map_or(0, u16::from_le_bytes)
    }

    /// Returns the row in which the search goes on after a state in which a keyword ends.
    fn continuation(&self, state: u16) -> u16 {
        let leaf = usize::from(state).checked_sub(self.transitions.len() / ROW_WIDTH);
        leaf.and_then(|leaf| self.continuations.get(leaf)).map_or(state, |row| u16::from_le_bytes(*row))
    }

    /// Passes each position where keywords end to `each`, in any order and possibly twice, and returns its results: a
    /// large text is processed in two parts in parallel.
    pub(super) fn find_hits<T: Default + Send>(&self, text: &[u8], each: impl Fn(&mut T, KeywordHit) + Sync) -> Vec<T> {
        let work_out = |part: Range<usize>| {
            let mut found = T::default();
            self.find_hits_in(text, part, &mut |hit| each(&mut found, hit));
            found
        };
        let half = text.len() / 2;
        if text.len() < PARALLEL_THRESHOLD {
            return vec![work_out(0..text.len())];
        }
        thread::scope(|scope| {
            let other = thread::Builder::new().spawn_scoped(scope, || work_out(half..text.len())).ok();
            let one = work_out(0..half);
            let other = match other.map(thread::ScopedJoinHandle::join) {
                Some(Ok(other)) => other,
                Some(Err(panic)) => resume_unwind(panic),
                // No thread can be started.
                None => work_out(half..text.len()),
            };
            vec![one, other]
        })
    }

    /// Passes each position to `each` where a keyword ends that begins in a part of the text.
    fn find_hits_in(&self, text: &[u8], part: Range<usize>, each: &mut dyn FnMut(KeywordHit)) {
        let quarter = part.len() / 4;
        let begins = [0, 1, 2, 3].map(|lane| part.start + lane * quarter);
        let [first, second, third, fourth] = begins.map(|begin| text.get(begin..begin + quarter).unwrap_or_default());
        let mut rows = [0_u16; 4];
        let bytes = first.iter().zip(second).zip(third).zip(fourth);
        for ((((a, b), c), d), at) in bytes.zip(1..) {
            rows = [
                self.next_state(rows[0], *a),
                self.next_state(rows[1], *b),
                self.next_state(rows[2], *c),
                self.next_state(rows[3], *d),
            ];
            if rows[0].max(rows[1]).max(rows[2].max(rows[3])) >= self.first_output_state {
                rows = self.report(rows, begins.map(|begin| begin + at), each);
            }
        }
        let ends = begins.into_iter().skip(1).chain([part.end]);
        for ((row, begin), end) in rows.into_iter().zip(begins).zip(ends) {
            // The rest of the lane, and then the length that a keyword may extend beyond it.
            let to = (end + self.max_keyword_len).min(text.len());
            self.resume(text, begin + quarter..to, row, end, each);
        }
    }

    /// Passes the hits among the states of the readers to `each`; returns the rows in which the readers go on.
    #[cold]
    fn report(&self, states: [u16; 4], ends: [usize; 4], each: &mut dyn FnMut(KeywordHit)) -> [u16; 4] {
        for (state, end) in states.into_iter().zip(ends).filter(|(state, _)| *state >= self.first_output_state) {
            each(KeywordHit { end, state });
        }
        states.map(|state| self.continuation(state))
    }

    /// Continues where a reader stopped, for keywords that begin before a position.
    fn resume(&self, text: &[u8], part: Range<usize>, mut row: u16, before: usize, each: &mut dyn FnMut(KeywordHit)) {
        let first = part.start + 1;
        for (byte, end) in text.get(part).unwrap_or_default().iter().zip(first..) {
            row = self.next_state(row, *byte);
            if row < self.first_output_state {
                continue;
            }
            let begins = |output: &&KeywordOutput| end - usize::from(output.len) < before;
            if self.outputs(KeywordHit { end, state: row }).iter().find(begins).is_some() {
                each(KeywordHit { end, state: row });
            }
            row = self.continuation(row);
        }
    }

    /// Returns the keywords that end at a hit.
    pub(super) fn outputs(&self, hit: KeywordHit) -> &[KeywordOutput] {
        let number = usize::from(hit.state - self.first_output_state);
        let place = |number: usize| self.output_offsets.get(number).map(|at| usize::from(u16::from_le_bytes(*at)));
        let range = place(number).zip(place(number + 1));
        range.and_then(|(from, to)| self.outputs.get(from..to)).unwrap_or_default()
    }
}
