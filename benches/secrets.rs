//! The search for secrets within the process: megabytes of ordinary text in a second, on one core.
//!
//! `cargo bench --bench secrets -- DIRECTORY` reads ten megabytes of sources below the directory (by default those of
//! cargo's registry, or else this project's own) and searches them with all detectors, and with those that refuse.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic,
    clippy::print_stdout,
    reason = "here a panic is how a failure is told"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use ruleward::domain::secret::{Detector, Tier, scan};

const CORPUS_BYTES: usize = 10 << 20;
const ROUNDS: usize = 15;

fn main() {
    let named = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).map(PathBuf::from);
    let registry = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = std::env::home_dir().map(|home| home.join(".cargo"));
    let sources =
        named.or_else(|| registry.or(home).map(|cargo| cargo.join("registry/src"))).filter(|path| path.is_dir());
    let directory = sources.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    let mut text = String::new();
    read_corpus(&directory, &mut text);
    println!("{:.1} MB of {}", megabyte_count(&text), directory.display());
    measure("all detectors", &text, |_| true);
    measure("refusing detectors", &text, |detector| detector.tier > Tier::Generic);
    measure("no detector", &text, |_| false);
    for finding in scan(&text, |detector| detector.tier > Tier::Generic) {
        println!("{} ({}): line {}", finding.masked(&text), finding.tier.name(), finding.line);
    }
}

fn read_corpus(directory: &Path, text: &mut String) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if text.len() >= CORPUS_BYTES {
            return;
        }
        let known = ["rs", "md", "toml", "py", "js", "ts", "go", "yaml", "c", "h"];
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if path.is_dir() {
            read_corpus(&path, text);
        } else if known.contains(&extension) {
            text.push_str(&fs::read_to_string(&path).unwrap_or_default());
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a rate is read to three digits")]
fn megabyte_count(text: &str) -> f64 {
    text.len() as f64 / 1e6
}

fn measure(name: &str, text: &str, wanted: impl Fn(&Detector) -> bool) {
    let mut times: Vec<f64> = Vec::new();
    let mut found = 0;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        found = scan(text, &wanted).len();
        times.push(start.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    println!("{name:<20} {:>7.0} MB/s, {found} findings", megabyte_count(text) / times[ROUNDS / 2]);
}
