//! What holds of the sources themselves: layers, folders, headers, sizes, dependencies.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;
use ruleward::adapters::HOSTS;
use ruleward::io::files;
use serde_json::Value;

/// Lines that a file may have, unless its header says that it is a table.
const MAX_LINES: usize = 500;

fn sources() -> Vec<(PathBuf, String)> {
    let found = files::list_recursive(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), ".rs").unwrap();
    let text = |path: PathBuf| (path.clone(), fs::read_to_string(path).unwrap());
    found.into_iter().map(text).collect()
}

fn layer(path: &Path) -> &str {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let inside = path.strip_prefix(source).unwrap();
    inside.components().next().unwrap().as_os_str().to_str().unwrap()
}

/// Each layer and what it must not name.
const FORBIDDEN_IMPORTS: [(&str, &[&str]); 3] = [
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
        let Some((_, words)) = FORBIDDEN_IMPORTS.iter().find(|(name, _)| *name == layer(&path)) else { continue };
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

/// Returns the text of a source without comment lines and unit tests.
fn code(text: &str) -> String {
    let end = text.find("#[cfg(test)]\nmod ").unwrap_or(text.len());
    let lines = text[..end].lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.fold(String::new(), |code, line| code + line + "\n")
}

/// Returns the paths that a source names, from the root of the crate: `["domain", "facts", …]`.
fn named_paths(path: &Path, text: &str) -> Vec<Vec<String>> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let inside = path.strip_prefix(source).unwrap().with_extension("");
    let mut module: Vec<String> = inside.iter().map(|step| step.to_str().unwrap().to_owned()).collect();
    if module.last().is_some_and(|last| last == "mod") {
        module.pop();
    }
    let named = Regex::new(r"\b(crate|super(?:::super)*)::((?:\w+::)*)(?:\{([^;}]*)\}|(\w+))").unwrap();
    let mut found = Vec::new();
    for captures in named.captures_iter(text) {
        let start = &captures[1];
        let ups = start.matches("super").count();
        let base = if start == "crate" { Vec::new() } else { module[..module.len().saturating_sub(ups)].to_vec() };
        let items = captures.get(3).or(captures.get(4)).unwrap().as_str();
        for item in items.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let steps = captures[2].split("::").chain(item.split("::")).filter(|step| !["", "self"].contains(step));
            found.push(base.iter().cloned().chain(steps.map(str::to_owned)).collect());
        }
    }
    found
}

/// Returns the entries of a layer (its folders and the files directly in it), each with those that it imports.
fn entry_imports(layer_name: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let all = sources();
    let entry_of = |path: &Path| {
        let inside = path.strip_prefix(Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(layer_name)).ok()?;
        let first = inside.components().next()?.as_os_str().to_str()?.trim_end_matches(".rs").to_owned();
        (first != "mod").then_some(first)
    };
    let entries: BTreeSet<String> = all.iter().filter_map(|(path, _)| entry_of(path)).collect();
    for (path, text) in &all {
        let Some(own) = entry_of(path) else { continue };
        for named in named_paths(path, &code(text)) {
            if let [first, entry, ..] = named.as_slice()
                && first == layer_name
                && entries.contains(entry)
                && *entry != own
            {
                imports.entry(own.clone()).or_default().insert(entry.clone());
            }
        }
    }
    imports
}

/// Returns a cycle of imports, if there is one.
fn cycle(imports: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    fn visit(
        entry: &str,
        imports: &BTreeMap<String, BTreeSet<String>>,
        path: &mut Vec<String>,
        done: &mut BTreeSet<String>,
    ) -> Option<Vec<String>> {
        if let Some(start) = path.iter().position(|known| known == entry) {
            return Some(path[start..].to_vec());
        }
        if !done.insert(entry.to_owned()) {
            return None;
        }
        path.push(entry.to_owned());
        let found = imports.get(entry).into_iter().flatten().find_map(|next| visit(next, imports, path, done));
        path.pop();
        found
    }
    let mut done = BTreeSet::new();
    imports.keys().find_map(|entry| visit(entry, imports, &mut Vec::new(), &mut done))
}

#[test]
fn no_folders_import_each_other() {
    for layer_name in ["domain", "adapters", "io", "cli"] {
        let imports = entry_imports(layer_name);
        assert!(imports.values().map(BTreeSet::len).sum::<usize>() > 5, "{layer_name}: {imports:?}");
        assert_eq!(cycle(&imports), None, "{layer_name}");
    }
}

#[test]
fn a_cycle_is_found() {
    let imports = |edges: &[(&str, &str)]| {
        let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (from, to) in edges {
            all.entry((*from).to_owned()).or_default().insert((*to).to_owned());
        }
        all
    };
    assert_eq!(cycle(&imports(&[("a", "b"), ("b", "c"), ("a", "c")])), None);
    assert!(cycle(&imports(&[("x", "a"), ("a", "b"), ("b", "c"), ("c", "a")])).is_some());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/domain/facts/script.rs");
    let named =
        named_paths(&path, "use super::super::shell::{self, Command};\nuse crate::domain::{text::url, effect};");
    let named: Vec<String> = named.iter().map(|steps| steps.join("::")).collect();
    assert_eq!(named, ["domain::shell", "domain::shell::Command", "domain::text::url", "domain::effect"]);
}

/// The domain knows no host: what is true of one host alone belongs to its adapter.
#[test]
fn no_host_is_named_outside_its_adapter() {
    for (path, text) in sources().iter().filter(|(path, _)| layer(path) == "domain") {
        for host in HOSTS {
            let word = format!("\"{}\"", host.name);
            let code = code(text);
            let line = code.lines().find(|line| line.contains(&word));
            assert_eq!(line, None, "{}", path.display());
        }
    }
    let compared = Regex::new(r#"\.name == "|matches!\([^)]*host\.name"#).unwrap();
    for (path, text) in sources() {
        let own = path.components().any(|part| HOSTS.iter().any(|host| part.as_os_str() == host.name));
        if !own && compared.is_match(&code(&text)) && text.contains("host.name") {
            let line = text.lines().find(|line| line.contains("host.name ==") || line.contains("matches!(host.name"));
            assert_eq!(line, None, "{}", path.display());
        }
    }
}

#[test]
fn every_file_says_what_it_is_and_stays_small() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let header = text.lines().take_while(|line| line.starts_with("//!")).count();
        let is_crate_page = path.ends_with("src/lib.rs");
        if header == 0 || (header > 16 && !is_crate_page) {
            wrong.push(format!("{}: a header of {header} lines", path.display()));
        }
        let is_table = text.lines().take(header).any(|line| line.contains("table"));
        let lines = text.lines().count();
        if lines > MAX_LINES && !is_table {
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
    assert!(dependencies.len() > 25, "{dependencies:?}");
    let has_defaults = |one: &Value| {
        one.get("default-features") != Some(&Value::Bool(false))
            || one["features"].as_array().is_some_and(|names| names.iter().any(|name| name == "default"))
    };
    let wrong: Vec<_> = dependencies.iter().filter(|(_, one)| has_defaults(one)).collect();
    assert!(wrong.is_empty(), "default features: {wrong:?}");
}
