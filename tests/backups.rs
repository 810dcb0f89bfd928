//! Backups from the hook to `ruleward undo`, on real files and repositories.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::common::git::Fixture;
use crate::common::{Machine, RunOutput, output_text, reason};

/// A policy that backs everything up that a call changes.
const EVERYTHING: &str = "version: 1\nextends: [cookbook/checkpoint]\n";

/// How often a call is judged until there was time to look at the repository.
const MAX_TRIES: usize = 50;

/// What a path is: its content, the target of a link, or that it is a directory; with the mode and the time.
type Tree = BTreeMap<String, (String, u32, SystemTime)>;

fn tree(directory: &Path) -> Tree {
    let mut found = Tree::new();
    let mut left = vec![directory.to_owned()];
    while let Some(path) = left.pop() {
        let metadata = fs::symlink_metadata(&path).unwrap();
        let name = path.strip_prefix(directory).unwrap().to_string_lossy().into_owned();
        let content = if metadata.is_symlink() {
            format!("-> {}", fs::read_link(&path).unwrap().display())
        } else if metadata.is_dir() {
            left.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            "/".to_owned()
        } else {
            String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned()
        };
        found.insert(name, (content, mode(&metadata), metadata.modified().unwrap()));
    }
    found
}

#[cfg(unix)]
fn mode(metadata: &fs::Metadata) -> u32 {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions())
}

#[cfg(not(unix))]
fn mode(metadata: &fs::Metadata) -> u32 {
    metadata.permissions().readonly().into()
}

/// Returns what is in a tree, without the times: those of links and of what is above a restored path differ.
fn contents(tree: &Tree) -> BTreeMap<&str, (&str, u32)> {
    tree.iter().map(|(path, (content, mode, _))| (path.as_str(), (content.as_str(), *mode))).collect()
}

/// Judges a shell call as the hook of Claude Code.
fn judge(machine: &Machine, command: &str) -> RunOutput {
    machine.run(&["hook", "claude"], &machine.shell_payload("claude", command))
}

/// Returns the decision on a call: nothing, `ask` or `deny`.
fn decision(ran: &RunOutput) -> String {
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
    answer["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or_default().to_owned()
}

/// Returns what the agent is told beside.
fn context(ran: &RunOutput) -> String {
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
    answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned()
}

/// Carries a line out in the project.
fn carry_out(machine: &Machine, line: &str) {
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(machine.project()).env("HOME", machine.home());
    let ran = command.output().unwrap();
    assert!(ran.status.success(), "{line}: {}", String::from_utf8_lossy(&ran.stderr));
}

/// Judges a line, which must pass with a backup, and carries it out.
fn pass(machine: &Machine, line: &str) {
    let mut ran = judge(machine, line);
    // A busy machine may not read the repository in time, and then a person is asked.
    for _ in 0..MAX_TRIES {
        if context(&ran).contains("ruleward undo") {
            break;
        }
        ran = judge(machine, line);
    }
    assert_eq!(decision(&ran), "", "{line}: {}", output_text(machine, &ran));
    assert!(context(&ran).contains("ruleward undo"), "{line}: {}", output_text(machine, &ran));
    carry_out(machine, line);
}

fn undo(machine: &Machine, args: &[&str]) -> RunOutput {
    let mut command = machine.command(&[&["undo"], args].concat());
    command.env("PATH", std::env::var_os("PATH").unwrap());
    Machine::run_command(command, b"")
}

fn restore_last(machine: &Machine) -> RunOutput {
    let ran = undo(machine, &["--last", "--yes"]);
    assert_eq!(ran.code, Some(0), "{}", output_text(machine, &ran));
    ran
}

/// Returns the list of backups.
fn list(machine: &Machine) -> Vec<Value> {
    let ran = undo(machine, &["--json"]);
    assert_eq!(ran.code, Some(0), "{}", output_text(machine, &ran));
    let listed: Value = serde_json::from_str(&ran.stdout).unwrap();
    listed["backups"].as_array().unwrap().clone()
}

/// A project with commits, changes, untracked and ignored files.
fn project(test: &str) -> Option<(Machine, Fixture)> {
    let machine = Machine::new();
    fs::remove_dir_all(machine.project()).unwrap();
    let fixture = Fixture::of_machine(test, &machine)?;
    fixture.commit(&[(".gitignore", "*.local\nbuild/\n"), ("src/a.rs", "a\n"), ("src/b.rs", "b\n"), ("c.txt", "c\n")]);
    fixture.write("src/a.rs", "a, changed\n");
    fixture.write("src/new.rs", "untracked\n");
    fixture.write("src/deep/er/note.md", "deep\n");
    fixture.write("src/settings.local", "ignored\n");
    fixture.write("src/build/out.o", "built\n");
    fs::create_dir(fixture.repo().join("src/empty")).unwrap();
    Some((machine, fixture))
}

#[test]
fn a_deleted_directory_is_restored_with_modes_times_and_links() {
    let Some((machine, fixture)) = project("a_deleted_directory_is_restored") else { return };
    let then = SystemTime::now() - Duration::from_hours(1);
    let note = fixture.repo().join("src/deep/er/note.md");
    fs::File::options().write(true).open(&note).unwrap().set_modified(then).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        symlink("/etc/passwd", fixture.repo().join("src/outside")).unwrap();
        symlink("missing", fixture.repo().join("src/broken")).unwrap();
        fs::set_permissions(&note, fs::Permissions::from_mode(0o440)).unwrap();
        fs::set_permissions(fixture.repo().join("src/new.rs"), fs::Permissions::from_mode(0o755)).unwrap();
    }
    // What a build makes again is not kept.
    let mut before = tree(&fixture.repo().join("src"));
    before.retain(|path, _| !path.starts_with("build"));
    pass(&machine, "rm -rf src");
    assert!(!fixture.repo().join("src").exists());
    restore_last(&machine);
    let after = tree(&fixture.repo().join("src"));
    assert_eq!(contents(&before), contents(&after));
    for (path, (content, _, time)) in before.iter().filter(|(path, _)| !path.is_empty()) {
        assert!(content.starts_with("->") || after[path].2 == *time, "{path}");
    }
}

