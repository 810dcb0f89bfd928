//! Passwords in URLs and connection strings.
//!
//! Most of those that are written anywhere are samples, and they give themselves away by the host or by the password:
//! nobody's password on any host, or any simple password on a host that is nobody's or one's own.

use super::{Found, Place};
use crate::domain::secret::{detector::Tier, placeholder};

/// Schemes of databases, caches and queues; of `a+b` only `a` counts.
const SERVICES: &[&str] = &[
    "postgres",
    "postgresql",
    "mysql",
    "mysql2",
    "mariadb",
    "mongodb",
    "redis",
    "rediss",
    "amqp",
    "amqps",
    "mssql",
    "sqlserver",
    "clickhouse",
    "clickhouses",
    "cockroachdb",
    "cockroach",
    "couchdb",
    "couchbase",
    "cassandra",
    "neo4j",
    "neo4js",
    "bolt",
    "oracle",
    "snowflake",
    "trino",
    "presto",
    "vertica",
    "db2",
    "firebird",
    "memcached",
    "kafka",
    "nats",
    "stomp",
    "valkey",
    "valkeys",
    "elasticsearch",
    "opensearch",
    "influxdb",
    "surrealdb",
    "libsql",
    "ibmdb2",
    "hive",
    "impala",
    "redshift",
    "teradata",
    "exasol",
    "dremio",
    "ldap",
    "ldaps",
];

/// Schemes of everything else that takes a login.
const SITES: &[&str] = &[
    "http", "https", "ftp", "ftps", "sftp", "ssh", "git", "ws", "wss", "smtp", "smtps", "imap", "imaps", "svn", "mqtt",
    "mqtts", "socks5", "socks5h", "rtsp", "rtsps", "webdav", "dav", "davs", "smb", "afp", "sip", "xmpp", "pop3",
    "pop3s",
];

/// Bytes of a user or a password.
const PART: usize = 256;

/// What a connection string names beside its password.
const BESIDE: &[&str] =
    &["server=", "data source=", "host=", "initial catalog=", "database=", "uid=", "user id=", "username=", "addr="];

/// A password for a database or a queue.
pub(super) fn service(place: &Place<'_>) -> Option<Found> {
    if place.keyword() != "://" {
        return connection_string(place);
    }
    let login = Login::at(place)?;
    let wanted = SERVICES.contains(&login.scheme.as_str());
    (wanted && login.is_chosen()).then(|| Found { span: login.span.clone(), tier: Tier::Paired })
}

/// A password for a web site, where names and samples are commoner than secrets.
pub(super) fn site(place: &Place<'_>) -> Option<Found> {
    let login = Login::at(place)?;
    let odd = login.password.len() >= 8 && login.password.bytes().any(|byte| !byte.is_ascii_lowercase());
    // So documentation calls whoever logs in.
    let sample = ["user", "username", "name", "login"].contains(&login.user);
    let wanted = SITES.contains(&login.scheme.as_str()) && !sample && odd && !login.password.contains(['?', '#', ',']);
    (wanted && login.is_chosen()).then(|| Found { span: login.span.clone(), tier: Tier::Paired })
}

/// `Server=…;Password=…;`
fn connection_string(place: &Place<'_>) -> Option<Found> {
    let rest = place.around(place.at.end..place.at.end.saturating_add(PART));
    let len = rest.find([';', '"', '\'', '`', '\n', ' ', '&', '<']).unwrap_or(rest.len());
    let value = rest.get(..len)?;
    let line = |text: &str, last: bool| {
        let mut lines = text.split(['\n', '"', '\'', '`']);
        let part = if last { lines.next_back() } else { lines.next() };
        part.unwrap_or_default().to_ascii_lowercase()
    };
    let before = line(place.around(place.at.start.saturating_sub(PART)..place.at.start), true);
    let after = line(rest.get(len..)?, false);
    let beside = BESIDE.iter().filter(|word| before.contains(**word) || after.contains(**word)).count();
    let listed = before.contains(';') || after.starts_with(';');
    let ours = ["localhost", "127.0.0.1", "(local)", "server=."]
        .iter()
        .any(|host| before.contains(host) || after.contains(host));
    let chosen = value.len() >= 4 && !placeholder::is_dummy(value) && (!ours || is_strong(value));
    let span = place.at.end..place.at.end + len;
    (beside > 0 && listed && chosen).then_some(Found { span, tier: Tier::Paired })
}

struct Login<'t> {
    scheme: String,
    user: &'t str,
    password: &'t str,
    host: &'t str,
    span: std::ops::Range<usize>,
}

impl<'t> Login<'t> {
    /// Reads the URL in which `://` stands.
    fn at(place: &Place<'t>) -> Option<Self> {
        let before = place.around(place.at.start.saturating_sub(32)..place.at.start);
        let in_scheme = |sign: char| sign.is_ascii_alphanumeric() || sign == '+';
        let scheme = before.rsplit(|sign| !in_scheme(sign)).next()?.split('+').next()?.to_ascii_lowercase();
        if !SERVICES.contains(&scheme.as_str()) && !SITES.contains(&scheme.as_str()) {
            return None;
        }
        let rest = place.around(place.at.end..place.at.end.saturating_add(2 * PART));
        let stops = |sign: char| sign.is_whitespace() || "/@:\"'`<>\\".contains(sign);
        let (user, rest_at) = rest.find(stops).and_then(|at| Some((rest.get(..at)?, at)))?;
        let behind = rest.get(rest_at..)?.strip_prefix(':')?;
        let stops = |sign: char| sign.is_whitespace() || "/@\"'`<>\\".contains(sign);
        let end = behind.find(stops)?;
        let (password, host) = (behind.get(..end)?, behind.get(end..)?.strip_prefix('@')?);
        let hostlike = host.starts_with(|sign: char| sign.is_ascii_alphanumeric() || sign == '[');
        let ends = |sign: char| !(sign.is_ascii_alphanumeric() || "-.[_".contains(sign));
        let start = place.at.end + rest_at + 1;
        let login = Self {
            scheme,
            user,
            password,
            host: host.split(ends).next().unwrap_or_default(),
            span: start..start + end,
        };
        (hostlike && password.len() >= 3).then_some(login)
    }

    fn is_chosen(&self) -> bool {
        let chosen = self.password.len() >= 4 && self.password != self.user && !placeholder::is_dummy(self.password);
        chosen && (is_elsewhere(self.host) || is_strong(self.password))
    }
}

/// Whether the host is a place that others can reach and that is not set aside for samples.
fn is_elsewhere(host: &str) -> bool {
    let host = host.to_ascii_lowercase();
    let ours = ["localhost", "127.", "0.0.0.0", "host."];
    let ending = host.rsplit('.').next().unwrap_or_default();
    // A bare name is a container of the same composition; that is where samples live.
    host.contains('.')
        && !ours.iter().any(|start| host.starts_with(start))
        && !host.contains("example")
        && !["test", "local", "localhost", "invalid", "localdomain"].contains(&ending)
}

fn is_strong(password: &str) -> bool {
    password.len() >= 10 && placeholder::looks_random(password)
}
