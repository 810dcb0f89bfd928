//! The syntax of git's configuration files.

use std::iter::Peekable;
use std::str::Chars;

use super::GitError;

/// A setting: its name and its value, `None` where the name stands alone, which means true.
pub(super) type Setting = (String, Option<String>);

const DAMAGED: GitError = GitError::Malformed("a configuration file");

/// Returns the settings of a file in order. Section and key are in lower case, a subsection is as written:
/// `branch.Main.remote`.
///
/// # Errors
/// Returns that the text is not of the syntax. Git refuses such a file as well.
pub(super) fn parse(text: &str) -> Result<Vec<Setting>, GitError> {
    let mut parser = Parser { rest: text.strip_prefix('\u{feff}').unwrap_or(text).chars().peekable() };
    let mut settings = Vec::new();
    let mut section = String::new();
    loop {
        parser.skip_blanks();
        match parser.rest.peek() {
            None => return Ok(settings),
            Some('#' | ';') => parser.skip_line(),
            Some('[') => section = parser.section()?,
            Some(_) if section.is_empty() => return Err(DAMAGED),
            Some(_) => {
                let (key, value) = parser.setting()?;
                settings.push((format!("{section}.{key}"), value));
            }
        }
    }
}

struct Parser<'t> {
    rest: Peekable<Chars<'t>>,
}

impl Parser<'_> {
    fn skip_blanks(&mut self) {
        while self.rest.next_if(|character| character.is_whitespace()).is_some() {}
    }

    fn skip_line(&mut self) {
        while self.rest.next().is_some_and(|character| character != '\n') {}
    }

    fn name(&mut self, is_part: impl Fn(char) -> bool) -> String {
        let mut name = String::new();
        while let Some(character) = self.rest.next_if(|character| is_part(*character)) {
            name.push(character.to_ascii_lowercase());
        }
        name
    }

    /// Reads `[name]`, `[name.sub]` or `[name "sub"]`.
    fn section(&mut self) -> Result<String, GitError> {
        self.rest.next();
        let mut name = self.name(|it| it.is_ascii_alphanumeric() || it == '-' || it == '.');
        if name.is_empty() {
            return Err(DAMAGED);
        }
        while self.rest.next_if(|it| matches!(it, ' ' | '\t')).is_some() {}
        match self.rest.next() {
            Some(']') => return Ok(name),
            Some('"') => name.push('.'),
            _ => return Err(DAMAGED),
        }
        loop {
            match self.rest.next() {
                Some('"') => break,
                Some('\\') => name.push(self.rest.next().ok_or(DAMAGED)?),
                Some('\n') | None => return Err(DAMAGED),
                Some(character) => name.push(character),
            }
        }
        if self.rest.next() == Some(']') { Ok(name) } else { Err(DAMAGED) }
    }

    fn setting(&mut self) -> Result<Setting, GitError> {
        let key = self.name(|it| it.is_ascii_alphanumeric() || it == '-');
        if key.is_empty() {
            return Err(DAMAGED);
        }
        while self.rest.next_if(|it| matches!(it, ' ' | '\t' | '\r')).is_some() {}
        match self.rest.peek() {
            Some('=') => {}
            None | Some('\n') => return Ok((key, None)),
            Some('#' | ';') => {
                self.skip_line();
                return Ok((key, None));
            }
            Some(_) => return Err(DAMAGED),
        }
        self.rest.next();
        Ok((key, Some(self.value()?)))
    }

    /// Reads a value to the end of its line. Blanks around it do not belong to it, unless they are quoted.
    fn value(&mut self) -> Result<String, GitError> {
        let mut value = String::new();
        let (mut kept, mut quoted) = (0, false);
        while let Some(character) = self.rest.next() {
            match character {
                '\n' if quoted => return Err(DAMAGED),
                '\n' => break,
                '"' => {
                    quoted = !quoted;
                    kept = value.len();
                }
                '\\' => {
                    match self.rest.next() {
                        Some('\n') => continue,
                        Some('\r') if self.rest.peek() == Some(&'\n') => {
                            self.rest.next();
                            continue;
                        }
                        Some('n') => value.push('\n'),
                        Some('t') => value.push('\t'),
                        Some('b') => value.push('\u{8}'),
                        Some(escaped @ ('\\' | '"')) => value.push(escaped),
                        _ => return Err(DAMAGED),
                    }
                    kept = value.len();
                }
                '#' | ';' if !quoted => {
                    self.skip_line();
                    break;
                }
                blank if blank.is_whitespace() && !quoted => {
                    if !value.is_empty() {
                        value.push(blank);
                    }
                }
                other => {
                    value.push(other);
                    kept = value.len();
                }
            }
        }
        if quoted {
            return Err(DAMAGED);
        }
        value.truncate(kept);
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn settings_are_read_as_git_reads_them() {
        let text = "\u{feff}# a comment\n[core]\n\tbare = false ; why\n\tFileMode\n  path = \"a # b\" \\\n c\n\
                    [branch \"Main \\\"x\\\"\"] remote = origin\r\n[Old.Style]\nKey=  spaced  out  \n[a]x = \n";
        let found = parse(text).unwrap();
        let expected = [
            ("core.bare", Some("false")),
            ("core.filemode", None),
            ("core.path", Some("a # b  c")),
            ("branch.Main \"x\".remote", Some("origin")),
            ("old.style.key", Some("spaced  out")),
            ("a.x", Some("")),
        ];
        let expected: Vec<_> =
            expected.iter().map(|(name, value)| ((*name).to_owned(), value.map(ToOwned::to_owned))).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_git_refuses_is_an_error() {
        for text in ["x = 1", "[a", "[]\n", "[a \"b]\n", "[a]\n= 1\n", "[a]\nx = \"1\n", "[a]\nx = \\q\n", "[a]\nx y\n"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
