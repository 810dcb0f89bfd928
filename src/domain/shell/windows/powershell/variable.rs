//! Variables: their names and values.

use super::Reader;
use super::value::Value;
use crate::domain::shell::script::Word;
use crate::domain::shell::windows::environment::known_value;

/// The parts before a name that say where the variable is kept.
const SCOPES: &[&str] = &["global:", "script:", "local:", "private:", "using:", "variable:"];

/// What the settings of each new shell are called.
const PROFILE: &str = "~/Documents/PowerShell/Microsoft.PowerShell_profile.ps1";

impl Reader<'_> {
    /// Reads a variable, of which the `$` is next, and returns its value.
    pub(super) fn variable(&mut self) -> Value {
        let name = self.variable_name();
        self.target = Some(name.clone());
        self.value_of(&name)
    }

    /// Reads the name of a variable, of which the `$` (or the `@` of a splat) is next.
    pub(super) fn variable_name(&mut self) -> String {
        self.pos += 1;
        if self.peek() == Some('{') {
            let place = self.rest().find('}').map_or(self.pos + 1..self.text.len(), |at| self.pos + 1..self.pos + at);
            self.pos = (place.end + 1).min(self.text.len());
            return normalized_name(self.text.get(place).unwrap_or_default());
        }
        let rest = self.rest();
        if rest.starts_with(['?', '$', '^']) {
            self.pos += 1;
            return String::new();
        }
        let is_part = |character: char| character.is_alphanumeric() || character == '_';
        let mut end = rest.find(|character| !is_part(character)).unwrap_or(rest.len());
        // `$env:NAME`, and not the colon after a variable in a text.
        let behind = rest.get(end..).unwrap_or_default();
        if let Some(name) = behind.strip_prefix(':').filter(|name| name.starts_with(is_part)) {
            end += 1 + name.find(|character| !is_part(character)).unwrap_or(name.len());
        }
        let name = normalized_name(rest.get(..end).unwrap_or_default());
        self.pos += end;
        name
    }

    /// Returns the value of a variable by its name.
    pub(super) fn value_of(&self, name: &str) -> Value {
        if let Some(value) = self.variables.get(name) {
            return value.clone();
        }
        if let Some(name) = name.strip_prefix("env:") {
            return match known_value(name) {
                // A user's name in it is known to nobody here.
                Some(value) => Value::of(Word { literal: !value.contains('$'), quoted: true, ..Word::known(value) }),
                None => Value::unknown(format!("${}", name.to_ascii_uppercase())),
            };
        }
        match name {
            "null" => Value::default(),
            "true" | "false" => Value::known(format!("${name}")),
            "home" | "pwd" => Value::known(format!("${}", name.to_ascii_uppercase())),
            "profile" => Value::known(PROFILE),
            "args" => Value::list(self.arguments.clone()),
            "_" | "psitem" => Value::unknown("$_"),
            "pshome" => Value::known("C:/Windows/System32/WindowsPowerShell/v1.0"),
            _ => Value::unknown(format!("${name}")),
        }
    }
}

/// Returns a name as it is compared: in lower case and without its scope.
fn normalized_name(written: &str) -> String {
    let lower = written.to_lowercase();
    SCOPES.iter().find_map(|scope| lower.strip_prefix(scope)).unwrap_or(&lower).to_owned()
}
