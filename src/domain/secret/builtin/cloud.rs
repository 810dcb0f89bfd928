//! Keys of clouds that are known by what stands beside them.

use std::ops::Range;

use super::{Found, Place};
use crate::domain::secret::{detector::Tier, placeholder};

/// Bytes around a name or an id in which its key is looked for.
const NEARBY: usize = 384;

/// A secret key of AWS: random base64 that is called so or stands near a key id. May find several.
pub(super) fn aws(place: &Place<'_>) -> Vec<Found> {
    let from = place.at.start.saturating_sub(NEARBY).max(place.done.get());
    let to = place.at.end.saturating_add(NEARBY).min(place.bytes().len());
    let mut found = Vec::new();
    let mut at = from;
    while let Some(run) = next_run(place.bytes(), at..to) {
        at = run.end + 1;
        place.done.set(at);
        if run.len() == 40 && is_key(place, &run) {
            found.push(Found { span: run, tier: Tier::Paired });
        }
    }
    found
}

/// Returns the next run of base64 that is cut at neither end.
fn next_run(text: &[u8], part: Range<usize>) -> Option<Range<usize>> {
    let in_run = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let start = part.start + text.get(part.clone())?.iter().position(in_run)?;
    let len = text.get(start..)?.iter().take(2 * NEARBY).take_while(|byte| in_run(byte)).count();
    Some(start..start + len)
}

fn is_key(place: &Place<'_>, run: &Range<usize>) -> bool {
    let text = place.bytes();
    let value = place.slice(run);
    let escaped = text.get(run.start.saturating_sub(1)..run.start) == Some(b"\\");
    let before = text.get(run.start.saturating_sub(1)..run.start).and_then(<[u8]>::first).copied().unwrap_or(b' ');
    let after = text.get(run.end).copied().unwrap_or(b' ');
    let apart = !escaped && !matches!(before, b'_' | b'.' | b'-') && !matches!(after, b'=' | b'_');
    let random = placeholder::is_mixed(value) && placeholder::entropy(value) >= 4.0 && value.matches('/').count() <= 5;
    let head = place.around(run.start.saturating_sub(NEARBY)..run.start);
    let tail = place.around(run.end..run.end.saturating_add(NEARBY));
    let line = head.rsplit('\n').next().unwrap_or_default().to_ascii_lowercase();
    let named = line.contains("secret") && ["access", "aws", "amazon"].iter().any(|word| line.contains(word));
    apart && random && !placeholder::is_placeholder(value) && (named || has_aws_id(head) || has_aws_id(tail))
}

fn has_aws_id(text: &str) -> bool {
    let is_base32 = |byte: u8| byte.is_ascii_uppercase() || (b'2'..=b'7').contains(&byte);
    let follows = |at: usize| text.get(at + 4..at + 20).is_some_and(|id| id.bytes().all(is_base32));
    ["AKIA", "ASIA"].iter().any(|prefix| text.match_indices(prefix).any(|(at, _)| follows(at)))
}

/// A signature of a shared-access URL of Azure: 32 bytes, beside a version or an expiry date.
pub(super) fn azure_signature(place: &Place<'_>) -> Option<Found> {
    let text = place.bytes();
    let before = place.at.start.checked_sub(1).and_then(|at| text.get(at));
    let in_value = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'%' | b'+' | b'/');
    let len = text.get(place.at.end..)?.iter().take(256).take_while(|byte| in_value(byte)).count();
    let mut span = place.at.end..place.at.end + len;
    if text.get(span.end) == Some(&b'=') {
        span.end += 1;
    }
    let value = place.slice(&span);
    let padded = value.ends_with('=') || value.to_ascii_lowercase().ends_with("%3d");
    let head = place.around(span.start.saturating_sub(NEARBY)..span.start);
    let tail = place.around(span.end..span.end.saturating_add(NEARBY));
    let fields = ["sv=20", "se=20", "se=%", "st=20", "sp="];
    let beside = fields.iter().any(|field| head.contains(field) || tail.contains(field));
    let fits = matches!(before, Some(b'?' | b'&' | b';' | b'"')) && value.len() >= 44 && padded && beside;
    (fits && !placeholder::is_placeholder(value)).then_some(Found { span, tier: Tier::Paired })
}
