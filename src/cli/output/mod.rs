//! Forms of output that several commands share.

pub(super) mod diff;
pub(super) mod github_annotations;
pub(super) mod page;
pub(super) mod palette;
pub(super) mod print;
pub(super) mod sarif;

/// Returns a number of things: `1 file`, `2 files`.
pub(super) fn pluralize(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Returns a count with its digits in groups of three: `3,481`.
pub(super) fn group_digits(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns what errors say, for an answer in JSON.
pub(super) fn to_texts(errors: &[impl std::fmt::Display]) -> Vec<String> {
    errors.iter().map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::group_digits;

    #[test]
    fn digits_are_in_groups_of_three() {
        for (count, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (12_345, "12,345"), (1_234_567, "1,234,567")] {
            assert_eq!(group_digits(count), text);
        }
    }
}
