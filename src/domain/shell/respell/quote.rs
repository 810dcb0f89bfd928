//! Words in other quotes: what the program receives stays the same.

use std::fmt::Write as _;

/// Returns a text in single quotes.
pub(super) fn single(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Returns a text in double quotes, in which nothing is expanded.
pub(super) fn double(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        if "$`\"\\".contains(character) {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    quoted.push('"');
    quoted
}

/// `rm` → `'rm'`
pub(super) fn in_single(word: &str) -> String {
    single(word)
}

/// `rm` → `"rm"`
pub(super) fn in_double(word: &str) -> String {
    double(word)
}

/// `rm` → `r''m`
pub(super) fn parted_by_single(word: &str) -> String {
    parted(word, |head, tail| format!("{head}''{tail}"))
}

/// `rm` → `r""m`
pub(super) fn parted_by_double(word: &str) -> String {
    parted(word, |head, tail| format!("{head}\"\"{tail}"))
}

/// `rm` → `"r"m`
pub(super) fn half_double(word: &str) -> String {
    parted(word, |head, tail| format!("\"{head}\"{tail}"))
}

/// `rm` → `r'm'`
pub(super) fn half_single(word: &str) -> String {
    parted(word, |head, tail| format!("{head}'{tail}'"))
}

/// `rm` → `\rm`
pub(super) fn backslash_first(word: &str) -> String {
    format!("\\{word}")
}

/// `rm` → `r\m`
pub(super) fn backslash_inside(word: &str) -> String {
    parted(word, |head, tail| format!("{head}\\{tail}"))
}

/// `rm` → `$'\x72\x6d'`
pub(super) fn hexadecimal(word: &str) -> String {
    escaped(word, |text, byte| write!(text, "\\x{byte:02x}"))
}

/// `rm` → `$'\162\155'`
pub(super) fn octal(word: &str) -> String {
    escaped(word, |text, byte| write!(text, "\\{byte:03o}"))
}

/// `rm` → `$'\u0072\u006d'`
pub(super) fn unicode(word: &str) -> String {
    escaped(word, |text, byte| write!(text, "\\u{byte:04x}"))
}

/// `rm` → `$'r'm`
pub(super) fn half_decoded(word: &str) -> String {
    parted(word, |head, tail| format!("$'{head}'{tail}"))
}

/// `rm` → `$"rm"`
pub(super) fn translated(word: &str) -> String {
    format!("${}", double(word))
}

/// `rm` → `r` and `m` on two lines
pub(super) fn continued(word: &str) -> String {
    parted(word, |head, tail| format!("{head}\\\n{tail}"))
}

fn escaped(word: &str, put: fn(&mut String, u8) -> std::fmt::Result) -> String {
    let mut text = String::from("$'");
    for byte in word.bytes() {
        let _written = put(&mut text, byte);
    }
    text.push('\'');
    text
}

/// Spells a word parted behind its first letter; one of a single letter has other quotes to do with.
fn parted(word: &str, spell: fn(&str, &str) -> String) -> String {
    let end = word.char_indices().nth(1).map(|(end, _)| end);
    end.and_then(|end| word.split_at_checked(end)).map_or_else(|| single(word), |(head, tail)| spell(head, tail))
}
