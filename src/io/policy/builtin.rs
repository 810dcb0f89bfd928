//! The packs that come with the program.
//!
//! Each is there twice: as the text that people read, and as rules that were read and checked when
//! the program was built, so that the hook reads no YAML for them.

use super::compiled::{Stored, decode};
use crate::domain::guard::Packed;

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

/// The pack that applies unless a policy says otherwise.
pub const RECOMMENDED: &str = "recommended";

/// Every bundled pack, by name.
pub const PACKS: &[Pack] = include!(concat!(env!("OUT_DIR"), "/packs.rs"));

/// The recipes: a policy for each use, to be taken as it is or to be copied and changed.
pub const COOKBOOK: &[Pack] = include!(concat!(env!("OUT_DIR"), "/cookbook.rs"));

/// What stands before the name of a recipe.
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
    pub fn parts(&self) -> Result<Vec<Stored>, String> {
        decode(self.compiled)
    }
}

/// The rules of the pack that applies unless a policy says otherwise. They are part of the program
/// as they stand: a hook touches the guards and the few rules that may hold.
#[expect(clippy::unreadable_literal, reason = "the numbers stand for words, and nobody reads them")]
pub const DEFAULTS: &[Packed] = {
    use std::borrow::Cow;

    use crate::domain::guard::{Guard, Needs};
    use crate::domain::kind::Moments;
    use crate::domain::shell::{Mark, Program, Sign};
    use crate::domain::tool::Accesses;

    static RULES: &[Packed] = include!(concat!(env!("OUT_DIR"), "/defaults.rs"));
    RULES
};

/// Returns every pack and every recipe.
pub fn all() -> impl Iterator<Item = &'static Pack> {
    PACKS.iter().chain(COOKBOOK)
}

/// Returns the pack or the recipe of a name.
pub fn find(name: &str) -> Option<&'static Pack> {
    let shelf = if name.starts_with(COOKBOOK_PREFIX) { COOKBOOK } else { PACKS };
    shelf.iter().find(|pack| pack.name == name)
}

#[cfg(test)]
mod tests {
    use super::{RECOMMENDED, all, find};
    use crate::domain::policy::Layer;

    #[test]
    fn every_pack_is_stored_whole() {
        for pack in all() {
            let parts = pack.parts().unwrap();
            let rules: usize = parts.iter().map(|part| part.clone().into_part(Layer::Bundled).rules.len()).sum();
            assert!(rules > 0, "{}", pack.name);
        }
        assert!(find(RECOMMENDED).is_some() && find("cookbook/gates").is_some());
    }
}
