//! The `ruleward` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    ruleward::cli::main()
}
