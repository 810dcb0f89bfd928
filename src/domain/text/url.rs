//! URLs as text.

/// Returns the lower-case host name of a URL, without user, port and trailing dot.
pub fn host_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or(rest);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = match host.strip_prefix('[') {
        Some(address) => address.split(']').next().unwrap_or(address),
        None => host.split(':').next().unwrap_or(host),
    };
    host.trim_end_matches('.').to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::host_of;

    #[test]
    fn hosts_are_read_from_addresses() {
        for (url, host) in [
            ("https://user:pw@Example.com:8443/a?b#c", "example.com"),
            ("http://[::1]:80/", "::1"),
            ("example.com.", "example.com"),
            (r"https://evil.com\@good.com/", "evil.com"),
        ] {
            assert_eq!(host_of(url), host);
        }
    }
}
