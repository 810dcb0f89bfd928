//! What must hold of a candidate beyond its shape, one function per question.
//!
//! A check may only lower the number of findings. It sees the value and a bounded stretch of what surrounds it.

use super::{
    base64, checksum,
    detector::{Candidate, Check},
    placeholder,
};

/// Any token that is random by nature.
pub(super) fn opaque(candidate: &Candidate<'_>) -> Check {
    (!placeholder::is_placeholder(candidate.value)).into()
}

/// A token whose short prefix also begins words.
pub(super) fn mixed(candidate: &Candidate<'_>) -> Check {
    (is_opaque(candidate) && placeholder::is_mixed(candidate.value)).into()
}

/// A classic GitHub token: the last six signs are a checksum.
pub(super) fn github(candidate: &Candidate<'_>) -> Check {
    (holds_github(candidate.value) && is_opaque(candidate)).into()
}

/// A GitHub installation token of the newer kind: an app number and a JWT.
pub(super) fn github_stateless(candidate: &Candidate<'_>) -> Check {
    candidate.value.splitn(3, '_').nth(2).is_some_and(is_jwt).into()
}

/// An npm token: the last six signs are a checksum.
pub(super) fn npm(candidate: &Candidate<'_>) -> Check {
    (holds_npm(candidate.value) && is_opaque(candidate)).into()
}

/// A Grafana service account token: the last eight signs are a checksum.
pub(super) fn grafana(candidate: &Candidate<'_>) -> Check {
    (checksum::ends_in_hex_crc(candidate.value) && is_opaque(candidate)).into()
}

/// A token of a vendor that builds checksums into all it issues, in which the sum does not hold.
pub(super) fn wrong_checksum(candidate: &Candidate<'_>) -> Check {
    let token = candidate.value;
    let holds = holds_github(token) || holds_npm(token) || checksum::ends_in_hex_crc(token);
    (!holds && is_opaque(candidate)).into()
}

/// An age identity: valid Bech32.
pub(super) fn age(candidate: &Candidate<'_>) -> Check {
    checksum::is_bech32(candidate.value).into()
}

/// A `PyPI` token: a macaroon with the index's name and an identifier.
pub(super) fn pypi(candidate: &Candidate<'_>) -> Check {
    // Version 2, field 1 (location) of eight bytes, then field 2 (identifier).
    let head = b"\x02\x01\x08pypi.org\x02";
    let macaroon = candidate.value.strip_prefix("pypi-").and_then(base64::decode);
    macaroon.is_some_and(|bytes| bytes.starts_with(head)).into()
}

/// A Sentry organization token: JSON with the time of issue, then a secret.
pub(super) fn sentry_organization(candidate: &Candidate<'_>) -> Check {
    let claims = candidate.value.split('_').nth(1);
    claims.is_some_and(|claims| base64::is_object_with(claims, &["iat", "url"])).into()
}

/// A Discord bot token: the first part is the bot's number, in decimal digits.
pub(super) fn discord(candidate: &Candidate<'_>) -> Check {
    let number = candidate.value.split('.').next().and_then(base64::decode);
    let decimal =
        number.is_some_and(|digits| (17..=20).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit));
    (decimal && is_opaque(candidate)).into()
}

/// A JSON web token that is signed and not the one of every tutorial.
pub(super) fn jwt(candidate: &Candidate<'_>) -> Check {
    // `"sub":"1234567890"`, as on the page where people try out tokens.
    let known = candidate.value.contains("eyJzdWIiOiIxMjM0NTY3ODkwIi");
    (!known && is_jwt(candidate.value)).into()
}

/// An AWS secret key: random base64 that is called so or stands near a key id.
pub(super) fn aws_secret(candidate: &Candidate<'_>) -> Check {
    let value = candidate.value;
    let random = placeholder::is_mixed(value) && placeholder::entropy(value) >= 4.0 && value.matches('/').count() <= 5;
    let line = candidate.before.rsplit('\n').next().unwrap_or_default().to_ascii_lowercase();
    let named = line.contains("secret") && ["access", "aws", "amazon"].iter().any(|word| line.contains(word));
    let paired = || has_aws_id(candidate.before) || has_aws_id(candidate.after);
    (random && is_opaque(candidate) && (named || paired())).into()
}

/// A signature of a shared-access URL of Azure: 32 bytes, beside a version or an expiry date.
pub(super) fn azure_signature(candidate: &Candidate<'_>) -> Check {
    let fields = ["sv=20", "se=20", "se=%", "st=20", "sp="];
    let beside = |text: &str| fields.iter().any(|field| text.contains(field));
    (is_opaque(candidate) && (beside(candidate.before) || beside(candidate.after))).into()
}

/// A Square token: a prefix of its own, or a shorter one and the vendor's name.
pub(super) fn square(candidate: &Candidate<'_>) -> Check {
    (is_opaque(candidate) && (candidate.value.starts_with("sq0") || mentions(candidate, "square"))).into()
}

/// A Twilio key, near the vendor's name.
pub(super) fn twilio(candidate: &Candidate<'_>) -> Check {
    (is_opaque(candidate) && mentions(candidate, "twilio")).into()
}

/// A Mailgun key, near the vendor's name.
pub(super) fn mailgun(candidate: &Candidate<'_>) -> Check {
    (is_opaque(candidate) && mentions(candidate, "mailgun")).into()
}

/// The value of an `Authorization: Basic` header: a name and a password that somebody chose.
pub(super) fn basic_authorization(candidate: &Candidate<'_>) -> Check {
    let pair = base64::decode(candidate.value).and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
    let chosen = |user: &str, password: &str| {
        password.len() >= 4 && user != password && !placeholder::is_dummy(password) && !pair.contains(char::is_control)
    };
    pair.split_once(':').is_some_and(|(user, password)| chosen(user, password)).into()
}

/// The value of an `Authorization: Bearer` header that no other row knows.
pub(super) fn bearer(candidate: &Candidate<'_>) -> Check {
    (is_opaque(candidate) && placeholder::looks_random(candidate.value)).into()
}

fn is_opaque(candidate: &Candidate<'_>) -> bool {
    opaque(candidate) == Check::Secret
}

fn holds_github(token: &str) -> bool {
    token.starts_with("gh") && token.get(4..).is_some_and(checksum::ends_in_base62_crc)
}

fn holds_npm(token: &str) -> bool {
    token.strip_prefix("npm_").is_some_and(checksum::ends_in_base62_crc)
}

fn is_jwt(token: &str) -> bool {
    let mut parts = token.split('.');
    let (header, claims) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    base64::is_object_with(header, &["alg"]) && base64::is_object_with(claims, &[])
}

fn mentions(candidate: &Candidate<'_>, word: &str) -> bool {
    let has = |text: &str| text.to_ascii_lowercase().contains(word);
    has(candidate.before) || has(candidate.after)
}

fn has_aws_id(text: &str) -> bool {
    let follows = |at: usize| text.get(at + 4..at + 20).is_some_and(|id| id.bytes().all(is_base32));
    ["AKIA", "ASIA"].iter().any(|prefix| text.match_indices(prefix).any(|(at, _)| follows(at)))
}

fn is_base32(byte: u8) -> bool {
    byte.is_ascii_uppercase() || (b'2'..=b'7').contains(&byte)
}
