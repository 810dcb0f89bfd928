//! The number of tokens, from what hosts report for each answer of the model.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::domain::event::kind::Kind;
use crate::domain::event::{Event, Payload, Usage};

/// Numbers of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Tokens {
    /// The tokens of requests, including cached ones.
    pub input: u64,
    /// The tokens of answers.
    pub output: u64,
    /// The tokens of requests that the model's service had cached.
    pub cached: u64,
}

/// The tokens that one answer of the model has used, as far as known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokensUsed {
    /// The answer's id; of several reports with one id, each gives the total up to then.
    pub answer: String,
    /// The tokens that it has used.
    pub tokens: Tokens,
}

/// How far the reports of tokens in a session were counted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TokenReports {
    /// The position in each transcript, by its path.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub transcripts: BTreeMap<String, TranscriptPosition>,
    /// The tokens that the parts of the present answer have reported.
    pub answer: Tokens,
}

/// The position in a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TranscriptPosition {
    /// The offset in bytes.
    pub offset: u64,
    /// The last answer that was reported.
    pub answer: String,
    /// The tokens that it had used.
    pub tokens: Tokens,
}

impl Tokens {
    /// Returns the sum of input and output.
    pub const fn total(self) -> u64 {
        self.input.saturating_add(self.output)
    }

    /// Returns the sum.
    #[must_use]
    pub const fn saturating_add(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            cached: self.cached.saturating_add(other.cached),
        }
    }

    /// Returns the increase since an earlier number.
    #[must_use]
    const fn saturating_sub(self, earlier: Self) -> Self {
        Self {
            input: self.input.saturating_sub(earlier.input),
            output: self.output.saturating_sub(earlier.output),
            cached: self.cached.saturating_sub(earlier.cached),
        }
    }

    const fn max(self, other: Self) -> Self {
        self.saturating_add(other.saturating_sub(self))
    }
}

impl TokenReports {
    /// Adds what was read of a transcript up to an offset, and returns the new tokens.
    pub fn add_transcript(&mut self, path: &str, offset: u64, spent: &[TokensUsed]) -> Tokens {
        let mark = self.transcripts.entry(path.to_owned()).or_default();
        mark.offset = offset;
        let mut new = Tokens::default();
        for TokensUsed { answer, tokens } in spent {
            if *answer != mark.answer {
                answer.clone_into(&mut mark.answer);
                mark.tokens = Tokens::default();
            }
            new = new.saturating_add(tokens.saturating_sub(mark.tokens));
            mark.tokens = mark.tokens.max(*tokens);
        }
        new
    }

    /// Adds what an event reports of the model's answer, and returns the new tokens.
    pub fn add_event(&mut self, event: &Event<'_>) -> Tokens {
        match (&event.payload, event.kind) {
            (_, Kind::ModelBefore) => self.answer = Tokens::default(),
            (Payload::Model(call), Kind::ModelAfter) if call.usage != Usage::default() => {
                let Usage { prompt, output, total, cached } = call.usage;
                let input = prompt.unwrap_or_default();
                // If the output does not include thinking, the total does.
                let output = output.unwrap_or_default().max(total.unwrap_or_default().saturating_sub(input));
                return self.add_partial(Tokens { input, output, cached: cached.unwrap_or_default() });
            }
            _ => {}
        }
        Tokens::default()
    }

    /// Adds what a part of an answer reports as used so far, and returns the new tokens.
    pub fn add_partial(&mut self, tokens: Tokens) -> Tokens {
        // A smaller number belongs to the beginning of another answer.
        if tokens.total() < self.answer.total() {
            self.answer = Tokens::default();
        }
        let new = tokens.saturating_sub(self.answer);
        self.answer = self.answer.max(tokens);
        new
    }
}

#[cfg(test)]
mod tests {
    use super::{TokenReports, Tokens, TokensUsed};

    const fn tokens(input: u64, output: u64) -> Tokens {
        Tokens { input, output, cached: 0 }
    }

    #[test]
    fn an_answer_that_is_reported_twice_counts_once() {
        let spent = |answer: &str, input, output| TokensUsed { answer: answer.into(), tokens: tokens(input, output) };
        let mut reported = TokenReports::default();
        let first = [spent("a", 10, 1), spent("a", 10, 5), spent("b", 20, 2)];
        assert_eq!(reported.add_transcript("t", 100, &first), tokens(30, 7));
        assert_eq!(reported.add_transcript("t", 200, &[spent("b", 20, 4), spent("c", 1, 1)]), tokens(1, 3));
        assert_eq!(reported.add_transcript("other", 10, &[spent("c", 1, 1)]), tokens(1, 1));
        assert_eq!(reported.transcripts["t"].offset, 200);
    }

    #[test]
    fn parts_of_an_answer_say_what_it_has_used_so_far() {
        let mut reported = TokenReports::default();
        let parts = [(100, 2), (100, 5), (100, 5)];
        let all = parts
            .into_iter()
            .fold(Tokens::default(), |sum, (i, o)| sum.saturating_add(reported.add_partial(tokens(i, o))));
        assert_eq!(all, tokens(100, 5));
        reported.answer = Tokens::default();
        assert_eq!(reported.add_partial(tokens(100, 5)), tokens(100, 5));
        assert_eq!(reported.add_partial(tokens(50, 1)), tokens(50, 1), "another answer, whose beginning was not seen");
    }
}
