//! One command of a line: its row, its options, its arguments, its redirections.

use super::arguments::{Argument, ParsedArguments, ValueKind, is_name, parse};
use super::check::is_plain_filter;
use super::row::{Check, Operands, Row};
use super::tree::TreeFilter;
use super::{Effect, Gap, ProgramLocation, Proved, Prover, find_row, gap};
use crate::domain::shell::RedirectKind;
use crate::domain::shell::plain::{PlainCommand, PlainRedirect, PlainWord};

/// The greatest number of commands within commands.
const MAX_DEPTH: usize = 4;

/// Variables that change no more than how a program shows what it prints, with the values that are known.
const VARIABLES: &[(&str, &str)] = &[
    ("LC_ALL", "*"),
    ("LANG", "*"),
    ("LC_CTYPE", "*"),
    ("LC_COLLATE", "*"),
    ("TZ", "*"),
    ("NO_COLOR", "*"),
    ("CLICOLOR", "*"),
    ("CLICOLOR_FORCE", "*"),
    ("FORCE_COLOR", "*"),
    ("COLUMNS", "*"),
    ("LINES", "*"),
    ("CI", "*"),
    ("TERM", "dumb|xterm|xterm-256color"),
    ("GIT_PAGER", "cat|"),
    ("PAGER", "cat|"),
    ("GH_PAGER", "cat|"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GH_PROMPT_DISABLED", "1"),
    ("RUST_BACKTRACE", "*"),
    ("CARGO_TERM_COLOR", "*"),
    ("PYTHONDONTWRITEBYTECODE", "1"),
    ("PYTHONUNBUFFERED", "1"),
    ("NODE_ENV", "*"),
    ("DEBIAN_FRONTEND", "noninteractive"),
    ("HOMEBREW_NO_AUTO_UPDATE", "1"),
    ("BAT_PAGER", "cat|"),
    ("MANPAGER", "cat|"),
    ("AWS_PAGER", "cat|"),
    ("SYSTEMD_PAGER", "cat|"),
    ("PYTEST_ADDOPTS", ""),
    ("TAP", "1"),
];

/// Directories below the home directory in which people keep programs.
const PROGRAM_DIRECTORIES: &[&str] = &[
    ".local/bin",
    ".cargo/bin",
    ".rustup/toolchains",
    ".bun/bin",
    ".deno/bin",
    ".volta",
    ".nvm",
    ".fnm",
    ".local/share",
    ".asdf",
    ".pyenv",
    ".rbenv",
    "go/bin",
    ".go",
    ".npm-global",
    "Library/pnpm",
    ".sdkman",
    ".krew/bin",
    ".nix-profile",
    ".linuxbrew",
    ".proto",
    ".rye",
    ".ghcup/bin",
    ".dotnet",
    "google-cloud-sdk",
    ".fly/bin",
    ".pulumi/bin",
];

/// Directories in which everybody may make files.
const TEMP_DIRECTORIES: &[&str] = &["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/dev/shm"];

/// A command with the directory that it runs in.
pub(super) struct Site<'a> {
    pub(super) row: &'static Row,
    /// The name in the table.
    pub(super) name: String,
    /// The words as they are written.
    pub(super) text: String,
    pub(super) arguments: ParsedArguments,
    pub(super) directory: &'a str,
    pub(super) is_piped: bool,
}

impl Prover<'_, '_> {
    /// Proves one command of a line that begins in a directory.
    pub(super) fn command(&self, command: &PlainCommand, start: &str) -> Proved {
        for directory in &command.directories {
            let place = self.facts.path_context;
            let directory = if directory.is_empty() { start.to_owned() } else { place.resolve(directory, Some(start)) };
            self.working_directory(&directory)?;
            for redirect in &command.redirects {
                self.redirect(redirect, &directory)?;
            }
            for (name, value) in &command.assignments {
                check_variable(name, value)?;
            }
            if !command.words.is_empty() {
                let words = self.expanded(&command.words, &directory)?;
                self.words(&words, &directory, command.is_piped, 0)?;
            } else if !command.assignments.is_empty() {
                return gap("variables of the shell are set");
            }
        }
        Ok(())
    }