#[test]
fn what_git_discards_is_restored() {
    let lines = [
        "git checkout .",
        "git reset --hard",
        "git restore .",
        "git clean -fd",
        "git clean -fdx",
        "git checkout -f",
        "git rm -rf src",
        "git checkout -- src/a.rs",
    ];
    for line in lines {
        let Some((machine, fixture)) = project("what_git_discards_is_restored") else { return };
        let before = tree(&fixture.repo());
        let is_own = |path: &str| !path.starts_with(".git/") && !path.contains("build") && path != "src/empty";
        pass(&machine, line);
        restore_last(&machine);
        let after = tree(&fixture.repo());
        for (path, (content, ..)) in before.iter().filter(|(path, (content, ..))| is_own(path) && content != "/") {
            // `git rm` deletes what the last commit holds as well.
            let is_committed = line.starts_with("git rm") && path == "src/b.rs";
            assert_eq!(after.get(path).map(|it| &it.0), Some(content).filter(|_| !is_committed), "{line}: {path}");
        }
    }
}

#[test]
fn what_only_the_index_has_is_restored() {
    let Some((machine, fixture)) = project("what_only_the_index_has_is_restored") else { return };
    fixture.write("src/a.rs", "staged\n");
    fixture.git(&["add", "src/a.rs"]);
    fixture.write("src/a.rs", "staged and changed\n");
    pass(&machine, "git reset --hard");
    assert_eq!(fs::read_to_string(fixture.repo().join("src/a.rs")).unwrap(), "a\n");
    restore_last(&machine);
    assert_eq!(fs::read_to_string(fixture.repo().join("src/a.rs")).unwrap(), "staged and changed\n");
    assert_eq!(fixture.git(&["show", ":src/a.rs"]), "staged");
}

