//! A host's settings file: read, changed in place, and written so that nothing of it is lost.
//!
//! The text is changed, not written anew: comments, order and blanks of whoever wrote it stay. A
//! file that its host could not read is never touched, because a host drops such a file as a whole
//! and says nothing, and with it every hook.

use std::fs;
use std::path::{Path, PathBuf};

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstLeafNode, CstNode, CstRootNode};
use serde_json::Value;

use super::files;

/// The end of the name of what is kept of a file before it is first changed.
const BACKUP: &str = ".before-ruleward";
const MARK: &str = "\u{feff}";

/// A settings file.
#[derive(Debug)]
pub struct Settings {
    /// Where it is.
    path: PathBuf,
    /// What stands in it; none when it is not there.
    before: Option<String>,
    root: CstRootNode,
}

impl Settings {
    /// Reads a settings file, or begins one.
    ///
    /// # Errors
    /// Returns what is wrong and where, for people: it cannot be read, or its host could not.
    pub fn open(path: &Path, comments: bool) -> Result<Self, String> {
        let before = match files::ordinary(path) {
            Ok(bytes) => Some(String::from_utf8(bytes).map_err(|_| format!("{} is not UTF-8", path.display()))?),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(format!("{} could not be read: {error}", path.display())),
        };
        let root = parse(before.as_deref().unwrap_or_default(), comments).map_err(|what| {
            format!(
                "{}{what}; the host drops such a file as a whole, with every hook in it: mend it first",
                path.display()
            )
        })?;
        Ok(Self { path: path.to_owned(), before, root })
    }

    /// Returns what stands in the file; none when it is not there.
    pub fn before(&self) -> Option<&str> {
        self.before.as_deref()
    }

    /// Returns what would stand in the file now; none when nothing is left of it that was not
    /// there in the beginning.
    pub fn after(&self) -> Option<String> {
        let mark = if self.before.as_deref().is_some_and(|text| text.starts_with(MARK)) { MARK } else { "" };
        let text = self.root.to_string();
        if text.trim().is_empty() && self.before.is_none() {
            return None;
        }
        let end = if text.ends_with('\n') || self.before.as_deref().is_some_and(|it| !it.ends_with('\n')) {
            ""
        } else {
            "\n"
        };
        Some(format!("{mark}{text}{end}"))
    }

    /// Returns the settings as a value; an empty object when there are none.
    pub fn value(&self) -> Value {
        value_of(&self.root)
    }

