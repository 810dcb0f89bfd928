//! The answers of the model that are given again: a table of their own, made when the first is kept.

use rusqlite::{Connection, OptionalExtension};

use super::store::{Database, sql_seconds};
use crate::domain::state::CachedAnswer;
use crate::domain::text::duration::MaxAge;
use crate::domain::time::Time;

const CREATE_TABLE: &str = "CREATE TABLE IF NOT EXISTS answers (
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL,
    kept INTEGER NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (owner, name)
) STRICT, WITHOUT ROWID";

impl Database<'_> {
    /// Returns the answer that an owner has under a name, sealed.
    pub(super) fn cached_answer(&self, owner: &str, name: &str, Time(now): Time) -> Result<Option<String>, String> {
        let connection = self.open()?;
        let read = || -> rusqlite::Result<Option<String>> {
            if !has_table(&connection)? {
                return Ok(None);
            }
            let mut statement =
                connection.prepare("SELECT body FROM answers WHERE owner = ?1 AND name = ?2 AND until > ?3")?;
            statement.query_row((owner, name, sql_seconds(now)), |row| row.get(0)).optional()
        };
        read().map_err(|error| self.describe_error(&error.into()))
    }

    /// Keeps an answer, and forgets those that are too old or too many.
    pub(super) fn save_answer(&self, owner: &str, answer: &CachedAnswer, Time(now): Time) -> Result<(), String> {
        let mut connection = self.open()?;
        let CachedAnswer { name, body, policy: cache } = answer;
        let MaxAge(lasts) = cache.r#for;
        let mut keep = || -> rusqlite::Result<()> {
            let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            transaction.execute(CREATE_TABLE, ())?;
            transaction.execute("DELETE FROM answers WHERE until <= ?1", (sql_seconds(now),))?;
            transaction.execute(
                "INSERT OR REPLACE INTO answers (owner, name, body, kept, until) VALUES (?1, ?2, ?3, ?4, ?5)",
                (owner, name, body, sql_seconds(now), sql_seconds(now.saturating_add(lasts))),
            )?;
            transaction.execute(
                "DELETE FROM answers WHERE owner = ?1 AND name NOT IN
                 (SELECT name FROM answers WHERE owner = ?1 ORDER BY kept DESC, name = ?2 DESC LIMIT ?3)",
                (owner, name, i64::from(cache.most)),
            )?;
            transaction.commit()
        };
        keep().map_err(|error| self.describe_error(&error.into()))?;
        self.checkpoint(&connection);
        Ok(())
    }
}

/// Returns how many answers each owner has.
pub(super) fn answer_counts(connection: &Connection) -> rusqlite::Result<Vec<(String, u64)>> {
    if !has_table(connection)? {
        return Ok(Vec::new());
    }
    let mut statement = connection.prepare("SELECT owner, count(*) FROM answers GROUP BY owner ORDER BY owner")?;
    let rows = statement.query_map((), |row| Ok((row.get(0)?, row.get::<_, i64>(1)?.unsigned_abs())))?;
    rows.collect()
}

/// Forgets the answers of an owner, and returns how many there were.
pub(super) fn delete_answers(connection: &Connection, owner: &str) -> rusqlite::Result<usize> {
    if !has_table(connection)? {
        return Ok(0);
    }
    connection.execute("DELETE FROM answers WHERE owner = ?1", (owner,))
}

/// Returns whether any answer was ever kept.
fn has_table(connection: &Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'answers'";
    connection.query_row(sql, (), |row| row.get::<_, i64>(0)).map(|count| count > 0)
}
