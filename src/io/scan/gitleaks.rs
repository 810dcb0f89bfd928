//! Rules of gitleaks as detectors: what of a configuration can be imported, and what cannot.
//!
//! A rule is one regular expression with its own idea of what is before and behind a secret. Here that is the
//! search's business, so the well-known beginnings and ends of such expressions are taken off, and what is left is the
//! value. Each result is compiled; what does not compile is told with its reason.

use std::error::Error;
use std::fmt;

use serde::Deserialize;

use crate::domain::secret::DETECTORS;
use crate::domain::secret::Severity;
use crate::domain::secret::compile::{self, DetectorError};
use crate::domain::secret::spec::{AssignedSpec, Boundary, DeclaredTier, DetectorExamples, DetectorSpec, FailedProof};
use crate::domain::text::suggest::inline_help;

/// What came of a configuration.
#[derive(Debug)]
pub struct Imported {
    /// What was imported.
    pub entries: Vec<DetectorSpec>,
    /// What was not, or not whole: the rule's id, and why.
    pub skipped: Vec<(String, String)>,
}

/// Why a configuration cannot be read: it is not TOML, or has not the form of one of gitleaks.
#[derive(Debug)]
pub struct ConfigError(basic_toml::Error);

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for ConfigError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

/// Why a rule of gitleaks cannot become a detector.
#[derive(Debug)]
enum UnsupportedRule {
    /// It has a condition on paths.
    LooksAtPaths,
    /// It has no regular expression.
    NoRegex,
    /// The secret is only one group of its match.
    PartialSecret,
    /// Its expression cannot be compiled.
    NotCompiled(DetectorError),
}

impl fmt::Display for UnsupportedRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LooksAtPaths => f.write_str("it matches paths; use a rule with `files` instead"),
            Self::NoRegex => f.write_str("it has no `regex`"),
            Self::PartialSecret => f.write_str("its secret is only part of its match; use `near` or `assigned` for it"),
            Self::NotCompiled(error) => f.write_str(&inline_help(&error.to_string())),
        }
    }
}

#[derive(Debug, Deserialize)]
struct Config {
    #[serde(default)]
    rules: Vec<Rule>,
    allowlist: Option<IgnoredTable>,
    #[serde(default)]
    allowlists: Vec<IgnoredTable>,
    extend: Option<IgnoredTable>,
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
    allowlist: Option<IgnoredTable>,
    #[serde(default)]
    allowlists: Vec<IgnoredTable>,
}

/// A table that is there or not; what it says cannot be imported.
#[derive(Debug, Deserialize)]
struct IgnoredTable {}

/// Reads a configuration.
///
/// # Errors
/// Returns why it cannot be read at all.
pub fn import(text: &str) -> Result<Imported, ConfigError> {
    let config: Config = basic_toml::from_str(text).map_err(ConfigError)?;
    let mut imported = Imported { entries: Vec::new(), skipped: Vec::new() };
    if config.extend.is_some() {
        imported.skipped.push(("[extend]".into(), "use the bundled detectors as well: `detectors: [all]`".into()));
    }
    if config.allowlist.is_some() || !config.allowlists.is_empty() {
        imported.skipped.push((
            "[allowlist]".into(),
            "use exceptions of rules instead: `except`, or `allow` under `secrets`".into(),
        ));
    }
    for rule in config.rules {
        let id = rule.id.clone();
        match convert_rule(&rule, &imported.entries) {
            Ok(entry) => imported.entries.push(entry),
            Err(reason) => {
                imported.skipped.push((id, reason.to_string()));
                continue;
            }
        }
        if rule.allowlist.is_some() || !rule.allowlists.is_empty() {
            imported.skipped.push((id, "converted without its allowlist; use exceptions of rules instead".into()));
        }
    }
    Ok(imported)
}

