//! Runners with a grammar of their own: `find`, `fd`, `sed`, `git`.
//!
//! What they substitute for an argument is substituted here as well, as far as it is written out: the name pattern of
//! `find`.

use super::expand::listed_name;
use super::{Invocation, Output, Stdin, Walker};
use crate::domain::shell::arguments;
use crate::domain::shell::quote::single_quoted;
use crate::domain::shell::script::{Dialect, OpaqueReason, Word};

/// The actions of `find` that run a command.
const FIND_EXEC_ACTIONS: &[&str] = &["-exec", "-execdir", "-ok", "-okdir"];

/// The other actions of `find` that keep it from printing names alone.
const FIND_SILENT_ACTIONS: &[&str] = &["-delete", "-printf", "-ls", "-fprint", "-fprintf", "-fls", "-quit"];

/// The most settings of one call of git that are read: each may be code over all its words.
const MAX_SETTINGS: usize = 16;

/// The keys of git's configuration whose value is a command.
const GIT_COMMAND_KEYS: &[&str] = &[
    "core.pager",
    "core.editor",
    "core.sshcommand",
    "core.fsmonitor",
    "core.gitproxy",
    "core.askpass",
    "diff.external",
    "sequence.editor",
    "gpg.program",
    "credential.helper",
    "interactive.difffilter",
    "web.browser",
    "help.browser",
    "uploadpack.packobjectshook",
    "sendemail.sendmailcmd",
];

/// The last parts of such keys where the middle is a name.
const GIT_COMMAND_KEY_SUFFIXES: &[&str] =
    &[".cmd", ".clean", ".smudge", ".process", ".textconv", ".command", ".driver", ".helper", ".program"];

impl Walker {
    pub(super) fn walk_find(&mut self, program: &str, args: &[Word], call: &Invocation) -> Output {
        let found = find_results(args);
        let mut rest = args.iter();
        while let Some(word) = rest.next() {
            if !FIND_EXEC_ACTIONS.contains(&word.text.as_str()) {
                continue;
            }
            let ends = |word: &&Word| word.text != ";" && word.text != "+";
            let words: Vec<Word> = rest.by_ref().take_while(ends).cloned().collect();
            let words = fill_placeholder(&words, &found, "{}");
            self.run_nested(words, &format!("{program} {}", word.text), call, Stdin::Inherited);
        }
        // What is found is printed unless something else is done with it.
        let prints = !args.iter().any(|word| {
            FIND_EXEC_ACTIONS.contains(&word.text.as_str()) || FIND_SILENT_ACTIONS.contains(&word.text.as_str())
        });
        let lines: Vec<&str> = found.iter().map(|word| word.text.as_str()).collect();
        let literal = found.iter().all(|word| word.literal);
        prints.then(|| Word { text: lines.join("\n"), literal, glob: true, quoted: false })
    }

    /// Walks the commands that a script of `sed` runs: `1e command`.
    pub(super) fn walk_sed(&mut self, call: &Invocation) {
        let arguments = arguments::parse(&call.words, Dialect::Posix, &[]);
        let mut scripts = arguments.values(&["-e", "--expression"]);
        if scripts.is_empty() {
            scripts.extend(arguments.operands.first());
        }
        let mut texts: Vec<Word> = scripts.into_iter().cloned().collect();
        for file in arguments::parse(&call.words, Dialect::Posix, &["-f", "--file"]).values(&["-f", "--file"]) {
            texts.extend(self.read_text(file, call));
        }
        for script in &texts {
            if is_pattern_space_run(&script.text) {
                self.report(OpaqueReason::DynamicCode, call.span.clone());
            }
            for code in executed_replacements(&script.text) {
                let code = Word { text: code.to_owned(), ..script.clone() };
                self.subshell(|walker| walker.walk_text(&code, "sed s///e", &call.span));
            }
            for line in script.text.split(['\n', ';']) {
                let line = line
                    .trim_start_matches(|character: char| character.is_ascii_digit() || " \t$,~!{".contains(character));
                if let Some(code) = line.strip_prefix("e ") {
                    let code = Word { text: code.to_owned(), ..script.clone() };
                    self.subshell(|walker| walker.walk_text(&code, "sed e", &call.span));
                }
            }
        }
    }

