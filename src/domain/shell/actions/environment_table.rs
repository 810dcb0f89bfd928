//! Variables and settings that make programs run code. This file is a table.
//!
//! Variables whose value is a command line are handled by the walk, which follows them; here are those whose value
//! names a library, a file or an option.

/// When setting a variable makes some program run code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CodeCondition {
    /// With any value but an empty one or the null device.
    Always,
    /// When the value is a command that is unknown to be harmless.
    Command,
    /// When the value is a path or is computed: the name is common in other meanings.
    File,
    /// When the value has one of these in it.
    Contains(&'static [&'static str]),
    /// When the directory that is searched first is the current one, or one that anybody may write to.
    FirstDirectory,
    /// When a directory that anybody may write to is among those read.
    AnyDirectory,
}

/// A variable.
#[derive(Debug)]
pub(super) struct VariableRow {
    /// Names separated by blanks, with `*` for any part.
    pub(super) names: &'static str,
    pub(super) condition: CodeCondition,
}

const fn row(names: &'static str, counts: CodeCondition) -> VariableRow {
    VariableRow { names, condition: counts }
}

const JAVA_CODE_OPTIONS: &[&str] =
    &["-javaagent", "-agentpath", "-agentlib", "OnError", "OnOutOfMemoryError", "-Xbootclasspath", "-XX:Flags", "@"];

pub(super) const VARIABLES: &[VariableRow] = &[
    row("LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES GCONV_PATH", CodeCondition::Always),
    row("BASH_ENV PYTHONSTARTUP PERL5DB GIT_EXEC_PATH GIT_TEMPLATE_DIR GIT_CONFIG_PARAMETERS", CodeCondition::Always),
    row("GIT_CONFIG_KEY_* GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG", CodeCondition::Always),
    row("ENV ZDOTDIR OPENSSL_CONF SSLKEYLOGFILE", CodeCondition::File),
    row("SUDO_ASKPASS SSH_PKCS11_HELPER GIT_PAGER_IN_USE PYTHONBREAKPOINT", CodeCondition::Command),
    row("npm_config_script_shell NPM_CONFIG_SCRIPT_SHELL npm_config_shell npm_config_editor", CodeCondition::Command),
    row(
        "RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER CARGO_BUILD_RUSTC_WRAPPER CARGO_BUILD_RUSTC",
        CodeCondition::Command,
    ),
    row("CARGO_TARGET_*_RUNNER CARGO_TARGET_*_LINKER", CodeCondition::Command),
    row(
        "NODE_OPTIONS BUN_OPTIONS",
        CodeCondition::Contains(&["--require", "-r ", "--import", "--loader", "--experimental-loader", "--eval"]),
    ),
    row(
        "JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS MAVEN_OPTS GRADLE_OPTS SBT_OPTS CATALINA_OPTS",
        CodeCondition::Contains(JAVA_CODE_OPTIONS),
    ),
    row("RUBYOPT", CodeCondition::Contains(&["-r", "-I", "-C"])),
    row("PERL5OPT", CodeCondition::Contains(&["-M", "-m", "-d", "-I"])),
    row("GOFLAGS", CodeCondition::Contains(&["-toolexec", "-exec"])),
    row("RUSTFLAGS CARGO_ENCODED_RUSTFLAGS", CodeCondition::Contains(&["linker=", "-Clinker", "link-arg=-fuse-ld=/"])),
    row("MAKEFLAGS GNUMAKEFLAGS", CodeCondition::Contains(&["SHELL=", "--eval"])),
    row(
        "TAR_OPTIONS",
        CodeCondition::Contains(&["--checkpoint-action", "--to-command", "-I", "--use-compress", "--rsh-command"]),
    ),
    row("PATH", CodeCondition::FirstDirectory),
    row("PYTHONPATH PERL5LIB PERLLIB RUBYLIB NODE_PATH LD_LIBRARY_PATH DYLD_LIBRARY_PATH", CodeCondition::AnyDirectory),
    row(
        "DYLD_FALLBACK_LIBRARY_PATH DYLD_FRAMEWORK_PATH GEM_PATH CLASSPATH LUA_PATH LUA_CPATH",
        CodeCondition::AnyDirectory,
    ),
];

/// Programs that a variable may well name: they show text or edit it, answer yes, or do nothing.
pub(super) const SAFE_PROGRAMS: &[&str] = &[
    "",
    "cat",
    "less",
    "more",
    "most",
    "bat",
    "delta",
    "diff-so-fancy",
    "true",
    "false",
    ":",
    "none",
    "echo",
    "vi",
    "vim",
    "nvim",
    "nano",
    "pico",
    "micro",
    "hx",
    "helix",
    "kak",
    "emacs",
    "emacsclient",
    "ed",
    "ex",
    "view",
    "code",
    "code-insiders",
    "cursor",
    "zed",
    "subl",
    "mate",
    "gedit",
    "kate",
    "notepad",
    "ssh",
    "sccache",
    "ccache",
    "fd",
    "rg",
    "xdg-open",
    "open",
    "firefox",
    "chromium",
    "google-chrome",
    "wslview",
    "rustc",
    "lld",
    "mold",
    "clang",
    "gcc",
    "cc",
    "lesspipe",
    "lesspipe.sh",
    "store",
    "cache",
    "osxkeychain",
    "manager",
    "manager-core",
    "libsecret",
    "gpg",
    "gpg2",
    "git-credential-manager",
];

/// Keys of git's configuration, in lower case, whose value makes git run something, besides those
/// whose value is a command.
pub(super) const GIT_CODE_KEYS: &[&str] = &[
    "core.hookspath",
    "core.alternaterefscommand",
    "init.templatedir",
    "include.path",
    "core.worktree.command",
    "protocol.ext.allow",
];

/// Options of `ssh` and its kin whose value is a command.
pub(super) const SSH_COMMAND_OPTIONS: &[&str] =
    &["proxycommand", "localcommand", "knownhostscommand", "remotecommand", "pkcs11provider", "securitykeyprovider"];
