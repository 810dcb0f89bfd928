//! What is found in every notation: kinds of secrets and their near twins in the same surroundings, whole files, command
//! lines and lines of special forms. What was reached for each kind stands in `floors.yaml` and may only grow.
//!
//! Each half has notations, names, providers and files of its own. The half `heldout` was written before the code that
//! it measures: its lines are never printed, so that nobody tunes on it. `RULEWARD_CASE=text` prints the misses of the
//! other half in kinds whose name contains the text.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use std::path::PathBuf;

use ruleward::domain::secret::scan;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::common::secret_values::{SeededRng, camel_case};

const HALVES: [&str; 2] = ["tuned", "heldout"];

/// Kinds of values in each notation.
#[derive(Deserialize)]
struct Matrix {
    /// Where a value stands at `⟨⟩`, with its name in one of the styles of [`in_style`].
    notations: Vec<String>,
    /// Notations that say that the value is a secret, so that it has no twin in them.
    revealing: Vec<String>,
    secrets: Vec<MatrixKind>,
    twins: Vec<MatrixKind>,
}

/// Names and values, in every combination or in pairs.
#[derive(Deserialize)]
struct MatrixKind {
    kind: String,
    /// `quoted`: only in notations that have a quote on both sides of the value.
    #[serde(default)]
    only: String,
    /// Whether a reader without knowledge of the provider would call it a secret, too.
    #[serde(default = "yes")]
    fair: bool,
    #[serde(default)]
    names: Vec<String>,
    #[serde(default)]
    values: Vec<String>,
    #[serde(default)]
    pairs: Vec<(String, String)>,
}

const fn yes() -> bool {
    true
}

/// Texts in which secrets stand between `⟪` and `⟫`.
#[derive(Deserialize)]
struct Texts {
    files: Vec<File>,
    ordinary: Vec<File>,
    commands: Vec<String>,
    ordinary_commands: Vec<String>,
    lines: Vec<Lines>,
    near: Vec<Lines>,
}

#[derive(Deserialize)]
struct File {
    path: String,
    text: String,
}

#[derive(Deserialize)]
struct Lines {
    of: String,
    lines: Vec<String>,
}

/// A text with the places of its secrets.
struct Case {
    text: String,
    secrets: Vec<Range<usize>>,
}

impl Case {
    fn new(marked: &str, seed: &str) -> Self {
        let hash = seed
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        let filled = SeededRng(hash).fill(marked);
        let mut case = Self { text: String::new(), secrets: Vec::new() };
        for (at, part) in filled.split(['⟪', '⟫']).enumerate() {
            if at % 2 == 1 {
                case.secrets.push(case.text.len()..case.text.len() + part.len());
            }
            case.text.push_str(part);
        }
        case
    }

    /// Returns how many of the secrets are found, and whether anything else is.
    fn measure(&self) -> (usize, bool) {
        let found = scan(&self.text, |_| true);
        let touches = |secret: &Range<usize>, span: &Range<usize>| secret.start < span.end && span.start < secret.end;
        let known = self.secrets.iter().filter(|secret| found.iter().any(|one| touches(secret, &one.span))).count();
        let others = found.iter().any(|one| !self.secrets.iter().any(|secret| touches(secret, &one.span)));
        (known, others)
    }
}

/// How many of the cases of a kind are judged right.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
struct Score {
    right: usize,
    cases: usize,
}

impl Score {
    fn percent(self) -> f64 {
        let exact = |number: usize| f64::from(u32::try_from(number).unwrap());
        exact(self.right) * 100.0 / exact(self.cases.max(1))
    }
}

/// What was reached for the kinds of a half.
#[derive(Debug, Default, Deserialize)]
struct Scores {
    found: BTreeMap<String, Score>,
    silent: BTreeMap<String, Score>,
    /// Values that are visibly made up, in the form of a provider.
    made_up: BTreeMap<String, Score>,
}

