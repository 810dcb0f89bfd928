//! Credentials in files of a known form: manifests of Kubernetes, configurations of registries, `.netrc`, `.pgpass`.

use std::ops::Range;

use super::{Found, Place};
use crate::domain::secret::{base64, detector::Tier, placeholder};

/// Bytes of a manifest behind `kind: Secret`, and before it.
const MANIFEST: usize = 16 * 1024;

/// Bytes of one value.
const VALUE: usize = 8 * 1024;

/// The values under `data:` and `stringData:` of a Secret.
pub(super) fn kubernetes(place: &Place<'_>) -> Vec<Found> {
    if place.at.start < place.done.get() {
        return Vec::new();
    }
    // `kind: Secret` and not `kind: SecretStore`.
    let line = place.around(place.at.start..place.at.end.saturating_add(8));
    if line.get(place.at.len()..).unwrap_or_default().starts_with(|sign: char| sign.is_ascii_alphanumeric()) {
        return Vec::new();
    }
    let start = place.at.start.saturating_sub(MANIFEST);
    let before = place.around(start..place.at.start);
    let before = before.rsplit("\n---").next().unwrap_or_default();
    let after = place.around(place.at.end..place.at.end.saturating_add(MANIFEST));
    let after = after.split("\n---").next().unwrap_or_default();
    let from = place.at.start - before.len();
    let to = place.at.end + after.len();
    place.done.set(to);
    let mut found = Vec::new();
    let mut coded = None;
    let mut at = from;
    for line in place.slice(&(from..to)).split_inclusive('\n') {
        let line_at = at;
        at += line.len();
        let indent = line.len() - line.trim_start_matches([' ', '+', '-', '\t']).len();
        let Some((key, value)) = line.trim().trim_start_matches(['+', '-']).trim_start().split_once(':') else {
            continue;
        };
        if indent <= 1 {
            coded = match key {
                "data" => Some(true),
                "stringData" => Some(false),
                _ => None,
            };
        } else if let Some(coded) = coded {
            let value = value.trim().trim_matches(['"', '\'']);
            let Some(offset) = line.find(value).filter(|_| !value.is_empty() && value.len() <= VALUE) else { continue };
            if is_secret(value, coded) {
                let start = line_at + line.rfind(value).unwrap_or(offset);
                found.push(Found { span: start..start + value.len(), tier: Tier::Paired });
            }
        }
    }
    found
}

fn is_secret(value: &str, coded: bool) -> bool {
    let plain = if coded { base64::decode(value).and_then(|bytes| String::from_utf8(bytes).ok()) } else { None };
    let text = plain.as_deref().map_or(value, str::trim);
    let bytes = coded && plain.is_none() && value.len() >= 16 && placeholder::looks_random(value);
    bytes || (text.len() >= 6 && placeholder::looks_password(text))
}

/// `"auth": "…"` of Docker, `_auth=…` of npm: base64 of a user and a password.
pub(super) fn registry(place: &Place<'_>) -> Option<Found> {
    let given = place.given()?;
    let name = place.slice(&given.name);
    let value = place.slice(&given.value);
    let pair = base64::decode(value).and_then(|bytes| String::from_utf8(bytes).ok())?;
    let (user, password) = pair.split_once(':')?;
    let named = name == "auth" || name.ends_with("_auth");
    let chosen = password.len() >= 6 && user != password && !pair.contains(char::is_control);
    (named && chosen && !placeholder::is_dummy(password))
        .then(|| Found { span: given.value.clone(), tier: Tier::Paired })
}

/// `machine HOST login USER password …`, on one line or several.
pub(super) fn netrc(place: &Place<'_>) -> Option<Found> {
    let rest = place.around(place.at.end..place.at.end.saturating_add(512));
    let mut words = rest.split_whitespace().take(8);
    let host = words.next()?;
    let mut span: Option<Range<usize>> = None;
    let mut logs_in = false;
    while let (Some(key), Some(value)) = (words.next(), words.next()) {
        match key {
            "login" | "account" => logs_in = true,
            "password" => {
                let value = value.trim_matches('"');
                let start = place.at.end + (value.as_ptr() as usize - rest.as_ptr() as usize);
                span = Some(start..start + value.len());
            }
            _ => break,
        }
    }
    let span = span?;
    let value = place.slice(&span);
    let known = placeholder::looks_password(value) && !value.contains('\\') && !host.contains("example");
    (logs_in && known).then_some(Found { span, tier: Tier::Paired })
}

/// `host:port:database:user:password`, a line of its own.
pub(super) fn pgpass(place: &Place<'_>) -> Option<Found> {
    let before = place.around(place.at.start.saturating_sub(256)..place.at.start);
    let host = before.rsplit('\n').next()?;
    let rest = place.around(place.at.end..place.at.end.saturating_add(512));
    let line = rest.split('\n').next()?.trim_end();
    let mut parts = line.splitn(3, ':');
    let (database, user, password) = (parts.next()?, parts.next()?, parts.next()?);
    let name =
        |text: &str| !text.is_empty() && text.chars().all(|sign| sign.is_ascii_alphanumeric() || "_-.*".contains(sign));
    let fits =
        name(host.trim_start_matches('+')) && name(database) && name(user) && !password.contains([' ', ':', '/']);
    let start = place.at.end + line.len() - password.len();
    let known = fits && password.len() >= 6 && placeholder::looks_password(password) && password != user;
    known.then(|| Found { span: start..start + password.len(), tier: Tier::Paired })
}
