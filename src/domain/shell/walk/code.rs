//! Commands that interpreters of other languages run from code on their command line.
//!
//! The code itself is read by [`crate::domain::shell::code`]; here is which word of which program is code, and what
//! happens with the calls that are found.

use super::script_file::ScriptKind;
use super::shells::piped_code_reason;
use super::{Invocation, Output, Stdin, Walker};
use crate::domain::shell::arguments;
use crate::domain::shell::code::function_table::CallKind;
use crate::domain::shell::code::{Argument, Call, Language, calls};
use crate::domain::shell::script::{Dialect, OpaqueReason, Word, program_name};
use crate::domain::shell::syntax::SUBSTITUTION_PLACEHOLDER;

/// The functions that turn encoded text into plain text.
const DECODE_FUNCTIONS: &[&str] = &[
    "b64decode",
    "b32decode",
    "fromhex",
    "unhexlify",
    "atob(",
    "Buffer.from(",
    "decode_base64",
    "base64_decode",
    "Base64.decode",
    "unpack",
    "pack(",
    "codecs.decode",
    "zlib.decompress",
    "gzinflate",
    "String.fromCharCode",
    "decode64",
];

/// The functions that run text as code or as a command.
const EXECUTE_FUNCTIONS: &[&str] = &["exec", "eval", "system", "popen", "Popen", "subprocess", "spawn", "Function("];

/// The options of interpreters whose value is neither code nor a script, beside those of their rows.
const VALUE_OPTIONS: &[(Language, &[&str])] = &[
    (Language::Python, &["-W", "-X", "-Q"]),
    (
        Language::JavaScript,
        &[
            "-r",
            "-C",
            "-c",
            "-P",
            "--require",
            "--import",
            "--loader",
            "--experimental-loader",
            "--conditions",
            "--project",
            "--config",
            "--import-map",
            "--cwd",
            "--tsconfig",
        ],
    ),
    (Language::Perl, &["-I"]),
    (Language::Ruby, &["-I", "-r", "-C", "-E"]),
    (Language::Php, &["-d", "-c", "-z"]),
    (Language::Lua, &["-l"]),
    (Language::AppleScript, &["-l", "-s"]),
];

/// The longest call in a program that is shown as a command.
const MAX_SNIPPET: usize = 512;

/// An interpreter.
struct Interpreter {
    /// How its name begins; a version may follow.
    prefix: &'static str,
    language: Language,
    /// The options whose value is code.
    code_options: &'static [&'static str],
    /// The options with another value.
    value_options: &'static [&'static str],
}

const fn interpreter(
    prefix: &'static str,
    language: Language,
    options: &'static [&'static str],
    values: &'static [&'static str],
) -> Interpreter {
    Interpreter { prefix, language, code_options: options, value_options: values }
}

const SCRIPT_OPTIONS: &[&str] = &["-e", "-p", "--eval", "--print"];
const SCRIPT_VALUES: &[&str] = &["-r", "--require", "--import", "--loader", "-C", "--conditions", "--env-file"];