    /// Takes out the hooks that are like this, and what becomes empty by it. Returns how many.
    pub fn remove_hooks(&self, is_one: &dyn Fn(&Value) -> bool) -> usize {
        let Some(hooks) = self.root.object_value().and_then(|settings| settings.object_value("hooks")) else {
            return 0;
        };
        let mut removed = 0;
        for event in hooks.properties() {
            let Some(groups) = event.array_value() else { continue };
            let taken: usize = groups.elements().iter().map(|group| remove_from(group, is_one)).sum();
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
    pub fn add_hook(&self, event: &str, entry: &Value) -> Result<(), String> {
        let wrong = |key: &str, what: &str| {
            format!("{}: `{key}` is not {what}; the host does not read it, so mend it first", self.path.display())
        };
        let settings = self.root.object_value_or_create().ok_or_else(|| wrong("(the file)", "an object"))?;
        if settings.properties().iter().filter(|property| property.decoded_name().as_deref() == Some("hooks")).count()
            > 1
        {
            return Err(format!(
                "{}: `hooks` stands there twice, and only the last one counts: make them one",
                self.path.display()
            ));
        }
        let hooks = settings.object_value_or_create("hooks").ok_or_else(|| wrong("hooks", "an object"))?;
        let groups = hooks.array_value_or_create(event).ok_or_else(|| wrong(&format!("hooks.{event}"), "a list"))?;
        groups.ensure_multiline();
        groups.append(input(&serde_json::json!({ "hooks": [entry] })));
        Ok(())
    }

    /// Puts on a switch that has to be on for hooks to run.
    ///
    /// # Errors
    /// Returns that a person has put it off, or what is not what the host expects there.
    pub fn switch_on(&self, key: &str, switch: &str) -> Result<(), String> {
        let at = |what: &str| format!("{}: `{key}{what}; mend it first", self.path.display());
        let settings = self.root.object_value_or_create().ok_or_else(|| at("` has no place in it"))?;
        let group = settings.object_value_or_create(key).ok_or_else(|| at("` is not an object"))?;
        let stands = group.get(switch).and_then(|property| property.value());
        match stands.map(|value| value.to_serde_value()) {
            None => drop(group.append(switch, CstInputValue::Bool(true))),
            Some(Some(Value::Bool(true))) => {}
            Some(_) => return Err(at(&format!(".{switch}` is not true, so no hook runs"))),
        }
        Ok(())
    }

    /// Takes out a switch that did not stand there before ruleward came, unless hooks came since then.
    pub fn switch_back(&self, key: &str, switch: &str) {
        let before = self.original().and_then(|text| parse(&text, true).ok());
        let stood = before.as_ref().and_then(|root| root.object_value()?.object_value(key)?.get(switch)).is_some();
        let others = before.as_ref().map(hooks_of).unwrap_or_default();
        let Some(settings) = self.root.object_value().filter(|_| !stood && hooks_of(&self.root) == others) else {
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
    /// Returns what could not be written, for people.
    pub fn save(&self) -> Result<(), String> {
        let Some(text) = self.after() else { return Ok(()) };
        if let Some(before) = &self.before {
            files::create(&self.backup(), before)?;
        }
        files::replace(&self.path, &text)
    }

    /// Puts the file back to what it was before ruleward first changed it, if what is left of it
    /// says the same; or else writes what is left.
    ///
    /// # Errors
    /// Returns what could not be written, for people.
    pub fn restore(&self) -> Result<(), String> {
        let left = self.after().unwrap_or_default();
        let backup = self.backup();
        let gone = |path: &Path| {
            fs::remove_file(path).map_err(|error| format!("{} could not be removed: {error}", path.display()))
        };
        match self.original() {
            Some(original) => {
                let same = essence(&original) == essence(&left);
                files::replace(&self.path, if same { &original } else { &left })?;
                gone(&backup)
            }
            // What is kept and cannot be read may have been more than nothing.
            None if essence(&left) == "{}" && fs::symlink_metadata(&backup).is_err() => gone(&self.path),
            None => files::replace(&self.path, &left),
        }
    }

    /// Returns what stood in the file before ruleward first changed it, if that is kept.
    fn original(&self) -> Option<String> {
        String::from_utf8(files::ordinary(&self.backup()).ok()?).ok()
    }

    fn backup(&self) -> PathBuf {
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(BACKUP);
        self.path.with_file_name(name)
    }
}

/// Returns what a host reads in a text of settings.
///
/// # Errors
/// Returns why the host would drop it as a whole, to be put behind the name of the file.
pub fn read(text: &str, comments: bool) -> Result<Value, String> {
    parse(text, comments).map(|root| value_of(&root))
}

fn value_of(root: &CstRootNode) -> Value {
    root.to_serde_value().unwrap_or_else(|| Value::Object(serde_json::Map::new()))
}

/// Takes hooks out of a group, and the group when none is left. Returns how many.
fn remove_from(group: &CstNode, is_one: &dyn Fn(&Value) -> bool) -> usize {
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
fn parse(text: &str, comments: bool) -> Result<CstRootNode, String> {
    let text = text.strip_prefix(MARK).unwrap_or(text);
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
        strict.map_err(|error| format!(": {error}"))?;
    }
    let root = CstRootNode::parse(text, &options)
        .map_err(|error| format!(":{}:{}: {}", error.line_display(), error.column_display(), error.kind()))?;
    if root.children().iter().any(holds_strange_blank) {
        return Err(": between its values stands a blank that is none in JSON".to_owned());
    }
    if root.value().is_some_and(|value| value.as_object().is_none()) {
        return Err(": the file does not hold an object".to_owned());
    }
    Ok(root)
}

/// Tells whether there is a blank that this parser takes, and a host's does not.
fn holds_strange_blank(node: &CstNode) -> bool {
    match node {
        CstNode::Leaf(CstLeafNode::Whitespace(blank)) => {
            blank.to_string().contains(|character| !matches!(character, ' ' | '\t' | '\r' | '\n'))
        }
        CstNode::Leaf(_) => false,
        CstNode::Container(container) => container.children().iter().any(holds_strange_blank),
    }
}

/// Returns the hooks of a file, without lists that hold none.
fn hooks_of(root: &CstRootNode) -> Vec<(String, Value)> {
    let hooks = root.object_value().and_then(|settings| settings.object_value("hooks")?.to_serde_value());
    let Some(Value::Object(hooks)) = hooks else { return Vec::new() };
    hooks.into_iter().filter(|(_, groups)| groups.as_array().is_none_or(|groups| !groups.is_empty())).collect()
}

/// Returns what a text says, without blanks and lists of hooks that hold none.
fn essence(text: &str) -> String {
    let text = text.trim_start_matches(MARK);
    let kept = parse(text, true).map_or_else(
        |_| text.to_owned(),
        |root| {
            prune(&root);
            root.to_string()
        },
    );
    kept.chars().filter(|character| !character.is_whitespace()).collect()
}

/// Takes out the lists of hooks that hold none.
fn prune(root: &CstRootNode) {
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

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(values) => CstInputValue::Array(values.iter().map(input).collect()),
        Value::Object(fields) => {
            CstInputValue::Object(fields.iter().map(|(name, value)| (name.clone(), input(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Settings, parse};

    fn ours(entry: &Value) -> bool {
        entry["command"] == "r"
    }

    fn opened(text: &str) -> Settings {
        Settings { path: "/s.json".into(), before: Some(text.to_owned()), root: parse(text, true).unwrap() }
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
            let after = settings.after().unwrap();
            assert_ne!(after, text);
            let again = opened(&after);
            assert_eq!(again.remove_hooks(&ours), 2, "{after}");
            assert_eq!(super::essence(&again.after().unwrap()), super::essence(text), "{after}");
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
            assert!(parse(text, comments).is_err(), "{text}");
        }
        for text in ["\u{b}", "{\u{c}}", "{\"a\":\u{a0}1}", "{}\u{2028}"] {
            assert!(parse(text, true).is_err() && parse(text, false).is_err(), "{text:?}");
        }
        assert!(parse("{ // a\n}", true).is_ok());
        assert!(parse("", false).is_ok());
        for text in ["{\"hooks\": []}", "{\"hooks\": {\"A\": {}}}", "{\"hooks\": {}, \"hooks\": {}}"] {
            assert!(opened(text).add_hook("A", &json!({})).is_err(), "{text}");
        }
    }
}
