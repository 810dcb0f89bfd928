//! Colours for people, and none for files and pipes.

use clap::builder::styling::{AnsiColor, Style};
use std::fmt::Display;

/// Ends a style. No text of people has this character: it stands for nothing and never will.
pub(super) const MARK_END: char = '\u{fdd0}';
/// Characters of the same kind that begin a style. Printing turns them into the sequences of the terminal.
const MARKS: [char; 5] = ['\u{fdd1}', '\u{fdd2}', '\u{fdd3}', '\u{fdd4}', '\u{fdd5}'];

/// Returns the style that a mark begins.
pub(super) fn style_of_mark(mark: char) -> Option<Style> {
    let styles = [
        Style::new().bold(),
        Style::new().dimmed(),
        AnsiColor::Green.on_default().bold(),
        AnsiColor::Red.on_default().bold(),
        AnsiColor::Yellow.on_default().bold(),
    ];
    MARKS.iter().zip(styles).find(|(known, _)| **known == mark).map(|(_, style)| style)
}

/// How words are set off.
#[derive(Debug, Clone, Copy)]
pub(in crate::cli) struct Palette {
    color: bool,
}

impl Palette {
    /// Returns colours when standard output is a terminal that wants them.
    pub(in crate::cli) fn for_stdout() -> Self {
        Self { color: crate::io::process::stdio::supports_color() }
    }

    /// Returns whether there are colours.
    pub(in crate::cli) const fn is_on(self) -> bool {
        self.color
    }

    /// Returns colours in any case.
    #[cfg(test)]
    pub(in crate::cli) const fn with_color() -> Self {
        Self { color: true }
    }

    pub(in crate::cli) fn bold(self, text: impl Display) -> String {
        self.paint(MARKS[0], text)
    }

    pub(in crate::cli) fn dim(self, text: impl Display) -> String {
        self.paint(MARKS[1], text)
    }

    pub(in crate::cli) fn success(self, text: impl Display) -> String {
        self.paint(MARKS[2], text)
    }

    pub(in crate::cli) fn error(self, text: impl Display) -> String {
        self.paint(MARKS[3], text)
    }

    pub(in crate::cli) fn warning(self, text: impl Display) -> String {
        self.paint(MARKS[4], text)
    }

    fn paint(self, mark: char, text: impl Display) -> String {
        if self.color { format!("{mark}{text}{MARK_END}") } else { text.to_string() }
    }
}
