//! Policies that events are held against again, each call worked out once.
//!
//! By default nothing of this machine is looked at but where projects begin: a log says the same on
//! every machine. Two calls that are alike in everything that a policy may look at are judged once.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest, Sha256};

use super::outcome::ReplayOutcome;
use super::replay_store::ReplayStore;
use crate::adapters::judge::{self, Environment, StateContext};
use crate::adapters::{Host, IDENTITY_FIELDS, parse_payload};
use crate::cli::CommandError;
use crate::cli::context::{self, PolicyContext};
use crate::domain::condition::Conditions;
use crate::domain::decide::exception::Exceptions;
use crate::domain::event::kind::KindSet;
use crate::domain::facts::script::FileSystem;
use crate::domain::policy::Policy;
use crate::domain::policy::state_requirements::{StateRequirements, needs_state};
use crate::domain::secret::Redacted;
use crate::domain::shell::FileContent;
use crate::domain::text::path::PathContext;
use crate::domain::text::template::Expression;
use crate::domain::time::Time;
use crate::io::exceptions::{ExceptionStore, LastingExceptions};
use crate::io::files;
use crate::io::files::local_machine::LocalMachine;
use crate::io::platform::Platform;
use crate::io::policy::discover::{may_exist, project_root};

/// Parts that what is known is kept in, so that threads seldom wait for one another.
const SHARDS: usize = 64;
/// Calls that are kept in one part.
const MAX_CACHED: usize = 1 << 15;

/// What a call is known by.
type CallKey = [u8; 32];

/// A policy, and what it made of the calls that it has seen.
pub(super) struct ReplayJudge {
    policy: Policy,
    cache: Vec<Mutex<HashMap<CallKey, Arc<ReplayOutcome>>>>,
    /// Whether rules look at what tells two alike events apart.
    uses_identity: bool,
    /// The rules that look for what a record does not hold any more.
    secret_rules: BTreeSet<String>,
    /// The rules that go by earlier events, of which nothing is remembered here.
    stateful_rules: BTreeSet<String>,
    /// What is remembered, where the log is judged in order.
    store: Option<ReplayStore>,
    uses_machine: bool,
    /// What users let pass, where that counts.
    exceptions: Option<LastingExceptions>,
}

/// A machine of which nothing is known.
struct NullMachine;

impl FileSystem for NullMachine {
    fn real_path(&self, _: &str) -> Option<String> {
        None
    }

    fn read(&self, _: &str, _: usize) -> FileContent {
        FileContent::Missing
    }

    fn expand(&self, _: &str) -> Option<Vec<String>> {
        None
    }

    fn path_variable(&self, _: &str) -> Option<String> {
        None
    }
}

impl ReplayJudge {
    /// Loads policies, as `--policy` of the hook does.
    ///
    /// # Errors
    /// Returns the mistakes in them, for people.
    pub(super) fn new(chosen: &[PathBuf], here: bool, remember: bool) -> Result<Self, CommandError> {
        let PolicyContext { loaded, .. } = context::load_for_user(chosen, &context::absolute_directory(None)?);
        if loaded.has_errors() {
            let wrong = loaded.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
            let wrong = wrong.map(|diagnostic| format!("\n{}", diagnostic.render(false)));
            return Err(CommandError::Policy(format!("the policy has errors:{}", wrong.collect::<String>())));
        }
        let policy = loaded.policy.with_decoded_rules().map_err(|error| error.to_string())?;
        let rules = || policy.rules.iter().map(|active| &active.rule);
        let each = |what: &dyn Fn(&Conditions) -> bool| {
            rules().any(|rule| {
                rule.except.iter().chain([&rule.conditions]).any(|conditions| conditions.has_in_any_branch(what))
            })
        };
        let tells_apart = each(&uses_identity_fields);
        let secret = |it: &Conditions| it.secrets.is_some() || it.pii.is_some();
        let blind =
            rules().filter(|rule| rule.conditions.has_in_any_branch(&secret)).map(|rule| rule.id.clone()).collect();
        let forgetful = rules().filter(|rule| !remember && needs_state(rule)).map(|rule| rule.id.clone()).collect();
        let memory =
            (remember && StateRequirements::of(&policy).kinds() != KindSet::default()).then(ReplayStore::default);
        let known = (0..SHARDS).map(|_| Mutex::default()).collect();
        Ok(Self {
            policy,
            cache: known,
            uses_identity: tells_apart,
            secret_rules: blind,
            stateful_rules: forgetful,
            store: memory,
            uses_machine: here,
            exceptions: None,
        })
    }

    /// Applies the exceptions that the user granted for every session.
    pub(super) fn with_exceptions(mut self) -> Self {
        let project = context::absolute_directory(None).ok();
        self.exceptions =
            ExceptionStore::open(&Platform::current(), project.as_deref()).and_then(LastingExceptions::of);
        self
    }

    /// Returns a text without its secrets.
    pub(super) fn redact(&self, text: &str) -> String {
        Redacted::in_session(text, &self.policy.detectors, "").to_string()
    }

    /// Returns whether a record and this judgment differ by something unknown: a rule looked for
    /// secrets or personal data, and a record has none, or it goes by earlier events.
    pub(super) fn is_unsure(&self, recorded: &ReplayOutcome, now: &ReplayOutcome) -> bool {
        let (before, after) = (&recorded.rules, &now.rules);
        let gone = before.iter().filter(|rule| !after.contains(rule));
        let come = after.iter().filter(|rule| !before.contains(rule));
        gone.clone().any(|rule| self.secret_rules.contains(rule))
            || gone.chain(come).any(|rule| self.stateful_rules.contains(rule))
    }

