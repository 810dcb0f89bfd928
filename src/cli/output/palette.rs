//! Colours for people, and none for files and pipes.

use clap::builder::styling::{AnsiColor, Style};
use std::fmt::Display;

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

    pub(in crate::cli) fn bold(self, text: impl Display) -> String {
        self.paint(Style::new().bold(), text)
    }

    pub(in crate::cli) fn dim(self, text: impl Display) -> String {
        self.paint(Style::new().dimmed(), text)
    }

    pub(in crate::cli) fn success(self, text: impl Display) -> String {
        self.paint(AnsiColor::Green.on_default().bold(), text)
    }

    pub(in crate::cli) fn error(self, text: impl Display) -> String {
        self.paint(AnsiColor::Red.on_default().bold(), text)
    }

    pub(in crate::cli) fn warning(self, text: impl Display) -> String {
        self.paint(AnsiColor::Yellow.on_default().bold(), text)
    }

    fn paint(self, style: Style, text: impl Display) -> String {
        if self.color { format!("{style}{text}{style:#}") } else { text.to_string() }
    }
}
