//! The cache of the model's answers: from the request to the end of the agent's turn.
//!
//! Hosts show a hook neither the tool calls in a request nor whether an answer contains any. So requests are also
//! distinguished by what tools were called with and what they returned, and an answer is only kept if the agent ended
//! its turn with it. An answer is encrypted with a key that is derived from the whole request and stored nowhere:
//! whoever can decrypt it has the question as well.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::stream::StreamKey;
use crate::domain::policy::cache::CachePolicy;
use crate::domain::text::encoding::encode_hex;

/// The present exchange of a session with the model.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Exchange {
    /// A hash of the tool calls and their results in the session.
    #[serde(skip_serializing_if = "String::is_empty")]
    tools: String,
    /// The answer that is arriving.
    #[serde(skip_serializing_if = "Option::is_none")]
    awaited: Option<PendingAnswer>,
}

/// An answer that is arriving, or is complete and waits for the end of the agent's turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct PendingAnswer {
    name: String,
    /// The part that has arrived, encrypted.
    body: String,
    is_whole: bool,
    cache: CachePolicy,
}

/// An answer to be cached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedAnswer {
    /// The name of its request.
    pub name: String,
    /// The answer, encrypted.
    pub body: String,
    /// The cache policy.
    pub policy: CachePolicy,
}

/// The key of a request: it names the request and decrypts the answer to it.
#[derive(Clone)]
pub struct AnswerKey(StreamKey);

impl AnswerKey {
    /// Returns the name under which an answer is kept.
    pub fn name(&self) -> String {
        self.0.name()
    }

    /// Decrypts a cached answer.
    pub fn open(&self, body: &str) -> Option<String> {
        String::from_utf8(self.0.open(body)?).ok()
    }
}

impl Exchange {
    /// Returns the key of a request, which also depends on the tool calls of this session.
    pub fn key(&self, request: &str) -> AnswerKey {
        AnswerKey(StreamKey::new(&self.tools, request))
    }

    /// Adds the input or result of a tool call. An answer before it did not end the turn.
    pub fn record_tool(&mut self, what: &str) {
        let mut hash = Sha256::new();
        hash.update(&self.tools);
        hash.update(what);
        self.tools = encode_hex(&hash.finalize());
        self.awaited = None;
    }

    /// Starts to expect the answer to a request.
    pub fn expect_answer(&mut self, key: &AnswerKey, cache: CachePolicy) {
        self.awaited = Some(PendingAnswer { name: key.name(), body: String::new(), is_whole: false, cache });
    }

    /// Discards the present answer.
    pub fn discard(&mut self) {
        self.awaited = None;
    }

    /// Adds a piece of the answer to a request, and returns the answer if it is complete. An answer that is too long,
    /// is empty, continues after its end or belongs to another request is discarded.
    pub fn add_chunk(&mut self, key: &AnswerKey, piece: &str, is_last: bool) -> Option<String> {
        let mut awaited = self.awaited.take().filter(|awaited| awaited.name == key.name() && !awaited.is_whole)?;
        let mut text = if awaited.body.is_empty() { String::new() } else { key.open(&awaited.body)? };
        text.push_str(piece);
        let is_too_long = text.len() > usize::try_from(awaited.cache.max_bytes).unwrap_or(usize::MAX);
        if is_too_long || (is_last && text.is_empty()) {
            return None;
        }
        awaited.body = key.0.seal(text.as_bytes());
        awaited.is_whole = is_last;
        self.awaited = Some(awaited);
        is_last.then_some(text)
    }

    /// Returns the answer with which the agent ended its turn, to be cached.
    pub fn finish(&mut self) -> Option<CachedAnswer> {
        let PendingAnswer { name, body, cache, .. } = self.awaited.take().filter(|awaited| awaited.is_whole)?;
        Some(CachedAnswer { name, body, policy: cache })
    }
}

#[cfg(test)]
mod tests {
    use super::Exchange;
    use crate::domain::policy::cache::{CachePolicy, CacheScope};
    use crate::domain::text::duration::MaxAge;

    const CACHE: CachePolicy = CachePolicy { r#for: MaxAge(60), most: 10, max_bytes: 20, scope: CacheScope::Session };

    #[test]
    fn an_answer_is_kept_when_the_agent_ends_with_it() {
        let mut exchange = Exchange::default();
        let key = exchange.key("request");
        exchange.expect_answer(&key, CACHE);
        assert_eq!(exchange.add_chunk(&key, "It is ", false), None);
        assert_eq!(exchange.add_chunk(&key, "four.", true).as_deref(), Some("It is four."));
        assert!(!serde_json::to_string(&exchange).unwrap().contains("four"));
        let kept = exchange.finish().unwrap();
        assert_eq!(exchange.key("request").open(&kept.body).as_deref(), Some("It is four."));
        assert_eq!(exchange.key("another").open(&kept.body), None);
        assert_eq!(exchange.finish(), None);
    }

    #[test]
    fn an_answer_that_called_tools_is_none() {
        let mut exchange = Exchange::default();
        let key = exchange.key("request");
        exchange.expect_answer(&key, CACHE);
        exchange.add_chunk(&key, "I look.", true);
        exchange.record_tool("ls");
        assert_eq!(exchange.finish(), None);
        assert_ne!(exchange.key("request").name(), key.name(), "what tools did is a part of the request");
    }

    #[test]
    fn what_is_too_long_or_foreign_is_given_up() {
        let mut exchange = Exchange::default();
        let key = exchange.key("request");
        exchange.expect_answer(&key, CACHE);
        exchange.add_chunk(&key, "more than twenty bytes", true);
        assert_eq!(exchange.finish(), None);
        exchange.expect_answer(&key, CACHE);
        exchange.add_chunk(&exchange.key("another"), "x", true);
        assert_eq!(exchange.finish(), None);
        exchange.expect_answer(&key, CACHE);
        exchange.add_chunk(&key, "x", true);
        exchange.add_chunk(&key, "y", true);
        assert_eq!(exchange.finish(), None, "it went on behind its end");
    }
}
