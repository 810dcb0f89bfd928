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

/// Look at what calls have changed of the guard, and accept or discard it
///
/// After a call has changed something that ruleward depends on (a registration, a policy, a record),
/// every call is refused until a person has looked at it. Shows each change, and what became of it.
/// Accepting puts what the call made in place; `--discard` keeps what was there before. Only a person
/// at a terminal can do either.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Keep what was there before.
    #[arg(long)]
    discard: bool,
    /// Do not ask; only at a terminal as well.
    #[arg(long)]
    yes: bool,
}

#[inline(never)]
pub(super) fn run(args: &Args) -> Result<ExitStatus, CommandError> {
    let platform = Platform::current();
    let Some(review) = Review::open(&platform) else {
        print("no change waits for you\n");
        return Ok(ExitStatus::Success);
    };
    print(&as_text(&review.changes()));
    let question =
        if args.discard { "\nKeep what was there before?" } else { "\nPut what the calls made of them in place?" };
    if approve(&platform, (!args.yes).then_some(question))?.is_none() {
        print("Nothing was changed; calls are still refused.\n");
        return Ok(ExitStatus::Failure);
    }
    let failures = review.finish(!args.discard).map_err(|error| CommandError::failed(&error))?;
    for failure in &failures {
        print_stderr(&format!("error: {}", normalize_untrusted_str(failure)));
    }
    let done = if args.discard { "What was there before holds" } else { "The changes are accepted" };
    print(&format!("{done}; calls are judged again.\n"));
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
            _ => text.push_str("  its content is not known\n"),
        }
    }
    text
}
