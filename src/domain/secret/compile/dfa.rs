//! Compiles an expression to a table that tells, byte by byte, whether a text still matches.
//!
//! The expression becomes a nondeterministic automaton; the sets of its states that texts can reach become the rows of
//! the table. Bytes that the expression never distinguishes share a column.

use std::collections::HashMap;

use regex_syntax::hir::{Class, Hir, HirKind};

use super::error::ExpressionError;

/// The maximum number of states of the nondeterministic automaton.
const MAX_NFA_STATES: usize = 8_192;

/// The maximum number of rows of a table.
const MAX_DFA_STATES: usize = 4_096;

/// A table for one expression. Row 0 is the dead state, row 1 the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dfa {
    /// The column of each byte.
    pub byte_classes: [u8; 256],
    /// Columns of a row.
    pub class_count: usize,
    /// The first row in which the text so far is a match; all after it are such rows too.
    pub first_accepting: usize,
    /// The next row, by row and column, the lower byte first.
    pub transitions: Vec<[u8; 2]>,
}

/// What one state does with a text.
#[derive(Debug, Clone)]
enum NfaState {
    /// Continues by one of these bytes, to the next state.
    Bytes(Vec<(u8, u8)>, usize),
    /// Continues at each of these without a byte.
    Epsilon(Vec<usize>),
    /// Accepts.
    Match,
}

/// Builds the table of an expression.
///
/// # Errors
/// Fails if the expression is too large.
pub(super) fn build(hir: &Hir) -> Result<Dfa, ExpressionError> {
    let mut states = vec![NfaState::Match];
    let start = add_states(&mut states, hir, 0)?;
    determinize(&states, start)
}

fn push_state(states: &mut Vec<NfaState>, state: NfaState) -> Result<usize, ExpressionError> {
    if states.len() >= MAX_NFA_STATES {
        return Err(ExpressionError::TooLarge);
    }
    states.push(state);
    Ok(states.len() - 1)
}

/// Adds the states of an expression that is followed by `after`; returns its first state.
fn add_states(states: &mut Vec<NfaState>, hir: &Hir, after: usize) -> Result<usize, ExpressionError> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Ok(after),
        HirKind::Capture(capture) => add_states(states, &capture.sub, after),
        HirKind::Literal(literal) => literal
            .0
            .iter()
            .rev()
            .try_fold(after, |next, byte| push_state(states, NfaState::Bytes(vec![(*byte, *byte)], next))),
        HirKind::Class(class) => {
            let ranges = byte_ranges(class);
            push_state(states, NfaState::Bytes(ranges, after))
        }
        HirKind::Concat(parts) => parts.iter().rev().try_fold(after, |next, part| add_states(states, part, next)),
        HirKind::Alternation(parts) => {
            let ways = parts.iter().map(|part| add_states(states, part, after)).collect::<Result<Vec<_>, _>>()?;
            push_state(states, NfaState::Epsilon(ways))
        }
        HirKind::Repetition(repetition) => {
            let mut next = after;
            match repetition.max {
                None => {
                    let again = push_state(states, NfaState::Epsilon(Vec::new()))?;
                    let inner = add_states(states, &repetition.sub, again)?;
                    if let Some(state) = states.get_mut(again) {
                        *state = NfaState::Epsilon(vec![inner, after]);
                    }
                    next = again;
                }
                Some(max) => {
                    for _ in repetition.min..max {
                        let inner = add_states(states, &repetition.sub, next)?;
                        next = push_state(states, NfaState::Epsilon(vec![inner, after]))?;
                    }
                }
            }
            (0..repetition.min).try_fold(next, |next, _| add_states(states, &repetition.sub, next))
        }
    }
}

fn byte_ranges(class: &Class) -> Vec<(u8, u8)> {
    match class {
        Class::Bytes(bytes) => bytes.ranges().iter().map(|range| (range.start(), range.end())).collect(),
        // The parser is configured not to produce these; those that are ASCII mean the same.
        Class::Unicode(signs) => {
            let byte = |sign: char| u8::try_from(u32::from(sign)).unwrap_or(u8::MAX);
            signs.ranges().iter().map(|range| (byte(range.start()), byte(range.end()))).collect()
        }
    }
}

/// Returns a column for each byte, and one byte of each column.
fn byte_classes(states: &[NfaState]) -> ([u8; 256], Vec<u8>) {
    let mut begins = [false; 257];
    for state in states {
        let NfaState::Bytes(ranges, _) = state else { continue };
        for (low, high) in ranges {
            for edge in [usize::from(*low), usize::from(*high) + 1] {
                if let Some(begin) = begins.get_mut(edge) {
                    *begin = true;
                }
            }
        }
    }
    // Ranges of bytes between two edges behave alike; those that every state treats alike share a column.
    let mut known: HashMap<Vec<bool>, u8> = HashMap::new();
    let mut columns = [0; 256];
    let mut samples = Vec::new();
    let mut current = 0;
    for (byte, column) in (0..=u8::MAX).zip(&mut columns) {
        if byte == 0 || begins.get(usize::from(byte)).copied().unwrap_or(false) {
            let ways = states.iter().filter_map(|state| match state {
                NfaState::Bytes(ranges, _) => Some(in_ranges(ranges, byte)),
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

fn in_ranges(ranges: &[(u8, u8)], byte: u8) -> bool {
    ranges.iter().any(|(low, high)| (*low..=*high).contains(&byte))
}

/// Adds a state and all that are reachable from it without a byte.
fn epsilon_closure(states: &[NfaState], state: usize, set: &mut Vec<usize>, seen: &mut [bool]) {
    let mut open = vec![state];
    while let Some(state) = open.pop() {
        match seen.get_mut(state) {
            Some(seen) if !*seen => *seen = true,
            _ => continue,
        }
        match states.get(state) {
            Some(NfaState::Epsilon(ways)) => open.extend(ways.iter().rev()),
            Some(_) => set.push(state),
            None => {}
        }
    }
}

fn determinize(states: &[NfaState], start: usize) -> Result<Dfa, ExpressionError> {
    let (columns, samples) = byte_classes(states);
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
    epsilon_closure(states, start, &mut first, &mut vec![false; states.len()]);
    set_of(first, &mut sets);
    let mut next: Vec<usize> = vec![0; samples.len()];
    let mut row = 1;
    while let Some(from) = sets.get(row).cloned() {
        if sets.len() > MAX_DFA_STATES {
            return Err(ExpressionError::TooLarge);
        }
        for byte in &samples {
            let mut to = Vec::new();
            let mut seen = vec![false; states.len()];
            for state in &from {
                if let Some(NfaState::Bytes(ranges, after)) = states.get(*state)
                    && in_ranges(ranges, *byte)
                {
                    epsilon_closure(states, *after, &mut to, &mut seen);
                }
            }
            next.push(set_of(to, &mut sets));
        }
        row += 1;
    }
    Ok(order_states(&sets, &next, columns, samples.len()))
}

/// Renumbers the rows, accepting ones last.
fn order_states(sets: &[Vec<usize>], next: &[usize], columns: [u8; 256], width: usize) -> Dfa {
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
    let renumbered = order.iter().flat_map(row).map(|to| numbers.get(*to).copied().unwrap_or_default().to_le_bytes());
    Dfa { byte_classes: columns, class_count: width, first_accepting: others.len(), transitions: renumbered.collect() }
}
