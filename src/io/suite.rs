//! Policy tests as they are in YAML: an event, and what the policy must make of it.
//!
//! An event is either in neutral words, or a host's payload as recorded. Everything takes place in
//! one made-up home and project, so that a test says the same on every machine.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::domain::facts::loss::{Change, Loss};
use crate::domain::facts::repository::{Divergence, RepositoryState, UnknownRepository};
use crate::domain::facts::script::FileSystem;
use crate::domain::policy::host_name::HostName;
use crate::domain::shell::FileContent;
use crate::domain::text::path::{PathContext, matches_pattern};
use crate::domain::verdict::run_record::{Exit, Output, Runner, Task};
use crate::io::platform::{OsFamily, Platform};
use crate::io::policy::builtin;
use crate::io::policy::code::DiagnosticCode;
use crate::io::policy::diagnostic::{Diagnostic, DiagnosticReport, SourceText};
use crate::io::policy::example::LocatedExample;
use crate::io::policy::load::{LoadedPolicy, load_extends};
use crate::io::policy::node::Node;
use crate::io::policy::read::read_all;
pub use crate::io::policy::test_case::{
    Expectation, ExpectedDecision, RepositoryFixture, RunStub, StateFixture, Suite, TEST_TIME, TestCase, UnknownName,
};

/// The home directory of every test.
pub const HOME: &str = "/home/user";
/// The project of every test, which is where it takes place unless it says otherwise.
pub const PROJECT: &str = "/home/user/project";

/// The made-up machine of a test: it has no links, and the files and the repository that the test gives.
#[derive(Debug)]
pub struct TestMachine<'a> {
    files: BTreeMap<String, &'a str>,
    repository: Option<&'a RepositoryFixture>,
    place: &'a PathContext,
}

impl<'a> TestMachine<'a> {
    /// Returns the machine with these files and this repository.
    pub fn new(
        files: &'a BTreeMap<String, String>,
        repository: Option<&'a RepositoryFixture>,
        place: &'a PathContext,
    ) -> Self {
        let absolute = |path: &str| place.resolve(path, Some(PROJECT));
        let files = files.iter().map(|(path, text)| (absolute(path), text.as_str())).collect();
        Self { files, repository, place }
    }

    /// Returns the repository that a directory belongs to; an error where the test says nothing of one.
    fn repository_of(&self, directory: &str) -> Result<Option<&RepositoryFixture>, UnknownRepository> {
        let known = self.repository.ok_or_else(|| UnknownRepository("the test has no repository".to_owned()))?;
        let is_inside = directory.strip_prefix(PROJECT).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        Ok(is_inside.then_some(known))
    }
}

impl FileSystem for TestMachine<'_> {
    fn real_path(&self, _: &str) -> Option<String> {
        None
    }

    fn read(&self, path: &str, most: usize) -> FileContent {
        match self.files.get(path) {
            Some(text) if text.len() > most => FileContent::TooLarge,
            Some(text) => FileContent::Text((*text).to_owned()),
            None => FileContent::Missing,
        }
    }

    /// What else is on the machine of a test is not known, so that a pattern without a match is left open.
    fn expand(&self, pattern: &str) -> Option<Vec<String>> {
        let found: Vec<String> = self.files.keys().filter(|path| matches_pattern(pattern, path)).cloned().collect();
        (!found.is_empty()).then_some(found)
    }

    fn path_variable(&self, _: &str) -> Option<String> {
        None
    }

    fn repository(&self, directory: &str) -> Result<Option<RepositoryState>, UnknownRepository> {
        Ok(self.repository_of(directory)?.map(RepositoryFixture::state))
    }

    fn divergence(&self, directory: &str) -> Result<Option<Divergence>, UnknownRepository> {
        Ok(self.repository_of(directory)?.map(RepositoryFixture::divergence))
    }

    fn losses(&self, change: &Change) -> Vec<Loss> {
        let count = match change {
            Change::Git { .. } => 1,
            Change::Delete(paths) | Change::Overwrite(paths) => paths.len(),
        };
        match self.repository {
            Some(repository) => repository.losses(change, self.place),
            None => vec![Loss::unknown("the test has no repository"); count],
        }
    }
}

/// Programs of which a test says what they do.
#[derive(Debug)]
pub struct StubRunner<'a>(pub &'a BTreeMap<String, RunStub>);

impl Runner for StubRunner<'_> {
    fn available_time(&self, wanted: Duration) -> Duration {
        wanted
    }

    fn run(&self, tasks: &[Task<'_>]) -> Vec<(Exit, Duration)> {
        let exit = |task: &Task<'_>| {
            let stub = self.0.get(&task.plan.rule).cloned().unwrap_or_default();
            match stub {
                _ if !task.plan.blocking => Exit::Detached,
                RunStub { hangs: true, .. } => Exit::TimedOut,
                RunStub { missing: true, .. } => Exit::SpawnFailed("it doesn't exist".to_owned()),
                RunStub { exit, stdout, stderr, .. } => {
                    Exit::Completed(Output { stdout, stderr, exit_code: Some(exit) })
                }
            }
        };
        tasks.iter().map(|task| (exit(task), Duration::ZERO)).collect()
    }
}

