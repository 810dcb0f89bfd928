//! Policies that were read before, so that a hook reads no YAML.
//!
//! What a set of files came to is kept under the hash of their texts, of the hosts there are, and of
//! the very modules that read them. An entry is trusted when it is sealed with a key that the user
//! alone can read, nobody else can have written it, and every file that it was made from still has
//! the text it had. Of anything else nothing is taken: the files are read as if there were no entry.
//! Nothing here fails: an entry that cannot be had or kept costs time and changes no answer.

use std::cell::Cell;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::collect::{OpenedSource, PolicySource, SourceError, collect};
use super::compiled::{StoredPart, compile_rules};
use super::diagnostic::{Diagnostic, SourceText};
use super::gate_checks::part_gate_references;
use super::loaded_part::{CollectedParts, LoadedPart};
use crate::domain::layer::Layer;
use crate::domain::policy::host_name::HostName;
use crate::domain::policy::prefilter::CompiledRule;
use crate::domain::policy::rule::Rule;
use crate::domain::policy::state_requirements::needs_state;
use crate::domain::text::encoding::encode_hex;
use crate::io::files::{read_private, write_private};
use crate::io::platform::Platform;

/// The modules that read policies, as the program was built from them.
const READER_BUILD: &str = env!("RULEWARD_READERS");
/// The directory of the entries, in that of what is written while the program runs.
const DIRECTORY: &str = "policies";
/// The file of the key, which no entry can have the name of.
const KEY_FILE: &str = "key";
/// Bytes that an entry may have.
const MAX_BYTES: u64 = 16 << 20;
/// Entries that are kept.
const MAX_ENTRIES: usize = 64;

type Hash = [u8; 32];

/// The place where entries are.
#[derive(Debug)]
pub struct PolicyCache {
    directory: PathBuf,
}

/// What a set of files came to.
#[derive(Serialize, Deserialize)]
struct CacheEntry {
    pieces: Vec<CachedPart>,
}

/// A piece, as it is kept.
#[derive(Serialize, Deserialize)]
struct CachedPart {
    part: StoredPart,
    rules: Vec<CompiledRule>,
    /// The hash of the text it was read from; none for a pack.
    text: Option<Hash>,
}

impl PolicyCache {
    /// Returns the user's cache, if there is a place for it.
    pub fn open(surroundings: &Platform) -> Option<Self> {
        let directory = surroundings.state_dir()?;
        Some(Self { directory: surroundings.join(directory, &[DIRECTORY]).into() })
    }

    /// Collects the files of one layer, from an entry where there is one. Of pieces that come from an
    /// entry the tests, the examples and the warnings are left out.
    pub fn collect(
        &self,
        roots: &[Arc<SourceText>],
        layer: Layer,
        files: &dyn PolicySource,
        hosts: &[HostName],
    ) -> CollectedParts {
        let name = entry_name(roots, hosts);
        if let Some(pieces) = self.load_entry(&name, roots, layer, files) {
            return CollectedParts { parts: pieces, diagnostics: Vec::new() };
        }
        let watched = TrackedSource { inner: files, is_uncacheable: Cell::new(false) };
        let gathered = collect(roots, layer, &watched, hosts);
        let is_broken = gathered.diagnostics.iter().any(Diagnostic::is_error);
        if !is_broken && !watched.is_uncacheable.get() {
            // That it could not be kept is no matter for anybody.
            let _unkept = self.store_entry(&name, &gathered.parts);
        }
        gathered
    }

    fn load_entry(
        &self,
        name: &str,
        roots: &[Arc<SourceText>],
        layer: Layer,
        files: &dyn PolicySource,
    ) -> Option<Vec<LoadedPart>> {
        let key = self.read_key()?;
        let bytes = read_private(&self.directory.join(name), MAX_BYTES).ok()??;
        let (seal, body) = bytes.split_at_checked(size_of::<Hash>())?;
        if seal != keyed_hash(&key, name, body) {
            return None;
        }
        let entry: CacheEntry = postcard::from_bytes(body).ok()?;
        entry.pieces.into_iter().map(|kept| kept.into_part(roots, layer, files)).collect()
    }

    fn store_entry(&self, name: &str, pieces: &[LoadedPart]) -> Option<()> {
        let entry = CacheEntry { pieces: pieces.iter().map(CachedPart::from_part).collect::<Option<_>>()? };
        let body = postcard::to_allocvec(&entry).ok()?;
        let key = self.read_key().or_else(|| self.create_key())?;
        self.evict();
        write_private(&self.directory.join(name), &[&keyed_hash(&key, name, &body), body.as_slice()].concat()).ok()
    }

    fn read_key(&self) -> Option<Hash> {
        read_private(&self.directory.join(KEY_FILE), 1 << 10).ok()??.try_into().ok()
    }

