//! Every shape of a detector holds for more than its examples: values are made from its expression, with right and
//! wrong checksums, and names are given them in the notations of many languages.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind};
use ruleward::domain::secret::check::{Check, CheckKind};
use ruleward::domain::secret::spec::{DetectorSpec, FailedProof};
use ruleward::domain::secret::{Tier, scan};
use ruleward::io::policy::detectors::read_files;
use ruleward::io::policy::diagnostic::SourceText;

const BASE62_UPPER_FIRST: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE62_LOWER_FIRST: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

fn entries() -> Vec<DetectorSpec> {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("policies/detectors");
    let mut paths: Vec<PathBuf> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let source = |path: &PathBuf| SourceText::new(path.display().to_string(), fs::read_to_string(path).unwrap());
    read_files(&paths.iter().map(source).collect::<Vec<Arc<SourceText>>>()).unwrap()
}

/// A source of numbers that look random and are the same in every run.
struct SeededRng(u64);

impl SeededRng {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound.max(1)
    }

    /// Makes a text that an expression matches.
    fn generate(&mut self, hir: &Hir, text: &mut String) {
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => text.push_str(std::str::from_utf8(&literal.0).unwrap()),
            HirKind::Class(class) => text.push(self.character(class)),
            HirKind::Repetition(repetition) => {
                let most = repetition.max.unwrap_or(repetition.min + 8).min(repetition.min + 8);
                let count = repetition.min as usize + self.below((most - repetition.min) as usize + 1);
                for _ in 0..count {
                    self.generate(&repetition.sub, text);
                }
            }
            HirKind::Capture(capture) => self.generate(&capture.sub, text),
            HirKind::Concat(parts) => parts.iter().for_each(|part| self.generate(part, text)),
            HirKind::Alternation(parts) => {
                let part = self.below(parts.len());
                self.generate(&parts[part], text);
            }
        }
    }

    fn character(&mut self, class: &Class) -> char {
        let ranges: Vec<(u8, u8)> = match class {
            Class::Bytes(class) => class.ranges().iter().map(|range| (range.start(), range.end())).collect(),
            Class::Unicode(class) => {
                let byte = |sign: char| u8::try_from(sign).unwrap();
                class.ranges().iter().map(|range| (byte(range.start()), byte(range.end()))).collect()
            }
        };
        let signs: Vec<u8> = ranges.into_iter().flat_map(|(start, end)| start..=end).collect();
        // Signs that end a line or a value in some notation are not what this is about.
        let plain: Vec<u8> = signs.iter().copied().filter(u8::is_ascii_alphanumeric).collect();
        let from = if plain.is_empty() { &signs } else { &plain };
        char::from(from[self.below(from.len())])
    }
}

fn parse(expression: &str) -> Hir {
    ParserBuilder::new().unicode(false).utf8(false).build().parse(expression).unwrap()
}

fn crc32(text: &str) -> u32 {
    let table: Vec<u32> =
        (0..256).map(|n| (0..8).fold(n, |c, _| if c & 1 == 1 { 0xedb8_8320 ^ (c >> 1) } else { c >> 1 })).collect();
    !text.bytes().fold(!0, |crc, byte| table[((crc ^ u32::from(byte)) & 255) as usize] ^ (crc >> 8))
}

fn encode_number(number: u32, digits: &[u8], len: usize) -> String {
    let mut rest = number as usize;
    let mut signs = vec![digits[0]; len];
    for sign in signs.iter_mut().rev() {
        *sign = digits[rest % digits.len()];
        rest /= digits.len();
    }
    String::from_utf8(signs).unwrap()
}

/// Puts the checksum into a value, as its vendor does; `None` for what is proved by structure instead.
fn with_checksum(check: Check, value: &str) -> Option<String> {
    let cut = |signs: usize| &value[..value.len() - signs];
    Some(match check {
        Check::Crc32Base62 => {
            let body = cut(6).rsplit('_').next().unwrap();
            format!("{}{}", cut(6), encode_number(crc32(body), BASE62_UPPER_FIRST, 6))
        }
        Check::Crc32Base62Lower => format!("{}{}", cut(6), encode_number(crc32(cut(6)), BASE62_LOWER_FIRST, 6)),
        Check::Crc32Base62All => format!("{}{}", cut(6), encode_number(crc32(cut(7)), BASE62_UPPER_FIRST, 6)),
        Check::Crc32Hex => format!("{}{:08x}", cut(8), crc32(cut(9)).swap_bytes()),
        Check::Crc32HexBody => {
            let body = cut(8).split_once('_').unwrap().1;
            format!("{}{:08x}", cut(8), crc32(body.trim_end_matches('_')))
        }
        Check::Crc32Equals => format!("{}{:08X}", cut(8), crc32(cut(8))),
        Check::Crc32Base36 => {
            let head = cut(9);
            let payload = head.split_once('-').unwrap().1.split('.').next().unwrap();
            let digits = &BASE62_LOWER_FIRST[..36];
            let head = format!("{head}{}", encode_number(u32::try_from(payload.len()).unwrap(), digits, 2));
            format!("{head}{}", encode_number(crc32(&head), digits, 7))
        }
        _ => return None,
    })
}

