//! Where in a policy file something stands: its line, and its text as it is written there.

use std::ops::Range;
use std::sync::Arc;

use super::builtin;
use super::diagnostic::Source;
use super::node::{Node, NodeValue};
use crate::domain::want::WantedAt;

/// A policy's text with its places.
#[derive(Debug)]
pub struct Places {
    /// The text.
    pub source: Arc<Source>,
    root: Node,
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
    /// Returns the places of a text; `None` when it is no YAML.
    pub fn of(source: Arc<Source>) -> Option<Self> {
        let root = Node::parse(&source.text).ok()?;
        Some(Self { source, root })
    }

    /// Returns the places of a bundled pack.
    pub fn of_pack(name: &str) -> Option<Self> {
        Self::of(Source::new(name, builtin::find(name)?.text))
    }

    /// Returns the line of a rule's id, counted from 1.
    pub fn line_of_rule(&self, id: &str) -> Option<usize> {
        Some(self.line(&self.rule(id)?.get("id")?.span))
    }

    /// Returns where a part of a rule stands, in bytes: the key that a path ends in, or the item; as far as the
    /// path leads.
    pub fn at(&self, rule: &str, path: &[Step<'_>]) -> Option<Range<usize>> {
        let mut node = self.rule(rule)?;
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

    /// Returns a rule as it is written, from its own column on.
    pub fn text_of_rule(&self, id: &str) -> Option<String> {
        let (list, position) = self.listed(id)?;
        let first = self.line(&list.get(position)?.span);
        let next = list.get(position + 1).map(|next| self.line(&next.span));
        let behind = || {
            let keys = self.root.entries().iter().map(|(key, _)| self.line(&key.span));
            keys.filter(|line| *line > first).min()
        };
        let end = next.or_else(behind).unwrap_or(usize::MAX).max(first + 1);
        let mut lines: Vec<&str> = self.source.text.lines().skip(first - 1).take(end - first).collect();
        // What stands before the next rule speaks of that one.
        while lines.len() > 1 && lines.last().is_some_and(|it| it.trim().is_empty() || it.trim().starts_with('#')) {
            lines.pop();
        }
        let indent = |line: &&str| line.len() - line.trim_start_matches(' ').len();
        let least = lines.iter().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or_default();
        Some(lines.iter().map(|line| line.get(least..).unwrap_or_default()).collect::<Vec<_>>().join("\n"))
    }

    /// Returns the line of something that is asked for, counted from 1.
    pub fn line_of(&self, place: &WantedAt) -> Option<usize> {
        let span = match place {
            WantedAt::Rule(id, effect) => {
                let rule = self.rule(id)?;
                let then = rule.get("then").unwrap_or(rule);
                &then.entry(effect.name()).map_or(then, |(key, _)| key).span
            }
            WantedAt::Disable(name) => {
                let orders = self.root.get("disable")?.items();
                &orders.iter().filter_map(|order| order.get("rule")).find(|rule| rule.text() == Some(name))?.span
            }
            WantedAt::Key(key, below) => {
                let (name, value) = self.root.entry(key)?;
                &below.and_then(|below| value.entry(below)).map_or(name, |(key, _)| key).span
            }
        };
        Some(self.line(span))
    }

    fn rule(&self, id: &str) -> Option<&Node> {
        let (list, position) = self.listed(id)?;
        list.get(position)
    }

    /// Returns the list that a rule or a hook stands in, and where in it.
    fn listed(&self, id: &str) -> Option<(&[Node], usize)> {
        let lists = ["rules", "hooks"].into_iter().filter_map(|key| self.root.get(key));
        let mut lists = lists.filter(|list| !matches!(list.value, NodeValue::Null)).map(Node::items);
        let place = |list: &[Node]| list.iter().position(|rule| rule.get("id").and_then(Node::text) == Some(id));
        lists.find_map(|list| Some((list, place(list)?)))
    }

    fn line(&self, span: &Range<usize>) -> usize {
        self.source.position(span.start).0
    }
}

#[cfg(test)]
mod tests {
    use super::Places;
    use crate::domain::effect::EffectKind;
    use crate::domain::want::WantedAt;
    use crate::io::policy::builtin::PACKS;
    use crate::io::policy::diagnostic::Source;

    const TEXT: &str = "version: 1\naudit: off\nrules:\n  # One.\n  - id: one\n    then:\n      deny: No.\n      allow: Yes.\n\n  # Two.\n  - { id: two, when: any, then: { warn: w } }\n\ndisable:\n  - rule: x\n";

    #[test]
    fn rules_are_found_and_cut_out() {
        let places = Places::of(Source::new("p.yaml", TEXT)).unwrap();
        assert_eq!(places.line_of_rule("one"), Some(5));
        assert_eq!(places.text_of_rule("one").unwrap(), "- id: one\n  then:\n    deny: No.\n    allow: Yes.");
        assert_eq!(places.text_of_rule("two").unwrap(), "- { id: two, when: any, then: { warn: w } }");
        assert_eq!(places.line_of_rule("three"), None);
        assert_eq!(places.line_of(&WantedAt::Rule("one".into(), EffectKind::Allow)), Some(8));
        assert_eq!(places.line_of(&WantedAt::Disable("x".into())), Some(14));
        assert_eq!(places.line_of(&WantedAt::Key("audit", None)), Some(2));
    }

    #[test]
    fn every_rule_of_every_pack_is_found() {
        for pack in PACKS {
            let places = Places::of_pack(pack.name).unwrap();
            for part in pack.parts().unwrap() {
                let part = part.into_part(crate::domain::policy::Layer::Bundled);
                for rule in part.rules.iter().filter(|_| part.source == pack.name) {
                    let text = places.text_of_rule(&rule.id).unwrap();
                    assert!(text.contains(&rule.id) && text.contains("then"), "{}: {text}", rule.id);
                    assert!(!text.lines().skip(1).any(|line| line.starts_with("- ")), "{text}");
                }
            }
        }
    }
}