fn read<T: DeserializeOwned>(path: &str) -> T {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/secrets/collection").join(path);
    serde_yaml::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Writes a name into a notation, in the style of its language.
fn in_style(notation: &str, name: &str) -> String {
    let camel = camel_case(name);
    let pascal = camel[..1].to_uppercase() + &camel[1..];
    let header: Vec<String> = name.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect();
    notation
        .replace("{snake}", name)
        .replace("{kebab}", &name.replace('_', "-"))
        .replace("{dot}", &name.replace('_', "."))
        .replace("{words}", &name.replace('_', " "))
        .replace("{camel}", &camel)
        .replace("{Pascal}", &pascal)
        .replace("{Header}", &format!("X-{}", header.join("-")))
        .replace("{CAPS}", &name.to_uppercase())
}

fn is_quoted(notation: &str) -> bool {
    let (before, behind) = notation.split_once("⟨⟩").unwrap();
    ["\"", "'", "`"].iter().any(|quote| before.ends_with(quote) && behind.trim_start_matches('\\').starts_with(quote))
}

impl MatrixKind {
    /// Returns the marked texts: each notation and each value at least once.
    fn texts(&self, notations: &[String]) -> Vec<String> {
        let notations: Vec<&String> =
            notations.iter().filter(|notation| self.only != "quoted" || is_quoted(notation)).collect();
        let pairs = self.pairs.len().max(self.values.len());
        let pair = |at: usize| match self.pairs.as_slice() {
            [] => (
                self.names[at % self.names.len()].as_str(),
                self.values[(at + at / self.values.len()) % self.values.len()].as_str(),
            ),
            pairs => (pairs[at % pairs.len()].0.as_str(), pairs[at % pairs.len()].1.as_str()),
        };
        (0..notations.len().max(pairs))
            .map(|at| {
                let (name, value) = pair(at);
                // Files and lists turn at different speeds, so that no value stays with one notation.
                let notation = notations[(at * 7 + pairs) % notations.len()];
                in_style(notation, name).replace("⟨⟩", &format!("⟪{value}⟫"))
            })
            .collect()
    }
}

/// The marked texts of a half, by kind, with what is measured of them.
fn cases(half: &str) -> Vec<(Measure, String, Vec<String>)> {
    let Matrix { notations, revealing, secrets, twins } = read(&format!("matrix/{half}.yaml"));
    let Texts { files, ordinary, commands, ordinary_commands, lines, near } = read(&format!("texts/{half}.yaml"));
    let mut cases = Vec::new();
    let all = [notations.clone(), revealing].concat();
    for kind in secrets {
        let measure = if kind.fair { Measure::Found } else { Measure::MadeUp };
        cases.push((measure, kind.kind.clone(), kind.texts(&all)));
    }
    for kind in twins {
        let texts = kind.texts(&notations).iter().map(|text| text.replace(['⟪', '⟫'], "")).collect();
        cases.push((Measure::Silent, kind.kind, texts));
    }
    let texts = |files: Vec<File>| -> Vec<String> {
        assert!(files.iter().all(|file| !file.path.is_empty()));
        files.into_iter().map(|file| file.text).collect()
    };
    let files = texts(files);
    cases.push((Measure::Silent, "the rest of files with secrets".to_owned(), files.clone()));
    cases.push((Measure::Found, "files".to_owned(), files));
    cases.push((Measure::Silent, "ordinary files".to_owned(), texts(ordinary)));
    cases.push((Measure::Silent, "the rest of commands with secrets".to_owned(), commands.clone()));
    cases.push((Measure::Found, "commands".to_owned(), commands));
    cases.push((Measure::Silent, "ordinary commands".to_owned(), ordinary_commands));
    cases.extend(lines.into_iter().map(|lines| (Measure::Found, lines.of, lines.lines)));
    cases.extend(near.into_iter().map(|lines| (Measure::Silent, lines.of, lines.lines)));
    cases
}

/// What is counted of a kind.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Measure {
    Found,
    MadeUp,
    Silent,
}

