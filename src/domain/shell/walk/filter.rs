//! Programs that print a part of their input, or their input in another form, where that is known.

use regex::Regex;

use super::Output;
use crate::domain::shell::arguments::{self, Arguments};
use crate::domain::shell::decode;
use crate::domain::shell::script::{Dialect, Word};

/// The programs whose output is known from their input.
const FILTERS: &[&str] = &[
    "rev", "tr", "base64", "gbase64", "openssl", "xxd", "cut", "head", "tail", "sed", "gsed", "grep", "egrep", "fgrep",
    "rg", "sort", "uniq", "awk", "gawk", "mawk", "nawk", "strings", "dos2unix", "column", "expand", "fold", "nl",
];

/// Those that print some of the lines of their input.
const SELECTIONS: &[&str] = &["head", "tail", "grep", "egrep", "fgrep", "rg", "sort", "uniq"];

/// The options of these programs that take a value.
const VALUE_OPTIONS: &[&str] = &[
    "-n",
    "-c",
    "-d",
    "-f",
    "-k",
    "-t",
    "-F",
    "-v",
    "-e",
    "-m",
    "-A",
    "-B",
    "-C",
    "--lines",
    "--bytes",
    "--delimiter",
    "--fields",
    "--characters",
    "--regexp",
    "--expression",
    "--max-count",
    "--key",
    "--field-separator",
];

/// The letters that are no values for some programs.
const FLAGS: &[(&str, &str)] = &[
    ("sed", "n"),
    ("gsed", "n"),
    ("grep", "ncv"),
    ("egrep", "ncv"),
    ("fgrep", "ncv"),
    ("rg", "ncv"),
    ("sort", "ncdfmv"),
    ("uniq", "cd"),
    ("tr", "cdtn"),
    ("base64", "d"),
    ("gbase64", "d"),
    ("openssl", "denv"),
    ("xxd", "rpc"),
    ("tail", "fFv"),
    ("head", "v"),
    ("cut", "n"),
];

/// Returns whether the output of a program is a part of its input, or its input in another form.
pub(super) fn is_filter(program: &str) -> bool {
    FILTERS.contains(&program)
}

/// A call of such a program.
pub(super) struct Filter<'a> {
    program: &'a str,
    words: &'a [Word],
    arguments: Arguments<'a>,
    /// The pattern or the program text, where the first operand is one.
    script: Option<&'a Word>,
    /// The files that are read; the standard input if there is none.
    pub(super) files: Vec<&'a Word>,
}

impl<'a> Filter<'a> {
    /// Parses a call; `None` if a part of it is unknown.
    pub(super) fn parse(program: &'a str, words: &'a [Word]) -> Option<Self> {
        let args = words.get(1..).unwrap_or_default();
        if !args.iter().all(|word| word.literal) {
            return None;
        }
        let flags = FLAGS.iter().find(|(name, _)| *name == program).map_or("", |(_, flags)| *flags);
        let takes_value = |option: &&&str| option.len() > 2 || !option.get(1..).is_some_and(|it| flags.contains(it));
        let value_options: Vec<&str> = VALUE_OPTIONS.iter().filter(takes_value).copied().collect();
        let arguments = arguments::parse(words, Dialect::Posix, &value_options);
        let mut files: Vec<&Word> = arguments.operands.clone();
        let has_script = match program {
            "sed" | "gsed" | "grep" | "egrep" | "fgrep" | "rg" => {
                arguments.values(&["-e", "--regexp", "--expression", "-f"]).is_empty()
            }
            "awk" | "gawk" | "mawk" | "nawk" => arguments.values(&["-f"]).is_empty(),
            _ => false,
        };
        let script = if has_script && !files.is_empty() { Some(files.remove(0)) } else { None };
        if matches!(program, "tr" | "openssl") {
            files.clear();
        }
        Some(Self { program, words, arguments, script, files })
    }

