//! The table of commands of git and of the programs of its hosts.

use super::super::row::{Check, Operands, Row, row};
use Operands::{Checked, Names, None, Subcommand, Text};

/// Options of what commits are shown and how.
const LOG: &str = "-# -n=N -p -u -s --patch --oneline --graph --decorate=? --all --stat=? --name-only --name-status --shortstat --numstat --summary --format= --pretty=? --date= --since= --until= --after= --before= --author= --committer= --grep= -i -E -F -S= -G= --merges --no-merges --first-parent --reverse --follow --max-count=N --skip=N --abbrev-commit --abbrev=? --no-color --color=? --no-decorate --cherry-pick --cherry-mark --left-right --ancestry-path --topo-order --date-order --author-date-order --branches=? --tags=? --remotes=? --no-patch --unified=N -U=N -w -b --ignore-all-space --ignore-space-change --diff-filter= --no-ext-diff --no-textconv --no-renames -M -C --find-renames=? --full-history --simplify-by-decoration --walk-reflogs -g --source --parents --children --boundary --no-walk --show-pulls --invert-grep --all-match --no-notes --relative-date --compact-summary --word-diff=? --full-index --no-prefix --binary --minimal --patience --histogram --exit-code --quiet -q --text --root -z --no-mailmap --no-merge-base";

/// Options of differences.
const DIFF: &str = "-# -p -u -s --patch --stat=? --name-only --name-status --shortstat --numstat --summary --dirstat=? --cached --staged --check --quiet -q --exit-code --no-color --color=? --word-diff=? -w -b --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-space-at-eol --diff-filter= --unified=N -U=N --no-ext-diff --no-textconv --no-renames -M -C --find-renames=? --merge-base --relative --no-prefix --full-index --binary --minimal --patience --histogram --raw --compact-summary --no-patch --function-context -W --abbrev=? -z --text -S= -G= --pickaxe-regex -R --submodule=short|log --ignore-submodules=? --ours --theirs --base -r --root --no-commit-id --pretty=? --format= -m -c --cc --always -t";

const CONTENT: &[Check] = &[Check::Git, Check::GitContent];
const NAMES: &[Check] = &[Check::Git, Check::GitNames];
const REPO: &[Check] = &[Check::GitUnless(&["-R", "--repo"])];

/// Options of lists of what a host of repositories has.
const LIST: &str = "-R=O --repo=O -s= --state= -L=N --limit=N --json= -q=J --jq=J -A=R --author=R -l=R --label=R -B=R --base=R -H=R --head=R -d --draft -a=R --assignee=R -m=R --milestone=R -w=R --workflow=R -b=R --branch=R -e=R --event=R -u=R --user=R --status=R -c=R --commit=R --all --created=R --app=R --mention=R --help";
const VIEW: &str = "-R=O --repo=O --json= -q=J --jq=J -c --comments --log --log-failed -j=R --job=R -v --verbose --exit-status --attempt=N -a --help";

