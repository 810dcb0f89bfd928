//! `ruleward schema`: the JSON Schema of policies, for editors.

use std::process::ExitCode;

use clap::ValueEnum;

use super::Exit;
use crate::io::policy::schema;
use crate::io::stdio;

/// Print the JSON Schema of policies, for editors
///
/// The first line of a policy points an editor to it:
/// `# yaml-language-server: $schema=policy.schema.json`
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// What the schema is of.
    #[arg(value_enum, default_value_t = Of::Policy)]
    of: Of,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Of {
    /// Policy files.
    Policy,
    /// Test files.
    Suite,
}

pub(super) fn run(args: &Args) -> ExitCode {
    stdio::print(&match args.of {
        Of::Policy => schema::policy(),
        Of::Suite => schema::suite(),
    });
    Exit::Done.into()
}
