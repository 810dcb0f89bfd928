//! The script of sed: addresses, and the commands that print, delete and replace.

use super::super::{Proved, gap};

/// Commands without an argument.
const PLAIN_COMMANDS: &str = "pPdDnNgGhHxlq=QzF";

/// Checks that a script writes no file, reads none besides its input and runs nothing.
pub(super) fn check(script: &str) -> Proved {
    let mut reader = Reader { rest: script };
    if script.trim().is_empty() {
        return gap("a script of sed that is empty");
    }
    match reader.commands() {
        Some(()) if reader.rest.is_empty() => Ok(()),
        _ => gap("the script of sed does more than print and replace, or is not understood"),
    }
}

struct Reader<'s> {
    rest: &'s str,
}

impl Reader<'_> {
    fn commands(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            self.rest = self.rest.trim_start_matches([' ', '\t', '\n', ';']);
            if self.rest.is_empty() {
                return (depth == 0).then_some(());
            }
            self.addresses()?;
            self.rest = self.rest.trim_start_matches([' ', '\t', '!']);
            let command = self.next()?;
            match command {
                '{' => depth += 1,
                '}' => depth = depth.checked_sub(1)?,
                's' => self.substitution()?,
                'y' => {
                    let delimiter = self.next()?;
                    self.delimited(delimiter)?;
                    self.delimited(delimiter)?;
                }
                'b' | 't' | 'T' | ':' => {
                    let end = self.rest.find([';', '\n', '}']).unwrap_or(self.rest.len());
                    let (label, rest) = self.rest.split_at_checked(end)?;
                    label.trim().chars().all(|c| c.is_ascii_alphanumeric() || c == '_').then_some(())?;
                    self.rest = rest;
                }
                'q' | 'Q' | 'l' => {
                    self.rest = self.rest.trim_start_matches(|c: char| c.is_ascii_digit());
                }
                plain if PLAIN_COMMANDS.contains(plain) => {}
                // Text for the end of the script: `i\` and `a text`.
                'i' | 'a' | 'c' => {
                    (!self.rest.contains('\n')).then_some(())?;
                    self.rest = "";
                }
                _ => return None,
            }
            self.rest = self.rest.trim_start_matches([' ', '\t']);
            let next = self.rest.chars().next();
            next.is_none_or(|c| matches!(c, ';' | '\n' | '}' | '{'))
                .then_some(())
                .or_else(|| (command == '{').then_some(()))?;
        }
    }

    fn next(&mut self) -> Option<char> {
        let mut characters = self.rest.chars();
        let found = characters.next()?;
        self.rest = characters.as_str();
        Some(found)
    }

    fn addresses(&mut self) -> Option<()> {
        if self.address()? {
            self.rest = self.rest.trim_start_matches([' ', '\t']);
            if let Some(rest) = self.rest.strip_prefix(',') {
                self.rest = rest.trim_start_matches([' ', '\t', '+', '~']);
                self.address()?.then_some(())?;
            }
        }
        Some(())
    }

    /// Reads an address, if one is here.
    fn address(&mut self) -> Option<bool> {
        let first = self.rest.chars().next()?;
        if first.is_ascii_digit() {
            self.rest = self.rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '~');
            return Some(true);
        }
        match first {
            '$' => {
                self.next();
            }
            '/' => {
                self.next();
                self.delimited('/')?;
                self.rest = self.rest.trim_start_matches(['I', 'M']);
            }
            '\\' => {
                self.next();
                let delimiter = self.next()?;
                self.delimited(delimiter)?;
            }
            _ => return Some(false),
        }
        Some(true)
    }

    fn substitution(&mut self) -> Option<()> {
        let delimiter = self.next()?;
        (!delimiter.is_alphanumeric() && !matches!(delimiter, '\\' | '\n' | ';' | ' ')).then_some(())?;
        self.delimited(delimiter)?;
        self.delimited(delimiter)?;
        let end = self.rest.find([';', '\n', '}', ' ', '\t']).unwrap_or(self.rest.len());
        let (flags, rest) = self.rest.split_at_checked(end)?;
        // `e` runs the result and `w` writes it.
        flags.chars().all(|c| c.is_ascii_digit() || "gpiIM".contains(c)).then_some(())?;
        self.rest = rest;
        Some(())
    }

    /// Skips text up to a delimiter.
    fn delimited(&mut self, delimiter: char) -> Option<()> {
        let mut in_set = false;
        loop {
            match self.next()? {
                '\n' => return None,
                '\\' => {
                    self.next()?;
                }
                // Whether a delimiter in brackets ends the text differs between programs.
                '[' => {
                    in_set = true;
                    // Right at the beginning, a bracket is one of the set.
                    self.rest = self.rest.strip_prefix('^').unwrap_or(self.rest);
                    self.rest = self.rest.strip_prefix(']').unwrap_or(self.rest);
                }
                ']' => in_set = false,
                c if c == delimiter => return (!in_set).then_some(()),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn scripts_that_print_and_replace_are_told_from_others() {
        for script in [
            "1,5p",
            "$p",
            "/a/,/b/p",
            "s/a/b/g",
            "s|a|b|gp",
            "5q",
            "1d;$d",
            "/x/{s/a/b/;p}",
            "s/[a-z]/x/",
            "/^$/d",
            "1,+3p",
            "0~4p",
            "$!d",
            "y/abc/xyz/",
            "s/a/b/;s/c/d/2",
            "\\,x,p",
            "10,20p;30q",
            "1i text",
            "=",
            "s/^[ ]*//",
        ] {
            assert!(check(script).is_ok(), "{script}");
        }
        for script in [
            "w out",
            "1w out",
            "s/a/b/w out",
            "s/a/b/e",
            "e ls",
            "1e",
            "r /etc/passwd",
            "R x",
            "W x",
            "s/a/b/ge",
            "",
            "1,5p;w x",
            "/a/w x",
            "s/a/b",
            "{p",
            "v",
            "M",
            "s/[/]/w x",
            "1!w x",
            "p\nw x",
            "a x\nw y",
            "{w x\n}",
        ] {
            assert!(check(script).is_err(), "{script}");
        }
    }
}
