//! Private keys between `BEGIN` and `END` lines.
//!
//! The body is read only as far as it proves itself: its head must decode to the form that its kind of key has, and there
//! must be enough of it to be a key. Lines may be indented, quoted, joined by `\n`, marked by a diff or numbered by
//! a file viewer, so of each line only the longest run of base64 counts.

use super::{
    base64,
    detector::{Candidate, Check},
    placeholder,
};

/// Base64 signs in the first line of a body that are decoded.
const HEAD: usize = 48;

/// A key that stands open: PKCS 1, PKCS 8, SEC 1 or OpenSSH.
pub(super) fn plain(candidate: &Candidate<'_>) -> Check {
    let body = Body::of(candidate.value);
    let open = body.encoded_len().is_some_and(|(_, content)| content.starts_with(&[0x02, 0x01]));
    (body.is_complete() && open || body.is_openssh()).into()
}

/// The same, inside the JSON of a Google service account.
pub(super) fn service_account(candidate: &Candidate<'_>) -> Check {
    let names = |text: &str| text.contains("service_account") || text.contains("gserviceaccount.com");
    if names(candidate.before) || names(candidate.after) { plain(candidate) } else { Check::Lookalike }
}

/// A key under a passphrase: encrypted PKCS 8, or an older block with a `Proc-Type` line.
pub(super) fn encrypted(candidate: &Candidate<'_>) -> Check {
    let body = Body::of(candidate.value);
    let sealed = body.encoded_len().is_some_and(|(_, content)| content.first() == Some(&0x30));
    let old =
        candidate.value.contains("4,ENCRYPTED") && body.signs >= 64 && placeholder::entropy(candidate.value) > 4.5;
    (sealed && body.is_complete() || old).into()
}

/// A key of PGP: the first packet is a secret key.
pub(super) fn pgp(candidate: &Candidate<'_>) -> Check {
    const SECRET_KEY: u8 = 5;
    let body = Body::of(candidate.value);
    let tag = |byte: u8| if byte & 0x40 == 0 { byte >> 2 & 0x0f } else { byte & 0x3f };
    let secret = body.head.first().is_some_and(|byte| byte & 0x80 != 0 && tag(*byte) == SECRET_KEY);
    (secret && body.signs >= 128).into()
}

struct Body {
    head: Vec<u8>,
    /// Base64 signs of the whole body.
    signs: usize,
}

impl Body {
    fn of(block: &str) -> Self {
        let body = block.split("KEY-----").nth(1).or_else(|| block.split("BLOCK-----").nth(1)).unwrap_or(block);
        let lines = body.split_whitespace().flat_map(|line| line.split("\\n")).map(longest_run);
        // The last line may be short; counting only whole lines keeps stray words out.
        let lines: Vec<&str> = lines.filter(|line| line.len() >= 20).collect();
        // A diff marks added lines with a plus sign, which is also a sign of base64 but begins no key.
        let first = lines.first().copied().unwrap_or_default().trim_start_matches('+');
        let head = first.get(..first.len().min(HEAD)).and_then(base64::decode).unwrap_or_default();
        Self { head, signs: lines.iter().map(|line| line.len()).sum() }
    }

    /// Returns the announced length of an ASN.1 sequence, its own head included, and what of its content is known.
    fn encoded_len(&self) -> Option<(usize, &[u8])> {
        let (announced, content) = match self.head.as_slice() {
            [0x30, 0x82, high, low, content @ ..] => (usize::from(u16::from_be_bytes([*high, *low])), content),
            [0x30, 0x81, len, content @ ..] | [0x30, len @ 0..=0x7f, content @ ..] => (usize::from(*len), content),
            _ => return None,
        };
        Some((announced + self.head.len() - content.len(), content))
    }

    /// Whether at least half of the announced bytes are there: output is often cut, and a head alone is a placeholder.
    fn is_complete(&self) -> bool {
        self.encoded_len().is_some_and(|(announced, _)| announced >= 40 && self.signs * 3 / 4 >= announced / 2)
    }

    fn is_openssh(&self) -> bool {
        self.head.starts_with(b"openssh-key-v1\0") && self.signs >= 128
    }
}

fn longest_run(line: &str) -> &str {
    let foreign = |sign: char| !(sign.is_ascii_alphanumeric() || "+/=".contains(sign));
    line.split(foreign).max_by_key(|run| run.len()).unwrap_or_default()
}
