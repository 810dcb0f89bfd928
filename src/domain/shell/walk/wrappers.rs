//! The programs that run other programs. This file is a table.
//!
//! A row says which options take a value, how many operands the wrapper keeps for itself, and what
//! the rest of the words is. A wrapper that needs more than that stands in a file of its own.

use crate::domain::shell::index::index_of;

/// A program that runs another.
#[derive(Debug)]
pub(super) struct Wrapper {
    /// The program and its subcommands.
    pub(super) path: &'static str,
    /// The letters and long names, separated by blanks, of options with a value before subcommands.
    pub(super) before: &'static str,
    /// The letters of the options with a value.
    pub(super) short: &'static str,
    /// The long names of the options with a value, separated by blanks.
    pub(super) long: &'static str,
    /// The number of operands before the command.
    pub(super) skip: usize,
    /// What follows them.
    pub(super) rest: Rest,
    /// The options whose value, behind a prefix, is shell code.
    pub(super) code: &'static [(&'static str, &'static str)],
    /// The options whose value is the directory to run in.
    pub(super) chdir: &'static [&'static str],
    /// Whether the command runs on another machine or in a container.
    pub(super) elsewhere: bool,
    /// Whether the shell itself runs the command.
    pub(super) direct: bool,
    /// Whether the wrapper's own options may stand behind its operands.
    pub(super) mixed: bool,
}

/// What the words are that a wrapper does not keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rest {
    /// Nothing that runs.
    Nothing,
    /// A program and its arguments.
    Argv,
    /// A program and its arguments if an option was given, otherwise nothing that runs.
    ArgvWith(&'static str),
    /// A program and its arguments behind one of these words.
    ArgvBehind(&'static [&'static str]),
    /// A program and its arguments, to which more are added from the input.
    Appended,
    /// Shell code, the words joined by blanks.
    Shell,
    /// Shell code when it is one word, otherwise a program and its arguments.
    ShellWords,
    /// Shell code, each word on its own.
    ShellEach,
}

const fn row(path: &'static str, short: &'static str, long: &'static str, skip: usize, rest: Rest) -> Wrapper {
    Wrapper {
        path,
        before: "",
        short,
        long,
        skip,
        rest,
        code: &[],
        chdir: &[],
        elsewhere: false,
        direct: false,
        mixed: false,
    }
}

const fn argv(path: &'static str, short: &'static str, long: &'static str, skip: usize) -> Wrapper {
    row(path, short, long, skip, Rest::Argv)
}

const fn code(
    path: &'static str,
    short: &'static str,
    long: &'static str,
    code: &'static [(&'static str, &'static str)],
) -> Wrapper {
    Wrapper { code, ..row(path, short, long, 0, Rest::Nothing) }
}

impl Wrapper {
    const fn with(self, code: &'static [(&'static str, &'static str)]) -> Self {
        Self { code, ..self }
    }

    const fn in_dir(self, chdir: &'static [&'static str]) -> Self {
        Self { chdir, ..self }
    }

    const fn after(self, before: &'static str) -> Self {
        Self { before, ..self }
    }

    const fn elsewhere(self) -> Self {
        Self { elsewhere: true, ..self }
    }

    const fn mixed(self) -> Self {
        Self { mixed: true, ..self }
    }

    const fn direct(self) -> Self {
        Self { direct: true, ..self }
    }
}

const DOCKER: &str = "H c l host context config log-level tlscacert tlscert tlskey";
const DOCKER_EXEC: &str = "env env-file user workdir detach-keys index";
const DOCKER_RUN: &str = "add-host annotation attach blkio-weight cap-add cap-drop cgroup-parent cgroupns cidfile cpus \
    cpu-shares cpuset-cpus device device-cgroup-rule dns entrypoint env env-file expose gpus group-add health-cmd \
    hostname init-path ip ipc isolation label label-file link log-driver log-opt mac-address memory mount name network \
    network-alias net pid pids-limit platform publish pull restart runtime security-opt shm-size stop-signal \
    stop-timeout storage-opt sysctl tmpfs ulimit user userns uts volume volume-driver volumes-from workdir";
