//! Policy files in one layout: indentation, quotes, the order of a rule's keys, a blank line between
//! rules. Comments stay, and the result is compared with what it was made of before anybody gets it.

use std::fmt;
use std::ops::Range;

use pretty_yaml::config::{FormatOptions, LanguageOptions, LayoutOptions, LineBreak};
use yaml_parser::SyntaxKind;

use super::keys::keys_of;
use super::node::{Node, NodeValue};
use crate::domain::condition::Conditions;
use crate::domain::policy::rule::Rule;

/// Lines are left as long as they are: where a sentence or a pattern ends is the author's business.
const MAX_COLUMNS: usize = 10_000;
/// How often the steps are repeated until nothing changes any more.
const MAX_PASSES: usize = 8;

/// Why a file is left as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormatError {
    /// It is not YAML, for this reason.
    Syntax(String),
    /// It would mean something else in the one layout.
    ChangedMeaning,
    /// A comment would be lost in the one layout.
    LostComment,
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Syntax(message) => message,
            Self::ChangedMeaning => "formatting would change its meaning, so it was not changed",
            Self::LostComment => "formatting would lose a comment, so it was not changed",
        })
    }
}

impl std::error::Error for FormatError {}

/// Returns a policy or a test file in the one layout.
///
/// # Errors
/// Returns why it is left alone: it is no YAML, or would not say the same afterwards.
pub fn format(text: &str) -> Result<String, FormatError> {
    let parse = |text: &str| Node::parse(text).map_err(|error| FormatError::Syntax(error.message));
    let before = parse(text)?;
    let mut done = text.to_owned();
    for _ in 0..MAX_PASSES {
        let laid_out =
            pretty_yaml::format_text(&done, &options()).map_err(|error| FormatError::Syntax(error.to_string()))?;
        let ordered = order_keys(&laid_out, &parse(&laid_out)?);
        let spaced = separate_rules(&ordered, &parse(&ordered)?);
        if spaced == done {
            break;
        }
        done = spaced;
    }
    if !is_equivalent(&before, &parse(&done)?, NodeContext::Root) {
        return Err(FormatError::ChangedMeaning);
    }
    if comments(text) != comments(&done) {
        return Err(FormatError::LostComment);
    }
    Ok(done)
}

fn options() -> FormatOptions {
    FormatOptions {
        layout: LayoutOptions { print_width: MAX_COLUMNS, indent_width: 2, line_break: LineBreak::Lf },
        language: LanguageOptions { trim_trailing_whitespaces: true, ..LanguageOptions::default() },
    }
}

/// The lines of one rule, from 0, and those at which its keys begin.
struct RuleLines {
    range: Range<usize>,
    keys: Vec<(String, usize)>,
}

/// Returns the rules that are written as blocks, a key a line.
fn block_rules(text: &str, root: &Node) -> Vec<RuleLines> {
    let line_of = |node: &Node| text.get(..node.span.start).unwrap_or_default().matches('\n').count();
    let lines: Vec<&str> = text.lines().collect();
    let list = root.get("rules").filter(|rules| matches!(rules.value, NodeValue::Seq(_)));
    let items: Vec<&Node> = list.map(Node::items).unwrap_or_default().iter().collect();
    let mut found = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let Some((first, _)) = item.entries().first() else { continue };
        let start = line_of(first);
        let next = items.get(index + 1).map(|next| line_of(next));
        let behind = root.entries().iter().map(|(key, _)| line_of(key)).filter(|line| *line > start).min();
        let mut end = next.or(behind).unwrap_or(lines.len()).max(start + 1);
        let is_aside = |line: usize| {
            lines.get(line).is_none_or(|line| line.trim().is_empty() || line.trim_start().starts_with('#'))
        };
        while end > start + 1 && is_aside(end - 1) {
            end -= 1;
        }
        let keys = item.entries().iter().map(|(key, _)| (key.text().unwrap_or_default().to_owned(), line_of(key)));
        found.push(RuleLines { range: start..end, keys: keys.collect() });
    }
    found
}

/// Puts the keys of each rule into their order.
fn order_keys(text: &str, root: &Node) -> String {
    let mut lines: Vec<String> = text.lines().map(ToOwned::to_owned).collect();
    for rule in block_rules(text, root) {
        if let Some(sorted) = sorted_rule(&lines, &rule) {
            lines.splice(rule.range, sorted);
        }
    }
    lines.join("\n") + "\n"
}