    /// Returns what is printed for an input, if that is known.
    pub(super) fn apply(&self, input: &Word) -> Output {
        if input.glob {
            // Of patterns of names, each may be among those that are left.
            return SELECTIONS.contains(&self.program).then(|| input.clone());
        }
        if !input.literal {
            return None;
        }
        let text = input.text.as_str();
        let printed = match self.program {
            "rev" => decode::reverse_lines(text),
            "tr" => self.translate(text)?,
            "base64" | "gbase64" if self.has(&["-d", "-D", "-di", "--decode"]) => decode::decode_base64_text(text)?,
            "openssl" if self.has(&["-d"]) && (self.has(&["-base64", "-a"]) || self.names_only("base64")) => {
                decode::decode_base64_text(text)?
            }
            "xxd" if self.letters('r') && self.letters('p') => decode::decode_hex(text)?,
            "cut" => self.cut(text)?,
            "head" => self.head(text)?,
            "tail" => self.tail(text)?,
            "sort" => sorted(text, self.letters('u'), self.letters('r')),
            "uniq" if self.arguments.options.is_empty() => without_repetitions(text),
            "strings" | "dos2unix" => text.replace('\r', ""),
            "grep" | "egrep" | "fgrep" | "rg" => self.select(text)?,
            "sed" | "gsed" => self.edit(text)?,
            "awk" | "gawk" | "mawk" | "nawk" => self.columns(text)?,
            _ => return None,
        };
        Some(Word::known(printed))
    }

    fn has(&self, names: &[&str]) -> bool {
        self.words.iter().skip(1).any(|word| names.contains(&word.text.as_str()))
    }

    fn letters(&self, letter: char) -> bool {
        let is_cluster = |text: &str| text.starts_with('-') && !text.starts_with("--");
        self.words.iter().skip(1).any(|word| is_cluster(&word.text) && word.text.contains(letter))
    }

    fn names_only(&self, name: &str) -> bool {
        matches!(self.arguments.operands.as_slice(), [only] if only.text == name)
    }

    fn value(&self, names: &[&str]) -> Option<&str> {
        self.arguments.values(names).first().map(|word| word.text.as_str())
    }

    fn translate(&self, text: &str) -> Option<String> {
        match self.arguments.operands.as_slice() {
            [from, to] if !self.letters('c') && !self.letters('C') && !self.letters('s') => {
                decode::translate_characters(text, &from.text, &to.text)
            }
            [set] if self.has(&["-d"]) => {
                let set = decode::parse_character_set(&set.text)?;
                Some(text.chars().filter(|character| !set.contains(character)).collect())
            }
            _ => None,
        }
    }

    fn cut(&self, text: &str) -> Option<String> {
        if let Some(range) = self.value(&["-c", "-b", "--characters"]) {
            let (from, to) = parse_range(range)?;
            let part = |line: &str| line.chars().take(to).skip(from.saturating_sub(1)).collect::<String>();
            return Some(join_lines(text.lines().map(part)));
        }
        let separator = self.value(&["-d", "--delimiter"]).unwrap_or("\t");
        let fields = self.value(&["-f", "--fields"])?;
        let ranges: Vec<(usize, usize)> = fields.split(',').map(parse_range).collect::<Option<_>>()?;
        let part = |line: &str| {
            let all: Vec<&str> = line.split(separator).collect();
            if all.len() == 1 {
                return line.to_owned();
            }
            let is_taken = |at: usize| ranges.iter().any(|(from, to)| (*from..=*to).contains(&at));
            let taken = all.iter().enumerate().filter(|(at, _)| is_taken(at + 1)).map(|(_, field)| *field);
            taken.collect::<Vec<_>>().join(separator)
        };
        Some(join_lines(text.lines().map(part)))
    }

    fn head(&self, text: &str) -> Option<String> {
        if let Some(count) = self.value(&["-c", "--bytes"]) {
            return Some(text.chars().take(count.parse().ok()?).collect());
        }
        let count: usize = self.count().parse().ok()?;
        Some(join_lines(text.lines().take(count).map(ToOwned::to_owned)))
    }

    fn tail(&self, text: &str) -> Option<String> {
        let lines: Vec<&str> = text.lines().collect();
        let count = self.count();
        let skipped = match count.strip_prefix('+') {
            Some(from) => from.parse::<usize>().ok()?.saturating_sub(1),
            None => lines.len().saturating_sub(count.trim_start_matches('-').parse().ok()?),
        };
        Some(join_lines(lines.into_iter().skip(skipped).map(ToOwned::to_owned)))
    }

