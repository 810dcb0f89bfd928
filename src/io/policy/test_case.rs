//! The form of tests in YAML, in a file of their own or in a policy: an event, and what the policy
//! must make of it.

use std::collections::BTreeMap;
use std::fmt;

#[cfg(test)]
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

pub use super::repository_fixture::RepositoryFixture;
use crate::domain::facts::memory::GateStatus;
use crate::domain::policy::Policy;
use crate::domain::policy::counter::Counter;
use crate::domain::policy::example::Scenario;
use crate::domain::policy::gate::ActiveGate;
use crate::domain::scope::Scope;
use crate::domain::state::State;
use crate::domain::text::suggest;
use crate::domain::time::Time;

/// A file of tests (`*.test.yaml`).
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// The version of the format: 1.
    pub version: u8,
    /// A description of the tests.
    #[serde(default)]
    pub description: Option<String>,
    /// The policies to test, without any others: bundled packs by name, or relative paths.
    pub policies: Vec<String>,
    /// Existing files for all tests.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// The repository of every test that gives none of its own.
    #[serde(default)]
    pub repository: Option<RepositoryFixture>,
    /// The tests.
    pub tests: Vec<TestCase>,
}

impl Suite {
    /// Returns the policies, and the tests with the files that all of them have.
    pub(crate) fn into_cases(self) -> (Vec<String>, Vec<TestCase>) {
        let Self { policies, files, repository, mut tests, .. } = self;
        for case in &mut tests {
            if case.repository.is_none() {
                case.repository.clone_from(&repository);
            }
            for (path, text) in &files {
                case.files.entry(path.clone()).or_insert_with(|| text.clone());
            }
        }
        (policies, tests)
    }
}

/// One test.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TestCase {
    /// A description in one sentence.
    pub name: String,
    /// The host of the event (default: the first that has the moment).
    #[serde(default)]
    pub host: Option<String>,
    /// The event in neutral words.
    #[serde(default)]
    pub event: Option<Scenario>,
    /// The host's payload.
    #[serde(default)]
    pub payload: Option<Map<String, Value>>,
    /// Earlier events of the same session, which change the state.
    #[serde(default)]
    pub before: Vec<Scenario>,
    /// The initial state: gates and counters.
    #[serde(default)]
    pub state: StateFixture,
    /// Existing files, by relative (to the project) or absolute path. Scripts that the event runs
    /// are read from here.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// The repository of the project, with its changes; without it, nothing of it is known.
    #[serde(default)]
    pub repository: Option<RepositoryFixture>,
    /// Results of programs, by the rule's id; no program is run. Programs that aren't listed
    /// succeed without output.
    #[serde(default)]
    pub runs: BTreeMap<String, RunStub>,
    /// The expected result.
    pub expect: Expectation,
    /// Where it stands in its file: line and column, both counted from 1.
    #[serde(skip)]
    pub position: Option<(usize, usize)>,
}

/// The defined result of a program.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RunStub {
    /// Its exit code; 0 when not given.
    #[serde(default)]
    pub exit: i32,
    /// Its standard output.
    #[serde(default)]
    pub stdout: String,
    /// Its standard error.
    #[serde(default)]
    pub stderr: String,
    /// Whether it times out.
    #[serde(default)]
    pub hangs: bool,
    /// Whether it doesn't exist.
    #[serde(default)]
    pub missing: bool,
}

