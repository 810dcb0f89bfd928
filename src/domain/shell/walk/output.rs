//! The output of commands, where their arguments determine it: the text that ends up in `$(…)` or in a shell.
//!
//! Of the programs that transform their input, those that can hide commands from a reader are emulated.

use super::{Invocation, Output, Stdin, Walker, filter};
use crate::domain::shell::arguments;
use crate::domain::shell::script::{Dialect, Word};
use crate::domain::shell::syntax::escape::decode_escapes as unescaped;

/// The most numbers that are counted out.
const MAX_NUMBERS: u32 = 32;

/// The most files of one command that are followed to where they are copied.
const MAX_COPIES: usize = 8;

impl Walker {
    /// Returns what a command prints, or nothing when it is unknown.
    #[expect(clippy::too_many_lines, reason = "one arm for each program")]
    pub(super) fn command_output(&mut self, program: &str, call: &Invocation) -> Output {
        let args = call.words.get(1..).unwrap_or_default();
        self.record_fetched_files(program, call);
        match program {
            "echo" => Some(echo_output(args)),
            "printf" if args.first().is_some_and(|word| word.text == "-v") => Some(Word::known("")),
            "printf" => printf_output(args),
            "cat" | "tac" | "bat" | "batcat" | "more" | "less"
                if self.streams.wants_output || matches!(call.stdin, Stdin::Text(_)) =>
            {
                let operands: Vec<&Word> =
                    args.iter().filter(|word| word.text == "-" || !word.text.starts_with('-')).collect();
                self.read_operands(&operands, call)
            }
            "cat" => self.scope.written_text(&single_operand(args)?.text).cloned().flatten(),
            "tee" => {
                let text = self.stdin_text(call);
                for word in args.iter().filter(|word| !word.text.starts_with('-')) {
                    self.scope.record_write(&word.text, text.clone(), false);
                }
                text
            }
            "true" | ":" | "false" | "test" | "[" | "cd" | "export" | "set" | "unset" | "local" | "declare"
            | "readonly" | "shift" | "alias" | "exit" | "return" | "mkdir" | "touch" | "sleep" | "wait" | "read"
            | "shopt" => Some(Word::known("")),
            // What these print is a number, a name or a date, and never code.
            "wc" | "date" | "whoami" | "hostname" | "nproc" | "uname" | "id" | "sha256sum" | "md5sum" | "shasum"
            | "mktemp" | "expr" | "stat" | "du" | "tty" | "arch" | "getconf" => {
                Some(Word::unknown(format!("$({program})")))
            }
            "seq" => Some(numbers(args).unwrap_or_else(|| Word::unknown("$(seq)"))),
            _ if is_environment_printer(program, args) => Some(Word::known("")),
            _ if is_token_printer(program, args) => {
                let words: Vec<&str> = call.words.iter().map(|word| word.text.as_str()).collect();
                Some(Word::unknown(format!("$({})", words.join(" "))))
            }
            "mkfifo" => {
                for word in args.iter().filter(|word| !word.text.starts_with('-')) {
                    self.scope.record_write(&word.text, None, false);
                }
                Some(Word::known(""))
            }
            "git" => git_listing(args),
            "cp" | "gcp" | "mv" | "gmv" | "ln" | "install" => {
                self.record_copies(call);
                self.record_program_alias(args);
                Some(Word::known(""))
            }
            "pwd" => Some(self.working_directory("$PWD")),
            "which" => single_operand(args).cloned(),
            "type" => match args {
                [flag, name] if matches!(flag.text.as_str(), "-P" | "-p") && name.literal => Some(name.clone()),
                _ => None,
            },
            "yes" if !args.is_empty() => {
                Some(Word { text: super::expand::join_words(args).text + "\n", ..super::expand::join_words(args) })
            }
            "ls" | "gls" => ls_output(args),
            "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ack" if search_listing(program, &call.words).is_some() => {
                search_listing(program, &call.words)
            }
            _ if filter::is_filter(program) => {
                if !self.streams.wants_output && !matches!(call.stdin, Stdin::Text(_)) {
                    return None;
                }
                let invocation = filter::Filter::parse(program, &call.words)?;
                let input = self.read_operands(&invocation.files, call)?;
                invocation.apply(&input)
            }
            "basename" => {
                let path = single_operand(args)?;
                let name = path.text.trim_end_matches('/').rsplit('/').next()?;
                Some(Word { text: name.to_owned(), ..path.clone() })
            }
            "dirname" => {
                let path = single_operand(args)?;
                let (dir, _) = path.text.trim_end_matches('/').rsplit_once('/').unwrap_or((".", ""));
                Some(Word { text: if dir.is_empty() { "/" } else { dir }.to_owned(), ..path.clone() })
            }
            _ => None,
        }
    }

