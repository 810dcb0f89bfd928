//! The notes of a verdict, by effect.

use std::collections::{BTreeMap, BTreeSet};

use super::note::Note;
use crate::domain::effect::EffectKind;

/// Notes by the effect that they are given for. An effect without notes has no entry, so that equal verdicts are
/// equal maps.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Notes(BTreeMap<EffectKind, BTreeSet<Note>>);

static NO_NOTES: BTreeSet<Note> = BTreeSet::new();

impl Notes {
    /// Returns the notes of an effect.
    pub fn of(&self, effect: EffectKind) -> &BTreeSet<Note> {
        self.0.get(&effect).unwrap_or(&NO_NOTES)
    }

    /// Returns the notes of several effects, in their order.
    pub fn of_all<'a>(&'a self, effects: &'a [EffectKind]) -> impl Iterator<Item = &'a Note> {
        effects.iter().flat_map(|effect| self.of(*effect))
    }

    /// Returns whether there are notes of an effect.
    pub fn has(&self, effect: EffectKind) -> bool {
        self.0.contains_key(&effect)
    }

    /// Returns whether there are notes of any of the effects.
    pub fn has_any(&self, effects: &[EffectKind]) -> bool {
        effects.iter().any(|effect| self.has(*effect))
    }

    /// Returns the texts of an effect, each once.
    pub fn join(&self, effect: EffectKind, separator: &str) -> String {
        super::join_texts(self.of(effect), separator)
    }

    /// Adds a note of an effect.
    pub fn insert(&mut self, effect: EffectKind, note: Note) {
        self.0.entry(effect).or_default().insert(note);
    }

    /// Adds notes of an effect.
    pub fn extend(&mut self, effect: EffectKind, notes: impl IntoIterator<Item = Note>) {
        notes.into_iter().for_each(|note| self.insert(effect, note));
    }

    /// Removes and returns the notes of an effect.
    pub fn take(&mut self, effect: EffectKind) -> BTreeSet<Note> {
        self.0.remove(&effect).unwrap_or_default()
    }

    /// Removes the notes of an effect.
    pub fn clear(&mut self, effect: EffectKind) {
        self.0.remove(&effect);
    }

    /// Returns only the notes of these effects.
    #[must_use]
    pub fn only(mut self, effects: &[EffectKind]) -> Self {
        self.0.retain(|effect, _| effects.contains(effect));
        self
    }

    /// Adds the notes of another verdict.
    pub fn merge(&mut self, other: Self) {
        for (effect, notes) in other.0 {
            self.0.entry(effect).or_default().extend(notes);
        }
    }
}
