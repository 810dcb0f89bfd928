//! The store of the state between events.

mod admin;
mod response_cache;
mod store;

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use crate::domain::time::Time;
use crate::io::platform::Platform;

pub use admin::{ReadOnlyStore, Reset, StateRow};
pub use store::SqliteStore;

/// How long a command of a user waits for hooks that write.
pub const LOCK_TIMEOUT: Duration = Duration::from_secs(3);

/// Returns the file that everything is kept in.
pub fn database_path(surroundings: &Platform) -> Option<PathBuf> {
    surroundings.state_dir().map(|directory| surroundings.join(directory, &["state.db"]).into())
}

/// Returns the present time.
pub fn now() -> Time {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    Time(since.map(|since| since.as_secs()).unwrap_or_default())
}
