//! Words in other quotes: what the program receives stays the same.

use std::fmt::Write as _;

/// Returns a text in single quotes.
pub(super) fn single_quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Returns a text in double quotes, in which nothing is expanded.
pub(super) fn double_quote(text: &str) -> String {
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
pub(super) fn single_quoted(word: &str) -> String {
    single_quote(word)
}

/// `rm` → `"rm"`
pub(super) fn double_quoted(word: &str) -> String {
    double_quote(word)
}

/// `rm` → `r''m`
pub(super) fn split_by_single_quotes(word: &str) -> String {
    split_first_letter(word, |head, tail| format!("{head}''{tail}"))
}

/// `rm` → `r""m`
pub(super) fn split_by_double_quotes(word: &str) -> String {
    split_first_letter(word, |head, tail| format!("{head}\"\"{tail}"))
}

/// `rm` → `"r"m`
pub(super) fn double_quoted_head(word: &str) -> String {
    split_first_letter(word, |head, tail| format!("\"{head}\"{tail}"))
}

/// `rm` → `r'm'`
pub(super) fn single_quoted_tail(word: &str) -> String {
    split_first_letter(word, |head, tail| format!("{head}'{tail}'"))
}

/// `rm` → `\rm`
pub(super) fn backslash_first(word: &str) -> String {
    format!("\\{word}")
}

/// `rm` → `r\m`
pub(super) fn backslash_inside(word: &str) -> String {
    split_first_letter(word, |head, tail| format!("{head}\\{tail}"))
}

/// `rm` → `$'\x72\x6d'`
pub(super) fn ansi_c_hex(word: &str) -> String {
    ansi_c_escaped(word, |text, byte| write!(text, "\\x{byte:02x}"))
}

/// `rm` → `$'\162\155'`
pub(super) fn ansi_c_octal(word: &str) -> String {
    ansi_c_escaped(word, |text, byte| write!(text, "\\{byte:03o}"))
}

/// `rm` → `$'\u0072\u006d'`
pub(super) fn ansi_c_unicode(word: &str) -> String {
    ansi_c_escaped(word, |text, byte| write!(text, "\\u{byte:04x}"))
}

/// `rm` → `$'r'm`
pub(super) fn ansi_c_quoted_head(word: &str) -> String {
    split_first_letter(word, |head, tail| format!("$'{head}'{tail}"))
}

/// `rm` → `$"rm"`
pub(super) fn locale_quoted(word: &str) -> String {
    format!("${}", double_quote(word))
}

/// `rm` → `r` and `m` on two lines
pub(super) fn line_continuation(word: &str) -> String {
    split_first_letter(word, |head, tail| format!("{head}\\\n{tail}"))
}

fn ansi_c_escaped(word: &str, put: fn(&mut String, u8) -> std::fmt::Result) -> String {
    let mut text = String::from("$'");
    for byte in word.bytes() {
        let _written = put(&mut text, byte);
    }
    text.push('\'');
    text
}

/// Splits a word after its first letter; a word of one letter is quoted differently.
fn split_first_letter(word: &str, spell: fn(&str, &str) -> String) -> String {
    let end = word.char_indices().nth(1).map(|(end, _)| end);
    end.and_then(|end| word.split_at_checked(end)).map_or_else(|| single_quote(word), |(head, tail)| spell(head, tail))
}