const COMPOSE: &str = "f p file project-name profile env-file project-directory parallel ansi progress";
const KUBECTL: &str = "n s v namespace context cluster kubeconfig server user token as as-group request-timeout";
const GIT: &str = "C c git-dir work-tree namespace exec-path super-prefix config-env";
const VIM: &[(&str, &str)] =
    &[("c", "!"), ("c", ":!"), ("c", "silent !"), ("c", "silent! !"), ("cmd", "!"), ("cmd", ":!")];
const TAR: &[(&str, &str)] = &[
    ("checkpoint-action", "exec="),
    ("to-command", ""),
    ("I", ""),
    ("use-compress-program", ""),
    ("F", ""),
    ("info-script", ""),
    ("new-volume-script", ""),
    ("rsh-command", ""),
    ("rmt-command", ""),
];
const SSH: &[(&str, &str)] =
    &[("o", "ProxyCommand="), ("o", "ProxyCommand "), ("o", "LocalCommand="), ("o", "KnownHostsCommand=")];
const SCP: &[(&str, &str)] =
    &[("o", "ProxyCommand="), ("o", "ProxyCommand "), ("o", "LocalCommand="), ("o", "KnownHostsCommand="), ("S", "")];
const SSH_SHORT: &str = "bcDEeFIiJLlmOopPQRSWwB";

index_of!(WRAPPERS, path, b' ');

/// Returns the rows of a program.
pub(super) fn rows_of(program: &str) -> impl Iterator<Item = &'static Wrapper> {
    let is_of = move |row: &&Wrapper| {
        row.path.strip_prefix(program).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    INDEX.rows(program).filter_map(|row| WRAPPERS.get(row)).filter(is_of)
}

