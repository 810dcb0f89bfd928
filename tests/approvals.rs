//! Which calls are proven to be harmless: the tables in `tests/approvals/`, the examples of the rows of programs, and
//! that nothing is ever approved which the bundled policy must stop.

use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use ruleward::adapters::{HOSTS, NeutralEvent, compose_payload, read_event};
use ruleward::domain::event::kind::Kind;
use ruleward::domain::event::tool::ArgumentNames;
use ruleward::domain::facts::Facts;
use ruleward::domain::facts::loss::{Change, Loss};
use ruleward::domain::facts::proof::{Checkout, Effect, Proof, RevisionFiles, TreeFilter, rows};
use ruleward::domain::facts::script::FileSystem;
use ruleward::domain::shell::FileContent;
use ruleward::domain::shell::mutation::{MutationSet, mutate};
use ruleward::domain::state::{State, StateView};
use ruleward::domain::text::path::PathContext;
use ruleward::io::files::local_machine::LocalMachine;
use ruleward::io::suite;
use serde::Deserialize;

use crate::common::git::Fixture;

/// A table of lines.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    /// What stands in it.
    about: String,
    /// Lines that are proven to do no more than the level of the table.
    approved: Vec<String>,
    /// Lines that are not.
    refused: Vec<String>,
}

/// The files of the project, with their content.
const FILES: &[(&str, &str)] = &[
    ("a.txt", "foo\nbar\n"),
    ("b.txt", "foo\n"),
    ("src/main.rs", "fn main() {}\n"),
    ("src/lib/util.ts", "export {}\n"),
    ("docs/guide.md", "# Guide\n"),
    (
        "package.json",
        "{\"name\": \"x\", \"scripts\": {\"test\": \"vitest\", \"lint\": \"eslint .\", \"deploy\": \"./deploy\"}}\n",
    ),
    ("Cargo.toml", "[package]\nname = \"x\"\nversion = \"0.1.0\"\n"),
    ("Makefile", "test:\n\tcargo test\n"),
    ("pyproject.toml", "[project]\nname = \"x\"\n"),
    ("go.mod", "module x\n"),
    (".gitignore", "target\nnode_modules\n.env\n"),
];

/// Tools that are installed in the project.
const TOOLS: &[&str] = &["tsc", "eslint", "prettier", "jest", "vitest", "stylelint", "biome"];

/// Files that git does not track.
const UNTRACKED: &[(&str, &str)] =
    &[(".env", "TOKEN=x\n"), ("config/master.key", "x\n"), ("secrets.yml", "x: y\n"), ("notes.txt", "new\n")];

/// Makes a project with a protected file, links that lead out, and two commits.
fn project() -> Option<(Fixture, PathBuf)> {
    let fixture = Fixture::new("approvals")?;
    let root = fixture.repo();
    for (name, content) in FILES {
        write(&root, name, content);
    }
    fixture.git(&["add", "-A"]);
    fixture.git(&["commit", "-qm", "one"]);
    write(&root, "a.txt", "foo\nbar\nbaz\n");
    fixture.git(&["commit", "-qam", "two"]);
    fixture.git(&["remote", "add", "origin", "https://example.org/o/r.git"]);
    fixture.git(&["config", "user.name", "me"]);
    for (name, content) in UNTRACKED {
        write(&root, name, content);
    }
    for name in TOOLS {
        write(&root, &format!("node_modules/.bin/{name}"), "x\n");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc", root.join("out")).unwrap();
        std::os::unix::fs::symlink(".env", root.join("leak.txt")).unwrap();
    }
    let root = fs::canonicalize(root).unwrap();
    Some((fixture, root))
}

