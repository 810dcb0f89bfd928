//! The `ruleward` program.

fn main() {}
