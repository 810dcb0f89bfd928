//! Events of tests and examples, judged by the path that the hook takes.

use crate::domain::verdict::outcome::Outcome;
use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::adapters::judge::{self, Environment, HookStatusQuery, Judgment, StateContext};
use crate::adapters::{HOSTS, Host, NeutralEvent, PayloadFields, compose_payload};
use crate::cli::context;
use crate::cli::hook_status;
use crate::domain::facts::trace::Trace;
use crate::domain::policy::Policy;
use crate::domain::policy::example::Scenario;
use crate::domain::state::MemoryStore;
use crate::domain::text::suggest::inline_help;
use crate::io::suite::{self, RepositoryFixture, RunStub};

/// What events are judged by: a policy, on a machine that is not there.
#[derive(Clone, Copy)]
pub(super) struct ScenarioRunner<'a> {
    /// The policy in force.
    pub policy: &'a Policy,
    /// The files that are there, by path.
    pub files: &'a BTreeMap<String, String>,
    /// The repository of the project; without it, nothing of it is known.
    pub repository: Option<&'a RepositoryFixture>,
    /// What is remembered of the events before.
    pub store: &'a MemoryStore,
    /// What programs say that rules have run, by the rule.
    pub program_outputs: &'a BTreeMap<String, RunStub>,
    /// Who is told what the evaluator sees.
    pub observer: Option<&'a dyn Observer>,
}

/// Observes whole judgments besides the conditions in them.
pub(super) trait Observer: Trace {
    /// An event was judged.
    fn judged(&self, outcome: &Outcome);
}

/// No files.
pub(super) static NO_FILES: BTreeMap<String, String> = BTreeMap::new();
/// No programs.
static NO_OUTPUTS: BTreeMap<String, RunStub> = BTreeMap::new();

impl<'a> ScenarioRunner<'a> {
    /// Returns a scenario runner without files.
    pub(super) fn new(policy: &'a Policy, store: &'a MemoryStore) -> Self {
        Self { policy, files: &NO_FILES, repository: None, store, program_outputs: &NO_OUTPUTS, observer: None }
    }

    /// Plays events, for what is remembered of them.
    pub(super) fn apply_events(self, events: &[Scenario], host: Option<&str>) -> Result<(), String> {
        events.iter().try_for_each(|event| Self { observer: None, ..self }.judge(event, host).map(drop))
    }

    /// Judges an event in neutral terms, as an event of a host or of the first host that has it.
    pub(super) fn judge(self, event: &Scenario, host: Option<&str>) -> Result<Judgment, String> {
        let asked =
            NeutralEvent::from_description(event, suite::PROJECT).map_err(|error| inline_help(&error.to_string()))?;
        let host = match host {
            Some(name) => context::by_name(name)?,
            None => HOSTS
                .iter()
                .find(|host| host.event_rows(asked.kind).next().is_some())
                .ok_or_else(|| format!("no host has the moment `{}`", asked.kind))?,
        };
        let payload =
            compose_payload(host, &asked).ok_or_else(|| format!("{} has no moment `{}`", host.title, asked.kind))?;
        self.judge_at(&asked.cwd, host, &payload)
    }

    /// Judges a payload as a host sent it.
    pub(super) fn judge_payload(self, payload: &Map<String, Value>, host: Option<&str>) -> Result<Judgment, String> {
        let host = match host {
            Some(name) => context::by_name(name)?,
            None => context::by_payload(payload)?,
        };
        let cwd = payload.get("cwd").and_then(Value::as_str).unwrap_or(suite::PROJECT);
        self.judge_at(cwd, host, payload)
    }

    fn judge_at(self, cwd: &str, host: &'static Host, payload: &PayloadFields) -> Result<Judgment, String> {
        let Self { policy, files, repository, store: keeper, program_outputs: runs, observer } = self;
        let place = suite::test_place(cwd);
        // Tests take place on a machine that is not there.
        let read = &|_: &str| Err("there are no files".into());
        let machine = suite::TestMachine::new(files, repository, &place);
        let surroundings = suite::test_platform();
        let look = &|looked: &HookStatusQuery<'_>| hook_status::inspect_settings(looked, &surroundings, &machine, &[]);
        let runner = suite::StubRunner(runs);
        let environment = Environment {
            file_system: &machine,
            read_file: read,
            state: StateContext { store: keeper, now: suite::TEST_TIME, read_transcript: &|_, _| None },
            hook_status: Some(look),
            trace: observer.map(|observer| -> &dyn Trace { observer }),
            runner: Some(&runner),
            ..Environment::isolated(&place)
        };
        let judged = judge::explain(host, payload, policy, &environment).map_err(|error| error.to_string())?;
        if let Some(observer) = observer {
            observer.judged(&judged.outcome);
        }
        Ok(judged)
    }
}
