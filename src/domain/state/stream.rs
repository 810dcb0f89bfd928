//! Answers that are still arriving, encrypted.
//!
//! The part of an answer that is held back may be a secret, and no secret may be stored. So it is encrypted with a
//! key that is derived from what all pieces of the answer have in common: the ids of the message, or the whole
//! request to the model. The key is stored nowhere; whoever has its input has the host's own record of the
//! conversation, and the answer in it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::domain::text::encoding::{decode_hex, encode_hex};
use crate::domain::time::Time;
use crate::domain::verdict::redaction::RedactionStream;

/// The greatest number of answers of one session that may arrive at the same time.
const MAX_STREAMS: usize = 8;

/// The number of seconds after which no further piece of an answer is expected.
const MAX_AGE_SECONDS: u64 = 600;

/// The answers of a session that are still arriving.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Streams(BTreeMap<String, SealedStream>);

/// One answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct SealedStream {
    /// The time of the last piece.
    seen: Time,
    /// The rest, encrypted, in hexadecimal digits.
    body: String,
}

/// The key of the record of one answer, which names and decrypts it.
#[derive(Clone)]
pub struct StreamKey([u8; 32]);

impl StreamKey {
    /// Returns the key of an answer in a session, from what all its pieces have in common.
    pub fn new(session: &str, common: &str) -> Self {
        Self(hash(&[b"answer", &Sha256::digest(session), common.as_bytes()]))
    }

    pub(super) fn name(&self) -> String {
        encode_hex(hash(&[b"name", &self.0]).get(..8).unwrap_or_default())
    }

    /// Encrypts a text. The first bytes authenticate it, and differ for every text, so that no key stream is used
    /// twice.
    pub(super) fn seal(&self, text: &[u8]) -> String {
        let proof = self.mac(text);
        let mut body = text.to_vec();
        self.apply_keystream(&proof, &mut body);
        encode_hex(&proof) + &encode_hex(&body)
    }

    pub(super) fn open(&self, sealed: &str) -> Option<Vec<u8>> {
        let (proof, body) = sealed.split_at_checked(32)?;
        let (proof, mut body) = (from_hex(proof)?, from_hex(body)?);
        self.apply_keystream(&proof, &mut body);
        (self.mac(&body) == proof).then_some(body)
    }

    fn mac(&self, text: &[u8]) -> Vec<u8> {
        hash(&[b"proof", &self.0, text]).get(..16).unwrap_or_default().to_vec()
    }

    fn apply_keystream(&self, proof: &[u8], text: &mut [u8]) {
        for (block, number) in text.chunks_mut(32).zip(0_u64..) {
            let cover = hash(&[b"cover", &self.0, proof, &number.to_le_bytes()]);
            block.iter_mut().zip(cover).for_each(|(byte, cover)| *byte ^= cover);
        }
    }
}

impl Streams {
    /// Removes and returns the record of an answer; a new one if there is none.
    pub fn take(&mut self, key: &StreamKey) -> RedactionStream {
        let sealed = self.0.remove(&key.name());
        let text = sealed.and_then(|sealed| key.open(&sealed.body));
        text.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
    }

    /// Stores an answer until its next piece, and removes those that were abandoned.
    pub fn put(&mut self, key: &StreamKey, stream: &RedactionStream, now: Time) {
        self.0.retain(|_, sealed| sealed.seen.0.saturating_add(MAX_AGE_SECONDS) >= now.0);
        if let Ok(text) = serde_json::to_vec(stream) {
            self.0.insert(key.name(), SealedStream { seen: now, body: key.seal(&text) });
        }
        while self.0.len() > MAX_STREAMS {
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

fn from_hex(digits: &str) -> Option<Vec<u8>> {
    decode_hex(digits.as_bytes()).filter(|_| digits.len().is_multiple_of(2))
}

#[cfg(test)]
mod tests {
    use super::{StreamKey, Streams};
    use crate::domain::time::Time;
    use crate::domain::verdict::redaction::{RedactionStream, Redactions};

    fn held() -> RedactionStream {
        RedactionStream::default().push("the key is glpat-9xNaGNk", false, &Redactions::default(), None).next.unwrap()
    }

    #[test]
    fn what_is_held_back_cannot_be_read_without_the_key() {
        let key = StreamKey::new("s", "m");
        let mut streams = Streams::default();
        streams.put(&key, &held(), Time(0));
        let kept = serde_json::to_string(&streams).unwrap();
        assert!(!kept.contains("glpat") && !kept.contains("9xNaGNk"), "{kept}");
        let mut again: Streams = serde_json::from_str(&kept).unwrap();
        assert_eq!(again.clone().take(&StreamKey::new("s", "n")), RedactionStream::default());
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
        assert_eq!(streams.take(&key), RedactionStream::default());
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
