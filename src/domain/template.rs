//! Texts with places to fill (`{{ file.path }}`) and expressions (`if: tool.ok`).
//!
//! Both are parsed when the policy is loaded, so that a slip is an error there, and compiled only
//! when they are used: a message without braces never meets the template engine. What they may
//! name is the vocabulary of [`super::vocabulary`]. A run is bounded in steps, since a policy may come
//! from a stranger's repository.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_json::Value;

use super::suggest;
use super::vocabulary::VOCABULARY;

/// Steps that one template or expression may take.
const FUEL: u64 = 200_000;

/// Bytes that an expression may have: its parts nest in the engine's calls, and a stack is finite.
const MOST_BYTES: usize = 1_000;

/// Statements that a template may have, since they nest as well.
const MOST_STATEMENTS: usize = 64;

/// Gives the value of a word of the vocabulary.
pub type Render<'r> = dyn FnMut(&str) -> Option<Value> + 'r;

/// Why a template or an expression gave no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderError(pub String);

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RenderError {}

impl From<minijinja::Error> for RenderError {
    fn from(error: minijinja::Error) -> Self {
        Self(error.detail().map_or_else(|| error.kind().to_string(), ToString::to_string))
    }
}

/// Text that may hold `{{ … }}`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Template {
    source: String,
    /// The names that it uses, dotted; none for plain text.
    names: Vec<String>,
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    /// Returns what is wrong with its syntax, or the unknown name it uses.
    pub fn parse(source: &str) -> Result<Self, String> {
        let names = if is_plain(source) {
            Vec::new()
        } else {
            check_size(source)?;
            let environment = environment();
            let template = environment.template_from_str(source).map_err(|error| bad("text", error))?;
            if let Err(error) = template.render(minijinja::Value::UNDEFINED) {
                only_known(error)?;
            }
            known(template.undeclared_variables(true))?
        };
        Ok(Self { source: source.to_owned(), names })
    }

    /// Returns the text as written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the names that it uses, dotted as far as they are known: `file.path`.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the text with its places filled in.
    pub fn render(&self, vars: &mut Render<'_>) -> Result<String, RenderError> {
        if is_plain(&self.source) {
            return Ok(self.source.clone());
        }
        Ok(environment().render_str(&self.source, context(&self.names, vars))?)
    }
}

impl<'de> Deserialize<'de> for Template {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let source = Cow::<str>::deserialize(deserializer)?;
            return Self::parse(&source).map_err(D::Error::custom);
        }
        Parsed::deserialize(deserializer).map(|Parsed { source, names }| Self { source, names })
    }
}

impl JsonSchema for Template {
    fn schema_name() -> Cow<'static, str> {
        "Template".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "description": "A text; `{{ … }}` is filled in from the event." })
    }
}

/// An expression over the event that holds or does not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Expression {
    source: String,
    names: Vec<String>,
}

impl Expression {
    /// Reads an expression.
    ///
    /// # Errors
    /// Returns what is wrong with its syntax, or the unknown name it uses.
    pub fn parse(source: &str) -> Result<Self, String> {
        check_length(source)?;
        let environment = environment();
        let expression = environment.compile_expression(source).map_err(|error| bad("expression", error))?;
        if let Err(error) = expression.eval(minijinja::Value::UNDEFINED) {
            only_known(error)?;
        }
        Ok(Self { source: source.to_owned(), names: known(expression.undeclared_variables(true))? })
    }

    /// Returns the names that it uses, dotted as far as they are known: `tool.ok`.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the words of the vocabulary that it names.
    pub fn roots(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| root(name))
    }

    /// Tells whether the expression holds.
    ///
    /// # Errors
    /// Returns why it has no value: a comparison of unlike things, or too many steps.
    pub fn holds(&self, vars: &mut Render<'_>) -> Result<bool, RenderError> {
        let environment = environment();
        let expression = environment.compile_expression(&self.source)?;
        Ok(expression.eval(context(&self.names, vars))?.is_true())
    }
}

impl<'de> Deserialize<'de> for Expression {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let source = Cow::<str>::deserialize(deserializer)?;
            return Self::parse(&source).map_err(D::Error::custom);
        }
        Parsed::deserialize(deserializer).map(|Parsed { source, names }| Self { source, names })
    }
}

impl JsonSchema for Expression {
    fn schema_name() -> Cow<'static, str> {
        "Expression".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "description": "An expression over the event, such as `tool.ok and session.permission_mode == 'plan'`." })
    }
}

/// The stored form of a parsed text.
#[derive(Deserialize)]
struct Parsed {
    source: String,
    names: Vec<String>,
}

