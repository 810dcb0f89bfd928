//! Programs that no table knows, and what they may run. This file has tables.
//!
//! A program of unknown effect may be a wrapper: `with-prod terraform destroy`. Where its arguments contain a program
//! that could do harm, the words from there on are listed as a command that is assumed and not known to run.

use super::wrapper_table::rows_of;
use super::{Invocation, Stdin, Walker};
use crate::domain::shell::effects::has_file_role;
use crate::domain::shell::index::index_of;
use crate::domain::shell::option_table;
use crate::domain::shell::script::{Dialect, Word, program_name};

/// A row of programs, separated by blanks.
struct ProgramRow {
    programs: &'static str,
}

const fn row(programs: &'static str) -> ProgramRow {
    ProgramRow { programs }
}

index_of!(KNOWN_PROGRAMS, programs, b' ');

/// Programs that run none of their arguments as a command, or whose commands are followed elsewhere.
static KNOWN_PROGRAMS: &[ProgramRow] = &[
    // What prints, shows or looks up its arguments.
    row("echo printf print gecho gprintf say espeak espeak-ng cowsay figlet toilet banner lolcat boxes notify-send \
         terminal-notifier osascript logger log wall write mesg zenity kdialog dialog whiptail gum rofi dmenu fzf sk \
         man info apropos whatis tldr cheat navi howdoi explainshell help which whereis where whence type hash command \
         pgrep pidof ps top htop btop lsof fuser pstree watchman type-p test [ [[ : true false expr let seq factor yes \
         date cal sleep wait jobs fg bg disown history fc"),
    // What the shell itself offers.
    row("alias unalias abbr export declare typeset local readonly set unset shift getopts read readarray mapfile cd \
         pushd popd dirs pwd umask ulimit complete compgen compopt bind shopt setopt unsetopt autoload zstyle zmodload \
         bindkey return exit break continue source . trap times caller enable function functions emulate rehash"),
    // Searching, text and data.
    row("rg grep egrep fgrep zgrep ag ack ugrep ripgrep-all rga sift pt git-grep ast-grep sg semgrep comby fd fdfind \
         find locate mlocate plocate mdfind tree exa eza lsd ls dir vdir broot ranger nnn lf yazi tokei cloc scc loc \
         jq yq gojq jaq xq dasel miller mlr csvkit xsv qsv tr awk sed ctags etags cscope global basename dirname realpath \
         readlink tput stty clear reset uname hostname whoami id groups who w uptime free vmstat iostat dmesg arch nproc \
         getconf locale iconv uuidgen md5 base58 envsubst gettext column"),
    // Editors and viewers.
    row(
        "code code-insiders cursor windsurf subl atom zed emacs emacsclient nano micro helix hx kak joe pico ed vim vi \
         nvim gvim mvim idea pycharm webstorm goland rubymine xdg-open open start explorer",
    ),
    // Version control and forges.
    row(
        "git gh glab hub svn hg jj fossil bzr cvs darcs p4 sl tig lazygit gitui git-lfs git-crypt pre-commit lefthook \
         husky commitlint cz commitizen lint-staged git-cliff release-please semantic-release changeset jira linear bd \
         beads asana trello notion slack acli tea",
    ),
    // Packages.
    row(
        "npm pnpm yarn bun npx bunx deno node nodejs ncu npm-check-updates nvm fnm volta n corepack ni nr nlx pip pip3 \
         pipx poetry pdm hatch rye uv uvx conda mamba micromamba pixi pipenv virtualenv venv pyenv easy_install twine \
         flit python python2 python3 pypy pypy3 ipython jupyter gem bundle bundler rbenv rvm chruby asdf mise rtx aqua \
         tfenv tfswitch goenv jenv sdk sdkman rustup cargo go gofmt ghcup stack cabal opam mix hex rebar3 lein clj clojure \
         composer pecl pear cpan cpanm luarocks nuget dotnet mvn mvnw gradle gradlew sbt ant ivy bazel bazelisk buck2 \
         pants brew port fink apt apt-get apt-cache apt-mark aptitude dpkg dpkg-query dnf yum rpm zypper pacman yay paru \
         apk xbps-install emerge eopkg nix nix-env nix-shell nix-store nixos-rebuild home-manager guix snap flatpak choco \
         chocolatey scoop winget pkg pkgutil softwareupdate mas update-alternatives alternatives",
    ),
    // Building, testing and checking.
    row("make gmake bmake ninja cmake ctest meson scons just task go-task rake thor invoke inv fab nox tox poe doit \
         turbo nx lerna rush moon lage wireit gulp grunt jake mage earthly dagger act tilt skaffold garden bazel \
         gcc g++ cc c++ clang clang++ ld ar nm objdump strip rustc rustfmt clippy-driver javac java kotlinc kotlin scalac \
         scala swift swiftc xcodebuild xcrun tsc tsx ts-node esbuild vite rollup webpack parcel swc babel eslint prettier \
         biome oxlint dprint stylelint standard xo jest vitest mocha ava tap jasmine karma cypress playwright pytest \
         py.test nose2 unittest coverage ruff black flake8 pylint mypy pyright isort bandit yapf autopep8 bats shellspec \
         shellcheck shfmt hadolint yamllint actionlint markdownlint vale codespell cspell golangci-lint staticcheck \
         gotestsum ginkgo rspec rubocop standardrb brakeman phpunit pest phpstan psalm phpcs pint php-cs-fixer dart \
         flutter pub melos expo eas ng nest next nuxt astro remix gatsby svelte-kit storybook hugo jekyll mkdocs sphinx-build \
         mdbook typedoc dagger protoc buf sqlc ktlint detekt swiftlint swiftformat"),
    // Interpreters, servers and processes.
    row("perl ruby irb php lua luajit Rscript R julia octave ghc ghci runghc elixir iex erl racket guile sbcl tclsh \
         nginx apache2ctl httpd caddy gunicorn uvicorn hypercorn flask django-admin celery rails puma foreman overmind \
         hivemind pm2 forever supervisorctl systemctl service journalctl launchctl rc-service initctl crontab at atq \
         kill pkill killall xkill renice tmux screen zellij byobu"),
    // Agents and models.
    row("aider goose llm aichat ollama sgpt mods fabric cody copilot amp crush qwen \
         ruleward repomix files-to-prompt"),
    // Containers, clouds and their data, where `rm` is a word of their own.
    row("docker docker-compose podman podman-compose nerdctl finch buildah skopeo crane ctr crictl kind minikube k3d \
         kubectl oc k9s helm helmfile kustomize kubectx kubens stern argocd flux istioctl linkerd eksctl kops velero \
         terraform tofu terragrunt packer vault consul nomad boundary waypoint pulumi cdk cdktf sam sst serverless sls \
         aws awslocal eb ecs-cli copilot gcloud gsutil bq az azd func doctl linode-cli hcloud scw oci ibmcloud heroku fly \
         flyctl railway render vercel netlify wrangler firebase supabase amplify neonctl pscale turso mc s3cmd s5cmd rclone \
         restic borg duplicity kopia ipfs hdfs hadoop dvc lakefs databricks snow snowsql dbt adb fastboot vagrant multipass \
         lxc incus lima limactl colima orb ddev lando warden sail vboxmanage VBoxManage virsh qemu-img ansible \
         ansible-playbook ansible-galaxy salt puppet chef knife wp drush artisan symfony craft"),
    // Secrets, files and archives.
    row(
        "pass gopass op bw keepassxc-cli age sops gpg gpg2 openssl ssh-keygen ssh-add ssh-copy-id step mkcert certbot \
         chezmoi yadm stow dotbot rcm mackup tar gtar bsdtar zip unzip 7z 7za 7zz gzip gunzip bzip2 xz zstd lz4 rar unrar \
         cpio mkdir touch ln cp mv install rsync scp sftp lftp ftp curl wget aria2c http https xh httpx nc ncat \
         netcat socat telnet ping dig nslookup host whois traceroute mtr nmap ip ifconfig ss netstat tcpdump ffmpeg \
         ffprobe convert magick identify pandoc pdflatex latexmk xelatex wkhtmltopdf gs qpdf exiftool yt-dlp \
         entr fswatch inotifywait watchexec direnv zoxide autojump atuin starship",
    ),
];

