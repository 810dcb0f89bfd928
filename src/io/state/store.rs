//! The database of the state: one table with a row for each scope.
//!
//! A visit is one transaction that takes the write lock at once, so that each of several concurrent
//! hooks sees what the previous one stored, and none has to be repeated. The write-ahead log (WAL)
//! keeps the old row when a write is interrupted. Nothing is opened before the first visit.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, TransactionBehavior};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::domain::scope::Scope;
use crate::domain::scope::Scopes;
use crate::domain::state::keys::StateKeys;
use crate::domain::state::{CachedAnswer, State, StateError, StateStore, StateTransaction, TransactionScope};
use crate::domain::time::Time;
use crate::io::files;

/// The pause between two tries.
const RETRY_INTERVAL: Duration = Duration::from_millis(1);
/// What marks the file as one of ruleward's.
const APPLICATION_ID: i64 = 0x7275_6c77;
/// The form of the table.
const SCHEMA_VERSION: i64 = 1;
/// Bytes of the log after which it is worked into the file. Each hook reads all of it, since it is mostly the only one.
const MAX_WAL_BYTES: u64 = 256 << 10;
/// Seconds after which what was not seen again is forgotten: 30 days.
const MAX_AGE_SECS: u64 = 30 * 24 * 60 * 60;

const CREATE_TABLE: &str = "CREATE TABLE records (
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    body TEXT NOT NULL,
    seen INTEGER NOT NULL,
    PRIMARY KEY (scope, key)
) STRICT, WITHOUT ROWID";

/// The database of this machine.
#[derive(Debug, Clone)]
pub struct SqliteStore {
    path: Option<PathBuf>,
    lock_timeout: Duration,
}

impl SqliteStore {
    /// Returns the store in a file, which need not be there yet; without one, nothing can be kept.
    /// Others that write are waited for so long.
    pub const fn new(path: Option<PathBuf>, lock_timeout: Duration) -> Self {
        Self { path, lock_timeout }
    }

    /// Returns the file.
    pub(super) fn database(&self) -> Option<Database<'_>> {
        self.path.as_deref().map(|path| Database { path, lock_timeout: self.lock_timeout })
    }
}

/// The file of a store.
pub(super) struct Database<'a> {
    pub(super) path: &'a Path,
    lock_timeout: Duration,
}