    /// Remembers which files are copies of others, so that one that is run is known under its new name.
    fn record_copies(&mut self, call: &Invocation) {
        let arguments = arguments::parse(&call.words, Dialect::Posix, &[]);
        let named = arguments.values(&["-t", "--target-directory"]);
        let mut sources = arguments.operands.clone();
        let Some(target) = named.first().copied().or_else(|| sources.pop()) else { return };
        for source in sources.iter().take(MAX_COPIES) {
            self.scope.record_copy(&source.text, &target.text);
        }
    }
}

impl Walker {
    /// Remembers that a program of the system has another name from now on.
    fn record_program_alias(&mut self, args: &[Word]) {
        let operands: Vec<&Word> = args.iter().filter(|word| !word.text.starts_with('-')).collect();
        let [program, name] = operands.as_slice() else { return };
        let known = program.text.contains("/bin/") || !program.text.contains(['/', '.']) && program.glob;
        if known && program.literal && name.literal {
            let path = name.text.trim_start_matches("./");
            self.scope.aliases.insert(format!("./{path}"), program.text.clone());
            self.scope.aliases.insert(name.text.clone(), program.text.clone());
        }
    }
}

/// Returns what `ls` lists, as patterns.
fn ls_output(args: &[Word]) -> Output {
    let itself = args.iter().any(|word| word.text.starts_with('-') && word.text.contains('d'));
    let operands: Vec<&Word> = args.iter().filter(|word| !word.text.starts_with('-')).collect();
    let lines: Vec<String> = operands
        .iter()
        .map(|word| {
            let path = word.text.trim_end_matches('/');
            let is_file = itself || word.glob || path.contains("/bin/");
            if is_file { path.to_owned() } else { format!("{path}/*") }
        })
        .collect();
    if operands.is_empty() {
        let here = if itself { "." } else { "*" };
        return Some(Word { glob: !itself, ..Word::known(here) });
    }
    let literal = operands.iter().all(|word| word.literal);
    let glob = operands.iter().any(|word| !word.text.contains("/bin/") || word.glob);
    (!lines.is_empty()).then(|| Word { text: lines.join("\n"), literal, glob, quoted: false })
}

/// The programs that print settings for the shell which asks for them, with the words that make them do so.
const ENVIRONMENT_PRINTERS: &[(&[&str], &[&str])] = &[
    (&["ssh-agent", "gpg-agent", "dircolors", "lesspipe", "resize", "tset", "keychain", "thefuck", "locale"], &[]),
    (
        &[
            "direnv", "starship", "zoxide", "atuin", "mise", "rtx", "asdf", "fnm", "nodenv", "volta", "proto", "vfox",
            "sheldon", "carapace", "luarocks",
        ],
        &["hook", "init", "env", "activate", "hook-env", "source", "_carapace", "path"],
    ),
    (
        &["pyenv", "rbenv", "plenv", "jenv", "goenv", "phpenv", "luaenv", "opam", "cs", "ghcup", "oh-my-posh"],
        &["init", "env", "virtualenv-init"],
    ),
    (
        &["brew", "conda", "mamba", "micromamba", "pixi"],
        &["shellenv", "shell.bash", "shell.zsh", "shell.posix", "shell", "shell-hook"],
    ),
    (
        &[
            "kubectl",
            "helm",
            "gh",
            "docker",
            "npm",
            "pip",
            "pip3",
            "rustup",
            "poetry",
            "minikube",
            "kind",
            "k3d",
            "flux",
            "argocd",
            "terraform",
            "just",
            "deno",
            "bun",
            "uv",
            "pnpm",
            "yarn",
            "glab",
            "op",
            "eksctl",
            "oc",
            "podman",
            "buf",
            "task",
            "hugo",
            "chezmoi",
            "ruff",
            "pixi",
            "stern",
            "k9s",
            "ng",
            "vue",
            "nx",
            "turbo",
            "mise",
            "cilium",
            "istioctl",
            "linkerd",
            "velero",
            "trivy",
            "kustomize",
            "skaffold",
            "tilt",
            "kubeadm",
            "kind",
            "vault",
            "doctl",
            "flyctl",
            "fly",
            "hcloud",
            "pipx",
            "pdm",
            "hatch",
            "golangci-lint",
            "goreleaser",
        ],
        &[
            "completion",
            "completions",
            "--completion",
            "--completions",
            "docker-env",
            "podman-env",
            "generate-shell-completion",
            "gen-completions",
            "signin",
        ],
    ),
    (
        &["docker-machine", "aws-vault", "saml2aws", "direnv", "devbox", "nix", "flox"],
        &["env", "export", "script", "shellenv", "print-dev-env", "activate"],
    ),
    (&["register-python-argcomplete", "activate-global-python-argcomplete", "modulecmd", "fzf", "navi"], &[]),
];

