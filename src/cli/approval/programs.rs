//! What kinds of programs open a terminal, and what kinds may stand between a terminal and this program.

use std::path::Path;

use crate::io::process::process_list::Process;

/// Interpreters: what they do is said by a script.
const INTERPRETERS: &[&str] =
    &["perl", "ruby", "node", "nodejs", "bun", "deno", "lua", "luajit", "tclsh", "wish", "php", "java", "guile"];

/// Programs that create terminals for others and type into them.
const TERMINAL_CREATORS: &[&str] = &[
    "script",
    "scriptlive",
    "scriptreplay",
    "expect",
    "unbuffer",
    "autoexpect",
    "socat",
    "dtach",
    "abduco",
    "empty",
    "ptyrun",
    "faketty",
    "reptyr",
    "ttyrec",
    "asciinema",
    "sexpect",
    "pexpect",
    "conpty",
    "winpty",
    "unshare",
];

/// Programs that serve several terminals, whose windows programs can type into.
const MULTIPLEXERS: &[&str] = &["tmux", "screen", "zellij", "byobu"];

/// Programs that ask for a user's name or start what a user who is known already asked for over the network.
const LOGIN_PROGRAMS: &[&str] =
    &["login", "sshd", "sshd-session", "sshd-auth", "dropbear", "mosh-server", "agetty", "getty", "SessionLeader"];

/// Programs that run another one as a user, in the same terminal or at one that they create and connect to it.
const USER_CHANGERS: &[&str] = &["sudo", "sudo-rs", "su", "doas", "runuser", "run0", "pkexec"];

/// Shells.
const SHELLS: &[&str] = &[
    "sh",
    "bash",
    "zsh",
    "fish",
    "dash",
    "ash",
    "ksh",
    "ksh93",
    "mksh",
    "oksh",
    "loksh",
    "yash",
    "tcsh",
    "csh",
    "nu",
    "elvish",
    "xonsh",
    "pwsh",
    "powershell",
    "cmd",
    "rbash",
];

/// Programs that only run another one.
const WRAPPERS: &[&str] = &["env", "time", "nice", "ionice", "nohup", "stdbuf", "direnv"];

/// Programs that are several in one file: their name says which.
const MULTI_CALL: &[&str] = &["busybox", "toybox", "coreutils"];

/// Terminals and editors with terminals, on Unix systems.
const TERMINALS: &[&str] = &[
    "alacritty",
    "blackbox-terminal",
    "code",
    "code-insiders",
    "code-oss",
    "codium",
    "contour",
    "cool-retro-term",
    "cosmic-term",
    "cursor",
    "deepin-terminal",
    "dolphin",
    "elementary-terminal",
    "eterm",
    "foot",
    "footclient",
    "ghostty",
    "gnome-terminal-server",
    "io.elementary.terminal",
    "kate",
    "kgx",
    "kitty",
    "konsole",
    "lxterminal",
    "mate-terminal",
    "mlterm",
    "pantheon-terminal",
    "positron",
    "ptyxis",
    "ptyxis-agent",
    "qterminal",
    "rio",
    "roxterm",
    "rxvt",
    "sakura",
    "st",
    "tabby",
    "terminology",
    "terminix",
    "termite",
    "tilda",
    "tilix",
    "urxvt",
    "urxvtd",
    "vscodium",
    "warp",
    "warp-terminal",
    "wezterm-gui",
    "wezterm-mux-server",
    "windsurf",
    "x-terminal-emulator",
    "xfce4-terminal",
    "xterm",
    "yakuake",
    "yaft",
    "zed",
    "zed-editor",
    // The editors of JetBrains.
    "clion",
    "datagrip",
    "goland",
    "idea",
    "phpstorm",
    "pycharm",
    "rider",
    "rubymine",
    "rustrover",
    "studio",
    "webstorm",
];

/// Terminals and editors on macOS, by their bundles, and the servers that they leave behind.
const MAC_TERMINALS: &[&str] = &[
    "Alacritty",
    "Android Studio",
    "CLion",
    "Code",
    "Code - Insiders",
    "Cursor",
    "GoLand",
    "Ghostty",
    "Hyper",
    "IntelliJ IDEA",
    "PhpStorm",
    "PyCharm",
    "Rider",
    "RubyMine",
    "RustRover",
    "Tabby",
    "Terminal",
    "VSCodium",
    "Visual Studio Code",
    "Visual Studio Code - Insiders",
    "Warp",
    "WebStorm",
    "WezTerm",
    "Windsurf",
    "Zed",
    "iTerm",
    "iTerm2",
    "kitty",
    "rio",
];

