//! `ruleward state`: shows and resets the state between events.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use crate::cli::approval::approve;
use crate::cli::output::palette::Palette;
use crate::cli::output::print::{print, print_json};
use crate::cli::{CommandError, ExitStatus, context};
use crate::domain::scope::Scope;
use crate::domain::time::Time;
use crate::io::audit::GrantKind;
use crate::io::platform::Platform;
use crate::io::policy::discover::{may_exist, project_root};
use crate::io::state::{self, LOCK_TIMEOUT, Reset, SqliteStore, StateRow};

/// Show or reset gates, counters and budgets
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Show gates and counters
    Show {
        #[command(flatten)]
        wanted: RecordSelector,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Reset gates and counters
    ///
    /// Without an option, resets everything. If the database is unusable, saves it as
    /// `state.db.broken` and starts a new one.
    ///
    /// Requires a person at a terminal.
    Reset {
        #[command(flatten)]
        wanted: RecordSelector,
        /// Don't ask for confirmation; still requires a terminal.
        #[arg(long)]
        yes: bool,
    },
}

/// Returns whether a record is meant.
type RecordPredicate = dyn Fn(&StateRow) -> bool;

/// Which records are meant; all, when nothing is said.
#[derive(Debug, Clone, Default, clap::Args)]
struct RecordSelector {
    /// Only this session (id or prefix).
    #[arg(long, value_name = "ID", conflicts_with = "project")]
    session: Option<String>,
    /// Only the project of this directory (default: the current one).
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = ".")]
    project: Option<PathBuf>,
}

impl RecordSelector {
    /// Says that the records were deleted.
    fn reset_text(&self) -> String {
        let what = match (&self.session, &self.project) {
            (Some(session), _) => format!("of the session {session}"),
            (None, Some(project)) => format!("of the project in {}", project.display()),
            (None, None) => "of all sessions and projects".to_owned(),
        };
        format!("A person reset the state {what}")
    }

    /// Returns what tells whether a record is meant.
    fn predicate(&self, surroundings: &Platform) -> Result<Box<RecordPredicate>, CommandError> {
        if let Some(session) = self.session.clone() {
            let is_one = move |key: &str| {
                key.starts_with(&session) || key.split_once(':').is_some_and(|(_, id)| id.starts_with(&session))
            };
            return Ok(Box::new(move |row| row.scope == Scope::Session && is_one(&row.key)));
        }
        if let Some(project) = &self.project {
            let directory =
                context::absolute_directory(Some(Path::new(project))).map_err(|error| CommandError::failed(&error))?;
            let root = project_root(surroundings, &directory, &[], &may_exist).unwrap_or(directory);
            return Ok(Box::new(move |row| row.scope == Scope::Project && row.key == root));
        }
        Ok(Box::new(|_| true))
    }
}

#[inline(never)]
pub(super) fn run(args: &Args) -> Result<ExitStatus, CommandError> {
    let surroundings = Platform::current();
    let store = SqliteStore::new(state::database_path(&surroundings), LOCK_TIMEOUT);
    let text = match &args.command {
        None => show(&store, &RecordSelector::default(), false, &surroundings),
        Some(Command::Show { wanted, json }) => show(&store, wanted, *json, &surroundings),
        Some(Command::Reset { wanted, yes }) => reset(&store, wanted, *yes, &surroundings),
    }?;
    if matches!(args.command, Some(Command::Show { json: true, .. })) {
        print_json(&text);
    } else {
        print(&text);
    }
    Ok(ExitStatus::Success)
}

fn show(
    store: &SqliteStore,
    wanted: &RecordSelector,
    json: bool,
    surroundings: &Platform,
) -> Result<String, CommandError> {
    let wanted = wanted.predicate(surroundings)?;
    let rows =
        store.rows().map_err(|why| CommandError::Failed(format!("{why}; reset it with `ruleward state reset`")))?;
    let rows: Vec<StateRow> = rows.into_iter().filter(|row| wanted(row)).collect();
    Ok(if json { as_json(&rows) } else { as_text(&rows) })
}