    pub(super) fn walk_fd(&mut self, program: &str, args: &[Word], call: &Invocation) -> Output {
        let is_action = |word: &Word| matches!(word.text.as_str(), "-x" | "-X" | "--exec" | "--exec-batch");
        let Some(at) = args.iter().position(is_action) else {
            let found = fd_results(program, args);
            let lines: Vec<&str> = found.iter().map(|word| word.text.as_str()).collect();
            let literal = found.iter().all(|word| word.literal);
            return Some(Word { text: lines.join("\n"), literal, glob: true, quoted: false });
        };
        let label = format!("{program} {}", args.get(at)?.text);
        let mut words: Vec<Word> = args.get(at + 1..)?.iter().take_while(|word| word.text != ";").cloned().collect();
        if !words.iter().any(|word| word.text.contains('{')) {
            words.push(Word::known("{}"));
        }
        let found = fd_results(program, args.get(..at).unwrap_or_default());
        let words = fill_placeholder(&words, &found, "{}");
        self.run_nested(words, &label, call, Stdin::Inherited)
    }

    /// Walks the commands in git's configuration, given for one call or set for later ones.
    pub(super) fn walk_git(&mut self, args: &[Word], call: &Invocation) {
        let mut rest = args.iter().peekable();
        let mut settings = 0;
        while let Some(word) = rest.next() {
            settings += usize::from(matches!(word.text.as_str(), "-c" | "config") || word.text.starts_with("ext::"));
            if self.stopped {
                return;
            }
            if settings > MAX_SETTINGS {
                self.report(OpaqueReason::TooMany, call.span.clone());
                return;
            }
            let setting = match word.text.as_str() {
                "-c" => rest.peek().and_then(|next| next.text.split_once('=').map(|parts| (parts, *next))),
                "config" => {
                    let operands: Vec<&Word> = rest.clone().filter(|word| !word.text.starts_with('-')).collect();
                    let operands = operands.iter().skip_while(|word| word.text == "set").collect::<Vec<_>>();
                    match operands.as_slice() {
                        [key, value, ..] => Some(((key.text.as_str(), value.text.as_str()), **value)),
                        _ => None,
                    }
                }
                text => text.strip_prefix("ext::").map(|code| (("ext::.command", code), word)),
            };
            let Some(((key, value), source)) = setting else { continue };
            let Some(mut code) = git_command(key, value) else { continue };
            if let Some(name) = key.strip_prefix("alias.") {
                let behind = args.iter().skip_while(|word| word.text != name).skip(1);
                for word in behind {
                    code.push(' ');
                    code.push_str(&single_quoted(&word.text));
                }
            }
            let code = Word { text: code, ..source.clone() };
            let label = match word.text.as_str() {
                option @ ("-c" | "config") => format!("git {option} {key}"),
                _ => "git ext::".to_owned(),
            };
            self.subshell(|walker| walker.walk_text(&code, &label, &call.span));
        }
    }

    /// Walks the command in one setting of git, if it is one.
    pub(super) fn walk_git_setting(&mut self, key: &str, value: &Word, span: &std::ops::Range<usize>) {
        if let Some(code) = git_command(key, &value.text) {
            let code = Word { text: code, ..value.clone() };
            self.subshell(|walker| walker.walk_text(&code, &format!("git {key}"), span));
        }
    }

    pub(super) fn run_nested(&mut self, words: Vec<Word>, label: &str, call: &Invocation, feed: Stdin) -> Output {
        if words.is_empty() {
            return None;
        }
        let inner = Invocation { words, span: call.span.clone(), stdin: feed, ..Invocation::default() };
        self.call_chain.push(label.to_owned());
        let output = self.subshell(|walker| walker.run_command(&inner));
        self.call_chain.pop();
        output
    }
}

/// Returns whether `sed` runs lines of its input: the command `e`, or the flag of a replacement.
fn is_pattern_space_run(script: &str) -> bool {
    let is_command = |line: &str| {
        let line = line.trim_start_matches(|c: char| c.is_ascii_digit() || " \t$,~!{".contains(c));
        line.trim_end_matches(['}', ' ']) == "e"
    };
    script.split(['\n', ';']).any(is_command) || !executed_replacements(script).is_empty()
}

