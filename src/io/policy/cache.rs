//! Policies that were read before, so that a hook reads no YAML.
//!
//! What a set of files came to is kept under the hash of their texts, of the hosts there are, and of
//! the very modules that read them. An entry is believed when it is sealed with a key that the person
//! alone can read, nobody else can have written it, and every file that it was made from still has
//! the text it had. Of anything else nothing is taken: the files are read as if there were no entry.
//! Nothing here fails: an entry that cannot be had or kept costs time and changes no answer.

use std::cell::Cell;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::compiled::{Stored, pack};
use super::diagnostic::{Diagnostic, Source};
use super::discover::state_directory;
use super::gates;
use super::gather::{Gathered, Opened, Piece, Shelf, Unavailable, gather};
use crate::domain::guard::Packed;
use crate::domain::policy::Layer;
use crate::domain::rule::Rule;
use crate::domain::state::remembers;
use crate::io::files::{read_private, write_private};
use crate::io::platform::Surroundings;

/// The modules that read policies, as the program was built from them.
const BUILD: &str = env!("RULEWARD_READERS");
/// The directory of the entries, in that of what is written while the program runs.
const DIRECTORY: &str = "policies";
/// The file of the key, which no entry can have the name of.
const KEY: &str = "key";
/// Bytes that an entry may have.
const MOST_BYTES: u64 = 16 << 20;
/// Entries that are kept.
const MOST_ENTRIES: usize = 64;

type Hash = [u8; 32];

/// The place where entries are.
#[derive(Debug)]
pub struct Cache {
    directory: PathBuf,
}

/// What a set of files came to.
#[derive(Serialize, Deserialize)]
struct Entry {
    pieces: Vec<Kept>,
}

/// A piece, as it is kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    part: Stored,
    rules: Vec<Packed>,
    /// The hash of the text it was read from; none for a pack.
    text: Option<Hash>,
}

impl Cache {
    /// Returns the person's cache, if there is a place for it.
    pub fn of(surroundings: &Surroundings) -> Option<Self> {
        let directory = state_directory(surroundings)?;
        Some(Self { directory: surroundings.join(&directory, &[DIRECTORY]).into() })
    }

    /// Gathers the files of one layer, from an entry where there is one. Of pieces that come from an
    /// entry the tests, the examples and the warnings are left out.
    pub fn gather(&self, roots: &[Arc<Source>], layer: Layer, files: &dyn Shelf, hosts: &[&str]) -> Gathered {
        let name = name(roots, hosts);
        if let Some(pieces) = self.recall(&name, roots, layer, files) {
            return Gathered { pieces, diagnostics: Vec::new() };
        }
        let watched = Watched { shelf: files, leads_away: Cell::new(false) };
        let gathered = gather(roots, layer, &watched, hosts);
        let is_broken = gathered.diagnostics.iter().any(Diagnostic::is_error);
        if !is_broken && !watched.leads_away.get() {
            // That it could not be kept is no matter for anybody.
            let _unkept = self.keep(&name, &gathered.pieces);
        }
        gathered
    }

    fn recall(&self, name: &str, roots: &[Arc<Source>], layer: Layer, files: &dyn Shelf) -> Option<Vec<Piece>> {
        let key = self.key()?;
        let bytes = read_private(&self.directory.join(name), MOST_BYTES).ok()??;
        let (seal, body) = bytes.split_at_checked(size_of::<Hash>())?;
        if seal != self::seal(&key, name, body) {
            return None;
        }
        let entry: Entry = postcard::from_bytes(body).ok()?;
        entry.pieces.into_iter().map(|kept| kept.into_piece(roots, layer, files)).collect()
    }

    fn keep(&self, name: &str, pieces: &[Piece]) -> Option<()> {
        let entry = Entry { pieces: pieces.iter().map(Kept::of).collect::<Option<_>>()? };
        let body = postcard::to_allocvec(&entry).ok()?;
        let key = self.key().or_else(|| self.make_key())?;
        self.make_room();
        write_private(&self.directory.join(name), &[&seal(&key, name, &body), body.as_slice()].concat()).ok()
    }

    fn key(&self) -> Option<Hash> {
        read_private(&self.directory.join(KEY), 1 << 10).ok()??.try_into().ok()
    }

