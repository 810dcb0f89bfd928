//! Policy tests as they stand in YAML: an event, and what the policy must make of it.
//!
//! An event is either in neutral words, or a host's payload as recorded. Everything takes place in
//! one made-up home and project, so that a test says the same on every machine.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::platform::{Surroundings, System};
use super::policy::builtin;
use super::policy::code::Code;
use super::policy::diagnostic::{Diagnostic, Report, Source};
use super::policy::example::Placed;
use super::policy::load::{Loaded, load_only};
use super::policy::node::Node;
use super::policy::read::read_all;
use crate::domain::example::Described;
use crate::domain::gate::{ActiveGate, Stand};
use crate::domain::path::Place;
use crate::domain::policy::Policy;
use crate::domain::ran::{Ended, Runner, Said, Task};
use crate::domain::scripts::Machine;
use crate::domain::shell::FileText;
use crate::domain::state::{Counter, Scope, State, Time};
use crate::domain::suggest;

/// The home directory of every test.
pub const HOME: &str = "/home/user";
/// The project of every test, which is where it takes place unless it says otherwise.
pub const PROJECT: &str = "/home/user/project";

/// A file of tests (`*.test.yaml`).
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// The version of the format: 1.
    pub version: u8,
    /// What the tests are about.
    #[serde(default)]
    pub description: Option<String>,
    /// The policies in force, and no others: bundled packs by name, or files beside this one.
    pub policies: Vec<String>,
    /// Files that are there in every test, as under `files` of one.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// The tests.
    pub tests: Vec<Case>,
}

impl Suite {
    /// Returns the policies, and the tests with the files that all of them have.
    fn cases(self) -> (Vec<String>, Vec<Case>) {
        let Self { policies, files, mut tests, .. } = self;
        for case in &mut tests {
            for (path, text) in &files {
                case.files.entry(path.clone()).or_insert_with(|| text.clone());
            }
        }
        (policies, tests)
    }
}

/// The made-up machine of a test: it has no links, and the files that the test gives.
#[derive(Debug)]
pub struct MadeUp<'a> {
    files: BTreeMap<String, &'a str>,
}

impl<'a> MadeUp<'a> {
    /// Returns the machine with these files.
    pub fn new(files: &'a BTreeMap<String, String>, place: &Place) -> Self {
        let absolute = |path: &str| place.resolve(path, Some(PROJECT));
        Self { files: files.iter().map(|(path, text)| (absolute(path), text.as_str())).collect() }
    }
}

impl Machine for MadeUp<'_> {
    fn follow(&self, _: &str) -> Option<String> {
        None
    }

    fn read(&self, path: &str, most: usize) -> FileText {
        match self.files.get(path) {
            Some(text) if text.len() > most => FileText::TooLarge,
            Some(text) => FileText::Text((*text).to_owned()),
            None => FileText::Missing,
        }
    }
}

/// One test.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What is being said, in one sentence.
    pub name: String,
    /// The host that reports the event; the first that has the moment, when not given.
    #[serde(default)]
    pub host: Option<String>,
    /// The event in neutral words.
    #[serde(default)]
    pub event: Option<Described>,
    /// The event as the host would send it.
    #[serde(default)]
    pub payload: Option<Map<String, Value>>,
    /// Events of the same session that come before, and what they leave behind is remembered.
    #[serde(default)]
    pub before: Vec<Described>,
    /// What is remembered at first: how gates stand, and what was counted.
    #[serde(default)]
    pub state: Recalled,
    /// Files that are there, by path: relative to the project, or absolute. Scripts among them are
    /// read where the event runs them.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// What programs say that rules have run, by the rule's id; nothing is run. One that is not here
    /// succeeds and says nothing.
    #[serde(default)]
    pub runs: BTreeMap<String, Saying>,
    /// What must come of it.
    pub expect: Expect,
    /// Where it stands in its file: line and column, both counted from 1.
    #[serde(skip)]
    pub position: Option<(usize, usize)>,
}

/// What a program is made up to say.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Saying {
    /// Its exit code; 0 when not given.
    #[serde(default)]
    pub exit: i32,
    /// What it prints.
    #[serde(default)]
    pub stdout: String,
    /// What it prints as an error.
    #[serde(default)]
    pub stderr: String,
    /// Whether it does not end in time.
    #[serde(default)]
    pub hangs: bool,
    /// Whether it is not there.
    #[serde(default)]
    pub missing: bool,
}

/// Programs of which a test says what they do.
#[derive(Debug)]
pub struct Scripted<'a>(pub &'a BTreeMap<String, Saying>);

