//! The packs that come with the program.
//!
//! Each is there twice: as the text that people read, and as rules that the tests have read and
//! checked (`generate`), so that the hook reads no YAML for them.

use std::borrow::Cow;

use super::compiled::{StoredPart, decode};
use crate::domain::condition::requirements::Requirements;
use crate::domain::event::kind::KindSet;
use crate::domain::event::tool::Accesses;
use crate::domain::policy::prefilter::{CompiledRule, Prefilter};
use crate::domain::shell::{Feature, ProgramFilter, TextHash};

/// A bundled pack.
#[derive(Debug)]
pub struct Pack {
    /// Its name under `extends`.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
    /// The text of its tests.
    pub tests: &'static str,
    compiled: &'static [u8],
}

/// The pack of a name: its text and its tests in `policies`, and what they came to in `policies/compiled`.
macro_rules! pack {
    ($name:literal) => {
        Pack {
            name: $name,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/policies/", $name, ".yaml")),
            tests: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/policies/", $name, ".test.yaml")),
            compiled: include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/policies/compiled/", $name, ".bin")),
        }
    };
}

#[rustfmt::skip]
#[path = "generated/packs.rs"]
mod packs;

#[rustfmt::skip]
#[path = "generated/defaults.rs"]
mod defaults;

/// The pack that applies unless a policy says otherwise.
pub const RECOMMENDED: &str = "recommended";

/// Every bundled pack, by name.
pub static PACKS: &[Pack] = packs::PACKS;

/// The recipes: a policy for each use, to be taken as it is or to be copied and changed.
pub static COOKBOOK: &[Pack] = packs::COOKBOOK;

/// What is before the name of a recipe.
pub const COOKBOOK_PREFIX: &str = "cookbook/";

impl Pack {
    /// Returns the comment that a recipe begins with.
    pub fn comment(&self) -> String {
        let lines = self.text.lines().skip(1).map_while(|line| line.strip_prefix('#'));
        lines.map(str::trim).collect::<Vec<_>>().join("\n")
    }

    /// Returns what the pack is for, as its text says.
    pub fn description(&self) -> &'static str {
        self.text.lines().find_map(|line| line.strip_prefix("description: ")).unwrap_or_default().trim_matches('"')
    }

    /// Returns the pack and all that it extends.
    ///
    /// # Errors
    /// Returns that the program was built wrongly.
    pub fn parts(&self) -> Result<Vec<StoredPart>, postcard::Error> {
        decode(self.compiled)
    }
}

/// The rules of the pack that applies unless a policy says otherwise. They are part of the program
/// as they are: a hook touches the guards and the few rules that may hold.
pub static DEFAULTS: &[CompiledRule] = defaults::RULES;

/// The compiled pack [`RECOMMENDED`], which the rules of [`DEFAULTS`] are parts of. The program has it once, as long as
/// both statics are made in this module.
const RULES: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/policies/compiled/recommended.bin"));

/// Returns a rule that is in [`RULES`] from some place on.
const fn rule(
    id: &'static str,
    source: &'static str,
    kinds: u64,
    requirements: Requirements,
    at: usize,
    len: usize,
) -> CompiledRule {
    let rule = Cow::Borrowed(RULES.split_at(at).1.split_at(len).0);
    let prefilter = Prefilter { kinds: KindSet(kinds), requirements };
    CompiledRule { id: Cow::Borrowed(id), source: Cow::Borrowed(source), prefilter, rule }
}

const fn requirements(
    required: u32,
    features: &'static [Feature],
    accesses: u8,
    actions: u8,
    reasons: u16,
    secrets: u8,
    any: &'static [Requirements],
) -> Requirements {
    let (features, any) = (Cow::Borrowed(features), Cow::Borrowed(any));
    Requirements { required, features, accesses: Accesses(accesses), actions, reasons, secrets, any }
}

const fn any(word: Option<u32>, option: bool) -> Feature {
    feature(ProgramFilter::Any, word, option)
}

const fn named(program: u32, word: Option<u32>, option: bool) -> Feature {
    feature(ProgramFilter::Named(TextHash(program)), word, option)
}

const fn begins(program: u8, word: Option<u32>, option: bool) -> Feature {
    feature(ProgramFilter::Begins(program), word, option)
}

const fn feature(program: ProgramFilter, word: Option<u32>, option: bool) -> Feature {
    let word = match word {
        Some(word) => Some(TextHash(word)),
        None => None,
    };
    Feature { program, word, option }
}

/// Returns every pack and every recipe.
pub fn all_packs() -> impl Iterator<Item = &'static Pack> {
    PACKS.iter().chain(COOKBOOK)
}

/// Returns the pack or the recipe of a name.
pub fn find_pack(name: &str) -> Option<&'static Pack> {
    let packs = if name.starts_with(COOKBOOK_PREFIX) { COOKBOOK } else { PACKS };
    packs.iter().find(|pack| pack.name == name)
}

#[cfg(test)]
mod tests {
    use super::{RECOMMENDED, all_packs, find_pack};
    use crate::domain::layer::Layer;

    #[test]
    fn every_pack_is_stored_whole() {
        for pack in all_packs() {
            let parts = pack.parts().unwrap();
            let rules: usize = parts.iter().map(|part| part.clone().into_part(Layer::Bundled).rules.len()).sum();
            assert!(rules > 0, "{}", pack.name);
        }
        assert!(find_pack(RECOMMENDED).is_some() && find_pack("cookbook/gates").is_some());
    }
}