    fn redirect(&self, redirect: &PlainRedirect, directory: &str) -> Proved {
        let target = &redirect.target;
        let text = target.text.as_str();
        if redirect.fd.is_some_and(|fd| fd > 2) {
            return gap("a descriptor besides the usual ones");
        }
        match redirect.kind {
            RedirectKind::Duplicate if matches!(text, "1" | "2" | "-") => Ok(()),
            RedirectKind::HereDoc | RedirectKind::HereString => Ok(()),
            _ if target.is_computed || target.is_pattern => gap("a redirection to a file that is not known"),
            RedirectKind::Write | RedirectKind::Append
                if matches!(text, "/dev/null" | "/dev/stderr" | "/dev/stdout") =>
            {
                Ok(())
            }
            RedirectKind::Read if text == "/dev/null" => Ok(()),
            RedirectKind::Read => {
                let path = self.resolve(text, directory)?;
                self.readable(&path)
            }
            RedirectKind::Write | RedirectKind::Append => {
                let path = self.resolve(text, directory)?;
                self.writable(&path)
            }
            RedirectKind::ReadWrite | RedirectKind::Duplicate => gap("a redirection that is not known"),
        }
    }

    /// Returns the words after the expansion of patterns.
    fn expanded(&self, words: &[PlainWord], directory: &str) -> Proved<Vec<Argument>> {
        let mut arguments = Vec::new();
        for word in words {
            let plain = Argument { text: word.text.clone(), is_computed: word.is_computed, is_expanded: false };
            if !word.is_pattern {
                arguments.push(plain);
                continue;
            }
            let pattern = self.resolve(&word.text, directory)?;
            let Some(found) = self.facts.file_system.expand(&pattern) else {
                return gap(format!("what `{}` matches is not known", word.text));
            };
            if found.is_empty() {
                // A pattern for the program itself, as in `--include=*.rs`.
                if !word.text.starts_with('-') {
                    return gap(format!("`{}` matches nothing", word.text));
                }
                arguments.push(plain);
                continue;
            }
            let place = self.facts.path_context;
            for path in found {
                // A name that begins with a dash would be an option; one outside is checked as such.
                let shown = match place.relative_to(&path, directory) {
                    Some(below) if !word.text.starts_with('/') => below.to_owned(),
                    _ => path.clone(),
                };
                if shown.starts_with('-') || shown.contains('=') || shown.chars().any(char::is_control) {
                    return gap(format!("`{}` matches the name `{shown}`", word.text));
                }
                arguments.push(Argument { text: shown, is_computed: false, is_expanded: true });
            }
        }
        Ok(arguments)
    }

    /// Proves a command, given by its words.
    pub(super) fn words(&self, words: &[Argument], directory: &str, is_piped: bool, depth: usize) -> Proved {
        let Some((program, rest)) = words.split_first() else { return gap("a command without a name") };
        if program.is_computed || program.is_expanded || depth > MAX_DEPTH {
            return gap("the name of the program is not known");
        }
        let Some(mut row) = find_row(&program.text) else {
            return gap(format!("`{}` is not in the table of programs", program.text));
        };
        self.program(&program.text)?;
        let mut name = program.text.clone();
        let (mut rest, mut directory) = (rest, directory.to_owned());
        while row.operands == Operands::Subcommand {
            let before = parse(row, rest, Some(0))?;
            self.check_values(&before, &directory)?;
            for path in before.options.iter().filter(|option| option.kind == ValueKind::WorkingDirectory) {
                directory = self.resolve(path.value.as_deref().unwrap_or_default(), &directory)?;
                self.working_directory(&directory)?;
            }
            rest = rest.get(before.read..).unwrap_or_default();
            let Some((subcommand, behind)) = rest.split_first() else {
                // `git --version` needs no subcommand.
                let alone =
                    find_row(&format!("{name}:")).ok_or_else(|| Gap(format!("`{name}` without a subcommand")))?;
                let text = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
                return self.site(&Site { row: alone, name, text, arguments: before, directory: &directory, is_piped });
            };
            if subcommand.is_computed || subcommand.is_expanded {
                return gap(format!("which subcommand of `{name}` runs is not known"));
            }
            name = format!("{name}:{}", subcommand.text);
            let known = find_row(&name);
            row = known.ok_or_else(|| Gap(format!("`{}` is not in the table of programs", name.replace(':', " "))))?;
            rest = behind;
        }
        if let Operands::Command(texts) = row.operands {
            return self.wrapped(row, &name, texts, rest, (&directory, is_piped), depth);
        }
        let arguments = parse(row, rest, None)?;
        self.check_values(&arguments, &directory)?;
        let text = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        self.site(&Site { row, name, text, arguments, directory: &directory, is_piped })
    }

