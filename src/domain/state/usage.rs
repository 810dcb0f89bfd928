//! Tokens: how many there were, from what hosts say of each answer of the model.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::domain::event::{Event, Payload, Usage};
use crate::domain::kind::Kind;

/// Numbers of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Tokens {
    /// Those of requests, also where the model's service had kept them.
    pub input: u64,
    /// Those of answers.
    pub output: u64,
    /// Those of requests that the model's service had kept.
    pub cached: u64,
}

/// What one answer of the model has used, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spent {
    /// The answer's id; of several reports with one id, each says all that was used until then.
    pub answer: String,
    /// What it has used.
    pub tokens: Tokens,
}

/// How far the reports of a session were counted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Reported {
    /// By the path of a transcript, how far it was read.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub transcripts: BTreeMap<String, Bookmark>,
    /// What the parts of the present answer have said.
    pub answer: Tokens,
}

/// How far a transcript was read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Bookmark {
    /// In bytes.
    pub offset: u64,
    /// The last answer that was reported.
    pub answer: String,
    /// What it had used.
    pub tokens: Tokens,
}

impl Tokens {
    /// Returns the number of all.
    pub const fn total(self) -> u64 {
        self.input.saturating_add(self.output)
    }

    /// Returns both together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            cached: self.cached.saturating_add(other.cached),
        }
    }

    /// Returns what came to these since others.
    #[must_use]
    const fn since(self, earlier: Self) -> Self {
        Self {
            input: self.input.saturating_sub(earlier.input),
            output: self.output.saturating_sub(earlier.output),
            cached: self.cached.saturating_sub(earlier.cached),
        }
    }

    const fn most(self, other: Self) -> Self {
        self.and(other.since(self))
    }
}

impl Reported {
    /// Takes what was read of a transcript up to an offset, and returns what is new of it.
    pub fn read(&mut self, path: &str, offset: u64, spent: &[Spent]) -> Tokens {
        let mark = self.transcripts.entry(path.to_owned()).or_default();
        mark.offset = offset;
        let mut new = Tokens::default();
        for Spent { answer, tokens } in spent {
            if *answer != mark.answer {
                answer.clone_into(&mut mark.answer);
                mark.tokens = Tokens::default();
            }
            new = new.and(tokens.since(mark.tokens));
            mark.tokens = mark.tokens.most(*tokens);
        }
        new
    }

    /// Takes what an event says of the model's answer, and returns what is new of it.
    pub fn event(&mut self, event: &Event<'_>) -> Tokens {
        match (&event.payload, event.kind) {
            (_, Kind::ModelBefore) => self.answer = Tokens::default(),
            (Payload::Model(call), Kind::ModelAfter) if call.usage != Usage::default() => {
                let Usage { prompt, output, total, cached } = call.usage;
                let input = prompt.unwrap_or_default();
                // Where thinking is no part of the output, it is of the total.
                let output = output.unwrap_or_default().max(total.unwrap_or_default().saturating_sub(input));
                return self.part(Tokens { input, output, cached: cached.unwrap_or_default() });
            }
            _ => {}
        }
        Tokens::default()
    }

    /// Takes what a part of an answer says that the answer has used, and returns what is new of it.
    pub fn part(&mut self, tokens: Tokens) -> Tokens {
        // Of an answer that has said more, it is the beginning of another one.
        if tokens.total() < self.answer.total() {
            self.answer = Tokens::default();
        }
        let new = tokens.since(self.answer);
        self.answer = self.answer.most(tokens);
        new
    }
}

#[cfg(test)]
mod tests {
    use super::{Reported, Spent, Tokens};

    const fn tokens(input: u64, output: u64) -> Tokens {
        Tokens { input, output, cached: 0 }
    }

    #[test]
    fn an_answer_that_is_reported_twice_counts_once() {
        let spent = |answer: &str, input, output| Spent { answer: answer.into(), tokens: tokens(input, output) };
        let mut reported = Reported::default();
        let first = [spent("a", 10, 1), spent("a", 10, 5), spent("b", 20, 2)];
        assert_eq!(reported.read("t", 100, &first), tokens(30, 7));
        assert_eq!(reported.read("t", 200, &[spent("b", 20, 4), spent("c", 1, 1)]), tokens(1, 3));
        assert_eq!(reported.read("other", 10, &[spent("c", 1, 1)]), tokens(1, 1));
        assert_eq!(reported.transcripts["t"].offset, 200);
    }

    #[test]
    fn parts_of_an_answer_say_what_it_has_used_so_far() {
        let mut reported = Reported::default();
        let parts = [(100, 2), (100, 5), (100, 5)];
        let all = parts.into_iter().fold(Tokens::default(), |sum, (i, o)| sum.and(reported.part(tokens(i, o))));
        assert_eq!(all, tokens(100, 5));
        reported.answer = Tokens::default();
        assert_eq!(reported.part(tokens(100, 5)), tokens(100, 5));
        assert_eq!(reported.part(tokens(50, 1)), tokens(50, 1), "another answer, whose beginning was not seen");
    }
}