/// Returns the replacements of `sed` that are run: those of `s/…/…/e`.
fn executed_replacements(script: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = script;
    // Wherever an `s` is, it may be the command; what is no substitution has no such end.
    for _ in 0..MAX_SETTINGS {
        let Some((before, behind)) = rest.split_once('s') else { break };
        rest = behind;
        let Some(delimiter) =
            behind.chars().next().filter(|c| !c.is_alphanumeric() && !c.is_whitespace() && *c != '\\')
        else {
            continue;
        };
        if before.ends_with(|c: char| c.is_alphanumeric()) && !before.ends_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let mut pieces = behind.splitn(4, delimiter).skip(1);
        let (Some(_), Some(replacement), Some(flags)) = (pieces.next(), pieces.next(), pieces.next()) else { continue };
        let flags = flags.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        if flags.contains('e') && flags.chars().all(|flag| "gpiImMe0123456789".contains(flag)) {
            found.push(replacement);
        }
        rest = behind
            .get(delimiter.len_utf8()..)
            .and_then(|rest| rest.split_once(delimiter))
            .map_or(rest, |(_, rest)| rest);
    }
    found
}

/// Returns the code in a setting of git, if its value is code.
fn git_command(key: &str, value: &str) -> Option<String> {
    if let Some(code) = value.strip_prefix('!') {
        return Some(code.to_owned());
    }
    let key = key.to_ascii_lowercase();
    if key.starts_with("alias.") {
        return Some(format!("git {value}"));
    }
    let is_code = is_git_command_key(&key);
    // In the address of `ext::`, a blank inside a word is written with a percent sign.
    (is_code && !value.is_empty()).then(|| value.replace("% ", "\\ "))
}

/// Returns whether the value of a key of git's configuration, in lower case, is a command.
pub(crate) fn is_git_command_key(key: &str) -> bool {
    GIT_COMMAND_KEYS.contains(&key)
        || key.starts_with("pager.")
        || GIT_COMMAND_KEY_SUFFIXES.iter().any(|ending| key.ends_with(ending))
}

/// Returns what `fd` may find, as patterns: the directories that it looks in, with the name that it looks for.
fn fd_results(program: &str, args: &[Word]) -> Vec<Word> {
    let words: Vec<Word> = std::iter::once(Word::known(program)).chain(args.iter().cloned()).collect();
    let arguments = arguments::parse(&words, Dialect::Posix, &[]);
    let mut operands = arguments.operands.clone();
    let is_directory = |word: &&Word| word.text.starts_with(['/', '~', '$']) || word.text.starts_with("..");
    let pattern = if operands.first().is_some_and(is_directory) { None } else { operands.first().copied() };
    operands.drain(..usize::from(pattern.is_some()));
    let extensions = arguments.values(&["-e", "--extension"]);
    let is_plain = |text: &str| text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    let names: Vec<String> = match pattern.filter(|word| word.literal) {
        _ if !extensions.is_empty() => extensions.iter().map(|word| format!("/*.{}", word.text)).collect(),
        Some(word) if arguments.has(&["-g", "--glob"]) => vec![format!("/{}", word.text)],
        // A regular expression is followed if it is a plain text, perhaps held at its start or end.
        Some(word) => {
            let (start, text) = word.text.strip_prefix('^').map_or(("*", word.text.as_str()), |text| ("", text));
            let (end, text) = text.strip_suffix('$').map_or(("*", text), |text| ("", text));
            let text = text.replace("\\.", "\0");
            if text.split(['\0', '.']).all(is_plain) && text.contains(char::is_alphanumeric) {
                vec![format!("/{start}{}{end}", text.replace('.', "?").replace('\0', "."))]
            } else {
                vec![String::new()]
            }
        }
        _ => vec![String::new()],
    };
    let here = Word::known(".");
    let directories = if operands.is_empty() { vec![&here] } else { operands };
    let found = directories.iter().take(MAX_SETTINGS).flat_map(|directory| {
        let start = directory.text.trim_end_matches('/');
        names.iter().map(move |name| Word { text: format!("{start}/**{name}"), glob: true, ..(*directory).clone() })
    });
    found.collect()
}

/// The actions of `find` that do something with what was found.
const FIND_ACTIONS: &[&str] = &["-exec", "-execdir", "-ok", "-okdir", "-delete"];

