//! From an expression to a table that says, byte by byte, whether a text still fits.
//!
//! The expression becomes states between which bytes lead, some ways at once; the sets of states that texts can reach
//! become the rows of the table. Bytes that the expression never tells apart share a column.

use std::collections::HashMap;

use regex_syntax::hir::{Class, Hir, HirKind};

/// States of an expression before sets of them are made.
const MOST_STATES: usize = 8_192;

/// Rows of a table.
const MOST_ROWS: usize = 4_096;

/// A table for one expression. Row 0 is the end of all hope, row 1 the beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rows {
    /// The column of each byte.
    pub columns: [u8; 256],
    /// Columns of a row.
    pub width: usize,
    /// The first row in which the text so far is a match; all behind it are such rows too.
    pub accepting: usize,
    /// The next row, by row and column.
    pub next: Vec<u16>,
}

/// What one state does with a text.
#[derive(Debug, Clone)]
enum State {
    /// Goes on by a byte of these, to the next.
    Bytes(Vec<(u8, u8)>, usize),
    /// Goes on at each of these without a byte.
    Either(Vec<usize>),
    /// Nothing more is needed.
    Match,
}

/// Builds the table of an expression.
///
/// # Errors
/// Returns that the expression is too large.
pub(super) fn build(hir: &Hir) -> Result<Rows, String> {
    let mut states = vec![State::Match];
    let start = add(&mut states, hir, 0)?;
    rows(&states, start)
}

fn push(states: &mut Vec<State>, state: State) -> Result<usize, String> {
    if states.len() >= MOST_STATES {
        return Err("the expression is too large\nrepeat less, or give fewer alternatives".into());
    }
    states.push(state);
    Ok(states.len() - 1)
}

/// Adds the states of an expression that is followed by `after`; returns where it begins.
fn add(states: &mut Vec<State>, hir: &Hir, after: usize) -> Result<usize, String> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Ok(after),
        HirKind::Capture(capture) => add(states, &capture.sub, after),
        HirKind::Literal(literal) => {
            literal.0.iter().rev().try_fold(after, |next, byte| push(states, State::Bytes(vec![(*byte, *byte)], next)))
        }
        HirKind::Class(class) => {
            let ranges = ranges(class);
            push(states, State::Bytes(ranges, after))
        }
        HirKind::Concat(parts) => parts.iter().rev().try_fold(after, |next, part| add(states, part, next)),
        HirKind::Alternation(parts) => {
            let ways = parts.iter().map(|part| add(states, part, after)).collect::<Result<Vec<_>, _>>()?;
            push(states, State::Either(ways))
        }
        HirKind::Repetition(repetition) => {
            let mut next = after;
            match repetition.max {
                None => {
                    let again = push(states, State::Either(Vec::new()))?;
                    let inner = add(states, &repetition.sub, again)?;
                    if let Some(state) = states.get_mut(again) {
                        *state = State::Either(vec![inner, after]);
                    }
                    next = again;
                }
                Some(max) => {
                    for _ in repetition.min..max {
                        let inner = add(states, &repetition.sub, next)?;
                        next = push(states, State::Either(vec![inner, after]))?;
                    }
                }
            }
            (0..repetition.min).try_fold(next, |next, _| add(states, &repetition.sub, next))
        }
    }
}

fn ranges(class: &Class) -> Vec<(u8, u8)> {
    match class {
        Class::Bytes(bytes) => bytes.ranges().iter().map(|range| (range.start(), range.end())).collect(),
        // The reader was told not to make these; those that are ASCII mean the same.
        Class::Unicode(signs) => {
            let byte = |sign: char| u8::try_from(u32::from(sign)).unwrap_or(u8::MAX);
            signs.ranges().iter().map(|range| (byte(range.start()), byte(range.end()))).collect()
        }
    }
}

