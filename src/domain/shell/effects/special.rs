//! Programs whose files do not follow from a simple row.
//!
//! Each has its own small grammar on top of options and operands. All of them only add files: whatever
//! is not understood is left out, never guessed.

use super::{Access, Touched};
use crate::domain::shell::option::Arguments;
use crate::domain::shell::script::{Command, Word};
use crate::domain::shell::walk::found;

impl Touched {
    /// Notes the files of a program that needs more than a row; tells whether it is one.
    pub(super) fn special(&mut self, program: &str, command: &Command, arguments: &Arguments<'_>) -> bool {
        match program {
            "install" | "ginstall" if arguments.has(&["-d", "--directory"]) => {
                self.all(arguments.operands.iter().copied(), Access::Write);
            }
            "cp" | "gcp" if arguments.has(&["-l", "--link", "-s", "--symbolic-link"]) => self.link(arguments),
            "cp" | "gcp" | "scp" | "ditto" | "install" | "ginstall" => self.copy(arguments, false),
            "mv" | "gmv" => self.copy(arguments, true),
            "ln" | "gln" | "link" => self.link(arguments),
            "rsync" => self.rsync(arguments),
            "tar" | "gtar" | "bsdtar" => self.tar(arguments),
            "zip" => self.zip(arguments),
            "unzip" => self.unzip(arguments),
            "7z" | "7za" | "7zz" => self.seven_zip(arguments),
            "chmod" | "chown" | "chgrp" | "setfacl" => return self.mode(program, arguments),
            "dd" => self.assignments(command, &[("if=", Access::Read), ("of=", Access::Write)]),
            "sed" | "gsed" => self.stream_editor(arguments),
            "perl" | "ruby" => self.in_place_interpreter(command),
            "rename" | "prename" | "file-rename" => {
                self.moved(arguments.operands.iter().skip(1).copied());
                self.all(arguments.operands.iter().skip(1).copied(), Access::Write);
            }
            "grep" | "egrep" | "fgrep" | "ggrep" if arguments.has(&["--include"]) => self.included(arguments),
            "rg" => self.ripgrep(command, arguments),
            "find" | "gfind" | "bfs" => self.find(command.args(), arguments),
            "curl" => self.curl(arguments),
            "wget" => self.wget(arguments),
            "git" => self.git(command, arguments),
            "docker" | "podman" | "nerdctl" | "kubectl" | "oc" => self.container(arguments),
            "jq" | "gojq" | "jaq" => self.json_query(command, arguments),
            "yq" => {
                let access = if arguments.has(&["-i", "--inplace"]) { Access::Write } else { Access::Read };
                self.all(arguments.operands.iter().skip(1).copied(), Access::Read);
                self.all(arguments.operands.iter().skip(1).copied(), access);
            }
            "gio" => match arguments.operands.split_first() {
                Some((verb, files)) if matches!(verb.text.as_str(), "trash" | "remove") => {
                    self.all(files.iter().copied(), Access::Delete);
                }
                Some((verb, files)) if matches!(verb.text.as_str(), "cat" | "copy" | "open") => {
                    self.all(files.iter().copied(), Access::Read);
                }
                _ => {}
            },
            "prettier" | "eslint" | "ruff" | "black" | "rustfmt" | "gofmt" => {
                let writes = arguments.has(&["-w", "--write", "--fix"]) || matches!(program, "black" | "rustfmt");
                let access = if writes { Access::Write } else { Access::Read };
                self.all(arguments.operands.iter().copied(), access);
            }
            "mapfile" | "readarray" | "read" | "export" | "echo" | "printf" | "cd" | "test" | "[" | "ls" => {}
            _ => return self.own_commands(program, command, arguments),
        }
        true
    }

    /// Notes what gets another mode or owner, where a row does not do; tells whether that is so.
    fn mode(&mut self, program: &str, arguments: &Arguments<'_>) -> bool {
        let deep = arguments.has(&["-R", "--recursive"]);
        let has_mode = arguments.has(&["--reference"]) || (program == "chmod" && takes_away(arguments));
        if !deep && !has_mode {
            return false;
        }
        self.all(arguments.values(&["--reference"]), Access::Read);
        let skip = usize::from(program != "setfacl" && !has_mode);
        for word in arguments.operands.iter().skip(skip) {
            self.add(word, Access::Write);
            if deep {
                self.tree(word, Access::Write);
            }
        }
        true
    }

