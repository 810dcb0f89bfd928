//! What the reader takes, what it makes of it, and that nothing it is given makes it panic.

use proptest::prelude::*;
use serde_json::Value;

use super::code::DiagnosticCode;
use super::collect::{OpenedSource, PolicySource, SourceError, collect};
use super::diagnostic::SourceText;
use super::loaded_part::CollectedParts;
use super::schema_generator::policy_schema as schema;
use crate::domain::layer::Layer;
use crate::domain::policy::rule::Rule;
use crate::domain::severity::Mode;
use crate::domain::severity::OnError;

/// Texts by name.
struct Texts(&'static [(&'static str, &'static str)]);

impl PolicySource for Texts {
    fn read_policy_file(&self, _: &SourceText, name: &str) -> Result<OpenedSource, SourceError> {
        let text = self.0.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
        text.map(|text| OpenedSource::Text(SourceText::new(name, text))).ok_or_else(|| SourceError {
            code: DiagnosticCode::UnknownExtends,
            message: name.to_owned(),
            help: None,
        })
    }
}

fn collect_text(text: &str, shelf: &Texts) -> CollectedParts {
    collect(&[SourceText::new("it", text)], Layer::User, shelf, &[])
}

fn codes(gathered: &CollectedParts) -> Vec<DiagnosticCode> {
    gathered.diagnostics.iter().map(|mistake| mistake.code).collect()
}

/// Returns the one rule with the given lines.
fn rule(lines: &str) -> Rule {
    let text =
        format!("version: 1\nrules:\n  - id: x\n    when: [tool.before]\n    then: {{ deny: No. }}\n    {lines}\n");
    let mut gathered = collect_text(&text, &Texts(&[]));
    let mistakes: Vec<String> = gathered.diagnostics.iter().map(|mistake| mistake.render(false)).collect();
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
    assert!(is_valid(&text), "the schema refuses what the reader takes: {lines}");
    gathered.parts.remove(0).part.rules.remove(0)
}

#[test]
fn short_forms_mean_what_long_ones_do() {
    for (short, long) in [
        ("files: '*.pem'", "files: { paths: ['*.pem'] }"),
        ("files: ['*.pem', a]", "files: { paths: ['*.pem', a] }"),
        ("files: { access: read, paths: a, except: b }", "files: { access: [read], paths: [a], except: [b] }"),
        ("urls: example.com", "urls: { hosts: [example.com] }"),
        ("content: { regex: a+ }", "content: { regex: [a+] }"),
        ("content: [a, b]", "content: { contains: [a, b] }"),
        ("mcp: github", "mcp: { server: [github] }"),
        ("secrets: [content, command]", "secrets: { in: [content, command] }"),
        ("command: git push", "command: [git push]"),
        ("tool: shell", "tool: [shell]"),
        ("match: { tool.name: x }", "match: { tool.name: { equals: x } }"),
        ("match: { tool.name: [x, 1] }", "match: { tool.name: { one_of: [x, 1] } }"),
        ("match: { prompt.length: { gt: 2_000 } }", "match: { prompt.length: { gt: 2000.0 } }"),
        ("except: { tool: a }", "except: [{ tool: [a] }]"),
    ] {
        assert_eq!(rule(short), rule(long), "{short}");
    }
}

#[test]
fn plain_words_arrive_as_written() {
    let words = rule("content: [1.10, 0x1f, on, no, true, 007, 1e3, 2024-01-01, '~', \"null\"]")
        .conditions
        .content
        .map(|it| it.0);
    let expected = ["1.10", "0x1f", "on", "no", "true", "007", "1e3", "2024-01-01", "~", "null"];
    assert_eq!(words.unwrap().contains, expected);
    let told = rule("description: 1.10").description;
    assert_eq!(told.as_deref(), Some("1.10"));
    assert!(rule("secrets: {}").conditions.secrets.is_some());
}

#[test]
fn nothing_is_no_word() {
    for lines in ["command:", "command: ~", "content: [a, null]", "description:", "secrets: null", "tool: [~]"] {
        let text = format!("version: 1\nrules: [{{ id: x, when: any, then: {{ audit: a }}, {lines} }}]\n");
        assert_eq!(codes(&collect_text(&text, &Texts(&[]))), [DiagnosticCode::WrongType], "{lines}");
        assert!(!is_valid(&text), "the schema takes what the reader refuses: {lines}");
    }
}

#[test]
fn anchors_and_merges_work() {
    let text = "version: 1\nrules:\n  - &a { id: x, when: tool.before, command: ls, then: { deny: No. } }\n  - { <<: *a, id: y }\n";
    let gathered = collect_text(text, &Texts(&[]));
    assert_eq!(codes(&gathered), []);
    let rules = &gathered.parts[0].part.rules;
    assert_eq!(rules[1], Rule { id: "y".into(), ..rules[0].clone() });
}

const SHELF: Texts = Texts(&[
    ("a", "version: 1\nextends: [b]\non_error: ask\nrules: [{ id: a, when: any, then: { audit: a } }]"),
    ("b", "version: 1\non_error: allow\nask_fallback: allow\nrules: [{ id: b, when: any, then: { audit: b } }]"),
    ("other-b", "version: 1\nrules: [{ id: b, when: any, then: { audit: c } }]"),
    ("quiet-b", "version: 1\nmode: monitor\nextends: [b]"),
    ("same-b", "version: 1\nrules: [{ id: b, when: any, then: { audit: b } }]"),
    ("round", "version: 1\nextends: [trip]"),
    ("trip", "version: 1\nextends: [round]"),
]);

#[test]
fn what_is_extended_is_added() {
    let gathered = collect_text("version: 1\nextends: [a]\n", &SHELF);
    let ids: Vec<&str> = gathered.parts.iter().flat_map(|it| &it.part.rules).map(|rule| rule.id.as_str()).collect();
    assert_eq!((codes(&gathered), ids), (vec![], vec!["a", "b"]));
    let settings: Vec<_> = gathered.parts.iter().map(|it| it.part.settings.on_error).collect();
    assert_eq!(settings, [Some(OnError::Ask), None, None], "the nearer word stands, and stands once");
}

#[test]
fn one_rule_twice_is_one_rule() {
    for (extends, expected, modes) in [
        ("[b, same-b, a]", vec![], vec![Mode::Enforce, Mode::Enforce]),
        ("[b, other-b]", vec![DiagnosticCode::DuplicateRule], vec![Mode::Enforce]),
        ("[quiet-b]", vec![], vec![Mode::Monitor]),
        ("[quiet-b, same-b]", vec![], vec![Mode::Enforce]),
        ("[round]", vec![DiagnosticCode::CircularExtends], vec![]),
    ] {
        let gathered = collect_text(&format!("version: 1\nextends: {extends}\n"), &SHELF);
        assert_eq!(codes(&gathered), expected, "{extends}");
        let found: Vec<Mode> = gathered.parts.iter().flat_map(|it| &it.part.rules).map(|rule| rule.mode).collect();
        assert_eq!(found, modes, "{extends}");
    }
}

#[test]
fn a_broken_rule_is_left_out_and_the_rest_stays() {
    let text = "version: 1\non_error: ask\nextends: [b]\nrules:\n  - { id: x, when: any, then: { audit: a }, files: 1, wat: 2 }\n  - { id: y, when: any, then: { audit: a } }\n";
    let gathered = collect_text(text, &SHELF);
    assert_eq!(codes(&gathered), [DiagnosticCode::UnknownKey]);
    let ids: Vec<&str> = gathered.parts.iter().flat_map(|it| &it.part.rules).map(|rule| rule.id.as_str()).collect();
    assert_eq!(ids, ["y", "b"]);
    assert_eq!(gathered.parts[0].part.settings.on_error, Some(OnError::Ask));
}

/// Returns whether the schema takes a text.
fn is_valid(text: &str) -> bool {
    let value: Value = serde_yaml::from_str(text).unwrap();
    let root = serde_json::from_str(&schema(&[])).unwrap();
    accepts(&root, &root, &value)
}

/// The part of the schema language that the schema is written in.
fn accepts(root: &Value, schema: &Value, value: &Value) -> bool {
    let Some(schema) = schema.as_object() else { return schema.as_bool().unwrap_or(true) };
    schema.iter().all(|(key, rule)| match key.as_str() {
        "$ref" => accepts(root, root.pointer(rule.as_str().unwrap().trim_start_matches('#')).unwrap(), value),
        "allOf" => rule.as_array().unwrap().iter().all(|schema| accepts(root, schema, value)),
        "anyOf" => rule.as_array().unwrap().iter().any(|schema| accepts(root, schema, value)),
        "oneOf" => rule.as_array().unwrap().iter().filter(|schema| accepts(root, schema, value)).count() == 1,
        "const" => rule == value,
        "enum" => rule.as_array().unwrap().contains(value),
        "type" => std::slice::from_ref(rule).iter().chain(rule.as_array().into_iter().flatten()).any(|kind| {
            match kind.as_str() {
                // A plain number is taken for the text it was written as.
                Some("string") => value.is_string() || value.is_number() || value.is_boolean(),
                Some("number") => value.is_number(),
                Some("boolean") => value.is_boolean(),
                Some("array") => value.is_array(),
                Some("object") => value.is_object(),
                _ => false,
            }
        }),
        "items" => value.as_array().is_none_or(|items| items.iter().all(|item| accepts(root, rule, item))),
        "minItems" => value.as_array().is_none_or(|items| items.len() as u64 >= rule.as_u64().unwrap()),
        "required" => value.as_object().is_none_or(|entries| {
            rule.as_array().unwrap().iter().all(|key| entries.contains_key(key.as_str().unwrap()))
        }),
        "properties" => value.as_object().is_none_or(|entries| {
            entries.iter().all(|(key, value)| rule.get(key).is_none_or(|schema| accepts(root, schema, value)))
        }),
        "additionalProperties" => value.as_object().is_none_or(|entries| {
            let known = |key: &String| schema.get("properties").is_some_and(|known| known.get(key).is_some());
            entries.iter().all(|(key, value)| known(key) || accepts(root, rule, value))
        }),
        _ => true,
    })
}

#[test]
fn the_schema_refuses_what_the_reader_refuses() {
    for lines in ["comand: ls", "files: { path: a }", "severity: grave", "then: { dney: a }", "when: tool.befor"] {
        let text = format!("version: 1\nrules: [{{ id: x, {lines} }}]\n");
        assert!(!is_valid(&text), "{lines}");
    }
}

const SAMPLE: &str = "version: 1\nextends: [b]\nrules:\n  - id: &x x\n    when: [tool.before, \"tool.after\"]\n    files: { access: [write], paths: [\"**/*.pem\"] }\n    content: |\n      a\n      b\n    except: { tool: *x }\n    then: { deny: 'No: {{ file.path }}' }\n";

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in any::<String>()) {
        for mistake in collect_text(&text, &SHELF).diagnostics {
            let _ = (mistake.render(true), mistake.to_string());
        }
    }

    #[test]
    fn no_edit_makes_the_reader_panic(edits in prop::collection::vec((0..SAMPLE.len(), ".{0,3}", 0..4_usize), 1..6)) {
        let mut text: Vec<char> = SAMPLE.chars().collect();
        for (at, put, drop) in edits {
            let at = at.min(text.len());
            let end = (at + drop).min(text.len());
            text.splice(at..end, put.chars());
        }
        let text: String = text.into_iter().collect();
        for mistake in collect_text(&text, &SHELF).diagnostics {
            let _ = (mistake.render(true), mistake.to_string());
        }
    }
}

