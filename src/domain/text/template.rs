//! Templates (`{{ file.path }}`) and expressions (`if: tool.ok`).
//!
//! Both are parsed when the policy is loaded, so that a mistake is an error there, and compiled only when they are
//! used: a message without braces never reaches the template engine. They may use the names in [`super::vocabulary`].
//! The number of steps of an evaluation is limited, since a policy may come from an untrusted repository.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior};
#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_json::Value;

use super::suggest::UnknownWord;
use super::vocabulary::check_name;

/// The greatest number of steps of one template or expression.
const FUEL: u64 = 200_000;

/// The greatest number of bytes of an expression: its parts nest in the engine's calls, and a stack is finite.
const MAX_EXPRESSION_BYTES: usize = 1_000;

/// The greatest number of statements of a template, since they nest as well.
const MAX_STATEMENTS: usize = 64;

/// Returns the value of a variable of the vocabulary.
pub type VariableLookup<'r> = dyn FnMut(&str) -> Option<Value> + 'r;

/// The reason why a template or an expression has no result.
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

/// The reason why a text is not a template or an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TemplateError {
    /// An expression is too long.
    ExpressionTooLong,
    /// A template has too many statements.
    TooManyStatements,
    /// A template does not follow the syntax.
    Text(RenderError),
    /// An expression does not follow the syntax.
    Expression(RenderError),
    /// A filter, test, function or method does not exist.
    UnknownOperation(RenderError),
    /// A name is not in the vocabulary.
    UnknownName(UnknownWord),
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ExpressionTooLong => write!(f, "the expression is longer than {MAX_EXPRESSION_BYTES} bytes"),
            Self::TooManyStatements => write!(f, "the text has more than {MAX_STATEMENTS} statements"),
            Self::Text(error) => write!(f, "invalid template: {error}"),
            Self::Expression(error) => write!(f, "invalid expression: {error}"),
            Self::UnknownOperation(error) => error.fmt(f),
            Self::UnknownName(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TemplateError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::ExpressionTooLong | Self::TooManyStatements => None,
            Self::Text(error) | Self::Expression(error) | Self::UnknownOperation(error) => Some(error),
            Self::UnknownName(error) => Some(error),
        }
    }
}

/// Text that may contain `{{ … }}`.
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
    pub fn parse(source: &str) -> Result<Self, TemplateError> {
        let names = if is_plain(source) {
            Vec::new()
        } else {
            check_size(source)?;
            let environment = environment();
            let template = environment.template_from_str(source).map_err(|error| TemplateError::Text(error.into()))?;
            if let Err(error) = template.render(minijinja::Value::UNDEFINED) {
                reject_unknown(error)?;
            }
            check_names(template.undeclared_variables(true))?
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

    /// Renders the text.
    pub fn render(&self, vars: &mut VariableLookup<'_>) -> Result<String, RenderError> {
        if is_plain(&self.source) {
            return Ok(self.source.clone());
        }
        Ok(environment().render_str(&self.source, context(&self.names, vars))?)
    }
}

impl<'de> Deserialize<'de> for Template {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        StoredSource::read(deserializer, |source| {
            let Self { source, names } = Self::parse(source)?;
            Ok(StoredSource { source, names })
        })
        .map(|StoredSource { source, names }| Self { source, names })
    }
}

#[cfg(test)]
impl JsonSchema for Template {
    fn schema_name() -> Cow<'static, str> {
        "Template".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "description": "A template; `{{ … }}` is replaced with variables of the event." })
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
    pub fn parse(source: &str) -> Result<Self, TemplateError> {
        check_length(source)?;
        let environment = environment();
        let compiled = environment.compile_expression(source);
        let expression = compiled.map_err(|error| TemplateError::Expression(error.into()))?;
        if let Err(error) = expression.eval(minijinja::Value::UNDEFINED) {
            reject_unknown(error)?;
        }
        Ok(Self { source: source.to_owned(), names: check_names(expression.undeclared_variables(true))? })
    }

    /// Returns the names that it uses, dotted as far as they are known: `tool.ok`.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the variables of the vocabulary that it uses.
    pub fn root_names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| root_name(name))
    }

    /// Returns whether the expression holds.
    ///
    /// # Errors
    /// Returns why it has no value: a comparison of different types, or too many steps.
    pub fn evaluate(&self, vars: &mut VariableLookup<'_>) -> Result<bool, RenderError> {
        let environment = environment();
        let expression = environment.compile_expression(&self.source)?;
        Ok(expression.eval(context(&self.names, vars))?.is_true())
    }
}

impl<'de> Deserialize<'de> for Expression {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        StoredSource::read(deserializer, |source| {
            let Self { source, names } = Self::parse(source)?;
            Ok(StoredSource { source, names })
        })
        .map(|StoredSource { source, names }| Self { source, names })
    }
}

