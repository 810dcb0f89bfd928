//! Telephone numbers: international ones by their `+`, North American ones by their format, others next to a context
//! word.

use std::ops::Range;

use super::number_pattern::{is_word_byte, may_end};

/// The maximum length of a written number, in bytes.
const MAX_LEN: usize = 24;

/// Returns the telephone number that begins at this position, and whether it needs a context word.
pub(super) fn phone_number(text: &[u8], at: usize) -> Option<(Range<usize>, bool)> {
    let first = *text.get(at)?;
    if !matches!(first, b'+' | b'(' | b'0'..=b'9') {
        return None;
    }
    let before = at.checked_sub(1).and_then(|at| text.get(at)).copied();
    if before.is_some_and(|byte| is_word_byte(byte) || b"+-.)/:#$@=&".contains(&byte) && byte != b':' && byte != b'=') {
        return None;
    }
    let written = DigitRun::parse(text, at)?;
    let end = at + written.length;
    if !may_end(text, end) || written.digits.windows(6).any(|six| six.iter().all(|digit| Some(digit) == six.first())) {
        return None;
    }
    let span = at..end;
    match first {
        b'+' => written.is_international().then_some((span, written.groups < 3)),
        _ if written.is_north_american() => Some((span, written.groups < 3)),
        _ => written.is_national(first).then_some((span, true)),
    }
}

/// A run of digits with the separators between them.
struct DigitRun {
    digits: Vec<u8>,
    groups: usize,
    length: usize,
    /// The length of each group.
    group_sizes: Vec<usize>,
}

impl DigitRun {
    fn parse(text: &[u8], at: usize) -> Option<Self> {
        let (mut digits, mut sizes, mut length, mut size) = (Vec::new(), Vec::new(), 0, 0);
        let mut separators = 0;
        for (offset, byte) in text.get(at..)?.iter().take(MAX_LEN).enumerate() {
            match byte {
                b'0'..=b'9' => {
                    digits.push(byte - b'0');
                    size += 1;
                    separators = 0;
                    length = offset + 1;
                }
                b'+' if offset == 0 => {}
                b' ' | b'-' | b'.' | b'(' | b')' | b'/' if separators < 2 => {
                    separators += 1;
                    if size > 0 {
                        sizes.push(size);
                        size = 0;
                    }
                }
                _ => break,
            }
        }
        sizes.extend((size > 0).then_some(size));
        (!digits.is_empty()).then_some(Self { digits, groups: sizes.len(), length, group_sizes: sizes })
    }

    /// Returns whether this is a country code and a subscriber: eight to fifteen digits in all.
    fn is_international(&self) -> bool {
        (8..=15).contains(&self.digits.len()) && self.digits.first().is_some_and(|digit| *digit != 0)
    }

    /// Returns whether this is a national number: with a leading 0, an area code in brackets, or in groups.
    fn is_national(&self, first: u8) -> bool {
        let dialled = matches!(first, b'0' | b'(') && self.groups >= 2;
        (7..=13).contains(&self.digits.len()) && (dialled || self.groups >= 3)
    }

    /// Returns whether this is an area, an exchange and a line, as 415-555-2671; fictional numbers do not count.
    fn is_north_american(&self) -> bool {
        let [3, 3, 4] = *self.group_sizes.as_slice() else { return false };
        let [area, _, _, exchange, second, third, line, ..] = *self.digits.as_slice() else { return false };
        let is_story = (exchange, second, third, line) == (5, 5, 5, 0);
        area >= 2 && exchange >= 2 && (second, third) != (1, 1) && !is_story
    }
}
