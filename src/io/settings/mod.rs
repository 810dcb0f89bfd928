//! A host's settings file: read, changed in place, and written so that nothing of it is lost.
//!
//! The text is changed, not written again: comments, order and blanks of whoever wrote it stay. A
//! file that its host could not read is never touched, because a host drops such a file as a whole
//! and says nothing, and with it every hook.

mod error;

use std::fs;
use std::path::{Path, PathBuf};

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstLeafNode, CstNode, CstRootNode};
use serde_json::Value;

pub use error::{SettingsError, SettingsSyntaxError, SwitchProblem};

use crate::io::files::{self, FileAction, FileError};

/// The end of the name of what is kept of a file before it is first changed.
const BACKUP_SUFFIX: &str = ".before-ruleward";
const BOM: &str = "\u{feff}";

/// A settings file.
#[derive(Debug)]
pub struct SettingsDocument {
    /// Where it is.
    path: PathBuf,
    /// What is in it; none when it doesn't exist.
    original_text: Option<String>,
    root: CstRootNode,
}

impl SettingsDocument {
    /// Reads a settings file, or begins one.
    ///
    /// # Errors
    /// Returns what is wrong and where: it cannot be read, or its host could not.
    pub fn open(path: &Path, comments: bool) -> Result<Self, SettingsError> {
        let before = match files::read_regular_file(path) {
            Ok(bytes) => Some(String::from_utf8(bytes).map_err(|_| SettingsError::NotUtf8(path.to_owned()))?),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(FileError::on(FileAction::Read, path)(error).into()),
        };
        let root = parse_cst(before.as_deref().unwrap_or_default(), comments)
            .map_err(|source| SettingsError::Syntax { path: path.to_owned(), source })?;
        Ok(Self { path: path.to_owned(), original_text: before, root })
    }

    /// Returns what is in the file; none when it doesn't exist.
    pub fn original_text(&self) -> Option<&str> {
        self.original_text.as_deref()
    }

    /// Returns what would be in the file now; none when nothing is left of it that was not
    /// there in the beginning.
    pub fn edited_text(&self) -> Option<String> {
        let mark = if self.original_text.as_deref().is_some_and(|text| text.starts_with(BOM)) { BOM } else { "" };
        let text = self.root.to_string();
        if text.trim().is_empty() && self.original_text.is_none() {
            return None;
        }
        let end = if text.ends_with('\n') || self.original_text.as_deref().is_some_and(|it| !it.ends_with('\n')) {
            ""
        } else {
            "\n"
        };
        Some(format!("{mark}{text}{end}"))
    }

    /// Returns the settings as a value; an empty object when there are none.
    pub fn value(&self) -> Value {
        to_value(&self.root)
    }

    /// Takes out the hooks that are like this, and what becomes empty by it. Returns how many.
    pub fn remove_hooks(&self, is_one: &dyn Fn(&Value) -> bool) -> usize {
        let Some(hooks) = self.root.object_value().and_then(|settings| settings.object_value("hooks")) else {
            return 0;
        };
        let mut removed = 0;
        for event in hooks.properties() {
            let Some(groups) = event.array_value() else { continue };
            let taken: usize = groups.elements().iter().map(|group| remove_from_group(group, is_one)).sum();
            if taken > 0 && groups.elements().is_empty() {
                event.remove();
            }
            removed += taken;
        }
        if removed > 0
            && hooks.properties().is_empty()
            && let Some(property) = self.root.object_value().and_then(|settings| settings.get("hooks"))
        {
            property.remove();
        }
        removed
    }

