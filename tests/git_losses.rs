//! What calls would lose in repositories that git made, from the text of the call to the number of files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use ruleward::adapters::{HOSTS, read_event};
use ruleward::domain::event::tool::ArgumentNames;
use ruleward::domain::facts::Facts;
use ruleward::domain::facts::loss::LossKind;
use ruleward::domain::text::path::PathContext;
use ruleward::io::files::local_machine::LocalMachine;
use serde_json::json;

use crate::common::Machine;
use crate::common::git::Fixture;

/// Returns what a line would lose in a directory, such as `modified 2, untracked 1`.
fn loses_in(directory: &Path, line: &str) -> String {
    let cwd = directory.to_str().unwrap().replace('\\', "/");
    let payload = json!({
        "session_id": "s", "transcript_path": "", "cwd": cwd, "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": { "command": line },
    });
    let host = HOSTS.iter().find(|host| host.event_row("PreToolUse").is_some()).unwrap();
    let payload = ruleward::adapters::parse_payload(payload.to_string().as_bytes()).unwrap();
    let event = read_event(host, &payload, &ArgumentNames::default()).unwrap();
    let place = PathContext { project: Some(cwd.clone()), cwd, ..PathContext::default() };
    let facts = Facts::new(&event, &place, &LocalMachine);
    let mut counts: BTreeMap<LossKind, u64> = BTreeMap::new();
    for number in 0..facts.losses().len() {
        let loss = facts.loss(number, None).unwrap();
        for kind in LossKind::ALL {
            *counts.entry(kind).or_default() += loss.total(kind).count;
        }
        *counts.entry(LossKind::Unknown).or_default() += u64::from(loss.unknown.is_some());
    }
    let named = counts.into_iter().filter(|(_, count)| *count > 0);
    named.map(|(kind, count)| format!("{} {count}", kind.name())).collect::<Vec<_>>().join(", ")
}

