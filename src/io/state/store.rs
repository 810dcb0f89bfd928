//! The database: one table, a row for each thing that something is remembered of.
//!
//! A visit is one transaction that takes the right to write at once, so that of hooks that run at
//! the same time each sees what the one before left, and none has to be run again. The log ahead of
//! the file (WAL) makes a saving that was cut off leave the old row. Nothing is opened before the
//! first visit.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Transaction, TransactionBehavior};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::domain::state::{Keeper, KeptAnswer, Scope, State, Time, Visit};
use crate::io::files;

/// The pause between two tries.
const PAUSE: Duration = Duration::from_millis(1);
/// What marks the file as one of ruleward's.
const APPLICATION: i64 = 0x7275_6c77;
/// The form of the table.
const VERSION: i64 = 1;
/// Bytes of the log after which it is worked into the file. Each hook reads all of it, since it is mostly the only one.
const MOST_LOG: u64 = 256 << 10;
/// Seconds after which what was not seen again is forgotten: 30 days.
const MOST_AGE: u64 = 30 * 24 * 60 * 60;

const TABLE: &str = "CREATE TABLE records (
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    body TEXT NOT NULL,
    seen INTEGER NOT NULL,
    PRIMARY KEY (scope, key)
) STRICT, WITHOUT ROWID";

/// The database of this machine.
#[derive(Debug, Clone)]
pub struct Store {
    path: Option<PathBuf>,
    patience: Duration,
}

impl Store {
    /// Returns the store in a file, which need not be there yet; without one, nothing can be kept.
    /// Others that write are waited for so long.
    pub const fn new(path: Option<PathBuf>, patience: Duration) -> Self {
        Self { path, patience }
    }

    /// Returns the file.
    pub(super) fn database(&self) -> Option<Database<'_>> {
        self.path.as_deref().map(|path| Database { path, patience: self.patience })
    }
}

/// The file of a store.
pub(super) struct Database<'a> {
    pub(super) path: &'a Path,
    patience: Duration,
}

impl Database<'_> {
    /// Opens the file, and makes it where there is none.
    pub(super) fn open(&self) -> Result<Connection, String> {
        let path = self.path;
        // A pipe or a device there could keep the hook waiting.
        if std::fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            return Err(format!("{} is no file", path.display()));
        }
        let failed = |error: std::io::Error| format!("{} could not be opened: {error}", path.display());
        if let Some(directory) = path.parent() {
            files::create_private_directory(directory).map_err(failed)?;
        }
        files::believe(path)?;
        // What the database makes beside the file has the file's permissions.
        drop(files::append_private(path).map_err(failed)?);
        self.connect().map_err(|error| self.described(&error))?.map_or_else(|| self.begin(), Ok)
    }

    /// Connects to the file; `None` when nothing is in it yet.
    fn connect(&self) -> Result<Option<Connection>, Failure> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(self.path, flags)?;
        let (begun, patience) = (Instant::now(), self.patience);
        connection.busy_handler(Some(move |_| {
            thread::sleep(PAUSE);
            begun.elapsed() < patience
        }))?;
        // The last of several hooks to end would else wait for the disk.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        // By itself the database would begin the log anew only within one connection, and hooks have one each.
        connection.pragma_update(None, "wal_autocheckpoint", 0)?;
        connection.pragma_update(None, "trusted_schema", false)?;
        // In one look: another hook may be making the table meanwhile.
        let look = connection.transaction()?;
        let number = |name| look.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        let marks = (number("application_id")?, number("user_version")?);
        let tables: i64 = match marks {
            (APPLICATION, _) => 1,
            _ => look.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))?,
        };
        drop(look);
        match marks {
            (APPLICATION, VERSION) => Ok(Some(connection)),
            (APPLICATION, _) => Err(Failure::OtherVersion),
            (0, 0) if tables == 0 => Ok(None),
            _ => Err(Failure::Foreign),
        }
    }

    /// Works a long log into the file and empties it, unless others use the database: one of them will do it.
    pub(super) fn tidy(&self, connection: &Connection) {
        let log = std::fs::metadata(beside(self.path, "-wal"));
        if log.is_ok_and(|log| log.len() > MOST_LOG) && connection.busy_timeout(Duration::ZERO).is_ok() {
            // What was saved is saved; the next hook tries again.
            let _busy = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(()));
        }
    }

    /// Makes the table, unless another hook has done so meanwhile.
    fn begin(&self) -> Result<Connection, String> {
        let _held = files::lock(&self.path.with_extension("lock"), self.patience)?;
        let made = || -> Result<Option<Connection>, Failure> {
            if let Some(connection) = self.connect()? {
                return Ok(Some(connection));
            }
            let mut connection = Connection::open(self.path)?;
            connection.pragma_update(None, "journal_mode", "WAL")?;
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            transaction.execute(TABLE, ())?;
            transaction.pragma_update(None, "application_id", APPLICATION)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
            transaction.commit()?;
            drop(connection);
            self.connect()
        };
        made().map_err(|error| self.described(&error))?.ok_or_else(|| self.described(&Failure::Foreign))
    }

    /// Says for people what is wrong.
    pub(super) fn described(&self, failure: &Failure) -> String {
        let path = self.path.display();
        let Failure::Database(error) = failure else {
            return match failure {
                Failure::OtherVersion => format!("{path} was written by another version of ruleward"),
                Failure::Foreign | Failure::Database(_) => format!("{path} is a database of another program"),
            };
        };
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => format!("{path} is damaged"),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                format!("{path} was held by another program for more than {} s", self.patience.as_secs_f64())
            }
            Some(ErrorCode::ReadOnly) => format!("{path} may not be written"),
            Some(ErrorCode::DiskFull) => format!("{path} could not be written: the disk is full"),
            _ => format!("{path} could not be used: {error}"),
        }
    }
}

