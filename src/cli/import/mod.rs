//! `ruleward import`: imports configurations of other tools.

mod hooks;

use std::fmt::Write as _;
use std::path::PathBuf;

use crate::cli::output::print::print_file;
use crate::cli::{CommandError, ExitStatus};
use crate::domain::secret::spec::{DeclaredTier, DetectorSpec};
use crate::io::files;
use crate::io::process::stdio;
use crate::io::scan::gitleaks;

/// Import hooks of coding agents, or secret detectors of another tool
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Hooks(hooks::Args),
    /// Convert the rules of a gitleaks configuration to `detectors:` of a policy
    ///
    /// Rules that can't be converted are listed on standard error, with the reason.
    Gitleaks {
        /// The configuration, such as `.gitleaks.toml`.
        file: PathBuf,
    },
}

#[inline(never)]
pub(super) fn run(args: &Args) -> Result<ExitStatus, CommandError> {
    let file = match &args.command {
        Command::Hooks(args) => return hooks::run(args),
        Command::Gitleaks { file } => file,
    };
    let text = files::read_text(&file.to_string_lossy())?;
    let imported = gitleaks::import(&text).map_err(|error| {
        CommandError::Failed(format!("{} is not a gitleaks configuration: {error}", file.display()))
    })?;
    for (id, reason) in &imported.skipped {
        stdio::print_stderr(&format!("{id}: {reason}"));
    }
    stdio::print_stderr(&format!("{} detectors converted", imported.entries.len()));
    print_file(&detectors_yaml(&imported.entries));
    Ok(ExitStatus::Success)
}

/// Returns detectors as a policy has them.
fn detectors_yaml(entries: &[DetectorSpec]) -> String {
    let mut text = String::from("detectors:\n");
    for entry in entries {
        let tier = match entry.tier {
            DeclaredTier::Generic => "generic",
            DeclaredTier::Paired => "paired",
            DeclaredTier::Strong => "strong",
        };
        let _ = writeln!(text, "  - id: {}\n    name: {}", entry.id, quote(&entry.name));
        if let Some(token) = &entry.token {
            let _ = writeln!(text, "    token: {}", quote(token));
        }
        if let Some(assigned) = &entry.assigned {
            let (to, value) = (quote_list(&assigned.to), quote(&assigned.value));
            let _ = writeln!(text, "    assigned: {{ to: [{to}], value: {value} }}");
        }
        if !entry.keywords.is_empty() {
            let _ = writeln!(text, "    keywords: [{}]", quote_list(&entry.keywords));
        }
        if let Some(least) = entry.entropy {
            let _ = writeln!(text, "    entropy: {least}");
        }
        let _ = writeln!(text, "    tier: {tier}\n    severity: high\n    advice: {}", entry.advice);
    }
    text
}

fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn quote_list(texts: &[String]) -> String {
    texts.iter().map(|text| quote(text)).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::detectors_yaml;
    use crate::io::policy::detectors::read_files;
    use crate::io::policy::diagnostic::SourceText;
    use crate::io::scan::gitleaks::import;

    #[test]
    fn what_is_written_can_be_read() {
        let text = "[[rules]]\nid = \"a-b\"\ndescription = \"it's: a\"\nregex = '''(?i)x'y_[a-z]{9}'''\nentropy = 2.5\nkeywords = [\"x'y_\"]\n";
        let entries = import(text).unwrap().entries;
        assert_eq!(read_files(&[SourceText::new("x", detectors_yaml(&entries))]).unwrap(), entries);
        assert_eq!(entries.len(), 1);
    }
}