    /// Notes files that stand behind `name=`.
    fn assignments(&mut self, command: &Command, names: &[(&str, Access)]) {
        for word in command.args() {
            for (name, access) in names {
                if let Some(path) = word.text.strip_prefix(name) {
                    self.path(path, word, *access);
                }
            }
        }
    }

    fn stream_editor(&mut self, arguments: &Arguments<'_>) {
        let scripts = arguments.has(&["-e", "--expression", "-f", "--file"]);
        let in_place = arguments.options.iter().any(|given| given.name.starts_with("-i") || given.name == "--in-place");
        // The BSD spelling takes the suffix as a word of its own: `sed -i '' s/a/b/ file`.
        let suffix = arguments.options.iter().any(|given| given.name == "-i")
            && arguments.operands.first().is_some_and(|word| word.text.is_empty());
        let skip = usize::from(!scripts) + usize::from(suffix);
        let files: Vec<&Word> = arguments.operands.iter().skip(skip).copied().collect();
        self.all(files.iter().copied(), Access::Read);
        if in_place {
            self.all(files, Access::Write);
        }
        self.all(arguments.values(&["-f", "--file"]), Access::Read);
        let code = if scripts {
            arguments.values(&["-e", "--expression"])
        } else {
            arguments.operands.first().copied().into_iter().collect()
        };
        for word in code {
            for line in word.text.split(['\n', ';']) {
                if let Some(path) = written(line) {
                    self.path(path, word, Access::Write);
                } else if let Some(path) = addressed(line).strip_prefix("r ") {
                    self.path(path.trim(), word, Access::Read);
                }
            }
        }
    }

    /// Notes the files of `perl -pi -e …` and the like, and what the code itself touches.
    fn in_place_interpreter(&mut self, command: &Command) {
        let mut loops = false;
        let mut in_place = false;
        let mut files = Vec::new();
        let mut rest = command.args().iter();
        while let Some(word) = rest.next() {
            match word.text.strip_prefix('-') {
                Some(letters) if !letters.is_empty() && !letters.starts_with('-') => {
                    let (letters, _) =
                        letters.split_once(['e', 'E']).map_or((letters, None), |(before, code)| (before, Some(code)));
                    loops |= letters.contains(['n', 'p']);
                    in_place |= letters.contains('i');
                    if word.text.ends_with(['e', 'E']) {
                        rest.next();
                    }
                }
                Some(_) => {}
                None => files.push(word),
            }
        }
        self.document(command);
        if loops || in_place {
            self.all(files.iter().copied(), Access::Read);
        }
        if in_place {
            self.all(files, Access::Write);
        }
    }

    /// Notes the files of `jq`, some of whose options take two values.
    fn json_query(&mut self, command: &Command, arguments: &Arguments<'_>) {
        let mut words: Vec<Word> = command.words.iter().take(1).cloned().collect();
        let mut rest = command.args().iter();
        while let Some(word) = rest.next() {
            match word.text.as_str() {
                "--arg" | "--argjson" => drop(rest.nth(1)),
                "--slurpfile" | "--rawfile" => self.all(rest.nth(1), Access::Read),
                // What follows are values of the query and no files.
                "--args" | "--jsonargs" => break,
                _ => words.push(word.clone()),
            }
        }
        let scripts = arguments.values(&["-f", "--from-file"]);
        let files = Command { words, ..command.clone() };
        self.all(files.operands().into_iter().skip(usize::from(scripts.is_empty())), Access::Read);
        self.all(scripts, Access::Read);
    }

    /// Notes the files of a search through directories that is for some names alone.
    fn included(&mut self, arguments: &Arguments<'_>) {
        let skip = usize::from(!arguments.has(&["-e", "--regexp", "-f", "--file"]));
        for dir in arguments.operands.iter().skip(skip) {
            for name in arguments.values(&["--include"]) {
                let path = format!("{}/**/{}", dir.text.trim_end_matches('/'), name.text);
                self.path(&path, &Word { glob: true, ..(*dir).clone() }, Access::Read);
            }
        }
        self.all(arguments.values(&["-f", "--file"]), Access::Read);
    }