    fn create_key(&self) -> Option<Hash> {
        // Every state of this kind is seeded by the system's source of randomness.
        let mut hash = Sha256::new();
        for number in 0..8_u64 {
            let mut state = RandomState::new().build_hasher();
            state.write_u64(number);
            hash.update(state.finish().to_le_bytes());
        }
        let key: Hash = hash.finalize().into();
        write_private(&self.directory.join(KEY_FILE), &key).ok()?;
        Some(key)
    }

    /// Takes the entries away when there are many: those in use are soon there again.
    fn evict(&self) {
        let Ok(entries) = std::fs::read_dir(&self.directory) else { return };
        let entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        if entries.len() > MAX_ENTRIES {
            for path in entries.iter().filter(|path| !path.ends_with(KEY_FILE)) {
                let _gone = std::fs::remove_file(path);
            }
        }
    }
}

impl CachedPart {
    /// Returns a piece as it is kept; `None` when it would come back as another one.
    fn from_part(piece: &LoadedPart) -> Option<Self> {
        let mut part = piece.part.clone();
        // What goes by what was before is looked at in every event, to know what has to be remembered.
        let (whole, plain): (Vec<Rule>, Vec<Rule>) = std::mem::take(&mut part.rules).into_iter().partition(needs_state);
        let rules = compile_rules(&plain, &part.source).ok()?;
        let comes_back = |(packed, rule): (&CompiledRule, &_)| packed.decode().is_ok_and(|back| back == *rule);
        if !rules.iter().zip(&plain).all(comes_back) {
            return None;
        }
        part.rules = whole;
        let text = piece.source.as_ref().map(|source| text_hash(&source.text));
        Some(Self { part: StoredPart::from_part(part), rules, text })
    }

    /// Returns the piece, if the text it was read from is still the same.
    fn into_part(self, roots: &[Arc<SourceText>], layer: Layer, files: &dyn PolicySource) -> Option<LoadedPart> {
        let Self { part, rules, text } = self;
        let mut part = part.into_part(layer);
        let source = match text {
            None => None,
            Some(hash) => {
                let root = roots.iter().find(|root| root.name == part.source).cloned();
                let source = match root {
                    Some(root) => root,
                    None => match files.read_policy_file(roots.first()?, &part.source).ok()? {
                        OpenedSource::Text(source) => source,
                        OpenedSource::Compiled(_) => return None,
                    },
                };
                Some(source).filter(|source| text_hash(&source.text) == hash).map(Some)?
            }
        };
        if layer.is_project() {
            // What waits for a user's trust is taken out of them, so they have to be there.
            let rules: Vec<Rule> = rules.iter().map(CompiledRule::decode).collect::<Result<_, _>>().ok()?;
            part.rules.extend(rules);
        } else {
            part.compiled_rules = rules;
        }
        let (rules_at, gates_at, disable_at, examples) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let asks_gates = part_gate_references(&part);
        Some(LoadedPart {
            part,
            source,
            rule_spans: rules_at,
            gate_spans: gates_at,
            gate_references: asks_gates,
            disable_spans: disable_at,
            tests: None,
            examples,
        })
    }
}

/// A policy source of which it is noted whether it was asked for something whose path leads back and forth, or
/// begins where the program runs: where that leads, no text says.
struct TrackedSource<'a> {
    inner: &'a dyn PolicySource,
    is_uncacheable: Cell<bool>,
}

impl PolicySource for TrackedSource<'_> {
    fn read_policy_file(&self, from: &SourceText, name: &str) -> Result<OpenedSource, SourceError> {
        let leads_away = name.contains("..") || !Path::new(&from.name).is_absolute();
        self.is_uncacheable.set(self.is_uncacheable.get() || leads_away);
        self.inner.read_policy_file(from, name)
    }
}

/// Returns the name of the entry for some texts.
fn entry_name(roots: &[Arc<SourceText>], hosts: &[HostName]) -> String {
    let mut hash = Sha256::new();
    let mut add = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    add(READER_BUILD);
    for host in hosts {
        add(host.name);
        add(if host.is_protocol { "+" } else { "-" });
    }
    for root in roots {
        add("/");
        add(&root.name);
        add(&root.text);
    }
    encode_hex(&hash.finalize())
}

fn text_hash(text: &str) -> Hash {
    Sha256::digest(text).into()
}

/// Returns what only those who know the key can put before the bytes of an entry.
fn keyed_hash(key: &Hash, name: &str, body: &[u8]) -> Hash {
    // Hashed twice, so that nothing can be added behind what was sealed.
    let inner: Hash = Sha256::new().chain_update(key).chain_update(name).chain_update(body).finalize().into();
    Sha256::new().chain_update(key).chain_update(inner).finalize().into()
}
