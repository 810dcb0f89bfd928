//! Programs whose files do not follow from a simple row.
//!
//! Each has its own small grammar on top of options and operands. They only add files: what is not understood is left
//! out, never guessed.

use super::{Access, FileCollector};
use crate::domain::shell::arguments::{self, Arguments};
use crate::domain::shell::script::{Command, Word};
use crate::domain::shell::walk::{deletes_findings, find_results};

impl FileCollector {
    /// Records the files of a program that needs more than a row; returns whether it is one.
    #[expect(clippy::too_many_lines, reason = "one arm for each program")]
    pub(super) fn add_special(&mut self, program: &str, command: &Command, arguments: &Arguments<'_>) -> bool {
        match program {
            "install" | "ginstall" if arguments.has(&["-d", "--directory"]) => {
                self.add_all(arguments.operands.iter().copied(), Access::Write);
            }
            "cp" | "gcp" if arguments.has(&["-l", "--link", "-s", "--symbolic-link"]) => self.add_link(arguments),
            "cp" | "gcp" | "scp" | "ditto" | "install" | "ginstall" => self.add_copy(arguments, false),
            "mv" | "gmv" => self.add_copy(arguments, true),
            "split" | "gsplit" | "csplit" => self.add_split(program, command, arguments),
            "convert" | "magick" | "ffmpeg" | "sox" | "qpdf" => self.add_conversion(arguments),
            "history" | "fc" => self.add_history(command),
            "ln" | "gln" | "link" => self.add_link(arguments),
            "rsync" => self.add_rsync(arguments),
            "tar" | "gtar" | "bsdtar" => self.add_tar(arguments),
            "zip" => self.add_zip(arguments),
            "unzip" => self.add_unzip(arguments),
            "7z" | "7za" | "7zz" => self.add_seven_zip(arguments),
            "chmod" | "chown" | "chgrp" | "setfacl" => return self.add_mode_change(program, arguments),
            "dd" | "gdd" | "dcfldd" | "dc3dd" => self.add_assignments(
                command,
                &[("if=", Access::Read), ("of=", Access::Write), ("hof=", Access::Write), ("wipe=", Access::Write)],
            ),
            "sed" | "gsed" => self.add_sed(arguments),
            "perl" | "ruby" => self.add_in_place_edit(command),
            "rename" | "prename" | "file-rename" => {
                self.add_moved(arguments.operands.iter().skip(1).copied());
                self.add_all(arguments.operands.iter().skip(1).copied(), Access::Write);
            }
            "grep" | "egrep" | "fgrep" | "ggrep" if arguments.has(&["--include"]) => self.add_grep_include(arguments),
            "rg" => self.add_ripgrep(command, arguments),
            "find" | "gfind" | "bfs" => self.add_find(command.args(), arguments),
            "curl" => self.add_curl(arguments),
            "wget" => self.add_wget(arguments),
            "git" => self.add_git(command, arguments),
            "docker" | "podman" | "nerdctl" | "kubectl" | "oc" => self.add_container(arguments),
            "jq" | "gojq" | "jaq" => self.add_jq(command, arguments),
            "yq" => {
                let access = if arguments.has(&["-i", "--inplace"]) { Access::Write } else { Access::Read };
                self.add_all(arguments.operands.iter().skip(1).copied(), Access::Read);
                self.add_all(arguments.operands.iter().skip(1).copied(), access);
            }
            "dasel"
                if arguments.operands.first().is_some_and(|verb| matches!(verb.text.as_str(), "put" | "delete")) =>
            {
                let own = arguments::parse(&command.words, command.dialect, &["-f", "--file", "-o", "--out"]);
                self.add_all(own.values(&["-f", "--file", "-o", "--out"]), Access::Write);
            }
            "diff" | "colordiff" | "sdiff" | "diff3" => {
                self.add_all(arguments.operands.iter().copied(), Access::Read);
                if arguments.has(&["-r", "--recursive"]) {
                    for word in &arguments.operands {
                        self.add_tree(word, Access::Read);
                    }
                }
            }
            "date" if arguments.has(&["-f", "--file"]) => {
                self.add_all(arguments.values(&["--file"]), Access::Read);
                self.add_all(arguments.operands.iter().copied(), Access::Read);
            }
            "gio" => match arguments.operands.split_first() {
                Some((verb, files)) if matches!(verb.text.as_str(), "trash" | "remove") => {
                    self.add_all(files.iter().copied(), Access::Delete);
                }
                Some((verb, files)) if matches!(verb.text.as_str(), "cat" | "copy" | "open") => {
                    self.add_all(files.iter().copied(), Access::Read);
                }
                _ => {}
            },
            "prettier" | "eslint" | "ruff" | "black" | "rustfmt" | "gofmt" => {
                let writes = arguments.has(&["-w", "--write", "--fix"]) || matches!(program, "black" | "rustfmt");
                let access = if writes { Access::Write } else { Access::Read };
                self.add_all(arguments.operands.iter().copied(), access);
            }
            "mapfile" | "readarray" | "read" | "export" | "echo" | "printf" | "cd" | "test" | "[" | "ls" => {}
            _ if program.starts_with("python") => return self.add_python_module(command),
            _ => return self.add_archiver(program, command) || self.add_command_language(program, command, arguments),
        }
        true
    }