    fn ripgrep(&mut self, command: &Command, arguments: &Arguments<'_>) {
        let skip = usize::from(!arguments.has(&["-e", "--regexp", "-f", "--file", "--files"]));
        let files: Vec<&Word> = arguments.operands.iter().skip(skip).copied().collect();
        if files.is_empty() && command.stage == 0 && !arguments.has(&["--files", "--version", "-V"]) {
            self.here(Access::Read);
        }
        self.all(files, Access::Read);
        self.all(arguments.values(&["-f", "--file"]), Access::Read);
    }

    /// Notes what is mounted, and the place where it is seen from then on.
    pub(super) fn mount(&mut self, arguments: &Arguments<'_>) {
        if let [source, .., target] = arguments.operands.as_slice() {
            self.add(source, Access::Read);
            self.tree(source, Access::Read);
            self.tree(target, Access::Write);
        }
    }

    fn find(&mut self, args: &[Word], arguments: &Arguments<'_>) {
        if arguments.has(&["-delete"]) {
            for word in found(args) {
                self.add(&word, Access::Delete);
            }
            return;
        }
        self.all(
            arguments.operands.iter().take_while(|word| !matches!(word.text.as_str(), "(" | "!")).copied(),
            Access::Read,
        );
        self.all(arguments.values(&["-fprint", "-fprintf"]), Access::Write);
    }

    /// Notes what is copied into and out of containers.
    fn container(&mut self, arguments: &Arguments<'_>) {
        if let [verb, source, target, ..] = arguments.operands.as_slice()
            && verb.text == "cp"
        {
            // A container is named by whatever stands before a colon.
            let outside = |word: &Word| word.text.split_once(':').is_none_or(|(name, _)| name.contains('/'));
            self.all(Some(*source).filter(|word| outside(word)), Access::Read);
            self.all(Some(*target).filter(|word| outside(word)), Access::Write);
        }
        self.all(arguments.values(&["--env-file", "--from-file", "--from-env-file"]), Access::Read);
        for word in arguments.values(&["-v", "--volume"]) {
            let mut parts = word.text.split(':');
            let source = parts.next().unwrap_or_default();
            self.volume(source, parts.any(|part| part.split(',').any(|option| option == "ro")), word);
        }
        for word in arguments.values(&["--mount"]).into_iter().filter(|word| word.text.contains("type=bind")) {
            let value = |names: &[&str]| {
                word.text.split(',').find_map(|part| {
                    let (name, value) = part.split_once('=').unwrap_or((part, ""));
                    names.contains(&name).then_some(value)
                })
            };
            let read_only = value(&["readonly", "ro"]).is_some_and(|value| value != "false");
            self.volume(value(&["src", "source"]).unwrap_or_default(), read_only, word);
        }
    }

    /// Notes a directory that a container sees; a name without a separator is a volume of its own.
    fn volume(&mut self, source: &str, read_only: bool, word: &Word) {
        if source.contains('/') || source.starts_with(['.', '~', '$']) {
            let word = Word { text: source.to_owned(), ..word.clone() };
            self.add(&word, Access::Read);
            if !read_only {
                self.tree(&word, Access::Write);
            }
        }
    }
}

/// Tells whether the mode of a `chmod` looks like an option: `chmod -x file`.
fn takes_away(arguments: &Arguments<'_>) -> bool {
    arguments.options.iter().any(|given| {
        given
            .name
            .strip_prefix('-')
            .is_some_and(|mode| !mode.is_empty() && mode != "R" && mode.chars().all(|letter| "rwxXst".contains(letter)))
    })
}

/// Returns a line of a `sed` script behind the lines that it is for.
fn addressed(line: &str) -> &str {
    line.trim_start_matches(|character: char| character.is_ascii_digit() || " \t$,".contains(character))
}

/// Returns the file that a line of a `sed` script writes: behind `w`, or behind the flags of `s/…/…/`.
fn written(line: &str) -> Option<&str> {
    let line = addressed(line);
    if let Some(path) = line.strip_prefix("w ") {
        return Some(path.trim());
    }
    let (before, path) = line.split_once("w ")?;
    let flags = before.rsplit('/').next()?;
    let is_flags = before.contains('/') && flags.chars().all(|flag| "gpiIeMm0123456789".contains(flag));
    is_flags.then(|| path.trim())
}
