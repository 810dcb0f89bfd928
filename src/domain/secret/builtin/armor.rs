//! Private keys between `BEGIN` and `END` lines, and in key files of `PuTTY`.
//!
//! The body is read only as far as needed to prove that it is a key: its head must decode to the structure of its kind
//! of key, and there must be enough of it. Lines may be indented, quoted, joined by `\n`, marked by a diff or numbered
//! by a file viewer, so only the run of base64 of each line counts. The `END` line may be missing, the `BEGIN` line
//! not.

use std::{cell::Cell, ops::Range};

use super::{Builtin, BuiltinMatch, KeywordContext};
use crate::domain::secret::detector::Tier;
use crate::domain::secret::{base64, placeholder};

/// How many base64 characters of the first line of a body are decoded.
const MAX_HEAD: usize = 48;

/// The maximum length of a block, in bytes: no key in use is longer.
const MAX_BLOCK: usize = 32 * 1024;

/// The maximum length of a header line of a key, in bytes.
const MAX_LINE: usize = 256;

/// How many bytes around a key are searched for a service account.
const ACCOUNT_CONTEXT: usize = 2048;

pub(super) fn find(place: &KeywordContext<'_>, wanted: Builtin) -> Option<BuiltinMatch> {
    if wanted == Builtin::PuttyPrivateKey {
        return putty_key(place);
    }
    let block = ArmoredBlock::parse_around(place)?;
    let proved = match wanted {
        Builtin::PgpPrivateKey => block.label == "PGP PRIVATE KEY BLOCK" && block.is_pgp(),
        Builtin::EncryptedPrivateKey => block.is_encrypted(),
        Builtin::ServiceAccount => block.is_unencrypted() && is_service_account(place, &block.span),
        _ => block.is_unencrypted(),
    };
    let tier = if wanted == Builtin::EncryptedPrivateKey { Tier::Strong } else { Tier::Proved };
    proved.then(|| BuiltinMatch { span: block.span.clone(), tier })
}

/// Returns whether the key is in the JSON of a service account.
fn is_service_account(place: &KeywordContext<'_>, span: &Range<usize>) -> bool {
    let before = place.slice_around(span.start.saturating_sub(ACCOUNT_CONTEXT)..span.start);
    let after = place.slice_around(span.end..span.end.saturating_add(ACCOUNT_CONTEXT));
    let names = |text: &str| text.contains("service_account") || text.contains("gserviceaccount.com");
    let key = before.trim_end_matches(['"', '\\']).trim_end().trim_end_matches(':').trim_end();
    key.trim_end_matches(['"', '\\']).ends_with("private_key") && (names(before) || names(after))
}

fn putty_key(place: &KeywordContext<'_>) -> Option<BuiltinMatch> {
    let mut reader = ArmorReader::new(place);
    reader.skip_while(|byte| byte == b' ');
    if reader.skip_while(|byte| byte.is_ascii_digit()) == 0 {
        return None;
    }
    let start = reader.at;
    let (runs, _) = reader.base64_lines();
    let end = runs.last()?.end;
    let opaque = !placeholder::is_placeholder(place.slice(&(start..end)));
    opaque.then_some(BuiltinMatch { span: start..end, tier: Tier::Strong })
}

/// An armoured block.
struct ArmoredBlock<'t> {
    span: Range<usize>,
    label: &'t str,
    text: &'t str,
    head: Vec<u8>,
    /// The number of base64 characters of the whole body.
    base64_len: usize,
}

