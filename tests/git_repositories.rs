//! What is read of repositories, compared with what git itself says.

use std::fs;
use std::path::Path;

use ruleward::io::git::{Budget, GitError, Head, Oid, Repository};

use crate::common::git::Fixture;

fn open(path: &Path) -> Repository {
    Repository::discover(path).unwrap().unwrap()
}

fn oid(text: &str) -> Oid {
    Oid::parse(text).unwrap()
}

/// Returns the names and targets of the references of a repository, as git lists them.
fn refs_of_git(fixture: &Fixture) -> Vec<String> {
    let listed = fixture.git(&["for-each-ref", "--format=%(objectname) %(refname)"]);
    listed.lines().map(ToOwned::to_owned).collect()
}

fn refs_read(fixture: &Fixture) -> Vec<String> {
    let refs = open(&fixture.repo()).refs(&Budget::start()).unwrap();
    let mut refs: Vec<_> = refs.iter().map(|it| (it.name.clone(), it.target.to_string())).collect();
    refs.sort();
    refs.into_iter().map(|(name, target)| format!("{target} {name}")).collect()
}

#[test]
fn a_repository_is_found_from_below() {
    let Some(fixture) = Fixture::new("a_repository_is_found_from_below") else { return };
    fs::create_dir_all(fixture.repo().join("a/b")).unwrap();
    let found = open(&fixture.repo().join("a/b"));
    assert_eq!(found.work_tree.as_deref(), Some(fixture.repo().as_path()));
    assert_eq!(found.git_dir, fixture.repo().join(".git"));
    // A directory that is not there yet belongs to the repository as well.
    assert_eq!(open(&fixture.repo().join("a/c/d")).work_tree, found.work_tree);
    assert!(Repository::discover(fixture.root()).unwrap().is_none());
    // An empty directory of the name makes no repository.
    fs::create_dir_all(fixture.repo().join("a/.git")).unwrap();
    assert_eq!(open(&fixture.repo().join("a")).work_tree, found.work_tree);
    assert_eq!(found.head().unwrap(), Head::Branch { name: "refs/heads/main".into(), commit: None });
}

#[test]
fn bare_repositories_have_no_working_tree() {
    let Some(fixture) = Fixture::new("bare_repositories_have_no_working_tree") else { return };
    fixture.git_in("", &["init", "-q", "--bare", "bare.git"]);
    assert_eq!(open(&fixture.path("bare.git")).work_tree, None);
    fixture.git(&["config", "core.worktree", "../../tree"]);
    fs::create_dir_all(fixture.path("tree")).unwrap();
    assert_eq!(open(&fixture.repo()).work_tree, Some(fixture.path("tree")));
}

#[test]
fn references_are_those_that_git_lists() {
    let Some(fixture) = Fixture::new("references_are_those_that_git_lists") else { return };
    let first = fixture.commit(&[("a", "1")]);
    fixture.git(&["branch", "topic/one"]);
    fixture.git(&["tag", "-a", "v1", "-m", "one"]);
    fixture.git(&["update-ref", "refs/remotes/origin/main", &first]);
    fixture.git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"]);
    assert_eq!(refs_read(&fixture), refs_of_git(&fixture));
    fixture.git(&["pack-refs", "--all"]);
    assert!(!fixture.repo().join(".git/refs/heads/main").exists());
    assert_eq!(refs_read(&fixture), refs_of_git(&fixture));
    // What is loose counts more than what is packed.
    let second = fixture.commit(&[("a", "2")]);
    assert_eq!(refs_read(&fixture), refs_of_git(&fixture));
    let repository = open(&fixture.repo());
    assert_eq!(repository.resolve_ref("refs/heads/main").unwrap(), Some(oid(&second)));
    assert_eq!(repository.resolve_ref("refs/heads/topic/one").unwrap(), Some(oid(&first)));
    assert_eq!(repository.resolve_ref("refs/heads/none").unwrap(), None);
    let target = repository.symbolic_target("refs/remotes/origin/HEAD").unwrap();
    assert_eq!(target.as_deref(), Some("refs/remotes/origin/main"));
}

#[test]
fn worktrees_and_detached_heads_are_read() {
    let Some(fixture) = Fixture::new("worktrees_and_detached_heads_are_read") else { return };
    let commit = fixture.commit(&[("a", "1")]);
    fixture.git(&["worktree", "add", "-q", "-b", "side", "../side"]);
    fixture.git(&["worktree", "add", "-q", "--detach", "../loose"]);
    let side = open(&fixture.path("side"));
    assert_eq!(side.common_dir.canonicalize().unwrap(), fixture.repo().join(".git"));
    assert_eq!(side.head().unwrap().branch(), Some("side"));
    assert_eq!(open(&fixture.path("loose")).head().unwrap(), Head::Detached(oid(&commit)));
    let mut heads = side.other_heads(&Budget::start()).unwrap();
    heads.sort_by_key(|head| head.branch().map(ToOwned::to_owned));
    let main = Head::Branch { name: "refs/heads/main".into(), commit: Some(oid(&commit)) };
    assert_eq!(heads, [Head::Detached(oid(&commit)), main]);
    assert_eq!(open(&fixture.repo()).other_heads(&Budget::start()).unwrap().len(), 2);
}

