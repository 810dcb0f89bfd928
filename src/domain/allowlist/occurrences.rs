//! Counts how often values occur in a text.

use std::collections::{BTreeSet, HashMap};

/// The number of bytes by which the possible beginning of a value is recognised.
const PREFIX_BYTES: usize = 6;

/// Returns for each value how often it occurs in the text. Values are distinct and not empty.
///
/// It takes one pass: a position is only compared with the values that begin as it does, and with one of those for
/// each length.
pub fn count_occurrences(text: &str, values: &[&str]) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut counts: HashMap<&[u8], usize> = values.iter().map(|value| (value.as_bytes(), 0)).collect();
    let mut lengths: HashMap<&[u8], BTreeSet<usize>> = HashMap::new();
    for value in values {
        let value = value.as_bytes();
        lengths.entry(value.get(..PREFIX_BYTES).unwrap_or(value)).or_default().insert(value.len());
    }
    let heads: BTreeSet<usize> = lengths.keys().map(|head| head.len()).collect();
    for at in 0..bytes.len() {
        let rest = bytes.get(at..).unwrap_or_default();
        let fitting = heads.iter().filter_map(|length| lengths.get(rest.get(..*length)?));
        for length in fitting.flatten() {
            if let Some(count) = rest.get(..*length).and_then(|piece| counts.get_mut(piece)) {
                *count += 1;
            }
        }
    }
    values.iter().map(|value| counts.get(value.as_bytes()).copied().unwrap_or_default()).collect()
}

#[cfg(test)]
mod tests {
    use super::count_occurrences;

    #[test]
    fn every_place_counts() {
        let text = "abcdefgh abcdefg x abcdefgh xé x";
        assert_eq!(count_occurrences(text, &["abcdefgh", "x", "xé", "abcdefg", "none"]), [2, 3, 1, 3, 0]);
    }
}
