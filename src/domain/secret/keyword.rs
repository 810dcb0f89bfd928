//! The prefilter: one pass that finds every keyword of every detector, in either case.
//!
//! An automaton reads the text byte by byte; its table is a constant of the program. What one byte leads to depends on
//! where the byte before led, so a single reader waits for memory most of its time; four readers, each on a quarter of
//! the text, do not wait for each other.

use std::ops::Range;
use std::panic::resume_unwind;
use std::thread;

/// Bytes of a text from which on two processors share the work.
const LARGE: usize = 1 << 20;

/// Columns of a row. A power of two, so that a row's place is a shift away.
pub const WIDTH: usize = 64;

/// A table whose rows begin where lines of the cache do.
#[derive(Debug)]
#[repr(align(128))]
pub struct Aligned<const N: usize>(pub [u16; N]);

/// The automaton of keywords.
#[derive(Debug, Clone, Copy)]
pub struct Keywords<'a> {
    /// The column of each byte; both cases of a letter have the same.
    pub columns: &'a [u8; 256],
    /// The next row, by row and column. Row 0 is the beginning.
    pub next: &'a [u16],
    /// The first row in which a keyword ends; all behind it are such rows too.
    pub ending: u16,
    /// For each such row where its part of `outputs` begins, and at last where the last one ends.
    pub outputs_at: &'a [u16],
    /// What ends in the rows.
    pub outputs: &'a [Output],
    /// The length of the longest keyword.
    pub longest: usize,
}

/// A keyword that ends in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Output {
    /// The number of the detector it belongs to; [`ENCODED`] for the beginning of some token in base64.
    pub detector: u16,
    /// The length of the keyword.
    pub len: u8,
    /// How many bytes before it a match begins at least.
    pub least_back: u16,
    /// How many bytes before it a match begins at most.
    pub most_back: u16,
}

/// Stands for a detector where a keyword is a piece of base64.
pub const ENCODED: u16 = u16::MAX;

/// Where a keyword ends, and in which row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hit {
    pub end: usize,
    row: u16,
}

impl Keywords<'_> {
    #[inline]
    fn step(&self, row: u16, byte: u8) -> u16 {
        let column = self.columns.get(usize::from(byte)).copied().unwrap_or(0);
        self.next.get(usize::from(row) * WIDTH + usize::from(column)).copied().unwrap_or(0)
    }

    /// Gives each place where keywords end to `each`, in any order and some of them twice, and returns what came of
    /// it: of a large text in two parts, worked out side by side.
    pub(super) fn hits<T: Default + Send>(&self, text: &[u8], each: impl Fn(&mut T, Hit) + Sync) -> Vec<T> {
        let work_out = |part: Range<usize>| {
            let mut found = T::default();
            self.hits_in(text, part, &mut |hit| each(&mut found, hit));
            found
        };
        let half = text.len() / 2;
        if text.len() < LARGE {
            return vec![work_out(0..text.len())];
        }
        thread::scope(|scope| {
            let other = thread::Builder::new().spawn_scoped(scope, || work_out(half..text.len())).ok();
            let one = work_out(0..half);
            let other = match other.map(thread::ScopedJoinHandle::join) {
                Some(Ok(other)) => other,
                Some(Err(panic)) => resume_unwind(panic),
                // No thread is to be had.
                None => work_out(half..text.len()),
            };
            vec![one, other]
        })
    }

    /// Gives each place where keywords end that begin in a part of the text to `each`.
    fn hits_in(&self, text: &[u8], part: Range<usize>, each: &mut dyn FnMut(Hit)) {
        let quarter = part.len() / 4;
        let begins = [0, 1, 2, 3].map(|lane| part.start + lane * quarter);
        let [first, second, third, fourth] = begins.map(|begin| text.get(begin..begin + quarter).unwrap_or_default());
        let mut rows = [0_u16; 4];
        let bytes = first.iter().zip(second).zip(third).zip(fourth);
        for ((((a, b), c), d), at) in bytes.zip(1..) {
            rows = [self.step(rows[0], *a), self.step(rows[1], *b), self.step(rows[2], *c), self.step(rows[3], *d)];
            if rows[0].max(rows[1]).max(rows[2].max(rows[3])) >= self.ending {
                for (row, begin) in rows.into_iter().zip(begins).filter(|(row, _)| *row >= self.ending) {
                    each(Hit { end: begin + at, row });
                }
            }
        }
        let ends = begins.into_iter().skip(1).chain([part.end]);
        for ((row, begin), end) in rows.into_iter().zip(begins).zip(ends) {
            // What is left of the lane, and then what a keyword may reach beyond it.
            let to = (end + self.longest).min(text.len());
            self.go_on(text, begin + quarter..to, row, end, each);
        }
    }

    /// Reads on from where a reader stopped, for keywords that begin before a place.
    fn go_on(&self, text: &[u8], part: Range<usize>, mut row: u16, before: usize, each: &mut dyn FnMut(Hit)) {
        let first = part.start + 1;
        for (byte, end) in text.get(part).unwrap_or_default().iter().zip(first..) {
            row = self.step(row, *byte);
            let begins = |output: &&Output| end - usize::from(output.len) < before;
            if row >= self.ending && self.outputs(Hit { end, row }).iter().find(begins).is_some() {
                each(Hit { end, row });
            }
        }
    }

    /// Returns the keywords that end at a hit.
    pub(super) fn outputs(&self, hit: Hit) -> &[Output] {
        let number = usize::from(hit.row - self.ending);
        let place = |number: usize| self.outputs_at.get(number).copied().map(usize::from);
        let range = place(number).zip(place(number + 1));
        range.and_then(|(from, to)| self.outputs.get(from..to)).unwrap_or_default()
    }
}
