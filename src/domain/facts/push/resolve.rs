//! The branches of a remote that a push writes or deletes, as git finds them: refspecs on the command line, then
//! `remote.<name>.push`, then `push.default`.

use std::collections::BTreeSet;

use super::{PushTarget, TargetBranch};
use crate::domain::facts::repository::{RepositoryState, UnknownRepository};
use crate::domain::shell::{Checkout, GitPush, PushScope, PushWords};

/// What is checked out.
enum Head {
    Branch(String),
    Detached,
    Unknown(String),
}

/// Finds the branches of one push.
struct Resolver<'a> {
    state: &'a RepositoryState,
    remote: String,
    head: Head,
    names: BTreeSet<String>,
    unknown: Option<String>,
}

/// Returns where a push goes; `is_file` tells whether a word names a file.
pub(super) fn resolve(
    push: &GitPush,
    state: Result<&RepositoryState, UnknownRepository>,
    is_file: &dyn Fn(&str) -> bool,
) -> PushTarget {
    let why = state.as_ref().err().map(ToString::to_string);
    let mut state = state.cloned().unwrap_or_default();
    state.settings.extend(push.settings.iter().cloned());
    let head = head(push, &state, why.as_deref(), is_file);
    let PushWords::Push { remote, refspecs, scope, deletes, is_computed } = &push.what else {
        let unknown = Some("the command doesn't name the branch".to_owned());
        return PushTarget { unknown, has_unknown_url: true, ..PushTarget::default() };
    };
    let remote = remote.clone().unwrap_or_else(|| default_remote(&state, &head));
    let mut resolver = Resolver { state: &state, remote, head, names: BTreeSet::new(), unknown: None };
    if *is_computed {
        resolver.unknown = Some("the branch is computed".to_owned());
    }
    let is_mirror = state.setting(&format!("remote.{}.mirror", resolver.remote)) == Some("true");
    match scope {
        PushScope::All | PushScope::Mirror => resolver.add_all(why.as_deref(), *scope == PushScope::Mirror),
        PushScope::Configured if refspecs.is_empty() && is_mirror => resolver.add_all(why.as_deref(), true),
        PushScope::Configured if refspecs.is_empty() => match why.or_else(|| changed_settings(push)) {
            Some(why) => resolver.unknown = Some(why),
            None => resolver.add_configured(),
        },
        PushScope::Tags | PushScope::Configured => {
            for refspec in refspecs {
                if *deletes { resolver.add_name(refspec) } else { resolver.add_refspec(refspec, why.as_deref()) }
            }
        }
    }
    let Resolver { remote, names, unknown, .. } = resolver;
    let branch = |name: String| TargetBranch { is_default: state.is_default_branch(&remote, &name), name };
    PushTarget {
        branches: names.into_iter().map(branch).collect(),
        urls: state.push_urls(&remote),
        has_unknown_url: push.before.changes_settings || why_is_name(&state, &remote),
        unknown,
        remote,
    }
}

/// Returns whether a remote is a name without an address that is known.
fn why_is_name(state: &RepositoryState, remote: &str) -> bool {
    !remote.contains(['/', ':']) && state.setting(&format!("remote.{remote}.url")).is_none()
}

fn changed_settings(push: &GitPush) -> Option<String> {
    push.before.changes_settings.then(|| "an earlier command changes the configuration".to_owned())
}

fn head(push: &GitPush, state: &RepositoryState, why: Option<&str>, is_file: &dyn Fn(&str) -> bool) -> Head {
    let current = || match (why, &state.branch) {
        (Some(why), _) => Head::Unknown(why.to_owned()),
        (None, Some(branch)) => Head::Branch(branch.clone()),
        (None, None) => Head::Detached,
    };
    match &push.before.checkout {
        None => current(),
        Some(Checkout::Branch(name)) => Head::Branch(name.clone()),
        Some(Checkout::Unknown) => Head::Unknown("an earlier command checks out another revision".to_owned()),
        Some(Checkout::Named(name)) => {
            let is_remote_branch = || state.remote_branches.iter().any(|(_, branch)| branch == name);
            if why.is_some() || state.branches.contains(name) || is_remote_branch() {
                Head::Branch(name.clone())
            } else if is_file(name) {
                current()
            } else {
                Head::Detached
            }
        }
    }
}

fn default_remote(state: &RepositoryState, head: &Head) -> String {
    let of_branch = |key: &str| match head {
        Head::Branch(name) => state.setting(&format!("branch.{name}.{key}")),
        Head::Detached | Head::Unknown(_) => None,
    };
    let configured =
        of_branch("pushremote").or_else(|| state.setting("remote.pushdefault")).or_else(|| of_branch("remote"));
    let only = || match state.remotes().as_slice() {
        [remote] => Some(*remote),
        _ => None,
    };
    configured.or_else(only).unwrap_or("origin").to_owned()
}

