//! `ruleward undo`: lists what was backed up before calls, and restores it.

mod list;
mod restore;

use std::path::PathBuf;

use crate::cli::output::pluralize;
use crate::cli::output::print::{print, print_json};
use crate::cli::{CommandError, ExitStatus, context};
use crate::domain::text::duration::MaxAge;
use crate::domain::text::suggest;
use crate::io::backup::{self, Header};
use crate::io::platform::Platform;
use crate::io::policy::discover::{may_exist, project_root};
use crate::io::process::stdio::print_stderr;
use crate::io::state;

/// Restore what a call deleted or replaced
///
/// Rules with the effect `backup` copy what a call would destroy before it runs. Without an id, this lists those
/// backups. With one, it restores all of it, or what was at PATH and below, in place. What is there by now and differs
/// is shown first, is only replaced when you agree, and is backed up itself. For example:
///
///   ruleward undo
///   ruleward undo --last --dry-run
///   ruleward undo k3v9x2ab src/lib.rs
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, args_conflicts_with_subcommands = true)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// The backup, by its id or the beginning of it.
    id: Option<String>,
    /// The file or directory to restore; everything when none is named.
    #[arg(requires = "id")]
    path: Option<PathBuf>,
    /// The latest backup of this project.
    #[arg(long, conflicts_with = "id")]
    last: bool,
    /// Show what would be restored, and change nothing.
    #[arg(long)]
    dry_run: bool,
    /// Do not ask.
    #[arg(long)]
    yes: bool,
    /// List only backups of this session, by its id or the beginning of it.
    #[arg(long, value_name = "ID", conflicts_with_all = ["id", "last"])]
    session: Option<String>,
    /// Print JSON: the list, or with `--dry-run` what would be restored.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Remove backups
    ///
    /// Without an option, those whose time is over. Hooks remove them as well, when they take a new one.
    Prune {
        /// Those that are older, such as `1d` or `12h`.
        #[arg(long, value_name = "TIME", value_parser = parse_age)]
        older_than: Option<MaxAge>,
        /// The oldest, until the others are no larger together than so many millions of bytes.
        #[arg(long, value_name = "NUMBER")]
        max_mb: Option<u64>,
        /// All of them.
        #[arg(long, conflicts_with_all = ["older_than", "max_mb"])]
        all: bool,
    },
}

fn parse_age(text: &str) -> Result<MaxAge, String> {
    MaxAge::try_from(text.to_owned()).map_err(|error| error.to_string())
}

#[inline(never)]
pub(super) fn run(args: &Args) -> Result<ExitStatus, CommandError> {
    let platform = Platform::current();
    let root = backup::directory(&platform).ok_or_else(|| CommandError::failed(&backup::BackupError::NoDirectory))?;
    if let Some(Command::Prune { older_than, max_mb, all }) = &args.command {
        return Ok(prune(&root, *older_than, *max_mb, *all));
    }
    let (headers, damaged) = backup::backups(&root);
    for error in &damaged {
        print_stderr(&format!("note: a backup cannot be read: {error}"));
    }
    if args.id.is_none() && !args.last {
        let wanted: Vec<&Header> =
            headers.iter().filter(|header| list::is_of_session(header, args.session.as_deref())).collect();
        if args.json {
            print_json(&list::as_json(&wanted));
        } else {
            print(&list::as_text(&wanted));
        }
        return Ok(ExitStatus::Success);
    }
    let header = choose(args, &platform, headers)?;
    let found = backup::Backup::open(&root, header).map_err(|error| CommandError::failed(&error))?;
    restore::run(&root, &found, args)
}

/// Returns the backup that is meant.
fn choose(args: &Args, platform: &Platform, headers: Vec<Header>) -> Result<Header, CommandError> {
    if let Some(id) = &args.id {
        let mut found = headers.into_iter().filter(|header| header.id.starts_with(id.as_str()));
        let first = found.next().ok_or_else(|| CommandError::NotFound(format!("there is no backup `{id}`")))?;
        let others: Vec<String> = found.map(|header| header.id).collect();
        if others.is_empty() {
            return Ok(first);
        }
        let names = suggest::quote_list(std::iter::once(first.id.as_str()).chain(others.iter().map(String::as_str)));
        return Err(CommandError::Usage(format!("`{id}` is the beginning of several backups: {names}")));
    }
    let here = context::absolute_directory(None)?;
    let project = project_root(platform, &here, &[], &may_exist).unwrap_or(here);
    // What a restoration replaced is restored by its id: otherwise two of them would undo each other.
    let mut own = headers.into_iter().filter(|header| header.project == project && header.restored.is_none());
    own.next_back().ok_or_else(|| CommandError::NotFound(format!("there is no backup of {project}")))
}

fn prune(root: &std::path::Path, older_than: Option<MaxAge>, max_mb: Option<u64>, all: bool) -> ExitStatus {
    let now = state::now().0;
    let mut oldest: Vec<(String, u64)> = Vec::new();
    if let Some(most) = max_mb {
        let headers = backup::backups(root).0;
        let mut total: u64 = headers.iter().map(|header| header.bytes).sum();
        for header in headers {
            if total > most.saturating_mul(1_000_000) {
                total = total.saturating_sub(header.bytes);
                oldest.push((header.id, header.bytes));
            }
        }
    }
    let pruned = backup::prune(root, |header| {
        let age = now.saturating_sub(header.time / 1_000);
        let is_old = older_than.is_some_and(|MaxAge(most)| age > most);
        let is_over = older_than.is_none() && max_mb.is_none() && age > header.keep;
        all || is_old || is_over || oldest.iter().any(|(id, _)| *id == header.id)
    });
    let count = usize::try_from(pruned.count).unwrap_or(usize::MAX);
    print(&format!("{} removed, {} bytes\n", pluralize(count, "backup"), pruned.bytes));
    ExitStatus::Success
}
