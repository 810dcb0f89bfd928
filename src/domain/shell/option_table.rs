//! Which options of which programs take a value. This file is a table.
//!
//! Only programs for which it matters are listed: those with operands that rules ask about, and with options whose
//! value could be mistaken for one.

use super::index::index_of;

/// The grammar of a program's options.
#[derive(Debug)]
pub(super) struct OptionSpec {
    /// The program, or several separated by commas, with subcommands after blanks.
    pub(super) path: &'static str,
    /// The letters of the options with a value.
    pub(super) short_with_value: &'static str,
    /// The long names of the options with a value, separated by blanks.
    pub(super) long_with_value: &'static str,
    /// All long names, where abbreviations are accepted and the full list is known.
    pub(super) long_names: &'static str,
    /// Letters and the long names that mean the same, as `r=recursive`.
    pub(super) aliases: &'static str,
    /// Whose grammar holds after the first operand.
    pub(super) subcommands: SubcommandMode,
    /// Whether long names are written with one dash.
    pub(super) single_dash_names: bool,
}

/// Whose grammar holds after the first operand of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SubcommandMode {
    /// Still the program's.
    None,
    /// That of the subcommand which the operand is.
    Subcommand,
    /// That of the subcommand, and the program's if it has no row.
    InheritedSubcommand,
    /// That of another program.
    ExternalCommand,
}

const fn spec(path: &'static str, short: &'static str, long: &'static str) -> OptionSpec {
    OptionSpec {
        path,
        short_with_value: short,
        long_with_value: long,
        long_names: "",
        aliases: "",
        subcommands: SubcommandMode::None,
        single_dash_names: false,
    }
}

index_of!(OPTION_SPECS, path, b',');

/// Returns the row of a program, with its subcommands.
pub(super) fn find(path: &str) -> Option<&'static OptionSpec> {
    let mut rows = INDEX.rows(path).filter_map(|row| OPTION_SPECS.get(row));
    rows.find(|row| row.path.split(',').any(|name| name == path))
}

impl OptionSpec {
    const fn with_long_names(self, names: &'static str) -> Self {
        Self { long_names: names, ..self }
    }

    const fn with_aliases(self, same: &'static str) -> Self {
        Self { aliases: same, ..self }
    }

    const fn with_subcommands(self) -> Self {
        Self { subcommands: SubcommandMode::Subcommand, ..self }
    }

    const fn with_inherited_subcommands(self) -> Self {
        Self { subcommands: SubcommandMode::InheritedSubcommand, ..self }
    }

    const fn with_external_command(self) -> Self {
        Self { subcommands: SubcommandMode::ExternalCommand, ..self }
    }

    const fn with_single_dash_names(self) -> Self {
        Self { single_dash_names: true, ..self }
    }

    /// Returns whether the first operand is a subcommand.
    pub(super) fn has_subcommands(&self) -> bool {
        matches!(self.subcommands, SubcommandMode::Subcommand | SubcommandMode::InheritedSubcommand)
    }
}

const DOCKER_RUN: &str = "add-host annotation attach blkio-weight cap-add cap-drop cgroup-parent cgroupns cidfile cpus \
    cpu-shares cpuset-cpus device dns entrypoint env env-file expose gpus group-add hostname ip ipc label label-file \
    link log-driver log-opt mac-address memory mount name network network-alias net pid pids-limit platform publish \
    pull restart runtime security-opt shm-size stop-signal stop-timeout storage-opt sysctl tmpfs ulimit user userns \
    uts volume volume-driver volumes-from workdir";

const CURL: &str = "output data data-ascii data-binary data-raw data-urlencode header request form form-string \
    upload-file user user-agent referer cookie cookie-jar config max-time write-out proxy connect-timeout cert key \
    cacert capath url-query url dump-header resolve retry retry-delay range limit-rate interface netrc-file json \
    output-dir unix-socket proto socks5 socks5-hostname oauth2-bearer aws-sigv4 trace trace-ascii stderr";

