//! What holds of the sources themselves: layers, headers, sizes.

use std::fs;
use std::path::{Path, PathBuf};

use ruleward::io::files;
use serde_json::Value;

/// Lines that a file may have, unless its header says that it is a table.
const MOST_LINES: usize = 500;

fn sources() -> Vec<(PathBuf, String)> {
    let found = files::ending(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), ".rs").unwrap();
    let text = |path: PathBuf| (path.clone(), fs::read_to_string(path).unwrap());
    found.into_iter().map(text).collect()
}

fn layer(path: &Path) -> &str {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let inside = path.strip_prefix(source).unwrap();
    inside.components().next().unwrap().as_os_str().to_str().unwrap()
}

/// Each layer and what it must not name.
const FORBIDDEN: [(&str, &[&str]); 3] = [
    (
        "domain",
        &[
            "crate::adapters",
            "crate::io",
            "crate::cli",
            "std::fs",
            "std::env",
            "std::process",
            "std::time",
            "std::io",
            "std::net",
            "println!",
        ],
    ),
    (
        "adapters",
        &["crate::io::", "crate::cli", "std::fs", "std::env", "std::process", "std::time", "std::net", "println!"],
    ),
    ("io", &["crate::adapters", "crate::cli"]),
];

#[test]
fn layers_import_downwards_only() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let Some((_, words)) = FORBIDDEN.iter().find(|(name, _)| *name == layer(&path)) else { continue };
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            if let Some(word) = words.iter().find(|word| line.contains(**word)) {
                wrong.push(format!("{}:{}: {word}", path.display(), number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn wire_words_stand_in_adapters_only() {
    let words = ["\"PreToolUse\"", "\"BeforeTool\"", "hookSpecificOutput", "permissionDecision"];
    for (path, text) in sources().iter().filter(|(path, _)| layer(path) == "domain" || layer(path) == "io") {
        for word in words {
            assert!(!text.contains(word), "{}: {word}", path.display());
        }
    }
}

#[test]
fn every_file_says_what_it_is_and_stays_small() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let header = text.lines().take_while(|line| line.starts_with("//!")).count();
        if header == 0 || header > 16 {
            wrong.push(format!("{}: a header of {header} lines", path.display()));
        }
        let is_table = text.lines().take(header).any(|line| line.contains("table"));
        let lines = text.lines().count();
        if lines > MOST_LINES && !is_table {
            wrong.push(format!("{}: {lines} lines", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_is_left_for_later() {
    let marks = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X:"), concat!("unimplemented", "!(")];
    for (path, text) in sources() {
        for mark in marks {
            assert!(!text.contains(mark), "{}: {mark}", path.display());
        }
    }
}

/// Dependencies of whose default features all are used, or that have none. To name them would change
/// nothing but the names of all functions, which `build/order.txt` lists.
const WHOLE: [(&str, &str); 7] = [
    ("clap", "help, colours and suggestions are for people"),
    ("clap_complete", "has none"),
    ("clap_mangen", "has none"),
    ("fast-glob", "has none"),
    ("insta", "differences are shown in colours"),
    ("regex", "speed and Unicode are wanted"),
    ("schemars", "schemas are derived"),
];

/// What is linked in is what somebody has asked for: no dependency brings its defaults along unsaid.
#[test]
fn dependencies_name_their_features() {
    fn lists<'v>(table: &'v Value, found: &mut Vec<(&'v String, &'v Value)>) {
        for (key, value) in table.as_object().into_iter().flatten() {
            match key.as_str() {
                "dependencies" | "build-dependencies" | "dev-dependencies" => found.extend(value.as_object().unwrap()),
                "target" => value.as_object().unwrap().values().for_each(|system| lists(system, found)),
                _ => {}
            }
        }
    }
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
    let manifest: Value = basic_toml::from_str(&text).unwrap();
    let mut dependencies = Vec::new();
    lists(&manifest, &mut dependencies);
    assert!(dependencies.len() > 30, "{dependencies:?}");
    let is_whole = |name: &str| WHOLE.iter().any(|(whole, _)| *whole == name);
    let has_defaults = |one: &Value| {
        one.get("default-features") != Some(&Value::Bool(false))
            || one["features"].as_array().is_some_and(|names| names.iter().any(|name| name == "default"))
    };
    let wrong: Vec<_> = dependencies.iter().filter(|(name, one)| is_whole(name) != has_defaults(one)).collect();
    assert!(wrong.is_empty(), "default features: {wrong:?}");
}
