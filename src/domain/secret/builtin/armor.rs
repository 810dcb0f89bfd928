//! Private keys between `BEGIN` and `END` lines, and in key files of `PuTTY`.
//!
//! The body is read only as far as it proves itself: its head must decode to the form that its kind of key has, and there
//! must be enough of it to be a key. Lines may be indented, quoted, joined by `\n`, marked by a diff or numbered by
//! a file viewer, so of each line only the run of base64 counts. The lines may lack their end, but not their beginning.

use std::{cell::Cell, ops::Range};

use super::{Builtin, Found, Place};
use crate::domain::secret::{base64, detector::Tier, placeholder};

/// Base64 signs of the first line of a body that are decoded.
const HEAD: usize = 48;

/// Bytes of a block: no key in use has more.
const BLOCK: usize = 32 * 1024;

/// Bytes of a line that says something about a key.
const LINE: usize = 256;

/// Bytes around a key in which a service account is named.
const ACCOUNT: usize = 2048;

pub(super) fn find(place: &Place<'_>, wanted: Builtin) -> Option<Found> {
    if wanted == Builtin::PuttyPrivateKey {
        return putty(place);
    }
    let block = Block::around(place)?;
    let proved = match wanted {
        Builtin::PgpPrivateKey => block.label == "PGP PRIVATE KEY BLOCK" && block.is_pgp(),
        Builtin::EncryptedPrivateKey => block.is_sealed(),
        Builtin::ServiceAccount => block.is_open() && of_account(place, &block.span),
        _ => block.is_open(),
    };
    let tier = if wanted == Builtin::EncryptedPrivateKey { Tier::Strong } else { Tier::Proved };
    proved.then(|| Found { span: block.span.clone(), tier })
}

/// Whether the key stands in the JSON of a service account.
fn of_account(place: &Place<'_>, span: &Range<usize>) -> bool {
    let before = place.around(span.start.saturating_sub(ACCOUNT)..span.start);
    let after = place.around(span.end..span.end.saturating_add(ACCOUNT));
    let names = |text: &str| text.contains("service_account") || text.contains("gserviceaccount.com");
    let key = before.trim_end_matches(['"', '\\']).trim_end().trim_end_matches(':').trim_end();
    key.trim_end_matches(['"', '\\']).ends_with("private_key") && (names(before) || names(after))
}

fn putty(place: &Place<'_>) -> Option<Found> {
    let mut reader = Reader::new(place);
    reader.skip(|byte| byte == b' ');
    if reader.skip(|byte| byte.is_ascii_digit()) == 0 {
        return None;
    }
    let start = reader.at;
    let (runs, _) = reader.lines();
    let end = runs.last()?.end;
    let opaque = !placeholder::is_placeholder(place.slice(&(start..end)));
    opaque.then_some(Found { span: start..end, tier: Tier::Strong })
}

/// A block in armour.
struct Block<'t> {
    span: Range<usize>,
    label: &'t str,
    text: &'t str,
    head: Vec<u8>,
    /// Base64 signs of the whole body.
    signs: usize,
}