#[test]
fn places_are_counted_in_characters() {
    let text = "version: 1\ndescription: \"ééé\"\nrules: [{ id: é, when: any, then: { audit: a }, ü: 1 }]\n";
    let gathered = collect_text(text, &SHELF);
    let mistake = &gathered.diagnostics[0];
    assert_eq!(mistake.to_string(), "it:3:49: unknown key `ü`");
    let broken = collect_text("version: 1\ndescription: [ééé, @x]\n", &SHELF);
    assert_eq!(broken.diagnostics[0].position(), Some((2, 20)), "{}", broken.diagnostics[0]);
}

/// Returns a policy with one rule that has these lines.
fn with(lines: &str) -> String {
    format!("version: 1\nrules:\n- {{ id: x, when: any, then: {{ audit: a }}, {lines} }}\n")
}

#[test]
fn hostile_files_are_refused_and_not_obeyed() {
    let many = 200_000;
    for (text, code) in [
        ("[".repeat(many), DiagnosticCode::ExceededLimit),
        ("- ".repeat(many), DiagnosticCode::ExceededLimit),
        ("? ".repeat(many), DiagnosticCode::ExceededLimit),
        ("#\n".repeat(many), DiagnosticCode::WrongType),
        (format!("\"{}", "\\".repeat(many)), DiagnosticCode::MalformedYaml),
        (format!("version: 1\nrules:\n{}", "- 1\n".repeat(many)), DiagnosticCode::ExceededLimit),
        (format!("version: 1\n{}", "k: 1\n".repeat(2_000)), DiagnosticCode::DuplicateKey),
        (format!("version: 1\n? {}\n: 1\n", "a".repeat(many)), DiagnosticCode::UnknownKey),
        (with(&format!("files: ['{}']", "{".repeat(many))), DiagnosticCode::InvalidValue),
        (with(&format!("content: {{ regex: '{}' }}", "(".repeat(many))), DiagnosticCode::InvalidValue),
        (with(&format!("content: {{ regex: '{}' }}", "(a|b)".repeat(10_000))), DiagnosticCode::InvalidValue),
        (with(&format!("content: {{ regex: '{}' }}", r"\pL{999}".repeat(9))), DiagnosticCode::InvalidValue),
        (with(&format!("command: '{}'", "(".repeat(many))), DiagnosticCode::InvalidValue),
        (with(&format!("command: '{}a{}'", "(a | ".repeat(many), ")".repeat(many))), DiagnosticCode::InvalidValue),
        (with(&format!("command: '{}'", "a | ".repeat(many))), DiagnosticCode::InvalidValue),
        (with(&format!("if: '{}1'", "not ".repeat(many))), DiagnosticCode::InvalidValue),
        (with(&format!("if: '{}1'", "-".repeat(many))), DiagnosticCode::InvalidValue),
        (with(&format!("description: 'x', if: '1{}'", "+1".repeat(many))), DiagnosticCode::InvalidValue),
    ] {
        let gathered = collect_text(&text, &SHELF);
        assert_eq!(codes(&gathered).first(), Some(&code), "{}", text.chars().take(60).collect::<String>());
        let shown: usize = gathered.diagnostics.iter().map(|mistake| mistake.render(false).len()).sum();
        assert!(shown < 200_000, "{shown} bytes of mistakes");
    }
}
