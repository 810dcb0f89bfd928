//! `ruleward import`: what other tools were told, in this one's words.

mod hooks;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use super::Exit;
use crate::domain::secret::entry::{Entry, WrittenTier};
use crate::io::stdio;
use crate::io::{files, gitleaks};

/// Take over hooks of coding agents, or detectors of secrets of another tool
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Hooks(hooks::Args),
    /// Write the rules of a gitleaks configuration as `detectors:` of a policy
    ///
    /// What cannot be taken over is told on standard error, each with its reason.
    Gitleaks {
        /// The configuration, such as `.gitleaks.toml`.
        file: PathBuf,
    },
}

pub(super) fn run(args: &Args) -> ExitCode {
    let file = match &args.command {
        Command::Hooks(args) => return hooks::run(args),
        Command::Gitleaks { file } => file,
    };
    let text = match files::text(&file.to_string_lossy()) {
        Ok(text) => text,
        Err(why) => {
            stdio::say(&format!("error: {why}"));
            return Exit::Usage.into();
        }
    };
    match gitleaks::import(&text) {
        Ok(imported) => {
            for (id, reason) in &imported.left {
                stdio::say(&format!("{id}: {reason}"));
            }
            stdio::say(&format!("{} detectors taken over", imported.entries.len()));
            stdio::print(&written(&imported.entries));
            Exit::Done.into()
        }
        Err(reason) => {
            stdio::say(&format!("error: {} is no configuration of gitleaks: {reason}", file.display()));
            Exit::Failed.into()
        }
    }
}

/// Returns detectors as a policy has them.
fn written(entries: &[Entry]) -> String {
    let mut text = String::from("detectors:\n");
    for entry in entries {
        let tier = match entry.tier {
            WrittenTier::Generic => "generic",
            WrittenTier::Paired => "paired",
            WrittenTier::Strong => "strong",
        };
        let _ = writeln!(text, "  - id: {}\n    name: {}", entry.id, quoted(&entry.name));
        if let Some(token) = &entry.token {
            let _ = writeln!(text, "    token: {}", quoted(token));
        }
        if let Some(assigned) = &entry.assigned {
            let (to, value) = (listed(&assigned.to), quoted(&assigned.value));
            let _ = writeln!(text, "    assigned: {{ to: [{to}], value: {value} }}");
        }
        if !entry.keywords.is_empty() {
            let _ = writeln!(text, "    keywords: [{}]", listed(&entry.keywords));
        }
        if let Some(least) = entry.entropy {
            let _ = writeln!(text, "    entropy: {least}");
        }
        let _ = writeln!(text, "    tier: {tier}\n    severity: high\n    advice: {}", entry.advice);
    }
    text
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn listed(texts: &[String]) -> String {
    texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::written;
    use crate::io::gitleaks::import;
    use crate::io::policy::detectors::read_files;
    use crate::io::policy::diagnostic::Source;

    #[test]
    fn what_is_written_can_be_read() {
        let text = "[[rules]]\nid = \"a-b\"\ndescription = \"it's: a\"\nregex = '''(?i)x'y_[a-z]{9}'''\nentropy = 2.5\nkeywords = [\"x'y_\"]\n";
        let entries = import(text).unwrap().entries;
        assert_eq!(read_files(&[Source::new("x", written(&entries))]).unwrap(), entries);
        assert_eq!(entries.len(), 1);
    }
}
