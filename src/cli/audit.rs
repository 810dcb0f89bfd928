//! `ruleward audit`: where the record is, and whether it is whole.

use std::path::PathBuf;
use std::process::ExitCode;

use super::Exit;
use super::records::{Source, records};
use super::style::Palette;
use crate::io::{audit, stdio};

/// Look after the audit log
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Prove that no record was changed, moved or taken out
    ///
    /// Prints the last hash: kept elsewhere, it also proves that nothing was cut off the end.
    Verify {
        #[command(flatten)]
        source: Source,
        /// The last hash of an earlier look, which must still stand in the chain's place.
        #[arg(long, value_name = "HASH")]
        expect: Option<String>,
    },
    /// Print the paths of the files, the oldest first
    Path,
}

pub(super) fn run(args: &Args) -> ExitCode {
    let done = match &args.command {
        Action::Verify { source, expect } => verify(source, expect.as_deref()),
        Action::Path => Source::default().files().map(|files| {
            for file in files {
                stdio::print(&format!("{}\n", file.display()));
            }
            Exit::Done
        }),
    };
    done.unwrap_or_else(|why| {
        stdio::say(&format!("error: {why}"));
        Exit::Usage
    })
    .into()
}

fn verify(source: &Source, expect: Option<&str>) -> Result<Exit, String> {
    let files: Vec<PathBuf> = source.files()?;
    let found = audit::verify(&files)?;
    let palette = Palette::for_stdout();
    for broken in &found.broken {
        stdio::print(&format!("{}:{}: {}\n", broken.file.display(), broken.line, palette.bad(broken.what)));
    }
    let known = match expect {
        None => true,
        Some(expected) if found.last == expected => true,
        Some(expected) => {
            let hash = |entry: audit::Entry| {
                entry.value().get("ruleward.chain.hash").and_then(|it| it.as_str().map(ToOwned::to_owned))
            };
            records(&files)?.filter_map(hash).any(|hash| hash == expected)
        }
    };
    if !known {
        stdio::print(&format!("{}\n", palette.bad("the expected hash is not there: records were cut off the end")));
    }
    let whole = found.broken.is_empty() && known;
    let verdict = if whole { palette.good("whole") } else { palette.bad("broken") };
    let since = if found.from_beginning { "from the very first" } else { "older ones were rotated away" };
    stdio::print(&format!("{verdict}: {} records, {since}; last hash {}\n", found.records, found.last));
    Ok(if whole { Exit::Done } else { Exit::Failed })
}