fn check_length(expression: &str) -> Result<(), String> {
    if expression.len() <= MOST_BYTES {
        return Ok(());
    }
    Err(format!("the expression has more than {MOST_BYTES} bytes"))
}

/// Checks what stands between braces. A quote hides no end of it here that it does not hide from
/// the engine; where the two might disagree, more is counted.
fn check_size(source: &str) -> Result<(), String> {
    let mut statements = 0;
    let mut rest = source;
    while let Some((_, inside)) = rest.split_once('{') {
        let end = match inside.as_bytes().first() {
            Some(b'{') => "}}",
            Some(b'%') => "%}",
            Some(b'#') => "#}",
            _ => {
                rest = inside;
                continue;
            }
        };
        statements += usize::from(end == "%}");
        let length = length_before(inside, end);
        check_length(inside.get(..length).unwrap_or(inside))?;
        rest = inside.get(length..).unwrap_or_default();
    }
    if statements <= MOST_STATEMENTS {
        return Ok(());
    }
    Err(format!("the text has more than {MOST_STATEMENTS} statements"))
}

/// Returns how far it is to an end that does not stand in quotes.
fn length_before(inside: &str, end: &str) -> usize {
    let mut quote = None;
    let mut escaped = false;
    for (at, character) in inside.char_indices() {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if character == '\\' => escaped = true,
            Some(open) if character == open => quote = None,
            None if inside.get(at..).is_some_and(|rest| rest.starts_with(end)) => return at,
            None if end != "#}" && (character == '"' || character == '\'') => quote = Some(character),
            Some(_) | None => {}
        }
    }
    inside.len()
}

fn bad(what: &str, error: minijinja::Error) -> String {
    format!("bad {what}: {}", RenderError::from(error))
}

/// Takes a trial run, which has no event to go by, only for what no event could mend.
fn only_known(error: minijinja::Error) -> Result<(), String> {
    use minijinja::ErrorKind::{UnknownFilter, UnknownFunction, UnknownMethod, UnknownTest};
    match error.kind() {
        UnknownFilter | UnknownFunction | UnknownMethod | UnknownTest => Err(RenderError::from(error).0),
        _ => Ok(()),
    }
}

fn is_plain(source: &str) -> bool {
    !["{{", "{%", "{#"].iter().any(|mark| source.contains(mark))
}

fn environment<'source>() -> Environment<'source> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Chainable);
    environment.set_fuel(Some(FUEL));
    // It would show the engine's own state to an agent.
    environment.remove_global("debug");
    environment
}

fn context(names: &[String], vars: &mut Render<'_>) -> minijinja::Value {
    let mut roots: Vec<&str> = names.iter().map(|name| root(name)).collect();
    roots.dedup();
    let known = roots.into_iter().filter_map(|root| Some((root, minijinja::Value::from(Serde(vars(root)?)))));
    known.collect::<BTreeMap<_, _>>().into()
}

/// Returns the word of the vocabulary that a dotted name begins with.
fn root(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

/// Returns the names in order, or says which is not in the vocabulary.
fn known(names: std::collections::HashSet<String>) -> Result<Vec<String>, String> {
    let mut names: Vec<String> = names.into_iter().filter(|name| !is_builtin(root(name))).collect();
    names.sort_unstable();
    match names.iter().map(|name| root(name)).find(|name| VOCABULARY.iter().all(|(word, _)| word != name)) {
        Some(name) => Err(suggest::among("name", name, VOCABULARY.iter().map(|(word, _)| *word))),
        None => Ok(names),
    }
}

/// Tells whether a name is a function of the template language.
fn is_builtin(name: &str) -> bool {
    matches!(name, "range" | "dict" | "namespace" | "loop" | "self")
}

#[cfg(test)]
mod tests {
    use super::{Expression, Template};

    #[test]
    fn what_nests_is_bounded() {
        for text in [
            format!("{{{{ {}1 }}}}", "-".repeat(4_000)),
            format!("{{{{ \"}}}}\" ~ {}1 }}}}", "-".repeat(4_000)),
            format!("{{% raw %}}{{{{ ' {{% endraw %}}{{{{ {}1 }}}}", "-".repeat(4_000)),
            format!("{{# {{{{ #}}{{{{ {}1 }}}}", "-".repeat(4_000)),
            "{% if 1 %}".repeat(4_000),
        ] {
            let message = Template::parse(&text).unwrap_err();
            assert!(message.contains("more than"), "{message}");
        }
        assert!(Expression::parse(&format!("{}1", "not ".repeat(4_000))).is_err());
        assert!(Template::parse(&format!("{{{{ file.path }}}} {}", "a { b } ' ".repeat(4_000))).is_ok());
    }
}