/// Returns the lines of a rule with its keys in order; `None` when they are, or cannot be told apart.
fn sorted_rule(lines: &[String], rule: &RuleLines) -> Option<Vec<String>> {
    let first = lines.get(rule.range.start)?;
    let indent = first.len() - first.trim_start().len();
    let own = first.get(indent..)?.strip_prefix("- ")?;
    let column = indent + 2 + (own.len() - own.trim_start().len());
    let apart = rule.keys.windows(2).all(|pair| matches!(pair, [(_, one), (_, other)] if one < other));
    if !apart || column != indent + 2 {
        return None;
    }
    let is_comment = |line: usize| {
        let line = lines.get(line).map(String::as_str).unwrap_or_default();
        line.len() - line.trim_start().len() == column && line.trim_start().starts_with('#')
    };
    let mut starts: Vec<usize> = Vec::new();
    for (_, key) in &rule.keys {
        let mut start = *key;
        while start > rule.range.start + 1 && is_comment(start - 1) {
            start -= 1;
        }
        starts.push(start);
    }
    let ends = starts.iter().skip(1).copied().chain([rule.range.end]);
    let mut parts: Vec<(usize, Vec<String>)> = Vec::new();
    for ((start, end), (key, _)) in starts.iter().zip(ends).zip(&rule.keys) {
        parts.push((key_rank(key), lines.get(*start..end)?.to_vec()));
    }
    if parts.is_sorted_by_key(|(rank, _)| *rank) {
        return None;
    }
    let blanks = " ".repeat(indent);
    let head = parts.first_mut()?.1.first_mut()?;
    *head = format!("{blanks}  {own}");
    parts.sort_by_key(|(rank, _)| *rank);
    let head = parts.first_mut()?.1.first_mut()?;
    if head.trim_start().starts_with('#') {
        return None;
    }
    *head = format!("{blanks}- {}", head.trim_start());
    Some(parts.into_iter().flat_map(|(_, lines)| lines).collect())
}

/// Returns the place of a key among those of a rule. Conditions stay in the order they are in.
fn key_rank(key: &str) -> usize {
    let conditions = keys_of::<Conditions>();
    let name = if conditions.contains(&key) { "conditions" } else { key };
    let keys = keys_of::<Rule>();
    keys.iter().position(|known| *known == name).unwrap_or(keys.len())
}