const INTERPRETERS: &[Interpreter] = &[
    interpreter("python", Language::Python, &["-c"], &["-W", "-X", "--check-hash-based-pycs"]),
    interpreter("pypy", Language::Python, &["-c"], &["-W", "-X"]),
    interpreter("ipython", Language::Python, &["-c"], &["--profile"]),
    interpreter("nodejs", Language::JavaScript, SCRIPT_OPTIONS, SCRIPT_VALUES),
    interpreter("node", Language::JavaScript, SCRIPT_OPTIONS, SCRIPT_VALUES),
    interpreter("deno", Language::JavaScript, &["eval"], &["--ext", "-c", "--config"]),
    interpreter("bun", Language::JavaScript, SCRIPT_OPTIONS, SCRIPT_VALUES),
    interpreter("tsx", Language::JavaScript, SCRIPT_OPTIONS, SCRIPT_VALUES),
    interpreter("ts-node", Language::JavaScript, SCRIPT_OPTIONS, SCRIPT_VALUES),
    interpreter("perl", Language::Perl, &["-e", "-E"], &[]),
    interpreter("ruby", Language::Ruby, &["-e"], &["-I", "-r", "-C"]),
    interpreter("php", Language::Php, &["-r", "-B", "-R", "-E"], &["-d", "-c"]),
    interpreter("luajit", Language::Lua, &["-e"], &["-l"]),
    interpreter("lua", Language::Lua, &["-e"], &["-l"]),
    interpreter("Rscript", Language::Python, &["-e"], &[]),
    interpreter("R", Language::Python, &["-e"], &["-f"]),
    interpreter("octave", Language::Python, &["--eval"], &["-p", "--path"]),
    interpreter("gnuplot", Language::Python, &["-e"], &["-c"]),
    interpreter("julia", Language::Ruby, &["-e", "-E", "--eval", "--print"], &["-L", "-J"]),
    interpreter("elixir", Language::Ruby, &["-e", "--eval", "--rpc-eval"], &["-r", "--name", "--sname"]),
    interpreter("erl", Language::Lua, &["-eval"], &["-s", "-name", "-sname"]),
    interpreter("groovy", Language::Ruby, &["-e"], &["-cp"]),
    interpreter("scala", Language::Ruby, &["-e"], &["-cp"]),
    interpreter("ghc", Language::Ruby, &["-e"], &["-package"]),
    interpreter("guile", Language::Lisp, &["-c"], &["-l", "-L"]),
    interpreter("racket", Language::Lisp, &["-e", "--eval"], &["-l", "-t"]),
    interpreter("sbcl", Language::Lisp, &["--eval"], &["--load", "--core"]),
    interpreter("clojure", Language::Lisp, &["-e", "--eval"], &["-i"]),
    interpreter("clj", Language::Lisp, &["-e", "--eval"], &["-i"]),
    interpreter("bb", Language::Lisp, &["-e", "--eval"], &["-cp"]),
    interpreter("emacs", Language::Lisp, &["--eval", "-eval", "--execute", "-execute"], &["-l", "--load", "-f"]),
    interpreter("emacsclient", Language::Lisp, &["-e", "--eval"], &["-s", "-f"]),
    interpreter("osascript", Language::AppleScript, &["-e"], &["-l", "-s"]),
];

/// Returns the language of a program that runs code, and the code that its words hold.
///
/// `input` is what its standard input is known to be; it counts when the words name no file.
pub(crate) fn inline_code(program: &str, words: &[Word], input: Option<&Word>) -> Option<(Language, Vec<Word>)> {
    let args = words.get(1..).unwrap_or_default();
    if matches!(program, "awk" | "gawk" | "mawk" | "nawk") {
        let arguments = arguments::parse(words, Dialect::Posix, &[]);
        let files = arguments.values(&["-f", "--file"]);
        let mut codes: Vec<Word> = arguments.values(&["-e", "--source"]).into_iter().cloned().collect();
        if files.iter().any(|file| matches!(file.text.as_str(), "-" | "/dev/stdin")) {
            codes.extend(input.cloned());
        } else if codes.is_empty() && files.is_empty() {
            codes.extend(arguments.operands.first().map(|word| (*word).clone()));
        }
        return Some((Language::Awk, codes));
    }
    let versioned = |rest: &str| {
        rest.chars().all(|character| character.is_ascii_digit() || matches!(character, '.' | 'j' | 'i' | 't'))
    };
    let first = program.as_bytes().first();
    let mut rows = INTERPRETERS.iter().filter(|row| row.prefix.as_bytes().first() == first);
    let row = rows.find(|row| program.strip_prefix(row.prefix).is_some_and(versioned))?;
    let mut codes = Vec::new();
    let mut rest = args.iter().peekable();
    let mut named = false;
    while let Some(word) = rest.next() {
        let text = word.text.as_str();
        if let Some((_, value)) = text.split_once('=').filter(|(name, _)| row.code_options.contains(name)) {
            codes.push(Word { text: value.to_owned(), ..word.clone() });
        } else if row.code_options.contains(&text) || ends_in_code_option(text, row.code_options) {
            codes.extend(rest.next().cloned());
        } else if row.value_options.contains(&text) {
            rest.next();
        } else if !text.starts_with('-') {
            named = true;
            break;
        } else if matches!(text, "-m" | "-x" | "--help" | "--version" | "-V" | "-v") {
            named = true;
        }
    }
    if codes.is_empty() && !named {
        codes.extend(input.cloned());
    }
    Some((row.language, codes))
}

