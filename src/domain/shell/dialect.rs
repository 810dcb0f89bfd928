//! The shells of Windows, by words: lines, quotes and separators, without a grammar.
//!
//! Blocks, parentheses and substitutions are followed as far as brackets go, so that the commands in
//! them are found; loops, branches and types are not understood. Names of programs are compared
//! without regard to case, and the usual aliases under the name of what they stand for.

use std::collections::HashMap;
use std::ops::Range;

use super::script::{Dialect, Opaque, OpaqueReason, Redirect, RedirectKind, Word};
use super::syntax::SPLICE;

/// The deepest nesting of brackets that is followed.
const MAX_OPEN: usize = 64;

/// One command with its place.
#[derive(Debug, Clone, Default)]
pub(crate) struct Line {
    pub(crate) words: Vec<Word>,
    pub(crate) redirects: Vec<Redirect>,
    pub(crate) span: Range<usize>,
    pub(crate) pipeline: usize,
    pub(crate) stage: usize,
    /// Whether `&` or `.` stands before it, so that even a string or a variable is run.
    called: bool,
}

/// The words of the grammar that may stand before a command.
const KEYWORDS: &[&str] = &[
    "if", "else", "elseif", "for", "foreach", "while", "do", "until", "switch", "try", "catch", "finally", "function",
    "filter", "param", "return", "throw", "begin", "process", "end", "trap", "in",
];

/// What aliases stand for.
const ALIASES: &[(&str, &str)] = &[
    ("del", "Remove-Item"),
    ("erase", "Remove-Item"),
    ("rd", "Remove-Item"),
    ("rmdir", "Remove-Item"),
    ("ri", "Remove-Item"),
    ("rm", "Remove-Item"),
    ("gc", "Get-Content"),
    ("cat", "Get-Content"),
    ("type", "Get-Content"),
    ("cp", "Copy-Item"),
    ("copy", "Copy-Item"),
    ("cpi", "Copy-Item"),
    ("xcopy", "Copy-Item"),
    ("mv", "Move-Item"),
    ("move", "Move-Item"),
    ("mi", "Move-Item"),
    ("ren", "Rename-Item"),
    ("rni", "Rename-Item"),
    ("sc", "Set-Content"),
    ("ac", "Add-Content"),
    ("clc", "Clear-Content"),
    ("ni", "New-Item"),
    ("iex", "Invoke-Expression"),
    ("iwr", "Invoke-WebRequest"),
    ("irm", "Invoke-RestMethod"),
    ("gci", "Get-ChildItem"),
    ("ls", "Get-ChildItem"),
    ("dir", "Get-ChildItem"),
    ("sls", "Select-String"),
    ("saps", "Start-Process"),
    ("start", "Start-Process"),
    ("icm", "Invoke-Command"),
    ("sl", "Set-Location"),
    ("cd", "Set-Location"),
    ("chdir", "Set-Location"),
    ("pushd", "Push-Location"),
    ("popd", "Pop-Location"),
    ("kill", "Stop-Process"),
    ("spps", "Stop-Process"),
];

/// Returns the name an alias stands for, or the name itself.
pub(crate) fn canonical(name: &str) -> &str {
    ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name)).map_or(name, |(_, full)| full)
}

/// Returns the commands of a text and the places that could not be read.
pub(crate) fn lines(text: &str, dialect: Dialect) -> (Vec<Line>, Vec<Opaque>) {
    let mut reader = Reader {
        text,
        pos: 0,
        powershell: dialect != Dialect::Cmd,
        current: Line::default(),
        word: None,
        redirect: None,
        open: Vec::new(),
        pipelines: 1,
        variables: HashMap::new(),
        done: Vec::new(),
        opaque: Vec::new(),
    };
    reader.current.pipeline = 1;
    reader.run();
    (reader.done, reader.opaque)
}

