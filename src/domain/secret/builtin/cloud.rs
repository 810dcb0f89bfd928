//! Cloud keys that are recognized by the text near them.

use std::ops::Range;

use super::{BuiltinMatch, KeywordContext};
use crate::domain::secret::detector::Tier;
use crate::domain::secret::placeholder;

/// How many bytes around a name or an id are searched for its key.
const CONTEXT_BYTES: usize = 384;

/// Returns secret keys of AWS: random base64 with a matching name or near a key id.
pub(super) fn aws_secret_keys(place: &KeywordContext<'_>) -> Vec<BuiltinMatch> {
    let from = place.keyword_span.start.saturating_sub(CONTEXT_BYTES).max(place.scanned_to.get());
    let to = place.keyword_span.end.saturating_add(CONTEXT_BYTES).min(place.bytes().len());
    let mut found = Vec::new();
    let mut at = from;
    while let Some(run) = next_base64_run(place.bytes(), at..to) {
        at = run.end + 1;
        place.scanned_to.set(at);
        if run.len() == 40 && is_aws_secret_key(place, &run) {
            found.push(BuiltinMatch { span: run, tier: Tier::Paired });
        }
    }
    found
}

/// Returns the next run of base64 that is not cut at either end.
fn next_base64_run(text: &[u8], part: Range<usize>) -> Option<Range<usize>> {
    let in_run = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let start = part.start + text.get(part.clone())?.iter().position(in_run)?;
    let len = text.get(start..)?.iter().take(2 * CONTEXT_BYTES).take_while(|byte| in_run(byte)).count();
    Some(start..start + len)
}

fn is_aws_secret_key(place: &KeywordContext<'_>, run: &Range<usize>) -> bool {
    let text = place.bytes();
    let value = place.slice(run);
    let escaped = text.get(run.start.saturating_sub(1)..run.start) == Some(b"\\");
    let before = text.get(run.start.saturating_sub(1)..run.start).and_then(<[u8]>::first).copied().unwrap_or(b' ');
    let after = text.get(run.end).copied().unwrap_or(b' ');
    let apart = !escaped && !matches!(before, b'_' | b'.' | b'-') && !matches!(after, b'=' | b'_');
    let random =
        placeholder::has_mixed_classes(value) && placeholder::entropy(value) >= 4.0 && value.matches('/').count() <= 5;
    let head = place.slice_around(run.start.saturating_sub(CONTEXT_BYTES)..run.start);
    let tail = place.slice_around(run.end..run.end.saturating_add(CONTEXT_BYTES));
    let line = head.rsplit('\n').next().unwrap_or_default().to_ascii_lowercase();
    let named = line.contains("secret") && ["access", "aws", "amazon"].iter().any(|word| line.contains(word));
    apart && random && !placeholder::is_placeholder(value) && (named || has_aws_key_id(head) || has_aws_key_id(tail))
}

fn has_aws_key_id(text: &str) -> bool {
    let is_base32 = |byte: u8| byte.is_ascii_uppercase() || (b'2'..=b'7').contains(&byte);
    let follows = |at: usize| text.get(at + 4..at + 20).is_some_and(|id| id.bytes().all(is_base32));
    ["AKIA", "ASIA"].iter().any(|prefix| text.match_indices(prefix).any(|(at, _)| follows(at)))
}

/// Returns a signature of an Azure shared-access URL: 32 bytes, near a version or an expiry date.
pub(super) fn azure_signature(place: &KeywordContext<'_>) -> Option<BuiltinMatch> {
    let text = place.bytes();
    let before = place.keyword_span.start.checked_sub(1).and_then(|at| text.get(at));
    let in_value = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'%' | b'+' | b'/');
    let len = text.get(place.keyword_span.end..)?.iter().take(256).take_while(|byte| in_value(byte)).count();
    let mut span = place.keyword_span.end..place.keyword_span.end + len;
    if text.get(span.end) == Some(&b'=') {
        span.end += 1;
    }
    let value = place.slice(&span);
    let padded = value.ends_with('=') || value.to_ascii_lowercase().ends_with("%3d");
    let head = place.slice_around(span.start.saturating_sub(CONTEXT_BYTES)..span.start);
    let tail = place.slice_around(span.end..span.end.saturating_add(CONTEXT_BYTES));
    let fields = ["sv=20", "se=20", "se=%", "st=20", "sp="];
    let beside = fields.iter().any(|field| head.contains(field) || tail.contains(field));
    let fits = matches!(before, Some(b'?' | b'&' | b';' | b'"')) && value.len() >= 44 && padded && beside;
    (fits && !placeholder::is_placeholder(value)).then_some(BuiltinMatch { span, tier: Tier::Paired })
}