/// Programs that open consoles on Windows.
const WINDOWS_TERMINALS: &[&str] = &[
    "alacritty",
    "code",
    "code - insiders",
    "codium",
    "conemu",
    "conemu64",
    "conemuc",
    "conemuc64",
    "conhost",
    "cursor",
    "devenv",
    "explorer",
    "hyper",
    "idea64",
    "mintty",
    "openconsole",
    "pycharm64",
    "rider64",
    "rustrover64",
    "sihost",
    "sshd",
    "tabby",
    "terminal",
    "warp",
    "webstorm64",
    "wezterm-gui",
    "windowsterminal",
    "windsurf",
    "zed",
];

/// What kind of program a process runs, as far as approvals go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProgramKind {
    /// It opens terminals for users.
    Terminal,
    /// It lets users log in.
    Login,
    /// It runs another program as a user.
    UserChanger,
    /// It serves several terminals.
    Multiplexer,
    /// It creates terminals for programs, or does what a script says.
    Automation,
    /// It reads commands.
    Shell,
    /// It only runs another program.
    Wrapper,
    /// It is the first process, or one that takes orphans in.
    Init,
    /// Nothing is known of it.
    Unknown,
}

/// Which table of terminals holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum System {
    Unix,
    Windows,
}

/// Returns the kind of program of a process.
pub(super) fn kind_of(process: &Process, system: System) -> ProgramKind {
    let name = program_name(process);
    let is_in = |table: &[&str]| table.iter().any(|known| name.eq_ignore_ascii_case(known));
    if system == System::Windows {
        return if is_in(SHELLS) {
            ProgramKind::Shell
        } else if is_in(WINDOWS_TERMINALS) {
            ProgramKind::Terminal
        } else if is_interpreter(&name) || is_in(TERMINAL_CREATORS) {
            ProgramKind::Automation
        } else {
            ProgramKind::Unknown
        };
    }
    if is_in(SHELLS) {
        ProgramKind::Shell
    } else if is_in(MULTIPLEXERS) {
        ProgramKind::Multiplexer
    } else if is_in(LOGIN_PROGRAMS) || name.starts_with("iTermServer") {
        ProgramKind::Login
    } else if is_in(USER_CHANGERS) {
        ProgramKind::UserChanger
    } else if is_in(WRAPPERS) {
        ProgramKind::Wrapper
    } else if bundle_name(process).map_or_else(|| is_in(TERMINALS), |bundle| MAC_TERMINALS.contains(&bundle)) {
        ProgramKind::Terminal
    } else if is_interpreter(&name) || is_in(TERMINAL_CREATORS) {
        ProgramKind::Automation
    } else if is_in(&["init", "systemd", "launchd", "tini", "dumb-init"]) {
        ProgramKind::Init
    } else {
        ProgramKind::Unknown
    }
}

/// Returns whether a program does what a script says.
pub(super) fn is_interpreter(stem: &str) -> bool {
    let plain = stem.trim_end_matches(|last: char| last.is_ascii_digit() || last == '.' || last == '-');
    ["python", "pypy", "pythonw"].iter().any(|name| plain.eq_ignore_ascii_case(name))
        || INTERPRETERS.iter().any(|name| plain.eq_ignore_ascii_case(name))
}

/// Returns whether a process is a shell that was started to read commands from its terminal.
pub(super) fn is_interactive_shell(process: &Process, by_editor: bool) -> bool {
    let mut words = process.words.iter().skip(1).map(String::as_str).peekable();
    if MULTI_CALL.contains(&program_stem(process.program.as_deref().unwrap_or_default())) {
        // `busybox sh`
        words.next_if(|word| SHELLS.contains(word));
    }
    while let Some(word) = words.next() {
        match word {
            "--init-file" | "--rcfile" if by_editor => {
                words.next();
            }
            // What an editor gives a shell to follow its commands.
            "-C" | "--init-command" | "-NoExit" | "-noexit" if by_editor => return true,
            "--login" | "--interactive" | "--norc" | "--noprofile" | "--no-rcs" | "--posix" | "-NoLogo"
            | "-NoProfile" => {}
            _ if word.len() > 1
                && word.starts_with(['-', '+'])
                && word.chars().skip(1).all(|flag| "ilfdoxvmB".contains(flag)) => {}
            _ => return false,
        }
    }
    true
}

