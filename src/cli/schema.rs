//! `ruleward schema`: the JSON Schema of policies, for editors.

use clap::ValueEnum;

use crate::cli::ExitStatus;
use crate::io::policy::schema;
use crate::io::process::stdio;

/// Print the JSON Schema of policies, for editors
///
/// To use it, add this line to the top of a policy: `# yaml-language-server:
/// $schema=policy.schema.json`
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The kind of file.
    #[arg(value_enum, default_value_t = SchemaKind::Policy)]
    of: SchemaKind,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum SchemaKind {
    /// Policy files.
    Policy,
    /// Test files.
    Suite,
}

#[inline(never)]
pub(super) fn run(args: &Args) -> ExitStatus {
    stdio::print(match args.of {
        SchemaKind::Policy => schema::POLICY_SCHEMA,
        SchemaKind::Suite => schema::SUITE_SCHEMA,
    });
    ExitStatus::Success
}

#[cfg(test)]
mod tests {
    use crate::adapters::host_names;
    use crate::io::policy::schema_generator::{policy_schema, suite_schema};

    #[test]
    fn the_published_schemas_are_up_to_date() {
        for (name, text) in [("policy", policy_schema(&host_names())), ("suite", suite_schema())] {
            let path = format!("{}/schema/{name}.schema.json", env!("CARGO_MANIFEST_DIR"));
            if std::env::var_os("RULEWARD_BLESS").is_some() {
                std::fs::write(&path, &text).unwrap();
            }
            let stored = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(stored == text, "run the tests with RULEWARD_BLESS=1 to rewrite {path}");
        }
    }
}
