//! `urls:` — which addresses are fetched, by a fetching tool or by a command.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::binding::Binding;
use super::evaluate::is_stricter_pair;
use super::interface::{CALL_KINDS, Condition, ConditionMatch, ConditionSpec, Reference, Selection};
use super::is_wildcard_match;
use super::requirements::{Requirement, Requirements};
use crate::domain::facts::Facts;
use crate::domain::text::pattern::Pattern;
use crate::domain::text::template::RenderError;
use crate::domain::text::url::host_of;

/// URLs.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(extend("x-shorthand" = "hosts")))]
pub struct Urls {
    /// Hosts, with `*` for any part; `example.com` includes its subdomains.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// Regular expressions over the whole URL.
    #[serde(default)]
    pub regex: Vec<Pattern>,
    /// Hosts to exclude.
    #[serde(default)]
    pub except: Vec<String>,
}

impl Urls {
    fn is_match(&self, url: &str) -> bool {
        let host = host_of(url);
        let named = |names: &[String]| names.iter().any(|name| is_host_match(name, &host));
        let wanted = (self.hosts.is_empty() && self.regex.is_empty())
            || named(&self.hosts)
            || self.regex.iter().any(|pattern| pattern.find(url).is_some());
        wanted && !named(&self.except)
    }
}

impl Condition for Urls {
    fn spec() -> ConditionSpec {
        ConditionSpec { kinds: Some(CALL_KINDS), selection: Selection::Action }
    }

    fn matches(&self, facts: &Facts<'_>, binding: &Binding) -> Result<ConditionMatch, RenderError> {
        let candidates = facts.urls().iter().enumerate();
        let found = candidates
            .filter(|(index, _)| binding.url.is_none_or(|bound| bound == *index))
            .filter(|(_, url)| binding.command.is_none() || url.command.is_none() || url.command == binding.command)
            .filter(|(_, url)| self.is_match(&url.url))
            .map(|(index, url)| Binding {
                url: Some(index),
                command: binding.command.or(url.command),
                ..binding.clone()
            });
        Ok(found.collect::<Vec<_>>().into())
    }

    fn is_empty(&self) -> bool {
        // An empty list allows anything.
        false
    }

    fn implies(&self, wide: &Self) -> bool {
        let Self { hosts, regex, except } = self;
        *except == wide.except && is_stricter_pair((hosts, regex), (&wide.hosts, &wide.regex))
    }

    fn require(&self, requirements: &mut Requirements) {
        requirements.add(Requirement::Urls);
    }

    fn for_each_reference(&self, _: &mut dyn FnMut(Reference<'_>)) {}
}

pub(super) fn is_host_match(name: &str, host: &str) -> bool {
    let name = name.to_ascii_lowercase();
    is_wildcard_match(&name, host) || host.strip_suffix(&name).is_some_and(|rest| rest.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::is_host_match;

    #[test]
    fn a_name_holds_for_its_subdomains_and_no_others() {
        assert!(is_host_match("example.com", "a.example.com"));
        assert!(!is_host_match("example.com", "notexample.com"));
        assert!(is_host_match("*.internal", "x.internal"));
    }
}