impl<'t> Block<'t> {
    /// Reads the block in whose first line a keyword stands; a line that ends a block begins none.
    fn around(place: &Place<'t>) -> Option<Self> {
        const BEGIN: &str = "-----BEGIN ";
        let line = place.around(place.at.start.saturating_sub(48)..place.at.end);
        let begin = line.rfind(BEGIN)?;
        let label = line.get(begin + BEGIN.len()..)?.trim_end_matches('-');
        let known = ["", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED ", "SSH2 ENCRYPTED ", "ANY "];
        let fits = label == "PGP PRIVATE KEY BLOCK"
            || label.strip_suffix("PRIVATE KEY").is_some_and(|kind| known.contains(&kind));
        if !fits {
            return None;
        }
        let start = place.at.end - (line.len() - begin);
        let mut reader = Reader::new(place);
        reader.headers();
        let (runs, end) = reader.lines();
        let first = place.slice(runs.first()?);
        let head = first.get(..first.len().min(HEAD)).and_then(base64::decode).unwrap_or_default();
        let signs = runs.iter().map(Range::len).sum();
        let span = start..end.unwrap_or(runs.last()?.end);
        Some(Self { text: place.slice(&span), span, label, head, signs })
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

    fn is_open(&self) -> bool {
        let open = self.encoded_len().is_some_and(|(_, content)| content.starts_with(&[0x02, 0x01]));
        let openssh = self.head.starts_with(b"openssh-key-v1\0") && self.signs >= 128;
        open && self.is_complete() || openssh
    }

    /// Encrypted PKCS 8, or an older block with a `Proc-Type` line.
    fn is_sealed(&self) -> bool {
        let sealed = self.encoded_len().is_some_and(|(_, content)| content.first() == Some(&0x30));
        let old = self.text.contains("4,ENCRYPTED") && self.signs >= 64 && placeholder::entropy(self.text) > 4.5;
        sealed && self.is_complete() || old
    }

    /// The first packet is a secret key.
    fn is_pgp(&self) -> bool {
        const SECRET_KEY: u8 = 5;
        let tag = |byte: u8| if byte & 0x40 == 0 { byte >> 2 & 0x0f } else { byte & 0x3f };
        let secret = self.head.first().is_some_and(|byte| byte & 0x80 != 0 && tag(*byte) == SECRET_KEY);
        secret && self.signs >= 128
    }
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    end: usize,
    work: &'t Cell<usize>,
}

impl<'t> Reader<'t> {
    fn new(place: &Place<'t>) -> Self {
        let end = place.at.end.saturating_add(BLOCK);
        Self { text: place.bytes(), at: place.at.end, end, work: place.work }
    }

    fn rest(&self) -> &[u8] {
        self.text.get(self.at..self.end.min(self.text.len())).unwrap_or_default()
    }

    fn skip(&mut self, holds: impl Fn(u8) -> bool) -> usize {
        let count = self.rest().iter().take_while(|byte| holds(**byte)).count();
        self.at += count;
        self.work.set(self.work.get() + count + 1);
        count
    }

    /// Skips what may stand between two lines of a key: ends of lines, escaped or not, the marks of quotations and of
    /// diffs, and the numbers that viewers put before lines.
    fn gap(&mut self) {
        loop {
            let before = self.at;
            self.skip(|byte| byte.is_ascii_whitespace() || b"\"'`+,>|#*-".contains(&byte));
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
                        self.skip(|byte| byte == b':');
                    }
                }
            }
            if self.at == before {
                return;
            }
        }
    }

    /// Skips lines such as `Proc-Type: 4,ENCRYPTED`.
    fn headers(&mut self) {
        for _ in 0..8 {
            let before = self.at;
            self.gap();
            let word = self.skip(|byte| byte.is_ascii_alphabetic() || byte == b'-');
            if !(3..=25).contains(&word) || self.rest().first() != Some(&b':') {
                self.at = before;
                return;
            }
            let line = self.rest().iter().take(LINE).position(|byte| b"\n\\\"".contains(byte));
            self.at += line.unwrap_or_default();
        }
    }

    /// Reads lines of base64; returns them, and where the line behind them ends that closes the block.
    fn lines(&mut self) -> (Vec<Range<usize>>, Option<usize>) {
        let mut runs: Vec<Range<usize>> = Vec::new();
        let mut short = 0;
        loop {
            self.gap();
            if self.rest().starts_with(b"END ") && self.text.get(self.at.saturating_sub(5)..self.at) == Some(b"-----") {
                self.skip(|byte| byte.is_ascii_uppercase() || byte == b' ' || byte.is_ascii_digit());
                let dashes = self.skip(|byte| byte == b'-');
                return (runs, (dashes >= 5).then_some(self.at));
            }
            let start = self.at;
            let len = self.skip(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
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
