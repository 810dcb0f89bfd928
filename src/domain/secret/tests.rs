//! Properties of the parts of the scan.

use std::cell::Cell;

use super::table::KEYWORDS;
use super::{CustomDetectors, DETECTORS, Finding, Tier, checksum, placeholder, redact, scan};

const BASE62: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A deterministic source of pseudorandom numbers.
struct TestRng(u64);

impl TestRng {
    fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 40).unwrap()
    }

    fn text(&mut self, alphabet: &[u8], len: usize) -> String {
        (0..len).map(|_| char::from(alphabet[self.next() % alphabet.len()])).collect()
    }
}

#[test]
fn random_tokens_are_no_placeholders() {
    let mut dice = TestRng(3);
    let lost = |alphabet: &[u8], len, dice: &mut TestRng| {
        (0..20_000).filter(|_| placeholder::is_placeholder(&dice.text(alphabet, len))).count()
    };
    assert_eq!(lost(BASE62, 40, &mut dice), 0);
    assert_eq!(lost(BASE64, 40, &mut dice), 0);
    assert!(lost(b"0123456789abcdef", 32, &mut dice) <= 2);
    let plain = (0..20_000).filter(|_| !placeholder::looks_random(&dice.text(BASE62, 32))).count();
    assert!(plain < 1_000, "{plain} of 20,000");
}

#[test]
fn overlapping_values_are_replaced_as_one() {
    let detector = DETECTORS.iter().find(|row| row.id == "bearer-token").unwrap();
    let span =
        |span: std::ops::Range<usize>| Finding { detector, tier: Tier::Generic, span, line: 1, encodings: Vec::new() };
    let text = "abcdef abc cdef abcd";
    // `abc`, `abcdef` and `cdef`.
    let shown = redact(text, &[span(0..6), span(7..10), span(11..15)]);
    assert_eq!(shown.split_whitespace().filter(|word| word.starts_with("[bearer-token:")).count(), 4);
    assert!(shown.ends_with('d') && !shown.contains("abc") && !shown.contains("cdef"), "{shown}");
}

#[test]
fn checksums_are_the_known_ones() {
    assert_eq!(checksum::crc32(b"123456789"), 0xcbf4_3926);
    // From BIP 173.
    assert!(checksum::is_bech32("A12UEL5L"));
    assert!(!checksum::is_bech32("A12UEL5A") && !checksum::is_bech32("UEL5L") && !checksum::is_bech32(""));
}

#[test]
fn keywords_are_found_wherever_the_work_is_divided() {
    const KEYWORD: &[u8] = b"sk_live_";
    for len in [40, 41, 42, 43, (1 << 20) + 5] {
        for boundary in (0..=8_usize).map(|eighth| eighth * len / 8) {
            let places = boundary.saturating_sub(KEYWORD.len() + 1)..=(boundary + 1).min(len - KEYWORD.len());
            for at in places.step_by(if len > 100 { 8 } else { 1 }) {
                let mut text = vec![b'.'; len];
                text[at..at + KEYWORD.len()].copy_from_slice(KEYWORD);
                let end = at + KEYWORD.len();
                let parts = KEYWORDS.find_hits(&text, |found: &mut bool, hit| {
                    let is_it = KEYWORDS.outputs(hit).iter().any(|it| usize::from(it.len) == KEYWORD.len());
                    *found |= hit.end == end && is_it;
                });
                assert!(parts.contains(&true), "{at} of {len}");
            }
        }
    }
}

/// Returns how many bytes are read beyond the one pass over the text.
fn bytes_scanned(text: &str) -> usize {
    let work = Cell::new(0);
    let _ = scan::find_candidates(text, &CustomDetectors::default(), &|_| true, &work);
    work.get()
}

/// Prefixes without an end, which would make a search backtrack.
const UNTERMINATED_PREFIXES: &[&str] = &[
    "AKIA",
    "AKIA ",
    "password=",
    "password=\"",
    "password: x, ",
    "eyJ",
    "eyJh.eyJh.",
    "eyJhbGciOi-",
    "-----BEGIN ",
    "-----BEGIN RSA PRIVATE KEY-----\n",
    "-----BEGIN PRIVATE KEY-----Ab-c: ",
    "Private-Lines: 3 ",
    "://",
    "https://a:",
    "https://a:b@",
    "postgres://u:p",
    "sk-",
    "sk-ant-api03-",
    "sk-T3BlbkFJ",
    "sig=",
    "&sig=A",
    "glpat-",
    "hvs.-",
    "xoxb-1-",
    "ghp_",
    "Z2hwX",
    "LS0tLS1CRUdJT",
    "6768705f",
    "kind: Secret\n",
    "kind: Secret\ndata:\n  a: b\n",
    "twilio ",
    "twilio\nSK",
    ".atlasv1.",
    "curl -u ",
    "machine a login b ",
    "bearer ",
    "authorization: basic ",
    "token",
    "token(",
    "secret:\n",
    "\\",
    "\"",
    "api_key = get(",
    "discord MTEx-",
    "akia asia ",
    ":5432:",
    "AccountKey=",
    "%2f",
    "\\u002f",
    "\\/x",
    "akia%2f",
];

#[test]
fn work_grows_with_the_text_and_not_faster() {
    const SIZE: usize = 8 << 10;
    for piece in UNTERMINATED_PREFIXES {
        for glue in ["", "a", " ", "-", "=\"", "\n"] {
            let unit = format!("{piece}{glue}");
            let (half, whole) =
                (bytes_scanned(&unit.repeat(SIZE / unit.len())), bytes_scanned(&unit.repeat(2 * SIZE / unit.len())));
            assert!(whole <= half * 5 / 2 + 4096, "{unit:?}: {half}, then {whole}");
            assert!(whole <= 2 * SIZE * 400, "{unit:?}: {whole} for {} bytes", 2 * SIZE);
        }
    }
}