#[test]
fn commits_and_stash_entries_are_restored() {
    let Some((machine, fixture)) = project("commits_and_stash_entries_are_restored") else { return };
    fixture.git(&["add", "-A"]);
    fixture.git(&["stash", "push", "-m", "kept for later"]);
    let stashed = fixture.git(&["rev-parse", "stash@{0}"]);
    pass(&machine, "git stash drop");
    fixture.git(&["reflog", "expire", "--expire=now", "--all"]);
    fixture.git(&["gc", "--prune=now", "--quiet"]);
    restore_last(&machine);
    assert_eq!(fixture.git(&["rev-parse", "stash@{0}"]), stashed);
    assert!(fixture.git(&["stash", "list"]).contains("kept for later"));
    // A restored entry is not made twice.
    restore_last(&machine);
    assert_eq!(fixture.git(&["stash", "list"]).lines().count(), 1);

    fixture.git(&["checkout", "-q", "-b", "feature"]);
    let tip = fixture.commit(&[("feature.txt", "f\n")]);
    fixture.git(&["checkout", "-q", "main"]);
    pass(&machine, "git branch -D feature");
    fixture.git(&["reflog", "expire", "--expire=now", "--all"]);
    fixture.git(&["gc", "--prune=now", "--quiet"]);
    restore_last(&machine);
    assert_eq!(fixture.git(&["rev-parse", "feature"]), tip);

    let last = fixture.commit(&[("d.txt", "d\n")]);
    pass(&machine, "git reset --hard HEAD~1");
    restore_last(&machine);
    assert_eq!(fixture.git(&["rev-parse", "main"]), last);
    assert_eq!(fs::read_to_string(fixture.repo().join("d.txt")).unwrap(), "d\n");

    // A branch that went on meanwhile stays, and the commits get a branch of their own.
    pass(&machine, "git reset --hard HEAD~1");
    let newer = fixture.commit(&[("e.txt", "e\n")]);
    restore_last(&machine);
    assert_eq!(fixture.git(&["rev-parse", "main"]), newer);
    let id = list(&machine).last().unwrap()["id"].as_str().unwrap().to_owned();
    assert_eq!(fixture.git(&["rev-parse", &format!("restored-{id}")]), last);
}

#[test]
fn what_a_call_overwrites_is_restored() {
    let lines = [
        "mv c.txt src/new.rs",
        "cp c.txt src/new.rs",
        "> src/new.rs",
        "echo x > src/new.rs",
        "sed -i s/untracked/changed/ src/new.rs",
        "truncate -s 0 src/new.rs",
        "rm src/new.rs",
    ];
    for line in lines {
        let Some((machine, fixture)) = project("what_a_call_overwrites_is_restored") else { return };
        machine.write(".config/ruleward/policy.yaml", EVERYTHING);
        let path = fixture.repo().join("src/new.rs");
        pass(&machine, line);
        assert_ne!(fs::read_to_string(&path).ok().as_deref(), Some("untracked\n"), "{line}");
        restore_last(&machine);
        assert_eq!(fs::read_to_string(&path).unwrap(), "untracked\n", "{line}");
    }
}

#[test]
fn what_a_file_tool_overwrites_is_restored() {
    let Some((machine, fixture)) = project("what_a_file_tool_overwrites_is_restored") else { return };
    machine.write(".config/ruleward/policy.yaml", EVERYTHING);
    let path = fixture.repo().join("src/new.rs");
    for tool in [
        json!({ "tool_name": "Write", "tool_input": { "file_path": path, "content": "other\n" } }),
        json!({ "tool_name": "Edit", "tool_input": { "file_path": path, "old_string": "un", "new_string": "" } }),
    ] {
        let ran = machine.run(&["hook", "claude"], &machine.payload("PreToolUse", &tool));
        assert!(context(&ran).contains("ruleward undo"), "{}", output_text(&machine, &ran));
        fs::write(&path, "other\n").unwrap();
        restore_last(&machine);
        assert_eq!(fs::read_to_string(&path).unwrap(), "untracked\n");
    }
    // What the last commit holds, and what is new, is not backed up.
    let count = list(&machine).len();
    for name in ["src/b.rs", "src/newer.rs"] {
        let input = json!({ "file_path": fixture.repo().join(name), "content": "other\n" });
        let call = json!({ "tool_name": "Write", "tool_input": input });
        let ran = machine.run(&["hook", "claude"], &machine.payload("PreToolUse", &call));
        assert_eq!((context(&ran).as_str(), list(&machine).len()), ("", count), "{name}");
    }
}

