//! Passwords in URLs and connection strings.
//!
//! Most of them are samples, recognizable by the host or the password: a dummy password on any host, or a simple
//! password on a sample or local host.

use super::{BuiltinMatch, KeywordContext};
use crate::domain::secret::detector::Tier;
use crate::domain::secret::placeholder;

/// Schemes of databases, caches and queues; of `a+b` only `a` counts.
const SERVICE_SCHEMES: &[&str] = &[
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
const WEB_SCHEMES: &[&str] = &[
    "http", "https", "ftp", "ftps", "sftp", "ssh", "git", "ws", "wss", "smtp", "smtps", "imap", "imaps", "svn", "mqtt",
    "mqtts", "socks5", "socks5h", "rtsp", "rtsps", "webdav", "dav", "davs", "smb", "afp", "sip", "xmpp", "pop3",
    "pop3s",
];

/// The maximum length of a user or a password, in bytes.
const MAX_COMPONENT: usize = 256;

/// Other keys of a connection string.
const CONNECTION_STRING_KEYS: &[&str] =
    &["server=", "data source=", "host=", "initial catalog=", "database=", "uid=", "user id=", "username=", "addr="];

/// A password for a database or a queue.
pub(super) fn service_login(place: &KeywordContext<'_>) -> Option<BuiltinMatch> {
    if place.keyword().eq_ignore_ascii_case("@tcp(") {
        return driver_login(place);
    }
    if place.keyword() != "://" {
        return connection_string(place);
    }
    let login = UrlLogin::parse_at(place)?;
    let wanted = SERVICE_SCHEMES.contains(&login.scheme.as_str());
    (wanted && login.is_real_login()).then(|| BuiltinMatch { span: login.span.clone(), tier: Tier::Paired })
}

/// A password for a web site, where names and samples are more common than secrets.
pub(super) fn site_login(place: &KeywordContext<'_>) -> Option<BuiltinMatch> {
    let login = UrlLogin::parse_at(place)?;
    let odd = login.password.len() >= 8 && login.password.bytes().any(|byte| !byte.is_ascii_lowercase());
    // Documentation uses these for user names.
    let sample = ["user", "username", "name", "login"].contains(&login.user);
    let wanted =
        WEB_SCHEMES.contains(&login.scheme.as_str()) && !sample && odd && !login.password.contains(['?', '#', ',']);
    (wanted && login.is_real_login()).then(|| BuiltinMatch { span: login.span.clone(), tier: Tier::Paired })
}

/// `user:password@tcp(host:port)/database`, as drivers of Go take it.
fn driver_login(place: &KeywordContext<'_>) -> Option<BuiltinMatch> {
    let start = place.keyword_span.start.saturating_sub(MAX_COMPONENT);
    let before = place.slice_around(start..place.keyword_span.start);
    let word = before.rsplit([' ', '"', '\'', '`', '\n', '=', '/']).next()?;
    let (user, password) = word.split_once(':')?;
    let rest = place.slice_around(place.keyword_span.end..place.keyword_span.end.saturating_add(MAX_COMPONENT));
    let host = rest.split([')', ':']).next().unwrap_or_default();
    let span = place.keyword_span.start - password.len()..place.keyword_span.start;
    let login = UrlLogin { scheme: String::new(), user, password, host, span };
    (!user.is_empty() && login.is_real_login()).then(|| BuiltinMatch { span: login.span.clone(), tier: Tier::Paired })
}

/// `Server=…;Password=…;`
fn connection_string(place: &KeywordContext<'_>) -> Option<BuiltinMatch> {
    let rest = place.slice_around(place.keyword_span.end..place.keyword_span.end.saturating_add(MAX_COMPONENT));
    let len = rest.find([';', '"', '\'', '`', '\n', ' ', '&', '<']).unwrap_or(rest.len());
    let value = rest.get(..len)?;
    let line = |text: &str, last: bool| {
        let mut lines = text.split(['\n', '"', '\'', '`']);
        let part = if last { lines.next_back() } else { lines.next() };
        part.unwrap_or_default().to_ascii_lowercase()
    };
    let before = line(
        place.slice_around(place.keyword_span.start.saturating_sub(MAX_COMPONENT)..place.keyword_span.start),
        true,
    );
    let after = line(rest.get(len..)?, false);
    let beside = CONNECTION_STRING_KEYS.iter().filter(|word| before.contains(**word) || after.contains(**word)).count();
    let listed = before.contains(';') || after.starts_with(';');
    let ours = ["localhost", "127.0.0.1", "(local)", "server=."]
        .iter()
        .any(|host| before.contains(host) || after.contains(host));
    let chosen = value.len() >= 4 && !placeholder::is_dummy(value) && (!ours || is_strong_password(value));
    let span = place.keyword_span.end..place.keyword_span.end + len;
    (beside > 0 && listed && chosen).then_some(BuiltinMatch { span, tier: Tier::Paired })
}

struct UrlLogin<'t> {
    scheme: String,
    user: &'t str,
    password: &'t str,
    host: &'t str,
    span: std::ops::Range<usize>,
}