    fn site(&self, site: &Site<'_>) -> Proved {
        self.check_operands(site)?;
        for check in site.row.checks {
            self.check(*check, site)?;
        }
        self.finish(site.row, &site.text);
        Ok(())
    }

    fn finish(&self, row: &Row, text: &str) {
        self.add_effect(row.effect);
        let shown: String = self.facts.redact(text).to_string().chars().take(120).collect();
        self.step(format!("`{shown}`: {}", row.effect.name()));
    }

    /// Proves a command that another one runs: `timeout 5 ls`.
    fn wrapped(
        &self,
        row: &'static Row,
        name: &str,
        texts: usize,
        words: &[Argument],
        (directory, is_piped): (&str, bool),
        depth: usize,
    ) -> Proved {
        let before = parse(row, words, Some(0))?;
        self.check_values(&before, directory)?;
        let mut rest = words.get(before.read..).unwrap_or_default();
        if before.separator.is_some() {
            return gap(format!("`--` of `{name}`"));
        }
        for _ in 0..texts {
            let Some((text, behind)) = rest.split_first() else { return gap(format!("`{name}` without a command")) };
            if text.is_computed || text.is_expanded {
                return gap(format!("an argument of `{name}` is not known"));
            }
            rest = behind;
        }
        // `env NAME=value command`
        while name == "env"
            && let Some((variable, behind)) = rest.split_first()
            && let Some((variable, value)) = variable.text.split_once('=')
        {
            check_variable(variable, &PlainWord { text: value.to_owned(), ..PlainWord::default() })?;
            rest = behind;
        }
        if row.effect == Effect::Build {
            self.installed_tool(rest.first().map_or("", |it| it.text.as_str()), directory)?;
            self.project_is_unchanged(directory)?;
        }
        self.words(rest, directory, is_piped, depth + 1)
    }

