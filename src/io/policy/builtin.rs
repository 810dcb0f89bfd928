//! The packs that come with the program.
//!
//! Each is there twice: as the text that people read, and as rules that were read and checked when
//! the program was built, so that the hook reads no YAML for them.

use super::compiled::{Stored, decode};

/// A bundled pack.
#[derive(Debug)]
pub struct Pack {
    /// Its name under `extends`.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
    compiled: &'static [u8],
}

/// The pack that applies unless a policy says otherwise.
pub const RECOMMENDED: &str = "recommended";

/// Every bundled pack, by name.
pub const PACKS: &[Pack] = include!(concat!(env!("OUT_DIR"), "/packs.rs"));

impl Pack {
    /// Returns the pack and all that it extends.
    ///
    /// # Errors
    /// Returns that the program was built wrongly.
    pub fn parts(&self) -> Result<Vec<Stored>, String> {
        decode(self.compiled)
    }
}

/// Returns the pack of a name.
pub fn find(name: &str) -> Option<&'static Pack> {
    PACKS.iter().find(|pack| pack.name == name)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::{PACKS, RECOMMENDED, find};
    use crate::domain::policy::Layer;

    #[test]
    fn every_pack_is_stored_whole() {
        for pack in PACKS {
            let start = Instant::now();
            let parts = pack.parts().unwrap();
            let elapsed = start.elapsed();
            let rules: usize = parts.iter().map(|part| part.clone().into_part(Layer::Bundled).rules.len()).sum();
            eprintln!("{}: {rules} rules, {} bytes, decoded in {elapsed:?}", pack.name, pack.compiled.len());
            assert!(rules > 0, "{}", pack.name);
        }
        assert!(find(RECOMMENDED).is_some());
    }
}
