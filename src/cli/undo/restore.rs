//! Restores one backup, after it has shown what differs.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use annotate_snippets::normalize_untrusted_str;
use serde_json::{Value, json};

use super::{Args, list};
use crate::cli::output::diff::print_diff;
use crate::cli::output::palette::Palette;
use crate::cli::output::pluralize;
use crate::cli::output::print::{print, print_json};
use crate::cli::{CommandError, ExitStatus};
use crate::io::backup::{Backup, Content, Difference, Step, differences, restore, restore_references};
use crate::io::files::current_directory;
use crate::io::process::stdio;

/// The greatest size of a file whose difference is shown, in bytes.
const MAX_SHOWN_BYTES: u64 = 1 << 16;

/// The greatest number of paths that are listed.
const MAX_LISTED: usize = 40;

/// Shows what a backup would restore, and restores it when the user agrees.
pub(super) fn run(root: &Path, backup: &Backup, args: &Args) -> Result<ExitStatus, CommandError> {
    let only = args.path.as_deref().map(absolute);
    let found = differences(backup, only.as_deref());
    if let Some(path) = only.as_ref().filter(|_| found.is_empty()) {
        return Err(CommandError::NotFound(format!("the backup does not hold {}", path.display())));
    }
    // References are of the whole repository.
    let references = match &only {
        Some(_) => Vec::new(),
        None => restore_references(backup, true).map_err(|error| CommandError::failed(&error))?,
    };
    if args.json {
        print_json(&as_json(backup, &found, &references));
    } else {
        show(backup, &found, &references);
    }
    let blocked = found.iter().filter(|it| matches!(it.step, Step::Blocked(_))).count();
    let changed = found.iter().filter(|it| matches!(it.step, Step::Create | Step::Replace)).count();
    let status = if blocked == 0 { ExitStatus::Success } else { ExitStatus::Failure };
    if args.dry_run || (changed == 0 && references.is_empty()) {
        return Ok(status);
    }
    if !args.yes && !agrees(&found)? {
        print("Nothing was restored.\n");
        return Ok(ExitStatus::Failure);
    }
    // Commits first: what git puts in place gives way to the files of the backup.
    let mut is_complete = blocked == 0;
    if only.is_none()
        && let Err(error) = restore_references(backup, false)
    {
        stdio::print_stderr(&format!("error: {error}"));
        is_complete = false;
    }
    let found = differences(backup, only.as_deref());
    let restored = restore(root, backup, &found).map_err(|error| CommandError::failed(&error))?;
    for failure in &restored.failures {
        stdio::print_stderr(&format!("error: {failure}"));
    }
    if let Some(replaced) = &restored.replaced {
        print(&format!("What was replaced is kept as {}.\n", replaced.id));
    }
    print(&format!("{} restored.\n", pluralize(restored.paths.len(), "path")));
    is_complete &= restored.failures.is_empty();
    Ok(if is_complete { ExitStatus::Success } else { ExitStatus::Failure })
}

/// Returns a path from the working directory, with the links of its directory followed.
fn absolute(path: &Path) -> PathBuf {
    let path = current_directory().map_or_else(|| path.to_owned(), |here| Path::new(&here).join(path));
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return path };
    // The directory may be gone as well: then its nearest one that exists is followed.
    let Some(existing) = parent.ancestors().find(|above| above.exists()) else { return path };
    let rest = parent.strip_prefix(existing).unwrap_or(Path::new(""));
    fs::canonicalize(existing).map_or_else(|_| path.clone(), |real| real.join(rest).join(name))
}

fn agrees(found: &[Difference<'_>]) -> Result<bool, CommandError> {
    if !stdio::is_terminal() {
        let why = "there is no terminal, so nobody can be asked; `--yes` restores without a question";
        return Err(CommandError::Usage(why.to_owned()));
    }
    let replaced = found.iter().filter(|it| it.step == Step::Replace).count();
    let question = if replaced > 0 {
        format!("Restore this, and replace {} shown above?", pluralize(replaced, "newer file"))
    } else {
        "Restore this?".to_owned()
    };
    let answer = stdio::prompt(&format!("{question} [y/N] "));
    Ok(answer.is_some_and(|answer| matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")))
}

/// Shows what would be done: the differences of what would be replaced, then each path.
fn show(backup: &Backup, found: &[Difference<'_>], references: &[String]) {
    let palette = Palette::for_stdout();
    for difference in found.iter().filter(|it| it.step == Step::Replace) {
        show_difference(backup, difference);
    }
    let header = &backup.header;
    let about = normalize_untrusted_str(&header.about);
    let mut text = format!("backup {} of {}: {about}\n", palette.bold(&header.id), list::time(header));
    let shown = found.iter().filter(|it| it.step != Step::None);
    let total = shown.clone().count();
    for difference in shown.take(MAX_LISTED) {
        let path = difference.entry.path.to_string_lossy();
        let path = normalize_untrusted_str(&path);
        let line = match difference.step {
            Step::Create => format!("restore  {path}"),
            Step::Replace => palette.warning(format!("replace  {path}")),
            Step::Blocked(why) => palette.error(format!("blocked  {path}: {why}")),
            Step::None => continue,
        };
        let _written = writeln!(text, "  {line}");
    }
    if total > MAX_LISTED {
        let _written = writeln!(text, "  and {} more", total - MAX_LISTED);
    }
    for reference in references {
        let _written = writeln!(text, "  git      {}", normalize_untrusted_str(reference));
    }
    if total == 0 && references.is_empty() {
        text.push_str("  everything in it is there, unchanged\n");
    }
    print(&text);
}

fn show_difference(backup: &Backup, difference: &Difference<'_>) {
    let entry = difference.entry;
    let path = entry.path.to_string_lossy();
    let size = fs::metadata(&entry.path).map(|metadata| metadata.len()).unwrap_or_default();
    let kept = match entry.content {
        Content::File { size: kept, number, .. } if kept.max(size) <= MAX_SHOWN_BYTES => backup.text(number),
        _ => None,
    };
    match (fs::read_to_string(&entry.path), kept) {
        (Ok(now), Some(kept)) => print_diff(&path, &now, &kept),
        _ => print(&format!("{} differs ({size} bytes now)\n", normalize_untrusted_str(&path))),
    }
}

fn as_json(backup: &Backup, found: &[Difference<'_>], references: &[String]) -> String {
    let one = |difference: &Difference<'_>| {
        let (step, why) = match difference.step {
            Step::Create => ("restore", None),
            Step::Replace => ("replace", None),
            Step::None => ("none", None),
            Step::Blocked(why) => ("blocked", Some(why)),
        };
        json!({ "path": difference.entry.path.to_string_lossy(), "step": step, "why": why })
    };
    let paths: Vec<Value> = found.iter().map(one).collect();
    let value = json!({ "backup": list::header_as_json(&backup.header), "paths": paths, "git": references });
    format!("{value:#}\n")
}
