//! Policies that events are held against again, each call worked out once.
//!
//! By default nothing of this machine is looked at but where projects begin: a log says the same on
//! every machine. Two calls that are alike in everything that a policy may look at are judged once.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest, Sha256};

use super::came::Came;
use super::memory::OfLog;
use crate::adapters::{Host, IDENTITY, parse};
use crate::cli::hosts::{self, Here};
use crate::cli::judge::{Bench, Memory};
use crate::domain::condition::Conditions;
use crate::domain::kind::Moments;
use crate::domain::path::Place;
use crate::domain::policy::Policy;
use crate::domain::scripts::Machine;
use crate::domain::shell::FileText;
use crate::domain::state::{Time, Uses, remembers};
use crate::domain::template::Expression;
use crate::io::files;
use crate::io::machine::ThisMachine;
use crate::io::platform::Surroundings;
use crate::io::policy::discover::{is_there, project_root};

/// Parts that what is known is kept in, so that threads seldom wait for one another.
const SHARDS: usize = 64;
/// Calls that are kept in one part.
const MOST_KEPT: usize = 1 << 15;

/// What a call is known by.
type Key = [u8; 32];

/// A policy, and what it made of the calls that it has seen.
pub(super) struct Judge {
    policy: Policy,
    known: Vec<Mutex<HashMap<Key, Arc<Came>>>>,
    /// Whether rules look at what tells two alike events apart.
    tells_apart: bool,
    /// The rules that look for what a record does not hold any more.
    blind: BTreeSet<String>,
    /// The rules that go by earlier events, of which nothing is remembered here.
    forgetful: BTreeSet<String>,
    /// What is remembered, where the log is judged in order.
    memory: Option<OfLog>,
    here: bool,
}

/// A machine of which nothing is known.
struct Nowhere;

impl Machine for Nowhere {
    fn follow(&self, _: &str) -> Option<String> {
        None
    }

    fn read(&self, _: &str, _: usize) -> FileText {
        FileText::Missing
    }
}

impl Judge {
    /// Loads policies, as `--policy` of the hook does.
    ///
    /// # Errors
    /// Returns the mistakes in them, for people.
    pub(super) fn new(chosen: &[PathBuf], here: bool, remember: bool) -> Result<Self, String> {
        let Here { loaded, .. } = hosts::for_person(chosen, &hosts::directory(None)?);
        if loaded.has_errors() {
            let wrong = loaded.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
            let wrong = wrong.map(|diagnostic| format!("\n{}", diagnostic.render(false)));
            return Err(format!("the policy cannot be used:{}", wrong.collect::<String>()));
        }
        let policy = loaded.policy.unpacked()?;
        let rules = || policy.rules.iter().map(|active| &active.rule);
        let each = |what: &dyn Fn(&Conditions) -> bool| {
            rules().any(|rule| rule.except.iter().chain([&rule.conditions]).any(|conditions| conditions.ask(what)))
        };
        let tells_apart = each(&looks_at_identity);
        let secret = |it: &Conditions| it.secrets.is_some() || it.pii.is_some();
        let blind = rules().filter(|rule| rule.conditions.ask(&secret)).map(|rule| rule.id.clone()).collect();
        let forgetful = rules().filter(|rule| !remember && remembers(rule)).map(|rule| rule.id.clone()).collect();
        let memory = (remember && Uses::of(&policy).moments() != Moments::default()).then(OfLog::default);
        let known = (0..SHARDS).map(|_| Mutex::default()).collect();
        Ok(Self { policy, known, tells_apart, blind, forgetful, memory, here })
    }

    /// Tells whether a record and this judgement differ by what cannot be known here: a rule looked for
    /// secrets or personal data, and a record has none, or it goes by earlier events.
    pub(super) fn is_unsure(&self, recorded: &Came, now: &Came) -> bool {
        let (before, after) = (&recorded.rules, &now.rules);
        let gone = before.iter().filter(|rule| !after.contains(rule));
        let come = after.iter().filter(|rule| !before.contains(rule));
        gone.clone().any(|rule| self.blind.contains(rule)) || gone.chain(come).any(|rule| self.forgetful.contains(rule))
    }