#[cfg(test)]
impl JsonSchema for Expression {
    fn schema_name() -> Cow<'static, str> {
        "Expression".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "description": "An expression over the event, such as `tool.ok and session.permission_mode == 'plan'`." })
    }
}

/// The encoded form of a parsed text.
#[derive(Deserialize)]
struct StoredSource {
    source: String,
    names: Vec<String>,
}

impl StoredSource {
    /// Reads the encoded form; a policy written by people is parsed instead.
    fn read<'de, D: Deserializer<'de>>(
        deserializer: D,
        parse: impl FnOnce(&str) -> Result<Self, TemplateError>,
    ) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let source = Cow::<str>::deserialize(deserializer)?;
            return parse(&source).map_err(D::Error::custom);
        }
        Self::deserialize(deserializer)
    }
}

const fn check_length(expression: &str) -> Result<(), TemplateError> {
    if expression.len() <= MAX_EXPRESSION_BYTES { Ok(()) } else { Err(TemplateError::ExpressionTooLong) }
}

/// Checks the text between braces. A quote hides no end here that it does not hide from the engine; if the two might
/// disagree, more is counted.
fn check_size(source: &str) -> Result<(), TemplateError> {
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
    if statements <= MAX_STATEMENTS { Ok(()) } else { Err(TemplateError::TooManyStatements) }
}

/// Returns the distance to an end outside quotes.
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

/// Rejects errors of a trial run, which has no event, that no event could fix.
fn reject_unknown(error: minijinja::Error) -> Result<(), TemplateError> {
    use minijinja::ErrorKind::{UnknownFilter, UnknownFunction, UnknownMethod, UnknownTest};
    match error.kind() {
        UnknownFilter | UnknownFunction | UnknownMethod | UnknownTest => {
            Err(TemplateError::UnknownOperation(error.into()))
        }
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
    // It would disclose the engine's own state to an agent.
    environment.remove_global("debug");
    environment
}

fn context(names: &[String], vars: &mut VariableLookup<'_>) -> minijinja::Value {
    let mut roots: Vec<&str> = names.iter().map(|name| root_name(name)).collect();
    roots.dedup();
    let known = roots.into_iter().filter_map(|root| Some((root, minijinja::Value::from(Serde(vars(root)?)))));
    known.collect::<BTreeMap<_, _>>().into()
}

/// Returns the variable of the vocabulary that a dotted name begins with.
fn root_name(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

/// Returns the names in order, or an error for a variable or a field that does not exist.
fn check_names(names: std::collections::HashSet<String>) -> Result<Vec<String>, TemplateError> {
    let mut names: Vec<String> = names.into_iter().filter(|name| !is_builtin(root_name(name))).collect();
    names.sort_unstable();
    for name in &names {
        check_name("name", name).map_err(TemplateError::UnknownName)?;
    }
    Ok(names)
}

/// Returns whether a name is a function of the template language.
fn is_builtin(name: &str) -> bool {
    matches!(name, "range" | "dict" | "namespace" | "loop" | "self")
}

#[cfg(test)]
mod tests {
    use super::{Expression, Template, TemplateError};

    #[test]
    fn what_nests_is_bounded() {
        for text in [
            format!("{{{{ {}1 }}}}", "-".repeat(4_000)),
            format!("{{{{ \"}}}}\" ~ {}1 }}}}", "-".repeat(4_000)),
            format!("{{% raw %}}{{{{ ' {{% endraw %}}{{{{ {}1 }}}}", "-".repeat(4_000)),
            format!("{{# {{{{ #}}{{{{ {}1 }}}}", "-".repeat(4_000)),
            "{% if 1 %}".repeat(4_000),
        ] {
            let message = Template::parse(&text).unwrap_err().to_string();
            assert!(message.contains("more than") || message.contains("longer than"), "{message}");
        }
        let error = Expression::parse(&format!("{}1", "not ".repeat(4_000))).unwrap_err();
        assert_eq!(error, TemplateError::ExpressionTooLong);
        assert!(Template::parse(&format!("{{{{ file.path }}}} {}", "a { b } ' ".repeat(4_000))).is_ok());
    }
    #[test]
    fn errors_say_what_is_wrong() {
        for (text, message) in [
            ("{{ file.path", "invalid template: unexpected end of input, expected end of variable block"),
            ("{{ file.path | nothing }}", "filter nothing is unknown"),
            ("{{ fiel.path }}", "unknown name `fiel`, did you mean `file`?"),
            ("{{ file.pth }}", "unknown field `file.pth`, did you mean `file.path`?"),
        ] {
            assert_eq!(Template::parse(text).unwrap_err().to_string(), message);
        }
        assert!(matches!(Expression::parse("1 +"), Err(TemplateError::Expression(_))));
    }
}
