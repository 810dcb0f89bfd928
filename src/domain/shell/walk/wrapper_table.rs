//! The programs that run other programs. This file is a table.
//!
//! A row says which options take a value, how many operands the wrapper keeps for itself, and what the rest of the
//! words is. A wrapper that needs more than that has a file of its own.

use super::package_name::PackageKind;
use crate::domain::shell::index::index_of;

/// A program that runs another.
#[derive(Debug)]
pub(super) struct Wrapper {
    /// The program and its subcommands.
    pub(super) path: &'static str,
    /// The letters and long names, separated by blanks, of options with a value before subcommands.
    pub(super) leading_value_options: &'static str,
    /// The letters of the options with a value.
    pub(super) short_with_value: &'static str,
    /// The long names of the options with a value, separated by blanks.
    pub(super) long_with_value: &'static str,
    /// The number of operands before the command.
    pub(super) operand_count: usize,
    /// What follows them.
    pub(super) payload: WrappedPayload,
    /// What the program is named by.
    pub(super) package: PackageKind,
    /// The options whose value, after a prefix, is shell code.
    pub(super) code_options: &'static [(&'static str, &'static str)],
    /// The options whose value is the directory to run in.
    pub(super) directory_options: &'static [&'static str],
    /// Whether the command runs on another machine or in a container.
    pub(super) is_remote: bool,
    /// Whether the shell itself runs the command.
    pub(super) runs_in_shell: bool,
    /// Whether the wrapper's own options may be after its operands.
    pub(super) permutes_options: bool,
}

/// What the words are that a wrapper does not keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WrappedPayload {
    /// Nothing that runs.
    Nothing,
    /// A program and its arguments.
    Argv,
    /// A program and its arguments if an option was given, otherwise nothing that runs.
    ArgvIfOption(&'static str),
    /// A program and its arguments after one of these words.
    ArgvAfter(&'static [&'static str]),
    /// A program and its arguments, to which more are added from the input.
    ArgvFromStdin,
    /// Shell code, the words joined by blanks.
    Shell,
    /// Shell code when it is one word, otherwise a program and its arguments.
    ShellWords,
    /// Shell code, each word on its own.
    ShellEach,
    /// Shell code, each word that has a blank in it.
    ShellLines,
}

const fn wrapper(
    path: &'static str,
    short: &'static str,
    long: &'static str,
    skip: usize,
    rest: WrappedPayload,
) -> Wrapper {
    Wrapper {
        path,
        leading_value_options: "",
        short_with_value: short,
        long_with_value: long,
        operand_count: skip,
        payload: rest,
        package: PackageKind::Program,
        code_options: &[],
        directory_options: &[],
        is_remote: false,
        runs_in_shell: false,
        permutes_options: false,
    }
}

const fn argv(path: &'static str, short: &'static str, long: &'static str, skip: usize) -> Wrapper {
    wrapper(path, short, long, skip, WrappedPayload::Argv)
}

const fn code(
    path: &'static str,
    short: &'static str,
    long: &'static str,
    code: &'static [(&'static str, &'static str)],
) -> Wrapper {
    Wrapper { code_options: code, ..wrapper(path, short, long, 0, WrappedPayload::Nothing) }
}

impl Wrapper {
    const fn with_code_options(self, code: &'static [(&'static str, &'static str)]) -> Self {
        Self { code_options: code, ..self }
    }