#[test]
fn submodules_are_repositories_of_their_own() {
    let Some(fixture) = Fixture::new("submodules_are_repositories_of_their_own") else { return };
    let inner = fixture.commit(&[("a", "1")]);
    fixture.git_in("", &["init", "-q", "outer"]);
    fixture.git_in("outer", &["submodule", "--quiet", "add", "../repo", "lib"]);
    let found = open(&fixture.path("outer/lib"));
    assert_eq!(found.git_dir.canonicalize().unwrap(), fixture.path("outer/.git/modules/lib"));
    assert_eq!(found.work_tree.as_ref().unwrap().canonicalize().unwrap(), fixture.path("outer/lib"));
    assert_eq!(found.head().unwrap().commit(), Some(oid(&inner)));
}

#[test]
fn configurations_are_read_with_their_includes() {
    let Some(fixture) = Fixture::new("configurations_are_read_with_their_includes") else { return };
    fixture.commit(&[("a", "1")]);
    fs::write(fixture.path("more"), "[x]\ny = included\nz = here\n").unwrap();
    fs::write(fixture.path("branch"), "[x]\nbranch = yes\n").unwrap();
    fs::write(fixture.path("no"), "[x]\nnever = 1\n").unwrap();
    fixture.git(&["config", "x.y", "own"]);
    fixture.git(&["config", "include.path", "../../more"]);
    fixture.git(&["config", "includeIf.onbranch:ma*.path", "../../branch"]);
    fixture.git(&["config", "includeIf.gitdir:/elsewhere/.path", "../../no"]);
    fixture.git(&["config", "includeIf.gitdir:repo/.path", "../../more"]);
    fixture.git(&["config", "remote.origin.url", "https://example.org/r.git"]);
    fixture.git(&["config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"]);
    fixture.git(&["config", "branch.main.remote", "origin"]);
    fixture.git(&["config", "branch.main.merge", "refs/heads/trunk"]);
    let repository = open(&fixture.repo());
    let config = repository.config().unwrap();
    for name in ["x.y", "x.z", "x.branch", "remote.origin.url", "branch.main.merge"] {
        assert_eq!(config.get(name), Some(fixture.git(&["config", name]).as_str()), "{name}");
    }
    assert_eq!(config.get("x.never"), None);
    let upstream = config.upstream("main").unwrap();
    assert_eq!((upstream.remote.as_str(), upstream.merge.as_str()), ("origin", "refs/heads/trunk"));
    assert_eq!(config.tracking_reference(&upstream).as_deref(), Some("refs/remotes/origin/trunk"));
    assert_eq!(config.subsections("remote", "url"), ["origin"]);
    // A file that includes itself ends somewhere.
    fs::write(fixture.path("more"), "[include]\npath = more\n").unwrap();
    assert!(matches!(Repository::discover(&fixture.repo()), Err(GitError::Unsupported(_))));
}

#[test]
fn what_is_not_understood_is_an_error() {
    let Some(fixture) = Fixture::new("what_is_not_understood_is_an_error") else { return };
    fixture.commit(&[("a", "1")]);
    let head = fixture.repo().join(".git/HEAD");
    fs::write(&head, "ref: ../../etc/passwd\n").unwrap();
    assert!(matches!(open(&fixture.repo()).head(), Err(GitError::Malformed(_))));
    fs::write(&head, "nonsense\n").unwrap();
    assert!(matches!(open(&fixture.repo()).head(), Err(GitError::Malformed(_))));
    fs::write(&head, "ref: refs/heads/a\n").unwrap();
    fs::write(fixture.repo().join(".git/refs/heads/a"), "ref: refs/heads/b\n").unwrap();
    fs::write(fixture.repo().join(".git/refs/heads/b"), "ref: refs/heads/a\n").unwrap();
    assert!(matches!(open(&fixture.repo()).head(), Err(GitError::Malformed(_))));
    fixture.git_in("", &["init", "-q", "--object-format=sha256", "other"]);
    assert!(matches!(Repository::discover(&fixture.path("other")), Err(GitError::Unsupported(_))));
    fs::create_dir_all(fixture.path("broken")).unwrap();
    fs::write(fixture.path("broken/.git"), "gitdir: nowhere\n").unwrap();
    assert!(matches!(Repository::discover(&fixture.path("broken")), Err(GitError::Malformed(_))));
    fs::write(fixture.repo().join(".git/config"), "[core\n").unwrap();
    assert!(matches!(Repository::discover(&fixture.repo()), Err(GitError::Malformed(_))));
}