    fn make_key(&self) -> Option<Hash> {
        // Every state of this kind is seeded by the system's source of randomness.
        let mut hash = Sha256::new();
        for number in 0..8_u64 {
            let mut state = RandomState::new().build_hasher();
            state.write_u64(number);
            hash.update(state.finish().to_le_bytes());
        }
        let key: Hash = hash.finalize().into();
        write_private(&self.directory.join(KEY), &key).ok()?;
        Some(key)
    }

    /// Takes the entries away when there are many: those in use are soon there again.
    fn make_room(&self) {
        let Ok(entries) = std::fs::read_dir(&self.directory) else { return };
        let entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        if entries.len() > MOST_ENTRIES {
            for path in entries.iter().filter(|path| !path.ends_with(KEY)) {
                let _gone = std::fs::remove_file(path);
            }
        }
    }
}

impl Kept {
    /// Returns a piece as it is kept; `None` when it would come back as another one.
    fn of(piece: &Piece) -> Option<Self> {
        let mut part = piece.part.clone();
        // What goes by what was before is looked at in every event, to know what has to be remembered.
        let (whole, plain): (Vec<Rule>, Vec<Rule>) = std::mem::take(&mut part.rules).into_iter().partition(remembers);
        let rules = pack(&plain, &part.source).ok()?;
        let comes_back = |(packed, rule): (&Packed, &_)| packed.rule().is_ok_and(|back| back == *rule);
        if !rules.iter().zip(&plain).all(comes_back) {
            return None;
        }
        part.rules = whole;
        let text = piece.source.as_ref().map(|source| text_hash(&source.text));
        Some(Self { part: Stored::of(part), rules, text })
    }

    /// Returns the piece, if the text it was read from is still the same.
    fn into_piece(self, roots: &[Arc<Source>], layer: Layer, files: &dyn Shelf) -> Option<Piece> {
        let Self { part, rules, text } = self;
        let mut part = part.into_part(layer);
        let source = match text {
            None => None,
            Some(hash) => {
                let root = roots.iter().find(|root| root.name == part.source).cloned();
                let source = match root {
                    Some(root) => root,
                    None => match files.open(roots.first()?, &part.source).ok()? {
                        Opened::Text(source) => source,
                        Opened::Ready(_) => return None,
                    },
                };
                Some(source).filter(|source| text_hash(&source.text) == hash).map(Some)?
            }
        };
        if layer.is_of_project() {
            // What waits for a person's trust is taken out of them, so they have to be there.
            let rules: Vec<Rule> = rules.iter().map(Packed::rule).collect::<Result<_, _>>().ok()?;
            part.rules.extend(rules);
        } else {
            part.packed = rules;
        }
        let (rules_at, gates_at, disable_at, examples) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let asks_gates = gates::asked_by_part(&part);
        Some(Piece { part, source, rules_at, gates_at, asks_gates, disable_at, tests: None, examples })
    }
}

/// A shelf of which it is noted whether it was asked for something whose path leads back and forth, or
/// begins where the program runs: where that leads, no text says.
struct Watched<'a> {
    shelf: &'a dyn Shelf,
    leads_away: Cell<bool>,
}

impl Shelf for Watched<'_> {
    fn open(&self, from: &Source, name: &str) -> Result<Opened, Unavailable> {
        let leads_away = name.contains("..") || !Path::new(&from.name).is_absolute();
        self.leads_away.set(self.leads_away.get() || leads_away);
        self.shelf.open(from, name)
    }
}

/// Returns the name of the entry for some texts.
fn name(roots: &[Arc<Source>], hosts: &[&str]) -> String {
    let mut hash = Sha256::new();
    let mut add = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    add(BUILD);
    for host in hosts {
        add(host);
    }
    for root in roots {
        add("/");
        add(&root.name);
        add(&root.text);
    }
    hash.finalize().iter().fold(String::new(), |name, byte| name + &format!("{byte:02x}"))
}

fn text_hash(text: &str) -> Hash {
    Sha256::digest(text).into()
}

/// Returns what only those who know the key can put before the bytes of an entry.
fn seal(key: &Hash, name: &str, body: &[u8]) -> Hash {
    // Hashed twice, so that nothing can be added behind what was sealed.
    let inner: Hash = Sha256::new().chain_update(key).chain_update(name).chain_update(body).finalize().into();
    Sha256::new().chain_update(key).chain_update(inner).finalize().into()
}