    /// Returns the number of lines: `-n 3`, `-n3`, `-3` or `+3`.
    fn count(&self) -> String {
        if let Some(count) = self.value(&["-n", "--lines"]) {
            return count.to_owned();
        }
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let short = self.words.iter().skip(1).find_map(|word| word.text.strip_prefix('-').filter(|it| is_number(it)));
        short.unwrap_or("10").to_owned()
    }

    fn select(&self, text: &str) -> Option<String> {
        let pattern = self.script.map(|word| word.text.as_str()).or_else(|| self.value(&["-e", "--regexp"]))?;
        if self.letters('o') || self.letters('c') || self.letters('l') || self.letters('A') || self.letters('B') {
            return None;
        }
        let is_fixed = self.program == "fgrep" || self.letters('F');
        let is_extended = self.letters('E') || self.letters('P') || matches!(self.program, "egrep" | "rg");
        let pattern = match (is_fixed, is_extended) {
            (true, _) => regex::escape(pattern),
            (false, true) => pattern.to_owned(),
            (false, false) => basic_regex(pattern),
        };
        let flags = if self.letters('i') { "(?i)" } else { "" };
        let regex = Regex::new(&format!("{flags}{pattern}")).ok()?;
        let is_inverted = self.letters('v');
        let taken = text.lines().filter(|line| regex.is_match(line) != is_inverted);
        Some(join_lines(taken.map(ToOwned::to_owned)))
    }

    fn edit(&self, text: &str) -> Option<String> {
        if self.letters('i') {
            return None;
        }
        let script = self.script.map(|word| word.text.as_str()).or_else(|| self.value(&["-e", "--expression"]))?;
        let is_silent = self.letters('n');
        let is_extended = self.letters('E') || self.letters('r');
        if let Some(body) = script.strip_prefix('s').filter(|_| !is_silent) {
            let delimiter = body.chars().next()?;
            let mut parts = body.split(delimiter).skip(1);
            let (from, to, flags) = (parts.next()?, parts.next()?, parts.next()?);
            if parts.next().is_some() || from.is_empty() || !matches!(flags, "" | "g") {
                return None;
            }
            let regex = Regex::new(&if is_extended { from.to_owned() } else { basic_regex(from) }).ok()?;
            let to = replacement(to)?;
            let edited = |line: &str| match flags {
                "g" => regex.replace_all(line, to.as_str()).into_owned(),
                _ => regex.replace(line, to.as_str()).into_owned(),
            };
            return Some(join_lines(text.lines().map(edited)));
        }
        // `2p`, `2,5p` and `1d`; the numbers of lines.
        let (range, command) = script.split_at_checked(script.len().checked_sub(1)?)?;
        let last = text.lines().count();
        let number = |text: &str| if text == "$" { Some(last) } else { text.parse::<usize>().ok() };
        let (from, to) = match range.split_once(',') {
            Some((from, to)) => (number(from)?, number(to)?),
            None => (number(range)?, number(range)?),
        };
        let is_inside = |at: usize| (from..=to).contains(&at);
        let is_printed = |at: usize| match (command, is_silent) {
            ("p", true) => Some(is_inside(at)),
            ("d", false) => Some(!is_inside(at)),
            _ => None,
        };
        is_printed(1)?;
        let lines = text.lines().enumerate().filter(|(at, _)| is_printed(at + 1) == Some(true));
        Some(join_lines(lines.map(|(_, line)| line.to_owned())))
    }

    /// Returns columns of the lines: `{print $2}`.
    fn columns(&self, text: &str) -> Option<String> {
        let script = self.script?.text.trim();
        let body = script.strip_prefix('{')?.strip_suffix('}')?.trim().strip_prefix("print")?.trim();
        let columns: Vec<usize> = body
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(|part| part.strip_prefix('$')?.parse().ok())
            .collect::<Option<_>>()?;
        let separator = self.value(&["-F", "--field-separator"]);
        if separator.is_some_and(|it| it.chars().count() > 1) {
            return None;
        }
        let part = |line: &str| {
            let fields: Vec<&str> = match separator {
                Some(separator) if separator != " " => line.split(separator).collect(),
                _ => line.split_whitespace().collect(),
            };
            let column = |at: &usize| if *at == 0 { line } else { fields.get(at - 1).copied().unwrap_or_default() };
            if columns.is_empty() { line.to_owned() } else { columns.iter().map(column).collect::<Vec<_>>().join(" ") }
        };
        Some(join_lines(text.lines().map(part)))
    }
}