/// Puts a blank line between rules of more than a line, and above the comments of each.
fn separate_rules(text: &str, root: &Node) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let rules = block_rules(text, root);
    let blank: Vec<usize> = rules
        .windows(2)
        .filter_map(|pair| match pair {
            [one, next] if one.range.len() > 1 || next.range.len() > 1 => Some((one.range.end, next.range.start)),
            _ => None,
        })
        // What is between two rules is about the second.
        .filter(|(end, start)| lines.get(*end..*start).is_some_and(|it| it.iter().all(|line| !line.trim().is_empty())))
        .map(|(end, _)| end)
        .collect();
    let mut out = String::new();
    for (number, line) in lines.iter().enumerate() {
        if blank.contains(&number) {
            out.push('\n');
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// Where a node is, as far as the order of its keys may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NodeContext {
    Root,
    Rules,
    Rule,
    Other,
}

/// Returns whether two trees say the same: the same values in the same order, but for a rule's keys.
fn is_equivalent(one: &Node, other: &Node, at: NodeContext) -> bool {
    match (&one.value, &other.value) {
        (NodeValue::Seq(ones), NodeValue::Seq(others)) => {
            let inner = if at == NodeContext::Rules { NodeContext::Rule } else { NodeContext::Other };
            ones.len() == others.len() && ones.iter().zip(others).all(|(one, other)| is_equivalent(one, other, inner))
        }
        (NodeValue::Map(ones), NodeValue::Map(others)) if at == NodeContext::Rule => {
            let same = |(key, value): &(Node, Node)| {
                let mut found = others.iter().filter(|(name, _)| name.value == key.value);
                found.next().is_some_and(|(_, it)| is_equivalent(value, it, NodeContext::Other))
                    && found.next().is_none()
            };
            ones.len() == others.len() && ones.iter().all(same)
        }
        (NodeValue::Map(ones), NodeValue::Map(others)) => {
            let same = |((key, value), (name, it)): (&(Node, Node), &(Node, Node))| {
                let inner = if at == NodeContext::Root && key.text() == Some("rules") {
                    NodeContext::Rules
                } else {
                    NodeContext::Other
                };
                is_equivalent(key, name, NodeContext::Other) && is_equivalent(value, it, inner)
            };
            ones.len() == others.len() && ones.iter().zip(others).all(same)
        }
        (one, other) => one == other,
    }
}

/// Returns the comments of a text; `None` when it is not YAML.
fn comments(text: &str) -> Option<Vec<String>> {
    let tree = yaml_parser::parse(text).ok()?;
    let tokens = tree.descendants_with_tokens().filter_map(yaml_parser::SyntaxElement::into_token);
    let mut found: Vec<String> = tokens
        .filter(|token| token.kind() == SyntaxKind::COMMENT)
        .map(|token| token.text().trim_end().to_owned())
        .collect();
    found.sort();
    Some(found)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{NodeContext, comments, format, is_equivalent};
    use crate::io::policy::builtin::all_packs;
    use crate::io::policy::node::Node;

    #[test]
    fn a_file_gets_the_one_layout() {
        let text = "# Head.\nversion:   1\nrules:\n    # One.\n    - then: { deny: 'No.' }   # why\n      # When.\n      when:   tool.before\n      id: one\n      command:\n         - rm\n    - id: two\n      when: any\n      then: {warn: |\n\n        x}\n";
        let text = text.replace("{warn: |\n\n        x}", "{ warn: w }");
        let done = format(&text).unwrap();
        let expected = "# Head.\nversion: 1\nrules:\n  # One.\n  - id: one\n    # When.\n    when: tool.before\n    command:\n      - rm\n    then: { deny: \"No.\" } # why\n\n  - id: two\n    when: any\n    then: { warn: w }\n";
        assert_eq!(done, expected);
        assert_eq!(format(&done).unwrap(), done);
    }

    #[test]
    fn what_cannot_be_moved_stays() {
        let text = "version: 1\nrules:\n  - then: { deny: x }\n    # The name.\n    id: a\n    when: any\n  - { when: any, id: b, then: { deny: x } }\n";
        let done = format(text).unwrap();
        assert!(done.contains("- then: { deny: x }\n    # The name.\n    id: a"), "{done}");
        assert!(done.contains("- { when: any, id: b"), "{done}");
        for text in ["a: [", "a: &x 1\nb: *y\n"] {
            assert!(format(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_pack_and_policy_keeps_its_meaning() {
        let beside = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut texts: Vec<(String, String)> =
            all_packs().map(|pack| (pack.name.to_owned(), pack.text.to_owned())).collect();
        for directory in ["policies", "policies/cookbook", "policies/starter", "tests/policies"] {
            for path in crate::io::files::list_recursive(&beside.join(directory), ".yaml").unwrap() {
                texts.push((path.display().to_string(), std::fs::read_to_string(&path).unwrap()));
            }
        }
        for (name, text) in texts {
            let done = format(&text).unwrap_or_else(|why| panic!("{name}: {why}"));
            assert_eq!(format(&done).unwrap(), done, "{name}");
            let (one, other) = (Node::parse(&text).unwrap(), Node::parse(&done).unwrap());
            assert!(is_equivalent(&one, &other, NodeContext::Root) && comments(&text) == comments(&done), "{name}");
        }
    }

    #[test]
    fn a_difference_is_seen() {
        let same = |one: &str, other: &str| {
            is_equivalent(&Node::parse(one).unwrap(), &Node::parse(other).unwrap(), NodeContext::Root)
        };
        assert!(same("rules: [{ id: a, when: b }]", "rules:\n  - when: 'b'\n    id: a\n"));
        for (one, other) in [
            ("a: 1", "a: '1'"),
            ("a: 1.10", "a: 1.1"),
            ("a: 1\nb: 2", "b: 2\na: 1"),
            ("rules: [{ id: a }, { id: b }]", "rules: [{ id: b }, { id: a }]"),
            ("rules: [{ id: a, match: { x: 1, y: 2 } }]", "rules: [{ id: a, match: { y: 2, x: 1 } }]"),
            ("a: |\n  x\n", "a: x"),
        ] {
            assert!(!same(one, other), "{one} / {other}");
        }
    }

    proptest! {
        #[test]
        fn whatever_comes_out_is_the_same_and_stays(
            keys in Just(vec!["id: a", "description: 'd: e'", "severity: low", "when: any", "command: [\"x # y\", z]", "then:\n      deny: |\n        # no\n        b", "# note\n    except: []"]).prop_shuffle(),
            flow in any::<bool>(),
        ) {
            let flow = if flow { "  - {id: b,   when: any, then: {warn: 'w'}}\n" } else { "" };
            let first = if keys[0].starts_with('#') { "mode: monitor\n    " } else { "" };
            let text = format!("version: 1\nrules:\n{flow}  - {first}{}\n", keys.join("\n    "));
            let done = format(&text).unwrap();
            prop_assert_eq!(format(&done).unwrap(), done);
        }
    }
}
