//! Which options of which programs take a value. This file is a table.
//!
//! Only programs are listed for which it matters: those with operands that rules ask about, and with
//! options whose value could be taken for one.

use super::index::index_of;

/// The grammar of a program's options.
#[derive(Debug)]
pub(super) struct Row {
    /// The program, or several separated by commas, with subcommands behind blanks.
    pub(super) path: &'static str,
    /// The letters of the options with a value.
    pub(super) short: &'static str,
    /// The long names of the options with a value, separated by blanks.
    pub(super) long: &'static str,
    /// All long names, where abbreviations are accepted and the full list is known.
    pub(super) names: &'static str,
    /// Letters and the long names that mean the same, as `r=recursive`.
    pub(super) same: &'static str,
    /// Whose grammar holds behind the first operand.
    pub(super) behind: Behind,
    /// Whether long names are written with one dash.
    pub(super) words: bool,
}

/// Whose grammar holds behind the first operand of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Behind {
    /// Still the program's.
    Same,
    /// That of the subcommand which the operand is.
    Subcommand,
    /// That of the subcommand, and the program's if it has no row.
    Inheritor,
    /// That of another program.
    Foreign,
}

const fn row(path: &'static str, short: &'static str, long: &'static str) -> Row {
    Row { path, short, long, names: "", same: "", behind: Behind::Same, words: false }
}

index_of!(TABLE, path, b',');

/// Returns the row of a program, with its subcommands.
pub(super) fn find(path: &str) -> Option<&'static Row> {
    let mut rows = INDEX.rows(path).filter_map(|row| TABLE.get(row));
    rows.find(|row| row.path.split(',').any(|name| name == path))
}

impl Row {
    const fn named(self, names: &'static str) -> Self {
        Self { names, ..self }
    }

    const fn same(self, same: &'static str) -> Self {
        Self { same, ..self }
    }

    const fn subcommands(self) -> Self {
        Self { behind: Behind::Subcommand, ..self }
    }

    const fn inherited(self) -> Self {
        Self { behind: Behind::Inheritor, ..self }
    }

    const fn stops(self) -> Self {
        Self { behind: Behind::Foreign, ..self }
    }

    const fn words(self) -> Self {
        Self { words: true, ..self }
    }

