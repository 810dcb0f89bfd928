//! Where what is remembered is kept between events.

mod answers;
mod care;
mod store;

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::platform::Surroundings;
use super::policy::discover;
use crate::domain::state::Time;

pub use care::{Looking, Reset, Row};
pub use store::Store;

/// How long a command of a person waits for hooks that write.
pub const PATIENCE: Duration = Duration::from_secs(3);

/// Returns the file that everything is kept in.
pub fn path(surroundings: &Surroundings) -> Option<PathBuf> {
    discover::state_directory(surroundings).map(|directory| surroundings.join(&directory, &["state.db"]).into())
}

/// Returns the present time.
pub fn now() -> Time {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    Time(since.map(|since| since.as_secs()).unwrap_or_default())
}