#[test]
fn values_made_from_an_expression_are_found() {
    let mut dice = SeededRng(3);
    let mut wrong = Vec::new();
    for entry in entries() {
        let Some(token) = &entry.token else { continue };
        let hir = parse(token);
        let mut tried = 0;
        for _ in 0..400 {
            let mut value = String::new();
            dice.generate(&hir, &mut value);
            let proof = entry.check.filter(|check| check.kind() == CheckKind::Proof);
            if let Some(sum) = proof.and_then(|check| with_checksum(check, &value)) {
                value = sum;
            }
            // What a filter refuses, chance makes seldom; what only a structure proves, never.
            if entry.check.is_some_and(|check| !check.holds(&value)) {
                continue;
            }
            tried += 1;
            let text = format!("x = \"{value}\"\n");
            let found = scan(&text, |row| row.id == entry.id);
            let least = if proof.is_some() && entry.tier != ruleward::domain::secret::spec::DeclaredTier::Generic {
                Tier::Proved
            } else {
                entry.tier.into()
            };
            let whole = found.first().is_some_and(|one| text[one.span.clone()] == value && one.tier >= least);
            if !whole {
                wrong.push(format!("{}: {value} gives {:?}", entry.id, found.first().map(|one| one.tier)));
            }
            if tried == 12 {
                break;
            }
        }
        let made = entry.check.is_none_or(|check| {
            check.kind() == CheckKind::Filter || with_checksum(check, &"_a.b-c".repeat(8)).is_some()
        });
        assert!(tried > 0 || !made, "{}: no value passes its check", entry.id);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_wrong_checksum_lowers_the_tier() {
    let mut dice = SeededRng(4);
    for entry in entries() {
        let (Some(token), Some(check)) = (&entry.token, entry.check) else { continue };
        if check.kind() != CheckKind::Proof {
            continue;
        }
        for _ in 0..12 {
            let mut value = String::new();
            dice.generate(&parse(token), &mut value);
            let text = format!("x = \"{value}\"\n");
            let found = scan(&text, |row| row.id == entry.id);
            let tier = found.first().map(|one| one.tier);
            match entry.lookalike {
                FailedProof::Drop => assert_eq!(tier, None, "{}: {value}", entry.id),
                FailedProof::Generic => assert!(tier.is_none_or(|tier| tier == Tier::Generic), "{}: {value}", entry.id),
            }
        }
    }
}

#[test]
fn names_are_given_values_in_many_notations() {
    let mut wrong = Vec::new();
    for entry in entries() {
        if entry.assigned.is_none() {
            continue;
        }
        let sample = entry.examples.secret[0].replace('¦', "");
        let found = scan(&sample, |row| row.id == entry.id);
        let value = &sample[found.first().unwrap_or_else(|| panic!("{} in {sample}", entry.id)).span.clone()];
        let before = &sample[..found[0].span.start];
        let name = before.trim_end_matches(|sign: char| !sign.is_ascii_alphanumeric());
        let name = name.rsplit(|sign: char| !(sign.is_ascii_alphanumeric() || "_-.".contains(sign))).next().unwrap();
        let texts = [
            format!("{name}={value}\n"),
            format!("# settings\nexport {name}='{value}'\n"),
            format!("env:\n  {name}: {value}\n"),
            format!("env:\n  {name}: \"{value}\" # old\n"),
            format!("{{\"a\": 1, \"{name}\": \"{value}\", \"b\": 2}}"),
            format!("{{\\\"{name}\\\": \\\"{value}\\\"}}"),
            format!("const {name} = \"{value}\";"),
            format!("{name} := `{value}`"),
            format!("let {name}: &str = \"{value}\";"),
            format!("'{name}' => '{value}',"),
            format!("os.environ[\"{name}\"] = \"{value}\""),
            format!("env.put(\"{name}\", \"{value}\");"),
            format!("<add key=\"{name}\" value=\"{value}\"/>"),
            format!("<{name}>{value}</{name}>"),
            format!("run --{name} {value}"),
            format!("+{name}={value}\n-{name}=\n"),
            format!("ENV {name}={value}\n"),
            format!("// {name} = \"{value}\" until May"),
        ];
        for text in texts {
            let found = scan(&text, |row| row.id == entry.id);
            if found.first().map(|one| &text[one.span.clone()]) != Some(value) {
                wrong.push(format!("{}: {text}", entry.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}