fn measure(half: &str) -> Scores {
    let wanted = std::env::var("RULEWARD_CASE").ok().filter(|_| half == "tuned");
    let mut scores = Scores::default();
    for (measure, kind, texts) in cases(half) {
        let mut score = Score::default();
        for (at, text) in texts.iter().enumerate() {
            let case = Case::new(text, &format!("{half} {kind} {at}"));
            let (known, others) = case.measure();
            let (right, all) = match measure {
                Measure::Silent => (usize::from(!others), 1),
                Measure::Found | Measure::MadeUp => (known, case.secrets.len()),
            };
            score.right += right;
            score.cases += all;
            if right < all && wanted.as_ref().is_some_and(|wanted| kind.contains(wanted.as_str())) {
                println!("{kind}: {right} of {all} in\n{}", case.text);
            }
        }
        let scores = match measure {
            Measure::Found => &mut scores.found,
            Measure::MadeUp => &mut scores.made_up,
            Measure::Silent => &mut scores.silent,
        };
        assert_eq!(scores.insert(kind.clone(), score), None, "{kind} is there twice");
    }
    scores
}

fn total(scores: &BTreeMap<String, Score>) -> Score {
    scores
        .values()
        .fold(Score::default(), |sum, score| Score { right: sum.right + score.right, cases: sum.cases + score.cases })
}

const FLOORS: &str = "floors.yaml";

/// Writes the scores as the floors that hold from now on.
fn write_floors(halves: &[(&str, Scores)]) {
    let mut text =
        String::from("# What `tests/secret_matrix.rs` reached for each kind; `RULEWARD_BLESS=1` writes it again.\n");
    for (half, scores) in halves {
        writeln!(text, "{half}:").unwrap();
        for (measure, kinds) in [("found", &scores.found), ("made_up", &scores.made_up), ("silent", &scores.silent)] {
            writeln!(text, "  {measure}:").unwrap();
            for (kind, Score { right, cases }) in kinds {
                writeln!(text, "    {kind}: {{ right: {right}, cases: {cases} }}").unwrap();
            }
        }
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/secrets/collection").join(FLOORS);
    fs::write(path, text).unwrap();
}

#[test]
fn no_kind_falls_below_its_floor() {
    let halves = HALVES.map(|half| (half, measure(half)));
    for (half, scores) in &halves {
        for (measure, kinds) in [("found", &scores.found), ("made up", &scores.made_up), ("silent", &scores.silent)] {
            for (kind, score) in kinds {
                println!("{half} {measure:<8} {:>5.1} % of {:>4} {kind}", score.percent(), score.cases);
            }
            let sum = total(kinds);
            println!("{half} {measure:<8} {:>5.1} % of {:>4} in all", sum.percent(), sum.cases);
        }
        assert!(total(&scores.found).cases >= 750 && total(&scores.silent).cases >= 750, "{half} is too small");
    }
    if std::env::var_os("RULEWARD_BLESS").is_some() {
        write_floors(&halves);
    }
    let floors: BTreeMap<String, Scores> = read(FLOORS);
    let mut below = Vec::new();
    for (half, scores) in &halves {
        let floors = &floors[*half];
        let pairs = [
            ("found", &scores.found, &floors.found),
            ("made up", &scores.made_up, &floors.made_up),
            ("silent", &scores.silent, &floors.silent),
        ];
        for (measure, scores, floors) in pairs {
            let kinds = |scores: &BTreeMap<String, Score>| -> Vec<(String, usize)> {
                scores.iter().map(|(kind, score)| (kind.clone(), score.cases)).collect()
            };
            assert_eq!(kinds(scores), kinds(floors), "{half} {measure}: the collection changed; bless the floors");
            for (kind, floor) in floors {
                // A case may be lost for a better reason elsewhere; a kind may not.
                let least = floor.right - (floor.cases / 50).max(1).min(floor.right);
                let right = scores[kind].right;
                if right < least {
                    below.push(format!("{half} {measure}: {kind}: {right} of {}, was {}", floor.cases, floor.right));
                }
            }
        }
    }
    assert!(below.is_empty(), "fell below their floors:\n{}", below.join("\n"));
}
