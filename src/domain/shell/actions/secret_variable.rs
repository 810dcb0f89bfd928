//! Variables that hold secrets, by their names, and where shell text refers to them.

use crate::domain::shell::script::{Dialect, Word};

/// The last parts of names of variables that hold secrets.
const SECRET_ENDINGS: &[&str] = &[
    "SECRET",
    "SECRETS",
    "TOKEN",
    "TOKENS",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "PASS",
    "PWD",
    "APIKEY",
    "CREDENTIAL",
    "CREDENTIALS",
    "PAT",
    "AUTH",
    "JWT",
    "BEARER",
    "COOKIE",
    "PGPASSWORD",
];

/// The parts in front of `KEY` that make it a secret.
const SECRET_KEYS: &[&str] = &[
    "API",
    "ACCESS",
    "PRIVATE",
    "SECRET",
    "SIGNING",
    "ENCRYPTION",
    "AUTH",
    "SERVICE",
    "MASTER",
    "ADMIN",
    "ROLE",
    "DEPLOY",
    "SSH",
    "ACCOUNT",
    "SHARED",
    "SESSION",
    "JWT",
    "APP",
    "LICENSE",
];

/// The parts in front of `URL` or `URI` of addresses that have a password in them.
const SECRET_ADDRESSES: &[&str] = &[
    "DATABASE",
    "DB",
    "REDIS",
    "MONGO",
    "MONGODB",
    "POSTGRES",
    "POSTGRESQL",
    "PG",
    "MYSQL",
    "AMQP",
    "RABBITMQ",
    "WEBHOOK",
];

/// Last parts that say which one of several it is.
const VARIANTS: &[&str] =
    &["BASE64", "B64", "VALUE", "PROD", "PRODUCTION", "STAGING", "DEV", "TEST", "OLD", "NEW", "MAIN", "LIVE"];

/// Parts of names whose values are meant to be seen.
const PUBLIC_PARTS: &[&str] =
    &["PUBLIC", "PUBLISHABLE", "ANON", "FAKE", "DUMMY", "EXAMPLE", "MOCK", "MAX", "MIN", "NUM"];

/// Returns whether the value of a variable is a secret. Only names in capitals are: those of the environment.
pub(super) fn is_secret_variable(name: &str) -> bool {
    let is_name = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    if name.len() < 3 || !name.bytes().all(is_name) || name.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let mut parts: Vec<&str> = name.split('_').filter(|part| !part.is_empty()).collect();
    if parts.iter().any(|part| PUBLIC_PARTS.contains(part)) || matches!(name, "PWD" | "OLDPWD") {
        return false;
    }
    while parts.last().is_some_and(|part| VARIANTS.contains(part) || part.bytes().all(|byte| byte.is_ascii_digit())) {
        parts.pop();
    }
    let owned = super::owner_table::has_owner(name);
    match parts.as_slice() {
        [] => false,
        [.., "ACCESS", "KEY", "ID"] => owned,
        [.., before, "KEY"] => SECRET_KEYS.contains(before) || owned,
        [.., before, "URL" | "URI"] => SECRET_ADDRESSES.contains(before),
        [.., "CONNECTION", "STRING"] => true,
        [.., last] => SECRET_ENDINGS.contains(last),
    }
}

/// A reference to a secret variable in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reference<'t> {
    pub(super) name: &'t str,
    /// Where it begins, in bytes.
    pub(super) start: usize,
}

/// Returns the references of a word to variables that hold secrets. A length (`${#X}`) or a test (`${X:+set}`) is none.
pub(super) fn references(word: &Word, dialect: Dialect) -> Vec<Reference<'_>> {
    if word.literal && dialect == Dialect::Posix {
        return Vec::new();
    }
    text_references(&word.text, dialect)
}

/// Returns the references in a text that is expanded as a whole, such as a here-document.
pub(super) fn text_references(text: &str, dialect: Dialect) -> Vec<Reference<'_>> {
    // The words of evaluated lines of Windows have variables of the environment as `$NAME`.
    let signs: &[char] = if dialect == Dialect::Cmd { &['%', '$'] } else { &['$'] };
    let mut found = Vec::new();
    for (start, sign) in text.match_indices(signs) {
        let behind = text.get(start + 1..).unwrap_or_default();
        if let Some(command) = behind.strip_prefix('(').and_then(|rest| rest.split(')').next()) {
            if super::owner_table::has_owner(command) && command.contains(' ') {
                found.push(Reference { name: command, start });
            }
            continue;
        }
        let braced = behind.starts_with('{');
        let behind = behind.strip_prefix('{').unwrap_or(behind);
        let behind = match dialect {
            Dialect::PowerShell => match behind.get(..4) {
                Some(prefix) if prefix.eq_ignore_ascii_case("env:") => behind.get(4..).unwrap_or_default(),
                _ => behind,
            },
            Dialect::Posix | Dialect::Cmd => behind,
        };
        let length = behind.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let (name, rest) = behind.split_at_checked(length).unwrap_or_default();
        let is_test = braced && (rest.starts_with(":+") || rest.starts_with('+'));
        let is_closed = sign == "$" || rest.starts_with('%');
        if is_closed && !is_test && is_secret_variable(name) {
            found.push(Reference { name, start });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{is_secret_variable, references};
    use crate::domain::shell::script::{Dialect, Word};

    #[test]
    fn names_tell_which_variables_hold_secrets() {
        for name in [
            "GITHUB_TOKEN",
            "AWS_SECRET_ACCESS_KEY",
            "AWS_ACCESS_KEY_ID",
            "OPENAI_API_KEY",
            "STRIPE_KEY",
            "DB_PASS",
            "NPM_AUTH",
            "MY_APP_SECRET",
            "DATABASE_URL",
            "API_KEY_PROD",
            "GITHUB_PAT",
            "TOKEN",
            "CONNECTION_STRING",
        ] {
            assert!(is_secret_variable(name), "{name}");
        }
        for name in [
            "PATH",
            "PWD",
            "MAX_TOKENS",
            "TOKEN_COUNT",
            "TOKEN_URL",
            "KEY_ID",
            "CACHE_KEY",
            "API_URL",
            "token",
            "NEXT_PUBLIC_API_KEY",
            "SUPABASE_ANON_KEY",
            "BASE_URL",
            "SSH_KEY_FILE",
            "1",
            "GITHUB_REPOSITORY",
        ] {
            assert!(!is_secret_variable(name), "{name}");
        }
    }

    #[test]
    fn references_are_read_as_the_shell_reads_them() {
        for (text, dialect, expected) in [
            ("a$API_KEY-${DB_PASS:-x}", Dialect::Posix, vec!["API_KEY", "DB_PASS"]),
            ("${#API_KEY}${API_KEY:+set}$API_KEYS", Dialect::Posix, vec![]),
            ("$env:API_KEY $DB_PASS $count", Dialect::PowerShell, vec!["API_KEY", "DB_PASS"]),
            ("%API_KEY% %API_KEY $DB_PASS", Dialect::Cmd, vec!["API_KEY", "DB_PASS"]),
        ] {
            let word = Word::unknown(text);
            let names: Vec<&str> = references(&word, dialect).iter().map(|found| found.name).collect();
            assert_eq!(names, expected, "{text}");
        }
        assert!(references(&Word::known("$API_KEY"), Dialect::Posix).is_empty());
    }
}
