//! Tests that hold for every row: its samples match, and its check rejects a wrong digit.

use proptest::prelude::*;

use super::kind::{Detection, PiiKind};
use super::{KINDS, scan};

fn find_values(kind: &PiiKind, text: &str) -> Vec<String> {
    let found = scan(text, |other| other.id == kind.id);
    found.iter().map(|finding| text.get(finding.span.clone()).unwrap().to_owned()).collect()
}

#[test]
fn every_row_sees_its_samples_and_nothing_near() {
    let mut wrong = Vec::new();
    for kind in KINDS {
        assert!(!kind.positive.is_empty() && !kind.negative.is_empty(), "{}", kind.id);
        wrong.extend(
            kind.positive
                .iter()
                .filter(|text| find_values(kind, text).len() != 1)
                .map(|text| ("missed", kind.id, *text)),
        );
        wrong.extend(
            kind.negative
                .iter()
                .filter(|text| !find_values(kind, text).is_empty())
                .map(|text| ("found", kind.id, *text)),
        );
    }
    assert_eq!(wrong, []);
}

#[test]
fn ids_tell_kinds_apart_and_words_are_in_lower_case() {
    let mut ids: Vec<&str> = KINDS.iter().map(|kind| kind.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), KINDS.len());
    for kind in KINDS {
        assert!(kind.context_words.iter().all(|word| *word == word.to_lowercase()), "{}", kind.id);
        if let Detection::Number(forms, _) = kind.detection {
            assert_eq!(forms.iter().any(|form| form.needs_context), !kind.context_words.is_empty(), "{}", kind.id);
        }
    }
}

/// Kinds whose check detects every wrong digit; the others have no check digit, or a weaker one.
const FULL_CHECK_KINDS: &[&str] = &[
    "credit-card",
    "iban",
    "es-dni",
    "uk-nhs",
    "nl-bsn",
    "pl-pesel",
    "in-aadhaar",
    "ca-sin",
    "au-tfn",
    "ch-ahv",
    "cn-resident-id",
    "se-personal-number",
    "za-identity",
    "de-tax-id",
    "fr-nir",
    "cl-rut",
    "sg-nric",
    "tr-citizen",
    "br-cpf",
    "br-cnpj",
    "no-birth-number",
];

#[test]
fn a_wrong_digit_is_seen() {
    for kind in KINDS.iter().filter(|kind| FULL_CHECK_KINDS.contains(&kind.id)) {
        let text = kind.positive[0];
        let value = &find_values(kind, text).pop().unwrap_or_else(|| panic!("{}: {text}", kind.id));
        let start = text.find(value.as_str()).unwrap();
        for at in (start..start + value.len()).filter(|at| text.as_bytes()[*at].is_ascii_digit()) {
            for digit in b'0'..=b'9' {
                let mut wrong = text.as_bytes().to_vec();
                if std::mem::replace(&mut wrong[at], digit) != digit {
                    let wrong = String::from_utf8(wrong).unwrap();
                    assert_eq!(find_values(kind, &wrong), [""; 0], "{}: {wrong}", kind.id);
                }
            }
        }
    }
}

/// Returns a random number of a format.
fn random_number(shape: &str, random: &[u8], separator: &str) -> String {
    let signs = shape.bytes().zip(random.iter().cycle());
    signs
        .map(|(sign, random)| match sign {
            b'9' => char::from(b'0' + random % 10).to_string(),
            b'A' => char::from(b'A' + random % 26).to_string(),
            b'X' | b'M' if random % 36 < 10 => char::from(b'0' + random % 36).to_string(),
            b'X' | b'M' => char::from(b'A' + random % 36 - 10).to_string(),
            b'_' => separator.to_owned(),
            literal => char::from(literal).to_string(),
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_number_is_found_if_and_only_if_it_passes(
        row in 0..KINDS.len(), form in 0..64_usize, random in prop::collection::vec(any::<u8>(), 64), separator in "[ -]?",
    ) {
        let kind = &KINDS[row];
        if let Detection::Number(forms, check) = kind.detection {
            let value = random_number(forms[form % forms.len()].pattern, &random, &separator);
            let compact: Vec<u8> = value.bytes().filter(|byte| byte.is_ascii_alphanumeric() || *byte == b'<').collect();
            let word = kind.context_words.first().copied().unwrap_or_default();
            let found = find_values(kind, &format!("{word}: {value} "));
            prop_assert_eq!(found.contains(&value), check(&compact), "{}: {}", kind.id, value);
        }
    }

    #[test]
    fn any_text_can_be_searched(text in any::<String>()) {
        for finding in scan(&text, |_| true) {
            prop_assert!(text.get(finding.span.clone()).is_some());
            finding.masked(&text);
        }
    }

    #[test]
    fn no_message_holds_a_value(row in 0..KINDS.len()) {
        let kind = &KINDS[row];
        for text in kind.positive {
            for finding in scan(text, |other| other.id == kind.id) {
                prop_assert!(!finding.masked(text).contains(text.get(finding.span.clone()).unwrap()));
            }
        }
    }
}
