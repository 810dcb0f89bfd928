//! `urls:` — which addresses are fetched, by a fetching tool or by a command.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::like;
use crate::domain::facts::Facts;
use crate::domain::focus::Focus;
use crate::domain::pattern::Pattern;
use crate::domain::url::host_of;

/// Addresses.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-shorthand" = "hosts"))]
pub struct Urls {
    /// Names of hosts, with `*` for any part; `example.com` holds for its subdomains too.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// Regular expressions over the whole address.
    #[serde(default)]
    pub regex: Vec<Pattern>,
    /// Names of hosts that are left alone.
    #[serde(default)]
    pub except: Vec<String>,
}

impl Urls {
    pub(super) fn narrow(&self, facts: &Facts<'_>, focus: &Focus) -> Vec<Focus> {
        let candidates = facts.urls().iter().enumerate();
        candidates
            .filter(|(index, _)| focus.url.is_none_or(|focus| focus == *index))
            .filter(|(_, url)| focus.command.is_none() || url.by.is_none() || url.by == focus.command)
            .filter(|(_, url)| self.holds(&url.url))
            .map(|(index, url)| Focus { url: Some(index), command: focus.command.or(url.by), ..focus.clone() })
            .collect()
    }

    fn holds(&self, url: &str) -> bool {
        let host = host_of(url);
        let named = |names: &[String]| names.iter().any(|name| is_host(name, &host));
        let wanted = (self.hosts.is_empty() && self.regex.is_empty())
            || named(&self.hosts)
            || self.regex.iter().any(|pattern| pattern.find(url).is_some());
        wanted && !named(&self.except)
    }
}

pub(super) fn is_host(name: &str, host: &str) -> bool {
    let name = name.to_ascii_lowercase();
    like(&name, host) || host.strip_suffix(&name).is_some_and(|rest| rest.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::is_host;

    #[test]
    fn a_name_holds_for_its_subdomains_and_no_others() {
        assert!(is_host("example.com", "a.example.com"));
        assert!(!is_host("example.com", "notexample.com"));
        assert!(is_host("*.internal", "x.internal"));
    }
}
