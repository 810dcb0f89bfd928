//! Statements of SQL that only select, and the commands of clients that only list.

use super::super::command::Site;
use super::super::{Proved, gap};

/// Commands of the clients that list what there is.
const LISTING_COMMANDS: &[&str] =
    &[".tables", ".schema", ".indexes", ".indices", ".databases", "\\dt", "\\d", "\\dn", "\\du", "\\l", "\\di", "\\dv"];

/// Functions that compute with what they are given.
const FUNCTIONS: &[&str] = &[
    "count", "min", "max", "sum", "avg", "length", "lower", "upper", "coalesce", "distinct", "round", "abs", "date",
    "in",
];

/// Words that hint at credentials in a column, and words that change or read something else.
const FORBIDDEN_WORDS: &[&str] = &[
    "password",
    "passwd",
    "secret",
    "token",
    "credential",
    "api_key",
    "apikey",
    "private",
    "hash",
    "into",
    "insert",
    "update",
    "delete",
    "drop",
    "alter",
    "create",
    "attach",
    "copy",
    "call",
    "do",
    "set",
    "pragma",
    "vacuum",
    "grant",
    "lock",
    "replace",
    "users",
    "user",
    "accounts",
    "sessions",
    "session",
    "auth",
    "pg_shadow",
    "pg_authid",
    "pg_read_file",
    "*",
];

/// Checks the statements of a client.
pub(super) fn check<'a>(given: impl Iterator<Item = &'a str>, site: &'a Site<'_>) -> Proved {
    let options = ["-c", "--command", "-e", "--execute"].into_iter().flat_map(|name| site.arguments.values(name));
    let statements: Vec<&str> = given.chain(options).collect();
    let lists = site.arguments.has(&["-l", "--list"]);
    if statements.is_empty() && !lists {
        return gap("no statement is given");
    }
    match statements.iter().find(|statement| !is_plain(statement)) {
        Some(statement) => gap(format!("`{statement}` may do more than select, or show credentials")),
        None => Ok(()),
    }
}

fn is_plain(statement: &str) -> bool {
    let text = statement.trim().trim_end_matches(';').trim();
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    let is_name = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric() || "_.".contains(c));
    if LISTING_COMMANDS.contains(&first) {
        return words.all(is_name);
    }
    let lower = text.to_lowercase();
    if !lower.starts_with("select ") || lower.contains([';', '\\', '`', '$']) {
        return false;
    }
    // A name before a bracket is a function.
    let calls = lower.match_indices('(').map(|(at, _)| lower.get(..at).unwrap_or_default());
    let is_known = |before: &str| {
        let name =
            before.trim_end().rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
        FUNCTIONS.contains(&name)
    };
    let counted = lower.replace("count(*)", "count(1)");
    let separators = |c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '*');
    let mut named = counted.split(separators);
    calls.into_iter().all(is_known) && !named.any(|word| FORBIDDEN_WORDS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn statements_that_only_select_are_told_from_others() {
        for text in
            ["select count(*) from orders", "SELECT id, name FROM items LIMIT 5;", ".tables", "\\dt", ".schema items"]
        {
            assert!(is_plain(text), "{text}");
        }
        for text in [
            "delete from a",
            "select * from users",
            "select password from a",
            "select readfile('/etc/passwd')",
            "select load_extension('x')",
            "select 1; drop table a",
            "select id into b from a",
            "select pg_sleep(1)",
            ".shell ls",
            ".read x",
            "\\! ls",
            "with a as (delete from b) select 1",
            "select edit(x)",
            "",
            "\\dt; drop",
        ] {
            assert!(!is_plain(text), "{text}");
        }
    }
}
