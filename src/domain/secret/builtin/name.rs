//! What a name promises of the value that is assigned to it.
//!
//! Names of metadata about a secret, of public keys and of keys that find or order something promise none.

use std::ops::Range;

/// Last words of names of metadata about a secret.
const METADATA_WORDS: &[&str] = &[
    "id",
    "name",
    "url",
    "uri",
    "path",
    "file",
    "filename",
    "type",
    "hash",
    "digest",
    "length",
    "len",
    "size",
    "count",
    "expiry",
    "expires",
    "expiration",
    "ttl",
    "endpoint",
    "arn",
    "ref",
    "version",
    "field",
    "header",
    "prefix",
    "suffix",
    "pattern",
    "regex",
    "format",
    "class",
    "label",
    "title",
    "description",
    "selector",
    "index",
    "kind",
    "public",
    "at",
    "on",
    "key_id",
    "dir",
    "placeholder",
    "hint",
    "message",
    "msg",
    "text",
    "help",
    "error",
    "env",
    "var",
    "input",
    "strength",
    "policy",
    "rules",
    "reset",
    "manager",
    "provider",
    "service",
    "store",
    "storage",
    "column",
    "param",
    "sha",
    "sha1",
    "sha256",
    "md5",
    "checksum",
    "fingerprint",
    "integrity",
    "used",
    "changed",
    "updated",
    "created",
    "expired",
    "date",
    "time",
    "age",
    "commit",
    "rev",
    "revision",
];

/// Suffixes of names of tokens that grant no access: cursors of lists, and what proves that a form is our own.
const CURSOR_TOKEN_SUFFIXES: &[&str] = &[
    "nexttoken",
    "pagetoken",
    "continuationtoken",
    "skiptoken",
    "deltatoken",
    "resumetoken",
    "cursortoken",
    "pagingtoken",
    "paginationtoken",
    "scrolltoken",
    "changetoken",
    "formtoken",
    "canceltoken",
    "cancellationtoken",
    "designtoken",
    "themetoken",
    "colortoken",
    "synctoken",
    "antiforgerytoken",
    "verificationtoken",
    "authenticitytoken",
];

/// Whole names of tokens by which a service knows a repeated request.
const IDEMPOTENCY_TOKENS: &[&str] =
    &["ClientToken", "client-token", "--client-token", "clientRequestToken", "ClientRequestToken", "RequestToken"];

/// Words before `key` in names of secrets.
const SECRET_KEY_WORDS: &[&str] = &[
    "api",
    "access",
    "auth",
    "private",
    "encryption",
    "encrypt",
    "signing",
    "account",
    "master",
    "license",
    "hmac",
    "app",
    "secret",
];

/// Words before `key` in names of what finds, orders or shows something, and of keys that everybody may know.
const PLAIN_KEY_WORDS: &[&str] = &[
    "alt",
    "arrow",
    "asset",
    "attr",
    "attribute",
    "bucket",
    "cache",
    "cell",
    "child",
    "class",
    "column",
    "component",
    "composite",
    "config",
    "content",
    "context",
    "cookie",
    "ctrl",
    "data",
    "datastore",
    "dedupe",
    "dedup",
    "dict",
    "document",
    "duplicate",
    "entity",
    "entry",
    "enter",
    "event",
    "field",
    "file",
    "foreign",
    "form",
    "group",
    "hash",
    "header",
    "host",
    "hot",
    "i18n",
    "idempotency",
    "image",
    "index",
    "item",
    "join",
    "json",
    "label",
    "lang",
    "locale",
    "lookup",
    "map",
    "message",
    "meta",
    "metric",
    "natural",
    "node",
    "object",
    "option",
    "order",
    "page",
    "param",
    "parent",
    "partition",
    "path",
    "prefix",
    "press",
    "primary",
    "prop",
    "property",
    "pub",
    "query",
    "range",
    "react",
    "record",
    "redis",
    "registry",
    "resource",
    "return",
    "root",
    "route",
    "routing",
    "row",
    "s3",
    "search",
    "section",
    "setting",
    "shard",
    "shift",
    "short",
    "shortcut",
    "site",
    "slot",
    "sort",
    "sorting",
    "state",
    "string",
    "style",
    "tab",
    "table",
    "tag",
    "test",
    "text",
    "theme",
    "translation",
    "trans",
    "type",
    "unique",
    "url",
    "user",
    "variable",
    "verification",
    "verify",
    "verifying",
    "websocket",
    "widget",
    "mon",
    "tur",
    "don",
    "hoc",
    "joc",
    "whis",
    "dar",
    "mal",
    "off",
];

/// Last words of names that promise a secret only together with a value that nobody would write.
const PLAIN_ENDINGS: &[&str] = &["key", "auth", "authorization", "pat", "cred", "creds"];

/// Words of names that suggest a password, anywhere in a name.
const PASSWORD_WORDS: &[&str] = &["password", "passwd", "passphrase"];

