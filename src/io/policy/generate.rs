//! Makes what the program has of `policies`: tables of the bundled detectors, packs that were read and checked, and the
//! rules of the default policy as constants. Part of the tests alone.
//!
//! Written with `RULEWARD_BLESS=1 cargo test --lib generate`, compared by every other run. What is made rests on the
//! texts in `policies` and not on what the program has of them, which may be old.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memchr::memmem;

use super::builtin::{COOKBOOK_PREFIX, RECOMMENDED};
use super::code::DiagnosticCode;
use super::collect::{OpenedSource, PolicySource, SourceError, collect};
use super::compiled::{StoredPart, encode};
use super::detectors::read_files;
use super::diagnostic::{Diagnostic, SourceText};
use crate::domain::condition::requirements::Requirements;
use crate::domain::condition::{Conditions, FileAccess};
use crate::domain::layer::Layer;
use crate::domain::policy::prefilter::CompiledRule;
use crate::domain::policy::rule::Rule;
use crate::domain::secret::DETECTORS;
use crate::domain::secret::generate::generate;
use crate::domain::secret::spec::DetectorSpec;
use crate::domain::shell::{Feature, ProgramFilter, TextHash};
use crate::domain::text::path::Glob;
use crate::domain::text::suggest;
use crate::io::files;

/// Files, by their path in the repository.
type Files = BTreeMap<String, Vec<u8>>;

/// The texts of packs, by name.
struct Texts(BTreeMap<String, Arc<SourceText>>);

impl PolicySource for Texts {
    fn read_policy_file(&self, _: &SourceText, name: &str) -> Result<OpenedSource, SourceError> {
        self.0.get(name).cloned().map(OpenedSource::Text).ok_or_else(|| SourceError {
            code: DiagnosticCode::UnknownExtends,
            message: suggest::unknown_among("pack", name, self.0.keys().map(String::as_str)),
            help: None,
        })
    }
}

#[test]
fn tables_of_detectors_are_up_to_date() {
    let folder = "src/domain/secret/generated";
    let made = generate(&detectors()).unwrap();
    compare(&[folder], &made.into_iter().map(|(name, bytes)| (format!("{folder}/{name}"), bytes)).collect());
}

#[test]
fn compiled_packs_are_up_to_date() {
    let (packs, recipes) = (texts("policies", ""), texts("policies/cookbook", COOKBOOK_PREFIX));
    // The detectors that a pack names may be so new that the program does not have them yet.
    let has_all = detectors().iter().map(|entry| entry.id.as_str()).eq(DETECTORS.iter().map(|row| row.id));
    let compile = |source: &Arc<SourceText>| compile(source, &packs, has_all);
    let compiled = |(name, source): (&String, &Arc<SourceText>)| {
        (format!("policies/compiled/{name}.bin"), encode(&compile(source)).unwrap())
    };
    let mut made: Files = packs.0.iter().chain(&recipes.0).map(compiled).collect();
    let recommended =
        compile(&packs.0[RECOMMENDED]).iter().flat_map(|part| part.compiled_rules().unwrap()).collect::<Vec<_>>();
    let rules = rules(&recommended, &made[&format!("policies/compiled/{RECOMMENDED}.bin")]);
    made.insert("src/io/policy/generated/packs.rs".into(), list(&packs, &recipes).into_bytes());
    made.insert("src/io/policy/generated/defaults.rs".into(), rules.into_bytes());
    compare(&["policies/compiled", "src/io/policy/generated"], &made);
}

/// The packs whose files are protected from calls that are approved.
const PROTECTING_PACKS: [&str; 3] = ["credentials", "persistence", "self-protection"];