    /// Judges a payload, given as its text and as its members.
    ///
    /// # Errors
    /// Returns why it cannot be read.
    pub(super) fn judge(&self, call: &Call<'_>) -> Result<Arc<Came>, String> {
        let key = call.key(self.tells_apart);
        let shard = self.known.get(usize::from(key.first().copied().unwrap_or_default()) % SHARDS);
        // What is remembered tells two calls apart that are alike.
        let shard = shard.filter(|_| self.memory.is_none());
        let locked = || shard.map(|shard| shard.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(known) = locked().and_then(|known| known.get(&key).cloned()) {
            return Ok(known);
        }
        let payload = parse(call.payload.as_bytes()).map_err(|error| error.message)?;
        let machine: &dyn Machine = if self.here { &ThisMachine } else { &Nowhere };
        let nothing = |_: &str| Err("files are not looked at".to_owned());
        let bench = Bench {
            host: call.host,
            policy: &self.policy,
            place: call.place,
            machine,
            memory: match &self.memory {
                Some(keeper) => Memory { keeper, now: call.time.unwrap_or_default(), read_on: &|_, _| None },
                None => Memory::none(),
            },
            // What the settings say now is not what they said then.
            look: None,
            read: if self.here { &files::text } else { &nothing },
            broken: None,
            notice: None,
            version: None,
            stamp: None,
            desk: None,
            witness: None,
            runner: None,
        };
        let came = Arc::new(Came::of(&bench.judge(&payload).map_err(|error| error.message)?.outcome));
        if let Some(mut known) = locked().filter(|known| known.len() < MOST_KEPT) {
            known.insert(key, Arc::clone(&came));
        }
        Ok(came)
    }
}

/// A call to be judged.
pub(super) struct Call<'a> {
    pub host: &'static Host,
    pub place: &'a Place,
    /// When it was, where that is known.
    pub time: Option<Time>,
    /// The payload as it stands in the log.
    pub payload: &'a str,
    /// Its members.
    pub members: &'a [(&'a str, &'a str)],
}

impl Call<'_> {
    /// Returns what the call is known by: everything of the payload that a policy may look at.
    fn key(&self, tells_apart: bool) -> Key {
        let mut hash = Sha256::new();
        let mut part = |text: &str| {
            hash.update(text.len().to_le_bytes());
            hash.update(text);
        };
        part(self.host.name);
        part(&self.place.cwd);
        for (key, value) in self.members.iter().filter(|(key, _)| tells_apart || !IDENTITY.contains(key)) {
            part(key);
            part(value);
        }
        hash.finalize().into()
    }
}

/// Tells whether conditions look at what tells one event from another that is alike.
fn looks_at_identity(conditions: &Conditions) -> bool {
    let is_whole = |path: &str| ["session", "native", "tool"].contains(&path);
    let of_path = |path: &String| {
        let path = path.as_str();
        let native = path.strip_prefix("native.").and_then(|rest| rest.split('.').next());
        is_whole(path)
            || ["session.id", "session.transcript", "tool.id"].contains(&path)
            || native.is_some_and(|field| IDENTITY.contains(&field) || field == "tool_calls")
    };
    conditions.r#match.iter().flat_map(|fields| fields.keys()).any(of_path)
        || conditions.r#if.iter().flat_map(Expression::roots).any(is_whole)
}

/// The places that events happened in, by directory.
#[derive(Clone)]
pub(super) struct Places {
    surroundings: Surroundings,
    /// Whether the home directory is told from where events happened, when that is not below it.
    guesses: bool,
    known: HashMap<String, Place>,
}

impl Places {
    pub(super) fn new(home: Option<&str>) -> Self {
        let here = Surroundings::here();
        let guesses = home.is_none();
        let home = home.map_or(here.home, |home| Some(home.to_owned()));
        Self { surroundings: Surroundings { home, ..here }, guesses, known: HashMap::new() }
    }

    /// Returns the place of an event that happened in a directory.
    pub(super) fn of(&mut self, cwd: &str) -> Place {
        if let Some(place) = self.known.get(cwd) {
            return place.clone();
        }
        let root = project_root(&self.surroundings, cwd, &[], &is_there);
        // Where the project is not on this machine, the event is taken to happen in its root.
        let mut place = self.surroundings.place(cwd, Some(root.as_deref().unwrap_or(cwd)));
        let is_below = place.home.as_deref().is_some_and(|home| place.inside(cwd, home).is_some());
        if self.guesses && !is_below {
            place.home = home_of(cwd).or(place.home);
        }
        self.known.insert(cwd.to_owned(), place.clone());
        place
    }
}

/// Returns the home directory that a directory of another machine lies in.
fn home_of(cwd: &str) -> Option<String> {
    ["/home/", "/Users/"].into_iter().find_map(|above| {
        let name = cwd.strip_prefix(above)?.split('/').next().filter(|name| !name.is_empty())?;
        Some(format!("{above}{name}"))
    })
}
