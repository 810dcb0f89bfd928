//! The bundled detectors: a table of constants that the tests generate from `policies/detectors`.
//!
//! `generate` writes the files in `generated`; large tables are bytes, so that the compiler does not have to parse
//! them.

use super::detector::{CompiledExpression, Detector};
use super::keyword_automaton::{CacheAligned, KeywordAutomaton, KeywordOutput};
use super::matcher::DfaRef;

#[rustfmt::skip]
#[path = "generated/detectors.rs"]
mod generated;

/// All detectors that come with the program.
pub static DETECTORS: &[Detector] = &generated::DETECTORS;

/// The automaton of their keywords.
pub(super) static KEYWORDS: &KeywordAutomaton<'static> = &KeywordAutomaton {
    byte_classes: byte_classes(generated::KEYWORD_CLASSES),
    transitions: KEYWORD_ROWS.0.as_chunks().0,
    first_output_state: generated::FIRST_OUTPUT_STATE,
    continuations: CONTINUATIONS.0.as_chunks().0,
    output_offsets: OUTPUT_OFFSETS.0.as_chunks().0,
    outputs: &OUTPUTS,
    max_keyword_len: generated::MAX_KEYWORD_LEN,
};

static KEYWORD_ROWS: &CacheAligned<[u8]> = &CacheAligned(*include_bytes!("generated/keyword-rows.bin"));
static CONTINUATIONS: &CacheAligned<[u8]> = &CacheAligned(*include_bytes!("generated/continuations.bin"));
static OUTPUT_OFFSETS: &CacheAligned<[u8]> = &CacheAligned(*include_bytes!("generated/output-offsets.bin"));
static OUTPUTS: [KeywordOutput; OUTPUT_BYTES.len()] = outputs(OUTPUT_BYTES);
static COLUMNS: &CacheAligned<[u8]> = &CacheAligned(*include_bytes!("generated/columns.bin"));
static EXPRESSION_ROWS: &CacheAligned<[u8]> = &CacheAligned(*include_bytes!("generated/expression-rows.bin"));

/// Only for the compiler; the program uses [`OUTPUTS`].
const OUTPUT_BYTES: &[[[u8; 2]; 4]] = include_bytes!("generated/keyword-outputs.bin").as_chunks().0.as_chunks().0;

/// Returns the byte classes of a table by their number.
const fn byte_classes(number: usize) -> &'static [u8; 256] {
    match COLUMNS.0.as_chunks().0.split_at(number).1 {
        [classes, ..] => classes,
        // Only while the program is compiled: the build fails.
        [] => out_of_step(),
    }
}

/// Returns the expression whose table has these columns and a given number of rows from an offset.
const fn dfa(classes: usize, class_count: usize, first_accepting: usize, at: usize, len: usize) -> CompiledExpression {
    let transitions = EXPRESSION_ROWS.0.as_chunks().0.split_at(at).1.split_at(len).0;
    CompiledExpression::Static(DfaRef {
        byte_classes: byte_classes(classes),
        class_count,
        first_accepting,
        transitions,
    })
}

const fn outputs<const COUNT: usize>(bytes: &[[[u8; 2]; 4]]) -> [KeywordOutput; COUNT] {
    let mut outputs = [KeywordOutput { detector: 0, len: 0, min_lookback: 0, max_lookback: 0 }; COUNT];
    let (mut from, mut to): (_, &mut [KeywordOutput]) = (bytes, &mut outputs);
    while let ([bytes, others @ ..], [output, rest @ ..]) = (from, to) {
        *output = KeywordOutput::from_bytes(*bytes);
        (from, to) = (others, rest);
    }
    outputs
}

#[expect(clippy::panic, reason = "runs while the program is compiled, where it is an error of the compiler")]
const fn out_of_step() -> ! {
    panic!("the files in src/domain/secret/generated do not fit together")
}
