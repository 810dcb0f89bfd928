//! What the commands share about hosts and places.

use std::path::{Path, PathBuf};

use crate::adapters::{HOSTS, Host};
use crate::io::policy::{Loaded, Request, load};
use crate::io::{files, platform::Surroundings};

/// Returns the host of a name that a person typed.
pub(super) fn named(name: &str) -> Result<&'static Host, String> {
    Host::named(name).ok_or_else(|| format!("unknown host `{name}`: one of {}", names().join(", ")))
}

/// Returns the names of all hosts.
pub(super) fn names() -> Vec<&'static str> {
    HOSTS.iter().map(|host| host.name).collect()
}