/// Last words of names whose values users choose.
const PASSWORD_NAME_ENDINGS: &[&str] =
    &["password", "passwd", "passphrase", "pwd", "pass", "pw", "psk", "dbpass", "requirepass", "bindpw", "storepass"];

/// What a name promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Promise {
    /// A secret that a user may have chosen.
    Password,
    /// A secret that a service issued.
    Secret,
    /// A key or a login, which may be of any kind.
    Key,
}

/// Returns what a name promises; `None` when it promises no secret.
pub(super) fn promise(name: &str) -> Option<Promise> {
    let lower = name.to_ascii_lowercase();
    let guards_form = ["csrf", "xsrf"].iter().any(|word| lower.contains(word));
    if guards_form && !["secret", "key"].iter().any(|word| lower.contains(word)) {
        return None;
    }
    if is_metadata_name(name) || ["public", "publishable", "tokeniz"].iter().any(|word| lower.contains(word)) {
        return None;
    }
    let whole = name.len();
    let name = name.trim_end_matches(|sign: char| sign.is_ascii_digit()).trim_end_matches(['_', '-', '.']);
    let lower = lower.get(..name.len()).unwrap_or_default();
    if lower.ends_with("stdin") || name.len() < whole && is_metadata_name(name) {
        return None;
    }
    let ending = last_word(name).to_ascii_lowercase();
    let person = PASSWORD_NAME_ENDINGS.contains(&ending.as_str())
        || lower.ends_with("identified by")
        || lower.ends_with("password");
    if person {
        return Some(Promise::Password);
    }
    let issued = ["secret", "token", "credential"].iter().any(|word| lower.contains(word)) || has_secret_key(lower);
    // `pass` also begins words such as `passed` and `passenger`.
    if issued
        || PASSWORD_WORDS.iter().any(|word| lower.contains(word))
        || ["pwd", "_pw", "_psk", "psk_", "bindpw"].iter().any(|word| lower.contains(word))
    {
        return Some(Promise::Secret);
    }
    let whole = |word: &str| word == "key" || ending == word || lower == "masterauth";
    let plain = PLAIN_ENDINGS.iter().find(|word| lower.ends_with(**word) && whole(word))?;
    if *plain != "key" {
        return Some(Promise::Key);
    }
    let before = lower.strip_suffix(plain)?.trim_end_matches(['_', '-', '.']);
    let last = before.rsplit(['_', '-', '.']).next().unwrap_or_default();
    let known = |word: &&str| last.ends_with(*word) && (last.len() == word.len() || word.len() >= 4);
    (!PLAIN_KEY_WORDS.iter().any(known)).then_some(Promise::Key)
}

/// Returns whether a part of a name is the name of a provider there: it begins a word, and the name is not that of an
/// identifier, an address or the like.
pub(in crate::domain::secret) fn names_provider(name: &str, part: Range<usize>) -> bool {
    let bytes = name.as_bytes();
    let before = part.start.checked_sub(1).and_then(|at| bytes.get(at)).copied().unwrap_or(b'_');
    // `-Dname=v` and `-Pname=v` set properties of Java's build tools.
    let property = part.start == 2 && bytes.first() == Some(&b'-') && matches!(before, b'D' | b'P');
    let begins = property
        || !before.is_ascii_alphabetic()
        || before.is_ascii_lowercase() && bytes.get(part.start).is_some_and(u8::is_ascii_uppercase);
    let last = last_word(name);
    let told = name.len() - last.len() < part.end || !METADATA_WORDS.contains(&last.to_ascii_lowercase().as_str());
    begins && told
}

/// Returns whether a name promises a secret of the kind for which services also issue UUIDs.
pub(super) fn may_be_uuid(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    ["token", "secret"].iter().any(|word| lower.contains(word)) || has_secret_key(&lower)
}

/// Returns whether `key` stands behind a word that makes it a secret, anywhere in the name.
fn has_secret_key(name: &str) -> bool {
    name.match_indices("key").any(|(at, _)| {
        let before = name.get(..at).unwrap_or_default().trim_end_matches(['_', '-', '.']);
        SECRET_KEY_WORDS.iter().any(|word| before.ends_with(word))
    })
}

/// Returns whether the last word makes the name one of metadata.
fn is_metadata_name(name: &str) -> bool {
    let whole: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    METADATA_WORDS.contains(&last_word(name).to_ascii_lowercase().as_str())
        || CURSOR_TOKEN_SUFFIXES.iter().any(|mark| whole.to_ascii_lowercase().ends_with(mark))
        || IDEMPOTENCY_TOKENS.contains(&name)
}

/// Returns what follows the last separator or the last capital that begins a word.
fn last_word(name: &str) -> &str {
    let part = name.rsplit(['_', '-', '.']).next().unwrap_or_default();
    let inner = part.char_indices().filter(|(_, sign)| sign.is_ascii_uppercase()).map(|(at, _)| at).next_back();
    inner
        .filter(|_| part.contains(|sign: char| sign.is_ascii_lowercase()))
        .and_then(|at| part.get(at..))
        .unwrap_or(part)
}