fn join_lines(lines: impl Iterator<Item = String>) -> String {
    let mut text = String::new();
    for line in lines {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

fn parse_range(range: &str) -> Option<(usize, usize)> {
    let (from, to) = range.split_once('-').unwrap_or((range, range));
    let from = if from.is_empty() { 1 } else { from.parse().ok()? };
    Some((from, if to.is_empty() { usize::MAX } else { to.parse().ok()? }))
}

fn sorted(text: &str, is_unique: bool, is_reversed: bool) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    if is_unique {
        lines.dedup();
    }
    if is_reversed {
        lines.reverse();
    }
    join_lines(lines.into_iter().map(ToOwned::to_owned))
}

fn without_repetitions(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.dedup();
    join_lines(lines.into_iter().map(ToOwned::to_owned))
}

/// Returns a basic regular expression of POSIX in the extended syntax: the backslash changes sides.
fn basic_regex(pattern: &str) -> String {
    let mut out = String::new();
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some(next) if "(){}+?|".contains(next) => out.push(next),
                Some(next) => out.extend(['\\', next]),
                None => out.push_str("\\\\"),
            },
            '(' | ')' | '{' | '}' | '+' | '?' | '|' => out.extend(['\\', character]),
            other => out.push(other),
        }
    }
    out
}

/// Returns the replacement of `s/…/…/` in the syntax of the library: `\1` and `&` are groups.
fn replacement(to: &str) -> Option<String> {
    let mut out = String::new();
    let mut characters = to.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next()? {
                digit if digit.is_ascii_digit() => out.extend(["${", &digit.to_string(), "}"]),
                'n' => out.push('\n'),
                other if other.is_alphanumeric() => return None,
                other => out.push(other),
            },
            '&' => out.push_str("${0}"),
            '$' => out.push_str("$$"),
            other => out.push(other),
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::Filter;
    use crate::domain::shell::script::Word;

    fn run(line: &str, input: &str) -> Option<String> {
        let words: Vec<Word> = line.split('¦').map(Word::known).collect();
        let program = words[0].text.clone();
        Filter::parse(&program, &words)?.apply(&Word::known(input)).map(|word| word.text)
    }

    #[test]
    fn parts_of_a_known_text_are_known() {
        for (line, expected) in [
            ("head¦-n¦1", Some("one a\n")),
            ("head¦-2", Some("one a\ntwo b\n")),
            ("tail¦-n¦+2", Some("two b\nthree c\n")),
            ("tail¦-1", Some("three c\n")),
            ("cut¦-d¦ ¦-f2", Some("a\nb\nc\n")),
            ("cut¦-c3-", Some("e a\no b\nree c\n")),
            ("grep¦t", Some("two b\nthree c\n")),
            ("grep¦-v¦t", Some("one a\n")),
            ("grep¦-E¦^(one|two)", Some("one a\ntwo b\n")),
            ("sed¦-n¦2p", Some("two b\n")),
            ("sed¦1d", Some("two b\nthree c\n")),
            ("sed¦s/^[a-z]* //", Some("a\nb\nc\n")),
            ("sed¦-E¦s/([a-z]+) (.)/\\2 \\1/", Some("a one\nb two\nc three\n")),
            ("awk¦{print $2}", Some("a\nb\nc\n")),
            ("sort¦-r", Some("two b\nthree c\none a\n")),
            ("awk¦{print NR}", None),
            ("sed¦s/a/b/e", None),
        ] {
            assert_eq!(run(line, "one a\ntwo b\nthree c\n").as_deref(), expected, "{line}");
        }
        assert_eq!(run("tr¦a-z¦n-za-m", "ez"), Some("rm".into()));
    }
}
