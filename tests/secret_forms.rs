//! Forms in which secrets stand: each line of `tests/secrets/forms/found.yaml` has one, its nearest twins in
//! `passed.yaml` have none.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use ruleward::domain::secret::{Tier, scan};
use serde::Deserialize;

/// The lines of a file, by kind.
#[derive(Deserialize)]
struct Forms {
    /// What `⟨name⟩` stands for in the lines.
    values: BTreeMap<String, String>,
    #[serde(default)]
    found: Vec<Group>,
    #[serde(default)]
    passed: Vec<Group>,
}

#[derive(Deserialize)]
struct Group {
    kind: String,
    lines: Vec<String>,
}

fn forms(file: &str) -> Forms {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/secrets/forms").join(file);
    serde_yaml::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Returns the lines with their values, each with its kind.
fn texts<'f>(groups: &'f [Group], values: &BTreeMap<String, String>) -> Vec<(&'f str, String)> {
    let fill = |line: &String| {
        let filled = values.iter().fold(line.clone(), |line, (name, value)| line.replace(&format!("⟨{name}⟩"), value));
        filled.replace('¦', "")
    };
    groups.iter().flat_map(|group| group.lines.iter().map(move |line| (group.kind.as_str(), fill(line)))).collect()
}

#[test]
fn secrets_are_found_in_every_form() {
    let Forms { values, found, .. } = forms("found.yaml");
    let texts = texts(&found, &values);
    let missed: Vec<String> = texts
        .iter()
        .filter(|(_, text)| scan(text, |_| true).is_empty())
        .map(|(kind, text)| format!("{kind}: {text}"))
        .collect();
    assert!(missed.is_empty(), "{} of {} missed:\n{}", missed.len(), texts.len(), missed.join("\n"));
}

#[test]
fn the_nearest_lines_without_a_secret_pass() {
    let Forms { values, passed, .. } = forms("passed.yaml");
    let texts = texts(&passed, &values);
    let taken: Vec<String> = texts
        .iter()
        .filter_map(|(kind, text)| {
            let finding = scan(text, |_| true).into_iter().next()?;
            Some(format!("{kind}: {} in {text}", finding.detector.id))
        })
        .collect();
    assert!(taken.is_empty(), "{} of {} found:\n{}", taken.len(), texts.len(), taken.join("\n"));
}

/// A name that may be of anything and a place beside a name make a value likely, and never sure.
#[test]
fn weak_surroundings_ask() {
    let Forms { values, found, .. } = forms("found.yaml");
    let weak = ["names that end in key, with every operator"];
    for (kind, text) in texts(&found, &values).iter().filter(|(kind, _)| weak.contains(kind)) {
        let tiers: Vec<Tier> = scan(text, |_| true).iter().map(|finding| finding.tier).collect();
        assert_eq!(tiers, [Tier::Generic], "{kind}: {text}");
    }
}
