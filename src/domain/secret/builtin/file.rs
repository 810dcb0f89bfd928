//! Credentials in files of a known format: Kubernetes manifests, registry configurations, `.netrc`, `.pgpass`.

use std::ops::Range;

use super::{BuiltinMatch, KeywordContext};
use crate::domain::secret::detector::Tier;
use crate::domain::secret::{base64, placeholder};

/// How many bytes of a manifest are read after `kind: Secret`, and before it.
const MAX_MANIFEST: usize = 16 * 1024;

/// The maximum length of one value, in bytes.
const MAX_VALUE: usize = 8 * 1024;

/// The values under `data:` and `stringData:` of a Secret.
pub(super) fn kubernetes_secrets(place: &KeywordContext<'_>) -> Vec<BuiltinMatch> {
    if place.keyword_span.start < place.scanned_to.get() {
        return Vec::new();
    }
    // `kind: Secret` and not `kind: SecretStore`.
    let line = place.slice_around(place.keyword_span.start..place.keyword_span.end.saturating_add(8));
    if line.get(place.keyword_span.len()..).unwrap_or_default().starts_with(|sign: char| sign.is_ascii_alphanumeric()) {
        return Vec::new();
    }
    let start = place.keyword_span.start.saturating_sub(MAX_MANIFEST);
    let before = place.slice_around(start..place.keyword_span.start);
    let before = before.rsplit("\n---").next().unwrap_or_default();
    let after = place.slice_around(place.keyword_span.end..place.keyword_span.end.saturating_add(MAX_MANIFEST));
    let after = after.split("\n---").next().unwrap_or_default();
    let from = place.keyword_span.start - before.len();
    let to = place.keyword_span.end + after.len();
    place.scanned_to.set(to);
    if place.keyword().starts_with('"') {
        return json_values(place, from..to);
    }
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
            let Some(offset) = line.find(value).filter(|_| !value.is_empty() && value.len() <= MAX_VALUE) else {
                continue;
            };
            if is_secret_value(value, coded) {
                let start = line_at + line.rfind(value).unwrap_or(offset);
                found.push(BuiltinMatch { span: start..start + value.len(), tier: Tier::Paired });
            }
        }
    }
    found
}

/// Returns the secret values of a Secret in JSON.
fn json_values(place: &KeywordContext<'_>, span: Range<usize>) -> Vec<BuiltinMatch> {
    let text = place.slice(&span);
    let mut found = Vec::new();
    for (field, coded) in [("\"data\"", true), ("\"stringData\"", false)] {
        let objects = text.match_indices(field).filter_map(|(at, _)| {
            let behind = text.get(at + field.len()..)?.trim_start().strip_prefix(':')?.trim_start();
            behind.strip_prefix('{')?.split('}').next()
        });
        for object in objects {
            // Texts alternate with what is between them: key, colon, value, comma.
            for value in object.split('"').skip(3).step_by(4) {
                if value.len() <= MAX_VALUE && is_secret_value(value, coded) {
                    let start = span.start + (value.as_ptr() as usize - text.as_ptr() as usize);
                    found.push(BuiltinMatch { span: start..start + value.len(), tier: Tier::Paired });
                }
            }
        }
    }
    found
}

fn is_secret_value(value: &str, coded: bool) -> bool {
    let plain = if coded { base64::decode(value).and_then(|bytes| String::from_utf8(bytes).ok()) } else { None };
    let auth = plain.as_deref().and_then(|text| text.split("\"auth\":").nth(1)?.split('"').nth(1));
    if auth.is_some_and(is_registry_login) {
        return true;
    }
    let text = plain.as_deref().map_or(value, str::trim);
    let bytes = coded && plain.is_none() && value.len() >= 16 && placeholder::looks_random(value);
    bytes || (text.len() >= 6 && placeholder::looks_like_password(text))
}

/// `"auth": "…"` of Docker, `_auth=…` of npm: base64 of a user and a password.
pub(super) fn registry_login(place: &KeywordContext<'_>) -> Option<BuiltinMatch> {
    let given = place.assignment()?;
    let name = place.slice(&given.name);
    let value = place.slice(&given.value);
    let named = name == "auth" || name.ends_with("_auth");
    (named && is_registry_login(value)).then(|| BuiltinMatch { span: given.value.clone(), tier: Tier::Paired })
}

/// Returns whether a value is base64 of a user and a password.
fn is_registry_login(value: &str) -> bool {
    let pair = base64::decode(value).and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
    pair.split_once(':').is_some_and(|(user, password)| {
        password.len() >= 6 && user != password && !pair.contains(char::is_control) && !placeholder::is_dummy(password)
    })
}

/// `machine HOST login USER password …`, on one line or several.
pub(super) fn netrc_password(place: &KeywordContext<'_>) -> Option<BuiltinMatch> {
    let rest = place.slice_around(place.keyword_span.end..place.keyword_span.end.saturating_add(512));
    let mut words = rest.split_whitespace().take(8);
    let host = words.next()?;
    let mut span: Option<Range<usize>> = None;
    let mut logs_in = false;
    while let (Some(key), Some(value)) = (words.next(), words.next()) {
        match key {
            "login" | "account" => logs_in = true,
            "password" => {
                let value = value.trim_matches('"');
                let start = place.keyword_span.end + (value.as_ptr() as usize - rest.as_ptr() as usize);
                span = Some(start..start + value.len());
            }
            _ => break,
        }
    }
    let span = span?;
    let value = place.slice(&span);
    let known = placeholder::looks_like_password(value) && !value.contains('\\') && !host.contains("example");
    (logs_in && known).then_some(BuiltinMatch { span, tier: Tier::Paired })
}

/// `host:port:database:user:password`, a line of its own.
pub(super) fn pgpass_password(place: &KeywordContext<'_>) -> Option<BuiltinMatch> {
    let before = place.slice_around(place.keyword_span.start.saturating_sub(256)..place.keyword_span.start);
    let host = before.rsplit('\n').next()?;
    let rest = place.slice_around(place.keyword_span.end..place.keyword_span.end.saturating_add(512));
    let line = rest.split('\n').next()?.trim_end();
    let mut parts = line.splitn(3, ':');
    let (database, user, password) = (parts.next()?, parts.next()?, parts.next()?);
    let name =
        |text: &str| !text.is_empty() && text.chars().all(|sign| sign.is_ascii_alphanumeric() || "_-.*".contains(sign));
    let fits =
        name(host.trim_start_matches('+')) && name(database) && name(user) && !password.contains([' ', ':', '/']);
    let start = place.keyword_span.end + line.len() - password.len();
    let known = fits && password.len() >= 6 && placeholder::looks_like_password(password) && password != user;
    known.then(|| BuiltinMatch { span: start..start + password.len(), tier: Tier::Paired })
}
