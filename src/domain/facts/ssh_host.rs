//! Whether this machine has connected to a host before, by the files of `ssh`.

use sha1::{Digest as _, Sha1};

use super::Facts;
use crate::domain::shell::{self, FileContent, actions};
use crate::domain::text::url::host_of;

/// The greatest size of a file of `ssh` that is read.
const MAX_BYTES: usize = 1 << 20;

/// The length of the blocks that SHA-1 works on, in bytes.
const BLOCK_LENGTH: usize = 64;

impl Facts<'_> {
    /// Returns whether a destination of `ssh` is a host that is none of the person's, as far as that can be known: it
    /// has a public address, and this machine knows other hosts but not this one. Where it knows none, only a
    /// numeric address is strange.
    pub(super) fn is_strange_host(&self, destination: Option<&str>) -> bool {
        let Some(host) = destination.map(named_host).filter(|host| !host.is_empty()) else { return false };
        if actions::is_local_host(&host) || host.contains(['$', '`', '*']) {
            return false;
        }
        let Some(home) = self.path_context.home.as_deref() else { return false };
        let read = |name: &str| self.file_system.read(&format!("{home}/.ssh/{name}"), MAX_BYTES);
        if matches!(read("config"), FileContent::Text(text) if is_configured(&text, &host)) {
            return false;
        }
        match read("known_hosts") {
            FileContent::Text(text) => !is_known(&text, &host),
            FileContent::Missing => host.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'),
            _ => false,
        }
    }
}

/// Returns the host of `user@host:path`, or of an address.
fn named_host(destination: &str) -> String {
    // The parts of a connection that is written out: `:sftp,host=example.org:/in`.
    if let Some(at) = destination.split(',').find_map(|part| part.strip_prefix("host=")) {
        return at.split(':').next().unwrap_or_default().to_ascii_lowercase();
    }
    host_of(destination)
}

/// Returns whether a configuration of `ssh` has a section for a host.
fn is_configured(config: &str, host: &str) -> bool {
    config.lines().any(|line| {
        let mut words = line.split([' ', '\t', '=']).filter(|word| !word.is_empty());
        let key = words.next().unwrap_or_default();
        match key.to_ascii_lowercase().as_str() {
            "host" => words.any(|pattern| pattern != "*" && is_match(pattern.trim_matches('"'), host)),
            "hostname" => words.any(|name| name.eq_ignore_ascii_case(host)),
            _ => false,
        }
    })
}

/// Returns whether a host has a line in the file of hosts that were connected to.
fn is_known(known_hosts: &str, host: &str) -> bool {
    known_hosts.lines().filter(|line| !line.starts_with('#')).any(|line| {
        let mut fields = line.split_whitespace();
        let names = fields.next().filter(|first| !first.starts_with('@')).or_else(|| fields.next());
        names.unwrap_or_default().split(',').any(|name| {
            if let Some(hashed) = name.strip_prefix("|1|") {
                return is_hash_of(hashed, host).unwrap_or(false);
            }
            let bare = name.strip_prefix('[').and_then(|rest| rest.split_once(']')).map_or(name, |(bare, _)| bare);
            is_match(bare, host)
        })
    })
}

fn is_match(pattern: &str, host: &str) -> bool {
    shell::glob::matches(&pattern.to_ascii_lowercase(), host)
}

/// Returns whether a line that hides its host is about this one: `salt|HMAC-SHA1(salt, host)`, both in base64.
fn is_hash_of(hashed: &str, host: &str) -> Option<bool> {
    let (salt, digest) = hashed.split_once('|')?;
    let (salt, digest) = (shell::decode::decode_base64(salt)?, shell::decode::decode_base64(digest)?);
    let pad = |byte: u8| -> Vec<u8> {
        let key = salt.iter().copied().chain(std::iter::repeat(0)).take(BLOCK_LENGTH);
        key.map(|key| key ^ byte).collect()
    };
    let inner = Sha1::new().chain_update(pad(0x36)).chain_update(host).finalize();
    let outer = Sha1::new().chain_update(pad(0x5c)).chain_update(inner).finalize();
    Some(salt.len() <= BLOCK_LENGTH && outer.as_slice() == digest)
}

#[cfg(test)]
mod tests {
    use super::{is_configured, is_known, named_host};

    #[test]
    fn hosts_are_known_by_name_address_and_hash() {
        let known = "# x\n\
            app1.example.com,203.0.113.7 ssh-ed25519 AAAA\n\
            [git.example.com]:2222 ssh-rsa AAAA\n\
            @cert-authority *.fleet.example.com ssh-rsa AAAA\n\
            |1|MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=|67y5Ns2iZgw/o09oG0+OHK7NcRA= ssh-rsa AAAA\n";
        for host in ["app1.example.com", "203.0.113.7", "git.example.com", "a.fleet.example.com", "hidden.example.com"]
        {
            assert!(is_known(known, host), "{host}");
        }
        for host in ["app2.example.com", "203.0.113.8", "example.com", ""] {
            assert!(!is_known(known, host), "{host}");
        }
    }

    #[test]
    fn sections_of_the_configuration_name_hosts() {
        let config = "Host *\n  User me\nHost web-* db\n  HostName=10.0.0.1\nhost mail\n\tHostName mail.example.com\n";
        for host in ["web-1", "db", "10.0.0.1", "mail", "mail.example.com"] {
            assert!(is_configured(config, host), "{host}");
        }
        assert!(!is_configured(config, "other.example.com"));
    }

    #[test]
    fn destinations_are_written_in_several_ways() {
        for (destination, host) in [
            ("me@App1.example.com:/srv", "app1.example.com"),
            ("ftp://user@example.com/in", "example.com"),
            (":sftp,host=example.com,user=x:/in", "example.com"),
            ("example.com", "example.com"),
        ] {
            assert_eq!(named_host(destination), host);
        }
    }
}