/// Returns whether a program prints settings for the shell that asks for them, as its own documents say to evaluate.
fn is_environment_printer(program: &str, args: &[Word]) -> bool {
    ENVIRONMENT_PRINTERS.iter().any(|(programs, verbs)| {
        programs.contains(&program)
            && (verbs.is_empty() || args.iter().any(|word| word.literal && verbs.contains(&word.text.as_str())))
    })
}

/// The commands that print a token, which the words of other commands then name as its source.
const TOKEN_PRINTERS: &[(&str, &[&str])] = &[
    ("gh", &["auth", "token"]),
    ("glab", &["auth", "token"]),
    ("gcloud", &["auth", "print-access-token"]),
    ("gcloud", &["auth", "print-identity-token"]),
    ("gcloud", &["auth", "application-default", "print-access-token"]),
    ("az", &["account", "get-access-token"]),
    ("heroku", &["auth:token"]),
    ("fly", &["auth", "token"]),
    ("flyctl", &["auth", "token"]),
    ("doctl", &["auth", "token"]),
    ("databricks", &["auth", "token"]),
];

/// Returns whether a command prints a token of a service and nothing else.
fn is_token_printer(program: &str, args: &[Word]) -> bool {
    TOKEN_PRINTERS.iter().any(|(name, verbs)| {
        *name == program
            && args.len() >= verbs.len()
            && args.iter().zip(*verbs).all(|(word, verb)| word.literal && word.text == *verb)
    })
}

/// Returns the numbers that `seq` prints, if they are few: `seq 3`, `seq 2 5`.
fn numbers(args: &[Word]) -> Option<Word> {
    let parsed: Vec<u32> = args.iter().map(|word| word.text.parse().ok()).collect::<Option<_>>()?;
    let (first, last) = match parsed.as_slice() {
        [last] => (1, *last),
        [first, last] => (*first, *last),
        _ => return None,
    };
    let lines = (first..=last).map(|number| number.to_string());
    (last.saturating_sub(first) < MAX_NUMBERS).then(|| Word::known(lines.collect::<Vec<_>>().join("\n")))
}

/// The subcommands of git that list files of the work tree, with the option that makes them do so.
const GIT_LISTINGS: &[(&str, &str)] =
    &[("ls-files", ""), ("diff", "--name-only"), ("diff-tree", "--name-only"), ("show", "--name-only"), ("grep", "-l")];

/// Returns what git lists, as a pattern: files of the work tree.
fn git_listing(args: &[Word]) -> Output {
    let verb = args.iter().position(|word| !word.text.starts_with('-'))?;
    let name = args.get(verb)?.text.as_str();
    let has = |option: &str| option.is_empty() || args.iter().any(|word| word.text == option);
    let lists = GIT_LISTINGS.iter().any(|(verb, option)| *verb == name && has(option));
    lists.then(|| Word { text: "./**/[!.]*".to_owned(), glob: true, ..Word::known("") })
}