#[test]
fn tables_of_protected_files_are_up_to_date() {
    let packs = texts("policies", "");
    let has_all = detectors().iter().map(|entry| entry.id.as_str()).eq(DETECTORS.iter().map(|row| row.id));
    let mut text = String::from(
        "//! The table of protected files, made of `policies`: `RULEWARD_BLESS=1 cargo test` rewrites it.

use super::path::ProtectedFiles;

pub(super) const PROTECTED: &[ProtectedFiles] = &[
",
    );
    for name in PROTECTING_PACKS {
        for part in compile(&packs.0[name], &packs, has_all) {
            for packed in part.compiled_rules().unwrap() {
                add_protected(&packed.decode().unwrap(), &mut text);
            }
        }
    }
    text.push_str("];\n");
    let folder = "src/domain/facts/proof/generated";
    compare(&[folder], &[(format!("{folder}/mod.rs"), text.into_bytes())].into());
}

/// Adds the files that a rule names, in any of its branches.
fn add_protected(rule: &Rule, text: &mut String) {
    fn add(conditions: &Conditions, text: &mut String) {
        // A rule about what is written says nothing of the file that it is written to.
        let files = conditions.files.as_ref().filter(|files| !files.paths.is_empty() && conditions.content.is_none());
        if let Some(files) = files {
            let is_read = |access: &FileAccess| matches!(access, FileAccess::Read | FileAccess::Reveal);
            let is_shown = files.access.is_empty() || files.access.iter().any(is_read);
            let list =
                |globs: &[Glob]| globs.iter().map(|glob| format!("{:?}", glob.source())).collect::<Vec<_>>().join(", ");
            let (paths, except) = (list(&files.paths), list(&files.except));
            let _ = writeln!(
                text,
                "    ProtectedFiles {{ paths: &[{paths}], except: &[{except}], is_shown: {is_shown} }},"
            );
        }
        conditions.any.iter().flatten().for_each(|branch| add(branch, text));
    }
    add(&rule.conditions, text);
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Compares what was made with all files in some folders; or writes it, when that is asked for.
fn compare(folders: &[&str], made: &Files) {
    let names = folders.iter().flat_map(|folder| files::list_recursive(&path(folder), "").unwrap()).map(|file| {
        let parts = file.strip_prefix(path("")).unwrap().iter().map(|part| part.to_str().unwrap().to_owned());
        parts.collect::<Vec<_>>().join("/")
    });
    let stored: Vec<String> = names.collect();
    let old = stored.iter().filter(|name| !made.contains_key(*name));
    if std::env::var_os("RULEWARD_BLESS").is_some() {
        old.for_each(|name| fs::remove_file(path(name)).unwrap());
        for (name, bytes) in made {
            fs::create_dir_all(path(name).parent().unwrap()).unwrap();
            // What stays the same keeps its time, so that nothing is compiled again for it.
            if fs::read(path(name)).ok().as_ref() != Some(bytes) {
                fs::write(path(name), bytes).unwrap();
            }
        }
        return;
    }
    let differs = |(name, bytes): &(&String, &Vec<u8>)| fs::read(path(name)).ok().as_ref() != Some(*bytes);
    let wrong: Vec<&String> = old.chain(made.iter().filter(differs).map(|(name, _)| name)).collect();
    assert!(
        wrong.is_empty(),
        "{wrong:?} are not what `policies` says: run RULEWARD_BLESS=1 cargo test --lib generate, and the tests again"
    );
}

/// Reads the bundled detectors of secrets.
fn detectors() -> Vec<DetectorSpec> {
    let read = |file: PathBuf| {
        let name = file.file_name().unwrap().to_str().unwrap();
        SourceText::new(format!("policies/detectors/{name}"), fs::read_to_string(&file).unwrap())
    };
    let files: Vec<Arc<SourceText>> =
        files::list_recursive(&path("policies/detectors"), ".yaml").unwrap().into_iter().map(read).collect();
    read_files(&files).unwrap_or_else(|mistakes| panic!("{}", rendered(&mistakes)))
}

fn rendered<'d>(mistakes: impl IntoIterator<Item = &'d Diagnostic>) -> String {
    mistakes.into_iter().map(|mistake| mistake.render(false)).collect::<Vec<_>>().join("\n\n")
}

/// Returns the texts of a folder's packs, by their names behind a prefix.
fn texts(folder: &str, prefix: &str) -> Texts {
    let names = fs::read_dir(path(folder)).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let packs = names.filter_map(|name| name.strip_suffix(".yaml").filter(|name| !name.contains('.')).map(Into::into));
    let read = |name: String| {
        let text = fs::read_to_string(path(folder).join(format!("{name}.yaml"))).unwrap();
        let name = format!("{prefix}{name}");
        (name.clone(), SourceText::new(name, text))
    };
    Texts(packs.map(read).collect())
}

/// Returns a pack and all that it extends.
fn compile(source: &Arc<SourceText>, texts: &Texts, has_all_detectors: bool) -> Vec<StoredPart> {
    // Which hosts there are is no knowledge of this layer; a test of the program looks at that.
    let collected = collect(std::slice::from_ref(source), Layer::Bundled, texts, &[]);
    let mistakes =
        collected.diagnostics.iter().filter(|it| has_all_detectors || it.code != DiagnosticCode::UnknownDetector);
    let mistakes = rendered(mistakes);
    assert!(mistakes.is_empty(), "{mistakes}");
    collected.parts.into_iter().map(|piece| StoredPart::from_part(piece.part)).collect()
}

/// Returns the source of the list of packs and recipes.
fn list(packs: &Texts, recipes: &Texts) -> String {
    let mut text = String::from(
        "//! The table of bundled packs, made of `policies`: `RULEWARD_BLESS=1 cargo test` rewrites it.
//!
//! Of a pack whose file is gone, the line must be taken out by hand: without the file nothing compiles.

use super::Pack;
",
    );
    for (name, texts) in [("PACKS", packs), ("COOKBOOK", recipes)] {
        let _ = writeln!(text, "\npub(super) const {name}: &[Pack] = &[");
        for name in texts.0.keys() {
            let _ = writeln!(text, "    pack!({name:?}),");
        }
        text.push_str("];\n");
    }
    text
}

/// Returns the source of packed rules, each of which is somewhere in a compiled pack.
fn rules(rules: &[CompiledRule], compiled: &[u8]) -> String {
    let mut text = String::from(
        "//! The table of the rules that apply unless a policy says otherwise, made of `policies`:
//! `RULEWARD_BLESS=1 cargo test` rewrites it.
#![expect(clippy::unreadable_literal, reason = \"the numbers encode words\")]

use super::{any, begins, named, requirements, rule};
use crate::domain::policy::prefilter::CompiledRule;

pub(super) const RULES: &[CompiledRule] = &[
",
    );
    for CompiledRule { id, source, prefilter, rule } in rules {
        let at = memmem::find(compiled, rule).expect("a rule is encoded in a pack as it is by itself");
        let (when, needs) = (prefilter.kinds.0, requirements(&prefilter.requirements));
        let _ = writeln!(text, "    rule({id:?}, {source:?}, {when}, {needs}, {at}, {}),", rule.len());
    }
    text.push_str("];\n");
    text
}

fn requirements(requirements: &Requirements) -> String {
    let Requirements { required, features, accesses, actions, reasons, secrets, any } = requirements;
    let (features, any) = (constant(features.iter().map(feature)), constant(any.iter().map(self::requirements)));
    format!("requirements({required}, {features}, {}, {actions}, {reasons}, {secrets}, {any})", accesses.0)
}

/// Returns the source of a list. What calls of functions return is a constant only where that is said.
fn constant(items: impl Iterator<Item = String>) -> String {
    let items = items.collect::<Vec<_>>().join(", ");
    if items.is_empty() { "&[]".to_owned() } else { format!("const {{ &[{items}] }}") }
}

fn feature(Feature { program, word, option }: &Feature) -> String {
    let word = word.map(|TextHash(word)| word);
    match program {
        ProgramFilter::Any => format!("any({word:?}, {option})"),
        ProgramFilter::Named(TextHash(name)) => format!("named({name}, {word:?}, {option})"),
        ProgramFilter::Begins(initial) => format!("begins({initial}, {word:?}, {option})"),
    }
}
