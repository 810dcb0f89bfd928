//! Texts are plain English: the words that the style guide in `CONTRIBUTING.md` rejects occur in no document, message
//! or policy.

use std::fs;
use std::path::{Path, PathBuf};

use regex::{Regex, RegexBuilder};
use ruleward::io::files;

use crate::common::doc_pages;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The rows of the table in the style guide: the words in the first column, separated by commas.
fn rejected_words() -> Vec<String> {
    let guide = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap().replace("\r\n", "\n");
    let table = guide.split_once("| don't write | write |\n|---|---|\n").expect("the table of the style guide").1;
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let words = rows.flat_map(|row| row.split('|').nth(1).unwrap().split(',').map(|word| word.trim().to_owned()));
    words.collect()
}

fn pattern(words: &[String]) -> Regex {
    let choices: Vec<String> = words.iter().map(|word| regex::escape(word)).collect();
    RegexBuilder::new(&format!(r"\b(?:{})\b", choices.join("|"))).case_insensitive(true).build().unwrap()
}

/// Returns the texts of a source that people may read: string literals of more than one word, each with its line.
/// Comments and unit tests are left out.
fn literals(source: &str) -> Vec<(usize, String)> {
    let tokens = Regex::new(concat!(
        r"//[^\n]*",
        r##"|\br#"((?s:.*?))"#"##,
        r#"|\br"([^"]*)""#,
        r#"|"((?:[^"\\]|\\(?s:.))*)""#,
        r"|'(?:[^'\\]|\\(?:u\{[0-9a-fA-F]+\}|.))'",
    ))
    .unwrap();
    let end = source.find("#[cfg(test)]\nmod ").unwrap_or(source.len());
    let code = &source[..end];
    let found = tokens.captures_iter(code).filter_map(|token| {
        let text = (1..4).find_map(|group| token.get(group))?;
        let line = code[..text.start()].lines().count();
        text.as_str().contains(' ').then(|| (line, text.as_str().to_owned()))
    });
    found.collect()
}

/// Returns the readable texts of a file, each with its line.
fn texts(path: &Path) -> Vec<(usize, String)> {
    let text = fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    let is_guide = path.ends_with("CONTRIBUTING.md");
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("rs") => literals(&text),
        // The table itself names the words.
        _ if is_guide => {
            let (before, table) = text.split_once("| don't write | write |\n").unwrap();
            let after = table.split_once("\n\n").unwrap().1;
            vec![(1, before.to_owned()), (1, after.to_owned())]
        }
        _ => text.lines().enumerate().map(|(index, line)| (index + 1, line.to_owned())).collect(),
    }
}

fn readable_files() -> Vec<PathBuf> {
    let mut found = doc_pages();
    found.extend(["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md"].map(|name| root().join(name)));
    found.extend(files::list_recursive(&root().join("src"), ".rs").unwrap());
    let policies = files::list_recursive(&root().join("policies"), ".yaml").unwrap();
    found.extend(policies.into_iter().filter(|path| !path.to_str().unwrap().ends_with(".test.yaml")));
    // Data of detectors and tables of other programs' words.
    found.retain(|path| {
        !path
            .components()
            .any(|part| ["generated", "detectors", "compiled"].iter().any(|name| part.as_os_str() == *name))
    });
    found
}

#[test]
fn texts_are_plain_english() {
    let rejected = pattern(&rejected_words());
    let mut wrong = Vec::new();
    for path in readable_files() {
        for (line, text) in texts(&path) {
            wrong.extend(
                rejected
                    .find_iter(&text)
                    .map(|word| format!("{}:{line}: {}", path.strip_prefix(root()).unwrap().display(), word.as_str())),
            );
        }
    }
    assert!(wrong.is_empty(), "see the style guide in CONTRIBUTING.md\n{}", wrong.join("\n"));
}

#[test]
fn rejected_words_are_found() {
    let words = rejected_words();
    assert!(words.len() > 20, "{words:?}");
    let rejected = pattern(&words);
    for text in ["mend it", "Begin ANEW", "what becomes of it", "it stands in a file", "there is a way round"] {
        assert!(rejected.is_match(text), "{text}");
    }
    for text in ["amend the commit", "recommended", "the gate stands", "outstanding"] {
        assert!(!rejected.is_match(text), "{text}");
    }
    let source = "// mend a comment\nlet _ = ('\"', \"a text\", \"word\");\nlet _ = r#\"a \"raw\" text\"#;\n#[cfg(test)]\nmod tests { \"a test\" }\n";
    assert_eq!(literals(source), [(2, "a text".to_owned()), (3, "a \"raw\" text".to_owned())]);
}
