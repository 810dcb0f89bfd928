//! How well the search tells secrets from what looks like one: lines of the kinds that repositories hold, by hand.
//!
//! The bounds are what was reached when they were written, less a little; a change that falls below one is looked at.

use std::fs;
use std::path::PathBuf;

use ruleward::domain::secret::{Tier, scan};
use serde::Deserialize;

/// Lines of one kind.
#[derive(Deserialize)]
struct Group {
    kind: String,
    lines: Vec<String>,
}

/// How many of some lines are found: by any detector, and by one that is not generic.
#[derive(Default)]
struct DetectionCount {
    lines: usize,
    found: usize,
    surely: usize,
}

/// Counts, and prints the lines that were judged wrong.
fn count_detections(file: &str, has_secret: bool) -> DetectionCount {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/secrets").join(file);
    let groups: Vec<Group> = serde_yaml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let mut total = DetectionCount::default();
    for group in groups {
        let mut count = DetectionCount::default();
        for line in &group.lines {
            let text = line.replace('¦', "");
            let found = scan(&text, |_| true);
            count.lines += 1;
            count.found += usize::from(!found.is_empty());
            count.surely += usize::from(found.iter().any(|finding| finding.tier > Tier::Generic));
            if found.is_empty() == has_secret {
                let ids: Vec<&str> = found.iter().map(|finding| finding.detector.id).collect();
                println!("  {text}  {ids:?}");
            }
        }
        println!("{}: {} of {}, surely {}", group.kind, count.found, count.lines, count.surely);
        total.lines += count.lines;
        total.found += count.found;
        total.surely += count.surely;
    }
    total
}

#[test]
fn secrets_are_told_from_what_looks_like_one() {
    println!("missed:");
    let secrets = count_detections("found.yaml", true);
    println!("taken for one:");
    let others = count_detections("passed.yaml", false);
    let percent = |part: usize, whole: usize| part * 100 / whole;
    println!("found {} of {}, surely {}", secrets.found, secrets.lines, secrets.surely);
    println!("taken {} of {}, surely {}", others.found, others.lines, others.surely);
    assert!(percent(secrets.found, secrets.lines) >= 80);
    assert!(percent(others.found, others.lines) < 12);
    assert!(percent(secrets.surely, secrets.surely + others.surely) >= 97);
}
