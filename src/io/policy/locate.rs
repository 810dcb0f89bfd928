//! Where in a policy file something is: its line, and its text as it is written there.

use std::ops::Range;
use std::sync::Arc;

use super::builtin;
use super::diagnostic::SourceText;
use super::node::{Node, NodeValue};
use crate::domain::policy::consent::PolicyLocation;

/// A policy's text with its places.
#[derive(Debug)]
pub struct RuleLocator {
    /// The text.
    pub source: Arc<SourceText>,
    root: Node,
}

/// One step into a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathSegment<'a> {
    /// The value of a key.
    Key(&'a str),
    /// An item of a list.
    Item(usize),
}

impl RuleLocator {
    /// Returns the places of a text; `None` when it is no YAML.
    pub fn parse(source: Arc<SourceText>) -> Option<Self> {
        let root = Node::parse(&source.text).ok()?;
        Some(Self { source, root })
    }

    /// Returns the places of a bundled pack.
    pub fn from_pack(name: &str) -> Option<Self> {
        Self::parse(SourceText::new(name, builtin::find_pack(name)?.text))
    }

    /// Returns the line of a rule's id, counted from 1.
    pub fn rule_line(&self, id: &str) -> Option<usize> {
        Some(self.line(&self.rule(id)?.get("id")?.span))
    }

    /// Returns where a part of a rule is, in bytes: the key that a path ends in, or the item; as far as the
    /// path leads.
    pub fn span(&self, rule: &str, path: &[PathSegment<'_>]) -> Option<Range<usize>> {
        let mut node = self.rule(rule)?;
        let mut span = node.get("id").unwrap_or(node).span.clone();
        for step in path {
            let found = match step {
                PathSegment::Key(key) => node.entry(key).map(|(key, value)| (key.span.clone(), value)),
                PathSegment::Item(index) => node.items().get(*index).map(|item| (item.span.clone(), item)),
            };
            let Some((at, next)) = found else { break };
            (span, node) = (at, next);
        }
        Some(span)
    }

    /// Returns the line and the column of a part of a rule, both counted from 1.
    pub fn position(&self, rule: &str, path: &[PathSegment<'_>]) -> Option<(usize, usize)> {
        Some(self.source.position(self.span(rule, path)?.start))
    }

    /// Returns a rule as it is written, from its own column on.
    pub fn rule_text(&self, id: &str) -> Option<String> {
        let (list, position) = self.containing_list(id)?;
        let first = self.line(&list.get(position)?.span);
        let next = list.get(position + 1).map(|next| self.line(&next.span));
        let behind = || {
            let keys = self.root.entries().iter().map(|(key, _)| self.line(&key.span));
            keys.filter(|line| *line > first).min()
        };
        let end = next.or_else(behind).unwrap_or(usize::MAX).max(first + 1);
        let mut lines: Vec<&str> = self.source.text.lines().skip(first - 1).take(end - first).collect();
        // What is before the next rule speaks of that one.
        while lines.len() > 1 && lines.last().is_some_and(|it| it.trim().is_empty() || it.trim().starts_with('#')) {
            lines.pop();
        }
        let indent = |line: &&str| line.len() - line.trim_start_matches(' ').len();
        let least = lines.iter().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or_default();
        Some(lines.iter().map(|line| line.get(least..).unwrap_or_default()).collect::<Vec<_>>().join("\n"))
    }

    /// Returns the line of something that is asked for, counted from 1.
    pub fn requirement_line(&self, place: &PolicyLocation) -> Option<usize> {
        let span = match place {
            PolicyLocation::Rule(id, effect) => {
                let rule = self.rule(id)?;
                let then = rule.get("then").unwrap_or(rule);
                &then.entry(effect.name()).map_or(then, |(key, _)| key).span
            }
            PolicyLocation::Disable(name) => {
                let orders = self.root.get("disable")?.items();
                &orders.iter().filter_map(|order| order.get("rule")).find(|rule| rule.text() == Some(name))?.span
            }
            PolicyLocation::Key(key, below) => {
                let (name, value) = self.root.entry(key)?;
                &below.and_then(|below| value.entry(below)).map_or(name, |(key, _)| key).span
            }
        };
        Some(self.line(span))
    }

    fn rule(&self, id: &str) -> Option<&Node> {
        let (list, position) = self.containing_list(id)?;
        list.get(position)
    }

    /// Returns the list that a rule or a hook is in, and where in it.
    fn containing_list(&self, id: &str) -> Option<(&[Node], usize)> {
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
    use super::RuleLocator;
    use crate::domain::effect::EffectKind;
    use crate::domain::policy::consent::PolicyLocation;
    use crate::io::policy::builtin::PACKS;
    use crate::io::policy::diagnostic::SourceText;

    const TEXT: &str = "version: 1\naudit: off\nrules:\n  # One.\n  - id: one\n    then:\n      deny: No.\n      allow: Yes.\n\n  # Two.\n  - { id: two, when: any, then: { warn: w } }\n\ndisable:\n  - rule: x\n";

    #[test]
    fn rules_are_found_and_cut_out() {
        let places = RuleLocator::parse(SourceText::new("p.yaml", TEXT)).unwrap();
        assert_eq!(places.rule_line("one"), Some(5));
        assert_eq!(places.rule_text("one").unwrap(), "- id: one\n  then:\n    deny: No.\n    allow: Yes.");
        assert_eq!(places.rule_text("two").unwrap(), "- { id: two, when: any, then: { warn: w } }");
        assert_eq!(places.rule_line("three"), None);
        assert_eq!(places.requirement_line(&PolicyLocation::Rule("one".into(), EffectKind::Allow)), Some(8));
        assert_eq!(places.requirement_line(&PolicyLocation::Disable("x".into())), Some(14));
        assert_eq!(places.requirement_line(&PolicyLocation::Key("audit", None)), Some(2));
    }

    #[test]
    fn every_rule_of_every_pack_is_found() {
        for pack in PACKS {
            let places = RuleLocator::from_pack(pack.name).unwrap();
            for part in pack.parts().unwrap() {
                let part = part.into_part(crate::domain::layer::Layer::Bundled);
                for rule in part.rules.iter().filter(|_| part.source == pack.name) {
                    let text = places.rule_text(&rule.id).unwrap();
                    assert!(text.contains(&rule.id) && text.contains("then"), "{}: {text}", rule.id);
                    assert!(!text.lines().skip(1).any(|line| line.starts_with("- ")), "{text}");
                }
            }
        }
    }
}
