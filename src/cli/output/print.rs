//! The way to standard output for everything that commands print.
//!
//! Payloads, file names and policies may hold characters that a terminal obeys. They are made visible here, for all
//! commands, and only the styles of [`Palette`](super::palette::Palette) become escape sequences.

use super::palette::{MARK_END, style_of_mark};
use crate::domain::text::visible::{EscapeForm, is_hidden, visible};
use crate::io::process::stdio;

/// Prints a text for people.
pub(in crate::cli) fn print(text: &str) {
    stdio::print(&styled_text(text, stdio::supports_color()));
}

/// Prints JSON, or several lines of it.
pub(in crate::cli) fn print_json(text: &str) {
    stdio::print(&visible(text, EscapeForm::Json));
}

/// Prints lines of JSON; false when nobody reads them any more.
pub(in crate::cli) fn try_print_json(text: &str) -> bool {
    stdio::try_print(&visible(text, EscapeForm::Json))
}

/// Prints a file for another program, which must get it as it is; at a terminal it is a text for people.
pub(in crate::cli) fn print_file(text: &str) {
    if stdio::is_stdout_terminal() { print(text) } else { stdio::print(text) }
}

/// Prints diagnostics as they are rendered, whose colors stay: the renderer has replaced all other escapes.
pub(in crate::cli) fn print_rendered(text: &str) {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        let (before, escape) = rest.split_at(at);
        shown.push_str(&styled_text(before, stdio::supports_color()));
        let end = color_sequence_len(escape);
        let (sequence, after) = escape.split_at(end.unwrap_or(1));
        if end.is_some() {
            shown.push_str(sequence);
        } else {
            shown.push_str(&visible(sequence, EscapeForm::Text));
        }
        rest = after;
    }
    shown.push_str(&styled_text(rest, stdio::supports_color()));
    stdio::print(&shown);
}

/// Returns the length of the sequence that a text begins with, if it sets colors.
fn color_sequence_len(text: &str) -> Option<usize> {
    let arguments = text.strip_prefix("\u{1b}[")?;
    let end = arguments.find(|character: char| !character.is_ascii_digit() && character != ';')?;
    arguments.get(end..)?.starts_with('m').then_some(end + 3)
}

/// Returns a text with everything hidden made visible, and marks of styles turned into their sequences.
fn styled_text(text: &str, color: bool) -> String {
    if !color || !text.contains(is_hidden) {
        return visible(text, EscapeForm::Text).into_owned();
    }
    let is_mark = |character: char| style_of_mark(character).is_some() || character == MARK_END;
    let mut shown = String::with_capacity(text.len());
    for part in text.split_inclusive(is_mark) {
        let mark = part.chars().next_back().filter(|last| is_mark(*last));
        let plain = mark.and_then(|mark| part.strip_suffix(mark)).unwrap_or(part);
        shown.push_str(&visible(plain, EscapeForm::Text));
        match mark {
            Some(MARK_END) => shown.push_str("\u{1b}[0m"),
            Some(mark) => shown.extend(style_of_mark(mark).map(|style| style.to_string())),
            None => {}
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::{color_sequence_len, styled_text};
    use crate::cli::output::palette::Palette;

    #[test]
    fn styles_are_the_only_sequences() {
        let text = format!("{}: \u{1b}[31mx", Palette::with_color().error("bad\u{1b}[0m"));
        assert_eq!(styled_text(&text, true), "\u{1b}[1m\u{1b}[31mbad\\u{1b}[0m\u{1b}[0m: \\u{1b}[31mx");
        assert_eq!(styled_text("a\u{fdd0}b", false), "a\\u{fdd0}b");
    }

    #[test]
    fn only_colors_of_the_renderer_stay() {
        assert_eq!(color_sequence_len("\u{1b}[1;31mx"), Some(7));
        for text in ["\u{1b}[2J", "\u{1b}]0;x\u{7}", "\u{1b}[31", "\u{1b}"] {
            assert_eq!(color_sequence_len(text), None, "{text:?}");
        }
    }
}
