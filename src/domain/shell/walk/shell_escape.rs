//! Programs with a language of their own in which a line can be a shell command.
//!
//! Editors, database clients, calculators and `make` are such: `!rm`, `\! rm`, `.shell rm`. Their input is read from
//! the
//! command line, the standard input or a file that the same text writes.

use super::{Invocation, Stdin, Walker};
use crate::domain::shell::arguments;
use crate::domain::shell::code::function_table::CallKind;
use crate::domain::shell::code::{Argument, Language, calls};
use crate::domain::shell::script::{Dialect, Word};

/// The most lines of a text that are read.
const MAX_LINES: usize = 512;

/// The programs, and the prefixes of lines that they pass to a shell.
const ESCAPE_PREFIXES: &[(&[&str], &[&str])] = &[
    (&["ed", "red"], &["!", "r !", "w !", "e !"]),
    (&["ex", "vi", "vim", "nvim", "view", "vimdiff"], &["!", ":!", "silent !", "silent! !", "r !", "w !", "term "]),
    (&["dc", "bc", "ftp", "lftp", "telnet", "mail", "gdb"], &["!", "shell "]),
    (&["psql"], &["\\! "]),
    (&["mysql", "mariadb"], &["\\! ", "system "]),
    (&["sqlite3", "sqlite", "duckdb"], &[".shell ", ".system "]),
    (&["tclsh", "wish", "expect"], &["exec ", "spawn ", "system "]),
    (&["ipython"], &["!"]),
];

impl Walker {
    /// Walks the lines that such a program passes to a shell.
    pub(super) fn walk_shell_escapes(&mut self, program: &str, args: &[Word], call: &Invocation) {
        let input = match &call.stdin {
            Stdin::Text(text) if !text.glob => Some(text.clone()),
            _ => None,
        };
        if let Some((_, starts)) = ESCAPE_PREFIXES.iter().find(|(programs, _)| programs.contains(&program)) {
            // Where options hold such lines, they are in the table of wrappers.
            let told = if starts.contains(&":!") { &[] } else { args };
            for text in told.iter().chain(&input) {
                self.walk_escape_lines(program, text, starts, call);
            }
        }
        match program {
            "make" | "gmake" => self.walk_makefile(args, input.as_ref(), call),
            "vim" | "nvim" | "vi" | "ex" => {
                for word in args {
                    let word = Word { text: word.text.trim_start_matches('+').to_owned(), ..word.clone() };
                    self.walk_editor_functions(program, &word, call);
                }
            }
            "m4" => input.iter().for_each(|text| self.walk_macros(text, call)),
            "fzf" => {
                for word in args {
                    for action in ["execute(", "execute-silent(", "become(", "reload("] {
                        let code = word.text.split_once(action).and_then(|(_, rest)| rest.rsplit_once(')'));
                        self.walk_tool_code(program, word, code.map(|(code, _)| code), call);
                    }
                }
            }
            "socat" => {
                for word in args {
                    let (kind, rest) = word.text.split_once(':').unwrap_or_default();
                    let runs = ["exec", "system", "shell"].iter().any(|name| kind.eq_ignore_ascii_case(name));
                    self.walk_tool_code(program, word, runs.then_some(rest), call);
                }
            }
            "bind" => {
                for word in args {
                    self.walk_tool_code(program, word, word.text.split_once("\":").map(|(_, code)| code), call);
                }
            }
            "complete" | "compgen" | "mapfile" | "readarray" => {
                let at = |flag: &str| args.iter().position(|word| word.text == flag).and_then(|at| args.get(at + 1));
                if let Some(code) = at("-C") {
                    self.walk_tool_code(program, code, Some(&code.text), call);
                }
                // A list of words is expanded like text between double quotes.
                if let Some(words) = at("-W").filter(|words| words.text.contains(['$', '`'])) {
                    let code = format!(": \"{}\"", words.text);
                    self.walk_tool_code(program, words, Some(&code), call);
                }
            }
            _ => {}
        }
    }

    /// Walks the lines of a script that such a program passes to a shell.
    pub(super) fn walk_escapes_in(&mut self, program: &str, text: &Word, call: &Invocation) {
        if let Some((_, starts)) = ESCAPE_PREFIXES.iter().find(|(programs, _)| programs.contains(&program)) {
            self.walk_escape_lines(program, text, starts, call);
        }
    }

    fn walk_tool_code(&mut self, program: &str, source: &Word, code: Option<&str>, call: &Invocation) {
        if let Some(code) = code.map(str::trim).filter(|code| !code.is_empty()) {
            let code = Word { text: code.to_owned(), ..source.clone() };
            self.subshell(|walker| walker.walk_text(&code, program, &call.span));
        }
    }

