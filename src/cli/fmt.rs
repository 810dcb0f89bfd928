//! `ruleward fmt`: policies in one layout.

use std::path::PathBuf;
use std::process::ExitCode;

use similar::TextDiff;

use super::{Exit, hosts};
use crate::io::platform::Surroundings;
use crate::io::policy::discover::{candidates, is_there, project_root};
use crate::io::policy::format::format;
use crate::io::{files, stdio};

/// Put policies into one layout
///
/// Indentation, quotes, the order of a rule's keys and a blank line between rules; comments stay.
/// Without a path, the policies of this project. A file is written only when it is proved to say the
/// same afterwards. The exit code is 1 when a file cannot be laid out, with `--check` also when one
/// is not.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files, or directories whose `.yaml` and `.yml` files are meant.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Write nothing, and show what would change.
    #[arg(long)]
    check: bool,
}

pub(super) fn run(args: &Args) -> ExitCode {
    let paths = match found(&args.paths) {
        Ok(paths) => paths,
        Err(why) => {
            stdio::say(&format!("error: {why}"));
            return Exit::Usage.into();
        }
    };
    let mut exit = Exit::Done;
    let mut changed = 0;
    for path in &paths {
        match laid_out(path, args.check) {
            Ok(false) => {}
            Ok(true) => {
                changed += 1;
                if args.check {
                    exit = Exit::Failed;
                }
            }
            Err(why) => {
                stdio::say(&format!("error: {}: {why}", path.display()));
                exit = Exit::Failed;
            }
        }
    }
    let how = if args.check { "would change" } else { "changed" };
    stdio::say(&format!("{changed} of {} files {how}", paths.len()));
    exit.into()
}

/// Returns the files that are meant.
fn found(paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    if paths.is_empty() {
        let surroundings = Surroundings::here();
        let cwd = hosts::directory(None)?;
        let project = project_root(&surroundings, &cwd, &[], &is_there);
        let places = candidates(&surroundings, project.as_deref()).into_iter();
        let own = places.filter(|place| place.layer.is_of_project() && is_there(&place.path));
        return Ok(own.map(|place| place.path.into()).collect());
    }
    let mut all = Vec::new();
    for path in paths {
        if path.is_dir() {
            for ending in [".yaml", ".yml"] {
                all.extend(files::ending(path, ending)?);
            }
        } else {
            all.push(path.clone());
        }
    }
    Ok(all)
}

/// Lays out a file; returns whether it changes by that.
fn laid_out(path: &std::path::Path, check: bool) -> Result<bool, String> {
    let text = files::text(&path.to_string_lossy())?;
    let done = format(&text)?;
    if done == text {
        return Ok(false);
    }
    if check {
        let name = path.display().to_string();
        stdio::print(&TextDiff::from_lines(&text, &done).unified_diff().header(&name, &name).to_string());
    } else {
        files::replace(path, &done)?;
    }
    Ok(true)
}
