//! Administration of the state: showing and resetting it.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use super::response_cache;
use super::store::{SqliteStore, sibling_path};
use crate::domain::scope::Scope;
use crate::domain::state::{CachedAnswer, State, StateError, StateStore, StateTransaction, TransactionScope};
use crate::domain::time::Time;

/// The state record of one scope.
#[derive(Debug, Clone)]
pub struct StateRow {
    /// What kind of thing it is.
    pub scope: Scope,
    /// Its name.
    pub key: String,
    /// What is remembered.
    pub body: Value,
    /// When it was last changed.
    pub last_seen: Time,
    /// How many answers of the model are kept for it.
    pub answer_count: u64,
}

impl StateRow {
    /// Returns the name under which its answers are kept.
    fn owner(&self) -> String {
        format!("{} {}", self.scope.name(), self.key)
    }
}

/// A read-only view of the store.
#[derive(Debug)]
pub struct ReadOnlyStore<'a>(pub &'a SqliteStore);

impl StateStore for ReadOnlyStore<'_> {
    fn begin<'s>(&'s self, scope: &TransactionScope<'_>) -> Result<Box<dyn StateTransaction + 's>, StateError> {
        Ok(Box::new(ReadOnlyTransaction(self.0.load(scope).map_err(StateError::new)?)))
    }

    fn cached_answer(&self, owner: &str, name: &str, now: Time) -> Result<Option<String>, StateError> {
        self.0.cached_answer(owner, name, now)
    }

    fn cache_answer(&self, _: &str, _: &CachedAnswer, _: Time) -> Result<(), StateError> {
        Ok(())
    }
}

/// A state that was loaded and is never stored.
struct ReadOnlyTransaction(State);

impl StateTransaction for ReadOnlyTransaction {
    fn state(&self) -> &State {
        &self.0
    }

    fn commit(self: Box<Self>, _: State) -> Result<(), StateError> {
        Ok(())
    }
}

/// The result of a reset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reset {
    /// So many records were forgotten.
    Deleted(usize),
    /// It could not be used, for this reason, and was put aside under this path.
    SetAside(String, PathBuf),
}

impl SqliteStore {
    /// Returns all state records, the latest first.
    ///
    /// # Errors
    /// Returns why the store cannot be used, for users.
    pub fn rows(&self) -> Result<Vec<StateRow>, String> {
        let Some(database) = self.database().filter(|database| database.path.exists()) else { return Ok(Vec::new()) };
        let connection = database.open()?;
        let read = || -> rusqlite::Result<Vec<(String, String, String, i64)>> {
            let mut statement =
                connection.prepare("SELECT scope, key, body, seen FROM records ORDER BY seen DESC, scope, key")?;
            let rows = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
            rows.collect()
        };
        let rows = read().map_err(|error| database.describe_error(&error.into()))?;
        let row = |(scope, key, body, seen): (String, String, String, i64)| {
            let scope = Scope::from_name(&scope)?;
            let body = serde_json::from_str(&body).unwrap_or(Value::String(body));
            Some(StateRow {
                scope,
                key,
                body,
                last_seen: Time(u64::try_from(seen).unwrap_or_default()),
                answer_count: 0,
            })
        };
        let mut rows: Vec<StateRow> = rows.into_iter().filter_map(row).collect();
        let counts =
            response_cache::answer_counts(&connection).map_err(|error| database.describe_error(&error.into()))?;
        for (owner, count) in counts {
            if let Some(row) = rows.iter_mut().find(|row| row.owner() == owner) {
                row.answer_count = count;
            } else if let Some((scope, key)) = owner.split_once(' ') {
                let Some(scope) = Scope::from_name(scope) else { continue };
                rows.push(StateRow {
                    scope,
                    key: key.to_owned(),
                    body: Value::Null,
                    last_seen: Time::default(),
                    answer_count: count,
                });
            }
        }
        Ok(rows)
    }

    /// Returns the host and the id of the one session whose id begins so.
    ///
    /// # Errors
    /// Returns that there is none or more than one, for people.
    pub fn find_session(&self, begins: &str) -> Result<(String, String), String> {
        let rows = self.rows()?.into_iter().filter(|row| row.scope == Scope::Session);
        let keys = rows.filter_map(|row| row.key.split_once(':').map(|(host, id)| (host.to_owned(), id.to_owned())));
        let mut meant: Vec<(String, String)> = keys.filter(|(_, id)| id.starts_with(begins)).collect();
        match (meant.pop(), meant.len()) {
            (Some(one), 0) => Ok(one),
            (Some(_), others) => Err(format!("{} sessions start with `{begins}`; use a longer prefix", others + 1)),
            (None, _) => Err(format!("no state for a session `{begins}`; list sessions with `ruleward state`")),
        }
    }

    /// Deletes some state records, and returns how many.
    ///
    /// # Errors
    /// Returns why the store cannot be used, for users.
    pub fn delete(&self, wanted: impl Fn(&StateRow) -> bool) -> Result<usize, String> {
        let rows: Vec<StateRow> = self.rows()?.into_iter().filter(wanted).collect();
        let Some(database) = self.database().filter(|_| !rows.is_empty()) else { return Ok(0) };
        let mut connection = database.open()?;
        let mut forget = || -> rusqlite::Result<usize> {
            let transaction = connection.transaction()?;
            let mut count = 0;
            for row in &rows {
                let key = (row.scope.name(), row.key.as_str());
                count += transaction.execute("DELETE FROM records WHERE scope = ?1 AND key = ?2", key)?;
                count += response_cache::delete_answers(&transaction, &row.owner())?;
            }
            transaction.commit()?;
            Ok(count)
        };
        forget().map_err(|error| database.describe_error(&error.into()))
    }

    /// Deletes all state. A store that cannot be used is moved aside.
    ///
    /// # Errors
    /// Returns what is in the way, for people.
    pub fn reset(&self) -> Result<Reset, String> {
        let why = match self.delete(|_| true) {
            Ok(count) => return Ok(Reset::Deleted(count)),
            Err(why) => why,
        };
        let Some(database) = self.database() else { return Err(why) };
        let aside = sibling_path(database.path, ".broken");
        let failed = |error: std::io::Error| format!("{why}; it could not be saved either: {error}");
        if aside.is_dir() {
            fs::remove_dir_all(&aside).map_err(failed)?;
        }
        fs::rename(database.path, &aside).map_err(failed)?;
        for ending in ["-wal", "-shm"] {
            // What belongs to the old file would be taken for the new one's.
            let _gone = fs::remove_file(sibling_path(database.path, ending));
        }
        Ok(Reset::SetAside(why, aside))
    }
}
