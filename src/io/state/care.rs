//! What people do to the memory: look at it, and begin anew.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use super::answers;
use super::store::{Store, beside};
use crate::domain::state::{Keeper, KeptAnswer, Scope, State, Time, Visit};

/// What is remembered of one thing.
#[derive(Debug, Clone)]
pub struct Row {
    /// What kind of thing it is.
    pub scope: Scope,
    /// Its name.
    pub key: String,
    /// What is remembered.
    pub body: Value,
    /// When it was last changed.
    pub seen: Time,
    /// How many answers of the model are kept for it.
    pub answers: u64,
}

impl Row {
    /// Returns the name under which its answers are kept.
    fn owner(&self) -> String {
        format!("{} {}", self.scope.name(), self.key)
    }
}

/// A memory that is looked at and stays as it is.
#[derive(Debug)]
pub struct Looking<'a>(pub &'a Store);

impl Keeper for Looking<'_> {
    fn visit(&self, visit: &Visit<'_>, step: &mut dyn FnMut(State) -> State) -> Result<(), String> {
        step(self.0.load(visit)?);
        Ok(())
    }

    fn answer(&self, owner: &str, name: &str, now: Time) -> Result<Option<String>, String> {
        self.0.answer(owner, name, now)
    }

    fn keep_answer(&self, _: &str, _: &KeptAnswer, _: Time) -> Result<(), String> {
        Ok(())
    }
}

/// What became of a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reset {
    /// So many records were forgotten.
    Forgot(usize),
    /// It could not be used, for this reason, and was put aside under this path.
    PutAside(String, PathBuf),
}

impl Store {
    /// Returns all that is remembered, the latest first.
    ///
    /// # Errors
    /// Returns why the memory cannot be used, for people.
    pub fn rows(&self) -> Result<Vec<Row>, String> {
        let Some(database) = self.database().filter(|database| database.path.exists()) else { return Ok(Vec::new()) };
        let connection = database.open()?;
        let read = || -> rusqlite::Result<Vec<(String, String, String, i64)>> {
            let mut statement =
                connection.prepare("SELECT scope, key, body, seen FROM records ORDER BY seen DESC, scope, key")?;
            let rows = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
            rows.collect()
        };
        let rows = read().map_err(|error| database.described(&error.into()))?;
        let row = |(scope, key, body, seen): (String, String, String, i64)| {
            let scope = Scope::from_name(&scope)?;
            let body = serde_json::from_str(&body).unwrap_or(Value::String(body));
            Some(Row { scope, key, body, seen: Time(u64::try_from(seen).unwrap_or_default()), answers: 0 })
        };
        let mut rows: Vec<Row> = rows.into_iter().filter_map(row).collect();
        let counts = answers::counts(&connection).map_err(|error| database.described(&error.into()))?;
        for (owner, count) in counts {
            if let Some(row) = rows.iter_mut().find(|row| row.owner() == owner) {
                row.answers = count;
            } else if let Some((scope, key)) = owner.split_once(' ') {
                let Some(scope) = Scope::from_name(scope) else { continue };
                rows.push(Row { scope, key: key.to_owned(), body: Value::Null, seen: Time::default(), answers: count });
            }
        }
        Ok(rows)
    }

    /// Returns the host and the id of the one session whose id begins so.
    ///
    /// # Errors
    /// Returns that there is none or more than one, for people.
    pub fn session(&self, begins: &str) -> Result<(String, String), String> {
        let rows = self.rows()?.into_iter().filter(|row| row.scope == Scope::Session);
        let keys = rows.filter_map(|row| row.key.split_once(':').map(|(host, id)| (host.to_owned(), id.to_owned())));
        let mut meant: Vec<(String, String)> = keys.filter(|(_, id)| id.starts_with(begins)).collect();
        match (meant.pop(), meant.len()) {
            (Some(one), 0) => Ok(one),
            (Some(_), others) => Err(format!("{} sessions begin with `{begins}`: write more of the id", others + 1)),
            (None, _) => Err(format!("nothing is remembered of a session `{begins}`; `ruleward state` lists them")),
        }
    }

    /// Forgets some of what is remembered, and returns how many records that were.
    ///
    /// # Errors
    /// Returns why the memory cannot be used, for people.
    pub fn forget(&self, wanted: impl Fn(&Row) -> bool) -> Result<usize, String> {
        let rows: Vec<Row> = self.rows()?.into_iter().filter(wanted).collect();
        let Some(database) = self.database().filter(|_| !rows.is_empty()) else { return Ok(0) };
        let mut connection = database.open()?;
        let mut forget = || -> rusqlite::Result<usize> {
            let transaction = connection.transaction()?;
            let mut count = 0;
            for row in &rows {
                let key = (row.scope.name(), row.key.as_str());
                count += transaction.execute("DELETE FROM records WHERE scope = ?1 AND key = ?2", key)?;
                count += answers::forget(&transaction, &row.owner())?;
            }
            transaction.commit()?;
            Ok(count)
        };
        forget().map_err(|error| database.described(&error.into()))
    }

    /// Forgets everything. A memory that cannot be used is put aside, whatever it is.
    ///
    /// # Errors
    /// Returns what stands in the way, for people.
    pub fn begin_anew(&self) -> Result<Reset, String> {
        let why = match self.forget(|_| true) {
            Ok(count) => return Ok(Reset::Forgot(count)),
            Err(why) => why,
        };
        let Some(database) = self.database() else { return Err(why) };
        let aside = beside(database.path, ".broken");
        let failed = |error: std::io::Error| format!("{why}; it could not be put aside either: {error}");
        if aside.is_dir() {
            fs::remove_dir_all(&aside).map_err(failed)?;
        }
        fs::rename(database.path, &aside).map_err(failed)?;
        for ending in ["-wal", "-shm"] {
            // What belongs to the old file would be taken for the new one's.
            let _gone = fs::remove_file(beside(database.path, ending));
        }
        Ok(Reset::PutAside(why, aside))
    }
}