/// Returns whether a cluster such as `-lane` ends in the letter that takes code.
fn ends_in_code_option(text: &str, options: &[&str]) -> bool {
    let letters = text.strip_prefix('-').filter(|letters| letters.len() > 1 && letters.len() < 8);
    letters.is_some_and(|letters| {
        letters.chars().all(|letter| letter.is_ascii_alphanumeric())
            && options.iter().any(|option| option.len() == 2 && letters.ends_with(option.trim_start_matches('-')))
    })
}

impl Walker {
    /// Walks the commands that code for an interpreter runs; nothing for other programs.
    pub(super) fn walk_interpreter(&mut self, program: &str, args: &[Word], call: &Invocation) -> Option<Output> {
        let input = match &call.stdin {
            Stdin::Text(word) => Some(word).filter(|word| !word.glob),
            Stdin::Inherited | Stdin::File(_) | Stdin::PipedFile(_) | Stdin::Pipe { .. } => None,
        };
        let (language, codes) = inline_code(program, &call.words, input)?;
        if codes.is_empty() {
            self.walk_interpreter_script(program, language, args, call);
        }
        self.walk_modules(program, language, &codes, call);
        let reads_input = args.iter().all(|word| {
            word.text.starts_with('-') && word.text.len() < 3 && !matches!(word.text.as_str(), "-V" | "-v" | "-h")
        });
        if let (true, true, Stdin::Pipe { decoded }) =
            (codes.is_empty(), reads_input && language != Language::Awk, &call.stdin)
        {
            self.report(piped_code_reason(*decoded), call.span.clone());
        }
        let label =
            if input.is_some_and(|input| codes.contains(input)) { program.to_owned() } else { code_label(program) };
        for code in codes {
            self.walk_code(&code, language, &label, call, 0);
        }
        None
    }

    /// Walks the script that an interpreter is given as a file.
    fn walk_interpreter_script(&mut self, program: &str, language: Language, args: &[Word], call: &Invocation) {
        if language == Language::Awk {
            let arguments = arguments::parse(&call.words, Dialect::Posix, &["-f", "--file"]);
            for file in arguments.values(&["-f", "--file"]) {
                self.walk_script(file, ScriptKind::Language(language), program, &[], call);
            }
            return;
        }
        let mut rest = args.iter().enumerate();
        let mut verb = matches!(program, "deno" | "bun");
        while let Some((at, word)) = rest.next() {
            let behind = args.get(at + 1..).unwrap_or_default();
            match word.text.as_str() {
                "-m" if behind.first().is_some_and(|module| module.text == "doctest") => {
                    for file in behind.iter().skip(1).filter(|word| !word.text.starts_with('-')) {
                        let Some(text) = self.read_text(file, call) else { continue };
                        let lines = text.text.lines().filter_map(|line| {
                            let line = line.trim_start();
                            line.strip_prefix(">>> ").or_else(|| line.strip_prefix("... "))
                        });
                        let code = Word::known(lines.collect::<Vec<_>>().join("\n"));
                        self.walk_program(&code, language, "doctest", call);
                    }
                    return;
                }
                "-m" => {
                    if let Some(module) = behind.first().filter(|module| module.literal) {
                        let path = module.text.replace('.', "/");
                        let names = [format!("{path}.py"), format!("{path}/__main__.py")];
                        let names = names.each_ref().map(String::as_str);
                        self.walk_first_existing(&names, ScriptKind::Language(language), behind, call);
                        // A module that is run is the program of its package: `python -m alembic` is `alembic`.
                        self.run_nested(behind.to_vec(), &format!("{program} -m"), call, call.stdin.clone());
                    }
                    return;
                }
                "-f" if program.starts_with("php") => {}
                "-" | "/dev/stdin" => break,
                option if VALUE_OPTIONS.iter().any(|(of, options)| *of == language && options.contains(&option)) => {
                    rest.next();
                }
                option if option.starts_with('-') => {}
                "run" | "watch" if verb => verb = false,
                "test" | "task" | "install" | "add" | "fmt" | "lint" | "check" | "x" | "cache" | "info" if verb => {
                    return;
                }
                _ => return self.walk_named_script(word, language, program, behind, call),
            }
        }
        if let Stdin::File(path) | Stdin::PipedFile(path) = &call.stdin {
            self.walk_script(&Word::known(path.as_str()), ScriptKind::Language(language), program, &[], call);
        }
    }

