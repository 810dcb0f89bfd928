//! Where the parts of a file's rules stand, for those who have something to say about them.
//!
//! The policy in force keeps no places: a file is read a second time when somebody asks.

use std::ops::Range;
use std::sync::Arc;

use super::diagnostic::Source;
use super::node::Node;

/// The places of one file.
#[derive(Debug)]
pub struct Places {
    /// The file.
    pub source: Arc<Source>,
    root: Option<Node>,
}

/// One step into a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step<'a> {
    /// The value of a key.
    Key(&'a str),
    /// An item of a list.
    Item(usize),
}

impl Places {
    /// Returns the places of a text.
    pub fn of(source: &Arc<Source>) -> Self {
        Self { source: Arc::clone(source), root: Node::parse(&source.text).ok() }
    }

    /// Returns where a part of a rule stands, in bytes: the key that a path ends in, or the item; as far as the path leads.
    pub fn at(&self, rule: &str, path: &[Step<'_>]) -> Option<Range<usize>> {
        let rules = self.root.as_ref()?.get("rules")?;
        let mut node = rules.items().iter().find(|node| node.get("id").and_then(Node::text) == Some(rule))?;
        let mut span = node.get("id").unwrap_or(node).span.clone();
        for step in path {
            let found = match step {
                Step::Key(key) => node.entry(key).map(|(key, value)| (key.span.clone(), value)),
                Step::Item(index) => node.items().get(*index).map(|item| (item.span.clone(), item)),
            };
            let Some((at, next)) = found else { break };
            (span, node) = (at, next);
        }
        Some(span)
    }

    /// Returns the line and the column of a part of a rule, both counted from 1.
    pub fn position(&self, rule: &str, path: &[Step<'_>]) -> Option<(usize, usize)> {
        Some(self.source.position(self.at(rule, path)?.start))
    }
}