impl<'t> ArmoredBlock<'t> {
    /// Reads the block whose first line contains a keyword; a line that ends a block does not begin one.
    fn parse_around(place: &KeywordContext<'t>) -> Option<Self> {
        const BEGIN: &str = "-----BEGIN ";
        let line = place.slice_around(place.keyword_span.start.saturating_sub(48)..place.keyword_span.end);
        let begin = line.rfind(BEGIN)?;
        let label = line.get(begin + BEGIN.len()..)?.trim_end_matches('-');
        let known = ["", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED ", "SSH2 ENCRYPTED ", "ANY "];
        let fits = label == "PGP PRIVATE KEY BLOCK"
            || label.strip_suffix("PRIVATE KEY").is_some_and(|kind| known.contains(&kind));
        if !fits {
            return None;
        }
        let start = place.keyword_span.end - (line.len() - begin);
        let mut reader = ArmorReader::new(place);
        reader.skip_headers();
        let (runs, end) = reader.base64_lines();
        let first = place.slice(runs.first()?);
        let head = first.get(..first.len().min(MAX_HEAD)).and_then(base64::decode).unwrap_or_default();
        let signs = runs.iter().map(Range::len).sum();
        let span = start..end.unwrap_or(runs.last()?.end);
        Some(Self { text: place.slice(&span), span, label, head, base64_len: signs })
    }

    /// Returns the declared length of an ASN.1 sequence, including its own header, and the known part of its content.
    fn asn1_sequence_len(&self) -> Option<(usize, &[u8])> {
        let (announced, content) = match self.head.as_slice() {
            [0x30, 0x82, high, low, content @ ..] => (usize::from(u16::from_be_bytes([*high, *low])), content),
            [0x30, 0x81, len, content @ ..] | [0x30, len @ 0..=0x7f, content @ ..] => (usize::from(*len), content),
            _ => return None,
        };
        Some((announced + self.head.len() - content.len(), content))
    }

    /// Returns whether at least half of the declared bytes are present: output is often cut, and a head alone is a
    /// placeholder.
    fn is_complete(&self) -> bool {
        self.asn1_sequence_len()
            .is_some_and(|(announced, _)| announced >= 40 && self.base64_len * 3 / 4 >= announced / 2)
    }

    fn is_unencrypted(&self) -> bool {
        let open = self.asn1_sequence_len().is_some_and(|(_, content)| content.starts_with(&[0x02, 0x01]));
        let openssh = self.head.starts_with(b"openssh-key-v1\0") && self.base64_len >= 128;
        open && self.is_complete() || openssh
    }

    /// Returns whether this is encrypted PKCS 8, or an older block with a `Proc-Type` line.
    fn is_encrypted(&self) -> bool {
        let sealed = self.asn1_sequence_len().is_some_and(|(_, content)| content.first() == Some(&0x30));
        let old = self.text.contains("4,ENCRYPTED") && self.base64_len >= 64 && placeholder::entropy(self.text) > 4.5;
        sealed && self.is_complete() || old
    }

    /// Returns whether the first packet is a secret key.
    fn is_pgp(&self) -> bool {
        const SECRET_KEY: u8 = 5;
        let tag = |byte: u8| if byte & 0x40 == 0 { byte >> 2 & 0x0f } else { byte & 0x3f };
        let secret = self.head.first().is_some_and(|byte| byte & 0x80 != 0 && tag(*byte) == SECRET_KEY);
        secret && self.base64_len >= 128
    }
}

struct ArmorReader<'t> {
    text: &'t [u8],
    at: usize,
    end: usize,
    bytes_scanned: &'t Cell<usize>,
}

impl<'t> ArmorReader<'t> {
    fn new(place: &KeywordContext<'t>) -> Self {
        let end = place.keyword_span.end.saturating_add(MAX_BLOCK);
        Self { text: place.bytes(), at: place.keyword_span.end, end, bytes_scanned: place.bytes_scanned }
    }

    fn rest(&self) -> &[u8] {
        self.text.get(self.at..self.end.min(self.text.len())).unwrap_or_default()
    }

    fn skip_while(&mut self, holds: impl Fn(u8) -> bool) -> usize {
        let count = self.rest().iter().take_while(|byte| holds(**byte)).count();
        self.at += count;
        self.bytes_scanned.set(self.bytes_scanned.get() + count + 1);
        count
    }

    /// Skips what may be between two lines of a key: line ends, escaped or not, quotation marks, diff marks, and line
    /// numbers of viewers.
    fn skip_line_gap(&mut self) {
        loop {
            let before = self.at;
            self.skip_while(|byte| byte.is_ascii_whitespace() || b"\"'`+,>|#*-".contains(&byte));
            match self.rest() {
                [b'\\', b'n' | b'r' | b't', ..] => self.at += 2,
                [b'\\', ..] => self.at += 1,
                [0xe2, 0x86, 0x92, ..] => self.at += 3,
                rest => {
                    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                    let mark = rest.get(digits..).unwrap_or_default();
                    let numbered = matches!(mark, [b'\t' | b':' | b' ' | b'|', ..] | [0xe2, 0x86, 0x92, ..]);
                    if (1..=6).contains(&digits) && numbered {
                        self.at += digits;
                        self.skip_while(|byte| byte == b':');
                    }
                }
            }
            if self.at == before {
                return;
            }
        }
    }

    /// Skips lines such as `Proc-Type: 4,ENCRYPTED`.
    fn skip_headers(&mut self) {
        for _ in 0..8 {
            let before = self.at;
            self.skip_line_gap();
            let word = self.skip_while(|byte| byte.is_ascii_alphabetic() || byte == b'-');
            if !(3..=25).contains(&word) || self.rest().first() != Some(&b':') {
                self.at = before;
                return;
            }
            let line = self.rest().iter().take(MAX_LINE).position(|byte| b"\n\\\"".contains(byte));
            self.at += line.unwrap_or_default();
        }
    }

    /// Reads lines of base64; returns them, and the end of the line after them that closes the block.
    fn base64_lines(&mut self) -> (Vec<Range<usize>>, Option<usize>) {
        let mut runs: Vec<Range<usize>> = Vec::new();
        let mut short = 0;
        loop {
            self.skip_line_gap();
            if self.rest().starts_with(b"END ") && self.text.get(self.at.saturating_sub(5)..self.at) == Some(b"-----") {
                self.skip_while(|byte| byte.is_ascii_uppercase() || byte == b' ' || byte.is_ascii_digit());
                let dashes = self.skip_while(|byte| byte == b'-');
                return (runs, (dashes >= 5).then_some(self.at));
            }
            let start = self.at;
            let len = self.skip_while(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
            match len {
                0 => return (runs, None),
                1..20 if short == 2 => return (runs, None),
                1..20 => short += 1,
                _ if short > 0 => return (runs, None),
                _ => runs.push(start..self.at),
            }
        }
    }
}