    /// Records files that are read, and the last one, which is made of them.
    fn add_conversion(&mut self, arguments: &Arguments<'_>) {
        if let [sources @ .., result] = arguments.operands.as_slice() {
            self.add_all(sources.iter().copied(), Access::Read);
            self.add(result, if sources.is_empty() { Access::Read } else { Access::Write });
        }
    }

    /// Records the pieces into which a file is split, by the beginning of their names.
    fn add_split(&mut self, program: &str, command: &Command, arguments: &Arguments<'_>) {
        self.add_all(arguments.operands.first().copied(), Access::Read);
        let own;
        let prefixes = if program == "csplit" {
            own = arguments::parse(&command.words, command.dialect, &["-f", "--prefix", "-b", "-n"]);
            own.values(&["-f", "--prefix"])
        } else {
            arguments.operands.get(1).copied().into_iter().collect()
        };
        for prefix in prefixes {
            self.add_path(&format!("{}*", prefix.text), &Word { glob: true, ..prefix.clone() }, Access::Write);
        }
    }

    /// Records the file that a shell's history is written to or read from.
    fn add_history(&mut self, command: &Command) {
        if let [option, file, ..] = command.args() {
            match option.text.as_str() {
                "-w" | "-a" | "-W" | "-A" => self.add(file, Access::Write),
                "-r" | "-n" | "-R" => self.add(file, Access::Read),
                _ => {}
            }
        }
    }

    /// Records the files of a module of Python's library that is run as a program; returns whether it is known.
    fn add_python_module(&mut self, command: &Command) -> bool {
        let mut rest = command.args().iter();
        let at = rest.position(|word| word.text == "-m" || !word.text.starts_with('-'));
        let is_module = at.and_then(|at| command.args().get(at)).is_some_and(|word| word.text == "-m");
        let Some(module) = rest.next().filter(|_| is_module) else { return false };
        match module.text.as_str() {
            "tarfile" | "zipfile" => self.add_archive_module(&module.text, rest.as_slice()),
            "venv" | "virtualenv" => {
                for directory in rest.filter(|word| !word.text.starts_with('-')) {
                    self.add(directory, Access::Write);
                    self.add_tree(directory, Access::Write);
                }
            }
            _ => return false,
        }
        true
    }

    /// Records what gets another mode or owner, where a row does not do; returns whether that is so.
    fn add_mode_change(&mut self, program: &str, arguments: &Arguments<'_>) -> bool {
        let deep = arguments.has(&["-R", "--recursive"]);
        let has_mode = arguments.has(&["--reference"]) || (program == "chmod" && removes_mode(arguments));
        if !deep && !has_mode {
            return false;
        }
        self.add_all(arguments.values(&["--reference"]), Access::Read);
        let skip = usize::from(program != "setfacl" && !has_mode);
        for word in arguments.operands.iter().skip(skip) {
            self.add(word, Access::Write);
            if deep {
                self.add_tree(word, Access::Write);
            }
        }
        true
    }

