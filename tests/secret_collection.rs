//! What is found in lines as strangers have them, line by line: values by the formats that providers document, put into
//! surroundings, and lines that only look like one.
//!
//! The lines are forms in `tests/secrets/collection`; values are filled in here, so that no scanner takes the files for
//! a leak. How a hole is filled says `tests/common/secret_values.rs`. One file was there while detectors were
//! tuned, the other was measured when that was done. What is found in each line is a snapshot for each group of lines.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use ruleward::domain::secret::{Tier, scan};
use serde::Deserialize;

use crate::common::secret_values::{SeededRng, camel_case};

/// A file of lines.
#[derive(Deserialize)]
struct Collection {
    /// Where a value stands at `⟨⟩`, with its name at `plain`, `kebab`, `camel` or `capitals`.
    surroundings: Vec<String>,
    values: Vec<Values>,
    lines: Vec<Lines>,
    near: Vec<Lines>,
}

/// The values of a provider, by the names that people give them.
#[derive(Deserialize)]
struct Values {
    of: String,
    /// Whether the provider is one of the large ones.
    #[serde(default)]
    large: bool,
    names: BTreeMap<String, Vec<String>>,
}

/// Whole texts.
#[derive(Deserialize)]
struct Lines {
    of: String,
    lines: Vec<String>,
}

/// What is found in a text: the best tier with its detector.
fn verdict(text: &str) -> (Option<Tier>, String) {
    let best = scan(text, |_| true).into_iter().max_by_key(|finding| finding.tier);
    best.map_or((None, "-".to_owned()), |it| (Some(it.tier), format!("{} {}", it.tier.name(), it.detector.id)))
}

#[derive(Default)]
struct DetectionCount {
    lines: usize,
    found: usize,
    refused: usize,
}

impl DetectionCount {
    fn add(&mut self, tier: Option<Tier>) {
        self.lines += 1;
        self.found += usize::from(tier.is_some());
        self.refused += usize::from(tier.is_some_and(|tier| tier > Tier::Generic));
    }
}

/// Compares what is found in a collection with its snapshots: one of the sums, and one of each group, line by line.
fn assert_findings(collection_name: &str) {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/secrets/collection");
    let path = directory.join(format!("{collection_name}.yaml"));
    let collection: Collection = serde_yaml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let mut dice = SeededRng(20);
    let mut sums: BTreeMap<&str, DetectionCount> = BTreeMap::new();
    let mut groups: Vec<(&str, String)> = Vec::new();
    let mut turn = 0;
    for Values { of, large, names } in &collection.values {
        let mut lines = format!("{of}\n");
        for (name, forms) in names {
            for form in forms {
                for _ in 0..4 {
                    let around = &collection.surroundings[turn % collection.surroundings.len()];
                    turn += 1;
                    let around = around
                        .replace("plain", name)
                        .replace("kebab", &name.replace('_', "-"))
                        .replace("camel", &camel_case(name))
                        .replace("CAPITALS", &name.to_uppercase())
                        .replace("capitals", &name.to_uppercase());
                    let line = around.replace("⟨⟩", form);
                    let (tier, found) = verdict(&dice.fill(&line));
                    let kind = if *large { "values of large providers" } else { "values of others" };
                    sums.entry(kind).or_default().add(tier);
                    writeln!(lines, "  {found:<34} {}", line.escape_debug()).unwrap();
                }
            }
        }
        groups.push((of, lines));
    }
    for (of_kind, kind) in [(&collection.lines, "lines and blocks"), (&collection.near, "near misses")] {
        for Lines { of, lines: texts } in of_kind {
            let mut lines = format!("{of}\n");
            for text in texts {
                for _ in 0..if kind == "near misses" { 1 } else { 3 } {
                    let (tier, found) = verdict(&dice.fill(text));
                    sums.entry(kind).or_default().add(tier);
                    writeln!(lines, "  {found:<34} {}", text.escape_debug()).unwrap();
                }
            }
            groups.push((of, lines));
        }
    }
    let sums = sums.iter().fold(String::new(), |mut text, (kind, count)| {
        writeln!(text, "{kind}: {} of {} found, {} refused", count.found, count.lines, count.refused).unwrap();
        text
    });
    groups.push(("sums", sums));
    for (of, found) in groups {
        let words: Vec<&str> = of.split([' ', ',']).filter(|word| !word.is_empty()).collect();
        insta::with_settings!({ snapshot_suffix => format!("{collection_name}__{}", words.join("-")) }, {
            insta::assert_snapshot!("found", found);
        });
    }
}

#[test]
fn what_is_found_in_the_lines_that_detectors_were_tuned_on() {
    assert_findings("tuned");
}

#[test]
fn what_is_found_in_other_lines() {
    assert_findings("heldout");
}
