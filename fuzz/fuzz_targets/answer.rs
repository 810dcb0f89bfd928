//! See `ruleward_fuzz`, which says what must hold.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ruleward_fuzz::run("answer", bytes));