    /// Walks a script by the name that an interpreter is given, which it may complete.
    fn walk_named_script(
        &mut self,
        word: &Word,
        language: Language,
        program: &str,
        behind: &[Word],
        call: &Invocation,
    ) {
        let path = word.text.trim_end_matches('/');
        let completed: &[&str] = match language {
            Language::Python => &["/__main__.py"],
            Language::JavaScript => &[".js", ".mjs", ".cjs", ".ts", "/index.js", "/index.mjs", "/index.ts"],
            _ => &[],
        };
        if path.contains("://") || !word.literal || word.glob {
            return;
        }
        let is_whole = path.rsplit('/').next().is_some_and(|name| name.trim_start_matches('.').contains('.'));
        if completed.is_empty() || is_whole || self.scope.written_text(&word.text).is_some() {
            self.walk_script(word, ScriptKind::Language(language), program, behind, call);
        } else {
            let names: Vec<String> = completed.iter().map(|ending| format!("{path}{ending}")).collect();
            let names: Vec<&str> = std::iter::once(path).chain(names.iter().map(String::as_str)).collect();
            self.walk_first_existing(&names, ScriptKind::Language(language), behind, call);
        }
    }

    /// Walks a whole program: the commands it runs, and the calls in it that touch files, each as a
    /// command of its own.
    pub(super) fn walk_program(&mut self, code: &Word, language: Language, label: &str, call: &Invocation) {
        if !self.spend(code.text.len(), &call.span) {
            return;
        }
        if !self.file_budget.is_active() {
            self.report_hidden_code(code, call);
        }
        let (program, option) = code_command(language);
        for found in calls(&code.text, language) {
            let behind = code.text.get(found.span.end..).is_some_and(|rest| rest.starts_with(')'));
            let snippet = code.text.get(found.span.start..found.span.end + usize::from(behind)).unwrap_or_default();
            // Text that the line itself writes has no places of its own.
            let span = if self.file_budget.is_active() { found.span.clone() } else { call.span.clone() };
            let mut inner = Invocation { span, ..Invocation::default() };
            let touches = !matches!(found.kind, CallKind::Shell | CallKind::Argv | CallKind::Code);
            let known = |argument: &Argument| match argument {
                Argument::Text(word) => word.literal,
                Argument::List(words) => words.iter().any(|word| word.literal),
                Argument::Unknown => false,
            };
            if touches && snippet.len() <= MAX_SNIPPET && found.arguments.iter().any(known) {
                let words = [program, option].into_iter().filter(|word| !word.is_empty());
                inner.words = words.chain(std::iter::once(snippet)).map(Word::known).collect();
                self.call_chain.push(label.to_owned());
                self.push_command(&inner);
                self.call_chain.pop();
            }
            self.walk_code_call(&found, language, label, &inner, 0);
            if self.stopped {
                return;
            }
        }
    }

    pub(super) fn walk_code(&mut self, code: &Word, language: Language, label: &str, call: &Invocation, depth: usize) {
        if !self.spend(code.text.len(), &call.span) {
            return;
        }
        self.report_hidden_code(code, call);
        for found in calls(&code.text, language) {
            self.walk_code_call(&found, language, label, call, depth);
        }
    }

