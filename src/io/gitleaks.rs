//! Rules of gitleaks as detectors: what of a configuration can be taken over, and what cannot.
//!
//! A rule is one regular expression with its own idea of what stands before and behind a secret. Here that is the
//! search's business, so the well-known beginnings and ends of such expressions are taken off, and what is left is the
//! value. Each result is compiled; what does not compile is told with its reason.

use serde::Deserialize;

use crate::domain::secret::DETECTORS;
use crate::domain::secret::Severity;
use crate::domain::secret::compile;
use crate::domain::secret::entry::{Assigned, Ends, Entry, Examples, Lookalike, WrittenTier};

/// What came of a configuration.
#[derive(Debug)]
pub struct Imported {
    /// What was taken over.
    pub entries: Vec<Entry>,
    /// What was not, or not whole: the rule's id, and why.
    pub left: Vec<(String, String)>,
}

#[derive(Debug, Deserialize)]
struct Config {
    #[serde(default)]
    rules: Vec<Rule>,
    allowlist: Option<Present>,
    #[serde(default)]
    allowlists: Vec<Present>,
    extend: Option<Present>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: String,
    #[serde(default)]
    description: String,
    regex: Option<String>,
    path: Option<String>,
    entropy: Option<f32>,
    secret_group: Option<u32>,
    #[serde(default)]
    keywords: Vec<String>,
    allowlist: Option<Present>,
    #[serde(default)]
    allowlists: Vec<Present>,
}

/// A table that is there or not; what it says cannot be taken over.
#[derive(Debug, Deserialize)]
struct Present {}

/// Reads a configuration.
///
/// # Errors
/// Returns why it cannot be read at all.
pub fn import(text: &str) -> Result<Imported, String> {
    let config: Config = basic_toml::from_str(text).map_err(|error| error.to_string())?;
    let mut imported = Imported { entries: Vec::new(), left: Vec::new() };
    if config.extend.is_some() {
        imported.left.push(("[extend]".into(), "name the bundled detectors beside these: `detectors: [all]`".into()));
    }
    if config.allowlist.is_some() || !config.allowlists.is_empty() {
        imported.left.push((
            "[allowlist]".into(),
            "write exceptions of rules instead: `except`, or `allow` under `secrets`".into(),
        ));
    }
    for rule in config.rules {
        let id = rule.id.clone();
        match entry(&rule, &imported.entries) {
            Ok(entry) => imported.entries.push(entry),
            Err(reason) => {
                imported.left.push((id, reason));
                continue;
            }
        }
        if rule.allowlist.is_some() || !rule.allowlists.is_empty() {
            imported.left.push((id, "taken over without its allowlist: write exceptions of rules instead".into()));
        }
    }
    Ok(imported)
}

fn entry(rule: &Rule, known: &[Entry]) -> Result<Entry, String> {
    if rule.path.is_some() {
        return Err("it looks at paths: write a rule with `files` instead".into());
    }
    let regex = rule.regex.as_deref().ok_or("it has no `regex`")?;
    let shape = Shape::of(regex);
    let mut entry = Entry {
        id: own_id(&rule.id, known),
        name: named(&rule.description, &rule.id),
        token: None,
        assigned: None,
        near: None,
        builtin: None,
        keywords: Vec::new(),
        ends: Ends::Word,
        check: None,
        lookalike: Lookalike::Generic,
        entropy: rule.entropy,
        tier: WrittenTier::Strong,
        severity: Severity::High,
        advice: "variable".into(),
        dummies: Vec::new(),
        examples: Examples::default(),
    };
    match shape {
        Shape::Assigned { to, value } => {
            entry.assigned = Some(Assigned { to, value });
            entry.tier = WrittenTier::Paired;
        }
        Shape::Token(token) => {
            if rule.secret_group.unwrap_or(0) > 0 {
                return Err("its secret is a part of what it matches: write `near` or `assigned` for it".into());
            }
            entry.token = Some(token);
        }
    }
    if compile::keywords(&entry).is_err() && entry.token.is_some() {
        entry.keywords = rule
            .keywords
            .iter()
            .filter(|word| word.len() >= compile::LEAST_KEYWORD)
            .map(|word| escaped(word))
            .collect();
    }
    let said = |mistake: compile::Mistake| mistake.message.replace('\n', "; ");
    compile::keywords(&entry).map_err(said)?;
    compile::rows(&entry).map_err(said)?;
    Ok(entry)
}

/// What an expression of gitleaks is about.
enum Shape {
    Token(String),
    Assigned { to: Vec<String>, value: String },
}

/// What stands behind a name in the expressions that are made of a list of names.
const OPERATORS: &str = r"(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)";

/// Ends of expressions that say what may stand behind a secret.
const ENDS: &[&str] = &[
    r#"(?:[\x60'"\s;]|\\[nr]|$)"#,
    r#"(?:['|\"|\n|\r|\s|\x60|;]|$)"#,
    r#"(?:[\x60'"\s;]|$)"#,
    r#"(?:\\|'|\x60|"|\s|;|$)"#,
    r"\b",
];