#[test]
fn newer_work_is_shown_kept_and_only_replaced_on_demand() {
    let Some((machine, fixture)) = project("newer_work_is_shown") else { return };
    pass(&machine, "rm -rf src");
    fixture.write("src/new.rs", "newer\n");
    let dry = undo(&machine, &["--last", "--dry-run"]);
    assert!(dry.stdout.contains("-newer") && dry.stdout.contains("+untracked"), "{}", dry.stdout);
    assert!(!fixture.repo().join("src/a.rs").exists());
    // Without a terminal and without `--yes`, nothing happens.
    let ran = undo(&machine, &["--last"]);
    assert_eq!(ran.code, Some(2), "{}", output_text(&machine, &ran));
    assert!(!fixture.repo().join("src/a.rs").exists());
    // One file of it.
    let id = list(&machine)[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(undo(&machine, &[&id, "src/a.rs", "--yes"]).code, Some(0));
    assert_eq!(fs::read_to_string(fixture.repo().join("src/a.rs")).unwrap(), "a, changed\n");
    assert_eq!(fs::read_to_string(fixture.repo().join("src/new.rs")).unwrap(), "newer\n");
    assert_eq!(undo(&machine, &[&id, "elsewhere", "--yes"]).code, Some(2));
    // What is replaced is kept itself.
    restore_last(&machine);
    assert_eq!(fs::read_to_string(fixture.repo().join("src/new.rs")).unwrap(), "untracked\n");
    let own = list(&machine).into_iter().find(|backup| backup["restored"] == id.as_str()).unwrap();
    assert_eq!(undo(&machine, &[own["id"].as_str().unwrap(), "--yes"]).code, Some(0));
    assert_eq!(fs::read_to_string(fixture.repo().join("src/new.rs")).unwrap(), "newer\n");
}

#[cfg(unix)]
#[test]
fn nothing_is_restored_through_a_link() {
    let Some((machine, fixture)) = project("nothing_is_restored_through_a_link") else { return };
    pass(&machine, "rm -rf src");
    let elsewhere = machine.home().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, fixture.repo().join("src")).unwrap();
    let ran = undo(&machine, &["--last", "--yes"]);
    assert_eq!(ran.code, Some(1), "{}", output_text(&machine, &ran));
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
}

#[test]
fn what_a_backup_does_not_cover_is_still_asked_about() {
    let Some((machine, fixture)) = project("what_a_backup_does_not_cover") else { return };
    let bounded = |bounds: &str| {
        format!(
            "version: 1\nrules:\n  - {{ id: r, when: tool.before, command: rm, loses: [modified, untracked], then: {{ ask: Sure?, backup: {{ replaces: ask, {bounds} }} }} }}\ndefaults: none\n"
        )
    };
    for (bounds, expected) in
        [("max_files: 100", ""), ("max_files: 3", "ask"), ("max_files: 3, otherwise: deny", "deny")]
    {
        machine.write(".config/ruleward/policy.yaml", &bounded(bounds));
        let ran = judge(&machine, "rm -rf src");
        assert_eq!(decision(&ran), expected, "{bounds}: {}", output_text(&machine, &ran));
    }
    fixture.write("src/large.bin", &"x".repeat(1_200_000));
    machine.write(".config/ruleward/policy.yaml", &bounded("max_mb: 1"));
    assert_eq!(decision(&judge(&machine, "rm -rf src")), "ask");
    assert_eq!(list(&machine).len(), 1);
    // Outside the project, a backup is taken and the question stays.
    machine.write(".config/ruleward/policy.yaml", &bounded("max_mb: 10"));
    machine.write("other/notes.md", "notes\n");
    assert_eq!(decision(&judge(&machine, "rm -rf ../other")), "ask");
    // One line turns it off.
    machine.write(".config/ruleward/policy.yaml", "version: 1\nbackups: off\n");
    let ran = judge(&machine, "rm -rf src");
    assert_eq!(decision(&ran), "ask", "{}", output_text(&machine, &ran));
    assert!(reason("claude", &ran).contains("no commit brings it back"), "{}", output_text(&machine, &ran));
}

