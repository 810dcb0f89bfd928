//! `ruleward state`: what is remembered between events, and how to begin anew.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use serde_json::{Value, json};

use super::style::Palette;
use super::{Exit, hosts};
use crate::domain::state::{Scope, Time};
use crate::io::platform::Surroundings;
use crate::io::policy::discover::{is_there, project_root};
use crate::io::state::{self, PATIENCE, Reset, Row, Store};
use crate::io::stdio;

/// Look at what is remembered between events: gates and counters
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Option<Action>,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Show how gates stand and what was counted
    Show {
        #[command(flatten)]
        wanted: Wanted,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Forget it: gates stand as they start, counters begin at nothing
    ///
    /// Without an option, everything is forgotten; a database that cannot be used is put aside as
    /// `state.db.broken`, and a new one is begun.
    Reset {
        #[command(flatten)]
        wanted: Wanted,
    },
}

/// Tells whether a record is meant.
type IsMeant = dyn Fn(&Row) -> bool;

/// Which records are meant; all, when nothing is said.
#[derive(Debug, Clone, Default, clap::Args)]
struct Wanted {
    /// One session, by its id or the beginning of it.
    #[arg(long, value_name = "ID", conflicts_with = "project")]
    session: Option<String>,
    /// The project of a directory; of this one, when none is named.
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = ".")]
    project: Option<PathBuf>,
}

impl Wanted {
    /// Returns what tells whether a record is meant.
    fn filter(&self, surroundings: &Surroundings) -> Result<Box<IsMeant>, String> {
        if let Some(session) = self.session.clone() {
            let is_one = move |key: &str| {
                key.starts_with(&session) || key.split_once(':').is_some_and(|(_, id)| id.starts_with(&session))
            };
            return Ok(Box::new(move |row| row.scope == Scope::Session && is_one(&row.key)));
        }
        if let Some(project) = &self.project {
            let directory = hosts::directory(Some(Path::new(project)))?;
            let root = project_root(surroundings, &directory, &[], &is_there).unwrap_or(directory);
            return Ok(Box::new(move |row| row.scope == Scope::Project && row.key == root));
        }
        Ok(Box::new(|_| true))
    }
}

pub(super) fn run(args: &Args) -> ExitCode {
    let surroundings = Surroundings::here();
    let store = Store::new(state::path(&surroundings), PATIENCE);
    let done = match &args.command {
        None => show(&store, &Wanted::default(), false, &surroundings),
        Some(Action::Show { wanted, json }) => show(&store, wanted, *json, &surroundings),
        Some(Action::Reset { wanted }) => reset(&store, wanted, &surroundings),
    };
    match done {
        Ok(text) => {
            stdio::print(&text);
            Exit::Done.into()
        }
        Err(why) => {
            stdio::say(&format!("error: {why}"));
            Exit::Failed.into()
        }
    }
}

fn show(store: &Store, wanted: &Wanted, json: bool, surroundings: &Surroundings) -> Result<String, String> {
    let wanted = wanted.filter(surroundings)?;
    let rows = store.rows().map_err(|why| format!("{why}; begin anew with `ruleward state reset`"))?;
    let rows: Vec<Row> = rows.into_iter().filter(|row| wanted(row)).collect();
    Ok(if json { as_json(&rows) } else { as_text(&rows) })
}

fn reset(store: &Store, wanted: &Wanted, surroundings: &Surroundings) -> Result<String, String> {
    let filter = wanted.filter(surroundings)?;
    let done = if wanted.session.is_none() && wanted.project.is_none() {
        store.begin_anew()?
    } else {
        Reset::Forgot(store.forget(filter)?)
    };
    Ok(match done {
        Reset::Forgot(1) => "1 record forgotten\n".to_owned(),
        Reset::Forgot(count) => format!("{count} records forgotten\n"),
        Reset::PutAside(why, path) => format!("{why}; it was put aside as {}\n", path.display()),
    })
}

fn as_json(rows: &[Row]) -> String {
    let row = |row: &Row| json!({ "scope": row.scope.name(), "key": row.key, "seen": row.seen.0, "answers": row.answers, "record": row.body });
    format!("{:#}\n", json!({ "records": rows.iter().map(row).collect::<Vec<_>>() }))
}

fn as_text(rows: &[Row]) -> String {
    if rows.is_empty() {
        return "nothing is remembered\n".to_owned();
    }
    let palette = Palette::for_stdout();
    let now = state::now();
    let mut text = String::new();
    for row in rows {
        let seen = (row.seen != Time::default()).then(|| format!(" ({} ago)", lasting(now.since(row.seen))));
        let seen = palette.faint(seen.unwrap_or_default());
        let _written = writeln!(text, "{} {}{seen}", row.scope.name(), palette.bold(&row.key));
        if row.answers > 0 {
            let _written = writeln!(text, "  answers kept: {}", row.answers);
        }
        let counts = counts(&row.body);
        if !counts.is_empty() {
            let _written = writeln!(text, "  {counts}");
        }
        for (key, record) in row.body.get("gates").and_then(Value::as_object).into_iter().flatten() {
            text += &gate(key, record, now, palette);
        }
    }
    text
}

/// Says what was counted, and leaves out what was not.
fn counts(body: &Value) -> String {
    let counted = body.get("counts").and_then(Value::as_object).into_iter().flatten();
    let known = counted.filter(|(name, value)| *name != "begun" && value.as_u64().is_some_and(|value| value > 0));
    known.map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", ")
}

/// Says how a gate stands: by itself, and for each file.
fn gate(key: &str, record: &Value, now: Time, palette: Palette) -> String {
    let (id, source) = key.split_once('@').unwrap_or((key, ""));
    let mut text = String::new();
    let files = record.get("files").and_then(Value::as_object).into_iter().flatten();
    let all = record.get("all").into_iter().map(|position| (None, position));
    for (file, position) in all.chain(files.map(|(file, position)| (Some(file), position))) {
        let stand = position.get("stand").and_then(Value::as_str).unwrap_or_default();
        let since = position.pointer("/since/time").and_then(Value::as_u64).map(|since| now.since(Time(since)));
        let since = since.map(|since| format!(" since {}", lasting(since))).unwrap_or_default();
        let lasts = position.get("lasts").and_then(Value::as_str).map(|lasts| format!(", for {lasts}"));
        let stand = if stand == "open" { palette.good(stand) } else { palette.careful(stand) };
        let file = file.map(|file| format!(" {file}")).unwrap_or_default();
        let _written = writeln!(
            text,
            "  gate {}{file}: {stand}{since}{}  {}",
            palette.bold(id),
            lasts.unwrap_or_default(),
            palette.faint(source)
        );
    }
    text
}

fn lasting(seconds: u64) -> String {
    humantime::format_duration(Duration::from_secs(seconds)).to_string()
}