    fn walk_escape_lines(&mut self, program: &str, text: &Word, starts: &[&str], call: &Invocation) {
        let separators: &[char] = if starts.contains(&"spawn ") { &['\n', ';'] } else { &['\n'] };
        for line in text.text.split(separators).take(MAX_LINES) {
            let line = line.trim_start_matches(|c: char| c.is_whitespace() || c == '+');
            let Some(code) = starts.iter().find_map(|start| line.strip_prefix(start)) else { continue };
            let code = code.trim_start();
            // The options of `exec` and `spawn` are before the command.
            let own = if starts.contains(&"spawn ") {
                code.split(' ').take_while(|word| word.starts_with('-')).map(|word| word.len() + 1).sum()
            } else {
                0
            };
            self.walk_tool_code(program, text, code.get(own..), call);
        }
    }

    /// Walks what functions of an editor's language run: `call system('…')`.
    fn walk_editor_functions(&mut self, program: &str, word: &Word, call: &Invocation) {
        if !word.text.contains('(') {
            return;
        }
        for found in calls(&word.text, Language::Python) {
            if let (CallKind::Shell | CallKind::Argv, Some(Argument::Text(code))) =
                (found.kind, found.arguments.first())
            {
                self.walk_tool_code(program, code, Some(&code.text), call);
            }
        }
    }

    fn walk_macros(&mut self, text: &Word, call: &Invocation) {
        for piece in text.text.split("syscmd(").skip(1).take(MAX_LINES) {
            let code = piece.split_once(')').map_or(piece, |(code, _)| code);
            self.walk_tool_code("m4", text, Some(code.trim_matches(['`', '\''])), call);
        }
    }

    /// Walks the recipes of a makefile that is in the same text, and the shell that is named.
    fn walk_makefile(&mut self, args: &[Word], input: Option<&Word>, call: &Invocation) {
        let options = arguments::parse(&call.words, Dialect::Posix, &[]);
        let mut texts: Vec<Word> = options.values(&["--eval", "-E"]).into_iter().cloned().collect();
        let inline = args.iter().filter_map(|word| {
            let text = word.text.strip_prefix("--eval=")?;
            Some(Word { text: text.to_owned(), ..word.clone() })
        });
        texts.extend(inline);
        let named: Vec<Word> = args
            .iter()
            .zip(args.iter().skip(1))
            .filter(|(flag, _)| matches!(flag.text.as_str(), "-f" | "--file" | "--makefile"))
            .map(|(_, file)| file.clone())
            .collect();
        for file in &named {
            if matches!(file.text.as_str(), "-" | "/dev/stdin") {
                texts.extend(input.cloned());
            } else {
                texts.extend(self.scope.written_text(&file.text).cloned().flatten());
            }
        }
        if named.is_empty() {
            let usual = ["GNUmakefile", "makefile", "Makefile"];
            texts.extend(usual.iter().find_map(|name| self.scope.written_text(name).cloned().flatten()));
        }
        for word in args {
            self.walk_tool_code("make", word, word.text.strip_prefix("SHELL="), call);
        }
        texts.dedup();
        for text in texts {
            self.walk_make_recipes(&text, call);
        }
    }

    /// Walks the commands in the text of a makefile.
    pub(super) fn walk_make_recipes(&mut self, text: &Word, call: &Invocation) {
        for line in text.text.lines().take(MAX_LINES) {
            for piece in line.split("$(shell ").skip(1) {
                self.walk_tool_code("make", text, piece.rsplit_once(')').map(|(code, _)| code), call);
            }
            let recipe = line.strip_prefix('\t').or_else(|| {
                let (head, recipe) = line.split_once(';')?;
                head.contains(':').then_some(recipe)
            });
            let recipe = recipe.map(|recipe| recipe.trim_start_matches(['@', '-', '+', ' ']).replace("$$", "$"));
            let recipe = recipe.map(|recipe| without_functions(&recipe));
            self.walk_tool_code("make", text, recipe.as_deref(), call);
        }
    }
}

/// Returns a recipe with the functions and variables in it as a shell understands them: `$(wildcard $(HOME)/*)`.
fn without_functions(recipe: &str) -> String {
    let recipe = recipe.replace("$(HOME)", "$HOME");
    let mut out = String::new();
    let mut rest = recipe.as_str();
    while let Some((before, behind)) = rest.split_once("$(wildcard ") {
        out.push_str(before);
        let (pattern, tail) = behind.split_once(')').unwrap_or((behind, ""));
        out.push_str(pattern);
        rest = tail;
    }
    out.push_str(rest);
    out
}