    /// Tells whether the first operand is a subcommand.
    pub(super) fn has_subcommands(&self) -> bool {
        matches!(self.behind, Behind::Subcommand | Behind::Inheritor)
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

static TABLE: &[Row] = &[
    // Files.
    row("rm", "", "").named("force interactive one-file-system no-preserve-root preserve-root recursive dir verbose help version").same("r=recursive R=recursive f=force i=interactive d=dir v=verbose"),
    row("rmdir", "", "").named("ignore-fail-on-non-empty parents verbose help version"),
    row("cp,gcp", "tS", "target-directory suffix").named(
        "archive attributes-only backup copy-contents dereference force interactive link no-clobber no-dereference \
         no-target-directory one-file-system parents preserve no-preserve recursive reflink remove-destination sparse \
         strip-trailing-slashes suffix symbolic-link target-directory update verbose help version").same("r=recursive R=recursive f=force n=no-clobber a=archive t=target-directory"),
    row("mv,gmv", "tS", "target-directory suffix").named(
        "backup force interactive no-clobber no-target-directory strip-trailing-slashes suffix target-directory update \
         verbose help version").same("f=force n=no-clobber t=target-directory"),
    row("ln,gln", "tS", "target-directory suffix").same("f=force s=symbolic"),
    row("install,ginstall", "mogtS", "mode owner group target-directory suffix"),
    row("chmod", "", "reference").named("changes silent quiet verbose no-preserve-root preserve-root reference recursive help version").same("R=recursive f=quiet v=verbose"),
    row("chown,chgrp", "", "from reference").named(
        "changes silent quiet verbose dereference no-dereference from no-preserve-root preserve-root reference recursive \
         help version").same("R=recursive h=no-dereference"),
    row("mkdir", "m", "mode"),
    row("touch", "drt", "date reference time"),
    row("truncate", "sr", "size reference"),
    row("shred", "ns", "iterations size random-source"),
    row("head,tail", "nc", "lines bytes pid"),
    row("cut", "dfcb", "delimiter fields characters bytes output-delimiter"),
    row("sort", "koStT", "key output buffer-size field-separator temporary-directory parallel files0-from"),
    row("uniq", "fsw", "skip-fields skip-chars check-chars"),
    row("split", "abClnt", "suffix-length bytes lines number filter additional-suffix"),
    row("od", "AjNStw", "address-radix skip-bytes read-bytes format"),
    row("hexdump,hd", "efns", ""),
    row("xxd", "clogns", ""),
    row("base64,base32", "wio", "wrap input output"),
    row("stat", "cf", "format printf"),
    row("du,df", "dtBxX", "max-depth exclude block-size threshold"),
    row("diff,cmp", "xXIUCWFSni", "exclude label"),
    row("grep,egrep,fgrep,zgrep", "efmABCdD", "regexp file max-count include exclude exclude-dir after-context before-context context").same("r=recursive R=dereference-recursive i=ignore-case e=regexp f=file"),
    row("rg,ag,ack", "egtTfmABCjMrEd", "regexp glob type file max-count max-depth replace after-context before-context context iglob pre"),
    row("sed,gsed", "efls", "expression file line-length").same("i=in-place n=quiet e=expression f=file E=regexp-extended r=regexp-extended"),
    row("awk,gawk,mawk,nawk", "fvFEi", "file assign field-separator"),
    row("perl", "eEIMmCFx", "").stops(),
    row("jq,gojq,jaq,yq", "Lf", "from-file indent"),
    row("eslint,prettier", "cf", "ext config format ignore-path ignore-pattern parser"),
    row("open", "ab", ""),
    row("tee", "", ""),
    row("tar,gtar,bsdtar", "CfbHIFTXKLNVg", "directory file exclude exclude-from files-from transform owner group mode format use-compress-program listed-incremental newer").same("x=extract c=create t=list f=file C=directory"),
    row("zip", "bntxi", "temp-path exclude include"),
    row("unzip", "dxP", ""),
    row("7z,7za,7zz", "", ""),
    row("rsync", "efBTM", "rsh rsync-path exclude exclude-from include include-from filter files-from backup-dir suffix bwlimit chmod compare-dest link-dest log-file out-format partial-dir password-file port temp-dir timeout max-size min-size").same("a=archive r=recursive n=dry-run e=rsh z=compress"),
    row("patch", "dioprVBDFgYz", "directory input output strip reject-file"),
    row("dd", "", ""),
    row("mount", "otLU", "options types label uuid source target"),
    row("pandoc", "ofrtVMHBAc", "output from to read write metadata variable template defaults css"),
    row("gcc,g++,cc,c++,clang,clang++", "o", "include isystem o x").words(),
    row("mail,mailx,mutt,neomutt", "abcrsieFHn", "attach"),
    row("ed,ex", "pcS", ""),
    row("vim,vi,nvim", "cStTuUwi", "cmd"),
    row("find,gfind,bfs", "", "name iname path ipath wholename regex iregex type mtime atime ctime mmin amin newer maxdepth mindepth size user group uid gid perm links inum lname ilname samefile fstype printf fprintf fprint regextype xtype").words(),
    row("fd,fdfind", "etEcdSjo", "extension type exclude max-depth min-depth size threads owner color base-directory"),
    // Nets.
    row("curl", "odHXFTuAebcKmwxyYzEQrtCPDU", CURL).same("X=request d=data o=output H=header T=upload-file F=form k=insecure L=location u=user x=proxy O=remote-name s=silent f=fail"),
    row("wget", "OoaiBtTwQPUeD", "output-document output-file append-output input-file tries timeout wait quota directory-prefix user-agent header post-data post-file body-data body-file method user password execute domains").same("O=output-document P=directory-prefix q=quiet r=recursive"),
    row("http,https,xh", "aAo", "auth auth-type output session timeout proxy"),
    row("ssh", "bcDEeFIiJLlmOopPQRSWwB", "").stops(),
    row("scp,sftp", "cFiJloPSXbBDR", ""),
    row("nc,ncat,netcat", "eiIlmOoPpqsTVwXx", "exec source-port"),
    row("openssl", "", "in out key inkey pass passin passout keyout days subj config md k kfile connect servername cert CAfile").words(),
    row("gpg", "ruo", "recipient local-user output homedir passphrase passphrase-file"),
    row("aws", "", "profile region output endpoint-url query bucket key prefix function-name instance-ids stack-name").inherited(),
    row("gcloud", "", "project zone region account format configuration").inherited(),
    row("az", "gnos", "resource-group name output subscription query").inherited(),
    row("gh", "RtbBHFaAlmXfq", "repo title body base head body-file assignee label milestone method field raw-field header jq template").inherited().same("R=repo X=method f=raw-field F=field"),
    row("psql,pg_dump,pg_restore,dropdb,createdb", "cdfhpUvoFLPRTnt", "command dbname file host port username set output table schema").same("c=command f=file d=dbname h=host U=username p=port"),
    row("mysql,mysqldump,mysqladmin,mariadb", "ehuPDS", "execute host user port database socket"),
    row("redis-cli", "hpanusix", ""),
    row("sqlite3", "", "cmd init separator").words(),
    row("mongo,mongosh", "up", "eval host port username password file"),
    // Containers and infrastructure.
    row("docker,podman,nerdctl", "Hcl", "host context config log-level tlscacert tlscert tlskey").subcommands(),
    row("docker run,podman run,nerdctl run,docker create", "acehlmpuvw", DOCKER_RUN).same("v=volume e=env u=user w=workdir p=publish d=detach i=interactive t=tty"),
    row("docker exec,podman exec,nerdctl exec", "euw", "env env-file user workdir detach-keys"),
    row("docker build,podman build", "tf", "tag file build-arg target platform label network secret ssh cache-from cache-to output"),
    row("docker compose", "fp", "file project-name profile env-file project-directory parallel").inherited().same("f=file p=project-name v=volumes"),
    row("docker-compose", "fp", "file project-name profile env-file project-directory").same("f=file p=project-name v=volumes"),
    row("docker volume ls,docker network ls,docker image ls,docker container ls", "f", "filter format"),
    row("docker rm,docker rmi,docker volume,docker system,docker network,docker image,docker container", "", "filter").same("f=force a=all v=volumes"),
    row("docker compose rm", "", "").same("f=force s=stop v=volumes"),
    row("docker logs", "n", "since tail until"),
    row("docker ps,docker images", "fn", "filter format last"),
    row("kubectl,oc,k", "nsflocv", "namespace context cluster kubeconfig server user token as as-group filename output selector container field-selector image replicas grace-period timeout kustomize request-timeout type").same("n=namespace f=filename A=all-namespaces l=selector o=output R=recursive"),
    row("helm", "nfo", "namespace kube-context kubeconfig values set set-string version output timeout repo"),
    row("terraform,tofu,terragrunt", "", "var var-file target backend-config state out lock-timeout parallelism replace").words(),
    row("pulumi", "sC", "stack cwd config"),
    row("ansible,ansible-playbook", "ieutlmaM", "inventory extra-vars user tags limit module-name args"),
    row("vagrant", "c", "command"),
    row("systemctl", "nopstHM", "lines output property signal state type host machine"),
    row("kill,pkill,killall", "snuUgGPt", "signal"),
    row("crontab", "u", ""),
    // Builds and packages.
    row("make,gmake", "CfIjloW", "directory file makefile include-dir jobs old-file assume-old what-if").same("C=directory f=file n=dry-run"),
    row("npm", "wC", "prefix registry workspace tag otp userconfig cache loglevel").inherited().same("g=global w=workspace f=force D=save-dev"),
    row("pnpm", "CF", "dir filter registry tag").inherited(),
    row("yarn", "", "cwd registry tag").inherited(),
    row("npx,bunx", "pcw", "package call workspace").stops(),
    row("pip,pip3", "rcietd", "requirement constraint editable index-url extra-index-url target python find-links log").inherited(),
    row("uv", "p", "python directory project").inherited(),
    row("cargo", "pjFZ", "manifest-path package features target target-dir bin example test bench jobs profile color config message-format registry token index git branch tag rev version root path").inherited(),
    row("go", "", "run count tags timeout o C bench benchtime mod ldflags gcflags coverprofile p").words(),
    row("mvn,mvnw,gradle,gradlew", "fplPDsTbIc", "file projects").subcommands(),
    row("java", "", "jar cp classpath").words(),
    row("brew,apt,apt-get,dnf,yum,pacman", "o", "option").same("y=yes f=force q=quiet o=option"),
    // Interpreters and wrappers, whose words behind the first operand are another program's.
    row("python,python2,python3,pypy,pypy3", "cmWX", "").stops(),
    row("node,nodejs,deno,bun", "epr", "eval print require import loader").stops(),
    row("ruby,irb", "eICrEFx", "").stops(),
    row("php", "rfdcz", "").stops(),
    row("lua,luajit", "el", "").stops(),
    row("osascript", "els", "").stops(),
    row("bash,sh,zsh,dash,ksh,ash,fish", "coO", "rcfile init-file").stops(),
    row("sudo,doas", "ACDgGhpRrtTUuc", "user group prompt chdir chroot host").stops().same("u=user g=group i=login s=shell E=preserve-env n=non-interactive"),
    row("env", "uCS", "unset chdir split-string").stops(),
    row("xargs", "IiLlnPsEead", "replace max-args max-procs max-chars max-lines eof delimiter arg-file").stops(),
    row("parallel,sem", "jIaSnNLDE", "jobs arg-file colsep delimiter max-args results joblog sshlogin timeout retries halt tmpdir workdir delay load memfree").stops(),
    row("nohup,setsid,stdbuf,command,builtin,exec,time", "ioefa", "").stops(),
    row("nice,ionice,timeout,watch", "nksc", "adjustment kill-after signal interval").stops(),
    row("su,runuser", "cgGsw", "command shell group"),
    // Version control.
    row("git", "Cc", "git-dir work-tree namespace exec-path super-prefix config-env").subcommands(),
    row("git add", "", "chmod pathspec-from-file").named(
        "verbose dry-run force interactive patch edit all no-all ignore-removal no-ignore-removal update sparse \
         intent-to-add refresh ignore-errors ignore-missing renormalize chmod pathspec-from-file pathspec-file-nul").same("A=all f=force p=patch u=update n=dry-run"),
    row("git commit", "mFCct", "message file author date template cleanup fixup squash reuse-message reedit-message trailer").named(
        "all patch reuse-message reedit-message fixup squash reset-author short branch porcelain long null file author \
         date message template signoff no-signoff trailer no-verify verify allow-empty allow-empty-message cleanup edit \
         no-edit amend no-post-rewrite include only pathspec-from-file pathspec-file-nul untracked-files verbose quiet \
         dry-run status no-status gpg-sign no-gpg-sign").same("n=no-verify a=all m=message F=file C=reuse-message p=patch"),
    row("git push", "o", "push-option repo receive-pack exec").named(
        "all branches prune mirror dry-run porcelain delete tags follow-tags signed no-signed atomic no-atomic \
         push-option receive-pack exec force-with-lease no-force-with-lease force force-if-includes \
         no-force-if-includes repo set-upstream thin no-thin quiet verbose progress recurse-submodules \
         no-recurse-submodules verify no-verify ipv4 ipv6").same("f=force d=delete n=dry-run u=set-upstream o=push-option q=quiet"),
    row("git rm", "", "").same("f=force n=dry-run q=quiet"),
    row("git pull", "sXj", "strategy strategy-option depth jobs upload-pack"),
    row("git fetch", "j", "depth deepen shallow-since shallow-exclude jobs refmap upload-pack negotiation-tip"),
    row("git clone", "bcoju", "branch config origin jobs upload-pack depth reference template separate-git-dir filter server-option"),
    row("git reset", "", "pathspec-from-file").named(
        "quiet soft mixed hard merge keep recurse-submodules no-recurse-submodules patch intent-to-add \
         pathspec-from-file pathspec-file-nul refresh no-refresh"),
    row("git clean", "e", "exclude").named("force interactive dry-run quiet exclude").same("f=force n=dry-run i=interactive e=exclude q=quiet"),
    row("git checkout", "bB", "orphan conflict pathspec-from-file").named(
        "quiet progress no-progress force ours theirs detach track no-track guess no-guess orphan \
         ignore-skip-worktree-bits merge conflict patch ignore-other-worktrees overwrite-ignore no-overwrite-ignore \
         recurse-submodules no-recurse-submodules overlay no-overlay pathspec-from-file pathspec-file-nul").same("f=force q=quiet d=detach m=merge p=patch t=track"),
    row("git switch", "cC", "create force-create orphan conflict").named(
        "create force-create detach guess no-guess force discard-changes merge conflict quiet progress no-progress \
         track no-track orphan ignore-other-worktrees recurse-submodules no-recurse-submodules").same("c=create C=force-create f=force d=detach"),
    row("git restore", "s", "source conflict pathspec-from-file").named(
        "source patch worktree staged quiet progress no-progress ours theirs merge conflict ignore-unmerged \
         ignore-skip-worktree-bits recurse-submodules no-recurse-submodules overlay no-overlay pathspec-from-file \
         pathspec-file-nul").same("s=source S=staged W=worktree p=patch"),
    row("git branch", "u", "set-upstream-to sort format").named(
        "delete create-reflog force move copy color no-color ignore-case omit-empty column no-column remotes all list \
         show-current verbose quiet abbrev no-abbrev track no-track recurse-submodules set-upstream set-upstream-to \
         unset-upstream edit-description contains no-contains merged no-merged sort points-at format").same("d=delete f=force m=move c=copy r=remotes a=all u=set-upstream-to"),
    row("git tag", "mFun", "message file local-user sort format cleanup").same("d=delete f=force a=annotate s=sign m=message"),
    row("git merge", "msXF", "strategy strategy-option message file cleanup into-name"),
    row("git rebase", "xXsC", "onto exec strategy strategy-option"),
    row("git cherry-pick,git revert", "mXS", "mainline strategy strategy-option cleanup"),
    row("git stash", "m", "message pathspec-from-file").same("u=include-untracked a=all m=message p=patch"),
    row("git log,git diff,git show,git shortlog,git whatchanged", "nGSLOl", "since until after before author committer grep max-count skip format pretty output"),
    row("git grep", "eABCfmO", "max-depth max-count"),
    row("git blame", "LS", "since"),
    row("git config", "f", "file blob type default"),
    row("git worktree", "bB", "reason"),
    row("git remote", "tm", ""),
    row("git archive", "o", "output format prefix remote exec"),
    row("git apply,git am", "pC", "directory exclude include"),
    row("git submodule", "b", "branch name reference depth jobs"),
    row("git filter-branch,git filter-repo", "d", "env-filter tree-filter index-filter parent-filter msg-filter commit-filter tag-name-filter path subdirectory-filter"),
    row("svn,hg", "mrR", "message revision"),
];