/// Returns whether `find` deletes what it finds by itself; a word of a command that it runs is no action.
pub(crate) fn deletes_findings(args: &[Word]) -> bool {
    let mut in_command = false;
    args.iter().any(|word| {
        match word.text.as_str() {
            "-exec" | "-execdir" | "-ok" | "-okdir" => in_command = true,
            ";" | "+" => in_command = false,
            _ => {}
        }
        word.text == "-delete" && !in_command
    })
}

/// Returns what `find` may find, as patterns: the directories it starts in, with the names it asks for.
pub(crate) fn find_results(args: &[Word]) -> Vec<Word> {
    let is_test = |word: &Word| {
        matches!(word.text.as_str(), "(" | "!" | ")") || (word.text.starts_with('-') && word.text.len() > 1)
    };
    let options = args.iter().take_while(|word| matches!(word.text.as_str(), "-L" | "-P" | "-H")).count();
    let args = args.get(options..).unwrap_or_default();
    let starts: Vec<&Word> = args.iter().take_while(|word| !is_test(word)).collect();
    let tests = args.get(starts.len()..).unwrap_or_default();
    let here = Word::known(".");
    let starts = if starts.is_empty() { vec![&here] } else { starts };
    // Outside, even empty directories belong to somebody else.
    let is_inside = !starts.iter().any(|start| start.text.starts_with(['/', '~', '$']) || start.text.starts_with(".."));
    let names = find_name_tests(tests, is_inside);
    let mut found = Vec::new();
    for start in starts {
        let dir = start.text.trim_end_matches('/');
        for name in &names {
            let text = match name {
                Some(name) if name.contains('/') => name.clone(),
                Some(name) => format!("{dir}/**/{name}"),
                None => format!("{dir}/**"),
            };
            found.push(Word { text, literal: start.literal, glob: true, quoted: false });
        }
    }
    found.truncate(32);
    found
}

/// Returns the names that the tests of `find` ask for; nothing for a branch that takes all. A branch for what is empty
/// may be left out.
fn find_name_tests(tests: &[Word], leaves_out_empty: bool) -> Vec<Option<String>> {
    let mut all = Vec::new();
    for branch in tests.split(|word| matches!(word.text.as_str(), "-o" | "-or" | ",")) {
        if branch.iter().any(|word| word.text == "-prune") || (leaves_out_empty && takes_only_empty(branch)) {
            continue;
        }
        let mut names = Vec::new();
        let mut rest = branch.iter();
        let mut negated = false;
        while let Some(word) = rest.next() {
            match word.text.as_str() {
                "!" | "-not" => {
                    negated = true;
                    continue;
                }
                "-name" | "-iname" | "-path" | "-ipath" | "-wholename" => {
                    names.extend(rest.next().filter(|_| !negated).map(|word| Some(word.text.clone())));
                }
                _ => {}
            }
            negated = false;
        }
        if names.is_empty() {
            names.push(None);
        }
        all.append(&mut names);
    }
    all.dedup();
    all
}

/// Returns whether the tests of a branch let only empty files and directories through to what is done with them.
fn takes_only_empty(branch: &[Word]) -> bool {
    let tests = branch.iter().map(|word| word.text.as_str());
    let mut tests = tests.take_while(|text| !FIND_ACTIONS.contains(text)).collect::<Vec<_>>().into_iter();
    let mut negated = false;
    tests.any(|text| {
        let holds = text == "-empty" && !negated;
        negated = matches!(text, "!" | "-not");
        holds
    })
}

/// Returns words with the place of an argument filled in.
fn fill_placeholder(words: &[Word], found: &[Word], place: &str) -> Vec<Word> {
    let mut filled = Vec::new();
    for word in words {
        if word.text == place {
            filled.extend_from_slice(found);
        } else if let Some(first) = found.first().filter(|_| word.text.contains(place)) {
            let before = word.text.split(place).next().unwrap_or_default();
            let text = word.text.replace(place, listed_name(before, &first.text));
            filled.push(Word {
                text,
                literal: word.literal && first.literal,
                glob: word.glob || first.glob,
                ..word.clone()
            });
        } else {
            filled.push(word.clone());
        }
    }
    filled
}
