//! Checks for the numbers of passports.

use super::check::{is_trivial_sequence, mrz_check_sum};

/// The second line of a passport's machine-readable zone: three check digits.
pub(super) fn passport_mrz(value: &[u8]) -> bool {
    let checked = |from: usize, to: usize| {
        let digit = value.get(to).filter(|byte| byte.is_ascii_digit()).map(|byte| u32::from(byte - b'0'));
        digit.is_some() && value.get(from..to).map(mrz_check_sum) == digit
    };
    checked(0, 9) && checked(13, 19) && checked(21, 27)
}

/// A passport number, which only the context word near it identifies.
pub(super) fn passport(value: &[u8]) -> bool {
    let body = value.get(value.len().saturating_sub(6)..).unwrap_or_default();
    !is_trivial_sequence(body) && value.iter().filter(|byte| byte.is_ascii_digit()).count() >= 6
}