/// Returns what a search lists that prints names of files, as patterns: `grep -rl`, `rg -l`.
fn search_listing(program: &str, words: &[Word]) -> Output {
    let args = words.get(1..).unwrap_or_default();
    let has_letter = |letter| {
        args.iter().any(|word| word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains(letter))
    };
    let has = |name: &str| args.iter().any(|word| word.text == name);
    let lists = has_letter('l') || has("--files-with-matches") || has("--files-without-match") || has("--files");
    if !lists {
        return None;
    }
    let names: Vec<&str> = args.iter().filter_map(|word| word.text.strip_prefix("--include=")).collect();
    let operands: Vec<&Word> = args.iter().filter(|word| !word.text.starts_with('-')).skip(1).collect();
    let here = Word::known(".");
    let directories = if operands.is_empty() { vec![&here] } else { operands };
    let mut lines = Vec::new();
    for directory in &directories {
        let start = directory.text.trim_end_matches('/');
        // Hidden files are left out where a search of a project is meant.
        let is_outside = start.is_empty() || start.starts_with(['~', '/', '$']) || start.starts_with("..");
        match names.as_slice() {
            [] if is_outside && program != "rg" => lines.push(format!("{start}/**")),
            [] => lines.push(format!("{start}/**/[!.]*")),
            names if is_outside => lines.extend(names.iter().map(|name| format!("{start}/**/{name}"))),
            names => lines.extend(names.iter().map(|name| format!("{start}/**/[!.]*{}", name.trim_start_matches('*')))),
        }
    }
    let literal = directories.iter().all(|word| word.literal);
    Some(Word { text: lines.join("\n"), literal, glob: true, quoted: false })
}

fn single_operand(args: &[Word]) -> Option<&Word> {
    match args {
        [word] if word.literal && !word.text.starts_with('-') => Some(word),
        _ => None,
    }
}

fn echo_output(args: &[Word]) -> Word {
    let is_option = |word: &&Word| {
        word.literal
            && word
                .text
                .strip_prefix('-')
                .is_some_and(|letters| !letters.is_empty() && letters.chars().all(|letter| "neE".contains(letter)))
    };
    let options = args.iter().take_while(is_option).count();
    let (options, words) = args.split_at_checked(options).unwrap_or_default();
    let has = |letter| options.iter().any(|word| word.text.contains(letter));
    let mut line = super::expand::join_words(words);
    if has('e') {
        line.text = unescaped(&line.text);
    }
    if !has('n') {
        line.text.push('\n');
    }
    line
}

/// Returns what `printf` makes of a format and its arguments, or nothing when it is unknown.
pub(super) fn printf_output(args: &[Word]) -> Output {
    let args = match args {
        [dashes, rest @ ..] if dashes.text == "--" => rest,
        all => all,
    };
    let (pattern, args) = args.split_first()?;
    if !pattern.literal {
        return None;
    }
    let mut out = Word::known("");
    let mut rest = args.iter();
    loop {
        let left = rest.len();
        format_once(&pattern.text, &mut rest, &mut out)?;
        if out.text.len() > super::expand::MAX_VALUE {
            return None;
        }
        // The format is used again while it takes arguments and some are left.
        if rest.len() == 0 || rest.len() == left {
            return Some(out);
        }
    }
}

fn format_once<'a>(pattern: &str, rest: &mut impl Iterator<Item = &'a Word>, out: &mut Word) -> Option<()> {
    let mut pieces = pattern.split('%');
    out.text.push_str(&unescaped(pieces.next()?));
    while let Some(piece) = pieces.next() {
        let Some(kind) = piece.chars().next() else {
            // Two percent characters in a row represent one.
            out.text.push('%');
            out.text.push_str(&unescaped(pieces.next()?));
            continue;
        };
        if !matches!(kind, 's' | 'b' | 'd' | 'i' | 'u' | 'q' | 'c') {
            return None;
        }
        let word = rest.next();
        let text = word.map_or("", |word| word.text.as_str());
        out.literal &= word.is_none_or(|word| word.literal);
        match kind {
            'b' => out.text.push_str(&unescaped(text)),
            'c' => out.text.extend(text.chars().next()),
            _ => out.text.push_str(text),
        }
        out.text.push_str(&unescaped(piece.get(1..)?));
    }
    Some(())
}