impl Shape {
    fn of(regex: &str) -> Self {
        Self::assigned(regex).unwrap_or_else(|| {
            let insensitive = regex.starts_with("(?i)");
            let inner = regex.trim_start_matches("(?i)").trim_start_matches(r"\b");
            let inner = ungrouped(without_end(inner));
            Self::Token(if insensitive { format!("(?i:{inner})") } else { inner })
        })
    }

    /// Takes apart `…names…operators…(value)…`.
    fn assigned(regex: &str) -> Option<Self> {
        let (names, rest) = regex.split_once(OPERATORS)?;
        let names = names.trim_start_matches("(?i)").strip_prefix(r"[\w.-]{0,50}?")?;
        let names = names.get(..names.find(r"(?:[ \t\w.-]{0,20})")?)?;
        let value = without_end(rest.get(rest.find('(')?..)?);
        let value = value.strip_prefix('(')?.strip_suffix(')')?;
        let to = alternatives(names.strip_prefix("(?:").and_then(|it| it.strip_suffix(')')).unwrap_or(names));
        Some(Self::Assigned { to, value: format!("(?i:{})", ungrouped(value)) })
    }
}

fn without_end(expression: &str) -> &str {
    ENDS.iter().find_map(|end| expression.strip_suffix(end)).unwrap_or(expression)
}

/// Splits an expression at the bars that stand in no group.
fn alternatives(expression: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0_i32;
    for sign in expression.chars() {
        match sign {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '|' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(sign);
        }
    }
    parts.into_iter().map(|part| part.replace("(?-i:", "(?:")).collect()
}

/// Turns groups that capture into such as do not.
fn ungrouped(expression: &str) -> String {
    let mut text = String::with_capacity(expression.len() + 8);
    let mut in_class = false;
    let mut signs = expression.chars().peekable();
    while let Some(sign) = signs.next() {
        text.push(sign);
        match sign {
            '\\' => text.extend(signs.next()),
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class && signs.peek() != Some(&'?') => text.push_str("?:"),
            _ => {}
        }
    }
    text
}

fn escaped(word: &str) -> String {
    word.chars().fold(String::new(), |mut text, sign| {
        if !sign.is_ascii_alphanumeric() && !sign.is_whitespace() && sign != '_' {
            text.push('\\');
        }
        text.push(sign);
        text
    })
}

/// Returns an id that no other detector has.
fn own_id(id: &str, known: &[Entry]) -> String {
    let fits = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit();
    let small: String = id.to_lowercase().chars().map(|sign| if fits(sign) { sign } else { '-' }).collect();
    let small = small.trim_matches('-');
    let taken = |id: &str| DETECTORS.iter().any(|row| row.id == id) || known.iter().any(|entry| entry.id == id);
    let mut own = small.to_owned();
    while own.is_empty() || taken(&own) {
        own = format!("gitleaks-{own}");
    }
    own
}

/// Makes a noun phrase of a description.
fn named(description: &str, id: &str) -> String {
    let first = description.split([',', '.']).next().unwrap_or_default().trim();
    let verbs = [
        "Identified a ",
        "Identified an ",
        "Detected a ",
        "Detected an ",
        "Discovered a ",
        "Discovered an ",
        "Found a ",
        "Found an ",
        "Uncovered a ",
        "Uncovered an ",
    ];
    let noun = verbs.iter().find_map(|verb| first.strip_prefix(verb)).unwrap_or(first);
    if noun.is_empty() { id.replace(['-', '_'], " ") } else { noun.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::import;

    #[test]
    fn rules_are_taken_over_or_told() {
        let text = r#"
title = "rules"
[extend]
useDefault = true
[allowlist]
paths = ['''x''']
[[rules]]
id = "acme-pat"
description = "Uncovered an Acme access token, posing a risk."
regex = '''\b(acme_pat_[0-9A-Za-z]{32})(?:[\x60'"\s;]|\\[nr]|$)'''
entropy = 3
keywords = ["acme_pat_"]
[[rules]]
id = "Acme_Key"
description = "Acme key"
regex = '''(?i)[\w.-]{0,50}?(?:acme|a[-_]?cme)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-f0-9]{32})(?:[\x60'"\s;]|\\[nr]|$)'''
keywords = ["acme"]
[[rules.allowlists]]
stopwords = ["x"]
[[rules]]
id = "jwt"
regex = '''\b(eyJacme[a-z]{10,})'''
[[rules]]
id = "lines"
regex = '''(?m)^acme$'''
[[rules]]
id = "part"
regex = '''acme:(\w+)'''
secretGroup = 1
[[rules]]
id = "paths"
path = '''\.pem$'''
"#;
        let imported = import(text).unwrap();
        let ids: Vec<&str> = imported.entries.iter().map(|entry| entry.id.as_str()).collect();
        assert_eq!(ids, ["acme-pat", "acme-key", "gitleaks-jwt"]);
        let [token, key, _] = imported.entries.as_slice() else { panic!("three entries") };
        assert_eq!(token.name, "Acme access token");
        assert_eq!(token.token.as_deref(), Some("(?:acme_pat_[0-9A-Za-z]{32})"));
        assert_eq!(key.assigned.as_ref().unwrap().to, ["acme", "a[-_]?cme"]);
        let left: Vec<&str> = imported.left.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(left, ["[extend]", "[allowlist]", "Acme_Key", "lines", "part", "paths"]);
        assert!(import("rules = 1").is_err());
    }
}