    /// Records files that are after `name=`.
    fn add_assignments(&mut self, command: &Command, names: &[(&str, Access)]) {
        for word in command.args() {
            for (name, access) in names {
                if let Some(path) = word.text.strip_prefix(name) {
                    self.add_path(path, word, *access);
                }
            }
        }
    }

    fn add_sed(&mut self, arguments: &Arguments<'_>) {
        let scripts = arguments.has(&["-e", "--expression", "-f", "--file"]);
        let in_place = arguments.options.iter().any(|given| given.name.starts_with("-i") || given.name == "--in-place");
        // The BSD spelling takes the suffix as a word of its own: `sed -i '' s/a/b/ file`.
        let suffix = arguments.options.iter().any(|given| given.name == "-i")
            && arguments.operands.first().is_some_and(|word| word.text.is_empty());
        let skip = usize::from(!scripts) + usize::from(suffix);
        let files: Vec<&Word> = arguments.operands.iter().skip(skip).copied().collect();
        self.add_all(files.iter().copied(), Access::Read);
        if in_place {
            self.add_all(files, Access::Write);
        }
        self.add_all(arguments.values(&["-f", "--file"]), Access::Read);
        let code = if scripts {
            arguments.values(&["-e", "--expression"])
        } else {
            arguments.operands.first().copied().into_iter().collect()
        };
        for word in code {
            for line in word.text.split(['\n', ';']) {
                if let Some(path) = written_file(line) {
                    self.add_path(path, word, Access::Write);
                } else if let Some(path) = without_address(line).strip_prefix("r ") {
                    self.add_path(path.trim(), word, Access::Read);
                }
            }
        }
    }

    /// Records the files of `perl -pi -e …` and the like, and what the code itself touches.
    fn add_in_place_edit(&mut self, command: &Command) {
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
        self.add_interpreter(command);
        if loops || in_place {
            self.add_all(files.iter().copied(), Access::Read);
        }
        if in_place {
            self.add_all(files, Access::Write);
        }
    }

    /// Records the files of `jq`, some of whose options take two values.
    fn add_jq(&mut self, command: &Command, arguments: &Arguments<'_>) {
        let mut words: Vec<Word> = command.words.iter().take(1).cloned().collect();
        let mut rest = command.args().iter();
        while let Some(word) = rest.next() {
            match word.text.as_str() {
                "--arg" | "--argjson" => drop(rest.nth(1)),
                "--slurpfile" | "--rawfile" => self.add_all(rest.nth(1), Access::Read),
                // What follows are values of the query and no files.
                "--args" | "--jsonargs" => break,
                _ => words.push(word.clone()),
            }
        }
        let scripts = arguments.values(&["-f", "--from-file"]);
        let files = Command { words, ..command.clone() };
        self.add_all(files.operands().into_iter().skip(usize::from(scripts.is_empty())), Access::Read);
        self.add_all(scripts, Access::Read);
    }

    /// Records the files of a search through directories that is for some names alone.
    fn add_grep_include(&mut self, arguments: &Arguments<'_>) {
        let skip = usize::from(!arguments.has(&["-e", "--regexp", "-f", "--file"]));
        for dir in arguments.operands.iter().skip(skip) {
            for name in arguments.values(&["--include"]) {
                let path = format!("{}/**/{}", dir.text.trim_end_matches('/'), name.text);
                self.add_path(&path, &Word { glob: true, ..(*dir).clone() }, Access::Read);
            }
        }
        self.add_all(arguments.values(&["-f", "--file"]), Access::Read);
    }

    fn add_ripgrep(&mut self, command: &Command, arguments: &Arguments<'_>) {
        let skip = usize::from(!arguments.has(&["-e", "--regexp", "-f", "--file", "--files"]));
        let files: Vec<&Word> = arguments.operands.iter().skip(skip).copied().collect();
        if files.is_empty() && command.stage == 0 && !arguments.has(&["--files", "--version", "-V"]) {
            self.add_current_directory(Access::Read);
        }
        self.add_all(files, Access::Read);
        self.add_all(arguments.values(&["-f", "--file"]), Access::Read);
    }

