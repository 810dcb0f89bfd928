//! `ruleward accept`: a person looks at what calls have changed of the guard, and decides.

use std::fmt::Write as _;

use annotate_snippets::normalize_untrusted_str;

use crate::cli::approval::approve;
use crate::cli::output::diff::unified_diff;
use crate::cli::output::print::print;
use crate::cli::{CommandError, ExitStatus};
use crate::io::integrity::{Review, ReviewedChange};
use crate::io::platform::Platform;
use crate::io::process::stdio::print_stderr;

/// Review changes to ruleward's files, and accept or discard them
///
/// If a call changes a file that ruleward depends on (a registration, a policy, a record), every
/// call is denied until you review the change. Shows each change and whether it was reverted.
/// Accepting applies the changed version; `--discard` keeps the previous one. Requires a person at
/// a terminal.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Keep the previous versions.
    #[arg(long)]
    discard: bool,
    /// Don't ask for confirmation; still requires a terminal.
    #[arg(long)]
    yes: bool,
}

#[inline(never)]
pub(super) fn run(args: &Args) -> Result<ExitStatus, CommandError> {
    let platform = Platform::current();
    let Some(review) = Review::open(&platform) else {
        print("no changes to review\n");
        return Ok(ExitStatus::Success);
    };
    print(&as_text(&review.changes()));
    let question =
        if args.discard { "\nKeep the previous versions?" } else { "\nApply the changes made by the calls?" };
    if approve(&platform, (!args.yes).then_some(question))?.is_none() {
        print("Nothing was changed. Calls are still denied.\n");
        return Ok(ExitStatus::Failure);
    }
    let failures = review.finish(!args.discard).map_err(|error| CommandError::failed(&error))?;
    for failure in &failures {
        print_stderr(&format!("error: {}", normalize_untrusted_str(failure)));
    }
    let done = if args.discard { "The previous versions were kept" } else { "The changes were accepted" };
    print(&format!("{done}. Calls are evaluated again.\n"));
    Ok(if failures.is_empty() { ExitStatus::Success } else { ExitStatus::Failure })
}

fn as_text(changes: &[ReviewedChange]) -> String {
    let mut text = String::new();
    for change in changes {
        let path = normalize_untrusted_str(&change.path);
        let _written = writeln!(text, "{path}: {}", normalize_untrusted_str(&change.text));
        match (&change.before, &change.after) {
            (Some(before), Some(after)) => {
                for line in unified_diff(&change.path, before, after).lines() {
                    let _written = writeln!(text, "  {}", normalize_untrusted_str(line));
                }
            }
            (None, None) => {}
            _ => text.push_str("  its content is unknown\n"),
        }
    }
    text
}
