//! Events of tests and examples, judged by the path that the hook takes.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::guard::{self, Looked};
use super::hosts;
use super::judge::{Bench, Judged, Memory};
use crate::adapters::{Asked, HOSTS, Host, Payload, compose};
use crate::domain::example::Described;
use crate::domain::policy::Policy;
use crate::domain::state::InMemory;
use crate::domain::witness::Witness;
use crate::io::suite::{self, Saying};

/// What events are judged by: a policy, on a machine that is not there.
#[derive(Clone, Copy)]
pub(super) struct Stage<'a> {
    /// The policy in force.
    pub policy: &'a Policy,
    /// The files that are there, by path.
    pub files: &'a BTreeMap<String, String>,
    /// What is remembered of the events before.
    pub memory: &'a InMemory,
    /// What programs say that rules have run, by the rule.
    pub runs: &'a BTreeMap<String, Saying>,
    /// Who is told what the evaluator sees.
    pub witness: Option<&'a dyn Witness>,
}

/// No files.
pub(super) static NO_FILES: BTreeMap<String, String> = BTreeMap::new();
/// No programs.
static NO_RUNS: BTreeMap<String, Saying> = BTreeMap::new();

impl<'a> Stage<'a> {
    /// Returns a stage without files.
    pub(super) fn bare(policy: &'a Policy, memory: &'a InMemory) -> Self {
        Self { policy, files: &NO_FILES, memory, runs: &NO_RUNS, witness: None }
    }

    /// Plays events, for what is remembered of them.
    pub(super) fn play(self, events: &[Described], host: Option<&str>) -> Result<(), String> {
        events.iter().try_for_each(|event| Self { witness: None, ..self }.judge(event, host).map(drop))
    }

    /// Judges an event in neutral words, as one of a host or of the first that has the moment.
    pub(super) fn judge(self, event: &Described, host: Option<&str>) -> Result<Judged, String> {
        let asked = Asked::described(event, suite::PROJECT)?;
        let host = match host {
            Some(name) => hosts::named(name)?,
            None => HOSTS
                .iter()
                .find(|host| host.rows_of(asked.kind).next().is_some())
                .ok_or_else(|| format!("no host has the moment `{}`", asked.kind))?,
        };
        let payload = compose(host, &asked).ok_or_else(|| format!("{} has no moment `{}`", host.title, asked.kind))?;
        self.judge_in(&asked.cwd, host, &payload)
    }

    /// Judges a payload as a host sent it.
    pub(super) fn judge_recorded(self, payload: &Map<String, Value>, host: Option<&str>) -> Result<Judged, String> {
        let host = match host {
            Some(name) => hosts::named(name)?,
            None => hosts::of(payload)?,
        };
        let cwd = payload.get("cwd").and_then(Value::as_str).unwrap_or(suite::PROJECT);
        self.judge_in(cwd, host, payload)
    }

    fn judge_in(self, cwd: &str, host: &'static Host, payload: &Payload) -> Result<Judged, String> {
        let Self { policy, files, memory: keeper, runs, witness } = self;
        let place = suite::place(cwd);
        // Tests take place on a machine that is not there.
        let read = &|_: &str| Err("there are no files".to_owned());
        let machine = suite::MadeUp::new(files, &place);
        let surroundings = suite::surroundings();
        let look = &|looked: &Looked<'_>| guard::look(looked, &surroundings, &machine, &[]);
        let memory = Memory { keeper, now: suite::NOW, read_on: &|_, _| None };
        let (broken, notice, version, stamp, desk) = (None, None, None, None, None);
        let runner = suite::Scripted(runs);
        let bench = Bench {
            host,
            policy,
            place: &place,
            machine: &machine,
            memory,
            look: Some(look),
            read,
            broken,
            notice,
            version,
            stamp,
            desk,
            witness,
            runner: Some(&runner),
        };
        bench.judge(payload).map_err(|error| error.to_string())
    }
}