/// Programs that could do harm with the words after them.
const HARMFUL_PROGRAMS: &str = "rm unlink shred srm wipe rimraf del-cli trash dd wipefs fdisk sfdisk sgdisk parted \
    blkdiscard truncate chmod chown find git gh terraform tofu terragrunt pulumi cdk serverless sst kubectl oc helm aws \
    gcloud gsutil az doctl heroku fly flyctl vercel netlify wrangler firebase supabase railway docker podman nerdctl \
    docker-compose psql mysql mariadb mongosh mongo redis-cli sqlite3 dropdb prisma knex sequelize typeorm alembic rails \
    rake goose dbmate flyway liquibase sudo doas su env nohup timeout nice xargs eval bash sh zsh dash ksh fish npx bunx \
    pnpm npm yarn uvx python python3 node perl ruby curl wget nc ncat ssh scp rsync cat head tail base64 tee crontab \
    systemctl launchctl kill pkill killall shutdown reboot halt poweroff iptables ufw userdel lvremove vgremove zpool zfs \
    cryptsetup eksctl restic rclone mc s3cmd twine";

/// Programs whose arguments are text, so that nothing after them runs.
const TEXT_PROGRAMS: &str = "echo printf man which type grep rg ag log say help explain";

impl Walker {
    /// Walks what a program of unknown effect may run from its arguments.
    pub(super) fn walk_possible_command(&mut self, program: &str, call: &Invocation) {
        // In a script, a name that is not known is mostly a function of another file.
        let is_followed = self.dialect == Dialect::Posix && self.assumed_by.is_none() && !self.file_budget.is_active();
        if !is_followed || call.words.len() < 3 || is_known(program) {
            return;
        }
        if call.words.first().is_some_and(|word| self.is_script_read(word)) {
            return;
        }
        let args = call.words.get(1..).unwrap_or_default();
        let Some(at) = args.iter().position(|word| is_one_of(HARMFUL_PROGRAMS, word) || is_one_of(TEXT_PROGRAMS, word))
        else {
            return;
        };
        let words = args.get(at..).unwrap_or_default();
        let is_harmful = words.len() > 1 && words.first().is_some_and(|word| !is_one_of(TEXT_PROGRAMS, word));
        if is_harmful {
            self.assumed_by = Some(program.to_owned());
            self.run_nested(words.to_vec(), program, call, Stdin::Inherited);
            self.assumed_by = None;
        }
    }
}