    /// Reports code that is decoded on the way, or a part of which is unknown.
    fn report_hidden_code(&mut self, code: &Word, call: &Invocation) {
        let has = |names: &[&str]| names.iter().any(|name| code.text.contains(name));
        if has(DECODE_FUNCTIONS) && has(EXECUTE_FUNCTIONS) {
            self.report(OpaqueReason::EncodedCode, call.span.clone());
        } else if code.text.contains(SUBSTITUTION_PLACEHOLDER) {
            self.report(OpaqueReason::DynamicCode, call.span.clone());
        }
    }

    /// Walks what a call in code runs.
    fn walk_code_call(&mut self, found: &Call, language: Language, label: &str, call: &Invocation, depth: usize) {
        let Some((first, rest)) = found.arguments.split_first() else { return };
        match (found.kind, first) {
            (CallKind::Code, Argument::Text(text)) if depth < 4 => {
                self.walk_code(text, language, label, call, depth + 1);
            }
            (CallKind::Shell | CallKind::Argv | CallKind::Code, Argument::Unknown) => {
                self.report(OpaqueReason::DynamicCode, call.span.clone());
            }
            (CallKind::Shell | CallKind::Argv, Argument::List(words)) => {
                self.run_nested(words.clone(), label, call, Stdin::Inherited);
            }
            // `print line | "sh"`: what is printed is code.
            (CallKind::Shell, Argument::Text(text))
                if language == Language::Awk && super::shells::is_shell(program_name(text.text.trim())) =>
            {
                self.report(OpaqueReason::PipedCode, call.span.clone());
            }
            (CallKind::Shell, Argument::Text(text))
                if rest.first().is_none_or(|next| !is_command_word(next, language)) =>
            {
                self.subshell(|walker| walker.walk_text(text, label, &call.span));
            }
            // One text with blanks is a line in some of the languages, and no program in the others.
            (CallKind::Argv, Argument::Text(text)) if rest.is_empty() && text.text.contains(' ') => {
                self.subshell(|walker| walker.walk_text(text, label, &call.span));
            }
            (CallKind::Shell | CallKind::Argv, Argument::Text(program)) => {
                let words = build_argv(program, rest);
                self.run_nested(words, label, call, Stdin::Inherited);
            }
            _ => {}
        }
    }
}

/// Returns the language of the code that a program runs.
pub(super) fn program_language(program: &str) -> Option<Language> {
    match program {
        "ts-node" => Some(Language::JavaScript),
        program => Some(inline_code(program, &[], None)?.0),
    }
}

/// Returns how a piece of code is written as a command.
fn code_command(language: Language) -> (&'static str, &'static str) {
    let program = match language {
        Language::Awk => return ("awk", ""),
        language => INTERPRETERS.iter().find(|row| row.language == language),
    };
    program.map_or(("", ""), |row| (row.prefix, row.code_options.first().copied().unwrap_or_default()))
}

/// Returns whether a second argument is a word of the command, as in `system("rm", "-rf", "/")`.
fn is_command_word(argument: &Argument, language: Language) -> bool {
    matches!(argument, Argument::Text(_)) && matches!(language, Language::Perl | Language::Ruby)
}

/// Returns a program with its arguments, which may begin with its name again.
fn build_argv(program: &Word, rest: &[Argument]) -> Vec<Word> {
    let mut words = vec![program.clone()];
    for (at, argument) in rest.iter().enumerate() {
        match argument {
            Argument::Text(word) if at == 0 && program_name(&word.text) == program_name(&program.text) => {}
            Argument::Text(word) => words.push(word.clone()),
            Argument::List(list)
                if list.first().is_some_and(|first| program_name(&first.text) == program_name(&program.text)) =>
            {
                return list.clone();
            }
            Argument::List(list) => words.extend_from_slice(list),
            Argument::Unknown => {}
        }
    }
    words
}

fn code_label(program: &str) -> String {
    let option =
        INTERPRETERS.iter().find(|row| program.starts_with(row.prefix)).and_then(|row| row.code_options.first());
    option.map_or_else(|| program.to_owned(), |option| format!("{program} {option}"))
}