impl<'t> UrlLogin<'t> {
    /// Reads the URL that contains this `://`.
    fn parse_at(place: &KeywordContext<'t>) -> Option<Self> {
        let before = place.slice_around(place.keyword_span.start.saturating_sub(32)..place.keyword_span.start);
        let in_scheme = |sign: char| sign.is_ascii_alphanumeric() || sign == '+';
        let scheme = before.rsplit(|sign| !in_scheme(sign)).next()?.split('+').next()?.to_ascii_lowercase();
        if !SERVICE_SCHEMES.contains(&scheme.as_str()) && !WEB_SCHEMES.contains(&scheme.as_str()) {
            return None;
        }
        let rest = place.slice_around(place.keyword_span.end..place.keyword_span.end.saturating_add(2 * MAX_COMPONENT));
        let stops = |sign: char| sign.is_whitespace() || "/@:\"'`<>\\".contains(sign);
        let (user, rest_at) = rest.find(stops).and_then(|at| Some((rest.get(..at)?, at)))?;
        let behind = rest.get(rest_at..)?.strip_prefix(':')?;
        let stops = |sign: char| sign.is_whitespace() || "/@\"'`<>\\".contains(sign);
        let end = behind.find(stops)?;
        let (password, host) = (behind.get(..end)?, behind.get(end..)?.strip_prefix('@')?);
        let hostlike = host.starts_with(|sign: char| sign.is_ascii_alphanumeric() || sign == '[');
        let ends = |sign: char| !(sign.is_ascii_alphanumeric() || "-.[_".contains(sign));
        let start = place.keyword_span.end + rest_at + 1;
        let login = Self {
            scheme,
            user,
            password,
            host: host.split(ends).next().unwrap_or_default(),
            span: start..start + end,
        };
        (hostlike && password.len() >= 3).then_some(login)
    }

    fn is_real_login(&self) -> bool {
        let chosen = self.password.len() >= 4 && self.password != self.user && !placeholder::is_dummy(self.password);
        chosen && (is_external_host(self.host) || is_strong_password(self.password))
    }
}

/// Returns whether the host is publicly reachable and not reserved for samples.
fn is_external_host(host: &str) -> bool {
    let host = host.to_ascii_lowercase();
    let ours = ["localhost", "127.", "0.0.0.0", "host."];
    let ending = host.rsplit('.').next().unwrap_or_default();
    // A bare name is a container of the same composition, where samples are common.
    host.contains('.')
        && !ours.iter().any(|start| host.starts_with(start))
        && !host.contains("example")
        && !["test", "local", "localhost", "invalid", "localdomain"].contains(&ending)
}

fn is_strong_password(password: &str) -> bool {
    password.len() >= 10 && placeholder::looks_random(password)
}