fn write(root: &Path, name: &str, content: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// Returns the proof of a line in a project on a file system.
fn prove(line: &str, project: &str, machine: &dyn FileSystem) -> Proof {
    let mut asked = NeutralEvent::new(Kind::ToolBefore, project);
    asked.tool = Some("shell".into());
    asked.command = Some(line.to_owned());
    prove_event(&asked, project, machine)
}

fn prove_event(asked: &NeutralEvent, project: &str, machine: &dyn FileSystem) -> Proof {
    let (host, payload) = HOSTS.iter().find_map(|host| Some((host, compose_payload(host, asked)?))).unwrap();
    let event = read_event(host, &payload, &ArgumentNames::default()).unwrap();
    let place = PathContext {
        home: Some("/home/user".into()),
        cwd: project.to_owned(),
        project: Some(project.to_owned()),
        ..PathContext::default()
    };
    let mut state = State::default();
    state.session.start_commit = machine.head_commit(project);
    let memory = StateView { state, ..StateView::default() };
    Facts::new(&event, &place, machine).with_memory(Some(Rc::new(memory))).proof().clone()
}

fn is_proven(proof: &Proof, most: Effect) -> bool {
    proof.effects.as_ref().is_ok_and(|effects| effects.iter().all(|effect| *effect <= most))
}

/// The machine on which all programs are where the system keeps them.
struct Installed;

impl FileSystem for Installed {
    fn real_path(&self, path: &str) -> Option<String> {
        LocalMachine.real_path(path)
    }
    fn read(&self, path: &str, most: usize) -> FileContent {
        LocalMachine.read(path, most)
    }
    fn expand(&self, pattern: &str) -> Option<Vec<String>> {
        LocalMachine.expand(pattern)
    }
    fn path_variable(&self, _: &str) -> Option<String> {
        None
    }
    fn is_absent(&self, path: &str) -> bool {
        LocalMachine.is_absent(path)
    }
    fn is_directory(&self, path: &str) -> bool {
        LocalMachine.is_directory(path)
    }
    fn walk(&self, directory: &str, filter: &TreeFilter, most: usize) -> Option<Vec<String>> {
        LocalMachine.walk(directory, filter, most)
    }
    fn checkout(&self, directory: &str) -> Option<Checkout> {
        LocalMachine.checkout(directory).map(|found| {
            // What the person who runs the tests has set is not the project's.
            let own = |(name, _): &(String, String)| name.starts_with("remote.") || name.starts_with("branch.");
            Checkout { settings: found.settings.into_iter().filter(own).collect(), ..found }
        })
    }
    fn revision_files(&self, directory: &str, revision: &str) -> RevisionFiles {
        LocalMachine.revision_files(directory, revision)
    }
    fn head_commit(&self, directory: &str) -> Option<String> {
        LocalMachine.head_commit(directory)
    }
    fn changed_since(&self, directory: &str, commit: &str, is_chosen: &dyn Fn(&str) -> bool) -> Option<Vec<String>> {
        LocalMachine.changed_since(directory, commit, is_chosen)
    }
    fn losses(&self, change: &Change) -> Vec<Loss> {
        LocalMachine.losses(change)
    }
}

fn check_table(name: &str, most: Effect) {
    let Some((_fixture, root)) = project() else { return };
    let root = root.to_str().unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/approvals/{name}.yaml"));
    let table: Table = serde_yaml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    assert!(!table.about.is_empty() && table.approved.len() >= 400 && table.refused.len() >= 400, "{name}");
    let mut wrong = Vec::new();
    for line in &table.approved {
        let proof = prove(line, root, &Installed);
        if !is_proven(&proof, most) {
            wrong.push(format!("not approved: {line}\n    {:?}", proof.effects));
        }
    }
    for line in &table.refused {
        let proof = prove(line, root, &Installed);
        if is_proven(&proof, most) {
            wrong.push(format!("approved: {line}\n    {:?}", proof.steps));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        table.approved.len() + table.refused.len(),
        wrong.join("\n")
    );
}

#[test]
fn lines_that_read_are_told_from_others() {
    check_table("reading", Effect::Read);
}

#[test]
fn lines_that_build_are_told_from_others() {
    check_table("building", Effect::Build);
}

#[test]
fn lines_that_write_without_loss_are_told_from_others() {
    check_table("editing", Effect::Edit);
}

/// What one level approves, the next one approves as well, whatever the table of the line.
#[test]
fn each_level_contains_the_one_below() {
    let levels: Vec<Vec<Effect>> = ["approve-reading", "approve-building", "approve-editing"]
        .into_iter()
        .map(|name| {
            let text = fs::read_to_string(format!("{}/policies/{name}.yaml", env!("CARGO_MANIFEST_DIR"))).unwrap();
            let named = |effect: &Effect| {
                text.contains("only: [")
                    && text.split("only: [").nth(1).unwrap().split(']').next().unwrap().contains(effect.name())
            };
            Effect::ALL.into_iter().filter(named).collect()
        })
        .collect();
    assert_eq!(levels, [&Effect::ALL[..1], &Effect::ALL[..2], &Effect::ALL[..]]);
    let Some((_fixture, root)) = project() else { return };
    let root = root.to_str().unwrap();
    for name in ["reading", "building", "editing"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/approvals/{name}.yaml"));
        let table: Table = serde_yaml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        for line in table.approved.iter().chain(&table.refused).step_by(7) {
            let Ok(effects) = prove(line, root, &Installed).effects else { continue };
            let approves = |level: &Vec<Effect>| effects.iter().all(|effect| level.contains(effect));
            let held: Vec<bool> = levels.iter().map(approves).collect();
            assert!(held.is_sorted(), "{line}: {held:?}");
        }
    }
}

#[test]
fn what_decides_what_runs_must_be_as_the_session_found_it() {
    let Some((fixture, root)) = project() else { return };
    let text = root.to_str().unwrap().to_owned();
    let lines = ["cargo test", "npm test", "make test", "pytest", "go test ./...", "npx eslint src"];
    let approved = |line: &str| is_proven(&prove(line, &text, &Installed), Effect::Build);
    assert!(lines.into_iter().all(approved));
    write(&root, "src/main.rs", "fn main() { changed() }\n");
    write(&root, "src/new_test.rs", "new\n");
    assert!(lines.into_iter().all(approved), "sources may change");
    for (name, content) in [
        ("Makefile", "test:\n\trm -rf /\n"),
        ("package.json", "{\"scripts\": {\"test\": \"./evil\"}}\n"),
        ("Cargo.toml", "[package]\n"),
        ("conftest.py", "x\n"),
        ("src/conftest.py", "x\n"),
        ("build.rs", "fn main() {}\n"),
        (".cargo/config.toml", "[build]\n"),
        ("vite.config.ts", "x\n"),
        (".eslintrc.js", "x\n"),
        ("scripts/check.js", "x\n"),
        ("rust-toolchain.toml", "x\n"),
    ] {
        let before = fs::read(root.join(name)).ok();
        write(&root, name, content);
        assert!(!lines.into_iter().any(approved), "{name}");
        match before {
            Some(before) => fs::write(root.join(name), before).unwrap(),
            None => fs::remove_file(root.join(name)).unwrap(),
        }
    }
    assert!(lines.into_iter().all(approved), "as before");
    assert!(!approved("npx mocha"), "what is not installed would be downloaded");
    // A commit of the agent does not make it right.
    let start = fixture.git(&["rev-parse", "HEAD"]);
    write(&root, "Makefile", "test:\n\trm -rf /\n");
    let changed = LocalMachine.changed_since(&text, &start, &ruleward::domain::facts::proof::deciding::decides);
    assert_eq!(changed, Some(vec![format!("{text}/Makefile")]));
}

#[test]
fn without_the_commit_of_the_start_nothing_of_the_project_runs() {
    let proof = prove("cargo test", suite::PROJECT, &Elsewhere("/usr/bin/cargo"));
    assert!(proof.effects.is_err(), "{proof:?}");
}

#[test]
fn rows_of_programs_hold_for_their_examples() {
    let Some((_fixture, root)) = project() else { return };
    let root = root.to_str().unwrap();
    let (mut wrong, mut programs) = (Vec::new(), std::collections::BTreeSet::new());
    for row in rows() {
        for name in row.names() {
            programs.insert(name.split(':').next().unwrap());
            let shown = name.trim_end_matches(':').replace(':', " ");
            let fill = |example: &str| example.replace("{}", if name == ":" { ":" } else { &shown });
            let (approved, refused) = (fill(row.approved), fill(row.refused));
            if !approved.is_empty() && !is_proven(&prove(&approved, root, &Installed), row.effect) {
                wrong.push(format!("not approved: {approved}\n    {:?}", prove(&approved, root, &Installed).effects));
            }
            if !refused.is_empty() && is_proven(&prove(&refused, root, &Installed), Effect::Edit) {
                wrong.push(format!("approved: {refused}"));
            }
        }
    }
    assert!(programs.len() >= 250, "{} programs", programs.len());
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

/// A machine that stands in the way of nothing: no files, no links, a repository that runs nothing.
struct Permissive;

impl FileSystem for Permissive {
    fn real_path(&self, _: &str) -> Option<String> {
        None
    }
    fn read(&self, _: &str, _: usize) -> FileContent {
        FileContent::Missing
    }
    fn expand(&self, _: &str) -> Option<Vec<String>> {
        Some(Vec::new())
    }
    fn path_variable(&self, _: &str) -> Option<String> {
        None
    }
    fn is_absent(&self, _: &str) -> bool {
        true
    }
    fn walk(&self, _: &str, _: &TreeFilter, _: usize) -> Option<Vec<String>> {
        Some(Vec::new())
    }
    fn checkout(&self, _: &str) -> Option<Checkout> {
        Some(Checkout { root: Some(suite::PROJECT.into()), ..Checkout::default() })
    }
    fn revision_files(&self, _: &str, _: &str) -> RevisionFiles {
        RevisionFiles::Paths(Vec::new())
    }
    fn head_commit(&self, _: &str) -> Option<String> {
        Some("0".repeat(40))
    }
    fn changed_since(&self, _: &str, _: &str, _: &dyn Fn(&str) -> bool) -> Option<Vec<String>> {
        Some(Vec::new())
    }
    fn losses(&self, change: &Change) -> Vec<Loss> {
        match change {
            Change::Git { .. } => vec![Loss::default()],
            Change::Delete(paths) | Change::Overwrite(paths) => paths.iter().map(|_| Loss::default()).collect(),
        }
    }
}

/// A case of `tests/commands`, so far as it matters here.
#[derive(Debug, Deserialize)]
struct StoppedCase {
    line: Option<String>,
    decision: Option<String>,
}

#[derive(Debug, Deserialize)]
struct StoppedCases {
    #[serde(default)]
    windows: bool,
    #[serde(default)]
    dialect: Option<String>,
    cases: Vec<StoppedCase>,
}

/// Spellings of one line that are tried.
const SPELLINGS: usize = 6;

#[test]
fn nothing_that_must_be_stopped_is_ever_approved() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/commands");
    let place = suite::test_place(suite::PROJECT);
    let (mut stopped, mut wrong) = (0, Vec::new());
    for entry in fs::read_dir(directory).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        let file: StoppedCases = serde_yaml::from_str(&text).unwrap();
        if file.windows || file.dialect.is_some_and(|dialect| dialect != "posix") {
            continue;
        }
        for case in file.cases {
            let must_stop = case.decision.is_some_and(|decision| decision == "deny" || decision == "ask");
            let Some(line) = case.line.filter(|_| must_stop) else { continue };
            stopped += 1;
            let pool = mutate(&line, &place, MutationSet::All, 60);
            let step = (pool.len() / SPELLINGS).max(1);
            let spellings = pool.iter().skip(stopped % step).step_by(step).map(|it| it.text.clone());
            for spelling in std::iter::once(line.clone()).chain(spellings) {
                if prove(&spelling, suite::PROJECT, &Permissive).effects.is_ok() {
                    wrong.push(spelling);
                }
            }
        }
    }
    assert!(stopped > 1000, "{stopped}");
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_the_repository_holds_decides() {
    let Some((fixture, root)) = project() else { return };
    let text = root.to_str().unwrap().to_owned();
    let is_approved = |line: &str| is_proven(&prove(line, &text, &LocalMachine), Effect::Read);
    let inert = |line: &str| is_proven(&prove(line, &text, &Installed), Effect::Read);
    assert!(inert("git diff") && inert("git show HEAD"), "a repository without protected files");
    write(&root, "deploy/.env", "TOKEN=x\n");
    fixture.git(&["add", "-f", "deploy/.env"]);
    for line in [
        "git diff",
        "git show HEAD:deploy/.env",
        "git grep TOKEN",
        "git diff deploy",
        "git diff -- '*.env'",
        "git diff -- ':/'",
    ] {
        assert!(!inert(line), "{line}");
    }
    assert!(inert("git diff -- a.txt") && inert("git diff --stat") && inert("git diff src"));
    fixture.git(&["rm", "-qf", "--cached", "deploy/.env"]);
    for (name, value) in [
        ("core.fsmonitor", "./x"),
        ("diff.external", "./x"),
        ("diff.a.textconv", "./x"),
        ("filter.a.clean", "./x"),
        ("core.pager", "./x"),
        ("trace2.normaltarget", "/tmp/x"),
    ] {
        fixture.git(&["config", name, value]);
        assert!(!is_approved("git status") && !is_approved("git diff -- a.txt"), "{name}");
        fixture.git(&["config", "--unset", name]);
    }
    fixture.git(&["config", "remote.origin.url", "https://me:secret@example.org/o/r.git"]);
    assert!(!inert("git remote -v") && inert("git status"));
    write(&root, ".git/hooks/post-index-change", "#!/bin/sh\n");
    assert!(!inert("git status"), "a hook");
}

#[test]
fn what_the_project_configures_decides() {
    let Some((_fixture, root)) = project() else { return };
    let text = root.to_str().unwrap().to_owned();
    let is_approved = |line: &str| is_proven(&prove(line, &text, &Installed), Effect::Read);
    for (line, name, content) in [
        ("cargo --version", "rust-toolchain.toml", "[toolchain]\npath = \"./evil\"\n"),
        ("cargo tree --locked", ".cargo/config.toml", "[build]\nrustc-wrapper = \"./evil\"\n"),
        ("yarn --version", ".yarnrc.yml", "yarnPath: ./evil.js\n"),
        ("npm ls", ".npmrc", "script-shell=./evil\n"),
        ("pnpm ls", ".pnpmfile.cjs", "x\n"),
        ("python3 -m json.tool a.json", "json.py", "x\n"),
        ("python3 -m json.tool a.json", "argparse.py", "x\n"),
    ] {
        assert!(is_approved(line), "{line} without {name}");
        write(&root, name, content);
        assert!(!is_approved(line), "{line} with {name}");
        fs::remove_file(root.join(name)).unwrap();
    }
    write(&root, "src/deep/.env", "x\n");
    assert!(!is_approved("grep -rn foo src") && is_approved("rg -n foo src") && !is_approved("rg -uu foo src"));
    assert!(is_approved("grep -rn --include='*.rs' foo src") && !is_approved("rg -t dotenv foo src"));
}

/// A machine on which a program is at another place.
struct Elsewhere(&'static str);

impl FileSystem for Elsewhere {
    fn real_path(&self, _: &str) -> Option<String> {
        None
    }
    fn read(&self, _: &str, _: usize) -> FileContent {
        FileContent::Missing
    }
    fn expand(&self, _: &str) -> Option<Vec<String>> {
        Some(Vec::new())
    }
    fn path_variable(&self, _: &str) -> Option<String> {
        None
    }
    fn program(&self, _: &str) -> ruleward::domain::facts::proof::ProgramLocation {
        let path = self.0.to_owned();
        ruleward::domain::facts::proof::ProgramLocation::At { real: path.clone(), path }
    }
}

#[test]
fn a_program_is_only_known_where_the_project_cannot_put_it() {
    for (path, is_known) in [
        ("/usr/bin/ls", true),
        ("/opt/homebrew/bin/ls", true),
        ("/home/user/.cargo/bin/ls", true),
        ("/home/user/project/bin/ls", false),
        ("/tmp/ls", false),
        ("/home/user/other/ls", false),
    ] {
        let proof = prove("ls", suite::PROJECT, &Elsewhere(path));
        assert_eq!(is_proven(&proof, Effect::Read), is_known, "{path}: {proof:?}");
    }
}

#[test]
fn file_tools_are_examined_as_well() {
    let Some((_fixture, root)) = project() else { return };
    let text = root.to_str().unwrap().to_owned();
    let read = |path: &str| {
        let mut asked = NeutralEvent::new(Kind::PermissionRequest, &text);
        asked.tool = Some("read".into());
        asked.path = Some(path.to_owned());
        is_proven(&prove_event(&asked, &text, &Installed), Effect::Read)
    };
    assert!(read("src/main.rs") && read(&format!("{text}/a.txt")));
    for path in [".env", "leak.txt", "out/passwd", "/etc/passwd", "config/master.key", "../x"] {
        assert!(!read(path), "{path}");
    }
}
