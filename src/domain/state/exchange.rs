//! The answers of the model that are given again: from the request until the agent is done with it.
//!
//! Hosts do not show a hook the calls of tools in a request, nor that an answer holds some. So what
//! tools were called with and what they returned is a part of what requests are told apart by, and
//! an answer is kept only when the agent ended with it. An answer is sealed with a key that is made
//! of the whole request and kept nowhere: who can open it has the question as well.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::stream::{StreamKey, hex};
use crate::domain::cache::Cache;

/// What is known of a session's present exchange with the model.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Exchange {
    /// A hash of what tools did in the session.
    #[serde(skip_serializing_if = "String::is_empty")]
    tools: String,
    /// The answer that is on its way.
    #[serde(skip_serializing_if = "Option::is_none")]
    awaited: Option<Awaited>,
}

/// An answer that is on its way, or whole and waiting for the agent's end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Awaited {
    name: String,
    /// What has come of it, sealed.
    body: String,
    is_whole: bool,
    cache: Cache,
}

/// An answer that is to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptAnswer {
    /// The name of its request.
    pub name: String,
    /// The answer, sealed.
    pub body: String,
    /// On which terms.
    pub cache: Cache,
}

/// Names a request, and opens the answer to it.
#[derive(Clone)]
pub struct AnswerKey(StreamKey);

impl AnswerKey {
    /// Returns the name under which an answer is kept.
    pub fn name(&self) -> String {
        self.0.name()
    }

    /// Returns an answer that was kept.
    pub fn open(&self, body: &str) -> Option<String> {
        String::from_utf8(self.0.open(body)?).ok()
    }
}

impl Exchange {
    /// Returns the key of a request, as it is told apart from others in this session.
    pub fn key(&self, request: &str) -> AnswerKey {
        AnswerKey(StreamKey::new(&self.tools, request))
    }

    /// Takes in what a tool is called with or has returned. An answer before it was not the last word.
    pub fn tool(&mut self, what: &str) {
        let mut hash = Sha256::new();
        hash.update(&self.tools);
        hash.update(what);
        self.tools = hex(&hash.finalize());
        self.awaited = None;
    }

    /// Waits for the answer to a request.
    pub fn ask(&mut self, key: &AnswerKey, cache: Cache) {
        self.awaited = Some(Awaited { name: key.name(), body: String::new(), is_whole: false, cache });
    }

    /// Gives the present answer up.
    pub fn give_up(&mut self) {
        self.awaited = None;
    }

    /// Takes in a piece of the answer to a request, and returns the answer when it is whole. One that is too
    /// long or empty, goes on behind its end, or is the answer to something else is given up.
    pub fn hear(&mut self, key: &AnswerKey, piece: &str, is_last: bool) -> Option<String> {
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

    /// Returns the answer that the agent has ended with, to be kept.
    pub fn end(&mut self) -> Option<KeptAnswer> {
        let Awaited { name, body, cache, .. } = self.awaited.take().filter(|awaited| awaited.is_whole)?;
        Some(KeptAnswer { name, body, cache })
    }
}

#[cfg(test)]
mod tests {
    use super::Exchange;
    use crate::domain::cache::{Age, Cache, Circle};

    const CACHE: Cache = Cache { r#for: Age(60), most: 10, max_bytes: 20, scope: Circle::Session };

    #[test]
    fn an_answer_is_kept_when_the_agent_ends_with_it() {
        let mut exchange = Exchange::default();
        let key = exchange.key("request");
        exchange.ask(&key, CACHE);
        assert_eq!(exchange.hear(&key, "It is ", false), None);
        assert_eq!(exchange.hear(&key, "four.", true).as_deref(), Some("It is four."));
        assert!(!serde_json::to_string(&exchange).unwrap().contains("four"));
        let kept = exchange.end().unwrap();
        assert_eq!(exchange.key("request").open(&kept.body).as_deref(), Some("It is four."));
        assert_eq!(exchange.key("another").open(&kept.body), None);
        assert_eq!(exchange.end(), None);
    }

    #[test]
    fn an_answer_that_called_tools_is_none() {
        let mut exchange = Exchange::default();
        let key = exchange.key("request");
        exchange.ask(&key, CACHE);
        exchange.hear(&key, "I look.", true);
        exchange.tool("ls");
        assert_eq!(exchange.end(), None);
        assert_ne!(exchange.key("request").name(), key.name(), "what tools did is a part of the request");
    }

    #[test]
    fn what_is_too_long_or_foreign_is_given_up() {
        let mut exchange = Exchange::default();
        let key = exchange.key("request");
        exchange.ask(&key, CACHE);
        exchange.hear(&key, "more than twenty bytes", true);
        assert_eq!(exchange.end(), None);
        exchange.ask(&key, CACHE);
        exchange.hear(&exchange.key("another"), "x", true);
        assert_eq!(exchange.end(), None);
        exchange.ask(&key, CACHE);
        exchange.hear(&key, "x", true);
        exchange.hear(&key, "y", true);
        assert_eq!(exchange.end(), None, "it went on behind its end");
    }
}
