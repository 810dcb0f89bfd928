//! `ruleward fmt`: policies in one layout.

use std::path::PathBuf;

use crate::cli::output::diff::unified_diff;
use crate::cli::output::print::print;
use crate::cli::{CommandError, ExitStatus, context};
use crate::io::files;
use crate::io::platform::Platform;
use crate::io::policy::discover::{candidates, may_exist, project_root};
use crate::io::policy::format::format;
use crate::io::process::stdio;

/// Format policies
///
/// Normalizes indentation, quotes, the order of a rule's keys and blank lines between rules, and
/// keeps comments. The default is the policies of this project. A file is only written if its
/// meaning is unchanged. The exit code is 1 if a file can't be formatted; with `--check`, also if
/// one isn't.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files, or directories with `.yaml` and `.yml` files.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Show what would change, without writing files.
    #[arg(long)]
    check: bool,
}

#[inline(never)]
pub(super) fn run(args: &Args) -> Result<ExitStatus, CommandError> {
    let paths = collect_files(&args.paths)?;
    let mut exit = ExitStatus::Success;
    let mut changed = 0;
    for path in &paths {
        match format_file(path, args.check) {
            Ok(false) => {}
            Ok(true) => {
                changed += 1;
                if args.check {
                    exit = ExitStatus::Failure;
                }
            }
            Err(why) => {
                stdio::print_stderr(&format!("error: {}: {why}", path.display()));
                exit = ExitStatus::Failure;
            }
        }
    }
    let how = if args.check { "would change" } else { "changed" };
    stdio::print_stderr(&format!("{changed} of {} files {how}", paths.len()));
    Ok(exit)
}

/// Returns the files that are meant.
fn collect_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, CommandError> {
    if paths.is_empty() {
        let surroundings = Platform::current();
        let cwd = context::absolute_directory(None)?;
        let project = project_root(&surroundings, &cwd, &[], &may_exist);
        let places = candidates(&surroundings, project.as_deref()).into_iter();
        let own = places.filter(|place| place.layer.is_project() && may_exist(&place.path));
        return Ok(own.map(|place| place.path.into()).collect());
    }
    let mut all = Vec::new();
    for path in paths {
        if path.is_dir() {
            for ending in [".yaml", ".yml"] {
                all.extend(files::list_recursive(path, ending)?);
            }
        } else {
            all.push(path.clone());
        }
    }
    Ok(all)
}

/// Lays out a file; returns whether it changes by that.
fn format_file(path: &std::path::Path, check: bool) -> Result<bool, CommandError> {
    let text = files::read_text(&path.to_string_lossy())?;
    let done = format(&text).map_err(|error| CommandError::failed(&error))?;
    if done == text {
        return Ok(false);
    }
    if check {
        let name = path.display().to_string();
        print(&unified_diff(&name, &text, &done));
    } else {
        files::write_atomic(path, &done)?;
    }
    Ok(true)
}
