//! Passwords in URLs.
//!
//! Most of those that are written anywhere are samples, and they give themselves away by the host or by the password:
//! nobody's password on any host, or any simple password on a host that is nobody's or one's own.

use super::{
    detector::{Candidate, Check},
    placeholder,
};

/// A password for a database or a queue.
pub(super) fn service(candidate: &Candidate<'_>) -> Check {
    let Login { user, password, host } = Login::of(candidate);
    let chosen = password.len() >= 4 && password != user && !placeholder::is_dummy(password);
    (chosen && (is_elsewhere(host) || is_strong(password))).into()
}

/// A password for a web site, where names and samples are commoner than secrets.
pub(super) fn site(candidate: &Candidate<'_>) -> Check {
    let password = candidate.value;
    let odd = password.len() >= 8 && password.bytes().any(|byte| !byte.is_ascii_lowercase());
    if odd { service(candidate) } else { Check::Lookalike }
}

struct Login<'t> {
    user: &'t str,
    password: &'t str,
    host: &'t str,
}

impl<'t> Login<'t> {
    fn of(candidate: &Candidate<'t>) -> Self {
        let authority = candidate.before.rsplit("//").next().unwrap_or_default();
        let rest = candidate.after.trim_start_matches('@');
        let ends = |sign: char| !(sign.is_ascii_alphanumeric() || "-.[_".contains(sign));
        Self {
            user: authority.trim_end_matches(':'),
            password: candidate.value,
            host: rest.split(ends).next().unwrap_or_default(),
        }
    }
}

/// Whether the host is a place that others can reach and that is not set aside for samples.
fn is_elsewhere(host: &str) -> bool {
    let host = host.to_ascii_lowercase();
    let ours = ["localhost", "127.", "0.0.0.0", "host."];
    let ending = host.rsplit('.').next().unwrap_or_default();
    // A bare name is a container of the same composition; that is where samples live.
    host.contains('.')
        && !ours.iter().any(|start| host.starts_with(start))
        && !host.contains("example")
        && !["test", "local", "localhost", "invalid", "localdomain"].contains(&ending)
}

fn is_strong(password: &str) -> bool {
    password.len() >= 10 && placeholder::looks_random(password)
}