impl Walker {
    /// Walks the arguments of a service that has the name of a program, which its entry point may be:
    /// `docker compose run terraform destroy`.
    pub(super) fn walk_service(&mut self, label: &str, service: Option<&Word>, words: &[Word], call: &Invocation) {
        let Some(service) = service.filter(|service| is_one_of(HARMFUL_PROGRAMS, service)) else { return };
        let names_program = words.first().is_none_or(|word| is_known(program_name(&word.text)));
        if !names_program && self.assumed_by.is_none() && !self.file_budget.is_active() {
            let words = std::iter::once(service).chain(words).cloned().collect();
            self.assumed_by = Some(format!("{label} {}", service.text));
            self.run_nested(words, label, call, Stdin::Inherited);
            self.assumed_by = None;
        }
    }
}

/// Returns whether a table says what a program does.
fn is_known(program: &str) -> bool {
    let mut rows = INDEX.rows(program).filter_map(|row| KNOWN_PROGRAMS.get(row));
    rows.any(|row| row.programs.split_whitespace().any(|name| name == program))
        || option_table::find(program).is_some()
        || has_file_role(program)
        || rows_of(program).next().is_some()
        || is_harmful_name(program)
}

/// Returns whether a word is the name of a program in a list. A text with blanks is no name.
fn is_one_of(list: &str, word: &Word) -> bool {
    let name = program_name(&word.text);
    let is_name = word.literal && !word.glob && !name.is_empty() && !word.text.contains(char::is_whitespace);
    is_name
        && (list.split_whitespace().any(|known| known == name)
            || (list == HARMFUL_PROGRAMS && name.starts_with("mkfs")))
}

fn is_harmful_name(program: &str) -> bool {
    program.starts_with("mkfs") || HARMFUL_PROGRAMS.split_whitespace().any(|name| name == program)
}