impl Runner for Scripted<'_> {
    fn granted(&self, wanted: Duration) -> Duration {
        wanted
    }

    fn run(&self, task: &Task<'_>) -> (Ended, Duration) {
        let saying = self.0.get(&task.planned.rule).cloned().unwrap_or_default();
        let Saying { exit, stdout, stderr, hangs, missing } = saying;
        let ended = match (hangs, missing) {
            (true, _) => Ended::TimedOut,
            (false, true) => Ended::NotStarted("it is not there".to_owned()),
            (false, false) => Ended::Said(Said { stdout, stderr, exit: Some(exit) }),
        };
        (ended, Duration::ZERO)
    }

    fn start(&self, _: &Task<'_>) -> (Ended, Duration) {
        (Ended::Started, Duration::ZERO)
    }
}

/// What must come of an event; what is not given may be anything.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// The decision.
    #[serde(default)]
    pub decision: Option<Expected>,
    /// Rules that hold.
    #[serde(default)]
    pub rule: Vec<String>,
    /// The rules whose programs run, all of them.
    #[serde(default)]
    pub runs: Option<Vec<String>>,
    /// Whether no other rules hold than those under `rule`; with none there, no rule at all.
    #[serde(default)]
    pub only: bool,
    /// A part of the reasons.
    #[serde(default)]
    pub reason: Option<String>,
    /// A part of what the agent is told.
    #[serde(default)]
    pub context: Option<String>,
    /// A part of what is answered in the model's place.
    #[serde(default)]
    pub respond: Option<String>,
    /// A part of what the person is told.
    #[serde(default)]
    pub warn: Option<String>,
    /// Whether the loop ends.
    #[serde(default)]
    pub stop: Option<bool>,
    /// Whether the agent is sent back to work.
    #[serde(default)]
    pub retry: Option<bool>,
    /// The new values of fields of the tool's input, all of them.
    #[serde(default)]
    pub rewrite: Option<Map<String, Value>>,
    /// The whole answer to the host, as JSON; `null` for silence.
    #[serde(default, deserialize_with = "given")]
    pub stdout: Option<Value>,
    /// The exit code.
    #[serde(default)]
    pub exit: Option<u8>,
    /// What is remembered after it.
    #[serde(default)]
    pub state: Recalled,
}

/// What is remembered; of what is not given, nothing is said.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recalled {
    /// How gates stand, by id.
    #[serde(default)]
    pub gates: BTreeMap<String, Stand>,
    /// What was counted in the session: `{calls: 10}`.
    #[serde(default)]
    pub session: BTreeMap<String, u64>,
    /// What was counted in the project.
    #[serde(default)]
    pub project: BTreeMap<String, u64>,
    /// What was counted on the day.
    #[serde(default)]
    pub day: BTreeMap<String, u64>,
}

/// When every test takes place: on 9 September 2001.
pub const NOW: Time = Time(1_000_000_000);

impl Recalled {
    /// Returns the state in which this is remembered.
    ///
    /// # Errors
    /// Returns which gate or counter is not known, for people.
    pub fn state(&self, policy: &Policy) -> Result<State, String> {
        let mut state = State::default();
        for scope in Scope::ALL {
            for (name, value) in self.counts(scope) {
                state.counts_mut(scope).set(counter(name)?, *value, NOW);
            }
        }
        for (id, stand) in &self.gates {
            state.put_gate(gate(policy, id)?, *stand, NOW);
        }
        Ok(state)
    }

    /// Returns where a state is not as this says.
    ///
    /// # Errors
    /// Returns which gate or counter is not known, for people.
    pub fn differences(&self, state: &State, policy: &Policy) -> Result<Vec<(String, String, String)>, String> {
        let mut found = Vec::new();
        for scope in Scope::ALL {
            for (name, value) in self.counts(scope) {
                let actual = state.counts(scope).value(counter(name)?, NOW);
                found.push((format!("{}.{name}", scope.name()), value.to_string(), actual.to_string()));
            }
        }
        for (id, stand) in &self.gates {
            let actual = state.stand(gate(policy, id)?, NOW);
            found.push((format!("gate {id}"), stand.name().to_owned(), actual.name().to_owned()));
        }
        found.retain(|(_, expected, actual)| expected != actual);
        Ok(found)
    }

    const fn counts(&self, scope: Scope) -> &BTreeMap<String, u64> {
        match scope {
            Scope::Session => &self.session,
            Scope::Project => &self.project,
            Scope::Day => &self.day,
        }
    }
}

fn counter(name: &str) -> Result<Counter, String> {
    let known = || Counter::ALL.into_iter().map(|(_, name)| name);
    Counter::from_name(name).ok_or_else(|| suggest::among("counter", name, known()).replace('\n', "; "))
}

fn gate<'p>(policy: &'p Policy, id: &str) -> Result<&'p ActiveGate, String> {
    let ids = || policy.gates.iter().map(|active| active.gate.id.as_str());
    let found = policy.gates.iter().find(|active| active.gate.id == id);
    found.ok_or_else(|| suggest::among("gate", id, ids()).replace('\n', "; "))
}

