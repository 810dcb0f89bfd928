//! Commands that show the whole environment, unless a later stage of the pipeline lets only names, counts or a
//! harmless variable through.

use crate::domain::shell::effects::{Access, command_files};
use crate::domain::shell::script::{Command, Dialect, RedirectKind, Script, Word};
use crate::domain::shell::walk::inline_code;

/// Variables whose values are no secrets, of names that are in no name of a secret: a search finds
/// parts of names.
const SAFE_VARIABLES: &[&str] = &[
    "PATH",
    "HOME",
    "USERNAME",
    "LOGNAME",
    "SHELL",
    "SHLVL",
    "PWD",
    "OLDPWD",
    "LANGUAGE",
    "LC_ALL",
    "EDITOR",
    "VISUAL",
    "PAGER",
    "DISPLAY",
    "WAYLAND",
    "TMPDIR",
    "HOSTNAME",
    "HOSTTYPE",
    "OSTYPE",
    "MACHTYPE",
    "COLUMNS",
    "COLORTERM",
    "MANPATH",
    "INFOPATH",
    "FPATH",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "PKG_CONFIG_PATH",
    "CMAKE_PREFIX_PATH",
    "LIBRARY_PATH",
    "CDPATH",
    "JAVA_HOME",
    "ANDROID_HOME",
    "ANDROID_SDK_ROOT",
    "GOPATH",
    "GOROOT",
    "GOBIN",
    "GOFLAGS",
    "CGO_ENABLED",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTFLAGS",
    "CARGO_TARGET_DIR",
    "RUST_LOG",
    "RUST_BACKTRACE",
    "NVM_DIR",
    "NODE_ENV",
    "NODE_PATH",
    "NODE_OPTIONS",
    "NODE_VERSION",
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHON_VERSION",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "CONDA_DEFAULT_ENV",
    "GEM_HOME",
    "GEM_PATH",
    "RUBY_VERSION",
    "CFLAGS",
    "CXXFLAGS",
    "LDFLAGS",
    "MAKEFLAGS",
    "CUDA_VISIBLE_DEVICES",
    "CUDA_HOME",
    "OMP_NUM_THREADS",
    "NO_PROXY",
    "DOTNET_ROOT",
    "M2_HOME",
    "GRADLE_HOME",
    "MAVEN_HOME",
    "SSH_TTY",
    "SSH_CONNECTION",
    "SSH_CLIENT",
    "SSH_AUTH_SOCK",
    "DOCKER_HOST",
    "KUBECONFIG",
];

/// What the names of variables with secrets have in them.
const SECRET_NAME_PARTS: &[&str] =
    &["KEY", "TOKEN", "SECRET", "PASS", "PWD", "AUTH", "CRED", "URL", "URI", "DSN", "CERT", "COOKIE", "SESSION", "PAT"];

/// How the code of other languages shows all variables, and what may not are after it.
const ENVIRONMENT_EXPRESSIONS: &[(&str, &[char])] = &[
    ("os.environ", &['[', '.', 'b']),
    ("process.env", &['.', '[']),
    ("Deno.env.toObject", &[]),
    ("ENV.to_h", &[]),
    ("ENV.inspect", &[]),
    ("ENV.each", &[]),
    ("%ENV", &[]),
    ("getenv()", &[]),
];

/// Returns whether a command shows the whole environment.
pub(super) fn dumps_environment(index: usize, command: &Command, script: &Script) -> bool {
    prints_environment(index, command, script) && !is_filtered(command, script)
}

/// Returns whether a command prints the whole environment, whatever becomes of it.
pub(super) fn prints_environment(index: usize, command: &Command, script: &Script) -> bool {
    let args = command.args();
    let is_option = |word: &Word| word.text.starts_with('-');
    let only_options = args.iter().all(is_option);
    let has = |letter: char| {
        args.iter().any(|word| {
            word.text.strip_prefix('-').is_some_and(|letters| !letters.starts_with('-') && letters.contains(letter))
        })
    };
    match (command.program(), command.dialect) {
        ("env", _) => {
            // `env -i` starts from nothing, and what follows a wrapper is listed by itself.
            let set = |word: &Word| is_option(word) || word.text.contains('=');
            args.iter().all(set)
                && !has('i')
                && !args.iter().any(|word| matches!(word.text.as_str(), "--help" | "--version" | "-S"))
        }
        ("printenv", _) => {
            only_options && !args.iter().any(|word| matches!(word.text.as_str(), "--help" | "--version"))
        }
        ("set", Dialect::Posix | Dialect::Cmd) | ("export", _) if args.is_empty() => true,
        ("export" | "declare" | "typeset" | "readonly", _) => {
            only_options && (has('p') || has('x')) && !has('f') && !has('F')
        }
        ("Get-ChildItem" | "Get-Item", _) => args.iter().any(|word| {
            let text = word.text.to_ascii_lowercase();
            matches!(text.trim_end_matches(['\\', '/', '*']), "env:")
        }),
        ("gci" | "dir" | "ls", Dialect::Posix) => args.iter().any(|word| word.text.eq_ignore_ascii_case("env:")),
        ("launchctl", _) => args.first().is_some_and(|word| matches!(word.text.as_str(), "export" | "print-env")),
        ("systemctl", _) => args.iter().any(|word| word.text == "show-environment"),
        ("tmux", _) => args.iter().any(|word| matches!(word.text.as_str(), "show-environment" | "showenv")),
        ("docker" | "docker-compose", _) => args.iter().any(|word| word.text == "--environment"),
        ("awk" | "gawk" | "mawk", _) => {
            let code = args.iter().any(|word| word.text.contains("in ENVIRON"));
            code || reads_proc_environ(index, script)
        }
        (program, _) => dumps_by_code(program, command) || reads_proc_environ(index, script),
    }
}

