//! Hosts that data is sent to: on this machine or its network, or places that collect what they are sent.

/// Services that show whoever asks what they were sent.
const COLLECTORS: &[&str] = &[
    "webhook.site",
    "requestbin.com",
    "requestcatcher.com",
    "pipedream.net",
    "beeceptor.com",
    "hookbin.com",
    "oast.fun",
    "oast.pro",
    "oast.live",
    "oast.site",
    "oast.online",
    "oast.me",
    "interact.sh",
    "burpcollaborator.net",
    "oastify.com",
    "canarytokens.com",
    "dnslog.cn",
    "ngrok.io",
    "ngrok.app",
    "ngrok-free.app",
    "ngrok-free.dev",
    "trycloudflare.com",
    "loca.lt",
    "serveo.net",
    "localhost.run",
];

/// The first labels of hosts that answer programs, and the parts of paths.
const API_LABELS: &[&str] = &[
    "api", "auth", "login", "id", "sso", "oauth", "accounts", "account", "identity", "iam", "keycloak", "gateway",
    "graph",
];
const API_PATHS: &[&str] = &[
    "api", "v1", "v2", "v3", "v4", "oauth", "oauth2", "token", "login", "signin", "auth", "session", "sessions",
    "graphql", "rest", "connect", "realms",
];

/// Returns whether a host is this machine or in a network of its own: a private address, a name without a dot.
pub(crate) fn is_local(host: &str) -> bool {
    let mut numbers = host.split('.').map(str::parse::<u8>);
    let address = [(); 4].map(|()| numbers.next().and_then(Result::ok));
    if let ([Some(first), Some(second), Some(_), Some(_)], None) = (address, numbers.next()) {
        return match first {
            0 | 10 | 127 => true,
            169 => second == 254,
            172 => (16..32).contains(&second),
            192 => second == 168,
            _ => false,
        };
    }
    let is_name = !host.is_empty() && !host.contains(['.', ':', '$', '`']);
    let local = [".localhost", ".local", ".internal", ".test", ".lan", ".home.arpa", ".svc"];
    is_name
        || host == "::1"
        || host.starts_with("fd") && host.contains(':')
        || local.iter().any(|end| host.ends_with(end))
}

/// Returns whether a host shows others what it is sent.
pub(super) fn is_collector(host: &str) -> bool {
    COLLECTORS
        .iter()
        .any(|name| host.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with('.')))
}

/// Returns the host in an address, with or without a scheme; `None` if it is not known.
pub(super) fn host_in(address: &str) -> Option<String> {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let authority = authority(rest);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = match host.strip_prefix('[') {
        Some(inside) => inside.split(']').next().unwrap_or(inside),
        None => host.split(':').next().unwrap_or(host),
    };
    // Of a host with an unknown part, the domain is known: `$x.example.com`.
    let known = match host.rfind(['$', '`', '}', ')']) {
        Some(_) => host.split_once('.').map_or("", |(_, domain)| domain),
        None => host,
    };
    let is_known = !known.is_empty() && !known.contains(['$', '`', '{', '(', '…']);
    is_known.then(|| known.trim_end_matches('.').to_ascii_lowercase())
}

/// Returns the part of an address that names user, host and port. A `/` inside `${…}` does not end it.
fn authority(rest: &str) -> &str {
    let mut depth = 0_usize;
    for (at, character) in rest.char_indices() {
        match character {
            '{' | '(' => depth += 1,
            '}' | ')' => depth = depth.saturating_sub(1),
            '/' | '?' | '#' | '\\' if depth == 0 => return rest.get(..at).unwrap_or(rest),
            _ => {}
        }
    }
    rest
}

/// Returns whether an address is one that programs log in to.
pub(super) fn is_api_address(address: &str) -> bool {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest).to_ascii_lowercase();
    let (host, path) = rest.split_once('/').unwrap_or((&rest, ""));
    let label = host.rsplit('@').next().unwrap_or(host).split('.').next().unwrap_or_default();
    let path = path.split(['?', '#']).next().unwrap_or_default();
    label.split('-').any(|part| API_LABELS.contains(&part)) || path.split('/').any(|part| API_PATHS.contains(&part))
}

#[cfg(test)]
mod tests {
    use super::{host_in, is_api_address, is_collector, is_local};

    #[test]
    fn hosts_of_addresses_are_known_in_part() {
        for (address, expected) in [
            ("https://a.example/x?y", Some("a.example")),
            ("https://$T@a.example:8443/", Some("a.example")),
            ("https://${T:-a/b}@a.example/x", Some("a.example")),
            ("$T.a.example", Some("a.example")),
            ("$BASE/x", None),
            ("http://[::1]:3000/", Some("::1")),
            ("a.example/x", Some("a.example")),
        ] {
            assert_eq!(host_in(address).as_deref(), expected, "{address}");
        }
    }

    #[test]
    fn hosts_are_sorted() {
        for host in ["localhost", "api", "127.0.0.1", "192.168.1.2", "172.20.0.1", "::1", "x.localhost"] {
            assert!(is_local(host), "{host}");
        }
        for host in ["example.com", "8.8.8.8", "172.32.0.1", "1.2.3.4.5"] {
            assert!(!is_local(host), "{host}");
        }
        assert!(is_collector("abc.ngrok.io") && is_collector("webhook.site") && !is_collector("notwebhook.site"));
        assert!(is_api_address("https://api.a.example/x") && is_api_address("https://a.example/oauth/token"));
        assert!(!is_api_address("https://a.example/collect?api=1"));
    }
}