/// A decision that a test expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Expected {
    /// Refused.
    Deny,
    /// A person is asked.
    Ask,
    /// Approved.
    Allow,
    /// No opinion.
    None,
}

/// The tests of a file, and the policy that they are of.
#[derive(Debug)]
pub struct Tests {
    /// The policy.
    pub loaded: Loaded,
    /// The tests.
    pub cases: Vec<Case>,
    /// The examples of the rules of the file.
    pub examples: Vec<Placed>,
    /// The file, when it is a policy.
    pub source: Option<Arc<Source>>,
    /// The names of the files and packs whose rules are under test: not of packs that a file only extends.
    pub subjects: Vec<String>,
}

/// Tells whether a file looks like one with tests: a file of tests, a policy by its name, or one
/// whose rules have examples.
pub fn has_tests(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if name == "policy.yaml" || name == "policy.local.yaml" || name.ends_with(".test.yaml") {
        return true;
    }
    let bytes = super::files::ordinary(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let has = |key: &str| text.lines().any(|line| line.starts_with(key));
    has("version:") && ["rules:", "hooks:", "gates:"].into_iter().any(has) && text.contains("examples:")
}

/// Reads a file of tests, or a policy with tests or examples in it; `None` for a policy without.
///
/// # Errors
/// Returns all mistakes in the file, or in the policy that it tests.
pub fn load(path: &Path, hosts: &[&str]) -> Result<Option<Tests>, Vec<Diagnostic>> {
    let name = path.to_string_lossy();
    let failed = |message: String| {
        vec![Diagnostic {
            code: Code::UnreadableFile,
            source: Source::new(&*name, ""),
            span: None,
            message,
            help: None,
        }]
    };
    let bytes = super::files::ordinary(path).map_err(|error| failed(format!("the file cannot be read: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|_| failed("the file is not UTF-8".into()))?;
    let source = Source::new(&*name, text);
    let mut report = Report::new(Arc::clone(&source));
    let root = match Node::parse(&source.text) {
        Ok(root) => root,
        Err(found) => {
            report.add(found.code, &found.span, found.message, found.help);
            return Err(report.sorted());
        }
    };
    let is_suite = root.get("policies").is_some() || name.ends_with(".test.yaml");
    let (extends, mut cases) = if is_suite {
        let suite = read_all::<Suite>(&root, &mut |misfit| report.add_misfit(misfit));
        suite.map(Suite::cases).unwrap_or_default()
    } else {
        let tests = root.get("tests");
        let has_examples = has_examples(&root);
        if tests.is_none() && !has_examples {
            return Ok(None);
        }
        let cases = tests.and_then(|tests| read_all::<Vec<Case>>(tests, &mut |misfit| report.add_misfit(misfit)));
        let file = path.file_name().map(|name| format!("./{}", name.to_string_lossy()));
        (file.into_iter().collect(), cases.unwrap_or_default())
    };
    let nodes = root.get("tests").map(Node::items).unwrap_or_default();
    for (case, node) in cases.iter_mut().zip(nodes) {
        case.position = Some(source.position(node.span.start));
    }
    let mut loaded = load_only(&name, &extends, hosts);
    let mut mistakes = report.sorted();
    mistakes.extend(loaded.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).cloned());
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    // The first file is made up: it extends the policies under test, and this one before all.
    let own = if is_suite { None } else { loaded.files.get_mut(1) };
    let (examples, source) = own.map(|own| (std::mem::take(&mut own.examples), own.source.clone())).unwrap_or_default();
    let files = loaded.files.iter().skip(1).filter(|file| file.source.is_some()).map(|file| file.name.clone());
    let packs = extends.iter().filter_map(|name| builtin::find(name)).flat_map(|pack| pack.parts().unwrap_or_default());
    let subjects = files.chain(packs.map(|part| part.source().to_owned())).collect();
    Ok(Some(Tests { loaded, cases, examples, source, subjects }))
}

/// Tells whether a rule of a policy has examples, also one of a gate.
fn has_examples(policy: &Node) -> bool {
    let lists = |node: &Node, keys: &[&str]| {
        keys.iter()
            .filter_map(|key| node.get(key))
            .any(|list| list.items().iter().any(|it| it.get("examples").is_some()))
    };
    let gates = policy.get("gates").map(Node::items).unwrap_or_default();
    lists(policy, &["rules", "hooks"]) || gates.iter().any(|gate| lists(gate, &["while_closed", "while_open"]))
}

/// Tells a `null` that was written from nothing written.
fn given<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// Returns the surroundings in which every test takes place.
pub fn surroundings() -> Surroundings {
    Surroundings { system: System::Unix, home: Some(HOME.into()), variables: BTreeMap::new() }
}

/// Returns the place in which every test takes place.
pub fn place(cwd: &str) -> Place {
    Place { home: Some(HOME.into()), cwd: cwd.into(), project: Some(PROJECT.into()), ..Place::default() }
}