impl Store {
    /// Returns what is remembered, and changes nothing.
    ///
    /// # Errors
    /// Returns why the memory cannot be used, for people.
    pub(super) fn load(&self, visit: &Visit<'_>) -> Result<State, String> {
        let Some(database) = self.database().filter(|database| database.path.exists()) else {
            return Ok(State::default());
        };
        let mut connection = database.open()?;
        let transaction = connection.transaction().map_err(|error| database.described(&error.into()))?;
        Rows { transaction: &transaction, visit, path: database.path }.load()
    }
}

impl Keeper for Store {
    fn answer(&self, owner: &str, name: &str, now: Time) -> Result<Option<String>, String> {
        self.database().map_or(Ok(None), |database| database.answer(owner, name, now))
    }

    fn keep_answer(&self, owner: &str, answer: &KeptAnswer, now: Time) -> Result<(), String> {
        self.database().map_or(Ok(()), |database| database.keep_answer(owner, answer, now))
    }

    fn visit(&self, visit: &Visit<'_>, step: &mut dyn FnMut(State) -> State) -> Result<(), String> {
        let database = self.database().ok_or("there is no directory for what is to be remembered")?;
        let mut connection = database.open()?;
        let failed = |error: Failure| database.described(&error);
        let transaction = connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(|error| failed(error.into()))?;
        let rows = Rows { transaction: &transaction, visit, path: database.path };
        let before = rows.load()?;
        let after = step(before.clone());
        rows.save(&before, &after).map_err(failed)?;
        transaction.commit().map_err(|error| failed(error.into()))?;
        database.tidy(&connection);
        Ok(())
    }
}

/// Returns the path of what the database keeps beside the file.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

/// Why the database cannot be used.
#[derive(Debug)]
pub(super) enum Failure {
    OtherVersion,
    Foreign,
    Database(rusqlite::Error),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

/// The rows of one visit.
struct Rows<'a> {
    transaction: &'a Transaction<'a>,
    visit: &'a Visit<'a>,
    path: &'a Path,
}

impl Rows<'_> {
    fn load(&self) -> Result<State, String> {
        Ok(State {
            session: self.load_one(Scope::Session)?,
            project: self.load_one(Scope::Project)?,
            day: self.load_one(Scope::Day)?,
            is_lost: false,
        })
    }

    fn load_one<T: Default + DeserializeOwned>(&self, scope: Scope) -> Result<T, String> {
        if !self.visit.scopes.contains(scope) {
            return Ok(T::default());
        }
        let path = self.path.display();
        let body: Option<String> = self
            .transaction
            .query_row("SELECT body FROM records WHERE scope = ?1 AND key = ?2", self.key(scope), |row| row.get(0))
            .optional()
            .map_err(|error| format!("{path} could not be read: {error}"))?;
        let Some(body) = body else { return Ok(T::default()) };
        serde_json::from_str(&body).map_err(|error| format!("{path} is damaged: a record cannot be read: {error}"))
    }

    fn save(&self, before: &State, after: &State) -> Result<(), Failure> {
        self.save_one(Scope::Session, &before.session, &after.session)?;
        self.save_one(Scope::Project, &before.project, &after.project)?;
        self.save_one(Scope::Day, &before.day, &after.day)
    }

    fn save_one<T: Default + PartialEq + Serialize>(&self, scope: Scope, before: &T, after: &T) -> Result<(), Failure> {
        if !self.visit.scopes.contains(scope) || before == after {
            return Ok(());
        }
        let Time(now) = self.visit.now;
        let body =
            serde_json::to_string(after).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
        let (scope_name, key) = self.key(scope);
        self.transaction.execute(
            "INSERT INTO records (scope, key, body, seen) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (scope, key) DO UPDATE SET body = ?3, seen = ?4",
            (scope_name, key, body, seconds(now)),
        )?;
        if *before == T::default() {
            self.forget_old(now)?;
        }
        Ok(())
    }

    /// Forgets what was not seen for long. Projects are few, and are kept.
    fn forget_old(&self, now: u64) -> Result<(), Failure> {
        let oldest = seconds(now.saturating_sub(MOST_AGE));
        self.transaction.execute("DELETE FROM records WHERE scope <> 'project' AND seen < ?1", (oldest,))?;
        Ok(())
    }

    fn key(&self, scope: Scope) -> (&'static str, &str) {
        (scope.name(), self.visit.keys.get(scope))
    }
}

pub(super) fn seconds(time: u64) -> i64 {
    i64::try_from(time).unwrap_or(i64::MAX)
}
