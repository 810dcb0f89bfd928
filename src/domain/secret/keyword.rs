//! The prefilter: where in a text the keywords of which detectors occur.
//!
//! Its tables are built by the compiler, since a process that looks at one short text would otherwise spend most of its
//! time on building them. A keyword is filed under its first three bytes, five bits of each; that folds the two
//! cases of a letter together and confuses a few signs, which the comparison that follows sorts out.

use super::detectors::TABLE;

const BITS: usize = 5;
const SLOTS: usize = 1 << (3 * BITS);

/// One keyword of one detector.
#[derive(Clone, Copy)]
struct Entry {
    detector: usize,
    text: &'static str,
    /// Number of the next entry of the same slot, counted from one; zero ends the chain.
    next: u8,
}

struct Index {
    /// Number of the first entry of each slot, counted from one.
    slots: [u8; SLOTS],
    entries: [Entry; COUNT],
}

const COUNT: usize = count();

static INDEX: Index = build();

/// Reports each occurrence of a keyword, in any case and in order: the detector's number and where the keyword begins.
pub(super) fn each(text: &[u8], mut found: impl FnMut(usize, usize)) {
    let mut slot = 0;
    for (last, byte) in text.iter().enumerate() {
        slot = push(slot, *byte);
        let mut number = INDEX.slots.get(slot).copied().unwrap_or(0);
        while let Some(entry) = usize::from(number).checked_sub(1).and_then(|at| INDEX.entries.get(at)) {
            if let Some(start) = last.checked_sub(2)
                && begins(text, start, entry.text)
            {
                found(entry.detector, start);
            }
            number = entry.next;
        }
    }
}

fn begins(text: &[u8], start: usize, keyword: &str) -> bool {
    text.get(start..start + keyword.len()).is_some_and(|found| found.eq_ignore_ascii_case(keyword.as_bytes()))
}

const fn push(slot: usize, byte: u8) -> usize {
    ((slot << BITS) | (byte & 31) as usize) & (SLOTS - 1)
}

#[expect(clippy::indexing_slicing, reason = "runs in the compiler, where a wrong index is a build error")]
const fn count() -> usize {
    let mut count = 0;
    let mut detector = 0;
    while detector < TABLE.len() {
        count += TABLE[detector].keywords.len();
        detector += 1;
    }
    assert!(count <= u8::MAX as usize, "more keywords than an entry number can count");
    count
}

#[expect(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::large_stack_arrays,
    reason = "runs in the compiler, after `count` made sure that the numbers fit"
)]
const fn build() -> Index {
    let mut index = Index { slots: [0; SLOTS], entries: [Entry { detector: 0, text: "", next: 0 }; COUNT] };
    let mut filled = 0;
    let mut detector = 0;
    while detector < TABLE.len() {
        let keywords = TABLE[detector].keywords;
        let mut keyword = 0;
        while keyword < keywords.len() {
            let text = keywords[keyword];
            let bytes = text.as_bytes();
            let slot = push(push(push(0, bytes[0]), bytes[1]), bytes[2]);
            index.entries[filled] = Entry { detector, text, next: index.slots[slot] };
            filled += 1;
            index.slots[slot] = filled as u8;
            keyword += 1;
        }
        detector += 1;
    }
    index
}
