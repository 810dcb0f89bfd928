//! The names of hosts in policies; the caller knows which exist.

/// The names of a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostName {
    /// Its name in policies.
    pub name: &'static str,
    /// Its name for users.
    pub title: &'static str,
    /// Whether a program can be run with the protocol of its hooks (`speaks`).
    pub is_protocol: bool,
}

impl HostName {
    /// Returns the names of the hosts whose hook protocol a program can be run with, in alphabetical order.
    pub fn protocols(hosts: &[Self]) -> Vec<&'static str> {
        let mut names: Vec<_> = hosts.iter().filter(|host| host.is_protocol).map(|host| host.name).collect();
        names.sort_unstable();
        names
    }
}