    /// Records what is mounted, and the place where it is seen from then on.
    pub(super) fn add_mount(&mut self, arguments: &Arguments<'_>) {
        if let [source, .., target] = arguments.operands.as_slice() {
            self.add(source, Access::Read);
            self.add_tree(source, Access::Read);
            self.add(target, Access::Write);
            self.add_tree(target, Access::Write);
        }
    }

    fn add_find(&mut self, args: &[Word], arguments: &Arguments<'_>) {
        if deletes_findings(args) {
            for word in find_results(args) {
                self.add(&word, Access::Delete);
            }
            return;
        }
        self.add_all(
            arguments.operands.iter().take_while(|word| !matches!(word.text.as_str(), "(" | "!")).copied(),
            Access::Read,
        );
        self.add_all(arguments.values(&["-fprint", "-fprint0", "-fprintf", "-fls"]), Access::Write);
    }

    /// Records what is copied into and out of containers.
    fn add_container(&mut self, arguments: &Arguments<'_>) {
        if let [verb, source, target, ..] = arguments.operands.as_slice()
            && verb.text == "cp"
        {
            // A container is named by whatever is before a colon.
            let outside = |word: &Word| word.text.split_once(':').is_none_or(|(name, _)| name.contains('/'));
            self.add_all(Some(*source).filter(|word| outside(word)), Access::Read);
            self.add_all(Some(*target).filter(|word| outside(word)), Access::Write);
        }
        self.add_all(arguments.values(&["--env-file", "--from-file", "--from-env-file"]), Access::Read);
        for word in arguments.values(&["-v", "--volume"]) {
            let mut parts = word.text.split(':');
            let source = parts.next().unwrap_or_default();
            self.add_volume(source, parts.any(|part| part.split(',').any(|option| option == "ro")), word);
        }
        for word in arguments.values(&["--mount"]).into_iter().filter(|word| word.text.contains("type=bind")) {
            let value = |names: &[&str]| {
                word.text.split(',').find_map(|part| {
                    let (name, value) = part.split_once('=').unwrap_or((part, ""));
                    names.contains(&name).then_some(value)
                })
            };
            let read_only = value(&["readonly", "ro"]).is_some_and(|value| value != "false");
            self.add_volume(value(&["src", "source"]).unwrap_or_default(), read_only, word);
        }
    }

    /// Records a directory that a container sees; a name without a separator is a volume of its own.
    fn add_volume(&mut self, source: &str, read_only: bool, word: &Word) {
        if source.contains('/') || source.starts_with(['.', '~', '$']) {
            let word = Word { text: source.to_owned(), ..word.clone() };
            self.add(&word, Access::Read);
            if !read_only {
                self.add_tree(&word, Access::Write);
            }
        }
    }
}

/// Returns whether the mode of a `chmod` looks like an option: `chmod -x file`.
fn removes_mode(arguments: &Arguments<'_>) -> bool {
    arguments.options.iter().any(|given| {
        given
            .name
            .strip_prefix('-')
            .is_some_and(|mode| !mode.is_empty() && mode != "R" && mode.chars().all(|letter| "rwxXst".contains(letter)))
    })
}

/// Returns a line of a `sed` script after the lines that it is for.
fn without_address(line: &str) -> &str {
    line.trim_start_matches(|character: char| character.is_ascii_digit() || " \t$,".contains(character))
}

/// Returns the file that a line of a `sed` script writes: after `w`, or after the flags of `s/…/…/`.
fn written_file(line: &str) -> Option<&str> {
    let line = without_address(line);
    if let Some(path) = line.strip_prefix("w ") {
        return Some(path.trim());
    }
    let (before, path) = line.split_once("w ")?;
    let flags = before.rsplit('/').next()?;
    let is_flags = before.contains('/') && flags.chars().all(|flag| "gpiIeMm0123456789".contains(flag));
    is_flags.then(|| path.trim())
}