fn reset(
    store: &SqliteStore,
    wanted: &RecordSelector,
    yes: bool,
    surroundings: &Platform,
) -> Result<String, CommandError> {
    let filter = wanted.predicate(surroundings)?;
    let Some(approval) = approve(surroundings, (!yes).then_some("Reset gates and counters?"))? else {
        return Ok("Nothing was reset.\n".to_owned());
    };
    let done = if wanted.session.is_none() && wanted.project.is_none() {
        store.reset().map_err(|error| CommandError::failed(&error))?
    } else {
        Reset::Deleted(store.delete(filter).map_err(|error| CommandError::failed(&error))?)
    };
    approval.record(GrantKind::StateReset, &wanted.reset_text());
    Ok(match done {
        Reset::Deleted(1) => "1 record deleted\n".to_owned(),
        Reset::Deleted(count) => format!("{count} records deleted\n"),
        Reset::SetAside(why, path) => format!("{why}; it was saved as {}\n", path.display()),
    })
}

fn as_json(rows: &[StateRow]) -> String {
    let row = |row: &StateRow| json!({ "scope": row.scope.name(), "key": row.key, "seen": row.last_seen.0, "answers": row.answer_count, "record": row.body });
    format!("{:#}\n", json!({ "records": rows.iter().map(row).collect::<Vec<_>>() }))
}

fn as_text(rows: &[StateRow]) -> String {
    if rows.is_empty() {
        return "no stored state\n".to_owned();
    }
    let palette = Palette::for_stdout();
    let now = state::now();
    let mut text = String::new();
    for row in rows {
        let seen = (row.last_seen != Time::default())
            .then(|| format!(" ({} ago)", duration_text(now.seconds_since(row.last_seen))));
        let seen = palette.dim(seen.unwrap_or_default());
        let _written = writeln!(text, "{} {}{seen}", row.scope.name(), palette.bold(&row.key));
        if row.answer_count > 0 {
            let _written = writeln!(text, "  answers kept: {}", row.answer_count);
        }
        let counts = counts_text(&row.body);
        if !counts.is_empty() {
            let _written = writeln!(text, "  {counts}");
        }
        for (key, record) in row.body.get("gates").and_then(Value::as_object).into_iter().flatten() {
            text += &gate_text(key, record, now, palette);
        }
    }
    text
}

/// Says what was counted, and leaves out what was not.
fn counts_text(body: &Value) -> String {
    let counted = body.get("counts").and_then(Value::as_object).into_iter().flatten();
    let known = counted.filter(|(name, value)| *name != "begun" && value.as_u64().is_some_and(|value| value > 0));
    known.map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", ")
}

/// Says how a gate is: by itself, and for each file.
fn gate_text(key: &str, record: &Value, now: Time, palette: Palette) -> String {
    let (id, source) = key.split_once('@').unwrap_or((key, ""));
    let mut text = String::new();
    let files = record.get("files").and_then(Value::as_object).into_iter().flatten();
    let all = record.get("all").into_iter().map(|position| (None, position));
    for (file, position) in all.chain(files.map(|(file, position)| (Some(file), position))) {
        let stand = position.get("stand").and_then(Value::as_str).unwrap_or_default();
        let since = position.pointer("/since/time").and_then(Value::as_u64).map(|since| now.seconds_since(Time(since)));
        let since = since.map(|since| format!(" since {}", duration_text(since))).unwrap_or_default();
        let lasts = position.get("lasts").and_then(Value::as_str).map(|lasts| format!(", for {lasts}"));
        let stand = if stand == "open" { palette.success(stand) } else { palette.warning(stand) };
        let file = file.map(|file| format!(" {file}")).unwrap_or_default();
        let _written = writeln!(
            text,
            "  gate {}{file}: {stand}{since}{}  {}",
            palette.bold(id),
            lasts.unwrap_or_default(),
            palette.dim(source)
        );
    }
    text
}

fn duration_text(seconds: u64) -> String {
    humantime::format_duration(Duration::from_secs(seconds)).to_string()
}