/// Returns whether a command reads the environment of a process from the file where the system keeps it.
fn reads_proc_environ(index: usize, script: &Script) -> bool {
    let Some(command) = script.commands.get(index) else { return false };
    let is_environment = |word: &Word| word.text.starts_with("/proc/") && word.text.ends_with("/environ");
    let named =
        command.args().iter().chain(command.redirects.iter().map(|redirect| &redirect.target)).any(is_environment);
    named && command_files(command).iter().any(|(word, access)| *access == Access::Read && is_environment(word))
}

fn dumps_by_code(program: &str, command: &Command) -> bool {
    let Some((_, codes)) = inline_code(program, &command.words, None) else { return false };
    let shows = |code: &str| {
        ENVIRONMENT_EXPRESSIONS.iter().any(|(name, not)| {
            let ends = code.match_indices(name).filter_map(|(at, name)| code.get(at + name.len()..));
            ends.map(str::trim_start)
                .any(|rest| !rest.starts_with(*not) && !rest.starts_with(|c: char| c.is_alphanumeric()))
        })
    };
    codes.iter().any(|code| {
        let prints = ["print", "console.log", "puts", "write", "dump", "echo", "p "];
        prints.iter().any(|word| code.text.contains(word)) && shows(&code.text)
    })
}

/// Returns whether what is shown goes through something that lets no secret through.
fn is_filtered(command: &Command, script: &Script) -> bool {
    let thrown = command.redirects.iter().any(|redirect| {
        matches!(redirect.kind, RedirectKind::Write)
            && redirect.fd.is_none_or(|fd| fd == 1)
            && redirect.target.text == "/dev/null"
    });
    let behind = |other: &&Command| other.pipeline == command.pipeline && other.stage > command.stage;
    thrown || script.commands.iter().filter(behind).any(hides_values)
}

fn hides_values(command: &Command) -> bool {
    let arguments = command.arguments();
    match command.program() {
        "wc" | "cksum" | "md5sum" | "sha1sum" | "sha256sum" | "Measure-Object" | "Out-Null" => true,
        "cut" => {
            let value = |names: &[&str]| arguments.values(names).first().map(|word| word.text.clone());
            let first = value(&["-f", "--fields"]).as_deref() == Some("1");
            first
                && (value(&["-d", "--delimiter"]).as_deref() == Some("=")
                    || has_argument(command, &["-d=", "--delimiter=="]))
        }
        "awk" | "gawk" | "mawk" => {
            let by_sign =
                arguments.values(&["-F"]).iter().any(|word| word.text == "=") || has_argument(command, &["-F="]);
            let code = arguments.operands.first().map_or("", |word| word.text.as_str());
            by_sign && code.chars().filter(|character| !character.is_whitespace()).collect::<String>() == "{print$1}"
        }
        "sed" | "gsed" => {
            let script = arguments.operands.first().map_or("", |word| word.text.as_str());
            matches!(script, "s/=.*//" | "s/=.*$//" | "s/=.*/=***/" | "s/=.*/=/" | "s/=.*/=.../")
        }
        "Select-Object" | "Format-Table" | "ForEach-Object" => {
            let operands = &arguments.operands;
            let is_name = |word: &&Word| matches!(word.text.to_ascii_lowercase().as_str(), "name" | "key");
            !operands.is_empty() && operands.iter().all(is_name)
        }
        "grep" | "egrep" | "fgrep" | "rg" => is_safe_search(command),
        _ => false,
    }
}

/// Returns whether one of these words is among the arguments.
fn has_argument(command: &Command, words: &[&str]) -> bool {
    command.args().iter().any(|word| words.contains(&word.text.as_str()))
}

/// Returns whether a search counts, finds names alone, or finds nothing but variables that are no secrets.
fn is_safe_search(command: &Command) -> bool {
    let arguments = command.arguments();
    if arguments.has(&["-c", "--count", "-q", "--quiet", "--silent", "-l"]) {
        return true;
    }
    if arguments.has(&["-v", "--invert-match", "-f", "--file", "-A", "-B", "-C"]) {
        return false;
    }
    let mut patterns = arguments.values(&["-e", "--regexp"]);
    if patterns.is_empty() {
        patterns.extend(arguments.operands.first());
    }
    let only = arguments.has(&["-o", "--only-matching"]);
    !patterns.is_empty() && patterns.iter().all(|word| word.literal && is_safe_pattern(&word.text, only))
}

fn is_safe_pattern(pattern: &str, only: bool) -> bool {
    if only && matches!(pattern, "^[^=]*" | "^[^=]*=" | "^[^=]+" | "^[A-Z_]*" | "^[A-Z_]+" | "^[A-Za-z_]*") {
        return true;
    }
    let plain = pattern.replace("\\|", "|").replace(['(', ')', '\\'], "");
    plain.split('|').all(|choice| {
        let name = choice.trim_start_matches("^declare -x ").trim_start_matches('^');
        let name = name.trim_end_matches(".*").trim_end_matches(['=', '$']);
        let is_name =
            !name.is_empty() && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
        let upper = name.to_ascii_uppercase();
        let whole = choice.starts_with('^') && choice.contains('=');
        is_name
            && (SAFE_VARIABLES.contains(&upper.as_str())
                || (whole && !SECRET_NAME_PARTS.iter().any(|part| upper.contains(part))))
    })
}