    /// Adds a hook for an event, behind those that are there.
    ///
    /// # Errors
    /// Returns which part of the file is not what the host expects there.
    pub fn add_hook(&self, event: &str, entry: &Value) -> Result<(), SettingsError> {
        let wrong = |key: &str, expected: &'static str| SettingsError::WrongShape {
            path: self.path.clone(),
            key: key.to_owned(),
            expected,
        };
        let settings = self.root.object_value_or_create().ok_or_else(|| wrong("(the file)", "an object"))?;
        if settings.properties().iter().filter(|property| property.decoded_name().as_deref() == Some("hooks")).count()
            > 1
        {
            return Err(SettingsError::DuplicateHooks(self.path.clone()));
        }
        let hooks = settings.object_value_or_create("hooks").ok_or_else(|| wrong("hooks", "an object"))?;
        let groups = hooks.array_value_or_create(event).ok_or_else(|| wrong(&format!("hooks.{event}"), "a list"))?;
        groups.ensure_multiline();
        groups.append(cst_value(&serde_json::json!({ "hooks": [entry] })));
        Ok(())
    }

    /// Puts on a switch that has to be on for hooks to run.
    ///
    /// # Errors
    /// Returns that a user has put it off, or what is not what the host expects there.
    pub fn enable_switch(&self, key: &str, switch: &str) -> Result<(), SettingsError> {
        let failed = |problem| SettingsError::Switch { path: self.path.clone(), key: key.to_owned(), problem };
        let settings = self.root.object_value_or_create().ok_or_else(|| failed(SwitchProblem::NoPlace))?;
        let group = settings.object_value_or_create(key).ok_or_else(|| failed(SwitchProblem::NotObject))?;
        let stands = group.get(switch).and_then(|property| property.value());
        match stands.map(|value| value.to_serde_value()) {
            None => drop(group.append(switch, CstInputValue::Bool(true))),
            Some(Some(Value::Bool(true))) => {}
            Some(_) => return Err(failed(SwitchProblem::Off(switch.to_owned()))),
        }
        Ok(())
    }

    /// Removes a switch that ruleward added, unless hooks were added since then.
    pub fn restore_switch(&self, key: &str, switch: &str) {
        let before = self.backup_text().and_then(|text| parse_cst(&text, true).ok());
        let stood = before.as_ref().and_then(|root| root.object_value()?.object_value(key)?.get(switch)).is_some();
        let others = before.as_ref().map(non_empty_hooks).unwrap_or_default();
        let Some(settings) = self.root.object_value().filter(|_| !stood && non_empty_hooks(&self.root) == others)
        else {
            return;
        };
        let Some(group) = settings.object_value(key) else { return };
        if let Some(property) = group.get(switch) {
            property.remove();
        }
        if group.properties().is_empty()
            && let Some(property) = settings.get(key)
        {
            property.remove();
        }
    }

    /// Writes the file in one step, and keeps what it was before the first change beside it.
    ///
    /// # Errors
    /// Returns what could not be written.
    pub fn save(&self) -> Result<(), FileError> {
        let Some(text) = self.edited_text() else { return Ok(()) };
        if let Some(before) = &self.original_text {
            files::create_new(&self.backup_path(), before)?;
        }
        files::write_atomic(&self.path, &text)
    }

    /// Puts the file back to what it was before ruleward first changed it, if what is left of it
    /// says the same; or else writes what is left.
    ///
    /// # Errors
    /// Returns what could not be written.
    pub fn restore(&self) -> Result<(), FileError> {
        let left = self.edited_text().unwrap_or_default();
        let backup = self.backup_path();
        let gone = |path: &Path| fs::remove_file(path).map_err(FileError::on(FileAction::Remove, path));
        match self.backup_text() {
            Some(original) => {
                let same = canonical_text(&original) == canonical_text(&left);
                files::write_atomic(&self.path, if same { &original } else { &left })?;
                gone(&backup)
            }
            // What is kept and cannot be read may have been more than nothing.
            None if canonical_text(&left) == "{}" && fs::symlink_metadata(&backup).is_err() => gone(&self.path),
            None => files::write_atomic(&self.path, &left),
        }
    }

    /// Returns what stood in the file before ruleward first changed it, if that is kept.
    fn backup_text(&self) -> Option<String> {
        String::from_utf8(files::read_regular_file(&self.backup_path()).ok()?).ok()
    }

    fn backup_path(&self) -> PathBuf {
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(BACKUP_SUFFIX);
        self.path.with_file_name(name)
    }
}

/// Returns what a host reads in a text of settings.
///
/// # Errors
/// Returns why the host would drop it as a whole, to be put behind the name of the file.
pub fn parse_settings(text: &str, comments: bool) -> Result<Value, SettingsSyntaxError> {
    parse_cst(text, comments).map(|root| to_value(&root))
}

/// Returns what a host reads in a text of settings in TOML; `None` when it is not TOML.
pub fn parse_toml_settings(text: &str) -> Option<Value> {
    basic_toml::from_str(text).ok()
}

fn to_value(root: &CstRootNode) -> Value {
    root.to_serde_value().unwrap_or_else(|| Value::Object(serde_json::Map::new()))
}

/// Takes hooks out of a group, and the group when none is left. Returns how many.
fn remove_from_group(group: &CstNode, is_one: &dyn Fn(&Value) -> bool) -> usize {
    let Some(entries) = group.as_object().and_then(|group| group.array_value("hooks")) else { return 0 };
    let ours: Vec<CstNode> = entries
        .elements()
        .into_iter()
        .filter(|entry| entry.to_serde_value().is_some_and(|value| is_one(&value)))
        .collect();
    let removed = ours.len();
    if removed == 0 {
        return 0;
    }
    if removed == entries.elements().len() {
        group.clone().remove();
    } else {
        ours.into_iter().for_each(CstNode::remove);
    }
    removed
}