impl Database<'_> {
    /// Opens the file, and makes it where there is none.
    pub(super) fn open(&self) -> Result<Connection, String> {
        let path = self.path;
        // A pipe or a device there could keep the hook waiting.
        if std::fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            return Err(format!("{} is not a file", path.display()));
        }
        let failed = |error: std::io::Error| format!("{} could not be opened: {error}", path.display());
        if let Some(directory) = path.parent() {
            files::create_private_directory(directory).map_err(failed)?;
        }
        files::check_ownership(path).map_err(|error| error.to_string())?;
        // What the database makes beside the file has the file's permissions.
        drop(files::append_private(path).map_err(failed)?);
        self.connect().map_err(|error| self.describe_error(&error))?.map_or_else(|| self.initialize(), Ok)
    }

    /// Connects to the file; `None` when nothing is in it yet.
    fn connect(&self) -> Result<Option<Connection>, DatabaseError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(self.path, flags)?;
        let (begun, patience) = (Instant::now(), self.lock_timeout);
        connection.busy_handler(Some(move |_| {
            thread::sleep(RETRY_INTERVAL);
            begun.elapsed() < patience
        }))?;
        // The last of several hooks to end would else wait for the disk.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        // By itself the database would begin the log again only within one connection, and hooks have one each.
        connection.pragma_update(None, "wal_autocheckpoint", 0)?;
        connection.pragma_update(None, "trusted_schema", false)?;
        // In one look: another hook may be making the table meanwhile.
        let look = connection.transaction()?;
        let number = |name| look.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        let marks = (number("application_id")?, number("user_version")?);
        let tables: i64 = match marks {
            (APPLICATION_ID, _) => 1,
            _ => look.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))?,
        };
        drop(look);
        match marks {
            (APPLICATION_ID, SCHEMA_VERSION) => Ok(Some(connection)),
            (APPLICATION_ID, _) => Err(DatabaseError::OtherVersion),
            (0, 0) if tables == 0 => Ok(None),
            _ => Err(DatabaseError::ForeignDatabase),
        }
    }

    /// Works a long log into the file and empties it, unless others use the database: one of them will do it.
    pub(super) fn checkpoint(&self, connection: &Connection) {
        let log = std::fs::metadata(sibling_path(self.path, "-wal"));
        if log.is_ok_and(|log| log.len() > MAX_WAL_BYTES) && connection.busy_timeout(Duration::ZERO).is_ok() {
            // What was saved is saved; the next hook tries again.
            let _busy = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(()));
        }
    }

    /// Makes the table, unless another hook has done so meanwhile.
    fn initialize(&self) -> Result<Connection, String> {
        let lock = files::lock(&self.path.with_extension("lock"), self.lock_timeout);
        let _held = lock.map_err(|error| error.to_string())?;
        let made = || -> Result<Option<Connection>, DatabaseError> {
            if let Some(connection) = self.connect()? {
                return Ok(Some(connection));
            }
            let mut connection = Connection::open(self.path)?;
            connection.pragma_update(None, "journal_mode", "WAL")?;
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            transaction.execute(CREATE_TABLE, ())?;
            transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
            transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
            transaction.commit()?;
            drop(connection);
            self.connect()
        };
        made()
            .map_err(|error| self.describe_error(&error))?
            .ok_or_else(|| self.describe_error(&DatabaseError::ForeignDatabase))
    }

    /// Says for people what is wrong.
    pub(super) fn describe_error(&self, failure: &DatabaseError) -> String {
        let path = self.path.display();
        let DatabaseError::Database(error) = failure else {
            return match failure {
                DatabaseError::OtherVersion => format!("{path} was written by another version of ruleward"),
                DatabaseError::ForeignDatabase | DatabaseError::Database(_) => {
                    format!("{path} is a database of another program")
                }
            };
        };
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => format!("{path} is damaged"),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                format!("{path} was locked by another program for more than {} s", self.lock_timeout.as_secs_f64())
            }
            Some(ErrorCode::ReadOnly) => format!("no permission to write {path}"),
            Some(ErrorCode::DiskFull) => format!("{path} could not be written: the disk is full"),
            _ => format!("{path} could not be used: {error}"),
        }
    }
}

impl SqliteStore {
    /// Returns what is remembered, and changes nothing.
    ///
    /// # Errors
    /// Returns why the store cannot be used, for users.
    pub(super) fn load(&self, visit: &TransactionScope<'_>) -> Result<State, String> {
        let Some(database) = self.database().filter(|database| database.path.exists()) else {
            return Ok(State::default());
        };
        let mut connection = database.open()?;
        let transaction = connection.transaction().map_err(|error| database.describe_error(&error.into()))?;
        ScopedRecords { connection: &transaction, request: visit, path: database.path }.load()
    }
}

impl StateStore for SqliteStore {
    fn cached_answer(&self, owner: &str, name: &str, now: Time) -> Result<Option<String>, StateError> {
        let answer = self.database().map_or(Ok(None), |database| database.cached_answer(owner, name, now));
        answer.map_err(StateError::new)
    }

    fn cache_answer(&self, owner: &str, answer: &CachedAnswer, now: Time) -> Result<(), StateError> {
        let saved = self.database().map_or(Ok(()), |database| database.save_answer(owner, answer, now));
        saved.map_err(StateError::new)
    }

    fn begin<'s>(&'s self, scope: &TransactionScope<'_>) -> Result<Box<dyn StateTransaction + 's>, StateError> {
        let transaction = self.begin_immediate(scope).map_err(StateError::new)?;
        Ok(Box::new(transaction))
    }
}

impl SqliteStore {
    /// Begins a transaction that may write: of two hooks, the second waits here before it loads.
    fn begin_immediate(&self, scope: &TransactionScope<'_>) -> Result<SqliteTransaction<'_>, String> {
        let database = self.database().ok_or("no directory for the state")?;
        let connection = database.open()?;
        connection.execute_batch("BEGIN IMMEDIATE").map_err(|error| database.describe_error(&error.into()))?;
        let state = ScopedRecords { connection: &connection, request: scope, path: database.path }.load()?;
        let TransactionScope { keys, scopes, now } = *scope;
        Ok(SqliteTransaction { database, connection, keys: keys.clone(), scopes, now, state })
    }
}

/// A transaction of the database; where it is dropped, the connection is closed and nothing has changed.
struct SqliteTransaction<'s> {
    database: Database<'s>,
    connection: Connection,
    keys: StateKeys,
    scopes: Scopes,
    now: Time,
    state: State,
}