#[test]
fn a_backup_is_taken_beside_a_question() {
    let Some((machine, fixture)) = project("a_backup_is_taken_beside_a_question") else { return };
    let policy = "version: 1\ndefaults: none\nrules:\n  - { id: r, when: tool.before, files: { access: delete, within: project }, then: { ask: Sure?, backup: {} } }\n";
    machine.write(".config/ruleward/policy.yaml", policy);
    let ran = judge(&machine, "rm -r src");
    assert_eq!(decision(&ran), "ask", "{}", output_text(&machine, &ran));
    carry_out(&machine, "rm -r src");
    restore_last(&machine);
    assert!(fixture.repo().join("src/new.rs").exists());
}

#[test]
fn a_refused_call_takes_no_backup() {
    let Some((machine, _fixture)) = project("a_refused_call_takes_no_backup") else { return };
    let policy = "version: 1\nrules:\n  - { id: no, when: tool.before, command: rm, then: { deny: No. } }\n";
    machine.write(".config/ruleward/policy.yaml", policy);
    assert_eq!(decision(&judge(&machine, "rm -rf src")), "deny");
    assert!(list(&machine).is_empty());
}

#[test]
fn records_and_lists_tell_of_backups_and_not_what_they_hold() {
    let Some((machine, fixture)) = project("records_and_lists_tell_of_backups") else { return };
    fixture.write("src/new.rs", "the content of a file\n");
    pass(&machine, "rm -rf src");
    let log = machine.read(".state/ruleward/audit.jsonl").unwrap();
    assert!(log.contains("ruleward.backups") && !log.contains("the content of a file"), "{log}");
    let record: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    let backup = list(&machine)[0].clone();
    assert_eq!(record["ruleward.backups"][0]["id"], backup["id"]);
    assert_eq!((backup["session"].as_str(), backup["about"].as_str()), (Some("s"), Some("rm -rf src")));
    let id = record["ruleward.id"].as_str().unwrap();
    let explained = machine.run(&["explain", id], b"").stdout;
    assert!(explained.contains(&format!("backup {}", backup["id"].as_str().unwrap())), "{explained}");
    assert!(machine.run(&["log"], b"").stdout.contains("backup "));
    let report = machine.run(&["report", "--output", "-"], b"").stdout;
    assert!(report.contains(&format!("backup {}", backup["id"].as_str().unwrap())));
    assert!(undo(&machine, &["--session", "other", "--json"]).stdout.contains("[]"));
    #[cfg(unix)]
    for name in ["", backup["id"].as_str().unwrap()] {
        let directory = machine.home().join(".state/ruleward/backups").join(name);
        assert_eq!(mode(&fs::metadata(directory).unwrap()) & 0o077, 0, "{name}");
    }
}

#[test]
fn check_measures_and_takes_nothing() {
    let Some((machine, _fixture)) = project("check_measures_and_takes_nothing") else { return };
    let ran = machine.run(&["check", "--command", "rm -rf src"], b"");
    assert!(ran.stdout.contains("backs up: "), "{}", output_text(&machine, &ran));
    assert!(list(&machine).is_empty());
}

#[test]
fn backups_are_pruned_by_age_size_and_choice() {
    let Some((machine, fixture)) = project("backups_are_pruned") else { return };
    for name in ["one", "two", "three"] {
        fixture.write(&format!("{name}/file.txt"), name);
        pass(&machine, &format!("rm -rf {name}"));
    }
    assert_eq!(list(&machine).len(), 3);
    assert_eq!(undo(&machine, &["prune"]).code, Some(0));
    assert_eq!(list(&machine).len(), 3);
    assert_eq!(undo(&machine, &["prune", "--max-mb", "0"]).code, Some(0));
    assert!(list(&machine).is_empty());
    fixture.write("four/file.txt", "four");
    pass(&machine, "rm -rf four");
    // One whose time is over goes when the next is taken.
    let id = list(&machine)[0]["id"].as_str().unwrap().to_owned();
    let header = format!(".state/ruleward/backups/{id}/backup.json");
    let mut value: Value = serde_json::from_str(&machine.read(&header).unwrap()).unwrap();
    value["time"] = json!(1);
    machine.write(&header, &value.to_string());
    fixture.write("five/file.txt", "five");
    pass(&machine, "rm -rf five");
    assert_eq!(list(&machine).len(), 1);
    assert_eq!(undo(&machine, &["prune", "--all"]).code, Some(0));
    assert!(list(&machine).is_empty());
}