impl Resolver<'_> {
    /// Adds a name on the remote. Names of other kinds than branches are none.
    fn add_name(&mut self, name: &str) {
        let short = name.strip_prefix("refs/heads/").or_else(|| name.strip_prefix("heads/")).unwrap_or(name);
        if short.starts_with("refs/") || short.starts_with("tags/") || short.is_empty() {
            return;
        }
        self.names.insert(short.to_owned());
    }

    fn add_all(&mut self, why: Option<&str>, is_mirror: bool) {
        let all = self.state.branches.clone();
        for name in &all {
            self.add_name(name);
        }
        if is_mirror {
            // What is not here is deleted there.
            let there = self.state.remote_branches.iter().filter(|(remote, _)| *remote == self.remote);
            self.names.extend(there.map(|(_, name)| name.clone()));
        }
        if let Some(why) = why {
            self.unknown = Some(why.to_owned());
        }
    }

    fn add_refspec(&mut self, refspec: &str, why: Option<&str>) {
        let refspec = refspec.strip_prefix('+').unwrap_or(refspec);
        if let Some(name) = refspec.strip_prefix('^') {
            self.names.remove(name.strip_prefix("refs/heads/").unwrap_or(name));
            return;
        }
        match refspec.split_once(':') {
            Some(("", "")) => self.add_matching(why),
            Some((from, to)) if to.contains('*') => self.add_pattern(from, to, why),
            Some((from, "")) => self.add_source(from),
            Some((_, to)) => self.add_name(to),
            None if refspec.contains('*') => self.add_pattern(refspec, refspec, why),
            None => self.add_source(refspec),
        }
    }

    /// Adds the branches that a pattern of local ones maps to.
    fn add_pattern(&mut self, from: &str, to: &str, why: Option<&str>) {
        if let Some(why) = why {
            self.unknown = Some(why.to_owned());
        }
        let Some((head, tail)) = from.split_once('*') else { return self.add_name(to) };
        for name in self.state.branches.clone() {
            let full = format!("refs/heads/{name}");
            let middle = full.strip_prefix(head).and_then(|rest| rest.strip_suffix(tail));
            if let Some(middle) = middle {
                self.add_name(&to.replacen('*', middle, 1));
            }
        }
    }

    /// Adds where a source goes that is named without a target.
    fn add_source(&mut self, source: &str) {
        let name = if ["HEAD", "@"].contains(&source) {
            match &self.head {
                Head::Branch(name) => name.clone(),
                // Git refuses.
                Head::Detached => return,
                Head::Unknown(why) => {
                    self.unknown = Some(why.clone());
                    return;
                }
            }
        } else {
            source.strip_prefix("refs/heads/").or_else(|| source.strip_prefix("heads/")).unwrap_or(source).to_owned()
        };
        let mapped = self.state.all_settings(&format!("remote.{}.push", self.remote)).into_iter().find_map(|refspec| {
            let (from, to) = refspec.strip_prefix('+').unwrap_or(refspec).split_once(':')?;
            let full = format!("refs/heads/{name}");
            match from.split_once('*') {
                Some((head, tail)) => {
                    let middle = full.strip_prefix(head)?.strip_suffix(tail)?;
                    Some(to.replacen('*', middle, 1))
                }
                None => (from == name || from == full).then(|| to.to_owned()),
            }
        });
        if let Some(to) = mapped {
            return self.add_name(&to);
        }
        let follows = ["upstream", "tracking"].contains(&self.state.setting("push.default").unwrap_or_default());
        match self.upstream(&name).filter(|_| follows) {
            Some(upstream) => self.add_name(&upstream),
            None => self.add_name(&name),
        }
    }

    /// Returns the branch of the remote that a branch follows.
    fn upstream(&self, branch: &str) -> Option<String> {
        let remote = self.state.setting(&format!("branch.{branch}.remote"))?;
        let merge = self.state.setting(&format!("branch.{branch}.merge"))?;
        (remote == self.remote).then(|| merge.to_owned())
    }

    /// Adds the branches that have the same name here and there.
    fn add_matching(&mut self, why: Option<&str>) {
        if let Some(why) = why {
            self.unknown = Some(why.to_owned());
        }
        for name in &self.state.branches {
            let there = self.state.remote_branches.iter().any(|(remote, it)| *remote == self.remote && it == name);
            // Nothing is known of a remote that was never fetched.
            let is_known = self.state.remote_branches.iter().any(|(remote, _)| *remote == self.remote);
            if there || !is_known {
                self.names.insert(name.clone());
            }
        }
    }

    /// Adds what is pushed without a refspec.
    fn add_configured(&mut self) {
        let refspecs = self.state.all_settings(&format!("remote.{}.push", self.remote));
        if !refspecs.is_empty() {
            for refspec in refspecs {
                self.add_refspec(refspec, None);
            }
            return;
        }
        let mode = self.state.setting("push.default").unwrap_or("simple").to_lowercase();
        if mode == "matching" {
            return self.add_matching(None);
        }
        if mode == "nothing" {
            return;
        }
        let name = match &self.head {
            Head::Branch(name) => name.clone(),
            // Git refuses.
            Head::Detached => return,
            Head::Unknown(why) => {
                self.unknown = Some(why.clone());
                return;
            }
        };
        match (mode.as_str(), self.upstream(&name)) {
            ("current", _) | ("simple", None) => self.add_name(&name),
            // Git refuses to push to an upstream of another name, and tells how to push to either.
            ("simple", Some(upstream)) => {
                self.add_name(&name);
                self.add_name(&upstream);
            }
            ("upstream" | "tracking", Some(upstream)) => self.add_name(&upstream),
            ("upstream" | "tracking", None) => {}
            _ => self.unknown = Some("`push.default` has an unknown value".to_owned()),
        }
    }
}