/// The tests of a file, and the policy that they are of.
#[derive(Debug)]
pub struct LoadedTests {
    /// The policy.
    pub loaded: LoadedPolicy,
    /// The tests.
    pub cases: Vec<TestCase>,
    /// The examples of the rules of the file.
    pub examples: Vec<LocatedExample>,
    /// The file, when it is a policy.
    pub source: Option<Arc<SourceText>>,
    /// The names of the files and packs whose rules are under test: not of packs that a file only extends.
    pub tested_sources: Vec<String>,
}

/// Returns whether a file looks like one with tests: a file of tests, a policy by its name, or one
/// whose rules have examples.
pub fn has_tests(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if name == "policy.yaml" || name == "policy.local.yaml" || name.ends_with(".test.yaml") {
        return true;
    }
    let bytes = crate::io::files::read_regular_file(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let has = |key: &str| text.lines().any(|line| line.starts_with(key));
    has("version:") && ["rules:", "hooks:", "gates:"].into_iter().any(has) && text.contains("examples:")
}

/// Reads a file of tests, or a policy with tests or examples in it; `None` for a policy without.
///
/// # Errors
/// Returns all mistakes in the file, or in the policy that it tests.
pub fn load(path: &Path, hosts: &[HostName]) -> Result<Option<LoadedTests>, Vec<Diagnostic>> {
    let name = path.to_string_lossy();
    let failed = |message: String| {
        vec![Diagnostic {
            code: DiagnosticCode::UnreadableFile,
            source: SourceText::new(&*name, ""),
            span: None,
            message,
            help: None,
        }]
    };
    let bytes = crate::io::files::read_regular_file(path)
        .map_err(|error| failed(format!("the file cannot be read: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|_| failed("the file is not UTF-8".into()))?;
    let source = SourceText::new(&*name, text);
    let mut report = DiagnosticReport::new(Arc::clone(&source));
    let root = match Node::parse(&source.text) {
        Ok(root) => root,
        Err(found) => {
            report.add(found.code, &found.span, found.message, found.help);
            return Err(report.into_sorted());
        }
    };
    let is_suite = root.get("policies").is_some() || name.ends_with(".test.yaml");
    let (extends, mut cases) = if is_suite {
        let suite = read_all::<Suite>(&root, &mut |misfit| report.add_type_error(misfit));
        suite.map(Suite::into_cases).unwrap_or_default()
    } else {
        let tests = root.get("tests");
        let has_examples = has_examples(&root);
        if tests.is_none() && !has_examples {
            return Ok(None);
        }
        let cases =
            tests.and_then(|tests| read_all::<Vec<TestCase>>(tests, &mut |misfit| report.add_type_error(misfit)));
        let file = path.file_name().map(|name| format!("./{}", name.to_string_lossy()));
        (file.into_iter().collect(), cases.unwrap_or_default())
    };
    let nodes = root.get("tests").map(Node::items).unwrap_or_default();
    for (case, node) in cases.iter_mut().zip(nodes) {
        case.position = Some(source.position(node.span.start));
    }
    let mut loaded = load_extends(&name, &extends, hosts);
    let mut mistakes = report.into_sorted();
    mistakes.extend(loaded.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).cloned());
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    // The first file is made up: it extends the policies under test, and this one before all.
    let own = if is_suite { None } else { loaded.files.get_mut(1) };
    let (examples, source) = own.map(|own| (std::mem::take(&mut own.examples), own.source.clone())).unwrap_or_default();
    let files = loaded.files.iter().skip(1).filter(|file| file.source.is_some()).map(|file| file.name.clone());
    let packs =
        extends.iter().filter_map(|name| builtin::find_pack(name)).flat_map(|pack| pack.parts().unwrap_or_default());
    let subjects = files.chain(packs.map(|part| part.source().to_owned())).collect();
    Ok(Some(LoadedTests { loaded, cases, examples, source, tested_sources: subjects }))
}

/// Returns whether a rule of a policy has examples, also one of a gate.
fn has_examples(policy: &Node) -> bool {
    let lists = |node: &Node, keys: &[&str]| {
        keys.iter()
            .filter_map(|key| node.get(key))
            .any(|list| list.items().iter().any(|it| it.get("examples").is_some()))
    };
    let gates = policy.get("gates").map(Node::items).unwrap_or_default();
    lists(policy, &["rules", "hooks"]) || gates.iter().any(|gate| lists(gate, &["while_closed", "while_open"]))
}

/// Returns the platform on which every test runs.
pub fn test_platform() -> Platform {
    let mut platform = Platform::new(OsFamily::Unix, Some(HOME.into()), BTreeMap::new());
    platform.programs = vec![format!("{HOME}/.local/bin/ruleward")];
    platform
}

/// Returns the place in which every test takes place.
pub fn test_place(cwd: &str) -> PathContext {
    test_platform().place(cwd, Some(PROJECT))
}