    /// Judges a payload, given as its text and as its members.
    ///
    /// # Errors
    /// Returns why it cannot be read.
    pub(super) fn judge(&self, call: &RecordedCall<'_>) -> Result<Arc<ReplayOutcome>, String> {
        let key = call.key(self.uses_identity);
        let shard = self.cache.get(usize::from(key.first().copied().unwrap_or_default()) % SHARDS);
        // What is remembered tells two calls apart that are alike.
        let shard = shard.filter(|_| self.store.is_none());
        let locked = || shard.map(|shard| shard.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(known) = locked().and_then(|known| known.get(&key).cloned()) {
            return Ok(known);
        }
        let payload = parse_payload(call.payload.as_bytes()).map_err(|error| error.to_string())?;
        let machine: &dyn FileSystem = if self.uses_machine { &LocalMachine } else { &NullMachine };
        let nothing = |_: &str| Err("files are not read".into());
        let now = call.time.unwrap_or_default();
        let environment = Environment {
            file_system: machine,
            read_file: if self.uses_machine { &|path| Ok(files::read_text(path)?) } else { &nothing },
            state: match &self.store {
                Some(store) => StateContext { store, now, read_transcript: &|_, _| None },
                None => StateContext::stateless(now),
            },
            exceptions: self.exceptions.as_ref().map(|it| -> &dyn Exceptions { it }),
            // What the settings say now is not what they said then: no hook status.
            ..Environment::isolated(call.place)
        };
        let judgment =
            judge::explain(call.host, &payload, &self.policy, &environment).map_err(|error| error.to_string())?;
        let came = Arc::new(ReplayOutcome::from_outcome(&judgment.outcome));
        if let Some(mut known) = locked().filter(|known| known.len() < MAX_CACHED) {
            known.insert(key, Arc::clone(&came));
        }
        Ok(came)
    }
}

/// A call to be judged.
pub(super) struct RecordedCall<'a> {
    pub host: &'static Host,
    pub place: &'a PathContext,
    /// When it was, where that is known.
    pub time: Option<Time>,
    /// The payload as it is in the log.
    pub payload: &'a str,
    /// Its members.
    pub members: &'a [(&'a str, &'a str)],
}

impl RecordedCall<'_> {
    /// Returns what the call is known by: everything of the payload that a policy may look at.
    fn key(&self, tells_apart: bool) -> CallKey {
        let mut hash = Sha256::new();
        let mut part = |text: &str| {
            hash.update(text.len().to_le_bytes());
            hash.update(text);
        };
        part(self.host.name);
        part(&self.place.cwd);
        part(self.place.project.as_deref().unwrap_or_default());
        for (key, value) in self.members.iter().filter(|(key, _)| tells_apart || !IDENTITY_FIELDS.contains(key)) {
            part(key);
            part(value);
        }
        hash.finalize().into()
    }
}

/// Returns whether conditions look at what tells one event from another that is alike.
fn uses_identity_fields(conditions: &Conditions) -> bool {
    let is_whole = |path: &str| ["session", "native", "tool"].contains(&path);
    let of_path = |path: &String| {
        let path = path.as_str();
        let native = path.strip_prefix("native.").and_then(|rest| rest.split('.').next());
        is_whole(path)
            || ["session.id", "session.transcript", "tool.id"].contains(&path)
            || native.is_some_and(|field| IDENTITY_FIELDS.contains(&field) || field == "tool_calls")
    };
    conditions.r#match.iter().flat_map(|fields| fields.keys()).any(of_path)
        || conditions.r#if.iter().flat_map(Expression::root_names).any(is_whole)
}

/// The places that events happened in, by directory.
#[derive(Clone)]
pub(super) struct PlaceCache {
    surroundings: Platform,
    /// Whether the home directory is told from where events happened, when that is not below it.
    infers_home: bool,
    cache: HashMap<(String, Option<String>), PathContext>,
}

impl PlaceCache {
    pub(super) fn new(home: Option<&str>) -> Self {
        let here = Platform::current();
        let infers_home = home.is_none();
        let surroundings = if infers_home { here } else { here.with_home(home.map(ToOwned::to_owned)) };
        Self { surroundings, infers_home, cache: HashMap::new() }
    }

    /// Returns a directory below the home directory.
    pub(super) fn in_home(&self, name: &str) -> String {
        self.surroundings.join(self.surroundings.home.as_deref().unwrap_or("/"), &[name])
    }

    /// Returns the place of an event that happened in a directory, in a session that began in another one.
    pub(super) fn get(&mut self, cwd: &str, start: Option<&str>) -> PathContext {
        let key = (cwd.to_owned(), start.map(ToOwned::to_owned));
        if let Some(place) = self.cache.get(&key) {
            return place.clone();
        }
        let root = project_root(&self.surroundings, cwd, &[], &may_exist);
        // Where the project is not on this machine, the session is taken to begin in its root.
        let own = self.surroundings.place(cwd, None);
        let start = start.filter(|start| own.relative_to(cwd, start).is_some());
        let mut place = self.surroundings.place(cwd, Some(root.as_deref().or(start).unwrap_or(cwd)));
        let is_below = place.home.as_deref().is_some_and(|home| place.relative_to(cwd, home).is_some());
        if self.infers_home && !is_below {
            place.home = infer_home(cwd).or(place.home);
        }
        self.cache.insert(key, place.clone());
        place
    }
}

/// Returns the home directory that a directory of another machine lies in.
fn infer_home(cwd: &str) -> Option<String> {
    ["/home/", "/Users/"].into_iter().find_map(|above| {
        let name = cwd.strip_prefix(above)?.split('/').next().filter(|name| !name.is_empty())?;
        Some(format!("{above}{name}"))
    })
}
