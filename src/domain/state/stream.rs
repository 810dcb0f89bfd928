//! Answers that are still arriving, sealed.
//!
//! What is held back of an answer may be a secret, and no value of one may lie in a memory. So it is
//! sealed with a key that is made of what all pieces of the answer have in common: the ids of the
//! message, or the whole request to the model. The key is kept nowhere; who has that has the host's
//! own record of the conversation, and the answer in it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::time::Time;
use crate::domain::redaction::Stream;

/// Answers of one session that may arrive at the same time.
const MOST: usize = 8;

/// Seconds after which no more pieces of an answer are waited for.
const MOST_AGE: u64 = 600;

/// The answers of a session that are still arriving.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Streams(BTreeMap<String, Sealed>);

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Sealed {
    /// When the last piece came.
    seen: Time,
    /// The rest, sealed, in hexadecimal digits.
    body: String,
}

/// Names and opens the record of one answer.
#[derive(Clone)]
pub struct StreamKey([u8; 32]);

impl StreamKey {
    /// Returns the key of the answer that has this in common, in a session.
    pub fn new(session: &str, common: &str) -> Self {
        Self(hash(&[b"answer", &Sha256::digest(session), common.as_bytes()]))
    }

    pub(super) fn name(&self) -> String {
        hex(hash(&[b"name", &self.0]).get(..8).unwrap_or_default())
    }

    /// Seals a text. The first bytes prove it, and are different for every text, so that no two are
    /// covered alike.
    pub(super) fn seal(&self, text: &[u8]) -> String {
        let proof = self.proof(text);
        let mut body = text.to_vec();
        self.cover(&proof, &mut body);
        hex(&proof) + &hex(&body)
    }

    pub(super) fn open(&self, sealed: &str) -> Option<Vec<u8>> {
        let (proof, body) = sealed.split_at_checked(32)?;
        let (proof, mut body) = (bytes(proof)?, bytes(body)?);
        self.cover(&proof, &mut body);
        (self.proof(&body) == proof).then_some(body)
    }

    fn proof(&self, text: &[u8]) -> Vec<u8> {
        hash(&[b"proof", &self.0, text]).get(..16).unwrap_or_default().to_vec()
    }

    fn cover(&self, proof: &[u8], text: &mut [u8]) {
        for (block, number) in text.chunks_mut(32).zip(0_u64..) {
            let cover = hash(&[b"cover", &self.0, proof, &number.to_le_bytes()]);
            block.iter_mut().zip(cover).for_each(|(byte, cover)| *byte ^= cover);
        }
    }
}

impl Streams {
    /// Takes out what is remembered of an answer; as at its beginning when that is nothing.
    pub fn take(&mut self, key: &StreamKey) -> Stream {
        let sealed = self.0.remove(&key.name());
        let text = sealed.and_then(|sealed| key.open(&sealed.body));
        text.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
    }

    /// Remembers an answer until its next piece, and forgets those that were given up.
    pub fn put(&mut self, key: &StreamKey, stream: &Stream, now: Time) {
        self.0.retain(|_, sealed| sealed.seen.0.saturating_add(MOST_AGE) >= now.0);
        if let Ok(text) = serde_json::to_vec(stream) {
            self.0.insert(key.name(), Sealed { seen: now, body: key.seal(&text) });
        }
        while self.0.len() > MOST {
            let oldest = self.0.iter().min_by_key(|(_, sealed)| sealed.seen).map(|(name, _)| name.clone());
            oldest.map(|name| self.0.remove(&name));
        }
    }
}

fn hash(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    hash.finalize().into()
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing into a text cannot fail.
        let _written = write!(text, "{byte:02x}");
        text
    })
}

fn bytes(digits: &str) -> Option<Vec<u8>> {
    let (pairs, []) = digits.as_bytes().as_chunks::<2>() else { return None };
    pairs.iter().map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::{StreamKey, Streams};
    use crate::domain::redaction::{Redactions, Stream};
    use crate::domain::state::Time;

    fn held() -> Stream {
        Stream::default().step("the key is glpat-9xNaGNk", false, &Redactions::default(), None).next.unwrap()
    }

    #[test]
    fn what_is_held_back_cannot_be_read_without_the_key() {
        let key = StreamKey::new("s", "m");
        let mut streams = Streams::default();
        streams.put(&key, &held(), Time(0));
        let kept = serde_json::to_string(&streams).unwrap();
        assert!(!kept.contains("glpat") && !kept.contains("9xNaGNk"), "{kept}");
        let mut again: Streams = serde_json::from_str(&kept).unwrap();
        assert_eq!(again.clone().take(&StreamKey::new("s", "n")), Stream::default());
        assert_eq!(again.take(&key), held());
        assert_eq!(again, Streams::default());
    }

    #[test]
    fn what_was_tampered_with_is_dropped() {
        let key = StreamKey::new("s", "m");
        let mut streams = Streams::default();
        streams.put(&key, &held(), Time(0));
        let sealed = streams.0.values_mut().next().unwrap();
        let last = if sealed.body.ends_with('0') { '1' } else { '0' };
        sealed.body.pop();
        sealed.body.push(last);
        assert_eq!(streams.take(&key), Stream::default());
    }

    #[test]
    fn answers_that_were_given_up_are_forgotten() {
        let key = |number: u64| StreamKey::new("s", &number.to_string());
        let mut streams = Streams::default();
        for number in 0..20 {
            streams.put(&key(number), &held(), Time(number));
        }
        assert_eq!(streams.0.len(), 8);
        assert_eq!(streams.clone().take(&key(19)), held());
        streams.put(&key(20), &held(), Time(2000));
        assert_eq!(streams.0.len(), 1);
    }
}