/// Returns a column for each byte, and one byte of each column.
fn columns(states: &[State]) -> ([u8; 256], Vec<u8>) {
    let mut begins = [false; 257];
    for state in states {
        let State::Bytes(ranges, _) = state else { continue };
        for (low, high) in ranges {
            for edge in [usize::from(*low), usize::from(*high) + 1] {
                if let Some(begin) = begins.get_mut(edge) {
                    *begin = true;
                }
            }
        }
    }
    // Stretches of bytes between two edges behave alike; of these, those that every state treats alike share a column.
    let mut known: HashMap<Vec<bool>, u8> = HashMap::new();
    let mut columns = [0; 256];
    let mut samples = Vec::new();
    let mut current = 0;
    for (byte, column) in (0..=u8::MAX).zip(&mut columns) {
        if byte == 0 || begins.get(usize::from(byte)).copied().unwrap_or(false) {
            let ways = states.iter().filter_map(|state| match state {
                State::Bytes(ranges, _) => Some(holds(ranges, byte)),
                _ => None,
            });
            let fresh = u8::try_from(samples.len()).unwrap_or(u8::MAX);
            current = *known.entry(ways.collect()).or_insert_with(|| {
                samples.push(byte);
                fresh
            });
        }
        *column = current;
    }
    (columns, samples)
}

fn holds(ranges: &[(u8, u8)], byte: u8) -> bool {
    ranges.iter().any(|(low, high)| (*low..=*high).contains(&byte))
}

/// Adds a state and all that it leads to without a byte.
fn close(states: &[State], state: usize, set: &mut Vec<usize>, seen: &mut [bool]) {
    let mut open = vec![state];
    while let Some(state) = open.pop() {
        match seen.get_mut(state) {
            Some(seen) if !*seen => *seen = true,
            _ => continue,
        }
        match states.get(state) {
            Some(State::Either(ways)) => open.extend(ways.iter().rev()),
            Some(_) => set.push(state),
            None => {}
        }
    }
}

fn rows(states: &[State], start: usize) -> Result<Rows, String> {
    let (columns, samples) = columns(states);
    let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
    let mut numbers: HashMap<Vec<usize>, usize> = HashMap::from([(Vec::new(), 0)]);
    let mut set_of = |mut set: Vec<usize>, sets: &mut Vec<Vec<usize>>| {
        set.sort_unstable();
        *numbers.entry(set).or_insert_with_key(|set| {
            sets.push(set.clone());
            sets.len() - 1
        })
    };
    let mut first = Vec::new();
    close(states, start, &mut first, &mut vec![false; states.len()]);
    set_of(first, &mut sets);
    let mut next: Vec<usize> = vec![0; samples.len()];
    let mut row = 1;
    while let Some(from) = sets.get(row).cloned() {
        if sets.len() > MOST_ROWS {
            return Err("the expression is too large\nrepeat less, or give fewer alternatives".into());
        }
        for byte in &samples {
            let mut to = Vec::new();
            let mut seen = vec![false; states.len()];
            for state in &from {
                if let Some(State::Bytes(ranges, after)) = states.get(*state)
                    && holds(ranges, *byte)
                {
                    close(states, *after, &mut to, &mut seen);
                }
            }
            next.push(set_of(to, &mut sets));
        }
        row += 1;
    }
    Ok(ordered(&sets, &next, columns, samples.len()))
}

/// Numbers the rows anew, those that are matches last.
fn ordered(sets: &[Vec<usize>], next: &[usize], columns: [u8; 256], width: usize) -> Rows {
    let is_match = |set: &Vec<usize>| set.contains(&0);
    let (others, matches): (Vec<usize>, Vec<usize>) =
        (0..sets.len()).partition(|row| !sets.get(*row).is_some_and(is_match));
    let order: Vec<usize> = others.iter().chain(&matches).copied().collect();
    let mut numbers = vec![0_u16; order.len()];
    for (number, row) in (0_u16..).zip(&order) {
        if let Some(slot) = numbers.get_mut(*row) {
            *slot = number;
        }
    }
    let row = |row: &usize| next.get(row * width..(row + 1) * width).unwrap_or_default().iter();
    let renumbered = order.iter().flat_map(row).map(|to| numbers.get(*to).copied().unwrap_or_default());
    Rows { columns, width, accepting: others.len(), next: renumbered.collect() }
}