fn check(fixture: &Fixture, rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(line, expected)| {
            let found = loses_in(&fixture.repo(), line);
            (found != *expected).then(|| format!("{line}\n  expected {expected}\n  found    {found}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Sets the time of a file back, so that the index is younger.
fn age(path: &Path) {
    let then = SystemTime::now() - Duration::from_hours(1);
    fs::File::options().write(true).open(path).unwrap().set_modified(then).unwrap();
}

const DISCARDING: &[&str] = &[
    "git reset --hard",
    "git reset --hard HEAD",
    "git reset --merge",
    "git checkout .",
    "git checkout -- .",
    "git checkout HEAD -- src/",
    "git checkout -f",
    "git checkout -f main",
    "git switch -f main",
    "git restore .",
    "git restore -SW src",
    "git clean -fd",
    "git clean -fdx",
    "git rm -rf src",
    "git read-tree -u --reset HEAD",
    "git stash drop",
    "git stash clear",
];

#[test]
fn a_clean_tree_loses_nothing() {
    let Some(fixture) = Fixture::new("a_clean_tree_loses_nothing") else { return };
    fixture.commit(&[("src/a.rs", "a\n"), ("src/b.rs", "b\n"), ("c", "")]);
    check(&fixture, &DISCARDING.iter().map(|line| (*line, "")).collect::<Vec<_>>());
    // The same with files that the index cannot tell from changed ones by their times alone.
    fixture.git(&["gc", "-q"]);
    age(&fixture.repo().join("src/a.rs"));
    check(&fixture, &DISCARDING.iter().map(|line| (*line, "")).collect::<Vec<_>>());
}

/// Lines, and what they lose of a working tree with changes.
const CHANGES: &[(&str, &str)] = &[
    ("git reset --hard", "modified 2, staged 1"),
    ("git reset --hard HEAD", "modified 2, staged 1"),
    ("sudo git -C src reset --hard", "modified 2, staged 1"),
    ("cd src && git reset --hard", "modified 2, staged 1"),
    ("bash -c 'git reset --hard'", "modified 2, staged 1"),
    ("git reset --merge", "staged 1"),
    ("git reset --keep HEAD", ""),
    ("git reset --hard nowhere", "modified 2, staged 1, unknown 1"),
    ("git checkout -- src/a.rs", "modified 1"),
    ("git checkout src/a.rs d", "modified 2"),
    ("git checkout -- src/b.rs", ""),
    ("git checkout HEAD -- src/", "modified 1, staged 1"),
    ("git checkout HEAD src", "modified 1, staged 1"),
    ("git checkout -- '*.rs'", "modified 1"),
    ("git checkout -- :/", "modified 2"),
    ("git checkout .", "modified 2"),
    ("cd src && git checkout .", "modified 1"),
    ("git checkout main", ""),
    ("git checkout other", ""),
    ("git checkout -f main", "modified 2, staged 1"),
    ("git switch --discard-changes main", "modified 2, staged 1"),
    ("git restore src/a.rs", "modified 1"),
    ("git restore --staged src/b.rs", ""),
    ("git restore --staged --worktree src", "modified 1, staged 1"),
    ("git restore -s HEAD src", "modified 1"),
    ("git checkout-index -fa", "modified 2"),
    ("git rm -rf src", "modified 1, staged 1"),
    ("git rm -rf --cached src", ""),
    ("git clean -f", "untracked 1"),
    ("git clean -fd", "untracked 3"),
    ("git clean -fdx", "untracked 3, ignored 1, rebuildable 1"),
    ("git clean -fdX", "ignored 1, rebuildable 1"),
    ("git clean -fd -e three", "untracked 2"),
    ("git clean -fd new", "untracked 2"),
    ("cd new && git clean -fd", "untracked 2"),
    ("rm -rf src", "modified 1, committed 2"),
    ("rm -rf new", "untracked 2"),
    ("rm three", "untracked 1"),
    ("rm -rf out", "rebuildable 1"),
    ("rm .env", "ignored 1"),
    ("rm d src/c.rs", "modified 1, committed 1"),
    ("rm -rf missing", ""),
    ("rm src/*.rs", "modified 1, committed 2"),
    ("mv d e", "modified 1"),
    ("cp three d", "modified 1"),
    ("echo x > d", "modified 1"),
    ("echo x >> d", ""),
    ("echo x > src/c.rs", "committed 1"),
    ("find new -delete", "untracked 2"),
    ("git stash && git reset --hard", ""),
    ("git stash -u && git clean -fd", ""),
    ("git stash && git clean -fd", "untracked 3"),
    ("git add -A && git commit -m x && git reset --hard", ""),
    ("git stash; git reset --hard", "modified 2, staged 1"),
    ("git stash pop && git checkout .", "unknown 1"),
    ("git reset --hard $x", "unknown 1"),
    ("ssh host git reset --hard", "unknown 1"),
    ("git -C missing reset --hard", "unknown 1"),
    ("git status", ""),
];

#[test]
fn changes_are_lost() {
    let Some(fixture) = Fixture::new("changes_are_lost") else { return };
    fixture.commit(&[
        ("src/a.rs", "a\n"),
        ("src/b.rs", "b\n"),
        ("src/c.rs", "c\n"),
        ("d", "d\n"),
        (".gitignore", "/out\n.env\n"),
    ]);
    fixture.write("src/a.rs", "A\n");
    fixture.write("src/b.rs", "longer\n");
    fixture.write("d", "D\n");
    fixture.git(&["add", "src/b.rs"]);
    fixture.write("new/one", "1\n");
    fixture.write("new/two", "2\n");
    fixture.write("three", "3\n");
    fixture.write("out/x.o", "");
    fixture.write(".env", "A=1\n");
    check(&fixture, CHANGES);
    // Without times, content decides.
    fixture.write("src/c.rs", "c\n");
    check(&fixture, &[("git checkout -- src/c.rs", "")]);
}

#[test]
fn a_revision_may_replace_files_that_are_not_tracked() {
    let Some(fixture) = Fixture::new("a_revision_may_replace_files_that_are_not_tracked") else { return };
    fixture.commit(&[("a", "1"), ("dir/b", "1")]);
    fixture.git(&["checkout", "-q", "-b", "side"]);
    fixture.git(&["rm", "-q", "dir/b"]);
    fixture.commit(&[]);
    fixture.write("dir/b", "mine");
    fixture.write("dir/c", "mine");
    check(
        &fixture,
        &[
            ("git checkout main -- dir", "untracked 1"),
            ("git checkout main dir/b", "untracked 1"),
            ("git checkout main -- a", ""),
        ],
    );
    fixture.write("dir/b", "1");
    check(&fixture, &[("git checkout main -- dir", "")]);
}

#[test]
fn commits_are_lost_that_nothing_else_holds() {
    let Some(fixture) = Fixture::new("commits_are_lost_that_nothing_else_holds") else { return };
    let first = fixture.commit(&[("a", "1")]);
    fixture.git(&["branch", "merged"]);
    let second = fixture.commit(&[("a", "2")]);
    fixture.git(&["checkout", "-q", "-b", "topic", "HEAD~1"]);
    fixture.commit(&[("b", "1")]);
    fixture.commit(&[("b", "2")]);
    fixture.git(&["branch", "copy", "HEAD~1"]);
    fixture.git(&["checkout", "-q", "main"]);
    let short = first.get(..8).unwrap();
    let rows = [
        ("git branch -D merged".to_owned(), ""),
        ("git branch -D topic".to_owned(), "unpushed 1"),
        ("git branch -D topic copy".to_owned(), "unpushed 2"),
        ("git branch --delete --force copy".to_owned(), ""),
        ("git branch -d topic".to_owned(), ""),
        ("git branch -D missing".to_owned(), ""),
        ("git branch -f topic main".to_owned(), "unpushed 1"),
        ("git reset --hard HEAD~1".to_owned(), "unpushed 1"),
        ("git reset --hard HEAD^".to_owned(), "unpushed 1"),
        ("git reset --hard @~1".to_owned(), "unpushed 1"),
        ("git reset --keep merged".to_owned(), "unpushed 1"),
        (format!("git reset --hard {first}"), "unpushed 1"),
        (format!("git reset --hard {short}"), "unpushed 1"),
        (format!("git reset --hard {second}"), ""),
        ("git reset --hard HEAD@{0}".to_owned(), ""),
        ("git reset --hard topic".to_owned(), "unpushed 1"),
    ];
    for packed in [false, true] {
        if packed {
            fixture.git(&["pack-refs", "--all"]);
            fixture.git(&["repack", "-q", "-a", "-d", "-f", "--depth=50"]);
            fixture.git(&["prune-packed"]);
        }
        check(&fixture, &rows.iter().map(|(line, expected)| (line.as_str(), *expected)).collect::<Vec<_>>());
    }
    // What was seen of a remote, a tag or another worktree holds them.
    fixture.git(&["update-ref", "refs/remotes/origin/topic", "topic"]);
    check(&fixture, &[("git branch -D topic", ""), ("git branch -rD origin/topic", "")]);
    fixture.git(&["update-ref", "-d", "refs/remotes/origin/topic"]);
    fixture.git(&["tag", "-a", "-m", "x", "v1", "topic"]);
    check(&fixture, &[("git branch -D topic", "")]);
    fixture.git(&["tag", "-d", "v1"]);
    fixture.git(&["worktree", "add", "-q", "--detach", "../side", "topic"]);
    check(&fixture, &[("git branch -D topic", "")]);
    fixture.git(&["update-ref", "refs/remotes/origin/main", "main"]);
    check(&fixture, &[("git reset --hard HEAD~1", ""), ("git reset --hard origin/main", "")]);
}

#[test]
fn stashed_changes_are_lost() {
    let Some(fixture) = Fixture::new("stashed_changes_are_lost") else { return };
    fixture.commit(&[("a", "1")]);
    for text in ["2", "3"] {
        fixture.write("a", text);
        fixture.git(&["stash", "-q"]);
    }
    check(
        &fixture,
        &[
            ("git stash drop", "stashed 1"),
            ("git stash drop stash@{1}", "stashed 1"),
            ("git stash drop 1", "stashed 1"),
            ("git stash drop stash@{2}", ""),
            ("git stash clear", "stashed 2"),
            ("git stash pop", ""),
            ("git stash list", ""),
        ],
    );
    fixture.git(&["branch", "kept", "stash@{0}"]);
    check(&fixture, &[("git stash drop", ""), ("git stash clear", "stashed 1")]);
}

#[test]
fn worktrees_are_repositories_of_their_own() {
    let Some(fixture) = Fixture::new("worktrees_are_repositories_of_their_own") else { return };
    fixture.commit(&[("a", "1"), (".gitignore", "target\n")]);
    fixture.git(&["worktree", "add", "-q", "-b", "side", "../side"]);
    check(
        &fixture,
        &[("git worktree remove --force ../side", "committed 2"), ("git worktree remove -f ../none", "unknown 1")],
    );
    fs::write(fixture.path("side/a"), "2").unwrap();
    fs::write(fixture.path("side/new"), "2").unwrap();
    fs::create_dir_all(fixture.path("side/target")).unwrap();
    check(
        &fixture,
        &[
            ("git worktree remove --force ../side", "modified 1, untracked 1, rebuildable 1, committed 1"),
            ("git -C ../side reset --hard", "modified 1"),
            ("git reset --hard", ""),
            ("rm -rf ../side", "modified 1, untracked 1, rebuildable 1, committed 1"),
        ],
    );
    fixture.git(&["worktree", "add", "-q", "--detach", "../loose"]);
    fixture.git_in("loose", &["commit", "-q", "--allow-empty", "-m", "x"]);
    check(&fixture, &[("git worktree remove --force ../loose", "committed 2, unpushed 1")]);
}

#[test]
fn repositories_in_directories_are_lost_with_them() {
    let Some(fixture) = Fixture::new("repositories_in_directories_are_lost_with_them") else { return };
    fixture.commit(&[("a", "1"), (".gitignore", "/nested\n")]);
    fixture.git_in("", &["clone", "-q", "repo", "repo/clone"]);
    fixture.git_in("repo", &["init", "-q", "-b", "main", "own"]);
    fs::write(fixture.path("repo/own/x"), "1").unwrap();
    fixture.git_in("repo/own", &["add", "x"]);
    fixture.git_in("repo/own", &["commit", "-q", "-m", "x"]);
    check(
        &fixture,
        &[
            ("rm -rf clone", "committed 2"),
            ("rm -rf own", "committed 1, unpushed 1"),
            ("git clean -fd", ""),
            ("git clean -ffd", "committed 3, unpushed 1"),
            ("rm -rf own/.git", "unpushed 1"),
        ],
    );
}

#[test]
fn submodules_keep_their_own_files() {
    let Some(fixture) = Fixture::new("submodules_keep_their_own_files") else { return };
    fixture.commit(&[("a", "1")]);
    fixture.git_in("", &["init", "-q", "-b", "main", "outer"]);
    fixture.git_in("outer", &["submodule", "--quiet", "add", "../repo", "lib"]);
    fixture.git_in("outer", &["commit", "-q", "-m", "x"]);
    fs::write(fixture.path("outer/lib/a"), "2").unwrap();
    let outer = fixture.path("outer");
    assert_eq!(loses_in(&outer, "git reset --hard"), "");
    assert_eq!(loses_in(&outer, "git -C lib reset --hard"), "modified 1");
    assert_eq!(loses_in(&outer, "rm -rf lib"), "modified 1");
}

#[test]
fn every_form_of_the_index_is_read_or_unknown() {
    let Some(fixture) = Fixture::new("every_form_of_the_index_is_read_or_unknown") else { return };
    let files: Vec<(String, String)> = (0..300).map(|it| (format!("dir{}/file{it}", it % 7), it.to_string())).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    fixture.commit(&files);
    fixture.write("dir0/file7", "changed");
    fixture.write("dir3/file3", "staged");
    fixture.git(&["add", "dir3/file3"]);
    for version in ["2", "3", "4"] {
        fixture.git(&["update-index", "--index-version", version]);
        check(&fixture, &[("git reset --hard", "modified 1, staged 1"), ("git checkout -- dir1", "")]);
    }
    fixture.git(&["update-index", "--assume-unchanged", "dir1/file1"]);
    fixture.write("dir1/file1", "hidden");
    check(&fixture, &[("git reset --hard", "modified 2, staged 1")]);
    fixture.git(&["update-index", "--no-assume-unchanged", "dir1/file1"]);
    fixture.git(&["checkout", "-q", "dir1/file1"]);
    fixture.git(&["add", "-N", "--", "."]);
    fixture.write("later", "x");
    fixture.git(&["add", "-N", "later"]);
    check(&fixture, &[("git reset --hard", "modified 2, staged 1")]);
    fixture.git(&["update-index", "--split-index"]);
    check(&fixture, &[("git reset --hard", "unknown 1"), ("git status", "")]);
}

#[test]
fn sparse_checkouts_lose_what_is_there() {
    let Some(fixture) = Fixture::new("sparse_checkouts_lose_what_is_there") else { return };
    fixture.commit(&[("in/a", "1"), ("in/sub/b", "1"), ("out/c", "1"), ("out/deep/d", "1"), ("e", "1")]);
    for sparse_index in ["false", "true"] {
        fixture.git(&["config", "index.sparse", sparse_index]);
        fixture.git(&["sparse-checkout", "set", "--cone", "in"]);
        fixture.git(&["sparse-checkout", "reapply"]);
        check(&fixture, &[("git reset --hard", ""), ("git checkout .", "")]);
        fixture.write("in/a", "2");
        check(&fixture, &[("git reset --hard", "modified 1")]);
        fixture.git(&["checkout", "-q", "in/a"]);
    }
}

#[test]
fn line_ends_and_links_are_compared_as_git_does() {
    let Some(fixture) = Fixture::new("line_ends_and_links_are_compared_as_git_does") else { return };
    fixture.git(&["config", "core.autocrlf", "true"]);
    fixture.commit(&[("a.txt", "one\r\ntwo\r\n"), ("b", "x")]);
    age(&fixture.repo().join("a.txt"));
    check(&fixture, &[("git reset --hard", "")]);
    fixture.write("a.txt", "one\r\ntwo!\r\n");
    check(&fixture, &[("git reset --hard", "modified 1")]);
    fixture.git(&["checkout", "-q", "."]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("b", fixture.repo().join("link")).unwrap();
        fixture.commit(&[]);
        check(&fixture, &[("git reset --hard", ""), ("rm link", "")]);
        fs::remove_file(fixture.repo().join("link")).unwrap();
        std::os::unix::fs::symlink("a.txt", fixture.repo().join("link")).unwrap();
        check(&fixture, &[("git reset --hard", "modified 1")]);
        fs::remove_file(fixture.repo().join("link")).unwrap();
        fixture.write("link", "a file now");
        check(&fixture, &[("git checkout -- link", "modified 1")]);
    }
}

/// What a repository names is not run, whatever is asked about it.
#[test]
#[cfg(unix)]
fn nothing_of_a_repository_is_run() {
    use std::os::unix::fs::PermissionsExt as _;
    let Some(fixture) = Fixture::new("nothing_of_a_repository_is_run") else { return };
    fixture.commit(&[("a", "1"), ("c.bin", "1")]);
    let script = fixture.path("script");
    fs::write(&script, format!("#!/bin/sh\ntouch {}\ncat\n", fixture.path("ran").display())).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let path = script.to_str().unwrap();
    for name in [
        "core.fsmonitor",
        "filter.x.clean",
        "filter.x.smudge",
        "filter.x.process",
        "diff.x.textconv",
        "core.sshCommand",
    ] {
        fs::write(
            fixture.repo().join(".git/config"),
            format!(
                "{}[{}]\n{} = {path}\n",
                fs::read_to_string(fixture.repo().join(".git/config")).unwrap(),
                section(name),
                key(name)
            ),
        )
        .unwrap();
    }
    fixture.write(".gitattributes", "*.bin filter=x diff=x\n");
    fixture.write("a", "2");
    fixture.write("c.bin", "2");
    check(
        &fixture,
        &[
            ("git reset --hard", "modified 2"),
            ("git clean -fdx", "untracked 1"),
            ("rm -rf .", "modified 2, untracked 1, unpushed 1"),
        ],
    );
    assert!(!fixture.path("ran").exists());
}

#[cfg(unix)]
fn section(name: &str) -> String {
    let parts: Vec<&str> = name.split('.').collect();
    if parts.len() == 3 { format!("{} \"{}\"", parts[0], parts[1]) } else { parts[0].to_owned() }
}

#[cfg(unix)]
fn key(name: &str) -> &str {
    name.rsplit('.').next().unwrap()
}

#[test]
fn a_damaged_repository_is_unknown() {
    let Some(fixture) = Fixture::new("a_damaged_repository_is_unknown") else { return };
    fixture.commit(&[("a", "1"), ("b/c", "1")]);
    fixture.write("a", "2");
    let index = fixture.repo().join(".git/index");
    let whole = fs::read(&index).unwrap();
    for end in (0..whole.len()).step_by(7) {
        fs::write(&index, &whole[..end]).unwrap();
        assert!(loses_in(&fixture.repo(), "git checkout .").contains("unknown"), "{end}");
    }
    let mut changed = whole.clone();
    changed[8..12].copy_from_slice(&[0xff; 4]);
    fs::write(&index, &changed).unwrap();
    check(&fixture, &[("git reset --hard", "unknown 1")]);
    fs::write(&index, &whole).unwrap();
    check(&fixture, &[("git checkout .", "modified 1")]);
    // Without its objects, what is staged is not known.
    fixture.git(&["add", "a"]);
    fs::remove_dir_all(fixture.repo().join(".git/objects")).unwrap();
    fs::create_dir_all(fixture.repo().join(".git/objects")).unwrap();
    assert!(loses_in(&fixture.repo(), "git reset --hard").contains("unknown"));
}

/// Returns what the hook with the bundled policy says about a line: the decision and the reason, or nothing.
fn hook_says(machine: &Machine, line: &str) -> Option<(String, String)> {
    let ran = machine.run(&["hook", "claude"], &machine.shell_payload("claude", line));
    assert_eq!(ran.code, Some(0), "{line}: {}", ran.stderr);
    let answer: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
    let told = &answer["hookSpecificOutput"];
    let text = |name: &str| told[name].as_str().map(ToOwned::to_owned);
    Some((text("permissionDecision")?, text("permissionDecisionReason")?))
}

/// Lines that lose nothing of the fixture of the bundled policy.
const HARMLESS: &[&str] = &[
    "git clean -fdx",
    "git branch -D merged",
    "git stash drop",
    "git stash clear",
    "rm -rf target node_modules",
    "git status",
    "rm x",
];

#[test]
fn the_bundled_policy_asks_by_what_would_be_lost() {
    let machine = Machine::new();
    machine.write(".config/ruleward/policy.yaml", "version: 1\nbackups: off\n");
    let Some(fixture) = Fixture::of_machine("the_bundled_policy_asks_by_what_would_be_lost", &machine) else { return };
    fixture.commit(&[("src/a.rs", "a"), ("src/b.rs", "b"), ("src/c.rs", "c"), (".gitignore", "/target\n"), ("x", "")]);
    fixture.git(&["branch", "merged"]);
    fixture.write("target/debug/x", "");
    fixture.write("node_modules/x/index.js", "");
    fixture.commit(&[(".gitignore", "/target\n/node_modules\n")]);
    let destructive = [
        "git reset --hard",
        "git checkout HEAD -- src/",
        "git checkout .",
        "git checkout -f",
        "git restore .",
        "git restore -SW src",
        "git restore src/a.rs",
        "git rm -rf src",
        "rm -rf src",
    ];
    for line in destructive.iter().chain(HARMLESS) {
        assert_eq!(hook_says(&machine, line), None, "{line}");
    }
    for name in ["src/a.rs", "src/b.rs", "src/c.rs"] {
        fixture.write(name, "changed by a person");
    }
    for line in destructive {
        let (decision, reason) = hook_says(&machine, line).unwrap_or_else(|| panic!("{line}"));
        assert_eq!(decision, "ask", "{line}");
        assert!(reason.contains("changes in src/a.rs"), "{line}: {reason}");
    }
    let (_, reason) = hook_says(&machine, "git checkout HEAD -- src/").unwrap();
    assert!(reason.contains("src/a.rs, src/b.rs, src/c.rs (last edited less than a minute ago)"), "{reason}");
    for line in ["git stash && git reset --hard", "git checkout -b topic", "rm src/a.rs", "echo x > src/a.rs"] {
        assert_eq!(hook_says(&machine, line), None, "{line}");
    }
    fixture.git(&["stash", "-q"]);
    fixture.git(&["checkout", "-q", "-b", "topic"]);
    fixture.commit(&[("new", "1")]);
    fixture.git(&["checkout", "-q", "-"]);
    for number in 0..12 {
        fixture.write(&format!("notes/{number}.md"), "a note");
    }
    for (line, part) in [
        ("git stash drop", "1 stash entry"),
        ("git branch -D topic", "1 commit that exists nowhere else"),
        ("git clean -fd", "untracked notes/"),
        ("rm -rf notes", "and 11 more files (72 bytes)"),
        ("git -C nowhere reset --hard", "something unknown"),
    ] {
        let (decision, reason) = hook_says(&machine, line).unwrap_or_else(|| panic!("{line}"));
        assert!(decision == "ask" && reason.contains(part), "{line}: {decision} {reason}");
    }
}