#[test]
fn references_of_a_backup_are_no_copy_and_go_with_it() {
    let Some((machine, fixture)) = project("references_of_a_backup") else { return };
    fixture.git(&["stash", "push"]);
    pass(&machine, "git stash drop");
    assert!(fixture.git(&["for-each-ref", "refs/ruleward"]).contains("commit"));
    let stashed = fixture.git(&["for-each-ref", "--format=%(objectname)", "refs/ruleward"]);
    fixture.git(&["stash", "store", &stashed]);
    pass(&machine, "git stash drop");
    fixture.git(&["pack-refs", "--all"]);
    assert_eq!(undo(&machine, &["prune", "--all"]).code, Some(0));
    assert_eq!(fixture.git(&["for-each-ref", "refs/ruleward"]), "");
}

#[test]
fn two_sessions_at_once_keep_their_own() {
    let Some((machine, fixture)) = project("two_sessions_at_once") else { return };
    for number in 0..200 {
        fixture.write(&format!("one/{number}.txt"), "one");
        fixture.write(&format!("two/{number}.txt"), "two");
    }
    std::thread::scope(|scope| {
        for line in ["rm -rf one", "rm -rf two"] {
            let machine = &machine;
            scope.spawn(move || pass(machine, line));
        }
    });
    let backups = list(&machine);
    assert_eq!(backups.len(), 2);
    for backup in backups {
        assert_eq!(backup["files"], 200);
        assert_eq!(undo(&machine, &[backup["id"].as_str().unwrap(), "--yes"]).code, Some(0));
    }
    for name in ["one", "two"] {
        assert_eq!(fs::read_dir(fixture.repo().join(name)).unwrap().count(), 200);
        assert_eq!(fs::read_to_string(fixture.repo().join(name).join("199.txt")).unwrap(), name);
    }
}

#[test]
fn a_hundred_thousand_files_are_asked_about() {
    let Some((machine, fixture)) = project("a_hundred_thousand_files") else { return };
    for directory in 0..100 {
        let path = fixture.repo().join(format!("many/{directory}"));
        fs::create_dir_all(&path).unwrap();
        for file in 0..1000 {
            fs::File::create(path.join(file.to_string())).unwrap();
        }
    }
    let ran = judge(&machine, "git clean -fd");
    assert_eq!(decision(&ran), "ask", "{}", output_text(&machine, &ran));
    assert!(list(&machine).is_empty());
}

#[cfg(unix)]
#[test]
fn a_file_with_another_name_is_copied_and_its_second_name_changes_nothing() {
    let Some((machine, fixture)) = project("a_file_with_another_name") else { return };
    fs::hard_link(fixture.repo().join("src/new.rs"), machine.home().join("second")).unwrap();
    pass(&machine, "rm -rf src");
    fs::write(machine.home().join("second"), "written later, by the other name\n").unwrap();
    restore_last(&machine);
    assert_eq!(fs::read_to_string(fixture.repo().join("src/new.rs")).unwrap(), "untracked\n");
}

#[cfg(unix)]
#[test]
fn a_file_that_was_not_deleted_is_never_replaced_by_itself() {
    let Some((machine, fixture)) = project("a_file_that_was_not_deleted") else { return };
    // The call is judged, and does not happen; then the work goes on in place.
    assert_eq!(decision(&judge(&machine, "rm -rf src")), "");
    let path = fixture.repo().join("src/new.rs");
    let mut file = fs::File::options().append(true).open(&path).unwrap();
    std::io::Write::write_all(&mut file, b"more\n").unwrap();
    restore_last(&machine);
    assert_eq!(fs::read_to_string(path).unwrap(), "untracked\nmore\n");
}
