//! `does:` — what a call does besides touching files: sends data, rewrites history, puts code into the
//! environment, shows the environment.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::files::Files;
use super::like;
use crate::domain::deed::DeedFact;
use crate::domain::facts::Facts;
use crate::domain::focus::Focus;
use crate::domain::shell::DeedKind;

/// What is done; all that is given must hold.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-shorthand" = "what"))]
pub struct Does {
    /// One of these.
    pub what: Vec<Deed>,
    /// Names, with `*` for any part, of what it is done to: the variable or setting (`environment`),
    /// the part of history (`history`), or the program or tool (`send`, `dump`).
    #[serde(default)]
    pub names: Vec<String>,
    /// Names that are left alone.
    #[serde(default)]
    pub except: Vec<String>,
    /// Hosts that it goes to, with `*` for any part; `example.com` holds for its subdomains too.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// Files that are sent.
    #[serde(default)]
    pub files: Option<Files>,
}

/// What a call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Deed {
    /// Data is sent over the network.
    Send,
    /// History of version control is rewritten or thrown away.
    History,
    /// A variable or setting is set that makes some program run code.
    Environment,
    /// The whole environment is shown.
    Dump,
}

impl Deed {
    const fn kind(self) -> DeedKind {
        match self {
            Self::Send => DeedKind::Send,
            Self::History => DeedKind::History,
            Self::Environment => DeedKind::Environment,
            Self::Dump => DeedKind::Dump,
        }
    }
}

impl Does {
    /// Tells whether the condition is about deeds of a kind.
    pub fn is_about(&self, kind: DeedKind) -> bool {
        self.what.iter().any(|deed| deed.kind() == kind)
    }

    pub(super) fn narrow(&self, facts: &Facts<'_>, focus: &Focus) -> Vec<Focus> {
        let mut left = Vec::new();
        for (index, deed) in facts.deeds().iter().enumerate() {
            let same = focus.deed.is_none_or(|focus| focus == index)
                && (focus.command.is_none() || deed.by.is_none() || deed.by == focus.command);
            if !same || !self.holds(deed) {
                continue;
            }
            let found = Focus { deed: Some(index), command: focus.command.or(deed.by), ..focus.clone() };
            let Some(files) = &self.files else {
                left.push(found);
                continue;
            };
            let sent = facts.files_sent(deed).into_iter().filter(|file| focus.file.is_none_or(|focus| focus == *file));
            let covered =
                sent.filter(|file| facts.files().get(*file).is_some_and(|file| files.holds(file, facts.place)));
            left.extend(covered.map(|file| Focus { file: Some(file), ..found.clone() }));
        }
        left
    }

    fn holds(&self, deed: &DeedFact) -> bool {
        let named = |names: &[String]| names.iter().any(|name| like(name, &deed.name));
        let host = || deed.host().is_some_and(|host| self.hosts.iter().any(|name| super::urls::is_host(name, &host)));
        self.is_about(deed.kind)
            && (self.names.is_empty() || named(&self.names))
            && !named(&self.except)
            && (self.hosts.is_empty() || host())
    }
}