pub(super) const ROWS: &[Row] = &[
    row("git", "--no-pager -P --no-optional-locks --literal-pathspecs -C=C --version -v --help -h", Subcommand, "git --no-pager log --oneline", "git -c core.pager=x log"),
    row("git:", "--version -v --help -h", None, "git --version", "git").checked(&[Check::OneOf(&["--version", "-v", "--help", "-h"])]),
    row("git:status", "-s -b -u=? -z -v --short --branch --porcelain=? --untracked-files=? --ignored=? --long --show-stash --ahead-behind --no-ahead-behind --no-renames --column=?", Checked, "git status --short --branch", "git status --unknown").checked(NAMES),
    row("git:log git:whatchanged", LOG, Checked, "{} -5 --oneline", "{} -p").checked(CONTENT),
    row("git:show", LOG, Checked, "git show --stat HEAD", "git show HEAD:.env").checked(CONTENT),
    row("git:diff", DIFF, Checked, "git diff HEAD -- a.txt", "git diff --output=x").checked(CONTENT),
    row("git:diff-tree git:diff-index git:diff-files", DIFF, Checked, "{} --name-only HEAD", "{} --output=x HEAD").checked(CONTENT),
    row("git:blame git:annotate", "-L= -w -s -e -l -t -f -n -p -c --date= --porcelain --line-porcelain --show-email --root --since= -M -C", Checked, "{} a.txt", "{} .env").checked(CONTENT),
    row("git:grep", "-n -i -I -l -L -c -w -v -E -F -P -G -h -H -o -q -e= -A=N -B=N -C=N -p -W --cached --line-number --ignore-case --name-only --files-with-matches --count --word-regexp --extended-regexp --fixed-strings --perl-regexp --heading --break --no-color --color=? --show-function --and --or --not --all-match --max-depth=N --column", Checked, "git grep -n foo -- a.txt", "git grep -O foo").checked(CONTENT),
    row("git:cat-file", "-p -t -s -e", Checked, "git cat-file -p HEAD:a.txt", "git cat-file --textconv HEAD:a.txt").checked(CONTENT),
    row("git:ls-files", "-c -d -m -o -i -s -u -t -z -v --cached --deleted --modified --others --ignored --stage --unmerged --exclude-standard --full-name --error-unmatch --directory --no-empty-directory --exclude= -x= --deduplicate --eol", Checked, "git ls-files -m", "git ls-files --recurse-submodules").checked(NAMES),
    row("git:ls-tree", "-r -d -t -l -z --name-only --name-status --long --full-name --full-tree --abbrev=? --object-only", Checked, "git ls-tree -r --name-only HEAD", "git ls-tree --format=x HEAD").checked(NAMES),
    row("git:rev-parse", "--short=? --abbrev-ref=? --verify -q --quiet --show-toplevel --show-prefix --show-cdup --git-dir --git-common-dir --is-inside-work-tree --is-bare-repository --symbolic-full-name --symbolic --all --branches --tags --remotes --absolute-git-dir --show-superproject-working-tree --is-inside-git-dir --is-shallow-repository", Checked, "git rev-parse --short HEAD", "git rev-parse --parseopt").checked(NAMES),
    row("git:rev-list", "-# -n=N --count --all --max-count=N --since= --until= --no-merges --merges --left-right --first-parent --reverse --abbrev-commit --author= --grep= --not --branches=? --tags=? --remotes=? --ancestry-path --topo-order --date-order --oneline --parents --objects --cherry-pick", Checked, "git rev-list --count HEAD", "git rev-list --use-bitmap-index HEAD").checked(NAMES),
    row("git:merge-base", "--is-ancestor --all -a --fork-point --octopus --independent", Checked, "git merge-base main HEAD", "git merge-base --unknown a b").checked(NAMES),
    row("git:describe", "--tags --always --abbrev=? --dirty=? --all --long --exact-match --match= --exclude= --first-parent --contains --candidates=N", Checked, "git describe --tags", "git describe --unknown").checked(NAMES),
    row("git:shortlog", "-s -n -e -c --summary --numbered --email --since= --until= --no-merges --all", Checked, "git shortlog -sn HEAD", "git shortlog --unknown").checked(&[Check::Git, Check::GitNames, Check::SomeOperand]),
    row("git:branch", "-a -r -v -l -i --all --remotes --list --show-current --verbose --contains=? --no-contains=? --merged=? --no-merged=? --points-at= --sort= --format= --no-color --color=? --column=? --abbrev=? --no-abbrev --ignore-case", Checked, "git branch -a", "git branch new").checked(&[Check::Git, Check::GitListing(&["-l", "--list", "--contains", "--no-contains", "--merged", "--no-merged", "-a", "-r", "--all", "--remotes"])]),
    row("git:tag", "-l -i -n=? --list --contains=? --no-contains=? --merged=? --no-merged=? --points-at= --sort= --format= --column=? --no-column --ignore-case --color=?", Checked, "git tag -l 'v*'", "git tag v1").checked(&[Check::Git, Check::GitListing(&["-l", "--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"])]),
    row("git:remote", "-v --verbose", Subcommand, "git remote -v", "git remote add a b"),
    row("git:remote:", "-v --verbose", None, "git remote -v", "git remote rm a").checked(&[Check::Git, Check::GitRemotes]),
    row("git:remote:get-url", "--push --all", Names, "git remote get-url origin", "git remote get-url --unknown origin").checked(&[Check::Git, Check::GitRemotes]),
    row("git:stash", "", Subcommand, "git stash list", "git stash"),
    row("git:stash:list", "-# -n=N --oneline --format= --pretty=? --date= --stat", Checked, "git stash list", "git stash list -p").checked(CONTENT),
    row("git:stash:show", "--stat --name-only --name-status --shortstat --numstat", Checked, "git stash show --stat", "git stash show -p").checked(&[Check::Git, Check::OneOf(&["--stat", "--name-only", "--name-status", "--shortstat", "--numstat"]), Check::GitNames]),
    row("git:worktree", "", Subcommand, "git worktree list", "git worktree add x"),
    row("git:worktree:list", "-v --verbose --porcelain -z", None, "git worktree list", "git worktree list x").checked(&[Check::Git]),
    row("git:reflog", "-# -n=N --oneline --date= --format= --pretty=? --all --no-abbrev --abbrev-commit --relative-date", Checked, "git reflog -5", "git reflog expire").checked(&[Check::Git, Check::NoOperandIs(&["expire", "delete", "drop", "exists", "write"]), Check::GitNames]),
    row("git:config", "--get --get-all --local --global --show-origin --show-scope --type= --bool --int --default=", Text, "git config --get user.name", "git config -l").checked(&[Check::OneOf(&["--get", "--get-all"]), Check::AtMost(1), Check::GitSetting, Check::Git]),
    row("git:check-ignore", "-v -n -q --verbose --non-matching --quiet --no-index", Checked, "git check-ignore -v a.txt", "git check-ignore --stdin").checked(NAMES),
    row("git:check-attr", "-a --all", Checked, "git check-attr -a a.txt", "git check-attr --stdin").checked(NAMES),
    row("git:show-ref", "--head --tags --heads --branches -s -d -q --hash=? --verify --abbrev=?", Checked, "git show-ref --heads", "git show-ref --exclude-existing").checked(NAMES),
    row("git:for-each-ref", "--format= --sort= --count=N --points-at= --merged=? --no-merged=? --contains=? --no-contains=?", Checked, "git for-each-ref refs/heads", "git for-each-ref --shell").checked(NAMES),
    row("git:symbolic-ref", "--short -q --quiet", Checked, "git symbolic-ref --short HEAD", "git symbolic-ref HEAD refs/heads/x").checked(&[Check::Git, Check::AtMost(1), Check::GitNames]),
    row("git:name-rev", "--name-only --tags --refs= --all --always", Checked, "git name-rev HEAD", "git name-rev --stdin").checked(NAMES),
    row("git:cherry", "-v --abbrev=?", Checked, "git cherry -v main", "git cherry --unknown").checked(NAMES),
    row("git:count-objects", "-v -H --verbose --human-readable", None, "git count-objects -v", "git count-objects x").checked(&[Check::Git]),
    row("git:version git:help", "-a --all -g --build-options", Names, "{}", "{} --web"),
    row("git:ls-remote", "-h -t -q --heads --tags --branches --refs --symref --quiet --exit-code --sort=", Checked, "git ls-remote --heads origin", "git ls-remote https://example.org/x").checked(&[Check::Git, Check::GitRemotes, Check::GitService]),
    row("git-lfs", "", Checked, "git-lfs version", "git-lfs install").checked(&[Check::FirstIs(&["version"])]),
    row("gh", "--version --help", Subcommand, "gh --version", "gh"),
    row("gh:", "--version --help", None, "gh --version", "gh --unknown").checked(&[Check::OneOf(&["--version", "--help"])]),
    row("gh:pr gh:issue gh:run gh:workflow gh:release gh:repo gh:label gh:cache gh:secret gh:extension gh:alias gh:ruleset gh:gist gh:org", "--help", Subcommand, "{} list", "{} delete x"),
    row("gh:pr:view gh:issue:view gh:run:view gh:workflow:view gh:release:view gh:ruleset:view", VIEW, Names, "{} 12 -R o/r", "{} 12 --web").checked(REPO),
    row("gh:pr:list gh:issue:list gh:run:list gh:workflow:list gh:release:list gh:label:list gh:cache:list gh:ruleset:list", LIST, None, "{} -R o/r -L 5", "{} -R example.org/o/r").checked(REPO),
    row("gh:pr:checks", "-R=O --repo=O --required --json= -q=J --jq=J", Names, "gh pr checks 12 -R o/r", "gh pr checks 12 --web").checked(REPO),
    row("gh:pr:status gh:issue:status", "-R=O --repo=O --json= -q=J --jq=J", None, "{} -R o/r", "{} x").checked(REPO),
    row("gh:pr:diff", "-R=O --repo=O --name-only --color=never", Names, "gh pr diff 12 --name-only -R o/r", "gh pr diff 12 -R o/r").checked(&[Check::OneOf(&["--name-only"]), Check::GitUnless(&["-R", "--repo"])]),
    row("gh:repo:view", "--json= -q=J --jq=J -b=R --branch=R", Names, "gh repo view o/r", "gh repo view example.org/o/r").checked(&[Check::OwnHost, Check::GitUnless(&[])]),
    row("gh:repo:list gh:org:list gh:gist:list gh:extension:list gh:alias:list", "-L=N --limit=N --json= -q=J --jq=J --source --fork --no-archived --visibility=public|private|internal --language=R --public --secret", Names, "{} -L 5", "{} --unknown").checked(&[Check::OwnHost]),
    row("gh:secret:list", "-R=O --repo=O -e=R --env=R -o=R --org=R -a=R --app=R", None, "gh secret list -R o/r", "gh secret list --unknown").checked(REPO),
    row("gh:auth", "", Subcommand, "gh auth status", "gh auth token"),
    row("gh:auth:status", "--active -a", None, "gh auth status", "gh auth status --show-token"),
    row("gh:status", "", None, "gh status", "gh status -x"),
    row("glab", "--version --help", Subcommand, "glab --version", "glab"),
    row("glab:", "--version --help", None, "glab --version", "glab --unknown").checked(&[Check::OneOf(&["--version", "--help"])]),
    row("glab:mr glab:issue glab:ci glab:release", "", Subcommand, "{} list", "{} delete x"),
    row("glab:mr:list glab:issue:list glab:ci:list glab:release:list", "-P=N --per-page=N -R=O --repo=O --all -A --closed --merged --opened", None, "{} -R o/r", "{} --search x").checked(REPO),
    row("glab:mr:view glab:issue:view glab:ci:status glab:release:view", "-R=O --repo=O --comments -c", Names, "{} 12 -R o/r", "{} 12 --web").checked(REPO),
];