/// The expected result; keys that aren't given are not checked.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// The decision.
    #[serde(default)]
    pub decision: Option<ExpectedDecision>,
    /// Rules that match.
    #[serde(default)]
    pub rule: Vec<String>,
    /// All rules whose programs run.
    #[serde(default)]
    pub runs: Option<Vec<String>>,
    /// Whether no rules other than those under `rule` may match.
    #[serde(default)]
    pub only: bool,
    /// A part of the reasons.
    #[serde(default)]
    pub reason: Option<String>,
    /// A part of the agent's context.
    #[serde(default)]
    pub context: Option<String>,
    /// A part of the answer that replaces the model's.
    #[serde(default)]
    pub respond: Option<String>,
    /// A part of the warning to the user.
    #[serde(default)]
    pub warn: Option<String>,
    /// Whether the loop ends.
    #[serde(default)]
    pub stop: Option<bool>,
    /// Whether the agent is sent back.
    #[serde(default)]
    pub retry: Option<bool>,
    /// All new values of fields of the tool's input.
    #[serde(default)]
    pub rewrite: Option<Map<String, Value>>,
    /// The whole answer to the host, as JSON; `null` for silence.
    #[serde(default, deserialize_with = "deserialize_present")]
    pub stdout: Option<Value>,
    /// The exit code.
    #[serde(default)]
    pub exit: Option<u8>,
    /// The state after the event.
    #[serde(default)]
    pub state: StateFixture,
}

/// The state; keys that aren't given are not checked.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StateFixture {
    /// The state of gates, by id.
    #[serde(default)]
    pub gates: BTreeMap<String, GateStatus>,
    /// Counters of the session: `{calls: 10}`.
    #[serde(default)]
    pub session: BTreeMap<String, u64>,
    /// Counters of the project.
    #[serde(default)]
    pub project: BTreeMap<String, u64>,
    /// Counters of the day.
    #[serde(default)]
    pub day: BTreeMap<String, u64>,
}

/// When every test takes place: on 9 September 2001.
pub const TEST_TIME: Time = Time(1_000_000_000);

impl StateFixture {
    /// Returns the state in which this is remembered.
    ///
    /// # Errors
    /// Returns which gate or counter is not known.
    pub fn state(&self, policy: &Policy) -> Result<State, UnknownName> {
        let mut state = State::default();
        for scope in Scope::ALL {
            for (name, value) in self.counts(scope) {
                state.counts_mut(scope).set(find_counter(name)?, *value, TEST_TIME);
            }
        }
        for (id, stand) in &self.gates {
            state.set_gate(find_gate(policy, id)?, *stand, TEST_TIME);
        }
        Ok(state)
    }

    /// Returns where a state is not as this says.
    ///
    /// # Errors
    /// Returns which gate or counter is not known.
    pub fn differences(&self, state: &State, policy: &Policy) -> Result<Vec<(String, String, String)>, UnknownName> {
        let mut found = Vec::new();
        for scope in Scope::ALL {
            for (name, value) in self.counts(scope) {
                let actual = state.counts(scope).value(find_counter(name)?, TEST_TIME);
                found.push((format!("{}.{name}", scope.name()), value.to_string(), actual.to_string()));
            }
        }
        for (id, stand) in &self.gates {
            let actual = state.gate_status(find_gate(policy, id)?, TEST_TIME);
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

/// A name in a test that no gate or counter has; the message says which names there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName(String);

impl UnknownName {
    fn new<'n>(what: &str, name: &str, known: impl IntoIterator<Item = &'n str> + Clone) -> Self {
        Self(suggest::unknown_among(what, name, known).replace('\n', "; "))
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UnknownName {}

fn find_counter(name: &str) -> Result<Counter, UnknownName> {
    let known = || Counter::ALL.into_iter().map(|(_, name)| name);
    Counter::from_name(name).ok_or_else(|| UnknownName::new("counter", name, known()))
}

fn find_gate<'p>(policy: &'p Policy, id: &str) -> Result<&'p ActiveGate, UnknownName> {
    let ids = || policy.gates.iter().map(|active| active.gate.id.as_str());
    let found = policy.gates.iter().find(|active| active.gate.id == id);
    found.ok_or_else(|| UnknownName::new("gate", id, ids()))
}

/// A decision that a test expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ExpectedDecision {
    /// Denied.
    Deny,
    /// The user is asked.
    Ask,
    /// Approved.
    Allow,
    /// No decision.
    None,
}

/// Tells a `null` that was written from nothing written.
fn deserialize_present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
