//! `does:` — the actions of a call besides touching files: it sends data or secrets, rewrites history, puts code into
//! the environment, or prints the environment.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::binding::Binding;
use super::evaluate::is_stricter;
use super::files::Files;
use super::interface::{CALL_KINDS, Condition, ConditionMatch, ConditionSpec, Reference, Selection};
use super::is_wildcard_match;
use super::requirements::{Requirement, Requirements};
use crate::domain::facts::Facts;
use crate::domain::facts::action::ActionFact;
use crate::domain::shell::ActionKind;
use crate::domain::text::template::RenderError;

/// An action; all given keys must match.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(extend("x-shorthand" = "what")))]
pub struct Actions {
    /// One of these.
    pub what: Vec<ActionName>,
    /// Names, with `*` for any part: the variable or setting (`environment`), the kind of history
    /// (`history`), the program or tool (`send`, `dump`), the secret (`disclose`), or `push` and
    /// `change` (`remote`).
    #[serde(default)]
    pub names: Vec<String>,
    /// Names to exclude.
    #[serde(default)]
    pub except: Vec<String>,
    /// Destination hosts, with `*` for any part; `example.com` includes its subdomains.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// Files that are sent.
    #[serde(default)]
    pub files: Option<Files>,
}

/// What a call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ActionName {
    /// Data is sent over the network.
    Send,
    /// Version control history is rewritten or discarded.
    History,
    /// A variable or setting is set that makes a program run code.
    Environment,
    /// All variables are shown.
    Dump,
    /// A secret variable or token is sent to a host.
    Disclose,
    /// Commits are pushed to a URL, or the URL of a remote is changed.
    Remote,
}

impl ActionName {
    const fn action_kind(self) -> ActionKind {
        match self {
            Self::Send => ActionKind::Send,
            Self::History => ActionKind::History,
            Self::Environment => ActionKind::Environment,
            Self::Dump => ActionKind::Dump,
            Self::Disclose => ActionKind::Disclose,
            Self::Remote => ActionKind::Remote,
        }
    }
}

impl Actions {
    /// Returns whether the condition is about actions of a kind.
    pub fn includes_kind(&self, kind: ActionKind) -> bool {
        self.what.iter().any(|deed| deed.action_kind() == kind)
    }

    fn is_match(&self, deed: &ActionFact) -> bool {
        let named = |names: &[String]| names.iter().any(|name| is_wildcard_match(name, &deed.name));
        let host =
            || deed.host().is_some_and(|host| self.hosts.iter().any(|name| super::urls::is_host_match(name, &host)));
        self.includes_kind(deed.kind)
            && (self.names.is_empty() || named(&self.names))
            && !named(&self.except)
            && (self.hosts.is_empty() || host())
    }
}

impl Condition for Actions {
    fn spec() -> ConditionSpec {
        ConditionSpec { kinds: Some(CALL_KINDS), selection: Selection::Action }
    }

    fn matches(&self, facts: &Facts<'_>, binding: &Binding) -> Result<ConditionMatch, RenderError> {
        let mut left = Vec::new();
        for (index, deed) in facts.actions().iter().enumerate() {
            let same = binding.action.is_none_or(|bound| bound == index)
                && (binding.command.is_none() || deed.command.is_none() || deed.command == binding.command);
            if !same || !self.is_match(deed) {
                continue;
            }
            let found = Binding { action: Some(index), command: binding.command.or(deed.command), ..binding.clone() };
            let Some(files) = &self.files else {
                left.push(found);
                continue;
            };
            let sent =
                facts.sent_files(deed).into_iter().filter(|file| binding.file.is_none_or(|bound| bound == *file));
            let covered = sent.filter(|file| facts.files().get(*file).is_some_and(|file| files.is_match(file, facts)));
            left.extend(covered.map(|file| Binding { file: Some(file), ..found.clone() }));
        }
        Ok(left.into())
    }

    fn is_empty(&self) -> bool {
        self.what.is_empty()
    }

    fn implies(&self, wide: &Self) -> bool {
        let Self { what, names, except, hosts, files } = self;
        let is_rest_equal =
            *names == wide.names && *except == wide.except && *hosts == wide.hosts && *files == wide.files;
        is_rest_equal && is_stricter(what, &wide.what)
    }

    fn require(&self, requirements: &mut Requirements) {
        let kinds = ActionKind::NAMES.into_iter().map(|(kind, _)| kind);
        requirements.add(Requirement::Action);
        requirements.actions =
            kinds.filter(|kind| self.includes_kind(*kind)).fold(0, |bits, kind| bits | 1 << kind as u8);
    }

    fn for_each_reference(&self, _: &mut dyn FnMut(Reference<'_>)) {}
}
