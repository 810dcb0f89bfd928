//! Colours for people, and none for files and pipes.

use clap::builder::styling::{AnsiColor, Style};
use std::fmt::Display;

/// How words are set off.
#[derive(Debug, Clone, Copy)]
pub(super) struct Palette {
    colour: bool,
}

impl Palette {
    /// Returns colours when standard output is a terminal that wants them.
    pub(super) fn for_stdout() -> Self {
        Self { colour: crate::io::stdio::wants_colour() }
    }

    /// Tells whether there are colours.
    pub(super) const fn is_on(self) -> bool {
        self.colour
    }

    pub(super) fn bold(self, text: impl Display) -> String {
        self.paint(Style::new().bold(), text)
    }

    pub(super) fn faint(self, text: impl Display) -> String {
        self.paint(Style::new().dimmed(), text)
    }

    pub(super) fn good(self, text: impl Display) -> String {
        self.paint(AnsiColor::Green.on_default().bold(), text)
    }

    pub(super) fn bad(self, text: impl Display) -> String {
        self.paint(AnsiColor::Red.on_default().bold(), text)
    }

    pub(super) fn careful(self, text: impl Display) -> String {
        self.paint(AnsiColor::Yellow.on_default().bold(), text)
    }

    fn paint(self, style: Style, text: impl Display) -> String {
        if self.colour { format!("{style}{text}{style:#}") } else { text.to_string() }
    }
}