static OPTION_SPECS: &[OptionSpec] = &[
    // Files.
    spec("rm", "", "").with_long_names("force interactive one-file-system no-preserve-root preserve-root recursive dir verbose help version").with_aliases("r=recursive R=recursive f=force i=interactive d=dir v=verbose"),
    spec("rmdir", "", "").with_long_names("ignore-fail-on-non-empty parents verbose help version"),
    spec("cp,gcp", "tS", "target-directory suffix").with_long_names(
        "archive attributes-only backup copy-contents dereference force interactive link no-clobber no-dereference \
         no-target-directory one-file-system parents preserve no-preserve recursive reflink remove-destination sparse \
         strip-trailing-slashes suffix symbolic-link target-directory update verbose help version").with_aliases("r=recursive R=recursive f=force n=no-clobber a=archive t=target-directory"),
    spec("mv,gmv", "tS", "target-directory suffix").with_long_names(
        "backup force interactive no-clobber no-target-directory strip-trailing-slashes suffix target-directory update \
         verbose help version").with_aliases("f=force n=no-clobber t=target-directory"),
    spec("ln,gln", "tS", "target-directory suffix").with_aliases("f=force s=symbolic"),
    spec("install,ginstall", "mogtS", "mode owner group target-directory suffix"),
    spec("chmod", "", "reference").with_long_names("changes silent quiet verbose no-preserve-root preserve-root reference recursive help version").with_aliases("R=recursive f=quiet v=verbose"),
    spec("chown,chgrp", "", "from reference").with_long_names(
        "changes silent quiet verbose dereference no-dereference from no-preserve-root preserve-root reference recursive \
         help version").with_aliases("R=recursive h=no-dereference"),
    spec("mkdir", "m", "mode"),
    spec("touch", "drt", "date reference time"),
    spec("truncate", "sr", "size reference"),
    spec("shred", "ns", "iterations size random-source"),
    spec("head,tail", "nc", "lines bytes pid"),
    spec("cut", "dfcb", "delimiter fields characters bytes output-delimiter"),
    spec("sort", "koStT", "key output buffer-size field-separator temporary-directory parallel files0-from"),
    spec("uniq", "fsw", "skip-fields skip-chars check-chars"),
    spec("split", "abClnt", "suffix-length bytes lines number filter additional-suffix"),
    spec("od", "AjNStw", "address-radix skip-bytes read-bytes format"),
    spec("hexdump,hd", "efns", ""),
    spec("xxd", "clogns", ""),
    spec("base64,base32", "wio", "wrap input output"),
    spec("stat", "cf", "format printf"),
    spec("du,df", "dtBxX", "max-depth exclude block-size threshold"),
    spec("diff,cmp", "xXIUCWFSni", "exclude label"),
    spec("grep,egrep,fgrep,zgrep", "efmABCdD", "regexp file max-count include exclude exclude-dir after-context before-context context").with_aliases("r=recursive R=dereference-recursive i=ignore-case e=regexp f=file"),
    spec("rg,ag,ack", "egtTfmABCjMrEd", "regexp glob type file max-count max-depth replace after-context before-context context iglob pre"),
    spec("sed,gsed", "efls", "expression file line-length").with_aliases("i=in-place n=quiet e=expression f=file E=regexp-extended r=regexp-extended"),
    spec("awk,gawk,mawk,nawk", "fvFEi", "file assign field-separator"),
    spec("perl", "eEIMmCFx", "").with_external_command(),
    spec("jq,gojq,jaq,yq", "Lf", "from-file indent"),
    spec("eslint,prettier", "cf", "ext config format ignore-path ignore-pattern parser"),
    spec("open", "ab", ""),
    spec("tee", "", ""),
    spec("tar,gtar,bsdtar", "CfbHIFTXKLNVg", "directory file exclude exclude-from files-from transform owner group mode format use-compress-program listed-incremental newer").with_aliases("x=extract c=create t=list f=file C=directory"),
    spec("zip", "bntxi", "temp-path exclude include"),
    spec("unzip", "dxP", ""),
    spec("7z,7za,7zz", "", ""),
    spec("rsync", "efBTM", "rsh rsync-path exclude exclude-from include include-from filter files-from backup-dir suffix bwlimit chmod compare-dest link-dest log-file out-format partial-dir password-file port temp-dir timeout max-size min-size").with_aliases("a=archive r=recursive n=dry-run e=rsh z=compress"),
    spec("patch", "dioprVBDFgYz", "directory input output strip reject-file"),
    spec("dd", "", ""),
    spec("mount", "otLU", "options types label uuid source target"),
    spec("pandoc", "ofrtVMHBAc", "output from to read write metadata variable template defaults css"),
    spec("gcc,g++,cc,c++,clang,clang++", "o", "include isystem o x").with_single_dash_names(),
    spec("mail,mailx,mutt,neomutt", "abcrsieFHn", "attach"),
    spec("ed,ex", "pcS", ""),
    spec("vim,vi,nvim", "cStTuUwi", "cmd"),
    spec("find,gfind,bfs", "", "name iname path ipath wholename regex iregex type mtime atime ctime mmin amin newer maxdepth mindepth size user group uid gid perm links inum lname ilname samefile fstype printf fprintf fprint fprint0 fls regextype xtype").with_single_dash_names(),
    spec("fd,fdfind", "etEcdSjo", "extension type exclude max-depth min-depth size threads owner color base-directory"),
    // Nets.
    spec("curl", "odHXFTuAebcKmwxyYzEQrtCPDU", CURL).with_aliases("X=request d=data o=output H=header T=upload-file F=form k=insecure L=location u=user x=proxy O=remote-name s=silent f=fail"),
    spec("wget", "OoaiBtTwQPUeD", "output-document output-file append-output input-file tries timeout wait quota directory-prefix user-agent header post-data post-file body-data body-file method user password execute domains").with_aliases("O=output-document P=directory-prefix q=quiet r=recursive"),
    spec("http,https,xh", "aAo", "auth auth-type output session timeout proxy"),
    spec("ssh", "bcDEeFIiJLlmOopPQRSWwB", "").with_external_command(),
    spec("scp,sftp", "cFiJloPSXbBDR", ""),
    spec("nc,ncat,netcat", "eiImOoPpqsTVwXx", "exec source-port"),
    spec("openssl", "", "in out key inkey pass passin passout keyout days subj config md k kfile connect servername cert CAfile").with_single_dash_names(),
    spec("gpg", "ruo", "recipient local-user output homedir passphrase passphrase-file"),
    spec("aws", "", "profile region output endpoint-url query bucket key prefix function-name instance-ids stack-name").with_inherited_subcommands(),
    spec("gcloud", "", "project zone region account format configuration").with_inherited_subcommands(),
    spec("az", "gnos", "resource-group name output subscription query").with_inherited_subcommands(),
    spec("gh", "RtbBHFaAlmXfq", "repo title body base head body-file assignee label milestone method field raw-field header jq template").with_inherited_subcommands().with_aliases("R=repo X=method f=raw-field F=field"),
    spec("psql,pg_dump,pg_restore,dropdb,createdb", "cdfhpUvoFLPRTnt", "command dbname file host port username set output table schema").with_aliases("c=command f=file d=dbname h=host U=username p=port"),
    spec("mysql,mysqldump,mysqladmin,mariadb", "ehuPDS", "execute host user port database socket"),
    spec("redis-cli", "hpanusix", ""),
    spec("sqlite3", "", "cmd init separator").with_single_dash_names(),
    spec("flask", "Ae", "app env-file"),
    spec("alembic", "cxn", "config name"),
    spec("manage.py,django-admin,django", "v", "settings pythonpath verbosity database"),
    spec("knex,knexjs,knex-migrate", "", "env knexfile cwd client connection migrations-directory"),
    spec("prisma,drizzle-kit,mikro-orm,typeorm,sequelize,sequelize-cli", "d", "schema config dataSource env url options-path"),
    spec("supabase,hasura,dbmate,sea-orm-cli,atlas", "deuspn", "workdir project endpoint env url db-url migrations-dir schema-file database-url profile database-name"),
    spec("migrate,golang-migrate", "", "path database source prefetch lock-timeout").with_single_dash_names(),
    spec("goose", "", "dir table env").with_single_dash_names(),
    spec("sqitch", "Cfh", "chdir plan-file target engine registry"),
    spec("celery,kcat", "ACb", "app config broker workdir"),
    spec("mongo,mongosh", "up", "eval host port username password file"),
    // Containers and infrastructure.
    spec("docker,podman,nerdctl", "Hcl", "host context config log-level tlscacert tlscert tlskey").with_subcommands(),
    spec("docker run,podman run,nerdctl run,docker create", "acehlmpuvw", DOCKER_RUN).with_aliases("v=volume e=env u=user w=workdir p=publish d=detach i=interactive t=tty"),
    spec("docker exec,podman exec,nerdctl exec", "euw", "env env-file user workdir detach-keys"),
    spec("docker build,podman build", "tf", "tag file build-arg target platform label network secret ssh cache-from cache-to output"),
    spec("docker compose", "fp", "file project-name profile env-file project-directory parallel").with_inherited_subcommands().with_aliases("f=file p=project-name v=volumes"),
    spec("docker-compose", "fp", "file project-name profile env-file project-directory").with_aliases("f=file p=project-name v=volumes"),
    spec("docker volume ls,docker network ls,docker image ls,docker container ls", "f", "filter format"),
    spec("docker rm,docker rmi,docker volume,docker system,docker network,docker image,docker container", "", "filter").with_aliases("f=force a=all v=volumes"),
    spec("docker compose rm", "", "").with_aliases("f=force s=stop v=volumes"),
    spec("docker logs", "n", "since tail until"),
    spec("docker ps,docker images", "fn", "filter format last"),
    spec("kubectl,oc,k", "nsflocv", "namespace context cluster kubeconfig server user token as as-group filename output selector container field-selector image replicas grace-period timeout kustomize request-timeout type").with_aliases("n=namespace f=filename A=all-namespaces l=selector o=output R=recursive"),
    spec("helm", "nfo", "namespace kube-context kubeconfig values set set-string version output timeout repo"),
    spec("terraform,tofu,terragrunt", "", "var var-file target backend-config state out lock-timeout parallelism replace").with_single_dash_names(),
    spec("pulumi", "sC", "stack cwd config"),
    spec("ansible,ansible-playbook", "ieutlmaM", "inventory extra-vars user tags limit module-name args"),
    spec("vagrant", "c", "command"),
    spec("systemctl", "nopstHM", "lines output property signal state type host machine"),
    spec("kill,pkill,killall", "snuUgGPt", "signal"),
    spec("crontab", "u", ""),
    // Builds and packages.
    spec("make,gmake", "CfIjloW", "directory file makefile include-dir jobs old-file assume-old what-if").with_aliases("C=directory f=file n=dry-run"),
    spec("npm", "wC", "prefix registry workspace tag otp userconfig cache loglevel").with_inherited_subcommands().with_aliases("g=global w=workspace f=force D=save-dev"),
    spec("pnpm", "CF", "dir filter registry tag").with_inherited_subcommands(),
    spec("yarn", "", "cwd registry tag").with_inherited_subcommands(),
    spec("npx,bunx", "pcw", "package call workspace prefix loglevel registry").with_external_command(),
    spec("pip,pip3", "rcietd", "requirement constraint editable index-url extra-index-url target python find-links log").with_inherited_subcommands(),
    spec("uv", "p", "python directory project").with_inherited_subcommands(),
    spec("cargo", "pjFZ", "manifest-path package features target target-dir bin example test bench jobs profile color config message-format registry token index git branch tag rev version root path").with_inherited_subcommands(),
    spec("go", "", "run count tags timeout o C bench benchtime mod ldflags gcflags coverprofile p").with_single_dash_names(),
    spec("mvn,mvnw,gradle,gradlew", "fplPDsTbIc", "file projects").with_subcommands(),
    spec("java", "", "jar cp classpath").with_single_dash_names(),
    spec("brew,apt,apt-get,dnf,yum,pacman", "o", "option").with_aliases("y=yes f=force q=quiet o=option"),
    // Interpreters and wrappers, whose words after the first operand are another program's.
    spec("python,python2,python3,pypy,pypy3", "cmWX", "").with_external_command(),
    spec("node,nodejs,deno,bun", "epr", "eval print require import loader").with_external_command(),
    spec("ruby,irb", "eICrEFx", "").with_external_command(),
    spec("php", "rfdcz", "").with_external_command(),
    spec("lua,luajit", "el", "").with_external_command(),
    spec("osascript", "els", "").with_external_command(),
    spec("bash,sh,zsh,dash,ksh,ash,fish", "coO", "rcfile init-file").with_external_command(),
    spec("sudo,doas", "ACDgGhpRrtTUuc", "user group prompt chdir chroot host").with_external_command().with_aliases("u=user g=group i=login s=shell E=preserve-env n=non-interactive"),
    spec("env", "uCSPLU", "unset chdir split-string").with_external_command(),
    spec("xargs", "IiLlnPsEead", "replace max-args max-procs max-chars max-lines eof delimiter arg-file").with_external_command(),
    spec("parallel,sem,parallel.moreutils,rust-parallel,rush", "jIaSnNLDE", "jobs arg-file colsep delimiter max-args results joblog sshlogin sshloginfile ssh timeout retries halt tmpdir workdir wd delay load memfree memsuspend nice id semaphorename rpl profile env block recstart recend limit transferfile return basefile tagstring shellquote-with").with_external_command(),
    spec("nohup,setsid,stdbuf,command,builtin,exec,time", "ioefa", "").with_external_command(),
    spec("nice,ionice,timeout,watch", "nksc", "adjustment kill-after signal interval").with_external_command(),
    spec("su,runuser", "cgGsw", "command shell group"),
    // Version control.
    spec("git", "Cc", "git-dir work-tree namespace exec-path super-prefix config-env").with_subcommands(),
    spec("git add", "", "chmod pathspec-from-file").with_long_names(
        "verbose dry-run force interactive patch edit all no-all ignore-removal no-ignore-removal update sparse \
         intent-to-add refresh ignore-errors ignore-missing renormalize chmod pathspec-from-file pathspec-file-nul").with_aliases("A=all f=force p=patch u=update n=dry-run"),
    spec("git commit", "mFCct", "message file author date template cleanup fixup squash reuse-message reedit-message trailer").with_long_names(
        "all patch reuse-message reedit-message fixup squash reset-author short branch porcelain long null file author \
         date message template signoff no-signoff trailer no-verify verify allow-empty allow-empty-message cleanup edit \
         no-edit amend no-post-rewrite include only pathspec-from-file pathspec-file-nul untracked-files verbose quiet \
         dry-run status no-status gpg-sign no-gpg-sign").with_aliases("n=no-verify a=all m=message F=file C=reuse-message p=patch"),
    spec("git push", "o", "push-option repo receive-pack exec").with_long_names(
        "all branches prune mirror dry-run porcelain delete tags follow-tags signed no-signed atomic no-atomic \
         push-option receive-pack exec force-with-lease no-force-with-lease force force-if-includes \
         no-force-if-includes repo set-upstream thin no-thin quiet verbose progress recurse-submodules \
         no-recurse-submodules verify no-verify ipv4 ipv6").with_aliases("f=force d=delete n=dry-run u=set-upstream o=push-option q=quiet"),
    spec("git rm", "", "").with_aliases("f=force n=dry-run q=quiet"),
    spec("git pull", "sXj", "strategy strategy-option depth jobs upload-pack"),
    spec("git fetch", "j", "depth deepen shallow-since shallow-exclude jobs refmap upload-pack negotiation-tip"),
    spec("git clone", "bcoju", "branch config origin jobs upload-pack depth reference template separate-git-dir filter server-option"),
    spec("git reset", "", "pathspec-from-file").with_long_names(
        "quiet soft mixed hard merge keep recurse-submodules no-recurse-submodules patch intent-to-add \
         pathspec-from-file pathspec-file-nul refresh no-refresh"),
    spec("git clean", "e", "exclude").with_long_names("force interactive dry-run quiet exclude").with_aliases("f=force n=dry-run i=interactive e=exclude q=quiet"),
    spec("git checkout", "bB", "orphan conflict pathspec-from-file").with_long_names(
        "quiet progress no-progress force ours theirs detach track no-track guess no-guess orphan \
         ignore-skip-worktree-bits merge conflict patch ignore-other-worktrees overwrite-ignore no-overwrite-ignore \
         recurse-submodules no-recurse-submodules overlay no-overlay pathspec-from-file pathspec-file-nul").with_aliases("f=force q=quiet d=detach m=merge p=patch t=track"),
    spec("git switch", "cC", "create force-create orphan conflict").with_long_names(
        "create force-create detach guess no-guess force discard-changes merge conflict quiet progress no-progress \
         track no-track orphan ignore-other-worktrees recurse-submodules no-recurse-submodules").with_aliases("c=create C=force-create f=force d=detach"),
    spec("git restore", "s", "source conflict pathspec-from-file").with_long_names(
        "source patch worktree staged quiet progress no-progress ours theirs merge conflict ignore-unmerged \
         ignore-skip-worktree-bits recurse-submodules no-recurse-submodules overlay no-overlay pathspec-from-file \
         pathspec-file-nul").with_aliases("s=source S=staged W=worktree p=patch"),
    spec("git branch", "u", "set-upstream-to sort format").with_long_names(
        "delete create-reflog force move copy color no-color ignore-case omit-empty column no-column remotes all list \
         show-current verbose quiet abbrev no-abbrev track no-track recurse-submodules set-upstream set-upstream-to \
         unset-upstream edit-description contains no-contains merged no-merged sort points-at format").with_aliases("d=delete f=force m=move c=copy r=remotes a=all u=set-upstream-to"),
    spec("git tag", "mFun", "message file local-user sort format cleanup").with_aliases("d=delete f=force a=annotate s=sign m=message"),
    spec("git merge", "msXF", "strategy strategy-option message file cleanup into-name"),
    spec("git rebase", "xXsC", "onto exec strategy strategy-option"),
    spec("git cherry-pick,git revert", "mXS", "mainline strategy strategy-option cleanup"),
    spec("git stash", "m", "message pathspec-from-file").with_aliases("u=include-untracked a=all m=message p=patch"),
    spec("git log,git diff,git show,git shortlog,git whatchanged", "nGSLOl", "since until after before author committer grep max-count skip format pretty output"),
    spec("git grep", "eABCfmO", "max-depth max-count"),
    spec("git blame", "LS", "since"),
    spec("git config", "f", "file blob type default"),
    spec("git worktree", "bB", "reason"),
    spec("git remote", "tm", ""),
    spec("git archive", "o", "output format prefix remote exec"),
    spec("git checkout-index", "", "prefix stage"),
    spec("git format-patch", "o", "output-directory output start-number subject-prefix"),
    spec("git apply,git am", "pC", "directory exclude include"),
    spec("git submodule", "b", "branch name reference depth jobs"),
    spec("git filter-branch,git filter-repo", "d", "env-filter tree-filter index-filter parent-filter msg-filter commit-filter tag-name-filter path subdirectory-filter"),
    spec("lftp", "ufepc", "user port"),
    spec("svn,hg", "mrR", "message revision"),
];