fn convert_rule(rule: &Rule, known: &[DetectorSpec]) -> Result<DetectorSpec, UnsupportedRule> {
    if rule.path.is_some() {
        return Err(UnsupportedRule::LooksAtPaths);
    }
    let regex = rule.regex.as_deref().ok_or(UnsupportedRule::NoRegex)?;
    let shape = RegexShape::parse(regex);
    let mut entry = DetectorSpec {
        id: unique_id(&rule.id, known),
        name: display_name(&rule.description, &rule.id),
        token: None,
        assigned: None,
        near: None,
        builtin: None,
        keywords: Vec::new(),
        ends: Boundary::Word,
        check: None,
        lookalike: FailedProof::Generic,
        entropy: rule.entropy,
        tier: DeclaredTier::Strong,
        severity: Severity::High,
        advice: "variable".into(),
        dummies: Vec::new(),
        examples: DetectorExamples::default(),
    };
    match shape {
        RegexShape::Assigned { to, value } => {
            entry.assigned = Some(AssignedSpec { to, value });
            entry.tier = DeclaredTier::Paired;
        }
        RegexShape::Token(token) => {
            if rule.secret_group.unwrap_or(0) > 0 {
                return Err(UnsupportedRule::PartialSecret);
            }
            entry.token = Some(token);
        }
    }
    if compile::extract_keywords(&entry).is_err() && entry.token.is_some() {
        entry.keywords = rule
            .keywords
            .iter()
            .filter(|word| word.len() >= compile::MIN_KEYWORD_LEN)
            .map(|word| escape(word))
            .collect();
    }
    compile::extract_keywords(&entry).map_err(UnsupportedRule::NotCompiled)?;
    compile::compile_dfa(&entry).map_err(UnsupportedRule::NotCompiled)?;
    Ok(entry)
}

/// What an expression of gitleaks is about.
enum RegexShape {
    Token(String),
    Assigned { to: Vec<String>, value: String },
}

/// What is behind a name in the expressions that are made of a list of names.
const ASSIGNMENT_OPERATORS: &str = r"(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)";

/// Ends of expressions that say what may be behind a secret.
const BOUNDARY_SUFFIXES: &[&str] = &[
    r#"(?:[\x60'"\s;]|\\[nr]|$)"#,
    r#"(?:['|\"|\n|\r|\s|\x60|;]|$)"#,
    r#"(?:[\x60'"\s;]|$)"#,
    r#"(?:\\|'|\x60|"|\s|;|$)"#,
    r"\b",
];

impl RegexShape {
    fn parse(regex: &str) -> Self {
        Self::parse_assignment(regex).unwrap_or_else(|| {
            let insensitive = regex.starts_with("(?i)");
            let inner = regex.trim_start_matches("(?i)").trim_start_matches(r"\b");
            let inner = without_captures(strip_boundary(inner));
            Self::Token(if insensitive { format!("(?i:{inner})") } else { inner })
        })
    }

    /// Takes apart `…names…operators…(value)…`.
    fn parse_assignment(regex: &str) -> Option<Self> {
        let (names, rest) = regex.split_once(ASSIGNMENT_OPERATORS)?;
        let names = names.trim_start_matches("(?i)").strip_prefix(r"[\w.-]{0,50}?")?;
        let names = names.get(..names.find(r"(?:[ \t\w.-]{0,20})")?)?;
        let value = strip_boundary(rest.get(rest.find('(')?..)?);
        let value = value.strip_prefix('(')?.strip_suffix(')')?;
        let to = split_alternatives(names.strip_prefix("(?:").and_then(|it| it.strip_suffix(')')).unwrap_or(names));
        Some(Self::Assigned { to, value: format!("(?i:{})", without_captures(value)) })
    }
}

fn strip_boundary(expression: &str) -> &str {
    BOUNDARY_SUFFIXES.iter().find_map(|end| expression.strip_suffix(end)).unwrap_or(expression)
}

/// Splits an expression at the bars that are in no group.
fn split_alternatives(expression: &str) -> Vec<String> {
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
fn without_captures(expression: &str) -> String {
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

fn escape(word: &str) -> String {
    word.chars().fold(String::new(), |mut text, sign| {
        if !sign.is_ascii_alphanumeric() && !sign.is_whitespace() && sign != '_' {
            text.push('\\');
        }
        text.push(sign);
        text
    })
}

/// Returns an id that no other detector has.
fn unique_id(id: &str, known: &[DetectorSpec]) -> String {
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
fn display_name(description: &str, id: &str) -> String {
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
        let left: Vec<&str> = imported.skipped.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(left, ["[extend]", "[allowlist]", "Acme_Key", "lines", "part", "paths"]);
        assert!(import("rules = 1").is_err());
    }
}