struct Reader<'a> {
    text: &'a str,
    pos: usize,
    powershell: bool,
    current: Line,
    word: Option<Word>,
    redirect: Option<RedirectKind>,
    /// The commands that go on behind a bracket; nothing for the parentheses of a method call.
    open: Vec<Option<Line>>,
    pipelines: usize,
    variables: HashMap<String, String>,
    done: Vec<Line>,
    opaque: Vec<Opaque>,
}

impl Reader<'_> {
    fn run(&mut self) {
        while let Some(character) = self.peek() {
            let start = self.pos;
            self.pos += character.len_utf8();
            match character {
                '"' => self.double(),
                '\'' if self.powershell => self.single(),
                '`' if self.powershell => self.escape(),
                '^' if !self.powershell => self.escape(),
                ' ' | '\t' | '\r' => self.end_word(),
                '\n' | ';' if self.powershell || character == '\n' => self.end_pipeline(),
                '|' if self.eat('|') => self.end_pipeline(),
                '|' => self.end_stage(),
                '&' if self.eat('&') => self.end_pipeline(),
                '&' if self.powershell && self.word.is_none() && self.current.words.is_empty() => {
                    self.current.called = true
                }
                '&' => self.end_pipeline(),
                '>' | '<' => self.angle(character),
                '#' if self.powershell && self.word.is_none() => self.skip_line(),
                ',' if self.powershell => self.end_word(),
                '(' | '{' | ')' | '}' => self.bracket(character, start),
                '$' | '%' => self.variable(character),
                _ => self.push(character, false),
            }
            if self.word.is_some() && self.current.words.is_empty() && self.current.span.start == 0 {
                self.current.span.start = start;
            }
        }
        self.end_pipeline();
        while !self.open.is_empty() {
            self.close();
        }
        self.end_pipeline();
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.pos..)?.chars().next()
    }

    fn eat(&mut self, character: char) -> bool {
        let found = self.peek() == Some(character);
        self.pos += if found { character.len_utf8() } else { 0 };
        found
    }

    fn push(&mut self, character: char, quoted: bool) {
        let word = self.word.get_or_insert_with(|| Word::known(""));
        word.text.push(character);
        word.quoted |= quoted;
        word.glob |= !quoted && matches!(character, '*' | '?');
    }

    fn escape(&mut self) {
        match self.peek() {
            Some('\r' | '\n') => {
                self.eat('\r');
                self.eat('\n');
            }
            Some(character) => {
                self.pos += character.len_utf8();
                self.push(character, true);
            }
            None => {}
        }
    }

    fn single(&mut self) {
        self.word.get_or_insert_with(|| Word::known("")).quoted = true;
        loop {
            match self.peek() {
                None => return self.unbalanced(),
                Some('\'') => {
                    self.pos += 1;
                    if !self.eat('\'') {
                        return;
                    }
                    self.push('\'', true);
                }
                Some(character) => {
                    self.pos += character.len_utf8();
                    self.push(character, true);
                }
            }
        }
    }

    fn double(&mut self) {
        self.word.get_or_insert_with(|| Word::known("")).quoted = true;
        loop {
            let Some(character) = self.peek() else { return self.unbalanced() };
            self.pos += character.len_utf8();
            match character {
                '"' if self.powershell && self.eat('"') => self.push('"', true),
                '"' => return,
                '`' if self.powershell => self.escape(),
                '$' if self.powershell && self.peek() == Some('(') => self.bracket_in_string(),
                '$' | '%' => self.variable(character),
                _ => self.push(character, true),
            }
        }
    }

    /// Reads `$(…)` in a string as text of its own; the word goes on with an unknown part.
    fn bracket_in_string(&mut self) {
        let start = self.pos + 1;
        let mut open = 0_usize;
        while let Some(character) = self.peek() {
            self.pos += character.len_utf8();
            match character {
                '(' => open += 1,
                ')' if open == 1 => break,
                ')' => open -= 1,
                _ => {}
            }
        }
        let inside = self.text.get(start..self.pos.saturating_sub(1)).unwrap_or_default();
        self.nested(inside, start..self.pos);
        self.unknown(SPLICE);
    }

    /// Reads text inside this one, one level deep; what is nested further is reported.
    fn nested(&mut self, inside: &str, span: Range<usize>) {
        if inside.contains("\"$(") {
            self.opaque.push(Opaque { reason: OpaqueReason::TooDeep, span });
            return;
        }
        let (lines, _) = lines(inside, if self.powershell { Dialect::PowerShell } else { Dialect::Cmd });
        let before = self.pipelines;
        for mut line in lines {
            line.pipeline += before;
            self.pipelines = self.pipelines.max(line.pipeline);
            line.span = span.clone();
            self.done.push(line);
        }
        self.pipelines += 1;
    }

    fn unknown(&mut self, text: &str) {
        let word = self.word.get_or_insert_with(|| Word::known(""));
        word.text.push_str(text);
        word.literal = false;
    }

    fn variable(&mut self, sigil: char) {
        let rest = self.text.get(self.pos..).unwrap_or_default();
        if sigil == '%' {
            // In the older shell, a loop's variable is `%i` and any other stands between two signs.
            let name = rest
                .split('%')
                .next()
                .filter(|name| !self.powershell && name.len() < rest.len() && !name.contains(' '));
            match name {
                Some(name) => {
                    self.pos += name.len() + 1;
                    self.unknown(&format!("%{name}%"));
                }
                None if self.powershell => self.push('%', false),
                None => self.unknown("%"),
            }
            return;
        }
        if !self.powershell || rest.starts_with('(') {
            self.push('$', false);
            return;
        }
        let length = rest
            .find(|character: char| !character.is_ascii_alphanumeric() && character != '_' && character != ':')
            .unwrap_or(rest.len());
        let name = rest.get(..length).unwrap_or_default();
        self.pos += length;
        match self.variables.get(&name.to_ascii_lowercase()).cloned() {
            Some(value) => self.word.get_or_insert_with(|| Word::known("")).text.push_str(&value),
            None if matches!(name.to_ascii_lowercase().as_str(), "home" | "pwd") => {
                self.word
                    .get_or_insert_with(|| Word::known(""))
                    .text
                    .push_str(&format!("${}", name.to_ascii_uppercase()));
            }
            None => self.unknown(&format!("${name}")),
        }
    }

    fn angle(&mut self, character: char) {
        let descriptor = self.word.take_if(|word| {
            !word.quoted && word.text.len() == 1 && word.text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'*')
        });
        drop(descriptor);
        self.end_word();
        self.redirect = Some(match character {
            '>' if self.eat('>') => RedirectKind::Append,
            '>' if self.eat('&') => RedirectKind::Duplicate,
            '>' => RedirectKind::Write,
            _ => RedirectKind::Read,
        });
    }

    fn bracket(&mut self, character: char, start: usize) {
        let opens = matches!(character, '(' | '{');
        let attached =
            character == '(' && self.word.as_ref().is_some_and(|word| !matches!(word.text.as_str(), "$" | "@"));
        let is_list =
            !self.powershell && self.current.words.last().is_some_and(|word| word.text.eq_ignore_ascii_case("in"));
        if is_list && character == '(' {
            let rest = self.text.get(self.pos..).unwrap_or_default();
            let inside = rest.split(')').next().unwrap_or_default();
            self.pos += (inside.len() + 1).min(rest.len());
            // `for /f` runs what stands between single quotes.
            if let Some(code) = inside.trim().strip_prefix(['\'', '`']) {
                self.nested(code.trim_end_matches(['\'', '`']), start..self.pos);
            }
            self.unknown(SPLICE);
            self.end_word();
        } else if opens && self.open.len() >= MAX_OPEN {
            self.opaque.push(Opaque { reason: OpaqueReason::TooDeep, span: start..self.text.len() });
            self.pos = self.text.len();
        } else if attached {
            self.end_word();
            self.open.push(None);
        } else if opens {
            self.word = None;
            let outer = std::mem::take(&mut self.current);
            self.open.push(Some(outer));
            self.next_pipeline();
        } else {
            self.close();
        }
    }

    /// Ends what is inside a bracket and goes on with what stands around it.
    fn close(&mut self) {
        match self.open.pop() {
            Some(Some(outer)) => {
                self.end_pipeline();
                self.current = outer;
                if !self.current.words.is_empty() {
                    self.current.words.push(Word::unknown(SPLICE));
                }
            }
            Some(None) => self.end_word(),
            None => self.end_pipeline(),
        }
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        match self.redirect.take() {
            Some(kind) => self.current.redirects.push(Redirect { kind, fd: None, target: word }),
            None => self.current.words.push(word),
        }
    }

    fn end_stage(&mut self) {
        let (pipeline, stage) = (self.current.pipeline, self.current.stage);
        self.end_line();
        self.current = Line { pipeline, stage: stage + 1, ..Line::default() };
    }

    fn end_pipeline(&mut self) {
        self.end_line();
        self.next_pipeline();
    }

    fn next_pipeline(&mut self) {
        self.pipelines += 1;
        self.current = Line { pipeline: self.pipelines, ..Line::default() };
    }

    fn end_line(&mut self) {
        self.end_word();
        self.redirect = None;
        let mut line = std::mem::take(&mut self.current);
        line.span.end = self.pos.max(line.span.start);
        if self.powershell {
            self.assignment(&mut line);
            while line.words.first().is_some_and(|word| KEYWORDS.contains(&word.text.as_str())) {
                line.words.remove(0);
            }
        } else {
            condition(&mut line.words);
        }
        // A string or a variable on its own is printed and not run.
        let is_data =
            self.powershell && !line.called && line.words.first().is_some_and(|word| word.quoted || !word.literal);
        if (!line.words.is_empty() || !line.redirects.is_empty()) && !is_data {
            self.done.push(line);
        }
    }

    /// Takes `$name = …` off the front of a line and remembers a plain value.
    fn assignment(&mut self, line: &mut Line) {
        let [name, equals, ..] = line.words.as_slice() else { return };
        let Some(name) = name.text.strip_prefix('$').filter(|_| equals.text == "=") else { return };
        if let [_, _, value] = line.words.as_slice()
            && value.literal
            && value.quoted
        {
            self.variables.insert(name.to_ascii_lowercase(), value.text.clone());
        }
        line.words.drain(..2);
    }

    fn skip_line(&mut self) {
        let rest = self.text.get(self.pos..).unwrap_or_default();
        self.pos += rest.find('\n').unwrap_or(rest.len());
    }

    fn unbalanced(&mut self) {
        self.opaque.push(Opaque { reason: OpaqueReason::Unbalanced, span: self.pos..self.text.len() });
    }
}

/// Takes the condition of `if`, the head of `for` and prefixes off the front of a line.
fn condition(words: &mut Vec<Word>) {
    loop {
        let first = words.first().map(|word| word.text.to_ascii_lowercase()).unwrap_or_default();
        let length = match first.as_str() {
            "rem" | "::" => words.len(),
            "call" | "else" | "@" => 1,
            "if" => {
                let words: Vec<String> = words.iter().map(|word| word.text.to_ascii_lowercase()).collect();
                let start = words.iter().skip(1).take_while(|word| matches!(word.as_str(), "not" | "/i")).count() + 1;
                match words.get(start).map(String::as_str) {
                    Some("exist" | "defined" | "errorlevel") => start + 2,
                    Some(text) if text.contains("==") => start + 1,
                    _ => start + 3,
                }
            }
            "for" => match words.iter().position(|word| word.text.eq_ignore_ascii_case("do")) {
                Some(at) => at + 1,
                None => return,
            },
            text if text.len() > 1 && text.starts_with('@') => {
                if let Some(word) = words.first_mut() {
                    word.text.remove(0);
                }
                continue;
            }
            _ => return,
        };
        words.drain(..length.min(words.len()));
        if length == 0 || words.is_empty() {
            return;
        }
    }
}