    /// Checks the values of options.
    fn check_values(&self, arguments: &ParsedArguments, directory: &str) -> Proved {
        for option in &arguments.options {
            let value = option.value.as_deref().unwrap_or_default();
            match option.kind {
                ValueKind::File if value != "-" => self.readable(&self.resolve(value, directory)?)?,
                ValueKind::Directory => self.inside(&self.resolve(value, directory)?)?,
                ValueKind::Written => {
                    self.writable(&self.resolve(value, directory)?)?;
                }
                ValueKind::Filter if !is_plain_filter(value) => {
                    return gap(format!("the filter `{value}` may show more than its input"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn check_operands(&self, site: &Site<'_>) -> Proved {
        let arguments = &site.arguments;
        let operands = arguments.operands.as_slice();
        let known = |operands: &[Argument]| match operands.iter().find(|it| it.is_computed) {
            Some(_) => gap(format!("an argument of `{}` is known only when it runs", site.name)),
            None => Ok(()),
        };
        match site.row.operands {
            Operands::None if operands.is_empty() => Ok(()),
            Operands::None => gap(format!("`{}` takes no argument in the table", site.name)),
            Operands::Printed => Ok(()),
            Operands::Checked | Operands::Text => known(operands),
            Operands::Names => {
                known(operands)?;
                let odd = operands.iter().find(|it| it.is_expanded || !is_name(&it.text));
                odd.map_or(Ok(()), |it| gap(format!("`{}` is no plain name", it.text)))
            }
            Operands::Paths => {
                known(operands)?;
                operands.iter().try_for_each(|it| {
                    let path = self.resolve(&it.text, site.directory)?;
                    // What a tool of the project is given it may also write.
                    if site.row.effect != Effect::Read {
                        self.unprotected(&path)?;
                    }
                    self.inside(&path)
                })
            }
            Operands::Files => {
                known(operands)?;
                self.files(operands, site)
            }
            Operands::TextsThenFiles(texts, replacing) => {
                known(operands)?;
                self.files(behind_texts(operands, if arguments.has(replacing) { 0 } else { texts })?, site)
            }
            Operands::TextThenTrees(replacing) => {
                known(operands)?;
                self.trees(behind_texts(operands, usize::from(!arguments.has(replacing)))?, site)
            }
            Operands::Created => {
                known(operands)?;
                operands.iter().try_for_each(|it| self.creatable(&self.resolve(&it.text, site.directory)?))
            }
            Operands::Written => {
                known(operands)?;
                operands.iter().try_for_each(|it| self.writable(&self.resolve(&it.text, site.directory)?))
            }
            Operands::Copied => {
                known(operands)?;
                self.copied(operands, site)
            }
            Operands::Subcommand | Operands::Command(_) => gap("a subcommand that is not in the table"),
        }
    }

    fn files(&self, operands: &[Argument], site: &Site<'_>) -> Proved {
        operands.iter().filter(|it| it.text != "-").try_for_each(|it| {
            let path = self.resolve(&it.text, site.directory)?;
            if self.facts.file_system.is_directory(&path) {
                return gap(format!("`{}` is a directory", it.text));
            }
            self.readable(&path)
        })
    }

    fn copied(&self, operands: &[Argument], site: &Site<'_>) -> Proved {
        let [source, target] = operands else { return gap("more than one file is copied") };
        let read = self.resolve(&source.text, site.directory)?;
        self.files(std::slice::from_ref(source), site)?;
        let written = self.resolve(&target.text, site.directory)?;
        if self.facts.file_system.is_directory(&read) || target.is_expanded {
            return gap("what is copied is not known");
        }
        let name = read.rsplit('/').next().unwrap_or_default();
        let is_directory = self.facts.file_system.is_directory(&written);
        self.writable(&if is_directory { format!("{written}/{name}") } else { written })
    }

    fn trees(&self, operands: &[Argument], site: &Site<'_>) -> Proved {
        let reader = site.row.checks.iter().find_map(|check| match check {
            Check::Tree(reader) => Some(*reader),
            _ => None,
        });
        let Some(reader) = reader else { return self.files(operands, site) };
        let filter = TreeFilter::of(reader, &site.arguments, site.directory);
        for operand in operands.iter().filter(|it| it.text != "-") {
            let path = self.resolve(&operand.text, site.directory)?;
            self.readable_tree(&path, &filter)?;
        }
        let starts_here = operands.is_empty() && !site.is_piped;
        if starts_here { self.readable_tree(site.directory, &filter) } else { Ok(()) }
    }

    /// Checks that the name of a program leads to one that neither the project nor the call has put there.
    pub(super) fn program(&self, name: &str) -> Proved {
        if let Some(known) = self.programs.borrow().get(name) {
            return known.clone();
        }
        let found = self.find_program(name);
        self.programs.borrow_mut().insert(name.to_owned(), found.clone());
        found
    }

    fn find_program(&self, name: &str) -> Proved {
        let (path, real) = match self.facts.file_system.program(name) {
            // The shell says that there is none, or has one of its own of that name.
            ProgramLocation::Missing => return Ok(()),
            ProgramLocation::Unknown(reason) => return gap(format!("which program `{name}` is: {reason}")),
            ProgramLocation::At { path, real } => (path, real),
        };
        let place = self.facts.path_context;
        for path in [&path, &real] {
            let is_below = |directory: &str| place.relative_to(path, directory).is_some();
            if is_below(&self.root) || is_below(&self.real_root) {
                return gap(format!("`{name}` is a program of the project"));
            }
            if TEMP_DIRECTORIES.iter().any(|directory| is_below(directory)) {
                return gap(format!("`{name}` is a program in a directory for temporary files"));
            }
            let below_home = place.home.as_deref().and_then(|home| place.relative_to(path, home));
            let is_kept = |below: &str| PROGRAM_DIRECTORIES.iter().any(|it| below.starts_with(&format!("{it}/")));
            if below_home.is_some_and(|below| !is_kept(below)) {
                return gap(format!("`{name}` is a program in the home directory"));
            }
        }
        Ok(())
    }
}

/// Returns the arguments behind a number of texts, which the shell may not have expanded.
fn behind_texts(operands: &[Argument], texts: usize) -> Proved<&[Argument]> {
    let (before, behind) = operands.split_at_checked(texts).unwrap_or((operands, &[]));
    if before.iter().any(|it| it.is_expanded) {
        return gap("a text that the shell expands to names of files");
    }
    Ok(behind)
}

/// Checks a variable that is set for a command.
fn check_variable(name: &str, value: &PlainWord) -> Proved {
    let known = VARIABLES.iter().find(|(known, _)| *known == name);
    let is_simple = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || "._-@".contains(c));
    let is_allowed = known.is_some_and(|(_, values)| match *values {
        "*" => is_simple(&value.text),
        values => values.split('|').any(|one| one == value.text),
    });
    if is_allowed && !value.is_computed && !value.is_pattern {
        Ok(())
    } else {
        gap(format!("the variable `{name}` is not in the table, or not with this value"))
    }
}