    const fn with_directory_options(self, chdir: &'static [&'static str]) -> Self {
        Self { directory_options: chdir, ..self }
    }

    const fn with_leading_options(self, before: &'static str) -> Self {
        Self { leading_value_options: before, ..self }
    }

    const fn of(self, package: PackageKind) -> Self {
        Self { package, ..self }
    }

    const fn remote(self) -> Self {
        Self { is_remote: true, ..self }
    }

    const fn permuting(self) -> Self {
        Self { permutes_options: true, ..self }
    }

    const fn in_shell(self) -> Self {
        Self { runs_in_shell: true, ..self }
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
const COMPOSE_RUN: &str = "env user label publish volume workdir name entrypoint";
const KUBECTL: &str = "n s v namespace context cluster kubeconfig server user token as as-group request-timeout";
const NPX: &str = "package call workspace prefix loglevel registry cache userconfig node-options node-arg";
const UVX: &str =
    "python from with with-requirements with-editable index-url extra-index-url index env-file constraints overrides";
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
        .with_directory_options(&["D", "chdir"]),
    argv("doas", "uCa", "", 0),
    argv("run0", "ugDp", "user group chdir property unit description nice slice setenv background", 0).with_directory_options(&["D", "chdir"]),
    argv("pkexec", "u", "user", 0),
    argv("gosu", "", "", 1),
    argv("su-exec", "", "", 1),
    argv("setpriv", "", "reuid regid groups inh-caps ambient-caps bounding-set securebits pdeathsig selinux-label apparmor-profile", 0),
    wrapper("runuser", "cugGsw", "command user group supp-group shell whitelist-environment", 0, WrappedPayload::ArgvIfOption("u")).with_code_options(&[("c", ""), ("command", "")]),
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
    argv("chroot", "", "userspec groups", 1).remote(),
    argv("unshare", "RwSGl", "root wd setuid setgid map-user map-group map-users map-groups propagation setgroups", 0),
    argv("nsenter", "tSGN", "target setuid setgid", 0),
    argv("systemd-run", "puEHMtG", "property unit setenv host machine uid gid slice description service-type on-active on-boot on-calendar working-directory nice", 0)
        .with_directory_options(&["working-directory"]),
    argv("firejail", "", "", 0),
    argv("bwrap", "", "chdir dev proc tmpfs mqueue dir unsetenv hostname lock-file uid gid cap-add cap-drop seccomp", 0),
    argv("proot", "rbwqk", "rootfs bind cwd qemu kernel-release", 0),
    // Time, input and output.
    argv("env", "uCSaPLU", "unset chdir split-string argv0", 0).with_directory_options(&["C", "chdir"]),
    argv("nohup", "", "", 0),
    argv("systemd-inhibit", "", "what who why mode", 0),
    argv("gnome-session-inhibit", "", "inhibit reason app-id", 0),
    argv("aa-exec", "pn", "profile namespace", 0),
    argv("cgexec", "g", "", 0),
    argv("ip netns exec", "", "", 1).with_leading_options("n netns"),
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
    argv("time", "fo", "format output", 0).in_shell(),
    argv("gtime", "fo", "format output", 0),
    argv("flock", "wEc", "command timeout wait conflict-exit-code", 1).permuting().with_code_options(&[("c", ""), ("command", "")]),
    argv("chronic", "", "", 0),
    argv("ifne", "", "", 0),
    wrapper("pee", "", "", 0, WrappedPayload::ShellEach),
    wrapper("launchctl submit", "", "", 0, WrappedPayload::ArgvAfter(&["--"])),
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
    argv("setarch", "p", "", 1).permuting(),
    argv("linux32", "", "", 0),
    argv("linux64", "", "", 0),
    argv("arch", "de", "", 0),
    argv("daemonize", "acelopuE", "", 0),
    argv("start-stop-daemon", "", "", 0),
    argv("sudo-rs", "CDgGhpRrtTUuc", "user group prompt chdir chroot host close-from role type", 0),
    argv("gsudo", "uid", "user integrity loglevel", 0),
    argv("please", "adeugt", "allowenv dir user group target reason", 0),
    argv("winpty", "", "", 0),
    argv("fakechroot", "ced", "lib config-dir", 0),
    argv("fakeroot-sysv", "lsbi", "lib faked", 0),
    argv("fakeroot-tcp", "lsbi", "lib faked", 0),
    argv("datefudge", "", "", 1),
    argv("uclampset", "mM", "", 0),
    wrapper("schedtool", "", "", 0, WrappedPayload::ArgvAfter(&["-e"])),
    argv("systemd-cat", "tp", "identifier priority stderr-priority level-prefix namespace", 0),
    argv("logsave", "", "", 1),
    argv("nocache", "n", "", 0),
    argv("eatmydata", "", "", 0),
    argv("trickle", "dutwlLNp", "", 0),
    argv("setlock", "", "", 1),
    argv("lckdo", "W", "", 1),
    argv("lockf", "t", "", 1),
    argv("with-lock-ex", "", "", 1),
    argv("chpst", "uUe/nlmdofpcrtb", "", 0),
    argv("setuidgid", "", "", 1),
    argv("s6-setuidgid", "", "", 1),
    argv("envuidgid", "", "", 1),
    argv("envdir", "", "", 1),
    argv("s6-envdir", "", "", 1),
    argv("s6-softlimit", "acdflmnoprst", "", 0),
    argv("with-contenv", "", "", 0),
    argv("catatonit", "", "", 0),
    argv("docker-init", "pe", "", 0),
    argv("sandbox-exec", "pfnD", "", 0),
    argv("landrun", "", "ro rw rox rwx bind-tcp connect-tcp env log-level", 0),
    argv("graftcp", "abnp", "", 0),
    argv("tsocks", "", "", 0),
    argv("usewithtor", "", "", 0),
    argv("memusage", "npd", "progname png data", 0),
    argv("launchctl asuser", "", "", 1),
    wrapper("consul lock", "", "n name http-addr token", 1, WrappedPayload::Shell),
    argv("consul watch", "", "type key prefix service name http-addr token datacenter", 0),
    code("consul-template", "", "exec template config", &[("exec", "")]),
    argv("envconsul", "", "prefix secret config vault-addr consul-addr log-level", 0),
    argv("dockerize", "", "wait timeout template stdout stderr wait-http-header wait-retry-interval delims env poll", 0),
    wrapper("wait-for-it.sh", "", "", 0, WrappedPayload::ArgvAfter(&["--"])),
    wrapper("wait-for-it", "", "", 0, WrappedPayload::ArgvAfter(&["--"])),
    wrapper("wait-for.sh", "", "", 0, WrappedPayload::ArgvAfter(&["--"])),
    wrapper("wait-for", "", "", 0, WrappedPayload::ArgvAfter(&["--"])),
    wrapper("wait-port", "", "", 0, WrappedPayload::ArgvAfter(&["--"])),
    argv("retry", "tdmnes", "times delay max tries until when while timeout attempts backoff", 0),
    argv("nq", "", "", 0),
    argv("tsp", "LNDEdO", "", 0),
    wrapper("pueue add", "gdwlp", "group after working-directory label priority delay", 0, WrappedPayload::ShellWords),
    wrapper("pm2 start", "niolpe", "name interpreter output error log cwd", 0, WrappedPayload::ShellLines),
    wrapper("daemon", "", "", 0, WrappedPayload::ArgvAfter(&["--"])),
    argv("abduco", "e", "", 1).permuting(),
    argv("dtach", "er", "", 1).permuting(),
    argv("faketty", "", "", 0),
    argv("gotty", "pacw", "port address credential config", 0),
    argv("ttyd", "pitcuUgsTmCKAwPI", "port interface credential uid gid signal terminal-type cwd", 0),
    code("asciinema rec", "ceti", "command env title idle-time-limit", &[("c", ""), ("command", "")]),
    code("ttyrec", "e", "", &[("e", "")]),
    wrapper("mispipe", "", "", 0, WrappedPayload::ShellEach),
    argv("srun", "AbcCdDeGHiIJKLmMnNoOpqrRStTwWxX", "account nodes ntasks cpus-per-task partition gres time mem output error job-name qos constraint gpus nodelist chdir", 0),
    code("sbatch", "AcCdDeGJnNopqtw", "wrap account partition time", &[("wrap", "")]),
    argv("bsub", "qnRWoeJMmPgGwx", "", 0),
    argv("mpirun", "nHxc", "np host hostfile map-by bind-to rankfile wdir", 0),
    argv("mpiexec", "nHxc", "np host hostfile map-by bind-to rankfile wdir", 0),
    // Watching and tracing.
    argv("dtruss", "nptW", "", 0),
    argv("truss", "osp", "", 0),
    argv("ktrace", "ftpg", "", 0),
    argv("kcov", "", "", 1),
    argv("samply record", "orPd", "output rate profile-name", 0),
    argv("flamegraph", "oFpc", "output freq pid cmd title", 0),
    wrapper("py-spy record", "", "", 0, WrappedPayload::ArgvAfter(&["--"])),
    code("bpftrace", "cepfoB", "", &[("c", "")]),
    wrapper("poop", "d", "duration", 0, WrappedPayload::ShellEach),
    argv("multitime", "niIorsq", "", 0),
    wrapper("viddy", "ns", "interval shell", 0, WrappedPayload::Shell),
    wrapper("hwatch", "nltsD", "interval logfile tab-size shell", 0, WrappedPayload::Shell),
    argv("reflex", "rgRGcs", "regex glob inverse-regex inverse-glob config substitute", 0),
    code("watchman-make", "pt", "pattern target run", &[("run", "")]),
    code("when-changed", "c", "", &[("c", "")]),
    wrapper("onchange", "", "", 0, WrappedPayload::ArgvAfter(&["--"])),
    code("chokidar", "cdtip", "command debounce throttle ignore", &[("c", ""), ("command", "")]),
    argv("strace", "abeEIoOpPsSuUX", "output expr trace string-limit attach user", 0),
    argv("ltrace", "abeADFlnopsuxX", "output", 0),
    argv("valgrind", "", "", 0),
    argv("gdb", "xpcd", "ex eval-command command pid cd directory", 0).with_code_options(&[("ex", "shell "), ("ex", "!"), ("eval-command", "shell "), ("eval-command", "!")]),
    argv("lldb", "osSOkKpnf", "one-line source batch", 0),
    argv("perf", "eopCrgFt", "event output pid cpu repeat", 1).permuting(),
    argv("perf record", "eoFcCptuGm", "event output freq count call-graph pid tid cpu", 0),
    argv("perf trace", "eopt", "event output pid tid", 0),
    wrapper("hyperfine", "wmMrspcLDPnu", "warmup min-runs max-runs runs setup prepare cleanup conclude parameter-list parameter-scan export-json export-markdown export-csv shell", 0, WrappedPayload::ShellEach)
        .with_code_options(&[("s", ""), ("setup", ""), ("p", ""), ("prepare", ""), ("c", ""), ("cleanup", "")]),
    argv("entr", "s", "", 0).with_code_options(&[("s", "")]),
    wrapper("watch", "nq", "interval equexit", 0, WrappedPayload::Shell),
    code("cargo watch", "xswiCdB", "exec shell workdir ignore", &[("s", ""), ("shell", "")]),
    code("fzf", "", "preview bind query filter delimiter nth with-nth prompt header height", &[("preview", "")]),
    code("tcpdump", "zwriCGWc", "", &[("z", "")]),
    code("multitail", "lLi", "", &[("l", ""), ("L", "")]),
    code("go test", "", "exec toolexec vettool", &[("exec", ""), ("toolexec", ""), ("vettool", "")]),
    code("go build", "o", "toolexec", &[("toolexec", "")]),
    code("go vet", "", "toolexec vettool", &[("toolexec", ""), ("vettool", "")]),
    argv("go run", "", "exec toolexec tags ldflags gcflags asmflags mod modfile C p pkgdir overlay", 0).with_code_options(&[("exec", ""), ("toolexec", "")]).of(PackageKind::GoModule),
    argv("go tool", "", "modfile C overlay", 0),
    wrapper("watchexec", "wefdsiE", "watch exts filter debounce signal ignore env shell", 0, WrappedPayload::ShellWords),
    wrapper("concurrently", "ncptml", "names prefix prefix-colors max-processes prefix-length success restart-tries restart-after hide", 0, WrappedPayload::ShellEach),
    wrapper("conc", "ncptml", "names prefix prefix-colors max-processes", 0, WrappedPayload::ShellEach),
    wrapper("start-server-and-test", "", "expect", 0, WrappedPayload::ShellLines),
    wrapper("start-test", "", "expect", 0, WrappedPayload::ShellLines),
    wrapper("server-test", "", "expect", 0, WrappedPayload::ShellLines),
    // What the shell itself offers.
    argv("command", "", "", 0).in_shell(),
    argv("builtin", "", "", 0).in_shell(),
    argv("exec", "a", "", 0).in_shell(),
    argv("noglob", "", "", 0).in_shell(),
    argv("nocorrect", "", "", 0).in_shell(),
    argv("-", "", "", 0).in_shell(),
    argv("repeat", "", "", 1).in_shell(),
    argv("and", "", "", 0).in_shell(),
    argv("or", "", "", 0).in_shell(),
    argv("not", "", "", 0).in_shell(),
    argv("begin", "", "", 0).in_shell(),
    wrapper("eval", "", "", 0, WrappedPayload::Shell).in_shell(),
    argv("busybox", "", "", 0),
    argv("toybox", "", "", 0),
    argv("ld-linux.so.2", "", "library-path preload argv0", 0),
    argv("ld-linux-x86-64.so.2", "", "library-path preload argv0", 0),
    argv("ld-linux-aarch64.so.1", "", "library-path preload argv0", 0),
    argv("ld-musl-x86_64.so.1", "", "library-path preload argv0", 0),
    argv("ld-musl-aarch64.so.1", "", "library-path preload argv0", 0),
    argv("ld.so", "", "library-path preload argv0", 0),
    wrapper("xe", "jNsAp", "", 0, WrappedPayload::ArgvFromStdin),
    wrapper("xargs", "ILnPsEadJRS", "max-args max-procs max-chars delimiter arg-file process-slot-var", 0, WrappedPayload::ArgvFromStdin),
    argv("script", "cIOBTEmotl", "command log-in log-out log-io log-timing echo", 1).with_code_options(&[("c", ""), ("command", "")]),
    code("newgrp", "c", "command", &[("c", ""), ("command", "")]),
    // Other machines and containers.
    Wrapper { code_options: SSH, is_remote: true, ..wrapper("ssh", SSH_SHORT, "", 1, WrappedPayload::Shell).permuting() },
    Wrapper { is_remote: true, ..wrapper("autossh", "MbcDEeFIiJLlmOopQRSWw", "", 1, WrappedPayload::Shell) },
    argv("sail", "", "", 0).remote(),
    argv("sshpass", "pfPd", "", 0),
    argv("mosh", "p", "ssh port predict", 1).remote(),
    code("scp", "cFiJloPSX", "", SCP),
    code("sftp", "bcDFiJloPRSsX", "", SSH),
    code("rsync", "efBTM", "rsh rsync-path exclude include filter files-from", &[("e", ""), ("rsh", ""), ("rsync-path", "")]),
    argv("docker exec", "euw", DOCKER_EXEC, 1).with_leading_options(DOCKER).remote(),
    argv("docker container exec", "euw", DOCKER_EXEC, 1).with_leading_options(DOCKER).remote(),
    argv("docker run", "acehlmpuvw", DOCKER_RUN, 1).with_leading_options(DOCKER).of(PackageKind::Image).remote(),
    argv("docker container run", "acehlmpuvw", DOCKER_RUN, 1).with_leading_options(DOCKER).of(PackageKind::Image).remote(),
    argv("docker compose exec", "euw", DOCKER_EXEC, 1).with_leading_options(COMPOSE).remote(),
    argv("docker compose run", "eulpvw", COMPOSE_RUN, 1).with_leading_options(COMPOSE).of(PackageKind::Service).remote(),
    argv("docker-compose exec", "euw", DOCKER_EXEC, 1).with_leading_options(COMPOSE).remote(),
    argv("docker-compose run", "eulpvw", COMPOSE_RUN, 1).with_leading_options(COMPOSE).of(PackageKind::Service).remote(),
    argv("podman container run", "acehlmpuvw", DOCKER_RUN, 1).with_leading_options(DOCKER).of(PackageKind::Image).remote(),
    argv("finch run", "acehlmpuvw", DOCKER_RUN, 1).of(PackageKind::Image).remote(),
    argv("finch exec", "euw", DOCKER_EXEC, 1).remote(),
    argv("podman compose exec", "euw", DOCKER_EXEC, 1).with_leading_options(COMPOSE).remote(),
    argv("podman compose run", "eulpvw", COMPOSE_RUN, 1).with_leading_options(COMPOSE).of(PackageKind::Service).remote(),
    argv("podman-compose exec", "euw", DOCKER_EXEC, 1).with_leading_options(COMPOSE).remote(),
    argv("podman-compose run", "eulpvw", COMPOSE_RUN, 1).with_leading_options(COMPOSE).of(PackageKind::Service).remote(),
    argv("nerdctl compose exec", "euw", DOCKER_EXEC, 1).with_leading_options(COMPOSE).remote(),
    argv("nerdctl compose run", "eulpvw", COMPOSE_RUN, 1).with_leading_options(COMPOSE).of(PackageKind::Service).remote(),
    argv("podman exec", "euwl", DOCKER_EXEC, 1).with_leading_options(DOCKER).remote(),
    argv("podman run", "acehlmpuvw", DOCKER_RUN, 1).with_leading_options(DOCKER).of(PackageKind::Image).remote(),
    argv("nerdctl exec", "euw", DOCKER_EXEC, 1).with_leading_options(DOCKER).remote(),
    argv("nerdctl run", "acehlmpuvw", DOCKER_RUN, 1).with_leading_options(DOCKER).of(PackageKind::Image).remote(),
    argv("kubectl exec", "cfn", "container filename namespace context kubeconfig cluster pod-running-timeout", 1).permuting().with_leading_options(KUBECTL).remote(),
    argv("oc exec", "cfn", "container filename namespace context kubeconfig cluster", 1).permuting().with_leading_options(KUBECTL).remote(),
    argv("kubectl run", "n", "image namespace context kubeconfig env labels overrides port restart", 1).permuting().with_leading_options(KUBECTL).remote(),
    argv("kubectl debug", "cn", "image container target namespace context", 1).permuting().with_leading_options(KUBECTL).remote(),
    argv("lxc exec", "", "env cwd user group mode", 1).remote(),
    argv("incus exec", "", "env cwd user group mode", 1).remote(),
    argv("lxc-attach", "nefsuglL", "name", 0).remote(),
    argv("machinectl shell", "EM", "uid setenv machine", 1).remote(),
    wrapper("distrobox enter", "na", "name additional-flags", 0, WrappedPayload::ArgvAfter(&["--", "-e"])),
    argv("limactl shell", "", "workdir", 1).remote(),
    argv("lima", "", "", 0).remote(),
    argv("multipass exec", "", "working-directory", 1).permuting().remote(),
    argv("colima ssh", "p", "profile", 0).remote(),
    argv("devcontainer exec", "", "workspace-folder container-id config", 0).remote(),
    Wrapper { is_remote: true, ..wrapper("pdsh", "wxgfltu", "", 0, WrappedPayload::Shell) },
    Wrapper { is_remote: true, ..wrapper("clush", "wxgf", "", 0, WrappedPayload::Shell) },
    Wrapper { is_remote: true, ..wrapper("pssh", "hHlpote", "hosts host user par", 0, WrappedPayload::Shell) },
    Wrapper { is_remote: true, ..wrapper("parallel-ssh", "hHlpote", "hosts host user par", 0, WrappedPayload::Shell) },
    Wrapper { is_remote: true, ..code("ansible", "aimuefM", "args inventory module-name user extra-vars forks", &[("a", ""), ("args", "")]) },
    Wrapper { is_remote: true, ..wrapper("salt", "", "", 2, WrappedPayload::Shell) },
    Wrapper { is_remote: true, ..code("aws ssm send-command", "", "parameters document-name targets instance-ids", &[("parameters", "commands=")]) },
    argv("toolbox run", "cdr", "container distro release", 0),
    argv("flatpak-spawn", "", "env directory", 0),
    argv("adb shell", "s", "", 0).with_leading_options("s t H P L").remote(),
    argv("winpty", "", "", 0),
    argv("wsl", "du", "distribution user cd", 0),
    Wrapper { is_remote: true, ..code("vagrant ssh", "c", "command", &[("c", ""), ("command", "")]) },
    Wrapper { is_remote: true, ..code("fly ssh console", "Cca", "command app config", &[("C", ""), ("command", "")]) },
    Wrapper { is_remote: true, ..code("flyctl ssh console", "Cca", "command app config", &[("C", ""), ("command", "")]) },
    Wrapper { is_remote: true, ..code("gcloud compute ssh", "", "command zone project ssh-flag", &[("command", "")]) },
    Wrapper { is_remote: true, ..wrapper("heroku run", "ae", "app env size type remote", 0, WrappedPayload::ShellWords) },
    Wrapper { is_remote: true, ..code("aws ecs execute-command", "", "command cluster task container", &[("command", "")]) },
    Wrapper { is_remote: true, ..code("az vm run-command invoke", "gn", "scripts name resource-group command-id", &[("scripts", "")]) },
    Wrapper { is_remote: true, ..wrapper("tsh ssh", "lip", "login proxy cluster port", 1, WrappedPayload::Shell) },
    Wrapper { is_remote: true, ..wrapper("docker-machine ssh", "", "", 1, WrappedPayload::Shell) },
    argv("podman container exec", "euwl", DOCKER_EXEC, 1).with_leading_options(DOCKER).remote(),
    argv("nomad alloc exec", "", "task namespace region", 1).remote(),
    argv("crictl exec", "", "", 1).remote(),
    argv("oc rsh", "cn", "container namespace", 1).remote(),
    argv("singularity exec", "BH", "bind home", 1).remote(),
    argv("apptainer exec", "BH", "bind home", 1).remote(),
    // Package managers, environments and secrets.
    wrapper("nix run", "", "", 0, WrappedPayload::ArgvAfter(&["--"])).of(PackageKind::Flake),
    wrapper("nix shell", "", "", 0, WrappedPayload::ArgvAfter(&["-c", "--command"])),
    wrapper("nix develop", "", "", 0, WrappedPayload::ArgvAfter(&["-c", "--command"])),
    code("nix-shell", "ApIi", "run command attr packages", &[("run", ""), ("command", "")]),
    argv("direnv exec", "", "", 1),
    argv("lerna exec", "", "scope ignore concurrency since", 0),
    argv("nx exec", "", "projects project", 0),
    argv("rush-pnpm exec", "", "filter", 0),
    argv("uv run", "pmw", "python with with-requirements with-editable extra group env-file directory project package index-url", 0).with_directory_options(&["directory"]),
    argv("uvx", "pw", UVX, 0).of(PackageKind::Python),
    argv("uv tool run", "pw", UVX, 0).of(PackageKind::Python),
    argv("pipx run", "", "spec python pip-args index-url backend", 0).of(PackageKind::Python),
    argv("poetry run", "CP", "directory project", 0).with_leading_options("C P directory project"),
    argv("pipenv run", "", "", 0),
    argv("pdm run", "p", "project", 0),
    argv("hatch run", "e", "env", 0).with_leading_options("e env p project").of(PackageKind::Environment),
    argv("devbox run", "c", "config", 0),
    wrapper("flox activate", "dr", "dir remote", 0, WrappedPayload::ArgvAfter(&["--"])),
    wrapper("guix shell", "", "", 0, WrappedPayload::ArgvAfter(&["--"])),
    wrapper("guix environment", "", "", 0, WrappedPayload::ArgvAfter(&["--"])),
    wrapper("teller run", "", "", 0, WrappedPayload::ArgvAfter(&["--"])),
    wrapper("just", "", "", 0, WrappedPayload::ArgvAfter(&["-c", "--command"])),
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
    argv("pixi exec", "scwx", "spec channel with platform", 0).of(PackageKind::Python),
    argv("conda run", "np", "name prefix cwd", 0),
    argv("mamba run", "np", "name prefix cwd", 0),
    argv("micromamba run", "np", "name prefix cwd", 0),
    argv("bundle exec", "", "gemfile", 0),
    argv("gem exec", "gv", "gem version", 0),
    wrapper("rvm", "", "", 0, WrappedPayload::ArgvAfter(&["do"])),
    wrapper("chruby-exec", "", "", 0, WrappedPayload::ArgvAfter(&["--"])),
    argv("dotnet tool run", "", "", 0).of(PackageKind::DotnetTool),
    argv("dotnet tool exec", "", "version source configfile", 0).of(PackageKind::DotnetTool),
    argv("dnx", "", "version source configfile", 0).of(PackageKind::DotnetTool),
    argv("n exec", "", "", 1),
    argv(",", "", "", 0),
    argv("comma", "", "", 0),
    argv("aqua exec", "", "", 0),
    argv("hermit exec", "", "", 1),
    argv("pkgx", "", "", 0).of(PackageKind::Pkgx),
    argv("shx", "", "", 0),
    argv("spack build-env", "", "", 1),
    argv("rbenv exec", "", "", 0),
    argv("pyenv exec", "", "", 0),
    argv("asdf exec", "", "", 0),
    wrapper("mise exec", "c", "command", 0, WrappedPayload::ArgvAfter(&["--"])).with_code_options(&[("c", ""), ("command", "")]),
    wrapper("mise x", "c", "command", 0, WrappedPayload::ArgvAfter(&["--"])).with_code_options(&[("c", ""), ("command", "")]),
    argv("volta run", "", "node npm yarn", 0),
    argv("rustup run", "", "", 1),
    argv("npx", "pcw", NPX, 0).with_code_options(&[("c", ""), ("call", "")]).of(PackageKind::Npm),
    argv("pnpx", "C", "package dir", 0).of(PackageKind::Npm),
    argv("pnx", "C", "package dir", 0).of(PackageKind::Npm),
    argv("nlx", "C", "", 0).of(PackageKind::Npm),
    argv("corepack", "", "", 0).of(PackageKind::Npm),
    argv("bunx", "p", "package", 0).of(PackageKind::Npm),
    argv("deno", "cL", "config import-map log-level env-file cert seed", 0).of(PackageKind::NpmSpecifier),
    argv("deno run", "cL", "config import-map log-level env-file cert seed", 0).of(PackageKind::NpmSpecifier),
    argv("deno x", "", "", 0).of(PackageKind::Npm),
    argv("dx", "", "", 0).of(PackageKind::Npm),
    argv("node", "rC", "require import loader experimental-loader conditions env-file", 0).of(PackageKind::NodeModule),
    argv("npm exec", "pcw", NPX, 0).with_code_options(&[("c", ""), ("call", "")]).with_leading_options("prefix w workspace C").of(PackageKind::Npm),
    argv("npm x", "pcw", NPX, 0).with_code_options(&[("c", ""), ("call", "")]).with_leading_options("prefix w workspace C").of(PackageKind::Npm),
    argv("pnpm exec", "CF", "dir filter", 0).with_leading_options("C F dir filter"),
    argv("pnpm dlx", "C", "package dir", 0).with_leading_options("C F dir filter package").of(PackageKind::Npm),
    argv("yarn exec", "", "cwd", 0).with_leading_options("cwd"),
    argv("yarn dlx", "p", "package", 0).with_leading_options("cwd").of(PackageKind::Npm),
    argv("yarn workspaces foreach exec", "j", "jobs", 0).with_leading_options("j jobs from include exclude since").of(PackageKind::Npm),
    argv("bun x", "p", "package", 0).of(PackageKind::Npm),
    code("nodemon", "xewi", "exec ext watch ignore", &[("x", ""), ("exec", "")]),
    argv("dotenv", "efcvp", "file", 0),
    argv("dotenv run", "", "", 0).with_leading_options("f file e export q quote"),
    argv("dotenvx run", "fe", "env-file env convention env-vault-file", 0),
    argv("godotenv", "f", "", 0),
    argv("shdotenv", "edfsnio", "env dialect format", 0),
    argv("env-cmd", "fer", "file environments rc-file", 0),
    argv("foreman run", "efdp", "env procfile root port", 0),
    argv("honcho run", "efdp", "env procfile app-root", 0),
    argv("nf run", "ej", "env procfile", 0),
    argv("heroku local:run", "ep", "env port", 0),
    argv("cross-env", "", "", 0),
    wrapper("cross-env-shell", "", "", 0, WrappedPayload::Shell),
    argv("op run", "", "env-file account", 0),
    argv("doppler run", "pct", "project config token command", 0).with_code_options(&[("command", "")]),
    argv("aws-vault exec", "dn", "duration region", 1),
    argv("infisical run", "", "env path projectId token command", 0).with_code_options(&[("command", "")]),
    wrapper("chamber exec", "", "", 0, WrappedPayload::ArgvAfter(&["--"])),
    argv("envchain", "", "", 1),
    argv("aws-okta exec", "", "mfa-provider session-ttl", 1),
    argv("aws-sso exec", "pAaRrn", "profile account role arn", 0),
    argv("saml2aws exec", "ap", "exec-profile role profile idp-account", 0),
    code("assume", "", "exec", &[("exec", "")]),
    argv("berglas exec", "", "", 0),
    argv("summon", "fpeD", "provider environment", 0),
    wrapper("bws run", "ts", "access-token shell project-id profile", 0, WrappedPayload::ShellWords),
    wrapper("phase run", "", "env app path tags", 0, WrappedPayload::ShellWords),
    argv("fnox exec", "P", "profile", 0),
    argv("pass-cli run", "", "env-file", 0),
    argv("secretspec run", "pP", "provider profile", 0),
    argv("gopass env", "", "", 1),
    wrapper("sops exec-env", "", "", 1, WrappedPayload::Shell),
    wrapper("sops exec-file", "", "", 1, WrappedPayload::Shell),
    // Terminals, desktops and timers.
    wrapper("tmux new-session", "csnteFxy", "", 0, WrappedPayload::ShellWords).with_leading_options("S L f").with_directory_options(&["c"]),
    wrapper("tmux new", "csnteFxy", "", 0, WrappedPayload::ShellWords).with_leading_options("S L f").with_directory_options(&["c"]),
    wrapper("tmux new-window", "cnteF", "", 0, WrappedPayload::ShellWords).with_leading_options("S L f").with_directory_options(&["c"]),
    wrapper("tmux split-window", "clteFp", "", 0, WrappedPayload::ShellWords).with_leading_options("S L f").with_directory_options(&["c"]),
    wrapper("tmux run-shell", "dt", "", 0, WrappedPayload::Shell).with_leading_options("S L f"),
    wrapper("screen stuff", "", "", 0, WrappedPayload::Shell).with_leading_options("S p c"),
    argv("screen", "cehpsStT", "", 0),
    wrapper("xterm", "", "", 0, WrappedPayload::ArgvAfter(&["-e"])),
    wrapper("alacritty", "", "", 0, WrappedPayload::ArgvAfter(&["-e", "--command"])),
    wrapper("wezterm start", "", "", 0, WrappedPayload::ArgvAfter(&["--"])),
    wrapper("zellij run", "", "", 0, WrappedPayload::ArgvAfter(&["--"])),
    argv("kitty", "od", "config override directory title class", 0),
    wrapper("foot", "", "", 0, WrappedPayload::ArgvAfter(&["-e"])),
    wrapper("ghostty", "", "", 0, WrappedPayload::ArgvAfter(&["-e"])),
    wrapper("terminator", "", "", 0, WrappedPayload::ArgvAfter(&["-x", "-e"])),
    wrapper("tilix", "", "", 0, WrappedPayload::ArgvAfter(&["-e", "-x"])),
    wrapper("urxvt", "", "", 0, WrappedPayload::ArgvAfter(&["-e"])),
    wrapper("st", "", "", 0, WrappedPayload::ArgvAfter(&["-e"])),
    wrapper("lxterminal", "", "", 0, WrappedPayload::ArgvAfter(&["-e"])),
    wrapper("mate-terminal", "", "", 0, WrappedPayload::ArgvAfter(&["--", "-x", "-e"])),
    wrapper("xfce4-terminal", "", "", 0, WrappedPayload::ArgvAfter(&["-x", "-e"])),
    wrapper("x-terminal-emulator", "", "", 0, WrappedPayload::ArgvAfter(&["-e"])),
    argv("kitty @ launch", "", "type title cwd match", 0),
    wrapper("wezterm cli spawn", "", "", 0, WrappedPayload::ArgvAfter(&["--"])),
    wrapper("zellij action new-pane", "", "", 0, WrappedPayload::ArgvAfter(&["--"])),
    wrapper("konsole", "", "", 0, WrappedPayload::ArgvAfter(&["-e"])),
    wrapper("gnome-terminal", "", "", 0, WrappedPayload::ArgvAfter(&["--", "-x"])),
    wrapper("tmux send-keys", "tN", "", 0, WrappedPayload::Shell).with_leading_options("S L f"),
    wrapper("tmux send", "tN", "", 0, WrappedPayload::Shell).with_leading_options("S L f"),
    wrapper("i3-msg exec", "", "", 0, WrappedPayload::Shell),
    code("su-to-root", "c", "", &[("c", "")]),
    // Programs for another purpose, with an option that runs something.
    wrapper("git submodule foreach", "", "", 0, WrappedPayload::Shell).with_leading_options(GIT),
    argv("git bisect run", "", "", 0).with_leading_options(GIT),
    code("git rebase", "xXs", "exec onto strategy strategy-option", &[("x", ""), ("exec", "")]).with_leading_options(GIT),
    code("git difftool", "xt", "extcmd tool", &[("x", ""), ("extcmd", "")]).with_leading_options(GIT),
    code("git filter-branch", "d", "env-filter tree-filter index-filter parent-filter msg-filter commit-filter tag-name-filter",
        &[("env-filter", ""), ("tree-filter", ""), ("index-filter", ""), ("parent-filter", ""), ("msg-filter", ""), ("commit-filter", ""), ("tag-name-filter", "")]).with_leading_options(GIT),
    code("git clone", "bcoju", "upload-pack branch config depth origin", &[("u", ""), ("upload-pack", "")]).with_leading_options(GIT),
    code("git fetch", "j", "upload-pack", &[("upload-pack", "")]).with_leading_options(GIT),
    code("git ls-remote", "", "upload-pack", &[("upload-pack", "")]).with_leading_options(GIT),
    code("git archive", "o", "exec remote format prefix output", &[("exec", "")]).with_leading_options(GIT),
    code("git send-email", "", "sendmail-cmd to cc from", &[("sendmail-cmd", "")]).with_leading_options(GIT),
    code("git push", "o", "receive-pack exec push-option repo", &[("receive-pack", ""), ("exec", "")]).with_leading_options(GIT),
    code("git grep", "OefABCm", "open-files-in-pager", &[("O", ""), ("open-files-in-pager", "")]).with_leading_options(GIT),
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
