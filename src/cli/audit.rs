//! `ruleward audit`: where the record is, and whether it is intact.

use std::path::PathBuf;

use crate::cli::args::records::{RecordSource, read_records};
use crate::cli::output::palette::Palette;
use crate::cli::output::print::print;
use crate::cli::{CommandError, ExitStatus};
use crate::io::audit::{self, LogState, MirroredLog};
use crate::io::platform::Platform;

/// Verify or locate the audit log
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Check that no record was changed, moved or removed
    ///
    /// Compares the log with its copy to detect a deleted or shortened log. Prints the last hash:
    /// store it elsewhere to detect this even if the copy is gone.
    Verify {
        #[command(flatten)]
        source: RecordSource,
        /// The last hash of an earlier check, which the chain must still contain.
        #[arg(long, value_name = "HASH")]
        expect: Option<String>,
    },
    /// Print the paths of the log files, oldest first
    Path,
}

#[inline(never)]
pub(super) fn run(args: &Args) -> Result<ExitStatus, CommandError> {
    match &args.command {
        Command::Verify { source, expect } => verify(source, expect.as_deref()),
        Command::Path => RecordSource::default().files().map(|files| {
            for file in files {
                print(&format!("{}\n", file.display()));
            }
            ExitStatus::Success
        }),
    }
}

fn verify(source: &RecordSource, expect: Option<&str>) -> Result<ExitStatus, CommandError> {
    let files: Vec<PathBuf> = source.files()?;
    let found = audit::verify(&files)?;
    let palette = Palette::for_stdout();
    for broken in &found.breaks {
        print(&format!("{}:{}: {}\n", broken.file.display(), broken.line, palette.error(broken.message)));
    }
    let known = match expect {
        None => true,
        Some(expected) if found.last_hash == expected => true,
        Some(expected) => {
            let hash = |entry: audit::AuditRecord| {
                entry.value().get("ruleward.chain.hash").and_then(|it| it.as_str().map(ToOwned::to_owned))
            };
            read_records(&files)?.filter_map(hash).any(|hash| hash == expected)
        }
    };
    if !known {
        print(&format!("{}\n", palette.error("the expected hash is missing: records were removed from the end")));
    }
    let lost = if source.files.is_empty() { lost_records() } else { None };
    if let Some(lost) = &lost {
        print(&format!("{}\n", palette.error(lost)));
    }
    let whole = found.breaks.is_empty() && known && lost.is_none();
    let verdict = if whole { palette.success("whole") } else { palette.error("broken") };
    let since = if found.is_complete { "from the first record" } else { "older records were rotated out" };
    print(&format!("{verdict}: {} records, {since}; last hash {}\n", found.records, found.last_hash));
    Ok(if whole { ExitStatus::Success } else { ExitStatus::Failure })
}

/// Returns what became of the log, by its copy.
fn lost_records() -> Option<String> {
    let log = MirroredLog::open(&Platform::current())?;
    let state = log.compare();
    (state != LogState::Intact).then(|| format!("{}: {}", log.log.display(), state.describe()))
}