/// Reads what a host would read.
fn parse_cst(text: &str, comments: bool) -> Result<CstRootNode, SettingsSyntaxError> {
    let text = text.strip_prefix(BOM).unwrap_or(text);
    let options = ParseOptions {
        allow_comments: comments,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    if !comments && !text.trim().is_empty() {
        let strict: Result<serde::de::IgnoredAny, _> = serde_json::from_str(text);
        strict.map_err(SettingsSyntaxError::Json)?;
    }
    let root = CstRootNode::parse(text, &options).map_err(SettingsSyntaxError::Jsonc)?;
    if root.children().iter().any(has_invalid_whitespace) {
        return Err(SettingsSyntaxError::InvalidWhitespace);
    }
    if root.value().is_some_and(|value| value.as_object().is_none()) {
        return Err(SettingsSyntaxError::NotObject);
    }
    Ok(root)
}

/// Returns whether there is a blank that this parser takes, and a host's does not.
fn has_invalid_whitespace(node: &CstNode) -> bool {
    match node {
        CstNode::Leaf(CstLeafNode::Whitespace(blank)) => {
            blank.to_string().contains(|character| !matches!(character, ' ' | '\t' | '\r' | '\n'))
        }
        CstNode::Leaf(_) => false,
        CstNode::Container(container) => container.children().iter().any(has_invalid_whitespace),
    }
}

/// Returns the hooks of a file, without lists that hold none.
fn non_empty_hooks(root: &CstRootNode) -> Vec<(String, Value)> {
    let hooks = root.object_value().and_then(|settings| settings.object_value("hooks")?.to_serde_value());
    let Some(Value::Object(hooks)) = hooks else { return Vec::new() };
    hooks.into_iter().filter(|(_, groups)| groups.as_array().is_none_or(|groups| !groups.is_empty())).collect()
}

/// Returns what a text says, without blanks and lists of hooks that hold none.
fn canonical_text(text: &str) -> String {
    let text = text.trim_start_matches(BOM);
    let kept = parse_cst(text, true).map_or_else(
        |_| text.to_owned(),
        |root| {
            prune_empty_hooks(&root);
            root.to_string()
        },
    );
    kept.chars().filter(|character| !character.is_whitespace()).collect()
}

/// Takes out the lists of hooks that hold none.
fn prune_empty_hooks(root: &CstRootNode) {
    let Some(property) = root.object_value().and_then(|settings| settings.get("hooks")) else { return };
    let Some(hooks) = property.object_value() else { return };
    for event in hooks.properties() {
        if event.array_value().is_some_and(|groups| groups.elements().is_empty()) {
            event.remove();
        }
    }
    if hooks.properties().is_empty() {
        property.remove();
    }
}

fn cst_value(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(values) => CstInputValue::Array(values.iter().map(cst_value).collect()),
        Value::Object(fields) => {
            CstInputValue::Object(fields.iter().map(|(name, value)| (name.clone(), cst_value(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{SettingsDocument, parse_cst};

    fn ours(entry: &Value) -> bool {
        entry["command"] == "r"
    }

    fn opened(text: &str) -> SettingsDocument {
        SettingsDocument {
            path: "/s.json".into(),
            original_text: Some(text.to_owned()),
            root: parse_cst(text, true).unwrap(),
        }
    }

    #[test]
    fn what_was_added_can_be_taken_out_without_a_trace() {
        for text in [
            "{}\n",
            "{\n  \"model\": \"x\"\n}\n",
            "{\n\t\"a\": [1, 2], // why\n\t/* b */ \"b\": {}\n}",
            "{\n  \"hooks\": {\n    \"A\": [\n      { \"matcher\": \"x\", \"hooks\": [{ \"command\": \"o\" }] }\n    ]\n  }\n}\n",
            "{\r\n  \"hooks\": {\r\n    \"B\": []\r\n  }\r\n}\r\n",
            "\u{feff}{\"a\":1}",
        ] {
            let settings = opened(text);
            for event in ["A", "C"] {
                settings.add_hook(event, &json!({ "command": "r", "timeout": 10 })).unwrap();
            }
            let after = settings.edited_text().unwrap();
            assert_ne!(after, text);
            let again = opened(&after);
            assert_eq!(again.remove_hooks(&ours), 2, "{after}");
            assert_eq!(super::canonical_text(&again.edited_text().unwrap()), super::canonical_text(text), "{after}");
        }
    }

    #[test]
    fn what_others_wrote_stays() {
        let text = "{ \"hooks\": { \"A\": [ { \"hooks\": [ { \"command\": \"r\" }, { \"command\": \"o\" } ] } ], \"B\": [ { \"hooks\": [ { \"command\": \"r\" } ] } ] } }";
        let settings = opened(text);
        assert_eq!(settings.remove_hooks(&ours), 2);
        assert_eq!(settings.value(), json!({ "hooks": { "A": [{ "hooks": [{ "command": "o" }] }] } }));
    }

    #[test]
    fn what_the_host_could_not_read_is_refused() {
        for (text, comments) in
            [("{ // a\n}", false), ("{\"a\":1,}", true), ("{'a':1}", true), ("[1]", true), ("{", true), ("{} {}", true)]
        {
            assert!(parse_cst(text, comments).is_err(), "{text}");
        }
        for text in ["\u{b}", "{\u{c}}", "{\"a\":\u{a0}1}", "{}\u{2028}"] {
            assert!(parse_cst(text, true).is_err() && parse_cst(text, false).is_err(), "{text:?}");
        }
        assert!(parse_cst("{ // a\n}", true).is_ok());
        assert!(parse_cst("", false).is_ok());
        for text in ["{\"hooks\": []}", "{\"hooks\": {\"A\": {}}}", "{\"hooks\": {}, \"hooks\": {}}"] {
            assert!(opened(text).add_hook("A", &json!({})).is_err(), "{text}");
        }
    }
}