/// Returns the name of the program that a process runs: of its file, or of its first word where that is not seen.
pub(super) fn program_name(process: &Process) -> String {
    let first = process.words.first().map(String::as_str).unwrap_or_default();
    let by_file = process.program.as_deref().map(program_stem).filter(|stem| !MULTI_CALL.contains(stem));
    let name = by_file.unwrap_or_else(|| {
        // A daemon writes what it does where its words were: `sshd: u@pts/0`, `tmux: server`.
        program_stem(first.split_once(": ").map_or(first, |(name, _)| name).trim_end_matches(':'))
    });
    // Some packages wrap the program: `.kitty-wrapped`.
    let unwrapped = name.strip_prefix('.').and_then(|name| name.strip_suffix("-wrapped"));
    unwrapped.unwrap_or(name).to_owned()
}

/// Returns the name of the outermost bundle that a program of macOS lies in.
fn bundle_name(process: &Process) -> Option<&str> {
    let (outer, _) = process.program.as_deref()?.split_once(".app/")?;
    outer.rsplit('/').next()
}

/// Returns the name of a program without its directory and ending.
pub(super) fn program_stem(word: &str) -> &str {
    let name = word.trim_start_matches('-').rsplit(['/', '\\']).next().unwrap_or(word);
    let path = Path::new(name);
    let is_ending = path.extension().is_some_and(|ending| {
        ["exe", "js", "cjs", "mjs", "py", "sh", "cmd", "rb"].iter().any(|known| ending == *known)
    });
    if is_ending { path.file_stem().and_then(|stem| stem.to_str()).unwrap_or(name) } else { name }
}

#[cfg(test)]
mod tests {
    use super::{ProgramKind, System, is_interactive_shell, kind_of};
    use crate::io::process::process_list::Process;

    fn process(line: &str, program: Option<&str>) -> Process {
        let words = line.split(' ').map(ToOwned::to_owned).collect();
        Process { words, program: program.map(ToOwned::to_owned), ..Process::default() }
    }

    #[test]
    fn programs_are_known_by_their_files() {
        for (line, program, kind) in [
            ("-zsh", None, ProgramKind::Shell),
            ("zsh", Some("/usr/bin/python3.12"), ProgramKind::Automation),
            ("sh", Some("/bin/busybox"), ProgramKind::Shell),
            ("sshd: u@pts/0", None, ProgramKind::Login),
            ("sshd-session: u@pts/0", Some("/usr/lib/openssh/sshd-session"), ProgramKind::Login),
            ("tmux new -s x", Some("/usr/bin/tmux"), ProgramKind::Multiplexer),
            ("SCREEN -S x", None, ProgramKind::Multiplexer),
            ("/usr/libexec/gnome-terminal-server", None, ProgramKind::Terminal),
            ("kitty", Some("/nix/store/x/bin/.kitty-wrapped"), ProgramKind::Terminal),
            (
                "x",
                Some(
                    "/Applications/Visual Studio Code.app/Contents/Frameworks/Code Helper.app/Contents/MacOS/Code Helper",
                ),
                ProgramKind::Terminal,
            ),
            ("x", Some("/Users/u/Evil.app/Contents/MacOS/xterm"), ProgramKind::Unknown),
            ("script -qec x", None, ProgramKind::Automation),
            ("/opt/make-terminal", None, ProgramKind::Unknown),
            ("/sbin/init", None, ProgramKind::Init),
        ] {
            assert_eq!(kind_of(&process(line, program), System::Unix), kind, "{line}");
        }
    }

    #[test]
    fn a_shell_that_was_given_something_to_run_is_not_interactive() {
        for (line, by_editor, interactive) in [
            ("-bash", false, true),
            ("bash -i", false, true),
            ("bash -il", false, true),
            ("zsh --login", false, true),
            ("bash -c ls", false, false),
            ("bash -ic ls", false, false),
            ("bash x.sh", false, false),
            ("bash -s", false, false),
            ("bash --rcfile x", false, false),
            ("bash --init-file /usr/share/code/x.sh", true, true),
            ("bash --init-file x -c ls", true, false),
        ] {
            assert_eq!(is_interactive_shell(&process(line, None), by_editor), interactive, "{line}");
        }
    }
}