static WRAPPERS: &[Wrapper] = &[
    // Other users and other limits.
    argv("sudo", "CDgGhpRrtTUuc", "user group prompt chdir chroot host close-from role type command-timeout other-user login-class auth-type", 0)
        .in_dir(&["D", "chdir"]),
    argv("doas", "uCa", "", 0),
    argv("run0", "ugDp", "user group chdir property unit description nice slice setenv background", 0).in_dir(&["D", "chdir"]),
    argv("pkexec", "u", "user", 0),
    argv("gosu", "", "", 1),
    argv("su-exec", "", "", 1),
    argv("setpriv", "", "reuid regid groups inh-caps ambient-caps bounding-set securebits pdeathsig selinux-label apparmor-profile", 0),
    row("runuser", "cugGsw", "command user group supp-group shell whitelist-environment", 0, Rest::ArgvWith("u")).with(&[("c", ""), ("command", "")]),
    code("su", "cgGsw", "command session-command group supp-group shell whitelist-environment", &[("c", ""), ("command", ""), ("session-command", "")]),
    code("capsh", "c", "", &[("c", "")]),
    argv("fakeroot", "lsbi", "lib faked", 0),
    argv("nice", "n", "adjustment", 0),
    argv("ionice", "cnpPu", "class classdata pid", 0),
    argv("chrt", "TPD", "sched-runtime sched-period sched-deadline", 1),
    argv("taskset", "", "", 1),
    argv("numactl", "CNmipPlHw", "cpunodebind physcpubind membind interleave preferred", 0),
    argv("choom", "n", "adjust", 0),
    argv("prlimit", "", "", 0),
    argv("cpulimit", "lp", "limit pid", 0),
    argv("softlimit", "acdflmnoprst", "", 0),
    argv("chroot", "", "userspec groups", 1).elsewhere(),
    argv("unshare", "RwSGl", "root wd setuid setgid map-user map-group map-users map-groups propagation setgroups", 0),
    argv("nsenter", "tSGN", "target setuid setgid", 0),
    argv("systemd-run", "puEHMtG", "property unit setenv host machine uid gid slice description service-type on-active on-boot on-calendar working-directory nice", 0)
        .in_dir(&["working-directory"]),
    argv("firejail", "", "", 0),
    argv("bwrap", "", "chdir dev proc tmpfs mqueue dir unsetenv hostname lock-file uid gid cap-add cap-drop seccomp", 0),
    argv("proot", "rbwqk", "rootfs bind cwd qemu kernel-release", 0),
    // Time, input and output.
    argv("env", "uCSa", "unset chdir split-string argv0", 0).in_dir(&["C", "chdir"]),
    argv("nohup", "", "", 0),
    argv("systemd-inhibit", "", "what who why mode", 0),
    argv("gnome-session-inhibit", "", "inhibit reason app-id", 0),
    argv("aa-exec", "pn", "profile namespace", 0),
    argv("cgexec", "g", "", 0),
    argv("ip netns exec", "", "", 1).after("n netns"),
    argv("xcrun", "", "sdk toolchain", 0),
    argv("caffeine", "", "", 0),
    argv("rr record", "", "", 0),
    argv("heaptrack", "o", "output", 0),
    argv("catchsegv", "", "", 0),
    argv("coreutils", "", "", 0),
    code("sg", "c", "", &[("c", "")]),
    argv("setsid", "", "", 0),
    argv("timeout", "ks", "kill-after signal", 1),
    argv("gtimeout", "ks", "kill-after signal", 1),
    argv("stdbuf", "ioe", "input output error", 0),
    argv("unbuffer", "", "", 0),
    argv("time", "fo", "format output", 0).direct(),
    argv("gtime", "fo", "format output", 0),
    argv("flock", "wEc", "command timeout wait conflict-exit-code", 1).mixed().with(&[("c", ""), ("command", "")]),
    argv("chronic", "", "", 0),
    argv("ifne", "", "", 0),
    row("pee", "", "", 0, Rest::ShellEach),
    row("launchctl submit", "", "", 0, Rest::ArgvBehind(&["--"])),
    argv("caffeinate", "tw", "", 0),
    argv("rlwrap", "abcfgHhiPpqSstz", "", 0),
    argv("xvfb-run", "enspfl", "error-file server-num server-args", 0),
    argv("dbus-run-session", "", "config-file dbus-daemon", 0),
    argv("dbus-launch", "", "", 0),
    argv("ssh-agent", "aEOPt", "", 0),
    argv("torsocks", "aPup", "address port user pass", 0),
    argv("torify", "", "", 0),
    argv("proxychains", "f", "", 0),
    argv("proxychains4", "f", "", 0),
    argv("faketime", "", "", 1),
    argv("tini", "pe", "", 0),
    argv("dumb-init", "r", "rewrite", 0),
    argv("setarch", "p", "", 1).mixed(),
    argv("linux32", "", "", 0),
    argv("linux64", "", "", 0),
    argv("arch", "de", "", 0),
    argv("daemonize", "acelopuE", "", 0),
    argv("start-stop-daemon", "", "", 0),
    // Watching and tracing.
    argv("strace", "abeEIoOpPsSuUX", "output expr trace string-limit attach user", 0),
    argv("ltrace", "abeADFlnopsuxX", "output", 0),
    argv("valgrind", "", "", 0),
    argv("gdb", "xpcd", "ex eval-command command pid cd directory", 0).with(&[("ex", "shell "), ("ex", "!"), ("eval-command", "shell "), ("eval-command", "!")]),
    argv("lldb", "osSOkKpnf", "one-line source batch", 0),
    argv("perf", "eopCrgFt", "event output pid cpu repeat", 1).mixed(),
    row("hyperfine", "wmMrspcLDPnu", "warmup min-runs max-runs runs setup prepare cleanup conclude parameter-list parameter-scan export-json export-markdown export-csv shell", 0, Rest::ShellEach)
        .with(&[("s", ""), ("setup", ""), ("p", ""), ("prepare", ""), ("c", ""), ("cleanup", "")]),
    argv("entr", "s", "", 0).with(&[("s", "")]),
    row("watch", "nq", "interval equexit", 0, Rest::Shell),
    code("cargo watch", "xswiCdB", "exec shell workdir ignore", &[("s", ""), ("shell", "")]),
    code("fzf", "", "preview bind query filter delimiter nth with-nth prompt header height", &[("preview", "")]),
    code("tcpdump", "zwriCGWc", "", &[("z", "")]),
    code("multitail", "lLi", "", &[("l", ""), ("L", "")]),
    code("go test", "", "exec toolexec vettool", &[("exec", ""), ("toolexec", ""), ("vettool", "")]),
    code("go build", "o", "toolexec", &[("toolexec", "")]),
    code("go vet", "", "toolexec vettool", &[("toolexec", ""), ("vettool", "")]),
    code("go run", "", "exec toolexec", &[("exec", ""), ("toolexec", "")]),
    row("watchexec", "wefdsiE", "watch exts filter debounce signal ignore env shell", 0, Rest::ShellWords),
    row("concurrently", "ncpt", "names prefix prefix-colors", 0, Rest::ShellEach),
    // What the shell itself offers.
    argv("command", "", "", 0).direct(),
    argv("builtin", "", "", 0).direct(),
    argv("exec", "a", "", 0).direct(),
    argv("noglob", "", "", 0).direct(),
    argv("nocorrect", "", "", 0).direct(),
    argv("-", "", "", 0).direct(),
    argv("repeat", "", "", 1).direct(),
    argv("and", "", "", 0).direct(),
    argv("or", "", "", 0).direct(),
    argv("not", "", "", 0).direct(),
    argv("begin", "", "", 0).direct(),
    row("eval", "", "", 0, Rest::Shell).direct(),
    argv("busybox", "", "", 0),
    argv("toybox", "", "", 0),
    argv("ld-linux.so.2", "", "library-path preload argv0", 0),
    argv("ld-linux-x86-64.so.2", "", "library-path preload argv0", 0),
    argv("ld-linux-aarch64.so.1", "", "library-path preload argv0", 0),
    argv("ld-musl-x86_64.so.1", "", "library-path preload argv0", 0),
    argv("ld-musl-aarch64.so.1", "", "library-path preload argv0", 0),
    argv("ld.so", "", "library-path preload argv0", 0),
    row("xargs", "ILnPsEad", "replace max-args max-procs max-chars max-lines eof delimiter arg-file process-slot-var", 0, Rest::Appended),
    argv("script", "cIOBTEmotl", "command log-in log-out log-io log-timing echo", 1).with(&[("c", ""), ("command", "")]),
    code("newgrp", "c", "command", &[("c", ""), ("command", "")]),
    // Other machines and containers.
    Wrapper { code: SSH, elsewhere: true, ..row("ssh", SSH_SHORT, "", 1, Rest::Shell).mixed() },
    Wrapper { elsewhere: true, ..row("autossh", "MbcDEeFIiJLlmOopQRSWw", "", 1, Rest::Shell) },
    argv("sshpass", "pfPd", "", 0),
    argv("mosh", "p", "ssh port predict", 1).elsewhere(),
    code("scp", "cFiJloPSX", "", SCP),
    code("sftp", "bcDFiJloPRSsX", "", SSH),
    code("rsync", "efBTM", "rsh rsync-path exclude include filter files-from", &[("e", ""), ("rsh", ""), ("rsync-path", "")]),
    argv("docker exec", "euw", DOCKER_EXEC, 1).after(DOCKER).elsewhere(),
    argv("docker container exec", "euw", DOCKER_EXEC, 1).after(DOCKER).elsewhere(),
    argv("docker run", "acehlmpuvw", DOCKER_RUN, 1).after(DOCKER).elsewhere(),
    argv("docker container run", "acehlmpuvw", DOCKER_RUN, 1).after(DOCKER).elsewhere(),
    argv("docker compose exec", "euw", DOCKER_EXEC, 1).after(COMPOSE).elsewhere(),
    argv("docker compose run", "eulpvw", "env user label publish volume workdir name entrypoint", 1).after(COMPOSE).elsewhere(),
    argv("docker-compose exec", "euw", DOCKER_EXEC, 1).after(COMPOSE).elsewhere(),
    argv("docker-compose run", "eulpvw", "env user label publish volume workdir name entrypoint", 1).after(COMPOSE).elsewhere(),
    argv("podman exec", "euwl", DOCKER_EXEC, 1).after(DOCKER).elsewhere(),
    argv("podman run", "acehlmpuvw", DOCKER_RUN, 1).after(DOCKER).elsewhere(),
    argv("nerdctl exec", "euw", DOCKER_EXEC, 1).after(DOCKER).elsewhere(),
    argv("nerdctl run", "acehlmpuvw", DOCKER_RUN, 1).after(DOCKER).elsewhere(),
    argv("kubectl exec", "cfn", "container filename namespace context kubeconfig cluster pod-running-timeout", 1).mixed().after(KUBECTL).elsewhere(),
    argv("oc exec", "cfn", "container filename namespace context kubeconfig cluster", 1).mixed().after(KUBECTL).elsewhere(),
    argv("kubectl run", "n", "image namespace context kubeconfig env labels overrides port restart", 1).mixed().after(KUBECTL).elsewhere(),
    argv("kubectl debug", "cn", "image container target namespace context", 1).mixed().after(KUBECTL).elsewhere(),
    argv("lxc exec", "", "env cwd user group mode", 1).elsewhere(),
    argv("incus exec", "", "env cwd user group mode", 1).elsewhere(),
    argv("lxc-attach", "nefsuglL", "name", 0).elsewhere(),
    argv("machinectl shell", "EM", "uid setenv machine", 1).elsewhere(),
    row("distrobox enter", "na", "name additional-flags", 0, Rest::ArgvBehind(&["--", "-e"])),
    argv("limactl shell", "", "workdir", 1).elsewhere(),
    argv("lima", "", "", 0).elsewhere(),
    argv("multipass exec", "", "working-directory", 1).mixed().elsewhere(),
    argv("colima ssh", "p", "profile", 0).elsewhere(),
    argv("devcontainer exec", "", "workspace-folder container-id config", 0).elsewhere(),
    Wrapper { elsewhere: true, ..row("pdsh", "wxgfltu", "", 0, Rest::Shell) },
    Wrapper { elsewhere: true, ..row("clush", "wxgf", "", 0, Rest::Shell) },
    Wrapper { elsewhere: true, ..row("pssh", "hHlpote", "hosts host user par", 0, Rest::Shell) },
    Wrapper { elsewhere: true, ..row("parallel-ssh", "hHlpote", "hosts host user par", 0, Rest::Shell) },
    Wrapper { elsewhere: true, ..code("ansible", "aimuefM", "args inventory module-name user extra-vars forks", &[("a", ""), ("args", "")]) },
    Wrapper { elsewhere: true, ..row("salt", "", "", 2, Rest::Shell) },
    Wrapper { elsewhere: true, ..code("aws ssm send-command", "", "parameters document-name targets instance-ids", &[("parameters", "commands=")]) },
    argv("toolbox run", "cdr", "container distro release", 0),
    argv("flatpak-spawn", "", "env directory", 0),
    argv("adb shell", "s", "", 0).after("s t H P L").elsewhere(),
    argv("wsl", "du", "distribution user cd", 0),
    Wrapper { elsewhere: true, ..code("vagrant ssh", "c", "command", &[("c", ""), ("command", "")]) },
    Wrapper { elsewhere: true, ..code("fly ssh console", "Cca", "command app config", &[("C", ""), ("command", "")]) },
    Wrapper { elsewhere: true, ..code("flyctl ssh console", "Cca", "command app config", &[("C", ""), ("command", "")]) },
    Wrapper { elsewhere: true, ..code("gcloud compute ssh", "", "command zone project ssh-flag", &[("command", "")]) },
    argv("heroku run", "ae", "app env size type remote", 0).elsewhere(),
    // Package managers, environments and secrets.
    row("nix run", "", "", 0, Rest::ArgvBehind(&["--"])),
    row("nix shell", "", "", 0, Rest::ArgvBehind(&["-c", "--command"])),
    row("nix develop", "", "", 0, Rest::ArgvBehind(&["-c", "--command"])),
    code("nix-shell", "ApIi", "run command attr packages", &[("run", ""), ("command", "")]),
    argv("direnv exec", "", "", 1),
    argv("uv run", "pmw", "python with with-requirements with-editable extra group env-file directory project package index-url", 0).in_dir(&["directory"]),
    argv("uvx", "p", "python from with", 0),
    argv("uv tool run", "p", "python from with", 0),
    argv("pipx run", "", "spec python pip-args", 0),
    argv("poetry run", "CP", "directory project", 0).after("C P directory project"),
    argv("pipenv run", "", "", 0),
    argv("pdm run", "p", "project", 0),
    argv("hatch run", "e", "env", 0).after("e env p project"),
    argv("devbox run", "c", "config", 0),
    row("flox activate", "dr", "dir remote", 0, Rest::ArgvBehind(&["--"])),
    row("guix shell", "", "", 0, Rest::ArgvBehind(&["--"])),
    row("guix environment", "", "", 0, Rest::ArgvBehind(&["--"])),
    row("teller run", "", "", 0, Rest::ArgvBehind(&["--"])),
    row("just", "", "", 0, Rest::ArgvBehind(&["-c", "--command"])),
    argv("fnm exec", "", "using", 0),
    argv("nvm exec", "", "", 1),
    argv("opam exec", "", "switch", 0),
    argv("stack exec", "", "package", 0),
    argv("cabal exec", "", "", 0),
    argv("cmake -E env", "", "unset", 0),
    argv("cmake -E chdir", "", "", 1),
    argv("cmake -E", "", "", 0),
    argv("rye run", "", "", 0),
    argv("pixi run", "e", "environment manifest-path", 0),
    argv("conda run", "np", "name prefix cwd", 0),
    argv("mamba run", "np", "name prefix cwd", 0),
    argv("micromamba run", "np", "name prefix cwd", 0),
    argv("bundle exec", "", "gemfile", 0),
    argv("rbenv exec", "", "", 0),
    argv("pyenv exec", "", "", 0),
    argv("asdf exec", "", "", 0),
    row("mise exec", "c", "command", 0, Rest::ArgvBehind(&["--"])).with(&[("c", ""), ("command", "")]),
    row("mise x", "c", "command", 0, Rest::ArgvBehind(&["--"])).with(&[("c", ""), ("command", "")]),
    argv("volta run", "", "node npm yarn", 0),
    argv("rustup run", "", "", 1),
    argv("npx", "pcw", "package call workspace", 0).with(&[("c", ""), ("call", "")]),
    argv("bunx", "p", "package", 0),
    argv("npm exec", "pcw", "package call workspace prefix", 0).with(&[("c", ""), ("call", "")]).after("prefix w workspace"),
    argv("npm x", "pcw", "package call workspace prefix", 0).with(&[("c", ""), ("call", "")]).after("prefix w workspace"),
    argv("pnpm exec", "C", "dir filter", 0).after("C F dir filter"),
    argv("pnpm dlx", "C", "package dir", 0).after("C F dir filter"),
    argv("yarn exec", "", "cwd", 0).after("cwd"),
    argv("yarn dlx", "p", "package", 0).after("cwd"),
    argv("bun x", "", "", 0),
    code("nodemon", "xewi", "exec ext watch ignore", &[("x", ""), ("exec", "")]),
    argv("dotenv", "efcvp", "file", 0),
    argv("cross-env", "", "", 0),
    row("cross-env-shell", "", "", 0, Rest::Shell),
    argv("op run", "", "env-file account", 0),
    argv("doppler run", "pct", "project config token command", 0).with(&[("command", "")]),
    argv("aws-vault exec", "dn", "duration region", 1),
    argv("infisical run", "", "env path projectId token", 0),
    argv("chamber exec", "", "", 1),
    argv("envchain", "", "", 1),
    row("sops exec-env", "", "", 1, Rest::Shell),
    row("sops exec-file", "", "", 1, Rest::Shell),
    // Terminals, desktops and timers.
    row("tmux new-session", "csnteFxy", "", 0, Rest::ShellWords).after("S L f").in_dir(&["c"]),
    row("tmux new", "csnteFxy", "", 0, Rest::ShellWords).after("S L f").in_dir(&["c"]),
    row("tmux new-window", "cnteF", "", 0, Rest::ShellWords).after("S L f").in_dir(&["c"]),
    row("tmux split-window", "clteFp", "", 0, Rest::ShellWords).after("S L f").in_dir(&["c"]),
    row("tmux run-shell", "dt", "", 0, Rest::Shell).after("S L f"),
    row("screen stuff", "", "", 0, Rest::Shell).after("S p c"),
    argv("screen", "cehpsStT", "", 0),
    row("xterm", "", "", 0, Rest::ArgvBehind(&["-e"])),
    row("alacritty", "", "", 0, Rest::ArgvBehind(&["-e", "--command"])),
    row("wezterm start", "", "", 0, Rest::ArgvBehind(&["--"])),
    row("zellij run", "", "", 0, Rest::ArgvBehind(&["--"])),
    argv("kitty", "od", "config override directory title class", 0),
    row("foot", "", "", 0, Rest::ArgvBehind(&["-e"])),
    row("konsole", "", "", 0, Rest::ArgvBehind(&["-e"])),
    row("gnome-terminal", "", "", 0, Rest::ArgvBehind(&["--", "-x"])),
    row("tmux send-keys", "tN", "", 0, Rest::Shell).after("S L f"),
    row("tmux send", "tN", "", 0, Rest::Shell).after("S L f"),
    row("i3-msg exec", "", "", 0, Rest::Shell),
    code("su-to-root", "c", "", &[("c", "")]),
    // Programs for another purpose, with an option that runs something.
    row("git submodule foreach", "", "", 0, Rest::Shell).after(GIT),
    argv("git bisect run", "", "", 0).after(GIT),
    code("git rebase", "xXs", "exec onto strategy strategy-option", &[("x", ""), ("exec", "")]).after(GIT),
    code("git difftool", "xt", "extcmd tool", &[("x", ""), ("extcmd", "")]).after(GIT),
    code("git filter-branch", "d", "env-filter tree-filter index-filter parent-filter msg-filter commit-filter tag-name-filter",
        &[("env-filter", ""), ("tree-filter", ""), ("index-filter", ""), ("parent-filter", ""), ("msg-filter", ""), ("commit-filter", ""), ("tag-name-filter", "")]).after(GIT),
    code("git clone", "bcoju", "upload-pack branch config depth origin", &[("u", ""), ("upload-pack", "")]).after(GIT),
    code("git fetch", "j", "upload-pack", &[("upload-pack", "")]).after(GIT),
    code("git ls-remote", "", "upload-pack", &[("upload-pack", "")]).after(GIT),
    code("git archive", "o", "exec remote format prefix output", &[("exec", "")]).after(GIT),
    code("git send-email", "", "sendmail-cmd to cc from", &[("sendmail-cmd", "")]).after(GIT),
    code("git push", "o", "receive-pack exec push-option repo", &[("receive-pack", ""), ("exec", "")]).after(GIT),
    code("git grep", "OefABCm", "open-files-in-pager", &[("O", ""), ("open-files-in-pager", "")]).after(GIT),
    code("tar", "CfbHIFTXKLNV", "checkpoint-action to-command use-compress-program info-script new-volume-script rsh-command rmt-command directory file exclude", TAR),
    code("gtar", "CfbHIFTXKLNV", "checkpoint-action to-command use-compress-program info-script new-volume-script rsh-command rmt-command directory file exclude", TAR),
    code("bsdtar", "CfbsTX", "use-compress-program directory file exclude", &[("use-compress-program", "")]),
    code("zip", "bnt", "TT unzip-command", &[("TT", ""), ("unzip-command", "")]),
    code("man", "PHCLMmsSeEpr", "pager html", &[("P", ""), ("pager", ""), ("H", ""), ("html", "")]),
    code("vim", "cStTuUw", "cmd", VIM),
    code("nvim", "cStTuUw", "cmd", VIM),
    code("vi", "ctw", "cmd", VIM),
    code("ex", "ctw", "cmd", VIM),
    code("view", "ctw", "cmd", VIM),
    code("sort", "koStT", "compress-program", &[("compress-program", "")]),
    code("split", "abClnt", "filter", &[("filter", "")]),
    code("rg", "egtTfmABCjMr", "pre regexp", &[("pre", "")]),
    code("wget", "OoaiBtTwQPUe", "use-askpass", &[("use-askpass", "")]),
    code("ncat", "ecgGimopqsw", "exec sh-exec", &[("e", ""), ("exec", ""), ("c", ""), ("sh-exec", "")]),
    code("nc", "eiIlOoPpqsTVwXx", "", &[("e", "")]),
    code("netcat", "eipqsw", "", &[("e", "")]),
];
