//! Events of tests and examples, judged by the path that the hook takes.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::hosts;
use super::judge::{Bench, Judged};
use crate::adapters::{Asked, HOSTS, Host, Payload, compose, host_of_event};
use crate::domain::example::Described;
use crate::domain::policy::Policy;
use crate::io::suite;

/// Judges an event in neutral words, as one of a host or of the first that has the moment.
///
/// `files` are there, by path.
pub(super) fn judge(
    event: &Described,
    host: Option<&str>,
    policy: &Policy,
    files: &BTreeMap<String, String>,
) -> Result<Judged, String> {
    let asked = Asked::described(event, suite::PROJECT)?;
    let host = match host {
        Some(name) => hosts::named(name)?,
        None => HOSTS
            .iter()
            .find(|host| host.rows_of(asked.kind).next().is_some())
            .ok_or_else(|| format!("no host has the moment `{}`", asked.kind))?,
    };
    let payload = compose(host, &asked).ok_or_else(|| format!("{} has no moment `{}`", host.title, asked.kind))?;
    judge_in(&asked.cwd, host, &payload, policy, files)
}

/// Judges a payload as a host sent it.
pub(super) fn judge_recorded(
    payload: &Map<String, Value>,
    host: Option<&str>,
    policy: &Policy,
    files: &BTreeMap<String, String>,
) -> Result<Judged, String> {
    let wire = payload.get("hook_event_name").and_then(Value::as_str).unwrap_or_default();
    let host = match host {
        Some(name) => hosts::named(name)?,
        None => host_of_event(wire).ok_or_else(|| format!("`{wire}` does not tell the host: name it with `host`"))?,
    };
    let cwd = payload.get("cwd").and_then(Value::as_str).unwrap_or(suite::PROJECT);
    judge_in(cwd, host, payload, policy, files)
}

fn judge_in(
    cwd: &str,
    host: &'static Host,
    payload: &Payload,
    policy: &Policy,
    files: &BTreeMap<String, String>,
) -> Result<Judged, String> {
    let place = suite::place(cwd);
    // Tests take place on a machine that is not there.
    let read = &|_: &str| Err("there are no files".to_owned());
    let machine = suite::MadeUp::new(files, &place);
    let bench = Bench { host, policy, place: &place, machine: &machine, read, broken: None, stamp: None };
    bench.judge(payload).map_err(|error| error.to_string())
}
