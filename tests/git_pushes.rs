//! Where pushes go, in repositories that the program `git` makes: `git: {pushes_to: …}` and the state of a repository.

use serde_json::json;

use crate::common::Machine;
use crate::common::git::Fixture;

const POLICY: &str = "version: 1
defaults: none
rules:
  - { id: to-main, when: tool.before, git: { pushes_to: main }, then: { deny: \"It {{ push.summary }}.\" } }
  - { id: to-default, when: tool.before, git: { pushes_to: { default_branch: true } }, then: { warn: default } }
  - { id: to-foreign, when: tool.before, git: { pushes_to: { url: \"*evil.example*\" } }, then: { warn: foreign } }
  - { id: on-main, when: tool.before, command: git commit, git: { branch: [main, \"release/*\"] }, then: { ask: \"on {{ git.branch }}\" } }
  - { id: detached, when: tool.before, command: git commit, git: { detached: true }, then: { ask: detached } }
  - { id: acme, when: tool.before, command: git tag, git: { remote: \"*example.com/acme/*\" }, then: { ask: acme } }
";

struct Place {
    machine: Machine,
    fixture: Fixture,
}

impl Place {
    /// A clone on the branch `topic`, with `main` as the default branch of its remote.
    fn new(test: &str) -> Option<Self> {
        let fixture = Fixture::new(test)?;
        fixture.commit(&[("a.txt", "a\n")]);
        fixture.git(&["remote", "add", "origin", "https://example.com/acme/app.git"]);
        fixture.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
        fixture.git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"]);
        fixture.git(&["switch", "-q", "-c", "topic"]);
        let machine = Machine::new();
        machine.write("policy.yaml", POLICY);
        Some(Self { machine, fixture })
    }

    /// What the hook answers to a line in the repository.
    fn answer(&self, line: &str) -> String {
        let payload = json!({ "session_id": "s", "transcript_path": "", "cwd": self.fixture.repo(),
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": { "command": line } });
        let policy = self.machine.home().join("policy.yaml");
        let args = ["hook", "claude", "--policy", policy.to_str().unwrap()];
        let ran = self.machine.run(&args, payload.to_string().as_bytes());
        format!("{}{}", ran.stdout, ran.stderr)
    }

    fn reaches_main(&self, line: &str) -> bool {
        self.answer(line).contains("\"deny\"")
    }

    fn assert_main(&self, lines: &[&str]) {
        for line in lines {
            assert!(self.reaches_main(line), "reaches main: {line}: {}", self.answer(line));
        }
    }

    fn assert_silent(&self, lines: &[&str]) {
        for line in lines {
            assert!(!self.reaches_main(line), "does not reach main: {line}: {}", self.answer(line));
        }
    }
}

#[test]
fn refspecs_tell_the_branch() {
    let Some(place) = Place::new("refspecs_tell_the_branch") else { return };
    place.fixture.git(&["config", "alias.p", "push origin HEAD"]);
    place.fixture.git(&["config", "alias.ship", "!git checkout main && git push"]);
    place.fixture.git(&["config", "alias.st", "status -sb"]);
    place.fixture.git(&["config", "alias.up", "p"]);
    place.assert_main(&[
        "git push origin HEAD:main",
        "git push origin main",
        "git push origin +main",
        "git push -f origin topic:main",
        "git push origin @:refs/heads/main",
        "git push origin :main",
        "git push origin --delete main",
        "git push -d origin main",
        "git push origin refs/heads/main",
        "git push origin heads/main",
        "git push --all",
        "git push --branches origin",
        "git push --mirror",
        "git push origin 'refs/heads/*:refs/heads/*'",
        "git push origin 'refs/heads/*'",
        "git push origin :",
        "git push https://example.com/other.git HEAD:main",
        "git push origin topic main",
        "git checkout main && git push",
        "git checkout -q main; git merge topic && git push origin HEAD",
        "git switch main && git push origin @",
        "git checkout -B main && git push -u origin HEAD",
        "git branch -M main && git push -u origin main",
        "git stash && git checkout main && git pull && git push && git checkout -",
        "git switch - && git push",
        "git push origin $BRANCH",
        "bash -c 'git push origin HEAD:main'",
        "cd .. && cd repo && git push origin HEAD:main",
        "git -C . push origin HEAD:main",
        "git -c push.default=current push origin main",
        "git ship",
        "git p:main || git p && git checkout main && git p",
        "env GIT_SSH_COMMAND=ssh git push origin HEAD:main",
        "ssh host git push",
        "git clone https://example.com/x && cd x && git push",
        "git subtree push --prefix docs origin main",
    ]);
    place.assert_silent(&[
        "git push",
        "git push -u origin HEAD",
        "git push origin @",
        "git push origin topic",
        "git push --force-with-lease origin topic",
        "git push origin HEAD:topic",
        "git push origin main:review/main",
        "git push origin --delete topic",
        "git push --tags",
        "git push origin v1.0",
        "git push origin tag main",
        "git push origin refs/tags/main",
        "git push origin HEAD:refs/for/main",
        "git push --dry-run origin main",
        "git push -n origin main",
        "git checkout -b fix && git push -u origin HEAD",
        "git switch topic && git push",
        "git checkout main -- a.txt && git push",
        "git checkout a.txt && git push",
        "git pull origin main",
        "git fetch origin main:main",
        "git p",
        "git up",
        "git st",
        "git status",
        "echo git push origin main",
        "git log origin/main..HEAD",
        "git commit -m 'push to main'",
    ]);
    let said = place.answer("git push origin HEAD:main");
    assert!(said.contains("It pushes to main of origin."), "{said}");
    let said = place.answer("git switch - && git push");
    assert!(
        said.contains("may push to any branch of origin: an earlier command checks out another revision"),
        "{said}"
    );
}

#[test]
fn the_checked_out_branch_and_the_configuration_tell_the_rest() {
    let Some(place) = Place::new("the_checked_out_branch_and_the_configuration_tell_the_rest") else { return };
    let git = |args: &[&str]| place.fixture.git(args);
    let bare = ["git push", "git push origin", "git push -u origin HEAD", "cd sub && git push", "git -C sub push"];
    place.fixture.commit(&[("sub/b.txt", "b\n")]);
    place.assert_silent(&bare);
    git(&["switch", "-q", "main"]);
    git(&["merge", "-q", "topic"]);
    place.assert_main(&bare);
    place.assert_silent(&["git switch topic && git push", "git push origin topic", "git push origin HEAD:topic"]);
    git(&["config", "push.default", "nothing"]);
    place.assert_silent(&["git push", "git push origin"]);
    place.assert_main(&["git push origin HEAD"]);
    git(&["config", "push.default", "matching"]);
    git(&["switch", "-q", "topic"]);
    place.assert_main(&["git push"]);
    git(&["update-ref", "-d", "refs/remotes/origin/HEAD"]);
    git(&["config", "push.default", "current"]);
    git(&["config", "branch.topic.remote", "origin"]);
    git(&["config", "branch.topic.merge", "refs/heads/main"]);
    place.assert_silent(&["git push", "git push origin HEAD"]);
    for mode in ["upstream", "tracking"] {
        git(&["config", "push.default", mode]);
        place.assert_main(&["git push", "git push origin HEAD", "git push origin topic"]);
    }
    git(&["config", "--unset", "push.default"]);
    place.assert_main(&["git push", "git -c push.default=upstream push"]);
    place.assert_silent(&["git -c push.default=current push", "git push origin HEAD"]);
    git(&["config", "--unset", "branch.topic.merge"]);
    git(&["config", "remote.origin.push", "refs/heads/topic:refs/heads/main"]);
    place.assert_main(&["git push", "git push origin HEAD", "git push origin topic"]);
    place.assert_silent(&["git push origin HEAD:topic"]);
    git(&["config", "remote.origin.push", "refs/heads/*:refs/heads/me/*"]);
    place.assert_silent(&["git push", "git push origin topic"]);
    git(&["config", "--unset", "remote.origin.push"]);
    git(&["config", "remote.origin.mirror", "true"]);
    place.assert_main(&["git push"]);
    git(&["config", "--unset", "remote.origin.mirror"]);
    git(&["switch", "-q", "--detach"]);
    place.assert_silent(&["git push", "git push origin HEAD:topic"]);
    place.assert_main(&["git push origin HEAD:main"]);
    git(&["worktree", "add", "-q", "../tree", "main"]);
    place.assert_main(&["cd ../tree && git push", "git -C ../tree push"]);
}

#[test]
fn remotes_and_default_branches_are_told_apart() {
    let Some(place) = Place::new("remotes_and_default_branches_are_told_apart") else { return };
    let git = |args: &[&str]| place.fixture.git(args);
    let says = |line: &str, word: &str| place.answer(line).contains(word);
    assert!(says("git push origin main", "default") && !says("git push origin topic", "default"));
    assert!(says("git push https://evil.example/x topic", "foreign"));
    assert!(!says("git push origin topic", "foreign"));
    git(&["remote", "add", "other", "git@evil.example:x.git"]);
    assert!(says("git push other topic", "foreign"));
    assert!(says("git push nowhere topic", "foreign"), "a remote whose address is not known");
    git(&["config", "url.https://evil.example/.insteadOf", "https://example.com/"]);
    assert!(says("git push origin topic", "foreign"));
    git(&["config", "--unset", "url.https://evil.example/.insteadOf"]);
    git(&["config", "remote.origin.pushurl", "https://evil.example/y"]);
    assert!(says("git push origin topic", "foreign"));
    git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/develop"]);
    assert!(!says("git push origin main", "\"default\"") && says("git push origin develop", "default"));
}

#[test]
fn the_state_of_the_repository_is_a_condition() {
    let Some(place) = Place::new("the_state_of_the_repository_is_a_condition") else { return };
    let git = |args: &[&str]| place.fixture.git(args);
    let says = |line: &str, word: &str| place.answer(line).contains(word);
    assert_eq!(place.answer("git commit -m x"), "");
    git(&["switch", "-q", "main"]);
    assert!(says("git commit -m x", "on main") && says("git -C . commit -m x", "on main"));
    assert_eq!(place.answer("git log"), "");
    git(&["switch", "-q", "-c", "release/1/2"]);
    assert!(says("git commit -m x", "on release/1/2"));
    git(&["switch", "-q", "--detach"]);
    assert!(says("git commit -m x", "detached"));
    assert!(says("git tag v1", "acme"));
    git(&["remote", "set-url", "origin", "https://example.com/other/app.git"]);
    assert_eq!(place.answer("git tag v1"), "");
    // Where there is no repository, there is nothing to commit to.
    assert_eq!(place.answer("cd /tmp && git commit -m x"), "");
}

#[test]
fn changes_and_the_distance_to_the_upstream_are_known() {
    let Some(place) = Place::new("changes_and_the_distance_to_the_upstream_are_known") else { return };
    let policy = "version: 1
defaults: none
rules:
  - { id: dirty, when: tool.before, command: git a, git: { dirty: true }, then: { deny: dirty } }
  - { id: clean, when: tool.before, command: git a, git: { dirty: false }, then: { warn: clean } }
  - { id: ahead, when: tool.before, command: git b, git: { ahead: 2 }, then: { deny: \"ahead {{ git.ahead }} {{ git.behind }}\" } }
  - { id: behind, when: tool.before, command: git c, git: { behind: 1 }, then: { deny: \"behind {{ git.behind }}\" } }
";
    place.machine.write("policy.yaml", policy);
    assert!(place.answer("git a").contains("clean"));
    std::fs::write(place.fixture.repo().join("new.txt"), "x").unwrap();
    assert!(place.answer("git a").contains("clean"), "a file that is not tracked");
    std::fs::write(place.fixture.repo().join("a.txt"), "changed\n").unwrap();
    assert!(place.answer("git a").contains("dirty"));
    // The branch follows nothing, so all branches of remotes count.
    assert!(!place.answer("git b").contains("ahead"));
    place.fixture.commit(&[("b.txt", "b\n")]);
    assert!(!place.answer("git b").contains("ahead"));
    place.fixture.commit(&[("c.txt", "c\n")]);
    assert!(place.answer("git b").contains("ahead 2 0"));
    assert!(!place.answer("git c").contains("behind"));
    // An upstream with a commit of its own.
    place.fixture.git(&["switch", "-q", "-c", "side", "main"]);
    place.fixture.commit(&[("d.txt", "d\n")]);
    place.fixture.git(&["update-ref", "refs/remotes/origin/topic", "side"]);
    place.fixture.git(&["switch", "-q", "topic"]);
    place.fixture.git(&["config", "branch.topic.remote", "origin"]);
    place.fixture.git(&["config", "branch.topic.merge", "refs/heads/topic"]);
    assert!(place.answer("git b").contains("ahead 2 1"));
    assert!(place.answer("git c").contains("behind 1"));
}