impl StateTransaction for SqliteTransaction<'_> {
    fn state(&self) -> &State {
        &self.state
    }

    fn commit(self: Box<Self>, next: State) -> Result<(), StateError> {
        let Self { database, connection, keys, scopes, now, state } = *self;
        let request = TransactionScope { keys: &keys, scopes, now };
        let records = ScopedRecords { connection: &connection, request: &request, path: database.path };
        let commit = || -> Result<(), DatabaseError> {
            records.save(&state, &next)?;
            Ok(connection.execute_batch("COMMIT")?)
        };
        commit().map_err(|error| StateError::new(database.describe_error(&error)))?;
        database.checkpoint(&connection);
        Ok(())
    }
}

/// Returns the path of what the database keeps beside the file.
pub(super) fn sibling_path(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

/// Why the database cannot be used.
#[derive(Debug)]
pub(super) enum DatabaseError {
    OtherVersion,
    ForeignDatabase,
    Database(rusqlite::Error),
}

impl From<rusqlite::Error> for DatabaseError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

/// The rows of one visit.
struct ScopedRecords<'a> {
    connection: &'a Connection,
    request: &'a TransactionScope<'a>,
    path: &'a Path,
}

impl ScopedRecords<'_> {
    fn load(&self) -> Result<State, String> {
        Ok(State {
            session: self.load_scope(Scope::Session)?,
            project: self.load_scope(Scope::Project)?,
            day: self.load_scope(Scope::Day)?,
            is_lost: false,
        })
    }

    fn load_scope<T: Default + DeserializeOwned>(&self, scope: Scope) -> Result<T, String> {
        if !self.request.scopes.contains(scope) {
            return Ok(T::default());
        }
        let path = self.path.display();
        let body: Option<String> = self
            .connection
            .query_row("SELECT body FROM records WHERE scope = ?1 AND key = ?2", self.record_key(scope), |row| {
                row.get(0)
            })
            .optional()
            .map_err(|error| format!("{path} could not be read: {error}"))?;
        let Some(body) = body else { return Ok(T::default()) };
        serde_json::from_str(&body).map_err(|error| format!("{path} is damaged: a record is unreadable: {error}"))
    }

    fn save(&self, before: &State, after: &State) -> Result<(), DatabaseError> {
        self.save_scope(Scope::Session, &before.session, &after.session)?;
        self.save_scope(Scope::Project, &before.project, &after.project)?;
        self.save_scope(Scope::Day, &before.day, &after.day)
    }

    fn save_scope<T: Default + PartialEq + Serialize>(
        &self,
        scope: Scope,
        before: &T,
        after: &T,
    ) -> Result<(), DatabaseError> {
        if !self.request.scopes.contains(scope) || before == after {
            return Ok(());
        }
        let Time(now) = self.request.now;
        let body =
            serde_json::to_string(after).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
        let (scope_name, key) = self.record_key(scope);
        self.connection.execute(
            "INSERT INTO records (scope, key, body, seen) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (scope, key) DO UPDATE SET body = ?3, seen = ?4",
            (scope_name, key, body, sql_seconds(now)),
        )?;
        if *before == T::default() {
            self.delete_expired(now)?;
        }
        Ok(())
    }

    /// Forgets what was not seen for long. Projects are few, and are kept.
    fn delete_expired(&self, now: u64) -> Result<(), DatabaseError> {
        let oldest = sql_seconds(now.saturating_sub(MAX_AGE_SECS));
        self.connection.execute("DELETE FROM records WHERE scope <> 'project' AND seen < ?1", (oldest,))?;
        Ok(())
    }

    fn record_key(&self, scope: Scope) -> (&'static str, &str) {
        (scope.name(), self.request.keys.get(scope))
    }
}

pub(super) fn sql_seconds(time: u64) -> i64 {
    i64::try_from(time).unwrap_or(i64::MAX)
}
